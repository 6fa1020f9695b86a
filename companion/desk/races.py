"""Two taps, one table: who came second is told who was quicker and what stands now; it is nobody's mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask_babel import gettext as _

from companion import log
from companion.desk import undoing, wording
from companion.desk.phone import phone
from companion.desk.wording import Refusal
from companion.errors import CompanionError, Stale
from companion.log import Entry
from companion.play import Play, Step
from companion.tables.seating import Asker, find_table

ABOUT_THE_TABLE = frozenset({"seat", "table"})
"""Kinds of entries that overtake no move."""


MOST_TOLD = 3
"""So many of the moves that came meanwhile are told, the newest ones."""


def why_not(asker: Asker, error: CompanionError) -> Refusal:
    """Say why a tap was not entered: a race as a race, anything else as what it is."""
    if not isinstance(error, Stale):
        return wording.refusal_of(asker.table, error)
    return _lost(asker, error) or Refusal(wording.said(error), title=_("The table has moved on"), is_race=True)


def detail(error: CompanionError) -> str:
    """Say the same in one line, to a program."""
    if not isinstance(error, Stale) or not error.code:
        return wording.said(error)
    lost = _lost(Asker(find_table(error.code), phone()), error)
    return f"{lost.title}. {lost.sentence}" if lost else wording.said(error)


def _lost(asker: Asker, error: Stale) -> Refusal | None:
    """Tell a race that was lost; None where nobody knows against whom."""
    if error.after is None:
        return None
    play = log.read(asker.table).play
    later = [entry for entry in log.entries(asker.table, error.after) if entry.kind not in ABOUT_THE_TABLE]
    if not later:
        return None
    steps = play.numbered()
    told = [*_meanwhile(asker, play, later, steps), _yours(error, play, later, steps)]
    return Refusal(" ".join(told), title=_title(asker, later), is_race=True)


def _title(asker: Asker, later: Sequence[Entry]) -> str:
    """Name who was quicker, if it was one other than who asks."""
    table = asker.table
    host = Asker(table, table.host).seat
    others = {host if entry.by is None else entry.by for entry in later}
    if len(others) != 1 or others == {host if asker.is_host else asker.seat}:
        return str(_("The table has moved on"))
    (quicker,) = others
    if quicker is None:
        return str(_("The host was quicker"))
    return str(_("%(name)s was quicker", name=wording.names(table)[quicker]))


def _meanwhile(asker: Asker, play: Play[Any], later: Sequence[Entry], steps: dict[int, Step[Any]]) -> list[str]:
    """Tell what came meanwhile: the moves, or the step by which the table is where it is."""
    speak = wording.voice(asker.table)
    moves = [steps[entry.number] for entry in later if entry.kind == "move" and entry.number in steps]
    if len(moves) < len(later):
        last = undoing.last_change(asker.table, play)
        return [f"{last.sentence} {last.effect}".strip()] if last else []
    if len(moves) == 1:
        return [speak.event(event) for event in moves[0].events]
    return [speak.event(step.events[0]) for step in moves[-MOST_TOLD:]]


def _yours(error: Stale, play: Play[Any], later: Sequence[Entry], steps: dict[int, Step[Any]]) -> str:
    """Say what has become of the tap; that it was told already, only where all may know what was told."""
    same = [entry.number for entry in later if entry.kind == "move" and entry.data == error.move]
    if any(number in steps and not play.is_sealed(steps[number]) for number in same):
        return str(_("That is what you tapped, too, so it stands."))
    return str(_("What you tapped was not entered."))
