"""Who is asking: a phone, by the secret in its cookie, or a program, by its token; no accounts, nothing to install."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

from flask import Response, after_this_request, current_app, g, request
from werkzeug.wrappers import Response as BaseResponse

from companion.settings import Settings
from companion.tables.seating import hashed

COOKIE = "phone"
KEY = "Idempotency-Key"
"""The header with the key that makes a program's post count once."""
API = "/api"
"""Where programs ask."""
_SECRET_LENGTH = 32
_LIFE_S = 400 * 24 * 3600


def phone() -> str:
    """Name the phone that asks: its secret, hashed. A new phone is given one of 128 bits."""
    if "phone" not in g:
        g.phone = hashed(_secret() or fresh_secret())
    return str(g.phone)


def is_known() -> bool:
    """Whether the phone brought a secret."""
    return bool(_secret())


def fresh_secret() -> str:
    """Give the secret that a phone without one has from now on: a page's in a cookie, a program's in the answer.

    A program that sends its first post once more, under the same key, is the same program, and is told the same secret.
    """
    if "fresh_phone" not in g:
        key = request.headers.get(KEY) if is_api() else None
        g.fresh_phone = _derived(key) if key else secrets.token_hex(_SECRET_LENGTH // 2)
        if not is_api():
            after_this_request(_with_cookie)
    return str(g.fresh_phone)


def token() -> str:
    """Tell a program its own secret."""
    return _secret() or fresh_secret()


def is_api() -> bool:
    """Whether a program asks, and not a page: its cookies do not count."""
    return request.path == API or request.path.startswith(f"{API}/")


def _derived(key: str) -> str:
    """Make the secret of a program that has none yet of its key, its address and what it asks: only we can do that."""
    told = "\0".join((request.remote_addr or "", request.method, request.path, key))
    settings: Settings = current_app.config["COMPANION"]
    return hmac.new(settings.secret, told.encode("utf-8", "surrogatepass"), sha256).hexdigest()[:_SECRET_LENGTH]


def _secret() -> str:
    if is_api():
        bearer = request.authorization
        found = str(bearer.token or "") if bearer and bearer.type == "bearer" else ""
    else:
        found = request.cookies.get(COOKIE, "")
    return found if len(found) == _SECRET_LENGTH else ""


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
