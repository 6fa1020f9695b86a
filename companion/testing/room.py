"""A room with tables: the companion's app upon a database of its own, and phones that ask there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache

from companion import create_app, log
from companion.desk.phone import signed
from companion.games import GAMES
from companion.settings import Settings
from companion.settings.written import sqlite_at
from companion.tables import opening, seating
from companion.tables.seating import Asker, hashed
from companion.web.renderings import Rendering

KEY = b"s" * 32
"""The secret key of every room."""


class Compiled(BytecodeCache):
    """Compiled templates, for all rooms of a process: to compile a page takes ten times what it takes to draw it."""

    def __init__(self) -> None:
        """Begin with none."""
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template's code, if it has been compiled since it was changed."""
        if (code := self.kept.get(bucket.key + bucket.checksum)) is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template's code."""
        self.kept[bucket.key + bucket.checksum] = bucket.bytecode_to_string()


COMPILED = Compiled()
DRAWN: dict[str, Rendering] = {}
"""How each game is drawn, likewise."""


def furnished(app: Flask) -> Flask:
    """Let an app draw with what the rooms before it have compiled; the templates are the same for all."""
    app.jinja_env.bytecode_cache = COMPILED
    app.extensions["companion.renderings"] = DRAWN
    return app


class Room:
    """An app upon a database in a folder."""

    app: Flask

    def __init__(self, folder: Path) -> None:
        """Make the app and its database."""
        folder.mkdir(exist_ok=True)
        database = sqlite_at(folder / "companion.sqlite")
        self.app = furnished(create_app(Settings(data=folder, database=database, secret=KEY)))
        with self.app.app_context():
            log.upgrade()

    def close(self) -> None:
        """Give all connections back."""
        with self.app.app_context():
            log.close()

    def open(self, names: Sequence[str], phones: Mapping[int, str] | None, game: str, **options: Any) -> str:
        """Open a table whose host is the phone `host`; `phones` sit down. Gives the code."""
        with self.app.app_context():
            table = opening.open_table(GAMES[game], options, names, hashed(secret("host")))
            code = table.code
        for seat, phone in (phones or {}).items():
            with self.asks(code, phone) as asker:
                seating.sit_down(asker, seat, phone.title(), f"sit.{seat}")
        return code

    @contextmanager
    def asks(self, code: str, phone: str) -> Iterator[Asker]:
        """Hold one request of a phone."""
        with self.app.app_context():
            yield Asker(seating.find_table(code), hashed(secret(phone)))


def secret(phone: str) -> str:
    """Make a phone's secret of its name, as in a cookie of ours."""
    return signed(phone.encode().hex().ljust(32, "0")[:32], KEY)
