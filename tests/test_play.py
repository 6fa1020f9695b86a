"""A table's play as a value: judged on, taken back, put back, amended."""

from typing import Any

import pytest

from companion.game import Refused
from companion.games import GAMES
from companion.games.rage.moves import Bid, Rule, Trick
from companion.games.rage.position import Options
from companion.play import Asked, Broken, Play, begin

BIDS = [Bid(0, 3), Bid(1, 3), Bid(2, 4)]


def play_of(*moves: Any, options: Options | None = None, step: int = 1) -> Play[Any]:
    """Judge moves at a table of three, numbered in steps as in a log that holds other entries too."""
    play = begin(GAMES["rage"], options or Options(), 3)
    assert isinstance(play, Play)
    for place, move in enumerate(moves, 1):
        ruling = play.judge(Asked(place * step, move))
        assert isinstance(ruling, Play)
        play = ruling
    return play


def moves_of(play: Play[Any]) -> list[Any]:
    return [ruled.asked.move for ruled in play.moves()]


def test_a_play_begins_with_nothing_to_undo_or_redo() -> None:
    play = play_of()
    assert play.moves() == []
    assert play.take_back() is None
    assert play.put_back() is None


def test_options_and_seats_that_do_not_go_together_are_refused() -> None:
    refused = begin(GAMES["rage"], Options(), 2)
    assert isinstance(refused, Refused)
    assert refused.rule is Rule.PLAYERS


def test_a_refused_move_leaves_the_play_as_it_was() -> None:
    play = play_of(Bid(0, 3))
    position = play.position
    assert isinstance(play.judge(Asked(2, Bid(0, 3))), Refused)
    assert play.position is position
    assert moves_of(play) == [Bid(0, 3)]


def test_taking_back_returns_to_the_very_position_before() -> None:
    play = play_of(*BIDS)
    taken = play.take_back()
    assert taken
    assert play.last
    assert taken.position is play.last.was
    assert moves_of(taken) == BIDS[:2]


def test_putting_back_returns_to_the_very_play_that_was_taken_back() -> None:
    play = play_of(*BIDS)
    taken = play.take_back()
    assert taken
    assert taken.put_back() is play


def test_many_moves_are_taken_back_and_put_back_in_order() -> None:
    play: Play[Any] | None = play_of(*BIDS)
    for left in (2, 1, 0):
        play = play and play.take_back()
        assert play
        assert moves_of(play) == BIDS[:left]
    for left in (1, 2, 3):
        play = play and play.put_back()
        assert play
        assert moves_of(play) == BIDS[:left]
    assert play
    assert play.put_back() is None


def test_after_a_new_move_there_is_nothing_to_put_back() -> None:
    taken = play_of(*BIDS).take_back()
    assert taken
    other = taken.judge(Asked(4, Bid(2, 5)))
    assert isinstance(other, Play)
    assert other.put_back() is None
    assert moves_of(other) == [*BIDS[:2], Bid(2, 5)]


def test_an_amendment_replaces_one_move_and_judges_the_later_ones_again() -> None:
    amended = play_of(*BIDS, Trick(1), Trick(2)).amend(4, Trick(0, plus=1))
    assert isinstance(amended, Play)
    assert moves_of(amended) == [*BIDS, Trick(0, plus=1), Trick(2)]
    assert amended.position == play_of(*BIDS, Trick(0, plus=1), Trick(2)).position


def test_an_amendment_names_entries_by_their_number_in_the_log() -> None:
    amended = play_of(*BIDS, step=10).amend(20, Bid(1, 0))
    assert isinstance(amended, Play)
    assert [ruled.asked.number for ruled in amended.moves()] == [10, 20, 30]
    assert moves_of(amended) == [Bid(0, 3), Bid(1, 0), Bid(2, 4)]


def test_an_amendment_that_breaks_a_later_move_names_that_entry_and_changes_nothing() -> None:
    bids = [Bid(0, 5), Bid(1, 3), Bid(2, 4)]
    play = play_of(*bids, Trick(0), options=Options(plus_minus_one=True), step=10)
    broken = play.amend(10, Bid(0, 3))
    assert isinstance(broken, Broken)
    assert broken.asked == Asked(30, Bid(2, 4))
    assert broken.refused.rule is Rule.PLUS_MINUS_ONE
    assert moves_of(play) == [*bids, Trick(0)]


def test_an_amendment_that_is_wrong_itself_names_its_own_entry() -> None:
    broken = play_of(*BIDS, Trick(0)).amend(2, Bid(1, 11))
    assert isinstance(broken, Broken)
    assert (broken.asked.number, broken.asked.move) == (2, Bid(1, 11))
    assert broken.refused.rule is Rule.BID_RANGE


@pytest.mark.parametrize("number", [0, 4, -1])
def test_only_an_entry_that_counts_can_be_amended(number: int) -> None:
    with pytest.raises(KeyError):
        play_of(*BIDS).amend(number, Bid(0, 1))


def test_a_move_that_was_taken_back_cannot_be_amended() -> None:
    taken = play_of(*BIDS).take_back()
    assert taken
    with pytest.raises(KeyError):
        taken.amend(3, Bid(2, 1))


def test_an_amendment_is_taken_back_and_put_back_as_one() -> None:
    play = play_of(*BIDS, Trick(0))
    amended = play.amend(2, Bid(1, 9))
    assert isinstance(amended, Play)
    taken = amended.take_back()
    assert taken
    assert taken.position is play.position
    assert moves_of(taken) == moves_of(play)
    assert taken.put_back() is amended
    before = taken.take_back()
    assert before
    assert moves_of(before) == BIDS


def test_who_entered_a_move_is_kept_when_it_is_amended() -> None:
    start = play_of()
    play = start.judge(Asked(1, Bid(0, 3), by=0, at="2026-11-20T20:15:00Z"))
    assert isinstance(play, Play)
    amended = play.amend(1, Bid(0, 4))
    assert isinstance(amended, Play)
    assert amended.last
    assert amended.last.asked == Asked(1, Bid(0, 4), by=0, at="2026-11-20T20:15:00Z", is_amended=True)


def test_the_moves_that_count_are_listed_from_a_number_on() -> None:
    play = play_of(*BIDS, step=10)
    assert [*play.numbered()] == [10, 20, 30]
    assert [*play.numbered(20)] == [20, 30]
    assert [*play.numbered(21)] == [30]
    assert [*play.numbered(31)] == []


def test_the_play_as_it_stood_at_a_number_can_be_looked_up() -> None:
    play = play_of(*BIDS, step=10)
    assert moves_of(play.at(25)) == BIDS[:2]
    assert moves_of(play.at(30)) == BIDS
    assert play.at(0).moves() == []
