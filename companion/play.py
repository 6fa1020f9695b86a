"""A table's play: the moves that count, each judged upon the one before; taken back, put back, amended.

Pure. A `Play` is a value, as a position is: every operation returns another one and shares what it can,
so that taking back is exact and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import dropwhile, takewhile
from types import MappingProxyType
from typing import Any, Generic, Self, TypeVar

from companion.game import Game, Refused, Remark
from companion.kernel.figures import Figures
from companion.kernel.frozen import replace
from companion.kernel.sentences import by_entries

P = TypeVar("P")

OVER = "over"
"""Says in `Play.standing` that it is over."""
START = 0
"""Stands for the number of what was before the first entry: options, who begins, who sits where."""


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
    is_amended: bool = False
    """Whether it was asked anew, even if for the same."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Why an amendment is refused: a move that would no longer hold."""

    asked: Asked
    refused: Refused
    before: Play[Any] = field(repr=False, compare=False)
    """As amended, up to that move."""


@dataclass(frozen=True, slots=True)
class Step(Generic[P]):
    """A move that counts, and where it led."""

    asked: Asked
    was: P
    """The position before the move."""
    position: P
    """The position after it."""
    events: tuple[object, ...]
    noticed: tuple[Remark, ...]
    """What the referee remarks on; moves among the facts are named by their place in the play."""
    _before: Step[P] | None = field(repr=False)
    """The step before, so that all plays which went through it share their past; None at the first move."""

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What the referee remarks on; the moves that it is about are named by their entries, as in the history."""
        if not self.noticed:
            return ()
        entries, step = [self.asked.number], self._before
        while step:
            entries.append(step.asked.number)
            step = step._before
        return tuple(replace(remark, facts=by_entries(remark.facts, entries[::-1])) for remark in self.noticed)

    def doubted(self, remark: Remark) -> tuple[int, ...]:
        """Number the earlier entries that a remark on this move does not go with, the earliest first."""
        return tuple(sorted(self._back(moves).asked.number for moves in remark.back))

    def _back(self, moves: int) -> Step[P]:
        """Go so many moves back, or to the first one."""
        step = self
        for _ in range(moves):
            step = step._before or step
        return step


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoable:
    """What changes time and again: the last change can be taken back, and put back until there is another."""

    undo: Self | None = field(default=None, repr=False)
    """What taking back returns to: how it was before the last change; None at the start."""
    redo: Self | None = field(default=None, repr=False)
    """What putting back returns to; None unless something was just taken back."""

    def then(self, **changes: Any) -> Self:
        """Change some fields, in a way that can be taken back."""
        return replace(self, **changes, undo=self, redo=None)

    def take_back(self) -> Self | None:
        """Undo the last change; None when there is nothing to undo."""
        return replace(self.undo, redo=self) if self.undo else None

    def put_back(self) -> Self | None:
        """Redo what was taken back last; None when there is nothing."""
        return self.redo


@dataclass(frozen=True, slots=True)
class Play(Undoable, Generic[P]):
    """The play of a table at one moment; moves and amendments change it."""

    game: Game[Any, P, Any, Any]
    seats: int
    start: P
    """The position before the first move."""
    last: Step[P] | None = None
    """The last move that counts; None at the start."""
    by: int | None = None
    """Who made the last move or amendment: a seat, or None for the host."""
    amended: int | None = None
    """The number of the move that was amended last (or START); None if a move came after it."""
    options: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """As data: what differs from the defaults."""
    order: tuple[int, ...] = ()
    """Where who had a seat when the table was opened sits now; () where nobody has changed places."""
    rules: int | None = field(default=None, compare=False)
    """The version of the game's rules by which it is ruled; None: today's."""

    @property
    def position(self) -> P:
        """The position after the last move."""
        return self.last.position if self.last else self.start

    @property
    def events(self) -> tuple[object, ...]:
        """What happened by the last move."""
        return self.last.events if self.last else ()

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What the table should look at after the last move."""
        return self.last.remarks if self.last else ()

    @property
    def standing(self) -> str:
        """Write how it stands, for comparing: rank and score of each seat, and whether it is over: `2:3 1:8 over`."""
        standing = self.game.standing(self.position)
        places = (f"{place.rank}:{place.score}" for place in sorted(standing.places, key=lambda place: place.seat))
        return " ".join([*places, *([OVER] if standing.is_finished else [])])

    def judge(self, asked: Asked) -> Play[P] | Refused:
        """Rule on a move. Refuses: whatever the game's rules say."""
        was = self.position
        ruling = self.game.judge(was, asked.move)
        if isinstance(ruling, Refused):
            return ruling
        step = Step(asked, was, ruling.position, ruling.events, ruling.remarks, self.last)
        return self.then(last=step, by=asked.by, amended=None)

    def amend(
        self, number: int, move: Any, by: int | None = None, later: Mapping[int, Any] = MappingProxyType({})
    ) -> Play[P] | Broken:
        """Replace the move of an entry, and judge every later one again.

        Args:
            number: of the entry.
            move: what it is now; None: it was not made.
            by: who amends: a seat, or None for the host.
            later: what later entries are now, by their numbers.

        Returns:
            The amended play; or the first move that would not hold, and why.

        Raises:
            KeyError: no move that counts has such a number.
        """
        steps, changes = self.numbered(number), {number: move, **later}
        if unknown := changes.keys() - steps.keys():
            raise KeyError(min(unknown))
        moves = [_changed(step.asked, changes) for step in steps.values()]
        ruling = self.at(number - 1)._judge_all(filter(None, moves))
        return self.then(last=ruling.last, by=by, amended=number) if isinstance(ruling, Play) else ruling

    def begin_again(
        self, start: Play[P], moves: Iterable[Asked], moved: Sequence[int], by: int | None = None
    ) -> Play[P] | Broken:
        """Judge all moves again from another start.

        Args:
            start: the play before its first move, as it was meant.
            moves: as they are then, the first one first.
            moved: where who sits on a seat now shall sit.
            by: who amends: a seat, or None for the host.

        Returns:
            The amended play; or the first move that would not hold, and why.
        """
        ruling = start._judge_all(moves)
        if isinstance(ruling, Broken):
            return ruling
        order = tuple(moved[seat] for seat in self.order or range(self.seats))
        order = () if order == tuple(range(self.seats)) else order
        begun = {"start": start.start, "options": start.options, "last": ruling.last, "order": order}
        return self.then(**begun, by=by, amended=START)

    def seat_now(self, seat: int, then: Play[Any]) -> int:
        """Say where who had a seat in an earlier play sits now."""
        before, now = then.order or range(self.seats), self.order or range(self.seats)
        return now[before.index(seat)]

    def _judge_all(self, moves: Iterable[Asked]) -> Play[P] | Broken:
        play = self
        for asked in moves:
            ruling = play.judge(asked)
            if isinstance(ruling, Refused):
                return Broken(asked, ruling, play)
            play = ruling
        return play

    def anew(self, at: str) -> Play[P]:
        """Start anew what runs by the clock: the move by which it began counts as made at this time.

        What can be taken back within the same run returns to that clock, too. Without one nothing changes.
        """
        run = self.game.clock(self.position)
        begun = [step for step in self._back() if self.game.clock(step.position) == run] if run else []
        if not begun:
            return self
        play = self.until(begun[-1]._before)
        for place, step in enumerate(reversed(begun)):
            asked = step.asked if place else replace(step.asked, move=replace(step.asked.move, at=at), at=at)
            ruling = play.judge(asked)
            if isinstance(ruling, Refused):
                return self
            play = ruling
        return replace(self, last=play.last, undo=self._anew_before(run, at), redo=None)

    def _anew_before(self, run: tuple[object, ...], at: str) -> Play[P] | None:
        """Give what taking back returns to, by the clock that was started anew."""
        before = self.undo
        return before.anew(at) if before and self.game.clock(before.position) == run else before

    def at(self, number: int) -> Play[P]:
        """Look back at the play as it stood when the log had this number (if nothing was taken back since)."""
        return self.until(next(dropwhile(lambda step: step.asked.number > number, self._back()), None))

    def has_held(self, after: int, move: Any) -> bool:
        """Say whether a move made upon an earlier play has meant the same, and not been against the rules, ever since.

        Else a copy of it may have been told otherwise than another one. What the rules refuse now, they may say so. The
        clock has no part in this.

        Args:
            after: the number of the log that had been seen; since then nothing but moves was entered.
            move: what was made, without the time.
        """
        steps = list(self.numbered(after + 1).values())
        holds = partial(self.game.still_means, steps[0].was)
        if not all(holds(step.position, move) for step in steps):
            return False
        return self._refuses(self.position, move) or not any(self._refuses(step.was, move) for step in steps)

    def _refuses(self, position: P, move: Any) -> bool:
        return isinstance(self.game.judge(position, move), Refused)

    def unsealed(self) -> Play[P]:
        """Look back at the last moment when nothing was sealed."""
        return self.until(next(dropwhile(lambda step: self.game.has_secrets(step.position), self._back()), None))

    def until(self, step: Step[P] | None) -> Play[P]:
        """Look back at the play after one of its moves (None: at its start), where nothing can be taken back."""
        return replace(self, last=step, undo=None, redo=None, by=None, amended=None)

    def is_sealed(self, step: Step[P]) -> bool:
        """Say whether what a move told may still be a secret."""
        known = self.unsealed().last
        return known is None or step.asked.number > known.asked.number

    def hides(self, other: Play[P]) -> bool:
        """Say whether something is secret now that was open in another play of the table, before that was undone."""
        if not self.game.has_secrets(self.position):
            return False
        now, then = (play.unsealed().last for play in (self, other))
        return then is not None and (now is None or then.asked.number > now.asked.number)

    def moves(self) -> list[Step[P]]:
        """List the moves that count, the first one first."""
        return list(self._back())[::-1]

    def numbered(self, first: int = 1) -> dict[int, Step[P]]:
        """List the moves that count by the numbers of their entries, from one on, the first one first."""
        late = list(takewhile(lambda step: step.asked.number >= first, self._back()))
        return {step.asked.number: step for step in reversed(late)}

    def positions(self) -> list[P]:
        """List the position before the first move, and after each move that counts."""
        return [self.start, *(step.position for step in self.moves())]

    def figures(self) -> Figures:
        """Count what a finished play leaves of every seat, for the book of evenings: it sums up whole numbers."""
        counted = self.game.figures(self.positions())
        if not counted:
            return ({},) * self.seats
        return [{name: int(number) for name, number in figures.items()} for figures in counted]

    def _back(self) -> Iterator[Step[P]]:
        step = self.last
        while step is not None:
            yield step
            step = step._before


def _changed(asked: Asked, changes: Mapping[int, Any]) -> Asked | None:
    """Give a move as changes by number have it; None: it was not made."""
    if asked.number not in changes:
        return asked
    move = changes[asked.number]
    return None if move is None else replace(asked, move=move, is_amended=True)


def begin(game: Game[Any, P, Any, Any], options: Any, seats: int, rules: int | None = None) -> Play[P] | Refused:
    """Start a play, by a version of the game's rules (None: today's).

    Refuses: options and seats that do not go together.
    """
    position = game.start(options, seats)
    if isinstance(position, Refused):
        return position
    if game.by_rules and rules not in {None, game.version}:
        position = game.by_rules(position, rules)
    return Play(game, seats, position, rules=rules)
