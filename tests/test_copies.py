"""What was answered with no, or was so already, is entered by no copy of it that comes when others have acted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import BadName, NothingThere, NotThere, NotYours, Paused, Stale
from companion.game import Refused
from companion.log import Reading, declined
from companion.play import Broken
from companion.tables import halting, seating
from companion.tables.seating import Asker
from companion.tables.starting import Meant, begin_again
from tests.house import House, bid, tally

pytestmark = [pytest.mark.on_both, pytest.mark.promise(4)]

Act = Callable[[Asker, str], object]


def does(house: House, code: str, phone: str, act: Act, key: str) -> None:
    with house.asks(code, phone) as asker:
        act(asker, key)


def sits(seat: int) -> Act:
    return lambda asker, key: seating.sit_down(asker, seat, "Somebody", key)


def frees(seat: int) -> Act:
    return lambda asker, key: seating.free(asker, seat, key)


def gives(seat: int) -> Act:
    return lambda asker, key: seating.hand_over(asker, seat, key)


def goes(seat: int, hand: int) -> Act:
    return lambda asker, key: seating.go(asker, seat, hand, key)


ASKS: dict[str, Callable[[House, str, str, str, int], object]] = {
    "a move": lambda house, code, phone, key, after: house.move(code, phone, bid(3, 2), key, after),
    "a step back": lambda house, code, phone, key, after: house.take_back(code, phone, key, after),
}


@pytest.mark.parametrize("asks", ASKS.values(), ids=ASKS)
@pytest.mark.parametrize(
    ("who", "away", "again"),
    [
        ("host", [("host", gives(1))], [("bo", gives(0))]),
        ("kit", [("kit", seating.stand_up)], [("kit", sits(3))]),
        ("kit", [("host", frees(3)), ("zoe", sits(3))], [("host", frees(3)), ("kit", sits(3))]),
    ],
    ids=["who was the host", "who stood up", "whose seat was another's"],
)
def test_a_tap_that_was_nobody_s_right_for_a_while_is_not_entered_by_a_copy_of_it(
    house: House,
    asks: Callable[[House, str, str, str, int], object],
    who: str,
    away: list[tuple[str, Act]],
    again: list[tuple[str, Act]],
) -> None:
    """Found by simulated evening 32240: its phone was told no, and four seconds later the tap stood in the log."""
    code = house.open(phones={0: "host", 1: "bo", 3: "kit"} if who == "kit" else {0: "host", 1: "bo"}, bidding="hidden")
    house.move(code, who, bid(3, 1), "before")
    after = house.read(code).number
    for place, (phone, act) in enumerate(away):
        does(house, code, phone, act, f"away {place}")
    with pytest.raises((NotYours, Stale)):
        asks(house, code, who, "tap", after)
    for place, (phone, act) in enumerate(again):
        does(house, code, phone, act, f"again {place}")
    entries = house.entries(code)
    with pytest.raises(Stale):
        asks(house, code, who, "tap", after)
    assert house.entries(code) == entries
    # Who has seen in whose hands it is taps anew.
    assert isinstance(asks(house, code, who, "new", house.read(code).number), Reading)


def test_what_another_plays_on_for_a_seat_is_no_more_once_its_own_seat_was_another_s(house: House) -> None:
    code = house.open(phones={0: "host", 1: "bo", 3: "kit"}, bidding="hidden")
    does(house, code, "host", goes(3, 1), "goes")
    after = house.read(code).number
    does(house, code, "bo", seating.stand_up, "stands")
    with pytest.raises(NotYours):
        house.move(code, "bo", bid(3, 2), "tap", after)
    does(house, code, "bo", sits(1), "sits")
    with pytest.raises(Stale):
        house.move(code, "bo", bid(3, 2), "tap", after)


def test_who_comes_and_goes_elsewhere_makes_no_tap_stale(house: House) -> None:
    code = house.open(phones={0: "host", 1: "bo"}, bidding="hidden")
    after = house.read(code).number
    does(house, code, "kit", sits(2), "sits")
    does(house, code, "bo", lambda asker, key: seating.rename(asker, 1, "Bohdana", key), "rename")
    for phone, seat in (("host", 3), ("bo", 1)):
        assert isinstance(house.move(code, phone, bid(seat, 2), f"tap {seat}", after), Reading)


def test_a_step_back_upon_a_table_without_moves_is_none_once_there_are_some(house: House) -> None:
    code = house.open()
    with pytest.raises(NothingThere):
        house.take_back(code, "host", "back", 0)
    house.move(code, "host", bid(0, 1), "first")
    with pytest.raises(Stale):
        house.take_back(code, "host", "back", 0)


def place(row: int) -> dict[str, Any]:
    return {"move": "place", "seat": 2, "row": row}


def test_a_tap_upon_what_was_otherwise_meanwhile_is_not_entered_by_a_copy_once_it_is_as_before(house: House) -> None:
    """Found by simulated evening 90154: a pawn that had gone elsewhere was back where the tap had seen it."""
    code = house.open(game="ubongo")
    house.move(code, "host", place(1), "seen")
    after = house.read(code).number
    house.move(code, "host", place(4), "elsewhere")
    house.move(code, "host", {**place(1), "seat": 0}, "another")
    with pytest.raises(Stale):
        house.move(code, "host", place(3), "tap", after)
    house.move(code, "host", place(1), "back")
    with pytest.raises(Stale):
        house.move(code, "host", place(3), "tap", after)
    assert isinstance(house.move(code, "host", place(3), "new", house.read(code).number), Reading)


def test_a_call_that_others_were_quicker_than_is_judged_by_the_time_at_which_it_comes(house: House) -> None:
    code = house.open(game="ubongo")
    house.move(code, "host", {"move": "roll", "symbol": 3}, "roll")
    after = house.read(code).number
    for seat in (0, 1):
        assert isinstance(house.move(code, "host", {"move": "ubongo", "seat": seat}, f"call {seat}", after), Reading)


def test_a_tap_that_the_rules_refused_is_not_entered_by_a_copy_once_they_would_not(house: House) -> None:
    code, count = house.open(bidding="hidden"), {"move": "count", "seat": 0, "tricks": 1}
    for seat in (0, 1, 2):
        house.move(code, "host", bid(seat, 1), f"bid {seat}")
    after = house.read(code).number
    assert isinstance(house.move(code, "host", count, "tap", after), Refused)
    house.move(code, "host", bid(2, 2), "another")
    assert isinstance(house.move(code, "host", count, "tap", after), Refused)
    house.move(code, "host", bid(3, 1), "bid 3")
    with pytest.raises(Stale):
        house.move(code, "host", count, "tap", after)
    assert isinstance(house.move(code, "host", count, "new", house.read(code).number), Reading)


def paused(house: House, code: str, phone: str) -> None:
    does(house, code, phone, halting.pause, "pause")


def test_a_pause_that_was_so_already_is_not_made_by_a_copy_once_the_game_goes_on(house: House) -> None:
    """Found by simulated evening 16327. The server may have been started anew meanwhile."""
    code = house.open(phones={1: "bo"})
    does(house, code, "host", halting.pause, "first")
    paused(house, code, "bo")
    does(house, code, "host", halting.resume, "resume")
    entries = house.entries(code)
    for one in (house, again := house.again()):
        with pytest.raises(Stale):
            paused(one, code, "bo")
    again.close()
    assert house.entries(code) == entries
    does(house, code, "bo", halting.pause, "another")
    assert len(house.entries(code)) == len(entries) + 1


def test_a_pause_by_who_had_no_seat_is_not_made_by_a_copy_once_it_has_one(house: House) -> None:
    code = house.open(phones={1: "bo"})
    with pytest.raises(NotYours):
        paused(house, code, "kit")
    does(house, code, "kit", sits(2), "sits")
    with pytest.raises(Stale):
        paused(house, code, "kit")
    assert house.rows("SELECT halt FROM tables") == [("",)]


def test_an_amendment_of_what_was_not_there_is_not_entered_by_a_copy_once_it_is(house: House) -> None:
    code = house.open()
    with pytest.raises(NotThere):
        house.amend(code, "host", 1, bid(0, 2), "amend")
    assert isinstance(house.move(code, "host", bid(0, 1), "first", 0), Reading)
    with pytest.raises(Stale):
        house.amend(code, "host", 1, bid(0, 2), "amend")
    assert isinstance(house.amend(code, "host", 1, bid(0, 2), "another"), Reading)


def test_a_post_that_says_not_what_it_has_seen_is_answered_once_and_for_all(house: House) -> None:
    code = house.open()
    assert isinstance(house.move(code, "host", bid(1, 1), "early"), Refused)
    assert isinstance(house.move(code, "host", bid(0, 1), "first"), Reading)
    with pytest.raises(Stale):
        house.move(code, "host", bid(1, 1), "early")
    assert isinstance(house.move(code, "host", bid(1, 1), "anew"), Reading)
    with pytest.raises(NothingThere):
        house.put_back(code, "host", "forward")
    house.take_back(code, "host", "back")
    with pytest.raises(Stale):
        house.put_back(code, "host", "forward")


@pytest.mark.parametrize("way", ["paused", "broken"])
def test_an_amendment_that_was_refused_is_not_entered_by_a_copy_of_it(house: House, way: str) -> None:
    code = house.open(plus_minus_one=True)
    for seat, tricks in enumerate((1, 2, 3, 5)):
        house.move(code, "host", bid(seat, tricks), f"{seat}")
    if way == "paused":
        paused(house, code, "host")
        with pytest.raises(Paused):
            house.amend(code, "host", 1, bid(0, 2), "amend")
        does(house, code, "host", halting.resume, "resume")
    else:
        assert isinstance(house.amend(code, "host", 1, bid(0, 0), "amend"), Broken)
        assert isinstance(house.amend(code, "host", 4, bid(3, 6), "other"), Reading)
    entries = house.entries(code)
    with pytest.raises(Stale):
        house.amend(code, "host", 1, bid(0, 2 if way == "paused" else 0), "amend")
    assert house.entries(code) == entries


def test_another_order_of_seats_that_was_refused_is_not_entered_by_a_copy_of_it(house: House) -> None:
    """Found by simulated evening 46697."""
    code, meant = house.open(), Meant(order=(1, 0, 2, 3))
    paused(house, code, "host")
    with pytest.raises(Paused):
        does(house, code, "host", lambda asker, key: begin_again(asker, meant, key), "start")
    does(house, code, "host", halting.resume, "resume")
    entries = house.entries(code)
    with pytest.raises(Stale):
        does(house, code, "host", lambda asker, key: begin_again(asker, meant, key), "start")
    assert house.entries(code) == entries
    does(house, code, "host", lambda asker, key: begin_again(asker, meant, key), "another")
    assert len(house.entries(code)) == len(entries) + 1


def test_what_was_wrong_with_a_post_itself_is_not_kept(house: House) -> None:
    code = house.open(["Anna", "Bohdan", ""])
    with house.asks(code, "zoe") as asker, pytest.raises(BadName):
        seating.sit_down(asker, 2, "", "sit")
    assert house.rows("SELECT count(*) FROM declined") == [(0,)]
    does(house, code, "zoe", sits(2), "sit")


def test_the_newest_are_kept_of_all_tables(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declined, "MOST", 3)
    monkeypatch.setattr(declined, "EVERY", 2)
    codes = [house.open(), house.open()]
    for place in range(6):
        for _time in range(2):
            assert isinstance(house.move(codes[place % 2], "host", tally(1, 1, 1, 1), f"{place}"), Refused)
    kept = house.rows("SELECT key FROM declined ORDER BY id")
    assert [key[-1] for (key,) in kept] == ["3", "4", "5"]
