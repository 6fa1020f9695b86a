"""Who is at a table: finding it by its code, sitting down, and what each phone may do there."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion import log
from companion.errors import (
    HostOnly,
    KeyReused,
    Locked,
    NoSuchTable,
    NotThere,
    NotYours,
    Seated,
    SeatTaken,
    Stale,
)
from companion.live import bell
from companion.log import Changes, Reading, Seating, Table
from companion.names import clean_name

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters and digits that nobody mixes up."""
CODE_LENGTH = 6

Change = Mapping[str, Any]
"""Columns of a seat, and what they become."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: a phone, at a table."""

    table: Table
    phone: str
    """Its secret, hashed."""

    @property
    def is_host(self) -> bool:
        """Whether this phone opened the table."""
        return self.table.host == self.phone

    @property
    def seat(self) -> int | None:
        """The seat that this phone has; None without one."""
        return next((seating.seat for seating in self.table.seatings if seating.phone == self.phone), None)

    @property
    def seats(self) -> list[int]:
        """The seats that it may act for: its own, and for the host those without a phone."""
        return [
            seating.seat
            for seating in self.table.seatings
            if seating.phone == self.phone or (self.is_host and seating.phone is None)
        ]

    def by(self, seat: int | None) -> int | None:
        """Name who enters something about a seat: the phone's own seat, or None for the host."""
        return None if self.is_host and seat != self.seat else self.seat


def find_table(code: str) -> Table:
    """Find a table by its code, however it was typed.

    Raises:
        NoSuchTable: there is none.
    """
    said = read_code(code)
    table = log.find(said) if set(said) <= set(CROCKFORD) else None
    if table is None:
        raise NoSuchTable
    return table


def read_code(text: str) -> str:
    """Read a typed code: Crockford's alphabet forgives case, O for 0, I and L for 1.

    >>> read_code(" k7-qxo l")
    'K7QX01'
    """
    return text.upper().translate(str.maketrans("OIL", "011", " -"))


def take_over(table: Table, secret: str, phone: str, key: str) -> None:
    """Make a phone the host of a table that was imported. Raises: NotYours."""
    if not secrets.compare_digest(table.host, hashed(secret)):
        raise NotYours
    if table.host != phone:
        _note(table, {"act": "host"}, None, key, host=phone)


def hashed(secret: str) -> str:
    """Hash a phone's secret, so that the database never holds one."""
    return hashlib.sha256(secret.encode()).hexdigest()


def sit_down(asker: Asker, seat: int, name: str, key: str) -> None:
    """Take a free seat.

    Raises:
        Seated, Locked, SeatTaken, NotThere, BadName, KeyReused.
    """

    def decide(seating: Seating) -> Change | None:
        if seating.phone == asker.phone:
            return None
        if asker.seat is not None:
            raise Seated
        if asker.table.is_locked and not asker.is_host:
            raise Locked
        if seating.phone is not None:
            raise SeatTaken
        return {"name": clean_name(seating.name or name), "phone": asker.phone}

    _reseat(asker, seat, {"act": "sit"}, key, decide)


def stand_up(asker: Asker, key: str) -> None:
    """Leave one's own seat; the host plays it from now on. Raises: NotYours, KeyReused."""

    def decide(seating: Seating) -> Change:
        if seating.phone != asker.phone:
            raise NotYours
        return {"phone": None}

    _reseat(asker, asker.seat, {"act": "stand"}, key, decide)


def free(asker: Asker, seat: int, key: str) -> None:
    """Take a seat away from its phone. Raises: HostOnly, NotThere, KeyReused."""
    _check_host(asker)
    _reseat(asker, seat, {"act": "free"}, key, lambda seating: {"phone": None} if seating.phone else None)


def rename(asker: Asker, seat: int, name: str, key: str) -> None:
    """Change a player's name. Raises: NotYours, NotThere, BadName, KeyReused."""
    said = clean_name(name)

    def decide(seating: Seating) -> Change | None:
        if not asker.is_host and seating.phone != asker.phone:
            raise NotYours
        return {"name": said} if said != seating.name else None

    _reseat(asker, seat, {"act": "rename", "name": said}, key, decide)


def lock(asker: Asker, is_locked: bool, key: str) -> None:
    """Let nobody else sit down, or let them again. Raises: HostOnly, KeyReused."""
    _check_host(asker)
    if asker.table.is_locked != is_locked:
        _note(asker.table, {"act": "lock" if is_locked else "unlock"}, None, key, is_locked=is_locked)


def go_on(asker: Asker, following: Table, key: str) -> None:
    """Lead everyone at a table to the next one. Raises: NotYours, KeyReused."""
    if not asker.is_host and asker.seat is None:
        raise NotYours
    _note(asker.table, {"act": "next", "code": following.code}, asker.by(None), key)


def next_code(table: Table) -> str | None:
    """Name the table where the same people went on; None while there is none."""
    codes = [entry.data["code"] for entry in log.entries(table, kind="table") if entry.data["act"] == "next"]
    return codes[-1] if codes else None


def _check_host(asker: Asker) -> None:
    if not asker.is_host:
        raise HostOnly


def _seating(table: Table, seat: int) -> Seating:
    if seat not in range(len(table.seatings)):
        raise NotThere
    return table.seatings[seat]


def _reseat(
    asker: Asker, seat: int | None, data: dict[str, Any], key: str, decide: Callable[[Seating], Change | None]
) -> None:
    """Change who sits where, with its entry; once more if another process was quicker; then ring.

    Args:
        asker: who asks.
        seat: which seat; None when the phone has left its own: then only a repeated key is answered.
        data: what the entry says of it.
        key: the same key counts once.
        decide: given the seat as it is now, the columns that change; None when nothing does.
    """
    table = asker.table
    with log.turn(table):
        for _ in range(log.TRIES):
            reading = log.read(table)
            if earlier := log.entry_with_key(table, key):
                if (earlier.kind, earlier.data) != ("seat", data) or seat not in (None, earlier.seat):
                    raise KeyReused
                return
            if seat is None:
                raise NotYours
            change = decide(_seating(table, seat))
            if change is None:
                return
            after = Reading(reading.number + 1, reading.play)
            by = asker.by(seat) if asker.is_host or asker.seat is not None else seat
            entry = {"number": after.number, "kind": "seat", "seat": seat, "by": by, "key": key, "at": log.now()}
            try:
                log.append(table, {**entry, "data": data}, after, Changes(seats={seat: change}))
            except log.Clash:
                continue
            bell().ring(table.code, after.number)
            return
    raise Stale


def _note(table: Table, data: dict[str, Any], by: int | None, key: str, **changes: Any) -> None:
    """Enter something about the table itself, with its columns that change; then ring. Raises: KeyReused, Stale."""
    with log.turn(table):
        for _ in range(log.TRIES):
            reading = log.read(table)
            if earlier := log.entry_with_key(table, key):
                if (earlier.kind, earlier.data) != ("table", data):
                    raise KeyReused
                return
            after = Reading(reading.number + 1, reading.play)
            entry = {"number": after.number, "kind": "table", "seat": None, "by": by, "key": key, "at": log.now()}
            try:
                log.append(table, {**entry, "data": data}, after, Changes(changes))
            except log.Clash:
                continue
            bell().ring(table.code, after.number)
            return
    raise Stale
