"""Rulings on gems: the front two of a row, and the count that ends the game.

Source: U-cs, moving and taking, end of the game.
"""

from __future__ import annotations

from companion.game import Accepted, Refused, Remark, Seat
from companion.games.ubongo.calls import with_call
from companion.games.ubongo.gems import COPIES, Colour, Counts, Gem, Held, added, counted
from companion.games.ubongo.glass import game_over, refused_late, round_over, too_late
from companion.games.ubongo.moves import (
    Count,
    GemsCounted,
    GemsTaken,
    HandsLate,
    NothingRecorded,
    NothingTaken,
    OtherRecorded,
    Rule,
    Take,
)
from companion.games.ubongo.position import Call, Position
from companion.games.ubongo.whys import what_lies
from companion.kernel.frozen import put, replace

Ruling = Accepted[Position] | Refused


def judge_take(position: Position, move: Take) -> Ruling:
    """Let a seat take what is before its pawn; when everybody is done, the round is over."""
    ruling = taken(position, move)
    if isinstance(ruling, Refused):
        return ruling
    after = ruling.position
    if len(after.calls) < after.seats or not all(call.has_taken for call in after.calls):
        return ruling
    after, events = round_over(after, is_early=True)
    return Accepted(after, (*ruling.events, *events))


def taken(position: Position, move: Take) -> Ruling:
    """Give a seat the front gems of its row, or none where its hands were late.

    Source: U-cs, moving and taking; who takes first gets the front ones, whoever called first: U13; U17.
    """
    seat, call = Seat(move.seat), position.call(move.seat)
    if call is None:
        return Refused(Rule.NOT_CALLED, {"seat": seat})
    if call.has_taken:
        return Refused(Rule.TAKEN_ALREADY, {"seat": seat})
    if move.in_time is False:
        return _late(position, move, call)
    if refused := refused_late(position, move):
        return refused
    gems = _front(position, move)
    if isinstance(gems, Refused):
        return gems
    after = with_call(_given(position, seat, gems), replace(call, has_taken=True))
    if refused := _too_many(after.gems):
        return refused
    return Accepted(after, (GemsTaken(seat, _named(gems)) if gems else NothingTaken(seat),))


def _named(gems: tuple[Colour, ...]) -> tuple[Gem, ...]:
    return tuple(Gem(colour.value) for colour in gems)


def _late(position: Position, move: Take, call: Call) -> Ruling:
    """Let a seat go without gems, as it says itself. Source: U5, U17."""
    if move.gems:
        return too_late(position, move)
    return Accepted(with_call(position, replace(call, has_taken=True)), (HandsLate(Seat(move.seat)),))


def judge_count(position: Position, move: Count) -> Ruling:
    """Take the counts for what everyone has, and end the game. They overrule what was recorded."""
    if refused := _more_than_rounds(position, move.gems) or _out_of_range(move.gems) or _too_many(move.gems):
        return refused
    after, events = game_over(replace(position, gems=move.gems, is_counted=True))
    return Accepted(after, (GemsCounted(), *events), _differing(position, move.gems))


def _more_than_rounds(position: Position, gems: tuple[Counts, ...]) -> Refused | None:
    """Refuse more gems than all rounds of the game bring a seat. Source: U19."""
    for seat, told in enumerate(map(sum, gems)):
        if told > position.most_gems and position.rules > 1:
            facts = {"seat": Seat(seat), "told": told, "most": position.most_gems, "rounds": position.rounds}
            return Refused(Rule.COUNT, facts)
    return None


def _out_of_range(gems: tuple[Counts, ...]) -> Refused | None:
    """Refuse a number of gems that nobody can have of a colour. Source: U11."""
    for seat, counts in enumerate(gems):
        for colour, told in zip(Colour, counts, strict=True):
            if told not in range(COPIES + 1):
                return Refused(Rule.COUNT_RANGE, {"seat": Seat(seat), "colour": colour, "told": told, "most": COPIES})
    return None


def _differing(position: Position, gems: tuple[Counts, ...]) -> tuple[Remark, ...]:
    """Remark on counts that are others than the gems recorded, where some were. Source: U19."""
    if gems == position.gems or not any(map(any, position.gems)):
        return ()
    both = enumerate(zip(gems, position.gems, strict=True))
    others = tuple(_recorded(Seat(seat), told, known) for seat, (told, known) in both if told != known)
    return (Remark(Rule.COUNT_DIFFERS, {"others": others}),)


def _recorded(seat: Seat, told: Counts, known: Counts) -> OtherRecorded | NothingRecorded:
    if not any(known):
        return NothingRecorded(seat)
    each = zip(Colour, told, known, strict=True)
    return OtherRecorded(seat, tuple(Held(colour, own) for colour, count, own in each if own != count))


def _front(position: Position, move: Take) -> tuple[Colour, ...] | Refused:
    """Tell which gems a seat takes, or what is wrong with those it names. Source: U4, U15."""
    due, left = position.due(move.seat), position.left(position.pawns[move.seat])
    if move.gems is None and left is None and due:
        return Refused(Rule.NAME_GEMS, {"due": due})
    if move.gems is None:
        return (left or ())[:due]
    if len(move.gems) != due:
        return Refused(Rule.FRONT_TWO, {"row": position.pawns[move.seat] + 1, "lies": what_lies(due)})
    if left is not None and counted(move.gems) != counted(left[:due]):
        return Refused(Rule.FRONT_COLOURS, {"row": position.pawns[move.seat] + 1, "gems": _named(left[:due])})
    return move.gems if left is None else left[:due]


def _given(position: Position, seat: int, gems: tuple[Colour, ...]) -> Position:
    row = position.pawns[seat]
    more = added(position.gems[seat], counted(gems))
    rows = put(position.rows, row, position.rows[row] - len(gems))
    return replace(position, rows=rows, gems=put(position.gems, seat, more))


def _too_many(gems: tuple[Counts, ...]) -> Refused | None:
    """Refuse more gems of a colour than the box has. Source: U11."""
    for colour, told in zip(Colour, map(sum, zip(*gems, strict=True)), strict=True):
        if told > COPIES:
            return Refused(Rule.TWELVE_OF_A_COLOUR, {"colour": colour, "told": told})
    return None
