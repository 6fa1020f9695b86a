"""What every request must pass, and what every answer carries."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from ipaddress import ip_address
from string import punctuation
from typing import Any, ParamSpec, TypeVar, cast
from urllib.parse import parse_qsl, quote, urlsplit

from flask import Flask, Request, Response, current_app, g, redirect, request
from flask_limiter import Limiter, RateLimitExceeded
from limits import RateLimitItem, WindowStats
from limits.strategies import RateLimiter
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.utils import cached_property
from werkzeug.wrappers import Response as BaseResponse

from companion import contract, metrics
from companion.desk import invitation
from companion.desk.addresses import whereabouts
from companion.desk.phone import is_always_secure, is_api
from companion.errors import Forged, NotJson, UnknownHost
from companion.intake import MOST_OF_A_BODY, ROOM, home
from companion.push.shared import counting
from companion.server.name import is_name
from companion.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

LOCAL_NAMES = (".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost", ".test")
OWN_NUMBERS = {"127.0.0.1", "::1", "localhost"}
"""How a machine calls itself; a browser looks none of these up."""

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
FRAMED = {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'"),
    "X-Frame-Options": "SAMEORIGIN",
}
"""What differs in a demonstration, which shows its own pages on another one."""
ASKED_BY_GUESTS = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
    "Access-Control-Max-Age": "7200",
}
"""What a program of another origin may do, said when its browser asks before."""
COUNTED = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
"""How the limiter says how many wrong codes are left."""
TOLD_TO_GUESTS = ", ".join(("API-Version", "Content-Disposition", "ETag", "Retry-After", "WWW-Authenticate", *COUNTED))
"""The headers of answers that it may read."""
A_YEAR_S = 365 * 24 * 3600
"""So long a browser comes by https alone, once it has: where there is no plain door at home."""
OFTEN = "X-RateLimit-Retry-After"


class Readable(Request):
    """A request whose address can be read, whatever bytes stand in it; escaped ones are read in the same way.

    Neither an invitation nor the version of the contract stays in it.
    """

    def __init__(self, environ: dict[str, Any], *about: Any, **more: Any) -> None:
        """Read what the server says of a request."""
        contract.take_off(environ)
        invitation.take_out(environ)
        super().__init__(environ, *about, **more)

    @cached_property
    def args(self) -> ImmutableMultiDict[str, str]:
        """Read what stands behind the question mark."""
        said = self.query_string.decode(errors="replace")
        return ImmutableMultiDict(parse_qsl(said, keep_blank_values=True))


def _address() -> str:
    return home(request.remote_addr or "nobody")


def _is_miss(answer: Response) -> bool:
    return "is_miss" in g


class Both(RateLimiter):
    """Counts in Redis, and here alone what it does not take: one that is full, or cannot write, can still be read."""

    def __init__(self, shared: RateLimiter, own: RateLimiter) -> None:
        """Take both that count."""
        super().__init__(shared.storage)
        self._shared, self._own = shared, own

    def hit(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Count; say whether that is not too many."""
        try:
            return self._shared.hit(item, *identifiers, cost=cost)
        except Exception:  # whatever Redis has
            return self._own.hit(item, *identifiers, cost=cost)

    def test(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Say whether one more would not be too many. Raises: whatever Redis has, when it cannot be read."""
        return all(each.test(item, *identifiers, cost=cost) for each in (self._own, self._shared))

    def get_window_stats(self, item: RateLimitItem, *identifiers: str) -> WindowStats:
        """Tell how many are left, and until when. Raises: as `test`."""
        stats = (each.get_window_stats(item, *identifiers) for each in (self._own, self._shared))
        return min(stats, key=lambda each: each.remaining)


class Counting(Limiter):
    """The limiter, which goes on counting whatever Redis has."""

    @property
    def limiter(self) -> RateLimiter:
        """Give what counts now."""
        own, now = self._fallback_limiter, super().limiter
        return _both(now, own) if own and now is not own else now


@lru_cache(1)
def _both(shared: RateLimiter, own: RateLimiter) -> Both:
    """Keep what counts in both."""
    return Both(shared, own)


limiter = Counting(_address, headers_enabled=True)

_guesses = limiter.shared_limit("30 per minute", scope="guesses", deduct_when=_is_miss)
"""Wrong codes from one address."""
_all_guesses = limiter.shared_limit("1000 per hour", scope="all guesses", key_func=lambda: "all", deduct_when=_is_miss)
"""Wrong codes from everywhere."""


def limited(looks_up: Callable[P, T]) -> Callable[P, T]:
    """Let nobody look up more codes who has tried too many wrong ones; `g.is_miss` counts one."""
    return _counted(cast("Callable[P, T]", _all_guesses(_guesses(looks_up))))


def limited_at_home(looks_up: Callable[P, T]) -> Callable[P, T]:
    """Count wrong ones in the same way, but by address alone: no guesses of others keep anybody out."""
    return _counted(cast("Callable[P, T]", _guesses(looks_up)))


def _counted(looks_up: Callable[P, T]) -> Callable[P, T]:
    """Count for the operator who is told to wait."""

    @wraps(looks_up)
    def look_up(*about: P.args, **more: P.kwargs) -> T:
        try:
            return looks_up(*about, **more)
        except RateLimitExceeded:
            metrics.QUOTAS.labels("guesses").inc()
            raise

    return look_up


def init_app(app: Flask) -> None:
    """Guard every route of an app; several servers count together, and each for itself while Redis is away."""
    app.request_class = Readable
    redis = app.config["COMPANION"].redis
    app.config["RATELIMIT_STORAGE_URI"] = redis or "memory://"
    if redis:
        app.config["RATELIMIT_STORAGE_OPTIONS"] = counting(redis)
        app.config["RATELIMIT_IN_MEMORY_FALLBACK_ENABLED"] = True
    app.config["RATELIMIT_HEADER_RETRY_AFTER"] = OFTEN
    app.after_request(_when_to_come_again)  # Who comes first here has the last word.
    limiter.init_app(app)
    if proxies := app.config["COMPANION"].proxies:
        # The host that they pass on is the one that was asked for; nobody else may name another.
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=0)  # type: ignore[method-assign]
    app.before_request(_with_room)
    app.before_request(_known_host)
    app.before_request(_own_page)
    app.after_request(_with_headers)
    app.after_request(_for_guests)


def _with_room() -> None:
    """Let files that bring evenings here be larger than any other post."""
    request.max_content_length = ROOM.get(request.path, MOST_OF_A_BODY)


def _known_host() -> BaseResponse | None:
    """Refuse hosts that are not ours: a page elsewhere may have pointed its own name at us.

    The name that the network is told leads on to the number, before it can get a cookie of its own.
    """
    settings: Settings = current_app.config["COMPANION"]
    name = (urlsplit(f"//{request.host}").hostname or "").lower()
    if is_name(name, settings.name) and request.method in {"GET", "HEAD"} and name != whereabouts().host:
        there = settings.secure_address if request.is_secure else whereabouts().address
        query = quote(request.query_string, punctuation)
        return redirect(there + quote(request.path) + (f"?{query}" if query else ""))
    if not (_is_ours(name, settings) or _looks_after(name)):
        raise UnknownHost
    return None


def _is_ours(name: str, settings: Settings) -> bool:
    if name and name == urlsplit(settings.address).hostname:
        return True
    if settings.hosts:
        return name in settings.hosts or (bool(name) and name == whereabouts().host)
    try:
        ip_address(name)
    except ValueError:
        return bool(name) and ("." not in name or name.endswith(LOCAL_NAMES))
    return True


def _looks_after(name: str) -> bool:
    """Say whether a program of this machine asks how we are, by the machine's own number: no name elsewhere is that."""
    return request.blueprint == "health" and name in OWN_NUMBERS and is_from_here()


def is_from_here() -> bool:
    """Say whether this machine itself asks; whoever comes by a proxy does not, even if the proxy is here."""
    is_direct = "X-Forwarded-For" not in request.headers and "Forwarded" not in request.headers
    where = ip_address(request.remote_addr or "0.0.0.0")
    # Who listens by IPv6 is told a number of IPv4 within one of IPv6.
    return is_direct and (getattr(where, "ipv4_mapped", None) or where).is_loopback


def _own_page() -> None:
    """Refuse to change anything, or to open a line, unless the browser says that our own page asks.

    Browsers send `Sec-Fetch-Site` on secure origins and `Origin` with every post; a request with neither is no
    form of ours. Forms on other sites can send neither our cookie (SameSite) nor our origin. A program sends neither,
    but JSON and its token, which no form can; a script of another site sends its own origin, which is let in where the
    one who keeps the companion has named it.
    """
    is_line = request.headers.get("Upgrade", "").lower() == "websocket"
    if request.method in {"GET", "HEAD", "OPTIONS"} and not is_line:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    is_same_site = site in (None, "same-origin") and (site or origin) is not None
    is_same_origin = origin is None or origin in _own_origins()
    if is_api():
        if request.routing_exception:
            return
        if not _guest() and (site not in {None, "same-origin"} or not is_same_origin):
            raise Forged
        if request.mimetype != "application/json" and request.method != "DELETE" and not is_line:
            raise NotJson
        return
    is_form = request.mimetype in {"application/x-www-form-urlencoded", "multipart/form-data"}
    if not (is_same_site and is_same_origin and (is_form or is_line)):
        raise Forged


def _own_origins() -> set[str]:
    """Name where our pages come from: on a server in the net by https alone, at home by the plain door, too."""
    plain = set() if is_always_secure() else {f"http://{request.host}"}
    return {f"https://{request.host}", *plain}


def _guest() -> str:
    """Give the origin of a program in a browser that may use the API; "" for any other."""
    settings: Settings = current_app.config["COMPANION"]
    origin = request.headers.get("Origin", "")
    return origin if is_api() and origin in settings.origins else ""


def _for_guests(answer: Response) -> Response:
    """Let programs of named origins read what the API says: by their tokens, never by a cookie."""
    settings: Settings = current_app.config["COMPANION"]
    if settings.origins and is_api():
        answer.vary.add("Origin")
        if guest := _guest():
            answer.headers["Access-Control-Allow-Origin"] = guest
            answer.headers["Access-Control-Expose-Headers"] = TOLD_TO_GUESTS
            if request.method == "OPTIONS":
                answer.headers.update(ASKED_BY_GUESTS)
    return answer


def _when_to_come_again(answer: Response) -> Response:
    """Keep what the limiter says of every answer for those of whom a wrong code was counted, or who came too often."""
    when, is_too_often = answer.headers.pop(OFTEN, None), answer.status_code == 429  # noqa: PLR2004
    if when and is_too_often:
        answer.headers.setdefault("Retry-After", when)
    if not (is_too_often or _is_miss(answer)):
        for name in COUNTED:
            answer.headers.pop(name, None)
    return answer


def _with_headers(answer: Response) -> Response:
    settings: Settings = current_app.config["COMPANION"]
    for name, value in (HEADERS | (FRAMED if settings.demo else {})).items():
        answer.headers.setdefault(name, value)
    if request.is_secure:
        answer.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        if is_always_secure() and not settings.has_own_authority:
            answer.headers.setdefault("Strict-Transport-Security", f"max-age={A_YEAR_S}")
    answer.headers.setdefault("Cache-Control", "no-store")  # Files say themselves how long they are kept.
    return answer
