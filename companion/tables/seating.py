"""Who is at a table: finding it by its code, sitting down, and what each phone may do there."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion import log
from companion.errors import (
    GameOver,
    HostOnly,
    Locked,
    NoSuchTable,
    NotThere,
    NotYours,
    Seated,
    SeatTaken,
)
from companion.log import EVERYBODY, Changes, Now, Seating, Table, Wish, Yes
from companion.log.codes import CODE_LENGTH, is_code, read_code
from companion.log.names import clean_name, renamed

Change = Mapping[str, Any]
"""Columns of a seat, and what they become."""
STAYING = frozenset({"rename", "return"})
"""Acts after which the same person sits there."""
FROM_HOST_TO_HOST = frozenset({"host", "take_on", "reclaim"})
"""Acts that make somebody the host."""
_STAYS: Change = {"has_left": False, "hand": None}


@dataclass(frozen=True)
class Asker:
    """Who asks: a phone, at a table as it is now; what it may do there is worked out once."""

    table: Table
    phone: str
    """Its secret, hashed."""

    @cached_property
    def is_host(self) -> bool:
        """Whether this phone opened the table."""
        return self.table.host == self.phone

    @cached_property
    def seat(self) -> int | None:
        """The seat that this phone has; None without one."""
        return next((seating.seat for seating in self.table.seatings if seating.phone == self.phone), None)

    @cached_property
    def seats(self) -> list[int]:
        """The seats that it may act for: its own, those that it plays on, for the host the others without a phone."""
        return [seating.seat for seating in self.table.seatings if self._acts_for(seating)]

    def _acts_for(self, seating: Seating) -> bool:
        if seating.phone is not None:
            return seating.phone in (self.phone, EVERYBODY)
        hand = hand_of(self.table, seating)
        return self.is_host if hand is None else hand.phone == self.phone

    def at(self, table: Table) -> Asker:
        """Ask at the table as it is at another time; the very same one is believed to be as it was."""
        return self if table is self.table else Asker(table, self.phone)

    def by(self, seat: int | None) -> int | None:
        """Name who enters something about a seat: the phone's own seat, or None for the host."""
        return None if self.is_host and seat != self.seat else self.seat


def hand_of(table: Table, seating: Seating) -> Seating | None:
    """Find by whose hand a seat is played on; None where that has gone, too: the host is left."""
    hand = None if seating.hand is None else table.seatings[seating.hand]
    return hand if hand is not None and hand.phone is not None else None


def find_table(code: str) -> Table:
    """Find a table by its code, however it was typed.

    Raises:
        NoSuchTable: there is none.
    """
    said = read_code(code)
    table = log.find(said) if is_code(said, CODE_LENGTH) else None
    if table is None:
        raise NoSuchTable
    return table


def find_lately(code: str) -> Table:
    """Find a table as it was lately, for what the referee looks at again. Raises: NoSuchTable."""
    known = log.remembered(read_code(code))
    return known[0] if known else find_table(code)


def take_over(table: Table, secret: str, phone: str, key: str) -> None:
    """Make a phone the host of a table that was imported. Raises: NotYours."""

    def decided(now: Now) -> Yes | None:
        if now.table.host == phone:
            return None
        if not secrets.compare_digest(now.table.host, hashed(secret)):
            raise NotYours
        return Yes(now.reading.play, None, Changes({"host": phone}))

    log.enter(Wish(table, "table", None, {"act": "host"}, key, decided))


def hand_over(asker: Asker, seat: int, key: str) -> None:
    """Make the phone of a seat the host. Raises: HostOnly, NotThere (no phone sits there), KeyReused."""
    phone = asker.phone

    def decided(now: Now) -> Yes | None:
        asker = Asker(now.table, phone)
        check_host(asker)
        heir = _seating(now.table, seat).phone
        if heir is None:
            raise NotThere
        changes = Changes({"host": heir, "former_host": None})
        return None if heir == phone else Yes(now.reading.play, asker.by(None), changes)

    log.enter(Wish(asker.table, "table", None, {"act": "host", "seat": seat}, key, decided))


