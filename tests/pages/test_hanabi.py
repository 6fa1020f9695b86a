"""Hanabi through the pages: whole games, and what a turn costs in taps."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random, randrange
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from companion.testing import kit
from companion.testing.laws import broken, cut, overlapping, shortened
from companion.words import LANGUAGES, translations
from tests.pages.night import Night
from tests.pages.places import Setting, table_of, written
from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]


def opens(key: Locator) -> Locator:
    """Open what the page has shut: nobody thinks at a random table, and hints contradict one another."""
    if not key.is_visible() or key.is_disabled():
        key.evaluate("(key) => { key.disabled = key.hidden = false; key.ariaDisabled = null; }")
        key.evaluate("(key) => key.removeAttribute('formaction')")
    return key


def hints(phone: Phone, move: dict[str, Any]) -> None:
    if "to" not in move:
        phone.page.locator("button[name=move][value=hint]").tap()
        phone.taps += 1
        return
    hand = phone.page.locator(f".hand-of:has([name=to][value='{move['to']}'])")
    if hand.locator(".to").is_visible():  # without script whom it is for is said, too
        hand.locator(".to").tap()
    for slot in move["slots"] or ["none"]:
        hand.locator(f"li label:has([name=slots][value='{slot}'])").tap()
        phone.taps += 1
    name = "colour" if "colour" in move else "value"
    opens(phone.page.locator(f"#hint button[name={name}][value='{move[name]}']")).tap()
    phone.taps += 1


def lays(phone: Phone, move: dict[str, Any]) -> None:
    phone.page.locator(f".own-hand label:has([value='{move['slot']}'])").tap()
    key = opens(phone.page.locator(f"#lay button[value={move['card']}]"))
    is_likely = (move["move"] == "play") == ("fits-it" in (key.get_attribute("class") or ""))
    act = phone.page.locator(f"#lay [name=move][value={move['move']}]")
    if not act.is_checked() and not (is_likely and phone.page.locator("[data-script]").count()):
        phone.page.locator(f"#lay label:has([value={move['move']}])").tap()
        phone.taps += 1
    key.tap()
    phone.taps += 2


TAPS = {"hint": hints, "play": lays, "discard": lays}


def counts(phone: Phone, move: dict[str, Any]) -> None:
    if move["move"] == "discard":
        phone.page.locator("button[name=move][value=discard]").tap()
    elif "card" in move:
        phone.page.locator(f"button[name=card][value={move['card']}]").tap()
    else:
        phone.page.locator("button.act-play").tap()
    phone.taps += 1


TOKENS = {"hint": hints, "play": counts, "discard": counts}


def tells(phone: Phone, move: dict[str, Any]) -> None:
    """Tap for whom and what, where hints are recorded without places."""
    name = "colour" if "colour" in move else "value"
    phone.page.locator(f".whom label:has([value='{move['to']}'])").tap()
    phone.page.locator(f"#tray-tell button[name={name}][value='{move[name]}']").tap()
    phone.taps += 2


def names(phone: Phone, move: dict[str, Any]) -> None:
    """Tap a card: where it fits its firework, otherwise what was done with it first."""
    fits = phone.page.locator(f"#tray-play button[value={move['card']}]")
    if move["move"] == "play" and fits.count():
        fits.tap()
        phone.taps += 1
        return
    phone.page.locator(f".acts label:has([value={move['move']}])").tap()
    phone.page.locator(f"#tray-gone button[value={move['card']}]").tap()
    phone.taps += 2


WHOM = ".whom :is(input, button)"
"""Whom a hint may go to, and who is struck out."""
TOLD = {"hint": tells, "play": names, "discard": names}


def shows_state(night: Night) -> Callable[[Phone], None]:
    def shows(phone: Phone) -> None:
        now = night.play.game.summary(night.play.position)
        expect(phone.page.locator(".points").first).to_have_text(str(now["score"]).replace("-", "−"))
        tops = [str(built) if built else "–" for built in now["fireworks"].values()]
        expect(phone.page.locator(".fireworks .num")).to_have_text(tops)
        if now["result"] == "playing":
            expect(phone.page.locator("#hint-tokens")).to_have_text(str(now["hint_tokens"]))
            expect(phone.page.locator("#errors")).to_have_text(str(now["errors"]))

    return shows


@pytest.mark.promise(3, 16)
def test_three_phones_play_a_game_card_by_card_and_everything_agrees(
    server: Server, phone: Callable[..., Phone], is_long: bool
) -> None:
    night = Night(
        server,
        phone,
        "hanabi",
        NAMES,
        TAPS,
        plain=1,
        is_long=is_long,
        seed=92,
        detail="cards",
        multicolour="5",
        locale="cs-CZ",
    )
    night.plays(shows_state(night), away=(7, 3), undo=4, retake=6)
    expect(night.screen.page.get_by_role("heading", level=1)).to_have_text(
        night.said({"won": "Won", "lost": "Lost", "ended": "The fireworks are over"}[night.play.position.result.value])
    )


def test_three_phones_count_tokens_only_and_everything_agrees(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES, TOKENS, seed=5, detail="tokens")

    def counted() -> dict[str, Any] | None:
        """Choose as ever, but for a discard's card, which no key names here."""
        move = night.choose()
        return move and {name: said for name, said in move.items() if (move["move"], name) != ("discard", "card")}

    night.plays(shows_state(night), counted, away=(9, 3), undo=4, retake=6)


