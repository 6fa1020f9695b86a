"""Options, tables, random plays of any game, and moves that are wrong in some way.

It knows a game only through its `Game`: options and moves by their schemas, moves that hold by `legal`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any

from hypothesis import strategies as st
from marshmallow import ValidationError

from companion import record
from companion.fields import CardName, Choice, PerSeat, SeatNumber, Several, Switch, Whole
from companion.game import Accepted, AnyGame, Refused
from companion.games import GAMES
from companion.intake import written
from companion.play import Asked, Play, begin

MOST_LEGAL = 1_000
"""As many legal moves of one actor are looked at, where all of them matter."""
SOME_LEGAL = 100
"""As many, where some will do."""
FEW_LEGAL, KINDS_APART = 10, 300
"""As many of one actor's at least, and at most, so that now and then every kind of move is among them."""
MOST_LOOKS = 200
"""So often phantoms are looked at in vain until they wait for one another."""
WILD_NUMBERS = (-(10**30), -1, 0, 1, 2, 3, 7, 10, 11, 15, 16, 100, 2**31, 10**30)


@dataclass(frozen=True)
class Table:
    """A game with options and seats that go together."""

    game: AnyGame
    options: dict[str, Any]
    """As data."""
    seats: int
    rules: int | None = None
    """The version of the rules; None: today's."""

    def _repr_pretty_(self, printer: Any, is_cycle: bool) -> None:
        """Tell Hypothesis a short form: the game itself is long."""
        printer.text(f"Table(GAMES[{self.game.key!r}], {self.options}, {self.seats}, {self.rules})")

    @property
    def players(self) -> list[str]:
        """Name the players."""
        return [f"Player {seat}" for seat in range(self.seats)]

    def begin(self) -> Play[Any]:
        """Begin to play."""
        play = begin(self.game, self.game.options.load(self.options), self.seats, self.rules)
        assert not isinstance(play, Refused)
        return play


def option_values(field: Any, seats: int) -> list[Any]:
    """List values that an option may take, as data; none where the field does not tell."""
    if isinstance(field, Choice):
        return [member.value for member in field.enum]
    if isinstance(field, Switch):
        return [False, True]
    if isinstance(field, Whole):
        return list(range(seats))
    return []


@st.composite
def tables(draw: st.DrawFn, keys: tuple[str, ...] = tuple(GAMES)) -> Table:
    """Draw a game, seats, and options that it accepts for them."""
    game = GAMES[draw(st.sampled_from(keys))]
    seats = draw(st.sampled_from(game.players))
    choices = {name: option_values(field, seats) for name, field in game.options.fields.items()}
    drawn = {name: draw(st.none() | st.sampled_from(values)) for name, values in choices.items() if values}
    options: dict[str, Any] = {}
    for name, value in drawn.items():
        if value is not None and begins(game, options | {name: value}, seats):
            options[name] = value
    return Table(game, options, seats)


@st.composite
def tables_of_any_rules(draw: st.DrawFn, key: str) -> Table:
    """Draw a table of a game, which may be ruled by an older version of its rules."""
    table = draw(tables((key,)))
    return replace(table, rules=draw(st.sampled_from([None, *table.game.older])))


def begins(game: AnyGame, options: dict[str, Any], seats: int) -> bool:
    """Say whether the game takes these options for so many seats."""
    return not isinstance(game.start(game.options.load(options), seats), Refused)


def randoms() -> st.SearchStrategy[Random]:
    """Draw a source of chance that always deals the same for the same draw."""
    return st.integers(0, 2**32 - 1).map(Random)


def actors(table: Table) -> list[int | None]:
    """List who can move: every seat, and None for the table itself."""
    return [None, *range(table.seats)]


def legal_moves(game: AnyGame, position: Any, actor: int | None) -> list[Any]:
    """List the moves that are open to somebody."""
    return list(islice(game.legal(position, actor), MOST_LEGAL))


class Chance:
    """Plays at random. Each evening has its own liking for kinds of move: some count, some play cards."""

    def __init__(self, table: Table, rng: Random) -> None:
        """Like nothing yet."""
        self.table, self.rng = table, rng
        self.likes: dict[type, float] = {}
        self.known: dict[type, list[Any]] = {}
        """Moves that were legal some time this evening: the cheap ones to try, for to list what is legal is dear."""
        self.is_idle = False
        """Whether the last move got nobody on, so that another one may be due."""

    def move(self, position: Any) -> Any:
        """Choose a legal move; None when there is none."""
        awaited = self.table.game.summary(position).get("to_move")
        for move in self._guesses(awaited):
            if isinstance(self.table.game.judge(position, move), Accepted):
                return move
        self.known = {}
        first = [awaited] if awaited is not None and self.rng.random() < 0.7 else []
        for actor in [*first, *self.rng.sample(actors(self.table), self.table.seats + 1)]:
            self._learn(islice(self.table.game.legal(position, actor), self._patience()))
            if self.known:
                return self.rng.choice(self.known[self._kind()])
        return None

    def tire(self, move: Any, is_idle: bool) -> None:
        """Like a kind of move less that does not get on, so that an evening ends."""
        self.is_idle = is_idle
        if is_idle:
            self.likes[type(move)] = max(1e-6, self.likes[type(move)] * 0.8)

    def _guesses(self, awaited: int | None) -> Iterator[Any]:
        """Draw moves that others made or might have made, for the seat that is awaited or any; or look anew."""
        is_looking_anew = self.rng.random() < (0.4 if self.is_idle else 0.1)
        for _ in range(0 if is_looking_anew or not self.known else 8):
            move = self.rng.choice(self.known[self._kind()])
            seat = self.rng.randrange(self.table.seats) if awaited is None else awaited
            yield replace(move, seat=seat) if hasattr(move, "seat") else move

    def _patience(self) -> int:
        """Draw how many moves to list: a few mostly, rarely many."""
        return int(FEW_LEGAL * (KINDS_APART / FEW_LEGAL) ** self.rng.random())

    def _learn(self, moves: Iterator[Any]) -> None:
        for move in moves:
            self.known.setdefault(type(move), []).append(move)
            self.likes.setdefault(type(move), self.rng.random() ** 3)

    def _kind(self) -> type:
        return self.rng.choices(list(self.known), [self.likes[kind] for kind in self.known])[0]


