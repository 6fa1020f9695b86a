"""Ikebana through the pages: whole games, and what a turn costs in taps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.testing.laws import broken, overlapping, shortened
from tests.pages.night import Night
from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]
LONG_NAMES = ["Wolfensteinová", "Maksymilian"]
LEAST_OWN = 40
"""So many px high are digits of one's own."""


def draws(phone: Phone, move: dict[str, Any]) -> None:
    """Name the card that was drawn, and keep or refuse it; where only payments are told, one tap does."""
    if "card" in move:
        colour, value = move["card"]
        phone.page.locator(f"label:has(input[name=card-colour][value={colour}])").tap()
        phone.page.locator(f"label:has(input[name=card][value='*{value}'])").tap()
        phone.taps += 2
    phone.page.locator(f"button[name=move][value={move['move']}]").tap()
    phone.taps += 1


def buys(phone: Phone, move: dict[str, Any]) -> None:
    """Touch the pile where its card is known; where it is not, whose it is, and then the price."""
    if "price" in move:
        phone.page.locator(f"label:has(input[name=from][value='{move['from']}'])").tap()
        phone.is_awake()
        phone.page.locator(f"button[name=price][value='{move['price']}']").tap()
        phone.taps += 2
        return
    phone.page.locator(f"button[name=from][value='{move['from']}']").tap()
    phone.taps += 1


def tells(phone: Phone, move: dict[str, Any]) -> None:
    """Touch the cards; a form sends them in the order of the page."""
    move["cards"].sort(key=lambda card: (card[1], "KRGBYM".index(card[0])))
    for card in move["cards"]:
        phone.page.locator(f"[data-card={card}]").tap()
    phone.page.locator("#told").tap()
    phone.taps += 6


POINTS = """wanted => {
    const rows = [...document.querySelectorAll("table.players tbody tr, .wall [data-seat]:has(.points), .ranking li")].filter(row => row.checkVisibility());
    const shown = rows.map(row => [row.querySelector("bdi"), row.querySelector(".points")].map(part => part?.textContent.trim()));
    return Object.entries(wanted).every(([name, points]) => {
        const own = shown.filter(([whose]) => whose === name);
        return own.length === 1 && own[0][1] === points;
    });
}"""
"""Each player has one row, and these points in it."""
KEYS = ".hand button, .hand label:not(.copy), .hand .copies"
AREA = """keys => {
    const band = document.querySelector(".hand");
    const seen = [...document.querySelectorAll(keys)].filter(key => key.checkVisibility({ visibilityProperty: true }));
    const faults = [];
    const places = seen.map(key => {
        const { left, top, right, bottom, width, height } = key.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const over = document.elementFromPoint(x, y);
        if (!key.contains(over)) faults.push(`covered: ${key.outerHTML.slice(0, 90)}`);
        if (width < 47.9 || height < 47.9) faults.push(`${width} × ${height}: ${key.outerHTML.slice(0, 90)}`);
        if (bottom > innerHeight || right > innerWidth) faults.push(`out of sight: ${key.outerHTML.slice(0, 90)}`);
        return [left, top, width, height].map(Math.round).join(" ");
    });
    if (band.scrollHeight > band.clientHeight) faults.push("the keys scroll");
    return { faults, places };
}"""
"""The keys of the seat that acts: what is wrong with them, and where each is."""
TAPS = {"keep": draws, "refuse": draws, "buy": buys, "bouquet": tells}


def shows_prestige(night: Night) -> Callable[[Phone], None]:
    def shows(phone: Phone) -> None:
        places = night.play.game.standing(night.play.position).places
        night.waits(phone, POINTS, {night.names[place.seat]: str(place.score) for place in places})

    return shows


