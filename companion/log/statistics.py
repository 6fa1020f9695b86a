"""What the finished evenings of a book tell together: places, figures, and who came before whom.

The database sums up; no log is read. A player is a name, exactly as it stands at the seats of the book; a seat that
nobody named is no player. A figure that an older release did not count is missing, and counts as 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    SQLColumnExpression,
    Subquery,
    and_,
    case,
    cast,
    false,
    func,
    not_,
    select,
    true,
)
from sqlalchemy.orm import aliased

from companion.game import AnyGame
from companion.games import GAMES
from companion.kernel.figures import LEFT, LOST, Per
from companion.log.book import Book, Search, condition
from companion.log.rows import Seating, Table, db

_Rank = tuple[int, int, int, int | None, int | None, int, int]
"""A place; how often it was reached; the sum of the scores then; the most of them where the most points win, and the
fewest where the fewest do, None where they never do; how often all had lost; how often another hand played on."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How a player did in one game."""

    player: str
    game: str
    plays: int
    places: tuple[int, ...]
    """How often the first place was reached, the second, and so on, for as many seats as the game has; () where all
    play together."""
    best: int
    """The most points; the fewest of a player who played only where these win."""
    average: float
    wins: int
    """How often the player won, alone or level with others; 0 where all play together."""
    left: int
    """How often the player had to go, and another hand played to the end."""


@dataclass(slots=True)
class Sums:
    """Figures, summed up over plays."""

    plays: int = 0
    figures: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, plays: int, figures: Mapping[str, int | None]) -> None:
        """Add plays and what was counted in them."""
        self.plays += plays
        for name, number in figures.items():
            self.figures[name] += number or 0


@dataclass(frozen=True, slots=True)
class Played:
    """What the finished tables of one game tell."""

    game: AnyGame
    plays: int
    tallies: Sequence[Tally]
    """Those who won most first, of them those who played most."""
    players: Mapping[str, Sums]
    """The figures by player, whoever played most first."""
    seats: Sums
    """Those of all seats together, with those that nobody named."""
    tables: Sums
    """Those of the tables, each counted once."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """How a player did in one game against another one."""

    other: str
    game: str
    plays: int
    ahead: int
    level: int
    behind: int
    difference: float
    """The player's score less the other's, on average."""


def played(book: Book, search: Search) -> Sequence[Played]:
    """Sum up what there is of every game, in the order of the lobby; games that nobody finished are left out."""
    games = [game for game in GAMES.values() if search.game in {"", game.key}]
    return [told for game in games if (told := _played(book, search, game)).plays]


def _played(book: Book, search: Search, game: AnyGame) -> Played:
    """Sum up one game, in one statement: sorting the seats is what it costs, and one sorting does for all."""
    names, of_tables = _figures(game), _of_tables(game)
    tables, is_first = _tables(book, search, _is_low(game)), Seating.seat == 0
    numbers = ((_figure(name), name in of_tables) for name in names)
    lines = (
        select(
            Seating.name,
            is_first.label("is_first"),
            Seating.rank,
            func.count(),
            _sum(Seating.score),
            func.max(Seating.score).filter(not_(tables.c.is_low)),
            func.min(Seating.score).filter(tables.c.is_low),
            *(_sum(_figure(name)) for name in (LOST, LEFT)),
            *(_sum(case((is_first, number)) if is_once else number) for number, is_once in numbers),
        )
        .join(tables, tables.c.id == Seating.table_id)
        .where(tables.c.game == game.key, Seating.rank.is_not(None))
        # By its label: PostgreSQL would not see that the comparison is the same one, its number being a parameter.
        .group_by(Seating.name, "is_first", Seating.rank)
    )
    ranks: dict[str, list[_Rank]] = defaultdict(list)
    players: dict[str, Sums] = defaultdict(Sums)
    seats, at_tables = Sums(), Sums()
    for name, is_table, rank, plays, total, most, fewest, lost, left, *sums in db.session.execute(lines):
        for part in (players[name], seats, *((at_tables,) if is_table else ())):
            part.add(plays, dict(zip(names, sums, strict=True)))
        ranks[name].append((rank, plays, total, most, fewest, lost or 0, left or 0))
    for nobody in (players, ranks):
        nobody.pop("", None)
    tallies = [_tally(name, game, lines) for name, lines in ranks.items()]
    return Played(
        game,
        at_tables.plays,
        sorted(tallies, key=lambda tally: (-tally.wins, -tally.plays, -tally.average, tally.player)),
        dict(sorted(players.items(), key=lambda one: (-one[1].plays, one[0]))),
        seats,
        at_tables,
    )


def _figure(name: str) -> ColumnElement[int]:
    """Read a figure; as large as a score may be."""
    return cast(Seating.figures[name].as_string(), BigInteger)


def _sum(number: SQLColumnExpression[Any]) -> ColumnElement[Any]:
    """Sum up whole numbers to a whole one: of large ones PostgreSQL would make a decimal."""
    return cast(func.sum(number), BigInteger)


def _of_tables(game: AnyGame) -> set[str]:
    """Name the figures that are counted once a table, and for nobody."""
    return set(_figures(game, Per.TABLE)) - set(_figures(game, Per.PLAYER)) - set(_figures(game, Per.SEAT))


def _figures(game: AnyGame, per: Per | None = None) -> list[str]:
    """Name the figures that a game's statistics need, or those of one kind."""
    bars = (bar for statistic in game.statistics if per in {None, statistic.per} for bar in statistic.bars)
    return list(dict.fromkeys(name for bar in bars for name in (bar.figure, bar.each) if name))


