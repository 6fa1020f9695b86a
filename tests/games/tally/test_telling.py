"""What the referee of score sheets says, word by word: facts of refusals, events, remarks, moves that are open, figures."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from companion import record
from companion.game import AnyGame, Refused, Seat
from companion.games import GAMES
from companion.games.tally import game_of
from companion.games.tally.moves import (
    Brought,
    Ended,
    Entered,
    EnteredForAll,
    Finish,
    Finished,
    RoundCounted,
    RoundCountedForAll,
)
from companion.games.tally.reading import read
from companion.kernel.figures import Per
from tests.games.tally.conftest import SHEETS
from tests.games.tally.test_plays import in_rounds, replayed

LIMIT = in_rounds("taken", *([[20, 5, 1]] * 4), [20, 5, 1])[:-2]
"""Of Hearts: the fifth round is cut off by whoever has a hundred."""


def why_not(key: str, seats: int, *moves: Any, **options: Any) -> tuple[str, dict[str, Any]]:
    played = replayed(key, seats, moves, **options)
    assert played.refused is not None
    _number, refused = played.refused
    assert isinstance(refused, Refused)
    return refused.rule.key, {name: getattr(fact, "value", fact) for name, fact in refused.facts.items()}


def events(played: record.Replayed) -> list[list[object]]:
    assert played.refused is None, played.refused
    return [list(step.events) for step in played.play.moves()]


@pytest.mark.parametrize(
    ("key", "moves", "rule", "facts"),
    [
        ("race", [(0, "place", 1)], "tally.worth", {"column": "place"}),
        ("bids", [(0, "bid", 1), (0, "bid", 1)], "tally.told", {"column": "bid"}),
        ("bids", [(0, "took", 1)], "tally.order", {"column": "bid"}),
        ("bids", [(0, "bid", 1), (0, "took", 1)], "tally.waits", {"column": "took"}),
        ("bids", [(0, "bid", 2)], "tally.range", {"column": "bid", "least": 0, "most": 1}),
        ("bids", ["finish"], "tally.fixed", {"rounds": SHEETS["bids"].start({}, 3).counting.rounds}),
    ],
)
def test_a_refusal_names_what_it_is_about(key: str, moves: list[Any], rule: str, facts: dict[str, Any]) -> None:
    assert why_not(key, 3, *moves) == (rule, facts)


def test_the_first_column_that_is_missing_is_asked_for() -> None:
    first = (0, "battles", 0)
    assert why_not("cities", 2, first, (0, "scrolls", 1)) == ("tally.order", {"column": "coins"})


def test_a_round_that_is_complete_tells_what_it_has_brought() -> None:
    told = events(replayed("tally", 2, in_rounds("number", [7, 0], [2, 3]), rounds=2))
    column = told[0][0].column  # type: ignore[attr-defined]
    assert told == [
        [Entered(Seat(0), column, 7)],
        [Entered(Seat(1), column, 0), RoundCounted(1, (Brought(Seat(0), 7), Brought(Seat(1), 0)))],
        [Entered(Seat(0), column, 2)],
        [Entered(Seat(1), column, 3), RoundCounted(2, (Brought(Seat(0), 2), Brought(Seat(1), 3))), Ended(2)],
    ]


def test_all_together_are_told_as_one() -> None:
    told = events(replayed("levels", 2, [(0, "mistakes", 0), (1, "mistakes", 0)]))
    column = told[0][0].column  # type: ignore[attr-defined]
    assert told == [
        [EnteredForAll(column, 0), RoundCountedForAll(round_, points)] for round_, points in ((1, 2), (2, 2))
    ]


def test_a_game_that_is_cut_off_says_in_which_round() -> None:
    played = replayed("hearts", 3, LIMIT)
    assert events(played)[-1][1:] == [Ended(5)]
    assert played.record.game.summary(played.play.position)["round"] == 5


def test_a_doubt_names_its_round() -> None:
    played = replayed("hearts", 3, in_rounds("taken", [20, 5, 1], [20, 5, 2]))
    (remark,) = [remark for step in played.play.moves() for remark in step.remarks]
    assert remark.facts == {"round": 2}


def test_the_round_that_is_counted_has_its_number() -> None:
    rounds = in_rounds("number", [1, 2], [3, 4])
    numbers = [
        replayed("tally", 2, moves).play.position.number
        for moves in ([], rounds[:1], rounds[:2], rounds[:3], rounds, [*rounds, "finish"])
    ]
    assert numbers == [1, 1, 2, 2, 3, 2]


def test_a_round_that_is_not_complete_counts_for_nobody_unless_it_may_end_the_game() -> None:
    rounds = in_rounds("number", [1, 2], [30, 4])[:-1]
    assert (
        replayed("tally", 2, rounds).record.game.standing(replayed("tally", 2, rounds).play.position).places[0].score
        == 2
    )
    begun = replayed("hearts", 3, [(0, "taken", 20)])
    assert begun.record.game.summary(begun.play.position)["totals"] == [20, 0, 0]


def test_the_table_may_end_it_between_two_rounds_only() -> None:
    rounds = in_rounds("number", [1, 2])
    for moves, is_open in (([], False), (rounds[:1], False), (rounds, True), ([*rounds, "finish"], False)):
        played = replayed("tally", 2, moves)
        assert list(played.record.game.legal(played.play.position, None)) == ([Finish()] if is_open else [])
    assert events(replayed("tally", 2, [*rounds, "finish"]))[-1] == [Finished(1)]


def test_open_numbers_go_outwards_from_nothing() -> None:
    played = replayed("tally", 2, [])
    legal = islice(played.record.game.legal(played.play.position, 0), 5)
    assert [move.value for move in legal] == [0, 1, -1, 2, -2]
    bids = replayed("bids", 3, [])
    assert [move.value for move in bids.record.game.legal(bids.play.position, 0)] == [0, 1]


@pytest.mark.parametrize(
    ("least", "most", "outwards"),
    [
        (-3, 1, [0, 1, -1, -2, -3]),
        (-1, 3, [0, 1, -1, 2, 3]),
        (2, 4, [2, 3, 4]),
        (-4, -2, [-2, -3, -4]),
        (0, 0, [0]),
    ],
)
def test_open_numbers_end_at_their_bounds_on_either_side(least: int, most: int, outwards: list[int]) -> None:
    game = game_of(read("odd", f"players = [2, 2]\n[columns.odd]\nleast = {least}\nmost = {most}\n", "odd.toml"))
    assert [move.value for move in game.legal(game.start({}, 2), 0)] == outwards


def test_a_number_means_the_same_while_its_line_has_told_nothing_and_its_round_goes_on() -> None:
    def after(*moves: Any) -> Any:
        return replayed("tally", 2, moves).play.position

    game, row = GAMES["tally"], in_rounds("number", [1, 2])
    begun, of_the_other, own, over = after(), after((1, "number", 2)), after((0, "number", 2)), after(*row)
    move = next(iter(game.legal(begun, 0)))
    assert [game.still_means(begun, now, move) for now in (begun, of_the_other, own, over)] == [
        True,
        True,
        False,
        False,
    ]
    assert game.still_means(over, over, Finish())
    assert not game.still_means(over, after(*row, (0, "number", 3)), Finish())


def test_what_was_told_of_a_round_is_nobody_s_any_more_when_the_game_is_over() -> None:
    def told(*moves: Any) -> list[list[int | None]]:
        told: list[list[int | None]] = GAMES["tally"].summary(replayed("tally", 2, moves).play.position)["told"]
        return told

    row = in_rounds("number", [1, 2])
    assert told(row[0]) == [[1], [None]]
    assert told(*row, "finish") == []


def test_equal_totals_share_their_place_until_the_end() -> None:
    half = replayed("bids", 3, [*in_rounds("bid", [0, 0, 1]), *in_rounds("took", [0, 0, 1])])
    assert {place.tiebreak for place in half.record.game.standing(half.play.position).places} == {()}


def test_the_course_begins_at_nothing() -> None:
    played = replayed("tally", 2, in_rounds("number", [7, 0], [2, 3]), rounds=2)
    course = played.record.game.course(played.play.positions())
    assert course is not None
    assert course.lines == ((0, 7, 9), (0, 0, 3))


def test_the_book_keeps_rounds_points_and_the_sum_of_each_column() -> None:
    rounds = [*in_rounds("bid", [1, 0, 1]), *in_rounds("took", [1, 0, 0])]
    figures = replayed("bids", 3, rounds).play.figures()
    assert [{name: figures[seat][name] for name in ("rounds", "points", "of_bid", "of_took")} for seat in range(3)] == [
        {"rounds": 1, "points": 30, "of_bid": 1, "of_took": 1},
        {"rounds": 1, "points": 20, "of_bid": 0, "of_took": 0},
        {"rounds": 1, "points": -10, "of_bid": 1, "of_took": 0},
    ]
    assert all("lost" not in each for each in figures)


@pytest.mark.parametrize(
    ("game", "per", "bars"),
    [
        (GAMES["tally"], Per.PLAYER, {"Points": "points"}),
        (SHEETS["bids"], Per.PLAYER, {"Points": "points", "Bid": "of_bid", "Tricks": "of_took"}),
        (SHEETS["levels"], Per.TABLE, {"Points": "points", "Lives lost": "of_mistakes", "Lives": "of_lives"}),
    ],
    ids=lambda value: getattr(value, "key", ""),
)
def test_the_book_draws_an_average_round_of_each_player_or_of_all(
    game: AnyGame, per: Per, bars: dict[str, str]
) -> None:
    (drawn,) = game.statistics
    assert drawn.per is per
    assert {bar.label: (bar.figure, bar.each) for bar in drawn.bars} == {
        label: (figure, "rounds") for label, figure in bars.items()
    }


@pytest.mark.parametrize(
    ("game", "worth"), [(GAMES["tally"], "told"), (SHEETS["bids"], SHEETS["bids"].start({}, 3).counting.formula)]
)
def test_a_rule_card_says_what_a_round_is_worth_but_where_that_is_its_one_column(game: AnyGame, worth: str) -> None:
    _game, of_a_round, *_ = game.rule_card(game.options.load({}), False)
    (rows,) = [part.table for part in of_a_round.paragraphs if part and part.table]
    assert [str(row[1]) for row in rows[1:]].count("told") == (1 if worth == "told" else 2)
    assert str(rows[-1][1]) == worth


@pytest.mark.parametrize(
    ("game", "options", "target"),
    [
        (GAMES["tally"], {"target": 100}, [("Target",), ("100",)]),
        (GAMES["tally"], {"rounds": 5}, []),
        (SHEETS["hearts"], {}, [("Target",), ("max(all.total) >= 100",)]),
        (SHEETS["bids"], {}, []),
    ],
)
def test_a_rule_card_says_which_target_ends_the_game(
    game: AnyGame, options: dict[str, Any], target: list[tuple[str, ...]]
) -> None:
    end = game.rule_card(game.options.load(options), False)[2]
    assert [row for paragraph in end.paragraphs if paragraph for row in paragraph.table] == target
