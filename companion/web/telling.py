"""What a table's live parts show, as plain data: what all are told, once, and what a seat is told beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import force_locale

from companion import log
from companion.desk import wifi
from companion.desk.addresses import join_address, qr
from companion.desk.undoing import undoing
from companion.desk.wording import names, voice
from companion.drawing.chart import Chart, chart
from companion.game import AnyGame
from companion.games import known
from companion.kernel.figures import Course
from companion.kernel.frozen import replace
from companion.kernel.once import part
from companion.log import Reading, Table
from companion.phantoms.practice import is_practice
from companion.play import Play
from companion.rendering.differences import Difference, difference
from companion.rendering.plain import Writer
from companion.tables.halting import BROKEN_OFF
from companion.tables.onward import next_code
from companion.tables.referee import may_undo
from companion.tables.seating import Asker
from companion.web import any_game
from companion.web.renderings import rendering
from companion.words import Lesson, Voice, lesson_on

as_data = Writer({})
"""Writes what belongs to no game."""


@dataclass(frozen=True, slots=True)
class End:
    """What a finished game has to say beside its score, in the reader's language."""

    reasons: list[str]
    """Why the standing is as it is, where scores alone do not say it."""
    course: Course | None
    chart: Chart | None
    """The course, laid out; None for a course without a step."""
    next: str | None
    """The code of the table where the same people went on."""
    next_game: str
    """What they play there; "" while there is none."""
    next_names: list[str]
    """Who sits there, by seat."""


class Telling:
    """How a table stands, told in one language: what nobody may know but a seat is in what that seat alone is told."""

    def __init__(self, table: Table, reading: Reading, speak: Voice | None = None) -> None:
        """Tell it by who speaks at this table; None: in the language of this answer."""
        self._table, self._reading, self._position = table, reading, reading.play.position
        self._draws = rendering(reading.play.game)
        self._speak = speak or voice(table)
        self._has_views = "views" in self._draws.needs.names
        self._is_still, self._is_taught = bool(table.halt), table.is_taught
        self._view_of_all = reading.play.game.view(self._position, None)
        self._around = self._around_the_view()

    @property
    def to_all(self) -> dict[str, Any]:
        """What the screen shows, but for the way to the table."""
        return {**self._around, "number": self._reading.number, "view": self._draws.write(self._view_of_all)}

    def since(self, before: Telling | None) -> Difference:
        """Tell all what has changed, beside the number; None: from nothing."""
        if before is None:
            return difference(None, self.to_all)
        changed = self._draws.write.difference(before._view_of_all, self._view_of_all, "view")
        return {**difference(before._around, self._around), **changed}

    def to(self, asker: Asker, seat: int | None) -> Difference:
        """Tell what a seat's part (None: the screen) shows otherwise."""
        told: dict[str, Any] = {"own": asker.seat, "acts_for": [] if self._is_still else asker.seats}
        play = self._reading.play
        if play.undo and may_undo(asker, play):
            told["undo.may"] = True
        if play.redo and may_undo(asker, play.redo):
            told["redo.may"] = True
        if seat is None:
            return {**told, **self._to_screen()}
        if self._is_taught:
            told["lesson"] = self._lesson([seat, *asker.seats])
        return {**told, "seat": seat, "key": str(seat), **self._to_seat(asker, seat)}

    def _around_the_view(self) -> dict[str, Any]:
        play, speak = self._reading.play, self._speak
        game, standing = play.game, play.game.standing(self._position)
        last = [speak.event(event) for event in play.events]
        return {
            **_lasting(self._table, speak, game, play.seats if self._has_views else 0, standing.is_finished),
            "is_filling": not play.undo and not play.redo and _is_filling(self._table),
            "undo": self._step(play.undo, play, last[:1]) if play.undo else None,
            "redo": self._step(play, play.redo) if play.redo else None,
            "remarks": _remarks(play, speak),
            "lesson": self._lesson() if self._is_taught else None,
            "last": last,
            "end": as_data(end_of(self._table, play, speak)) if standing.is_finished else None,
            **({"plain": plain_of(play, speak)} if self._draws.is_plain else {}),
        }

    def _lesson(self, seats: Sequence[int] = ()) -> Lesson | None:
        """Explain this step to who acts for seats, or to everyone, at a table where it is wanted."""
        game = self._reading.play.game
        if game.lesson is None:
            return None
        step = game.lesson(self._position, seats)
        card = game.rule_card(game.options.load(self._reading.play.options), False) if step else ()
        return lesson_on(step, card, self._speak)

    def _step(self, before: Play[Any], after: Play[Any], told: Sequence[str] = ()) -> dict[str, Any]:
        """Tell what lies between two plays, but no sentence twice; who may take it back is told that it may."""
        step = undoing(before, after, self._speak, self._reading.play)
        return {
            "sentence": "" if step.sentence in told else step.sentence,
            "who": step.who,
            "effect": step.effect,
            "may": False,
        }

    def _to_screen(self) -> Difference:
        """Tell who has come, as phantoms always have, and what has just happened."""
        seated = [seat.phone is not None or is_practice(self._table) for seat in self._table.seatings]
        return {"seated": seated, "moment": self._draws.write(self._reading.play.events)}

    def _to_seat(self, asker: Asker, seat: int) -> Difference:
        play = self._reading.play
        own, write = play.game.own, self._draws.write
        if own is None:
            told = {**write.difference(self._view_of_all, play.game.view(self._position, seat), "view")}
        else:
            told = {**write.own(self._view_of_all, own(self._position, seat), "view")}
        if self._has_views and asker.seats != [seat]:
            told["views"] = [
                self._view(each) if each in asker.seats and each != seat else None for each in range(play.seats)
            ]
        if self._draws.is_plain:
            told["plain"] = plain_of(play, self._speak, asker.seats)
        return told

    def _view(self, seat: int) -> Any:
        """Show what another seat of a phone sees, so that a scorekeeper can act for it."""
        play = self._reading.play
        return self._draws.write.beside(play.game.view(self._position, seat), self._view_of_all)


