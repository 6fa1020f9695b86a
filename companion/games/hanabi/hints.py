"""Rulings on hints: what may be said, and what it leaves on the cards; `contradictions.py` looks at whether it can be.

Source: H-cs, H-es, H-pl, hint and variants; H1, H3, H13, H26, H28.
"""

from __future__ import annotations

from companion.game import Refused, Seat
from companion.games.hanabi import events
from companion.games.hanabi.cards import VALUES
from companion.games.hanabi.contradictions import noticed
from companion.games.hanabi.moves import Hint, Reward, Rule
from companion.games.hanabi.options import Detail
from companion.games.hanabi.position import Clue, Mark, Position, Slot
from companion.games.hanabi.turns import Ruling, Story, go_on, not_on_turn
from companion.kernel.frozen import put, replace


def judge_hint(position: Position, move: Hint) -> Ruling:
    """Give a hint, for a token."""
    if refused := not_on_turn(position, move.seat):
        return refused
    if not position.tokens:
        return Refused(Rule.NO_TOKEN)
    if refused := _refused_counted(position, move) if position.options.is_counted else refused_hint(position, move):
        return refused
    after, happened = hinted(replace(position, tokens=position.tokens - 1), move)
    after, remarks = noticed(after, move.to)
    return go_on(after, happened, remarks, draws=False)


def refused_hint(position: Position, move: Hint | Reward) -> Refused | None:
    """Refuse a hint that may not be given, whatever it costs."""
    if refused := _refused_places(position, move):
        return refused
    if move.to is None:
        return Refused(Rule.SAY_ALL)
    if move.to == move.seat:
        return Refused(Rule.NOT_ONESELF)
    if not position.hands[move.to]:
        return Refused(Rule.NOBODY_TO_HINT)
    if (move.colour is None) == (move.value is None):
        return Refused(Rule.ONE_THING)
    nameable = position.options.nameable_colours
    if move.colour is not None and move.colour not in nameable:
        return Refused(Rule.NOT_NAMEABLE, {"colour": move.colour, "colours": nameable})
    if move.value is not None and move.value not in VALUES:
        return Refused(Rule.VALUE_RANGE)
    return None if move.slots is None else _refused_slots(position, move.to, move.slots)


def hinted(position: Position, move: Hint | Reward) -> Story:
    """Mark every card of the other hand with what the hint says of it."""
    to, clue, slots = move.to, move.clue, move.slots
    if to is None or clue is None:
        return position, (events.HintCounted(Seat(move.seat)),)
    if slots is None:
        return position, (_named(move.seat, to, clue),)
    event = _event(move.seat, to, clue, slots)
    if not position.options.has_places:
        return position, (event,)
    hand = tuple(
        Slot((*held.marks, Mark(clue, slot in slots, move.seat, position.moves)))
        for slot, held in enumerate(position.hands[to])
    )
    return replace(position, hands=put(position.hands, to, hand)), (event,)


def _refused_counted(position: Position, move: Hint) -> Refused | None:
    """Refuse a hint where only tokens are recorded."""
    if move != Hint(move.seat):
        return Refused(Rule.SAY_LESS)
    return None if position.holds_elsewhere(move.seat) else Refused(Rule.NOBODY_TO_HINT)


def _refused_places(position: Position, move: Hint | Reward) -> Refused | None:
    """Refuse a hint that does not say which cards it shows, or says it where that is not recorded.

    Where only tokens are, a tile may say it: nobody holds it against the hand.
    """
    has_places, says_them = position.options.detail is not Detail.HINTS, move.slots is not None
    if position.options.is_counted or has_places == says_them:
        return None
    return Refused(Rule.SAY_ALL if has_places else Rule.SAY_LESS)


def _refused_slots(position: Position, to: int, slots: tuple[int, ...]) -> Refused | None:
    cards = len(position.hands[to])
    if len(set(slots)) < len(slots) or not set(slots) <= set(range(cards)):
        return Refused(Rule.SLOTS, {"seat": Seat(to), "cards": cards})
    if not slots and not position.options.may_hint_nothing:
        return Refused(Rule.EMPTY_HINT)
    return None


def _named(seat: int, to: int, clue: Clue) -> object:
    if isinstance(clue, int):
        return events.ValueNamed(Seat(seat), Seat(to), clue)
    return events.ColourNamed(Seat(seat), Seat(to), clue)


def _event(seat: int, to: int, clue: Clue, slots: tuple[int, ...]) -> object:
    places = tuple(slot + 1 for slot in slots)
    if isinstance(clue, int):
        if not slots:
            return events.NoValueHinted(Seat(seat), Seat(to), clue)
        return events.ValueHinted(Seat(seat), Seat(to), clue, places, len(places))
    if not slots:
        return events.NoColourHinted(Seat(seat), Seat(to), clue)
    return events.ColourHinted(Seat(seat), Seat(to), clue, places, len(places))
