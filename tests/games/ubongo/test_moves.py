"""Moves of Ubongo that come late, malformed or wild, and how many there are."""

import json
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion import record
from companion.game import Accepted, Refused, Seat
from companion.games.ubongo import GAME
from companion.games.ubongo.gems import Colour, GemsHeld, Held, NoGemsHeld, holdings
from companion.games.ubongo.moves import Count, Move, Place, Roll, Rule, Take, TimeUp, Ubongo, Void
from companion.games.ubongo.position import Position
from companion.record import RecordError
from tests.games.ubongo import oracle
from tests.games.ubongo.test_examples import BOARDS, COLOURS


def opened(seats: int = 3, **options: Any) -> Position:
    position: Position = record.opened(GAME, options, seats).position
    return position


def after(position: Position, *moves: Move) -> Position:
    for move in moves:
        ruling = GAME.judge(position, move)
        assert isinstance(ruling, Accepted), ruling
        position = ruling.position
    return position


@pytest.mark.promise(22)
@pytest.mark.parametrize("move", [Ubongo(0), Ubongo(1)])
def test_a_call_holds_whoever_called_meanwhile(move: Move) -> None:
    seen = after(opened(), Roll(1))
    assert GAME.still_means(seen, after(seen, Ubongo(2)), move)


def test_a_call_does_not_hold_for_the_next_round() -> None:
    seen = after(opened(), Roll(1))
    assert not GAME.still_means(seen, after(seen, TimeUp(), TimeUp(), Roll(2)), Ubongo(0))


@pytest.mark.parametrize("move", [Ubongo(0), Ubongo(2), Place(0, 1), Take(0, (Colour.RED, Colour.RED))])
def test_what_the_glass_has_overtaken_is_told_to_be_late_and_not_to_be_stale(move: Move) -> None:
    """As if the phone still showed the round in which the seat called, or did not."""
    seen = after(opened(), Roll(1), Ubongo(0))
    now = after(seen, Ubongo(1), TimeUp())
    assert GAME.still_means(seen, now, move)
    ruling = GAME.judge(now, move)
    assert isinstance(ruling, Refused)
    assert ruling.rule is Rule.TOO_LATE
    later = after(now, Roll(2))
    assert not GAME.still_means(seen, later, move)


def test_where_all_have_called_who_has_not_taken_is_overtaken() -> None:
    seen = after(opened(2), Roll(1), Ubongo(0), Ubongo(1), Take(0, (Colour.RED, Colour.RED)))
    ruling = GAME.judge(after(seen, TimeUp()), Take(1, (Colour.RED, Colour.RED)))
    assert isinstance(ruling, Refused)
    assert ruling.rule is Rule.TOO_LATE


def test_nothing_is_overtaken_by_a_round_that_ended_early() -> None:
    seen = after(opened(2), Roll(1), Ubongo(0), Take(0, (Colour.RED, Colour.RED)), Ubongo(1))
    now = after(seen, Take(1, (Colour.BLUE, Colour.RED)))
    assert not GAME.still_means(seen, now, Place(1, 1))
    assert not GAME.still_means(seen, after(now, TimeUp()), Place(1, 1))


def test_hands_that_were_in_time_are_told_whoever_else_tells_meanwhile_until_the_next_roll() -> None:
    seen = after(opened(), Roll(1), Ubongo(0), Ubongo(1), TimeUp())
    now = after(seen, Take(1, (Colour.RED, Colour.RED), None, True))
    told = Take(0, (Colour.RED, Colour.RED), None, True)
    assert GAME.still_means(seen, now, told)
    assert not GAME.still_means(seen, after(now, told), told)
    assert not GAME.still_means(seen, after(now, Roll(2)), told)


