"""What the referee of every score sheet says, in English; gettext has the other languages.

Field terms: sheet, round, column, points, total.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from companion import game
from companion.game import N_, Label, Plural, Words
from companion.games.tally.any_other import Cell
from companion.games.tally.moves import (
    Brought,
    Ended,
    Enter,
    Entered,
    EnteredForAll,
    Finish,
    Finished,
    RoundCounted,
    RoundCountedForAll,
    Rule,
)

SENTENCES: dict[game.Rule | type[Any], str | Plural] = {
    Rule.PLAYERS: N_("This game is for %(fewest)s to %(most)s players."),
    Rule.ROUNDS: N_("A game has up to %(most)s rounds; 0 for as many as you like."),
    Rule.TARGET: N_("The target is a number up to %(most)s; 0 for none."),
    Rule.GAME_OVER: N_("The game is over; nothing more is counted."),
    Rule.WORTH: N_("Worked out, and not told: %(column)s."),
    Rule.TOLD: N_("Told already in this round: %(column)s. Change it in the history."),
    Rule.ORDER: N_("First tell %(column)s."),
    Rule.WAITS: N_("Told when everybody has told what comes before it: %(column)s."),
    Rule.RANGE: N_("%(column)s: a number from %(least)s to %(most)s now."),
    Rule.CHECK: N_("The numbers of round %(round)s do not go together: one of them may be wrong."),
    Rule.FIXED: N_("The number of rounds is fixed (%(rounds)s): the game ends by itself."),
    Rule.OPEN: N_("A game ends after a whole round: count this one to its end, or take it back."),
    Entered: N_("%(seat)s: %(column)s %(value)s."),
    EnteredForAll: N_("%(column)s: %(value)s."),
    RoundCounted: N_("Round %(round)s: %(points)s."),
    RoundCountedForAll: N_("Round %(round)s brings %(points)s."),
    Brought: N_("%(seat)s %(points)s"),
    Ended: N_("That ends the game."),
    Finished: Plural(
        "You have ended the game after one round.", "You have ended the game after %(round)s rounds.", by="round"
    ),
    Enter: N_("%(column)s of %(seat)s"),
    Finish: N_("end of the game"),
}

OPTIONS: dict[str | tuple[str, object], Label] = {
    "called": Label(N_("What is it called?"), N_("Its name stands on the pages and on the sheet.")),
    "wins": Label(N_("Who wins?"), N_("Whether points are good or bad.")),
    ("wins", "high"): Label(N_("The most points"), N_("Whoever has the highest total wins.")),
    ("wins", "low"): Label(N_("The fewest points"), N_("Whoever has the lowest total wins.")),
    "rounds": Label(N_("Rounds"), N_("How many; 0: you end the game yourselves.")),
    "target": Label(N_("Target"), N_("When a total reaches it, the game ends with that round; 0: none.")),
}

FIELDS = {"seat": N_("Player"), "column": N_("Column"), "value": N_("Number")}

WORDS = Words(sentences=SENTENCES, names={Cell.NUMBER: N_("Points")}, options=OPTIONS, fields=FIELDS)
"""Those of any other game."""


def words_of(columns: Mapping[Enum, str], carried: Mapping[str, Mapping[str, str]]) -> Words:
    """Give the words of a sheet: its columns' names, and what it says of them in other languages."""

    def catalogue(language: str) -> Mapping[str, str]:
        return carried.get(language, {})

    return Words(sentences=SENTENCES, names=columns, options={}, fields=FIELDS, catalogue=catalogue)
