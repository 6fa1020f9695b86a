"""A newcomer's secret is made anew where it gets its first table or seat: who had put the old one there has nothing.

The answer with the new secret may be lost on its way. So it is given once more to the phone that brings the old one,
for two minutes, unless somebody has come with the new one.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from flask import Flask, current_app, redirect, url_for
from werkzeug.wrappers import Response

from companion import log
from companion.desk.phone import become, derived, is_known, keep_secret, phone, token
from companion.errors import CompanionError
from companion.tables.seating import Asker, hashed

LOST_S = 120.0
MOST = 10_000
"""So many are waited for."""


class Awaited:
    """The phones that have been given a new secret, and have not come with it yet."""

    def __init__(self) -> None:
        """Begin with none."""
        self._since: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def add(self, phone: str) -> None:
        """Wait for a phone."""
        with self._lock:
            self._since[phone] = time.monotonic()
            if len(self._since) > MOST:
                self._since.popitem(last=False)

    def has_come(self, phone: str) -> None:
        """Wait for a phone no longer."""
        if phone in self._since:
            with self._lock:
                self._since.pop(phone, None)

    def __contains__(self, phone: str) -> bool:
        """Say whether a phone is still waited for."""
        since = self._since.get(phone)
        return since is not None and time.monotonic() - since < LOST_S


def init_app(app: Flask) -> None:
    """Give an app those whom it waits for."""
    app.extensions["companion.awaited"] = Awaited()


def awaited() -> Awaited:
    """Give those whom the app waits for."""
    found: Awaited = current_app.extensions["companion.awaited"]
    return found


def newcomer(asker: Asker, seat: int) -> Asker:
    """Say as whom a phone sits down: one that has nothing yet, as one whose secret nobody else can know."""
    if not is_known() or log.has_anything(asker.phone):
        return asker
    if (sitter := _sitter(asker)) is not None:
        return sitter
    fresh = hashed(_secret(asker, seat))
    sits = any(seating.phone == fresh for seating in asker.table.seatings)
    return asker if sits and fresh not in awaited() else Asker(asker.table, fresh)


@contextmanager
def unsure(asker: Asker) -> Iterator[None]:
    """Wait for who sits down before that is kept: from then on nobody can say whether the answer will arrive."""
    is_new = asker.phone != phone() and asker.phone not in awaited()
    if is_new:
        awaited().add(asker.phone)
    try:
        yield
    except CompanionError as problem:
        if is_new and problem.status < 500:  # noqa: PLR2004
            awaited().has_come(asker.phone)
        raise


def hand_out(answer: Response, asker: Asker, seat: int) -> None:
    """Give a phone that has just sat down its new secret."""
    if asker.phone != phone():
        awaited().add(asker.phone)
        keep_secret(answer, _secret(asker, seat))


def led_back(asker: Asker) -> Response | None:
    """Lead a phone that its new secret did not reach to its seat, and give it that once more."""
    if not is_known():
        return None
    for place in asker.table.seatings:
        if not place.phone or place.phone not in awaited():
            continue
        if (sitter := newcomer(asker, place.seat)).phone == place.phone:
            answer = redirect(url_for("table.seat", code=asker.table.code, seat=place.seat))
            hand_out(answer, sitter, place.seat)
            return answer
    return None


def _sitter(asker: Asker) -> Asker | None:
    """Say as whom a phone sits that its new secret did not reach; None where it does not."""
    for place in asker.table.seatings:
        if place.phone and place.phone in awaited() and place.phone == hashed(_secret(asker, place.seat)):
            return Asker(asker.table, place.phone)
    return None


def become_host(key: str) -> None:
    """Go on, in this request, as one whose secret nobody else can know; the same post makes the same one."""
    if key and is_known() and not log.has_anything(phone()):
        become(derived("host", token(), key))


def _secret(asker: Asker, seat: int) -> str:
    return derived("seat", token(), asker.table.code, str(seat))
