"""Who may do what at a table, what counts once, and what comes too late."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from companion import log, machine
from companion.errors import KeyReused, NothingThere, NotThere, NotYours, Stale, StillSealed
from companion.game import Refused, Seat
from companion.games.rage.moves import Rule
from companion.games.ubongo.moves import Place
from companion.log import Reading
from companion.log.clock import HELD_S
from companion.play import Broken
from companion.push.bell import bell
from companion.record import RecordError
from companion.tables import amending, halting, referee, seating
from companion.tables.seating import Asker, hashed
from tests.house import House, a_round, bid, listening, secret, tally, walked

pytestmark = [pytest.mark.on_both, pytest.mark.in_turn(of=2)]


@pytest.fixture
def code(house: House) -> str:
    """Open a table: seats 1 and 2 have phones, 0 and 3 have none, `fred` has left seat 3."""
    code = house.open(phones={1: "bo", 2: "kit", 3: "fred"})
    with house.asks(code, "fred") as asker:
        seating.stand_up(asker, "leaves")
    return code


def play_a_round(house: House, code: str, number: int = 1) -> None:
    for place, move in enumerate(a_round(number, 4)):
        who = {1: "bo", 2: "kit"}.get(move.get("seat", 0), "host")
        assert isinstance(house.move(code, who, move, f"{number}.{place}"), Reading)


def numbers(house: House, code: str) -> list[int]:
    return [number for number, *_ in house.entries(code)]


@pytest.mark.parametrize(
    ("phone", "seats"),
    [("host", {0, 3}), ("bo", {1}), ("kit", {2}), ("fred", set()), ("stranger", set())],
)
def test_a_phone_bids_for_its_own_seat_and_the_host_for_those_without_a_phone(
    house: House, phone: str, seats: set[int]
) -> None:
    for seat in range(4):
        code = house.open(phones={1: "bo", 2: "kit", 3: "fred"}, first_dealer=(seat - 1) % 4)
        with house.asks(code, "fred") as asker:
            seating.stand_up(asker, "leaves")
        before = numbers(house, code)
        if seat in seats:
            assert isinstance(house.move(code, phone, bid(seat, 1), "k"), Reading)
            assert house.entries(code)[-1][3] == (None if phone == "host" else seat)
        else:
            with pytest.raises(NotYours):
                house.move(code, phone, bid(seat, 1), "k")
            assert numbers(house, code) == before


@pytest.mark.parametrize(("phone", "may"), [("host", True), ("bo", True), ("fred", False), ("stranger", False)])
def test_whoever_sits_at_the_table_may_tally_a_round(house: House, code: str, phone: str, may: bool) -> None:
    for place, move in enumerate([*a_round(1, 4)][:-1]):
        house.move(code, {1: "bo", 2: "kit"}.get(move["seat"], "host"), move, f"{place}")
    if may:
        assert isinstance(house.move(code, phone, tally(10, 0, 0, 0), "k"), Reading)
    else:
        with pytest.raises(NotYours):
            house.move(code, phone, tally(10, 0, 0, 0), "k")


def test_a_host_who_has_a_seat_is_named_by_it_where_it_acts_for_it(house: House) -> None:
    code = house.open(phones={2: "host"})
    for place, move in enumerate(a_round(1, 4)):
        house.move(code, "host", move, f"{place}")
    assert [by for _, kind, _, by, *_ in house.entries(code) if kind == "move"] == [None, None, 2, None, None]


def test_a_seat_that_was_taken_away_while_its_move_waited_moves_no_more(house: House, code: str) -> None:
    house.move(code, "host", bid(0, 1), "0")
    with house.asks(code, "bo") as slow:
        assert slow.seat == 1
        with house.asks(code, "host") as host:
            seating.free(host, 1, "free")
        with pytest.raises(NotYours):
            referee.rule_on(slow, bid(1, 1), "late")


def test_a_seat_that_is_taken_away_before_its_move_is_decided_moves_no_more(house: House, code: str) -> None:
    """Without a number that was seen, too, and though the phone was looked at before."""
    with house.asks(code, "bo") as asker:
        assert asker.seats == [1]
        seating.free(Asker(asker.table, hashed(secret("host"))), 1, "taken")
        with pytest.raises(NotYours):
            referee.rule_on(asker, bid(1, 2), "late")


def test_a_refused_move_says_why_and_changes_nothing(house: House, code: str) -> None:
    before = house.entries(code)
    refused = house.move(code, "bo", bid(1, 1), "k")
    assert isinstance(refused, Refused)
    assert refused.rule is Rule.NOT_YOUR_TURN
    assert house.entries(code) == before
    house.move(code, "host", bid(0, 1), "0")
    assert isinstance(house.move(code, "bo", bid(1, 1), "another"), Reading)


def test_a_move_that_cannot_be_read_names_the_field(house: House, code: str) -> None:
    with pytest.raises(RecordError) as error:
        house.move(code, "bo", {"move": "bid", "seat": 1, "tricks": "many"}, "k")
    assert error.value.place == "tricks"


ACTS: dict[str, Callable[[House, str], Any]] = {
    "move": lambda house, code: house.move(code, "host", bid(0, 1), "same"),
    "take_back": lambda house, code: house.take_back(code, "host", "same"),
    "put_back": lambda house, code: house.put_back(code, "host", "same"),
    "amend": lambda house, code: house.amend(code, "host", 6, tally(9, 1, 0, 0), "same"),
}


@pytest.mark.promise(4)
@pytest.mark.parametrize("act", ACTS)
def test_the_same_key_twice_counts_once_and_gets_the_same_answer(house: House, act: str) -> None:
    code = house.open()
    if act != "move":
        for place, move in enumerate([*a_round(1, 4), *([bid(1, 0)] if act == "put_back" else [])]):
            house.move(code, "host", move, f"{place}")
    if act == "put_back":
        house.take_back(code, "host", "back")
    if act == "amend":
        house.move(code, "host", bid(1, 3), "more")
        ACTS["amend"] = lambda house, code: house.amend(code, "host", 5, tally(9, 1, 0, 0), "same")
    first = ACTS[act](house, code)
    assert isinstance(first, Reading)
    again = ACTS[act](house, code)
    assert (again.number, walked(again.play)) == (first.number, walked(first.play))
    assert [key for *_, key in house.entries(code)].count("same") == 1


@pytest.mark.promise(4)
def test_a_key_gets_its_first_answer_though_the_table_has_moved_on(house: House) -> None:
    code = house.open()
    first = house.move(code, "host", bid(0, 1), "same")
    house.move(code, "host", bid(1, 2), "next")
    house.take_back(code, "host", "back")
    house.move(code, "host", bid(1, 3), "other")
    again = house.move(code, "host", bid(0, 1), "same")
    assert isinstance(first, Reading)
    assert isinstance(again, Reading)
    assert (again.number, walked(again.play)) == (first.number, walked(first.play))
    assert house.read(code).number == first.number + 3


@pytest.mark.promise(4)
def test_the_same_key_with_another_content_is_refused(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "same")
    with pytest.raises(KeyReused):
        house.move(code, "host", bid(0, 2), "same")
    with pytest.raises(KeyReused):
        house.take_back(code, "host", "same")
    with pytest.raises(KeyReused):
        house.amend(code, "host", 1, bid(0, 1), "same")
    with house.asks(code, "host") as asker, pytest.raises(KeyReused):
        seating.rename(asker, 0, "Adam", "same")
    assert numbers(house, code) == [1]


def test_a_repeated_move_is_answered_also_when_the_table_has_moved_on(house: House) -> None:
    code = house.open()
    first = house.move(code, "host", bid(0, 1), "same", after=0)
    house.move(code, "host", bid(1, 1), "next", after=1)
    again = house.move(code, "host", bid(0, 1), "same", after=0)
    assert isinstance(first, Reading)
    assert isinstance(again, Reading)
    assert numbers(house, code) == [1, 2]


def test_a_copy_that_waited_for_the_first_one_gets_the_first_answer(house: House) -> None:
    code = house.open()
    with house.asks(code, "host") as slow:
        log.read(slow.table)
        house.move(code, "host", bid(0, 1), "same", after=0)
        ruling = referee.rule_on(slow, bid(0, 1), "same", 0)
    assert isinstance(ruling, Reading)
    assert ruling.number == 1


def test_the_same_key_at_two_tables_counts_at_both(house: House) -> None:
    for code in (house.open(), house.open()):
        assert isinstance(house.move(code, "host", bid(0, 1), "same"), Reading)


def test_a_move_upon_an_older_table_is_stale(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "0", after=0)
    with pytest.raises(Stale):
        house.move(code, "host", bid(0, 2), "again", after=0)
    with pytest.raises(Stale):
        house.move(code, "host", bid(1, 2), "1", after=0)
    assert numbers(house, code) == [1]
    assert isinstance(house.move(code, "host", bid(1, 2), "1", after=1), Reading)


def test_a_move_upon_a_number_that_is_not_reached_yet_is_stale(house: House) -> None:
    code = house.open()
    with pytest.raises(Stale):
        house.move(code, "host", bid(0, 1), "0", after=1)


def test_a_move_without_a_number_is_taken_as_the_table_stands(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "0")
    assert isinstance(house.move(code, "host", bid(1, 1), "1"), Reading)


def test_who_sat_down_meanwhile_makes_no_move_stale(house: House, code: str) -> None:
    seen = house.read(code).number
    with house.asks(code, "late") as asker:
        seating.sit_down(asker, 3, "Lea", "sits")
    assert isinstance(house.move(code, "host", bid(0, 1), "0", after=seen), Reading)


def test_a_table_that_was_locked_meanwhile_makes_no_move_stale(house: House, code: str) -> None:
    seen = house.read(code).number
    with house.asks(code, "host") as asker:
        seating.lock(asker, True, "locks")
    assert isinstance(house.move(code, "host", bid(0, 1), "0", after=seen), Reading)


def test_sealed_bids_may_come_late_in_their_round(house: House) -> None:
    code = house.open(phones={1: "bo", 2: "kit"}, bidding="hidden")
    seen = house.read(code).number
    for seat, who in ((2, "kit"), (0, "host"), (1, "bo"), (2, "kit")):
        assert isinstance(house.move(code, who, bid(seat, 1), f"{who}.{numbers(house, code)}", after=seen), Reading)
    assert house.read(code).play.position.bids == (1, 1, 1, None)


def test_a_sealed_bid_of_the_round_before_is_stale(house: House) -> None:
    code = house.open(bidding="hidden")
    for place, move in enumerate([*a_round(1, 4)][:-1]):
        house.move(code, "host", move, f"{place}")
    seen = house.read(code).number
    house.move(code, "host", tally(10, 0, 0, 0), "tally")
    with pytest.raises(Stale):
        house.move(code, "host", bid(1, 1), "late", after=seen)
    with pytest.raises(Stale):
        house.move(code, "host", bid(1, 1), "late", after=0)
    assert isinstance(house.move(code, "host", bid(1, 1), "fresh", after=seen + 1), Reading)


def test_a_sealed_bid_that_comes_after_the_reveal_is_refused(house: House) -> None:
    code = house.open(bidding="hidden")
    for place, move in enumerate([*a_round(1, 4)][:-1]):
        house.move(code, "host", move, f"{place}", after=0)
    refused = house.move(code, "host", bid(0, 5), "late", after=0)
    assert isinstance(refused, Refused)
    assert refused.rule is Rule.BIDS_CLOSED


def test_counts_of_ones_own_may_come_late_in_their_round(house: House) -> None:
    code = house.open()
    for place, move in enumerate([*a_round(1, 4)][:-1]):
        house.move(code, "host", move, f"{place}")
    seen = house.read(code).number
    for seat, tricks in enumerate((10, 0, 0, 0)):
        count = {"move": "count", "seat": seat, "tricks": tricks}
        assert isinstance(house.move(code, "host", count, f"c{seat}", after=seen), Reading)
    assert len(house.read(code).play.position.sheet) == 1
    with pytest.raises(Stale):
        house.move(code, "host", {"move": "count", "seat": 0, "tricks": 9}, "late", after=seen)


@pytest.mark.parametrize("act", ["take_back", "amend"])
def test_whatever_was_seen_before_a_step_back_or_an_amendment_is_stale(house: House, act: str) -> None:
    code = house.open(bidding="hidden")
    for seat in range(2):
        house.move(code, "host", bid(seat, 1), f"{seat}")
    if act == "take_back":
        house.take_back(code, "host", "back")
    else:
        house.amend(code, "host", 1, bid(0, 2), "amend")
    with pytest.raises(Stale):
        house.move(code, "host", bid(2, 1), "late", after=2)
    assert isinstance(house.move(code, "host", bid(2, 1), "fresh", after=3), Reading)


def test_a_step_back_upon_an_older_table_is_stale(house: House) -> None:
    code = house.open()
    for seat in range(2):
        house.move(code, "host", bid(seat, 1), f"{seat}")
    with pytest.raises(Stale):
        house.take_back(code, "host", "back", after=1)
    assert house.take_back(code, "host", "back", after=2).play.position.bids == (1, None, None, None)
    with pytest.raises(Stale):
        house.put_back(code, "host", "again", after=2)


def test_there_is_nothing_to_take_back_at_the_start_and_nothing_to_put_back_after_a_move(house: House) -> None:
    code = house.open()
    with pytest.raises(NothingThere):
        house.take_back(code, "host", "back")
    house.move(code, "host", bid(0, 1), "0")
    with pytest.raises(NothingThere):
        house.put_back(code, "host", "again")
    assert numbers(house, code) == [1]


@pytest.mark.promise(19)
def test_taking_back_and_putting_back_return_to_the_very_same_play(house: House, code: str) -> None:
    plays = [walked(house.read(code).play)]
    for place, move in enumerate(a_round(1, 4)):
        house.move(code, {1: "bo", 2: "kit"}.get(move.get("seat", 0), "host"), move, f"{place}")
        plays.append(walked(house.read(code).play))
    for place in range(5):
        moves, steps, _ = walked(house.take_back(code, "host", f"back{place}").play)
        assert [moves, steps] == plays[-2 - place][:2]
    for place in range(5):
        moves, steps, _ = walked(house.put_back(code, "host", f"again{place}").play)
        assert [moves, steps] == plays[1 + place][:2]
    assert walked(house.read(code).play) == plays[-1]


@pytest.mark.parametrize(
    ("phone", "may"), [("host", True), ("bo", True), ("kit", False), ("fred", False), ("stranger", False)]
)
def test_a_move_is_taken_back_and_put_back_by_its_seat_or_the_host(
    house: House, code: str, phone: str, may: bool
) -> None:
    house.move(code, "host", bid(0, 1), "0")
    house.move(code, "bo", bid(1, 1), "1")
    if may:
        house.take_back(code, phone, "back")
        assert house.read(code).play.position.bids == (1, None, None, None)
        house.put_back(code, phone, "again")
        return
    with pytest.raises(NotYours):
        house.take_back(code, phone, "back")
    house.take_back(code, "host", "host")
    with pytest.raises(NotYours):
        house.put_back(code, phone, "again")


def test_what_the_host_entered_for_a_seat_its_later_phone_may_take_back(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "0")
    with house.asks(code, "ann") as asker:
        seating.sit_down(asker, 0, "Ann", "sits")
    assert house.take_back(code, "ann", "back").play.undo is None


def test_an_amendment_is_taken_back_by_who_made_it_or_the_host_and_by_no_other(house: House, code: str) -> None:
    house.move(code, "host", bid(0, 1), "0")
    house.move(code, "bo", bid(1, 1), "1")
    first = house.read(code).play.moves()[0].asked.number
    amended = house.amend(code, "host", first, bid(0, 2), "amend")
    assert isinstance(amended, Reading)
    for phone in ("bo", "kit", "stranger"):
        with pytest.raises(NotYours):
            house.take_back(code, phone, phone)
    assert house.take_back(code, "host", "back").play.position.bids == (1, 1, None, None)


def test_a_stranger_learns_nothing_by_repeating_a_key(house: House, code: str) -> None:
    house.move(code, "host", bid(0, 1), "0")
    before = house.entries(code)
    with pytest.raises(NotYours):
        house.take_back(code, "stranger", "new")
    assert house.entries(code) == before


def number_of(house: House, code: str, place: int) -> int:
    asked = house.read(code).play.moves()[place].asked
    assert asked is not None
    return asked.number


def test_an_amended_round_is_scored_anew(house: House, code: str) -> None:
    play_a_round(house, code)
    amended = house.amend(code, "host", number_of(house, code, 4), tally(4, 3, 2, 1), "amend")
    assert isinstance(amended, Reading)
    assert [row.n for row in amended.play.position.sheet[0].rows] == [-1, -2, -3, -4]
    assert [kind for _, kind, *_ in house.entries(code)][-1] == "amend"
    assert house.take_back(code, "host", "back").play.position.sheet[0].rows[0].tricks == 10


def test_an_amendment_that_a_later_entry_contradicts_names_that_entry(house: House) -> None:
    code = house.open(plus_minus_one=True)
    for seat, tricks in enumerate((1, 2, 3, 5)):
        house.move(code, "host", bid(seat, tricks), f"{seat}")
    before = walked(house.read(code).play)
    broken = house.amend(code, "host", 1, bid(0, 0), "amend")
    assert isinstance(broken, Broken)
    assert (broken.asked.number, broken.refused.rule) == (4, Rule.PLUS_MINUS_ONE)
    assert walked(house.read(code).play) == before
    assert numbers(house, code) == [1, 2, 3, 4]


def test_an_amendment_that_is_itself_against_the_rules_names_itself(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "0")
    broken = house.amend(code, "host", 1, bid(0, 11), "amend")
    assert isinstance(broken, Broken)
    assert (broken.asked.number, broken.refused.rule) == (1, Rule.BID_RANGE)


@pytest.mark.parametrize(
    ("phone", "may"), [("host", True), ("bo", True), ("kit", False), ("fred", False), ("stranger", False)]
)
def test_a_move_in_the_open_is_amended_by_its_seat_or_the_host(house: House, code: str, phone: str, may: bool) -> None:
    play_a_round(house, code)
    number = number_of(house, code, 1)
    if may:
        assert isinstance(house.amend(code, phone, number, bid(1, 4), "amend"), Reading)
        assert house.entries(code)[-1][1:4] == ("amend", 1, None if phone == "host" else 1)
    else:
        with pytest.raises(NotYours):
            house.amend(code, phone, number, bid(1, 4), "amend")


def test_a_tally_is_amended_by_the_seat_that_entered_it_or_the_host(house: House, code: str) -> None:
    *bids, _ = a_round(1, 4)
    for place, move in enumerate(bids):
        house.move(code, {1: "bo", 2: "kit"}.get(move["seat"], "host"), move, f"{place}")
    house.move(code, "bo", tally(10, 0, 0, 0), "tally")
    number = house.read(code).number
    with pytest.raises(NotYours):
        house.amend(code, "kit", number, tally(9, 1, 0, 0), "kit")
    assert isinstance(house.amend(code, "bo", number, tally(9, 1, 0, 0), "bo"), Reading)
    assert isinstance(house.amend(code, "host", number, tally(8, 2, 0, 0), "host"), Reading)


@pytest.mark.parametrize("number", [0, -1, 99, 1])
def test_what_is_no_move_cannot_be_amended(house: House, code: str, number: int) -> None:
    play_a_round(house, code)
    with pytest.raises(NotThere):
        house.amend(code, "host", number, bid(0, 1), "amend")


def test_what_was_taken_back_cannot_be_amended(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "0")
    house.take_back(code, "host", "back")
    with pytest.raises(NotThere):
        house.amend(code, "host", 1, bid(0, 2), "amend")


def test_a_move_becomes_one_of_another_kind(house: House, code: str) -> None:
    play_a_round(house, code)
    amended = house.amend(code, "host", number_of(house, code, 4), {"move": "trick", "seat": 0}, "amend")
    assert isinstance(amended, Reading)
    assert amended.play.position.taken == (1, 0, 0, 0)


def test_what_lies_open_keeps_its_kind_while_something_is_sealed(house: House, sealed: str) -> None:
    house.move(sealed, "host", bid(3, 2), "3")
    house.move(sealed, "host", tally(4, 3, 2, 1), "tally")
    house.move(sealed, "bo", bid(1, 7), "of the second round")
    first, counted = number_of(house, sealed, 0), number_of(house, sealed, 4)
    with pytest.raises(StillSealed):
        house.amend(sealed, "host", counted, {"move": "trick", "seat": 0}, "another kind")
    with pytest.raises(StillSealed):
        house.amend(sealed, "host", first, None, "not made")
    assert isinstance(house.amend(sealed, "host", counted, tally(3, 4, 2, 1), "the same kind"), Reading)
    assert isinstance(house.amend(sealed, "bo", number_of(house, sealed, 5), None, "its own"), Reading)


def test_what_was_not_made_does_not_count_and_comes_again_when_that_is_taken_back(house: House, code: str) -> None:
    play_a_round(house, code)
    assert isinstance(house.amend(code, "host", number_of(house, code, 4), None, "struck"), Reading)
    assert house.read(code).play.position.round == 1
    assert house.entries(code)[-1][1:3] == ("amend", None)
    back = house.take_back(code, "host", "back")
    assert back.play.position.round == 2


def test_later_entries_are_amended_with_an_earlier_one_or_none_is(house: House, code: str) -> None:
    play_a_round(house, code)
    house.move(code, "bo", bid(1, 1), "next")
    tallied, after = number_of(house, code, 4), number_of(house, code, 5)
    trick = {"move": "trick", "seat": 0}
    broken = house.amend(code, "host", tallied, trick, "alone")
    assert isinstance(broken, Broken)
    assert (broken.asked.number, broken.before.position.taken) == (after, (1, 0, 0, 0))
    with house.asks(code, "host") as asker:
        changes = amending.Change(tallied, trick), amending.Change(after, trick)
        amended = amending.amend(asker, changes[0], "together", changes[1:])
    assert isinstance(amended, Reading)
    assert amended.play.position.taken == (2, 0, 0, 0)
    taken = house.take_back(code, "host", "back")
    assert taken.play.position.round == 2


def test_an_amendment_is_about_the_seat_of_its_first_move_and_says_no_more_than_was_asked(house: House) -> None:
    code = house.open()
    for seat in range(2):
        house.move(code, "host", bid(seat, 1), f"{seat}")
    first, later = amending.Change(1, bid(0, 2)), amending.Change(2, bid(1, 2))
    with house.asks(code, "host") as asker:
        amending.amend(asker, first, "together", (later,))
        amending.amend(asker, first, "alone")
    together, alone = house.entries(code)[2:]
    assert together[1:3] == alone[1:3] == ("amend", 0)
    assert json.loads(together[4]) == {**first.data, "later": [later.data]}
    assert json.loads(alone[4]) == first.data


def test_what_a_change_of_no_move_would_lead_to_is_not_said(house: House) -> None:
    with pytest.raises(NotThere):
        amending.amended(house.read(house.open()).play, [amending.Change(1, None)])


def test_a_seat_does_not_turn_its_move_into_one_of_another_seat(house: House, code: str) -> None:
    house.move(code, "host", bid(0, 1), "0")
    house.move(code, "bo", bid(1, 1), "1")
    with pytest.raises(NotYours):
        house.amend(code, "bo", number_of(house, code, 1), bid(2, 1), "amend")


def test_the_host_may_give_a_trick_to_another_seat(house: House, code: str) -> None:
    for place, move in enumerate([*a_round(1, 4)][:-1]):
        house.move(code, {1: "bo", 2: "kit"}.get(move["seat"], "host"), move, f"{place}")
    house.move(code, "bo", {"move": "trick", "seat": 1}, "trick")
    amended = house.amend(code, "host", number_of(house, code, 4), {"move": "trick", "seat": 2}, "amend")
    assert isinstance(amended, Reading)
    assert amended.play.position.taken == (0, 0, 1, 0)


@pytest.fixture
def sealed(house: House) -> str:
    """Open a table with sealed bids of the host's seat 0 and of bo's and kit's."""
    code = house.open(phones={1: "bo", 2: "kit"}, bidding="hidden")
    for seat, who in enumerate(("host", "bo", "kit")):
        house.move(code, who, bid(seat, seat + 1), who)
    return code


