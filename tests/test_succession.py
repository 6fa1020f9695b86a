"""A host who is heard no more: who may take the table on, who counts, and how the old host takes it back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

import pytest

from companion.errors import HostThere, NotThere, NotYours, PlayedOn
from companion.tables import seating, succession
from companion.tables.seating import hashed
from companion.tables.succession import ALONE_S, LATELY_S, SILENT_S, Ago
from tests.house import House, bid, secret

pytestmark = [pytest.mark.on_both, pytest.mark.in_turn(of=2)]
THREE = {1: "bohdan", 2: "katka", 3: "dalibor"}


def heard(host: float = SILENT_S, **others: float) -> Ago:
    """Say how long ago who was heard: the host, and others where it is not a moment ago."""
    times = {hashed(secret(phone)): seconds for phone, seconds in {"host": host, **others}.items()}

    def ago(_code: str, phones: Collection[str]) -> Mapping[str, float]:
        return {phone: times.get(phone, 0.0) for phone in phones}

    return ago


@pytest.fixture
def vote(house: House) -> Callable[..., None]:
    """Let a phone want a seat for the host."""
    count = iter(range(1000))

    def vote(code: str, phone: str, heir: int, ago: Ago) -> None:
        with house.asks(code, phone) as asker:
            succession.vote(asker, heir, ago, f"vote.{next(count)}")

    return vote


def host(house: House, code: str) -> str:
    found = [phone for phone in ("host", *THREE.values()) if house.rows(
        "SELECT 1 FROM tables WHERE code = ? AND host = ?", code, hashed(secret(phone))
    )]  # fmt: skip
    return found[0]


def reclaim(house: House, code: str, phone: str, key: str = "reclaim") -> None:
    with house.asks(code, phone) as asker:
        succession.reclaim(asker, key)


def acts(house: House, code: str) -> list[str]:
    return [row[4] for row in house.entries(code) if row[1] == "table"]


@pytest.mark.promise(15)
def test_all_who_are_there_agree_on_another_host(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones=THREE)
    vote(code, "bohdan", 1, heard())
    vote(code, "katka", 1, heard())
    assert host(house, code) == "host"
    vote(code, "dalibor", 1, heard())
    assert host(house, code) == "bohdan"
    assert len(acts(house, code)) == 4
    with house.asks(code, "bohdan") as asker:
        assert asker.is_host
        assert asker.seats == [0, 1]


def test_a_host_who_was_heard_stays_it(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones=THREE)
    with pytest.raises(HostThere):
        vote(code, "bohdan", 1, heard(host=SILENT_S - 0.5))
    with house.asks(code, "host") as asker, pytest.raises((HostThere, NotYours)):
        succession.vote(asker, 1, heard(), "host")
    assert acts(house, code) == []


def test_who_was_not_heard_in_the_last_minute_is_not_asked(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones=THREE)
    vote(code, "bohdan", 1, heard(dalibor=LATELY_S + 1))
    assert host(house, code) == "host"
    vote(code, "katka", 1, heard(dalibor=LATELY_S + 1))
    assert host(house, code) == "bohdan"


def test_who_has_fallen_silent_does_not_become_the_host(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones=THREE)
    vote(code, "bohdan", 1, heard())
    gone = heard(bohdan=LATELY_S + 1)
    for phone in ("katka", "dalibor"):
        vote(code, phone, 1, gone)
    assert host(house, code) == "host"


def test_one_alone_waits_for_half_an_hour(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones={1: "bohdan"})
    vote(code, "bohdan", 1, heard(host=ALONE_S - 1))
    assert host(house, code) == "host"
    vote(code, "bohdan", 1, heard(host=ALONE_S))
    assert host(house, code) == "bohdan"


def test_half_an_hour_does_not_outvote_who_is_there(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones=THREE)
    vote(code, "bohdan", 1, heard(host=ALONE_S * 2))
    assert host(house, code) == "host"


def test_whoever_looks_on_does_not_count(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones={1: "bohdan", 2: "katka"})
    with pytest.raises(NotYours):
        vote(code, "zoe", 1, heard())
    vote(code, "bohdan", 1, heard())
    vote(code, "katka", 1, heard())
    assert host(house, code) == "bohdan"


@pytest.mark.parametrize("seat", [0, 9, -1])
def test_a_seat_without_another_phone_cannot_be_the_host(house: House, vote: Callable[..., None], seat: int) -> None:
    code = house.open(phones={0: "host", **THREE} if seat == 0 else THREE)
    with pytest.raises(NotThere):
        vote(code, "bohdan", seat, heard())


def test_whoever_thinks_better_of_it_says_so(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones={1: "bohdan", 2: "katka"})
    vote(code, "bohdan", 1, heard())
    vote(code, "katka", 2, heard())
    assert host(house, code) == "host"
    vote(code, "bohdan", 2, heard())
    assert host(house, code) == "katka"


def test_what_was_wanted_before_the_host_was_heard_again_is_forgotten(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones={1: "bohdan", 2: "katka"})
    vote(code, "bohdan", 1, heard())
    with house.asks(code, "katka") as asker:
        silence = succession.silence_of(asker, heard())
        assert silence is not None
        assert dict(silence.votes) == {1: 1}
    house.database.change("UPDATE entries SET at = '2026-01-01T00:00:00.000Z' WHERE kind = 'table'")
    vote(code, "katka", 1, heard())
    assert host(house, code) == "host"


@pytest.mark.promise(15)
@pytest.mark.parametrize("left", ["bohdan", "katka"], ids=["who was wanted", "who wanted it"])
def test_what_was_wanted_of_or_by_somebody_else_at_that_seat_is_forgotten(
    house: House, vote: Callable[..., None], left: str
) -> None:
    """Whoever sat down where the one had been who was wanted became the host with the others' votes for that one."""
    code = house.open(phones={1: "bohdan", 2: "katka"})
    vote(code, "katka", 1, heard())
    seat = {"bohdan": 1, "katka": 2}[left]
    with house.asks(code, left) as asker:
        seating.stand_up(asker, "stand")
    with house.asks(code, "dalibor") as asker:
        seating.sit_down(asker, seat, "", "sit")
    vote(code, "dalibor" if seat == 1 else "bohdan", 1, heard())
    assert host(house, code) == "host"
    vote(code, "katka" if seat == 1 else "dalibor", 1, heard())
    assert host(house, code) == ("dalibor" if seat == 1 else "bohdan")


