"""Who sits where: tables are opened and found, seats are taken, left, freed and named."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from companion import log, record
from companion.errors import (
    BadName,
    CompanionError,
    HostOnly,
    KeyReused,
    Locked,
    NoSuchTable,
    NotThere,
    NotYours,
    Seated,
    SeatTaken,
)
from companion.games import GAMES
from companion.push.bell import bell
from companion.record import RecordError
from companion.tables import holders, noting, onward, opening, returning, seating
from companion.tables.seating import hashed
from companion.tables.starting import Meant, begin_again
from tests.house import EXAMPLE, FOUR, House, a_record, a_round, listening, secret

pytestmark = [pytest.mark.on_both, pytest.mark.in_turn(of=2)]

Act = Callable[[seating.Asker], Any]


def asked(house: House, code: str, phone: str, act: Act) -> None:
    with house.asks(code, phone) as asker:
        act(asker)


def sit(seat: int, name: str = "Zoe", key: str = "sit") -> Act:
    return lambda asker: seating.sit_down(asker, seat, name, key)


def seats(house: House, code: str) -> list[tuple[str, str | None]]:
    """List (name, phone) of each seat."""
    phones = {hashed(secret(phone)): phone for phone in ("host", "ann", "bo", "zoe")}
    with house.asks(code, "nobody") as asker:
        return [(seat.name, phones.get(seat.phone or "")) for seat in asker.table.seatings]


def kinds(house: House, code: str) -> list[tuple[str, Any]]:
    """List (kind, data) of each entry."""
    with house.asks(code, "nobody") as asker:
        return [(entry.kind, entry.data) for entry in log.entries(asker.table)]


def test_a_table_gets_a_code_of_six_that_nobody_mistakes(house: House) -> None:
    codes = {house.open() for _ in range(50)}
    assert len(codes) == 50
    assert all(len(code) == 6 and set(code) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for code in codes)


def test_a_table_keeps_its_names_clean_and_only_the_options_that_differ(house: House) -> None:
    code = house.open([" Anna  B ", "", "C\u202e"], bidding="hidden", durch=False, first_dealer=1)
    with house.asks(code, "host") as asker:
        assert [seat.name for seat in asker.table.seatings] == ["Anna B", "", "C"]
        assert asker.table.options == {"bidding": "hidden", "first_dealer": 1}
        assert asker.is_host


@pytest.mark.parametrize(
    ("names", "options", "place"),
    [
        (FOUR[:2], {}, "players"),
        (FOUR * 3, {}, "players"),
        (FOUR, {"bidding": "loud"}, "options.bidding"),
        (FOUR, {"colour": "red"}, "options.colour"),
        (FOUR, {"first_dealer": 4}, "options.first_dealer"),
    ],
)
def test_a_table_that_cannot_be_is_not_opened(
    house: House, names: list[str], options: dict[str, Any], place: str
) -> None:
    with pytest.raises(RecordError) as error:
        house.open(names, **options)
    assert error.value.place == place
    assert house.rows("SELECT * FROM tables") == []


def test_a_table_with_a_name_that_cannot_be_is_not_opened(house: House) -> None:
    with pytest.raises(BadName):
        house.open(["Anna", "B" * 25, "C"])
    assert house.rows("SELECT * FROM tables") == []


def test_a_table_is_found_however_its_code_is_typed(house: House) -> None:
    code = house.open()
    typed = code.lower().replace("0", "o").replace("1", "l")
    with house.app.app_context():
        for text in (code, code.lower(), typed, f" {code[:3]}-{code[3:]} ", typed.upper()):
            assert seating.find_table(text).code == code


@pytest.mark.parametrize(
    "text",
    ["", "000000", "ABC", "U" * 6, "' OR 1=1", "\x00" * 6, "\ud800" * 6, "é" * 6, "0" * 100_000, "٣" * 6, "\u017f" * 6],
)
def test_an_unknown_code_finds_nothing(house: House, text: str) -> None:
    with house.app.app_context(), pytest.raises(NoSuchTable):
        seating.find_table(text)


def test_who_sits_down_has_the_seat_and_gives_it_a_name(house: House) -> None:
    code = house.open(["", "Bohdan", ""])
    asked(house, code, "zoe", sit(0, " Zoe "))
    assert seats(house, code) == [("Zoe", "zoe"), ("Bohdan", None), ("", None)]
    assert house.entries(code)[-1][1:4] == ("seat", 0, 0)
    with house.asks(code, "zoe") as asker:
        assert (asker.seat, asker.seats, asker.is_host) == (0, [0], False)
    with house.asks(code, "host") as asker:
        assert (asker.seat, asker.seats) == (None, [1, 2])


def test_who_has_sat_down_sees_it_at_once(house: House) -> None:
    with house.asks(house.open(), "bo") as asker:
        assert asker.table.seatings[1].phone is None
        seating.sit_down(asker, 1, "", "sits")
        assert asker.table.seatings[1].phone == asker.phone


def test_a_seat_that_has_a_name_keeps_it(house: House) -> None:
    code = house.open()
    asked(house, code, "zoe", sit(1, "Zoe"))
    assert seats(house, code)[1] == ("Bohdan", "zoe")


def test_a_taken_seat_stays_with_its_phone(house: House) -> None:
    code = house.open(phones={1: "bo"})
    with pytest.raises(SeatTaken):
        asked(house, code, "zoe", sit(1))
    with pytest.raises(SeatTaken):
        asked(house, code, "host", sit(1))
    assert seats(house, code)[1] == ("Bohdan", "bo")


def test_a_phone_has_one_seat(house: House) -> None:
    code = house.open(phones={1: "bo"})
    with pytest.raises(Seated):
        asked(house, code, "bo", sit(2))
    entries = house.entries(code)
    asked(house, code, "bo", sit(1, key="again"))
    assert house.entries(code) == entries


def test_a_phone_has_one_seat_also_when_it_asks_for_two_at_once(house: House) -> None:
    code = house.open()
    with house.asks(code, "zoe") as slow:
        assert slow.seat is None
        asked(house, code, "zoe", sit(2, key="quick"))
        with pytest.raises(Seated):
            seating.sit_down(slow, 0, "Zoe", "slow")
    assert [phone for _, phone in seats(house, code)] == [None, None, "zoe", None]


def test_a_table_that_was_locked_meanwhile_admits_nobody(house: House) -> None:
    code = house.open()
    with house.asks(code, "zoe") as slow:
        assert not slow.table.is_locked
        asked(house, code, "host", lambda asker: seating.lock(asker, True, "lock"))
        with pytest.raises(Locked):
            seating.sit_down(slow, 0, "Zoe", "slow")


@pytest.mark.parametrize("seat", [-1, 4, 99, 10**20])
def test_there_are_no_other_seats(house: House, seat: int) -> None:
    code = house.open()
    for act in (
        sit(seat),
        lambda asker: seating.rename(asker, seat, "Zoe", "k"),
        lambda asker: seating.free(asker, seat, "k"),
    ):
        with pytest.raises(NotThere):
            asked(house, code, "host", act)


def test_a_nameless_seat_needs_a_name(house: House) -> None:
    code = house.open(["", "", ""])
    with pytest.raises(BadName):
        asked(house, code, "zoe", sit(0, "\u200b \u202e"))
    assert seats(house, code)[0] == ("", None)


def test_a_locked_table_admits_nobody_but_its_host(house: House) -> None:
    code = house.open()
    asked(house, code, "host", lambda asker: seating.lock(asker, True, "lock"))
    with pytest.raises(Locked):
        asked(house, code, "zoe", sit(0))
    asked(house, code, "host", sit(0, key="host"))
    asked(house, code, "host", lambda asker: seating.lock(asker, False, "unlock"))
    asked(house, code, "zoe", sit(1, key="zoe"))
    assert [phone for _, phone in seats(house, code)] == ["host", "zoe", None, None]
    assert [data["act"] for _kind, data in kinds(house, code)] == ["lock", "sit", "unlock", "sit"]


@pytest.mark.parametrize(
    ("phones", "is_locked", "is_over", "has_room"),
    [
        ({}, False, False, True),
        ({0: "host", 1: "bo", 2: "zoe"}, False, False, True),
        ({0: "host", 1: "bo", 2: "zoe", 3: "ann"}, False, False, False),
        ({1: "bo"}, True, False, False),
        ({1: "bo"}, False, True, False),
    ],
)
def test_there_is_room_while_a_seat_has_no_phone_and_nothing_is_closed(
    house: House, phones: dict[int, str], is_locked: bool, is_over: bool, has_room: bool
) -> None:
    code = house.open(phones=phones, game="ubongo")
    if is_locked:
        asked(house, code, "host", lambda asker: seating.lock(asker, True, "lock"))
    if is_over:
        house.move(code, "host", {"move": "count", "gems": [[1, 0, 0, 0, 0, 0]] * 4}, "count")
    with house.asks(code, "nobody") as asker:
        assert seating.has_room(asker.table) == has_room


@pytest.mark.promise(9)
def test_of_many_phones_at_once_one_gets_the_seat(house: House) -> None:
    code = house.open(["", "", ""])
    outcomes: list[str] = []
    start = threading.Barrier(20)

    def rush(who: int) -> None:
        start.wait()
        try:
            asked(house, code, f"phone{who}", sit(0, f"Name {who}", f"key {who}"))
            outcomes.append("sits")
        except CompanionError as error:
            outcomes.append(error.key)

    threads = [threading.Thread(target=rush, args=(who,)) for who in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["seat_taken"] * 19 + ["sits"]
    (entry,) = house.entries(code)
    assert seats(house, code)[0][0] == f"Name {entry[-1].split()[1]}"


def test_who_stands_up_leaves_the_seat_to_the_host_and_the_name_to_the_seat(house: House) -> None:
    code = house.open(phones={1: "bo"})
    asked(house, code, "bo", lambda asker: seating.stand_up(asker, "up"))
    assert seats(house, code)[1] == ("Bohdan", None)
    with house.asks(code, "host") as asker:
        assert asker.seats == [0, 1, 2, 3]
    with pytest.raises(NotYours):
        asked(house, code, "bo", lambda asker: seating.stand_up(asker, "up again"))


def test_the_host_frees_a_seat_for_another_phone(house: House) -> None:
    code = house.open(phones={1: "bo"})
    asked(house, code, "host", lambda asker: seating.free(asker, 1, "free"))
    asked(house, code, "zoe", sit(1))
    assert seats(house, code)[1] == ("Bohdan", "zoe")


def test_who_stands_up_late_does_not_unseat_who_came_after(house: House) -> None:
    code = house.open(phones={1: "bo"})
    with house.asks(code, "bo") as slow:
        assert slow.seat == 1
        asked(house, code, "host", lambda asker: seating.free(asker, 1, "free"))
        asked(house, code, "zoe", sit(1))
        with pytest.raises(NotYours):
            seating.stand_up(slow, "late")
    assert seats(house, code)[1] == ("Bohdan", "zoe")


@pytest.mark.parametrize("phone", ["bo", "stranger"])
def test_only_the_host_frees_seats_and_locks_the_table(house: House, phone: str) -> None:
    code = house.open(phones={1: "bo", 2: "zoe"})
    for act in (lambda asker: seating.free(asker, 2, "k"), lambda asker: seating.lock(asker, True, "lock")):
        with pytest.raises(HostOnly):
            asked(house, code, phone, act)
    assert seats(house, code)[2] == ("Katka", "zoe")


def test_a_name_is_changed_by_its_seat_or_the_host(house: House) -> None:
    code = house.open(phones={1: "bo", 2: "zoe"})
    asked(house, code, "bo", lambda asker: seating.rename(asker, 1, " Bo ", "1"))
    asked(house, code, "host", lambda asker: seating.rename(asker, 2, "Zoë", "2"))
    for phone in ("bo", "stranger"):
        with pytest.raises(NotYours):
            asked(house, code, phone, lambda asker: seating.rename(asker, 2, "Villain", "3"))
    with pytest.raises(BadName):
        asked(house, code, "bo", lambda asker: seating.rename(asker, 1, " ", "4"))
    asked(house, code, "bo", lambda asker: seating.rename(asker, 1, "Bo", "the same"))
    assert kinds(house, code)[2:] == [("seat", {"act": "rename", "name": name}) for name in ("Bo", "Zoë")]
    assert [name for name, _ in seats(house, code)] == ["Anna", "Bo", "Zoë", "Dalibor"]


def test_every_change_of_seats_is_an_entry_that_rings_the_bell_and_counts_once(house: House) -> None:
    code = house.open()
    acts: list[tuple[str, Act]] = [
        ("bo", sit(1, key="1")),
        ("bo", lambda asker: seating.rename(asker, 1, "Bo", "2")),
        ("bo", lambda asker: seating.stand_up(asker, "3")),
        ("zoe", sit(1, key="4")),
        ("host", lambda asker: seating.free(asker, 1, "5")),
    ]
    with house.app.app_context(), listening(bell(), code):
        for number, (phone, act) in enumerate(acts, start=1):
            asked(house, code, phone, act)
            assert bell().wait(code, number - 1, 0) == number
            asked(house, code, phone, act)
    assert [(kind, by, key) for _, kind, _, by, _, key in house.entries(code)] == [
        ("seat", 1, "1"),
        ("seat", 1, "2"),
        ("seat", 1, "3"),
        ("seat", 1, "4"),
        ("seat", None, "5"),
    ]
    assert [data["act"] for _kind, data in kinds(house, code)] == ["sit", "rename", "stand", "sit", "free"]


def test_a_seat_tells_whether_the_host_took_it_away_from_the_phone_before(house: House) -> None:
    code = house.open(phones={1: "bo", 2: "kit"})

    def freed() -> list[bool]:
        with house.asks(code, "nobody") as asker:
            return [holders.was_freed(asker.table, seat) for seat in range(4)]

    assert freed() == [False] * 4
    asked(house, code, "host", lambda asker: seating.free(asker, 1, "free"))
    assert freed() == [False, True, False, False]
    asked(house, code, "host", lambda asker: seating.rename(asker, 1, "Bob", "name"))
    asked(house, code, "zoe", sit(1, key="sits"))
    assert freed() == [False, True, False, False]
    asked(
        house, code, "zoe at another address", lambda asker: returning.come_back(asker, hashed(secret("zoe")), "back")
    )
    assert freed() == [False, True, False, False]
    asked(house, code, "zoe at another address", lambda asker: seating.stand_up(asker, "stands"))
    assert freed() == [False] * 4
    before = house.entries(code)
    asked(house, code, "host", lambda asker: seating.free(asker, 1, "again"))
    assert house.entries(code) == before, "nobody was there"


def test_a_freed_seat_is_known_where_its_people_sit_now(house: House) -> None:
    code = house.open(phones={1: "bo", 2: "kit"})

    def freed() -> list[bool]:
        with house.asks(code, "nobody") as asker:
            return [holders.was_freed(asker.table, seat) for seat in range(4)]

    def ordered(*order: int) -> None:
        with house.asks(code, "host") as asker:
            begin_again(asker, Meant(order=order), f"order {order}")

    asked(house, code, "host", lambda asker: seating.free(asker, 1, "free"))
    ordered(0, 2, 1, 3)
    assert [name for name, _ in seats(house, code)] == ["Anna", "Katka", "Bohdan", "Dalibor"]
    assert freed() == [False, False, True, False]
    asked(house, code, "zoe", sit(2, key="sits"))
    assert freed() == [False, False, True, False]
    asked(house, code, "kit", lambda asker: seating.stand_up(asker, "stands"))
    ordered(3, 0, 1, 2)
    assert [name for name, _ in seats(house, code)] == ["Dalibor", "Anna", "Katka", "Bohdan"]
    assert freed() == [False, False, False, True]
    house.take_back(code, "host", "back")
    assert freed() == [False, False, True, False]


def test_a_freed_seat_is_known_though_the_game_is_installed_no_more(house: House) -> None:
    code = house.open(phones={1: "bo"})
    asked(house, code, "host", lambda asker: seating.free(asker, 1, "free"))
    cold = house.again()
    with cold.asks(code, "nobody") as asker:
        asker.table.game = "gone"
        assert holders.was_freed(asker.table, 1)
    cold.close()


def test_seats_are_told_apart_from_moves_where_a_game_was_begun_otherwise(house: House) -> None:
    quiet, busy = house.open(), house.open(phones={1: "bo"})
    house.move(busy, "host", {"move": "bid", "seat": 0, "tricks": 1}, "bid")
    asked(house, busy, "host", lambda asker: seating.free(asker, 1, "free"))
    house.move(busy, "host", {"move": "bid", "seat": 1, "tricks": 1}, "bid too")
    asked(house, busy, "host", lambda asker: seating.rename(asker, 0, "An", "name"))
    for code, freed in ((quiet, []), (busy, [1])):
        for options in ({}, {"tie": "shared"}):
            with house.asks(code, "host") as asker:
                assert [seat for seat in range(4) if holders.was_freed(asker.table, seat)] == freed
                begin_again(asker, Meant({"tie": "shared", **options}), "begins")
            with house.asks(code, "host") as asker:
                assert [seat for seat in range(4) if holders.was_freed(asker.table, seat)] == freed


def test_a_key_is_not_used_for_two_different_changes(house: House) -> None:
    code = house.open(phones={1: "bo"})
    asked(house, code, "bo", lambda asker: seating.rename(asker, 1, "Bo", "same"))
    for act in (
        lambda asker: seating.rename(asker, 1, "Bob", "same"),
        lambda asker: seating.stand_up(asker, "same"),
    ):
        with pytest.raises(KeyReused):
            asked(house, code, "bo", act)
    assert seats(house, code)[1] == ("Bo", "bo")


def test_what_was_entered_is_answered_as_the_first_time_though_who_asks_is_the_host_no_more(house: House) -> None:
    code = house.open(phones={1: "bo", 2: "kit"})
    acts: list[Act] = [
        lambda asker: seating.free(asker, 2, "1"),
        lambda asker: seating.lock(asker, True, "2"),
        lambda asker: seating.teach(asker, True, "3"),
        lambda asker: noting.describe(asker, noting.Notes("Klub"), "4"),
        lambda asker: seating.hand_over(asker, 1, "5"),
    ]
    for act in acts:
        asked(house, code, "host", act)
    entries = house.entries(code)
    assert len(entries) == 2 + len(acts)
    for act in acts:
        asked(house, code, "host", act)
    for act in (
        lambda asker: seating.free(asker, 1, "6"),
        lambda asker: seating.lock(asker, False, "7"),
        lambda asker: seating.teach(asker, False, "8"),
        lambda asker: noting.describe(asker, noting.Notes("Home"), "9"),
    ):
        with pytest.raises((HostOnly, NotYours)):
            asked(house, code, "host", act)
    assert house.entries(code) == entries


@pytest.mark.parametrize("by_name", [False, True], ids=["one's own", "by its number"])
def test_a_seat_that_was_left_stays_left_once_when_that_comes_again_from_another_seat(
    house: House, by_name: bool
) -> None:
    """Found by a simulated evening: the phone sat elsewhere by then, and was told that its key was another's."""
    code = house.open(phones={1: "bo"})
    stands: Act = lambda asker: seating.leave(asker, 1, "up") if by_name else seating.stand_up(asker, "up")  # noqa: E731
    asked(house, code, "bo", stands)
    entries = house.entries(code)
    asked(house, code, "bo", stands)
    assert house.entries(code) == entries
    asked(house, code, "bo", sit(2, key="again"))
    asked(house, code, "bo", stands)
    assert seats(house, code)[2] == ("Katka", "bo")
    assert len(house.entries(code)) == len(entries) + 1
    for act in (
        lambda asker: seating.leave(asker, 2, "up"),
        lambda asker: seating.free(asker, 1, "up"),
        lambda asker: seating.rename(asker, 2, "Bo", "up"),
    ):
        with pytest.raises(KeyReused):
            asked(house, code, "bo", act)


