"""Several hosts of PostgreSQL: one takes what is entered, and confirms it when a standby has it, too.

A commit waits for the standby as long as it takes: for ever, where none is there. Nobody waits with it for so long. It
is let go of, and nobody sees what it has written before the standby has it; whoever asked comes again.
What broke off otherwise may be seen though no standby has it: before `ensure` nobody is told that it is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.pq import TransactionStatus

from companion.log import kind

if TYPE_CHECKING:
    from psycopg.abc import PQGen
    from psycopg.errors import Diagnostic

LONGER_S = 1.0
"""So long an answer is waited for after a server should have given up: one that is frozen gives up nothing."""
ALONE = "SyncRepWaitForLSN"
"""Who warns, in PostgreSQL, that a commit did not wait for a standby to its end."""
TIMELINE = "SELECT CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END"
"""Asks for what changes whenever another server takes over."""


class Connection(psycopg.Connection[Any]):
    """A connection that confirms nothing that one machine alone has, where a standby has to have it."""

    is_patient = False
    """Whether an answer may take as long as it takes, until the transaction has ended."""
    _is_alone = False
    _is_committing = False

    def hear(self, said: Diagnostic) -> None:
        """Note a warning that somebody has broken off the wait for a standby."""
        self._is_alone |= said.source_function == ALONE

    def commit(self) -> None:
        """Commit, and wait only so long for a standby. Raises: OperationalError, when nobody knows that it is kept."""
        self._is_alone, self._is_committing = False, True
        try:
            super().commit()
        finally:
            self.is_patient = self._is_committing = False
        if self._is_alone:
            raise psycopg.OperationalError("no standby has confirmed what was committed")

    def rollback(self) -> None:
        """Take everything back. Raises: OperationalError."""
        self.is_patient = False
        super().rollback()

    def wait(self, gen: PQGen[Any], interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for an answer, but not for ever; whoever has none hangs up. Raises: OperationalError."""
        try:
            return super().wait(gen, interval, timeout or self._patience_s)
        except psycopg.OperationalError:
            if self.info.transaction_status == TransactionStatus.ACTIVE:
                self.close()
            raise

    @property
    def _patience_s(self) -> float | None:
        """Say how long an answer is waited for: a little longer than it may take, which the server itself looks to."""
        patience_s = kind.PATIENCE_MS / 1000
        return patience_s if self._is_committing else None if self.is_patient else patience_s + LONGER_S

    def timeline(self) -> str | None:
        """Tell which server this is, as far as it says so; None for one that stands by."""
        try:
            row = self.execute(TIMELINE).fetchone()
        except psycopg.Error:  # a server of another make
            row = None
        self.rollback()
        return row[0] if row else None


def connect(_dialect: object, _record: object, arguments: list[Any], said: dict[str, Any]) -> Connection:
    """Connect for SQLAlchemy. Raises: OperationalError, where none of the hosts takes entries."""
    connection = Connection.connect(*arguments, **said)
    connection.add_notice_handler(connection.hear)
    return connection
