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
from companion.desk.options import fields_of, told
from companion.desk.wording import names, voice
from companion.log import Entry, Reading
from companion.play import START, Play, Step
from companion.record import reseated
from companion.tables.amending import may_amend
from companion.tables.seating import Asker
from companion.tables.starting import seated
from companion.words import Voice

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
    steps, now = reading.play.numbered(wanted.start), reading.play
    for entry, before, play in log.entries_with_plays(asker.table, wanted):
        there = _sitting(asker, now, before)
        shown = ShownEntry(entry.number, entry.at, _clock(entry.at), _who(there, entry), [])
        if entry.kind == "move" and (step := steps.get(entry.number)):
            _tell_move(shown, asker, now, step)
        elif entry.kind == "move":
            # What was taken back is named, not told: a bid that was shown by it may be sealed again.
            shown.is_struck, shown.sentences = True, [voice(there.table).event(event) for event in play.events[:1]]
        else:
            shown.sentences = _changes(there, entry, play) or [_deed(there, entry, before)]
            if entry.kind != "start":
                shown.effect = undoing.effect(before, play, voice(there.table), before, now)
        yield shown


def _sitting(asker: Asker, now: Play[Any], then: Play[Any]) -> Asker:
    """Ask at the table as people sat there then."""
    if now.order == then.order:
        return asker
    return Asker(seated(asker.table, [now.seat_now(seat, then) for seat in range(then.seats)]), asker.phone)


def _changes(asker: Asker, entry: Entry, after: Play[Any]) -> list[str]:
    """Say what an amendment has changed; [] for any other entry."""
    speak = voice(asker.table)
    if entry.kind == "amend":
        return [undoing.amended(after, number, speak) for number, _move in log.changes(entry.data)]
    if entry.kind != "start":
        return []
    seats = list(range(after.seats))
    order = entry.data["asked"]["order"] or seats
    names_now = [speak.players[seat] for seat in order]
    was, fields = (fields_of(after.game, entry.data[options], {}) for options in ("was", "options"))
    values = {field["name"]: field["value"] for field in was}
    before = reseated(after.game.options, values, entry.data.get("moved", seats))
    rules = [told(field, names_now) for field in fields if before[field["name"]] != field["value"]]
    said = [_("Changed from the start: %(rule)s.", rule=rule) for rule in rules]
    if order != seats:
        said.append(_("The seats were put in another order: %(names)s.", names=", ".join(names_now)))
    amended = Voice(speak.words, names_now, speak.language)
    said += [undoing.amended(after, one["number"], amended) for one in entry.data["later"]]
    return said or [undoing.amended(after, START, speak)]


def _tell_move(shown: ShownEntry, asker: Asker, now: Play[Any], step: Step[Any]) -> None:
    """Say what a move did that counts now.

    Args:
        shown: what is filled.
        asker: who reads.
        now: the play as it is now.
        step: the move.
    """
    speak = voice(asker.table)
    shown.sentences = [speak.event(event) for event in step.events]
    # Asked anew, even if for the same: whether a sealed bid has become another does not show.
    shown.is_amended = step.asked.is_amended
    shown.remarks = [speak.rule(remark.rule, remark.facts) for remark in step.remarks]
    shown.may_amend = not asker.table.halt and may_amend(asker, step.asked, now.is_sealed(step))
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


def _played_on(asker: Asker, entry: Entry) -> str:
    named, hand = names(asker.table), entry.data.get("hand")
    name = named[entry.seat or 0]
    if hand is None:
        return str(_("%(name)s has to go; the host plays on for this seat.", name=name))
    return str(_("%(name)s has to go; %(other)s plays on for this seat.", name=name, other=named[hand]))


def _succession(asker: Asker, entry: Entry) -> dict[str, str]:
    """Say who is the host, or is wanted for it."""
    seat = entry.data.get("seat")
    named = {"name": "" if seat is None else names(asker.table)[seat]}
    return {
        "host": _host_now(asker, entry),
        "vote": _("The host’s phone is not heard: %(name)s is wanted for the host.", **named),
        "take_on": _("All who are there agree: %(name)s is the host now.", **named),
        "reclaim": _("The host is back, and the host again."),
    }


def _deed(asker: Asker, entry: Entry, before: Play[Any]) -> str:
    """Say what an entry that is no move did."""
    speak = voice(asker.table)
    if entry.kind == "seat":
        name = names(asker.table)[entry.seat or 0]
        deeds: dict[str, str] = {
            "go": _played_on(asker, entry),
            "sit": _("%(name)s sits down.", name=name),
            "stand": _("%(name)s leaves the seat.", name=name),
            "free": _("The seat of %(name)s is free for another phone.", name=name),
            "return": _("%(name)s is back, by another address.", name=name),
            "rename": _("The seat is now called %(name)s.", name=entry.data.get("name") or name),
        }
        return deeds[entry.data["act"]]
    if entry.kind == "table":
        acts: dict[str, str] = {
            "lock": _("The table is locked: nobody new can sit down."),
            "unlock": _("The table is open again."),
            **_succession(asker, entry),
            "teach": _("The first round is explained."),
            "unteach": _("The first round is explained no more."),
            "paused": _("The game is paused."),
            "broken_off": _("The game is broken off: nobody has won."),
            "resume": _("The game goes on."),
            "describe": _("The place, the title or the book of this evening was changed."),
            "next": _("The next game: table %(code)s.", code=entry.data.get("code", "")),
        }
        return acts[entry.data["act"]]
    return _undone(speak, entry, before)


def _undone(speak: Voice, entry: Entry, before: Play[Any]) -> str:
    """Say what was taken back, or put back."""
    undone = before if entry.kind == "take_back" else before.redo
    if undone is None:
        return ""
    if undone.amended == START:
        taken, put = _("Taken back: the change of the start."), _("Put back: the change of the start.")
        return str(taken if entry.kind == "take_back" else put)
    if undone.amended is not None:
        taken = _("Taken back: the change of entry %(number)s.", number=undone.amended)
        put = _("Put back: the change of entry %(number)s.", number=undone.amended)
        return str(taken if entry.kind == "take_back" else put)
    if undone.last is None:
        return ""
    move = speak.headline(undone.last.asked.move)
    taken, put = _("Taken back: %(move)s.", move=move), _("Put back: %(move)s.", move=move)
    return str(taken if entry.kind == "take_back" else put)