def imported(house: House, data: dict[str, Any]) -> tuple[str, str]:
    with house.app.app_context():
        key = secret("import")
        return opening.open_from(record.replay(record.read_data(data)), hashed(key)).code, key


def test_a_table_from_a_record_plays_on_where_the_record_ends(house: House) -> None:
    code, _ = imported(house, EXAMPLE)
    reading = house.read(code)
    assert reading.number == 5
    assert [row.n for row in reading.play.position.sheet[0].rows] == [8, 1, 12, -1]
    assert [number for number, *_ in house.entries(code)] == [1, 2, 3, 4, 5]


def test_a_table_from_a_finished_record_is_closed_with_its_result(house: House) -> None:
    code, _ = imported(house, a_record([move for number in range(1, 11) for move in a_round(number, 4)]))
    with house.asks(code, "host") as asker:
        assert asker.table.closed is not None
        assert asker.table.result is not None


def test_a_record_with_a_name_that_cannot_be_opens_nothing(house: House) -> None:
    with pytest.raises(BadName):
        imported(house, a_record([], players=["Anna", "B" * 1000, "C"]))
    assert house.rows("SELECT * FROM tables") == house.rows("SELECT * FROM entries") == []


def test_a_seat_without_a_name_stays_without_one(house: House) -> None:
    code, _ = imported(house, a_record([], players=["Anna", "", "C"]))
    assert [name for name, _ in seats(house, code)] == ["Anna", "", "C"]


