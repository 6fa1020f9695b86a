"""Who is listening to which table: a bell that is rung with a table's newest number.

The bell carries no content. Whoever hears it reads the log, so a bell that is missed or rung twice does no harm.
Several servers ring each other's through Redis; without it, or when it is away, each looks into the log by itself.
Every table has its own rope: at fifty tables one for all would wake two hundred streams for each move, to tell four.
"""

from __future__ import annotations

import logging
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import token_hex
from threading import Condition, Lock, Thread
from typing import Any

from flask import current_app

from companion import metrics
from companion.push import shared

STREAMS_A_PHONE = 4
CHANNEL = "companion"
GATHER_S = 0.05
"""Seconds after telling the others in which is gathered what to tell next: a table's phones are in one worker, and
hear at once."""
LOOK_S = 2.0
"""Seconds between looks into the log while others cannot be heard: there is no Redis, or it is away."""
SURE_S = 15.0
"""Seconds between looks while it is not: who entered something may have died before telling it."""

Look = Callable[[Collection[str]], Mapping[str, int]]
"""Reads how far tables have come."""

log = logging.getLogger("companion")


@dataclass(slots=True)
class Rope:
    """What those who listen to one table hold on to."""

    changed: Condition = field(default_factory=Condition)
    number: int = 0
    listeners: int = 0
    called: int = 0
    """How many of them are called; the others wait in threads of their own."""


class Bell:
    """The bell in the process: one table, one number, everybody who waits for it is woken.

    Args:
        look: reads how far tables have come.
    """

    is_away = False
    """Whether others cannot be heard now."""

    def __init__(self, look: Look = lambda _codes: {}) -> None:
        """Start with nobody listening."""
        self._look = look
        self._is_blind = False
        self._lock = Lock()
        self._ropes: dict[str, Rope] = {}
        self._phones: Counter[str] = Counter()
        self._listeners = 0
        self.call: Callable[[str, int], None] | None = None
        """Called with a table and its newest number where somebody wants to be called; it must not wait."""

    def ring(self, code: str, number: int) -> None:
        """Tell all who listen to a table that its log has reached this number."""
        with self._lock:
            rope = self._ropes.get(code)
        if rope is None:
            return
        with rope.changed:
            rope.number = max(number, rope.number)
            if rope.listeners > rope.called:
                rope.changed.notify_all()
        if rope.called and self.call:
            self.call(code, rope.number)

    def wait(self, code: str, after: int, timeout_s: float) -> int | None:
        """Wait, while listening, for a number higher than `after`; None when the time is over."""
        rope = self._ropes[code]
        with rope.changed:
            rope.changed.wait_for(lambda: rope.number > after, timeout_s)
            return rope.number if rope.number > after else None

    def enter(self, code: str, who: str, most: int | None = None, is_called: bool = False) -> bool:
        """Keep a table's numbers for who listens from now on; False when there is no room.

        There is none where this phone has too many of its own either: browsers open six connections to one address, and
        a phone with many tabs needs some of them for its taps.

        Args:
            code: the table's.
            who: the phone that listens, hashed.
            most: so many may listen in this process, at all tables; None: however many.
            is_called: whether it is told by `call`; else it waits, in a thread of its own.
        """
        with self._lock:
            if most is not None and (self._listeners >= most or self._phones[who] >= STREAMS_A_PHONE):
                return False
            rope = self._ropes.setdefault(code, Rope())
            metrics.TABLES.inc(not rope.listeners)
            metrics.PHONES.inc(not self._phones[who])
            rope.listeners += 1
            rope.called += is_called
            self._listeners += 1
            self._phones[who] += 1
            return True

    def leave(self, code: str, who: str, is_called: bool = False) -> None:
        """Forget one who has entered."""
        with self._lock:
            rope = self._ropes[code]
            rope.listeners -= 1
            rope.called -= is_called
            self._listeners -= 1
            self._phones[who] -= 1
            metrics.TABLES.dec(not rope.listeners)
            metrics.PHONES.dec(not self._phones[who])
            if not self._phones[who]:
                del self._phones[who]
            if not rope.listeners:
                del self._ropes[code]

    def watch(self) -> None:
        """Look now and then, from now on, for what others enter who cannot tell it: `companion rename` is one."""
        Thread(target=self._watch, daemon=True, name="bell_watch").start()

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK_S)
            self._look_up()

    def _look_up(self) -> None:
        """Look into the log for everybody who listens here."""
        with self._lock:
            codes = list(self._ropes)
        try:
            for code, number in (self._look(codes) if codes else {}).items():
                Bell.ring(self, code, number)
            self._is_blind = False
        except Exception as problem:  # whatever the database has, hearing must go on
            if not self._is_blind:
                log.warning("The log cannot be looked into: %s", type(problem).__name__)
            self._is_blind = True

    def has_many(self, who: str) -> bool:
        """Say whether a phone has as many streams as it may."""
        return self._phones[who] >= STREAMS_A_PHONE

    @property
    def listeners(self) -> int:
        """Count the open streams."""
        return self._listeners

    def has_others(self) -> bool:
        """Say whether what carries it to others answers now; alone it needs nothing. Raises: RedisError."""
        return True


