"""How a score sheet is counted, in words, for the help page and the rule card; formulas stand as they are written."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from companion.game import N_, Paragraph, Section
from companion.games.tally.counting import Counting
from companion.games.tally.moves import Rule


def rule_card(counting: Counting, columns: type[Enum], is_whole: bool) -> tuple[Section, ...]:
    """Write the rules of a sheet.

    Args:
        counting: the sheet.
        columns: its columns, as words name them.
        is_whole: whether to tell what this sheet does not need, too.
    """
    return (
        Section(N_("The game"), _game(counting, columns)),
        Section(N_("A round"), _round(counting, columns, is_whole)),
        Section(N_("The end"), _end(counting, is_whole)),
        Section(N_("With the companion"), _companion(), is_of_companion=True),
    )


def _game(counting: Counting, columns: type[Enum]) -> tuple[Paragraph | None, ...]:
    fewest, most = counting.players
    who = N_("Whoever has the lowest total wins.") if counting.is_low else N_("Whoever has the highest total wins.")
    together = N_("All play together, for one score.")
    keys = {column.key for column in counting.columns}
    decides = tuple([(columns(each) if each in keys else each,) for each in counting.tiebreaks])
    return (
        Paragraph(
            N_("This game is for %(fewest)s to %(most)s players."), {"fewest": fewest, "most": most}, (Rule.PLAYERS,)
        ),
        Paragraph(together if counting.is_shared else who),
        None
        if counting.is_shared
        else Paragraph(
            N_("Equal totals share the place, unless the sheet says what else decides."),
            table=((N_("Equal totals"),), *decides) if decides else (),
        ),
    )


def _round(counting: Counting, columns: type[Enum], is_whole: bool) -> tuple[Paragraph | None, ...]:
    waits = is_whole or any(column.waits for column in counting.columns)
    return (
        Paragraph(
            N_("In each round everybody tells their numbers, from the first column on; the others are worked out."),
            {},
            (Rule.TOLD, Rule.ORDER, Rule.RANGE, Rule.WORTH),
            table=((N_("Column"), N_("Worth")), *_worths(counting, columns)),
        ),
        Paragraph(N_("A column that waits is told when everybody has told what comes before it."), {}, (Rule.WAITS,))
        if waits
        else None,
        Paragraph(N_("Numbers of a round that do not go together are pointed out."), {}, (Rule.CHECK,))
        if is_whole or counting.check
        else None,
    )


def _worths(counting: Counting, columns: type[Enum]) -> Iterator[tuple[Any, ...]]:
    """Tell of each column what it is worth, and what a round is worth where that is not the one column again."""
    yield from ((columns(column.key), column.formula or N_("told")) for column in counting.columns)
    if counting.formula or len(counting.columns) > 1:
        yield N_("Points"), counting.formula or N_("the sum of what is told")


def _end(counting: Counting, is_whole: bool) -> tuple[Paragraph | None, ...]:
    number = Paragraph(N_("Number of rounds: %(rounds)s."), {"rounds": counting.rounds}, (Rule.ROUNDS,))
    free = Paragraph(
        N_("A game with no number of rounds ends when you say so, after a whole round."), {}, (Rule.ROUNDS, Rule.OPEN)
    )
    target = Paragraph(
        N_("A target ends the game as soon as it is reached, or with that round."),
        {},
        (Rule.TARGET,),
        table=((N_("Target"),), (counting.target,)) if counting.target else (),
    )
    return (
        number if counting.rounds else free,
        target if is_whole or counting.ends else None,
        Paragraph(N_("After its end nothing more is counted."), {}, (Rule.GAME_OVER, Rule.FIXED)),
    )


def _companion() -> tuple[Paragraph, ...]:
    return (
        Paragraph(N_("Everybody tells their own numbers, in any order; or one phone keeps the score for all.")),
        Paragraph(N_("A number that was wrong is put right in the history, and everything is counted anew.")),
    )
