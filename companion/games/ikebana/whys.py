"""What a refusal of Ikebana says beside the rule: why a card cannot be there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AllLie:
    """All copies of the card lie open already."""

    copies: int


@dataclass(frozen=True, slots=True)
class NamedTooOften:
    """A bouquet names the card more often than it exists."""

    copies: int
    named: int


@dataclass(frozen=True, slots=True)
class NamedBeside:
    """A bouquet names the card more often than the other bouquets leave it."""

    copies: int
    named: int
    elsewhere: int


WhyGone = AllLie | NamedTooOften | NamedBeside


def why_gone(copies: int, elsewhere: int, named: int) -> WhyGone:
    """Say why a bouquet cannot name a card so often.

    Args:
        copies: how many the box has.
        elsewhere: how many lie in other bouquets.
        named: how many this bouquet names.
    """
    return NamedBeside(copies, named, elsewhere) if elsewhere else NamedTooOften(copies, named)
