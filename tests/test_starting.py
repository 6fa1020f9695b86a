"""What was wrong from the start is put right: options, who begins, who sits where; every move is judged again."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given

from companion import log, record
from companion.errors import GameOver, HostOnly, KeyReused, Malformed, NotThere, Paused, Stale, StillSealed
from companion.game import Refused
from companion.games import GAMES
from companion.log import Reading, raw
from companion.play import Asked, Broken, Play
from companion.record import RecordError
from companion.tables import halting, seating, starting
from companion.tables.amending import Change
from companion.tables.starting import Meant
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables
from tests.house import House, a_round, bid, tally

each_game = pytest.mark.parametrize("key", GAMES)
SEATS = {"seat", "to", "from", "first_seat", "first_dealer"}
"""What names a seat, in any game's moves and options."""
LISTS = {"tricks", "plus", "minus", "gems", "pawns"}
"""What has something for each seat, where it is a list of numbers or of lists."""


def played(table: Table, rng: Random, most: int = 40) -> Play[Any]:
    start = record.opened(table.game, table.options, table.seats)
    return [start, *kit.play_on(table, rng, most, start)][-1]


def judged(start: Play[Any], asked: list[Asked]) -> Play[Any] | tuple[int, Any]:
    """Play moves as they would have been from the start; the number of the first that is refused, and the rule."""
    for one in asked:
        ruling = start.judge(one)
        if isinstance(ruling, Refused):
            return one.number, ruling.rule
        start = ruling
    return start


def agree(ruling: Play[Any] | Broken, plain: Play[Any] | tuple[int, Any]) -> None:
    """Compare what the amendment says with what a play from the start does."""
    if isinstance(plain, tuple):
        assert isinstance(ruling, Broken)
        assert (ruling.asked.number, ruling.refused.rule) == plain
        return
    assert isinstance(ruling, Play)
    assert (ruling.start, ruling.position) == (plain.start, plain.position)
    assert ruling.game.standing(ruling.position) == plain.game.standing(plain.position)


@pytest.mark.promise(19)
@each_game
def test_options_amended_are_as_if_they_had_been_so_from_the_start_or_the_first_move_that_breaks_is_named(
    key: str,
) -> None:
    @given(tables((key,)), tables((key,)), randoms())
    def holds(table: Table, other: Table, rng: Random) -> None:
        play = played(table, rng)
        name = rng.choice([*other.options, "first_seat", "first_dealer"])
        value = other.options.get(name, rng.randrange(table.seats))
        options = {**table.options, name: value}
        assume(name in table.game.options.fields and kit.begins(table.game, options, table.seats))
        ruling = starting.begun(play, Meant(options), ())
        start = record.opened(table.game, options, table.seats)
        agree(ruling, judged(start, [step.asked for step in play.moves()]))

    holds()


def reseated(data: dict[str, Any], order: list[int]) -> dict[str, Any]:
    """Write a move or options for another order of seats: plainly, and apart from ours."""
    told = dict(data)
    for name, value in data.items():
        if name in SEATS and value is not None:
            told[name] = order.index(value)
        if name in LISTS and isinstance(value, list) and len(value) == len(order) and not isinstance(value[0], str):
            told[name] = [value[seat] for seat in order]
    return told


@pytest.mark.promise(19)
@each_game
def test_seats_put_in_another_order_are_as_if_people_had_sat_so_from_the_start(key: str) -> None:
    @given(tables((key,)), randoms())
    def holds(table: Table, rng: Random) -> None:
        game, seats = table.game, table.seats
        play = played(table, rng)
        order = rng.sample(range(seats), seats)
        options = reseated(table.options, order)
        assume(kit.begins(game, options, seats))
        asked = []
        for step in play.moves():
            data = reseated(record.write_move(game, seats, step.asked.move), order)
            asked.append(Asked(step.asked.number, record.read_move(game, seats, data)))
        ruling = starting.begun(play, Meant(None, tuple(order)), ())
        agree(ruling, judged(record.opened(game, options, seats), asked))
        if isinstance(ruling, Play):
            assert [ruling.seat_now(seat, play) for seat in order] == list(range(seats))

    holds()


@pytest.fixture
def code(house: House) -> str:
    """Open a table of Ikebana where seats 1 and 2 have phones; three moves are made."""
    code = house.open(NAMES, {1: "bo", 2: "kit"}, "ikebana", detail="payments")
    for place, (who, move) in enumerate(zip(("host", "bo", "bo"), MOVES, strict=True)):
        assert isinstance(house.move(code, who, move, f"{place}"), Reading)
    return code


NAMES = ("Ann", "", "", "Di")
MOVES = [{"move": "keep", "seat": 0}, {"move": "refuse", "seat": 1}, {"move": "keep", "seat": 1}]


