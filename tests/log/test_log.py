"""The log keeps what it is given, in order and once, whoever else writes beside it."""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from companion import create_app, log
from companion.errors import KeyReused, NoSuchTable, NotSaved, Stale
from companion.game import Refused
from companion.log import Clash, Reading, Readings, codes, keeping, makings, raw
from companion.log.rows import db
from companion.log.unruled import LogRefused, RuledOtherwise
from companion.play import Asked
from companion.record import bare, read_move, write_move
from companion.settings import Settings
from companion.tables import referee
from tests.house import House, a_round, bid, walked

pytestmark = pytest.mark.on_both


@pytest.fixture
def other(house: House) -> Iterator[House]:
    """Give a test another process on the same database."""
    other = house.again()
    yield other
    other.close()


def entry(number: int, key: str, **more: Any) -> dict[str, Any]:
    row = {"number": number, "kind": "move", "seat": 0, "by": None, "data": bid(0, 1), "key": key, "at": log.now()}
    return {**row, "standing": None, **more}


def judged(reading: Reading, data: dict[str, Any]) -> Reading:
    play = reading.play
    after = play.judge(Asked(reading.number + 1, read_move(play.game, play.seats, data)))
    assert not isinstance(after, Refused)
    return Reading(reading.number + 1, after)


def fresh() -> log.Table:
    return log.Table(game="rage", options={}, host="host", opened=log.now())


def test_a_fresh_table_stands_at_zero(house: House) -> None:
    reading = house.read(house.open())
    assert reading.number == 0
    assert reading.play.last is None


def test_what_is_appended_is_read_back_by_any_process(house: House, other: House) -> None:
    code = house.open()
    with house.asks(code, "host") as asker:
        reading = log.read(asker.table)
        log.append(asker.table, entry(1, "one"), judged(reading, bid(0, 1)))
        assert log.read(asker.table).number == 1
    assert other.read(code).play.position == house.read(code).play.position
    assert house.entries(code) == [(1, "move", 0, None, '{"move": "bid", "seat": 0, "tricks": 1}', "one")]


def test_entries_come_in_order_and_from_a_number_on(house: House) -> None:
    code = house.open()
    for place, move in enumerate(a_round(1, 4)):
        house.move(code, "host", move, f"k{place}")
    with house.asks(code, "host") as asker:
        assert [entry.number for entry in log.entries(asker.table)] == [1, 2, 3, 4, 5]
        assert [entry.number for entry in log.entries(asker.table, after=3)] == [4, 5]
        assert log.entries(asker.table, after=5) == []


def test_a_post_that_comes_again_is_given_the_table_that_it_has_made(house: House) -> None:
    post, again = makings.post("ann", "key", b"asked"), makings.post("ann", "key", b"asked")
    with house.app.app_context():
        made = [log.open_table(fresh(), codes.fresh_codes(), post=one) for one in (post, again)]
        assert made[0].id == made[1].id
        with pytest.raises(KeyReused):
            log.open_table(fresh(), codes.fresh_codes(), post=makings.post("ann", "key", b"something else"))


def test_where_every_code_is_taken_no_table_is_opened(house: House) -> None:
    code = house.open()
    with house.app.app_context(), pytest.raises(NotSaved):
        log.open_table(fresh(), repeat(code))


def test_nothing_is_entered_at_a_table_that_was_deleted_meanwhile(house: House) -> None:
    with house.asks(house.open(), "host") as asker:
        keeping.purge([asker.table.code])
        with pytest.raises(NoSuchTable):
            referee.rule_on(asker, bid(0, 1), "one", None)


@pytest.mark.parametrize(
    ("kind", "seat", "seats", "is_closed", "is_open"),
    [
        *(("move", 1, [0], False, False), ("move", 1, [0, 1], False, True), ("move", None, [0], False, True)),
        *(("amend", 1, [0], False, False), ("amend", 1, [1], False, True), ("amend", 1, [0], True, True)),
        *(("start", 1, [0], False, False), ("start", None, [0], False, True)),
        *(("seat", 1, [0], False, True), ("take_back", 1, [0], False, True), ("move", 1, [0], True, True)),
    ],
)
def test_an_entry_that_cannot_be_judged_is_read_by_its_seat_until_the_end(
    kind: str, seat: int | None, seats: list[int], is_closed: bool, is_open: bool
) -> None:
    table = log.Table(closed=log.now() if is_closed else None)
    assert raw.is_open(table, log.Entry(kind=kind, seat=seat), seats) == is_open


