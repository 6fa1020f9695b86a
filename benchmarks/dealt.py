"""Whole games at random, dealt before anything is measured: every kind, all four seats, their options mixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from random import Random
from statistics import mean
from typing import Any
from urllib.parse import urlencode

from companion import record
from companion.api.encoding import as_json, encoded
from companion.fields import PerSeat
from companion.game import AnyGame, Refused
from companion.games import GAMES
from companion.play import Asked, Play
from companion.testing import kit
from companion.testing.kit import Chance
from companion.web.forms import NOTHING

PHONES = 4
DIFFERENT = 25
"""Games of each kind; tables play them in turn."""
SHORTEST = 50
"""Moves. Chance would end most games in their first minutes: by a third error, or by a count told at once."""
TRIES = 30
"""So often a move is drawn again that would end a game so early."""
KEPT = {"hanabi": ("detail", "aid_")}
"""Options that stay as they are, by how their names begin: card by card with all aids is the most there is to show."""
FIXED = {"ubongo": {"glass_s": 24 * 3600}}
"""A glass that does not run out: these players do not keep to its minute."""
EVERY = 7
"""One view of so many is looked at, to know their usual size."""


@dataclass(frozen=True)
class Move:
    """What a phone asks for."""

    seat: int | None
    """None for the table's own, which the host enters."""
    data: Mapping[str, Any]
    """As the table record writes it."""
    form: str
    """The same as a page's form sends it."""


@dataclass(frozen=True)
class Dealt:
    """A whole game."""

    game: AnyGame
    options: Mapping[str, Any]
    moves: Sequence[Move]
    play: Play[Any]
    """At its end."""


@dataclass(frozen=True)
class Views:
    """What the seats see at a moment whose view is as large as they usually are; as plain data."""

    shared: Mapping[str, Any]
    own: Sequence[Mapping[str, Any]]
    """What each seat sees otherwise than who has none."""


@cache
def deal(key: str, number: int = DIFFERENT) -> list[Dealt]:
    """Deal so many games of a kind: always the same, as long as its rules are."""
    found: list[Dealt] = []
    seeds = count()
    while len(found) < number:
        play, options = _played(GAMES[key], Random(next(seeds)))
        if len(play.moves()) >= SHORTEST:
            found.append(Dealt(play.game, options, _moves(play), play))
    return found


def _moves(play: Play[Any]) -> Sequence[Move]:
    game, moves = play.game, [step.asked.move for step in play.moves()]
    said = [record.write_move(game, play.seats, move) for move in moves]
    return [Move(data.get("seat"), data, form_of(game, data)) for data in said]


def _played(game: AnyGame, rng: Random) -> tuple[Play[Any], dict[str, Any]]:
    """Play at random to the end, which does not come too early."""
    table = kit.Table(game, _options(game, rng), PHONES)
    play, chance = table.begin(), Chance(table, rng)
    while (then := _next(play, chance)) is not None:
        chance.tire(then.moves()[-1].asked.move, kit.progress(then) == kit.progress(play))
        play = then
    assert game.standing(play.position).is_finished, f"{game.key} did not end: {table.options}"
    return play, table.options


def _next(play: Play[Any], chance: Chance) -> Play[Any] | None:
    """Make a move that does not end the game too early, where there is one; None at the end."""
    then = None
    for _ in range(TRIES):
        move = chance.move(play.position)
        if move is None:
            break
        ruling = play.judge(Asked(len(play.moves()) + 1, move, getattr(move, "seat", None)))
        assert not isinstance(ruling, Refused), f"{move} is legal, but {ruling}"
        then = ruling
        if len(then.moves()) >= SHORTEST or not play.game.standing(then.position).is_finished:
            break
        chance.tire(move, is_idle=True)
    return then


def _options(game: AnyGame, rng: Random) -> dict[str, Any]:
    """Mix the options, those that go together."""
    options = dict(FIXED.get(game.key, {}))
    for name, field in game.options.fields.items():
        values = kit.option_values(field, PHONES)
        is_kept = name in options or name.startswith(KEPT.get(game.key, ("-",)))
        if values and not is_kept and rng.random() < 0.4:  # noqa: PLR2004
            tried = options | {name: rng.choice(values)}
            options = tried if kit.begins(game, tried, PHONES) else options
    return options


def form_of(game: AnyGame, data: Mapping[str, Any]) -> str:
    """Write a move as the form on a phone does; `companion/web/forms.py` reads it."""
    fields = game.moves(PHONES)[data["move"]].fields
    pairs: list[tuple[str, object]] = [("move", data["move"])]
    for name, value in data.items():
        if name != "move":
            pairs += _field(name, value, isinstance(fields[name], PerSeat))
    return urlencode(pairs)


def _field(name: str, value: Any, is_per_seat: bool) -> list[tuple[str, object]]:
    if isinstance(value, bool):
        return [(name, str(value).lower())]
    if not isinstance(value, list | tuple):
        return [(name, value)]
    if is_per_seat:
        return [(f"{name}-{seat}", each) for seat, each in enumerate(value)]
    if value and isinstance(value[0], list | tuple):
        return [(f"{name}-{row}-{place}", each) for row, line in enumerate(value) for place, each in enumerate(line)]
    return [(name, each) for each in value or (NOTHING,)]


def usual_views(games: Sequence[Dealt]) -> Views:
    """Find a moment at which a seat sees as much as it does on average."""
    looks = [
        (step.position, number % PHONES)
        for dealt in games
        for number, step in enumerate(dealt.play.moves())
        if not number % EVERY
    ]
    game = games[0].game
    sizes = [len(encoded(game.view(position, seat))) for position, seat in looks]
    usual = mean(sizes)
    position = min(zip(sizes, looks, strict=True), key=lambda each: abs(each[0] - usual))[1][0]
    shared = as_json(game.view(position, None))
    views = [as_json(game.view(position, seat)) for seat in range(PHONES)]
    return Views(shared, [{name: each for name, each in view.items() if each != shared[name]} for view in views])
