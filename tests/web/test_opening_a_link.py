"""Promise 13: opening a link changes nothing; promise 14: only our own pages can change anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

import pytest

from tests.web.conftest import House, Phone
from tests.web.stage import FORMS, OF_THE_FINISHED, UNSEALED, WHO, Stage, routes, set_stage, unsafe_routes

FORGED: dict[str, dict[str, str]] = {
    "neither Origin nor Sec-Fetch-Site": {"Origin": ""},
    "cross-site": {"Origin": "", "Sec-Fetch-Site": "cross-site"},
    "cross-site with our Origin": {"Sec-Fetch-Site": "cross-site"},
    "a sibling of the same site": {"Origin": "", "Sec-Fetch-Site": "same-site"},
    "typed into the address bar": {"Origin": "", "Sec-Fetch-Site": "none"},
    "a foreign Origin": {"Origin": "http://evil.example"},
    "a foreign Origin that says it is ours": {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
    "a foreign port": {"Origin": "http://localhost:8001"},
    "an Origin with our name before its own": {"Origin": "http://localhost.evil.example"},
    "an Origin with our name as its user": {"Origin": "http://localhost@evil.example"},
    "the null Origin": {"Origin": "null"},
    "the null Origin from our site": {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
    "an Origin that cannot be read": {"Origin": "http://["},
}
BODIES = {
    "text": ("text/plain", "move=bid&seat=1&tricks=2"),
    "JSON": ("application/json", json.dumps(FORMS["table.move"])),
    "JSON as text": ("text/plain", json.dumps(FORMS["table.move"])),
    "bytes": ("application/octet-stream", "move=bid&seat=1&tricks=2"),
    "nothing that has a name": ("", "move=bid&seat=1&tricks=2"),
}


@pytest.fixture
def stage(house: House, phone: Callable[..., Phone]) -> Stage:
    return set_stage(house, phone)


@pytest.mark.promise(13)
def test_every_get_and_head_twice_leaves_the_database_byte_for_byte(
    stage: Stage, figure: Callable[[str], None]
) -> None:
    asked = 0
    for is_over in (False, True):
        if is_over:
            stage.ends_the_round()
        first, before = stage.house.bytes(), stage.house.written()
        for role, route in product(("anonymous", "own seat", "host"), routes(stage.house.app, "GET", "HEAD")):
            if (route.endpoint in UNSEALED) is not is_over:
                continue
            for _ in range(2):
                status = stage.asks(role, route).status_code
                assert status < 404 or (status == 409 and route.rule in OF_THE_FINISHED), (role, route)
                assert stage.house.written() == before, (role, route)
                asked += 1
        assert stage.house.bytes() == first
    figure(f"{asked} requests, 0 bytes changed")


@pytest.mark.promise(13)
def test_a_get_of_what_must_be_posted_is_refused(stage: Stage) -> None:
    readable = {route.rule for route in routes(stage.house.app, "GET")}
    for route in unsafe_routes(stage.house.app):
        if route.endpoint in UNSEALED:
            stage.ends_the_round()
        before = stage.house.written()
        query = {} if route.is_api else FORMS[route.endpoint]
        who = "host" if route.endpoint in {*UNSEALED, "wifi.keep"} else "own seat"
        answer = stage.people[who].gets(stage.path(route).split("?")[0], query_string=query)
        shown = 403 if route.endpoint == "operator.come" else 200  # which is for who has typed the token
        assert answer.status_code == (shown if route.rule in readable else 405), route
        assert stage.house.written() == before, route
        if route.endpoint in UNSEALED:
            stage.go_back()


def test_the_forms_of_this_test_do_change_something(stage: Stage) -> None:
    for route in unsafe_routes(stage.house.app):
        if route.endpoint in {"api-games.judge", "table.why_not", "halting.resume"}:
            continue  # questions: one may be long, the other is a move; and nothing stands still here
        if route.endpoint in {"returning.come_back", "wifi.keep"}:
            continue  # who sits there need not come back; and what the host types is in no database
        if route.endpoint in UNSEALED:
            stage.ends_the_round()
        before = stage.house.written()
        answer = stage.asks(WHO.get(route.endpoint, "spectator" if "sit_down" in route.endpoint else "own seat"), route)
        assert answer.status_code in ({200, 201} if route.is_api or route.endpoint == "book.bring" else {303}), (
            route,
            answer.text,
        )
        assert stage.house.written() != before or answer.headers.getlist("Set-Cookie"), route
        stage.go_back()


@pytest.mark.promise(14)
def test_no_unsafe_route_obeys_a_request_from_elsewhere(stage: Stage, figure: Callable[[str], None]) -> None:
    refused = 0
    before = stage.house.written()
    for route, forged in product(unsafe_routes(stage.house.app), FORGED):
        if route.is_api and not any(FORGED[forged].values()):
            continue  # a program sends neither, but a token and JSON, which no form of another site can
        who = WHO.get(route.endpoint, "own seat")
        answer = stage.sends(who, route, stage.path(route), FORMS[route.endpoint], headers=FORGED[forged])
        assert answer.status_code == 403, (route, forged)
        assert answer.headers.getlist("Set-Cookie") == [], (route, forged)
        assert "did not come from a page of the companion" in answer.text, (route, forged)
        assert stage.house.written() == before, (route, forged)
        refused += 1
    figure(f"{refused} forged requests to {len(list(unsafe_routes(stage.house.app)))} routes: all refused")


@pytest.mark.promise(14)
def test_no_unsafe_route_obeys_what_a_form_cannot_send(stage: Stage) -> None:
    before = stage.house.written()
    for route, body in product(unsafe_routes(stage.house.app), BODIES):
        content_type, data = BODIES[body]
        if route.is_api and (body == "JSON" or route.method == "DELETE"):
            continue
        who = WHO.get(route.endpoint, "own seat")
        answer = stage.sends(who, route, stage.path(route), data, content_type=content_type)
        assert answer.status_code == (415 if route.is_api else 403), (route, body)
        assert answer.headers.getlist("Set-Cookie") == [], (route, body)
        assert stage.house.written() == before, (route, body)


@pytest.mark.promise(14)
def test_methods_that_no_form_has_are_refused(stage: Stage) -> None:
    before = stage.house.written()
    known = {(route.rule, route.method) for route in routes(stage.house.app)}
    for route, method in product(routes(stage.house.app, "GET", "POST"), ("PUT", "PATCH", "DELETE", "TRACE", "BREW")):
        if (route.rule, method) in known:
            continue
        answer = stage.people["host"].asks(stage.path(route), method, headers={"Origin": "http://localhost"})
        assert answer.status_code in {403, 405}, (route, method)
    assert stage.house.written() == before
