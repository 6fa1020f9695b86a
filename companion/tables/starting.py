"""What was wrong from the start is put right: options, who begins, who sits where; every move is judged again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion import log
from companion.errors import CompanionError, GameOver, HostOnly, Malformed, NotThere, Stale, StillSealed, Told
from companion.log import Now, Reading, Table, Wish, Yes, readings
from companion.play import Broken, Play
from companion.record import bare, opened, reseated, write_move
from companion.tables.amending import Change
from companion.tables.opening import differing
from companion.tables.referee import check_going, yes
from companion.tables.seating import Asker


@dataclass(frozen=True, slots=True)
class Meant:
    """How a table was meant."""

    options: Mapping[str, Any] | None = None
    """As data, with the seats of that order; None: as they are."""
    order: tuple[int, ...] | None = None
    """The seats of now as they lie clockwise; None: as they do."""

    @property
    def data(self) -> dict[str, Any]:
        """Write it as plain data."""
        return {"options": self.options, "order": None if self.order is None else list(self.order)}


def begin_again(asker: Asker, meant: Meant, key: str, later: Sequence[Change] = ()) -> Reading | Broken:
    """Let a table have been begun otherwise; every move is judged again.

    Args:
        asker: who asks.
        meant: how it was meant.
        key: the same key counts once.
        later: what entries say then, those that would not hold otherwise; in order, with the seats of that order.

    Returns:
        The new reading; or the move that would no longer hold, and why.

    Raises:
        HostOnly, Paused, BrokenOff, GameOver, StillSealed, Stale, NotThere (no such move counts), KeyReused.
        RecordError: the options cannot be, or a move cannot be read.
        Malformed: the order does not name each seat once.
    """
    phone, now = asker.phone, log.read(asker.table).play
    earlier = log.entry_with_key(asker.table, key)
    is_known = earlier is not None and earlier.data.get("asked") == _asked(meant, later)
    data = earlier.data if earlier and is_known else _wanted(asker, now, meant, later)

    def decide(now: Now) -> Yes | Broken:
        asker, play = Asker(now.table, phone), now.reading.play
        check(asker, play)
        if _data(play, meant, later) != data:
            raise Stale(now.table.code)
        by = asker.by(None)
        ruling = _begun(play, data, by)
        return ruling if isinstance(ruling, Broken) else yes(now, ruling, by)

    return log.enter(Wish(asker.table, "start", None, data, key, decide))


def _wanted(asker: Asker, play: Play[Any], meant: Meant, later: Sequence[Change]) -> dict[str, Any]:
    """Say what the log would keep; nothing where it may not be asked, which is decided at the door."""
    return _data(play, meant, later) if may_begin_again(asker, play) else {}


def begun(play: Play[Any], meant: Meant, later: Sequence[Change]) -> Play[Any] | Broken:
    """Say what it would lead to. Raises: RecordError, Malformed, NotThere."""
    return _begun(play, _data(play, meant, later), None)


def check(asker: Asker, play: Play[Any]) -> None:
    """Let only the host, while the game runs and nothing is sealed.

    Raises:
        HostOnly, Paused, BrokenOff, GameOver, StillSealed.
    """
    if not asker.is_host:
        raise HostOnly
    check_going(asker.table)
    if play.game.standing(play.position).is_finished:
        raise GameOver
    if play.game.has_secrets(play.position):
        raise StillSealed


def have_changed_places(table: Table) -> bool:
    """Say whether people were ever put in another order here, even if it was taken back."""
    orders = [entry.data.get("moved", []) for entry in log.entries(table, kind="start")]
    return any(moved != sorted(moved) for moved in orders)


def may_begin_again(asker: Asker, play: Play[Any]) -> bool:
    """Say whether `check` lets a phone."""
    try:
        check(asker, play)
    except CompanionError:
        return False
    return True


def seated(table: Table, order: Sequence[int] | None) -> Table:
    """Give a table as it would be with its seats in this order; it belongs to no transaction."""
    copy = readings.detached(table)
    people = [(seating.name, seating.phone) for seating in copy.seatings]
    for seating, before in zip(copy.seatings, order or range(len(people)), strict=True):
        seating.name, seating.phone = people[before]
    return copy


def _begun(play: Play[Any], data: Mapping[str, Any], by: int | None) -> Play[Any] | Broken:
    try:
        return log.begun_again(play, data, by)
    except KeyError:
        raise NotThere from None


def _data(play: Play[Any], meant: Meant, later: Sequence[Change]) -> dict[str, Any]:
    """Say what the log keeps. Raises: RecordError (the options cannot be), Malformed."""
    game, seats = play.game, play.seats
    moved = moved_by(meant.order, seats)
    options = reseated(game.options, play.options, moved) if meant.options is None else dict(meant.options)
    opened(game, options, seats)
    said = {
        "asked": _asked(meant, later),
        "was": dict(play.options),
        "options": differing(game, options),
        "later": [change.data for change in later],
    }
    return said if meant.order is None else {**said, "moved": moved, "moves": _moves(play, moved)}


def _asked(meant: Meant, later: Sequence[Change]) -> dict[str, Any]:
    return {**meant.data, "later": [change.data for change in later]}


def moved_by(order: Sequence[object] | None, seats: int) -> list[int]:
    """Say where who sits on a seat sits in an order of seats; None: where they are. Raises: Malformed."""
    if order is None:
        return list(range(seats))
    if len(order) != seats or any(type(seat) is not int for seat in order) or set(order) != set(range(seats)):
        raise Malformed(place="order", reason=Told("Name each seat once."))
    return [order.index(seat) for seat in range(seats)]


def _moves(play: Play[Any], moved: Sequence[int]) -> list[dict[str, Any]]:
    """Write all moves for the seats of another order."""
    kinds = play.game.moves(play.seats)
    found = []
    for number, step in play.numbered().items():
        data = bare(write_move(play.game, play.seats, step.asked.move))
        found.append({"number": number, "move": reseated(kinds[data["move"]], data, moved)})
    return found
