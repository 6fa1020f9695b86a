"""A tap becomes a ruling: may this phone ask it, has the table moved on, what do the rules say; save, then tell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from companion import log, metrics
from companion.errors import BrokenOff, CompanionError, NothingThere, NotYours, Paused, Stale
from companion.game import Refused
from companion.log import Changes, Now, Reading, Table, Wish, Yes, readings
from companion.play import Asked, Play
from companion.record import bare, read_move, reads_time
from companion.tables.opening import closing
from companion.tables.seating import Asker, have_changed_hands

R = TypeVar("R")
Undo = Callable[["Asker", str, int | None], Reading]


def rule_on(asker: Asker, data: Mapping[str, Any], key: str, after: int | None = None) -> Reading | Refused:
    """Rule on a move that a phone asks for.

    Args:
        asker: who asks.
        data: the move, as the table record writes it.
        key: the same key counts once.
        after: the number of the log that the phone had seen.

    Raises:
        RecordError: the move cannot be read.
        Paused, BrokenOff: the table stands still.
        NotYours: the phone may not act for that seat.
        Stale: the table has moved on, and the move would mean something else.
        KeyReused, NotSaved: as the log's door has it.
    """
    return _counted(asker.table, log.enter(moving(asker, data, key, after)))


def try_on(asker: Asker, data: Mapping[str, Any], after: int | None = None) -> tuple[Reading, Reading | Refused]:
    """Rule on a move as `rule_on` does, upon what stands now, but enter nothing. Raises: as `rule_on`."""
    return log.consider(moving(asker, data, "", after))


def rule_on_all(wishes: Sequence[Wish[Refused]]) -> list[Reading | Refused | CompanionError]:
    """Rule on moves that came at once, at different tables, read by `moving`; they share a commit where they can."""
    return [_counted(wish.table, ruling) for wish, ruling in zip(wishes, log.enter_all(wishes), strict=True)]


def rule_at_once(wishes: Sequence[Wish[Refused]]) -> list[Reading | None]:
    """Rule on moves as far as memory says yes to them; None for those that have to be asked by `rule_on_all`."""
    return log.enter_at_once(wishes)


def moving(asker: Asker, data: Mapping[str, Any], key: str, after: int | None = None) -> Wish[Refused]:
    """Read a move, and how it is decided: what is asked, and what its `decide` raises, is as in `rule_on`.

    Raises:
        RecordError: the move cannot be read.
    """
    said, game, seats = bare(data), log.game_of(asker.table), len(asker.table.seatings)
    move, is_timed = read_move(game, seats, said), reads_time(game, seats, said)
    seat = getattr(move, "seat", None)

    def decide(now: Now) -> Yes | Refused:
        # Without a number nobody looks whether the seat has changed hands: what was known of it may be old.
        mover = Asker(now.table, asker.phone) if after is None else asker.at(now.table)
        play = now.reading.play
        if now.table.halt:
            raise at_halt(now.table)
        if seat not in mover.seats and (seat is not None or not mover.seats):
            raise NotYours
        seen = moved_on_from(now, after, mover.seats if seat is None else [seat], said)
        by = mover.by(seat)
        if seen is not None and not play.has_held(seen, move):
            raise Stale(now.table.code, seen, said)
        timed = move
        if is_timed:
            log.CLOCK.hold()
            timed = read_move(game, seats, {**said, "at": now.at})
        ruling = play.judge(Asked(now.number, timed, by, now.at))
        return ruling if isinstance(ruling, Refused) else yes(now, ruling, by)

    return Wish(asker.table, "move", seat, said, key, decide, is_quick=after is not None)


def take_back(asker: Asker, key: str, after: int | None = None) -> Reading:
    """Undo the last move or amendment. Raises: Paused, BrokenOff, NotYours, Stale, NothingThere, KeyReused."""
    return _undo(asker, key, after, "take_back")


def put_back(asker: Asker, key: str, after: int | None = None) -> Reading:
    """Redo what was taken back. Raises: Paused, BrokenOff, NotYours, Stale, NothingThere, KeyReused."""
    return _undo(asker, key, after, "put_back")


def may_undo(asker: Asker, play: Play[Any]) -> bool:
    """Say whether this phone may take back (or put back) the last step of a play.

    The host may; so may the seat that entered it, or, of a move, the seat that it is about.
    """
    if asker.is_host:
        return True
    about = getattr(play.last.asked.move, "seat", None) if play.last and play.amended is None else None
    return asker.seat is not None and asker.seat in (play.by, about)


def check_going(table: Table) -> None:
    """Refuse what is asked while the table stands still. Raises: Paused, BrokenOff."""
    if table.halt:
        raise at_halt(table)


def at_halt(table: Table) -> CompanionError:
    """Say no to what is asked at a table that stands still."""
    return Paused() if table.halt == "paused" else BrokenOff()


def moved_on_from(
    now: Now, after: int | None, seats: Collection[int], data: Mapping[str, Any] | None = None
) -> int | None:
    """Refuse what was asked of another table; give what had been seen, where nothing but moves has followed.

    Whoever asked before a pause, or before the seat was another's, may have been told no meanwhile: a copy that comes
    afterwards is not to be a yes.

    Args:
        now: the table as it is now.
        after: the number that had been seen; None lets anything through.
        seats: those by whose right it is asked.
        data: the move, as the log writes it; None for what is no move.

    Raises:
        Stale: the table has moved on otherwise.
    """
    code, number = now.table.code, now.reading.number
    if after is None or after == number:
        return None
    if after > number:
        raise Stale(code)
    kinds = log.kinds(now.table, after) - {"seat", "table"}
    if kinds - {"move"} or have_changed_hands(now.table, after, seats):
        raise Stale(code, after, data)
    return after if kinds else None


def _undo(asker: Asker, key: str, after: int | None, kind: str) -> Reading:
    def decide(now: Now) -> Yes:
        check_going(now.table)
        undoer, play = Asker(now.table, asker.phone), now.reading.play
        if moved_on_from(now, after, undoer.seats) is not None:
            raise Stale(now.table.code, after)
        then, step = (play.take_back(), play) if kind == "take_back" else (play.put_back(), play.put_back())
        if then is None or step is None:
            raise NothingThere
        if not may_undo(undoer, step):
            raise NotYours
        return yes(now, then, undoer.by(None))

    return log.enter(Wish(asker.table, kind, None, {}, key, decide, is_quick=after is not None))


def yes(now: Now, play: Play[Any], by: int | None) -> Yes:
    """Decide that something is entered, with what it changes of the table: how it was begun, and its result."""
    was, table, standing = now.reading.play, now.table, play.game.standing(play.position)
    if play.order == was.order and play.options == was.options:
        is_quiet = not standing.is_finished and table.closed is None
        return Yes(play, by, None if is_quiet else closing(table, play, now.at), standing)
    seats = _seats(table, was, play)
    ending = closing(readings.detached(table, Changes(seats=seats)), play, now.at) or Changes()
    ended = {seat: {**changes, **ending.seats.get(seat, {})} for seat, changes in seats.items()}
    return Yes(play, by, Changes({"options": dict(play.options), **ending.table}, ended), standing)


def _seats(table: Table, was: Play[Any], play: Play[Any]) -> dict[int, dict[str, Any]]:
    """Say who sits where after people have changed places, or have gone back to where they were."""
    return {
        play.seat_now(one.seat, was): {
            "name": one.name,
            "phone": one.phone,
            "has_left": one.has_left,
            "hand": None if one.hand is None else play.seat_now(one.hand, was),
            "figures": one.figures,
        }
        for one in table.seatings
    }


def _counted(table: Table, ruling: R) -> R:
    """Count a refusal."""
    if isinstance(ruling, Refused):
        metrics.refused(table.game, ruling.rule.name.lower(), table.code)
    return ruling
