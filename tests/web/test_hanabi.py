"""Hanabi's page where only tokens are counted: which cards it asks for, and what it does not claim to know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import House, Phone, sound
from tests.web.page import Form

MakePhone = Callable[..., Phone]
AIDS = {"aid_max_score": "on", "aid_critical": "on", "aid_turns_left": "on"}
RED = [f"R{value}" for value in range(1, 6)]


def counting(phone: MakePhone, **options: str) -> Phone:
    """Open a table of two that counts tokens, played from one phone."""
    host = phone()
    host.opens("hanabi", ["Ann", "Bo"], i_sit="", **{**AIDS, "detail": "tokens", **options})
    return host


def plays(host: Phone, *moves: tuple[str, str]) -> None:
    """Play moves in turn: what is done, and the card that is named ("" for none)."""
    for turn, (kind, card) in enumerate(moves):
        answer = host.taps(kind, turn % 2, **({"card": card} if card else {}))
        assert answer.status_code == 303, answer.text


def page_form(host: Phone, seat: int, **fields: str) -> Form:
    return host.reads(f"/t/{{code}}/{seat}").form("/move", **fields)


def keyed(host: Phone, seat: int, key: str) -> Form:
    """Find the form of a seat's page by what the script calls it."""
    return next(form for form in host.reads(f"/t/{{code}}/{seat}").forms if form.attrs.get("data-key") == key)


@pytest.mark.parametrize("detail", ["tokens", "hints", "cards"])
def test_the_page_shows_what_can_be_reached_and_the_pace_where_that_is_chosen(phone: MakePhone, detail: str) -> None:
    aided, plain = phone(), phone()
    aided.opens("hanabi", ["Ann", "Bo"], detail=detail, aid_pace="on", **AIDS)
    plain.opens("hanabi", ["Ann", "Bo"], detail=detail)
    said, unsaid = (host.reads("/t/{code}/0").text for host in (aided, plain))
    assert ("of 25 still possible" if detail == "cards" else "of 25 at most") in said
    assert "pace 17" in said
    assert "of 25" not in unsaid
    assert "pace" not in unsaid


def named(form: Form) -> list[str]:
    """List the cards that a form has a key for."""
    return [part.get("value") or "" for part in form.fields if part.get("name") == "card"]


def summary(host: Phone) -> dict[str, Any]:
    answer = host.gets("/api/tables/{code}/standing")
    assert answer.status_code == 200
    said: dict[str, Any] = answer.get_json()["summary"]
    return said


def rewarded(phone: MakePhone, *moves: tuple[str, str]) -> Phone:
    """Complete the red firework with some moves before it, so that a tile is due: of seat 0."""
    host = counting(phone, edition="pl", flamboyants="on")
    ones = [("play", card) for card in RED]
    plays(host, *moves, *ones)
    return host


HINT, GONE = ("hint", ""), ("discard", "")


@pytest.mark.parametrize(("tile", "card", "built"), [("T6", "B1", 1), ("T6", "", 0), ("T5", "B1", 0), ("T5", "", 0)])
def test_a_tile_asks_for_a_card_that_nobody_had_named(phone: MakePhone, tile: str, card: str, built: int) -> None:
    host = rewarded(phone, HINT, GONE)
    deck = summary(host)["deck"]
    form = page_form(host, 0, tile=tile)
    assert {"W1", "B1"} <= set(named(form))
    assert ("W2" in named(form), "" in named(form)) == (tile == "T5", tile == "T5")
    assert "R5" not in named(form)
    is_lost = tile == "T6" and not card
    form = keyed(host, 0, "tile-T6-lost") if is_lost else form
    assert host.submits(form, form.filled(None if is_lost else card)).status_code == 303
    now = summary(host)
    assert now["fireworks"]["B"] == built
    assert now["deck"] == deck - 1 + (tile == "T5")
    assert now["to_move"] == 1


def test_a_tile_whose_card_is_known_must_name_it(phone: MakePhone) -> None:
    host = rewarded(phone, HINT, ("discard", "B1"))
    page = host.reads("/t/{code}/0")
    for tile in ("T5", "T6"):
        assert named(page.form("/move", tile=tile)) == ["B1"]


def test_a_tile_that_no_card_can_use_says_so(phone: MakePhone) -> None:
    host = rewarded(phone, HINT, HINT)
    page = host.reads("/t/{code}/0")
    assert [named(page.form("/move", tile=tile)) for tile in ("T5", "T6")] == [[], []]
    assert page.text.count("It comes to nothing now.") == 2


def test_the_endless_game_asks_which_card_did_not_fit_and_is_lost_with_a_5(phone: MakePhone) -> None:
    host = counting(phone, endless="on")
    error = keyed(host, 0, "gone-0")
    assert {"R5", ""} < set(named(error))
    assert host.submits(error, error.filled("R5", move="play")).status_code == 303
    assert "Lost" in host.reads("/t/{code}/0").text
    assert summary(host)["result"] == "lost"


def test_the_endless_game_asks_which_card_was_discarded(phone: MakePhone) -> None:
    host = counting(phone, endless="on")
    plays(host, HINT)
    form = keyed(host, 1, "gone-1")
    assert "R1" in named(form)
    assert host.submits(form, form.filled("G5", move="discard")).status_code == 303
    assert summary(host)["result"] == "lost"


def test_an_error_need_not_be_named(phone: MakePhone) -> None:
    for options in ({}, {"endless": "on"}):
        host = counting(phone, **options)
        form = keyed(host, 0, "gone-0" if options else "play-0")
        assert host.submits(form, form.filled("", **({"move": "play"} if options else {}))).status_code == 303
        assert (summary(host)["errors"], summary(host)["result"]) == (1, "playing")


def test_the_page_says_at_most_and_no_last_copies_where_cards_were_not_named(house: House, phone: MakePhone) -> None:
    host = counting(phone)
    assert "of 25 at most" in host.reads("/t/{code}/0").text
    assert "Last copies:" in host.reads("/t/{code}/0").text  # Everything is known: nothing was discarded.
    plays(host, HINT, GONE)
    for path in ("/t/{code}/0", "/t/{code}/screen"):
        text = sound(host.gets(path)).text
        assert "of 25 at most" in text
        assert "still possible" not in text
        assert "Last copies:" not in text


def test_with_two_turns_left_two_points_more_can_be_reached_at_most(phone: MakePhone) -> None:
    host = counting(phone)
    ones = [("play", f"{colour}{value}") for value in (1, 2, 3, 4) for colour in "WRBYG"]
    plays(host, *ones, *[HINT, GONE] * 20)
    assert summary(host)["turns_left"] == 2
    assert "of 22 at most" in host.reads("/t/{code}/0").text
    assert summary(host)["max_score"] == 22


def test_who_holds_the_phone_puts_the_hand_of_a_player_without_one_in_another_order(phone: MakePhone) -> None:
    """What hints had said stayed at the places where the cards had lain before."""
    host = phone()
    host.opens("hanabi", ["Ann", "Bo"], i_sit="0", detail="cards")
    for path, end, order in (("/t/{code}/0", "/move", [1, 0, 2, 3, 4]), ("/t/{code}/history/2", "/2", [1, 2, 0, 3, 4])):
        form = host.reads(path).form(end, move="arrange", seat="1")
        press = next(key for key in form.buttons if [*map(int, key.split())] == order)
        assert host.submits(form, form.filled(press)).status_code == 303
        assert host.gets("/api/tables/{code}/record").get_json()["moves"][0]["order"] == order
