"""A player's name: cleaned of everything that cannot be seen, and short enough for every page and sheet."""

from __future__ import annotations

import unicodedata

from companion.errors import BadName

MOST = 24
"""Characters, as people count them: marks on a letter do not count."""
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
    if len(text) > MOST * 20:
        raise BadName(most=MOST)
    shown = "".join(letter for letter in unicodedata.normalize("NFC", text) if _is_shown(letter))
    # Once more: what was dropped may have stood between a letter and its mark.
    name = " ".join(_with_few_marks(unicodedata.normalize("NFC", shown)).split())
    length = sum(not unicodedata.combining(letter) for letter in name)
    if not 1 <= length <= MOST:
        raise BadName(most=MOST)
    return name


def _is_shown(letter: str) -> bool:
    return letter.isspace() or (unicodedata.category(letter)[0] not in "CZ" and letter not in _BLANK)


def _with_few_marks(name: str) -> str:
    """Drop marks that stand on no letter, and all but a few on each: towers of marks overflow every line."""
    kept, marks = "", _MARKS
    for letter in name:
        is_mark = unicodedata.category(letter) in {"Mn", "Me"}
        marks = marks + 1 if is_mark else _MARKS if letter.isspace() else 0
        if marks <= _MARKS:
            kept += letter
    return kept
