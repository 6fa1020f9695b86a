"""How much one phone, and one home, may ask for of what costs more than a move; moves and pages are not counted.

The figures are some ten times what a busy evening of eight phones needs, and small beside what one program can ask for.
They are counted by the limiter that counts wrong codes: together with all servers, or here alone while Redis is away.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from threading import BoundedSemaphore, Lock
from typing import cast

from flask import Flask, current_app, request
from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerHour
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter, RateLimiter

from companion import metrics
from companion.desk.guard import limiter
from companion.desk.phone import is_known, phone
from companion.errors import CompanionError, Told
from companion.game import N_
from companion.intake import home
from companion.push.bell import bell
from companion.settings import Settings


class TooMuch(CompanionError):
    """More than anybody needs of something that costs much."""

    status, key = 429, "too_much"
    title = N_("That was a lot")
    message = N_("%(what)s Try again in %(minutes)s min.")

    def __init__(self, what: Told, retry_s: int = 60) -> None:
        """Take what there was too much of, and after how many seconds there is not any more."""
        super().__init__(what=what, minutes=math.ceil(retry_s / 60))
        self.retry_s = retry_s


@dataclass(frozen=True, slots=True)
class Quota:
    """How often something may be asked for."""

    key: str
    of_a_home: int
    of_a_phone: int
    said: Told
    """What there was too much of."""
    window: type[RateLimitItem] = RateLimitItemPerHour

    def limits(self, homes: int) -> Iterator[tuple[RateLimitItem, str, str]]:
        """Yield how often who may ask for it."""
        yield self.window(self.of_a_home * homes), self.key, f"home {home(request.remote_addr or '')}"
        if is_known():
            yield self.window(self.of_a_phone * homes), self.key, f"phone {phone()}"


TABLES = Quota("tables", 120, 60, Told("Many tables or groups were opened from here lately; they all go on."))
RECORDS = Quota("records", 20_000, 20_000, Told("Many records were brought from here lately."), RateLimitItemPerDay)
SHEETS = Quota("sheets", 1_500, 750, Told("Many sheets were printed or looked at from here lately."))
BOOKS = Quota("books", 600, 300, Told("Many statistics and spreadsheets were asked for from here lately."))
ALL = (TABLES, RECORDS, SHEETS, BOOKS)
KINDS = (*(quota.key for quota in ALL), "busy", "bringing", "late", "listening", "streams", "guesses")
"""What is counted of all that was too much."""

BUSY = Told("Others ask for the same just now.")
CROWDED = "X-Companion-Crowded"
"""The header by which the server tells why it has not read the rest of a request; whoever sends it is refused, too."""
BRINGING = Told("Many files are on their way from here already.")
LISTENING = Told("Many pages are open here already.")
PLAYING_OF_A_HOME, LOOKING_OF_A_HOME = 256, 64
"""Streams of one home at one worker: of phones that have a seat or are the host, and of those that look on."""

LATE = Told("This came too late: the files before it took long.")
BRING_S = 60.0
"""How long the files of one post may be read; those that are left are named, and can be brought again."""

THREADS = 4
"""So many threads of a worker bring records, and so many others look through books; as many more may wait for each: the
rest is for taps and pages."""
WAIT_S = 2.0
"""How long these wait: copies of one post that come at once are all given the same answer."""


def too_much(kind: str, what: Told, retry_s: int = 60) -> TooMuch:
    """Count that there was too much of something, and say so."""
    metrics.QUOTAS.labels(kind).inc()
    return TooMuch(what, retry_s)


class Places:
    """Where something that takes long is done."""

    def __init__(self) -> None:
        """Begin with all of them free."""
        self._free = BoundedSemaphore(THREADS)
        self._room = BoundedSemaphore(2 * THREADS)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Take one, or wait a little for it. Raises: TooMuch."""
        if not self._room.acquire(blocking=False):
            raise too_much("busy", BUSY)
        try:
            if not self._free.acquire(timeout=WAIT_S):
                raise too_much("busy", BUSY)
            try:
                yield
            finally:
                self._free.release()
        finally:
            self._room.release()


class Homes:
    """Who listens, by home."""

    def __init__(self, times: int) -> None:
        """Begin with nobody; each may have so many times as much as one home, 0 for all that there is."""
        self._times = times
        self._lock = Lock()
        self._listening: Counter[tuple[str, bool]] = Counter()

    def enter(self, home: str, is_playing: bool) -> bool:
        """Let one more of a home listen; False when there are too many."""
        most = (PLAYING_OF_A_HOME if is_playing else LOOKING_OF_A_HOME) * self._times
        with self._lock:
            if self._times and self._listening[home, is_playing] >= most:
                return False
            self._listening[home, is_playing] += 1
            return True

    def leave(self, home: str, is_playing: bool) -> None:
        """Forget one."""
        with self._lock:
            self._listening[home, is_playing] -= 1
            if not self._listening[home, is_playing]:
                del self._listening[home, is_playing]


def homes() -> Homes:
    """Give who listens to an app."""
    known: Homes = current_app.extensions["companion.homes"]
    return known


def init_app(app: Flask) -> None:
    """Count for an app."""
    for kind in KINDS:  # from 0 on: whoever is alarmed by the first one must have seen that there was none
        metrics.QUOTAS.labels(kind)
    app.before_request(_not_crowded)
    app.extensions["companion.homes"] = Homes(app.config["COMPANION"].homes)
    app.extensions["companion.spare_limiter"] = FixedWindowRateLimiter(MemoryStorage())
    app.extensions["companion.places"] = {quota.key: Places() for quota in (RECORDS, BOOKS)}


def _not_crowded() -> None:
    """Refuse what the server has not read to its end. Raises: TooMuch."""
    if CROWDED in request.headers:
        raise too_much("bringing", BRINGING)


def spend(quota: Quota) -> None:
    """Count one of a kind. Raises: TooMuch."""
    settings: Settings = current_app.config["COMPANION"]
    if not settings.homes:
        return
    for most, *who in quota.limits(settings.homes):
        until = _count(most, *who)
        if until is not None:
            raise too_much(quota.key, quota.said, max(1, math.ceil(until - time.time())))


def bringing() -> Callable[[], None]:
    """Begin to bring records; gives what counts each of them. Raises, when called: TooMuch."""
    until = time.monotonic() + BRING_S

    def count() -> None:
        if time.monotonic() > until:
            raise too_much("late", LATE)
        spend(RECORDS)

    return count


def place(quota: Quota) -> AbstractContextManager[None]:
    """Do what takes long, while not too many do the same. Raises, when entered: TooMuch."""
    places: Places = current_app.extensions["companion.places"][quota.key]
    return places.one()


def _count(most: RateLimitItem, *who: str) -> float | None:
    """Count one more; where it is one too many, gives when it is not any more (seconds since 1970)."""
    counters = [cast(RateLimiter, current_app.extensions["companion.spare_limiter"])]
    if not bell().is_away:
        counters.append(limiter.limiter)
    while True:
        counter = counters.pop()
        try:
            return None if counter.hit(most, *who) else counter.get_window_stats(most, *who).reset_time
        except Exception:  # whatever Redis has: then it is counted here alone
            if not counters:
                raise
