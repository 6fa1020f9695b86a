"""A process remembers its busy tables: never less than it has seen, and their columns for half a minute."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.dealt import deal
from companion import log
from companion.game import Standing
from companion.games import GAMES
from companion.log import Changes, Reading, Readings
from companion.log import readings as module
from companion.log.readings import turn
from companion.log.rows import db
from companion.tables import halting, seating
from companion.tables.noting import Notes, describe
from companion.tables.seating import Asker
from companion.tables.starting import Meant, begin_again
from tests.clocks import Clock
from tests.house import House

AT = {number: Reading(number, None) for number in range(10)}  # type: ignore[arg-type]
"""Readings of a table; how it stands is nothing to who keeps them."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module.time, "monotonic", clock)
    return clock


@pytest.fixture
def readings() -> Readings:
    return Readings()


def table(title: str = "", code: str = "AAAAAA") -> log.Table:
    return log.Table(id=1, code=code, title=title)


def known(readings: Readings, code: str = "AAAAAA") -> tuple[str, int] | None:
    """Say what is remembered of a table: its title, and how far it has come."""
    found = readings.remembered(code)
    return (found[0].title, found[1].number) if found else None


@pytest.mark.parametrize(("passed_s", "title"), [(0.0, "old"), (29.5, "old"), (30.0, "new"), (30.5, "new")])
def test_columns_are_believed_for_half_a_minute_and_then_those_that_are_read_next(
    readings: Readings, clock: Clock, passed_s: float, title: str
) -> None:
    readings.keep(1, AT[3], table("old"))
    clock.now += passed_s
    assert known(readings) == (("old", 3) if title == "old" else None)
    readings.keep(1, AT[3], table("new"))
    assert known(readings) == (title, 3)
    assert readings.get(1) == AT[3]


def test_columns_that_were_read_with_an_older_reading_are_not_kept(readings: Readings, clock: Clock) -> None:
    readings.keep(1, AT[3], table("new"))
    clock.now += 60
    readings.keep(1, AT[2], table("old"))
    assert readings.get(1) == AT[3]
    assert known(readings) is None


@pytest.mark.parametrize(
    ("number", "changes", "remembered"),
    [
        (4, None, ("", 4)),
        (4, Changes({"title": "new"}), ("new", 4)),
        (5, None, None),
        (5, Changes({"title": "new"}), None),
        (3, Changes({"title": "new"}), ("", 3)),
        (2, None, ("", 3)),
    ],
)
def test_columns_stay_known_after_the_next_entry_with_what_it_has_changed_of_them(
    readings: Readings, number: int, changes: Changes | None, remembered: tuple[str, int] | None
) -> None:
    """One that comes late, after another request has read on, changes nothing."""
    readings.keep(1, AT[3], table())
    readings.follow(1, AT[number], changes)
    assert known(readings) == remembered
    assert readings.get(1) == AT[max(number, 3)]


def test_who_has_looked_at_a_table_before_it_changes_goes_on_to_see_it_as_it_was(readings: Readings) -> None:
    readings.keep(1, AT[3], table("old"))
    before = readings.remembered("AAAAAA")
    readings.follow(1, AT[4], Changes({"title": "new"}))
    assert before
    assert before[0].title == "old"


def test_columns_that_have_changed_are_believed_no_longer_than_those_that_were_read(
    readings: Readings, clock: Clock
) -> None:
    readings.keep(1, AT[3], table("old"))
    clock.now += 29
    readings.follow(1, AT[4], Changes({"title": "new"}))
    assert known(readings) == ("new", 4)
    clock.now += 1
    assert known(readings) is None


def test_most_entries_change_no_column(readings: Readings) -> None:
    readings.keep(1, AT[3], table())
    readings.follow(1, AT[4])
    assert known(readings) == ("", 4)


def test_an_entry_of_a_table_that_was_dropped_meanwhile_is_remembered_without_its_columns(readings: Readings) -> None:
    readings.follow(1, AT[4])
    assert readings.get(1) == AT[4]
    readings.follow(1, AT[5])
    assert known(readings) is None


def test_nothing_is_remembered_by_a_code_that_was_never_seen(readings: Readings) -> None:
    readings.keep(1, AT[3], table())
    assert known(readings, "BBBBBB") is None


def test_of_what_another_database_had_nothing_is_remembered(readings: Readings) -> None:
    """There the same number is another table."""
    readings.keep(1, AT[3], table("gone"))
    readings.forget_all()
    assert readings.get(1) is None
    assert not readings._asked
    readings.keep(1, AT[2], table("other", "BBBBBB"))
    assert known(readings) is None
    assert known(readings, "BBBBBB") == ("other", 2)


