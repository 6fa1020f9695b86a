"""The part of a page that lives: what one seat sees, the same in the page, in the stream and after a tap."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from flask import Flask, current_app, render_template
from markupsafe import Markup

from companion import log, metrics
from companion.desk import wifi
from companion.desk.addresses import our_address
from companion.desk.language import language
from companion.desk.wording import Refusal
from companion.log import Reading, Table
from companion.rendering.differences import put_in
from companion.settings import Settings
from companion.tables.seating import Asker, has_room
from companion.web.renderings import rendering
from companion.web.telling import Telling, as_data, invitation

PART = "text/vnd.companion.part+html"
"""What the script accepts: a part of a page alone."""
MOST, KEPT_S = 512, 60.0
"""So many parts are kept, and so long: each is some 20 kB, and once the table has gone on nobody asks for it."""


class Rendered:
    """Parts that were rendered lately: identical viewers share one, as long as they ask at about the same time."""

    def __init__(self, most: int = MOST, kept_s: float = KEPT_S) -> None:
        """Start empty."""
        self._most, self._kept_s = most, kept_s
        self._parts: OrderedDict[tuple[Any, ...], tuple[Markup, float]] = OrderedDict()
        """With the time of each; the oldest is the first."""
        self._lock = threading.Lock()

    def get(self, key: tuple[Any, ...]) -> Markup | None:
        """Look up a part."""
        with self._lock:
            kept = self._parts.get(key)
        return kept[0] if kept else None

    def keep(self, key: tuple[Any, ...], part: Markup) -> Markup:
        """Keep a part, and drop what is old, or too many."""
        now = time.monotonic()
        with self._lock:
            self._parts[key] = part, now
            self._parts.move_to_end(key)
            while len(self._parts) > self._most or now - self._oldest > self._kept_s:
                self._parts.popitem(last=False)
        return part

    @property
    def _oldest(self) -> float:
        return next(iter(self._parts.values()))[1]


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
    """Say what a part depends on; a name may have been changed without an entry."""
    table = asker.table
    about = table.code, reading.number, seat, asker.is_host, tuple(asker.seats), asker.seat, language()
    return (
        *about,
        *(place.name for place in table.seatings),
        table.is_locked,
        table.is_taught,
        *((our_address(), wifi.kept(_settings())) if seat is None else ()),
    )


def _settings() -> Settings:
    settings: Settings = current_app.config["COMPANION"]
    return settings


def _rendered() -> Rendered:
    rendered: Rendered = current_app.extensions["companion.parts"]
    return rendered


def template(table: Table, seat: int | None) -> str:
    """Name the template of the live part: the game's own, or the plain one of any game."""
    return rendering(log.game_of(table)).template(seat)


def drawn(table: Table, name: str, told: Mapping[str, Any]) -> Markup:
    """Draw a live part from what it is told: a phone does the same, by the same template."""
    speaker = rendering(log.game_of(table)).speaker(language(), told["names"])
    return Markup(render_template(name, **told, say=speaker.say))  # noqa: S704 (it is drawn)


def told(asker: Asker, seat: int | None, reading: Reading, refusal: Refusal | None = None) -> dict[str, Any]:
    """Tell what a live part shows, as plain data: the seat's view, and what the table knows around it."""
    telling = Telling(asker.table, reading)
    around = invitation(asker.table, has_room(asker.table)) if seat is None else {}
    seen: dict[str, Any] = put_in(telling.to_all, {**telling.to(asker, seat), **around})
    return {**seen, "refusal": as_data(refusal)}
