"""Who is asking: a phone, by the secret in its cookie; no accounts, nothing to install."""

from __future__ import annotations

import secrets

from flask import Response, after_this_request, current_app, g, request
from werkzeug.wrappers import Response as BaseResponse

from companion.seating import hashed
from companion.settings import Settings

COOKIE = "phone"
_LIFE_S = 400 * 24 * 3600


def phone() -> str:
    """Name the phone that asks: its secret, hashed. A new phone is given one of 128 bits."""
    secret = request.cookies.get(COOKIE, "")
    if len(secret) != 32:  # noqa: PLR2004 (16 bytes in hex)
        secret = g.setdefault("fresh_phone", secrets.token_hex(16))
        after_this_request(_with_cookie)
    return hashed(secret)


def remember(answer: BaseResponse, name: str, value: str) -> None:
    """Keep something on the phone for a long time."""
    answer.set_cookie(name, value, max_age=_LIFE_S, httponly=True, samesite="Lax", secure=_is_always_secure())


def _is_always_secure() -> bool:
    """Say whether phones come by https only: where the plain door is open, too, a phone must be known at both."""
    settings: Settings = current_app.config["COMPANION"]
    return settings.address.startswith("https://")


def _with_cookie(answer: Response) -> Response:
    remember(answer, COOKIE, g.fresh_phone)
    return answer