def test_three_phones_tell_hints_without_places_and_everything_agrees(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "hanabi", NAMES, TOLD, seed=56, detail="hints", locale="pl-PL")
    night.plays(shows_state(night), away=(9, 3), undo=4, retake=6)


def test_where_hints_have_no_places_a_turn_is_two_taps_and_a_card_that_fits_one(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "hanabi", NAMES, TOLD, detail="hints")
    for one, move, taps in (
        (0, {"move": "hint", "to": 2, "colour": "R"}, 2),
        (1, {"move": "hint", "to": 0, "value": 5}, 2),
        (2, {"move": "discard", "card": "R1"}, 2),  # though it would fit
        (0, {"move": "play", "card": "R1"}, 1),
        (1, {"move": "play", "card": "G4"}, 2),
    ):
        night.phones[one].taps = 0
        night.make({**move, "seat": one})
        assert night.phones[one].taps == taps
        night.agree(shows_state(night))
    assert all("slot" not in field for move in server.record(night.code)["moves"] for field in move)


def test_whom_a_hint_goes_to_keeps_its_place_when_another_hand_is_empty(phone: Callable[..., Phone]) -> None:
    """Whoever tapped where a name had always stood gave the hint to somebody else."""
    built = [f"{colour}{value}" for value in range(1, 5) for colour in "WRBYG"][:19]
    gone = [f"{colour}{value}" for value in (1, 1, 2, 3, 4) for colour in "WRBYG"][:22]
    turns = [{"move": "play", "card": card} for card in built]
    for to, card in zip((1, 3) * 11, gone, strict=True):
        turns += [{"move": "hint", "to": to, "value": 5}, {"move": "discard", "card": card}]
    moves = [{**move, "seat": turn % 4} for turn, move in enumerate(turns)]
    host = phone(viewport={"width": 360, "height": 640})
    told = {"format": "companion-record", "version": 1, "game": "hanabi", "players": list(LONG_NAMES[:4])}
    told["options"] = {"detail": "hints", "endless": True}
    code = host.asks("POST", "/records", {**told, "moves": moves[:-4]})["table"]["code"]
    host.opens(f"/t/{code}/3")
    host.is_live()
    places = "keys => keys.map((key) => [key.textContent, key.getBoundingClientRect().left])"
    before = host.page.locator(".whom > *").evaluate_all(places)
    for move in moves[-4:]:
        number = host.asks("POST", f"/tables/{code}/moves", move)["number"]
    host.page.wait_for_function("number => document.getElementById('part').dataset.number >= number", arg=number)
    assert host.page.locator(".whom > *").evaluate_all(places) == before
    assert [key.is_enabled() for key in host.page.locator(WHOM).all()] == [True, True, False, False]


@pytest.mark.parametrize("seats", range(2, 6))
def test_whom_a_hint_goes_to_keeps_its_place_from_turn_to_turn_on_a_phone_of_several_seats(
    phone: Callable[..., Phone], seats: int
) -> None:
    """Whoever told two hints in a row to one player tapped where the key had been, and gave the second to another."""
    host, guest = (phone(viewport={"width": 320, "height": 640}) for _phone in range(2))
    told = {"game": "hanabi", "players": list(LONG_NAMES[:seats]), "options": {"detail": "hints"}}
    code = host.asks("POST", "/tables", told)["table"]["code"]
    host.opens(f"/t/{code}/0")
    host.is_live()
    places = "keys => keys.map((key) => [key.textContent, key.offsetLeft, key.offsetTop, key.offsetWidth])"
    seen = []
    for turn in range(seats):
        seen.append(host.page.locator(".whom > *").evaluate_all(places))
        enabled = [key.is_enabled() for key in host.page.locator(WHOM).all()]
        assert enabled == [seat != turn for seat in range(seats)]
        assert [*shortened(host.page, LONG_NAMES)] == []
        move = {"move": "hint", "seat": turn, "to": (turn + 1) % seats, "value": 1}
        number = host.asks("POST", f"/tables/{code}/moves", move)["number"]
        host.page.wait_for_function("number => document.getElementById('part').dataset.number >= number", arg=number)
    assert all(turn == seen[0] for turn in seen)
    guest.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    guest.opens(f"/t/{code}/0")
    assert guest.page.locator(WHOM).count() == seats - 1  # never its own


