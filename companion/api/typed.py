"""The shapes of the games in the description, by name: every kind of move, options, what views and answers hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from apispec import APISpec

from companion.api.encoding import as_json
from companion.fields import AnySeat, CardName, Choice, Moment, SeatNumber, Several, Switch, Whole
from companion.game import AnyGame, Rule
from companion.games import GAMES

Shape = dict[str, Any]
"""A JSON Schema."""
RULE: Shape = {
    "type": "array",
    "items": {"type": "string"},
    "minItems": 2,
    "maxItems": 2,
    "description": "A rule by its name, and what decides it.",
}
JSON_TYPES: Mapping[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string", NoneType: "null"}
UNSAID: Shape = {"type": "object", "description": "The game, another author's, does not say what stands in it."}
OF_A_GAME = frozenset(
    ("Amend", "End", "Look", "Move", "Opening", "Options", "Record", "Standing", "Summary", "Table", "Then", "Verdict")
)
"""What the shapes of every game are called, behind its name; and the records of its views as `WITHIN`."""
WITHIN = ("Summary", "Verdict", "View")
LISTS = (tuple, list, set, frozenset)
MAPS = (dict, Mapping)


def describe_games(spec: APISpec) -> None:
    """Put the games' shapes in the place of what the schemas leave open: moves, options, views, summaries, verdicts."""
    kept = spec.components.schemas
    games = list(GAMES.values())
    amends = [_moves(spec, game, "Amend", later=kept["Amend"]["properties"]["later"]) for game in games]
    moves = [_moves(spec, game, "Move") for game in games]
    kept["Move"] = {"description": "A move, and `after`: the number that the program had seen.", "anyOf": moves}
    kept["Moves"]["properties"]["moves"]["items"] = _ref("Move")
    kept["Change"]["properties"]["move"] = {"anyOf": [_ref("Move"), {"type": "null"}]}
    kept["Unmade"] = {**kept["Amend"], "properties": {**kept["Amend"]["properties"], "move": {"type": "null"}}}
    kept["Amend"] = {
        "description": "What an entry was; `move` null: nothing was made.",
        "anyOf": [*amends, _ref("Unmade")],
    }
    options = [_options(spec, game) for game in games]
    for game in games:
        _summary(spec, game)
    start = kept["Start"]["properties"]
    start["options"] = {"description": start["options"]["description"], "anyOf": options}
    for name, (said, of_game) in _OF_GAMES.items():
        shapes = {game.key: of_game(spec, game) for game in games}
        kept[name] = {"description": said, **_told_apart("game", shapes)}


def _moves(spec: APISpec, game: AnyGame, what: str, **more: Shape) -> Shape:
    """Describe the moves of a game, or what holds one; each kind is told from the others by `move`."""
    kinds = {}
    for kind, schema in game.moves(game.players[-1]).items():
        is_move = what == "Move"
        name = f"{_named(game)}{_kind(kind)}{'' if is_move else what}"
        described = {part: _described(field) for part, field in schema.fields.items()}
        shape = {
            "type": "object",
            "title": f"{game.name}: {kind}{'' if is_move else f', {what.lower()}'}",
            "properties": {"move": {"const": kind}, **described, "after": _after(spec), **more},
            "required": ["move", *(part for part, field in schema.fields.items() if field.required)],
        }
        spec.components.schema(name, shape)
        kinds[kind] = _ref(name)
    spec.components.schema(f"{_named(game)}{what}", _told_apart("move", kinds))
    return _ref(f"{_named(game)}{what}")


def _options(spec: APISpec, game: AnyGame) -> Shape:
    """Describe the options of a game, none of which need be said."""
    properties = {part: _described(field) for part, field in game.options.fields.items()}
    shape = {"type": "object", "properties": properties, "additionalProperties": False}
    spec.components.schema(f"{_named(game)}Options", shape)
    return _ref(f"{_named(game)}Options")


def _summary(spec: APISpec, game: AnyGame) -> None:
    """Describe the summary of a game."""
    name = f"{_named(game)}Summary"
    told = _Shapes(spec, name).given_by(game.summary)
    if told != _ref(name):
        spec.components.schema(name, told)


