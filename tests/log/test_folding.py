"""What a log says becomes a play again; where the rules of today do not take it, it is named why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion import log
from companion.games import GAMES
from companion.log import folding
from companion.log.unruled import LogRefused, MoveMissing, OptionMissing, RuledOtherwise
from companion.play import Play
from tests.house import bid

HOLED = [["loud"] * 12] * 6
"""A board of gems of no colour."""
OFFER = {"move": "offer", "seat": 0, "tricks": 1}
"""A move of a game that was another one then."""


def table(game: str = "rage", seats: int = 3, options: Mapping[str, Any] | None = None) -> log.Table:
    """Lay a table that is in no database."""
    seatings = [log.Seating(seat=seat, name="") for seat in range(seats)]
    return log.Table(code="K7QX2M", game=game, rules=GAMES[game].version, options=options or {}, seatings=seatings)


def entry(number: int, kind: str, data: Mapping[str, Any], second: int = 0, **more: Any) -> log.Entry:
    return log.Entry(number=number, kind=kind, data=data, at=f"2026-11-20T20:00:{second:02}.000Z", **more)


def two_bids() -> Play[Any]:
    """Begin a table of Rage at which two have bid."""
    play = folding.start(table())
    for seat in (0, 1):
        play = folding.after(table(), play, entry(seat + 1, "move", bid(seat, 1)))
    return play


@pytest.mark.parametrize(
    ("game", "seats", "options", "option"),
    [
        ("rage", 3, {"loud": True}, "loud"),
        ("rage", 3, {"bidding": "loud"}, "bidding: loud"),
        ("ubongo", 2, {"board": HOLED}, f"board: {HOLED}"),
    ],
)
def test_an_option_that_is_not_known_any_more_is_named_and_so_is_a_value(
    game: str, seats: int, options: Mapping[str, Any], option: str
) -> None:
    with pytest.raises(OptionMissing) as caught:
        folding.start(table(game, seats, options))
    assert caught.value.facts == {"code": "K7QX2M", "game": GAMES[game].name, "option": option}


@pytest.mark.parametrize(
    ("seats", "options", "reason"),
    [(9, {}, "players: Rage is for 3 to 8 players."), (3, {"first_dealer": 7}, "options.first_dealer: The first dealer is")],
)  # fmt: skip
def test_options_that_the_rules_refuse_are_not_taken_for_unknown_ones(
    seats: int, options: Mapping[str, Any], reason: str
) -> None:
    with pytest.raises(LogRefused) as caught:
        folding.start(table("rage", seats, options))
    assert str(caught.value.facts["reason"]).startswith(reason)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("move", OFFER),
        ("amend", {"number": 1, "move": OFFER}),
        ("amend", {"number": 1, "move": bid(0, 2), "later": [{"number": 2, "move": OFFER}]}),
        ("start", {"options": {}, "later": [{"number": 2, "move": OFFER}]}),
        ("start", {"options": {}, "moves": [{"number": 1, "move": bid(0, 1)}, {"number": 2, "move": OFFER}]}),
    ],
)
def test_a_kind_of_move_that_is_not_known_any_more_is_named_wherever_an_entry_says_it(
    kind: str, data: Mapping[str, Any]
) -> None:
    with pytest.raises(MoveMissing) as caught:
        folding.after(table(), two_bids(), entry(3, kind, data))
    assert caught.value.facts["move"] == "offer"


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("amend", {"number": 9, "move": bid(0, 1)}, "3: KeyError: 9"),
        ("amend", {"number": 1, "move": bid(0, 2), "later": ["the second"]}, "3: TypeError: "),
        ("start", {"options": {}, "later": [{"number": 9, "move": None}, {"number": 8, "move": None}]}, "3: KeyError: 8"),
    ],
)  # fmt: skip
def test_an_entry_over_which_the_rules_stumble_is_refused_with_its_number_and_the_first_reason(
    kind: str, data: Mapping[str, Any], reason: str
) -> None:
    with pytest.raises(LogRefused) as caught:
        folding.after(table(), two_bids(), entry(3, kind, data))
    assert str(caught.value.facts["reason"]).startswith(reason)


def test_who_is_told_that_a_table_is_scored_otherwise_learns_after_which_entry_and_how() -> None:
    with pytest.raises(RuledOtherwise) as caught:
        folding.after(table(), two_bids(), entry(3, "move", bid(2, 1), standing="1:9 2:1 2:1"))
    assert caught.value.facts["reason"] == "3: it stood 1:9 2:1 2:1, and would stand 1:0 1:0 1:0"


def test_a_move_that_is_amended_with_the_start_counts_as_amended_and_no_other() -> None:
    data = {"options": {}, "later": [{"number": 1, "move": bid(0, 2)}]}
    play = folding.after(table(), two_bids(), entry(3, "start", data))
    assert [step.asked.is_amended for step in play.moves()] == [True, False]
    assert play.position.bids == (2, 1, None)


@pytest.mark.parametrize(
    ("kind", "act", "is_anew"), [("table", "resume", True), ("table", "pause", False), ("seat", "resume", False)]
)
def test_a_glass_runs_anew_from_when_the_table_went_on_and_from_nothing_else(
    kind: str, act: str, is_anew: bool
) -> None:
    """So it stands in the logs of all releases."""
    ubongo = table("ubongo", 2, {"glass_s": 60})
    play = folding.start(ubongo)
    for number, move in enumerate(({"move": "roll", "symbol": 3}, {"move": "ubongo", "seat": 1}), 1):
        play = folding.after(ubongo, play, entry(number, "move", move))
    after = folding.after(ubongo, play, entry(3, kind, {"act": act}, second=40))
    assert after.position.ends_ms - play.position.ends_ms == (40_000 if is_anew else 0)
