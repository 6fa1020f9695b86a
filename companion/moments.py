"""When something was done: read and bounded, written as the log does, told by the clock on the wall."""

from __future__ import annotations

from datetime import UTC, datetime

YEARS = range(1900, 3000)
"""Evenings are of these years; a year that every calendar and every time zone can tell."""


def read_moment(text: object) -> str:
    """Read a time (ISO 8601; UTC where it says no zone), as the log writes it.

    >>> read_moment("2026-11-20T21:00+01:00")
    '2026-11-20T20:00:00.000Z'

    Raises:
        ValueError: it is none, or of no year in which anybody plays.
    """
    if not isinstance(text, str):
        raise ValueError("no text")
    at = datetime.fromisoformat(text)
    if at.year not in YEARS:
        raise ValueError(f"the year {at.year}")
    return written(at if at.tzinfo else at.replace(tzinfo=UTC))


def written(at: datetime) -> str:
    """Write a time as the log does: UTC, ISO 8601, milliseconds."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def local(text: str) -> datetime:
    """Tell a time of the log by the clock on the wall, where the companion runs.

    An older release took any time from a record: one that lies beyond all calendars is told as it stands.
    """
    at = datetime.fromisoformat(text)
    try:
        return at.astimezone()
    except (OverflowError, ValueError):
        return at.replace(tzinfo=UTC)
