"""Addresses for other phones, and their QR codes."""

from __future__ import annotations

from functools import lru_cache

from flask import current_app, url_for
from markupsafe import Markup

from companion.drawing.qr import qr_svg
from companion.settings import Settings, own_address


def our_address() -> str:
    """Give the address of the companion for other phones; never taken from what the request says its host is."""
    settings: Settings = current_app.config["COMPANION"]
    return settings.address or own_address()


def join_address(code: str) -> str:
    """Give the address that opens a table."""
    return our_address() + url_for("table.door", code=code)


def qr(code: str) -> Markup:
    """Draw the code of a table; capitals keep it small."""
    return qr_of(join_address(code).upper())


@lru_cache(256)
def qr_of(address: str) -> Markup:
    """Draw the QR code of an address."""
    return Markup(qr_svg(address))