def test_a_hint_is_a_tap_for_each_card_and_one_more_and_a_card_is_two(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TAPS, detail="cards")
    anna, bo = night.phones
    for one, move, taps in (
        (anna, {"move": "hint", "seat": 0, "to": 1, "colour": "R", "slots": [0, 3]}, 3),
        (bo, {"move": "hint", "seat": 1, "to": 0, "value": 4, "slots": [1]}, 2),
        (anna, {"move": "discard", "seat": 0, "slot": 4, "card": "G2"}, 2),
        (bo, {"move": "discard", "seat": 1, "slot": 1, "card": "W1"}, 3),  # though it would fit
        (anna, {"move": "play", "seat": 0, "slot": 0, "card": "G3"}, 2),  # with all tokens nothing is discarded
        (bo, {"move": "play", "seat": 1, "slot": 0, "card": "R1"}, 2),
    ):
        one.taps = 0
        night.make(move)
        assert one.taps == taps
        night.agree(shows_state(night))
    mine = bo.page.locator(".hand-of.mine .face").nth(1)  # moved up twice
    expect(mine).to_contain_text("red")


def test_what_cannot_be_is_not_offered(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:3], TAPS, seed=1, detail="cards")
    katka = night.phones[2]
    night.make({"move": "hint", "seat": 0, "to": 1, "value": 1, "slots": [0, 2]})
    night.agree(shows_state(night))
    night.make({"move": "hint", "seat": 1, "to": 2, "colour": "R", "slots": [4]})
    night.agree(shows_state(night))
    hand = katka.page.locator(".hand-of:has([name=to][value='1'])")
    hand.locator("li label:has([value='1'])").tap()
    shut = "#hint button[aria-disabled=true]"
    assert [key.get_attribute("value") for key in katka.page.locator(shut).all()] == ["1"]
    hand.locator("li label:has([value='0'])").tap()  # a 1 beside what is none: no value shows both
    assert [key.get_attribute("value") for key in katka.page.locator(shut).all()] == ["1", "2", "3", "4", "5"]
    katka.tap("Cancel", within="#hint")
    expect(katka.page.locator("#hint")).to_be_hidden()
    katka.page.locator(".own-hand label:has([value='4'])").tap()
    offered = [key.get_attribute("value") for key in katka.page.locator("#lay button[name=card]:visible").all()]
    assert offered == ["R1", "R2", "R3", "R4", "R5"]


def test_a_card_that_is_none_of_those_that_the_hints_leave_is_named_all_the_same(
    server: Server, phone: Callable[..., Phone]
) -> None:
    """Who gave the hint forgot a card: without its key the game could not go on, and nobody was told what was wrong."""
    night = Night(server, phone, "hanabi", NAMES[:2], TAPS, detail="cards")
    _anna, bo = night.phones
    night.make({"move": "hint", "seat": 0, "to": 1, "colour": "R", "slots": [0]})
    night.agree(shows_state(night))
    keys, others = bo.page.locator("#lay button[name=card]:visible"), bo.page.locator("#lay [data-none]")
    for touched in (2, 0):  # what one card was is forgotten with the next
        bo.page.locator(f".own-hand label:has([value='{touched}'])").tap()
        expect(keys).to_have_count(5 if touched == 0 else 20)
        bo.tap("none of these cards")
        expect(others).to_be_hidden()
        expect(keys).to_have_count(25)
    bo.page.locator(".own-hand label:has([value='2'])").tap()
    bo.tap("none of these cards")
    bo.is_awake()
    bo.page.locator("#lay button[value=R1]").tap()
    expect(bo.page.locator(".notice")).to_contain_text("“This card is not red.”")
    night.rule({"move": "play", "seat": 1, "slot": 2, "card": "R1"})
    night.agree(shows_state(night))


def test_where_tokens_are_counted_a_hint_is_one_tap(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TOKENS, detail="tokens")
    anna, bo = night.phones
    for one, move in (
        (anna, {"move": "hint", "seat": 0}),
        (bo, {"move": "play", "seat": 1, "card": "Y1"}),
        (anna, {"move": "play", "seat": 0}),
        (bo, {"move": "discard", "seat": 1}),
    ):
        one.taps = 0
        night.make(move)
        assert one.taps == 1
        night.agree(shows_state(night))


