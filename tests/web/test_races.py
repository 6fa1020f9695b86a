"""Two people tap, one is quicker: the other is told by whom and what stands now, and that nobody did wrong."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from companion.tables import referee
from tests.web.conftest import NAMES, House, Phone, sound

Fields = dict[str, str]
Seated = Callable[..., list[Phone]]

BIDS = tuple((seat, {"move": "bid", "seat": str(seat), "tricks": "3"}) for seat in range(3))
RACES: dict[str, tuple[str, Fields, tuple[tuple[int, Fields], ...], tuple[int, Fields], tuple[int, Fields | None], str]] = {
    "a trick": ("rage", {}, BIDS, (2, {"move": "trick", "seat": "2"}), (1, {"move": "trick", "seat": "1"}), "Cy takes the trick."),
    "a roll": ("ubongo", {}, (), (2, {"move": "roll", "symbol": "3"}), (0, {"move": "roll", "symbol": "4"}), "Ann rolls symbol 3 and turns the glass."),
    "a card, and a step back": (
        "ikebana", {"detail": "payments"}, ((0, {"move": "keep", "seat": "0"}),),
        (1, {"move": "keep", "seat": "1"}), (0, None), "Bo draws a card and keeps it.",
    ),
    "a hint, and a step back": (
        "hanabi", {"detail": "tokens"}, ((0, {"move": "hint", "seat": "0"}),),
        (1, {"move": "hint", "seat": "1"}), (0, None), "Bo gives a hint.",
    ),
}  # fmt: skip
"""What about -> the game and its options, the moves before, the quicker one, the slower one (None: taking back), what stands."""


@pytest.fixture
def seated(phone: Callable[..., Phone]) -> Seated:
    """Seat three phones at a table of a game."""

    def seat(game: str, **options: str) -> list[Phone]:
        host = phone()
        host.opens(game, names=NAMES[:3], **options)
        others = [phone(at=host) for _ in range(2)]
        for place, other in enumerate(others, 1):
            assert other.sits(place).status_code == 303
        return [host, *others]

    return seat


def tap(one: Phone, fields: Fields | None, after: str, **more: Any) -> Any:
    where = f"/t/{{code}}/{one.seat}/move" if fields else f"/t/{{code}}/take-back?seat={one.seat}"
    return one.posts(where, {**(fields or {}), "after": after}, **more)


def number(one: Phone) -> str:
    return str(one.reads(f"/t/{{code}}/{one.seat}").one("main").attrs["data-number"])


@pytest.mark.parametrize("race", RACES.values(), ids=RACES)
def test_who_was_slower_is_told_who_was_quicker_and_what_stands(house: House, seated: Seated, race: Any) -> None:
    game, options, before, (first, quicker), (second, slower), stands = race
    phones = seated(game, **options)
    for seat, fields in before:
        assert tap(phones[seat], fields, number(phones[seat])).status_code == 303
    seen = number(phones[second])
    assert tap(phones[first], quicker, seen).status_code == 303
    written = house.written()
    answer = tap(phones[second], slower, seen)
    assert answer.status_code == 409
    assert house.written() == written
    notice = sound(answer).one("section", id="refusal")
    assert notice.attrs["class"] == "notice notice-race"
    assert notice.attrs["role"] == "status"
    assert f"{NAMES[first]} was quicker" in notice.text
    assert stands in notice.text
    assert "What you tapped was not entered." in notice.text
    assert "Not by the rules" not in answer.text


def test_who_says_the_same_as_the_quicker_one_is_told_that_it_stands(seated: Seated) -> None:
    ann, bo, _cy = seated("ubongo")
    seen = number(ann)
    roll = {"move": "roll", "symbol": "3"}
    tap(ann, roll, seen)
    notice = sound(tap(bo, roll, seen)).one("section", id="refusal").text
    assert "Ann was quicker" in notice
    assert "That is what you tapped, too, so it stands." in notice


def test_several_that_were_quicker_are_told_by_what_they_did(seated: Seated) -> None:
    ann, bo, cy = seated("rage")
    seen = number(ann)
    for one, fields in zip((ann, bo, cy), BIDS, strict=True):
        tap(one, fields[1], number(one))
    tap(ann, {"move": "trick", "seat": "0"}, number(ann))
    notice = sound(tap(bo, {"move": "bid", "seat": "1", "tricks": "2"}, seen)).one("section", id="refusal").text
    assert "The table has moved on" in notice
    assert "Bo bids 3. Cy bids 3. Ann takes the trick." in notice
    assert "Ann bids" not in notice


def test_a_step_back_is_told_as_one(seated: Seated) -> None:
    ann, bo, _cy = seated("rage")
    tap(ann, BIDS[0][1], number(ann))
    seen = number(bo)
    ann.takes_back()
    notice = sound(tap(bo, BIDS[1][1], seen)).one("section", id="refusal").text
    assert "Ann was quicker" in notice
    assert "Taken back: Ann bids 3." in notice


def test_one_s_own_later_tap_makes_nobody_quicker(seated: Seated) -> None:
    ann, *_others = seated("rage")
    seen = number(ann)
    tap(ann, BIDS[0][1], seen)
    notice = sound(tap(ann, {"move": "bid", "seat": "0", "tricks": "4"}, seen)).one("section", id="refusal").text
    assert "The table has moved on" in notice
    assert "Ann bids 3." in notice
    assert "quicker" not in notice


def test_a_host_without_a_seat_is_called_the_host(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens(names=NAMES[:3], i_sit="")
    bo = phone(at=host)
    bo.sits(1)
    seen = number(bo)
    host.taps("bid", seat=0, tricks=3)
    notice = sound(tap(bo, {}, seen)).one("section", id="refusal").text
    assert "The host was quicker" in notice


def test_a_number_that_was_never_reached_names_nobody(seated: Seated) -> None:
    ann, *_others = seated("rage")
    notice = sound(tap(ann, BIDS[0][1], "99")).one("section", id="refusal").text
    assert "quicker" not in notice
    assert "The table has moved on" in notice


def test_no_race_tells_what_is_sealed(seated: Seated) -> None:
    """Not even whether a guess is right."""
    ann, bo, cy = seated("rage", bidding="secret")
    seen = number(ann)
    for one, fields in zip((ann, bo, cy), BIDS, strict=True):
        tap(one, fields[1], number(one))
    for seat, one in enumerate((ann, bo, cy)):
        one.taps("count", seat=seat, tricks=(4, 3, 3)[seat])
    bo.taps("bid", tricks=2)
    guesses = [tap(bo, {"move": "bid", "seat": "1", "tricks": tricks}, seen) for tricks in "12"]
    right, wrong = (sound(guess).one("section", id="refusal").text for guess in guesses)
    assert right == wrong


@pytest.mark.parametrize("with_number", [True, False])
def test_who_loses_the_seat_while_a_tap_is_on_its_way_is_not_answered_with_its_page(
    seated: Seated, monkeypatch: pytest.MonkeyPatch, with_number: bool
) -> None:
    ann, bo, _cy = seated("rage")
    bo.reads("/t/{code}/1")
    rule_on = referee.rule_on

    def freed_first(*about: Any) -> Any:
        with ThreadPoolExecutor(1) as host:
            assert host.submit(ann.posts, "/t/{code}/free", {"seat": "1"}).result().status_code == 303
        return rule_on(*about)

    seen = number(bo) if with_number else ""
    monkeypatch.setattr(referee, "rule_on", freed_first)
    answer = tap(bo, {"move": "bid", "seat": "1", "tricks": "3"}, seen)
    assert answer.status_code in {403, 409}
    assert "data-number" not in answer.text
