"""Ubongo through the pages: a whole game, the taps of a round, and a clock that is the server's."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from companion.testing.laws import broken, overlapping
from companion.words import LANGUAGES
from tests.pages.night import Night
from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]
LONG = "600"
"""Seconds of sand: enough for the slowest machine."""


def form(phone: Phone, move: dict[str, Any]) -> Any:
    late = ":has(input[name=in_time][value=false])"
    return phone.page.locator(
        f"form:has(input[name=move][value={move['move']}]):has([name=seat][value='{move['seat']}'])"
        f"{late if is_late(move) else f':not({late})'}"
    )


def is_late(move: dict[str, Any]) -> bool:
    return move.get("in_time") is False


def touches(phone: Phone, key: Any) -> None:
    """Tap a key once it is there, and awake."""
    key.wait_for()
    phone.is_awake()
    key.tap()
    phone.taps += 1


def rolls(phone: Phone, move: dict[str, Any]) -> None:
    """Tap what the die shows; it may be in a fold, or behind what is asked about hands."""
    die = phone.page.locator(".die")
    way = phone.page.locator("label:has([name=whose][value=none]), #fold-roll > summary")
    die.or_(way).first.wait_for(state="attached")
    if not die.is_visible():
        way.tap()
    touches(phone, phone.page.locator(f"button[name=symbol][value='{move['symbol']}']"))


def says(phone: Phone, move: dict[str, Any]) -> None:
    touches(phone, form(phone, move).locator("button"))


def places(phone: Phone, move: dict[str, Any]) -> None:
    touches(phone, form(phone, move).locator(f"button[name=row][value='{move['row']}']"))


def takes(phone: Phone, move: dict[str, Any]) -> None:
    *first, last = move.get("gems", []) or [None]
    taking = form(phone, move)
    for colour in first:
        touches(phone, taking.locator(f"label:has(input[value={colour}])"))
    touches(phone, taking.locator(f"button[value={last}]" if last else "button"))


TAPS = {"roll": rolls, "ubongo": says, "void": says, "place": places, "take": takes}
"""A count would end the game at once, and the end of the glass has a test of its own."""


GEMS = """wanted => wanted.every((counts, seat) => {
    const cells = [...document.querySelectorAll(`table.gems tr[data-seat="${seat}"] td`)].map(cell => cell.textContent.trim());
    return cells.length === counts.length && cells.every((cell, place) => cell === counts[place]);
})"""
"""The gems of every seat, colour by colour."""
LANES = "wanted => [...document.querySelectorAll('.lane-left')].map(left => left.textContent.trim()).join() === wanted.join()"
"""While the sand runs, the screen shows what is left on the board instead."""


def shows_gems(night: Night) -> Callable[[Phone], None]:
    def shows(phone: Phone) -> None:
        if phone is night.screen and night.play.position.symbol and not night.play.position.is_finished:
            night.waits(phone, LANES, [str(row) for row in night.play.position.rows])
        else:
            night.waits(phone, GEMS, [[str(count) for count in counts] for counts in night.play.position.gems])

    return shows


class Evening(Night):
    """A night at which nobody speaks of hands while the sand runs: pages ask about them when it has run out."""

    def choose(self) -> dict[str, Any] | None:
        """Choose a legal move as a page offers it."""
        while (move := super().choose()) is not None and "in_time" in move:
            pass
        return move


def night_of(server: Server, phone: Callable[..., Phone], seats: int, **more: Any) -> Night:
    return Evening(server, phone, "ubongo", NAMES[:seats], TAPS, **{"glass_s": LONG, **more})


@pytest.mark.promise(3, 16)
def test_three_phones_play_nine_rounds_and_everything_agrees(
    server: Server, phone: Callable[..., Phone], is_long: bool
) -> None:
    night = night_of(server, phone, 3, plain=1, is_long=is_long, seed=3, locale="pl-PL")
    night.plays(shows_gems(night), away=(20, 7), undo=9, retake=15)
    winner = night.play.game.standing(night.play.position).places[0]
    expect(night.screen.page.locator(".place-1").first).to_contain_text(NAMES[winner.seat])


def test_a_call_is_one_tap_and_gems_are_two(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2)
    anna, bo = night.phones
    night.make({"move": "roll", "symbol": 3})
    for one, move, taps in (
        (bo, {"move": "ubongo", "seat": 1}, 1),
        (anna, {"move": "ubongo", "seat": 0}, 1),
        (bo, {"move": "take", "seat": 1, "gems": ["blue", "yellow"]}, 2),
    ):
        one.taps = 0
        night.make(move)
        assert one.taps == taps
        night.agree(shows_gems(night))
    calls = anna.page.locator(".calls li")
    expect(calls.first).to_contain_text("Bohdan")
    expect(calls.nth(1)).to_contain_text(re.compile(r"\d+ ms later"))


def test_the_button_to_call_is_a_third_of_the_screen(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2)
    night.make({"move": "roll", "symbol": 1})
    button = night.phones[1].page.get_by_role("button", name="Ubongo!")
    expect(button).to_be_visible()
    box, screen = button.bounding_box(), night.phones[1].page.viewport_size
    assert box
    assert screen
    assert box["height"] >= screen["height"] / 3
    assert box["y"] + box["height"] <= screen["height"]


@pytest.mark.promise(22)
@pytest.mark.parametrize("off_ms", [0, 86_400_000, -86_400_000])
def test_a_phone_with_a_wrong_clock_shows_the_same_seconds(
    server: Server, phone: Callable[..., Phone], off_ms: int
) -> None:
    night = night_of(server, phone, 2)
    anna, bo = night.phones
    bo.page.add_init_script(f"const now = Date.now; Date.now = () => now() + {off_ms};")
    bo.page.reload()
    bo.is_live()
    night.make({"move": "roll", "symbol": 1})
    left = []
    for one in (anna, bo, night.screen):
        expect(one.page.locator("#clock-left")).to_have_text(re.compile(r"59\d"))
        left.append((int(one.page.locator("#clock-left").inner_text()), time.monotonic()))
    for seconds, seen in left:
        assert abs(seconds - left[0][0] + (seen - left[0][1])) <= 2


def test_a_server_s_clock_that_was_put_right_between_two_glasses_is_followed(phone: Callable[..., Phone]) -> None:
    """A screen on which nobody looks away would show a full glass for minutes."""
    anna, behind_ms = phone(), 300_000

    def tells(route: Route) -> None:
        route.fulfill(body=str(time.time_ns() // 1_000_000 - behind_ms))

    anna.page.route("**/clock", tells)
    code = anna.opens_table(NAMES, "ubongo")
    with anna.page.expect_response("**/clock"):
        anna.opens(f"/t/{code}/0")
    anna.is_live()
    behind_ms = 0
    rolls(anna, {"move": "roll", "symbol": 3})
    expect(anna.page.locator("#clock-left")).to_have_text(re.compile(r"^[1-5]?\d$"))


def test_when_the_sand_has_run_out_the_page_offers_to_say_so(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2, glass_s="6")
    anna, bo = night.phones
    night.make({"move": "roll", "symbol": 1})
    expect(anna.page.locator("#time-up")).to_be_hidden()
    for one, says in ((anna, "Solve your card"), (night.screen, "The sand runs")):
        expect(one.page.locator("h1:visible")).to_have_text(says)
    expect(anna.page.locator("#time-up")).to_be_visible(timeout=20_000)
    expect(anna.page.locator("#clock-left")).to_have_text("0")
    for one in (anna, bo, night.screen):
        expect(one.page.locator("h1:visible")).to_have_text("The sand has run out")
    expect(anna.page.get_by_role("button", name="Ubongo!")).to_be_hidden()
    anna.is_awake()
    anna.page.locator("#time-up button").tap()
    expect(bo.page.get_by_text("seconds, second glass")).to_be_visible()


def test_the_end_of_the_glass_is_told_by_as_large_a_key_whoever_tells_it(
    server: Server, phone: Callable[..., Phone]
) -> None:
    """Who had taken gems had a strip at the foot of an empty dock, below a board that could not be touched."""
    night = night_of(server, phone, 2, glass_s="6")
    keeper = keeper_of(phone, [], glass_s=6)
    keeper.is_live()
    for move in ({"move": "roll", "symbol": 1}, {"move": "ubongo", "seat": 0}):
        night.make(move)
    night.make({"move": "take", "seat": 0, "gems": ["red", "blue"]})
    rolls(keeper, {"move": "roll", "symbol": 1})
    keys = [one.page.locator("#time-up button") for one in (*night.phones, keeper)]
    for key in keys:
        expect(key).to_be_visible(timeout=20_000)
    taken, waiting, kept = (key.bounding_box() for key in keys)
    assert taken == waiting
    screen = keeper.page.viewport_size
    assert screen
    assert kept
    assert kept["height"] >= screen["height"] / 5
    keeper.is_awake()
    keys[-1].tap()
    expect(keeper.page.get_by_text("seconds, second glass")).to_be_visible()


def test_before_that_it_asks_first_and_tells_the_seconds(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2)
    anna, bo = night.phones
    night.make({"move": "roll", "symbol": 1})
    anna.page.locator(".early > summary").tap()
    expect(anna.page.locator("#really")).to_have_text(re.compile(r"59\d seconds are left: really\?"))
    anna.tap("Yes, it has run out")
    expect(bo.page.get_by_text("seconds, second glass")).to_be_visible()
    expect(bo.page.locator(".notice-look")).to_contain_text("By the clock the sand had still 59")


def gems_of(phone: Phone, seat: int) -> list[str]:
    return [cell.strip() for cell in phone.page.locator(f"table.gems tr[data-seat='{seat}'] td").all_text_contents()]


@pytest.mark.parametrize("is_said", [True, False])
def test_gems_called_in_time_and_entered_after_the_glass_are_kept(
    server: Server, phone: Callable[..., Phone], is_said: bool
) -> None:
    """Whether somebody has said that the sand has run out, or only the clock has."""
    night = night_of(server, phone, 2, glass_s="3")
    anna, bo = night.phones
    for move in ({"move": "roll", "symbol": 1}, {"move": "ubongo", "seat": 0}):
        night.make(move)
    expect(bo.page.locator("#time-up")).to_be_visible(timeout=8_000)
    if is_said:
        bo.is_awake()
        bo.page.locator("#time-up button").tap()
        expect(bo.page.get_by_role("heading", name="Taken in time?")).to_be_visible()
    expect(anna.page.locator("h1:visible")).to_have_text("Taken in time?")
    anna.is_awake()
    anna.taps = 0
    night.taps["place"](anna, {"move": "place", "seat": 0, "row": 2})
    expect(anna.page.locator(".row-field.here .field-number")).to_have_text("3")
    anna.is_awake()
    night.taps["take"](anna, {"move": "take", "seat": 0, "gems": ["red", "blue"]})
    expect(anna.page.locator(".undo")).to_contain_text("Anna takes a")
    assert anna.taps == 3
    assert gems_of(bo, 0) == ["0", "1", "1", "0", "0", "0"]


def test_hands_that_were_late_bring_nothing_and_a_call_is_never_late(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = night_of(server, phone, 2, glass_s="2")
    anna, bo = night.phones
    for move in ({"move": "roll", "symbol": 1}, {"move": "ubongo", "seat": 0}):
        night.make(move)
    expect(bo.page.locator("#time-up")).to_be_visible(timeout=8_000)
    expect(bo.page.get_by_role("button", name="Ubongo!")).to_be_hidden()
    bo.is_awake()
    bo.page.locator("#time-up button").tap()
    expect(anna.page.locator(".asked")).to_be_visible()
    anna.is_awake()
    anna.tap("No, too late: no gems")
    expect(anna.page.locator(".asked")).to_be_hidden()
    expect(bo.page.locator(".undo")).to_contain_text("The hands of Anna were too late")
    assert gems_of(bo, 0) == ["0"] * 6


def test_pawns_are_put_on_the_strip_before_the_first_roll(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2)
    for move in ({"move": "place", "seat": 1, "row": 4}, {"move": "place", "seat": 0, "row": 2}):
        night.make(move)
    strip = night.phones[0].page.locator(".row-field")
    expect(strip.nth(4).locator(".seat-mark")).to_have_count(1)
    night.make({"move": "place", "seat": 0, "row": 4})
    expect(strip.nth(4).locator(".seat-mark")).to_have_count(2)
    night.make({"move": "roll", "symbol": 6})


def test_the_screen_shows_the_game_from_the_first_pawn_on(server: Server, phone: Callable[..., Phone]) -> None:
    """It was taken for one of a table that goes on to its next game, and showed nothing any more."""
    night = night_of(server, phone, 2)
    for move in (
        {"move": "place", "seat": 1, "row": 4},
        {"move": "roll", "symbol": 6},
        {"move": "ubongo", "seat": 1},
    ):
        night.make(move)
        night.agree(shows_gems(night))


KEYS = """() => [...document.querySelectorAll('.hand :is(button, .colour)')]
    .filter(key => key.checkVisibility())
    .map(key => {
        const {x, y, width, height} = key.getBoundingClientRect();
        const over = document.elementFromPoint(x + width / 2, y + height / 2);
        return {x, y, width, height, isSeen: key.contains(over) || over?.closest('.colour') === key};
    })"""


def lies_at(part: Any) -> tuple[int, ...]:
    return tuple(round(number) for number in part.bounding_box().values())


def lies(phone: Phone) -> list[dict[str, Any]]:
    keys: list[dict[str, Any]] = phone.page.evaluate(KEYS)
    return keys


@pytest.mark.parametrize("seats", [2, 4])
def test_a_keeper_has_a_fixed_key_a_player_and_sees_all_keys_at_every_turn(
    server: Server, phone: Callable[..., Phone], seats: int
) -> None:
    keeper = phone(viewport={"width": 360, "height": 640})
    keeper.opens_table(["Babička", "Eva", "Wolfensteinová", "Jan"][:seats], game="ubongo", glass_s=LONG)
    keeper.opens(f"/t/{keeper.page.url.split('/t/')[1].split('/')[0]}/0")
    keeper.is_live()
    last = seats - 1
    moves: list[dict[str, Any]] = [{"move": "place", "seat": seat, "row": 5 - seat} for seat in range(seats)]
    moves += [{"move": "roll", "symbol": 5}, *({"move": "ubongo", "seat": seat} for seat in reversed(range(seats)))]
    moves += [{"move": "place", "seat": last, "row": 5}, {"move": "take", "seat": last, "gems": ["red", "red"]}]
    places, callers = set(), set()
    sat = int(keeper.page.locator("#part").get_attribute("data-number") or 0)
    for number, move in enumerate(moves, sat + 1):
        keys = lies(keeper)
        assert keys
        assert all(key["isSeen"] for key in keys), move
        assert min(min(key["width"], key["height"]) for key in keys) >= 48, move
        places.add(lies_at(keeper.page.locator(".hand")))
        callers.add(tuple(lies_at(key) for key in keeper.page.locator(".caller").all()))
        TAPS[move["move"]](keeper, move)
        expect(keeper.page.locator("#part")).to_have_attribute("data-number", str(number))
    assert len(places) == 1
    one, *others = callers  # half a pixel may be rounded up or down
    assert all(abs(a - b) <= 1 for other in others for a, b in zip(sum(one, ()), sum(other, ()), strict=True))


def chosen(phone: Phone) -> int:
    """Tell whose keys are seen."""
    return int(phone.page.locator(".strip-form:visible input[name=seat]").input_value())


def chooses(phone: Phone, seat: int) -> None:
    """Tap the key of a caller, whose keys are then seen."""
    touches(phone, phone.page.locator(f"label.caller:has(input[value='{seat}'])"))
    assert chosen(phone) == seat


def keeper_of(
    phone: Callable[..., Phone], moves: Sequence[dict[str, Any]], glass_s: int = int(LONG), **more: Any
) -> Phone:
    """Open a table of four that one phone keeps, as it is after these moves."""
    keeper = phone(**{"viewport": {"width": 360, "height": 640}, **more})
    names = ["Babička", "Eva", "Wolfensteinová", "Jan"]
    table = {"game": "ubongo", "players": names, "options": {"glass_s": glass_s}}
    code = keeper.asks("POST", "/tables", table)["table"]["code"]
    keeper.asks("PUT", f"/tables/{code}/seats/0", {"name": names[0]})
    for move in moves:
        keeper.asks("POST", f"/tables/{code}/moves", move)
    keeper.opens(f"/t/{code}/0")
    return keeper


CALLED = [{"move": "roll", "symbol": 5}, *({"move": "ubongo", "seat": seat} for seat in (2, 0, 3))]


@pytest.mark.parametrize("script", [True, False])
def test_a_keeper_tells_the_gems_of_every_caller_in_any_order(phone: Callable[..., Phone], script: bool) -> None:
    """Those of the second caller had to wait for the first one's, while the sand ran."""
    keeper = keeper_of(phone, CALLED, java_script_enabled=script)
    if script:
        keeper.is_live()
    assert chosen(keeper) == 2
    stand = lies_at(keeper.page.locator(".callers"))
    then: list[tuple[dict[str, Any], int | None]] = [
        ({"move": "place", "seat": 0, "row": 2}, 0),
        ({"move": "take", "seat": 0, "gems": ["blue", "green"]}, 2),
        ({"move": "take", "seat": 3, "gems": ["red", "red"]}, 2),
        ({"move": "take", "seat": 2, "gems": ["red", "blue"]}, None),
    ]
    for number, (move, next_one) in enumerate(then, len(CALLED) + 2):
        if chosen(keeper) != move["seat"]:
            chooses(keeper, move["seat"])
        assert min(min(key["width"], key["height"]) for key in lies(keeper)) >= 48
        assert all(key["isSeen"] for key in lies(keeper))
        TAPS[move["move"]](keeper, move)
        expect(keeper.page.locator("#part")).to_have_attribute("data-number", str(number))
        assert lies_at(keeper.page.locator(".callers")) == stand
        if script and next_one is not None:  # without script the page comes anew, and the first one stands there
            assert chosen(keeper) == next_one
    assert keeper.page.locator("label.caller").count() == 0
    expect(keeper.page.locator(".caller .rank")).to_have_text(["2 ✓", "1 ✓", "3 ✓"])


