"""The same as the pages do, as JSON for programs, described by OpenAPI at `/api/openapi.json` and to read at `/api`."""

from __future__ import annotations

from flask import Flask

from companion import __version__
from companion.api import games, play, tables
from companion.api.description import Api, companion_error, readable
from companion.errors import CompanionError
from companion.web.guard import limited

ABOUT = (
    "A program sits at a table as a phone does: whoever opens a table or sits down without a token is given one, and "
    "sends it along from then on. The token is the phone. An Idempotency-Key makes a post count once, however often it "
    "is sent; `after` is the number of the log that the program had seen, so that nothing is entered upon a table that "
    "has moved on."
)


def init_app(app: Flask) -> None:
    """Give an app its API; its pages come first."""
    app.config.update(
        API_TITLE="companion",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        API_SPEC_OPTIONS={
            "info": {"description": ABOUT},
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        },
    )
    api = Api(app)
    app.register_error_handler(CompanionError, companion_error)
    for pages in (games.pages, tables.pages, play.pages):
        limited(pages)
        api.register_blueprint(pages)
    games.describe(api.spec)
    app.add_url_rule("/api", "api.readable", lambda: readable(api.spec))
