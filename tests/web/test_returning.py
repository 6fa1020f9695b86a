"""A phone that comes by another address takes its seat back by the return code that its page has shown all along."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.house import secret
from tests.web.conftest import House, Phone, sound
from tests.web.test_guesses import FROM_ONE, charge
from tests.web.test_invited import shut

MakePhone = Callable[..., Phone]
Lay = Callable[..., list[Phone]]


def code_of(phone: Phone, page: str = "") -> str:
    """Read the return code off a phone's page."""
    found = re.search(
        r'class="return-code".*?<b class="code">(\w{6})</b>', phone.gets(page or f"/t/{{code}}/{phone.seat}").text, re.S
    )
    assert found
    return found[1]


def comes_back(phone: Phone, code: str, **fields: str) -> tuple[int, str | None]:
    """Type a return code at the door."""
    answer = phone.posts("/t/{code}/return", {"return_code": code, **fields})
    return answer.status_code, answer.location


@pytest.mark.promise(9)
@pytest.mark.parametrize("has_cookie", [False, True])
def test_a_phone_takes_its_seat_back_and_the_old_secret_is_dead(phone: MakePhone, table: Lay, has_cookie: bool) -> None:
    _host, bo, _cy = table(seats=3, bidding="secret")
    again = phone(at=bo)
    if has_cookie:  # a page of this address had given it one, or somebody else has
        again.posts("/settings", {"language": "cs"})
        again.client.set_cookie("phone", secret("somebody"))
    code = code_of(bo)
    typed = f"{code[:3].lower()} {code[3:]}"
    assert comes_back(again, typed) == (303, f"/t/{bo.code}/1")
    again.seat = 1
    assert again.gets("/t/{code}/1").status_code == 200
    assert again.taps("bid", tricks=1).status_code == 303
    assert bo.gets("/t/{code}/1").status_code == 403
    assert bo.taps("bid", tricks=2).status_code == 403
    assert code_of(again) != code
    assert comes_back(bo, code)[0] == 404, "it was for once"
    if has_cookie:
        assert again.client.get_cookie("phone").value != secret("somebody")


@pytest.mark.promise(9)
@pytest.mark.parametrize("i_sit", ["0", ""], ids=["with a seat", "without"])
def test_who_has_come_back_and_was_not_told_is_told_when_the_same_form_comes_again(
    phone: MakePhone, house: House, i_sit: str
) -> None:
    """Found by reading: a restart had left the table without its host."""
    host = phone()
    host.opens(i_sit=i_sit)
    code, key = code_of(host, "/t/{code}/seats"), "of the page"
    again = phone(at=host)
    again.client.set_cookie("phone", secret("somebody"))
    there = f"/t/{host.code}/{i_sit or 'seats'}"
    assert comes_back(again, code, key=key) == (303, there)
    again.client.set_cookie("phone", secret("somebody"))  # as if nothing had come back
    house.restart()
    assert comes_back(again, code, key="guessed")[0] == 404
    assert comes_back(again, code, key=key)[1] == there
    assert again.posts("/t/{code}/lock", {"locked": "1"}).status_code == 303


def test_a_code_that_nobody_has_stays_in_its_field(phone: MakePhone, table: Lay) -> None:
    _host, bo, _cy = table(seats=3)
    answer = phone(at=bo).posts("/t/{code}/return", {"return_code": "K7QX2M"})
    page = sound(answer)
    field = page.one("input", id="return-code").attrs
    assert (answer.status_code, field["value"], field["aria-describedby"]) == (404, "K7QX2M", "error")
    assert "open" in page.one("details", id="fold-return").attrs
    assert "Nobody at this table has this return code." in page.one("p", id="error").text
    untouched = phone(at=bo).reads("/t/{code}")
    assert "open" not in untouched.one("details", id="fold-return").attrs


