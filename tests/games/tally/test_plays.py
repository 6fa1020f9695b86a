"""Plays of score sheets: what they come to, and what every game promises, of each sheet of ours and any other game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import record
from companion.game import Accepted, AnyGame, Refused
from companion.games import GAMES
from companion.games.installed import whole
from companion.play import Asked, Play
from companion.printing import NOWHERE
from companion.printing.items import filling
from companion.testing import kit
from companion.words import Voice
from tests.games.tally.conftest import SHEETS

EVERY: dict[str, AnyGame] = {**SHEETS, "tally": GAMES["tally"]}


def replayed(key: str, seats: int, moves: Sequence[Any], **options: Any) -> record.Replayed:
    """Rule on moves: (seat, column, value), or the name of another one."""
    told = [
        {"move": move} if isinstance(move, str) else dict(zip(("move", "seat", "column", "value"), ("enter", *move), strict=True))
        for move in moves
    ]  # fmt: skip
    data = {
        "format": "companion-record",
        "version": 1,
        "game": key,
        "players": [""] * seats,
        "moves": told,
        "options": options,
    }
    return record.replay(record.read_data(data))


def scores(played: record.Replayed) -> list[int]:
    assert played.refused is None, played.refused
    places = played.record.game.standing(played.play.position).places
    return [place.score for place in sorted(places, key=lambda place: place.seat)]


def in_rounds(column: str, *rounds: Sequence[int]) -> list[tuple[int, str, int]]:
    return [(seat, column, value) for row in rounds for seat, value in enumerate(row)]


def test_who_takes_all_gives_them_to_everybody_else() -> None:
    played = replayed("hearts", 4, in_rounds("taken", [13, 13, 0, 0], [0, 26, 0, 0]))
    assert scores(played) == [39, 13, 26, 26]


def test_the_limit_ends_the_game_in_the_middle_of_a_round_with_the_lowest_total_first() -> None:
    rounds = in_rounds("taken", *([[20, 5, 1]] * 4), [20, 5, 1])[:-2]
    played = replayed("hearts", 3, rounds)
    assert scores(played) == [100, 20, 4]
    standing = played.record.game.standing(played.play.position)
    assert standing.is_finished
    assert [place.seat for place in standing.places] == [2, 1, 0]
    refused = replayed("hearts", 3, [*rounds, (1, "taken", 5)]).refused
    assert refused is not None
    assert refused[1].rule.key == "tally.game_over"


def test_numbers_that_do_not_go_together_are_pointed_out_with_their_entries() -> None:
    played = replayed("hearts", 3, in_rounds("taken", [20, 5, 2]))
    (step,) = [step for step in played.play.moves() if step.remarks]
    assert [remark.rule.key for remark in step.remarks] == ["tally.check"]
    assert step.doubted(step.remarks[0]) == (1, 2)
    assert not any(step.remarks for step in replayed("hearts", 3, in_rounds("taken", [20, 5, 1])).play.moves())


def test_tricks_wait_for_every_bid_and_bids_are_bounded_by_the_round() -> None:
    for moves, rule in (
        ([(0, "bid", 2)], "tally.range"),
        ([(0, "bid", -1)], "tally.range"),
        ([(0, "took", 1)], "tally.order"),
        ([(0, "bid", 1), (0, "bid", 1)], "tally.told"),
        ([(0, "bid", 1), (0, "took", 1)], "tally.waits"),
        (["finish"], "tally.fixed"),
    ):
        refused = replayed("bids", 3, moves).refused
        assert refused is not None, moves
        assert refused[1].rule.key == rule
    assert scores(replayed("bids", 3, [*in_rounds("bid", [1, 0, 1]), *in_rounds("took", [1, 0, 0])])) == [30, 20, -10]


def level() -> record.Replayed:
    """Play a game whose two totals are equal; the coins decide."""
    cells = {"battles": 0, "coins": 3, "houses": 5, "wonders": 0, "wheels": 1, "scrolls": 1}
    others = {**cells, "coins": 4}
    moves = [(seat, column, value) for seat, row in enumerate((cells, others)) for column, value in row.items()]
    return replayed("cities", 2, moves)


def test_equal_totals_are_decided_by_what_the_sheet_says() -> None:
    played = level()
    assert scores(played) == [15, 15]
    places = played.record.game.standing(played.play.position).places
    assert [(place.seat, place.rank, place.tiebreak) for place in places] == [(1, 1, (4,)), (0, 2, (3,))]


def on_paper(played: record.Replayed) -> list[tuple[str, bool]]:
    """Tell the place of each seat on its sheet, and whether it is framed."""
    game, play = played.record.game, played.play
    sheet = game.sheets["score_sheet"]({}, [""] * play.seats, filling(game, play.positions()), NOWHERE)
    return [(row["rank"], row["has_won"]) for row in sheet["seats"]]


def test_the_sheet_has_the_places_of_the_game_and_frames_who_has_won() -> None:
    assert on_paper(level()) == [("2", False), ("1", True)]
    assert on_paper(replayed("tally", 2, in_rounds("number", [1, 2]))) == [("2", False), ("1", False)]
    assert on_paper(replayed("levels", 2, [(0, "mistakes", 1), (1, "mistakes", 2)])) == [("1", False)] * 2
    assert on_paper(replayed("levels", 2, [(round_ % 2, "mistakes", 0) for round_ in range(8)])) == [("1", True)] * 2


def test_a_place_is_worked_out_from_what_the_others_have() -> None:
    assert scores(replayed("race", 3, in_rounds("left", [0, 7, 6]))) == [4, 0, 1]
    refused = replayed("race", 3, [(0, "place", 1)]).refused
    assert refused is not None
    assert refused[1].rule.key == "tally.worth"


def test_all_together_have_one_line_and_can_lose() -> None:
    won = replayed("levels", 2, [(round_ % 2, "mistakes", 0) for round_ in range(8)])
    assert scores(won) == [16, 16]
    assert won.play.position.is_finished
    assert won.record.game.summary(won.play.position)["is_lost"] is False
    lost = replayed("levels", 2, [(0, "mistakes", 1), (1, "mistakes", 2)])
    summary = lost.record.game.summary(lost.play.position)
    assert (lost.play.position.is_finished, summary["is_lost"], scores(lost)) == (True, True, [1, 1])
    assert record.winners(lost.record.game, record.result(lost.play, ["", ""])) == ()
    assert lost.play.figures()[0]["lost"] == 1


def test_any_other_game_ends_with_the_round_that_reaches_the_target_or_when_the_table_says_so() -> None:
    reached = replayed("tally", 2, in_rounds("number", [10, 20], [40, 5]), target=50, wins="low")
    assert [place.seat for place in GAMES["tally"].standing(reached.play.position).places] == [1, 0]
    assert reached.play.position.is_finished
    assert replayed("tally", 2, in_rounds("number", [1, 2]), rounds=1).play.position.is_finished
    assert replayed("tally", 2, [*in_rounds("number", [1, 2]), "finish"]).play.position.is_finished
    for moves in (["finish"], [*in_rounds("number", [1, 2]), (0, "number", 3), "finish"]):
        refused = replayed("tally", 2, moves).refused
        assert refused is not None
        assert refused[1].rule.key == "tally.open"


@pytest.mark.parametrize(("option", "value"), [("rounds", 101), ("rounds", -1), ("target", -1), ("target", 100_001)])
def test_what_cannot_be_of_any_other_game_is_refused_by_name(option: str, value: int) -> None:
    with pytest.raises(record.RecordError) as found:
        replayed("tally", 2, [], **{option: value})
    assert found.value.place == f"options.{option}"


@pytest.mark.parametrize(("key", "seats"), [("hearts", 2), ("hearts", 7), ("cities", 8), ("tally", 9)])
def test_a_sheet_says_for_how_many_it_is(key: str, seats: int) -> None:
    with pytest.raises(record.RecordError) as found:
        replayed(key, seats, [])
    assert (found.value.place, found.value.refused and found.value.refused.rule.key) == ("players", "tally.players")


@pytest.mark.parametrize("key", EVERY)
def test_every_sheet_is_a_whole_game(key: str) -> None:
    assert whole(EVERY[key]) is EVERY[key]


def voices(game: AnyGame, seats: int) -> list[Voice]:
    return [Voice(game.words, [f"P{seat}" for seat in range(seats)], language) for language in ("en", "cs", "es", "pl")]


@pytest.mark.in_turn(of=2)
@pytest.mark.parametrize("key", EVERY)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_random_play_ends_and_its_record_replays_to_the_same(key: str, seed: int) -> None:
    rng, game = Random(seed), EVERY[key]
    options = {"rounds": rng.randint(1, 6)} if key == "tally" else {}
    table = kit.Table(game, options, rng.choice(list(game.players)))
    play = table.begin()
    for play in kit.play_on(table, rng, most=2_000):
        agree(game, play, rng)
        for speak in voices(game, table.seats):
            assert all(speak.event(event) for event in play.events)
    standing = game.standing(play.position)
    assert standing.is_finished
    written = json.loads(json.dumps(record.write(play, options, table.players)))
    again = record.replay(record.read_data(written))
    assert again.play.position == play.position
    assert again.record.game.summary(again.play.position) == game.summary(play.position)
    course = game.course(play.positions())
    assert course is not None
    assert [line[-1] for line in course.lines] == game.summary(play.position)["totals"]


def agree(game: AnyGame, play: Play[Any], rng: Random) -> None:
    """Hold `judge`, `legal`, `may_move` and `view` to one another."""
    position = play.position
    for seat in range(play.seats):
        legal = list(islice(game.legal(position, seat), 50))
        assert game.may_move(position, seat) is bool(legal)
        asked = game.view(position, seat).asked
        assert (asked is not None) is bool(legal)
        for move in legal:
            assert isinstance(game.judge(position, move), Accepted)
            assert asked.least <= move.value <= asked.most
            assert not asked.keys or move.value in asked.keys
        if asked:
            for wrong in (asked.least - 1, asked.most + 1):
                over = record.read_move(
                    game, play.seats, {"move": "enter", "seat": seat, "column": asked.column.value, "value": wrong}
                )
                assert isinstance(game.judge(position, over), Refused)


@pytest.mark.parametrize("key", EVERY)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_number_that_is_amended_counts_as_if_it_had_been_told_so(key: str, seed: int) -> None:
    rng, game = Random(seed), EVERY[key]
    table = kit.Table(game, {}, rng.choice(list(game.players)))
    play = kit.played(table, rng, 40)
    steps = [step for step in play.moves() if hasattr(step.asked.move, "value")]
    if not steps:
        return
    step = rng.choice(steps)
    amended = play.amend(step.asked.number, step.asked.move)
    assert isinstance(amended, Play)
    assert amended.position == play.position
    back = play.take_back()
    assert back is not None
    again = back.judge(Asked(play.moves()[-1].asked.number, play.moves()[-1].asked.move))
    assert isinstance(again, Play)
    assert again.position == play.position
