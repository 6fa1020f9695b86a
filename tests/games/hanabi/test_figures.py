"""Hanabi's figures: the table's end, its band, its errors and its score, once for each seat."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings

from companion.games import GAMES
from companion.testing.kit import Table, play_on, randoms, tables
from tests.test_endings import played


@given(tables(("hanabi",)), randoms())
@settings(max_examples=10)
def test_score_errors_and_band_are_those_of_the_summary(table: Table, rng: Random) -> None:
    *_, play = play_on(table, rng, most=2_000)
    told = GAMES["hanabi"].summary(play.position)
    for counted in play.figures():
        assert counted[f"errors_{told['errors']}"] == 1
        assert counted[f"score_{told['errors']}"] == told["score"]
        bands = {f"tier_{band}": 1 for band in range(1, 8) if band == told["tier"]}
        assert {name: number for name, number in counted.items() if name.startswith("tier")} == bands
        assert counted.get("rated", 0) == len(bands)
        ends = {name for name in ("won", "ended", "lost") if name in counted}
        assert ends == ({told["result"]} if play.position.is_finished else set())
        assert all(counted[name] == 1 for name in ends)
        assert len(counted) == 2 + 2 * len(bands) + len(ends)


ERROR = {"move": "play", "slot": 0}


def test_three_errors_leave_nothing() -> None:
    moves = [ERROR | {"seat": seat, "card": card} for seat, card in ((0, "R5"), (1, "B5"), (0, "Y5"))]
    play = played("hanabi", {}, moves, seats=2)
    assert play.position.is_finished
    assert play.figures() == [{"errors_3": 1, "score_3": 0, "lost": 1, "rated": 1, "tier_1": 1}] * 2


def test_tokens_alone_tell_the_same() -> None:
    moves = [{"move": "play", "seat": 0, "card": "R1"}, {"move": "play", "seat": 1}]
    play = played("hanabi", {"detail": "tokens"}, moves, seats=2)
    assert play.figures() == [{"errors_1": 1, "score_1": 1, "rated": 1, "tier_1": 1}] * 2


def test_the_endless_game_has_no_band() -> None:
    play = played("hanabi", {"endless": True}, [ERROR | {"seat": 0, "card": "R5"}], seats=2)
    assert play.figures() == [{"errors_1": 1, "score_1": 0, "lost": 1}] * 2
