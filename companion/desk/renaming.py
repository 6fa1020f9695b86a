"""A player is called otherwise wherever the name stands, on pages that are open, too; or forgotten."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from companion.desk.keys import fresh_key, own_key
from companion.errors import NoSuchTable
from companion.intake import written
from companion.log import book, keeping
from companion.log.unruled import UNRULED
from companion.tables import seating
from companion.tables.seating import Asker

LATELY = timedelta(days=1)
"""A table where nothing has happened for so long is told of no other name."""


def rename(name: str, to: str, host: str | None = None) -> int:
    """Call somebody otherwise, or with "" nothing at all. Args, Returns, Raises: as `keeping.rename`."""
    called = book.called(name, written(datetime.now(UTC) - LATELY), host) if to != name else ()
    try:
        return keeping.rename(name, to, host)
    finally:  # it is told where it can still be found in the files, too
        for code, seat in called:
            with suppress(NoSuchTable, *UNRULED):
                table = seating.find_table(code)
                seating.tell_name(Asker(table, table.host), seat, own_key(fresh_key(), table.host))
