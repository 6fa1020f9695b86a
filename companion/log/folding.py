"""A log's entries become a play, where the rules of today take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from companion.errors import CompanionError
from companion.game import AnyGame, Refused
from companion.games import GAMES, known
from companion.kernel.frozen import replace
from companion.log.rows import Entry, Table
from companion.log.unruled import (
    UNRULED,
    GameMissing,
    LogRefused,
    MoveMissing,
    OptionMissing,
    RuledOtherwise,
    RulesMissing,
)
from companion.play import Asked, Broken, Play, Undoable
from companion.record import RecordError, opened, read_move, read_timed, seat_names
from companion.words import Voice

RESUMED = "resume"
"""The act of an entry by which a table goes on that stood still."""

U = TypeVar("U", bound=Undoable)
R = TypeVar("R")


def game_of(table: Table) -> AnyGame:
    """Look up the game that a table plays. Raises: GameMissing."""
    key = table.game
    if key not in GAMES:
        raise GameMissing(code=table.code, game=key)
    return GAMES[key]


def move_of(table: Table, data: Mapping[str, Any]) -> Any:
    """Read a move at a table, without a time. Raises: RecordError."""
    return read_move(game_of(table), len(table.seatings), data)


@contextmanager
def as_ruled(table: Table) -> Iterator[None]:
    """Let a game stumble over the play of one of its tables, and nobody who asks for others. Raises: LogRefused."""
    try:
        yield
    except (SQLAlchemyError, CompanionError, RecordError):
        raise
    except Exception as error:  # whatever a game of another package does
        reason = f"{type(error).__name__}: {error}"
        raise LogRefused(code=table.code, game=known(table.game).name, reason=reason) from error


def begun(table: Table, entries: Iterable[Entry]) -> Play[Any]:
    """Begin a table's play as it was opened, before the first of its entries. Raises: one of UNRULED."""
    first = next((entry for entry in entries if entry.kind == "start"), None)
    return start(table, first.data["was"] if first else table.options)


def start(table: Table, options: Mapping[str, Any] | None = None) -> Play[Any]:
    """Begin a play at a table, by its options or others. Raises: one of UNRULED."""
    game, chosen = game_of(table), table.options if options is None else options
    if not game.has_rules(table.rules):
        raise RulesMissing(code=table.code, game=game.name, rules=table.rules, here=game.version)
    try:
        with as_ruled(table):
            return opened(game, chosen, len(table.seatings), table.rules)
    except RecordError as error:
        raise _unbegun(table, game, chosen, error) from error


def _unbegun(table: Table, game: AnyGame, options: Mapping[str, Any], error: RecordError) -> CompanionError:
    """Say why a table cannot be begun: an option is gone, or a value of it, or they are refused."""
    name = error.place.removeprefix("options.").split("[")[0]
    about = {"code": table.code, "game": game.name}
    if error.refused or name not in options:
        return LogRefused(**about, reason=str(error))
    option = name if name not in game.options.fields else f"{name}: {options[name]}"
    return OptionMissing(**about, option=option)


def after(table: Table, play: Play[Any], entry: Entry) -> Play[Any]:
    """Fold one entry of a table onto its play. Raises: LogRefused, MoveMissing, RuledOtherwise."""
    try:
        result = play.anew(entry.at) if _is_resumed(entry) else folded(_ruled, play, entry)
        if isinstance(result, Play):
            check_stands(table, result, entry.standing, str(entry.number))
            return result
        refused = result.refused if isinstance(result, Broken) else result
        named = seat_names([seating.name for seating in table.seatings])
        reason = Voice(play.game.words, named).rule(refused.rule, refused.facts)
    except (SQLAlchemyError, *UNRULED):
        raise
    except Exception as error:  # rules of another version may stumble over what they do not know
        reason = f"{type(error).__name__}: {error}"
        unknown = next((kind for kind in _kinds(entry.data) if kind not in play.game.moves(play.seats)), None)
        if unknown is not None:
            raise MoveMissing(code=table.code, game=play.game.name, move=unknown) from error
    raise LogRefused(code=table.code, game=play.game.name, reason=f"{entry.number}: {reason}")


def check_stands(table: Table, play: Play[Any], stood: str | None, place: str) -> None:
    """Look whether a play stands as it stood when it was played; None: nobody noted it. Raises: RuledOtherwise."""
    if stood is not None and stood != (now := play.standing):
        reason = f"{place}: it stood {stood}, and would stand {now}"
        raise RuledOtherwise(code=table.code, game=play.game.name, reason=reason)


def _kinds(data: Mapping[str, Any]) -> Iterator[str]:
    """Name the kinds of all moves that an entry says."""
    if isinstance(data.get("move"), str):
        yield data["move"]
    for one in (data, *data.get("later", ()), *data.get("moves", ())):
        move = one.get("move") if isinstance(one, Mapping) else None
        if isinstance(move, Mapping):
            yield str(move.get("move"))


def amended(play: Play[Any], data: Mapping[str, Any], by: int | None) -> Play[Any] | Broken:
    """Amend a play as an entry says. Raises: RecordError, KeyError (it names a move that does not count)."""
    steps, game = play.numbered(), play.game
    moves = {
        number: read_timed(game, play.seats, said, steps[number].asked.at) if said else None
        for number, said in changes(data)
    }
    first = data["number"]
    return play.amend(first, moves.pop(first), by, moves)


def begun_again(play: Play[Any], data: Mapping[str, Any], by: int | None) -> Play[Any] | Broken:
    """Amend the start of a play as an entry says. Raises: RecordError, KeyError (it names what does not count)."""
    game, seats, steps = play.game, play.seats, play.numbered()
    moved = data.get("moved", range(seats))
    moves, later = ({one["number"]: one["move"] for one in data.get(part, ())} for part in ("moves", "later"))
    if unknown := later.keys() - steps.keys():
        raise KeyError(min(unknown))
    asked_then = []
    for number, step in steps.items():
        asked = step.asked
        if number in moves:
            own = None if asked.by is None else moved[asked.by]
            asked = replace(asked, move=read_timed(game, seats, moves[number], asked.at), by=own)
        if number in later and later[number] is not None:
            asked = replace(asked, move=read_timed(game, seats, later[number], asked.at), is_amended=True)
        if later.get(number, asked) is not None:
            asked_then.append(asked)
    return play.begin_again(opened(game, data["options"], seats, play.rules), asked_then, moved, by)


def changes(data: Mapping[str, Any]) -> list[tuple[int, Mapping[str, Any] | None]]:
    """List what an amendment puts where: the numbers of entries, and what they are now; None for what was not made."""
    return [(change["number"], change["move"]) for change in (data, *data.get("later", ()))]


def folded(change: Callable[[U, Entry], R], now: U, entry: Entry) -> U | R:
    """Fold one entry onto what can be undone.

    Args:
        change: says what a move or an amendment leads to.
        now: how it is before the entry.
        entry: of any kind.
    """
    match entry.kind:
        case "move" | "amend" | "start":
            return change(now, entry)
        case "take_back":
            return now.take_back() or now
        case "put_back":
            return now.put_back() or now
        case _:
            return now


def _is_resumed(entry: Entry) -> bool:
    return entry.kind == "table" and entry.data.get("act") == RESUMED


def _ruled(play: Play[Any], entry: Entry) -> Play[Any] | Refused | Broken:
    if entry.kind == "move":
        move = read_timed(play.game, play.seats, entry.data, entry.at)
        return play.judge(Asked(entry.number, move, entry.by, entry.at))
    if entry.kind == "start":
        return begun_again(play, entry.data, entry.by)
    return amended(play, entry.data, entry.by)
