"""What the pages of Ubongo are given: the same for every seat but what it may do itself, and the times of the calls."""

from typing import Any

import pytest

from companion import record
from companion.game import Refused
from companion.games.ubongo import GAME
from companion.games.ubongo.gems import Colour
from companion.games.ubongo.view import Own, Phase, View
from companion.play import Play
from tests.games.ubongo.test_examples import BOARDS

Move = dict[str, Any]


def played(*moves: Move, **options: Any) -> Play[Any]:
    data = {"format": "companion-record", "version": 1, "game": "ubongo", "players": ["Ann", "Bo", "Cy"]}
    replayed = record.replay(record.read_data({**data, "options": options, "moves": list(moves)}))
    assert replayed.refused is None
    return replayed.play


def view(*moves: Move, seat: int | None = None, **options: Any) -> View:
    seen: View = GAME.view(played(*moves, **options).position, seat)
    return seen


def own(*moves: Move, **options: Any) -> Own:
    seen = view(*moves, seat=0, **options).own
    assert seen
    return seen


def about(kind: str, seat: int, at: str | None = None, **fields: Any) -> Move:
    return {"move": kind, "seat": seat, **fields, **({"at": f"2026-11-21T19:{at}Z"} if at else {})}


def may(**more: Any) -> Own:
    """Tell what a seat may do: nothing, but what is said."""
    nothing = {"may_call": False, "may_void": False, "may_take": False, "may_start": False, "is_asked": False}
    return Own(**{**nothing, "rows": (), "due": 2, "front": None, **more})


ROLL = {"move": "roll", "symbol": 2, "at": "2026-11-21T19:00:00.000Z"}
UP = {"move": "time_up"}
TURNED_MS = 1_795_287_600_000


def test_before_a_roll_nobody_may_do_anything() -> None:
    seen = view(ROLL, UP, UP, seat=0, first_seat=2)
    assert (seen.phase, seen.starter, seen.symbol, seen.ends_ms) == (Phase.ROLLING, 0, None, None)
    assert (seen.is_first, seen.asked, seen.own) == (False, (), may())


def test_before_the_first_roll_everybody_puts_the_pawn_anywhere() -> None:
    seen = view(about("place", 2, row=5), seat=2)
    assert (seen.phase, seen.is_first) == (Phase.ROLLING, True)
    assert seen.own == may(may_start=True, rows=(0, 1, 2, 3, 4, 5))
    assert [(player.pawn, player.has_started) for player in seen.players] == [(0, False), (0, False), (5, True)]


def test_after_the_glass_who_called_and_has_not_taken_is_asked() -> None:
    calls = [about("ubongo", 2), about("ubongo", 0), about("place", 0, row=2), about("take", 2, gems=["red", "red"])]
    seen = view(ROLL, *calls, UP, seat=0)
    assert seen.asked == (0,)
    assert seen.own == may(may_take=True, is_asked=True)
    assert view(ROLL, *calls, UP, seat=2).own == may()
    moved = view(ROLL, about("ubongo", 2), about("ubongo", 0), UP, seat=0)
    assert moved.own == may(may_take=True, is_asked=True, rows=(0, 1, 2))


def test_after_the_last_glass_it_is_asked_too() -> None:
    rounds = [move for _ in range(8) for move in (ROLL, UP, UP)]
    seen = view(*rounds, ROLL, about("ubongo", 1), about("ubongo", 0), UP, seat=0)
    assert (seen.phase, seen.asked) == (Phase.OVER, (1, 0))
    assert seen.own == may(may_take=True, is_asked=True, rows=(0, 1, 2))


def test_the_spectators_screen_has_no_buttons() -> None:
    assert view(ROLL).own is None


def test_a_page_knows_when_the_glass_runs_out() -> None:
    seen = view(ROLL)
    assert (seen.phase, seen.symbol, seen.glass, seen.glass_s) == (Phase.SOLVING, 2, 1, 60)
    assert (seen.turned_ms, seen.ends_ms) == (TURNED_MS, TURNED_MS + 60_000)


def test_a_page_knows_when_the_second_glass_runs_out() -> None:
    seen = view(ROLL, UP | {"at": "2026-11-21T19:01:01.500Z"}, glass_s=90)
    assert (seen.glass, seen.turned_ms, seen.ends_ms) == (2, TURNED_MS + 61_500, TURNED_MS + 151_500)