def test_whoever_is_chosen_stays_so_while_others_call(phone: Callable[..., Phone]) -> None:
    keeper = keeper_of(phone, CALLED)
    keeper.is_live()
    chooses(keeper, 3)
    expect(keeper.page.locator("h1:visible")).to_have_text("Jan takes")
    keeper.page.locator(".gem-one:visible label:has(input[value=red])").tap()
    says(keeper, {"move": "ubongo", "seat": 1})
    expect(keeper.page.locator("label.caller")).to_have_count(4)
    assert chosen(keeper) == 3
    expect(keeper.page.locator(".gem-one:visible input:checked")).to_have_value("red")


def test_on_the_smallest_phone_a_keeper_reads_each_name_and_whose_keys_are_there(phone: Callable[..., Phone]) -> None:
    """The longest name was broken over the place of its call, and the keys lay upon whose they were."""
    keeper = keeper_of(phone, CALLED, viewport={"width": 320, "height": 568})
    keeper.is_live()
    for part in (keeper.page.locator("h1:visible"), keeper.page.locator("#clock-left")):
        expect(part).to_be_in_viewport(ratio=1)
        lowest = part.evaluate("(part) => part.getBoundingClientRect().bottom")
        assert lowest <= lies_at(keeper.page.locator(".hand"))[1]
    assert [*broken(keeper.page), *overlapping(keeper.page)] == []


