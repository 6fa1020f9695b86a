"""Who has to go is played on by another hand: whose that is, what it may, and that the result remembers it."""

from __future__ import annotations

import json

import pytest

from companion.errors import CompanionError, GameOver, NotThere, NotYours
from companion.kernel.figures import LEFT
from companion.log import Reading, statistics
from companion.log.book import Book, Search
from companion.tables import seating
from companion.tables.starting import Meant, begin_again
from tests.house import House, a_round, bid

pytestmark = [pytest.mark.on_both, pytest.mark.in_turn(of=2)]


def goes(house: House, code: str, phone: str, seat: int, hand: int | None) -> None:
    with house.asks(code, phone) as asker:
        seating.go(asker, seat, hand, f"go.{seat}.{hand}")


def seats(house: House, code: str, phone: str) -> list[int]:
    with house.asks(code, phone) as asker:
        return asker.seats


def test_another_seat_plays_on_and_enters_in_its_own_name(house: House) -> None:
    code = house.open(phones={0: "host", 1: "bo", 2: "ann"})
    goes(house, code, "bo", 1, 2)
    assert [seats(house, code, phone) for phone in ("host", "bo", "ann")] == [[0, 3], [], [1, 2]]
    assert house.entries(code)[-1][1:4] == ("seat", 1, 1)
    house.move(code, "host", bid(0, 1), "first")
    assert isinstance(house.move(code, "ann", bid(1, 2), "second"), Reading)
    assert house.entries(code)[-1][1:4] == ("move", 1, 2)
    with pytest.raises(NotYours):
        house.move(code, "host", bid(1, 3), "another")


def test_the_host_plays_on_where_no_other_hand_is_named_or_left(house: House) -> None:
    code = house.open(phones={0: "host", 1: "bo", 2: "ann"})
    goes(house, code, "bo", 1, None)
    assert seats(house, code, "host") == [0, 1, 3]
    goes(house, code, "host", 1, 2)
    assert seats(house, code, "host") == [0, 3]
    goes(house, code, "ann", 2, None)
    assert seats(house, code, "host") == [0, 1, 2, 3]


def test_whoever_comes_back_plays_on_alone(house: House) -> None:
    code = house.open(phones={0: "host", 1: "bo", 2: "ann"})
    goes(house, code, "bo", 1, 2)
    with house.asks(code, "bo") as asker:
        seating.sit_down(asker, 1, "", "back")
    assert [seats(house, code, phone) for phone in ("bo", "ann")] == [[1], [2]]
    assert house.rows("SELECT has_left, hand FROM seatings WHERE seat = 1")[0][1] is None
    assert not house.rows("SELECT has_left FROM seatings WHERE seat = 1")[0][0]


def test_the_hand_that_plays_on_is_the_same_one_when_people_change_places(house: House) -> None:
    code = house.open(phones={0: "host", 1: "bo", 2: "ann"})
    goes(house, code, "bo", 1, 2)
    with house.asks(code, "host") as asker:
        begin_again(asker, Meant(order=(2, 0, 1, 3)), "order")
    assert [seats(house, code, phone) for phone in ("host", "bo", "ann")] == [[1, 3], [], [0, 2]]
    house.take_back(code, "host", "back")
    assert [seats(house, code, phone) for phone in ("host", "bo", "ann")] == [[0, 3], [], [1, 2]]


@pytest.mark.parametrize(
    ("phone", "seat", "hand", "problem"),
    [
        ("zoe", 1, 2, NotYours),
        ("ann", 1, 2, NotYours),
        ("bo", 3, 1, NotYours),
        ("bo", 1, 1, NotThere),
        ("bo", 1, 3, NotThere),
        ("bo", 1, 9, NotThere),
        ("bo", 9, 1, NotThere),
    ],
)
def test_nobody_else_sends_anybody_home(
    house: House, phone: str, seat: int, hand: int, problem: type[CompanionError]
) -> None:
    code = house.open(phones={0: "host", 1: "bo", 2: "ann"})
    before = house.entries(code)
    with pytest.raises(problem):
        goes(house, code, phone, seat, hand)
    assert house.entries(code) == before


def test_going_twice_is_entered_once(house: House) -> None:
    code = house.open(phones={0: "host", 1: "bo"})
    goes(house, code, "host", 1, 0)
    number = house.read(code).number
    with house.asks(code, "host") as asker:
        seating.go(asker, 1, 0, "again")
    assert house.read(code).number == number


def test_the_result_and_the_statistics_say_who_was_played_on(house: House) -> None:
    code = house.open(phones={0: "host", 1: "bo", 2: "ann"})
    moves = [move for number in range(1, 11) for move in a_round(number, 4)]
    for place, move in enumerate(moves):
        if place == len(moves) - 1:
            goes(house, code, "bo", 1, None)
        phone = {0: "host", 1: "bo", 2: "ann"}.get(move.get("seat", 0), "host")
        assert isinstance(house.move(code, phone, move, f"move.{place}"), Reading)
    stored = house.rows("SELECT figures FROM seatings ORDER BY seat")
    figures = [found if isinstance(found, dict) else json.loads(found) for (found,) in stored]
    assert [one.get(LEFT, 0) for one in figures] == [0, 1, 0, 0]
    with house.app.app_context():
        [played] = statistics.played(Book(), Search())
    assert {tally.player: tally.left for tally in played.tallies} == {
        "Anna": 0, "Bohdan": 1, "Katka": 0, "Dalibor": 0,
    }  # fmt: skip
    with pytest.raises(GameOver):
        goes(house, code, "ann", 2, None)
