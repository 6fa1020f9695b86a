"""The table record: a play as the list of its moves, in JSON (`docs/record.md`). Read it, rule on it, write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marshmallow import ValidationError

from companion.errors import Told
from companion.fields import AnySeat, EverySeat, PerSeat, SeatNumber, Several
from companion.game import N_, AnyGame, Refused, Schema
from companion.games import GAMES, Missing, have_lost
from companion.intake import RULES, NotRead, read_json, read_moment
from companion.kernel.frozen import replace
from companion.play import Asked, Play, Step, begin
from companion.words import Voice

FORMAT, VERSION = "companion-record", 1
ENVELOPE = ("at", "by")
"""What any move may carry; only the sand glass reads it."""
AROUND = ("move", *ENVELOPE)
"""What stands in a move beside what its own kind says."""
ABOUT = ("table", "opened", "closed", "location", "title")
"""What a record may say of the evening; texts."""
TIMES = ("opened", "closed")
"""Those that are times."""


class RecordError(Exception):
    """This is no record. `place` says where (`moves[17].card`; "" for the whole), the message what.

    `refused` is the ruling, where the rules of a `game` do not allow the options: in any language, its words say why.
    """

    def __init__(self, place: str, message: str, game: AnyGame | None = None, refused: Refused | None = None) -> None:
        """Take the place and the message (English)."""
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
        self.message = message if isinstance(message, Told) else Told(message)
        self.game, self.refused = game, refused


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read: right in form; the rules have not been asked yet."""

    game: AnyGame
    options: Mapping[str, Any]
    """As data: what differs from the defaults."""
    players: Sequence[str]
    start: Play[Any]
    moves: Sequence[Asked]
    data: Sequence[Mapping[str, Any]]
    """The moves as they stand in the record."""
    about: Mapping[str, str] = field(default_factory=dict)
    rules: int = 1
    """The version of the game's rules by which it was played; today's where the record does not say."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record with the rulings on it: all of it, or up to the first move that the rules refuse."""

    record: Record
    play: Play[Any]
    refused: tuple[Asked, Refused] | None


def read(text: str | bytes) -> Record:
    """Read a record.

    Raises:
        RecordError: it is none; the place and what would do.
    """
    return read_data(parsed(text))


def parsed(text: str | bytes) -> Any:
    """Parse JSON. Raises: RecordError."""
    try:
        return read_json(text)
    except NotRead as error:
        raise RecordError(error.place, error.message) from None


def read_data(data: Any) -> Record:
    """Read a record that is parsed already. Raises: RecordError."""
    _expect(isinstance(data, dict), "", N_("Not an object."))
    _expect(data.get("format") == FORMAT, "format", N_("Not “%(format)s”."), format=FORMAT)
    version = data.get("version")
    _expect(type(version) is int and version >= 1, "version", N_("Not a version number."))
    newer = N_("Version %(version)s is newer than this program, which reads %(known)s.")
    _expect(version == VERSION, "version", newer, version=version, known=VERSION)
    key = data.get("game")
    strange, here = N_("Unknown game. Known: %(known)s."), ", ".join(GAMES)
    _expect(isinstance(key, str) and key in GAMES, "game", strange, known=here)
    players = data.get("players")
    _expect(isinstance(players, list), "players", N_("Not a list of names."))
    for index, name in enumerate(players):
        _expect(isinstance(name, str), f"players[{index}]", N_("Not a name."))
    options = data.get("options", {})
    rules = _rules(data, GAMES[key])
    start = opened(GAMES[key], options, len(players), rules)
    moves = data.get("moves")
    _expect(isinstance(moves, list), "moves", N_("Not a list of moves."))
    asked = [_asked(start.game, len(players), index, move) for index, move in enumerate(moves)]
    return Record(start.game, options, players, start, asked, moves, _about(data), rules)


def opened(game: AnyGame, options: Any, seats: int, rules: int | None = None) -> Play[Any]:
    """Start a play with options as data, by a version of the game's rules (None: today's).

    Raises:
        RecordError: an option is wrong, or does not go with the others or with so many seats.
    """
    try:
        chosen = game.options.load(options)
    except ValidationError as error:
        raise RecordError(*_first(error.messages, "options", options)) from None
    play = begin(game, chosen, seats, rules)
    if isinstance(play, Refused):
        option = str(play.facts["option"])
        place = option if option == "players" else f"options.{option}"
        raise RecordError(place, Voice(game.words, ()).rule(play.rule, play.facts), game, play)
    return replace(play, options=dict(options))