def test_who_is_too_slow_again_and_again_is_told_so(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def clashes(*_about: object) -> None:
        raise Clash

    code = house.open()
    monkeypatch.setattr("companion.log.door._keep", clashes)
    with pytest.raises(Stale):
        house.move(code, "host", bid(0, 1), "one")
    assert house.entries(code) == []


def test_an_amendment_that_the_rules_do_not_take_any_more_is_refused_with_the_reason(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "one")
    with house.asks(code, "host") as asker:
        amended = log.Entry(number=2, kind="amend", data={"number": 1, "move": bid(0, 99)}, at=log.now())
        with pytest.raises(LogRefused) as caught:
            log.after(asker.table, log.read(asker.table).play, amended)
    assert str(caught.value.facts["reason"]).startswith("2: A bid is a number from 0 to 10")


def test_an_entry_is_found_by_its_key_at_its_own_table_only(house: House) -> None:
    here, there = house.open(), house.open()
    house.move(here, "host", bid(0, 1), "mine")
    with house.asks(here, "host") as asker:
        found = log.entry_with_key(asker.table, "mine")
        assert found is not None
        assert found.number == 1
        assert log.entry_with_key(asker.table, "mine ") is None
    with house.asks(there, "host") as asker:
        assert log.entry_with_key(asker.table, "mine") is None


def test_a_number_that_another_process_has_taken_is_a_clash_and_nothing_is_written(house: House, other: House) -> None:
    code = house.open()
    with house.asks(code, "host") as asker:
        table, reading = asker.table, log.read(asker.table)
        other.move(code, "host", bid(0, 3), "theirs")
        with pytest.raises(Clash):
            log.append(table, entry(1, "mine"), judged(reading, bid(0, 1)), log.Changes({"closed": log.now()}))
        assert [entry.key for entry in log.entries(table)] == ["theirs"]
        assert log.read(table).play.position.bids == (3, None, None, None)
        assert table.closed is None


def test_a_key_that_another_process_has_used_is_a_clash(house: House, other: House) -> None:
    code = house.open()
    other.move(code, "host", bid(0, 3), "same")
    with house.asks(code, "host") as asker:
        reading = log.read(asker.table)
        with pytest.raises(Clash):
            log.append(asker.table, entry(2, "same", data=bid(1, 1)), judged(reading, bid(1, 1)))
        assert log.read(asker.table).number == 1


def test_a_process_reads_on_from_what_it_knows_when_another_has_written(house: House, other: House) -> None:
    code = house.open()
    for place, move in enumerate(a_round(1, 4)):
        (house, other)[place % 2].move(code, "host", move, f"k{place}")
        assert walked(house.read(code).play) == walked(other.read(code).play)
    assert house.read(code).number == 5


def test_two_processes_that_write_at_once_lose_nothing(house: House, other: House) -> None:
    code = house.open(["Anna", "Bohdan", "Katka"], bidding="hidden")

    def write(house: House, who: str) -> None:
        for turn in range(20):
            house.move(code, "host", bid(turn % 2, turn % 11), f"{who}.{turn}")

    threads = [threading.Thread(target=write, args=(app, f"{i}")) for i, app in enumerate([house, other] * 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = house.entries(code)
    assert [number for number, *_ in entries] == list(range(1, 81))
    assert {key for *_, key in entries} == {f"{who}.{turn}" for who in range(4) for turn in range(20)}
    for who in range(4):
        assert [key for *_, key in entries if key.startswith(f"{who}.")] == [f"{who}.{turn}" for turn in range(20)]
    cold = house.again()
    assert walked(cold.read(code).play) == walked(house.read(code).play) == walked(other.read(code).play)
    cold.close()


def test_a_table_that_is_stored_with_a_log_is_there_with_all_of_it_or_not_at_all(house: House) -> None:
    with house.app.app_context():
        table = log.Table(code="AAAAAA", game="rage", options={}, host="h", is_locked=False, opened=log.now())
        table.seatings = [log.Seating(seat=seat, name="") for seat in range(4)]
        twice = [entry(1, "a"), entry(1, "b")]
        assert not log.add(table, twice)
        assert log.find("AAAAAA") is None
    assert house.rows("SELECT * FROM tables") == house.rows("SELECT * FROM seatings") == []
    assert house.rows("SELECT * FROM entries") == []


def test_a_code_that_is_taken_is_not_given_twice(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "CODE_LENGTH", 1)
    monkeypatch.setattr(codes, "CROCKFORD", "0123")
    assert {house.open() for _ in range(4)} == set("0123")


def finish(house: House, code: str) -> None:
    for number in range(1, 11):
        for place, move in enumerate(a_round(number, 4)):
            assert not isinstance(house.move(code, "host", move, f"{number}.{place}"), Refused)


def test_the_result_is_stored_when_the_game_ends_and_removed_when_the_end_is_taken_back(house: House) -> None:
    code = house.open()
    finish(house, code)
    with house.asks(code, "host") as asker:
        assert asker.table.closed is not None
        assert asker.table.result is not None
        assert [place["rank"] for place in asker.table.result["standing"]] == [1, 1, 1, 4]
        assert asker.table.result["summary"] == log.game_of(asker.table).summary(log.read(asker.table).play.position)
    house.take_back(code, "host", "back")
    with house.asks(code, "host") as asker:
        assert asker.table.closed is None
        assert asker.table.result is None
    house.put_back(code, "host", "again")
    with house.asks(code, "host") as asker:
        assert asker.table.closed is not None


def test_the_result_goes_also_when_the_end_came_while_the_take_back_waited(house: House) -> None:
    code = house.open()
    finish(house, code)
    house.take_back(code, "host", "back")
    with house.asks(code, "host") as slow:
        assert slow.table.closed is None
        house.put_back(code, "host", "again")
        referee.take_back(slow, "and back")
    with house.asks(code, "host") as asker:
        assert asker.table.result is None


def test_a_table_is_never_older_than_its_log(house: House) -> None:
    """Another thread reads on while this request has already looked at the table."""
    code = house.open()
    finish(house, code)
    house.take_back(code, "host", "back")
    with house.asks(code, "host") as asker:
        assert asker.table.closed is None
        thread = threading.Thread(target=lambda: house.put_back(code, "host", "again"))
        thread.start()
        thread.join()
        reading = log.read(asker.table)
        assert (reading.number, reading.play.redo) == (len(house.entries(code)), None)
        assert asker.table.closed is not None
        assert [seating.rank for seating in asker.table.seatings] == [4, 1, 1, 1]


def test_a_table_that_memory_has_given_and_another_process_has_led_on_is_read_and_not_kept(
    house: House, other: House
) -> None:
    """Its columns say how the game ended, and the end has been taken back."""
    code = house.open()
    finish(house, code)
    house.read(code)
    with house.app.app_context():
        known = log.remembered(code)
        assert known
        other.take_back(code, "host", "back")
        reading = log.read(known[0])
        assert reading.number == known[1].number + 1
        assert not reading.play.game.standing(reading.play.position).is_finished
        assert log.remembered(code) is None
    assert house.read(code).play.position == other.read(code).play.position


def test_a_table_whose_result_was_ruled_otherwise_is_frozen_for_whoever_reads_it_first(house: House) -> None:
    code = house.open()
    finish(house, code)
    with house.asks(code, "host") as asker:
        places = asker.table.result["standing"]
        asker.table.result = {**asker.table.result, "standing": [{**places[0], "score": 99}, *places[1:]]}
        db.session.commit()
    house.app.extensions["companion.readings"] = Readings()
    for read in (log.read, log.fold):
        with house.asks(code, "host") as asker, pytest.raises(RuledOtherwise) as caught:
            read(asker.table)
        assert str(caught.value.facts["reason"]).startswith("result: it stood ")


@contextmanager
def watched() -> Iterator[tuple[list[str], list[int]]]:
    """Note what the database is asked, and which entries of a log come of it."""
    asked: list[str] = []
    entries: list[int] = []
    events: list[tuple[Any, str, Callable[..., None]]] = [
        (db.engine, "before_cursor_execute", lambda *about: asked.append(about[2])),
        (log.Entry, "load", lambda entry, _context: entries.append(entry.number)),
    ]
    for each in events:
        event.listen(*each)
    yield asked, entries
    for each in events:
        event.remove(*each)


@pytest.mark.parametrize("number", [0, 4])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_table_is_read_by_one_question_whether_or_not_it_is_known(house: House, number: int, is_known: bool) -> None:
    code = house.open()
    for seat in range(number):
        house.move(code, "host", bid(seat, 1), f"k{seat}")
    house.read(code)
    if not is_known:
        house.app.extensions["companion.readings"] = Readings()
    with house.asks(code, "host") as asker, watched() as (asked, entries):
        assert log.read(asker.table).number == number
        assert len(asked) == 1
        assert entries == ([number] if is_known and number else [*range(1, number + 1)])


def test_a_table_is_found_with_its_seats_by_one_question(house: House) -> None:
    code = house.open(["Ann", "Bo", "Cy"])
    with house.app.app_context(), watched() as (asked, _entries):
        table = log.find(code)
        assert table
        assert [seating.name for seating in table.seatings] == ["Ann", "Bo", "Cy"]
        assert [statement.split()[0] for statement in asked if statement != "BEGIN"] == ["SELECT"]


def test_to_tell_a_part_of_a_log_nothing_that_comes_after_is_read(house: House) -> None:
    code = house.open()
    for seat in range(4):
        house.move(code, "host", bid(seat, 1), f"k{seat}")
    house.app.extensions["companion.readings"] = Readings()
    with house.asks(code, "host") as asker:
        with watched() as (_asked, entries):
            assert [entry.number for entry, _was, _play in log.entries_with_plays(asker.table, range(2, 3))] == [2]
        assert entries == [1, 2]
        db.session.expunge_all()
        with watched() as (_asked, entries):
            assert log.read_at(asker.table, 2).play.position.bids == (1, 1, None, None)
        assert entries == [1, 2]


def test_marks_are_at_every_so_many_entries_wherever_a_reading_goes_on(
    house: House, other: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.log.readings.MARK", 3)
    code = house.open()
    house.read(code)
    with house.asks(code, "host") as asker:
        table_id = asker.table.id
    for number in (2, 4):
        for seat in range(number - 2, number):
            other.move(code, "host", bid(seat, 1), f"k{seat}")
        house.read(code)
    marks = [house.app.extensions["companion.readings"].before(table_id, number).number for number in range(1, 6)]
    assert marks == [0, 0, 0, 3, 3]


def test_it_is_told_how_far_each_table_has_come_and_what_was_entered_since(house: House) -> None:
    code, fresh = house.open(), house.open()
    house.move(code, "host", bid(0, 1), "one")
    house.take_back(code, "host", "back")
    with house.asks(code, "host") as asker:
        assert log.newest([code, fresh, "000000"]) == {code: 2}
        assert [log.kinds(asker.table, after) for after in range(3)] == [{"move", "take_back"}, {"take_back"}, set()]


def test_a_record_says_of_the_evening_what_is_known_of_it() -> None:
    table = log.Table(code="K7QX2M", opened="2026-11-20T20:00:00.000Z", location="", title="The final")
    assert log.about(table) == {"table": "K7QX2M", "opened": "2026-11-20T20:00:00.000Z", "title": "The final"}


@pytest.mark.parametrize("leave", [log.rest, log.close])
def test_who_waits_for_long_or_ends_gives_the_connection_back(house: House, leave: Callable[[], None]) -> None:
    given_back: list[None] = []
    with house.asks(house.open(), "host"):
        event.listen(db.engine, "checkin", lambda *_: given_back.append(None))
        leave()
        assert len(given_back) == 1


def test_a_reading_is_never_replaced_by_an_older_one() -> None:
    readings = Readings()
    readings.keep(1, Reading(5, None))  # type: ignore[arg-type]
    readings.keep(1, Reading(4, None))  # type: ignore[arg-type]
    assert readings.get(1) == Reading(5, None)  # type: ignore[arg-type]


def test_marks_are_kept_once_and_in_order_and_the_last_one_before_an_entry_is_found() -> None:
    readings = Readings()
    at = {number: Reading(number, None) for number in range(1000)}  # type: ignore[arg-type]
    assert readings.before(1, 300) is None
    readings.keep(1, at[250], marks=[at[100], at[200]])
    readings.keep(1, at[299], marks=[Reading(200, None)])  # type: ignore[arg-type]
    readings.follow(1, at[300])
    readings.follow(1, at[301])
    assert [mark.number for mark in readings._known[1].marks] == [100, 200, 300]
    found = [readings.before(1, number) for number in (1, 100, 101, 200, 201, 300, 301, 999)]
    assert found == [None, None, at[100], at[100], at[200], at[200], at[300], at[300]]
    assert readings.before(2, 300) is None


@pytest.mark.in_turn(of=2)
def test_entries_after_a_mark_are_told_as_from_the_beginning(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.log.readings.MARK", 7)
    dice, code = random.Random(19), house.open()
    while (last := house.read(code).number) < 60:
        one_step(dice, house, code, f"k{last}")
    afresh = house.again()
    for first in (-5, 1, 6, 7, 8, 30, 55):
        numbers = range(first, first + 10)
        assert again(house, code, numbers) == again(afresh, code, numbers)
        with house.asks(code, "host") as asker:
            mark = house.app.extensions["companion.readings"].before(asker.table.id, first)
            assert mark.number == (first - 1) // 7 * 7 if first > 0 else mark is None
    afresh.close()


def again(house: House, code: str, numbers: range) -> list[Any]:
    """Go through some entries again."""
    with house.asks(code, "host") as asker:
        return [
            (entry.number, walked(was), walked(play))
            for entry, was, play in log.entries_with_plays(asker.table, numbers)
        ]


def test_the_readings_in_memory_are_bounded_and_the_least_used_go_first() -> None:
    readings = Readings(most=3)
    for table_id in (1, 2, 3, 1, 4):
        readings.keep(table_id, Reading(1, None))  # type: ignore[arg-type]
    assert [table_id for table_id in range(9) if readings.get(table_id)] == [1, 3, 4]


def test_locks_of_tables_that_nobody_changes_are_forgotten() -> None:
    readings = Readings()
    for table_id in range(1000):
        with readings.turn(table_id):
            assert readings.turn(table_id).locked()
    assert len(readings._turns) == 0


def test_a_table_that_has_fallen_out_of_memory_is_read_again(house: House) -> None:
    house.app.extensions["companion.readings"] = Readings(most=1)
    first, second = house.open(), house.open()
    for code in (first, second, first, second):
        reading = house.read(code)
        house.move(code, "host", bid(reading.number, 1), f"k{reading.number}")
    assert house.read(first).play.position.bids == house.read(second).play.position.bids == (1, 1, None, None)


def test_who_waits_for_a_table_holds_no_connection(house: House) -> None:
    """More posts at once than the pool has connections: else the one at work would wait for those that wait."""
    code = house.open(["Anna", "Bohdan", "Katka"], bidding="hidden")
    start, failures = threading.Barrier(60), []

    def post(who: int) -> None:
        with house.asks(code, "host"):
            pass
        start.wait()
        try:
            house.move(code, "host", bid(who % 2, 1), f"k{who}")
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=post, args=(who,)) for who in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(house.entries(code)) == 60


def locked_and_broken(table: log.Table) -> None:
    table.is_locked = True
    db.session.flush()
    raise ZeroDivisionError


def test_what_goes_wrong_while_writing_leaves_nothing_behind(house: House) -> None:
    code = house.open()
    with house.asks(code, "host") as asker:
        with pytest.raises(ZeroDivisionError), log.writing():
            locked_and_broken(asker.table)
        assert asker.table.is_locked is False
    assert house.rows("SELECT is_locked FROM tables") == [(False,)]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"bidding": "hidden"},
    {"bidding": "secret"},
    {"plus_minus_one": True, "durch": True},
    {"edition": "us", "joker_anytime": True},
]


def some_move(dice: random.Random, reading: Reading) -> dict[str, Any] | None:
    """Choose a legal move, most of them quick ways to the end of a round."""
    play = reading.play
    seats = [*range(play.seats)]
    dice.shuffle(seats)
    for seat in dice.choice([[None, *seats], [*seats, None]]):
        moves = list(islice(play.game.legal(play.position, seat), dice.choice([1, 20, 200])))
        if moves:
            return write_move(play.game, play.seats, dice.choice(moves))
    return None


def one_step(dice: random.Random, house: House, code: str, key: str) -> None:
    reading = house.read(code)
    play, before = reading.play, walked(reading.play)
    match dice.choices(["move", "take_back", "put_back", "amend"], [12, 3, 2, 2])[0]:
        case "move" if move := some_move(dice, reading):
            ruling = house.move(code, "host", move, key)
            assert not isinstance(ruling, Refused), ruling
            if dice.random() < 0.5:
                return
            house.take_back(code, "host", f"{key}.undo")
            assert walked(house.read(code).play)[:2] == before[:2]
            house.put_back(code, "host", f"{key}.redo")
            assert walked(house.read(code).play) == walked(ruling.play)
        case "take_back" if play.undo:
            house.take_back(code, "host", key)
        case "put_back" if play.redo:
            house.put_back(code, "host", key)
            assert walked(house.read(code).play)[1][1:] == before[1]
        case "amend" if play.last:
            ruled = dice.choice(play.moves()[-12:])
            if play.game.has_secrets(ruled.position):
                return
            other = some_move(dice, Reading(0, play.at(ruled.asked.number - 1)))
            if other and type(read_move(play.game, play.seats, other)) is type(ruled.asked.move):
                house.amend(code, "host", ruled.asked.number, other, key)


@pytest.mark.promise(3, 19)
@pytest.mark.parametrize("steps", [200, pytest.param(5_000, marks=pytest.mark.long)])
def test_a_cold_fold_equals_the_live_play_after_any_steps(tmp_path: Path, steps: int) -> None:
    dice = random.Random(f"steps {steps}")
    house = House(tmp_path)
    code, codes = house.open(), []
    for step in range(steps):
        if step % 150 == 0:
            code = house.open([f"P{seat}" for seat in range(dice.randint(3, 8))], **dice.choice(OPTIONS))
            codes.append(code)
        one_step(dice, house, code, f"k{step}")
        if dice.random() < 0.03:
            live = walked(house.read(code).play)
            house.close()
            house = House(tmp_path)
            assert walked(house.read(code).play) == live
    for code in codes:
        numbers = [number for number, *_ in house.entries(code)]
        assert numbers == list(range(1, len(numbers) + 1))
    assert sum(len(house.entries(code)) for code in codes) > steps / 2
    house.close()


@pytest.mark.in_turn(of=2)
def test_the_log_as_it_was_entered_has_the_moves_of_the_play(house: House) -> None:
    dice = random.Random("as entered")
    code = house.open()
    for step in range(150):
        one_step(dice, house, code, f"k{step}")
    assert {kind for _, kind, *_ in house.entries(code)} >= {"move", "take_back", "put_back", "amend"}
    play = house.read(code).play
    with house.asks(code, "host") as asker:
        entered = raw.record(asker.table)["moves"]
    assert [bare(move) for move in entered] == [
        write_move(play.game, play.seats, step.asked.move) for step in play.moves()
    ]
    assert [move["at"] for move in entered] == [step.asked.at for step in play.moves()]


@pytest.mark.parametrize(("streams", "most"), [(10, 2048), (3000, 3000)])
def test_as_many_tables_are_remembered_as_phones_may_be_connected(tmp_path: Path, streams: int, most: int) -> None:
    app = create_app(Settings(data=tmp_path, database=f"sqlite:///{tmp_path / 'a'}", secret=b"s" * 32, streams=streams))
    readings = app.extensions["companion.readings"]
    reading = Reading(1, None)  # type: ignore[arg-type]
    for table_id in range(1, most + 2):
        readings.keep(table_id, reading)
    assert [readings.get(table_id) is not None for table_id in (1, 2, most + 1)] == [False, True, True]
