"""The rules of Ubongo in our own words, for the help page and the rule card.

Source: U-cs, and `docs/decisions.md`; the numbers come from the rules themselves.
"""

from __future__ import annotations

from typing import Any

from companion.game import N_, Paragraph, Plural, Section
from companion.games.ubongo.gems import COPIES, HOLES, ROWS, Colour
from companion.games.ubongo.lesson import Step
from companion.games.ubongo.moves import Rule
from companion.games.ubongo.position import (
    CARDS,
    GEMS_AT_ONCE,
    MOST_STEPS,
    PLAYERS,
    ROUNDS,
    SYMBOLS,
    Options,
    Side,
)

TILES = 12
"""How many tiles each player has. Source: U-cs."""


def rule_card(options: Options, is_whole: bool) -> tuple[Section, ...]:
    """Write the rules for a table.

    Args:
        options: the table's.
        is_whole: whether to tell every variant, and not only those that are played.
    """
    return (
        Section(N_("The game"), _game(options, is_whole)),
        Section(N_("A round"), _round(options)),
        Section(N_("Pawns and gems"), _gems()),
        Section(N_("When nobody calls"), _nobody()),
        Section(N_("The end"), _end()),
        Section(N_("With the companion"), _companion(), is_of_companion=True),
    )


def _game(options: Options, is_whole: bool) -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_(
                "Lay your tiles faster than the others, and gather gems of one colour. "
                "Ubongo is for %(fewest)s to %(most)s players."
            ),
            {"fewest": PLAYERS[0], "most": PLAYERS[-1]},
            (Rule.PLAYERS,),
        ),
        Paragraph(
            N_(
                "The board has %(rows)s rows of %(holes)s gems, in any order: %(copies)s of each of %(colours)s "
                "colours. At the head of each row is a red field."
            ),
            {"rows": ROWS, "holes": HOLES, "copies": COPIES, "colours": len(Colour)},
            (Rule.FULL_BOARD, Rule.TWELVE_OF_A_COLOUR),
            "table",
        ),
        Paragraph(
            N_(
                "Before the first roll each pawn is put on a red field of its owner’s choice, else it begins on the "
                "first; pawns may share a field."
            ),
            {},
            (Rule.PAWNS,),
            step=Step.PAWN,
        ),
        _cards(options, is_whole),
        _side(options, is_whole),
    )


def _side(options: Options, is_whole: bool) -> Paragraph:
    choice = N_(
        "Each player has the same %(tiles)s tiles. Agree on a side of the cards: a task needs %(fewer)s tiles, "
        "which suits a first game, or %(more)s."
    )
    chosen = {
        Side.THREE: N_(
            "Each player has the same %(tiles)s tiles. All play the side of the cards with %(fewer)s tiles to a task, "
            "which suits a first game; the other side has %(more)s."
        ),
        Side.FOUR: N_(
            "Each player has the same %(tiles)s tiles. All play the side of the cards with %(more)s tiles to a task; "
            "for a first game the side with %(fewer)s suits better."
        ),
    }
    facts = {"tiles": TILES, "fewer": Side.THREE.value, "more": Side.FOUR.value}
    return Paragraph(choice if is_whole else chosen[options.side], facts)


def _cards(options: Options, is_whole: bool) -> Paragraph:
    usual = N_(
        "%(rounds)s rounds: a card for each player and round; the rest goes back into the box. In a long game all "
        "%(cards)s cards are played."
    )
    short = N_("%(rounds)s rounds: a card for each player and round; the rest goes back into the box.")
    long = N_("All %(cards)s cards are played, one for each player and round.")
    sentence = usual if is_whole else long if options.long_game else short
    facts = {"rounds": ROUNDS} if sentence is short else {"cards": CARDS}
    return Paragraph(
        sentence,
        {"rounds": ROUNDS, "cards": CARDS} if is_whole else facts,
        table=_dealt(is_long=options.long_game and not is_whole),
    )


