"""The same as the pages do, as JSON for programs, described by OpenAPI at `/api/openapi.json` and to read at `/api`."""

from __future__ import annotations

from typing import Any

from apispec import APISpec
from flask import Flask, Response, request

from companion import __version__, contract
from companion.api import book, evenings, files, games, headers, play, socket, tables, webhooks
from companion.api.asyncapi import LICENSE, asyncapi
from companion.api.description import KEY, SEEN, Api, companion_error, readable
from companion.api.typed import describe_games
from companion.desk.phone import API as PREFIX
from companion.desk.phone import is_api
from companion.errors import CompanionError, NoSuchVersion

ABOUT = (
    "A program sits at a table as a phone does: whoever opens a table or sits down without a token is given one, and "
    "sends it along from then on. The token is the phone. An Idempotency-Key (up to 255 characters) makes a post "
    "count once, however often it is sent: it is answered with what it made the first time, what was refused stays "
    "refused, and with another body it is refused, too. It is the program's own: where there is no token yet, the key "
    "stands for the program, so take one that nobody guesses (a UUID). `after` is the number of the log that the "
    "program had seen, so that nothing is entered upon a table that has moved on. "
    "/api/tables/{code}/socket?seat=… is a WebSocket for a whole evening: it "
    "tells `look` (a View) at once, and whenever the table moves on; a move sent as {key, after, move} is answered "
    "with its `key` and `ruled` (Ruled) or `problem`. With &auth=message the first message says who it is, {token}, "
    "within ten seconds; it is answered with `welcome`, or with `problem` and the end of the socket (1008). Every "
    "answer names the version of the contract in its header API-Version: it is 1, and stays so as long as only "
    "something is added. The addresses here go on from /api/v1, which keeps to this version; from /api alone they "
    "are those of the newest."
)


def init_app(app: Flask) -> None:
    """Give an app its API; its pages come first."""
    app.config.update(
        API_TITLE="companion",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX=PREFIX,
        API_SPEC_OPTIONS={
            "info": {"description": ABOUT, "license": LICENSE},
            "servers": [
                {"url": f"{PREFIX}/v{contract.CONTRACT}", "description": "This version of the contract."},
                {"url": PREFIX, "description": "The newest version."},
            ],
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        },
    )
    api = Api(app, _completed)
    app.register_error_handler(CompanionError, companion_error)
    for pages in (games.pages, tables.pages, play.pages, evenings.pages, files.pages, book.pages):
        api.register_blueprint(pages)
    socket.init_app(app)
    webhooks.init_app(app)
    app.before_request(_known_version)
    app.after_request(_versioned)
    app.add_url_rule(f"{PREFIX}/asyncapi.json", "api.asyncapi", lambda: asyncapi(api.described.to_dict()))
    app.add_url_rule(PREFIX, "api.readable", lambda: readable(api.described))


def _known_version() -> None:
    """Tell who asks for another version of the contract which there are."""
    if asked := contract.unknown(request.environ):
        raise NoSuchVersion(asked=asked, versions=contract.CONTRACT)


def _versioned(answer: Response) -> Response:
    """Say by which contract an answer is given."""
    if is_api():
        answer.headers[headers.VERSION] = contract.CONTRACT
    return answer


def _completed(spec: APISpec) -> None:
    """Add what the operations do not say: the games' own schemas, and to which operations the code of a table leads."""
    webhooks.describe(spec)
    describe_games(spec)
    # The library's own, for pages of a kind that none of ours are.
    spec.components.schemas.pop("PaginationMetadata", None)
    _rounded_off(spec)
    headers.describe(spec)
    paths: dict[str, Any] = spec.to_dict()["paths"]
    led = [
        methods[method]["operationId"]
        for path, methods in paths.items()
        for method in ("get", "post", "put", "delete")
        if method in methods and "{code}" in path
    ]
    links = {name: {"operationId": name, "parameters": {"code": "$response.body#/table/code"}} for name in led}
    for path in (f"{PREFIX}/tables", f"{PREFIX}/records"):
        spec._paths[path]["post"]["responses"]["201"]["links"] = links
    # An address goes on from that of the server, which says the version.
    for path in [*spec._paths]:
        spec._paths[path.removeprefix(PREFIX)] = spec._paths.pop(path)


def _rounded_off(spec: APISpec) -> None:
    """Say of every operation what goes for all: whether it needs a token, its key, what who asks again may send."""
    for methods in spec._paths.values():
        for method, operation in methods.items():
            if method == "parameters":
                continue
            operation.setdefault("security", [{}, {"token": []}])
            more = [KEY] if method != "get" else [SEEN] if "304" in operation["responses"] else []
            operation["parameters"] = [*operation.get("parameters", ()), *more]