def hashed(secret: str) -> str:
    """Hash a phone's secret, so that the database never holds one."""
    return hashlib.sha256(secret.encode()).hexdigest()


def sit_down(asker: Asker, seat: int, name: str, key: str) -> None:
    """Take a free seat.

    Raises:
        Seated, Locked, SeatTaken, NotThere, BadName, KeyReused.
    """

    def decide(asker: Asker, seating: Seating) -> Change | None:
        if seating.phone == asker.phone:
            return None
        if asker.seat is not None:
            raise Seated
        if asker.table.is_locked and not asker.is_host:
            raise Locked
        if seating.phone is not None:
            raise SeatTaken
        return {"name": clean_name(seating.name or name), "phone": asker.phone, **_STAYS}

    _reseat(asker, seat, {"act": "sit"}, key, decide)


def stand_up(asker: Asker, key: str) -> None:
    """Leave one's own seat; the host plays it from now on. Raises: NotYours, KeyReused."""
    earlier = log.entry_with_key(asker.table, key)
    _stand_up(asker, earlier.seat if earlier else asker.seat, key)


def leave(asker: Asker, seat: int, key: str) -> None:
    """Leave one's own seat, or as the host take another one away from its phone. Raises: as `stand_up` and `free`."""
    earlier = log.entry_with_key(asker.table, key)
    has_stood = earlier is not None and (earlier.seat, earlier.data) == (seat, {"act": "stand"})
    if has_stood or (earlier is None and asker.seat == seat):
        _stand_up(asker, seat, key)
    else:
        free(asker, seat, key)


def _stand_up(asker: Asker, seat: int | None, key: str) -> None:
    def decide(asker: Asker, seating: Seating) -> Change:
        if seating.phone != asker.phone:
            raise NotYours
        return {"phone": None}

    _reseat(asker, seat, {"act": "stand"}, key, decide)


def free(asker: Asker, seat: int, key: str) -> None:
    """Take a seat away from its phone. Raises: HostOnly, NotThere, KeyReused."""

    def decide(asker: Asker, seating: Seating) -> Change | None:
        check_host(asker)
        return {"phone": None} if seating.phone else None

    _reseat(asker, seat, {"act": "free"}, key, decide)


def go(asker: Asker, seat: int, hand: int | None, key: str) -> None:
    """Let a seat be played on by another hand, whose player has to go: that of another seat (None: the host's).

    Whoever sits down there again plays for itself.

    Raises:
        NotYours, NotThere (no phone sits at the other seat), GameOver, KeyReused.
    """

    def decide(asker: Asker, seating: Seating) -> Change | None:
        if not asker.is_host and seating.phone != asker.phone:
            raise NotYours
        if asker.table.closed:
            raise GameOver
        if hand is not None and (hand == seat or _seating(asker.table, hand).phone is None):
            raise NotThere
        change = {"phone": None, "has_left": True, "hand": hand}
        return change if any(getattr(seating, name) != value for name, value in change.items()) else None

    _reseat(asker, seat, {"act": "go", "hand": hand}, key, decide)


def has_room(table: Table) -> bool:
    """Say whether somebody new can sit down."""
    return not table.is_locked and not table.closed and any(seating.phone is None for seating in table.seatings)


def have_changed_hands(table: Table, after: int, seats: Collection[int]) -> bool:
    """Say whether the table has come to another phone since an entry, or one of these seats, or who plays on for it."""
    held = {*seats, *(table.seatings[seat].hand for seat in seats)} - {None}
    of_seats = {entry.data["act"] for entry in log.entries(table, after, "seat") if entry.seat in held}
    of_table = {entry.data["act"] for entry in log.entries(table, after, "table")}
    return bool(of_seats - STAYING or of_table & FROM_HOST_TO_HOST)