def _remarks(play: Play[Any], speak: Voice) -> list[dict[str, Any]]:
    """Say what the table should look at after the last move, and which earlier entries it may want to change."""
    return [
        {"text": speak.rule(remark.rule, remark.facts), "entries": list(play.last.doubted(remark) if play.last else ())}
        for remark in play.remarks
    ]


@part
def _lasting(table: Table, speak: Voice, game: AnyGame, seats: int, is_over: bool) -> dict[str, Any]:
    """Tell what stays from one move to the next: handed on as it is, it is compared at a glance."""
    return {
        "table": {
            "code": table.code,
            "is_over": is_over,
            "halt": table.halt,
            "called": game.called(table.options),
            "next": next_code(table) if table.halt == BROKEN_OFF else None,
            "game": {"key": game.key, "name": game.name, "sheets": list(game.sheets)},
        },
        "names": list(speak.players),
        "seat": None,
        "own": None,
        "acts_for": [],
        "views": [None] * seats,
        "key": "host",
        "refusal": None,
        "is_then": False,
        "then": "",
        "was": None,
    }


def _is_filling(table: Table) -> bool:
    """Say whether somebody may still come; phantoms never do."""
    return not is_practice(table) and any(seat.phone is None for seat in table.seatings)


def end_of(table: Table, play: Play[Any], speak: Voice) -> End:
    """Sum up a game that is over."""
    course = play.game.course(play.positions())
    has_steps = course is not None and len(course.lines[0]) > 1
    following = next_code(table)
    there = log.find(following) if following else None
    return End(
        [speak.event(reason) for reason in play.game.reasons(play.position)],
        course and replace(course, title=speak.text(course.title), step=speak.text(course.step)),
        chart(course.lines) if course and has_steps else None,
        following,
        known(there.game).called(there.options) if there else "",
        _names_at(there, speak.language) if there else [],
    )


def _names_at(table: Table, language: str) -> list[str]:
    """Name the seats of another table, in the reader's language where nobody has."""
    with force_locale(language):
        return [*names(table)]


def plain_of(play: Play[Any], speak: Voice, seats: Sequence[int] = ()) -> dict[str, Any]:
    """Tell what the plain pages need beside, which games with their own do without; the forms are those for seats."""
    with force_locale(speak.language):
        made = any_game.forms(play, speak, seats)
    return {"standing": as_data(play.game.standing(play.position).places), "forms": as_data(made)}


def invitation(table: Table, is_open: bool) -> Mapping[str, Any]:
    """Tell what the screen shows of the way to the table, as long as somebody may still sit down, or after that."""
    return {"qr": str(qr(table, is_open)), "join": join_address(table), "wifi": wifi.shown() if is_open else None}
