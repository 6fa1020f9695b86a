"""The games that other packages bring: loaded, looked at, and turned away by name where something is wrong with them.

A package that is wrong must not keep the companion from starting, and a game that is not whole must not be found out at
somebody's table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from companion.fields import Choice
from companion.game import AnyGame, Game, Question, Refused, Rule, Words

GROUP = "companion.games"
"""The entry point group by which a package names its games."""
_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")


class NotWhole(Exception):
    """Something of a game is missing, or is something else."""


def load(own: Sequence[AnyGame]) -> tuple[dict[str, AnyGame], tuple[str, ...]]:
    """Load the games of other packages, behind our own.

    Returns:
        The games by key; and for each that was turned away a sentence that names it, its package, and why.
    """
    found: list[tuple[str, AnyGame]] = []
    turned_away: list[str] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        try:
            found.append((name_of(point), whole(point.load())))
        except (Exception, SystemExit) as error:  # whatever a package does when it is imported
            reason = str(error) if isinstance(error, NotWhole) else f"{type(error).__name__}: {error}"
            turned_away.append(f"{name_of(point)} is left out. {reason}")
    games = {game.key: game for game in own}
    for source, game in found:
        rivals = [other for other, its in found if its.key == game.key and its is not game]
        if game.key in {one.key for one in own}:
            rivals.append("the companion")
        if rivals:
            turned_away.append(f"{source} is left out. Another game has its key, {game.key}: {', '.join(rivals)}")
        else:
            games[game.key] = game
    return games, tuple(turned_away)


def name_of(point: EntryPoint) -> str:
    """Name an entry point, and the package that it comes from."""
    package = f" of {point.dist.name} {point.dist.version}" if point.dist else ""
    return f"The game {point.name} ({point.value}{package})"


def whole(game: Any) -> AnyGame:
    """Look whether a game is whole, as far as that is seen without playing it. Raises: NotWhole, naming the field."""
    if not isinstance(game, Game):
        raise NotWhole(f"It is no Game, but {type(game).__name__}.")
    for name, is_right in {**dict.fromkeys(_functions(), callable), **_KINDS}.items():
        if not is_right(getattr(game, name)):
            raise NotWhole(f"Its {name} cannot be {getattr(game, name)!r}."[:300])
    for name, tried in _TRIED.items():
        try:
            tried(game)
        except Exception as error:  # whatever its functions do
            reason = str(error) if isinstance(error, NotWhole) else f"{type(error).__name__}: {error}"
            raise NotWhole(f"Its {name} does not hold: {reason}") from error
    return game


def _functions() -> list[str]:
    """Name the fields that are functions, but those that need not be there."""
    named = ((part.name, str(part.type)) for part in fields(Game))
    return [name for name, kind in named if kind.startswith("Callable[") and not kind.endswith("| None")]


def _is_players(players: Any) -> bool:
    return isinstance(players, range) and len(players) > 0 and players.step == 1 and players[0] > 0


def _is_rules(rules: Any) -> bool:
    return isinstance(rules, type) and issubclass(rules, Rule) and len(rules) > 0


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "key": lambda key: isinstance(key, str) and _KEY.fullmatch(key) is not None,
    "name": lambda name: isinstance(name, str) and name.strip() != "",
    "players": _is_players,
    "rules": _is_rules,
    "words": lambda words: isinstance(words, Words),
    "question": lambda question: isinstance(question, Question) and callable(question.answer),
    "options": lambda options: all(hasattr(options, name) for name in ("fields", "load", "dump")),
    "statistics": lambda statistics: isinstance(statistics, tuple),
    "folder": lambda folder: folder is None or (isinstance(folder, Path) and folder.is_dir()),
    "on_paper": lambda on_paper: on_paper is None or callable(on_paper),
    "lesson": lambda lesson: lesson is None or callable(lesson),
    "sheets": lambda sheets: isinstance(sheets, Mapping) and all(map(callable, sheets.values())),
}
"""What the fields are that are no functions."""


def _position(game: AnyGame) -> Any:
    """Begin with the usual options and the fewest players."""
    begun = game.start(game.options.load({}), game.players[0])
    if isinstance(begun, Refused):
        raise NotWhole(f"{begun.rule.key} refuses the usual options for {game.players[0]} players.")
    return begun


def _try_options(game: AnyGame) -> None:
    game.options.dump(game.options.load({}))


def _try_moves(game: AnyGame) -> None:
    for seats in game.players:
        for kind, schema in game.moves(seats).items():
            if not isinstance(kind, str) or not hasattr(schema, "load") or not hasattr(schema, "make"):
                raise NotWhole(f"{kind!r} has no schema.")


def _try_words(game: AnyGame) -> None:
    lacking = next(_lacking(game), None)
    if lacking is not None:
        raise NotWhole(f"There are none for {lacking}.")


def _try_may_move(game: AnyGame) -> None:
    position = _position(game)
    for seat in range(game.players[0]):
        has_any = next(game.legal(position, seat), None) is not None
        if game.may_move(position, seat) is not has_any:
            raise NotWhole(f"`legal` says otherwise of seat {seat}.")


def _lacking(game: AnyGame) -> Iterator[str]:
    """Name what has no words."""
    words = game.words
    yield from (f"the rule {rule.key}" for rule in game.rules if rule not in words.sentences)
    for name, part in game.options.fields.items():
        if name not in words.options:
            yield f"the option {name}"
        for member in part.enum if isinstance(part, Choice) else ():
            if (name, member.value) not in words.options:
                yield f"the option {name}: {member.value}"
    for kind, schema in game.moves(game.players[0]).items():
        if getattr(schema, "make", None) not in words.sentences:
            yield f"the move {kind}"


_TRIED: Mapping[str, Callable[[AnyGame], object]] = {
    "options": _try_options,
    "moves": _try_moves,
    "words": _try_words,
    "start": _position,
    "standing": lambda game: game.standing(_position(game)).is_finished,
    "summary": lambda game: dict(game.summary(_position(game))),
    "view": lambda game: [game.view(_position(game), seat) for seat in (None, 0)],
    "legal": lambda game: [next(game.legal(_position(game), seat), None) for seat in (None, 0)],
    "may_move": _try_may_move,
    "has_secrets": lambda game: game.has_secrets(_position(game)),
    "begins": lambda game: range(game.players[0])[game.begins(_position(game))],
    "lesson": lambda game: [game.lesson(_position(game), seats) for seats in ((), (0,)) if game.lesson],
    "rule_card": lambda game: len(game.rule_card(game.options.load({}), True)),
}
"""What is asked once of every game that another package brings."""
