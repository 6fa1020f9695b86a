"""A newcomer's secret is made anew where it gets its first table or seat: who had put the old one there has nothing.

The answer with the new secret may be lost on its way. The same form, sent again, gives the same secret and finds its
seat: its key is known to that page alone, and to its phone, which keeps it for the door. Where that is lost, too, the
old secret alone gives the new one once more, for two minutes, unless somebody has come with it.

Who has entered something at a table is no newcomer there: it stays who it is, and its keys are known.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from flask import Flask, current_app, redirect, url_for
from werkzeug.wrappers import Response

from companion import log
from companion.desk.keys import sender
from companion.desk.phone import become, derived, is_known, keep_secret, kept, phone, remember, token
from companion.errors import CompanionError
from companion.log import Table
from companion.tables.seating import Asker, hashed

COOKIE = "door"
"""The cookie with the key of the forms that the door showed last."""
AN_EVENING_S = 12 * 3600
LOST_S = 120.0
MOST = 10_000
"""So many are waited for."""


@dataclass(frozen=True)
class Newcomer(Asker):
    """A phone with a new secret, which it may not know of yet."""

    secret: str


@dataclass(frozen=True, slots=True)
class Given:
    """A secret that was given to a phone."""

    secret: str
    before: str
    """What the phone was until then, hashed."""
    since: float


class Awaited:
    """The phones that have been given a new secret, and have not come with it yet."""

    def __init__(self) -> None:
        """Begin with none."""
        self._given: OrderedDict[str, Given] = OrderedDict()
        self._lock = Lock()

    def add(self, newcomer: Newcomer, before: str) -> None:
        """Wait for a phone."""
        with self._lock:
            self._given[newcomer.phone] = Given(newcomer.secret, before, time.monotonic())
            if len(self._given) > MOST:
                self._given.popitem(last=False)

    def has_come(self, phone: str) -> None:
        """Wait for a phone no longer."""
        if phone in self._given:
            with self._lock:
                self._given.pop(phone, None)

    def given(self, phone: str) -> Given | None:
        """Give what was given to a phone that is still waited for."""
        given = self._given.get(phone)
        return given if given and time.monotonic() - given.since < LOST_S else None


def init_app(app: Flask) -> None:
    """Give an app those whom it waits for."""
    app.extensions["companion.awaited"] = Awaited()


def awaited() -> Awaited:
    """Give those whom the app waits for."""
    found: Awaited = current_app.extensions["companion.awaited"]
    return found


def newcomer(asker: Asker, key: str) -> Asker:
    """Say as whom a phone sits down: one that has nothing yet, as one whose secret nobody else can know.

    Args:
        asker: the phone.
        key: that of the form by which it sits down, as the form says it.
    """
    if not is_known() or log.has_anything(asker.phone) or log.has_entered(asker.table, sender(asker.phone)):
        return asker
    return _expected(asker) or _made(asker, key)


@contextmanager
def unsure(asker: Asker) -> Iterator[None]:
    """Wait for who sits down before that is kept: from then on nobody can say whether the answer will arrive."""
    new = asker if isinstance(asker, Newcomer) and awaited().given(asker.phone) is None else None
    if new:
        awaited().add(new, phone())
    try:
        yield
    except CompanionError as problem:
        if new and problem.status < 500:  # noqa: PLR2004
            awaited().has_come(asker.phone)
        raise


def hand_out(answer: Response, asker: Asker) -> None:
    """Give a phone that has just sat down its new secret."""
    if isinstance(asker, Newcomer):
        awaited().add(asker, phone())
        keep_secret(answer, asker.secret)


def keep_key(answer: Response, table: Table, key: str) -> None:
    """Let a phone keep the key of the door's forms: always another one, so that nobody can have put it there."""
    remember(answer, COOKIE, key, path=url_for("table.door", code=table.code), life_s=AN_EVENING_S)


def led_back(asker: Asker, key: str = "") -> Response | None:
    """Lead a phone that its new secret did not reach to what it has here, and give it that once more.

    Args:
        asker: the phone.
        key: that of the form by which it sat down, if it comes with that again; else the one that it has kept.
    """
    key = key or kept(COOKIE, url_for("table.door", code=asker.table.code))
    found = newcomer(asker, key) if key else _expected(asker)
    if not isinstance(found, Newcomer) or not (found.is_host or found.seat is not None):
        return None
    where = "seats.seats" if found.seat is None else "table.seat"
    answer = redirect(url_for(where, code=found.table.code, seat=found.seat))
    hand_out(answer, found)
    return answer


def become_host(key: str) -> None:
    """Go on, in this request, as one whose secret nobody else can know; the same post makes the same one."""
    if key and is_known() and not log.has_anything(phone()):
        become(derived("host", token(), key))


def _expected(asker: Asker) -> Newcomer | None:
    """Say as whom a phone sits that its new secret did not reach; None where it does not."""
    for there in (asker.table.host, *(seating.phone for seating in asker.table.seatings)):
        given = awaited().given(there) if there else None
        if there and given and given.before == asker.phone:
            return Newcomer(asker.table, there, given.secret)
    return None


def _made(asker: Asker, key: str) -> Newcomer:
    secret = derived("seat", token(), asker.table.code, key)
    return Newcomer(asker.table, hashed(secret), secret)
