"""The bell tells everybody who listens how far a table has come, and nobody anything else."""

import threading

import pytest

from companion.push.bell import Bell, SharedBell
from tests.house import PATIENCE_S, listening
from tests.redises import RedisServer
from tests.waiting import until


@pytest.fixture(params=["in the process", "by Redis"])
def bell(request: pytest.FixtureRequest) -> Bell:
    """Give either kind: whoever listens does not see which it is."""
    if request.param == "in the process":
        return Bell()
    server: RedisServer = request.getfixturevalue("redis_server")
    return SharedBell(server.address, look=lambda codes: {})


def test_who_listens_hears_the_number(bell: Bell) -> None:
    with listening(bell, "AAAAAA"):
        assert bell.wait("AAAAAA", 0, 0) is None
        bell.ring("AAAAAA", 7)
        assert bell.wait("AAAAAA", 0, 0) == 7
        assert bell.wait("AAAAAA", 6, 0) == 7


def test_what_was_heard_already_wakes_nobody(bell: Bell) -> None:
    with listening(bell, "AAAAAA"):
        bell.ring("AAAAAA", 7)
        assert bell.wait("AAAAAA", 7, 0) is None
        bell.ring("AAAAAA", 7)
        assert bell.wait("AAAAAA", 7, 0) is None


def test_a_ring_that_is_overtaken_does_not_turn_the_number_back(bell: Bell) -> None:
    with listening(bell, "AAAAAA"):
        bell.ring("AAAAAA", 8)
        bell.ring("AAAAAA", 7)
        assert bell.wait("AAAAAA", 0, 0) == 8


def test_a_ring_is_for_one_table(bell: Bell) -> None:
    with listening(bell, "AAAAAA"), listening(bell, "BBBBBB"):
        bell.ring("AAAAAA", 7)
        assert bell.wait("BBBBBB", 0, 0) is None


def test_a_ring_between_listening_and_waiting_is_not_missed(bell: Bell) -> None:
    with listening(bell, "AAAAAA"):
        threading.Thread(target=bell.ring, args=("AAAAAA", 1)).start()
        assert bell.wait("AAAAAA", 0, PATIENCE_S) == 1


def test_nothing_is_kept_of_tables_that_nobody_listens_to(bell: Bell) -> None:
    bell.ring("AAAAAA", 7)
    with listening(bell, "AAAAAA"):
        assert bell.wait("AAAAAA", 0, 0) is None
        bell.ring("AAAAAA", 8)
        with listening(bell, "AAAAAA"):
            assert bell.listeners == 2
        assert bell.wait("AAAAAA", 0, 0) == 8
    assert bell.listeners == 0
    assert (len(bell._ropes), len(bell._phones)) == (0, 0)


def failed_listening(bell: Bell) -> None:
    with listening(bell, "AAAAAA"):
        raise OSError("the phone is gone")


def test_a_listener_that_breaks_off_is_counted_out(bell: Bell) -> None:
    with pytest.raises(OSError, match="gone"):
        failed_listening(bell)
    assert bell.listeners == 0


def test_one_ring_wakes_everybody_who_waits(bell: Bell) -> None:
    heard: list[int | None] = []
    threads = [
        threading.Thread(target=lambda: heard.append(bell.wait("AAAAAA", 0, PATIENCE_S / 4)), daemon=True)
        for _ in range(20)
    ]
    with listening(bell, "AAAAAA"):
        for thread in threads:
            thread.start()
        waiters = bell._ropes["AAAAAA"].changed._waiters  # type: ignore[attr-defined]
        until(lambda: len(waiters) == len(threads))
        bell.ring("AAAAAA", 1)
        for thread in threads:
            thread.join()
    assert heard == [1] * 20


@pytest.mark.parametrize("listeners", [1, 60])
def test_everybody_reaches_the_last_number_however_many_ring_and_listen(bell: Bell, listeners: int) -> None:
    """What a stream does: hear, look, wait again; every number heard is higher than the one before."""
    last, ready = 500, threading.Barrier(listeners + 1)
    heard: dict[int, list[int]] = {who: [0] for who in range(listeners)}

    def listen(who: int) -> None:
        with listening(bell, "AAAAAA"):
            ready.wait()
            while heard[who][-1] < last:
                number = bell.wait("AAAAAA", heard[who][-1], PATIENCE_S)
                assert number is not None
                heard[who].append(number)

    threads = [threading.Thread(target=listen, args=(who,)) for who in range(listeners)]
    for thread in threads:
        thread.start()
    ready.wait()
    ringers = [
        threading.Thread(
            target=lambda part: [bell.ring("AAAAAA", n) for n in range(1, last + 1) if n % 4 == part], args=(part,)
        )
        for part in range(4)
    ]
    for thread in ringers:
        thread.start()
    for thread in [*ringers, *threads]:
        thread.join()
    for numbers in heard.values():
        assert numbers[-1] == last
        assert numbers == sorted(set(numbers))
    assert bell.listeners == 0
