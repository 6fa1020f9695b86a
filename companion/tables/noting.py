"""What is noted of an evening beside its play: where and for what it is, and in whose book it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.log import groups
from companion.log.names import clean_note
from companion.tables.seating import Asker, Change, check_there, note


@dataclass(frozen=True, slots=True)
class Notes:
    """What is said of an evening beside its play; None leaves what is there."""

    location: str | None = None
    title: str | None = None
    group: int | None = None
    """The number of the group in whose book it stands; 0 for none."""


NO_NOTES = Notes()


def describe(asker: Asker, notes: Notes, key: str) -> None:
    """Note where and for what a table is played, and in whose book it stands: who has a seat there may, and the host.

    Raises:
        NotYours, NotThere (the phone is not in that group), BadNote, KeyReused.
    """
    columns = _columns(notes)

    def decide(asker: Asker) -> Change:
        check_there(asker)
        noted(notes, asker.phone, asker.table.group_id)
        return columns

    note(asker, {"act": "describe", **columns}, key, decide)


def noted(notes: Notes, phone: str, group_id: int | None = None) -> dict[str, Any]:
    """Give the columns of a table for what is noted of it.

    Args:
        notes: what is said.
        phone: who says so, hashed.
        group_id: the group in whose book the table stands already.

    Raises:
        BadNote, NotThere (the phone is not in that group).
    """
    columns = _columns(notes)
    if notes.group and notes.group != group_id:
        groups.group_of(phone, notes.group)
    return columns


def _columns(notes: Notes) -> dict[str, Any]:
    said = {"location": notes.location, "title": notes.title}
    columns: dict[str, Any] = {name: clean_note(text) for name, text in said.items() if text is not None}
    if notes.group is not None:
        columns["group_id"] = notes.group or None
    return columns