def test_after_the_last_glass_a_late_tap_is_told_to_be_late() -> None:
    seen = after(opened(2), *[move for _ in range(8) for move in (Roll(1), TimeUp(), TimeUp())], Roll(1), Ubongo(0))
    now = after(seen, TimeUp())
    assert now.is_finished
    assert GAME.still_means(seen, now, Take(0, (Colour.RED, Colour.RED)))
    ruling = GAME.judge(now, Take(0, (Colour.RED, Colour.RED)))
    assert isinstance(ruling, Refused)
    assert ruling.rule is Rule.TOO_LATE


def test_a_pawn_is_put_where_it_starts_whoever_else_does_meanwhile_until_the_first_roll() -> None:
    seen = opened()
    assert GAME.still_means(seen, after(seen, Place(1, 3)), Place(0, 2))
    assert not GAME.still_means(seen, after(seen, Place(0, 3)), Place(0, 2))
    assert not GAME.still_means(seen, after(seen, Roll(3)), Place(0, 2))


def test_a_roll_holds_whoever_puts_a_pawn_meanwhile_but_once() -> None:
    seen = opened()
    assert GAME.still_means(seen, after(seen, Place(1, 3)), Roll(2))
    assert not GAME.still_means(seen, after(seen, Roll(3)), Roll(2))
    over = after(opened(2), *[move for _ in range(9) for move in (Roll(1), TimeUp(), TimeUp())])
    assert not GAME.still_means(seen, over, Roll(2))


def test_a_call_holds_in_the_second_glass() -> None:
    seen = after(opened(), Roll(1))
    assert GAME.still_means(seen, after(seen, TimeUp()), Ubongo(0))


@pytest.mark.parametrize("move", [Take(0), Place(0, 1), Void(0)])
def test_what_a_seat_does_holds_unless_the_seat_has_done_something(move: Move) -> None:
    seen = after(opened(), Roll(1), Ubongo(0))
    assert GAME.still_means(seen, after(seen, Ubongo(1), Place(1, 1)), move)
    assert not GAME.still_means(seen, after(seen, Place(0, 2)), move)
    assert not GAME.still_means(seen, after(seen, Void(0)), move)


def test_the_end_of_a_glass_is_not_the_end_of_the_next() -> None:
    seen = after(opened(), Roll(1))
    assert GAME.still_means(seen, after(seen, Ubongo(1)), TimeUp())
    assert not GAME.still_means(seen, after(seen, TimeUp()), TimeUp())
    assert not GAME.still_means(seen, after(seen, TimeUp(), TimeUp(), Roll(1)), TimeUp())


@pytest.mark.parametrize("move", [Roll(2), Count(((0,) * 6,) * 3)])
def test_a_roll_and_a_count_hold_only_if_nothing_has_changed(move: Move) -> None:
    seen = after(opened(), Roll(1), Ubongo(0))
    assert GAME.still_means(seen, seen, move)
    assert not GAME.still_means(seen, after(seen, Place(0, 0)), move)


MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({"move": "roll"}, "symbol"),
    ({"move": "roll", "symbol": "3"}, "symbol"),
    ({"move": "roll", "symbol": 3, "at": "noon"}, "at"),
    ({"move": "roll", "symbol": 3, "at": 7}, "at"),
    ({"move": "roll", "symbol": 3, "seat": 0}, "seat"),
    ({"move": "ubongo"}, "seat"),
    ({"move": "ubongo", "seat": 3}, "seat"),
    ({"move": "void", "seat": True}, "seat"),
    ({"move": "place", "seat": 0}, "row"),
    ({"move": "place", "seat": 0, "row": 1.0}, "row"),
    ({"move": "take", "seat": 0, "gems": ["white"]}, "gems[0]"),
    ({"move": "take", "seat": 0, "gems": "red"}, "gems"),
    ({"move": "take", "seat": 0, "gems": None}, "gems"),
    ({"move": "count"}, "gems"),
    ({"move": "count", "gems": [[0] * 6] * 2}, "gems"),
    ({"move": "count", "gems": [[0] * 6, [0] * 5, [0] * 6]}, "gems[1]"),
    ({"move": "count", "gems": [[0] * 6, [0] * 6, [0, 0, 0, 0, 0, "1"]]}, "gems[2][5]"),
    ({"move": "solve", "seat": 0}, "move"),
]


