"""What an operator's programs ask: does it live, is it ready, how much does it do."""

from __future__ import annotations

from hmac import compare_digest

from flask import Blueprint, Response, current_app, request

from companion import log
from companion.desk import health
from companion.desk.guard import is_from_here
from companion.push.bell import bell
from companion.settings import Settings

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def lives() -> Response:
    """Answer: the process does."""
    return _said("alive")


@pages.get("/readyz")
def ready() -> Response:
    """Say whether the database is there and has our schema; without Redis one is ready, too, but slower to tell."""
    telling = "away" if bell().is_away else "here"
    if not log.is_ready():
        return _said("The database is away, or of another release.", 503)
    return _said(f"ready\nredis: {telling if _settings().redis else 'none'}")


@pages.get("/metrics", endpoint="metrics")
def exposition() -> Response:
    """Give the figures to this machine itself, or to who brings the token."""
    if not _may_see():
        return _said("For this machine, or with the token of COMPANION_METRICS.", 403)
    return Response(health.exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_see() -> bool:
    token, given = _settings().metrics, request.headers.get("Authorization", "")
    if token and compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    return is_from_here()


def _settings() -> Settings:
    settings: Settings = current_app.config["COMPANION"]
    return settings


def _said(text: str, status: int = 200) -> Response:
    return Response(f"{text}\n", status, mimetype="text/plain")
