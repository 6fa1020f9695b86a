"""How a turn begins and ends: whose it is, the card drawn, the final round, the seats passed over, the end of the game.

Source: H-cs, H-es, H-pl, course and end of the game; H4–H6, H11, H18.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Accepted, Refused, Remark, Seat
from companion.games.hanabi import events
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.options import LateShuffle, Stuck
from companion.games.hanabi.position import FULL, Ending, Position, Slot
from companion.games.hanabi.scoring import is_indispensable_lost, points, raw, score
from companion.kernel.frozen import put, replace

Ruling = Accepted[Position] | Refused
Story = tuple[Position, tuple[object, ...]]
"""A position, and what happened on the way to it."""

ENDINGS: Mapping[Ending, type[events.Ended]] = {
    Ending.PERFECTION: events.Perfected,
    Ending.EXPLOSION: events.Exploded,
    Ending.INDISPENSABLE: events.Missed,
    Ending.STUCK: events.Stranded,
    Ending.LAST_TURN: events.Burnt,
}


def not_on_turn(position: Position, seat: int, reveals: bool = False) -> Refused | None:
    """Refuse who is not on turn, and anything but a reward while one is due."""
    if seat != position.turn:
        return Refused(Rule.NOT_YOUR_TURN, {"seat": Seat(position.turn)})
    if position.is_reward_due and not reveals:
        return Refused(Rule.REWARD_FIRST, {"seat": Seat(seat)})
    return None


def regained(position: Position) -> Story:
    """Make a used hint token available; with all of them available it is lost. Source: H14."""
    if position.tokens == position.options.hint_tokens:
        return position, ()
    after = replace(position, tokens=position.tokens + 1)
    return after, (events.TokenRegained(after.tokens),)


def go_on(
    position: Position, happened: tuple[object, ...], remarks: tuple[Remark, ...] = (), draws: bool = True
) -> Accepted[Position]:
    """Finish what a move began: the end of the game, a reward to reveal, or the end of the turn.

    Source: H-cs, H-es, H-pl, end of the game; H4, H17, H29.
    """
    if min(position.fireworks) == FULL:
        position = replace(position, ending=Ending.PERFECTION)
    elif position.errors == position.options.errors_allowed:
        position = replace(position, ending=Ending.EXPLOSION)
    elif position.options.endless and is_indispensable_lost(position):
        position = replace(position, ending=Ending.INDISPENSABLE)
    if position.is_finished or position.is_reward_due:
        return Accepted(position, (*happened, *ended(position)), remarks)
    position, drawn = _drawn(position) if draws and position.deck else (position, ())
    position, passed = _passed_on(position)
    return Accepted(position, (*happened, *drawn, *passed, *ended(position)), remarks)


def ended(position: Position) -> tuple[object, ...]:
    """Say how the game has ended, and what each firework has brought; nothing while it goes on."""
    if not position.is_finished:
        return ()
    built = zip(position.suits, position.fireworks, strict=True)
    terms = tuple(events.Term(suit.colour, points(suit, cards)) for suit, cards in built)
    return (ENDINGS[position.ending](score(position), raw(position), terms),)


def _drawn(position: Position) -> Story:
    """Draw a card, of a deck that has one. The last one starts the final round; this turn is not part of it.

    Source: H-cs, H-es, H-pl, end of the game; H5, H11.
    """
    seat, options = position.turn, position.options
    hands = put(position.hands, seat, (*position.hands[seat], Slot()))
    after = replace(position, hands=hands, deck=position.deck - 1)
    goes_on = after.turns_left is not None and options.late_shuffle is not LateShuffle.RESTART
    if after.deck or options.endless or goes_on:
        return after, ()
    return replace(after, turns_left=after.seats + 1), (events.LastCardDrawn(after.seats),)


def _passed_on(position: Position) -> Story:
    """Give the turn to the next seat, or end the game after the last turn."""
    position = replace(position, turns=position.turns + 1)
    if position.turns_left is not None:
        position = replace(position, turns_left=position.turns_left - 1)
    if position.turns_left == 0:
        return replace(position, ending=Ending.LAST_TURN), ()
    return _to_the_next(position)


def _to_the_next(position: Position) -> Story:
    """Find the next seat that can do something; where nobody can, all is lost. Source: H18."""
    skipped: tuple[object, ...] = ()
    for step in range(1, position.seats + 1):
        seat = (position.turn + step) % position.seats
        if position.may_do_something(seat):
            return replace(position, turn=seat), skipped
        if position.options.stuck is Stuck.DEFEAT:
            break
        skipped = (*skipped, events.TurnSkipped(Seat(seat)))
    return replace(position, ending=Ending.STUCK), skipped
