"""What a game raises upon what is asked at one of its tables, told apart from what the database cannot do now."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError

from companion.errors import CompanionError, NotSaved
from companion.game import N_


class Stumbled(CompanionError):
    """The rules or the words of a game raise upon what was asked: nothing was changed."""

    status, key = 500, "internal_server_error"
    title = N_("Something broke")
    message = N_("This is our fault. The table is as it was; please try again.")


def fault_of(problem: Exception) -> CompanionError:
    """Say what a problem is that nobody has foreseen: a database may answer again soon, a game stumbles each time."""
    return NotSaved() if isinstance(problem, SQLAlchemyError) else Stumbled()
