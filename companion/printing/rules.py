"""The rules on paper: on a leaf, on small cards, and on the other side of a reference card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TypedDict

from companion.game import AnyGame
from companion.printing.cuts import cut_of
from companion.words import SpokenSection

RULES = ("rule_card", "rule_cards")
"""The whole rules: on a leaf, and on small cards."""
OTHER_SIDE = "other_side"
"""Of a reference card; printed with its front, and never alone."""

TITLE_LINES, GAP_LINES, ROW_LINES = 1.5, 0.2, 1.1
"""The height of a part's title, of the gap between two paragraphs, and of a row of a table."""


class RuleCards(TypedDict):
    """What stands on the small cards with the rules."""

    name: str
    """The game's."""
    code: str
    cards: list[list[SpokenSection]]


class RuleLeaf(TypedDict):
    """What stands on the leaf with the rules."""

    name: str
    """The game's."""
    code: str
    game: str
    """Its key, by which its drawings are found."""
    parts: list[SpokenSection]


class OtherSide(TypedDict):
    """What stands on the other side of a reference card."""

    name: str
    """The game's."""
    part: SpokenSection


def has_rules(game: AnyGame) -> bool:
    """Whether a game brings its rules to read."""
    return bool(game.rule_card(game.options.load({}), True))


def rules(
    game: AnyGame, item: str, about: Mapping[str, str], told: Sequence[SpokenSection], form: str
) -> RuleCards | RuleLeaf | OtherSide:
    """Choose what of the rules stands on a sheet; how the companion is used stands on none."""
    parts = [part for part in told if not part["is_of_companion"]]
    if item == OTHER_SIDE:
        return OtherSide(name=game.name, part=_course(parts))
    if item == "rule_cards":
        return RuleCards(name=game.name, code=about["code"], cards=on_cards(parts, form))
    return RuleLeaf(name=game.name, code=about["code"], game=game.key, parts=parts)


def _course(parts: Sequence[SpokenSection]) -> SpokenSection:
    """Give how a turn or a round goes, as far as it fits a card: in every game that follows on what the game is."""
    return on_cards(parts[:2][-1:])[0][0]


def on_cards(parts: Sequence[SpokenSection], form: str = "") -> list[list[SpokenSection]]:
    """Deal the paragraphs of a rule card out to small cards, a part's title with its first one.

    Args:
        parts: of the rule card.
        form: of the cards, by which they have their size; "" for the usual one.

    Returns:
        For each card its parts: `number`, `title` ("" where a part goes on) and `paragraphs`.
    """
    cards: list[list[SpokenSection]] = [[]]
    cut = cut_of(form)
    left: float = cut.lines
    for part in parts:
        title = part["title"]
        for paragraph in part["paragraphs"]:
            text = ceil((len(paragraph["number"]) + 1 + len(paragraph["text"])) / cut.letters) + GAP_LINES
            needed = text + len(paragraph["table"]) * ROW_LINES + (TITLE_LINES if title else 0)
            if needed > left:
                cards.append([])
                left = cut.lines
            if title or not cards[-1]:
                cards[-1].append({**part, "title": title, "paragraphs": []})
            cards[-1][-1]["paragraphs"].append(paragraph)
            left -= needed
            title = ""
    return cards
