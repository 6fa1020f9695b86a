"""Who has listened is let go of when the line ends, with all of the game that it was told: nobody waits for a collector."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator

import pytest

from companion.api.socket import Program
from companion.desk.listening import UNSEEN, Reader, Subscriber, newest
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