class SharedBell(Bell):
    """The bell of several servers: what one is told, Redis tells the others.

    Two threads run beside, as long as they are needed: one tells, so that no move waits for Redis, and keeps what could
    not be told; the other hears while anybody listens. Whenever Redis comes (back), it looks into the log
    once for everybody who listens, because something may have been told in between.

    Args:
        address: where Redis is; servers with the same number of its database ring together.
        look: reads how far tables have come.
    """

    def __init__(self, address: str, look: Look) -> None:
        """Start with nobody listening, and not connected."""
        super().__init__(look)
        self._redis = shared.client(address)
        # Redis itself does not part the channels of its databases.
        self._channel = f"{CHANNEL}.{self._redis.connection_pool.connection_kwargs.get('db', 0)}"
        self._token = token_hex(4)
        self._untold: dict[str, int] = {}
        self._running: set[str] = set()

    def ring(self, code: str, number: int) -> None:
        """Tell all who listen here at once, and the others soon."""
        super().ring(code, number)
        with self._lock:
            self._untold[code] = max(number, self._untold.get(code, 0))
            with suppress(RuntimeError):  # there is no thread; the next ring starts it
                self._run(self._tell)

    def enter(self, code: str, who: str, most: int | None = None, is_called: bool = False) -> bool:
        """Keep a table's numbers for who listens; hear the others. Raises: RuntimeError, where there is no thread."""
        is_in = super().enter(code, who, most, is_called)
        try:
            with self._lock:
                if self._ropes:
                    self._run(self._hear)
        except RuntimeError:
            if is_in:
                self.leave(code, who, is_called)
            raise
        return is_in

    def watch(self) -> None:
        """Do nothing more: the others are heard as long as anybody listens, and it is looked, too."""

    def has_others(self) -> bool:
        """Ask Redis for a sign of life."""
        return bool(self._redis.ping())

    @property
    def _name(self) -> str:
        """By which this process knows what it has told itself, whoever it was forked from."""
        return f"{self._token}.{os.getpid()}"

    def _run(self, work: Callable[[], None]) -> None:
        """Start what runs beside, unless it runs; whoever calls holds the lock."""
        if work.__name__ not in self._running:
            Thread(target=work, daemon=True, name=f"bell{work.__name__}").start()
            self._running.add(work.__name__)

    def _is_done(self, work: Callable[[], None], rest: Collection[object]) -> bool:
        """Say whether nothing is left to do; whoever comes next then starts it again."""
        with self._lock:
            if not rest:
                self._running.discard(work.__name__)
            return not rest

    def _tell(self) -> None:
        """Tell the others, as often as it takes."""
        while not self._is_done(self._tell, self._untold):
            with self._lock:
                told, self._untold = self._untold, {}
            try:
                said = (f"{code} {number}" for code, number in told.items())
                self._redis.publish(self._channel, " ".join([self._name, *said]))
                self._note(None)
                time.sleep(GATHER_S)
            except Exception as problem:  # whatever it is, telling must go on
                self._note(problem)
                with self._lock:
                    self._untold = told | self._untold
                time.sleep(shared.PATIENCE_S)

    def _hear(self) -> None:
        """Hear the others while anybody listens here."""
        while not self._is_done(self._hear, self._ropes):
            try:
                with self._redis.pubsub() as others:
                    others.subscribe(self._channel)
                    self._hear_out(others)
            except Exception as problem:  # and hearing, too
                self._note(problem)
                self._look_up()
                time.sleep(LOOK_S)

    def _hear_out(self, others: Any) -> None:
        """Pass on what is told, and look now and then. Raises: RedisError, OSError."""
        is_asked, sure = False, math.inf
        while self._ropes:
            heard = others.get_message(timeout=shared.PATIENCE_S)
            if heard is None:
                if is_asked:
                    raise TimeoutError("it does not answer")
                others.ping()
            is_asked = heard is None
            if heard and heard["type"] == "subscribe":
                self._note(None)
                sure = time.monotonic()
            if heard and heard["type"] == "message":
                self._ring_out(*heard["data"].split())
            if time.monotonic() >= sure:
                self._look_up()
                sure = time.monotonic() + SURE_S

    def _ring_out(self, teller: str, *told: str) -> None:
        """Pass on what another one tells. Raises: ValueError, when it is nothing of that kind."""
        if teller != self._name:
            for code, number in zip(told[::2], told[1::2], strict=True):
                super().ring(code, int(number))

    def _note(self, problem: Exception | None) -> None:
        """Write down once that Redis went, and that it came back."""
        if problem is not None and not self.is_away:
            log.warning("Redis is away; every table is looked at every %g s: %s", LOOK_S, problem)
        if problem is None and self.is_away:
            log.warning("Redis is back.")
        self.is_away = problem is not None


def bell() -> Bell:
    """Give the app's bell."""
    known: Bell = current_app.extensions["companion.bell"]
    return known
