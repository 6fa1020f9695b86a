"""The time that entries bear: it does not jump while somebody measures by it."""

from __future__ import annotations

from datetime import datetime

from companion.log.clock import HELD_S, Clock
from tests.clocks import Clock as Set


class Both:
    """The clock on the wall, and what nobody sets; both go on evenly, but for a jump of the one."""

    def __init__(self) -> None:
        self.steady = Set()
        self.ahead = 1_800_000_000.0
        self.clock = Clock(lambda: self.steady.now + self.ahead, self.steady)

    def tells(self) -> float:
        """Tell the seconds since the wall began."""
        return datetime.fromisoformat(self.clock.now()).timestamp() - 1_800_000_000.0 - 1_000_000.0


def test_it_is_the_clock_on_the_wall_while_nobody_measures_by_it() -> None:
    both = Both()
    assert both.clock.now() == "2027-01-26T21:46:40.000Z"
    for ahead, told in ((300.0, 301.0), (-300.0, 2.0)):
        both.steady.now += 1
        both.ahead += ahead
        assert both.tells() == told


def test_who_measures_from_the_start_begins_as_the_wall_has_it() -> None:
    both = Both()
    both.clock.hold()
    both.steady.now += 1
    assert both.tells() == 1


def test_it_goes_on_evenly_while_somebody_does() -> None:
    both = Both()
    both.tells()
    both.clock.hold()
    for ahead in (300.0, -4_000.0):
        both.ahead += ahead
        before = both.tells()
        both.steady.now += 60
        assert both.tells() == before + 60
    both.steady.now += HELD_S - 121
    both.clock.hold()
    both.steady.now += HELD_S - 1
    assert both.tells() == 2 * HELD_S - 2


def test_whoever_shares_it_goes_on_as_evenly_also_who_comes_later() -> None:
    """Workers of one server: each had its own, and sand that ran at one table was seen by two of them."""
    both, memory = Both(), bytearray(16)
    both.clock.share(memory)
    other = Clock(both.clock.wall, both.steady)
    other.share(memory)
    other.hold()
    told = both.tells()
    for ahead in (300.0, -4_000.0):
        both.ahead += ahead
        later = Clock(both.clock.wall, both.steady)
        later.share(memory)
        assert later.now() == other.now() == both.clock.now()
        assert both.tells() == told
    both.steady.now += HELD_S
    assert both.tells() == told + HELD_S - 3_700


def test_it_is_right_again_when_nobody_has_done_so_for_a_while() -> None:
    both = Both()
    both.tells()
    both.clock.hold()
    both.ahead += 300
    both.steady.now += HELD_S
    assert both.tells() == HELD_S + 300
