"""A host who is heard no more: the seats are told, agree on another, and the old host is told on coming back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.push.hearing import Hearing
from companion.tables.succession import ALONE_S, SILENT_S
from tests.clocks import Clock
from tests.web.conftest import House, Phone
from tests.web.page import Page

Lay = Callable[..., list[Phone]]


@pytest.fixture
def clock(house: House) -> Clock:
    """Let the house hear by a clock of ours."""
    clock = Clock()
    house.app.extensions["companion.hearing"] = Hearing(clock)
    return clock


@pytest.fixture
def silent(table: Lay, clock: Clock) -> list[Phone]:
    """Lay a table of four whose host has just not been heard for two minutes; the others were."""
    phones = table(4)
    for one in phones:
        one.reads("/t/{code}/" + str(one.seat))
    clock.now += SILENT_S
    for one in phones[1:]:
        one.reads(f"/t/{{code}}/{one.seat}")
    return phones


def told(one: Phone) -> Page:
    answer = one.gets(f"/t/{{code}}/{one.seat}/silence")
    assert answer.status_code == 200
    return Page(answer.text)


def is_host(one: Phone) -> bool:
    return bool(one.gets("/api/tables/{code}").get_json()["is_host"])


def test_nothing_is_said_of_a_host_who_is_heard(table: Lay, clock: Clock) -> None:
    host, bo, *_rest = table(3)
    clock.now += SILENT_S - 1
    host.reads("/t/{code}/0")
    clock.now += SILENT_S - 1
    for path in ("/t/{code}/1", "/t/{code}/seats"):
        assert "has not been heard" not in bo.reads(path).text
    assert bo.gets("/t/{code}/1/silence").text == ""
    assert bo.gets("/api/tables/{code}").get_json()["silence"] is None


def test_the_seats_are_told_and_agree_by_one_tap_each(silent: list[Phone], house: House) -> None:
    host, bo, cy, di = silent
    for page in (bo.reads("/t/{code}/1"), bo.reads("/t/{code}/seats"), told(bo)):
        assert "The host’s phone has not been heard for 2 minutes." in page.text
        [form] = [form for form in page.forms if form.action.endswith("/take-on")]
        assert form.buttons == ["1"]
    assert bo.submits(form, form.filled()).status_code == 303
    assert "Bo for the host: agreed by 1 of 3." in told(bo).text
    assert [form.buttons for form in told(bo).forms] == []
    for one, said in ((cy, "agreed by 1 of 3"), (di, "agreed by 2 of 3")):
        page = told(one)
        assert said in page.text
        agree, own = page.forms
        assert (agree.buttons, own.buttons) == (["1"], [str(one.seat)])
        assert one.submits(agree, agree.filled()).status_code == 303
    assert (is_host(bo), is_host(host)) == (True, False)
    assert bo.gets("/t/{code}/1/silence").text == ""
    history = bo.reads("/t/{code}/history").text
    assert history.count("Bo is wanted for the host.") == 3
    assert "All who are there agree: Bo is the host now." in history


@pytest.mark.promise(15)
def test_what_everybody_gets_who_would_take_a_table_on(silent: list[Phone], phone: Callable[..., Phone]) -> None:
    host, bo, cy, di = silent
    onlooker, former = phone(at=bo), phone(at=bo)
    onlooker.reads("/t/{code}/screen")
    bo.posts("/t/{code}/stand")
    former.sits(1)
    assert former.gets("/t/{code}/1").status_code == 200
    asked = {"an onlooker": onlooker, "a former seat": bo, "a seat": former}
    found = {who: one.posts("/t/{code}/take-on", {"seat": "2"}).status_code for who, one in asked.items()}
    assert found == {"an onlooker": 403, "a former seat": 403, "a seat": 303}
    assert [cy.posts("/t/{code}/take-on", {"seat": seat}).status_code for seat in ("0", "7")] == [404, 404]
    assert [one.posts("/t/{code}/reclaim").status_code for one in (onlooker, bo, former)] == [403] * 3
    assert not is_host(cy)
    for one in (cy, di):
        one.posts("/t/{code}/take-on", {"seat": "2"})
    assert is_host(cy)
    assert [one.posts("/t/{code}/reclaim").status_code for one in (onlooker, bo, former, cy, di)] == [403] * 5
    assert host.posts("/t/{code}/reclaim").status_code == 303
    assert is_host(host)


def test_a_host_who_is_heard_meanwhile_stays_it(silent: list[Phone]) -> None:
    host, bo, cy, di = silent
    bo.posts("/t/{code}/take-on", {"seat": "1"})
    host.reads("/t/{code}/0")
    answer = cy.posts("/t/{code}/take-on", {"seat": "1"})
    assert answer.status_code == 409
    assert "The host is there" in answer.text
    assert told(di).text == ""
    assert is_host(host)


def test_one_alone_is_told_when(table: Lay, clock: Clock) -> None:
    host, bo = table(3, phones=2)
    for one in (host, bo):
        one.reads("/t/{code}/" + str(one.seat))
    clock.now += SILENT_S + 60
    page = told(bo)
    assert "has not been heard for 3 minutes. Whoever is alone can take the table on after 30 minutes." in page.text
    assert page.forms == []
    clock.now += ALONE_S
    [form] = told(bo).forms
    bo.submits(form, form.filled())
    assert is_host(bo)


@pytest.fixture
def taken(silent: list[Phone]) -> list[Phone]:
    """Let Bo take the table on."""
    for one in silent[1:]:
        assert one.posts("/t/{code}/take-on", {"seat": "1"}).status_code == 303
    return silent


def test_the_old_host_is_told_and_takes_it_back_by_one_tap(taken: list[Phone]) -> None:
    host, bo, *_ = taken
    page = host.reads("/t/{code}/0")
    assert "Bo has taken the table on while this phone was away." in page.text
    [form] = [form for form in page.forms if form.action.endswith("/reclaim")]
    assert host.submits(form, form.filled()).location.endswith("/0")
    assert is_host(host)
    assert "taken the table on" not in host.reads("/t/{code}/0").text
    assert "The host is back, and the host again." in bo.reads("/t/{code}/history").text


def test_after_a_move_the_old_host_is_told_and_the_new_one_stays(taken: list[Phone]) -> None:
    host, bo, *_ = taken
    assert host.taps("bid", tricks=1).status_code == 303
    page = host.reads("/t/{code}/0")
    assert "Bo has taken the table on" in page.text
    assert "The game has gone on" in page.text
    assert [form for form in page.forms if form.action.endswith("/reclaim")] == []
    answer = host.posts("/t/{code}/reclaim")
    assert answer.status_code == 409
    assert "The game has gone on" in answer.text
    assert is_host(bo)


def test_an_old_host_without_a_seat_is_told_at_the_door(phone: Callable[..., Phone], clock: Clock) -> None:
    host = phone()
    host.opens("rage", i_sit="")
    guests = [phone(at=host) for _ in range(2)]
    for seat, guest in enumerate(guests, 1):
        guest.sits(seat)
        guest.reads(f"/t/{{code}}/{seat}")
    clock.now += SILENT_S
    for guest in guests:
        guest.reads(f"/t/{{code}}/{guest.seat}")
        guest.posts("/t/{code}/take-on", {"seat": "1"})
    for path, status in (("/t/{code}", 200), ("/t/{code}/0", 403), ("/t/{code}/seats", 200)):
        page = host.reads(path, status)
        assert "Bo has taken the table on while this phone was away." in page.text
        [form] = [form for form in page.forms if form.action.endswith("/reclaim")]
    assert host.submits(form, form.filled()).status_code == 303
    assert is_host(host)


def test_programs_agree_as_people_do(silent: list[Phone]) -> None:
    host, bo, cy, di = silent
    table = bo.gets("/api/tables/{code}").get_json()
    assert table["silence"] == {"seconds": 120, "asked": [1, 2, 3], "votes": []}
    for one in (bo, cy, di):
        answer = one.asks("/api/tables/{code}/host", "POST", json={"seat": 1})
        assert answer.status_code == 200, answer.text
    assert bo.gets("/api/tables/{code}").get_json()["is_host"]
    assert host.gets("/api/tables/{code}").get_json()["was_host"]
    assert host.asks("/api/tables/{code}/host/back", "POST", json={}).get_json()["is_host"]
    refused = cy.asks("/api/tables/{code}/host", "POST", json={"seat": 2})
    assert refused.status_code == 409
    assert refused.get_json()["type"].endswith("host_there")
