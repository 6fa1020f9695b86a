"""A table whose host is heard no more: those who sit there agree on another, and the old host may take it back.

Who was heard, and when, is no part of the log: it is told to what is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from companion import log
from companion.errors import HostThere, NotThere, NotYours, PlayedOn
from companion.intake import written
from companion.log import PHANTOMS, Changes, Now, Table, Wish, Yes
from companion.tables.seating import Asker, have_changed_hands

SILENT_S = 120
"""After so long without the host's phone others may take the table on."""
LATELY_S = 60
"""Who was heard within this time is asked."""
ALONE_S = 30 * 60
"""After so long one who is alone may take it on."""
PLAYED = frozenset({"move", "amend", "take_back", "put_back"})
"""Kinds of entries by which the play goes on."""

Ago = Callable[[str, Collection[str]], Mapping[str, float]]
"""(code, phones) -> how many seconds ago each was heard there."""


@dataclass(frozen=True, slots=True)
class Silence:
    """A host who has not been heard for long, and what those who sit there want."""

    silent_s: float
    heard: tuple[int, ...]
    """The seats that are asked: those of other phones, heard lately."""
    votes: Mapping[int, int]
    """Seat -> the one that it wants for the host, since the host was heard last."""

    @property
    def is_alone(self) -> bool:
        """Whether one alone is there, too early."""
        return len(self.heard) == 1 and self.silent_s < ALONE_S

    def agree(self, heir: int) -> int:
        """Count those asked who want a seat."""
        return sum(self.votes.get(seat) == heir for seat in self.heard)

    def is_agreed(self, heir: int) -> bool:
        """Say whether a seat may take the table on: it is there, and everybody who is there wants it."""
        return heir in self.heard and self.agree(heir) == len(self.heard) and not self.is_alone


def silence_of(asker: Asker, ago: Ago) -> Silence | None:
    """Tell of a host who has not been heard for long; None while there is nothing to tell. Who asks is heard.

    Phantoms are there whenever somebody is.
    """
    table = asker.table
    if table.host == PHANTOMS:
        return None
    seated = {seating.phone: seating.seat for seating in table.seatings if seating.phone not in (None, table.host)}
    times = ago(table.code, [table.host, *filter(None, seated)])
    if asker.is_host or times[table.host] < SILENT_S:
        return None
    heard = {seat for phone, seat in seated.items() if phone and (phone == asker.phone or times[phone] <= LATELY_S)}
    return Silence(times[table.host], tuple(sorted(heard)), _votes(table, times[table.host]))


def vote(asker: Asker, heir: int, ago: Ago, key: str) -> None:
    """Want a seat – one's own, or another's – for the host; once everybody who is there agrees, it is.

    Raises:
        NotYours (the phone has no seat), NotThere (no other phone sits there), HostThere, KeyReused.
    """
    phone = asker.phone

    def decide(now: Now) -> Yes | None:
        asker = Asker(now.table, phone)
        if asker.seat is None:
            raise NotYours
        _phone_of(now.table, heir)
        silence = silence_of(asker, ago)
        if silence is None:
            raise HostThere
        return None if silence.votes.get(asker.seat) == heir else Yes(now.reading.play, asker.seat)

    log.enter(Wish(asker.table, "table", None, {"act": "vote", "seat": heir}, key, decide))
    _take_on(asker, heir, ago, f"{key}.on")


def reclaim(asker: Asker, key: str) -> None:
    """Make the phone the host again that was it, until the next move. Raises: NotYours, PlayedOn, KeyReused."""
    phone = asker.phone

    def decide(now: Now) -> Yes:
        if now.table.former_host != phone:
            raise NotYours
        if not may_reclaim(now.table):
            raise PlayedOn
        changes = Changes({"host": phone, "former_host": None})
        return Yes(now.reading.play, Asker(now.table, phone).seat, changes)

    log.enter(Wish(asker.table, "table", None, {"act": "reclaim"}, key, decide))


def was_host(asker: Asker) -> bool:
    """Say whether others have taken the table on from this phone."""
    return asker.table.former_host == asker.phone


def may_reclaim(table: Table) -> bool:
    """Say whether nothing was played since others have taken the table on."""
    taken = [entry.number for entry in log.entries(table, kind="table") if entry.data["act"] == "take_on"]
    return bool(taken) and not log.kinds(table, taken[-1]) & PLAYED


def _take_on(asker: Asker, heir: int, ago: Ago, key: str) -> None:
    """Make a seat's phone the host, if everybody who is there wants it."""
    phone = asker.phone

    def decide(now: Now) -> Yes | None:
        asker, host = Asker(now.table, phone), now.table.host
        silence = silence_of(asker, ago)
        if silence is None or not silence.is_agreed(heir):
            return None
        changes = Changes({"host": _phone_of(now.table, heir), "former_host": host})
        return Yes(now.reading.play, asker.seat, changes)

    log.enter(Wish(asker.table, "table", None, {"act": "take_on", "seat": heir}, key, decide))


def _phone_of(table: Table, seat: int) -> str:
    """Name the phone of a seat that is not the host's. Raises: NotThere."""
    phone = table.seatings[seat].phone if seat in range(len(table.seatings)) else None
    if phone is None or phone == table.host:
        raise NotThere
    return phone


def _votes(table: Table, silent_s: float) -> dict[int, int]:
    """Gather what each seat wants, as it said last, since the host was heard, or became the host.

    What was wanted by who has left a seat since, or of such a one, is wanted of or by nobody any more.
    """
    since = written(datetime.now(UTC) - timedelta(seconds=silent_s))
    said = {
        entry.by: entry
        for entry in log.entries(table, kind="table")
        if entry.data["act"] == "vote" and entry.at > since and entry.by is not None
    }
    votes = {seat: (entry.number, entry.data["seat"]) for seat, entry in said.items()}
    return {seat: heir for seat, (at, heir) in votes.items() if not have_changed_hands(table, at, [seat, heir])}
