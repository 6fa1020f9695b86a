"""Several servers upon one PostgreSQL and one Redis: a table's phones may be anywhere among them."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from statistics import median

import pytest

from companion.desk.listening import RETRY_MS
from companion.push.hearing import SharedHearing
from companion.tables.succession import SILENT_S
from tests.databases import PATIENCE_S
from tests.house import Client, House, Server, secret
from tests.redises import RedisServer
from tests.test_durability import form, workers_of
from tests.test_durability import sent as without_phone
from tests.waiting import until

RIGHT_S = 5.0
"""Promise 11: everybody is right within five seconds, whatever Redis does."""


class Stream:
    """An open event stream of a phone, read in a thread: every number that it was sent, and when."""

    def __init__(self, port: int, code: str, phone: str, place: str, connection: HTTPConnection | None = None) -> None:
        self.connection = connection or HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self.connection.request("GET", f"/t/{code}/{place}/stream", headers={"Cookie": f"phone={secret(phone)}"})
        self.socket: socket.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200
        self.number, self.numbers = -1, list[int]()
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self) -> None:
        try:
            while line := self.answer.readline():
                if line.startswith(b"id: "):
                    with self.changed:
                        self.number = int(line[4:])
                        self.numbers.append(self.number)
                        self.changed.notify_all()
        except (OSError, ValueError):
            return
        finally:
            self.answer.close()
            self.connection.close()

    def close(self) -> None:
        """Go away."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE_S)

    def reaches(self, number: int) -> float:
        """Wait until it has a number; the seconds that it took."""
        begun = time.monotonic()
        with self.changed:
            assert self.changed.wait_for(lambda: self.number >= number, PATIENCE_S), self.numbers
        return time.monotonic() - begun


@contextmanager
def started(house: House, count: int, workers: int = 1) -> Iterator[list[Server]]:
    """Start servers upon a house's database."""
    servers = [house.server(workers) for _ in range(count)]
    try:
        for server in servers:
            server.start()
        yield servers
    finally:
        for server in servers:
            server.kill()


@pytest.mark.promise(11)
def test_redis_dies_in_mid_round_and_no_move_is_lost_and_all_phones_are_right(
    shared_house: House, redis_server: RedisServer, figure: Callable[[str], None]
) -> None:
    code = shared_house.open(["A", "B", "C"], bidding="hidden")
    with (
        started(shared_house, 2) as servers,
        Client(servers[0].port, "host") as one,
        Client(servers[1].port, "host") as other,
    ):
        streams = [Stream(server.port, code, "host", place) for server in servers for place in ("0", "1", "screen")]
        confirmed: list[str] = []
        took: dict[str, list[float]] = {"there": [], "away": [], "back": [], "again": []}

        def play(when: str, moves: int) -> None:
            for _ in range(moves):
                turn = len(confirmed)
                key = f"k{turn}"
                phone = (one, other)[turn % 2]
                data = form({"move": "bid", "seat": turn % 2, "tricks": turn % 11}, key)
                assert phone.post(f"/t/{code}/{turn % 2}/move", data).status == 303
                confirmed.append(key)
                begun = time.monotonic()
                for stream in streams:
                    stream.reaches(len(confirmed))
                took[when].append(time.monotonic() - begun)

        play("there", 20)
        redis_server.kill()
        play("away", 2)
        redis_server.start()
        play("back", 1)
        time.sleep(RIGHT_S)  # By then it is as before.
        play("again", 20)
        slowest = ", ".join(f"{max(times):.2f} s with Redis {when}" for when, times in took.items())
        figure(f"0 of {len(confirmed)} moves lost; from tap to all phones at most {slowest}")
        assert max(median(took["there"]), median(took["again"])) < 1
        assert max(map(max, took.values())) < RIGHT_S
        kept = [without_phone(key) for *_, key in shared_house.entries(code)]
        assert kept == confirmed
        for stream in streams:
            assert stream.numbers == sorted(set(stream.numbers)), "nobody is sent the same twice, or turned back"