@pytest.mark.parametrize(("data", "place"), MALFORMED, ids=json.dumps)
def test_a_malformed_move_names_the_field(data: dict[str, Any], place: str) -> None:
    with pytest.raises(RecordError) as caught:
        record.read_move(GAME, 3, data)
    assert caught.value.place == place


@pytest.mark.parametrize(
    "at",
    ["2026-11-21", "2026-11-21T19:00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999-14:00", None],
)
def test_a_time_may_be_written_in_any_way_and_stays_so(at: str | None) -> None:
    roll = record.read_move(GAME, 3, {"move": "roll", "symbol": 3, "at": at})
    call = record.read_move(GAME, 3, {"move": "ubongo", "seat": 0, "at": at})
    after(opened(), roll, call)
    written = record.write_move(GAME, 3, roll)
    assert written == {"move": "roll", "symbol": 3, **({"at": at} if at else {})}


def test_a_time_without_a_zone_is_utc() -> None:
    first, second = (opened(), opened())
    first = after(first, Roll(1, "2026-11-21T19:00:00"))
    second = after(second, Roll(1, "2026-11-21T20:00:00+01:00"))
    assert first == second


def wild_move(rng: Random, seats: int) -> Move:
    """Make a move of any kind, well formed, with values that may mean anything."""
    number = rng.choice([-(10**30), -1, 0, 1, 2, 3, 5, 6, 7, 12, 13, 10**30])
    seat, at = rng.randrange(seats), rng.choice([None, "2026-11-21T19:00:00Z", "1970-01-01", "9999-12-31T23:59:59Z"])
    gems = [rng.choice(COLOURS) for _ in range(rng.randrange(4))]
    few = [0, 0, 0, 0, 0, 1, 2, 12, 13, number]
    counts = [[rng.choice(few) for _ in range(6)] for _ in range(seats)]
    data = rng.choice(
        [
            {"move": "roll", "symbol": number, "at": at},
            *({"move": kind, "seat": seat, "at": at} for kind in ("ubongo", "take")),
            {"move": "void", "seat": seat},
            {"move": "place", "seat": seat, "row": number, "at": at},
            *[{"move": "take", "seat": seat, "gems": gems}] * 2,
            {"move": "time_up", "at": at},
            {"move": "count", "gems": counts},
        ]
    )
    move: Move = record.read_move(GAME, seats, data)
    return move


def test_wild_moves_are_ruled_on_and_what_is_accepted_was_legal() -> None:
    for seed in range(25):
        rng = Random(seed)
        data, _ = oracle.evening_and_end(seed)
        position = record.replay(record.read_data(data)).play.position
        known = {seat: list(islice(GAME.legal(position, seat), 500)) for seat in (None, *range(len(data["players"])))}
        for _ in range(100):
            move = wild_move(rng, len(data["players"]))
            is_accepted = isinstance(GAME.judge(position, move), Accepted)
            if is_accepted and not isinstance(move, Count) and getattr(move, "at", None) is None:
                assert move in known[getattr(move, "seat", None)]


def test_gems_may_be_counted_with_all_twelve_of_a_colour() -> None:
    moves = GAME.legal(after(opened(2), Roll(1)), None)
    counts = list(islice((move.gems for move in moves if isinstance(move, Count)), 14))
    assert [gems[1][-1] for gems in counts] == [*range(13), 0]
    assert len(set(counts)) == 14


