"""The Redis that several servers share: the one that is named, or whichever of several its Sentinels name."""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

PATIENCE_S = 1.0
"""How long Redis may take to connect, to answer, or to show that it is alive."""
SENTINEL = "redis+sentinel"
"""How an address begins that names Sentinels: `redis+sentinel://one:26379,two:26379/companion?db=0`."""


def patience() -> dict[str, Any]:
    """Say how long whoever asks Redis waits for it: shortly, and once."""
    from redis.backoff import NoBackoff  # noqa: PLC0415 (who has one server alone does not wait for it)
    from redis.retry import Retry  # noqa: PLC0415

    return {"socket_timeout": PATIENCE_S, "socket_connect_timeout": PATIENCE_S, "retry": Retry(NoBackoff(), 0)}


def client(address: str) -> Any:
    """Give who asks Redis; nothing is asked yet."""
    from redis import Redis, Sentinel  # noqa: PLC0415 (as above)

    parts = urlsplit(address)
    if parts.scheme != SENTINEL:
        return Redis.from_url(address, decode_responses=True, **patience())
    said = {**patience(), **_secrets(parts), "decode_responses": True}
    asked: Any = Sentinel(_places(parts), sentinel_kwargs=said, **said)  # type: ignore[no-untyped-call]
    return asked.master_for(parts.path.strip("/"), db=_number(parts))


def counting(address: str) -> dict[str, Any]:
    """Say how the limiter asks, beside the address: always the one that takes what is counted."""
    parts = urlsplit(address)
    if parts.scheme != SENTINEL:
        return patience()
    said = {**patience(), **_secrets(parts)}
    return {**said, "sentinel_kwargs": said, "use_replicas": False, "db": _number(parts)}


def _places(parts: SplitResult) -> list[tuple[str, int]]:
    """List where Sentinels listen."""
    places = (urlsplit(f"//{place}") for place in parts.netloc.rpartition("@")[2].split(","))
    return [(place.hostname or "", place.port or 0) for place in places]


def _number(parts: SplitResult) -> int:
    """Tell the number of the database."""
    return int(parse_qs(parts.query).get("db", ["0"])[0])


def _secrets(parts: SplitResult) -> dict[str, str]:
    """Tell by which name and password Redis and its Sentinels are asked."""
    said = {"username": parts.username, "password": parts.password}
    return {name: unquote(value) for name, value in said.items() if value}
