"""What can be asked at a table of Hanabi, and the rules that can stand in its way.

Source: H-cs, H-es, H-pl; `docs/decisions.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion import game
from companion.games.hanabi.cards import Card, Colour
from companion.games.hanabi.position import Clue, Tile


class Rule(game.Rule):
    """What the referee of Hanabi cites."""

    PLAYERS = "hanabi.players", "H-cs, H-es, H-pl, components"
    FIRST_SEAT = "hanabi.first_seat", "decided here, H32"
    ONE_BLACK = "hanabi.one_black", "H-es, components; H28"
    GAME_OVER = "hanabi.game_over", "H-cs, H-es, H-pl, end of the game"
    NOT_YOUR_TURN = "hanabi.not_your_turn", "H-cs, H-es, H-pl, course of the game"
    REWARD_FIRST = "hanabi.reward_first", "H-pl, Five Flamboyants"
    NO_TOKEN = "hanabi.no_token", "H-cs, H-es, H-pl, hint"
    NOT_ONESELF = "hanabi.not_oneself", "H-cs, H-es, H-pl, hint; H3"
    NOBODY_TO_HINT = "hanabi.nobody_to_hint", "decided here: a hint is about cards in a hand"
    ONE_THING = "hanabi.one_thing", "H-cs, H-es, H-pl, hint"
    NOT_NAMEABLE = "hanabi.not_nameable", "H-cs, H-es, H-pl, hint and variants; H26, H28"
    VALUE_RANGE = "hanabi.value_range", "H-cs, H-es, H-pl, components"
    SLOTS = "hanabi.slots", "H-cs, H-es, H-pl, hint"
    EMPTY_HINT = "hanabi.empty_hint", "H-es and H-pl, hint; H1"
    ALL_TOKENS = "hanabi.all_tokens", "H-cs, H-es, H-pl, discard"
    NO_CARDS = "hanabi.no_cards", "H-cs and H-pl, expert variant"
    SLOT = "hanabi.slot", "decided here: a place in the hand"
    NO_SUCH_CARD = "hanabi.no_such_card", "H-cs, H-es, H-pl, components; H8b, H26"
    NO_COPY_LEFT = "hanabi.no_copy_left", "H-cs, H-es, H-pl, components; H8"
    DOES_NOT_FIT = "hanabi.does_not_fit", "H-cs, H-es, H-pl, play; H27"
    SAY_ALL = "hanabi.say_all", "decided here: the table records cards, or hints"
    SAY_LESS = "hanabi.say_less", "decided here: the table records tokens, or hints without places"
    ORDER = "hanabi.order", "H-cs, H-es, H-pl, tips; H24"
    NO_REWARD = "hanabi.no_reward", "H-pl, Five Flamboyants; H9, H10"
    TILE_GONE = "hanabi.tile_gone", "H-pl, Five Flamboyants; H31"
    TILE_NEEDS = "hanabi.tile_needs", "H-pl, Five Flamboyants"
    INSTEAD = "hanabi.instead", "H-pl, Five Flamboyants; H12"
    MUST_USE = "hanabi.must_use", "H-pl, Five Flamboyants; H16"
    NOT_DISCARDED = "hanabi.not_discarded", "H-pl, Five Flamboyants"
    CONTRADICTION = "hanabi.contradiction", "H-cs, H-es, H-pl, hint"
    SCORE = "hanabi.score", "H-cs, H-es, H-pl, score; H7, H21, H25"
    FITS = "hanabi.fits", "H-cs, H-es, H-pl, play; H27"


@dataclass(frozen=True, slots=True)
class Hint:
    """Tell another player which cards are of one colour or value.

    Where hints are recorded without places, no slots; where tokens are, only the seat.
    """

    seat: int
    to: int | None = None
    colour: Colour | None = None
    value: int | None = None
    slots: tuple[int, ...] | None = None
    """The places touched in the other hand, ascending, 0 is leftmost; () where none is."""

    @property
    def clue(self) -> Clue | None:
        """What the hint names; None if nothing."""
        return self.value if self.colour is None else self.colour


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a card, for a hint token. Without places no slot; where tokens are recorded, perhaps no card either."""

    seat: int
    slot: int | None = None
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card. Without places no slot; where tokens are recorded, the card where it fitted.

    In the endless game a card that did not fit may be named, too. Source: H34.
    """

    seat: int
    slot: int | None = None
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Reward:
    """Reveal the top reward tile and use it; without its card or hint it is lost."""

    seat: int
    tile: Tile
    to: int | None = None
    colour: Colour | None = None
    value: int | None = None
    slots: tuple[int, ...] | None = None
    card: Card | None = None
    instead: Tile | None = None
    """T6, where T5 is used as that one (`as` in the table record)."""

    @property
    def clue(self) -> Clue | None:
        """What the hint names; None if nothing."""
        return self.value if self.colour is None else self.colour


@dataclass(frozen=True, slots=True)
class Arrange:
    """Re-order one's own hand: the old place of each card, from left to right."""

    seat: int
    order: tuple[int, ...]


Move = Hint | Discard | PlayCard | Reward | Arrange
