"""What the referee of Ubongo says, in English; gettext has the other languages.

Field terms: row, gem, pawn, puzzle card, sand glass, symbol die, front two gems. To players rows count from 1.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from companion import game
from companion.game import N_, Label, Plural, Words
from companion.games.ubongo.gems import AheadAtOnce, AheadLater, Colour, Gem, GemsHeld, Held, Level, NoGemsHeld
from companion.games.ubongo.moves import (
    Called,
    CallVoided,
    Count,
    GameEnded,
    GemsCounted,
    GemsTaken,
    GlassRanOut,
    GlassTurnedAgain,
    HandsLate,
    NothingRecorded,
    NothingTaken,
    OtherRecorded,
    PawnMoved,
    PawnStarts,
    PawnStayed,
    Place,
    Roll,
    Rolled,
    RoundEnded,
    Rule,
    StarterNamed,
    Take,
    TimeUp,
    Ubongo,
    Void,
)
from companion.games.ubongo.question import (
    MayMove,
    MayNotMove,
    PawnReaches,
    Placed,
    Ranking,
    TakesGems,
    TakesNothing,
    TooLateForGems,
)
from companion.games.ubongo.whys import FrontTwo, OneLeft, RowEmpty

RULES: dict[game.Rule | type[Any], str | Plural] = {
    Rule.PLAYERS: N_("Ubongo is for %(fewest)s to %(most)s players."),
    Rule.FIRST_SEAT: N_("One of the %(seats)s players starts: a record counts them from 0 to %(last)s."),
    Rule.GLASS_SECONDS: N_("The sand glass runs for at least one second."),
    Rule.FULL_BOARD: N_("The board holds 12 gems of each of the six colours, in six rows of 12."),
    Rule.PAWNS: N_(
        "There is one pawn for each of the %(seats)s players, each in one of the six rows: a record counts them from 0 "
        "to %(last)s."
    ),
    Rule.GAME_OVER: N_("The game is over; no more gems are taken."),
    Rule.ROUND_OPEN: N_("This round has its symbol already; the die is rolled again when the round is over."),
    Rule.SYMBOL: N_("The symbol die has six symbols, 1 to 6; %(symbol)s is none of them."),
    Rule.ROLL_FIRST: N_("The glass does not run yet: first %(seat)s rolls the symbol die."),
    Rule.CALLED_ALREADY: N_("%(seat)s has called out in this round already, as number %(place)s."),
    Rule.NOT_CALLED: N_("%(seat)s has not called out in this round."),
    Rule.TOO_LATE: Plural(
        "Too late: %(late)s. The sand has run out, after %(seconds)s second.",
        "Too late: %(late)s. The sand has run out, after %(seconds)s seconds.",
        by="seconds",
    ),
    Rule.EARLY: Plural(
        "By the clock the sand had still %(seconds)s second to run: if nobody has seen it run out, take that back.",
        "By the clock the sand had still %(seconds)s seconds to run: if nobody has seen it run out, take that back.",
        by="seconds",
    ),
    Rule.CALL_STANDS: N_("%(seat)s has taken gems already, so the call stands; take that back first."),
    Rule.MOVE_BEFORE_TAKING: N_("The pawn moves before gems are taken; %(seat)s has taken them."),
    Rule.ONE_MOVE: N_("A pawn moves once in a round; that of %(seat)s has moved, or was said to stay."),
    Rule.PAWN_REACH: Plural(
        "%(seat)s finished as number %(place)s, so the pawn stays in row %(rows)s.",
        "%(seat)s finished as number %(place)s: from row %(row)s the pawn reaches rows %(rows)s.",
        by="open",
    ),
    Rule.TAKEN_ALREADY: N_("%(seat)s has taken gems in this round already."),
    Rule.FRONT_TWO: N_("Row %(row)s: %(lies)s."),
    Rule.NAME_GEMS: Plural(
        "Say which gem was taken.",
        "Say which %(due)s gems were taken.",
        by="due",
    ),
    Rule.FRONT_COLOURS: N_("Those gems do not lie in front. In front of row %(row)s: %(gems)s."),
    Rule.TWELVE_OF_A_COLOUR: N_("There are 12 gems of each colour, but that would be %(told)s of %(colour)s."),
    Rule.COUNT_RANGE: N_("%(seat)s, %(colour)s: %(told)s cannot be, a colour is counted from 0 to %(most)s."),
    Rule.COUNT: N_("%(seat)s cannot have %(told)s gems: %(rounds)s rounds bring %(most)s at most, two in each."),
    Rule.COUNT_DIFFERS: N_("While you played, other gems were recorded: %(others)s. The count holds."),
    Rule.LARGEST_COUNTS: N_("Whoever has the most gems of one colour wins; if level, the next largest colour decides."),
}

EVENTS: dict[game.Rule | type[Any], str | Plural] = {
    Rolled: N_("%(seat)s rolls symbol %(symbol)s and turns the glass."),
    Called: N_("%(seat)s calls “Ubongo!” as number %(place)s."),
    CallVoided: N_("The call of %(seat)s was false; %(seat)s may go on, and those behind move up."),
    PawnStarts: N_("%(seat)s puts the pawn on row %(row)s to start."),
    PawnMoved: N_("%(seat)s moves the pawn to row %(row)s."),
    PawnStayed: N_("%(seat)s leaves the pawn in row %(row)s."),
    GemsTaken: N_("%(seat)s takes %(gems)s."),
    NothingTaken: N_("%(seat)s stands at an empty row and goes empty-handed."),
    HandsLate: N_("The hands of %(seat)s were too late: no gems."),
    GlassTurnedAgain: N_("Nobody has called, so the glass is turned once more for the same cards."),
    GlassRanOut: N_("The sand has run out."),
    RoundEnded: N_("Round %(round)s is over."),
    StarterNamed: N_("%(seat)s rolls next."),
    GemsCounted: N_("Everyone’s gems are counted."),
    GameEnded: N_("The game is over. First place: %(winners)s."),
    GemsHeld: N_("%(seat)s has %(held)s."),
    NoGemsHeld: N_("%(seat)s has no gems."),
    AheadAtOnce: N_("%(ahead)s has %(more)s of one colour, %(behind)s at most %(fewer)s."),
    AheadLater: N_("Level on %(level)s; %(ahead)s has %(more)s, %(behind)s %(fewer)s."),
    Level: N_("%(ahead)s and %(behind)s are level on all colours and share the place."),
    Ranking: N_("The ranking: %(order)s."),
    PawnReaches: Plural(
        "The pawn stays in row %(rows)s, counted from 1.",
        "The pawn may stop at the rows %(rows)s, counted from 1.",
        by="open",
    ),
    TakesGems: Plural("The %(due)s gem that is left is taken.", "The front %(due)s gems are taken.", by="due"),
    TakesNothing: N_("Nothing: the row is empty, and the pawn does not move again."),
    TooLateForGems: N_("Nothing: whoever takes later than the sand goes without gems."),
    MayMove: N_("Yes: the pawn may go to row %(row)s."),
    MayNotMove: N_("No: the pawn may not go to row %(row)s."),
}

THINGS: dict[game.Rule | type[Any], str | Plural] = {
    Held: N_("%(colour)s %(gems)s"),
    RowEmpty: N_("it is empty, and nothing is taken"),
    OneLeft: N_("one gem is left, and that one is taken"),
    FrontTwo: N_("the front two gems are taken, for the first brings the second; name both"),
    OtherRecorded: N_("%(seat)s (%(known)s)"),
    NothingRecorded: N_("%(seat)s (nothing)"),
    Placed: N_("%(rank)s. %(name)s"),
    Roll: N_("roll of the symbol die"),
    Ubongo: N_("call of %(seat)s"),
    Void: N_("false call of %(seat)s"),
    Place: N_("pawn of %(seat)s"),
    Take: N_("gems of %(seat)s"),
    TimeUp: N_("end of the glass"),
    Count: N_("count of the gems"),
}

NAMES: dict[Enum, str] = {
    Colour.GREEN: N_("green"),
    Colour.RED: N_("red"),
    Colour.BLUE: N_("blue"),
    Colour.PURPLE: N_("purple"),
    Colour.BROWN: N_("brown"),
    Colour.YELLOW: N_("yellow"),
    Gem.GREEN: N_("a green gem"),
    Gem.RED: N_("a red gem"),
    Gem.BLUE: N_("a blue gem"),
    Gem.PURPLE: N_("a purple gem"),
    Gem.BROWN: N_("a brown gem"),
    Gem.YELLOW: N_("a yellow gem"),
}

OPTIONS: dict[str | tuple[str, object], Label] = {
    "side": Label(N_("Side of the puzzle cards"), N_("How many tiles fill the light area.")),
    ("side", 3): Label(N_("Three tiles"), N_("The easier side, with yellow frames.")),
    ("side", 4): Label(N_("Four tiles"), N_("The harder side, with green frames.")),
    "long_game": Label(N_("All cards"), N_("Two players play 18 rounds, three play 12; four always play 9.")),
    "glass_s": Label(N_("Sand glass"), N_("How many seconds the sand runs.")),
    "first_seat": Label(N_("First starter"), N_("Who rolls in the first round; then the left neighbour does.")),
    "board": Label(
        N_("Gems on the board"), N_("The colours of each row, the front gem first; the referee hands them out.")
    ),
    "pawns": Label(N_("Pawns at the start"), N_("The row of each pawn, counted from 0; several may share a row.")),
    "tie": Label(N_("Equal in all colours"), N_("Who wins when all six counts are equal.")),
    ("tie", "shared"): Label(N_("Shared"), N_("They share the place.")),
}

FIELDS = {
    "symbol": N_("Symbol"),
    "row": N_("Row"),
    "gems": N_("Gems"),
    "at": N_("Time"),
    "in_time": N_("In time"),
}

WORDS = Words(sentences=RULES | EVENTS | THINGS, names=NAMES, options=OPTIONS, fields=FIELDS)
