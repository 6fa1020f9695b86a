"""The description of sockets and streams: whatever is really said there is as it is described."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from companion.api.encoding import as_json
from companion.games import GAMES
from companion.record import write_move
from companion.testing import kit
from tests.api.wire import Wire
from tests.databases import PATIENCE_S
from tests.house import FOUR, House, Server, secret

MOVES = 25


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    yield house
    house.close()


@pytest.fixture(scope="module")
def server(house: House) -> Iterator[Server]:
    server = house.server()
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="module")
def described(house: House) -> Any:
    return house.app.test_client().get("/api/asyncapi.json").get_json()


class Ear:
    """Holds each message of a channel to its description, and remembers which there were."""

    def __init__(self, described: Any, channel: str) -> None:
        self.said: set[str] = set()
        self._shapes = {
            name: jsonschema_rs.validator_for({**message["payload"], "components": described["components"]})
            for name, message in described["channels"][channel]["messages"].items()
        }

    def hears(self, message: Any) -> str:
        """Find the one kind that a message is of."""
        kinds = [name for name, shape in self._shapes.items() if shape.is_valid(message)]
        assert len(kinds) == 1, (kinds, message)
        self.said.add(kinds[0])
        return kinds[0]


def referred(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from referred(each)


def test_it_is_described_whole(described: Any) -> None:
    assert described["asyncapi"] == "3.0.0"
    assert {server["protocol"] for server in described["servers"].values()} == {"ws", "http"}
    assert {server["pathname"] for server in described["servers"].values()} == {"/api/v1"}
    for reference in referred(described):
        found = described
        for name in reference.removeprefix("#/").split("/"):
            found = found[name]
    names = {reference for reference in referred(described) if "/schemas/" in reference}
    assert {name.rpartition("/")[2] for name in names} == set(described["components"]["schemas"])
    for name, channel in described["channels"].items():
        used = {reference for reference in referred(described["operations"]) if f"/{name}/messages/" in reference}
        assert {each.rpartition("/")[2] for each in used} == set(channel["messages"])


@pytest.mark.parametrize("key", GAMES)
def test_every_message_of_a_random_play_is_as_it_is_described(
    house: House, server: Server, described: Any, key: str
) -> None:
    ear, game = Ear(described, "socket"), GAMES[key]
    table = kit.Table(game, {}, game.players[0])
    code = house.open(names=FOUR[: table.seats], game=key)
    with ExitStack() as ends:
        mover = Wire(server.port, code, "", "?auth=message")
        ends.callback(mover.socket.close)
        greeting = {"token": secret("host")}
        assert ear.hears(greeting) == "greeting"
        mover.send(greeting)
        watcher = Wire(server.port, code, "", "")
        ends.callback(watcher.socket.close)
        assert ear.hears(mover.read()) == "welcome"
        until(watcher, ear, "look")
        for number, play in enumerate(kit.play_on(table, Random(7), MOVES)):
            assert play.last
            message = {"key": f"k{number}", "move": write_move(game, table.seats, play.last.asked.move)}
            assert ear.hears(message) == "move"
            mover.send(message)
            until(mover, ear, "ruled")
            shown = until(watcher, ear, "look")["look"]["view"]
            assert shown == as_json(game.view(house.read(code).play.position, None))
        for wrong in ("{", {"key": 7}, {"key": "k", "move": {"move": "dance"}}):
            mover.send(wrong)
            until(mover, ear, "problem")
    assert ear.said == set(described["channels"]["socket"]["messages"])


def until(wire: Wire, ear: Ear, kind: str) -> dict[str, Any]:
    """Read on to a message of a kind."""
    while ear.hears(message := wire.read()) != kind:
        pass
    return message


def test_what_is_none_of_these_is_not_described(described: Any) -> None:
    move = {"move": "bid", "seat": 0, "tricks": 3}
    assert Ear(described, "socket").hears({"key": "k", "after": 4, "move": move}) == "move"
    for wrong in ({}, {"key": "k"}, {"key": "k", "move": {**move, "after": 4}}, {"look": {}}, {"token": ""}, []):
        with pytest.raises(AssertionError):
            Ear(described, "socket").hears(wrong)


def test_a_stream_says_what_is_described(house: House, server: Server, described: Any) -> None:
    ear, code = Ear(described, "events"), house.open()
    channel = described["channels"]["events"]
    address = described["servers"]["streams"]["pathname"] + channel["address"].replace("{code}", code)
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", f"{address}?seat=0", headers={"Authorization": f"Bearer {secret('host')}"})
    answer = connection.getresponse()
    frame = b""
    while not (frame.endswith(b"\n\n") and b"data: " in frame):
        frame += answer.readline()
    connection.close()
    said = json.loads(frame.partition(b"data: ")[2])
    assert ear.hears(said) == "view"
    assert f"id: {said['number']}\n".encode() in frame
