"""The games that other packages and score sheets bring: loaded, looked at, and turned away by name where one is wrong.

A package that is wrong must not keep the companion from starting, and a game that is not whole must not be found out at
somebody's table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from companion import faults
from companion.fields import Choice
from companion.game import AnyGame, Game, Question, Refused, Rule, Words, never
from companion.intake import RULES
from companion.settings import PRINTABLES, TEMPLATES

GROUP = "companion.games"
"""The entry point group by which a package names its games."""
MOST_SEATS = 8
"""So many letters, shapes and tints there are for seats."""
_KEY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TAKEN = {"any"}
"""Keys of no game: the folder of the pages of any game has this name."""
STATIC = Path(__file__).parent.parent / "static"
_OWN = {"templates": "games/{key}/", "printables": "{key}/", "static": "games/{key}"}
"""Where in each of its folders the files of a game stand, so that it cannot stand in for anybody else's."""


class NotWhole(Exception):
    """Something of a game is missing, or is something else."""


def load(
    own: Sequence[AnyGame], written: Iterable[tuple[str, AnyGame | str]] = ()
) -> tuple[dict[str, AnyGame], tuple[str, ...]]:
    """Load the games of other packages, and of score sheets, behind our own.

    Args:
        own: the companion's games.
        written: what names each score sheet; and its game, or why it cannot be read.

    Returns:
        The games by key; and for each that was turned away a sentence that names it, where it is from, and why.
    """
    found: list[tuple[str, AnyGame]] = []
    turned_away: list[str] = []
    points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    for source, load_ in [*((name_of(point), point.load) for point in points), *map(_at_hand, written)]:
        try:
            found.append((source, whole(load_())))
        except (Exception, SystemExit) as error:  # whatever a package does when it is imported
            reason = str(error) if isinstance(error, NotWhole) else f"{type(error).__name__}: {error}"
            turned_away.append(f"{source} is left out. {reason}")
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


def _at_hand(written: tuple[str, AnyGame | str]) -> tuple[str, Callable[[], Any]]:
    """Give a score sheet's game as a package's is given: when it is asked for, or not at all."""
    source, game = written

    def load_() -> AnyGame:
        if isinstance(game, str):
            raise NotWhole(game)
        return game

    return source, load_


def unseen(key: str) -> AnyGame:
    """Load a game of another package without looking whether it is whole: its author may be about to mend it.

    Raises:
        LookupError: no package names it.
    """
    points = [point for point in entry_points(group=GROUP) if point.name == key]
    if not points:
        raise LookupError(key)
    game: AnyGame = points[0].load()
    return game


def homes() -> list[Path]:
    """List the folders of the packages that bring games; one that cannot be imported now is being mended."""
    named = {point.module.partition(".")[0] for point in entry_points(group=GROUP)}
    specs = [find_spec(name) for name in sorted(named)]
    return [Path(place) for spec in specs if spec for place in spec.submodule_search_locations or ()]


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
            raise NotWhole(f"Its {name} cannot hold: {reason}") from error
    return game


def _functions() -> list[str]:
    """Name the fields that are functions, but those that need not be there."""
    named = ((part.name, str(part.type)) for part in fields(Game))
    return [name for name, kind in named if kind.startswith("Callable[") and not kind.endswith("| None")]


def _is_players(players: Any) -> bool:
    return isinstance(players, range) and players.step == 1 and 0 < players.start < players.stop <= MOST_SEATS + 1


def _is_version(version: Any) -> bool:
    return type(version) is int and version in RULES


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "key": lambda key: isinstance(key, str) and _KEY.fullmatch(key) is not None and key not in _TAKEN,
    "name": lambda name: isinstance(name, str) and name.strip() != "",
    "players": _is_players,
    "version": _is_version,
    "older": lambda older: isinstance(older, tuple) and all(map(_is_version, older)),
    "by_rules": lambda by_rules: by_rules is None or callable(by_rules),
    "rules": lambda rules: isinstance(rules, type) and issubclass(rules, Rule) and len(rules) > 0,
    "words": lambda words: isinstance(words, Words),
    "question": lambda question: isinstance(question, Question) and callable(question.answer),
    "options": lambda options: all(hasattr(options, name) for name in ("fields", "load", "dump")),
    "statistics": lambda statistics: isinstance(statistics, tuple),
    "folder": lambda folder: folder is None or (isinstance(folder, Path) and folder.is_dir()),
    "on_paper": lambda on_paper: on_paper is None or callable(on_paper),
    "lesson": lambda lesson: lesson is None or callable(lesson),
    "likely": lambda likely: likely is None or callable(likely),
    "sheets": lambda sheets: isinstance(sheets, Mapping) and all(map(callable, sheets.values())),
}
"""What the fields are that are no functions."""


