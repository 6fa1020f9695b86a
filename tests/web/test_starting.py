"""The page for what was wrong from the start: options, who begins, who sits where."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.conftest import House, Phone, sound
from tests.web.test_history import entries

Make = Callable[..., Phone]


@pytest.fixture
def host(phone: Make) -> Phone:
    """Open a table where three bids are made; all seats are the host's but Bo's."""
    host = phone()
    host.opens(names=["Ann", "Bo", "Cy"], i_sit="0", plus_minus_one="on")
    bo = phone(at=host)
    assert bo.sits(1).status_code == 303
    for who, seat in ((host, 0), (bo, 1), (host, 2)):
        assert who.taps("bid", seat, tricks=3).status_code == 303
    return host


def bids(reader: Phone) -> list[tuple[int, int]]:
    return [(move["seat"], move["tricks"]) for move in reader.gets("/api/tables/{code}/record").json["moves"]]


def test_the_way_there_is_the_host_s_and_stands_in_the_history(host: Phone, phone: Make) -> None:
    way = f"/t/{host.code}/start"
    assert way in host.reads("/t/{code}/history").links
    other = phone(at=host)
    assert way not in other.reads("/t/{code}/history").links
    assert other.gets("/t/{code}/start").status_code == 403
    assert other.posts("/t/{code}/start", {"order": "0.1.2"}).status_code == 403


@pytest.mark.parametrize("halt", ["pause", "break-off"])
def test_nobody_is_led_there_while_the_table_stands_still(host: Phone, halt: str) -> None:
    way = f"/t/{host.code}/start"
    assert host.posts(f"/t/{{code}}/{halt}").status_code == 303
    assert host.gets(way).status_code == 409
    assert way not in host.reads("/t/{code}/history").links
    assert host.posts("/t/{code}/resume").status_code == 303
    assert way in host.reads("/t/{code}/history").links


def test_nobody_is_led_there_while_bids_are_sealed(phone: Make) -> None:
    host = phone()
    way = f"/t/{host.opens(names=['Ann', 'Bo', 'Cy'], bidding='hidden')}/start"
    for seat, (status, is_offered) in enumerate([(409, False), (409, False), (200, True)]):
        assert host.taps("bid", seat, tricks=3).status_code == 303
        assert host.gets(way).status_code == status
        assert (way in host.reads("/t/{code}/history").links) == is_offered


def test_options_are_changed_and_the_history_says_which(host: Phone) -> None:
    form = host.reads("/t/{code}/start").form("/start")
    sent = {name: value for name, value in form.filled().items() if name != "plus_minus_one"}
    answer = host.posts(form.action, sent)
    assert (answer.status_code, answer.location) == (303, f"/t/{host.code}/history")
    newest = next(iter(entries(host).values()))
    assert "Changed from the start: Plus/minus one: off." in newest.text
    assert "plus_minus_one" not in host.gets("/api/tables/{code}").json["options"]
    host.takes_back()
    assert host.gets("/api/tables/{code}").json["options"]["plus_minus_one"] is True
    newest = next(iter(entries(host).values()))
    assert newest.text.startswith("Taken back: the change of the start.")


def test_somebody_goes_one_seat_before_without_anything_entered(host: Phone, house: House) -> None:
    form = host.reads("/t/{code}/start").form("/start")
    before = house.written()
    filled = {**form.filled("2"), "first_dealer": "2"}
    page = sound(host.posts(form.action, filled))
    assert [name.text for name in page.all("bdi", class_="name")] == ["Ann", "Cy", "Bo"]
    again = page.form("/start")
    assert (again.filled()["order"], again.filled()["first_dealer"]) == ("0.2.1", "1")
    assert house.written() == before
    assert host.posts(form.action, {**filled, "up": "9"}).status_code == 404


def test_what_would_no_longer_hold_is_named_and_asked_for_until_all_holds(host: Phone) -> None:
    form = host.reads("/t/{code}/start").form("/start")
    raised = sound(host.posts(form.action, form.filled("2"))).form("/start")
    numbers = [number for number, line in entries(host).items() if "bids" in line.text][::-1]
    sent = raised.filled("")
    answer = host.posts(raised.action, {name: value for name, value in sent.items() if name != "up"})
    for number, seat in zip(numbers[1:], ("1", "2"), strict=True):
        assert answer.status_code == 422
        page = sound(answer)
        assert f"Entry {number} " in page.one("section", id="refusal").text
        offered = page.form("/start", move="bid", seat=seat)
        answer = host.submits(offered, offered.filled("3" if seat == "1" else "2"))
    assert answer.status_code == 303
    assert bids(host) == [(0, 3), (1, 3), (2, 2)]
    lines = entries(host)
    newest = next(iter(lines.values()))
    assert "The seats were put in another order: Ann, Cy, Bo." in newest.text
    assert lines["1"].text.startswith("Ann sits down.")
    assert lines["2"].text.startswith("Bo sits down.")
    assert "Cy bids 3." in lines[numbers[1]].text


def test_a_phone_whose_seat_lies_elsewhere_now_is_led_there(phone: Make) -> None:
    host = phone()
    host.opens("hanabi", ["Ann", "Bo", "Cy"], i_sit="0", detail="tokens")
    bo = phone(at=host)
    bo.sits(1)
    form = host.reads("/t/{code}/start").form("/start")
    raised = sound(host.posts(form.action, form.filled("2"))).form("/start")
    sent = {name: value for name, value in raised.filled("").items() if name != "up"}
    assert host.posts(raised.action, sent).status_code == 303
    answer = bo.gets("/t/{code}/1")
    assert (answer.status_code, answer.location) == (302, f"/t/{host.code}/2")
    assert [name.text for name in bo.reads("/t/{code}/seats").all("bdi", class_="name")] == ["Ann", "Cy", "Bo"]


def put(host: Phone, order: str, **options: str) -> None:
    """Put the seats in another order, and options as they are with these seats."""
    form = host.reads("/t/{code}/start").form("/start")
    sent = {name: value for name, value in form.filled("").items() if name != "up"}
    assert host.posts(form.action, {**sent, "order": order, **options}).status_code == 303


@pytest.fixture
def flowers(phone: Make) -> list[Phone]:
    """Open a table of Ikebana where Bo has paid Cy a point: Ann 6, Bo 5, Cy 7."""
    host = phone()
    host.opens("ikebana", ["Ann", "Bo", "Cy"], i_sit="0", detail="payments")
    bo = phone(at=host)
    bo.sits(1)
    assert host.taps("keep", 0).status_code == 303
    assert bo.taps("refuse", 1).status_code == 303
    return [host, bo]


def test_points_that_go_with_their_people_to_other_seats_are_no_change(flowers: list[Phone]) -> None:
    host, _bo = flowers
    put(host, "1.2.0", first_seat="2")
    host.seat = 2
    undo = host.reads("/t/{code}/2").one(id="undo").text
    assert "The start of the game was changed." in undo
    assert "→" not in undo
    assert host.takes_back().status_code == 303
    redo = host.reads("/t/{code}/0").one(id="undo").text
    assert "Taken back: The start of the game was changed." in redo
    newest = next(iter(entries(host).values()))
    assert newest.text.startswith("Taken back: the change of the start.")
    assert "→" not in redo + newest.text
    host.seat = 0
    assert host.puts_back().status_code == 303
    newest = next(iter(entries(host).values()))
    assert "→" not in newest.text


def test_the_history_says_of_seats_and_options_only_what_was_changed(phone: Make) -> None:
    host = phone()
    host.opens("ikebana", ["Ann", "Bo", "Cy"], i_sit="0", detail="payments", first_seat="0")
    put(host, "1.0.2", first_seat="1")
    said = next(iter(entries(host).values())).text
    assert said.startswith("The seats were put in another order: Bo, Ann, Cy.")
    put(host, "0.1.2", first_seat="0")
    said = next(iter(entries(host).values())).text
    assert said.startswith("Changed from the start: Starts: Bo. ")
    assert "order" not in said
    put(host, "0.1.2")
    assert next(iter(entries(host).values())).text.startswith("The start of the game was changed.")


def test_the_history_says_who_starts_where_nobody_had_chosen_it_only_if_it_is_another(flowers: list[Phone]) -> None:
    host, _bo = flowers
    put(host, "1.2.0", first_seat="2")
    said = next(iter(entries(host).values())).text
    assert said.startswith("The seats were put in another order: Bo, Cy, Ann.")


def test_a_phone_is_led_back_where_the_new_order_is_taken_back(flowers: list[Phone]) -> None:
    host, bo = flowers
    put(host, "1.2.0", first_seat="2")
    host.seat = 2
    assert bo.gets("/t/{code}/0").status_code == 200
    assert host.takes_back().status_code == 303
    answer = bo.gets("/t/{code}/0")
    assert (answer.status_code, answer.location) == (302, f"/t/{host.code}/1")


def test_a_phone_is_told_of_the_seat_that_it_has_lost_where_nobody_has_changed_places(flowers: list[Phone]) -> None:
    host, bo = flowers
    put(host, "0.1.2", wild="none")
    assert host.posts("/t/{code}/free", {"seat": "1"}).status_code == 303
    assert bo.sits(2).status_code == 303
    page = bo.reads("/t/{code}/1", 403)
    assert "The host has taken the seat of Bo away from its phone." in page.text


def test_points_that_change_with_the_order_are_told_of_whose_they_are(phone: Make) -> None:
    host = phone()
    host.opens("tally", ["Ann", "Bo", "Cy"], i_sit="0", called="Golf", wins="low", rounds="2")
    for seat, value in enumerate((5, 6, 7)):
        assert host.taps("enter", seat, column="number", value=value).status_code == 303
    last = host.gets("/api/tables/{code}").json["number"]
    meant = {"move": "enter", "seat": 1, "column": "number", "value": 9}
    said = {"order": [0, 2, 1], "later": [{"number": last, "move": meant}]}
    headers = {"Idempotency-Key": "order"}
    assert host.asks("/api/tables/{code}/start", "PUT", json=said, headers=headers).status_code == 200
    assert "changed. Cy 7 → 9 " in host.reads("/t/{code}/0").one(id="undo").text
    assert host.takes_back().status_code == 303
    assert "changed. Cy 7 → 9 " in host.reads("/t/{code}/0").one(id="undo").text
    newest = next(iter(entries(host).values()))
    assert "Cy 9 → 7 " in newest.text


@pytest.mark.parametrize(
    "form",
    [
        {"order": "0.1"},
        {"order": "0.1.x"},
        {"order": "0.1.1"},
        {},
        {"entry": "5", "meant": "{"},
        {"entry": "5", "meant": "[]"},
        {"entry": "5", "meant": '{"options": 3, "order": null}'},
        {"entry": "5", "meant": '{"options": null, "order": [0, 1]}', "move": "bid"},
        {"entry": "x", "meant": '{"options": null, "order": null}'},
    ],
)
def test_a_form_that_makes_no_sense_is_not_read(host: Phone, house: House, form: dict[str, str]) -> None:
    before = house.written()
    assert host.posts("/t/{code}/start", form).status_code == 400
    assert house.written() == before


def test_options_that_cannot_be_are_told_beside_them(phone: Make) -> None:
    host = phone()
    host.opens("ubongo", ["Ann", "Bo"], i_sit="")
    form = host.reads("/t/{code}/start").form("/start")
    answer = host.posts(form.action, {**form.filled(""), "glass_s": "-4"})
    assert answer.status_code == 422
    assert sound(answer).all("p", class_="error")


def test_while_a_bid_is_sealed_nothing_is_changed_from_the_start(phone: Make) -> None:
    host = phone()
    host.opens(names=["Ann", "Bo", "Cy"], i_sit="0", bidding="hidden")
    host.taps("bid", 0, tricks=3)
    assert host.gets("/t/{code}/start").status_code == 409
    assert host.posts("/t/{code}/start", {"order": "0.1.2", "bidding": "open"}).status_code == 409


def test_what_has_become_sealed_meanwhile_is_said_in_words(phone: Make) -> None:
    host = phone()
    host.opens(names=["Ann", "Bo", "Cy"], i_sit="0", bidding="hidden")
    host.taps("bid", 0, tricks=3)
    sent = {"entry": "2", "so_far": "[]", "meant": '{"options": {"bidding": "loud"}, "order": null}', "struck": "1"}
    answer = host.posts("/t/{code}/start", sent)
    assert answer.status_code == 409
    assert "still sealed" in sound(answer).text