def test_a_sealed_bid_is_amended_by_its_seat_alone(house: House, sealed: str) -> None:
    number = number_of(house, sealed, 1)
    for phone in ("host", "kit", "stranger"):
        with pytest.raises(NotYours):
            house.amend(sealed, phone, number, bid(1, 9), f"{phone} amends")
    assert isinstance(house.amend(sealed, "bo", number, bid(1, 9), "amend"), Reading)
    assert house.read(sealed).play.position.bids == (1, 9, 3, None)


def test_the_host_does_not_turn_a_sealed_bid_into_one_of_its_own(house: House, sealed: str) -> None:
    with pytest.raises(NotYours):
        house.amend(sealed, "host", number_of(house, sealed, 1), bid(0, 9), "amend")
    assert house.read(sealed).play.position.bids == (1, 2, 3, None)


def test_the_host_does_not_turn_a_bid_of_its_own_into_a_sealed_one_of_another(house: House, sealed: str) -> None:
    with pytest.raises(NotYours):
        house.amend(sealed, "host", number_of(house, sealed, 0), bid(1, 9), "amend")
    assert house.read(sealed).play.position.bids == (1, 2, 3, None)


def test_the_bell_rings_for_every_entry_and_for_nothing_else(house: House) -> None:
    code = house.open()
    with house.app.app_context(), listening(bell(), code):
        assert bell().wait(code, 0, 0) is None
        house.move(code, "host", bid(1, 1), "refused")
        assert bell().wait(code, 0, 0) is None
        house.move(code, "host", bid(0, 1), "0")
        assert bell().wait(code, 0, 0) == 1
        house.amend(code, "host", 1, bid(0, 2), "amend")
        assert bell().wait(code, 1, 0) == 2
        house.take_back(code, "host", "back")
        assert bell().wait(code, 2, 0) == 3
        house.put_back(code, "host", "again")
        assert bell().wait(code, 3, 0) == 4
        house.put_back(code, "host", "again")
        assert bell().wait(code, 4, 0) is None