def test_where_tokens_are_counted_a_5_that_did_not_fit_is_named_and_loses_the_endless_game(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TOKENS, detail="tokens", endless="on")
    anna, bo = night.phones
    anna.page.locator(".act-play").tap()
    anna.page.locator("#tray-gone button[value=R5]").tap()
    expect(bo.page.get_by_role("heading", level=1)).to_have_text("Lost")


@pytest.mark.parametrize(
    ("detail", "card"), [("tokens", {}), ("hints", {"card": "R5"}), ("cards", {"card": "R5", "slot": 0})]
)
def test_the_end_is_read_from_its_head_whatever_was_read_before(
    phone: Callable[..., Phone], detail: str, card: dict[str, Any]
) -> None:
    """Who looked at the discarded cards saw the middle of a chart, and not what the evening was worth."""
    host = phone(viewport={"width": 360, "height": 640})
    told = {"game": "hanabi", "players": NAMES, "options": {"detail": detail, "errors_allowed": 1}}
    code = host.asks("POST", "/tables", told)["table"]["code"]
    host.opens(f"/t/{code}/1")
    host.is_live()
    host.page.locator(".table-top").evaluate("(table) => table.scrollTo(0, table.scrollHeight)")
    host.asks("POST", f"/tables/{code}/moves", {"move": "play", "seat": 0, **card})
    expect(host.page.get_by_role("heading", level=1)).to_have_text("Lost")
    expect(host.page.get_by_role("heading", level=1)).to_be_in_viewport(ratio=1)


def test_where_tokens_are_counted_a_tile_asks_for_the_card(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TOKENS, detail="tokens", edition="pl", flamboyants="on")
    anna, bo = night.phones
    red = [{"move": "play", "card": f"R{value}"} for value in range(1, 6)]
    for turn, move in enumerate([{"move": "hint"}, {"move": "discard"}, *red]):
        night.make({**move, "seat": turn % 2})
        night.agree(shows_state(night))
    anna.is_awake()
    anna.page.locator("label:has(#opens-T6)").tap()
    anna.page.locator("#tile-T6 button[value=B1]").tap()
    expect(bo.page.get_by_role("heading", level=1)).to_have_text("You are next")
    last = server.record(night.code)["moves"][-1]
    assert (last["move"], last["tile"], last["card"]) == ("reward", "T6", "B1")


TILES = [{"move": "play", "card": f"R{value}"} for value in range(1, 6)]


@pytest.mark.parametrize("is_plain", [False, True])
def test_a_tile_that_is_a_hint_is_given_on_the_hands_themselves(
    server: Server, phone: Callable[..., Phone], is_plain: bool
) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TAPS, detail="cards", edition="pl", flamboyants="on")
    anna, bo = night.phones
    for turn, move in enumerate([*TILES, {"move": "arrange", "order": [1, 0, 2, 3, 4]}]):
        place = {"slot": 0} if move["move"] == "play" else {}
        (anna, bo)[turn % 2].asks("POST", f"/tables/{night.code}/moves", {**move, **place, "seat": turn % 2})
    one = phone(java_script_enabled=False) if is_plain else anna
    if is_plain:
        one.page.context.add_cookies(anna.page.context.cookies())
    one.opens(f"/t/{night.code}/0")
    if not is_plain:
        one.is_awake()
    expect(one.page.locator("#hint")).to_be_hidden()
    one.page.locator("label:has(#opens-T4)").tap()
    expect(one.page.locator("#hint [name=colour]").first).to_be_hidden()
    if is_plain:
        one.page.locator(".to").tap()
    for place in (0, 3):
        one.page.locator(f".hand-of label:has([name=slots][value='{place}'])").tap()
    one.page.locator("#hint button[name=value][value='3']").tap()
    expect(bo.page.get_by_role("heading", level=1)).to_have_text("You are next")
    last = server.record(night.code)["moves"][-1]
    assert {name: last[name] for name in ("tile", "to", "value", "slots")} == {
        "tile": "T4",
        "to": 1,
        "value": 3,
        "slots": [0, 3],
    }


def test_the_tile_that_another_is_used_as_is_called_by_what_it_does(phone: Callable[..., Phone]) -> None:
    """No tile of the box has a number."""
    built = [{"move": "play", "card": f"{colour}{value}"} for value in range(1, 5) for colour in "WRBYG"][:19]
    drawn = [move for _pair in range(16) for move in ({"move": "hint"}, {"move": "discard"})]
    turns = [*built, *drawn, {"move": "play", "card": "W5"}]
    host = phone(viewport={"width": 360, "height": 640})
    told = {"format": "companion-record", "version": 1, "game": "hanabi", "players": NAMES}
    told["options"] = {"detail": "tokens", "edition": "pl", "flamboyants": True}
    told["moves"] = [{**move, "seat": turn % 3} for turn, move in enumerate(turns)]
    code = host.asks("POST", "/records", told)["table"]["code"]
    host.opens(f"/t/{code}/0")
    host.is_live()
    host.is_awake()
    host.page.locator("label:has(#opens-T5)").tap()
    expect(host.page.locator("#tile-T5 .switch")).to_have_text("“a discarded card to its firework”")
    host.page.locator("#tile-T5 .switch").tap()
    host.page.locator("#tile-T5 button[value=R5]").tap()
    expect(host.page.locator("#undo")).to_contain_text("reveals reward tile “a discarded card into the deck”")
    assert host.asks("GET", f"/tables/{code}/record")["moves"][-1]["as"] == "T6"