def rename(asker: Asker, seat: int, name: str, key: str) -> None:
    """Change a player's name. Raises: NotYours, NotThere, BadName, KeyReused."""
    said = clean_name(name)

    def decide(asker: Asker, seating: Seating) -> Change | None:
        if not asker.is_host and seating.phone != asker.phone:
            raise NotYours
        return {"name": said} if said != seating.name else None

    _reseat(asker, seat, {"act": "rename", "name": said}, key, decide)


def tell_name(asker: Asker, seat: int, key: str) -> None:
    """Enter how a seat is called by now, where that was changed past the door: open pages follow. Raises: KeyReused."""
    name = _seating(asker.table, seat).name
    _reseat(asker, seat, {"act": "rename", "name": name}, key, lambda _asker, seating: {"name": seating.name})


def lock(asker: Asker, is_locked: bool, key: str) -> None:
    """Let nobody else sit down, or let them again. Raises: HostOnly, KeyReused."""
    _set(asker, "lock" if is_locked else "unlock", key, is_locked=is_locked)


def teach(asker: Asker, is_taught: bool, key: str) -> None:
    """Explain the first round as it is played, or no more. Raises: HostOnly, KeyReused."""
    _set(asker, "teach" if is_taught else "unteach", key, is_taught=is_taught)


def check_host(asker: Asker) -> None:
    """Let only the host. Raises: HostOnly."""
    if not asker.is_host:
        raise HostOnly


def check_there(asker: Asker) -> None:
    """Let only who has a seat there, and the host. Raises: NotYours."""
    if not asker.is_host and asker.seat is None:
        raise NotYours


def _seating(table: Table, seat: int) -> Seating:
    if seat not in range(len(table.seatings)):
        raise NotThere
    return table.seatings[seat]


def _reseat(
    asker: Asker,
    seat: int | None,
    data: dict[str, Any],
    key: str,
    decide: Callable[[Asker, Seating], Change | None],
) -> None:
    """Change who sits where, with its entry.

    Args:
        asker: who asks.
        seat: which seat; None when the phone has left its own: then only a repeated key is answered.
        data: what the entry says of it.
        key: the same key counts once.
        decide: given who asks and the seat as they are now, the columns that change; None when nothing does.
    """
    phone = asker.phone

    def decided(now: Now) -> Yes | None:
        asker = Asker(now.table, phone)
        if seat is None:
            raise NotYours
        change = decide(asker, _seating(now.table, seat))
        by = asker.by(seat) if asker.is_host or asker.seat is not None else seat
        if change is None:
            return None
        return Yes(now.reading.play, by, Changes(_named(now.table, seat, change), {seat: change}))

    log.enter(Wish(asker.table, "seat", seat, data, key, decided))


def _named(table: Table, seat: int, change: Change) -> Change:
    """Give the columns of a table that change with a name: a stored result bears it, too."""
    if table.result is None or "name" not in change:
        return {}
    names = [change["name"] if one.seat == seat else one.name for one in table.seatings]
    return {"result": renamed(table.result, names)}


def _set(asker: Asker, act: str, key: str, **columns: Any) -> None:
    """Let the host set something of the table. Raises: HostOnly, KeyReused."""

    def decide(asker: Asker) -> Change:
        check_host(asker)
        return columns

    note(asker, {"act": act}, key, decide)


def note(asker: Asker, data: Change, key: str, decide: Callable[[Asker], Change] | None = None) -> None:
    """Enter something about the table itself, with its columns that change; nothing where none does.

    Args:
        asker: who asks.
        data: what the entry says of it.
        key: the same key counts once.
        decide: given who asks as the table is now, the columns as they shall be; None where none is to change.
    """
    phone = asker.phone

    def decided(now: Now) -> Yes | None:
        asker = Asker(now.table, phone)
        columns = decide(asker) if decide else {}
        changes = {name: value for name, value in columns.items() if getattr(now.table, name) != value}
        return Yes(now.reading.play, asker.by(None), Changes(changes)) if changes or not decide else None

    log.enter(Wish(asker.table, "table", None, data, key, decided))