@pytest.mark.parametrize("path", ["1/move", "take-back?seat=1", "put-back?seat=1"])
def test_no_tap_is_answered_with_the_page_of_a_seat_that_is_not_the_phones(
    house: House, sealed: str, path: str
) -> None:
    kit = house.app.test_client()
    kit.set_cookie("phone", secret("kit"), domain="localhost")
    form = {"move": "bid", "seat": "2", "tricks": "4", "key": "k"}
    headers = {"Sec-Fetch-Site": "same-origin", "Accept": "text/vnd.companion.part+html"}
    before = house.entries(sealed)
    for _ in range(2):
        assert kit.post(f"/t/{sealed}/{path}", data=form, headers=headers).status_code == 403
    assert house.entries(sealed) == before


def test_a_pawn_is_too_late_by_the_server_s_clock_and_for_a_phone_that_has_not_seen_the_end(house: House) -> None:
    code = house.open(["A", "B"], game="ubongo", glass_s=1)
    for place, move in enumerate([{"move": "roll", "symbol": 1}, {"move": "ubongo", "seat": 0}]):
        house.move(code, "host", move, f"{place}")
    seen, pawn = house.read(code).number, {"move": "place", "seat": 0, "row": 2}
    ends_ms = house.read(code).play.position.ends_ms
    while time.time() * 1000 <= ends_ms:
        time.sleep(0.05)
    assert late(house.move(code, "host", pawn, "late")) == (Place, Seat(0))
    house.move(code, "host", {"move": "time_up"}, "up")
    assert late(house.move(code, "host", pawn, "stale", after=seen)) == (Place, Seat(0))


