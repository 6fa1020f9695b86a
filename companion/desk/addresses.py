"""Addresses for other phones, and their QR codes; and from which of ours somebody comes."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit

from flask import Flask, current_app, request, url_for
from flask.globals import request_ctx
from markupsafe import Markup

from companion.drawing.qr import qr_svg
from companion.log import Table
from companion.server.whereabouts import Whereabouts


def init_app(app: Flask) -> None:
    """Give an app a look at where it is."""
    app.extensions["companion.whereabouts"] = Whereabouts(app.config["COMPANION"])


def whereabouts() -> Whereabouts:
    """Give the app's look at where it is."""
    found: Whereabouts = current_app.extensions["companion.whereabouts"]
    return found


def our_address() -> str:
    """Give the address of the companion for other phones; never taken from what the request says its host is."""
    return whereabouts().address


def join_address(table: Table) -> str:
    """Give the address that opens a table, to be read and typed."""
    return our_address() + url_for("table.door", code=table.code)


def way_to(table: Table, is_open: bool) -> str:
    """Give the address for a QR code: where somebody may still sit down, it lets newcomers in whoever guesses codes."""
    return our_address() + url_for("table.door", code=table.code + (table.invitation if is_open else ""))


def qr(table: Table, is_open: bool) -> Markup:
    """Draw the way to a table; capitals keep it small."""
    return qr_of(way_to(table, is_open).upper())


@lru_cache(256)
def qr_of(address: str) -> Markup:
    """Draw the QR code of an address."""
    return Markup(qr_svg(address))  # noqa: S704 (it escapes what it says)


def came_from() -> str:
    """Tell from which page of ours somebody comes; what only answers a form cannot be opened: then the one above it."""
    came, ours = urlsplit(request.referrer or ""), request_ctx.url_adapter
    path = came.path if came.netloc == request.host else ""
    while path and ours and not ours.test(path, "GET"):
        path = path.rpartition("/")[0]
    return path
