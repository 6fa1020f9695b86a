"""Servers hear each other's bells through Redis, and find everything by themselves while it is away."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from statistics import median

import pytest

from companion.push.bell import SharedBell
from tests.house import PATIENCE_S, free_port, listening, without_threads
from tests.redises import RedisServer
from tests.waiting import until

RIGHT_S = 5.0
"""Promise 11: everybody is right within five seconds, whatever Redis does."""


class Log:
    """How far the tables have come, as the database would say."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.looks = 0

    def look(self, codes: object) -> dict[str, int]:
        self.looks += 1
        return dict(self.numbers)


class Two:
    """Two servers with one log, and what the second one hears."""

    def __init__(self, address: str) -> None:
        self.log = Log()
        self.teller, self.hearer = SharedBell(address, self.log.look), SharedBell(address, self.log.look)

    def enter(self, number: int, is_told: bool = True) -> float:
        """Enter a number at the first server; the seconds that telling took."""
        self.log.numbers["AAAAAA"] = number
        begun = time.monotonic()
        if is_told:
            self.teller.ring("AAAAAA", number)
        return time.monotonic() - begun

    def heard(self, after: int, patience_s: float) -> tuple[int | None, float]:
        """Wait at the second server; the number, and the seconds that it took."""
        begun = time.monotonic()
        return self.hearer.wait("AAAAAA", after, patience_s), time.monotonic() - begun


@pytest.fixture
def two(redis_server: RedisServer) -> Iterator[Two]:
    two = Two(redis_server.address)
    with listening(two.hearer, "AAAAAA"):
        until(lambda: two.log.looks == 1)  # It has subscribed.
        yield two


def test_a_ring_at_one_server_is_heard_at_the_other_at_once(two: Two) -> None:
    times = []
    for number in range(1, 21):
        two.enter(number)
        heard, took = two.heard(number - 1, PATIENCE_S)
        assert heard == number
        times.append(took)
    assert median(times) < 1
    assert two.log.looks == 1, "while Redis is there nobody looks"


def test_what_one_has_told_itself_is_not_heard_again(redis_server: RedisServer) -> None:
    one, other = (SharedBell(redis_server.address, lambda codes: {}) for _ in range(2))
    heard: list[tuple[str, int]] = []
    one.call = lambda code, number: heard.append((code, number))
    one.enter("AAAAAA", "", is_called=True)
    until(lambda: redis_server.ask().pubsub_numsub("companion.0") == [("companion.0", 1)])
    one.ring("AAAAAA", 1)
    with redis_server.ask().pubsub() as others:
        others.subscribe("companion.0")
        one.ring("AAAAAA", 2)
        until(lambda: (others.get_message() or {"type": ""})["type"] == "message")
    other.ring("AAAAAA", 3)
    until(lambda: ("AAAAAA", 3) in heard)
    assert heard == [("AAAAAA", number) for number in (1, 2, 3)]
    one.leave("AAAAAA", "", is_called=True)


