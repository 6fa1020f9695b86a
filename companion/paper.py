"""What the sheets of several games have in common, in primitives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

NAME_STEPS = ((8.5, "large"), (17.0, "medium"))
"""Up to that many em a name is set in that size; a longer one is small. The narrowest cell holds 35 mm, twice."""

ABOUT = ("code", "link", "date", "title")


def about_table(about: Mapping[str, str]) -> dict[str, str]:
    """Say which table it is: `code`, `link`, `date` and `title`, each "" where unknown."""
    return {key: about.get(key, "") for key in ABOUT}


def named(players: Sequence[str]) -> list[dict[str, Any]]:
    """Write the head of each seat: its number, the name and the size that the name is set in."""
    return [{"seat": seat, "name": name, "size": name_size(name)} for seat, name in enumerate(players)]


def plain(points: int) -> str:
    """Write points with a true minus.

    >>> plain(10), plain(-5)
    ('10', '−5')
    """
    return str(points).replace("-", "−")


def signed(points: int) -> str:
    """Write points with their sign.

    >>> signed(10), signed(-5), signed(0)
    ('+10', '−5', '0')
    """
    return f"+{points}" if points > 0 else plain(points)


def name_size(name: str) -> str:
    """Choose the size that a name fits its cell in: `large`, `medium` or `small`.

    >>> name_size("Anna"), name_size("Maximilian the Great"), name_size("W" * 24)
    ('large', 'medium', 'small')
    """
    width_em = sum(_width_em(letter) for letter in name)
    return next((size for limit, size in NAME_STEPS if width_em <= limit), "small")


def _width_em(letter: str) -> float:
    if letter in "MW@" or letter > "\u1fff":
        return 1.0
    return 0.72 if letter.isupper() else 0.54
