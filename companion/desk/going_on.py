"""Where the people of a table go on when its game is over, as the form says that opens the next one."""

from __future__ import annotations

from contextlib import suppress

from companion import log
from companion.desk import wording
from companion.desk.phone import phone
from companion.errors import NoSuchTable
from companion.log import Table
from companion.log.unruled import UNRULED
from companion.tables import onward, seating
from companion.tables.halting import BROKEN_OFF
from companion.tables.seating import Asker


def lead_on(code: str, following: Table, key: str) -> None:
    """Tell the table that was left, if this phone was at it, where its people go on."""
    with suppress(NoSuchTable, *UNRULED):
        before = Asker(seating.find_table(code), phone())
        facts = wording.facts(before.table, log.read(before.table).play)
        if _was_there(before) and (facts.is_over or facts.halt == BROKEN_OFF):
            onward.go_on(before, following, key)


def gone_on(code: str) -> str | None:
    """Name the table to which another phone has led its people meanwhile; None while none has."""
    with suppress(NoSuchTable):
        before = Asker(seating.find_table(code), phone())
        following = onward.next_code(before.table) if _was_there(before) else None
        if following is not None and seating.find_table(following).host != phone():
            return following
    return None


def _was_there(asker: Asker) -> bool:
    return asker.is_host or asker.seat is not None
