"""What the screen for everyone says of a round of Rage, in its line above what is largest."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.web.conftest import Phone

MakePhone = Callable[..., Phone]


def eyebrow(host: Phone) -> str:
    line = host.gets("/t/{code}/screen").text.split('<p class="eyebrow">')[1].split("</p>")[0]
    return " ".join(re.sub("<.*?>", "", line).split())


def test_what_the_bids_come_to_is_said_from_the_first_on(phone: MakePhone) -> None:
    """It was said when nobody could bid any more: whoever bids last wants to know."""
    host = phone()
    host.opens("rage", ["Ann", "Bo", "Cy"], plus_minus_one="on")
    host.taps("turn", card="R5")
    assert eyebrow(host) == "Round 1 of 10 · 10 tricks"
    for seat, tricks in enumerate((0, 7)):
        host.taps("bid", seat, tricks=tricks)
        assert eyebrow(host) == f"Round 1 of 10 · 10 tricks · bids together {tricks}"


def test_why_all_have_to_count_again_is_said(phone: MakePhone) -> None:
    host = phone()
    host.opens("rage", ["Ann", "Bo", "Cy"])
    for move in ("bid", "count"):
        for seat in range(3):
            host.taps(move, seat, tricks=4)
    assert eyebrow(host) == "4 + 4 + 4 = 12, but this round has 10 tricks: 2 too many."


def test_sealed_bids_come_to_nothing_that_is_said(phone: MakePhone) -> None:
    host = phone()
    host.opens("rage", ["Ann", "Bo", "Cy"], bidding="hidden")
    host.taps("bid", 0, tricks=4)
    assert eyebrow(host) == "Round 1 of 10 · 10 tricks"


def test_who_bids_next_is_seen_among_the_letters(phone: MakePhone) -> None:
    """The headline alone said so; sealed bids come in any order."""
    for bidding, marked in (("open", ["1"]), ("hidden", [])):
        host = phone()
        host.opens("rage", ["Ann", "Bo", "Cy"], bidding=bidding)
        host.taps("bid", 0, tricks=4)
        page = host.gets("/t/{code}/screen").text
        assert re.findall(r'class="letter[^"]* is-next"\s+data-seat="(\d)"', page) == marked
