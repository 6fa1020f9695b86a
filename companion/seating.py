"""Who is at a table: opening one, finding it by its code, sitting down, and what each phone may do there."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion import log
from companion.errors import HostOnly, Locked, NoSuchTable, NotThere, NotYours, Seated, SeatTaken, Stale
from companion.game import AnyGame
from companion.live import bell
from companion.log import Reading, Seating, Table
from companion.names import clean_name
from companion.play import Asked, Play
from companion.record import Record, bare, opened, result

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 6


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
    table = log.find(read_code(code))
    if table is None:
        raise NoSuchTable
    return table


def read_code(text: str) -> str:
    """Read a typed code: Crockford's alphabet forgives case, O for 0, I and L for 1.

    >>> read_code(" k7-qxo l")
    'K7QX01'
    """
    return text.upper().translate(str.maketrans("OIL", "011", " -"))


def open_table(game: AnyGame, options: Mapping[str, Any], names: Sequence[str], phone: str) -> Table:
    """Open a table; its host is the phone that asks.

    Args:
        game: which game.
        options: as data.
        names: one per seat, clockwise; "" for whoever sits down there.
        phone: the host's, hashed.

    Raises:
        RecordError: the options cannot be, or not with so many seats.
        BadName: a name cannot be taken.
    """
    opened(game, dict(options), len(names))
    said = [clean_name(name) if name.strip() else "" for name in names]
    return _add(game, _differing(game, options), said, phone)


def open_from(record: Record, lines: Iterable[tuple[Asked, Mapping[str, Any]]]) -> tuple[Table, str]:
    """Open a table from a record that holds.

    Args:
        record: what was read.
        lines: its moves, each as it was read and as data.

    Returns:
        The table, and the secret that makes a phone its host.
    """
    secret = secrets.token_hex(16)
    table = _add(record.game, record.options, [clean_name(name) for name in record.players], hashed(secret))
    log.enter(table, [
        {"kind": "move", "seat": data.get("seat"), "by": asked.by, "data": bare(data), "key": f"import.{asked.number}",
         "number": asked.number, "at": asked.at or log.now()}
        for asked, data in lines
    ])  # fmt: skip
    reading = log.read(table)
    log.change(table, **(closing(table, reading.play, log.now()) or {}))
    return table, secret


def take_over(table: Table, secret: str, phone: str) -> None:
    """Make a phone the host of a table that was imported. Raises: NotYours."""
    if not secrets.compare_digest(table.host, hashed(secret)):
        raise NotYours
    log.change(table, host=phone)


def hashed(secret: str) -> str:
    """Hash a phone's secret, so that the database never holds one."""
    return hashlib.sha256(secret.encode()).hexdigest()


def closing(table: Table, play: Play[Any], at: str) -> dict[str, Any] | None:
    """Store the result of a game that has ended with this entry, as it was ruled; or take it out again."""
    if play.game.standing(play.position).is_finished:
        return {"closed": at, "result": result(play, [seating.name for seating in table.seatings])}
    return {"closed": None, "result": None} if table.closed else None


def _add(game: AnyGame, options: Mapping[str, Any], names: Sequence[str], host: str) -> Table:
    while True:
        table = Table(
            code="".join(secrets.choice(CROCKFORD) for _ in range(CODE_LENGTH)),
            game=game.key,
            options=dict(options),
            host=host,
            is_locked=False,
            opened=log.now(),
            seatings=[Seating(seat=seat, name=name) for seat, name in enumerate(names)],
        )
        if log.add(table):
            return table


def sit_down(asker: Asker, seat: int, name: str, key: str) -> None:
    """Take a free seat.

    Raises:
        Seated, Locked, SeatTaken, NotThere, BadName.
    """
    seating = _seating(asker.table, seat)
    if asker.seat == seat:
        return
    if asker.seat is not None:
        raise Seated
    if asker.table.is_locked and not asker.is_host:
        raise Locked
    if seating.phone is not None:
        raise SeatTaken
    said = clean_name(seating.name or name)
    _reseat(asker, {"seat": seat, "name": said, "phone": asker.phone}, {"act": "sit"}, key)


def stand_up(asker: Asker, key: str) -> None:
    """Leave one's own seat; the host plays it from now on. Raises: NotYours."""
    if asker.seat is None:
        raise NotYours
    _reseat(asker, {"seat": asker.seat, "phone": None}, {"act": "stand"}, key)


def free(asker: Asker, seat: int, key: str) -> None:
    """Take a seat away from its phone. Raises: HostOnly, NotThere."""
    _check_host(asker)
    _seating(asker.table, seat)
    _reseat(asker, {"seat": seat, "phone": None}, {"act": "free"}, key)


def rename(asker: Asker, seat: int, name: str, key: str) -> None:
    """Change a player's name. Raises: NotYours, NotThere, BadName."""
    _seating(asker.table, seat)
    if not asker.is_host and seat != asker.seat:
        raise NotYours
    _reseat(asker, {"seat": seat, "name": clean_name(name)}, {"act": "rename"}, key)


def lock(asker: Asker, is_locked: bool) -> None:
    """Let nobody else sit down, or let them again. Raises: HostOnly."""
    _check_host(asker)
    log.change(asker.table, is_locked=is_locked)
    bell().ring(asker.table.code, log.read(asker.table).number)


def _check_host(asker: Asker) -> None:
    if not asker.is_host:
        raise HostOnly


def _seating(table: Table, seat: int) -> Seating:
    if seat not in range(len(table.seatings)):
        raise NotThere
    return table.seatings[seat]


def _reseat(asker: Asker, seating: dict[str, Any], data: dict[str, Any], key: str) -> None:
    """Change who sits where, with its entry; once more if another process was quicker; then ring."""
    table, seat = asker.table, seating["seat"]
    by = asker.by(seat) if asker.seat is not None or asker.is_host else seat
    with log.turn(table):
        for _ in range(log.TRIES):
            reading = log.read(table)
            if log.entry_with_key(table, key):
                return
            after = Reading(reading.number + 1, reading.play)
            entry = {"number": after.number, "kind": "seat", "seat": seat, "by": by, "key": key, "at": log.now()}
            try:
                if not log.seat(table, seating, {**entry, "data": data}, after):
                    raise SeatTaken
            except log.Clash:
                continue
            bell().ring(table.code, after.number)
            return
    raise Stale


def _differing(game: AnyGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the options that make a difference."""
    kept = dict(options)
    for option in options:
        fewer = {name: value for name, value in kept.items() if name != option}
        if game.options.load(fewer) == game.options.load(kept):
            kept = fewer
    return kept