def _look(spec: APISpec, game: AnyGame) -> Shape:
    """Describe a View of a game."""
    return _of_game(spec, game, "View", "Look", view=_Shapes(spec, f"{_named(game)}View").given_by(game.view))


def _then(spec: APISpec, game: AnyGame) -> Shape:
    """Describe a moment of a play of a game."""
    view = spec.components.schemas[f"{_named(game)}Look"]["properties"]["view"]
    return _of_game(spec, game, "Then", "Then", view=view)


def _verdict(spec: APISpec, game: AnyGame) -> Shape:
    """Describe what the referee of a game says."""
    shapes = _Shapes(spec, f"{_named(game)}Verdict")
    kinds = [shapes.of(kind) for kind in game.question.data]
    data = kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else dict(UNSAID)
    return _of_game(spec, game, "Verdict", "Verdict", data=data)


def _opening(spec: APISpec, game: AnyGame) -> Shape:
    """Describe a table of a game that is to be opened."""
    seats = {"minItems": game.players[0], "maxItems": game.players[-1]}
    players = {**spec.components.schemas["Opening"]["properties"]["players"], **seats}
    return _of_game(spec, game, "Opening", "Opening", players=players, options=_ref(f"{_named(game)}Options"))


def _record(spec: APISpec, game: AnyGame) -> Shape:
    """Describe a record of a game."""
    moves = {"type": "array", "items": _ref(f"{_named(game)}Move")}
    return _of_game(spec, game, "Record", "Record", options=_ref(f"{_named(game)}Options"), moves=moves)


def _table(spec: APISpec, game: AnyGame) -> Shape:
    """Describe a table of a game."""
    return _of_game(spec, game, "Table", "Table", options=_ref(f"{_named(game)}Options"))


def _standing(spec: APISpec, game: AnyGame) -> Shape:
    """Describe the standing of a game."""
    return _of_game(spec, game, "Standing", "Standing", summary=_ref(f"{_named(game)}Summary"))


def _end(spec: APISpec, game: AnyGame) -> Shape:
    """Describe how a game has ended."""
    return _of_game(spec, game, "End", "End", summary=_ref(f"{_named(game)}Summary"))


def _of_game(spec: APISpec, game: AnyGame, every: str, what: str, **own: Shape) -> Shape:
    """Describe what is of one game: as that of every game, with the game's own in it."""
    shape = spec.components.schemas[every]
    properties = {**shape["properties"], "game": {"const": game.key}, **own}
    spec.components.schema(f"{_named(game)}{what}", {**shape, "properties": properties})
    return _ref(f"{_named(game)}{what}")


_OF_GAMES: Mapping[str, tuple[str, Callable[[APISpec, AnyGame], Shape]]] = {
    "View": ("What one seat may see.", _look),
    "Then": ("A moment of a play.", _then),
    "Verdict": ("What the referee says.", _verdict),
    "Opening": ("A table to open.", _opening),
    "Table": ("A table.", _table),
    "Standing": ("The standing and the summary.", _standing),
    "End": ("A game that has ended.", _end),
    "Record": ("A table record (`docs/record.md`); its moves may say `at` and `by`, too.", _record),
}
"""What is said of a shape that every game has its own of, and what describes that."""