@pytest.mark.promise(3, 16)
def test_three_phones_play_four_rounds_card_by_card_and_everything_agrees(
    server: Server, phone: Callable[..., Phone], is_long: bool
) -> None:
    night = Night(
        server, phone, "ikebana", NAMES, TAPS, plain=1, is_long=is_long, seed=10, final_bouquet="on", locale="es-ES"
    )
    night.plays(shows_prestige(night), away=(20, 5), undo=10, retake=14)
    places = night.play.game.standing(night.play.position).places
    first = [NAMES[place.seat] for place in places if place.rank == 1]
    wins = night.said("%(name)s wins") % {"name": first[0]} if len(first) == 1 else night.said("A shared victory")
    night.screen.page.locator(".reveal").click()
    expect(night.screen.page.get_by_role("heading", name=wins)).to_be_visible()


def test_a_table_that_tells_payments_only_tells_its_bouquets_at_the_end_of_a_round(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS, seed=2, detail="payments")
    shows = shows_prestige(night)
    while len(night.play.position.sheet) < 1:
        move = night.choose()
        assert move is not None
        night.make(move)
        night.agree(shows)
    assert "bouquet" in {move["move"] for move in server.record(night.code)["moves"]}
    night.agree_on_paper()


def test_a_card_is_kept_or_refused_with_three_taps_and_bought_with_one(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS)
    anna, bo = night.phones
    for one, move, taps in (
        (anna, {"move": "refuse", "seat": 0, "card": "R4"}, 3),
        (anna, {"move": "keep", "seat": 0, "card": "M5"}, 3),
        (bo, {"move": "buy", "seat": 1, "from": 0}, 1),
    ):
        one.taps = 0
        night.make(move)
        assert one.taps == taps
        night.agree(shows_prestige(night))


def test_the_card_that_was_refused_is_not_chosen_for_the_next(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS)
    anna, _ = night.phones
    night.make({"move": "refuse", "seat": 0, "card": "R4"})
    night.agree(shows_prestige(night))
    expect(anna.page.locator(".dock input:checked")).to_have_count(0)


def test_keeping_refusing_and_buying_cost_two_taps_at_most_where_payments_are_told(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS, detail="payments")
    anna, bo = night.phones
    for one, move, taps in (
        (anna, {"move": "refuse", "seat": 0}, 1),
        (anna, {"move": "keep", "seat": 0}, 1),
        (bo, {"move": "buy", "seat": 1, "from": 0, "price": 3}, 2),
    ):
        one.taps = 0
        night.make(move)
        assert one.taps == taps
        night.agree(shows_prestige(night))


@pytest.mark.parametrize("width", [360, 320])
def test_prestige_of_three_digits_leaves_room_for_flowers_and_names(phone: Callable[..., Phone], width: int) -> None:
    names = LONG_NAMES
    rounds = (("K1K2K3K4K5", "R1G2B3Y4M5"), ("R1R2R3R4R5", "K1G2B3Y4M5"), ("G1G2G3G4G5", "R1K2B3Y4M5"))
    rounds += (("B1B2B3B4B5", "R1K2G3Y4M5"),)
    moves = [
        {"move": "keep", "seat": seat, "card": cards[place : place + 2]}
        for bouquets in rounds
        for place in range(0, 10, 2)
        for seat, cards in enumerate(bouquets)
    ]
    told = {"format": "companion-record", "version": 1, "game": "ikebana", "options": {}, "players": names}
    host = phone(viewport={"width": width, "height": 640})
    code = host.asks("POST", "/records", {**told, "moves": moves[:-1]})["table"]["code"]
    host.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    host.opens(f"/t/{code}/0")
    host.is_live()
    expect(host.page.locator(".players .mine .num")).to_have_text(["60", "186"])
    assert [*overlapping(host.page), *shortened(host.page, names)] == []
    code = host.asks("POST", "/records", {**told, "moves": moves[:30]})["table"]["code"]
    host.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    host.opens(f"/t/{code}/0")
    own = host.page.locator(".result .mine .points")
    expect(own).to_have_text("186")
    assert own.evaluate("(own) => parseFloat(getComputedStyle(own).fontSize)") >= LEAST_OWN
    assert [*overlapping(host.page), *shortened(host.page, names)] == []


