"""The book of evenings: what the finished tables of the token tell together."""

from __future__ import annotations

from typing import Any

from companion.api.book_schemas import AskingSchema, StatisticsSchema
from companion.api.description import Blueprint
from companion.desk import quotas, shelf
from companion.desk.phone import is_known
from companion.desk.pictures import in_words, rows_of
from companion.errors import NoToken
from companion.log.statistics import Played, meetings, played

pages = Blueprint("api-book", __name__, description="Book of evenings")


@pages.route("/book/statistics", methods=["GET"])
@pages.doc(security=[{"token": []}])
@pages.arguments(AskingSchema, location="query")
@pages.response(200, StatisticsSchema)
@pages.may_fail(401, 404)
def statistics(query: dict[str, Any]) -> dict[str, Any]:
    """Tell who won, what was counted, and who came before whom."""
    if not is_known():
        raise NoToken
    what = shelf.selection()
    player = what.search.player
    quotas.spend(quotas.BOOKS)
    with quotas.place(quotas.BOOKS):
        met = meetings(what.book, what.search, player, query["against"]) if player else ()
        return {"games": [_game(one) for one in played(what.book, what.search)], "meetings": met}


def _game(played: Played) -> dict[str, Any]:
    return {
        "game": played.game.key,
        "plays": played.plays,
        "players": played.tallies,
        "statistics": [
            {
                "title": in_words(played.game, statistic.title),
                "per": statistic.per.value,
                "is_share": statistic.is_share,
                "bars": [
                    {"label": in_words(played.game, bar.label), "figure": bar.figure, "each": bar.each}
                    for bar in statistic.bars
                ],
                "rows": [{"player": name or None, "values": values} for name, values in rows_of(statistic, played)],
            }
            for statistic in played.game.statistics
        ],
    }
