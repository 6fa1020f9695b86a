"""Hanabi's options and moves as data, the table record's way (`docs/record.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from companion.fields import AnySeat, CardName, Choice, SeatNumber, Several, Switch, Whole, shape
from companion.game import Schema
from companion.games.hanabi.cards import Colour, card_name, parse_card
from companion.games.hanabi.moves import Arrange, Discard, Hint, PlayCard, Reward
from companion.games.hanabi.options import (
    BlackBonus,
    Detail,
    Edition,
    EmptyHint,
    ErrorsAllowed,
    HintTokens,
    Indispensable,
    LateShuffle,
    Multicolour,
    MulticolourHint,
    Options,
    Stuck,
    Talk,
    ThirdError,
    TilesEmpty,
)
from companion.games.hanabi.position import Tile
from companion.kernel.frozen import replace


class Slots(Several):
    """Places in a hand: their order means nothing."""

    def _deserialize(self, *args: Any, **kwargs: Any) -> Any:
        return tuple(sorted(super()._deserialize(*args, **kwargs)))

    def at_sight(self, value: Any) -> tuple[Any, ...]:
        """Read the places. Raises: Odd."""
        return tuple(sorted(super().at_sight(value)))


def _options(**given: Any) -> Options:
    """Fill in what the edition decides. Source: H1, H26."""
    options = Options(**given)
    return replace(
        options,
        multicolour_hint=MulticolourHint.OWN if options.is_multicolour_named else MulticolourHint.ALL,
        empty_hint=EmptyHint.ON if options.may_hint_nothing else EmptyHint.OFF,
    )


OPTIONS = shape(
    _options,
    edition=Choice(Edition),
    detail=Choice(Detail),
    multicolour=Choice(Multicolour),
    multicolour_hint=Choice(MulticolourHint),
    black_powder=Switch(),
    flamboyants=Switch(),
    endless=Switch(),
    hint_tokens=Choice(HintTokens),
    errors_allowed=Choice(ErrorsAllowed),
    empty_hint=Choice(EmptyHint),
    third_error=Choice(ThirdError),
    black_bonus=Choice(BlackBonus),
    tiles_empty=Choice(TilesEmpty),
    late_shuffle=Choice(LateShuffle),
    indispensable=Choice(Indispensable),
    stuck=Choice(Stuck),
    talk=Choice(Talk),
    first_seat=AnySeat(),
    aid_critical=Switch(),
    aid_cut_off=Switch(),
    aid_max_score=Switch(),
    aid_pace=Switch(),
    aid_turns_left=Switch(),
    aid_hints=Switch(),
    aid_can_be=Switch(),
    aid_contradictions=Switch(),
)


@cache
def moves(seats: int) -> Mapping[str, Schema]:
    """Give the schema of each kind of move, for so many seats.

    What a move must say depends on what the table records, so the rules ask for it.
    """
    seat, to = partial(SeatNumber, seats, required=True), partial(SeatNumber, seats)
    card = partial(CardName, parse_card, card_name)
    clue = partial(dict[str, Any], to=to(), colour=Choice(Colour), value=Whole(), slots=Slots(Whole()))
    return {
        "hint": shape(Hint, seat=seat(), **clue()),
        "discard": shape(Discard, seat=seat(), slot=Whole(), card=card()),
        "play": shape(PlayCard, seat=seat(), slot=Whole(), card=card()),
        "reward": shape(
            Reward,
            seat=seat(),
            tile=Choice(Tile, required=True),
            **clue(),
            card=card(),
            **{"as": Choice(Tile, attribute="instead")},
        ),
        "arrange": shape(Arrange, seat=seat(), order=Several(Whole(), required=True)),
    }
