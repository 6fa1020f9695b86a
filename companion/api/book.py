"""The book of evenings: what the finished tables of the token tell together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from companion.api.book_schemas import LeafingSchema, StatisticsSchema
from companion.api.description import Blueprint
from companion.desk import quotas, shelf
from companion.desk.phone import is_known
from companion.desk.pictures import rows_of
from companion.desk.wording import in_words
from companion.errors import NoToken
from companion.log.statistics import Played, meetings, played

T = TypeVar("T")

pages = Blueprint("api-book", __name__, description="Book of evenings")


@pages.route("/book/statistics", methods=["GET"])
@pages.doc(security=[{"token": []}])
@pages.arguments(LeafingSchema, location="query")
@pages.response(200, StatisticsSchema)
@pages.may_fail(401, 404)
def statistics(query: dict[str, Any]) -> dict[str, Any]:
    """Tell who won, what was counted, and who came before whom; of many players and meetings, fifty a page."""
    if not is_known():
        raise NoToken
    what = shelf.selection()
    player = what.search.player
    quotas.spend(quotas.BOOKS)
    with quotas.place(quotas.BOOKS):
        met = meetings(what.book, what.search, player, query["against"]) if player else ()
        games = [_game(one, query["page"]) for one in played(what.book, what.search)]
        return {"games": games, "count": len(met), "meetings": _on_page(met, query["page"])}


def _on_page(all_: Sequence[T], page: int) -> Sequence[T]:
    return all_[(page - 1) * shelf.PAGE : page * shelf.PAGE]


def _game(played: Played, page: int) -> dict[str, Any]:
    players = _on_page(played.tallies, page)
    shown = {"", *(tally.player for tally in players)}
    return {
        "game": played.game.key,
        "plays": played.plays,
        "count": len(played.tallies),
        "players": players,
        "statistics": [
            {
                "title": in_words(played.game, statistic.title),
                "per": statistic.per.value,
                "is_share": statistic.is_share,
                "bars": [
                    {"label": in_words(played.game, bar.label), "figure": bar.figure, "each": bar.each}
                    for bar in statistic.bars
                ],
                "rows": [
                    {"player": name or None, "values": values}
                    for name, values in rows_of(statistic, played)
                    if name in shown
                ],
            }
            for statistic in played.game.statistics
        ],
    }
