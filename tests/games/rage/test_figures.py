"""Rage's figures: the three parts make the score, and a bid is met when it earns its points."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings

from companion.games import GAMES
from companion.testing.kit import Table, play_on, randoms, tables
from tests.test_endings import played


@given(tables(("rage",)), randoms())
@settings(max_examples=10)
def test_tricks_bids_and_action_cards_make_the_score(table: Table, rng: Random) -> None:
    *_, play = play_on(table, rng)
    scores = {place.seat: place.score for place in GAMES["rage"].standing(play.position).places}
    for seat, counted in enumerate(play.figures()):
        assert counted["tricks"] + counted["bids"] + counted["actions"] == scores[seat]
        assert counted["bids"] == 10 * counted["exact"] - 5 * (counted["rounds"] - counted["exact"])
        assert counted["rounds"] == 10


def test_one_round_of_the_first_example() -> None:
    bids = [{"move": "bid", "seat": seat, "tricks": tricks} for seat, tricks in enumerate((3, 0, 2, 0))]
    tally = {"move": "tally", "tricks": [3, 1, 2, 4], "plus": [0, 1, 0, 0], "minus": [1, 0, 0, 0]}
    anna, bohdan, *_ = played("rage", {}, [*bids, tally]).figures()
    assert anna == {"rounds": 1, "exact": 1, "tricks": 3, "bids": 10, "actions": -5}
    assert bohdan == {"rounds": 1, "exact": 0, "tricks": 1, "bids": -5, "actions": 5}
