"""Pictures over many plays, with their numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from babel import Locale
from babel.numbers import format_decimal, format_percent
from flask_babel import get_locale
from flask_babel import gettext as _

from companion.desk.wording import in_words
from companion.drawing.bars import BarGroup, Bars, bars
from companion.games import GAMES
from companion.kernel.figures import Per, Statistic
from companion.log.statistics import Meeting, Played, Sums, Tally

MOST_GROUPS, MOST_BARS = 12, 24
"""So many players and bars are drawn in a picture; the table beneath has all of them."""

Numbers = tuple[float | None, ...]


Row = tuple[str, Numbers]
"""A player ("" for all together), and the numbers."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, and its table."""

    title: str
    bars: Bars
    are_players: bool
    """Whether the lines are players; else each line is one of the numbers of all together."""
    labels: tuple[str, ...]
    """The heads of the table's columns, beside the first."""
    rows: tuple[BarGroup, ...]

    @property
    def left_out(self) -> int:
        """How many lines of the table are not drawn."""
        return len(self.rows) - len(self.bars.groups)


@dataclass(frozen=True, slots=True)
class Compared:
    """How often a player came before another one, or in one game."""

    name: str
    """The other one's, or the game's."""
    plays: int
    ahead: int
    level: int
    behind: int
    difference: str
    """Points on average, in one game; "" over all of them."""


def rows_of(statistic: Statistic, played: Played) -> list[Row]:
    """Give the numbers of a statistic, one for each of its bars; who has none is left out."""
    sums: dict[Per, list[tuple[str, Sums]]] = {
        Per.PLAYER: list(played.players.items()),
        Per.SEAT: [("", played.seats)],
        Per.TABLE: [("", played.tables)],
    }
    rows = [
        (name, tuple(bar.of(one.plays, one.figures) for bar in statistic.bars)) for name, one in sums[statistic.per]
    ]
    return [(name, values) for name, values in rows if any(value is not None for value in values)]


def pictures(played: Played) -> Iterator[Picture]:
    """Draw what a game counts; nothing where there is nothing to divide by."""
    game = played.game
    for statistic in game.statistics:
        if rows := rows_of(statistic, played):
            labels = tuple(in_words(game, bar.label) for bar in statistic.bars)
            say, whole = (share, 1) if statistic.is_share else (number, 0)
            yield _picture(in_words(game, statistic.title), labels, rows, say, whole)


def wins(tallies: Sequence[Tally]) -> Picture | None:
    """Draw how often everyone won, over all games that can be won alone; None where nobody has won one."""
    counts: dict[str, tuple[int, int]] = {}
    for tally in tallies:
        if not GAMES[tally.game].is_shared:
            won, played = counts.get(tally.player, (0, 0))
            counts[tally.player] = won + tally.wins, played + tally.plays
    order = sorted(counts, key=lambda player: (-counts[player][0], counts[player][1], player))
    rows = tuple(
        BarGroup(player, (won,), (str(_("%(wins)s of %(plays)s", wins=won, plays=played)),))
        for player in order
        for won, played in [counts[player]]
    )
    return Picture(_("Wins"), bars(rows[:MOST_GROUPS]), True, (_("Wins of all plays"),), rows) if rows else None


def compared(meetings: Sequence[Meeting], is_by_game: bool) -> list[Compared]:
    """Gather how a player did against each of the others; or against one of them, game by game."""
    lines: dict[str, list[Meeting]] = {}
    for meeting in meetings:
        lines.setdefault(meeting.game if is_by_game else meeting.other, []).append(meeting)
    return [
        Compared(
            GAMES[key].name if is_by_game else key,
            sum(meeting.plays for meeting in some),
            sum(meeting.ahead for meeting in some),
            sum(meeting.level for meeting in some),
            sum(meeting.behind for meeting in some),
            number(some[0].difference) if is_by_game else "",
        )
        for key, some in lines.items()
    ]


def ahead(lines: Sequence[Compared], are_players: bool) -> Picture:
    """Draw how often a player came before the others, and after."""
    groups = tuple(BarGroup(one.name, (one.ahead, one.behind), (str(one.ahead), str(one.behind))) for one in lines)
    labels = (_("ahead"), _("behind"))
    return Picture(_("Ahead and behind"), bars(groups[:MOST_GROUPS], labels), are_players, labels, groups)


def _picture(
    title: str, labels: tuple[str, ...], rows: Sequence[Row], say: Callable[[float | None], str], whole: float
) -> Picture:
    """Lay out a picture; the numbers of all together have a line each, with their own names."""
    groups = tuple(BarGroup(name, values, tuple(map(say, values))) for name, values in rows)
    are_players = bool(rows[0][0])
    if not are_players:
        together = zip(labels, groups[0].values, groups[0].said, strict=True)
        groups, labels = tuple(BarGroup(label, (value,), (said,)) for label, value, said in together), (title,)
    drawn = groups[: min(MOST_GROUPS, MOST_BARS // len(labels))]
    beside = labels if len(labels) > 1 else ("",)
    return Picture(title, bars(drawn, beside, whole), are_players, labels, groups)


def share(value: float | None) -> str:
    """Say a part of a whole."""
    return "–" if value is None else _percent(round(value, 2), get_locale())


def number(value: float | None) -> str:
    """Say an average."""
    return "–" if value is None else _decimal(round(value, 1), get_locale())


@lru_cache(256)
def _percent(value: float, locale: Locale) -> str:
    return format_percent(value, locale=locale)


@lru_cache(4096)
def _decimal(value: float, locale: Locale) -> str:
    """Write a number with one decimal. Kept, for a page of statistics says hundreds, and many are the same."""
    return format_decimal(value, "#,##0.0", locale=locale).replace("-", "−")
