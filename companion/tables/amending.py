"""What was entered wrongly is put right: an earlier move becomes another one, of whatever kind, or was not made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion import log
from companion.errors import NotThere, NotYours, Stale, StillSealed
from companion.log import Now, Reading, Wish, Yes
from companion.play import Asked, Broken, Play, Step
from companion.record import bare, write_move
from companion.tables.referee import check_going, moved_on_from, yes
from companion.tables.seating import Asker


@dataclass(frozen=True, slots=True)
class Change:
    """What an entry shall say instead."""

    number: int
    move: Mapping[str, Any] | None
    """As data; None: it was not made."""
    was: Mapping[str, Any] | None = None
    """What it said to who changes it, as data; None: whatever it says by now."""

    @property
    def data(self) -> dict[str, Any]:
        """What the log keeps of it."""
        return {"number": self.number, "move": None if self.move is None else bare(self.move)}


def amend(
    asker: Asker, change: Change, key: str, later: Sequence[Change] = (), after: int | None = None
) -> Reading | Broken:
    """Let an earlier entry say something else, and later ones with it; every later move is judged again.

    Args:
        asker: who asks.
        change: the entry.
        key: the same key counts once.
        later: what later entries say then, those that would not hold otherwise; in order.
        after: the number of the log that the phone had seen; None: whatever has been entered since.

    Returns:
        The new reading; or the move that would no longer hold, and why.

    Raises:
        RecordError, Paused, BrokenOff, NotYours, Stale, NotThere (no such move counts), StillSealed, KeyReused.
    """
    return log.enter(_amending(asker, change, key, later, after))


def try_amending(
    asker: Asker, change: Change, later: Sequence[Change] = (), after: int | None = None
) -> tuple[Reading, Reading | Broken]:
    """Judge as `amend` does, upon what stands now, but enter nothing. Raises: as `amend`."""
    return log.consider(_amending(asker, change, "", later, after))


def _amending(asker: Asker, change: Change, key: str, later: Sequence[Change], after: int | None) -> Wish[Broken]:
    """Read an amendment, and how it is decided. Raises: RecordError."""
    phone, changes = asker.phone, (change, *later)
    data = _said(changes)
    moves = [log.move_of(asker.table, one.move) if one.move else None for one in changes]
    seat = getattr(moves[0], "seat", None)

    def decide(now: Now) -> Yes | Broken:
        asker, play = Asker(now.table, phone), now.reading.play
        check_going(now.table)
        if moved_on_from(now, after, asker.seats) is not None:
            raise Stale(now.table.code, after)
        steps = play.numbered(change.number)
        for one, move in zip(changes, moves, strict=True):
            if one.number not in steps:
                raise NotThere
            step = steps[one.number]
            _check(asker, play, step, move, is_later=one is not change)
            if one.was not in (None, write_move(play.game, play.seats, step.asked.move)):
                raise Stale(now.table.code)
        by = asker.by(seat)
        ruling = log.amended(play, data, by)
        return ruling if isinstance(ruling, Broken) else yes(now, ruling, by)

    return Wish(asker.table, "amend", seat, data, key, decide)


def amended(play: Play[Any], changes: Sequence[Change]) -> Play[Any] | Broken:
    """Say what changes would lead to. Raises: RecordError, NotThere (no such move counts)."""
    try:
        return log.amended(play, _said(changes), None)
    except KeyError:
        raise NotThere from None


def may_amend(asker: Asker, asked: Asked, is_sealed: bool) -> bool:
    """Say whether this phone may amend a move: its own, those it entered, and for the host all but sealed ones."""
    about = getattr(asked.move, "seat", None)
    if about is not None and is_sealed:
        return about in asker.seats
    return asker.is_host or (asker.seat is not None and asker.seat in (about, asked.by))


def _said(changes: Sequence[Change]) -> dict[str, Any]:
    """Say what the log keeps of changes, the first one first."""
    first, *later = [change.data for change in changes]
    return first | ({"later": later} if later else {})


def _check(asker: Asker, play: Play[Any], step: Step[Any], move: Any, is_later: bool) -> None:
    """Let a move stand in the place of another only if it is about a seat that the phone acts for.

    What is in the open the host may also give to another seat, as a trick that somebody else took.

    Raises:
        NotYours.
        StillSealed: what is sealed might come out, were it judged upon other kinds of moves.
    """
    is_sealed, about = play.is_sealed(step), getattr(move, "seat", None)
    is_open = asker.is_host and not is_sealed
    is_theirs = about is None or about in asker.seats or is_open
    if not is_theirs or not may_amend(asker, step.asked, is_sealed) or (is_sealed and is_later):
        raise NotYours
    if not is_sealed and play.unsealed().last is not play.last and type(move) is not type(step.asked.move):
        raise StillSealed