class _Shapes:
    """The shapes of a view's records or a summary's, each registered once by its name."""

    def __init__(self, spec: APISpec, prefix: str) -> None:
        """Register in a description, under names that begin so."""
        self._spec = spec
        self._prefix = prefix

    def given_by(self, part: Callable[..., Any]) -> Shape:
        """Describe what a part of a game gives, a view or a summary; of another author's, perhaps any object."""
        try:
            kind = get_type_hints(part)["return"]
        except (KeyError, NameError, TypeError):
            kind = None
        return self._record(kind, "") if _is_record(kind) else dict(UNSAID)

    def _record(self, kind: Any, name: str) -> Shape:
        """Describe a record, whose fields are always there, unless it says otherwise."""
        name = f"{self._prefix}{name}"
        if name not in self._spec.components.schemas:
            self._spec.components.schemas[name] = {}  # it may hold itself
            hints = get_type_hints(kind)
            names = [part.name for part in fields(kind)] if is_dataclass(kind) else hints
            parts = {name: self.of(hints[name]) for name in names if name[0] != "_"}
            named = _by_letters(parts) if any(len(part) == 1 for part in parts) else {"properties": parts}
            needed = [part for part in parts if part in getattr(kind, "__required_keys__", parts)]
            self._spec.components.schemas[name] = {"type": "object", **named, "required": needed}
        return _ref(name)

    def of(self, kind: Any) -> Shape:
        """Describe what is annotated so."""
        if get_origin(kind) in {Union, UnionType}:
            return {"anyOf": [self.of(one) for one in get_args(kind)]}
        if get_origin(kind) in LISTS:
            return self._list([one for one in get_args(kind) if one is not Ellipsis], get_args(kind))
        if get_origin(kind) in MAPS:
            return {"type": "object", "additionalProperties": self.of(get_args(kind)[1])}
        if not isinstance(kind, type):
            return {}
        if issubclass(kind, Rule):
            return dict(RULE)
        if issubclass(kind, Enum):
            return _members([as_json(member) for member in kind])
        if _is_record(kind):
            return self._record(kind, kind.__name__)
        return next(({"type": name} for known, name in JSON_TYPES.items() if issubclass(kind, known)), {})

    def _list(self, kinds: list[Any], said: tuple[Any, ...]) -> Shape:
        """Describe a list of any length, or one with so many parts."""
        parts = [shape for place, one in enumerate(kinds) if (shape := self.of(one)) not in map(self.of, kinds[:place])]
        items = parts[0] if len(parts) == 1 else {"anyOf": parts}
        length = {} if Ellipsis in said or len(said) == 1 else {"minItems": len(kinds), "maxItems": len(kinds)}
        return {"type": "array", "items": items, **length}


def _is_record(kind: Any) -> bool:
    return is_dataclass(kind) or is_typeddict(kind)


def _by_letters(parts: Mapping[str, Shape]) -> Shape:
    """Describe a record whose fields are called by letters as a map: generators take these for names of their own."""
    shapes = list(parts.values())
    return {"additionalProperties": {"anyOf": [one for place, one in enumerate(shapes) if one not in shapes[:place]]}}


def _members(values: list[Any]) -> Shape:
    """Describe one of these values, where they are said; both truth values as such, for generators name every value."""
    if values and all(isinstance(value, bool) for value in values):
        return {"type": "boolean"}
    return {"enum": values} if values else {"type": ["string", "integer"]}


def _described(part: Any) -> Shape:
    """Describe a field of a move or of the options; a seat and a list of seats are of any length."""
    if isinstance(part, Several):
        return {"type": "array", "items": _described(part.inner)}
    if isinstance(part, Choice):
        return _members([member.value for member in part.enum])
    if isinstance(part, SeatNumber | AnySeat):
        return {"type": "integer", "minimum": 0}
    kinds: dict[type, Shape] = {
        Whole: {"type": "integer"},
        Switch: {"type": "boolean"},
        CardName: {"type": "string"},
        Moment: {"type": ["string", "null"], "format": "date-time"},
    }
    return next((dict(shape) for kind, shape in kinds.items() if isinstance(part, kind)), {})


def _after(spec: APISpec) -> Shape:
    """Describe what a move may say beside its own."""
    after: Shape = spec.components.schemas["Step"]["properties"]["after"]
    return after


def _told_apart(name: str, shapes: Mapping[str, Shape]) -> Shape:
    """Describe one of several, told apart by a field."""
    mapping = {value: shape["$ref"] for value, shape in shapes.items()}
    return {"oneOf": list(shapes.values()), "discriminator": {"propertyName": name, "mapping": mapping}}


def _named(game: AnyGame) -> str:
    """Name a game as its shapes are called; of several that would be called alike, the first one only is."""
    alike = [key for key in GAMES if _titled(key) == _titled(game.key)]
    place = alike.index(game.key) if game.key in alike else 0
    return f"{_titled(game.key)}{place + 1 if place else ''}"


def _kind(kind: str) -> str:
    """Name a kind of move; one that is called as another shape of its game says what it is."""
    named = _titled(kind)
    return f"{named}Kind" if named in OF_A_GAME or named.startswith(WITHIN) or named.endswith("Amend") else named


def _titled(key: str) -> str:
    return "".join(word.title() for word in key.split("_"))


def _ref(name: str) -> Shape:
    return {"$ref": f"#/components/schemas/{name}"}