def test_the_secret_of_an_imported_table_makes_a_phone_its_host(house: House) -> None:
    code, key = imported(house, EXAMPLE)
    with house.asks(code, "ann") as asker:
        assert not asker.is_host
        with pytest.raises(NotYours):
            seating.take_over(asker.table, "0" * 32, asker.phone, "guess")
        seating.take_over(asker.table, key, asker.phone, "host")
    with house.asks(code, "ann") as asker:
        assert asker.is_host
    with house.asks(code, "bo") as asker, pytest.raises(NotYours):
        seating.take_over(asker.table, key, asker.phone, "too late")
    before = house.entries(code)
    with house.asks(code, "ann") as asker:
        seating.take_over(asker.table, secret("ann"), asker.phone, "again")
    assert house.entries(code) == before


def test_whoever_is_named_otherwise_after_the_end_is_called_so_in_the_result(house: House) -> None:
    code = house.open(game="tally", rounds=1)
    for seat in range(4):
        house.move(code, "host", {"move": "enter", "seat": seat, "column": "number", "value": seat}, f"k{seat}")
    asked(house, code, "host", lambda asker: seating.rename(asker, 1, "Bob", "named"))
    with house.asks(code, "host") as asker:
        assert asker.table.result is not None
        named = [place["name"] for place in asker.table.result["standing"]]
    assert named == ["Dalibor", "Katka", "Bob", "Anna"]


