"""Who has listened is let go of when the line ends, with all of the game that it was told: nobody waits for a collector."""

from __future__ import annotations

import gc
import socket
import weakref
from collections.abc import Callable, Iterator

import pytest
from gunicorn.config import Config

from companion.api.socket import Program
from companion.desk.listening import UNSEEN, Reader, Subscriber, newest
from companion.server.caller import Caller
from companion.server.incoming import Uploads
from companion.tables.seating import Asker, find_table, hashed
from companion.web.line import Viewer
from tests.house import House, secret

LISTENERS: dict[str, Callable[[Asker], Subscriber]] = {
    "a seat's page": lambda asker: Viewer(asker, 1),
    "the screen": lambda asker: Viewer(asker, None),
    "a program": lambda asker: Program(asker, 1),
    "a stream": lambda asker: Reader(asker, 1, UNSEEN, lambda _asker, reading: f"{reading.number}"),
}


@pytest.fixture
def _without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_without_collector")
@pytest.mark.parametrize("who", LISTENERS)
def test_a_listener_is_gone_when_its_line_is(house: House, who: str) -> None:
    code = house.open(phones={0: "host", 1: "bohdan"})
    with house.app.test_request_context(f"/t/{code}/1/line", base_url="ws://127.0.0.1/"):
        listener = LISTENERS[who](Asker(find_table(code), hashed(secret("bohdan"))))
    with house.app.app_context():
        assert listener.look(newest(code, None))
    left = weakref.ref(listener)
    del listener
    assert left() is None


@pytest.mark.usefixtures("_without_collector")
def test_a_connection_is_gone_when_it_is_closed() -> None:
    here, there = socket.socketpair()
    with there:
        caller = Caller(Uploads(), (), Config(), here, ("127.0.0.1", 1), ("127.0.0.1", 2))
        caller.next(b"GET / HTTP/1.1\r\nHost: companion\r\n\r\n")
        caller.init()
        caller.hand_over()
        assert next(caller.parser).path == "/"
        caller.close()
        left = weakref.ref(caller)
        del caller
    assert left() is None