def test_who_paid_whom_and_what_both_have_now_is_said_whole(phone: Callable[..., Phone]) -> None:
    """Beside the key that takes it back the numbers were cut, which it would change."""
    host = phone(viewport={"width": 360, "height": 640})
    asked = {"game": "ikebana", "players": [*LONG_NAMES, "Katarzyna"], "options": {}}
    code = host.asks("POST", "/tables", asked)["table"]["code"]
    host.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    host.asks("POST", f"/tables/{code}/moves", {"move": "refuse", "seat": 0, "card": "M4"})
    for language in ("en", "cs", "es", "pl"):
        host.opens(f"/t/{code}/0?lang={language}")
        bar = host.page.locator("#undo p")
        expect(bar).to_contain_text("Maksymilian 6 → 7")
        assert bar.evaluate("(bar) => bar.scrollHeight - bar.clientHeight") == 0, language


def test_a_name_that_is_tapped_twice_buys_nothing(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "ikebana", NAMES, TAPS, detail="payments")
    _, bo, _ = night.phones
    for move in ({"move": "refuse", "seat": 0}, {"move": "keep", "seat": 0}):
        night.make(move)
        night.agree(shows_prestige(night))
    bo.is_awake()
    at = bo.page.locator("label.seller").first.bounding_box()
    assert at
    for _tap in range(3):
        bo.page.touchscreen.tap(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(bo.page.locator(".prices")).to_be_visible()
    expect(bo.page.locator("[aria-busy]")).to_have_count(0)
    bo.is_awake()
    bo.page.locator(".prices [type=reset]").tap()
    expect(bo.page.locator(".prices")).to_be_hidden()
    assert len(server.record(night.code)["moves"]) == 2


def told_at_once(server: Server, phone: Callable[..., Phone], **more: Any) -> Night:
    """Play a round of payments in which everyone keeps all cards."""
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS, detail="payments", **more)
    for turn in range(10):
        night.make({"move": "keep", "seat": turn % 2})
        night.agree(shows_prestige(night))
    return night


def test_a_bouquet_costs_a_touch_a_card_and_is_read_as_it_grows(server: Server, phone: Callable[..., Phone]) -> None:
    night = told_at_once(server, phone)
    anna, bo = night.phones
    reading, told = anna.page.locator("#reading"), anna.page.locator("#told")
    for card, total, why in (
        ("K3", 0, "One colour"),
        ("R3", 12, "Pair 6"),
        ("G3", 9, "Trio 9"),
        ("B2", 9, "× 1: Three or four colours"),
    ):
        expect(told).to_be_disabled()
        anna.page.locator(f"[data-card={card}]").tap()
        expect(reading.locator(".num")).to_have_text(str(total))
        expect(reading).to_contain_text(why)
    expect(reading).to_contain_text("2: 13 × 3 = 39")
    anna.page.locator("[data-card=Y2]").tap()
    expect(told).to_have_text("That is the bouquet: 39")
    expect(reading).to_contain_text("Trio 9 + Pair 4 = 13 × 3: Five colours")
    anna.page.locator("[data-card=K1]").tap()
    expect(anna.page.locator(".copy input:checked")).to_have_count(5)
    told.tap()
    night.rule({"move": "bouquet", "seat": 0, "cards": ["B2", "Y2", "K3", "R3", "G3"]})
    night.agree(shows_prestige(night))
    expect(anna.page.get_by_role("heading", name="The bouquet of Bohdan is awaited")).to_be_visible()
    expect(anna.page.locator(".hand button, .hand input")).to_have_count(0)
    bo.taps = 0
    night.make({"move": "bouquet", "seat": 1, "cards": ["K1", "K1", "K2", "R2", "M5"]})
    assert bo.taps == 6
    night.agree(shows_prestige(night))
    for one in night.phones:
        expect(one.page.locator(".result")).to_contain_text("Trio 9 + Pair 4 = 13, × 3: Five colours")
        expect(one.page.locator(".result tr", has_text="Anna")).to_contain_text("6 + 39")


