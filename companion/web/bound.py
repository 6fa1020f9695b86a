"""The book of evenings and its statistics, to print: what their pages show, on as many sheets as it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from flask import Blueprint, Response
from flask_babel import gettext as _
from flask_babel import ngettext

from companion import log
from companion.desk import dates, quotas
from companion.desk.language import language
from companion.desk.paper import paper, printed
from companion.desk.pictures import Compared, Picture, number
from companion.desk.shelf import Selection, dated, selection
from companion.drawing.paper import typeset
from companion.games import known
from companion.log import Table
from companion.log import book as shelf
from companion.log.statistics import Tally
from companion.printing import bound
from companion.web.book import ShownEvening, ShownPlayer, shown
from companion.web.statistics import Chapter, StatisticsPage, gathered, other

MOST = 300
"""Evenings in one document; of more, the newest."""

pages = Blueprint("bound", __name__)


@pages.get("/book/evenings.pdf")
def evenings() -> Response:
    """Print the evenings of this phone, or of one of its groups."""
    quotas.spend(quotas.BOOKS)
    with quotas.place(quotas.BOOKS):
        html = evenings_html(selection(), paper())
    return _answered(html, "evenings")


@pages.get("/book/statistics.pdf")
def statistics() -> Response:
    """Print what the evenings tell together."""
    quotas.spend(quotas.BOOKS)
    with quotas.place(quotas.BOOKS):
        html = statistics_html(selection(), other(), paper())
    return _answered(html, "statistics")


def evenings_html(what: Selection, paper: str) -> str:
    """Write the sheets of the evenings that are asked for, in the reader's language."""
    return bound.book_html(_book(what), language(), paper)


def statistics_html(what: Selection, other: str, paper: str) -> str:
    """Write the sheets of what they tell together; with whom alone the one who is looked for is compared, or ""."""
    return bound.statistics_html(_statistics(what, gathered(what, other)), language(), paper)


def _answered(html: str, name: str) -> Response:
    """Print it; the database is not needed meanwhile."""
    log.rest()
    pdf = printed(lambda printer: printer.pdf(html))
    said = f'inline; filename="{dated(f"{name}.pdf")}"'
    return Response(pdf, mimetype="application/pdf", headers={"Content-Disposition": said})


def _cover(what: Selection, title: str, told: str) -> bound.Cover:
    group, typed = what.group, what.typed
    game = [known(typed["game"]).name] if "game" in typed else []
    return {
        "title": f"{title} – {group.name}" if group else title,
        "told": told,
        "looked_for": [*([typed["player"]] if "player" in typed else []), *game],
        "since": typed.get("since", ""),
        "until": typed.get("until", ""),
    }


def _book(what: Selection) -> bound.BoundBook:
    count = shelf.count(what.book, what.search)
    told = ngettext("%(num)s evening", "%(num)s evenings", count)
    if count > MOST:
        told = _("The newest %(most)s of %(count)s evenings", most=MOST, count=count)
    found = islice(shelf.all_evenings(what.book, what.search), MOST)
    return {**_cover(what, _("Book of evenings"), told), "months": [*_months(found)]}


def _months(tables: Iterator[Table]) -> Iterator[bound.Month]:
    for month, some in groupby(tables, lambda table: dates.month(table.opened)):
        yield {"name": month, "evenings": [_evening(shown(table)) for table in some]}


def _evening(evening: ShownEvening) -> bound.Evening:
    return {
        "game": evening["called"],
        "title": evening["title"],
        "when": evening["when"],
        "place": evening["location"],
        "players": [_player(player, evening["score"] is None) for player in evening["players"]],
        "notes": [*_notes(evening)],
    }


def _player(player: ShownPlayer, has_own: bool) -> bound.Player:
    score = typeset(player["score"]) if has_own and player["score"] is not None else ""
    return {"name": player["name"], "score": score, "is_first": player["is_first"]}


def _notes(evening: ShownEvening) -> Iterator[str]:
    """Say how it ended, as the page of the book does."""
    if evening["is_broken_off"]:
        yield _("broken off")
    elif not evening["is_over"]:
        yield _("not over")
    elif evening["score"] is not None:
        yield ngettext("%(num)s point", "%(num)s points", evening["score"])
    if evening["is_lost"]:
        yield _("Lost")


def _statistics(what: Selection, page: StatisticsPage) -> bound.BoundStatistics:
    told = ngettext(
        "From %(num)s game that was played to its end.",
        "From %(num)s games that were played to their end.",
        page.count,
    )
    chapters = [
        *([_against(page)] if page.compared else []),
        *([_chapter(_("All games"), "", [_drawn(page.wins)])] if page.wins else []),
        *(_of_game(chapter) for chapter in page.chapters),
    ]
    return {**_cover(what, _("Statistics"), told), "chapters": chapters}


def _chapter(title: str, told: str, tables: Sequence[bound.Lines]) -> bound.Chapter:
    return {"title": title, "told": told, "tables": [part for table in tables for part in bound.on_pages(table)]}


def _against(page: StatisticsPage) -> bound.Chapter:
    """Tell how a player did against the others, or against one of them."""
    if page.other:
        title, first = _("%(player)s and %(other)s", player=page.player, other=page.other), _("Game")
    else:
        title, first = _("%(player)s and the others", player=page.player), _("Player")
    heads = [_("played"), _("ahead"), _("level"), _("behind"), *([_("points apart")] if page.other else [])]
    return _chapter(title, "", [_table(first, heads, [_met(one) for one in page.compared])])


def _met(one: Compared) -> bound.Line:
    difference = [one.difference] if one.difference else []
    return _line(one.name, [*map(str, (one.plays, one.ahead, one.level, one.behind)), *difference])


def _of_game(chapter: Chapter) -> bound.Chapter:
    played, places = chapter.played, chapter.places
    heads = [_("played"), *(f"{place}." for place in range(1, places + 1)), _("best"), _("average")]
    lines = [_line(tally.player, [*_numbers(tally, places)]) for tally in played.tallies]
    told = ngettext("%(num)s game", "%(num)s games", played.plays)
    gone = ", ".join(f"{tally.player} {tally.left}" for tally in played.tallies if tally.left)
    told += f" · {_('Played to the end by another hand:')} {gone}" if gone else ""
    return _chapter(played.game.name, told, [_table(_("Player"), heads, lines), *map(_drawn, chapter.pictures)])


def _numbers(tally: Tally, places: int) -> Iterator[str]:
    yield str(tally.plays)
    yield from (str(tally.places[place] or "–") for place in range(places))
    yield typeset(tally.best)
    yield number(tally.average)


def _table(first: str, labels: Sequence[str], lines: Sequence[bound.Line]) -> bound.Lines:
    return {"title": "", "first": first, "labels": labels, "has_bars": False, "lines": lines, "left_out": 0}


def _line(name: str, cells: Sequence[str]) -> bound.Line:
    return {"name": name, "cells": [{"said": said, "share": 0} for said in cells]}


def _drawn(picture: Picture) -> bound.Lines:
    """Tell a picture as a table whose numbers have bars: there every name stands whole, and all of them do."""
    longest = max((abs(value or 0) for row in picture.rows for value in row.values), default=0) or 1
    return {
        "title": picture.title,
        "first": _("Player") if picture.are_players else _("What is counted"),
        "labels": picture.labels,
        "has_bars": True,
        "lines": [
            {
                "name": row.name,
                "cells": [
                    {"said": said, "share": round(100 * abs(value or 0) / longest, 1)}
                    for said, value in zip(row.said, row.values, strict=True)
                ],
            }
            for row in picture.rows
        ],
        "left_out": 0,
    }
