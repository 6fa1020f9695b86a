"""A tap becomes a ruling: may this phone ask it, has the table moved on, what do the rules say; save, then tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion import log, metrics
from companion.errors import CompanionError, NothingThere, NotThere, NotYours, Stale
from companion.game import Refused
from companion.log import Now, Reading, Table, Wish, Yes
from companion.play import Asked, Broken, Play
from companion.record import bare, reads_time
from companion.tables.opening import closing
from companion.tables.seating import Asker

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
        NotYours: the phone may not act for that seat.
        Stale: the table has moved on, and the move would mean something else.
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
    """Read a move, and how it is decided. Raises: RecordError."""
    then, said = asker, bare(data)
    move = log.move_of(then.table, said)
    seat = getattr(move, "seat", None)

    def decide(now: Now) -> Yes | Refused:
        asker, play = then.at(now.table), now.reading.play
        if seat not in asker.seats and (seat is not None or not asker.seats):
            raise NotYours
        _check_fresh(now, after, move, said)
        timed = log.move_of(now.table, said, now.at) if reads_time(play.game, play.seats, said) else move
        by = asker.by(seat)
        ruling = play.judge(Asked(now.number, timed, by, now.at))
        return ruling if isinstance(ruling, Refused) else _yes(now, ruling, by)

    return Wish(then.table, "move", seat, said, key, decide, is_quick=True)


def take_back(asker: Asker, key: str, after: int | None = None) -> Reading:
    """Undo the last move or amendment. Raises: NotYours, Stale, NothingThere."""
    return _undo(asker, key, after, "take_back")


def put_back(asker: Asker, key: str, after: int | None = None) -> Reading:
    """Redo what was taken back. Raises: NotYours, Stale, NothingThere."""
    return _undo(asker, key, after, "put_back")


def may_undo(asker: Asker, play: Play[Any]) -> bool:
    """Say whether this phone may take back (or put back) the last step of a play.

    The host may; so may the seat that entered it, or, of a move, the seat that it is about.
    """
    if asker.is_host:
        return True
    about = getattr(play.last.asked.move, "seat", None) if play.last and play.amended is None else None
    return asker.seat is not None and asker.seat in (play.by, about)


def amend(asker: Asker, number: int, data: Mapping[str, Any], key: str) -> Reading | Broken:
    """Replace the move of an earlier entry; every later move is judged again.

    Returns:
        The new reading; or the move that would no longer hold, and why.

    Raises:
        RecordError, NotYours, NotThere (no such move counts).
    """
    return log.enter(_amending(asker, number, data, key))


def try_amending(asker: Asker, number: int, data: Mapping[str, Any]) -> tuple[Reading, Reading | Broken]:
    """Judge as `amend` does, upon what stands now, but enter nothing. Raises: as `amend`."""
    return log.consider(_amending(asker, number, data, ""))


def _amending(asker: Asker, number: int, data: Mapping[str, Any], key: str) -> Wish[Broken]:
    """Read an amendment, and how it is decided. Raises: RecordError."""
    phone, said = asker.phone, bare(data)
    move = log.move_of(asker.table, said)
    seat = getattr(move, "seat", None)

    def decide(now: Now) -> Yes | Broken:
        asker, play = Asker(now.table, phone), now.reading.play
        step = play.numbered().get(number)
        if step is None:
            raise NotThere
        is_sealed = play.is_sealed(step)
        if not may_amend(asker, step.asked, is_sealed) or not _is_theirs(asker, step.asked, move, is_sealed):
            raise NotYours
        by = asker.by(seat)
        ruling = play.amend(number, log.move_of(now.table, said, step.asked.at), by)
        return ruling if isinstance(ruling, Broken) else _yes(now, ruling, by)

    return Wish(asker.table, "amend", seat, {"number": number, "move": said}, key, decide, is_quick=True)


def may_amend(asker: Asker, asked: Asked, is_sealed: bool) -> bool:
    """Say whether this phone may amend a move: its own, those it entered, and for the host all but sealed ones."""
    about = getattr(asked.move, "seat", None)
    if about is not None and is_sealed:
        return about in asker.seats
    return asker.is_host or (asker.seat is not None and asker.seat in (about, asked.by))


def _is_theirs(asker: Asker, asked: Asked, move: Any, is_sealed: bool) -> bool:
    """Say whether a move may stand in the place of another: of its kind, and about a seat that the phone acts for.

    What is in the open the host may also give to another seat, as a trick that somebody else took.
    """
    about = getattr(move, "seat", None)
    is_open = asker.is_host and not is_sealed
    return type(move) is type(asked.move) and (about is None or about in asker.seats or is_open)


def _check_fresh(now: Now, after: int | None, move: Any = None, data: Mapping[str, Any] | None = None) -> None:
    """Refuse what was asked of an earlier table, unless it still means the same.

    Args:
        now: the table as it is now.
        after: the number that had been seen; None lets anything through.
        move: what is asked; None for what is no move.
        data: the move, as the log writes it.
    """
    code, number, play = now.table.code, now.reading.number, now.reading.play
    if after is None or after == number:
        return
    if after > number:
        raise Stale(code)
    kinds = log.kinds(now.table, after) - {"seat", "table"}
    if kinds - {"move"}:
        raise Stale(code, after, data)
    if kinds and (move is None or not play.game.still_means(play.at(after).position, play.position, move)):
        raise Stale(code, after, data)


def _undo(asker: Asker, key: str, after: int | None, kind: str) -> Reading:
    phone = asker.phone

    def decide(now: Now) -> Yes:
        _check_fresh(now, after)
        asker, play = Asker(now.table, phone), now.reading.play
        then, step = (play.take_back(), play) if kind == "take_back" else (play.put_back(), play.put_back())
        if then is None or step is None:
            raise NothingThere
        if not may_undo(asker, step):
            raise NotYours
        return _yes(now, then, asker.by(None))

    return log.enter(Wish(asker.table, kind, None, {}, key, decide, is_quick=True))


def _yes(now: Now, play: Play[Any], by: int | None) -> Yes:
    return Yes(play, by, closing(now.table, play, now.at))


def _counted(table: Table, ruling: R) -> R:
    """Count a refusal."""
    if isinstance(ruling, Refused):
        metrics.refused(table.game, ruling.rule.name.lower(), table.code)
    return ruling
