"""Days and times as the reader writes them, by the clock on the wall: that of the place where the companion runs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from babel import dates

from companion.desk.language import language
from companion.intake import local
from companion.words import LOCALES


def day(at: str | datetime, form: Literal["medium", "long"] = "medium") -> str:
    """Write a day: `13 Nov 2026`, or `13 November 2026`."""
    return dates.format_date(_here(at), form, locale=_locale())


def month(at: str | datetime) -> str:
    """Write a month, as a title: `November 2026`."""
    said = dates.format_skeleton("yMMMM", _here(at), locale=_locale())
    return said[:1].upper() + said[1:]


def clock(at: str | datetime) -> str:
    """Write a time of day: `18:05`."""
    return dates.format_time(_here(at), "short", locale=_locale())


def day_and_clock(at: str | datetime) -> str:
    """Write both: `13/11/2026, 18:05`."""
    return dates.format_datetime(_here(at), "short", locale=_locale())


def _here(at: str | datetime) -> datetime:
    return local(at) if isinstance(at, str) else at.astimezone()


def _locale() -> str:
    return LOCALES.get(language(), language())