def test_the_host_has_the_table_again(phone: MakePhone, table: Lay) -> None:
    host, _bo, _cy = table(seats=3)
    host.posts("/t/{code}/lock", {"locked": "1"})
    again = phone(at=host)
    assert comes_back(again, code_of(host)) == (303, f"/t/{host.code}/0")
    assert again.posts("/t/{code}/lock", {"locked": "0"}).status_code == 303
    assert host.posts("/t/{code}/lock", {"locked": "1"}).status_code == 403
    assert "is back, by another address" in again.gets("/t/{code}/history").text


def test_a_host_without_a_seat_comes_back_too(phone: MakePhone) -> None:
    host, again = phone(), phone()
    host.opens(i_sit="")
    again.comes(host)
    assert comes_back(again, code_of(host, "/t/{code}/seats")) == (303, f"/t/{host.code}/seats")
    assert again.taps("bid", 0, tricks=1).status_code == 303
    assert host.taps("bid", 1, tricks=1).status_code == 403


@pytest.mark.promise(4)
def test_a_form_that_is_sent_again_leads_to_the_seat(phone: MakePhone, table: Lay, house: House) -> None:
    _host, bo, _cy = table(seats=3)
    again, code = phone(at=bo), code_of(bo)
    for _ in range(2):
        assert comes_back(again, code, key="0123456789abcdef") == (303, f"/t/{bo.code}/1")
    returns = house.rows("SELECT count(*) FROM entries WHERE json_extract(data, '$.act') = 'return'")
    assert returns == [(1,)]


def test_who_never_got_the_answer_is_given_the_new_secret_once_more(phone: MakePhone, table: Lay) -> None:
    _host, bo, _cy = table(seats=3)
    again = phone(at=bo)
    again.client.set_cookie("phone", secret("again"))
    assert comes_back(again, code := code_of(bo))[0] == 303
    again.client.set_cookie("phone", secret("again"))
    assert comes_back(again, code) == (302, f"/t/{bo.code}/1")
    assert again.gets("/t/{code}/1").status_code == 200


@pytest.mark.promise(12)
def test_wrong_return_codes_are_counted_with_wrong_codes(phone: MakePhone, table: Lay) -> None:
    _host, bo, _cy = table(seats=3)
    right, stranger = code_of(bo), phone(at=bo)
    charge("guesses", stranger.address, FROM_ONE - 2)
    for wrong in ("ZZZZZZ", "é€ñ"):
        assert comes_back(stranger, wrong)[0] == 404
    assert comes_back(stranger, right)[0] == 429
    other = phone(at=bo)
    shut()
    assert comes_back(other, right)[0] == 429
    assert bo.gets("/t/{code}/1").status_code == 200


def test_it_is_bound_to_its_table_and_to_who_sits_there(phone: MakePhone, table: Lay) -> None:
    host, bo, cy = table(seats=3)
    code = code_of(bo)
    elsewhere = phone()
    elsewhere.opens()
    assert comes_back(phone(at=elsewhere), code)[0] == 404
    assert comes_back(cy, code) == (303, f"/t/{cy.code}/2"), "who has a seat keeps it"
    assert bo.gets("/t/{code}/1").status_code == 200
    host.posts("/t/{code}/free", {"seat": "1"})
    assert comes_back(phone(at=bo), code)[0] == 404


def test_it_is_good_until_the_game_is_over(phone: MakePhone, house: House, table: Lay) -> None:
    _host, bo, _cy = table(seats=3)
    code = code_of(bo)
    house.writes("UPDATE tables SET closed = opened")
    late = phone(at=bo)
    assert comes_back(late, code)[0] == 404
    assert "return-code" not in late.gets("/t/{code}").text
    assert "return-code" not in bo.gets("/t/{code}/1").text


def test_nobody_else_reads_it(phone: MakePhone, table: Lay) -> None:
    host, bo, _cy = table(seats=3)
    code = code_of(bo)
    for other in (host, phone(at=bo)):
        for page in ("", "/0", "/1", "/seats", "/screen", "/history"):
            assert code not in other.gets(f"/t/{{code}}{page}").text