def test_codes_of_tables_that_are_dropped_are_forgotten() -> None:
    readings = Readings(most=3)
    for number in range(100):
        readings.keep(number, AT[1], log.Table(id=number, code=f"{number:06}", title=""))
        readings.follow(number, AT[3])
    assert len(readings._known) == len(readings._asked) == 3
    assert not readings._ids


def test_a_table_that_nobody_asks_for_is_let_go_of_while_others_play(clock: Clock) -> None:
    readings = Readings(kept_s=900)
    for table_id in (1, 2, 3, 4):
        readings.keep(table_id, AT[1])
    clock.now += 800
    readings.keep(1, AT[0])
    readings.follow(2, AT[2])
    readings.keep(3, AT[1])
    clock.now += 200
    readings.keep(5, AT[1])
    assert [table_id for table_id in range(9) if table_id in readings._known] == [1, 2, 3, 5]
    clock.now += 750
    readings.keep(5, AT[2])
    assert [*readings._known] == [5]


def test_a_reading_is_the_same_whether_or_not_it_was_looked_how_the_table_stands() -> None:
    assert Reading(3, None, Standing((), False)) == AT[3]  # type: ignore[arg-type]


def test_whoever_gets_a_turn_sees_what_was_changed_meanwhile_after_a_commit_too(house: House) -> None:
    with house.asks(house.open(), "host") as asker:
        assert not asker.table.is_locked
        db.session.commit()
        house.database.change("UPDATE tables SET is_locked = 1")
        with turn(asker.table):
            assert asker.table.is_locked


ACTS: dict[str, tuple[str, Callable[[Asker, str], object]]] = {
    "sits down": ("nobody", lambda asker, key: seating.sit_down(asker, 3, "Nora", key)),
    "is renamed": ("host", lambda asker, key: seating.rename(asker, 1, "Řehoř", key)),
    "goes": ("katka", lambda asker, key: seating.go(asker, 2, 1, key)),
    "stands up": ("bohdan", seating.stand_up),
    "locks": ("host", lambda asker, key: seating.lock(asker, True, key)),
    "is explained": ("host", lambda asker, key: seating.teach(asker, True, key)),
    "is described": ("host", lambda asker, key: describe(asker, Notes("Café Slavia", "Cup"), key)),
    "pauses": ("host", halting.pause),
    "sits otherwise": ("host", lambda asker, key: begin_again(asker, Meant(None, (1, 2, 0, 3)), key)),
    "has another option": ("host", lambda asker, key: begin_again(asker, Meant({"bidding": "open"}), key)),
    "hands the table over": ("host", lambda asker, key: seating.hand_over(asker, 2, key)),
}
"""Who does something that changes columns, and how."""


def assert_remembered(house: House, code: str) -> None:
    """What memory has of a table is what the database has, and is there without asking it."""
    with house.app.app_context():
        known = log.remembered(code)
        assert known, "an entry by this process leaves the table known"
        in_memory, stored = (
            [{column.key: getattr(row, column.key) for column in row.__table__.columns} for row in (one, *one.seatings)]
            for one in (known[0], seating.find_table(code))
        )
        assert in_memory == stored


@pytest.mark.on_both
@pytest.mark.parametrize("act", ACTS)
def test_what_is_remembered_of_a_table_is_what_was_stored(house: House, act: str) -> None:
    phone, does = ACTS[act]
    code = house.open(phones={0: "host", 1: "bohdan", 2: "katka"})
    number = house.read(code).number
    with house.asks(code, phone) as asker:
        does(asker, "k")
    assert house.app.extensions["companion.readings"].remembered(code)[1].number == number + 1
    assert_remembered(house, code)


@pytest.mark.on_both
@pytest.mark.parametrize("key", GAMES)
def test_what_is_remembered_of_a_game_that_ends_is_what_was_stored(house: House, key: str) -> None:
    (dealt,) = deal(key, 1)
    code = house.open(phones={0: "host"}, game=key, **dealt.options)
    begun = house.read(code).number
    for number, move in enumerate(dealt.moves):
        house.move(code, "host", move.data, f"{number}", begun + number)
    assert_remembered(house, code)
    for step in (house.take_back, house.put_back):
        is_over = remembered_of(house, code).closed
        step(code, "host", step.__name__)
        assert bool(remembered_of(house, code).closed) is not bool(is_over)
        assert_remembered(house, code)


def remembered_of(house: House, code: str) -> log.Table:
    """Give a table as it is remembered."""
    with house.app.app_context():
        known = log.remembered(code)
        assert known
        return known[0]
