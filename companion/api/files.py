"""What other programs keep plays in: each file by an address of its own, so that each says what it is."""

from __future__ import annotations

from typing import Any

from flask import Response

from companion.api.description import Blueprint
from companion.api.evening_schemas import FilterSchema
from companion.api.file_schemas import BgStatsSchema
from companion.api.games import BINARY
from companion.api.schemas import RecordSchema
from companion.desk import passing, shelf
from companion.desk.asking import asker_at
from companion.desk.phone import is_known
from companion.errors import NoToken

pages = Blueprint("api-files", __name__, description="Files")

SHAPES: dict[str, Any] = {"csv": {"type": "string"}, "bgsplay": BgStatsSchema, "json": RecordSchema, "zip": BINARY}
"""What is in a file, by the end of its name."""
OF_A_PLAY = {
    "plays.csv": "Hand a finished play on to a spreadsheet: a line for every player.",
    "rounds.csv": "Hand the course of a finished play on to a spreadsheet: a line for every player after every step.",
    "play.bgsplay": "Hand a finished play on to BG Stats.",
    "record.json": "Hand a play on as a record, to keep as a file.",
}
OF_ALL = {
    "plays.csv": "Hand the evenings on to a spreadsheet: a line for every player of every play.",
    "rounds.csv": "Hand the courses of the evenings on to a spreadsheet: a line for every player after every step.",
    "plays.bgsplay": "Hand the evenings on to BG Stats.",
    "records.zip": "Hand the records of the evenings on, a file each.",
}


def _table_file(file: str) -> None:
    """Hand a play on in a file."""

    def handed_on(code: str) -> Response:
        return passing.handed_on(asker_at(code).table, file)

    handed_on.__name__, handed_on.__doc__ = _named("table", file), OF_A_PLAY[file]
    kind, _write = passing.FILES[file]
    handed_on = pages.may_fail(404, 409)(handed_on)
    handed_on = pages.response(200, _shape(file), content_type=kind)(handed_on)
    pages.get(f"/tables/<code>/files/{file}")(handed_on)


def _book_file(file: str) -> None:
    """Hand evenings on in a file."""

    def handed_on(query: dict[str, Any]) -> Response:
        if not is_known():
            raise NoToken
        return shelf.handed_on(file)

    handed_on.__name__, handed_on.__doc__ = _named("book", file), OF_ALL[file]
    kind, _write = shelf.FILES[file]
    handed_on = pages.may_fail(401, 404)(handed_on)
    handed_on = pages.doc(security=[{"token": []}])(handed_on)
    handed_on = pages.response(200, _shape(file), content_type=kind)(handed_on)
    handed_on = pages.arguments(FilterSchema, location="query")(handed_on)
    pages.get(f"/book/files/{file}")(handed_on)


def _named(of: str, file: str) -> str:
    return f"{of}_{file.replace('.', '_')}"


def _shape(file: str) -> Any:
    return SHAPES[file.rpartition(".")[2]]


for _file in passing.FILES:
    _table_file(_file)
for _file in shelf.FILES:
    _book_file(_file)