def test_the_same_wish_is_entered_once(house: House, vote: Callable[..., None]) -> None:
    code = house.open(phones=THREE)
    for _ in range(3):
        vote(code, "bohdan", 1, heard())
    assert len(acts(house, code)) == 1


@pytest.fixture
def taken(house: House, vote: Callable[..., None]) -> str:
    """Lay a table that Bohdan has taken on."""
    code = house.open(phones={0: "host", 1: "bohdan", 2: "katka"})
    for phone in ("bohdan", "katka"):
        vote(code, phone, 1, heard())
    return code


def test_the_old_host_takes_it_back_until_the_next_move(house: House, taken: str) -> None:
    with house.asks(taken, "host") as asker:
        assert succession.was_host(asker)
        assert succession.may_reclaim(asker.table)
    reclaim(house, taken, "host")
    assert host(house, taken) == "host"
    with house.asks(taken, "host") as asker:
        assert not succession.was_host(asker)
    with pytest.raises(NotYours):
        reclaim(house, taken, "host", "again")


def test_after_a_move_the_new_host_stays(house: House, taken: str) -> None:
    house.move(taken, "host", bid(0, 1), "bid")
    with pytest.raises(PlayedOn):
        reclaim(house, taken, "host")
    assert host(house, taken) == "bohdan"


def test_nobody_else_takes_it_back(house: House, taken: str) -> None:
    for phone in ("bohdan", "katka", "zoe"):
        with pytest.raises(NotYours):
            reclaim(house, taken, phone, phone)


def test_the_new_host_falls_silent_in_turn(house: House, taken: str, vote: Callable[..., None]) -> None:
    gone = heard(host=0, bohdan=SILENT_S)
    vote(taken, "host", 0, gone)
    assert host(house, taken) == "bohdan"
    vote(taken, "katka", 0, gone)
    assert host(house, taken) == "host"


def test_whoever_was_handed_the_table_has_it_for_good(house: House, taken: str) -> None:
    with house.asks(taken, "bohdan") as asker:
        seating.hand_over(asker, 2, "over")
    with pytest.raises(NotYours):
        reclaim(house, taken, "host")


def test_two_last_ones_at_once_make_one_host(house: House) -> None:
    """Another process was quicker with the same wish."""
    code = house.open(phones={1: "bohdan", 2: "katka"})
    other = house.again()
    for place, (own, phone) in enumerate(((house, "bohdan"), (other, "katka"), (house, "katka"))):
        with own.asks(code, phone) as asker, suppress(NotThere):  # that seat is the host by now
            succession.vote(asker, 1, heard(), f"v{place}")
    other.close()
    assert host(house, code) == "bohdan"
    assert sum('"take_on"' in act for act in acts(house, code)) == 1
