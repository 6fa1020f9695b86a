"""Who is asking: a phone, by the secret in its cookie, or a program, by its token; no accounts, nothing to install."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

from flask import Response, after_this_request, current_app, g, request
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.errors import BadName
from companion.log.names import clean_name
from companion.settings import Settings
from companion.tables.seating import hashed

COOKIE = "phone"
NAME = "name"
"""The cookie with the name of whose phone it is."""
KEY = "Idempotency-Key"
"""The header with the key that makes a program's post count once."""
API = "/api"
"""Where programs ask."""
HOST_ONLY, SECURE_ONLY = "__Host-", "__Secure-"
"""How the names of cookies begin behind https: the first no other site can set, not even a neighbour in the same
domain; the second is for those that are for some pages alone, and comes by https at least."""
_SECRET_LENGTH, _SIGN_LENGTH = 32, 32
"""Hexadecimal digits: of 128 bits each."""
_OLD_LENGTH = 32
"""Of the secrets that older releases gave, without a sign."""
_LIFE_S = 400 * 24 * 3600


def phone() -> str:
    """Name the phone that asks: its secret, hashed. A new phone is given one of 128 bits, and our sign."""
    if "phone" not in g:
        g.phone = hashed(_secret() or fresh_secret())
    return str(g.phone)


def is_known() -> bool:
    """Whether the phone brought a secret of ours."""
    return bool(_secret())


def fresh_secret() -> str:
    """Give the secret that a phone without one has from now on: a page's in a cookie, a program's in the answer.

    A program that sends its first post once more, under the same key, is the same program, and is told the same secret.
    """
    if "fresh_phone" not in g:
        key = request.headers.get(KEY) if is_api() else None
        told = (request.remote_addr or "", request.method, request.path, key or "")
        g.fresh_phone = derived(*told) if key else signed(secrets.token_hex(_SECRET_LENGTH // 2), _key())
        if not is_api():
            after_this_request(_with_cookie)
    return str(g.fresh_phone)


def own_name() -> str:
    """Tell the name that was given on this phone; "" for none."""
    try:
        return clean_name(kept(NAME))
    except BadName:
        return ""


def become(secret: str) -> None:
    """Be another phone from now on, in this request and after it."""
    g.phone, g.fresh_phone = hashed(secret), secret
    after_this_request(_with_cookie)


def signed(drawn: str, key: bytes) -> str:
    """Make a secret of what was drawn: nobody else's is taken on."""
    return drawn + hmac.new(key, f"phone {drawn}".encode("utf-8", "surrogatepass"), sha256).hexdigest()[:_SIGN_LENGTH]


def derived(*told: str) -> str:
    """Make a secret of what was told, always the same one: only we can do that."""
    text = "\0".join(told).encode("utf-8", "surrogatepass")
    return signed(hmac.new(_key(), text, sha256).hexdigest()[:_SECRET_LENGTH], _key())


def token() -> str:
    """Tell a program its own secret."""
    return _secret() or fresh_secret()


def is_api() -> bool:
    """Whether a program asks, and not a page: its cookies do not count."""
    return request.path == API or request.path.startswith(f"{API}/")


def _key() -> bytes:
    settings: Settings = current_app.config["COMPANION"]
    return settings.secret


def _secret() -> str:
    """Read the secret that was brought; "" where it is none that we have made."""
    if "secret" not in g:
        found = _token() if is_api() else _cookie()
        g.secret = found if _is_ours(found) else ""
    return str(g.secret)


def _token() -> str:
    bearer = request.authorization
    return str(bearer.token or "") if bearer and bearer.type == "bearer" else ""


def _cookie() -> str:
    """Read the cookie; where it has another name by now, that of before is taken once more, and given its new one."""
    if not is_always_secure():
        return request.cookies.get(COOKIE, "")
    found = request.cookies.get(cookie_name(COOKIE), "")
    before = "" if found else request.cookies.get(COOKIE, "")
    if before and _is_ours(before):
        g.fresh_phone = before
        after_this_request(_with_cookie)
    return found or before


def _is_ours(secret: str) -> bool:
    """Say whether we have made a secret: it bears our sign; or somebody sits here by one of an older release or key."""
    drawn = secret[:_SECRET_LENGTH]
    if len(secret) == _SECRET_LENGTH + _SIGN_LENGTH and hmac.compare_digest(
        secret.encode(errors="replace"), signed(drawn, _key()).encode(errors="replace")
    ):
        return True
    return len(secret) in {_OLD_LENGTH, _SECRET_LENGTH + _SIGN_LENGTH} and log.has_anything(hashed(secret))


def remember(answer: BaseResponse, name: str, value: str, path: str = "/", life_s: int = _LIFE_S) -> None:
    """Keep something on the phone for a long time, or as long as is said, for some pages alone."""
    secure = is_always_secure()
    name = cookie_name(name, path)
    answer.set_cookie(name, value, max_age=life_s, path=path, httponly=True, samesite="Lax", secure=secure)


def forget(answer: BaseResponse, name: str, path: str = "/") -> None:
    """Take from the phone what was kept there."""
    name = cookie_name(name, path)
    answer.delete_cookie(name, path=path, httponly=True, samesite="Lax", secure=is_always_secure())


def kept(name: str, path: str = "/") -> str:
    """Read what the phone has chosen; behind https also as an older release kept it."""
    return request.cookies.get(cookie_name(name, path), request.cookies.get(name, ""))


def cookie_name(name: str, path: str = "/") -> str:
    """Name a cookie as browsers hold it to what it is: behind https, no other site may pass one off as ours."""
    if not is_always_secure():
        return name
    return (HOST_ONLY if path == "/" else SECURE_ONLY) + name


def is_always_secure() -> bool:
    """Say whether phones come by https only: where the plain door is open, too, a phone must be known at both."""
    settings: Settings = current_app.config["COMPANION"]
    return settings.address.startswith("https://")


def keep_secret(answer: BaseResponse, secret: str) -> None:
    """Keep a phone's secret on it."""
    remember(answer, COOKIE, secret)


def _with_cookie(answer: Response) -> Response:
    keep_secret(answer, g.fresh_phone)
    return answer
