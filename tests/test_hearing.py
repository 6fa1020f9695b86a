"""When a phone was heard: by what it asks and by its line, in one process and in several, and after a restart."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.push import hearing
from companion.push.hearing import MOST, OFTEN_S, Hearing, SharedHearing
from tests.clocks import Clock
from tests.databases import PATIENCE_S
from tests.house import without_threads
from tests.redises import RedisServer
from tests.waiting import until


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.kill()


def agrees(one: Hearing, seconds: float, *, code: str = "A") -> None:
    """Wait until a phone was heard so long ago: another process may be about to tell it."""
    until(lambda: one.ago(code, ["bo"])["bo"] == seconds)


def test_a_phone_is_heard_at_its_table_alone(clock: Clock) -> None:
    one = Hearing(clock)
    one.hear("A", "bo")
    one.hear("B", "bo")
    clock.now += 60
    one.hear("B", "bo")
    clock.now += 60
    assert one.ago("A", ["bo"]) == {"bo": 120}
    assert one.ago("B", ["bo"]) == {"bo": 60}


def test_who_was_never_heard_counts_from_the_first_question(clock: Clock) -> None:
    """So it is after a restart: nobody is silent for longer than was seen."""
    one = Hearing(clock)
    assert one.ago("A", ["bo"]) == {"bo": 0}
    clock.now += 120
    assert one.ago("A", ["bo", "cy"]) == {"bo": 120, "cy": 0}


def test_no_more_phones_are_remembered_than_there_is_room_for(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST > 1000
    monkeypatch.setattr(hearing, "MOST", 2)
    one = Hearing(clock)
    for phone in ("ann", "bo", "ann", "cy"):
        one.hear("A", phone)
    clock.now += 10
    assert one.ago("A", ["ann"]) == {"ann": 10}
    assert one.ago("A", ["bo"]) == {"bo": 0}  # forgotten


def test_a_clock_that_is_set_back_makes_nobody_silent(clock: Clock) -> None:
    one = Hearing(clock)
    one.hear("A", "bo")
    clock.now -= 60
    assert one.ago("A", ["bo"]) == {"bo": 0}


def test_a_server_that_is_alone_hears_by_a_clock_that_nobody_sets() -> None:
    """Nor does it run while a laptop sleeps: who could not be heard has not been silent."""
    one, before = Hearing(), time.monotonic()
    one.hear("A", "bo")
    assert before <= one._at["A", "bo"] <= time.monotonic()


def test_two_workers_hear_together_and_remember_it_after_a_restart(redis: RedisServer, clock: Clock) -> None:
    one, other = SharedHearing(redis.address, clock), SharedHearing(redis.address, clock)
    one.ago("A", ["bo"])
    clock.now += 300
    other.hear("A", "bo")
    agrees(one, 0)
    clock.now += 130
    assert one.ago("A", ["bo"]) == {"bo": 130}
    assert SharedHearing(redis.address, clock).ago("A", ["bo"]) == {"bo": 130}


def test_what_is_heard_often_is_told_now_and_then(redis: RedisServer, clock: Clock) -> None:
    one, other = SharedHearing(redis.address, clock), SharedHearing(redis.address, clock)
    one.hear("A", "bo")
    agrees(other, 0)
    clock.now += OFTEN_S - 1
    one.hear("A", "bo")
    assert other.ago("A", ["bo"]) == {"bo": OFTEN_S - 1}
    clock.now += 1
    one.hear("A", "bo")
    agrees(other, 0)


def test_who_is_heard_while_there_is_no_thread_is_told_of_with_the_next_sign(redis: RedisServer, clock: Clock) -> None:
    one, other = SharedHearing(redis.address, clock), SharedHearing(redis.address, clock)
    other.ago("A", ["bo"])
    clock.now += 300
    with without_threads():
        one.hear("A", "bo")
    clock.now += OFTEN_S
    one.hear("A", "bo")
    agrees(other, 0)


def test_while_redis_is_away_everybody_counts_as_heard(redis: RedisServer, clock: Clock) -> None:
    one = SharedHearing(redis.address, clock)
    one.hear("A", "bo")
    agrees(one, 0)
    clock.now += 3600
    assert one.ago("A", ["bo"]) == {"bo": 3600}
    redis.kill()
    assert one.ago("A", ["bo"]) == {"bo": 0}
    one.hear("A", "bo")  # which nobody has to wait for
    redis.start()
    clock.now += OFTEN_S
    one.hear("A", "bo")
    agrees(one, 0)


def test_a_redis_that_hangs_is_left_alone_for_a_while(
    redis: RedisServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every page of a seat would wait for it."""
    monkeypatch.setattr(hearing, "REST_S", PATIENCE_S)
    one = SharedHearing(redis.address, clock)
    redis.freeze()
    assert one.ago("A", ["bo"]) == {"bo": 0}
    redis.thaw()
    assert one.ago("A", ["bo"]) == {"bo": 0}
    assert redis.ask().keys() == [], "it was asked anew"
    monkeypatch.setattr(hearing, "REST_S", 0.0)
    monkeypatch.setattr(one, "_left_alone", time.monotonic())
    one.ago("A", ["bo"])
    clock.now += 60
    assert one.ago("A", ["bo"]) == {"bo": 60}


def test_nobody_is_asked_about_nobody(redis: RedisServer, clock: Clock) -> None:
    assert SharedHearing(redis.address, clock).ago("A", []) == {}
