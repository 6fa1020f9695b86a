"""Names and notes of people: cleaned of everything that cannot be seen, and short enough for every page and sheet."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import BadName, BadNote

MOST = 24
"""Characters, as people count them: marks on a letter do not count."""
MOST_OF_A_NOTE = 60
"""The same of a note: where it was played, what a group is called."""
ROOM = 200
"""Characters for which the database has room, marks among them: PostgreSQL takes no more."""
_MARKS = 3
"""Marks that one letter may carry; more are dropped."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs that show nothing: joiners, fillers, the empty Braille pattern."""


def clean_name(text: str) -> str:
    """Clean a name: composed (NFC), without control, format and bidi characters, single spaces.

    >>> clean_name("  Z\u030cofie\u202e ")
    'Žofie'

    Raises:
        BadName: nothing is left, or too much.
    """
    return _clean(text, 1, MOST)


def clean_note(text: str, fewest: int = 0) -> str:
    """Clean a short text that says more of an evening or a group. Raises: BadNote: it is too long, or too short."""
    try:
        return _clean(text, fewest, MOST_OF_A_NOTE)
    except BadName as error:
        raise BadNote(most=MOST_OF_A_NOTE) from error


def renamed(result: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Write a stored result with the names that the seats bear now, one per seat."""
    return {**result, "standing": [{**place, "name": names[place["seat"]]} for place in result["standing"]]}


def _clean(text: str, fewest: int, most: int) -> str:
    if len(text) > most * 20:
        raise BadName(most=most)
    shown = "".join(letter for letter in unicodedata.normalize("NFC", text) if _is_shown(letter))
    # Once more: what was dropped may have stood between a letter and its mark.
    said = " ".join(_with_few_marks(unicodedata.normalize("NFC", shown)).split())
    length = sum(not unicodedata.combining(letter) for letter in said)
    if not fewest <= length <= most or len(said) > ROOM:
        raise BadName(most=most)
    return said


def _is_shown(letter: str) -> bool:
    return letter.isspace() or (unicodedata.category(letter)[0] not in "CZ" and letter not in _BLANK)


def _with_few_marks(name: str) -> str:
    """Drop marks that stand on no letter, and all but a few on each: towers of marks overflow every line."""
    kept, marks = "", _MARKS
    for letter in name:
        is_mark = unicodedata.combining(letter) > 0 or unicodedata.category(letter) in {"Mn", "Me"}
        marks = marks + 1 if is_mark else _MARKS if letter.isspace() else 0
        if marks <= _MARKS:
            kept += letter
    return kept