def read_move(game: AnyGame, seats: int, data: Mapping[str, Any]) -> Any:
    """Read one move.

    Raises:
        RecordError: with the name of the field.
    """
    kinds = game.moves(seats)
    kind = data.get("move")
    schema = kinds.get(kind) if isinstance(kind, str) else None
    if schema is None:
        raise RecordError("move", Told("Unknown kind of move. Known: %(known)s.", known=", ".join(kinds)))
    try:
        return schema.load({name: value for name, value in data.items() if name not in AROUND or name in schema.fields})
    except ValidationError as error:
        raise RecordError(*_first(error.messages, "", data)) from None


def bare(data: Mapping[str, Any]) -> dict[str, Any]:
    """Take the envelope off a move: when it was entered, and by whom."""
    return {name: value for name, value in data.items() if name not in ENVELOPE}


def read_timed(game: AnyGame, seats: int, data: Mapping[str, Any], at: str | None) -> Any:
    """Read one move, with the time of its entry where its rules read one. Raises: RecordError."""
    return read_move(game, seats, {**data, "at": at} if at and reads_time(game, seats, data) else data)


def reads_time(game: AnyGame, seats: int, data: Mapping[str, Any]) -> bool:
    """Say whether the rules of a move read when it was entered."""
    schema = game.moves(seats).get(str(data.get("move")))
    return schema is not None and "at" in schema.fields


def write_move(game: AnyGame, seats: int, move: Any) -> dict[str, Any]:
    """Write one move as data."""
    for kind, schema in game.moves(seats).items():
        if getattr(schema, "make", None) is type(move):
            return {"move": kind, **schema.dump(move)}
    raise TypeError(move)


def reseated(schema: Schema, data: Mapping[str, Any], moved: Sequence[int]) -> dict[str, Any]:
    """Write a move, or options, as data for people who sit otherwise; `moved` says where who has a seat shall sit."""
    return {name: _reseated(schema.fields.get(name), value, moved) for name, value in data.items()}


def _reseated(part: Any, value: Any, moved: Sequence[int]) -> Any:
    if isinstance(part, SeatNumber | AnySeat) and value in range(len(moved)):
        return moved[value]
    is_each = isinstance(part, PerSeat | EverySeat) or (isinstance(part, Several) and isinstance(part.inner, Several))
    if is_each and isinstance(value, list) and len(value) == len(moved):
        return [value[moved.index(seat)] for seat in range(len(moved))]
    return value


def replay(record: Record) -> Replayed:
    """Rule on every move, until one is refused."""
    play = record.start
    for asked in record.moves:
        ruling = play.judge(asked)
        if isinstance(ruling, Refused):
            return Replayed(record, play, (asked, ruling))
        play = ruling
    return Replayed(record, play, None)


def outcome(replayed: Replayed, language: str = "en") -> dict[str, Any]:
    """Write how a replay ended, as data."""
    record, play = replayed.record, replayed.play
    voice = Voice(record.game.words, seat_names(record.players), language)
    steps = play.moves()
    refused = None
    if replayed.refused:
        asked, ruling = replayed.refused
        refused = {
            "number": asked.number,
            "move": record.data[asked.number - 1],
            "rule": ruling.rule.key,
            "reason": voice.rule(ruling.rule, ruling.facts),
        }
    return {
        "game": record.game.key,
        "legal": refused is None,
        "moves": len(steps),
        "finished": record.game.standing(play.position).is_finished,
        "refused": refused,
        "remarks": [
            {"number": step.asked.number, "rule": remark.rule.key, "text": voice.rule(remark.rule, remark.facts)}
            for step in steps
            for remark in step.remarks
        ],
        **result(play, record.players),
    }


def result(play: Play[Any], players: Sequence[str]) -> dict[str, Any]:
    """Write the standing and the summary of a play, as data."""
    standing = play.game.standing(play.position)
    return {
        "standing": [
            {"seat": place.seat, "name": players[place.seat], "rank": place.rank, "score": place.score}
            | ({"tiebreak": list(place.tiebreak)} if place.tiebreak else {})
            for place in standing.places
        ],
        "summary": play.game.summary(play.position),
    }