def test_what_a_tile_asks_for_is_put_back_by_cancel(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:3], TOLD, detail="hints", edition="pl", flamboyants="on")
    anna, bo, *_ = night.phones
    for turn, move in enumerate([{"move": "hint", "to": 2, "value": 2}, {"move": "discard", "card": "B1"}, *TILES]):
        night.make({**move, "seat": turn % 3})
        night.agree(shows_state(night))
    anna.is_awake()
    for tile, asks in (("T5", "#tile-T5"), ("T3", ".whom"), ("T6", "#tile-T6")):
        anna.page.locator(f"label:has(#opens-{tile})").tap()
        expect(anna.page.locator(asks).first).to_be_visible()
        expect(anna.page.locator(".tiles")).to_be_hidden()
        anna.page.locator("[data-cancel]:visible").tap()
        expect(anna.page.locator(".tiles")).to_be_visible()
    anna.page.locator("label:has(#opens-T3)").tap()
    anna.page.locator(".whom label:has([value='2'])").tap()
    anna.page.locator("#hint button[name=colour][value=G]").tap()
    expect(bo.page.get_by_role("heading", level=1)).to_have_text("You are next")
    last = server.record(night.code)["moves"][-1]
    assert (last["tile"], last["to"], last["colour"], "slots" in last) == ("T3", 2, "G", False)


@pytest.mark.parametrize("is_plain", [False, True])
def test_a_hand_is_put_in_order_by_two_taps(server: Server, phone: Callable[..., Phone], is_plain: bool) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TAPS, detail="cards")
    night.make({"move": "hint", "seat": 0, "to": 1, "value": 1, "slots": [2]})
    night.agree(shows_state(night))
    bo = night.phones[1]
    one = phone(java_script_enabled=False) if is_plain else bo
    if is_plain:
        one.page.context.add_cookies(bo.page.context.cookies())
    one.opens(f"/t/{night.code}/1")
    if not is_plain:
        one.is_awake()
    one.page.locator("#fold-arrange summary").tap()
    expect(one.page.locator(".goes:visible")).to_have_count(0)
    one.page.locator("label:has(.takes-2)").tap()
    expect(one.page.locator(".goes:visible button:enabled")).to_have_count(4)
    one.page.locator(".goes:visible button").first.tap()
    expect(bo.page.locator("#undo")).to_contain_text("arranges the hand")
    assert server.record(night.code)["moves"][-1]["order"] == [2, 0, 1, 3, 4]
    assert "1" in bo.page.locator(".own-hand .face").first.inner_text()


def test_where_a_card_is_named_one_thing_is_chosen_at_a_time(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TOLD, detail="hints")
    anna, bo = night.phones
    night.make({"move": "hint", "seat": 0, "to": 1, "colour": "R"})
    night.agree(shows_state(night))
    bo.is_awake()
    bo.page.locator("label.act-play").tap()
    bo.page.locator("label.act-discard").tap()  # no error after all
    bo.page.locator("#tray-gone button[value=R1]").tap()
    expect(anna.page.get_by_role("heading", level=1)).to_have_text("You are next")
    assert server.record(night.code)["moves"][-1]["move"] == "discard"


