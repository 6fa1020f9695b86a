"""A table's play as a value: judged on, taken back, put back, amended."""

from typing import Any

import pytest

from companion.game import Refused
from companion.games import GAMES
from companion.games.rage.moves import Bid, Rule, Trick
from companion.games.rage.position import Options
from companion.games.ubongo.moves import Place, Roll, TimeUp, Ubongo
from companion.kernel.frozen import replace
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


def test_a_play_is_written_out_without_its_past() -> None:
    short, long = play_of(*BIDS), play_of(*BIDS, Trick(0), Trick(1), Trick(0), Trick(1), Trick(0))
    taken = long.take_back()
    broken = long.amend(2, Bid(1, 11))
    assert len(repr(long)) < len(repr(short)) + 1000
    assert len(repr(taken)) < len(repr(short)) + 1000
    assert len(repr(broken)) < 300


def test_plays_that_stand_alike_are_alike_however_their_options_were_written() -> None:
    game, options = GAMES["rage"], Options()
    begun = begin(game, options, 3)
    assert isinstance(begun, Play)
    assert begun == replace(begun, options={"bidding": "open"})
    assert begun == begin(game, options, 3, rules=game.version)


def test_an_amendment_that_is_refused_is_the_same_by_the_move_and_the_reason() -> None:
    early, late = (play_of(*BIDS, *tricks).amend(2, Bid(1, 11)) for tricks in ([], [Trick(0)]))
    assert isinstance(early, Broken)
    assert early == replace(early, before=play_of())
    assert isinstance(late, Broken)
    assert late.asked == early.asked


def test_only_the_move_that_was_asked_anew_is_amended() -> None:
    amended = play_of(*BIDS).amend(2, Bid(1, 3))
    assert isinstance(amended, Play)
    assert [step.asked.is_amended for step in amended.moves()] == [False, True, False]


def test_of_entries_that_do_not_count_the_first_one_is_named() -> None:
    with pytest.raises(KeyError, match="7"):
        play_of(*BIDS).amend(1, Bid(0, 1), later={9: Bid(0, 1), 7: Bid(0, 1)})


def test_who_has_gone_back_to_the_first_place_has_changed_nothing() -> None:
    play = play_of(*BIDS)
    turned = play.begin_again(play_of(), [], (1, 2, 0))
    assert isinstance(turned, Play)
    assert turned.order == (1, 2, 0)
    back = turned.begin_again(play_of(), [], (2, 0, 1))
    assert isinstance(back, Play)
    assert back.order == ()
    assert back.amended not in {step.asked.number for step in play.moves()}


def test_a_finished_game_that_counts_nothing_leaves_nothing_of_each_seat() -> None:
    counting = replace(GAMES["rage"], figures=lambda _positions: ())
    assert replace(play_of(*BIDS), game=counting).figures() == ({}, {}, {})


def test_a_play_that_is_over_says_so_where_it_is_kept() -> None:
    game = GAMES["tally"]
    play = begin(game, game.options.load({"rounds": 1}), 1)
    assert isinstance(play, Play)
    assert play.standing == "1:0"
    ended = play.judge(Asked(1, game.moves(1)["enter"].load({"seat": 0, "column": "number", "value": 7})))
    assert isinstance(ended, Play)
    assert ended.standing == "1:7 over"


AT = "2026-11-20T20:{:02}:00.000Z"
"""A minute of an evening."""


def timed(*moves: Any) -> Play[Any]:
    """Play Ubongo with two, a move a minute."""
    game = GAMES["ubongo"]
    play = begin(game, game.options.load({}), 2)
    for minute, move in enumerate(moves):
        assert isinstance(play, Play)
        ruling = play.judge(Asked(minute + 1, replace(move, at=AT.format(minute)), at=AT.format(minute)))
        assert isinstance(ruling, Play), ruling
        play = ruling
    assert isinstance(play, Play)
    return play


PAWNS = [Place(0, 0), Place(1, 1)]


def times(play: Play[Any]) -> list[str | None]:
    return [step.asked.at for step in play.moves()]


def test_what_runs_by_the_clock_begins_anew_and_what_came_before_stays() -> None:
    running = timed(*PAWNS, Roll(3))
    anew = running.anew(AT.format(30))
    assert times(anew) == [AT.format(0), AT.format(1), AT.format(30)]
    assert [step.asked.move.at for step in anew.moves()][-1] == AT.format(30)
    back = anew.take_back()
    assert back
    assert times(back) == [AT.format(0), AT.format(1)]


def test_what_followed_within_the_run_keeps_its_time() -> None:
    anew = timed(*PAWNS, Roll(3), Ubongo(0)).anew(AT.format(30))
    assert times(anew)[2:] == [AT.format(30), AT.format(3)]
    back = anew.take_back()
    assert back
    assert times(back)[2:] == [AT.format(30)]


def test_taking_back_into_an_earlier_run_returns_to_its_own_clock() -> None:
    second = timed(*PAWNS, Roll(3), TimeUp()).anew(AT.format(30))
    assert times(second)[2:] == [AT.format(2), AT.format(30)]
    first = second.take_back()
    assert first
    assert times(first)[2:] == [AT.format(2)]


def test_where_nothing_runs_by_the_clock_nothing_begins_anew() -> None:
    for still in (timed(*PAWNS), play_of(*BIDS)):
        assert still.anew(AT.format(30)) is still
