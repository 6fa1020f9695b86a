"""A finished table as other programs keep plays: a link and a file for BG Stats, tables for a spreadsheet.

Nothing is computed anew: the standing is the one that was ruled when the game ended.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from companion.game import AnyGame
from companion.games import Missing

SOURCE = "companion"
LEFT_OUT = "left-out.txt"
"""Names in an archive what is not in it."""
CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html?data="
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How a cell begins that a spreadsheet would compute."""
PLAYS = (
    "table", "game", "date", "minutes", "location", "players", "seat", "name", "begins", "rank", "score", "winner"
)  # fmt: skip
ROUNDS = ("table", "game", "date", "step", "seat", "name", "points")


@dataclass(frozen=True, slots=True)
class Evening:
    """A game that is over."""

    code: str
    game: AnyGame | Missing
    called: str
    """The game, as its table calls it."""
    opened: datetime
    """Local time, and so is `closed`."""
    closed: datetime
    """When its last move was made; where nobody knows, when its result was entered."""
    players: tuple[str, ...]
    """One per seat, never empty."""
    begins: int | None
    """The seat that began; None where nobody knows."""
    standing: tuple[Mapping[str, Any], ...]
    """As the record's: `seat`, `rank`, `score`."""
    winners: tuple[int, ...]
    """The seats that have won; nobody where all have lost."""
    options: str
    """The variant in words, in the reader's language."""
    comments: str
    """Why the standing is as it is."""
    course: tuple[tuple[int, ...], ...] = ()
    """After each step, a line a seat; one line alone where all play together."""
    location: str = ""
    """Where it was played; "" where nobody says."""
    is_low: bool = False
    """Whether the fewest points win."""

    @property
    def minutes(self) -> int:
        """How long it took."""
        return max(0, round((self.closed - self.opened).total_seconds() / 60))

    @property
    def date(self) -> str:
        """When it was played, as BG Stats writes it."""
        return self.opened.strftime("%Y-%m-%d %H:%M:%S")

    def place(self, seat: int) -> Mapping[str, Any]:
        """Find the place of a seat."""
        return next(place for place in self.standing if place["seat"] == seat)


def link(evening: Evening) -> str:
    """Write the address that hands a play to BG Stats on the phone."""
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": evening.code,
        "playDate": evening.date,
        "durationMin": evening.minutes,
        "location": evening.location,
        "board": evening.options,
        "comments": evening.comments,
        "game": {"sourceGameId": _game_id(evening), **_game(evening)},
        "players": [
            {"sourcePlayerId": f"{evening.code}-{seat}", "name": name, **_score(evening, seat)}
            for seat, name in enumerate(evening.players)
        ],
    }
    return CREATE_PLAY + quote(json.dumps(play, ensure_ascii=False), safe="")


def bgsplay(evenings: Iterable[Evening]) -> Iterator[bytes]:
    """Write the `.bgsplay` file: every player, place and game once, and the plays that refer to them."""
    players, places, games = _Numbered("player"), _Numbered("location"), _Numbered("game")
    plays = [_bgs_play(evening, players, places, games) for evening in evenings]
    file = {
        "about": f"Plays of {SOURCE}",
        "userInfo": {"meRefId": 0},
        "players": [{**player, "isAnonymous": False} for player in players.listed()],
        "locations": places.listed(),
        "games": games.listed(),
        "plays": plays,
    }
    yield json.dumps(file, ensure_ascii=False).encode()