def test_an_earlier_hint_is_amended(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TAPS, detail="cards")
    anna, _ = night.phones
    night.make({"move": "hint", "seat": 0, "to": 1, "value": 3, "slots": [1]})
    expect(anna.page.locator("#undo")).to_contain_text("3")
    anna.page.get_by_role("link", name="History").tap()
    anna.changes(anna.page.get_by_role("link", name=re.compile("Change")).first)
    for place in (2, 4):
        anna.page.locator(f".hand-of label:has([name=slots][value='{place}'])").tap()
    anna.page.locator("#hint button[name=value][value='3']").tap()
    anna.page.wait_for_url("**/history")
    assert server.record(night.code)["moves"][0]["slots"] == [2, 4]
    anna.page.get_by_role("link", name="My seat").tap()  # which lay in the menu, and this key led to where one was
    anna.page.wait_for_url(f"**/t/{night.code}/0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_entry_said_that_is_changed_is_read_to_its_end(phone: Callable[..., Phone], language: str) -> None:
    """Of “shows the 3 red cards: places 1, 3, 4” nobody read which cards, nor where."""
    one = phone(viewport={"width": 360, "height": 640}, locale=language)
    code = one.asks("POST", "/tables", {"game": "hanabi", "players": list(LONG_NAMES)})["table"]["code"]
    for seat, slots in ((0, [0]), (1, [0, 2, 3])):
        hint = {"move": "hint", "seat": seat, "to": seat + 1, "colour": "R", "slots": slots}
        one.asks("POST", f"/tables/{code}/moves", hint)
    one.opens(f"/t/{code}/history/2")
    band, said = one.page.locator("#amending"), one.page.locator("#amending small")
    assert said.evaluate("({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight")
    assert band.evaluate("({ offsetHeight }) => offsetHeight") <= 120
    assert [*overlapping(one.page), *broken(one.page), *cut(one.page)] == []


KEYS = """() => {
  const seen = (key) => key.checkVisibility({ visibilityProperty: true });
  const keys = [...document.querySelectorAll(".hand :is(button, label), .table-top li label")].filter(seen);
  const faults = keys.flatMap((key) => {
    const { x, y, width, height } = key.getBoundingClientRect();
    const what = `${key.outerHTML.slice(0, 80)} at ${x}, ${y}: ${width} × ${height}`;
    const isFree = [3, height - 3].every((down) => key.contains(document.elementFromPoint(x + width / 2, y + down)));
    return [...(width < 47.9 || height < 47.9 ? [`small: ${what}`] : []), ...(isFree ? [] : [`covered: ${what}`])];
  });
  const { top, height } = document.querySelector(".hand").getBoundingClientRect();
  return { faults, area: `${Math.round(top)}, ${Math.round(height)}`, scrolls: document.querySelector(".hand").scrollHeight > Math.ceil(height) };
}"""
"""What is wrong with the keys, and where their area lies."""
BIGGEST = (("edition", "pl"), ("multicolour", 10), ("black_powder", True))
LONG_NAMES = ("Wolfensteinová", "Maksymilianna", "Przemysław Jan", "Bartholomäus V", "Zdeňka Nováčka")


@pytest.mark.parametrize(("seats", "more"), [(2, ()), (5, BIGGEST)])
@pytest.mark.parametrize("height", [640, 844])
def test_an_own_card_stays_where_it_was_touched(
    phone: Callable[..., Phone], seats: int, more: tuple[tuple[str, Any], ...], height: int
) -> None:
    """It moved away, and who tapped twice had said by the second tap that the card was discarded, or played."""
    one = phone(viewport={"width": 360, "height": height}, locale="de-DE")
    told = {"game": "hanabi", "players": list(LONG_NAMES[:seats]), "options": {"detail": "cards", **dict(more)}}
    code = one.asks("POST", "/tables", told)["table"]["code"]
    for move in (
        {"move": "hint", "seat": 0, "to": 1, "value": 1, "slots": [0]},
        {"move": "play", "slot": 0, "card": "R1"},
    ):
        one.asks("POST", f"/tables/{code}/moves", {"seat": 1, **move})
    one.opens(f"/t/{code}/{2 % seats}")
    one.is_live()
    one.is_awake()
    lies = (
        "cards => cards.map((card) => card.getBoundingClientRect()).map(({ x, y }) => [Math.round(x), Math.round(y)])"
    )
    cards = one.page.locator(".own-hand label")
    before = cards.evaluate_all(lies)
    for place in range(cards.count()):
        where = cards.nth(place).bounding_box()
        assert where
        for touched in (True, False):
            one.page.touchscreen.tap(where["x"] + where["width"] / 2, where["y"] + where["height"] / 2)
            expect(one.page.locator("#lay button[name=card]").first).to_be_visible(visible=touched)
            assert cards.evaluate_all(lies) == before
            assert one.page.locator("#lay [name=move]:checked").count() == 0
            assert one.page.evaluate(
                "document.querySelector('.hand').scrollHeight <= document.querySelector('.hand').clientHeight"
            )


@pytest.mark.parametrize(("seats", "more"), [(2, ()), (3, ()), (5, BIGGEST)])
@pytest.mark.parametrize("height", [640, 844])
def test_a_card_on_the_table_stays_where_it_was_touched(
    phone: Callable[..., Phone], seats: int, more: tuple[tuple[str, Any], ...], height: int
) -> None:
    """The keys for a hint are as high as what they cover, so that the next card is where the hand goes for it."""
    one = phone(viewport={"width": 360, "height": height}, locale="de-DE")
    told = {"game": "hanabi", "players": list(LONG_NAMES[:seats]), "options": {"detail": "cards", **dict(more)}}
    code = one.asks("POST", "/tables", told)["table"]["code"]
    one.opens(f"/t/{code}/0")
    one.is_live()
    cards = one.page.locator(".hand-of label")
    lies = "cards => cards.map((card) => Math.round(card.getBoundingClientRect().y))"
    before = cards.evaluate_all(lies)
    for place in (0, 1):
        cards.nth(place).tap()
        expect(one.page.locator("#hint")).to_be_visible()
        assert cards.evaluate_all(lies) == before


@pytest.mark.parametrize(("seats", "more"), [(2, ()), (5, BIGGEST)])
@pytest.mark.parametrize("detail", ["tokens", "hints", "cards"])
def test_whoever_acts_has_all_keys_in_the_same_places(
    phone: Callable[..., Phone], detail: str, seats: int, more: tuple[tuple[str, Any], ...], is_long: bool
) -> None:
    seed = randrange(1_000_000)
    print(f"{seed=}")
    keeper = phone(viewport={"width": 360, "height": 640}, locale=Random(seed).choice([*LANGUAGES]))
    setting = Setting("hanabi", seats, (), (("detail", detail), *more))
    plays = list(kit.play_on(table_of(setting), Random(seed)))[:-1]
    areas = set()
    for made in range(0, len(plays), 1 if is_long else max(1, len(plays) // 6)):
        evening = {**written(setting, plays[: made + 1]), "players": list(LONG_NAMES[:seats])}
        code = keeper.asks("POST", "/records", evening)["table"]["code"]
        keeper.opens(f"/t/{code}/{plays[made].position.turn}")
        looks = keeper.page.evaluate(KEYS)
        assert (looks["faults"], looks["scrolls"]) == ([], False)
        areas.add(looks["area"])
    assert len(areas) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_remarked_on_and_the_way_to_its_entry_are_seen_above_the_cards(
    phone: Callable[..., Phone], language: str
) -> None:
    """The way lay below the foot of the notice, and at five players the end of the sentence, too."""
    one = phone(viewport={"width": 360, "height": 640}, locale=language)
    code = one.asks("POST", "/tables", {"game": "hanabi", "players": list(LONG_NAMES), "options": {}})["table"]["code"]
    for move in (
        {"move": "hint", "seat": 0, "to": 1, "value": 1, "slots": [0]},
        {"move": "discard", "seat": 1, "slot": 1, "card": "W1"},
    ):
        one.asks("POST", f"/tables/{code}/moves", move)
    one.opens(f"/t/{code}/2")
    notice = one.page.locator(".notice")
    frame = notice.bounding_box()
    assert frame
    for part in (notice.locator("p").first, notice.get_by_role("link")):
        box = part.bounding_box()
        assert box
        assert (box["y"] >= frame["y"], box["y"] + box["height"] <= frame["y"] + frame["height"]) == (True, True)
    expect(one.page.get_by_role("region", name=translations(language).gettext("Please look"))).to_be_visible()
    expect(notice.get_by_role("link")).to_be_in_viewport(ratio=1)
    assert [*overlapping(one.page), *broken(one.page), *cut(one.page)] == []


def test_a_remark_is_shown_whole_by_a_tap_and_gives_way_to_the_next(phone: Callable[..., Phone]) -> None:
    """It hid the tokens until the next move, and its last lines, which nothing said that there were."""
    one = phone(viewport={"width": 360, "height": 640}, locale="de-DE")
    code = one.asks("POST", "/tables", {"game": "hanabi", "players": list(LONG_NAMES)})["table"]["code"]
    for move in (
        {"move": "hint", "seat": 0, "to": 1, "value": 1, "slots": [0, 1]},
        {"move": "hint", "seat": 1, "to": 2, "colour": "R", "slots": [0]},
        {"move": "hint", "seat": 2, "to": 1, "value": 2, "slots": [0]},
    ):
        one.asks("POST", f"/tables/{code}/moves", move)
    one.opens(f"/t/{code}/3")
    one.is_live()
    one.is_awake()
    notice, cards = one.page.locator(".notice"), one.page.locator(".hand-of .lying")
    lies = "cards => cards.map((card) => Math.round(card.getBoundingClientRect().y))"
    is_whole = "({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight"
    before = cards.evaluate_all(lies)
    assert not notice.evaluate(is_whole)
    notice.locator("p").first.tap()
    assert notice.evaluate(is_whole)
    expect(notice).to_be_in_viewport(ratio=1)
    assert cards.evaluate_all(lies) == before
    notice.locator("p").first.tap()
    expect(notice).to_be_hidden()
    cards.first.tap()
    one.page.locator("#hint button[value='5']").tap()
    expect(one.page.locator("#undo")).to_contain_text("5")
    one.tap("Zurücknehmen")
    expect(notice).to_be_visible()  # what there is to say again is said again


FIRST: dict[str, list[dict[str, Any]]] = {
    "tokens": [{"move": "hint"}, {"move": "discard", "card": "B1"}],
    "hints": [{"move": "hint", "to": 1, "value": 2}, {"move": "discard", "card": "B1"}],
    "cards": [
        {"move": "hint", "to": 1, "value": 2, "slots": [3]},
        {"move": "discard", "slot": 0, "card": "B1"},
    ],
}


@pytest.mark.parametrize("detail", FIRST)
@pytest.mark.parametrize("seats", [2, 5])
def test_all_tiles_and_what_they_ask_for_are_in_reach(phone: Callable[..., Phone], detail: str, seats: int) -> None:
    seed = randrange(1_000_000)
    print(f"{seed=}")
    keeper = phone(viewport={"width": 360, "height": 640}, locale=Random(seed).choice([*LANGUAGES]))
    places = {"slot": 0} if detail == "cards" else {}
    moves = [*FIRST[detail], *({**move, **places} for move in TILES)]
    evening = {
        "format": "companion-record",
        "version": 1,
        "game": "hanabi",
        "options": {"detail": detail, "flamboyants": True, **dict(BIGGEST)},
        "players": list(LONG_NAMES[:seats]),
        "moves": [{**move, "seat": turn % seats} for turn, move in enumerate(moves)],
    }
    code = keeper.asks("POST", "/records", evening)["table"]["code"]
    keeper.opens(f"/t/{code}/{len(moves) % seats}")
    for tile in (None, "T3", "T4", "T5", "T6"):
        opener = keeper.page.locator(f"label:has(#opens-{tile})")
        if tile and opener.count():
            opener.tap()
        is_hint = tile in ("T3", "T4")  # Otherwise the cards on the table are not asked for.
        looks = keeper.page.evaluate(KEYS if is_hint else KEYS.replace(", .table-top li label", ""))
        assert (looks["faults"], looks["scrolls"]) == ([], False), tile
        if (cancel := keeper.page.locator("[data-cancel]:visible")).count():
            cancel.tap()


@pytest.mark.parametrize("is_away", [False, True])
def test_a_hint_of_cards_whose_places_have_changed_meanwhile_is_none(
    server: Server, phone: Callable[..., Phone], is_away: bool
) -> None:
    """Whether the phone hears of it before its last tap, or has no network then."""
    night = Night(server, phone, "hanabi", NAMES, TAPS)
    anna = night.phones[0]
    anna.is_awake()
    hand = anna.page.locator(".hand-of:has([name=to][value='1'])")
    hand.locator("label:has([name=slots][value='0'])").tap()
    anna.page.context.set_offline(is_away)
    if is_away:
        anna.page.locator("#hint button[value='3']").tap()
        expect(anna.page.locator("#outbox")).to_be_visible()
    night.tell({"move": "arrange", "seat": 1, "order": [2, 3, 4, 0, 1]})
    anna.page.context.set_offline(False)
    expect(anna.page.locator("#undo")).to_contain_text("arranges the hand")
    expect(hand.locator("[name=slots]:checked")).to_have_count(0)
    expect(anna.page.locator("#refusal")).to_have_count(int(is_away))
    assert [move["move"] for move in server.record(night.code)["moves"]] == ["arrange"]


@pytest.mark.parametrize(("seats", "least"), [(2, 90), (3, 90), (4, 70), (5, 50)])
def test_cards_are_as_high_as_the_table_has_room_for_and_what_is_said_of_them_is_larger(
    phone: Callable[..., Phone], seats: int, least: int
) -> None:
    """With two players they were 50 pixels high amid a table that was half empty."""
    host, guest = (phone(viewport={"width": 360, "height": 640}) for _phone in range(2))
    code = host.asks("POST", "/tables", {"game": "hanabi", "players": list(LONG_NAMES[:seats])})["table"]["code"]
    guest.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    guest.asks("POST", f"/tables/{code}/moves", {"move": "hint", "seat": 0, "to": 1, "value": 1, "slots": [0]})
    for one, seat in ((host, 1), (guest, 0)):
        one.opens(f"/t/{code}/{seat}")
        one.is_live()
        cards = one.page.locator(".hand-of .lying")
        highs = cards.evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().height)")
        assert min(highs) >= least
        assert max(highs) - min(highs) < 1
        assert one.page.locator(".table-top").evaluate("({ scrollTop }) => scrollTop") == 0
        expect(cards.last).to_be_in_viewport(ratio=0.95)
    size = guest.page.locator(".face b").first.evaluate("(said) => Number.parseFloat(getComputedStyle(said).fontSize)")
    assert (size > 28) == (seats < 5)