def winners(game: AnyGame | Missing, ruled: Mapping[str, Any]) -> tuple[int, ...]:
    """Name the seats that have won a finished play: those in first place, unless all have lost.

    Args:
        game: which game.
        ruled: its standing and summary as data, perhaps stored by an older release.
    """
    if have_lost(game, ruled["summary"]):
        return ()
    return tuple(place["seat"] for place in ruled["standing"] if place["rank"] == 1)


def seat_names(names: Sequence[str]) -> list[str]:
    """Name every seat; one without a name is called by its letter.

    >>> seat_names(["Anna", ""])
    ['Anna', 'Seat B']
    """
    return [name or f"Seat {chr(ord('A') + seat)}" for seat, name in enumerate(names)]


def write(
    play: Play[Any],
    options: Mapping[str, Any],
    players: Sequence[str],
    about: Mapping[str, str] | None = None,
    rules: int | None = None,
) -> dict[str, Any]:
    """Write a play as a record; while something is secret, it ends at the last moment when everything was open.

    Args:
        play: the play.
        options: as data.
        players: a name a seat.
        about: what it says of the evening.
        rules: the version of the game's rules by which it was played; None for today's.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": play.game.key,
        "rules": play.game.version if rules is None else rules,
        "options": dict(options),
        "players": list(players),
        "moves": [move for step in play.unsealed().moves() for move in _written(play, step)],
        **(about or {}),
    }


def _written(play: Play[Any], step: Step[Any]) -> Iterator[dict[str, Any]]:
    asked = step.asked
    move = play.game.recorded(step.was, asked.move, step.position)
    if move is None:
        return
    by = {"by": "host" if asked.by is None else asked.by}
    yield {**write_move(play.game, play.seats, move), **({"at": asked.at, **by} if asked.at else {})}


def _asked(game: AnyGame, seats: int, index: int, data: Any) -> Asked:
    place = f"moves[{index}]"
    _expect(isinstance(data, dict), place, N_("Not an object."))
    by, at = data.get("by"), data.get("at")
    is_seat = type(by) is int and by in range(seats)
    nobody = N_("Neither a seat (0 to %(last)s) nor “%(host)s”.")
    _expect(by in (None, "host") or is_seat, f"{place}.by", nobody, last=seats - 1, host="host")
    at = None if at is None else _time(at, f"{place}.at")
    try:
        return Asked(index + 1, read_move(game, seats, data), by if is_seat else None, at)
    except RecordError as error:
        raise RecordError(f"{place}.{error.place}" if error.place else place, error.message) from None


def _about(data: Mapping[str, Any]) -> dict[str, str]:
    about = {name: data[name] for name in ABOUT if data.get(name) is not None}
    for name, text in about.items():
        _expect(isinstance(text, str), name, N_("Not a text."))
        if text and name in TIMES:
            _time(text, name)
    return about


def _rules(data: Mapping[str, Any], game: AnyGame) -> int:
    rules = data.get("rules", game.version)
    _expect(type(rules) is int and rules in RULES, "rules", N_("Not a version of the rules: a whole number from 1."))
    here = ", ".join(map(str, (*game.older, game.version)))
    away = N_("Version %(rules)s of the rules of %(game)s is not here. Known: %(known)s.")
    _expect(game.has_rules(rules), "rules", away, rules=rules, game=game.name, known=here)
    return int(rules)


def _time(text: object, place: str) -> str:
    """Read a time, as the log writes it. Raises: RecordError."""
    try:
        return read_moment(text)
    except ValueError:
        raise RecordError(place, Told("Not a time (UTC, ISO 8601).")) from None


def _expect(is_right: bool, place: str, sentence: str, **facts: object) -> None:
    if not is_right:
        raise RecordError(place, Told(sentence, **facts))


def _first(messages: Any, place: str, data: Any) -> tuple[str, str]:
    """Find the first error in marshmallow's tree of messages, and its place in the data."""
    while isinstance(messages, dict):
        key, messages = next(iter(messages.items()))
        if isinstance(key, int):
            place = f"{place}[{key}]"
        elif key != "_schema" or (isinstance(data, dict) and key in data):  # else it is about the whole
            place = f"{place}.{key}" if place else str(key)
    return place, messages[0]
