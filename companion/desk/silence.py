"""A host who is heard no more, and one who was away, as people read of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.desk.wording import names
from companion.push.hearing import hearing
from companion.tables import succession
from companion.tables.seating import Asker


@dataclass(frozen=True, slots=True)
class Wanted:
    """A seat that somebody wants for the host."""

    seat: int
    name: str
    agree: int
    """How many of those who are asked want it."""
    is_mine: bool
    """Whether this phone wants it, too."""


@dataclass(frozen=True, slots=True)
class ShownSilence:
    """A host who has not been heard for long."""

    minutes: int
    asked: int
    """How many are there, and have to agree."""
    wanted: list[Wanted]
    seat: int | None
    """The own one; None without one: then nothing can be wanted."""
    may_ask: bool
    """Whether asking for it with the own seat would change anything."""
    alone: int
    """Minutes after which one who is alone may take it on, while that is later; 0 else."""


@dataclass(frozen=True, slots=True)
class ShownSuccession:
    """What somebody who was the host has missed."""

    name: str
    """Of the seat whose phone is the host now; "" where it has none."""
    may_reclaim: bool


def silence_shown(asker: Asker) -> ShownSilence | None:
    """Tell of a host who has not been heard for long; None while there is nothing to tell."""
    silence = succession.silence_of(asker, hearing().ago)
    if silence is None or not silence.heard:
        return None
    own = silence.votes.get(asker.seat) if asker.seat is not None else None
    named = names(asker.table)
    heirs = [seat for seat in silence.heard if silence.agree(seat)]
    wanted = [Wanted(seat, named[seat], silence.agree(seat), own == seat) for seat in heirs]
    # Who wants it already, and whom the others have left since, completes it by asking again.
    is_due = asker.seat is not None and (own != asker.seat or silence.is_agreed(asker.seat))
    alone = succession.ALONE_S // 60 if silence.is_alone else 0
    may_ask = is_due and not silence.is_alone
    return ShownSilence(int(silence.silent_s // 60), len(silence.heard), wanted, asker.seat, may_ask, alone)


def succession_shown(asker: Asker) -> ShownSuccession | None:
    """Tell a phone that others took the table on from it; None to everybody else."""
    if not succession.was_host(asker):
        return None
    table = asker.table
    host = Asker(table, table.host).seat
    return ShownSuccession("" if host is None else names(table)[host], succession.may_reclaim(table))


def silence_data(asker: Asker) -> dict[str, Any] | None:
    """Tell a program of a host who has not been heard for long; None while there is nothing to tell."""
    silence = succession.silence_of(asker, hearing().ago)
    if silence is None:
        return None
    votes = [{"seat": seat, "wants": heir} for seat, heir in sorted(silence.votes.items())]
    return {"seconds": int(silence.silent_s), "asked": list(silence.heard), "votes": votes}
