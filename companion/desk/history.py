"""The history of a table: every entry as a sentence, and who entered it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from flask import url_for
from flask_babel import gettext as _

from companion import log
from companion.desk import undoing
from companion.desk.dates import clock
from companion.desk.wording import names, voice
from companion.log import Entry
from companion.play import Play
from companion.tables import referee
from companion.tables.seating import Asker

PAGE = 100
"""Entries on a page."""


@dataclass(slots=True)
class Line:
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


def lines_of(asker: Asker, wanted: range) -> Iterator[Line]:
    """Fold the log once more, and say what each entry did when it came; strike what does not count any more."""
    table, speak = asker.table, voice(asker.table)
    plays = [log.start(table)]
    entries = log.entries(table)
    for entry in entries:
        plays.append(log.after(table, plays[-1], entry))
    steps = plays[-1].numbered()
    for entry, (before, play) in zip(entries, pairwise(plays), strict=True):
        if entry.number not in wanted:
            continue
        line = Line(entry.number, entry.at, _clock(entry.at), _who(asker, entry), [])
        if entry.kind == "move":
            step = steps.get(entry.number)
            line.is_struck = step is None
            # What was taken back is named, not told: a bid that was shown by it may be sealed again.
            line.sentences = [speak.event(event) for event in (step.events if step else play.events[:1])]
            if step and play.last:
                # Asked anew, even if for the same: whether a sealed bid has become another does not show.
                line.is_amended = step.asked is not play.last.asked
                line.remarks = [speak.rule(remark.rule, remark.facts) for remark in step.remarks]
                line.may_amend = referee.may_amend(asker, step.asked, plays[-1].is_sealed(step))
                line.url = url_for("history.amend_form", code=table.code, number=entry.number)
        else:
            is_amend = entry.kind == "amend"
            told = undoing.amended(play, entry.data["number"], speak) if is_amend else _deed(asker, entry, before)
            line.sentences = [told]
            line.effect = undoing.effect(before, play, speak)
        yield line


def _who(asker: Asker, entry: Entry) -> str:
    return str(_("Host")) if entry.by is None else names(asker.table)[entry.by]


def _clock(at: str) -> str:
    """Tell the time of day where the companion runs, which is where the table is; "" for a move without a time."""
    return at and clock(at)


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
            "host": _("Another phone is the host now."),
            "describe": _("The place, the title or the book of this evening was changed."),
            "next": _("The next game: table %(code)s.", code=entry.data.get("code", "")),
        }
        return acts[entry.data["act"]]
    undone = before if entry.kind == "take_back" else before.redo
    if undone is None or undone.last is None:
        return ""
    if undone.amended is not None:
        taken = _("Taken back: the change of entry %(number)s.", number=undone.amended)
        put = _("Put back: the change of entry %(number)s.", number=undone.amended)
        return str(taken if entry.kind == "take_back" else put)
    move = speak.headline(undone.last.asked.move)
    taken, put = _("Taken back: %(move)s.", move=move), _("Put back: %(move)s.", move=move)
    return str(taken if entry.kind == "take_back" else put)