@pytest.mark.parametrize("keeps", [True, False])
def test_the_next_round_may_begin_while_it_is_still_asked_about_hands(phone: Callable[..., Phone], keeps: bool) -> None:
    """The die came only when each caller had answered; then it lay in a fold, far below the table."""
    keeper = keeper_of(phone, [*CALLED, {"move": "ubongo", "seat": 1}, {"move": "time_up"}])
    if not keeps:
        path = keeper.page.url.removeprefix(keeper.server.address).removesuffix("/0")
        keeper = phone(viewport={"width": 360, "height": 640})
        keeper.asks("PUT", f"{path.replace('/t/', '/tables/')}/seats/1", {"name": ""})
        keeper.opens(f"{path}/1")
    keeper.is_live()
    keeper.is_awake()
    asked = keeper.page.get_by_role("heading", name="taken in time?", level=1)
    die, roll = keeper.page.locator("#dock .die"), keeper.page.locator("label", has_text="The next roll")
    expect(asked).to_be_visible()
    expect(die).to_be_hidden()
    stand = lies_at(roll)
    roll.tap()
    expect(keeper.page.locator("h1:visible")).to_have_text(re.compile("rolls? the die"))
    assert lies_at(roll) == stand
    assert all(key["isSeen"] for key in lies(keeper))
    assert min(min(key["width"], key["height"]) for key in lies(keeper)) >= 48
    keeper.page.locator("label:visible:has([name=whose]:not([value=none]))").first.tap()
    expect(asked).to_be_visible()
    expect(die).to_be_hidden()
    rolls(keeper, {"move": "roll", "symbol": 2})
    expect(keeper.page.locator("#clock")).to_be_visible()
    keeper.page.get_by_role("link", name="History").tap()
    keeper.changes(keeper.page.get_by_role("link", name=re.compile("Change")).first)
    expect(die).to_be_visible()  # it is the roll that is amended


