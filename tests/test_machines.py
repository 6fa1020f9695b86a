"""A club of three machines, by the files of `docs/deploying/`: each part of it is killed again and again while phones tap."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import pytest

from tests.house import Client, House, Server, bid
from tests.machines import Club
from tests.test_durability import form, sent

pytestmark = [pytest.mark.long, pytest.mark.promise(30)]
PHONES = 3
KILLS = 20
WAIT_S = 180
BETWEEN_S = 0.2
"""From one tap of a phone to its next: quicker than people. Without a pause two phones at one server, which has the table
in memory, overtake the third one's at the other again and again."""


@dataclass
class Evening:
    """A table whose phones tap all the while, at whichever of two servers answers."""

    club: Club
    house: House
    servers: list[Server]
    code: str
    is_over: threading.Event = field(default_factory=threading.Event)
    confirmed: dict[int, list[tuple[str, float, float]]] = field(default_factory=dict)
    """By seat: the key, when it was first sent, and when it was confirmed."""
    tapping: list[Future[None]] = field(default_factory=list)
    said: str = ""
    """What a server answered that it was not to."""

    def tap(self, seat: int) -> None:
        """Enter bid after bid, each again until it is confirmed."""
        mine, port = self.confirmed.setdefault(seat, []), seat
        while not self.is_over.is_set():
            key, begun = f"{seat}.{len(mine)}", time.monotonic()
            while (status := self.post(port, seat, form(bid(seat, len(mine) % 11), key))) != 303:
                assert status in {0, 503}, self.said
                assert time.monotonic() < begun + WAIT_S
                port += status == 0
                time.sleep(0.2)
            mine.append((key, begun, time.monotonic()))
            time.sleep(BETWEEN_S)

    def post(self, port: int, seat: int, data: dict[str, object]) -> int:
        """Post to one of the servers; the status, or 0 where nobody answers."""
        try:
            with Client(self.servers[port % 2].port, f"p{seat}") as client:
                answer = client.post(f"/t/{self.code}/{seat}/move", data)
        except OSError:
            return 0
        if answer.status not in {303, 503}:
            self.said = f"{answer.status}: {answer.body.decode()}"
        return answer.status

    def after(self, moment: float) -> float:
        """Wait until each phone has a tap confirmed that it made after a moment; the seconds that it took at most."""
        give_up = time.monotonic() + WAIT_S
        while True:
            assert time.monotonic() < give_up, self.club.said()
            for one in self.tapping:
                assert not one.done() or one.result()
            ends = [
                next((end for _, begun, end in list(mine) if begun > moment), None) for mine in self.confirmed.values()
            ]
            if len(ends) == PHONES and None not in ends:
                return max(end for end in ends if end) - moment
            time.sleep(0.05)

    def check(self) -> int:
        """Every confirmed move is in the log once, in order, and there is no gap. Counts them."""
        confirmed = {seat: [key for key, *_ in list(mine)] for seat, mine in self.confirmed.items()}
        entries = self.house.entries(self.code)
        assert [number for number, *_ in entries] == list(range(1, len(entries) + 1))
        keys = [sent(key) for *_, key in entries]
        for seat, told in confirmed.items():
            assert [key for key in keys if key.startswith(f"{seat}.")][: len(told)] == told
        return sum(map(len, confirmed.values()))

    def kill_application(self) -> Callable[[], None]:
        """Kill a server of ours."""
        self.servers[0].kill()
        return self.servers[0].start

    def kill_redis(self) -> Callable[[], None]:
        """Kill the Redis that takes what it is told."""
        machine = self.club.first_redis()
        for one in machine.started:
            if "redis.conf" in str(one.args):
                one.kill()
                one.wait()

        def again() -> None:
            machine.begin("redis-server", machine.folder / "redis.conf")

        return again

    def kill_process(self) -> Callable[[], None]:
        """Kill the PostgreSQL that takes entries; Patroni starts it again."""
        os.kill(self.club.first().postmaster(), signal.SIGKILL)
        return lambda: None

    def kill_first(self) -> Callable[[], None]:
        """Kill the whole machine that takes entries."""
        machine = self.club.first()
        machine.die()
        return lambda: self.club.start(machine)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Start the three machines, two servers, and let phones tap."""
    with ExitStack() as tidy:
        club = Club()
        tidy.callback(club.remove)
        for machine in club.machines:
            club.start(machine)
        club.wait_until_whole()
        house = House(tmp_path, club.database.another(), club.redis)
        tidy.callback(house.close)
        servers = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            own = House(tmp_path / name, house.database, club.redis)
            servers.append(own.server())
            own.close()
            tidy.callback(servers[-1].kill)
            servers[-1].start()
        code = house.open(["S"] * 4, phones={seat: f"p{seat}" for seat in range(PHONES)}, bidding="hidden")
        evening = Evening(club, house, servers, code)
        pool = tidy.enter_context(ThreadPoolExecutor(PHONES))
        tidy.callback(evening.is_over.set)
        evening.tapping += [pool.submit(evening.tap, seat) for seat in range(PHONES)]
        evening.after(time.monotonic())
        yield evening


@pytest.mark.parametrize("what", ["application", "redis", "process", "first"])
def test_whatever_is_killed_no_confirmed_move_is_lost_and_taps_go_on(
    evening: Evening, what: str, figure: Callable[[str], None]
) -> None:
    kill: Callable[[], Callable[[], None]] = getattr(evening, f"kill_{what}")
    took = []
    for _ in range(KILLS):
        evening.club.wait_until_whole()
        died = time.monotonic()
        again = kill()
        took.append(evening.after(died))
        again()
        evening.after(time.monotonic())
        evening.check()
    evening.is_over.set()
    for one in evening.tapping:
        one.result()
    told = f"{len(took)} kills ({what}): 0 of {evening.check():,} confirmed moves lost"
    figure(f"{told}; every phone tapped again after {median(took):.1f} s (median), {max(took):.1f} s at most")