@pytest.mark.promise(22)
@pytest.mark.parametrize(
    ("first", "second", "gap_ms", "is_close"),
    [
        ("00:10.000", "00:10.151", 151, False),
        ("00:10.000", "00:10.150", 150, True),
        ("00:10.000", "00:10.000", 0, True),
        ("00:10.020", "00:10.000", -20, True),
        (None, "00:10.000", None, False),
        ("00:10.000", None, None, False),
    ],
)
def test_calls_tell_the_time_between_them(
    first: str | None, second: str | None, gap_ms: int | None, is_close: bool
) -> None:
    seen = view(ROLL, about("ubongo", 2, first), about("ubongo", 0, second))
    assert [(call.seat, call.rank, call.gap_ms, call.is_close) for call in seen.calls] == [
        (2, 1, None, False),
        (0, 2, gap_ms, is_close),
    ]


def test_the_calls_of_the_last_round_stay_in_view() -> None:
    calls = [about("ubongo", 1, "00:10.000"), about("place", 1, row=2), about("ubongo", 2, "00:10.100")]
    seen = view(ROLL, *calls, UP)
    assert seen.calls == ()
    assert [(call.seat, call.at_ms, call.has_placed) for call in seen.calls_before] == [
        (1, TURNED_MS + 10_000, True),
        (2, TURNED_MS + 10_100, False),
    ]


def test_the_sand_of_the_last_round_is_not_in_view() -> None:
    assert view(ROLL, UP, UP).ends_ms is None


def test_who_solves_may_call() -> None:
    assert own(ROLL) == may(may_call=True)


def test_who_has_called_may_move_and_take() -> None:
    seen = own(ROLL, about("ubongo", 0), board=BOARDS["rainbow"])
    assert seen == may(may_void=True, may_take=True, rows=(0, 1, 2, 3), front=(Colour.GREEN, Colour.RED))


def test_who_has_moved_may_take() -> None:
    seen = own(ROLL, about("ubongo", 0), about("place", 0, row=1))
    assert seen == may(may_void=True, may_take=True)


def test_who_has_taken_is_done() -> None:
    seen = own(ROLL, about("ubongo", 0), about("take", 0, gems=["red", "red"]))
    assert seen == may()


def test_everyone_sees_rows_pawns_and_gems() -> None:
    seen = view(ROLL, about("ubongo", 1), about("take", 1), board=BOARDS["rainbow"], pawns=[1, 0, 1])
    assert (seen.rows[0].left, seen.rows[0].pawns, seen.rows[1].pawns) == (10, (1,), (0, 2))
    assert (seen.rows[0].gems or ())[:2] == (Colour.BLUE, Colour.PURPLE)
    assert [(player.pawn, player.rank, player.has_taken) for player in seen.players] == [
        (1, None, False),
        (0, 1, True),
        (1, None, False),
    ]
    assert seen.players[1].gems[:2] == ((Colour.GREEN, 1), (Colour.RED, 1))
    assert [player.place for player in seen.players] == [2, 1, 2]
    assert seen.colours_left[:3] == ((Colour.GREEN, 11), (Colour.RED, 11), (Colour.BLUE, 12))
    assert seen.knows_board


def test_all_seats_see_the_same() -> None:
    play = played(ROLL, about("ubongo", 1), about("take", 1), board=BOARDS["rainbow"])
    pages = [GAME.view(play.position, seat) for seat in (None, 0, 1, 2)]
    parts = {name for name in View.__slots__ if name not in {"seat", "own"}}
    assert all(getattr(page, name) == getattr(pages[0], name) for page in pages for name in parts)


def test_at_the_end_the_winners_are_named() -> None:
    counts = [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0] * 6]
    seen = view(ROLL, {"move": "count", "gems": counts}, seat=0)
    assert (seen.phase, seen.winners, len(seen.comparisons)) == (Phase.OVER, (0, 1), 2)
    assert seen.own == may()


def test_what_a_page_offers_is_what_the_referee_accepts() -> None:
    play = played(ROLL, about("ubongo", 1), about("place", 1, row=2), about("ubongo", 2), board=BOARDS["rainbow"])
    for seat in range(3):
        own_ = GAME.view(play.position, seat).own
        offered = {"ubongo": own_.may_call, "void": own_.may_void, "take": own_.may_take, "place": bool(own_.rows)}
        for kind, is_offered in offered.items():
            row = {"row": own_.rows[-1] if own_.rows else 0} if kind == "place" else {}
            move = record.read_move(GAME, 3, about(kind, seat, **row))
            assert isinstance(GAME.judge(play.position, move), Refused) != is_offered
