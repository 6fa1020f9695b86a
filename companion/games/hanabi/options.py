"""What a table of Hanabi may choose, and what its edition decides.

Source: H-cs, H-es, H-pl; `docs/decisions.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum

from companion.games.hanabi.cards import ORDINARY, POWDER, SINGLE, Colour, Suit
from companion.kernel.once import once


class Edition(Enum):
    """Which box is on the table."""

    CS = "cs"
    ES = "es"
    PL = "pl"


class Multicolour(IntEnum):
    """How many multicolour cards are in the deck. Source: H26."""

    NONE = 0
    FIVE = 5
    TEN = 10


class MulticolourHint(Enum):
    """What touches a multicolour card. Source: H26."""

    OWN = "own"
    """Its own colour, which may be named."""
    ALL = "all"
    """Every base colour; its own may not be named."""


class HintTokens(IntEnum):
    """How many hint tokens there are. Source: H22."""

    EIGHT = 8
    TEN = 10


class ErrorsAllowed(IntEnum):
    """Which error ends the game. Source: H23."""

    THREE = 3
    ONE = 1


class EmptyHint(Enum):
    """Whether a hint may touch no card. Source: H1."""

    OFF = False
    ON = True


class ThirdError(Enum):
    """What a defeat scores. Source: H2."""

    ZERO = "zero"
    KEEP = "keep"


class BlackBonus(Enum):
    """What completing the black powder earns with the Five Flamboyants. Source: H9, H15."""

    TOKEN = "token"
    TILE = "tile"


class TilesEmpty(Enum):
    """What completing a firework earns when no reward tile is left. Source: H10."""

    NOTHING = "nothing"
    TOKEN = "token"


class LateShuffle(Enum):
    """Whether a card shuffled into the empty deck starts the final round anew. Source: H11."""

    NO_RESTART = "no_restart"
    RESTART = "restart"


class Indispensable(Enum):
    """Whether the loss of an indispensable card waits for tiles that might recover it. Source: H17."""

    IMMEDIATE = "immediate"
    IGNORE = "ignore"
    """As long as T5 or T6 is not revealed."""


class Stuck(Enum):
    """What becomes of a player with neither cards nor hints to give. Source: H18."""

    SKIP = "skip"
    DEFEAT = "defeat"


class Talk(Enum):
    """How much may be said beside the hints. Source: H37."""

    HINTS = "hints"
    """Nothing."""
    MEMORY = "memory"
    """What a hint told."""
    FREE = "free"
    """Anything but what the cards are."""


class Detail(Enum):
    """What the table records, the least first."""

    TOKENS = "tokens"
    """Only the tokens, the fireworks and the deck."""
    HINTS = "hints"
    """Whom a hint goes to and what it names, and every card that is shown; no place in any hand."""
    CARDS = "cards"
    """That, and where in the hands the cards lie."""


WITH_WHITE = (Colour.WHITE, Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.GREEN)
WITH_BLACK = (Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.GREEN, Colour.BLACK)

BASE_COLOURS: Mapping[Edition, tuple[Colour, ...]] = {
    Edition.CS: WITH_WHITE,
    Edition.ES: WITH_BLACK,
    Edition.PL: WITH_WHITE,
}
"""Source: H28."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose; None is what the edition says."""

    edition: Edition = Edition.CS
    multicolour: Multicolour = Multicolour.NONE
    multicolour_hint: MulticolourHint | None = None
    """None: `all` in H-pl, `own` in the others."""
    black_powder: bool = False
    """Ten black cards, built from 5 down to 1. Source: H-pl, Black Powder."""
    flamboyants: bool = False
    """Reward tiles for completed fireworks. Source: H-pl, Five Flamboyants."""
    endless: bool = False
    """No final round; all fireworks or defeat. Source: H-cs and H-pl, expert variant."""
    hint_tokens: HintTokens = HintTokens.EIGHT
    errors_allowed: ErrorsAllowed = ErrorsAllowed.THREE
    empty_hint: EmptyHint | None = None
    """None: off in H-cs, on in the others."""
    third_error: ThirdError = ThirdError.ZERO
    black_bonus: BlackBonus = BlackBonus.TOKEN
    tiles_empty: TilesEmpty = TilesEmpty.NOTHING
    late_shuffle: LateShuffle = LateShuffle.NO_RESTART
    indispensable: Indispensable = Indispensable.IMMEDIATE
    stuck: Stuck = Stuck.SKIP
    talk: Talk = Talk.HINTS
    """Noted for the table: the referee does not listen."""
    first_seat: int = 0
    """Source: H32."""
    detail: Detail = Detail.CARDS
    aid_critical: bool = True
    """Show the cards of which one copy is left."""
    aid_cut_off: bool = True
    """Mark the fireworks that cannot be completed any more."""
    aid_max_score: bool = True
    """Show the highest score that can still be reached."""
    aid_pace: bool = True
    """Show how many turns may still pass without a card played."""
    aid_turns_left: bool = True
    """Count down the final round."""
    aid_hints: bool = True
    """Show what the hints said about each card."""
    aid_can_be: bool = False
    """Mark what a card that a hint was about can still be."""
    aid_contradictions: bool = True
    """Remark on a revealed card that contradicts a hint."""

    @property
    def base_colours(self) -> tuple[Colour, ...]:
        """The five ordinary colours."""
        return BASE_COLOURS[self.edition]

    @property
    def is_multicolour_named(self) -> bool:
        """Whether a hint names the multicolour as a colour of its own. Source: H26."""
        by_edition = MulticolourHint.ALL if self.edition is Edition.PL else MulticolourHint.OWN
        return (self.multicolour_hint or by_edition) is MulticolourHint.OWN

    @property
    def may_hint_nothing(self) -> bool:
        """Whether a hint may touch no card. Source: H1."""
        by_edition = EmptyHint.OFF if self.edition is Edition.CS else EmptyHint.ON
        return (self.empty_hint or by_edition) is EmptyHint.ON

    @property
    @once
    def nameable_colours(self) -> tuple[Colour, ...]:
        """The colours that a hint may name; never the black powder. Source: H-pl, Black Powder."""
        is_named = self.multicolour and self.is_multicolour_named
        return (*self.base_colours, Colour.MULTICOLOUR) if is_named else self.base_colours

    @property
    def is_counted(self) -> bool:
        """Whether only tokens, fireworks and deck are recorded."""
        return self.detail is Detail.TOKENS

    @property
    def has_places(self) -> bool:
        """Whether it is recorded where in the hands the cards lie."""
        return self.detail is Detail.CARDS


def suits(options: Options) -> tuple[Suit, ...]:
    """List the fireworks of a table. Source: H8, H8b, H20."""
    fireworks = [Suit(colour, ORDINARY) for colour in options.base_colours]
    if options.black_powder:
        fireworks.append(Suit(Colour.BLACK, POWDER, is_falling=True))
    if options.multicolour:
        fireworks.append(Suit(Colour.MULTICOLOUR, SINGLE if options.multicolour is Multicolour.FIVE else ORDINARY))
    return tuple(fireworks)
