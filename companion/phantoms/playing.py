"""Phantoms at their tables: one thread of a process plays for all of them, and ends when nobody is there any more."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from threading import Condition, Thread
from typing import Any

from flask import Flask, current_app

from companion import log
from companion.errors import CompanionError, NoSuchTable
from companion.log import EVERYBODY, PHANTOMS, Reading, Table
from companion.log.unruled import UNRULED
from companion.play import Play
from companion.push.hearing import hearing
from companion.record import write_move
from companion.settings import Settings
from companion.tables import referee, seating
from companion.tables.halting import PAUSED
from companion.tables.seating import Asker

MOST = 32
"""At so many tables phantoms play at once, each process."""
GONE_S = 90.0
"""After so long without a sign of those for whom they play they stop; whoever asks for the table wakes them."""
AGAIN_S = 10.0
"""So long they wait where something went wrong."""

logger = logging.getLogger("companion")


class Phantoms:
    """All phantoms of a process.

    Args:
        app: where their tables are.
        pace_s: so long one of them thinks, more or less.
        chance: by which they play.
    """

    def __init__(self, app: Flask, pace_s: float, chance: Random | None = None) -> None:
        """Begin with no table, and without a thread."""
        self.at_the_end: Callable[[Table], float | None] = lambda _table: None
        """Told of a table where the game is over: gives when to look again, if at all."""
        self._app, self._pace_s, self._chance = app, pace_s, chance or Random()  # noqa: S311 (of moves)
        self._changed = Condition()
        self._due: dict[str, float] = {}
        """When each table is looked at next, by the clock that is never put right."""
        self._seen: dict[str, int] = {}
        """The number that phantoms have thought about, or made themselves."""
        self._is_running = False

    @property
    def has_room(self) -> bool:
        """Whether they can play at one table more."""
        return len(self._due) < MOST

    def wake(self, code: str) -> None:
        """Play at a table from now on, as long as somebody is there, if there is room."""
        with suppress(RuntimeError), self._changed:  # there is no thread; whoever asks for the table wakes them again
            if code in self._due or not self.has_room:
                return
            if not self._is_running:
                self.start()
                self._is_running = True
            self._due[code] = time.monotonic() + self._think_s()
            self._changed.notify()

    def start(self) -> None:
        """Start the thread."""
        Thread(target=self._run, daemon=True, name="phantoms").start()

    def step(self, code: str) -> float | None:
        """Play what is due at a table.

        Returns:
            The seconds until the next look; None where nobody is there any more, or the game is over.

        Raises:
            NoSuchTable, UNRULED, NotSaved, and what a race brings.
        """
        with self._app.app_context():
            table = seating.find_table(code)
            if not _is_anybody_there(table):
                return None
            reading = log.read(table)
            if table.halt == PAUSED:
                return self._pace_s
            if table.halt or reading.play.game.standing(reading.play.position).is_finished:
                return self.at_the_end(table)
            self._play(Asker(table, PHANTOMS), reading)
            return self._think_s()

    def _play(self, asker: Asker, reading: Reading) -> None:
        """Make a move, unless somebody else has made one since the last look, or is to make it."""
        code, number, play = asker.table.code, reading.number, reading.play
        if self._seen.get(code) != number:
            self._seen[code] = number
        elif (move := self._move(asker, play)) is not None:
            data = write_move(play.game, play.seats, move)
            ruling = referee.rule_on(asker, data, f"phantom.{number}", number)
            if isinstance(ruling, Reading):
                self._seen[code] = ruling.number

    def _move(self, asker: Asker, play: Play[Any]) -> Any:
        """Choose what a phantom does; while a person has something to do, and no clock runs, they wait."""
        likely, at = play.game.likely, log.now()
        if likely is None:
            return None
        people = [seat for seat in range(play.seats) if seat not in asker.seats]
        is_waiting = not play.game.clock(play.position)
        if is_waiting and any(likely(play.position, seat, at, self._chance) is not None for seat in people):
            return None
        for seat in self._chance.sample(asker.seats, len(asker.seats)):
            if (move := likely(play.position, seat, at, self._chance)) is not None:
                return move
        return None

    def _think_s(self) -> float:
        return self._pace_s * self._chance.uniform(0.6, 1.4)

    def _run(self) -> None:
        while (code := self._next()) is not None:
            again_s = self._looked_at(code)
            with self._changed:
                if again_s is None:
                    self._due.pop(code)
                    self._seen.pop(code, None)
                else:
                    self._due[code] = time.monotonic() + again_s

    def _next(self) -> str | None:
        """Wait until a table is due; None when there is none any more, and the thread ends."""
        with self._changed:
            while self._due:
                code = min(self._due, key=self._due.__getitem__)
                wait_s = self._due[code] - time.monotonic()
                if wait_s <= 0:
                    return code
                self._changed.wait(wait_s)
            self._is_running = False
            return None

    def _looked_at(self, code: str) -> float | None:
        try:
            return self.step(code)
        except (NoSuchTable, *UNRULED):
            return None
        except CompanionError:  # a person was quicker
            return self._think_s()
        except Exception:  # whatever the database has, they play on when it is back
            logger.exception("Phantoms could not play at table %s; they try again.", code)
            return AGAIN_S


def _is_anybody_there(table: Table) -> bool:
    """Say whether somebody plays with the phantoms whose phone was heard lately, or everybody looks on."""
    phones = [seating.phone for seating in table.seatings if seating.phone]
    return EVERYBODY in phones or any(ago_s < GONE_S for ago_s in hearing().ago(table.code, phones).values())


def init_app(app: Flask) -> None:
    """Give an app its phantoms."""
    settings: Settings = app.config["COMPANION"]
    app.extensions["companion.phantoms"] = Phantoms(app, settings.pace_s)


def phantoms() -> Phantoms:
    """Give the app's phantoms."""
    known: Phantoms = current_app.extensions["companion.phantoms"]
    return known
