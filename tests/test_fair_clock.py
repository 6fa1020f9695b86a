"""Promise 22: the server's clock decides, whatever the phones say, and who is heard first was first."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from companion.games import GAMES
from companion.games.ubongo.view import CLOSE_MS
from tests.house import Client, House, Server
from tests.test_durability import at_once, sent

SEATS = 4


def milliseconds(at: datetime) -> int:
    return int(at.timestamp() * 1000)


@pytest.mark.promise(22)
@pytest.mark.on_both
def test_the_order_of_calls_is_the_order_of_arrival_and_their_times_are_the_server_s(
    house: House, server: Server, figure: Callable[[str], None]
) -> None:
    """All call at once, and every phone claims another time, a day off."""
    assert CLOSE_MS <= 150
    gaps: list[int] = []
    for turn in range(5):
        phones = {seat: f"phone{seat}" for seat in range(SEATS)}
        code = house.open(["A", "B", "C", "D"], phones=phones, game="ubongo", glass_s=600)
        begun = datetime.now(UTC)
        with Client(server.port, "phone0") as first:
            assert first.post(f"/t/{code}/0/move", {"move": "roll", "symbol": "1", "key": "roll"}).status == 303

        def call(seat: int, code: str = code, turn: int = turn) -> int:
            claimed = datetime.now(UTC) + timedelta(days=(-1) ** (seat + turn), seconds=seat)
            form = {"move": "ubongo", "seat": seat, "key": f"call{seat}", "at": claimed.isoformat()}
            with Client(server.port, f"phone{seat}") as client:
                return client.post(f"/t/{code}/{seat}/move", form).status

        assert at_once(SEATS, call) == [303] * SEATS
        over = datetime.now(UTC)
        arrived = [seat for _number, kind, seat, *_, key in house.entries(code) if sent(key).startswith("call")]
        assert not any("at" in json.loads(data) for *_about, data, _key in house.entries(code))
        play = house.read(code).play
        seen = GAMES["ubongo"].view(play.position, None)
        assert [call.seat for call in seen.calls] == arrived
        times = [called.at_ms for called in seen.calls]
        assert times == sorted(times)
        assert milliseconds(begun) <= seen.turned_ms <= times[0]
        assert times[-1] <= milliseconds(over)
        assert [called.gap_ms for called in seen.calls[1:]] == [later - earlier for earlier, later in pairwise(times)]
        assert [called.is_close for called in seen.calls[1:]] == [
            later - earlier <= CLOSE_MS for earlier, later in pairwise(times)
        ]
        with Client(server.port, "nobody") as client:
            shown = json.loads(client.get(f"/api/tables/{code}/view").body)["view"]
        assert (shown["turned_ms"], [called["at_ms"] for called in shown["calls"]]) == (seen.turned_ms, times)
        gaps += [called.gap_ms for called in seen.calls[1:]]
    figure(
        f"{5 * SEATS} calls that claimed to be a day off: all in the order of the log, {min(gaps)} to {max(gaps)} ms apart"
    )
