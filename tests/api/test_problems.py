"""Promise 20: whatever goes wrong, a program is told what, by problem details with a type of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from werkzeug.exceptions import ImATeapot, RequestEntityTooLarge, ServiceUnavailable
from werkzeug.test import TestResponse

from companion.errors import CompanionError, Stale
from tests.api.program import PROBLEM
from tests.web.conftest import House, Phone
from tests.web.stage import routes
from tests.web.test_trouble import ERRORS, FACTS

TOKENS = {"no token": "", "nobody's token": f"Bearer {'0' * 32}", "no token at all": "Basic YTpi"}
BODIES: dict[str, dict[str, Any]] = {
    "nothing": {"content_type": "application/json"},
    "broken JSON": {"data": "{", "content_type": "application/json"},
    "a list": {"json": []},
    "unknown fields": {"json": {"wild": 1, "move": 3, "players": "x"}},
    "bytes": {"data": b"\xff\0", "content_type": "application/octet-stream"},
}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def is_problem(answer: TestResponse) -> bool:
    """Say whether an answer explains itself as RFC 9457 wants it."""
    if answer.mimetype != PROBLEM:
        return False
    said = answer.get_json()
    words = [said.get(name) for name in ("type", "title", "detail")]
    return said["status"] == answer.status_code and all(isinstance(word, str) and word for word in words)


def fails(error: Exception) -> Callable[[], str]:
    def page() -> str:
        raise error

    return page


@pytest.mark.promise(20)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.key)
def test_every_error_of_ours_has_a_type_of_its_own(
    house: House, phone: Callable[..., Phone], monkeypatch: pytest.MonkeyPatch, error: type[CompanionError]
) -> None:
    made = Stale() if error is Stale else error(**FACTS)
    monkeypatch.setitem(house.app.view_functions, "api-games.games", fails(made))
    answer = phone().gets("/api/games")
    assert (answer.status_code, is_problem(answer)) == (error.status, True), answer.text
    assert answer.get_json()["type"] == f"/api#{error.key}"


@pytest.mark.promise(20)
@pytest.mark.parametrize(
    "error",
    [ImATeapot("short and stout"), ServiceUnavailable(), RequestEntityTooLarge(), RuntimeError("secret")],
    ids=str,
)
def test_errors_of_others_are_problems_too_and_tell_no_secret(
    house: House, phone: Callable[..., Phone], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setitem(house.app.view_functions, "api-games.games", fails(error))
    answer = phone().gets("/api/games")
    assert is_problem(answer), answer.text
    assert "secret" not in answer.text


def asked_wrongly(house: House, host: Phone) -> Iterator[tuple[object, TestResponse]]:
    """Ask for everything in every wrong way."""
    for route in routes(house.app, *METHODS):
        if not route.is_api or route.is_stream:
            continue
        path = route.path(host.code)
        for token, body in product(TOKENS, BODIES):
            sent = {} if route.method == "GET" else BODIES[body]
            yield (route, token, body), host.asks(path, route.method, headers={"Authorization": TOKENS[token]}, **sent)
        for method in METHODS:
            yield (route, method), host.asks(path, method, json={})
        yield (route, "no table"), host.asks(route.path("ZZZZZZ"), route.method, json={})
    yield "no address", host.asks("/api/nowhere")
    yield "a stream of nobody", host.asks("/api/tables/ZZZZZZ/events")


@pytest.mark.promise(20)
def test_whatever_is_asked_wrongly_at_any_address_is_answered_with_a_problem(
    house: House, phone: Callable[..., Phone], figure: Callable[[str], None]
) -> None:
    host, errors = phone(), 0
    host.opens()
    for what, answer in asked_wrongly(house, host):
        assert answer.status_code < 500, (what, answer.text)
        if answer.status_code >= 400:
            assert is_problem(answer), (what, answer.status_code, answer.text)
            errors += 1
    assert errors > 300
    figure(f"{errors:,} errors of the API, all of them problem details")


def test_options_that_the_rules_refuse_are_refused_in_the_readers_language(phone: Callable[..., Phone]) -> None:
    client, czech = phone().client, {"Accept-Language": "cs"}
    begun = {"game": "rage", "players": ["Ann", "Bo", "Cy"]}
    opened = client.post("/api/tables", json=begun).get_json()
    czech["Authorization"] = f"Bearer {opened['token']}"
    wrong = {"options": {"first_dealer": 3}}
    record = {"format": "companion-record", "version": 1, **begun, **wrong, "moves": []}
    answers = [
        client.post("/api/tables", json={**begun, **wrong}, headers=czech),
        client.post("/api/records", json=record, headers=czech),
        client.put(f"/api/tables/{opened['table']['code']}/start", json=wrong, headers=czech),
    ]
    assert [answer.status_code for answer in answers] == [400] * 3
    refused = "options.first_dealer: První rozdává někdo z hráčů (je jich 3): v zápisu mají čísla od 0 do 2."
    assert {answer.get_json()["detail"].replace("\xa0", " ") for answer in answers} == {refused}