def test_locking_and_a_new_host_wake_every_open_page_and_stand_in_the_log(house: House) -> None:
    code, key = imported(house, EXAMPLE)
    with house.app.app_context(), listening(bell(), code):
        number = log.read(seating.find_table(code)).number
        with house.asks(code, "ann") as asker:
            seating.take_over(asker.table, key, asker.phone, "host")
        assert bell().wait(code, number, 0) == number + 1
        asked(house, code, "ann", lambda asker: seating.lock(asker, True, "lock"))
        asked(house, code, "ann", lambda asker: seating.lock(asker, True, "again"))
        assert bell().wait(code, number, 0) == number + 2
    assert [(kind, data) for kind, data in kinds(house, code)][-2:] == [
        ("table", {"act": "host"}),
        ("table", {"act": "lock"}),
    ]


def test_the_host_hands_the_table_over_to_the_phone_of_a_seat(house: House) -> None:
    code = house.open(phones={1: "bo", 2: "zoe"})
    for phone in ("bo", "stranger"):
        with pytest.raises(HostOnly):
            asked(house, code, phone, lambda asker: seating.hand_over(asker, 1, "mine"))
    for seat in (0, 9):
        with pytest.raises(NotThere):
            asked(house, code, "host", lambda asker, seat=seat: seating.hand_over(asker, seat, "nobody"))
    asked(house, code, "host", lambda asker: seating.hand_over(asker, 1, "over"))
    asked(house, code, "bo", lambda asker: seating.hand_over(asker, 1, "to itself"))
    assert kinds(house, code)[2:] == [("table", {"act": "host", "seat": 1})]
    for phone, is_host, acts_for in (("host", False, []), ("bo", True, [0, 1, 3]), ("zoe", False, [2])):
        with house.asks(code, phone) as asker:
            assert (asker.is_host, asker.seats) == (is_host, acts_for)