def test_what_a_round_has_brought_stays_on_a_phone_until_it_is_shut_or_its_person_goes_on(
    server: Server, phone: Callable[..., Phone]
) -> None:
    """The quickest to draw took it from all who were still reading."""
    night = Night(server, phone, "ikebana", NAMES, TAPS)
    anna, bo, katka = night.phones
    bouquets = ("K3R3G3B2Y2", "R1R2B2B3R4", "K5R5G1K2R1")
    for place in range(0, 10, 2):
        for seat, cards in enumerate(bouquets):
            night.tell({"move": "keep", "seat": seat, "card": cards[place : place + 2]})
    night.agree(shows_prestige(night))
    for one in night.phones:
        expect(one.page.locator(".result")).to_be_visible()
    night.make({"move": "refuse", "seat": 0, "card": "K4"})
    night.agree(shows_prestige(night))
    expect(anna.page.locator(".result")).to_have_count(0)
    for one in (bo, katka):
        expect(one.page.locator(".result")).to_contain_text("Trio 9 + Pair 4 = 13, × 3: Five colours")
        expect(one.page.locator(".result tr", has_text="Anna")).to_contain_text("6 + 39 = 45")
    bo.page.locator(".reveal > summary").tap()
    night.make({"move": "keep", "seat": 0, "card": "B1"})
    night.agree(shows_prestige(night))
    expect(bo.page.locator(".result")).to_be_hidden()
    expect(katka.page.locator(".result")).to_be_visible()
    night.make({"move": "keep", "seat": 1, "card": "B1"})
    night.make({"move": "keep", "seat": 2, "card": "B2"})
    night.agree(shows_prestige(night))
    for one in night.phones:
        expect(one.page.locator(".result")).to_have_count(0)