def next_tables(table: oracle.Table) -> list[oracle.Table]:
    """List the tables after every unnamed, untimed move but counts, by the second opinion.

    Of hands it is said only when it is asked.
    """
    moves: list[dict[str, Any]] = [{"move": "time_up"}] * (table["symbol"] is not None or table["sand"])
    if table["symbol"] is None:
        moves += [{"move": "roll", "symbol": symbol} for symbol in range(1, 7)]
        moves += [move for seat in oracle.asked(table) for move in oracle.late_choices(table, seat)]
        if oracle.is_first(table):
            moves += [{"move": "place", "seat": seat, "row": row} for seat in range(2) for row in range(6)]
    else:
        seats = range(table["players"])
        moves += [{"move": "ubongo", "seat": seat} for seat in seats if seat not in table["order"]]
        for seat in set(table["order"]) - table["taken"]:
            moves += [{"move": "void", "seat": seat}, {"move": "take", "seat": seat}]
            rows = oracle.reachable(table, seat) if seat not in table["placed"] else []
            moves += [{"move": "place", "seat": seat, "row": row} for row in rows]
    tables = []
    for move in [] if table["finished"] else moves:
        tables.append(deepcopy(table))
        oracle.happen(tables[-1], move)
    return tables


def next_positions(position: Position) -> list[Position]:
    moves = [move for seat in range(position.seats) for move in GAME.legal(position, seat)]
    moves += [move for move in islice(GAME.legal(position, None), 20) if not isinstance(move, Count)]
    unnamed = [move for move in moves if not (isinstance(move, Take) and move.gems is not None)]
    told = [move for move in unnamed if getattr(move, "in_time", None) is None or position.asked]
    return [after(position, move) for move in told]


@pytest.mark.in_turn(of=2)
@pytest.mark.parametrize(
    ("roll", "counts"), [([], [18, 234, 2928]), ([{"move": "roll", "symbol": 1}], [3, 20, 120, 745, 4280])]
)
def test_as_many_evenings_begin_as_by_the_second_opinion(roll: list[dict[str, Any]], counts: list[int]) -> None:
    """Count the plays of two, move by move: 6 rolls and 2 × 6 pawns; from the first roll on 3, 8 + 9 + 3."""
    table = oracle.new_table(Random(1)) | {
        "players": 2,
        "rounds": 9,
        "pawns": [0, 4],
        "board": deepcopy(BOARDS["rainbow"]),
    }
    table |= {"options": {"glass_s": 60}, "gems": [dict.fromkeys(COLOURS, 0) for _ in range(2)]}
    for move in roll:
        oracle.happen(table, move)
    tables, positions = [table], [after(opened(2, pawns=[0, 4], board=BOARDS["rainbow"]), *[Roll(1) for _ in roll])]
    for count in counts:
        tables = [later for one in tables for later in next_tables(one)]
        positions = [later for one in positions for later in next_positions(one)]
        assert len(tables) == len(positions) == count
    assert sorted(map(seen, positions)) == sorted(json.dumps(oracle.summary(one), sort_keys=True) for one in tables)


def seen(position: Position) -> str:
    return json.dumps(GAME.summary(position), sort_keys=True)


def test_the_terms_of_the_end_name_the_most_first_and_say_who_has_nothing() -> None:
    one, other, *rest = Colour
    held = ((other, 3), (rest[2], 3), (one, 1), (rest[1], 1))
    first, last = holdings([(0,) * 6, (1, 3, 0, 1, 3, 0)])
    assert first == GemsHeld(Seat(1), tuple(Held(colour, gems) for colour, gems in held))
    assert last == NoGemsHeld(Seat(0))


def test_who_puts_a_pawn_elsewhere_before_the_first_roll_has_still_started_once() -> None:
    position = after(opened(), Place(0, 1), Place(2, 0), Place(0, 3))
    assert position.started == (2, 0)
    assert position.pawns[0] == 3


def test_a_count_that_differs_names_those_alone_whose_gems_were_recorded_otherwise() -> None:
    recorded = ((2, 0, 0, 0, 0, 0), (0, 1, 1, 0, 0, 0), (0, 0, 0, 0, 0, 2))
    told = (recorded[0], (0, 1, 2, 0, 0, 0), recorded[2])
    ruling = GAME.judge(replace(opened(), gems=recorded), Count(told))
    assert isinstance(ruling, Accepted)
    (remark,) = ruling.remarks
    assert [other.seat for other in remark.facts["others"]] == [1]  # type: ignore[attr-defined]