def progress(play: Play[Any]) -> tuple[Any, Any]:
    """Tell how far a play has come: who is to move, and how they stand. Hands put in order are no progress."""
    return play.game.summary(play.position).get("to_move"), play.game.standing(play.position)


def play_on(table: Table, rng: Random, most: int = 10_000, start: Play[Any] | None = None) -> Iterator[Play[Any]]:
    """Play at random, from the beginning or from `start`; yield the play after each move."""
    play, chance = start or table.begin(), Chance(table, rng)
    first = len(play.moves()) + 1
    for number in range(first, first + most):
        move = chance.move(play.position)
        if move is None:
            return
        ruling = play.judge(Asked(number, move, by=rng.choice(actors(table))))
        assert not isinstance(ruling, Refused), f"{move} is legal, but {ruling}"
        chance.tire(move, progress(play) == progress(ruling))
        play = ruling
        yield play


def likely_plays(game: AnyGame, rng: Random) -> Iterator[Play[Any]]:
    """Let phantoms play a usual table, by a clock, until they wait for one another; yield the play after each move."""
    seats, now, looks = game.usual_players, datetime(2026, 11, 22, tzinfo=UTC), 0
    play = record.opened(game, dict(game.suggested), seats)
    while game.likely and looks < MOST_LOOKS:
        now, looks = now + timedelta(seconds=2), looks + 1
        at = written(now)
        wishes = (game.likely(play.position, seat, at, rng) for seat in rng.sample(range(seats), seats))
        move = next((wish for wish in wishes if wish is not None), None)
        if move is None:
            continue
        timed = record.read_timed(game, seats, record.write_move(game, seats, move), at)
        ruling = play.judge(Asked(len(play.moves()) + 1, timed, at=at))
        assert not isinstance(ruling, Refused), f"{move} is likely, but {ruling}"
        play, looks = ruling, 0
        yield play


def played(table: Table, rng: Random, most: int) -> Play[Any]:
    """Play at random up to a number of moves."""
    plays = list(play_on(table, rng, rng.randint(0, most)))
    return plays[-1] if plays else table.begin()


def names_of_cards(table: Table, play: Play[Any]) -> list[str]:
    """List the cards that moves have named, or may name now; a few that no game has."""
    game, names = table.game, {"", "J", "J:", "X3", "R99"}
    moves = [ruled.asked.move for ruled in play.moves()]
    moves += [move for actor in actors(table) for move in islice(game.legal(play.position, actor), SOME_LEGAL)]
    for move in moves:
        data = record.write_move(game, table.seats, move)
        names |= {value for value in data.values() if isinstance(value, str)}
    return sorted(names)


def wild_value(field: Any, seats: int, cards: list[str], rng: Random) -> Any:
    """Draw a value that has the right form for a field, and may mean anything."""
    if isinstance(field, SeatNumber):
        return rng.randrange(seats)
    if isinstance(field, Whole):
        return rng.choice(WILD_NUMBERS)
    if isinstance(field, PerSeat):
        return [rng.choice(WILD_NUMBERS) for _ in range(seats)]
    if isinstance(field, Several):
        length = rng.randrange(5) if field.length is None else field.length
        return [wild_value(field.inner, seats, cards, rng) for _ in range(length)]
    if isinstance(field, CardName):
        return rng.choice(cards)
    if isinstance(field, Choice):
        return rng.choice([member.value for member in field.enum])
    if isinstance(field, Switch):
        return rng.random() < 0.5
    return None


def wild_move(table: Table, rng: Random, cards: list[str]) -> Any:
    """Make a well-formed move of any kind with wild values; None if the form did not hold."""
    schema = rng.choice(list(table.game.moves(table.seats).values()))
    data = {name: wild_value(field, table.seats, cards, rng) for name, field in schema.fields.items()}
    try:
        return schema.load({name: value for name, value in data.items() if value is not None})
    except ValidationError:
        return None


def is_row(value: Any) -> bool:
    """Say whether a value has a number for each of several."""
    return isinstance(value, list) and bool(value) and all(type(item) is int for item in value)


def near_miss(table: Table, rng: Random, move: Any) -> Any:
    """Change one number of a move a little, where it has one."""
    data = record.write_move(table.game, table.seats, move)
    numbers = [name for name, value in data.items() if type(value) is int or is_row(value)]
    if not numbers:
        return move
    name = rng.choice(numbers)
    step = rng.choice([-2, -1, 1, 2])
    if isinstance(data[name], list):
        index = rng.randrange(len(data[name]))
        data[name] = [item + step * (place == index) for place, item in enumerate(data[name])]
    else:
        data[name] += step
    try:
        return record.read_move(table.game, table.seats, data)
    except record.RecordError:
        return move
