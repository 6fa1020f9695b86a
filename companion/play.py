"""A table's play: the moves that count, each judged upon the one before; taken back, put back, amended.

Pure. A `Play` is a value, as a position is: every operation returns another one and shares what it can,
so that taking back is exact and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.figures import Figures
from companion.frozen import replace
from companion.game import Accepted, Game, Refused, Remark

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Asked:
    """A move as it was asked for."""

    number: int
    """Of the entry in the log, or of the line in the record; from 1."""
    move: Any
    by: int | None = None
    """The seat that entered it; None for the host."""
    at: str | None = None
    """UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Why an amendment is refused: a move that would no longer hold."""

    asked: Asked
    refused: Refused


@dataclass(frozen=True, slots=True)
class Play(Generic[P]):
    """The play of a table at one moment."""

    game: Game[Any, P, Any, Any]
    seats: int
    position: P
    asked: Asked | None = None
    """The move that led here; None at the start."""
    events: tuple[object, ...] = ()
    remarks: tuple[Remark, ...] = ()
    before: Play[P] | None = field(default=None, repr=False)
    """The play before that move; None at the start."""
    undo: Play[P] | None = field(default=None, repr=False)
    """What taking back returns to: the play before the last move or amendment."""
    redo: Play[P] | None = field(default=None, repr=False)
    """What putting back returns to; None unless something was just taken back."""
    by: int | None = None
    """Who made the last move or amendment: a seat, or None for the host."""
    amended: int | None = None
    """The number of the move that was amended last; None if a move came after it."""

    def judge(self, asked: Asked) -> Play[P] | Refused:
        """Rule on a move. Refuses: whatever the game's rules say."""
        ruling = self.game.judge(self.position, asked.move)
        if isinstance(ruling, Refused):
            return ruling
        return self._with(asked, ruling)

    def amend(self, number: int, move: Any, by: int | None = None) -> Play[P] | Broken:
        """Replace the move of an entry, and judge every later one again.

        Returns:
            The amended play; or the first move that would not hold, and why.

        Raises:
            KeyError: no move that counts has this number.
        """
        plays = self.moves()
        numbers = [play.asked.number for play in plays if play.asked]
        if number not in numbers:
            raise KeyError(number)
        first = numbers.index(number)
        play = plays[first].before or self
        for ruled in plays[first:]:
            assert ruled.asked is not None
            asked = replace(ruled.asked, move=move) if ruled is plays[first] else ruled.asked
            ruling = play.judge(asked)
            if isinstance(ruling, Refused):
                return Broken(asked, ruling)
            play = ruling
        return replace(play, undo=self, by=by, amended=number)

    def take_back(self) -> Play[P] | None:
        """Undo the last move or amendment; None when there is nothing to undo."""
        return replace(self.undo, redo=self) if self.undo else None

    def put_back(self) -> Play[P] | None:
        """Redo what was taken back last; None when there is nothing."""
        return self.redo

    def at(self, number: int) -> Play[P]:
        """Go back to the play as it stood when the log had this number (if nothing was taken back since)."""
        play = self
        while play.before is not None and play.asked is not None and play.asked.number > number:
            play = play.before
        return play

    def time_of(self, number: int) -> str | None:
        """Tell when a move that counts was made; None when no such move counts."""
        return next((ruled.asked.at for ruled in self.moves() if ruled.asked and ruled.asked.number == number), None)

    def opened(self) -> Play[P]:
        """Go back to the last moment when everything was open."""
        play = self
        while play.before is not None and self.game.has_secrets(play.position):
            play = play.before
        return play

    def is_sealed(self, ruled: Play[P]) -> bool:
        """Say whether what a move told may still be a secret."""
        opened = self.opened().asked
        return ruled.asked is not None and ruled.asked.number > (opened.number if opened else 0)

    def moves(self) -> list[Play[P]]:
        """List the plays after each move that counts, the first move first."""
        return list(self._backwards())[::-1]

    @property
    def start(self) -> P:
        """The position before the first move."""
        return self.positions()[0]

    def positions(self) -> list[P]:
        """List the position before the first move, and after each move that counts."""
        played = self.moves()
        first = played[0].before if played else None
        return [first.position if first else self.position, *(step.position for step in played)]

    def figures(self) -> Figures:
        """Count what a finished play leaves of every seat, for the book of evenings."""
        return self.game.figures(self.positions()) or ({},) * self.seats

    def _backwards(self) -> Iterator[Play[P]]:
        play = self
        while play.before is not None:
            yield play
            play = play.before

    def _with(self, asked: Asked, ruling: Accepted[P]) -> Play[P]:
        return Play(
            self.game, self.seats, ruling.position, asked, ruling.events, ruling.remarks, self, undo=self, by=asked.by
        )


def begin(game: Game[Any, P, Any, Any], options: Any, seats: int) -> Play[P] | Refused:
    """Start a play. Refuses: options and seats that do not go together."""
    position = game.start(options, seats)
    return position if isinstance(position, Refused) else Play(game, seats, position)
