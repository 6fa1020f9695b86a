"""The variants of Hanabi in our own words: a section of the rule card.

Source: H-cs, H-es, H-pl, variants, and `docs/decisions.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import N_, Paragraph
from companion.games.hanabi.cards import ORDINARY, POWDER, SINGLE, VALUES
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.options import (
    BlackBonus,
    Edition,
    ErrorsAllowed,
    HintTokens,
    Indispensable,
    LateShuffle,
    Multicolour,
    Options,
    Stuck,
    TilesEmpty,
)
from companion.games.hanabi.position import FULL, Tile
from companion.games.hanabi.scoring import BANDS, Tier

RANGE = {"low": VALUES[0], "high": VALUES[-1]}
"""The values of a colour, for sentences that mention them."""


def in_a_row(copies: Sequence[int], *, is_falling: bool = False) -> str:
    """Write the cards of a colour in the order in which they are built: a number for each card, in one line.

    >>> in_a_row((3, 2, 2, 2, 1)).split()
    ['1', '1', '1', '2', '2', '3', '3', '4', '4', '5']
    """
    row = [str(value) for value, cards in zip(VALUES, copies, strict=True) for _ in range(cards)]
    return "\u00a0".join(row[::-1] if is_falling else row)


def variants(options: Options, is_whole: bool) -> tuple[Paragraph | None, ...]:
    """Write the paragraphs of the variants that a table plays, or of all."""
    return (
        *_multicolour(options, is_whole),
        _black_powder() if is_whole or options.black_powder else None,
        *(_flamboyants(options) if is_whole or options.flamboyants else (None, None, None)),
        *(_endless(options) if is_whole or options.endless else (None, None)),
        _difficulty() if is_whole else None,
    )


def _multicolour(options: Options, is_whole: bool) -> tuple[Paragraph | None, ...]:
    if not (is_whole or options.multicolour):
        return None, None
    named = N_(
        "Multicolour: the cards %(values)s more, and a sixth firework. Multicolour is named in a hint like any other "
        "colour; the other colours do not show it."
    )
    touched = N_(
        "Multicolour: the cards %(values)s more, and a sixth firework. Such a card is shown by a hint on each of the "
        "colours; multicolour itself may not be named."
    )
    both = N_(
        "Multicolour: the cards %(values)s more, and a sixth firework. Agree: either multicolour is named in "
        "hints and no other colour shows it, or every colour shows it and it may not be named."
    )
    most, tier = BANDS[-1]
    is_open = is_whole and options.multicolour_hint is None and options.edition is Edition.CS
    sentence = both if is_open else named if options.is_multicolour_named else touched
    rating = Paragraph(
        N_(
            "A multicolour card fits only its own firework. The rating then: up to %(most)s points %(tier)s, "
            "%(best)s points %(best_tier)s."
        ),
        {"most": most, "tier": tier, "best": most + 1, "best_tier": Tier.DIVINE},
    )
    return (
        Paragraph(sentence, {"values": in_a_row(_multicolour_cards(options))}, (Rule.NOT_NAMEABLE,)),
        rating if is_whole or not options.endless else None,
    )


def _multicolour_cards(options: Options) -> Sequence[int]:
    """Give how many multicolour cards of each value are chosen, or else lie in the box. Source: H26."""
    usual = Multicolour.TEN if options.edition is Edition.PL else Multicolour.FIVE
    return SINGLE if (options.multicolour or usual) is Multicolour.FIVE else ORDINARY


def _black_powder() -> Paragraph:
    return Paragraph(
        N_(
            "Black powder: the black cards %(values)s more. They are built from %(high)s down to %(low)s, and no "
            "colour hint shows or names them. Each of the %(full)s cards missing at the end costs a point. Not where "
            "black is an ordinary colour."
        ),
        {**RANGE, "values": in_a_row(POWDER, is_falling=True), "full": FULL},
        (Rule.ONE_BLACK, Rule.NOT_NAMEABLE),
    )


def _flamboyants(options: Options) -> tuple[Paragraph, ...]:
    black = {
        BlackBonus.TOKEN: N_(
            "Five Flamboyants: a firework completed by its %(five)s earns no token. Reveal a reward tile, use it if "
            "it can be used, and only then draw. Complete black powder earns a token. Before the game shuffle the "
            "%(tiles)s tiles face down into a pile; a tile that was revealed goes into the box."
        ),
        BlackBonus.TILE: N_(
            "Five Flamboyants: a completed firework earns no token, black powder neither. Reveal a reward tile, use "
            "it if it can be used, and only then draw. Before the game shuffle the %(tiles)s tiles face down into a "
            "pile; a tile that was revealed goes into the box."
        ),
    }
    empty = {
        TilesEmpty.NOTHING: N_("When no tile is left, completing a firework earns nothing."),
        TilesEmpty.TOKEN: N_("When no tile is left, completing a firework earns a hint token."),
    }
    return (
        Paragraph(
            black[options.black_bonus],
            {"tiles": len(Tile), "five": VALUES[-1]},
            (Rule.REWARD_FIRST, Rule.NO_REWARD, Rule.MUST_USE),
        ),
        _tiles(options),
        Paragraph(empty[options.tiles_empty]),
    )


def _tiles(options: Options) -> Paragraph:
    tiles = {
        LateShuffle.NO_RESTART: N_(
            "The tiles give: a token back; one error less and a token back; a free colour hint; a free value hint; a "
            "discarded card into the deck; a discarded card that fits onto its firework. When the deck is empty, the "
            "tile for the deck may be used for a firework; the last turns are not counted anew."
        ),
        LateShuffle.RESTART: N_(
            "The tiles give: a token back; one error less and a token back; a free colour hint; a free value hint; a "
            "discarded card into the deck; a discarded card that fits onto its firework. When the deck is empty, the "
            "tile for the deck may be used for a firework, or the last turns are counted anew."
        ),
    }
    return Paragraph(
        tiles[options.late_shuffle], {}, (Rule.TILE_GONE, Rule.TILE_NEEDS, Rule.INSTEAD, Rule.NOT_DISCARDED)
    )


def _endless(options: Options) -> tuple[Paragraph, ...]:
    lost = {
        Indispensable.IMMEDIATE: N_(
            "To the last breath: no last turns. Play on with what you hold until every firework is complete. It is "
            "lost as soon as every copy of a card still needed is discarded. There is no rating."
        ),
        Indispensable.IGNORE: N_(
            "To the last breath: no last turns. Play on with what you hold until every firework is complete. It is "
            "lost when every copy of a card still needed is discarded and no tile can bring it back. There is no "
            "rating."
        ),
    }
    stuck = {
        Stuck.SKIP: N_("Without cards one can only give hints; without tokens, too, one is passed over."),
        Stuck.DEFEAT: N_("Without cards one can only give hints; without tokens, too, the game is lost."),
    }
    return (Paragraph(lost[options.indispensable]), Paragraph(stuck[options.stuck], {}, (Rule.NO_CARDS,)))


def _difficulty() -> Paragraph:
    return Paragraph(
        N_("Harder: error number %(error)s ends the game. Easier: %(tokens)s hint tokens instead of %(usual)s."),
        {
            "error": int(ErrorsAllowed.ONE),
            "tokens": int(HintTokens.TEN),
            "usual": int(HintTokens.EIGHT),
        },
    )
