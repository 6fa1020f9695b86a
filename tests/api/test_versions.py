"""The version of the contract stands in the address, too: both lead to the same, and no limit is counted twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from random import Random

import pytest

from companion.games import GAMES
from companion.intake import MOST_OF_A_BODY
from companion.record import write
from companion.testing import kit
from tests.api.wire import Wire
from tests.databases import PATIENCE_S
from tests.house import House as Served
from tests.house import Server, bid
from tests.web.conftest import House, Phone

MakePhone = Callable[..., Phone]
OPENING = {"game": "rage", "players": ["Ann", "Bo", "Cy"]}


@pytest.mark.parametrize("path", ["", "/games", "/openapi.json", "/asyncapi.json", "/tables/ZZZZZZ", "/nowhere"])
def test_by_both_addresses_the_same_is_said(phone: MakePhone, path: str) -> None:
    newest, first = (phone().gets(f"{start}{path}") for start in ("/api", "/api/v1"))
    assert (first.status_code, first.data) == (newest.status_code, newest.data)
    assert first.headers["API-Version"] == "1"


def test_a_post_by_the_other_address_is_the_same_post(house: House) -> None:
    client, headers = house.app.test_client(), {"Idempotency-Key": "a key that nobody guesses"}
    made = [client.post(f"{start}/tables", json=OPENING, headers=headers) for start in ("/api", "/api/v1")]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].json == made[1].json


@pytest.mark.parametrize("path", ["/api/v2/games", "/api/v0", "/api/v2/tables/ZZZZZZ/moves", "/api/v10/nowhere"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_version_is_told_which_there_are(house: House, method: str, path: str) -> None:
    answer = house.app.test_client().open(path, method=method, json={})
    assert (answer.status_code, answer.json["type"]) == (404, "/api#no_such_version")
    assert answer.json["detail"] == f"The API has no version {path.split('/')[2][1:]} here. It has: 1."
    assert answer.headers["API-Version"] == "1"


@pytest.mark.parametrize("path", ["/api/v1/v1/games", "/api/v1/v2/games", "/api/v1games", "/api/v/games", "/api/vv1"])
def test_nothing_else_is_a_version(house: House, path: str) -> None:
    answer = house.app.test_client().get(path)
    assert (answer.status_code, answer.json["type"]) == (404, "/api#not_there")


def test_wrong_codes_are_counted_together(phone: MakePhone) -> None:
    stranger = phone()
    starts = ["/api", "/api/v1"] * 15
    assert {stranger.gets(f"{start}/tables/ZZZZZZ").status_code for start in starts} == {404}
    assert [stranger.gets(f"{start}/tables/ZZZZZZ").status_code for start in ("/api", "/api/v1")] == [429, 429]


def test_pages_elsewhere_are_kept_out(house: House, phone: MakePhone) -> None:
    host = phone()
    host.opens("rage", names=["Ann", "Bo", "Cy"])
    before = house.written()
    path = f"/api/v1/tables/{host.code}/moves"
    for more in ({"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = host.asks(path, "POST", json={"move": "bid", "seat": 0, "tricks": 1}, headers=more)
        assert (answer.status_code, answer.json["type"]) == (403, "/api#forged")
    answer = host.asks(path, "POST", data={"move": "bid", "seat": 0, "tricks": 1})
    assert (answer.status_code, answer.json["type"]) == (415, "/api#not_json")
    assert house.written() == before


def test_a_cookie_is_no_token_there(phone: MakePhone) -> None:
    host = phone()
    host.opens("rage", names=["Ann", "Bo", "Cy"])
    assert host.gets("/book").status_code == 200
    assert host.client.get("/api/v1/book").status_code == 401


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Server]]:
    house = Served(tmp_path_factory.mktemp("house"))
    server = house.server()
    try:
        server.start()
        yield house, server
    finally:
        server.kill()
        house.close()


def test_a_socket_is_open_by_both(served: tuple[Served, Server]) -> None:
    house, server = served
    code = house.open(bidding="hidden")
    for number, start in enumerate(("/api", "/api/v1", "/api/v2")):
        wire = type("Versioned", (Wire,), {"start": start})(server.port, code, "host", "?seat=0")
        with wire.socket:
            if start == "/api/v2":
                assert wire.status == 404
                continue
            assert wire.read()["look"]["number"] == number
            wire.move(f"k{number}", bid(number, 1))
            assert wire.until("ruled")["ruled"]["number"] == number + 1


@pytest.mark.parametrize(("start", "status"), [("/api", 201), ("/api/v1", 201), ("/api/v2", 404)])
def test_an_evening_may_be_long_by_both(served: tuple[Served, Server], start: str, status: int) -> None:
    table = kit.Table(GAMES["rage"], {}, 3)
    *_, play = kit.play_on(table, Random(len(start)), most=20)
    body = json.dumps(write(play, {}, table.players)) + " " * 2 * MOST_OF_A_BODY
    connection = HTTPConnection("127.0.0.1", served[1].port, timeout=PATIENCE_S)
    connection.request("POST", f"{start}/records", body, {"Content-Type": "application/json"})
    assert connection.getresponse().status == status
    connection.close()