def test_a_seat_that_was_freed_meanwhile_makes_nobody_the_host(house: House) -> None:
    code = house.open(phones={1: "bo"})
    with house.asks(code, "host") as slow:
        assert slow.table.seatings[1].phone
        asked(house, code, "host", lambda asker: seating.free(asker, 1, "free"))
        with pytest.raises(NotThere):
            seating.hand_over(slow, 1, "late")


def test_people_who_go_on_find_the_next_table(house: House) -> None:
    first, second = house.open(), house.open()
    with house.asks(first, "host") as asker:
        assert onward.next_code(asker.table) is None
        following = seating.find_table(second)
        onward.go_on(asker, following, "next")
        onward.go_on(asker, following, "next")
        assert onward.next_code(asker.table) == second
    assert [kind for kind, _data in kinds(house, first)] == ["table"]
    with house.asks(first, "zoe") as asker, pytest.raises(NotYours):
        onward.go_on(asker, seating.find_table(second), "other")


def test_who_goes_on_takes_no_seat_from_whoever_has_it_there(house: House) -> None:
    first = house.open(["Anna", "Bohdan", ""], {1: "bo", 2: "ann"})
    taken, free = house.open(["Anna", "Bohdan", ""], {1: "zoe"}), house.open(["", "Anna", "Bohdan"])
    for following in (taken, free):
        with house.asks(first, "host") as asker:
            onward.go_on(asker, seating.find_table(following), f"to {following}")
    assert [phone for _, phone in seats(house, taken)] == [None, "zoe", None]
    assert seats(house, free) == [("", None), ("Anna", None), ("Bohdan", "bo")]
    with house.asks(first, "host") as asker:
        assert onward.next_code(asker.table) == free, "the last one"


def test_a_secret_is_never_in_the_database(house: House) -> None:
    code, key = imported(house, EXAMPLE)
    asked(house, code, "zoe", sit(0))
    with house.asks(code, "ann") as asker:
        seating.take_over(asker.table, key, asker.phone, "host")
    content = house.database.content()
    assert code.encode() in content
    assert key.encode() not in content
    assert secret("zoe").encode() not in content
    assert set(GAMES) >= {"rage"}