def test_a_keeper_ends_a_glass_early_among_the_other_keys(phone: Callable[..., Phone]) -> None:
    """The key lay out of sight, and what was then remarked hid the glass that had been turned."""
    keeper = keeper_of(phone, CALLED[:1])
    keeper.is_live()
    keeper.is_awake()
    says_so = keeper.page.locator(".foot-keys .early > summary")
    expect(says_so).to_be_in_viewport(ratio=1)
    says_so.dblclick()  # a finger that comes twice has asked, and has not answered
    expect(keeper.page.locator("#really")).to_have_text(re.compile(r"\d+ seconds are left: really\?"))
    keys = lies(keeper)
    assert all(key["isSeen"] for key in keys)
    assert min(min(key["width"], key["height"]) for key in keys) >= 48
    keeper.tap("Yes, it has run out")
    expect(keeper.page.get_by_text("seconds, second glass")).to_be_visible()
    expect(keeper.page.locator("#really")).to_be_hidden()
    expect(says_so).to_be_in_viewport(ratio=1)
    remark = keeper.page.locator(".notice-look").evaluate("(one) => one.getBoundingClientRect().top")
    clock = keeper.page.locator("#clock").evaluate("(one) => one.getBoundingClientRect().bottom")
    assert clock <= remark
    keeper.page.locator("#table-top").evaluate("(table) => table.scrollTo(0, 9999)")
    expect(keeper.page.locator(".notice-look")).not_to_be_in_viewport()


