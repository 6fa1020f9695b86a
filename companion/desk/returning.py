"""The return code of a phone at a table: six letters and digits, made of the secret that it has there.

Nothing is kept: a phone that has come back has another secret, and so another code, and the old one is nobody's. Wrong
ones are counted as wrong codes of tables are.
"""

from __future__ import annotations

from hmac import compare_digest

from flask import g

from companion.desk.guard import limited
from companion.desk.phone import derived, phone
from companion.errors import NoSuchReturn, NoSuchTable
from companion.log import Table
from companion.log.codes import CODE_LENGTH, code_of, is_code, read_code
from companion.tables import returning, seating
from companion.tables.seating import Asker


def own_code(asker: Asker) -> str:
    """Tell a phone by which code it comes back to a table; "" where it has nothing there, or the game is over."""
    return _code(asker.table, asker.phone) if asker.phone in returning.phones(asker.table) else ""


@limited
def sought(code: str, typed: str) -> tuple[Asker, str]:
    """Find the phone at a table that comes back by what was typed; gives who asks, and what it was, hashed.

    Raises:
        NoSuchTable, NoSuchReturn.
        TooManyRequests: too many wrong codes came from there, or from everywhere.
    """
    try:
        table = seating.find_table(code)
        return Asker(table, phone()), _found(table, read_code(typed))
    except (NoSuchTable, NoSuchReturn):
        g.is_miss = True
        raise


def _found(table: Table, said: str) -> str:
    if is_code(said, CODE_LENGTH):
        for before in returning.phones(table):
            if compare_digest(_code(table, before), said):
                return before
    raise NoSuchReturn


def _code(table: Table, phone: str) -> str:
    return code_of(int(derived("return", table.code, phone)[:16], 16), CODE_LENGTH)