@pytest.mark.parametrize("jump_s", [300, -300], ids=["ahead", "back"])
def test_nobody_is_late_because_the_server_s_clock_was_put_right_while_the_sand_ran(
    house: House, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    """The phones still showed sand, and what was called was refused; or sand ran for minutes after its end."""
    code = house.open(["A", "B"], game="ubongo")
    house.move(code, "host", {"move": "roll", "symbol": 1}, "roll")
    monkeypatch.setattr(log.CLOCK, "wall", lambda: time.time() + jump_s)
    assert isinstance(house.move(code, "host", {"move": "ubongo", "seat": 0}, "call"), Reading)
    assert isinstance(house.move(code, "host", {"move": "place", "seat": 0, "row": 2}, "pawn"), Reading)
    position, now = house.read(code).play.position, int(house.app.test_client().get("/clock").text)
    assert position.turned_ms <= position.calls[0].at_ms <= now < position.ends_ms


def test_nobody_is_late_because_the_server_s_clock_was_put_right_after_a_pause(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A laptop that was closed meanwhile hears the time from the network when it is open again."""
    monkeypatch.setattr(log.CLOCK, "_known", memoryview(bytearray(16)).cast("d"))
    code = house.open(["A", "B"], game="ubongo")
    house.move(code, "host", {"move": "roll", "symbol": 1}, "roll")
    with house.asks(code, "host") as asker:
        halting.pause(asker, "pause")
    monkeypatch.setattr(log.CLOCK, "steady", lambda: machine.steady() + HELD_S)
    with house.asks(code, "host") as asker:
        halting.resume(asker, "resume")
    monkeypatch.setattr(log.CLOCK, "wall", lambda: time.time() + 300)
    assert isinstance(house.move(code, "host", {"move": "ubongo", "seat": 0}, "call"), Reading)


def late(ruling: object) -> tuple[type, Seat]:
    """Tell what was too late, and whose, where it was refused for that."""
    assert isinstance(ruling, Refused)
    assert ruling.rule.key == "ubongo.too_late"
    move = ruling.facts["late"]
    assert isinstance(move, Place)
    return type(move), Seat(move.seat)