class _Numbered:
    """Things that plays refer to, each listed once."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._things: dict[str, dict[str, Any]] = {}

    def number(self, key: str, **about: Any) -> int:
        """Give the number of a thing, from 1."""
        known = self._things.setdefault(
            key, {"id": len(self._things) + 1, "uuid": _uuid(self._kind, key), "name": key, **about}
        )
        return int(known["id"])

    def listed(self) -> list[dict[str, Any]]:
        """List them by number."""
        return list(self._things.values())


def _bgs_play(evening: Evening, players: _Numbered, places: _Numbered, games: _Numbered) -> dict[str, Any]:
    place = {"locationRefId": places.number(evening.location)} if evening.location else {}
    return {
        "uuid": _uuid("table", evening.code),
        "playDate": evening.date,
        "entryDate": evening.closed.strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": evening.minutes,
        "gameRefId": games.number(_game_id(evening), **_game(evening)),
        **place,
        "board": evening.options,
        "comments": evening.comments,
        "playerScores": [
            {"playerRefId": players.number(name), "seatOrder": seat + 1, **_score(evening, seat)}
            for seat, name in enumerate(evening.players)
        ],
    }


def records_zip(records: Iterable[Mapping[str, Any]], left_out: Sequence[str] = ()) -> Iterator[bytes]:
    """Write an archive of records, a file each; they come one by one, and so does the archive.

    Args:
        records: each with its `table`.
        left_out: what is missing, and why: a line each, in a file of their own; filled while the records come.
    """
    with TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for record in records:
                # Without the time of day: the same records make the same archive.
                archive.writestr(zipfile.ZipInfo(f"{record['table']}.json"), record_json(record), zipfile.ZIP_DEFLATED)
            if left_out:
                archive.writestr(zipfile.ZipInfo(LEFT_OUT), "".join(f"{line}\n" for line in left_out))
        file.seek(0)
        while chunk := file.read(1 << 16):
            yield chunk


def record_json(record: Mapping[str, Any]) -> bytes:
    """Write a record as a file."""
    return (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode()


def plays_csv(evenings: Iterable[Evening]) -> Iterator[bytes]:
    """Write a line for every player of every evening."""
    return _csv(PLAYS, (line for evening in evenings for line in _plays(evening)))


def rounds_csv(evenings: Iterable[Evening]) -> Iterator[bytes]:
    """Write a line for every player after every step of every evening; the points are those so far."""
    return _csv(ROUNDS, (line for evening in evenings for line in _rounds(evening)))


def _plays(evening: Evening) -> Iterator[Sequence[object]]:
    for seat, name in enumerate(evening.players):
        place, score = evening.place(seat), _score(evening, seat)
        about = [evening.code, evening.called, evening.date, evening.minutes, evening.location, len(evening.players)]
        yield [*about, seat + 1, name, int(score["startPlayer"]), place["rank"], place["score"], int(score["winner"])]


def _rounds(evening: Evening) -> Iterator[Sequence[object]]:
    about = [evening.code, evening.called, evening.date]
    if not evening.course:  # then there is the result alone
        yield from (
            [*about, "", seat + 1, name, evening.place(seat)["score"]] for seat, name in enumerate(evening.players)
        )
    is_shared = len(evening.course) == 1
    for line, points in enumerate(evening.course):
        seat, name = ("", "") if is_shared else (line + 1, evening.players[line])
        yield from ([*about, step, seat, name, count] for step, count in enumerate(points))


def _game_id(evening: Evening) -> str:
    """Name a game: BG Stats keeps the name with each, and whether the most points win; our tables may differ there."""
    kind = f"{evening.game.key}-low" if evening.is_low else evening.game.key
    return kind if evening.called == evening.game.name else f"{kind}:{evening.called}"


def _game(evening: Evening) -> dict[str, Any]:
    game = evening.game
    known = {"bggId": game.bgg} if game.bgg else {}
    return {"name": evening.called, "highestWins": not evening.is_low, "noPoints": False, **known}


def _score(evening: Evening, seat: int) -> dict[str, Any]:
    place = evening.place(seat)
    return {
        "startPlayer": seat == evening.begins,
        "winner": seat in evening.winners,
        "score": str(place["score"]),
        "rank": place["rank"],
        "role": "",
    }


def _uuid(kind: str, name: str) -> str:
    """Name a thing the same in every file."""
    return str(uuid5(NAMESPACE_URL, f"{SOURCE}:{kind}:{name}"))


def _csv(head: Sequence[str], lines: Iterator[Sequence[object]]) -> Iterator[bytes]:
    """Write a table that spreadsheets open as it is: UTF-8 with its mark, and no cell that they would compute.

    Its head comes with the first line: where there can be none, nothing is written.
    """
    rows = (_csv_row([_cell(cell) for cell in line]) for line in lines)
    first = next(rows, b"")
    yield "\ufeff".encode() + _csv_row(head) + first
    yield from rows


def _csv_row(cells: Sequence[object]) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file).writerow(cells)
    return file.getvalue().encode()


def _cell(value: object) -> object:
    """Keep a text from being computed.

    >>> _cell("=1+1"), _cell("Anna"), _cell(-5)
    ("'=1+1", 'Anna', -5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