def test_cards_that_are_touched_are_taken_out_again_and_stay_while_others_tell(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = told_at_once(server, phone)
    anna, _bo = night.phones
    chosen, slots = anna.page.locator(".copy input:checked"), anna.page.locator("#slots button")
    for card in ("R1", "K5", "R1", "R1"):
        anna.page.locator(f"[data-card={card}]").tap()
    expect(chosen).to_have_count(4)
    expect(anna.page.locator("[data-card=R1]")).to_have_attribute("data-count", "3")
    slots.nth(1).tap()
    expect(slots).to_have_count(3)
    expect(anna.page.locator("[data-card=K5] input:checked")).to_have_count(0)
    night.make({"move": "bouquet", "seat": 1, "cards": ["R1", "R2", "R3", "K5", "M5"]})
    expect(anna.page.locator("[data-card=K5]")).to_have_count(0)
    expect(chosen).to_have_count(2)
    expect(slots).to_have_count(2)
    anna.page.locator("[data-card=R1]").tap()
    expect(slots).to_have_count(0)


def test_a_bouquet_is_told_without_script(server: Server, phone: Callable[..., Phone]) -> None:
    night = told_at_once(server, phone)
    anna, _ = night.phones
    visitor = phone(java_script_enabled=False, locale="en-GB")
    visitor.page.context.add_cookies(anna.page.context.cookies())  # type: ignore[arg-type]
    visitor.opens(f"/t/{night.code}/0")
    for card, copies in (("R1", 3), ("K5", 1), ("M2", 1)):
        for copy in range(copies):
            visitor.page.locator(f".copy:has(input[value={card}])").nth(copy).tap()
    visitor.page.locator("#told").tap()
    expect(visitor.page.get_by_role("heading", name="The bouquet of Bohdan is awaited")).to_be_visible()
    assert server.record(night.code)["moves"][-1]["cards"] == ["R1", "R1", "R1", "M2", "K5"]


def test_a_card_that_is_drawn_says_what_it_would_make(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS)
    anna, _ = night.phones
    for move in ({"move": "keep", "seat": 0, "card": "R5"}, {"move": "keep", "seat": 1, "card": "K1"}):
        night.make(move)
        night.agree(shows_prestige(night))
    anna.is_awake()
    anna.page.locator("label:has(input[name=card-colour][value=R])").tap()
    expect(anna.page.locator("input[name=card][value='*5']")).to_be_disabled()
    anna.page.locator("label:has(input[name=card-colour][value=M])").tap()
    anna.page.locator("label:has(input[name=card][value='*5'])").tap()
    expect(anna.page.locator("button[value=keep]")).to_contain_text("then worth 40")


def test_a_value_that_was_touched_first_is_let_go_where_its_colour_has_none(phone: Callable[..., Phone]) -> None:
    """It said what the card would make that cannot be, and was refused as if no card had been named."""
    anna = phone()
    body = {"game": "ikebana", "players": NAMES[:2], "options": {}}
    code = anna.asks("POST", "/tables", body)["table"]["code"]
    for seat, card in enumerate(("M3", "R1")):
        anna.asks("POST", f"/tables/{code}/moves", {"move": "keep", "seat": seat, "card": card})
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    three = anna.page.locator("input[name=card][value='*3']")
    for colour, is_there in (("R", True), ("M", False), ("R", False)):
        if is_there:
            anna.page.locator(".values label:has([value='*3'])").tap()
        anna.page.locator(f".colours label:has([value={colour}])").tap()
        expect(three).to_be_checked(checked=is_there)
        expect(anna.page.locator("#then-worth")).to_have_text("then worth 24" if is_there else "")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_name_opens_its_prices_in_its_place_and_no_key_moves(phone: Callable[..., Phone], seats: int) -> None:
    anna, bo = (phone(viewport={"width": 360, "height": 640}) for _seat in range(2))
    names = ["Anna", "Bohdan", "Wolfensteinová", "Maximiliánkov", "Ester"][:seats]
    asked = {"game": "ikebana", "players": names, "options": {"detail": "payments"}}
    code = anna.asks("POST", "/tables", asked)["table"]["code"]
    bo.asks("PUT", f"/tables/{code}/seats/1", {"name": ""})
    for move in ("refuse", "keep"):
        anna.asks("POST", f"/tables/{code}/moves", {"move": move, "seat": 0})
    bo.opens(f"/t/{code}/1")
    bo.is_live()
    shut = in_sight(bo)
    bo.page.locator("label.seller").first.tap()
    bo.is_awake()
    prices = in_sight(bo)
    assert len(prices) == 6 + 2
    assert prices[-2:] == shut[-2:]
    assert bo.page.locator(".seller-for:visible").inner_text() == "Buy from Anna for"
    bo.page.locator(".prices [type=reset]").tap()
    bo.is_awake()
    assert in_sight(bo) == shut
    cut = (
        "names => names.filter(({scrollWidth, clientWidth}) => scrollWidth > clientWidth).map(name => name.textContent)"
    )
    assert bo.page.locator(".seller .name").evaluate_all(cut) == []


FIVE = ["Wolfensteinová", "Maksymilian", "Katarzyna", "Dalibor", "Guillermina"]


def kept(phone: Callable[..., Phone], detail: str, moves: list[dict[str, Any]], size: tuple[int, int]) -> Phone:
    """Open a table of five that one phone keeps, as it is after these moves."""
    keeper = phone(viewport={"width": size[0], "height": size[1]})
    asked = {"game": "ikebana", "players": FIVE, "options": {"detail": detail}}
    code = keeper.asks("POST", "/tables", asked)["table"]["code"]
    keeper.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    for move in moves:
        keeper.asks("POST", f"/tables/{code}/moves", move)
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    return keeper


def is_above_the_keys(phone: Phone, parts: str) -> bool:
    """Tell whether all these are seen whole, and nothing has been scrolled."""
    return bool(
        phone.page.evaluate(
            """(parts) => {
              const lowest = document.querySelector(".hand").getBoundingClientRect().top;
              const seen = [...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect());
              return seen.length > 0 && seen.every(({ bottom }) => bottom <= lowest);
            }""",
            parts,
        )
    )


def test_who_keeps_the_payments_of_five_sees_what_each_has(phone: Callable[..., Phone]) -> None:
    """Two of five players stood above the keys, the others behind them."""
    moves = [{"move": "refuse", "seat": 0}, *({"move": "keep", "seat": seat} for seat in range(4))]
    keeper = kept(phone, "payments", moves, (360, 640))
    assert is_above_the_keys(keeper, ".players tbody tr")
    assert [*overlapping(keeper.page), *shortened(keeper.page, FIVE)] == []


def test_who_keeps_every_card_of_five_sees_the_bouquet_of_whose_turn_it_is(phone: Callable[..., Phone]) -> None:
    cards = ["K3", "R3", "G3", "B3", "Y3"]
    moves = [{"move": "keep", "seat": seat, "card": card} for seat, card in enumerate(cards)]
    keeper = kept(phone, "cards", moves, (360, 640))
    for seat, name in enumerate(FIVE):
        expect(keeper.page.locator(".players tr.next .name")).to_have_text(name)
        assert is_above_the_keys(keeper, ".players tr.next")
        keeper.is_awake()
        draws(keeper, {"move": "keep", "seat": seat, "card": cards[seat][0] + "4"})


@pytest.mark.parametrize("size", [(360, 640), (320, 568)])
def test_a_bouquet_and_what_it_is_worth_stand_above_its_keys(
    phone: Callable[..., Phone], size: tuple[int, int]
) -> None:
    """A name of fourteen letters took a second line, and the worth lay behind the keys."""
    moves = [{"move": "keep", "seat": number % 5} for number in range(25)]
    keeper = kept(phone, "payments", moves, size)
    for card in ("K3", "R3", "G3"):
        keeper.page.locator(f"[data-card={card}]").tap()
    assert is_above_the_keys(keeper, ".teller, #slots li, #reading > :not(.hint)")
    keeper.page.evaluate("() => { document.querySelector('.teller').lastChild.data = 'Bouquet of Wolfensteinová'; }")
    assert is_above_the_keys(keeper, ".teller, #slots li, #reading > :not(.hint)")
    assert [*broken(keeper.page), *overlapping(keeper.page)] == []


def in_sight(one: Phone) -> list[str]:
    """Look at the keys of the seat that acts; return where they are."""
    area = one.page.evaluate(AREA, KEYS)
    assert area["faults"] == []
    assert area["places"]
    return list(area["places"])


def test_who_cannot_pay_is_told_why_the_card_must_be_kept(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS, detail="payments")
    anna, _ = night.phones
    for _price in (1, 2, 3):
        night.make({"move": "refuse", "seat": 0})
        night.agree(shows_prestige(night))
    expect(anna.page.locator("button[value=refuse]")).to_be_disabled()
    expect(anna.page.locator(".why")).to_contain_text("Refusing costs 4 points")


def test_an_earlier_card_is_amended_by_the_keys_of_then(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS)
    anna, _ = night.phones
    night.make({"move": "keep", "seat": 0, "card": "R4"})
    expect(anna.page.locator("#undo")).to_contain_text("red 4")
    anna.page.get_by_role("link", name="History").tap()
    anna.changes(anna.page.get_by_role("link", name=re.compile("Change")).first)
    anna.page.locator(".colours label:has([value=R])").tap()
    anna.page.locator(".values label:has([value='*5'])").tap()
    anna.page.locator("button[value=keep]").tap()
    expect(anna.page.get_by_text("Anna draws and keeps: red 5.", exact=True)).to_be_visible()