def test_a_call_tapped_twice_chooses_nobody(phone: Callable[..., Phone]) -> None:
    """The key of a call becomes the one that chooses the caller: a finger that comes twice does not mean that."""
    keeper = keeper_of(phone, CALLED)
    keeper.is_live()
    keeper.is_awake()
    keeper.page.locator("button.caller[value='1']").dblclick()
    expect(keeper.page.locator("label.caller")).to_have_count(4)
    assert chosen(keeper) == 2


def test_a_keeper_puts_pawns_down_in_any_order_and_elsewhere(phone: Callable[..., Phone]) -> None:
    keeper = keeper_of(phone, ())
    keeper.is_live()
    assert chosen(keeper) == 0
    chooses(keeper, 2)
    for number, (move, next_one) in enumerate(
        (
            ({"move": "place", "seat": 2, "row": 4}, 0),
            ({"move": "place", "seat": 0, "row": 1}, 1),
            ({"move": "place", "seat": 1, "row": 0}, 3),
            ({"move": "place", "seat": 2, "row": 5}, 3),
        ),
        2,
    ):
        if chosen(keeper) != move["seat"]:
            chooses(keeper, move["seat"])
        places(keeper, move)
        expect(keeper.page.locator("#part")).to_have_attribute("data-number", str(number))
        assert chosen(keeper) == next_one
    expect(keeper.page.locator(".row-field:visible").nth(5).locator(".seat-mark")).to_have_count(1)


