"""The book of evenings: what the finished tables of the token tell together."""

from __future__ import annotations

from datetime import date
from typing import Any

from companion.api.book_schemas import Asking, Statistics
from companion.api.description import Blueprint
from companion.errors import NoToken
from companion.log.book import Book, Search
from companion.log.statistics import Played, meetings, played
from companion.web.phone import is_known, phone
from companion.web.pictures import rows_of, told
from companion.web.statistics import moment

pages = Blueprint("api-book", __name__, description="Book of evenings")


@pages.route("/book/statistics", methods=["GET"])
@pages.doc(security=[{"token": []}])
@pages.arguments(Asking, location="query")
@pages.response(200, Statistics)
@pages.may_fail(401)
def statistics(asked: dict[str, Any]) -> dict[str, Any]:
    """Tell who won, what was counted, and who came before whom."""
    if not is_known():
        raise NoToken
    mine, player = Book(phone()), asked["player"].strip()
    search = Search(player, asked["game"], _begins("since", asked["since"]), _begins("until", asked["until"], 1))
    met = meetings(mine, search, player, asked["against"]) if player else ()
    return {"games": [_game(one) for one in played(mine, search)], "meetings": met}


def _begins(name: str, day: date | None, days: int = 0) -> str:
    return moment(name, day.isoformat() if day else "", days)


def _game(played: Played) -> dict[str, Any]:
    return {
        "game": played.game.key,
        "plays": played.plays,
        "players": played.tallies,
        "statistics": [
            {
                "title": told(played.game, statistic.title),
                "per": statistic.per.value,
                "is_share": statistic.is_share,
                "bars": [
                    {"label": told(played.game, bar.label), "figure": bar.figure, "each": bar.each}
                    for bar in statistic.bars
                ],
                "rows": [{"player": name or None, "values": values} for name, values in rows_of(statistic, played)],
            }
            for statistic in played.game.statistics
        ],
    }