def meetings(book: Book, search: Search, player: str, other: str = "") -> Sequence[Meeting]:
    """Compare a player with everyone they met, or with one of them, game by game.

    Games in which all play together are left out: there nobody is ahead.
    """
    tables, mine, theirs = _tables(book, search), aliased(Seating), aliased(Seating)
    is_other = theirs.name == other if other else theirs.name.not_in(["", player])
    is_ahead, is_level = mine.rank < theirs.rank, mine.rank == theirs.rank
    lines = (
        select(
            theirs.name,
            tables.c.game,
            func.count(),
            func.count().filter(is_ahead),
            func.count().filter(is_level),
            _sum(mine.score - theirs.score),
        )
        .select_from(mine)
        .join(tables, tables.c.id == mine.table_id)
        .join(theirs, theirs.table_id == mine.table_id)
        .where(mine.name == player, is_other, mine.seat != theirs.seat)
        .where(tables.c.game.in_([game.key for game in GAMES.values() if not game.is_shared]))
        .group_by(theirs.name, tables.c.game)
    )
    found = (
        Meeting(name, game, plays, ahead, level, plays - ahead - level, total / plays)
        for name, game, plays, ahead, level, total in db.session.execute(lines)
    )
    return sorted(found, key=lambda meeting: (-meeting.plays, meeting.other, list(GAMES).index(meeting.game)))


def _tables(book: Book, search: Search, *more: ColumnElement[Any]) -> Subquery:
    """Choose the tables whose game is over, with more of them than their number and game."""
    return select(Table.id, Table.game, *more).where(condition(book, search), Table.closed.is_not(None)).subquery()


def _is_low(game: AnyGame) -> ColumnElement[bool]:
    """Say of a table of a game, as `is_low`, whether the fewest points win there."""
    if game.won_by_fewest is None:
        return false().label("is_low")
    asked = (Table.options[name].as_string() == value for name, value in game.won_by_fewest.items())
    return func.coalesce(and_(true(), *asked), false()).label("is_low")


def _tally(player: str, game: AnyGame, ranks: Sequence[_Rank]) -> Tally:
    """Put together what was counted for each place; in a game of all together there is none."""
    plays, left = sum(line[1] for line in ranks), sum(line[6] for line in ranks)
    # Fewer may play it today than those who did.
    places, wins = [0] * max(game.players[-1], *(rank for rank, *_ in ranks)), 0
    for rank, count, _total, _most, _fewest, lost, _left in ranks:
        places[rank - 1] += count
        wins += (rank == 1 and not game.is_shared) * (count - lost)
    most, fewest = ([score for score in scores if score is not None] for scores in list(zip(*ranks, strict=True))[3:5])
    best, total = max(most) if most else min(fewest), sum(line[2] for line in ranks)
    shown = () if game.is_shared else tuple(places)
    return Tally(player, game.key, plays, shown, best, total / plays, wins, left)