@pytest.mark.promise(12)
def test_wrong_codes_are_counted_together_and_by_each_server_alone_while_redis_is_away(
    shared_house: House, redis_server: RedisServer
) -> None:
    def statuses(*guesses: Client) -> list[int]:
        return [client.get("/t/ZZZZZZ").status for client in guesses]

    with (
        started(shared_house, 2) as servers,
        Client(servers[0].port, "one") as one,
        Client(servers[1].port, "two") as two,
    ):
        # The start of each server has been waited for with one.
        assert statuses(*[one, two] * 14) == [404] * 28
        assert statuses(one, two) == [429, 429]
        redis_server.kill()
        assert statuses(*[one] * 30) == [404] * 30
        assert statuses(one, two) == [429, 404]


def test_wrong_codes_are_counted_while_redis_can_be_read_and_takes_nothing(
    shared_house: House, redis_server: RedisServer
) -> None:
    client = shared_house.app.test_client()

    def statuses(count: int) -> list[int]:
        return [client.get("/t/ZZZZZZ").status_code for _ in range(count)]

    assert statuses(1) == [404]
    redis_server.ask().config_set("maxmemory", 1)  # a disk that is full ends its writing, too
    assert statuses(31) == [404] * 30 + [429]


def test_two_workers_tell_each_others_phones_and_print_beside(shared_house: House) -> None:
    code = shared_house.open(["A", "B", "C"], bidding="hidden")
    with started(shared_house, 1, workers=2) as (server,):
        streams = [Stream(server.port, code, phone, "screen") for phone in ("a", "b", "c", "d") for _ in range(3)]
        streams += [Stream(server.port, code, "host", str(seat)) for seat in range(3)]
        printed: list[int] = []

        def print_sheets() -> None:
            for _ in range(4):
                with Client(server.port, "printer") as printer:
                    printed.append(printer.get(f"/t/{code}/sheet.pdf").status)

        printing = threading.Thread(target=print_sheets)
        printing.start()
        took = []
        for turn in range(30):
            with Client(server.port, "host") as client:  # A new connection: whichever worker is quicker takes it.
                data = form({"move": "bid", "seat": turn % 2, "tricks": turn % 11}, f"k{turn}")
                begun = time.monotonic()
                assert client.post(f"/t/{code}/{turn % 2}/move", data).status == 303
            for stream in streams:
                stream.reaches(turn + 1)
            took.append(time.monotonic() - begun)
        printing.join()
        print(f"from tap to all phones: median {median(took):.3f} s, slowest {max(took):.3f} s")
        with Client(server.port, "operator") as client:
            assert client.get("/readyz").body == b"ready\nredis: here\n"
            figures = client.get("/metrics").body.decode()
            assert 'companion_moves_total{game="rage",kind="move"} 30.0' in figures, figures
            assert f"companion_streams {len(streams)}.0" in figures
        assert set(printed) == {200}
        assert median(took) < 1
        assert server.process is not None
        assert len(workers_of(server.process.pid)) == 3
        assert "Traceback" not in server.output(), server.output()


@pytest.mark.promise(8)
def test_a_restart_of_the_workers_costs_no_phone_more_than_a_second(
    shared_house: House, figure: Callable[[str], None]
) -> None:
    code = shared_house.open(["A", "B", "C"], bidding="hidden")
    with started(shared_house, 1, workers=2) as (server,):
        streams = [Stream(server.port, code, "host", "screen") for _ in range(4)]
        assert server.process is not None
        before = set(workers_of(server.process.pid))
        server.process.send_signal(signal.SIGHUP)
        slowest, give_up = 0.0, time.monotonic() + PATIENCE_S
        while len(before & set(workers_of(server.process.pid))) > 1:
            begun = time.monotonic()
            assert begun < give_up
            with Client(server.port, "host") as client:
                assert client.get(f"/t/{code}/0").status == 200
            slowest = max(slowest, time.monotonic() - begun)
        gone = []
        for stream in streams:
            stream.thread.join(PATIENCE_S)
            begun = time.monotonic()
            Stream(server.port, code, "host", "screen")
            gone.append(time.monotonic() - begun + RETRY_MS / 1000)
        figure(f"longest without a stream {max(gone):.2f} s; slowest page meanwhile {slowest:.2f} s")
        assert median(gone) < 1


