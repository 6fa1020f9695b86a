"""How a game ended, as a picture to pass on: drawn by the server, so that a link and a hold pass it on."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response
from flask_babel import gettext as _
from flask_babel import ngettext

from companion import log
from companion.desk.dates import day
from companion.desk.language import language
from companion.desk.paper import printed
from companion.desk.passing import evening_of
from companion.desk.wording import voice
from companion.drawing.paper import named
from companion.errors import NotOver
from companion.log import Table
from companion.printing.result import PlaceLine, ResultPicture, result_chart, result_html
from companion.tables.evenings import Evening
from companion.words import Voice


def result_picture(table: Table) -> Response:
    """Answer with the picture. Raises: NotOver, PrinterDown, UNRULED."""
    evening = evening_of(table)
    if evening is None:
        raise NotOver
    html = result_html(log.game_of(table), shown(table, evening), language())
    log.rest()
    picture = printed(lambda printer: printer.painting(html))
    name = f'inline; filename="{evening.opened:%Y-%m-%d}-{evening.game.key}.png"'
    return Response(picture, mimetype="image/png", headers={"Content-Disposition": name})


def shown(table: Table, evening: Evening) -> ResultPicture:
    """Tell what stands on it, in the reader's words."""
    speak, play = voice(table), log.read(table).play
    game, course = play.game, play.game.course(play.positions())
    reasons = [speak.event(reason) for reason in game.reasons(play.position)]
    minutes = ngettext("%(num)s minute", "%(num)s minutes", evening.minutes) if evening.minutes else ""
    return {
        "game_name": evening.called,
        "title": table.title,
        "about": [*filter(None, (evening.location, day(evening.opened, "long"), minutes))],
        "headline": _headline(evening),
        "is_shared": game.is_shared,
        "places": [*_places(evening, speak)],
        "reasons": reasons,
        "course_title": speak.text(course.title) if course else "",
        "chart": result_chart(course.lines, reasons) if course else None,
    }


def _headline(evening: Evening) -> str:
    if not evening.winners:
        return str(_("Lost"))
    if evening.game.is_shared:
        return ""
    if len(evening.winners) > 1:
        return str(_("A shared victory"))
    return str(_("%(name)s wins", name=evening.players[evening.winners[0]]))


def _places(evening: Evening, speak: Voice) -> Iterator[PlaceLine]:
    heads = named(evening.players)
    for place in evening.standing:
        yield {
            "rank": place["rank"],
            "head": heads[place["seat"]],
            "points": place["score"],
            "score": str(speak.say(place["score"])),
            "is_first": place["seat"] in evening.winners,
        }
