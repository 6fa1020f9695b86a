"""A table that stands still: who may pause it and break it off, what is refused meanwhile, and what runs on anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion import log
from companion.errors import BrokenOff, CompanionError, GameOver, HostOnly, NotYours, Paused
from companion.game import Refused
from companion.games.ubongo.moves import Rule
from companion.log import Reading, keeping
from companion.tables import halting
from companion.tables.seating import Asker
from tests.house import EXAMPLE, House, a_round, bid

pytestmark = [pytest.mark.on_both, pytest.mark.in_turn(of=2)]
Act = Callable[[Asker, str], None]


def does(house: House, code: str, phone: str, act: Act, key: str) -> None:
    with house.asks(code, phone) as asker:
        act(asker, key)


def halt(house: House, code: str) -> Any:
    return house.rows("SELECT halt FROM tables WHERE code = ?", code)[0][0]


def test_while_paused_nothing_is_entered_and_then_it_goes_on(house: House) -> None:
    code = house.open(phones={1: "bo"})
    house.move(code, "host", bid(0, 1), "first")
    does(house, code, "bo", halting.pause, "pause")
    before = house.read(code)
    tries: list[Callable[[], object]] = [
        lambda: house.move(code, "bo", bid(1, 1), "second"),
        lambda: house.take_back(code, "host", "back"),
        lambda: house.put_back(code, "host", "forward"),
        lambda: house.amend(code, "host", 2, bid(0, 2), "amend"),
    ]
    for tried in tries:
        with pytest.raises(Paused):
            tried()
    assert house.read(code).number == before.number
    does(house, code, "bo", halting.resume, "resume")
    assert halt(house, code) == ""
    assert isinstance(house.move(code, "bo", bid(1, 1), "third"), Reading)


def test_what_another_process_has_paused_is_paused_here(house: House) -> None:
    """This one remembers the table as it was; the number tells it."""
    code = house.open()
    other = house.again()
    assert isinstance(house.move(code, "host", bid(0, 1), "first"), Reading)
    does(other, code, "host", halting.pause, "pause")
    with pytest.raises(Paused):
        house.move(code, "host", bid(1, 1), "second")
    does(other, code, "host", halting.resume, "resume")
    other.close()
    assert isinstance(house.move(code, "host", bid(1, 1), "third"), Reading)


def test_each_is_entered_once(house: House) -> None:
    code = house.open()
    for place, act in enumerate((halting.pause, halting.pause, halting.resume, halting.resume, halting.break_off)):
        does(house, code, "host", act, f"act.{place}")
    assert [row[4] for row in house.entries(code)] == [
        '{"act": "paused"}', '{"act": "resume"}', '{"act": "broken_off"}',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("phone", "act", "problem"),
    [
        ("zoe", halting.pause, NotYours),
        ("zoe", halting.break_off, HostOnly),
        ("zoe", halting.resume, NotYours),
        ("bo", halting.pause, None),
        ("bo", halting.break_off, HostOnly),
        ("bo", halting.resume, None),
        ("host", halting.break_off, None),
    ],
)
def test_seats_may_pause_and_the_host_alone_breaks_off(
    house: House, phone: str, act: Act, problem: type[CompanionError] | None
) -> None:
    code = house.open(phones={1: "bo"})
    if problem is None:
        does(house, code, phone, act, "act")
        return
    with pytest.raises(problem):
        does(house, code, phone, act, "act")
    assert halt(house, code) == ""


def test_a_game_that_was_broken_off_goes_on_by_its_host_alone(house: House) -> None:
    code = house.open(phones={1: "bo"})
    does(house, code, "host", halting.break_off, "off")
    for act in (halting.pause, halting.resume):
        with pytest.raises((BrokenOff, HostOnly)):
            does(house, code, "bo", act, "bo")
    with pytest.raises(BrokenOff):
        does(house, code, "host", halting.pause, "pause")
    with pytest.raises(BrokenOff):
        house.move(code, "host", bid(0, 1), "first")
    does(house, code, "host", halting.resume, "on")
    assert isinstance(house.move(code, "host", bid(0, 1), "second"), Reading)


def test_a_finished_game_cannot_be_broken_off(house: House) -> None:
    code = house.open()
    for number in range(1, 11):
        for place, move in enumerate(a_round(number, 4)):
            assert isinstance(house.move(code, "host", move, f"{number}.{place}"), Reading)
    for act in (halting.pause, halting.break_off):
        with pytest.raises(GameOver):
            does(house, code, "host", act, act.__name__)


def test_a_game_that_was_broken_off_has_no_result(house: House) -> None:
    code = house.open()
    for place, move in enumerate(EXAMPLE["moves"]):
        house.move(code, "host", move, f"move.{place}")
    does(house, code, "host", halting.break_off, "off")
    assert house.rows("SELECT closed, result FROM tables WHERE code = ?", code) == [(None, None)]
    assert house.rows("SELECT DISTINCT rank, score FROM seatings") == [(None, None)]
    with house.asks(code, "host") as asker:
        assert list(keeping.wrong_with(asker.table)) == []
        assert len(log.record_of(asker.table)["moves"]) == len(EXAMPLE["moves"])


def at(house: House, code: str, times: dict[int, str]) -> None:
    """Say when entries were made: nobody waits for sand here."""
    for number, time in times.items():
        house.database.change(f"UPDATE entries SET at = '2026-11-20T{time}.000Z' WHERE number = {number}")


@pytest.mark.promise(19)
def test_the_glass_starts_anew_after_a_pause(house: House) -> None:
    code = house.open(game="ubongo", phones={1: "bo"}, glass_s=60)
    for place, move in enumerate(({"move": "roll", "symbol": 3}, {"move": "ubongo", "seat": 1})):
        assert isinstance(house.move(code, "host" if not place else "bo", move, f"move.{place}"), Reading)
    does(house, code, "bo", halting.pause, "pause")
    at(house, code, {2: "20:00:00", 3: "20:00:50", 4: "20:00:55"})
    later = house.again()
    does(later, code, "bo", halting.resume, "resume")
    taken = later.move(code, "bo", {"move": "place", "seat": 1, "row": 0}, "place")
    assert isinstance(taken, Reading), taken
    assert [call.seat for call in taken.play.position.calls] == [1]
    assert taken.play.position.ends_ms is not None
    cold = house.again()  # which folds it from the log
    assert cold.read(code).play.position == taken.play.position
    cold.take_back(code, "bo", "back")
    cold.take_back(code, "bo", "back again")
    assert isinstance(cold.move(code, "bo", {"move": "ubongo", "seat": 1}, "once more"), Reading)
    with cold.asks(code, "host") as asker:
        assert list(keeping.wrong_with(asker.table)) == []
        moves = log.record_of(asker.table)["moves"]
    assert moves[0]["at"] > "2026-11-20T20:01"
    for one in (later, cold):
        one.close()


def test_without_a_pause_the_sand_has_run(house: House) -> None:
    code = house.open(game="ubongo", phones={1: "bo"}, glass_s=60)
    house.move(code, "host", {"move": "roll", "symbol": 3}, "roll")
    house.move(code, "bo", {"move": "ubongo", "seat": 1}, "call")
    at(house, code, {2: "20:00:00", 3: "20:00:50"})
    later = house.again()
    refused = later.move(code, "bo", {"move": "place", "seat": 1, "row": 0}, "place")
    later.close()
    assert isinstance(refused, Refused)
    assert refused.rule is Rule.TOO_LATE


def test_between_the_rounds_no_clock_runs(house: House) -> None:
    code = house.open(game="ubongo", phones={1: "bo"})
    before = house.read(code).play
    does(house, code, "bo", halting.pause, "pause")
    does(house, code, "bo", halting.resume, "resume")
    assert house.read(code).play.position == before.position