def _position(game: AnyGame) -> Any:
    """Begin with the usual options and the fewest players."""
    begun = game.start(game.options.load({}), game.players[0])
    if isinstance(begun, Refused):
        raise NotWhole(f"{begun.rule.key} refuses the usual options for {game.players[0]} players.")
    return begun


def _try_older(game: AnyGame) -> None:
    for version in game.older:
        if version >= game.version:
            raise NotWhole(f"Version {version} is not before {game.version}, which is its own.")
        begun = game.by_rules(_position(game), version) if game.by_rules else _position(game)
        game.standing(begun)


def _try_options(game: AnyGame) -> None:
    usual = game.options.load({})
    game.options.dump(usual)
    named = {part.attribute or name for name, part in game.options.fields.items()}
    for part in fields(usual) if is_dataclass(usual) else ():
        if part.name not in named:
            raise NotWhole(f"{part.name} is in no field of the schema.")


def _try_moves(game: AnyGame) -> None:
    for seats in game.players:
        for kind, schema in game.moves(seats).items():
            if not isinstance(kind, str) or not hasattr(schema, "load") or not hasattr(schema, "make"):
                raise NotWhole(f"{kind!r} has no schema.")
    _raise(faults.unread(game))


def _try_words(game: AnyGame) -> None:
    _raise([f"There are none for {lacking}." for lacking in _lacking(game)] + [*faults.unsayable(game.words)])


def _try_catalogue(game: AnyGame) -> None:
    catalogue = game.words.catalogue
    if callable(catalogue):
        _raise(faults.uncarried(catalogue))
    if not isinstance(catalogue, Path):
        return
    if not catalogue.is_dir():
        raise NotWhole(f"The catalogue of its words is no folder: {catalogue}.")
    for file in sorted(catalogue.glob("*/LC_MESSAGES/messages.po")):
        if not file.with_suffix(".mo").is_file():
            raise NotWhole(f"{file.parent.parent.name} is not compiled: `companion words {game.key}` does it.")
    _raise(faults.mistranslated(catalogue, game.words))


def _try_folder(game: AnyGame) -> None:
    lost = faults.lost(game.folder, STATIC) if game.folder else ()
    _raise([*_misplaced(game), *_missing(game), *_unreadable(game), *lost])


def _raise(found: Iterable[str]) -> None:
    """Say all faults of a field. Raises: NotWhole, where there is one."""
    if said := " ".join(found):
        raise NotWhole(said)


def _misplaced(game: AnyGame) -> Iterator[str]:
    """Name the files that stand where nobody looks for them, or where they would be somebody else's."""
    for top, own in _OWN.items():
        place = own.format(key=game.key)
        for file in _files(game, top):
            name = file.relative_to(_folder(game, top, file)).as_posix()
            is_own = name.startswith(place) and (place.endswith("/") or name[len(place)] in "./")
            if not is_own:
                yield f"{top}/{name} stands outside of {top}/{place}."


def _missing(game: AnyGame) -> Iterator[str]:
    """Name the templates and drawings that are asked for, and are not there."""
    printables, templates = _folder(game, "printables", PRINTABLES), _folder(game, "templates", TEMPLATES)
    for item in game.sheets:
        if not any(
            (place / f"{item}.html").is_file() for place in (printables / (game.drawn_as or game.key), PRINTABLES)
        ):
            yield f"The sheet {item} has no template printables/{game.key}/{item}.html."
    if game.question.topics and not (templates / "games" / game.key / "question.html").is_file():
        yield f"What is asked by keys has no template templates/games/{game.key}/question.html."
    for section in game.rule_card(game.options.load({}), True):
        for paragraph in section.paragraphs:
            if paragraph and paragraph.picture and not (printables / game.key / f"{paragraph.picture}.svg").is_file():
                yield f"The rule card has no drawing printables/{game.key}/{paragraph.picture}.svg."