def begins_again(house: House, code: str, phone: str, key: str, meant: Meant, *later: Change) -> Reading | Broken:
    with house.asks(code, phone) as asker:
        return starting.begin_again(asker, meant, key, later)


def numbers(house: House, code: str) -> list[int]:
    return [step.asked.number for step in house.read(code).play.moves()]


def sitting(house: House, code: str) -> list[tuple[str, str | None]]:
    return house.rows(
        "SELECT name, phone FROM seatings JOIN tables ON id = table_id WHERE code = ? ORDER BY seat", code
    )


def options_of(house: House, code: str) -> Any:
    ((options,),) = house.rows("SELECT CAST(options AS TEXT) FROM tables WHERE code = ?", code)
    return json.loads(options)


def exported(house: House, code: str) -> dict[str, Any]:
    """Export the table, and replay it: it stands as the table does."""
    cold = house.again()
    with cold.app.app_context():
        table = seating.find_table(code)
        reading, written = log.read(table), log.record_of(table)
        assert raw.record(table) == written
        again = record.replay(record.read_data(json.loads(json.dumps(written))))
        assert again.refused is None
        assert again.play.position == reading.play.position
        assert list(log.keeping.wrong_with(table)) == []
    cold.close()
    return written


@pytest.mark.on_both
def test_who_begins_is_amended_with_the_moves_that_would_no_longer_hold(house: House, code: str) -> None:
    first, second, third = numbers(house, code)
    meant = Meant({"detail": "payments", "first_seat": 1})
    broken = begins_again(house, code, "host", "alone", meant)
    assert isinstance(broken, Broken)
    assert (broken.asked.number, broken.refused.rule.key) == (first, "ikebana.not_your_turn")
    assert options_of(house, code) == {"detail": "payments"}
    amended = begins_again(house, code, "host", "together", meant, Change(first, None))
    assert isinstance(amended, Reading)
    assert numbers(house, code) == [second, third]
    assert house.entries(code)[-1][1:4] == ("start", None, None)
    assert options_of(house, code) == {"detail": "payments", "first_seat": 1}
    assert [move["seat"] for move in exported(house, code)["moves"]] == [1, 1]


def test_who_begins_stays_where_neither_options_nor_seats_are_meant_otherwise(house: House) -> None:
    code = house.open(NAMES, game="ikebana", first_seat=1)
    assert isinstance(begins_again(house, code, "host", "again", Meant()), Reading)
    assert options_of(house, code) == {"first_seat": 1}


@pytest.mark.on_both
def test_beginning_again_is_taken_back_and_put_back_with_the_options(house: House, code: str) -> None:
    before = exported(house, code)
    meant = Meant({"detail": "payments", "first_seat": 1})
    begins_again(house, code, "host", "again", meant, Change(numbers(house, code)[0], None))
    after = exported(house, code)
    house.take_back(code, "host", "back")
    assert (exported(house, code), options_of(house, code)) == (before, {"detail": "payments"})
    house.put_back(code, "host", "forth")
    assert exported(house, code) == after


@pytest.mark.on_both
def test_who_is_put_elsewhere_keeps_name_phone_and_moves(house: House, code: str) -> None:
    (ann, bo, kit_, di), before = sitting(house, code), exported(house, code)
    ruling = begins_again(house, code, "host", "order", Meant(None, (0, 2, 1, 3)))
    assert isinstance(ruling, Broken)  # whom Ann paid, or who came next, was another one
    _first, second, third = numbers(house, code)
    refuse = {"move": "refuse", "seat": 1}
    later = [Change(second, refuse), Change(third, {"move": "keep", "seat": 1})]
    ruling = begins_again(house, code, "host", "order and moves", Meant(None, (0, 2, 1, 3)), *later)
    assert isinstance(ruling, Reading)
    assert sitting(house, code) == [ann, kit_, bo, di]
    assert exported(house, code)["players"] == ["Ann", "Kit", "Bo", "Di"]
    with house.asks(code, "bo") as asker:
        assert asker.seat == 2
    house.take_back(code, "host", "back")
    assert sitting(house, code) == [ann, bo, kit_, di]
    assert exported(house, code) == before
    house.put_back(code, "host", "forth")
    assert sitting(house, code) == [ann, kit_, bo, di]


@pytest.mark.on_both
def test_the_same_key_counts_once_and_another_body_is_refused(house: House, code: str) -> None:
    meant = Meant({"detail": "payments", "wild": "none"})
    one = begins_again(house, code, "host", "key", meant)
    two = begins_again(house, code, "host", "key", meant)
    assert isinstance(one, Reading)
    assert isinstance(two, Reading)
    assert (one.number, one.play.position) == (two.number, two.play.position)
    with pytest.raises(KeyReused):
        begins_again(house, code, "host", "key", Meant({"detail": "payments"}))
    kept = json.loads(house.entries(code)[-1][4])
    assert kept["asked"] == {**meant.data, "later": []}, "by it the key is known, of an older release as well"