def _dealt(is_long: bool) -> tuple[tuple[Any, ...], ...]:
    """Give the cards of a game as a table: how many are played, and go back, for that many players."""
    if is_long:
        return ((N_("Players"), N_("Rounds")), *((seats, CARDS // seats) for seats in PLAYERS))
    head = (N_("Players"), N_("Cards played"), N_("Back into the box"))
    return (head, *((seats, seats * ROUNDS, CARDS - seats * ROUNDS) for seats in PLAYERS))


def _round(options: Options) -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("Agree on who starts; in each round after it, it is the next player to the left."),
            {},
            (Rule.FIRST_SEAT,),
        ),
        Paragraph(
            N_("Everyone takes a card. The starter rolls one of the %(symbols)s symbols and turns the sand glass."),
            {"symbols": len(SYMBOLS)},
            (Rule.SYMBOL, Rule.ROLL_FIRST, Rule.ROUND_OPEN),
            step=Step.ROLL,
        ),
        Paragraph(
            N_(
                "All at once cover the light area of their card with just the tiles shown beside that symbol: "
                "no gap, nothing over the edge. A tile may be turned and flipped."
            ),
            step=Step.SOLVE,
        ),
        Paragraph(
            N_(
                "Who is done calls “Ubongo!”; the others go on until the sand has run out. A wrong call is void: its "
                "player goes on, and those behind move up."
            ),
            {},
            (Rule.CALLED_ALREADY, Rule.NOT_CALLED),
            step=Step.CALL,
        ),
        Paragraph(
            Plural(
                "The glass runs %(seconds)s second. What is not called, moved and taken by then brings nothing.",
                "The glass runs %(seconds)s seconds. What is not called, moved and taken by then brings nothing.",
                by="seconds",
            ),
            {"seconds": options.glass_s},
            (Rule.TOO_LATE, Rule.GLASS_SECONDS),
            "round",
        ),
    )


def _gems() -> tuple[Paragraph, ...]:
    steps = tuple(range(MOST_STEPS, -1, -1))
    return (
        Paragraph(
            N_(
                "Who has called may move the pawn once, along the red fields to the left or right: the first to call "
                "up to %(first)s fields, the second %(second)s, the third %(third)s, the fourth %(fourth)s. It may "
                "stay."
            ),
            dict(zip(("first", "second", "third", "fourth"), steps, strict=True)),
            (Rule.PAWN_REACH, Rule.ONE_MOVE),
            "reach",
            step=Step.MOVE,
        ),
        Paragraph(
            N_(
                "Then take the front %(gems)s gems of the row before the pawn: one if one is left, none if it is empty."
            ),
            {"gems": GEMS_AT_ONCE},
            (Rule.FRONT_TWO, Rule.FRONT_COLOURS, Rule.MOVE_BEFORE_TAKING, Rule.TAKEN_ALREADY),
            step=Step.TAKE,
        ),
        Paragraph(
            N_(
                "Whoever reaches first takes first, whatever the order of calls. "
                "Who touches the first gem of a row has the second one, too. Gems lie open before their owners."
            ),
            step=Step.TAKEN,
        ),
    )


def _nobody() -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_(
                "When nobody has called, the glass is turned once more, with the same cards and symbol. "
                "Then the round is over, and it counts."
            ),
            step=Step.NOBODY,
        ),
        Paragraph(N_("There is no second glass when someone called, even if no gem was taken.")),
    )


def _end() -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_(
                "The most gems of one colour win. If level, the second largest colour decides, then the third, and "
                "so on; it need not be the same colour. The number of gems does not matter."
            ),
            {},
            (Rule.LARGEST_COUNTS, Rule.GAME_OVER),
            table=_example(),
            step=Step.AIM,
        ),
        Paragraph(N_("Who is level in all of them shares the victory.")),
    )


def _example() -> tuple[tuple[Any, ...], ...]:
    """Compare the gems of three players as an example, each player's largest count first. Source: U-cs."""
    counts = ((6, 4, 2, 2, 2, 2), (3, 2, 2, 2, 1, 0), (6, 4, 3, 2, 1, 0))
    rows = ((place, " ".join(map(str, one))) for place, one in enumerate(sorted(counts, reverse=True), 1))
    return ((N_("Place"), N_("Gems of each colour, sorted")), *rows)


def _companion() -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("The order of calls is the order in which they arrive. A call stands once its gems are taken."),
            {},
            (Rule.CALL_STANDS,),
        ),
        Paragraph(
            N_("When the board was not entered, say which gems you took; or just count each player’s gems at the end."),
            {},
            (Rule.NAME_GEMS, Rule.COUNT_RANGE, Rule.COUNT, Rule.COUNT_DIFFERS),
        ),
        Paragraph(
            N_(
                "Hands count, not taps: who called in time is asked after the glass whether pawn and gems were in "
                "time, too, until the next roll. The glass on the table may be quicker than the clock."
            ),
            {},
            (Rule.EARLY,),
            step=Step.HANDS,
        ),
    )
