"""Webhooks: the end of a game reaches those whom the operator has named, signed, once, and however late they listen."""

from __future__ import annotations

import base64
import hmac
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from queue import Queue
from threading import Event, Thread
from typing import Any

import jsonschema_rs
import pytest

from companion.api.webhooks import Teller
from companion.games import GAMES
from companion.log import PHANTOMS, keeping, tellings
from companion.push import webhooks
from companion.settings import Webhook
from companion.tables import opening, referee
from companion.tables.seating import Asker
from tests.databases import PATIENCE_S
from tests.house import House, secret

KEY = bytes(range(32))
WRITTEN_KEY = "whsec_" + base64.b64encode(KEY).decode()
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


class Receiver:
    """A program that is told, on a port of its own; it answers what it is told to."""

    def __init__(self) -> None:
        self.heard: Queue[tuple[str, dict[str, str], bytes]] = Queue()
        self.status = 204
        self.is_silent = False
        self.let_go = Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.heard.put((self.path, dict(self.headers.items()), body))
                if receiver.is_silent:
                    receiver.let_go.wait(PATIENCE_S)
                    return
                self.send_response(receiver.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self) -> None:
                receiver.heard.put((self.path, {}, b""))

            def log_message(self, *words: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        self.address = f"http://127.0.0.1:{self.port}/hook?from=here"
        Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def count(self) -> int:
        return self.heard.qsize()

    def next(self) -> tuple[str, dict[str, str], bytes]:
        return self.heard.get(timeout=PATIENCE_S)

    def close(self) -> None:
        self.let_go.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def teller(house: House, receiver: Receiver) -> Teller:
    return Teller(house.app, Webhook(receiver.address, KEY))


def now() -> datetime:
    return datetime.now(UTC)


def tell(teller: Teller, at: datetime | None = None) -> None:
    """Let a teller do what is due."""
    while teller.look(at or now()):
        pass


def opened(house: House) -> str:
    return house.open(["Anna", ""], {1: "bo"}, "tally", called="Kostky", rounds=1)


def enter(house: House, code: str, seat: int, key: str) -> None:
    move = {"move": "enter", "seat": seat, "column": "number", "value": 10 + seat}
    assert not isinstance(house.move(code, ("host", "bo")[seat], move, key), BaseException)


def played(house: House) -> str:
    """Play a short game to its end."""
    code = opened(house)
    for seat in (0, 1):
        enter(house, code, seat, f"k{seat}")
    ((closed,),) = house.rows("SELECT closed FROM tables WHERE code = ?", code)
    assert closed
    return code


@pytest.mark.on_both
def test_the_end_of_a_game_is_told_once_signed_and_as_it_is_described(
    house: House, receiver: Receiver, teller: Teller
) -> None:
    unfinished, code = opened(house), played(house)
    other = house.again()
    for each in (teller, Teller(other.app, Webhook(receiver.address, KEY)), teller):  # after a restart, too
        tell(each)
    other.close()
    assert receiver.count == 1
    path, headers, body = receiver.next()
    assert path == "/hook?from=here"
    name, moment = headers["webhook-id"], headers["webhook-timestamp"]
    signature = hmac.digest(KEY, b".".join([name.encode(), moment.encode(), body]), "sha256")
    assert headers["webhook-signature"] == "v1," + base64.b64encode(signature).decode()
    assert abs(int(moment) - now().timestamp()) < PATIENCE_S
    said = json.loads(body)
    assert (said["type"], said["data"]["table"], said["data"]["winners"]) == ("game.ended", code, [1])
    assert [place["name"] for place in said["data"]["standing"]] == ["Bo", "Anna"]
    described(house).validate(said)
    assert not described(house).is_valid({**said, "data": {**said["data"], "standing": [{}]}})
    assert unfinished not in body.decode()


def described(house: House) -> Any:
    """Give what holds a body to the description."""
    described = house.app.test_client().get("/api/openapi.json").get_json()
    shape = described["webhooks"]["game.ended"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return jsonschema_rs.validator_for({**shape, "components": described["components"]})


def test_nothing_is_told_by_which_one_comes_in_or_acts(house: House, receiver: Receiver, teller: Teller) -> None:
    code = played(house)
    tell(teller)
    said = str(receiver.next())
    ((invitation, host),) = house.rows("SELECT invitation, host FROM tables WHERE code = ?", code)
    phones = [phone for (phone,) in house.rows("SELECT phone FROM seatings") if phone]
    assert phones
    for hidden in (invitation, host, secret("host"), secret("bo"), *phones, WRITTEN_KEY):
        assert hidden not in said


@pytest.mark.parametrize("status", [301, 302, 307, 400, 404, 410, 500])
def test_who_does_not_take_it_is_told_again_and_nobody_goes_elsewhere(
    house: House, receiver: Receiver, teller: Teller, status: int
) -> None:
    played(house)
    receiver.status, begin = status, now()
    tell(teller, begin)
    tell(teller, begin + MINUTE / 2)
    assert receiver.count == 1
    receiver.status = 200
    tell(teller, begin + MINUTE)
    tell(teller, begin + DAY)
    (first, once, _), (second, again, _) = receiver.next(), receiver.next()
    assert (first, second, receiver.count) == ("/hook?from=here", "/hook?from=here", 0)
    assert once["webhook-id"] == again["webhook-id"]
    assert once["webhook-timestamp"] != again["webhook-timestamp"]
    assert once["webhook-signature"] != again["webhook-signature"]


def test_pauses_grow_and_after_a_day_it_is_given_up_and_said(
    house: House, receiver: Receiver, teller: Teller, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "companion")
    code, begin, tries = played(house), now(), []
    receiver.status = 503
    for minute in range(26 * 60):
        tell(teller, begin + minute * MINUTE)
        if receiver.count > len(tries):
            tries.append(minute)
    pauses = [then - before for before, then in pairwise(tries)]
    assert pauses[:8] == [1, 2, 4, 8, 16, 32, 64, 120]
    assert set(pauses[8:]) == {120}
    assert 22 * 60 < tries[-1] <= 24 * 60
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2
    assert "given up" in said[1]
    for each in said:
        assert code in each
        assert "hook" not in each, "the rest of an address may be secret"


def test_who_is_not_there_is_told_once_it_is(house: House, teller: Teller, receiver: Receiver) -> None:
    played(house)
    begin = now()
    nobody = Teller(house.app, Webhook("http://127.0.0.1:9/", KEY))
    tell(nobody, begin)
    ((due, tries),) = house.rows("SELECT due, tries FROM tellings")
    assert (due > begin.isoformat(), tries) == (True, 1)
    tell(teller, begin)
    assert receiver.count == 1, "nobody waits for another receiver"


def test_who_is_silent_is_left(
    house: House, teller: Teller, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(house)
    receiver.is_silent = True
    for patience in ("STEP_S", "WHOLE_S"):
        monkeypatch.setattr(webhooks, patience, 0.05)
        tell(teller, now() + tellings.PATIENCE / 2)
        assert receiver.next()
        monkeypatch.undo()
        house.database.change("UPDATE tellings SET due = '2000-01-01T00:00:00.000Z'")
    receiver.is_silent = False
    tell(teller)
    assert receiver.next()
    assert house.rows("SELECT due FROM tellings") == [(None,)]


def test_a_game_that_goes_on_is_not_told_and_one_that_ends_anew_is_told_anew(
    house: House, receiver: Receiver, teller: Teller
) -> None:
    code, begin = played(house), now()
    receiver.status = 500
    tell(teller, begin)
    first = receiver.next()[1]["webhook-id"]
    receiver.status = 200
    house.take_back(code, "host", "back")
    tell(teller, begin + MINUTE)
    assert receiver.count == 0
    enter(house, code, 1, "again")
    tell(teller, begin + 2 * MINUTE)
    assert receiver.next()[1]["webhook-id"] != first
    assert receiver.count == 0


def test_what_phantoms_have_played_is_not_told(house: House, receiver: Receiver, teller: Teller) -> None:
    with house.app.app_context():
        table = opening.open_table(GAMES["tally"], {"rounds": 1}, ["Anna"], PHANTOMS)
        move = {"move": "enter", "seat": 0, "column": "number", "value": 10}
        referee.rule_on(Asker(table, PHANTOMS), move, "k")
    assert house.rows("SELECT COUNT(*) FROM tables WHERE closed IS NOT NULL") == [(1,)]
    tell(teller)
    assert receiver.count == 0


def test_what_has_ended_long_ago_is_not_told(house: House, receiver: Receiver, teller: Teller) -> None:
    played(house)
    tell(teller, now() + 2 * DAY)
    assert receiver.count == 0


def test_a_table_that_is_deleted_takes_its_tellings_along(house: House, receiver: Receiver, teller: Teller) -> None:
    code = played(house)
    tell(teller)
    with house.app.app_context():
        keeping.purge([code])
    assert house.rows("SELECT * FROM tellings") == []


def test_a_server_tells_by_itself(house: House, receiver: Receiver) -> None:
    server = house.server()
    server.environment = {
        **server.environment, "COMPANION_WEBHOOKS": receiver.address, "COMPANION_WEBHOOK_KEYS": WRITTEN_KEY
    }  # fmt: skip
    code = played(house)
    try:
        server.start()
        assert json.loads(receiver.next()[2])["data"]["table"] == code
    finally:
        server.kill()
