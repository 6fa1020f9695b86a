"""The companion of a table with a physical game: phones post moves, the referee rules, the log keeps, paper prints.

The map. A group plays with the real box. The path of a move, step by step:

1. `web/line.py`          a tap comes by the page's own line (`push/`, `desk/talking.py`), by `web/table.py` as a form
                          where there is none: which table, which phone, is it our own page that asks
2. `web/forms.py`         the form becomes data, as the table record has it, by the schemas of the game
3. `tables/referee.py`    the data becomes a move (`record.py`), and that a wish: may this phone ask it; has the table
                          moved on
4. `log/door.py`          was it asked before; position and number, from one reading of the table's log, which memory
                          keeps (`readings.py`)
5. `play.py`              the move is judged upon the moves before it, by `games/<game>/rules.py`
6. `log/together.py`      the entry is committed, durably, with those that came meanwhile; only then
7. `push/bell.py`         the bell rings, by Redis on other servers, too; whoever listens (`push/lines.py`,
                          `desk/listening.py`) is told as data how the table stands (`web/telling.py`), or what has
                          changed in it (`rendering/`); the phone draws it by the server's own template

Directions, kept by `pyproject.toml`: `web`, `api` and `commands` know the `desk`, it knows the `tables` and what is
printed, these know the `log`, it knows the `games`; a game knows nothing but `game.py` and its few neighbours.
`printing/` turns sheets into PDF in a process of its own, `server/` starts the processes, `drawing/` computes pictures,
`rendering/` compiles the templates of the live parts, which both renderers draw by.
What differs from game to game is a field of `Game` or of its view: nothing outside a game's own folders asks which game
it is. A `Source:` names a book, or a ruling by its id (R22) as in `docs/decisions.md`; why the house is built so stands
in `docs/architecture.md`.
"""

from __future__ import annotations

import gc
import logging
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from flask import Flask

    from companion.push.bell import Bell
    from companion.settings import Settings

__version__ = "0.3.0.dev0"


@contextmanager
def starting() -> Iterator[None]:
    """Look for no garbage meanwhile: what is loaded stays, and to look through it again takes a fifth of a start."""
    is_looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_looking:
            gc.enable()


@starting()
def create_app(settings: Settings | None = None) -> Flask:
    """Make the app.

    Args:
        settings: where the data is; read from the environment when left out.

    Raises:
        StartError: the database would not keep what it confirms.
    """
    # Here, and not above: the rules, the record and the render process need no web.
    from flask import Flask  # noqa: PLC0415

    from companion import api, log, web  # noqa: PLC0415
    from companion.desk import listening, talking  # noqa: PLC0415
    from companion.games import TURNED_AWAY, brought  # noqa: PLC0415
    from companion.phantoms import demonstration, playing  # noqa: PLC0415
    from companion.push.hearing import Hearing, SharedHearing  # noqa: PLC0415
    from companion.settings import TEMPLATES, from_environment  # noqa: PLC0415

    settings = settings or from_environment()
    app = Flask(
        __name__,
        template_folder=str(TEMPLATES),
        # The stamp stands in the path, so that what a script imports changes its address with the rest.
        static_url_path=f"/static/{_stamp(Path(__file__).parent / 'static', *brought('static'))}",
    )
    _configure(app, settings)
    bell = app.extensions["companion.bell"] = _bell(app, settings.redis)
    app.extensions["companion.hearing"] = SharedHearing(settings.redis) if settings.redis else Hearing()
    log.init_app(app, told=bell.ring)
    listening.init_app(app)
    talking.init_app(app)
    playing.init_app(app)
    demonstration.init_app(app)
    web.init_app(app)
    api.init_app(app)
    for problem in TURNED_AWAY:
        logging.getLogger("companion").warning(problem)
    return app


def _configure(app: Flask, settings: Settings) -> None:
    """Tell Flask and its extensions what we need of them."""
    from companion.intake import MOST_OF_A_BODY  # noqa: PLC0415

    app.config.update(
        SECRET_KEY=settings.secret,
        SQLALCHEMY_DATABASE_URI=settings.database,
        # A sealed bid must not stand in the server's log either, when it could not be saved.
        # Connections are kept, not opened and closed with each wave of requests; nobody waits longer for one than for
        # the database itself. The one used last comes first: it alone knows the pages that it has just written.
        SQLALCHEMY_ENGINE_OPTIONS={
            "pool_size": 32,
            "max_overflow": 0,
            "pool_timeout": 5,
            "pool_use_lifo": True,
            "hide_parameters": True,
        },
        MAX_CONTENT_LENGTH=MOST_OF_A_BODY,
        COMPANION=settings,
    )


def _bell(app: Flask, redis: str) -> Bell:
    """Make the bell; it looks into the app's log when it cannot hear the others."""
    from companion import log  # noqa: PLC0415
    from companion.push.bell import Bell, SharedBell  # noqa: PLC0415

    def look(codes: Collection[str]) -> Mapping[str, int]:
        with app.app_context():
            return log.newest(codes)

    return SharedBell(redis, look) if redis else Bell(look)


def _stamp(*folders: Path) -> str:
    """Tell one state of folders from another."""
    parts = sorted(file for folder in folders for file in folder.rglob("*") if file.is_file())
    return sha256(b"".join(file.name.encode() + file.read_bytes() for file in parts)).hexdigest()[:12]
