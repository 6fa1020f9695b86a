"""The rules of Hanabi in our own words, for the help page and the rule card; variants stand in `variant_card.py`.

Source: H-cs, H-es, H-pl, and `docs/decisions.md`; the numbers come from the rules themselves.
"""

from __future__ import annotations

from typing import Any

from companion.game import N_, Paragraph, Section
from companion.games.hanabi.cards import ORDINARY
from companion.games.hanabi.lesson import Step
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.options import Detail, ErrorsAllowed, HintTokens, Options, Talk, ThirdError, suits
from companion.games.hanabi.position import FULL, HAND, PLAYERS
from companion.games.hanabi.scoring import BANDS, Tier
from companion.games.hanabi.variant_card import RANGE, in_a_row, variants

EXAMPLE = (3, 4, 4, 5, 2)
"""The fireworks that the books reckon, as `printables/hanabi/scored.svg` shows. Source: H-cs, H-es, H-pl, score."""

TABLES = {
    (HintTokens.EIGHT, ErrorsAllowed.THREE): "table",
    (HintTokens.TEN, ErrorsAllowed.THREE): "table_easier",
    (HintTokens.EIGHT, ErrorsAllowed.ONE): "table_harder",
    (HintTokens.TEN, ErrorsAllowed.ONE): "table_both",
}
"""The drawing of what lies on the table, with as many tokens as the table plays with."""

TALK = {
    Talk.HINTS: N_("After a card has left your hand, draw a new one. Nobody helps by word or look, except by hints."),
    Talk.MEMORY: N_(
        "After a card has left your hand, draw a new one. Nobody helps by word or look, except by hints; what a hint "
        "told may be asked for and said again."
    ),
    Talk.FREE: N_(
        "After a card has left your hand, draw a new one. Anything may be said but what the cards are: that only "
        "hints tell."
    ),
}


def rule_card(options: Options, is_whole: bool) -> tuple[Section, ...]:
    """Write the rules for a table.

    Args:
        options: the table's.
        is_whole: whether to tell every variant, and not only those that are played.
    """
    return (
        Section(N_("The game"), _game(options)),
        Section(N_("Your turn"), _turn(options)),
        Section(N_("A hint"), _hint(options)),
        Section(N_("Discard or play"), _cards(options, is_whole)),
        Section(N_("The end"), _end(options, is_whole)),
        Section(N_("Variants"), variants(options, is_whole)),
        Section(N_("With the companion"), _companion(options, is_whole), is_of_companion=True),
    )


def _game(options: Options) -> tuple[Paragraph, ...]:
    hands: dict[str, Any] = {"few": HAND[PLAYERS[0]], "many": HAND[PLAYERS[-1]]}
    deck = {"colours": options.base_colours, "values": in_a_row(ORDINARY)}
    return (
        Paragraph(
            N_(
                "Together, build fireworks from %(low)s to %(high)s, one in each colour. For %(fewest)s to %(most)s "
                "players."
            ),
            {**RANGE, "fewest": PLAYERS[0], "most": PLAYERS[-1]},
            (Rule.PLAYERS,),
            "firework",
        ),
        Paragraph(
            N_("The colours are %(colours)s. Each has the cards %(values)s. Shuffle them for a deck, face down."),
            deck,
            (Rule.NO_SUCH_CARD, Rule.NO_COPY_LEFT),
        ),
        Paragraph(
            N_(
                "Two or three players hold %(few)s cards each, four or five hold %(many)s. Hold them so that "
                "everyone sees your cards, except you. You may re-order them at any time."
            ),
            hands,
            (Rule.ORDER, Rule.SLOT),
            step=Step.HANDS,
        ),
        Paragraph(
            N_(
                "%(tokens)s hint tokens are available, and the error tokens lie aside. Whoever wears the most colours "
                "begins."
            ),
            {"tokens": int(options.hint_tokens)},
            (Rule.FIRST_SEAT,),
            TABLES[options.hint_tokens, options.errors_allowed],
        ),
    )


def _turn(options: Options) -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("Clockwise, do one of three things: give a hint, discard a card, or play one. Nobody may pass."),
            {},
            (Rule.NOT_YOUR_TURN,),
            "turn",
            step=Step.TURN,
        ),
        Paragraph(TALK[options.talk], step=Step.DRAW),
    )


