"""What can be printed of a game and of a table, and what stands on each sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from companion.game import AnyGame
from companion.games import GAMES
from companion.words import Voice, read_out

RULES = ("rule_card", "rule_cards")
"""The whole rules: on a leaf, and on small cards."""
OF_TABLES = ("join_card", "join_tent")
"""What leads to a table of any game."""
ITEMS = [*dict.fromkeys(item for game in GAMES.values() for item in game.sheets), *RULES, *OF_TABLES]
"""Everything that can be printed, of some game at least."""
NOWHERE = {"code": "", "link": "", "date": "", "title": ""}
"""What a sheet without a table knows of it."""

LINES, LETTERS = 22.0, 38
"""What fits on a small card: lines, and letters in a line."""
TITLE_LINES, GAP_LINES = 1.7, 0.3
"""The height of a part's title, and of the gap between two paragraphs."""


def items(game: AnyGame, is_table: bool) -> list[str]:
    """List what can be printed of a game, or of a table of it, in the order in which it is offered."""
    return [*game.sheets, *(RULES if game.rule_card(None) else ()), *(OF_TABLES if is_table else ())]


def contents(  # noqa: PLR0913 (a sheet is named by two words, and filled by what is known of the table)
    game: AnyGame,
    item: str,
    language: str,
    *,
    about: Mapping[str, str] = NOWHERE,
    options: Mapping[str, Any] | None = None,
    players: Sequence[str] = (),
    facts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Gather what stands on a sheet, in primitives.

    Args:
        game: which game.
        item: what of it; one of `items`.
        language: in which the rules are said.
        about: `code`, `link`, `date` and `title` of the table.
        options: the table's, as data; None for a sheet of the game as such.
        players: a name per seat, "" where it is left open.
        facts: what the play so far leaves on paper; None for a blank sheet.

    Raises:
        KeyError: the game has no such item.
    """
    if item in OF_TABLES:
        return {**about, "game_name": game.name}
    if item in RULES:
        card = game.rule_card(None if options is None else game.options.load(dict(options)))
        parts = read_out(card, Voice(game.words, (), language))
        return {**about, "game": game.key, "name": game.name, "parts": parts, "cards": dealt(parts)}
    return game.sheets[item](options or {}, players, facts, about)


def dealt(parts: Sequence[Mapping[str, Any]]) -> list[list[dict[str, Any]]]:
    """Deal the paragraphs of a rule card out to small cards, a part's title with its first one.

    Returns:
        For each card its parts: `number`, `title` ("" where a part goes on) and `paragraphs`.
    """
    cards: list[list[dict[str, Any]]] = [[]]
    left = LINES
    for part in parts:
        title = part["title"]
        for paragraph in part["paragraphs"]:
            lines = ceil((len(paragraph["number"]) + 1 + len(paragraph["text"])) / LETTERS) + GAP_LINES
            needed = lines + (TITLE_LINES if title else 0)
            if needed > left:
                cards.append([])
                left = LINES
            if title or not cards[-1]:
                cards[-1].append({"number": part["number"], "title": title, "paragraphs": []})
            cards[-1][-1]["paragraphs"].append(paragraph)
            left -= needed
            title = ""
    return cards