def _unreadable(game: AnyGame) -> Iterator[str]:
    """Name the templates that cannot be read, with the line."""
    from jinja2 import Environment, TemplateSyntaxError  # noqa: PLC0415 (the rules need no templates)

    reader = Environment(extensions=["jinja2.ext.i18n"])  # noqa: S701 (it reads, and draws nothing)
    for top in ("templates", "printables"):
        for file in _files(game, top):
            try:
                if file.suffix == ".html":
                    reader.parse(file.read_text("utf-8"))
            except (TemplateSyntaxError, UnicodeDecodeError) as error:
                line = f":{error.lineno}" if isinstance(error, TemplateSyntaxError) else ""
                yield f"{top}/{file.relative_to(_folder(game, top, file)).as_posix()}{line}: {error}."


def _files(game: AnyGame, top: str) -> list[Path]:
    """List the files of one of its folders; what systems leave lying about is none of them."""
    found = (game.folder / top).rglob("*") if game.folder else ()
    return sorted(file for file in found if file.is_file() and not file.name.startswith("."))


def _folder(game: AnyGame, top: str, ours: Path) -> Path:
    return game.folder / top if game.folder else ours


def _try_legal(game: AnyGame) -> None:
    position, seats = _position(game), game.players[0]
    known = {getattr(schema, "make", None) for schema in game.moves(seats).values()}
    for seat in (None, *range(seats)):
        for move in islice(game.legal(position, seat), faults.SOME):
            if type(move) not in known:
                raise NotWhole(f"{type(move).__name__} has no schema among its moves.")
    _raise(faults.unsaid(game, position, seats))


def _try_view(game: AnyGame) -> None:
    for seat in (None, *range(game.players[0])):
        seen = game.view(_position(game), seat)
        if not is_dataclass(seen):
            raise NotWhole(f"What seat {seat} sees is no dataclass, but {type(seen).__name__}.")


def _try_may_move(game: AnyGame) -> None:
    position = _position(game)
    for seat in range(game.players[0]):
        has_any = next(game.legal(position, seat), None) is not None
        if game.may_move(position, seat) is not has_any:
            raise NotWhole(f"`legal` says otherwise of seat {seat}.")


def _try_hands(game: AnyGame) -> None:
    if game.has_hands and game.has_secrets is never:
        raise NotWhole("As long as something is in a hand, `has_secrets` says so.")


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
        for name in schema.fields:
            if name not in words.fields and name not in {"seat", "at"}:
                yield f"the field {name} of the move {kind}"


_TRIED: Mapping[str, Callable[[AnyGame], object]] = {
    "options": _try_options,
    "moves": _try_moves,
    "asked_first": lambda game: game.asked_first and game.options.fields[game.asked_first],
    "named_by": lambda game: game.named_by and game.options.fields[game.named_by],
    "won_by_fewest": lambda game: game.won_by_fewest is None or game.options.load(dict(game.won_by_fewest)),
    "suggested": lambda game: game.options.load(dict(game.suggested)),
    "words": _try_words,
    "catalogue": _try_catalogue,
    "start": _position,
    "standing": lambda game: game.standing(_position(game)).is_finished,
    "summary": lambda game: dict(game.summary(_position(game))),
    "older": _try_older,
    "view": _try_view,
    "legal": _try_legal,
    "may_move": _try_may_move,
    "has_secrets": lambda game: game.has_secrets(_position(game)),
    "has_hands": _try_hands,
    "begins": lambda game: range(game.players[0])[game.begins(_position(game))],
    "lesson": lambda game: [game.lesson(_position(game), seats) for seats in ((), (0,)) if game.lesson],
    "likely": lambda game: game.likely and game.likely(_position(game), 0, "2026-11-22T20:00Z", Random(0)),  # noqa: S311
    "rule_card": lambda game: len(game.rule_card(game.options.load({}), True)),
    "folder": _try_folder,
}
"""What is asked once of every game that another package brings."""
