"""The part of a page that lives: what one seat sees, the same in the page, in the stream and after a tap."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, current_app, render_template
from flask_babel import gettext as _
from markupsafe import Markup

from companion import log, metrics
from companion.desk.addresses import join_address, qr
from companion.desk.language import language
from companion.desk.undoing import undoing
from companion.desk.wording import Refusal, facts, voice
from companion.drawing.chart import Chart, chart
from companion.figures import Course
from companion.frozen import replace
from companion.log import Reading, Table
from companion.play import Play
from companion.record import winners
from companion.rendering.plain import Writer
from companion.tables.seating import Asker, next_code
from companion.web import any_game
from companion.web.renderings import rendering

PLAIN = Writer({})
"""Writes what belongs to no game."""


@dataclass(frozen=True, slots=True)
class End:
    """What a finished game has to say beside its score, in the reader's language."""

    reasons: list[str]
    """Why the standing is as it is, where scores alone do not say it."""
    course: Course | None
    chart: Chart | None
    """The course, laid out; None for a course without a step."""
    next: str | None
    """The code of the table where the same people went on."""


class Rendered:
    """Parts that were rendered lately: identical viewers share one."""

    def __init__(self, most: int = 512) -> None:
        """Start empty."""
        self._most = most
        self._parts: OrderedDict[tuple[Any, ...], Markup] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[Any, ...]) -> Markup | None:
        """Look up a part."""
        with self._lock:
            return self._parts.get(key)

    def keep(self, key: tuple[Any, ...], part: Markup) -> Markup:
        """Keep a part, and drop the oldest."""
        with self._lock:
            self._parts[key] = part
            if len(self._parts) > self._most:
                self._parts.popitem(last=False)
        return part


def init_app(app: Flask) -> None:
    """Give an app its rendered parts."""
    app.extensions["companion.parts"] = Rendered()


def part_of(asker: Asker, seat: int | None, reading: Reading, refusal: Refusal | None = None) -> Markup:
    """Render the live part for a seat (None: the screen), by the one function for page, stream and tap."""
    if refusal is None and (kept := kept_part(asker, seat, reading)):
        return kept
    with metrics.RENDER.time():
        part = drawn(asker.table, template(asker.table, seat), told(asker, seat, reading, refusal))
    return part if refusal is not None else _rendered().keep(_viewer(asker, seat, reading), part)


def kept_part(asker: Asker, seat: int | None, reading: Reading) -> Markup | None:
    """Look up the live part where an identical viewer has seen it already; that takes no request, only a language."""
    return _rendered().get(_viewer(asker, seat, reading))


def _viewer(asker: Asker, seat: int | None, reading: Reading) -> tuple[Any, ...]:
    """Say what a part depends on."""
    table = asker.table
    about = table.code, reading.number, seat, asker.is_host, tuple(asker.seats), asker.seat, language()
    return (*about, table.is_locked)


def _rendered() -> Rendered:
    rendered: Rendered = current_app.extensions["companion.parts"]
    return rendered


def template(table: Table, seat: int | None) -> str:
    """Name the template of the live part: the game's own, or the plain one of any game."""
    return rendering(log.game_of(table)).template(seat)


def drawn(table: Table, name: str, told: Mapping[str, Any]) -> Markup:
    """Draw a live part from what it is told: a phone does the same, by the same template."""
    speaker = rendering(log.game_of(table)).speaker(language(), told["names"])
    return Markup(render_template(name, **told, say=speaker.say))


def told(asker: Asker, seat: int | None, reading: Reading, refusal: Refusal | None = None) -> dict[str, Any]:
    """Tell what a live part shows, as plain data: the seat's view, and what the table knows around it."""
    table, play = asker.table, reading.play
    game, position, speak, draws = play.game, play.position, voice(table), rendering(play.game)
    standing = game.standing(position)
    return {
        "table": {
            "code": table.code,
            "is_over": standing.is_finished,
            "game": {"key": game.key, "name": game.name, "sheets": list(game.sheets)},
        },
        "names": list(speak.players),
        "seat": seat,
        "own": asker.seat,
        "is_host": asker.is_host,
        "acts_for": asker.seats,
        "view": _view(play, seat),
        "views": _views(asker, seat, play) if "views" in draws.needs.names else [],
        "number": reading.number,
        "key": f"{reading.number}.{'host' if seat is None else seat}",
        "undo": PLAIN(undoing(asker, play.undo, play, speak)) if play.undo else None,
        "redo": PLAIN(undoing(asker, play, play.redo, speak)) if play.redo else None,
        "refusal": PLAIN(refusal),
        "remarks": [speak.rule(remark.rule, remark.facts) for remark in play.remarks],
        "last": [speak.event(event) for event in play.events],
        "end": PLAIN(end_of(table, play)) if standing.is_finished else None,
        "is_then": False,
        **(_invitation(table) if seat is None else {}),
        **(plain_of(asker, seat, reading) if draws.template(seat).startswith("games/any/") else {}),
    }


def result(table: Table, play: Play[Any]) -> dict[str, Any]:
    """Gather what the page of the result shows."""
    speak, standing = voice(table), play.game.standing(play.position)
    won = winners(play.game, table.result) if table.result else ()
    return {
        "table": facts(table, play),
        "names": speak.players,
        "say": speak.say,
        "end": PLAIN(end_of(table, play)) if standing.is_finished else None,
        "places": standing.places,
        "winners": won,
    }


def end_of(table: Table, play: Play[Any]) -> End:
    """Sum up a game that is over."""
    course = play.game.course(play.positions())
    has_steps = course is not None and len(course.lines[0]) > 1
    return End(
        [voice(table).event(reason) for reason in play.game.reasons(play.position)],
        course and replace(course, title=_(course.title), step=_(course.step)),
        chart(course.lines) if course and has_steps else None,
        next_code(table),
    )


def _views(asker: Asker, seat: int | None, play: Play[Any]) -> list[Any]:
    """Show what the other seats of this phone see, so that a scorekeeper can act for them; None for any other seat."""
    others = {*asker.seats} - {seat} if seat is not None else set()
    return [_view(play, own) if own in others else None for own in range(play.seats)]


def _view(play: Play[Any], seat: int | None) -> Any:
    view, position = play.game.view, play.position
    return rendering(play.game).write.beside(view(position, seat), view(position, None))


def _invitation(table: Table) -> Mapping[str, Any]:
    return {"qr": str(qr(table.code)), "join": join_address(table.code)}


def plain_of(asker: Asker, seat: int | None, reading: Reading) -> dict[str, Any]:
    """Tell what the plain pages need, which games with their own do without."""
    play = reading.play
    made = [] if seat is None else any_game.forms(play, voice(asker.table), asker.seats)
    return {"plain": PLAIN({"standing": play.game.standing(play.position).places, "forms": made})}