OVERFULL = """() => [...document.querySelectorAll(".foot-keys button")].filter((key) => key.checkVisibility()).flatMap((key) => {
  const text = document.createRange();
  text.selectNodeContents(key);
  const [inner, outer] = [text.getBoundingClientRect(), key.getBoundingClientRect()];
  return inner.top < outer.top || inner.bottom > outer.bottom || inner.width > outer.width ? [key.innerText] : [];
})"""
"""Which keys have more upon them than they have room for."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_clock_all_keys_of_a_caller_have_room_for_their_words(
    phone: Callable[..., Phone], language: str
) -> None:
    """An evening that was brought has no times: three keys, of which a clock shows two, stood in a row and overflowed."""
    keeper = phone(locale=language, viewport={"width": 360, "height": 640})
    moves = [{"move": "roll", "symbol": 3}, {"move": "ubongo", "seat": 1}]
    evening = {"format": "companion-record", "version": 1, "game": "ubongo", "players": NAMES, "moves": moves}
    code = keeper.asks("POST", "/records", evening)["table"]["code"]
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    expect(keeper.page.locator(".foot-keys button:visible")).to_have_count(3)
    assert keeper.page.evaluate(OVERFULL) == []


def test_gems_can_be_counted_once_and_the_count_amended(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2)
    anna, _ = night.phones
    anna.page.locator("#fold-count > summary").tap()
    for seat, counts in enumerate(((4, 3, 2, 6, 1, 0), (6, 4, 2, 2, 2, 2))):
        for place, count in enumerate(counts):
            anna.page.locator(f"input[name=gems-{seat}-{place}]").fill(str(count))
    anna.tap("End the game with these counts")
    expect(anna.page.locator(".ranking li").first).to_contain_text("6 4 3 2 1 0".replace(" 1 0", ""))
    expect(anna.page.locator(".why-won")).to_contain_text("Level on 6 and 4")
    anna.page.get_by_role("link", name="History").tap()
    anna.changes(anna.page.get_by_role("link", name=re.compile("Change")).first)
    anna.page.locator("#fold-count > summary").tap()
    expect(anna.page.locator("input[name=gems-1-0]")).to_have_value("6")  # what was told stands there
    for seat, counts in enumerate(((4, 3, 2, 6, 1, 0), (7, 4, 2, 2, 2, 1))):
        for place, count in enumerate(counts):
            anna.page.locator(f"input[name=gems-{seat}-{place}]").fill(str(count))
    anna.tap("End the game with these counts")
    anna.page.wait_for_url("**/history")
    anna.opens(f"/t/{night.code}/0")
    expect(anna.page.locator(".ranking li").first).to_contain_text("Bohdan")


HEARS = """
window.AudioContext = class extends AudioContext {
  constructor() {
    super();
    window.airs.push(this);
  }
};
window.airs = [];
document.addEventListener("readystatechange", () => document.documentElement.toggleAttribute("data-sounds", true));
"""
"""Notes all that a page has made to be heard by, where sounds are chosen."""
RUNS_OUT = """async () => {
  const clock = document.createElement("i");
  clock.className = "clock is-out";
  document.getElementById("part").append(clock);
  await new Promise((done) => setTimeout(done));
  clock.remove();
}"""


def test_a_gong_that_has_rung_holds_nothing_for_the_next(phone: Callable[..., Phone]) -> None:
    anna = phone()
    code = anna.opens_table(NAMES, game="ubongo")
    anna.page.add_init_script(HEARS)
    anna.opens(f"/t/{code}/screen")
    anna.is_live()
    for gongs in range(4):  # who opens the screen after the glass hears nothing
        anna.page.evaluate(RUNS_OUT)
        anna.page.wait_for_function("gongs => window.airs.length === gongs", arg=gongs)
    anna.page.wait_for_function("() => window.airs.every(({ state }) => state === 'closed')")
