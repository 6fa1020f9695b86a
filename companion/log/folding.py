"""A log's entries become a play, where the rules of today take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from companion.errors import GameMissing, LogRefused
from companion.frozen import replace
from companion.game import AnyGame, Refused
from companion.games import GAMES
from companion.log.rows import Entry, Table
from companion.play import Asked, Broken, Play, Undoable
from companion.record import RecordError, opened, read_timed, seat_names
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


def move_of(table: Table, data: Mapping[str, Any], at: str | None = None) -> Any:
    """Read a move at a table, entered at that time. Raises: RecordError."""
    return read_timed(game_of(table), len(table.seatings), data, at)


def begun(table: Table, entries: Iterable[Entry]) -> Play[Any]:
    """Begin a table's play as it was opened, before the first of its entries. Raises: GameMissing, LogRefused."""
    first = next((entry for entry in entries if entry.kind == "start"), None)
    return start(table, first.data["was"] if first else table.options)


def start(table: Table, options: Mapping[str, Any] | None = None) -> Play[Any]:
    """Begin a play at a table, by its options or others. Raises: GameMissing, LogRefused."""
    game = game_of(table)
    try:
        return opened(game, table.options if options is None else options, len(table.seatings), table.rules)
    except RecordError as error:
        raise LogRefused(code=table.code, game=game.name, reason=str(error)) from error


def after(table: Table, play: Play[Any], entry: Entry) -> Play[Any]:
    """Fold one entry of a table onto its play. Raises: LogRefused."""
    try:
        result = play.anew(entry.at) if _is_resumed(entry) else folded(_ruled, play, entry)
        if isinstance(result, Play):
            return result
        refused = result.refused if isinstance(result, Broken) else result
        named = seat_names([seating.name for seating in table.seatings])
        reason = Voice(play.game.words, named).rule(refused.rule, refused.facts)
    except SQLAlchemyError:
        raise
    except Exception as error:  # rules of another version may stumble over what they do not know
        reason = f"{type(error).__name__}: {error}"
    raise LogRefused(code=table.code, game=play.game.name, reason=f"{entry.number}: {reason}")


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
    again = []
    for number, step in steps.items():
        asked = step.asked
        if number in moves:
            own = None if asked.by is None else moved[asked.by]
            asked = replace(asked, move=read_timed(game, seats, moves[number], asked.at), by=own)
        if number in later and later[number] is not None:
            asked = replace(asked, move=read_timed(game, seats, later[number], asked.at), is_amended=True)
        if later.get(number, asked) is not None:
            again.append(asked)
    return play.begin_again(opened(game, data["options"], seats, play.rules), again, moved, by)


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