def _hint(options: Options) -> tuple[Paragraph, ...]:
    with_nothing = N_("A hint may also say that there is no such card in that hand.")
    without = N_("A hint must point at one card or more.")
    return (
        Paragraph(
            N_("Use up a hint token; without one there is no hint. It goes to another player who holds cards."),
            {},
            (Rule.NO_TOKEN, Rule.NOT_ONESELF, Rule.NOBODY_TO_HINT),
        ),
        Paragraph(
            N_("Name one colour or one value, and point at every card of that player that has it."),
            {},
            (Rule.ONE_THING, Rule.NOT_NAMEABLE, Rule.VALUE_RANGE, Rule.SLOTS, Rule.CONTRADICTION),
            step=Step.HINT,
        ),
        Paragraph(with_nothing if options.may_hint_nothing else without, {}, (Rule.EMPTY_HINT,)),
    )


def _cards(options: Options, is_whole: bool) -> tuple[Paragraph | None, ...]:
    # What completing one earns with the Five Flamboyants stands among the variants.
    completed = Paragraph(N_("Whoever completes a firework gets a token back, if one is used."))
    return (
        Paragraph(
            N_(
                "Discard: the card goes face up to the discard pile, which everyone may look through at any time, "
                "and a token comes back. Not when all are available."
            ),
            {},
            (Rule.ALL_TOKENS,),
            step=Step.DISCARD,
        ),
        Paragraph(
            N_("Play: a card fits if it is the very next one of its own firework; then it is built."),
            {},
            (Rule.FITS, Rule.DOES_NOT_FIT),
            step=Step.PLAY,
        ),
        Paragraph(
            N_("A card that does not fit is discarded and counts as an error; no token comes back."),
            step=Step.ERROR,
        ),
        completed if is_whole or not options.flamboyants else None,
    )


def _end(options: Options, is_whole: bool) -> tuple[Paragraph | None, ...]:
    allowed = int(options.errors_allowed)
    first = N_("The first error ends the game: it is lost and counts 0.")
    first_keep = N_("The first error ends the game: it is lost, and the fireworks count as they lie.")
    last = N_("Error number %(errors)s ends the game: it is lost and counts 0.")
    last_keep = N_("Error number %(errors)s ends the game: it is lost, and the fireworks count as they lie.")
    is_kept = options.third_error is ThirdError.KEEP
    lost = (first_keep if is_kept else first) if allowed == 1 else (last_keep if is_kept else last)
    best = FULL * sum(not suit.is_falling for suit in suits(options))
    points = N_("Each card built is a point.")
    points_but_black = N_("Each card built that is not black is a point.")
    last_turns = Paragraph(
        N_(
            "When the last card of the deck is drawn, everyone has one more turn, last the player who drew it. "
            "That turn itself does not count."
        ),
    )
    has_last_turns = is_whole or not options.endless
    return (
        Paragraph(lost, {"errors": allowed} if allowed > 1 else {}, (Rule.GAME_OVER,)),
        Paragraph(
            N_("When every firework is complete, the game is won at once, with %(best)s points."), {"best": best}
        ),
        last_turns if has_last_turns else None,
        Paragraph(
            points_but_black if options.black_powder else points,
            {},
            (Rule.SCORE,),
            table=_ratings(best, options.black_powder) if has_last_turns else (),
        ),
        Paragraph(
            N_("For example, fireworks that reach %(tops)s are %(points)s points."),
            {"tops": ",\u00a0".join(map(str, EXAMPLE)), "points": sum(EXAMPLE)},
            picture="scored",
        ),
    )


def _ratings(best: int, may_be_negative: bool) -> tuple[tuple[Any, ...], ...]:
    """Give the bands of the rating as a table, up to the best score that this table can reach."""
    rows: list[tuple[Any, ...]] = [(N_("Points"), N_("Rating"))]
    low = 0
    for most, tier in (*BANDS, (best, Tier.DIVINE)):
        high = min(most, best)
        if low <= high:
            rows.append((f"{low}–{high}" if low < high else high, tier))
        low = high + 1
    if may_be_negative:
        rows[1] = (f"≤ {BANDS[0][0]}", BANDS[0][1])
    return tuple(rows)


def _companion(options: Options, is_whole: bool) -> tuple[Paragraph | None, ...]:
    cards = Paragraph(
        N_("A table that records cards says which card was shown, and whom and what a hint tells."),
        {},
        (Rule.SAY_ALL,),
    )
    built = N_(
        "A table that records tokens names only cards that are built, discarded or used by a tile; a hint is one tap."
    )
    endless = N_(
        "A table that records tokens names only cards that are built, discarded, used by a tile, or do not fit; "
        "a hint is one tap."
    )
    hints = Paragraph(
        N_("Where hints are recorded without places, nobody enters which cards a hint touches, nor where a card lay.")
    )
    is_endless = is_whole or options.endless
    tokens = Paragraph(endless if is_endless else built, {}, (Rule.SAY_LESS,))
    return (
        cards if is_whole or not options.is_counted else None,
        tokens if is_whole or options.is_counted else None,
        hints if is_whole or options.detail is Detail.HINTS else None,
    )
