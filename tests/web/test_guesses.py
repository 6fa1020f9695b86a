"""Promise 12: strangers cannot find a table by trying codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from limits import parse

from companion.desk import guard
from companion.log.codes import CODE_LENGTH, CROCKFORD
from tests.house import secret
from tests.web.conftest import FORM, House, Phone
from tests.web.stage import FORMS, SAFE, routes

FROM_ONE, FROM_ALL = 30, 1000
"""Wrong codes that are let through: in a minute from one address, in an hour from all."""
WRONG = "ZZZZZZ"

MakePhone = Callable[..., Phone]


def guess(stranger: Phone, times: int = FROM_ONE, path: str = f"/t/{WRONG}", method: str = "GET") -> set[int]:
    return {stranger.asks(path, method).status_code for _ in range(times)}


def charge(scope: str, who: str, guesses: int) -> None:
    """Count wrong codes as if they had been tried; a counter by another name would not hold anybody up."""
    limit = {"guesses": f"{FROM_ONE} per minute", "all guesses": f"{FROM_ALL} per hour"}[scope]
    guard.limiter.limiter.hit(parse(limit), who, scope, cost=guesses)


@pytest.mark.promise(12)
def test_codes_are_six_characters_of_thirty_two(phone: MakePhone) -> None:
    codes = [phone().opens() for _ in range(20)]
    assert len(set(codes)) == 20
    assert all(len(code) == CODE_LENGTH == 6 and set(code) <= set(CROCKFORD) for code in codes)
    assert len(set(CROCKFORD)) == 32


@pytest.mark.promise(12)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_address_has_thirty_wrong_codes_a_minute(phone: MakePhone, method: str) -> None:
    stranger, other = phone(), phone()
    assert guess(stranger, method=method) == {404}
    answer = stranger.asks(f"/t/{WRONG}", method)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    assert guess(other, 1) == {404}


@pytest.mark.promise(12)
def test_every_route_with_a_code_counts_the_same_wrong_codes(house: House, phone: MakePhone) -> None:
    before = house.written()
    for route in routes(house.app, "GET", "HEAD", "POST", "PUT", "DELETE"):
        if "<code>" not in route.rule:
            continue
        stranger = phone()
        form: dict[str, Any] = {}
        if route.is_api and route.method not in SAFE:
            form = {"json": FORMS[route.endpoint], "headers": {"Authorization": f"Bearer {secret('stranger')}"}}
        elif route.method == "POST":
            form = {"data": FORMS[route.endpoint], "content_type": FORM}
        elif route.rule.endswith(("/socket", "/line")):
            own = {} if route.is_api else {"Origin": "http://localhost"}
            form = {"headers": {"Connection": "Upgrade", "Upgrade": "websocket", **own}}
        charge("guesses", stranger.address, FROM_ONE - 1)
        for status in (404, 429):
            assert stranger.asks(route.path(WRONG), route.method, **form).status_code == status, route
    assert house.written() == before


@pytest.mark.promise(12)
@pytest.mark.parametrize("path", ["/find?code=ZZZZZZ", "/print?code=ZZZZZZ", "/open/rage?again=ZZZZZZ"])
def test_a_code_can_be_tried_no_other_way(phone: MakePhone, path: str) -> None:
    stranger = phone()
    charge("guesses", stranger.address, FROM_ONE - 1)
    assert guess(stranger, 1, path) == {404}
    assert guess(stranger, 1, path) == {429}
    assert guess(stranger, 1) == {429}


@pytest.mark.promise(12)
def test_who_has_guessed_too_often_does_not_learn_that_a_code_is_right(phone: MakePhone) -> None:
    host, stranger = phone(), phone()
    host.opens()
    charge("guesses", stranger.address, FROM_ONE - 1)
    assert guess(stranger, 1) == {404}
    for path in ("/t/{code}", "/t/{code}/screen", "/find?code={code}", "/open/rage?again={code}"):
        assert stranger.comes(host).gets(path).status_code == 429, path


def test_a_right_code_is_never_counted(phone: MakePhone) -> None:
    host, guest = phone(), phone()
    host.opens()
    guest.comes(host)
    for path in ("/t/{code}", "/t/{code}/history/99", "/t/{code}/9", "/t/{code}/0", "/find?code={code}"):
        assert 429 not in guess(guest, FROM_ONE + 1, path), path
    assert guest.posts("/t/{code}/sit", {"seat": "9"}).status_code == 404
    assert guess(guest, FROM_ONE) == {404}


@pytest.mark.promise(12)
def test_wrong_codes_from_everywhere_are_limited_together(phone: MakePhone) -> None:
    host = phone()
    host.opens()
    charge("all guesses", "all", FROM_ALL - FROM_ONE)
    assert guess(phone(), FROM_ONE) == {404}
    assert guess(phone(), 1) == {429}
    newcomer = phone(at=host)
    assert newcomer.gets("/t/{code}").status_code == 429
    assert newcomer.gets("/").status_code == 200


@pytest.mark.promise(12)
def test_who_is_at_a_table_plays_on_while_strangers_guess(phone: MakePhone) -> None:
    host, guest, stranger = phone(), phone(), phone()
    host.opens()
    guest.comes(host).sits(1)
    for player in (host, guest, stranger):
        player.address = host.address
    assert guess(stranger) == {404}
    assert guess(stranger.comes(host), 1, "/t/{code}") == {429}
    assert host.taps("bid", tricks=1).status_code == 303
    assert guest.taps("bid", tricks=1).status_code == 303
    assert guest.gets("/t/{code}/1").status_code == 200
    assert guess(guest, 1) == {429}


@pytest.mark.parametrize("typed", ["{0}", " {0} ", "{1}", "{2}-{3}", "{2} {3}"])
def test_a_code_may_be_typed_as_people_type(phone: MakePhone, typed: str) -> None:
    host, guest = phone(), phone()
    code = host.opens()
    answer = guest.gets("/find", query_string={"code": typed.format(code, code.lower(), code[:3], code[3:])})
    assert (answer.status_code, answer.location) == (302, f"/t/{code}")


@pytest.mark.promise(12)
def test_a_full_or_locked_table_admits_nobody(
    phone: MakePhone, table: Callable[..., list[Phone]], house: House
) -> None:
    ann, *_guests = table(seats=3)
    late = phone(at=ann)
    for seat in range(3):
        assert late.sits(seat, "Late").status_code == 409
    open_seat = phone()
    open_seat.opens(names=["Ann", "", ""])
    open_seat.posts("/t/{code}/lock", {"locked": "1"})
    before = house.evenings()
    for seat in range(3):
        assert late.comes(open_seat).sits(seat, "Late").status_code == 409
    assert house.evenings() == before
