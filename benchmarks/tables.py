"""Tables in the middle of dealt games, many opened by one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

from sqlalchemy import insert, select

from benchmarks.dealt import PHONES, Dealt
from companion import log
from companion.log.codes import CROCKFORD
from companion.log.database import writing
from companion.log.rows import Entry, Seating, Table, db
from companion.tables.seating import hashed
from companion.words import LANGUAGES
from tests.house import FOUR, House, secret

GOLDEN = 0.618
"""Multiples of it, without what is before the point, spread evenly, however many are taken."""
HOST = 0
"""The seat of the phone that opened the table; it enters what no seat does."""


@dataclass(frozen=True)
class Start:
    """A game, and how many of its moves have been made when the phones come."""

    dealt: Dealt
    done: int = 0
    twice: int = 0
    """So often the last of them was taken back and put back again: an undecided table has a long log."""


@dataclass(frozen=True)
class Opened:
    """A table at which four phones sit."""

    code: str
    dealt: Dealt
    done: int
    number: int
    """Of its newest entry."""
    tokens: tuple[str, ...] = ()
    language: str = "en"


def spread(games: Sequence[Dealt], tables: int, first: int = 0) -> list[Start]:
    """Let tables play these games in turn, each at another moment of its game: as in a house where all play on."""
    places = range(first + 1, first + 1 + tables)
    played = [(games[place % len(games)], place * GOLDEN % 1) for place in places]
    return [Start(dealt, int(len(dealt.moves) * part)) for dealt, part in played]


class Room:
    """What opens tables in a house, before its server starts or while it rests."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._places = count()

    def open(self, starts: Sequence[Start]) -> list[Opened]:
        """Open tables, in all languages in turn; their hosts sit with them."""
        with self.house.app.app_context():
            pattern = self._pattern
            with writing():
                opened = [_copied(pattern, next(self._places), start) for start in starts]
        self.house.close()
        return opened

    @cached_property
    def _pattern(self) -> Pattern:
        """Open one table as people do; the others are like it."""
        code = self.house.open(FOUR, phones={seat: phone(0, seat) for seat in range(PHONES)})
        model = log.find(code)
        assert model
        kinds = (Table, Table.id), (Seating, Seating.table_id), (Entry, Entry.table_id)
        queries = [select(kind.__table__).where(own == model.id) for kind, own in kinds]
        return Pattern(*([dict(row) for row in db.session.execute(query).mappings()] for query in queries))


@dataclass(frozen=True)
class Pattern:
    """The rows of a table at which all have sat down, and nothing has been played."""

    tables: list[dict[str, Any]]
    seatings: list[dict[str, Any]]
    entries: list[dict[str, Any]]


def phone(table: int, seat: int) -> str:
    """Name a phone."""
    return f"p{seat}.t{table}"


def _copied(pattern: Pattern, place: int, start: Start) -> Opened:
    """Write the rows of another table, with phones of its own."""
    (table,), game = pattern.tables, start.dealt.game
    own, tokens = table["id"] + 1 + place, tuple(secret(phone(place, seat)) for seat in range(PHONES))
    code = "".join(CROCKFORD[place // 32**digit % 32] for digit in range(6))
    played = {"game": game.key, "rules": game.version, "options": dict(start.dealt.options)}
    about = {"id": own, "code": code, "host": hashed(tokens[HOST])}
    db.session.execute(insert(Table), [{**table, **about, **played}])
    seated = [{**row, "table_id": own, "phone": hashed(tokens[row["seat"]])} for row in pattern.seatings]
    db.session.execute(insert(Seating), seated)
    entries = [{**row, "table_id": own} for row in pattern.entries]
    entries += [{**row, "table_id": own} for row in _filled(start, len(entries))]
    db.session.execute(insert(Entry), entries)
    language = tuple(LANGUAGES)[place % len(LANGUAGES)]
    return Opened(code, start.dealt, start.done, len(entries), tokens, language)


def _filled(start: Start, number: int) -> Iterator[dict[str, Any]]:
    """Write entries as the referee would have entered them; the last before had this number."""
    made = [("move", move.seat, move.seat, move.data) for move in start.dealt.moves[: start.done]]
    made += [("take_back", None, None, {}), ("put_back", None, None, {})] * start.twice
    at = log.now()
    for place, (kind, seat, by, data) in enumerate(made, number + 1):
        key = f"filled.{place}"
        yield {"number": place, "kind": kind, "seat": seat, "by": by, "data": data, "key": key, "at": at}
