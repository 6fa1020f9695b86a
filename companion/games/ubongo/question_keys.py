"""The parts of the questions to the referee of Ubongo, as a page asks for them by keys."""

from __future__ import annotations

from companion.game import N_
from companion.games.ubongo.gems import COPIES, HOLES, ROWS, Colour
from companion.games.ubongo.position import PLAYERS
from companion.question import YES, Part, count, one_of

COLOURS = {
    Colour.GREEN: N_("Green gems"),
    Colour.RED: N_("Red gems"),
    Colour.BLUE: N_("Blue gems"),
    Colour.PURPLE: N_("Purple gems"),
    Colour.BROWN: N_("Brown gems"),
    Colour.YELLOW: N_("Yellow gems"),
}


def _row(option: str, label: str) -> Part:
    """Make a part that is a row of the board: people count them from 1."""
    return Part(option, label, lambda asked: (tuple(map(str, range(ROWS))),), lambda word: int(word) + 1)


GEMS = tuple(count(colour.value, label, 0, COPIES, "0") for colour, label in COLOURS.items())
PAWN = (
    _row("from", N_("Row of the pawn")),
    count("rank", N_("Called as number"), 1, PLAYERS[-1]),
    _row("to", N_("To row")),
)
TAKEN = (
    count("left", N_("Gems left in the row"), 0, HOLES),
    one_of("late", N_("Later than the sand"), YES, "no"),
)
