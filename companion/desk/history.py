"""The history of a table: every entry as a sentence, and who entered it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from flask import url_for
from flask_babel import gettext as _

from companion import log
from companion.desk import undoing
from companion.desk.dates import clock
from companion.desk.wording import names, voice
from companion.log import Entry, Reading
from companion.play import Play, Step
from companion.tables.amending import may_amend
from companion.tables.seating import Asker

PAGE = 100
"""Entries on a page."""


@dataclass(slots=True)
class ShownEntry:
    """An entry, as the history shows it."""

    number: int
    written: str
    """When: UTC, ISO 8601; "" where nobody knows."""
    at: str
    """When, by the clock on the wall."""
    by: str
    sentences: list[str]
    remarks: list[str] = field(default_factory=list)
    is_struck: bool = False
    """Taken back: it does not count now."""
    is_amended: bool = False
    effect: str = ""
    """Whose points it changed: `Anna 7 → 9`."""
    may_amend: bool = False
    url: str = ""


def shown_entries(asker: Asker, reading: Reading, wanted: range) -> Iterator[ShownEntry]:
    """Say what entries did when they came; strike what does not count any more.

    Args:
        asker: who reads.
        reading: the table, as it is now.
        wanted: the numbers of the entries.
    """
    steps, speak = reading.play.numbered(wanted.start), voice(asker.table)
    for entry, before, play in log.again(asker.table, wanted):
        shown = ShownEntry(entry.number, entry.at, _clock(entry.at), _who(asker, entry), [])
        if entry.kind == "move":
            _tell_move(shown, asker, reading.play, steps.get(entry.number), play)
        else:
            shown.sentences = (
                [undoing.amended(play, number, speak) for number, _move in log.changes(entry.data)]
                if entry.kind == "amend"
                else [_deed(asker, entry, before)]
            )
            shown.effect = undoing.effect(before, play, speak)
        yield shown


def _tell_move(shown: ShownEntry, asker: Asker, now: Play[Any], step: Step[Any] | None, then: Play[Any]) -> None:
    """Say what a move did.

    Args:
        shown: what is filled.
        asker: who reads.
        now: the play as it is now.
        step: the move, as it counts now; None where it was taken back.
        then: the play as it was after the move had come.
    """
    speak = voice(asker.table)
    shown.is_struck = step is None
    # What was taken back is named, not told: a bid that was shown by it may be sealed again.
    shown.sentences = [speak.event(event) for event in (step.events if step else then.events[:1])]
    if step:
        # Asked anew, even if for the same: whether a sealed bid has become another does not show.
        shown.is_amended = step.asked.is_amended
        shown.remarks = [speak.rule(remark.rule, remark.facts) for remark in step.remarks]
        shown.may_amend = may_amend(asker, step.asked, now.is_sealed(step))
        shown.url = url_for("history.amend_form", code=asker.table.code, number=shown.number)


def _who(asker: Asker, entry: Entry) -> str:
    return str(_("Host")) if entry.by is None else names(asker.table)[entry.by]


def _clock(at: str) -> str:
    """Tell the time of day where the companion runs, which is where the table is; "" for a move without a time."""
    return at and clock(at)


def _host_now(asker: Asker, entry: Entry) -> str:
    if (seat := entry.data.get("seat")) is None:
        return str(_("Another phone is the host now."))
    return str(_("%(name)s is the host now.", name=names(asker.table)[seat]))


def _deed(asker: Asker, entry: Entry, before: Play[Any]) -> str:
    """Say what an entry that is no move did."""
    speak = voice(asker.table)
    if entry.kind == "seat":
        name = names(asker.table)[entry.seat or 0]
        deeds: dict[str, str] = {
            "sit": _("%(name)s sits down.", name=name),
            "stand": _("%(name)s leaves the seat.", name=name),
            "free": _("The seat of %(name)s is free for another phone.", name=name),
            "rename": _("The seat is now called %(name)s.", name=entry.data.get("name") or name),
        }
        return deeds[entry.data["act"]]
    if entry.kind == "table":
        acts: dict[str, str] = {
            "lock": _("The table is locked: nobody new can sit down."),
            "unlock": _("The table is open again."),
            "host": _host_now(asker, entry),
            "describe": _("The place, the title or the book of this evening was changed."),
            "next": _("The next game: table %(code)s.", code=entry.data.get("code", "")),
        }
        return acts[entry.data["act"]]
    undone = before if entry.kind == "take_back" else before.redo
    if undone is None:
        return ""
    if undone.amended is not None:
        taken = _("Taken back: the change of entry %(number)s.", number=undone.amended)
        put = _("Put back: the change of entry %(number)s.", number=undone.amended)
        return str(taken if entry.kind == "take_back" else put)
    if undone.last is None:
        return ""
    move = speak.headline(undone.last.asked.move)
    taken, put = _("Taken back: %(move)s.", move=move), _("Put back: %(move)s.", move=move)
    return str(taken if entry.kind == "take_back" else put)
