"""What every game is taken for that does not say otherwise."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from companion.game import AnyGame, as_before, never, only_if_same, the_first_seat
from companion.games import GAMES


def test_a_game_that_says_no_more_begins_as_before_with_the_first_seat_and_hides_nothing() -> None:
    position = GAMES["rage"].start(GAMES["rage"].options.load({}), 4)
    assert (as_before(position), the_first_seat(position), never(position)) == ({}, 0, False)


def test_a_move_of_a_game_that_says_no_more_holds_while_nothing_has_changed() -> None:
    three, four = (GAMES["rage"].start(GAMES["rage"].options.load({}), seats) for seats in (3, 4))
    assert only_if_same(three, three, "a move")
    assert not only_if_same(three, four, "a move")


@pytest.mark.parametrize(("players", "usual"), [(range(2, 6), 4), (range(5, 9), 5), (range(2, 4), 3), (range(3, 9), 4)])
def test_a_table_is_laid_for_four_or_as_near_as_can_be(players: range, usual: int) -> None:
    assert replace(GAMES["rage"], players=players).usual_players == usual


def test_a_game_that_says_who_may_move_is_not_searched_for_moves() -> None:
    position = GAMES["rage"].start(GAMES["rage"].options.load({}), 4)
    game = replace(GAMES["rage"], may_move=lambda _position, seat: seat == 3)
    assert [game.may_move(position, seat) for seat in range(4)] == [False, False, False, True]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_rule_is_called_by_its_game_and_a_name_that_no_other_has(game: AnyGame) -> None:
    keys = [rule.key for rule in game.rules]
    assert [key for key in keys if not re.fullmatch(rf"{game.key}\.[a-z_]+", key)] == []
    assert len({*keys}) == len(keys)
    assert [rule for rule in game.rules if not rule.source] == []