@pytest.mark.parametrize(
    ("meant", "later", "problem"),
    [
        (Meant({"detail": "loud"}), (), RecordError),
        (Meant({"first_seat": 9}), (), RecordError),
        (Meant({"colour": "red"}), (), RecordError),
        (Meant(None, (0, 1, 2)), (), Malformed),
        (Meant(None, (0, 1, 2, 2)), (), Malformed),
        (Meant(None, (0, 1, 2, 3, 0)), (), Malformed),
        (Meant(None, (0, True, 2, 3)), (), Malformed),
        (Meant(None, (0, 1, 2, "3")), (), Malformed),  # type: ignore[arg-type]
        (Meant(), (Change(99, None),), NotThere),
        (Meant(), (Change(5, {"move": "dance"}),), RecordError),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(
    house: House, code: str, meant: Meant, later: tuple[Change, ...], problem: type[Exception]
) -> None:
    before = house.entries(code)
    with pytest.raises(problem):
        begins_again(house, code, "host", "key", meant, *later)
    assert house.entries(code) == before


@pytest.mark.parametrize("phone", ["bo", "stranger"])
def test_only_the_host_begins_again(house: House, code: str, phone: str) -> None:
    with pytest.raises(HostOnly):
        begins_again(house, code, phone, "key", Meant({}))


def test_who_has_handed_the_table_over_meanwhile_does_not_begin_again(house: House, code: str) -> None:
    with house.asks(code, "host") as slow:
        assert slow.is_host
        with house.asks(code, "host") as asker:
            seating.hand_over(asker, 1, "over")
        with pytest.raises(HostOnly):
            starting.begin_again(slow, Meant({}), "late")


@pytest.fixture
def quicker(house: House, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Kit move once the table was read, and before anything is decided."""
    entered = log.entry_with_key

    def moves(table: Any, key: str) -> Any:
        assert isinstance(house.move(code, "kit", {"move": "keep", "seat": 2}, "quick"), Reading)
        return entered(table, key)

    monkeypatch.setattr(log, "entry_with_key", moves)


@pytest.mark.usefixtures("quicker")
def test_a_move_that_is_made_meanwhile_is_not_lost_to_another_order(house: House, code: str) -> None:
    with pytest.raises(Stale):
        begins_again(house, code, "host", "order", Meant(None, (0, 1, 2, 3)))
    assert len(numbers(house, code)) == 4
    assert isinstance(begins_again(house, code, "host", "again", Meant(None, (0, 1, 2, 3))), Reading)


@pytest.mark.usefixtures("quicker")
def test_a_move_that_is_made_meanwhile_holds_with_other_options_too(house: House, code: str) -> None:
    assert isinstance(begins_again(house, code, "host", "options", Meant({"detail": "payments"})), Reading)
    assert len(numbers(house, code)) == 4


def test_nothing_begins_again_while_the_table_stands_still(house: House, code: str) -> None:
    with house.asks(code, "host") as asker:
        halting.pause(asker, "pause")
    with pytest.raises(Paused):
        begins_again(house, code, "host", "key", Meant({"detail": "payments"}))


def test_nothing_begins_again_while_something_is_sealed(house: House) -> None:
    code = house.open(bidding="hidden")
    house.move(code, "host", bid(0, 3), "0")
    with pytest.raises(StillSealed):
        begins_again(house, code, "host", "key", Meant({}))
    for seat in range(1, 4):
        house.move(code, "host", bid(seat, 3), f"{seat}")
    assert isinstance(begins_again(house, code, "host", "then", Meant({"bidding": "hidden", "tie": "shared"})), Reading)


def test_a_game_that_is_over_does_not_begin_again(house: House) -> None:
    code = house.open(game="ubongo")
    counts = {"move": "count", "gems": [[1, 0, 0, 0, 0, 0]] * 4}
    assert isinstance(house.move(code, "host", counts, "count"), Reading)
    with pytest.raises(GameOver):
        begins_again(house, code, "host", "key", Meant({}))


def test_amending_and_beginning_again_go_together_over_a_whole_round(house: House) -> None:
    code = house.open(first_dealer=3)
    for place, move in enumerate(a_round(1, 4)):
        house.move(code, "host", move, f"{place}")
    tallied = numbers(house, code)[4]
    house.amend(code, "host", tallied, tally(4, 3, 2, 1), "amend")
    bids = {number: place for place, number in enumerate(numbers(house, code)[:4])}
    swapped = [Change(number, bid((place + 1) % 4, 2)) for number, place in bids.items()]
    ruling = begins_again(house, code, "host", "dealer", Meant({"first_dealer": 0}), *swapped)
    assert isinstance(ruling, Reading)
    written = exported(house, code)
    assert [move.get("seat") for move in written["moves"]] == [1, 2, 3, 0, None]
    assert written["moves"][4]["tricks"] == [4, 3, 2, 1]
