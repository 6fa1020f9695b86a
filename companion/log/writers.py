"""What each engine writes the log by: a connection of its own, which stays open.

To borrow one from the pool for every tap, and to give it back, would take a tenth of the tap's time where nothing else
happens; and a server would be asked each time whether it is there.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import event
from sqlalchemy.engine import Engine

KEPT: WeakKeyDictionary[Engine, Any] = WeakKeyDictionary()
"""Connections of the driver's, in which no transaction is under way. Who writes takes one out, and puts it back."""


def watch(engine: Engine) -> None:
    """Close what is kept when the engine gives all of its connections back."""
    event.listen(engine, "engine_disposed", _disposed)


def fresh(engine: Engine) -> Any:
    """Take a connection of the driver's out of the pool, for good. Raises: what the driver does, NoneFree."""
    pooled = engine.raw_connection()
    connection = pooled.driver_connection
    pooled.detach()
    return connection


def _disposed(engine: Engine) -> None:
    if connection := KEPT.pop(engine, None):
        connection.close()