def test_old_workers_serve_until_those_who_replace_them_can(shared_house: House) -> None:
    code = shared_house.open(["A", "B", "C"], bidding="hidden")
    with started(shared_house, 1, workers=2) as (server,):
        stream = Stream(server.port, code, "host", "screen")
        assert server.process is not None
        before = set(workers_of(server.process.pid))
        server.process.send_signal(signal.SIGHUP)
        until(lambda: len(workers_of(server.process.pid)) == 1 + 2 * 2)
        coming = [int(pid) for pid in set(workers_of(server.process.pid)) - before]
        for worker in coming:
            os.kill(worker, signal.SIGSTOP)
        for turn in range(3 * 10):
            with Client(server.port, "host") as client:
                data = form({"move": "bid", "seat": turn % 2, "tricks": turn % 11}, f"k{turn}")
                assert client.post(f"/t/{code}/{turn % 2}/move", data).status == 303
            stream.reaches(turn + 1)
            time.sleep(0.1)  # gunicorn tells them again and again that they may go
        for worker in coming:
            os.kill(worker, signal.SIGCONT)
        stream.thread.join(PATIENCE_S)
        until(lambda: len(workers_of(server.process.pid)) == 1 + 2)
        assert before & set(workers_of(server.process.pid)) == {str(server.process.pid)}
        assert Stream(server.port, code, "host", "screen").reaches(30) >= 0
        with Client(server.port, "operator") as client:
            assert "companion_strays_total 0.0" in client.get("/metrics").body.decode()


class Clock:
    """A clock that goes when it is told to, the same for all servers."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def process(house: House, clock: Clock) -> House:
    """Make another process upon the same database and Redis, that hears by a clock of ours."""
    other = house.again()
    other.app.extensions["companion.hearing"] = SharedHearing(house.redis, clock)
    return other


def asks(house: House, path: str, phone: str, form: dict[str, str] | None = None) -> str:
    """Let a phone ask one of the processes: for a page, or by a form."""
    client, headers = (
        house.app.test_client(use_cookies=False),
        {"Cookie": f"phone={secret(phone)}", "Sec-Fetch-Site": "same-origin"},
    )
    answer = client.get(path, headers=headers) if form is None else client.post(path, data=form, headers=headers)
    assert answer.status_code in {200, 303}, answer.text
    return answer.text


@pytest.mark.promise(15)
def test_a_silent_host_is_silent_for_every_server_and_after_a_restart(shared_house: House) -> None:
    clock = Clock()
    one, other = process(shared_house, clock), process(shared_house, clock)
    code = one.open(phones={1: "bo", 2: "ann"})
    page = f"/t/{code}/seats"
    asks(one, page, "host")
    clock.now += SILENT_S - 1
    asks(other, page, "host")  # whom this one has not heard
    until(lambda: "has not been heard" not in asks(one, page, "bo"))
    clock.now += SILENT_S
    asks(one, page, "bo")
    until(lambda: "not been heard for 2 minutes" in asks(other, page, "ann"))
    asks(one, f"/t/{code}/take-on", "bo", {"seat": "1"})
    restarted = process(shared_house, clock)
    until(lambda: "agreed by 1 of 2" in asks(restarted, page, "ann"))
    asks(restarted, f"/t/{code}/take-on", "ann", {"seat": "1"})
    with other.asks(code, "bo") as asker:
        assert asker.is_host
    for each in (one, other, restarted):
        each.close()
