"""What stands on Hanabi's score sheet, in primitives; blank and filled are one sheet.

Source: H-cs, H-es, H-pl, components and score; H7, H8, H25.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.drawing.paper import AboutTable, SeatHead, about_table, named, typeset
from companion.games.hanabi.cards import VALUES, Card, Suit, card_name
from companion.games.hanabi.labels import RATINGS
from companion.games.hanabi.options import BlackBonus, Multicolour, Options, suits
from companion.games.hanabi.position import FULL, HAND, Tile
from companion.games.hanabi.schemas import OPTIONS
from companion.games.hanabi.scoring import BANDS, Tier, points


class SeatRow(SeatHead):
    """A seat, and whether it has had its last turn."""

    is_done: bool


class SuitRow(TypedDict):
    """The row of a colour."""

    letter: str
    is_falling: bool
    firework: list[tuple[int, bool]]
    """Each value in the order of building, and whether it lies there."""
    copies: list[tuple[int, bool]]
    """Each card, and whether it is discarded."""
    points: str


class Rating(TypedDict):
    """A band of the scale."""

    tier: int
    scores: str
    """`6–10`"""
    name: str
    is_reached: bool


class ScoreSheet(AboutTable):
    """What stands on the score sheet; numbers that are not known yet are ""."""

    seats: list[SeatRow]
    suits: list[SuitRow]
    tokens: int
    spent: int
    errors: int
    """That are allowed."""
    made: int
    """Of these."""
    deck: str
    deck_at_start: int
    tiles: list[tuple[str, bool]]
    """Each, and whether it was used."""
    score: str
    raw: str
    """Before what an end may take away."""
    most: int
    scale: list[Rating]
    result: str
    edition: str
    """"" where it is to be ticked."""
    multicolour: str
    is_multicolour_named: bool
    black_powder: bool
    flamboyants: bool
    endless: bool
    keeps_sum: bool
    """Whether a game that is lost keeps its points."""


class SuitCards(TypedDict):
    """Which cards there are of some colours."""

    letters: list[str]
    values: list[int]


class ReferenceCards(TypedDict):
    """What stands on a reference card."""

    tokens: int
    errors: int
    may_hint_nothing: bool
    flamboyants: bool
    black_earns_token: bool
    """Whether the black powder earns a token, and only a 5 a tile."""
    endless: bool
    lines: list[SuitCards]


def score_sheet(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ScoreSheet:
    """Lay out the score sheet of a table.

    Args:
        options: as in the table record; what is left out takes the default.
        players: names, seat 0 first; "" leaves a line to write on.
        summary: as `ending.on_paper` gives it; None leaves every box blank.
        about: `code`, `link`, `date`, `title` and `place` of the table, each "" where unknown.
    """
    chosen = OPTIONS.load(dict(options))
    fireworks = suits(chosen)
    cards = sum(sum(suit.copies) for suit in fireworks)
    done = summary["last_turns"] if summary else ()
    return {
        **about_table(about),
        "seats": [{**head, "is_done": head["seat"] in done} for head in named(players)],
        "suits": [_suit(suit, summary) for suit in fireworks],
        "tokens": chosen.hint_tokens.value,
        "spent": chosen.hint_tokens.value - summary["hint_tokens"] if summary else 0,
        "errors": chosen.errors_allowed.value,
        "made": summary["errors"] if summary else 0,
        "deck": str(summary["deck"]) if summary else "",
        "deck_at_start": cards - HAND[len(players)] * len(players),
        "tiles": _tiles(summary) if chosen.flamboyants else [],
        "score": typeset(summary["score"]) if summary else "",
        "raw": typeset(summary["raw"]) if summary else "",
        "most": FULL * sum(not suit.is_falling for suit in fireworks),
        "scale": [] if chosen.endless else scale_of(chosen, summary),
        "result": summary["result"] if summary else "",
        "edition": chosen.edition.value if options or summary else "",
        "multicolour": chosen.multicolour.value,
        "is_multicolour_named": chosen.is_multicolour_named,
        "black_powder": chosen.black_powder,
        "flamboyants": chosen.flamboyants,
        "endless": chosen.endless,
        "keeps_sum": chosen.third_error.value == "keep",
    }


def reference_cards(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ReferenceCards:
    """Say what a turn may be, how the game ends, and which cards there are.

    Args: as for `score_sheet`; only the options say something here.
    """
    chosen = OPTIONS.load(dict(options))
    lines: dict[tuple[int, ...], list[str]] = {}
    for suit in suits(chosen):
        values = (suit.value(place) for place in range(FULL))
        cards = tuple(value for value in values for _copy in range(suit.copies[value - VALUES[0]]))
        lines.setdefault(cards, []).append(suit.colour.value)
    return {
        "tokens": chosen.hint_tokens.value,
        "errors": chosen.errors_allowed.value,
        "may_hint_nothing": chosen.may_hint_nothing,
        "flamboyants": chosen.flamboyants,
        "black_earns_token": chosen.black_powder and chosen.black_bonus is BlackBonus.TOKEN,
        "endless": chosen.endless,
        "lines": [{"letters": letters, "values": list(cards)} for cards, letters in lines.items()],
    }


def _tiles(summary: Mapping[str, Any] | None) -> list[tuple[str, bool]]:
    """List the reward tiles, and whether each was used."""
    return [(tile.value, summary is not None and tile.value in summary["tiles"]) for tile in Tile]


def _suit(suit: Suit, summary: Mapping[str, Any] | None) -> SuitRow:
    """Write the line of a colour: its firework in the order of building, and every copy of every card to discard."""
    built = summary["fireworks"][suit.colour.value] if summary else 0
    gone = summary["discarded"] if summary else {}
    values = [suit.value(place) for place in range(FULL)]
    return {
        "letter": suit.colour.value,
        "is_falling": suit.is_falling,
        "firework": [(value, place < built) for place, value in enumerate(values)],
        "copies": [
            (value, copy < gone.get(card_name(Card(suit.colour, value)), 0))
            for value in values
            for copy in range(suit.copies[value - VALUES[0]])
        ],
        "points": typeset(points(suit, built)) if summary else "",
    }


def scale_of(options: Options, summary: Mapping[str, Any] | None) -> list[Rating]:
    """Write the scale, as far as this table can reach it: the scores of each band, and the one that was reached."""
    has_multicolour = options.multicolour is not Multicolour.NONE
    bands: list[tuple[Tier, str]] = []
    low: int | None = None
    for most, tier in BANDS if has_multicolour else BANDS[:-1]:
        bands.append((tier, f"≤ {most}" if low is None else f"{low}–{most}"))
        low = most + 1
    bands.append((Tier.DIVINE if has_multicolour else Tier.LEGENDARY, str(low)))
    reached = summary["tier"] if summary is not None and summary["result"] != "playing" else None
    return [
        {"tier": tier.value, "scores": scores, "name": RATINGS[tier], "is_reached": tier.value == reached}
        for tier, scores in bands
    ]
