"""When each phone was heard last at its table: by what it asks, and by the signs of life of its line.

Nothing of it is in the log or the database: a phone that falls silent changes nothing by that. A server that is alone
remembers it by itself; several share it in Redis. Who was never heard counts as heard when first asked about, so that
after a restart nobody seems to have been away for longer than was seen.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from threading import Lock, Thread

from flask import current_app

from companion.push import shared
from companion.push.bell import GATHER_S

MOST = 20_000
"""So many phones are remembered; who was heard longest ago is forgotten."""
KEPT_S = 24 * 3600
"""So long Redis keeps what it knows of a table where nobody is heard."""
REST_S = 5.0
"""So long a Redis that does not answer is left alone: every page would wait for one that hangs."""
OFTEN_S = 5.0
"""A phone that is heard again within this time is not told of anew to the others."""

log = logging.getLogger("companion")


class Hearing:
    """What one process has heard."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with nobody heard, by a clock that nobody sets, in seconds: nor does it run while a laptop sleeps."""
        self._clock = clock
        self._lock = Lock()
        self._at: OrderedDict[tuple[str, str], float] = OrderedDict()

    def hear(self, code: str, phone: str) -> None:
        """Note that a phone is heard at a table; nobody waits for that."""
        with self._lock:
            self._note(code, phone, self._clock())

    def ago(self, code: str, phones: Collection[str]) -> Mapping[str, float]:
        """Say how many seconds ago phones were heard at a table."""
        now = self._clock()
        with self._lock:
            for phone in phones:
                if (code, phone) not in self._at:
                    self._note(code, phone, now)
            return {phone: max(0.0, now - self._at[code, phone]) for phone in phones}

    def _note(self, code: str, phone: str, at: float) -> None:
        self._at[code, phone] = at
        self._at.move_to_end((code, phone))
        if len(self._at) > MOST:
            self._at.popitem(last=False)


class SharedHearing(Hearing):
    """What several servers have heard together.

    A thread tells Redis as long as there is something to be told, so that no tap waits for it. While Redis is away
    nobody knows what the others hear: then everybody counts as heard.

    Args:
        address: where Redis is.
        clock: one that the other servers have, too: seconds since 1970.
    """

    def __init__(self, address: str, clock: Callable[[], float] = time.time) -> None:
        """Start with nobody heard here, and not connected."""
        super().__init__(clock)
        self._redis = shared.client(address)
        self._untold: dict[tuple[str, str], float] = {}
        self._is_telling = False
        self._left_alone = 0.0
        """Until when nobody asks Redis; 0 while it answers."""

    def hear(self, code: str, phone: str) -> None:
        """Note that a phone is heard, and tell the others soon."""
        now = self._clock()
        with self._lock:
            if now - self._at.get((code, phone), 0) < OFTEN_S:
                return
            self._note(code, phone, now)
            self._untold[code, phone] = now
            if not self._is_telling:
                with suppress(RuntimeError):  # there is no thread; the next sign of life starts it
                    Thread(target=self._tell, daemon=True, name="hearing").start()
                    self._is_telling = True

    def ago(self, code: str, phones: Collection[str]) -> Mapping[str, float]:
        """Say how many seconds ago phones were heard, wherever that was."""
        now, place = self._clock(), _place(code)
        if not phones:
            return {}
        if time.monotonic() < self._left_alone:
            return dict.fromkeys(phones, 0.0)
        if self._left_alone:
            self._leave_alone()  # one asks for all whether it is back
        try:
            with self._redis.pipeline(transaction=False) as asked:
                for phone in phones:
                    asked.hsetnx(place, phone, now)
                asked.expire(place, KEPT_S)
                asked.hmget(place, list(phones))
                heard = asked.execute()[-1]
            self._left_alone = 0.0
        except Exception as problem:  # whatever it has, the page must come
            self._leave_alone()
            log.warning("Redis cannot say who was heard: %s", type(problem).__name__)
            return dict.fromkeys(phones, 0.0)
        here = {phone: self._at.get((code, phone), 0.0) for phone in phones}
        return {phone: max(0.0, now - max(float(at), here[phone])) for phone, at in zip(phones, heard, strict=True)}

    def _leave_alone(self) -> None:
        self._left_alone = time.monotonic() + REST_S

    def _tell(self) -> None:
        """Tell Redis until there is nothing left; what it does not take is told by the next sign of life."""
        while True:
            with self._lock:
                told, self._untold = self._untold, {}
                self._is_telling = bool(told)
            if not told:
                return
            try:
                with self._redis.pipeline(transaction=False) as asked:
                    for (code, phone), at in told.items():
                        asked.hset(_place(code), phone, at)
                        asked.expire(_place(code), KEPT_S)
                    asked.execute()
            except Exception as problem:  # hearing must go on
                log.warning("Redis cannot be told who is heard: %s", type(problem).__name__)
            time.sleep(GATHER_S)


def _place(code: str) -> str:
    """Name what Redis keeps of a table."""
    return f"companion.heard.{code}"


def hearing() -> Hearing:
    """Give the app's hearing."""
    known: Hearing = current_app.extensions["companion.hearing"]
    return known
