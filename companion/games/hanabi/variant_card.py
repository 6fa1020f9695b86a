"""The variants of Hanabi in our own words: a section of the rule card.

Source: H-cs, H-es, H-pl, variants, and `docs/decisions.md`.
"""

from __future__ import annotations

from companion.game import N_, Paragraph
from companion.games.hanabi.cards import POWDER, VALUES
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.options import (
    BlackBonus,
    ErrorsAllowed,
    HintTokens,
    Indispensable,
    LateShuffle,
    Multicolour,
    Options,
    Stuck,
    TilesEmpty,
)
from companion.games.hanabi.position import FULL
from companion.games.hanabi.scoring import BANDS, Tier

RANGE = {"low": VALUES[0], "high": VALUES[-1]}
"""The values of a colour, for sentences that mention them."""


def variants(options: Options | None) -> tuple[Paragraph | None, ...]:
    """Write the paragraphs of the variants that a table plays; None: all of them."""
    chosen = options or Options()
    has_tiles = options is None or options.flamboyants
    return (
        *_multicolour(options),
        _black_powder() if options is None or options.black_powder else None,
        *(_flamboyants(chosen) if has_tiles else (None, None, None)),
        *(_endless(chosen) if options is None or options.endless else (None, None)),
        None if options else _difficulty(),
    )


def _multicolour(options: Options | None) -> tuple[Paragraph | None, ...]:
    if options and not options.multicolour:
        return None, None
    cards = int(options.multicolour) if options else int(Multicolour.FIVE)
    named = N_(
        "Multicolour: %(cards)s more cards and a sixth firework. Multicolour is named in a hint like any other "
        "colour; the other colours do not show it."
    )
    touched = N_(
        "Multicolour: %(cards)s more cards and a sixth firework. Such a card is shown by a hint on each of the "
        "colours; multicolour itself may not be named."
    )
    both = N_(
        "Multicolour: %(five)s or %(ten)s more cards and a sixth firework. Agree: either multicolour is named in "
        "hints and no other colour shows it, or every colour shows it and it may not be named."
    )
    most, tier = BANDS[-1]
    choices = {"five": int(Multicolour.FIVE), "ten": int(Multicolour.TEN)}
    is_named = options is not None and options.is_multicolour_named
    sentence = both if options is None else named if is_named else touched
    return (
        Paragraph(sentence, {"cards": cards} if options else choices, (Rule.NOT_NAMEABLE,)),
        Paragraph(
            N_(
                "A multicolour card fits only its own firework. The rating then: up to %(most)s points %(tier)s, "
                "%(best)s points %(best_tier)s."
            ),
            {"most": most, "tier": tier, "best": most + 1, "best_tier": Tier.DIVINE},
        ),
    )


def _black_powder() -> Paragraph:
    return Paragraph(
        N_(
            "Black powder: %(cards)s black cards, of the values %(low)s to %(high)s %(copies)s cards. They are built "
            "from %(high)s down to %(low)s, and no colour hint shows or names them. Each of the %(full)s cards "
            "missing at the end costs a point. Not where black is an ordinary colour."
        ),
        {**RANGE, "cards": sum(POWDER), "copies": POWDER, "full": FULL},
        (Rule.ONE_BLACK, Rule.NOT_NAMEABLE),
    )


def _flamboyants(options: Options) -> tuple[Paragraph, ...]:
    black = {
        BlackBonus.TOKEN: N_(
            "Five Flamboyants: a firework completed by its %(five)s earns no token. Reveal a reward tile, use it if "
            "it can be used, and only then draw. Complete black powder earns a token."
        ),
        BlackBonus.TILE: N_(
            "Five Flamboyants: a completed firework earns no token, black powder neither. Reveal a reward tile, use "
            "it if it can be used, and only then draw."
        ),
    }
    empty = {
        TilesEmpty.NOTHING: N_("When no tile is left, completing a firework earns nothing."),
        TilesEmpty.TOKEN: N_("When no tile is left, completing a firework earns a hint token."),
    }
    tiles = {
        LateShuffle.NO_RESTART: N_(
            "T1 a token back. T2 an error and a token back. T3 a free colour hint. T4 a free value "
            "hint. T5 a discarded card goes into the deck; if that is empty, it may be used as T6, and the last "
            "turns are not counted anew. T6 a discarded card that fits is built."
        ),
        LateShuffle.RESTART: N_(
            "T1 a token back. T2 an error and a token back. T3 a free colour hint. T4 a free value "
            "hint. T5 a discarded card goes into the deck; if that is empty, it may be used as T6, or the last "
            "turns are counted anew. T6 a discarded card that fits is built."
        ),
    }
    return (
        Paragraph(
            black[options.black_bonus],
            {"five": VALUES[-1]} if options.black_bonus is BlackBonus.TOKEN else {},
            (Rule.REWARD_FIRST, Rule.NO_REWARD, Rule.MUST_USE),
        ),
        Paragraph(
            tiles[options.late_shuffle],
            {},
            (Rule.TILE_GONE, Rule.TILE_NEEDS, Rule.INSTEAD, Rule.NOT_DISCARDED),
        ),
        Paragraph(empty[options.tiles_empty]),
    )


def _endless(options: Options) -> tuple[Paragraph, ...]:
    lost = {
        Indispensable.IMMEDIATE: N_(
            "To the last breath: no last turns. Play on with what you hold until every firework is complete. It is "
            "lost as soon as every copy of a card still needed is discarded. There is no rating."
        ),
        Indispensable.IGNORE: N_(
            "To the last breath: no last turns. Play on with what you hold until every firework is complete. It is "
            "lost when every copy of a card still needed is discarded and no tile T5 or T6 is to come. There is no "
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