def test_what_is_to_be_told_at_once_is_told_together(
    two: Two, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.push.bell.GATHER_S", RIGHT_S / 5)
    said: list[str] = []
    with redis_server.ask().pubsub() as others:
        others.subscribe("companion.0")
        for number in range(1, 101):
            two.teller.ring(f"T{number}", number)
        while "T100 100" not in "".join(said):
            message = others.get_message(timeout=PATIENCE_S)
            assert message, said
            said += [message["data"]] if message["type"] == "message" else []
    assert len(said) <= 3
    assert all(f"T{number} {number}" in "".join(said) for number in range(1, 101))


def test_companions_with_another_number_of_the_database_ring_for_themselves(
    two: Two, redis_server: RedisServer
) -> None:
    stranger = SharedBell(redis_server.address[:-1] + "1", two.log.look)
    with redis_server.ask().pubsub() as others:
        others.psubscribe("*")
        stranger.ring("AAAAAA", 1)
        until(lambda: (others.get_message() or {"type": ""})["type"] == "pmessage")
    assert two.heard(0, 0.2)[0] is None


@contextmanager
def killed(server: RedisServer) -> Iterator[None]:
    server.kill()
    yield
    server.start()


@contextmanager
def frozen(server: RedisServer) -> Iterator[None]:
    server.freeze()
    yield
    server.thaw()


@pytest.mark.promise(11)
@pytest.mark.parametrize("gone", [killed, frozen])
def test_while_redis_is_away_everybody_finds_the_number_and_nobody_waits_for_telling(
    two: Two, redis_server: RedisServer, gone: Callable[[RedisServer], ExitStack]
) -> None:
    two.enter(1)
    assert two.heard(0, PATIENCE_S)[0] == 1
    with gone(redis_server):
        telling = []
        for number in (2, 3):
            telling.append(two.enter(number))
            heard, took = two.heard(number - 1, PATIENCE_S)
            assert heard == number
            assert took < RIGHT_S
        assert min(telling) < 0.5, "who waited for Redis would wait for a second, each time"
        assert two.hearer.is_away
    two.enter(4)
    heard, took = two.heard(3, PATIENCE_S)
    assert heard == 4
    assert took < RIGHT_S
    until(lambda: not (two.hearer.is_away or two.teller.is_away))  # who tells tries again after a while, too
    two.enter(5)
    heard, took = two.heard(4, PATIENCE_S)
    assert heard == 5
    assert took < 1, "it is told again, not looked for"


def test_what_could_not_be_told_is_told_later_to_those_who_heard_all_the_time(
    two: Two, redis_server: RedisServer
) -> None:
    redis_server.ask().client_pause(60_000, all=False)  # What is published has to wait.
    two.teller.ring("AAAAAA", 7)
    until(lambda: two.teller.is_away)
    assert not two.hearer.is_away
    redis_server.ask().client_unpause()
    heard, took = two.heard(0, PATIENCE_S)
    assert heard == 7, "its number stands in no log that can be looked into"
    assert took < RIGHT_S
    until(lambda: not two.teller.is_away)


@pytest.mark.promise(11)
def test_what_was_entered_while_nobody_could_hear_is_found_once_redis_is_back(
    two: Two, redis_server: RedisServer
) -> None:
    redis_server.kill()
    until(lambda: two.hearer.is_away)
    two.enter(1, is_told=False)
    redis_server.start()
    heard, took = two.heard(0, PATIENCE_S)
    assert heard == 1
    assert took < RIGHT_S


@pytest.mark.promise(11)
def test_without_redis_at_the_start_the_bell_begins_with_looking(redis_server: RedisServer) -> None:
    two = Two(f"redis://127.0.0.1:{free_port()}/0")
    with listening(two.hearer, "AAAAAA"):
        two.enter(1)
        heard, took = two.heard(0, PATIENCE_S)
    assert heard == 1
    assert took < RIGHT_S


def test_a_message_that_is_none_does_not_make_the_bell_deaf(two: Two, redis_server: RedisServer) -> None:
    redis_server.ask().publish("companion.0", "AAAAAA many")
    until(lambda: two.hearer.is_away)
    until(lambda: not two.hearer.is_away)
    two.enter(1)
    assert two.heard(0, PATIENCE_S)[0] == 1


def test_a_log_that_cannot_be_looked_into_does_not_make_the_bell_deaf(redis_server: RedisServer) -> None:
    def broken(codes: object) -> dict[str, int]:
        raise OSError("the database is away")

    hearer, teller = (SharedBell(redis_server.address, broken) for _ in range(2))
    with listening(hearer, "AAAAAA"):
        until(lambda: redis_server.ask().pubsub_numsub("companion.0") == [("companion.0", 1)])
        teller.ring("AAAAAA", 1)
        assert hearer.wait("AAAAAA", 0, PATIENCE_S) == 1


def test_nobody_is_connected_when_nobody_listens(two: Two, redis_server: RedisServer) -> None:
    alone = SharedBell(redis_server.address, two.log.look)
    with listening(alone, "BBBBBB"):
        until(lambda: redis_server.ask().pubsub_numsub("companion.0") == [("companion.0", 2)])
    until(lambda: redis_server.ask().pubsub_numsub("companion.0") == [("companion.0", 1)])
    with listening(alone, "BBBBBB"):
        until(lambda: redis_server.ask().pubsub_numsub("companion.0") == [("companion.0", 2)])


def test_who_cannot_hear_the_others_for_want_of_a_thread_holds_no_place(two: Two) -> None:
    with without_threads(), pytest.raises(RuntimeError):
        two.teller.enter("BBBBBB", "bo")
    assert two.teller.listeners == 0


def test_a_bell_that_was_given_no_thread_tells_with_the_next_ring(two: Two) -> None:
    with without_threads():
        two.teller.ring("AAAAAA", 1)
    two.teller.ring("AAAAAA", 2)
    assert two.heard(0, PATIENCE_S)[0] == 2
