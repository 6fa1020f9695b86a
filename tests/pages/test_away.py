"""Phones that were away: without network, with a locked screen, or on a line that is dead and does not say so."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Route, expect

from tests.phones import Phone, Server
from tests.wire import Wire

NAMES = ["Anna", "Bohdan", "Katka"]
SEEN_MS = 4_000
"""A page looks every three seconds whether anything waits to be sent."""
BACK_S = 1.0
"""So soon after the network is back the page is right."""
WATCHES = """number => {
    window.right = null;
    const part = document.getElementById("part");
    const look = (since) => { if (Number(part.dataset.number) >= number) window.right ??= performance.now() - since; };
    window.begins = () => {
        const since = performance.now();
        new MutationObserver(() => look(since)).observe(part, { attributes: true });
        look(since);
    };
}"""
"""Measures on the phone itself how long it takes from a sign to the page with a number."""
SIGNS = {
    "unlocked": "() => { window.begins(); document.dispatchEvent(new Event('visibilitychange')); }",
    "shown again": "() => { window.begins(); dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})); }",
    "in another network": "() => { window.begins(); dispatchEvent(new Event('online')); }",
}


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    wire = Wire(server.port)
    yield wire
    wire.close()


@pytest.fixture
def far(server: Server, phone: Callable[..., Phone], wire: Wire) -> Callable[..., Phone]:
    """Make phones whose line can break."""

    def make(*device: str) -> Phone:
        one = phone(*device)
        one.server = replace(server, port=wire.port)
        one.page.add_init_script("addEventListener('companion:connected', () => { window.isConnected = true; });")
        return one

    return make


def listens(one: Phone, path: str) -> None:
    """Open a page, and wait until its stream is there."""
    one.opens(path)
    one.page.wait_for_function("() => window.isConnected", polling=50)


def leaves(wire: Wire, *phones: Phone) -> None:
    """Lose the network, and know of it."""
    for one in phones:
        one.page.context.set_offline(True)
    wire.breaks()


def returns(wire: Wire, *phones: Phone) -> None:
    """Have the network again."""
    wire.comes_back()
    for one in phones:
        one.page.context.set_offline(False)


SINCE = "seconds => parseInt(document.getElementById('since').textContent) >= seconds"
"""Whether the page says that it is as old as that."""


MARKED = """() => {
    window.breaks = () => {
        const begun = performance.now();
        new MutationObserver(() => {
            if (document.body.dataset.live === "off") window.marked ??= performance.now() - begun;
        }).observe(document.body, { attributes: true });
    };
}"""
"""Measures on the phone itself how long it takes from a break to the mark."""


def number(phone: Phone) -> int:
    return int(phone.page.locator("#part").get_attribute("data-number") or 0)


def seated_without_a_line(anna: Phone) -> str:
    """Open a table and its first seat's page, on a phone that posts its taps; the code."""
    anna.bars_lines()
    code = anna.opens_table(NAMES)
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    return code


def sealed_table(anna: Phone, bohdan: Phone) -> str:
    """Open a table where bids are sealed, and may be changed until the last is in; Katka has no phone."""
    code = bohdan.opens_table(NAMES, i_sit="1", bidding="hidden")
    anna.sits(code, "Anna")
    bohdan.opens(f"/t/{code}/1")
    bohdan.is_live()
    return code


def bids(phone: Phone, seat: int, tricks: int) -> None:
    """Press the button, folded away or not: it is not the taps that are tried."""
    phone.is_awake()
    phone.page.locator(f"#sealed-{seat} button[name=tricks][value='{tricks}']").dispatch_event("click")


def log_of(server: Server, code: str) -> list[tuple[int, int]]:
    """Close the round, so that the record shows its bids: (seat, tricks) of each."""
    return [(move["seat"], move["tricks"]) for move in server.record(code)["moves"] if move["move"] == "bid"]


@pytest.mark.promise(8)
@pytest.mark.parametrize("away_s", [10, *(pytest.param(long, marks=pytest.mark.long) for long in (60, 600))])
def test_after_a_time_without_network_the_right_page_is_there_within_a_second(
    phone: Callable[..., Phone], far: Callable[..., Phone], wire: Wire, figure: Callable[[str], None], away_s: int
) -> None:
    """Three phones are away together; another plays on, and one of those that are away has tapped meanwhile."""
    bohdan, anna = phone(), far()
    code = sealed_table(anna, bohdan)
    walls = [far("Desktop Chrome") for _ in range(2)]
    for wall in walls:
        listens(wall, f"/t/{code}/screen")
    away = [anna, *walls]
    leaves(wire, *away)
    bids(anna, 0, 4)
    expect(anna.page.locator("#outbox")).to_be_visible()
    for seat in (1, 2):
        before = number(bohdan)
        bids(bohdan, seat, 3)
        expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(before + 1))
    for one in away:
        expect(one.page.locator("body")).to_have_attribute("data-live", "off", timeout=30_000)
    anna.page.wait_for_function(
        SINCE,
        arg=away_s,
        timeout=(away_s + 60) * 1000,
    )
    took = []
    for one in away:
        one.page.evaluate(WATCHES, number(bohdan))
        one.page.evaluate("() => addEventListener('online', () => window.begins())")
    returns(wire, *away)
    for one in away:
        one.page.wait_for_function("() => window.right !== null", timeout=30_000, polling=50)
        took.append(one.page.evaluate("window.right") / 1000)
    expect(anna.page.locator("#outbox")).to_be_hidden()
    expect(anna.page.locator("body")).to_have_attribute("data-live", "on")
    figure(f"{away_s} s away: right after {', '.join(f'{one:.2f}' for one in took)} s")
    assert statistics.median(took) < BACK_S


@pytest.mark.promise(8)
def test_what_was_tapped_meanwhile_arrives_once_and_in_order(
    server: Server, phone: Callable[..., Phone], far: Callable[..., Phone], wire: Wire
) -> None:
    bohdan, anna = phone(), far()
    code = sealed_table(anna, bohdan)
    leaves(wire, anna)
    for tricks in (2, 5, 7):
        bids(anna, 0, tricks)
    expect(anna.page.locator("#outbox")).to_be_visible()
    before = number(bohdan)
    bids(bohdan, 1, 3)
    expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(before + 1))
    returns(wire, anna)
    expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(before + 4))
    expect(anna.page.locator("#outbox")).to_be_hidden()
    bids(bohdan, 2, 1)
    expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(before + 5))
    assert log_of(server, code) == [(1, 3), (0, 2), (0, 5), (0, 7), (2, 1)]


@pytest.mark.promise(8)
def test_who_thinks_again_while_a_tap_hangs_is_heard_and_a_trembling_finger_is_not(
    server: Server, phone: Callable[..., Phone]
) -> None:
    bohdan, anna = phone(), phone()
    anna.bars_lines()
    code = sealed_table(anna, bohdan)
    before = number(anna)

    def hang(route: Route) -> None:
        """Leave it without an answer until the way is free again."""

    anna.page.route("**/move", hang)
    for tricks in (2, 5, 5, 7):
        bids(anna, 0, tricks)
    expect(anna.page.locator("#outbox")).to_contain_text("3")
    anna.page.unroute("**/move", hang)
    expect(anna.page.locator("#part")).to_have_attribute("data-number", str(before + 3))
    expect(anna.page.locator("#outbox")).to_be_hidden()
    for seat in (1, 2):
        bids(bohdan, seat, 1)
        expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(before + 3 + seat))
    assert log_of(server, code) == [(0, 2), (0, 5), (0, 7), (1, 1), (2, 1)]


@pytest.mark.promise(8)
def test_what_no_longer_holds_is_shown_as_refused_with_the_reason(
    server: Server, phone: Callable[..., Phone], far: Callable[..., Phone], wire: Wire
) -> None:
    bohdan, anna = phone(), far()
    code = sealed_table(anna, bohdan)
    before = number(bohdan)
    bids(bohdan, 1, 3)
    for one in (bohdan, anna):
        expect(one.page.locator("#part")).to_have_attribute("data-number", str(before + 1))
    leaves(wire, anna)
    bids(anna, 0, 4)
    expect(anna.page.locator("#outbox")).to_be_visible()
    bohdan.is_awake()
    bohdan.page.locator("form[action*='take-back'] button").tap()
    expect(bohdan.page.locator("#undo")).to_contain_text("Taken back")
    returns(wire, anna)
    expect(anna.page.locator("#refusal")).to_be_visible()
    expect(anna.page.locator("#refusal")).not_to_be_empty()
    expect(anna.page.locator("#outbox")).to_be_hidden()
    assert log_of(server, code) == []


@pytest.mark.promise(8)
@pytest.mark.parametrize("has_line", [True, False])
@pytest.mark.parametrize("is_freed", [False, True])
def test_what_waits_on_a_phone_that_forgets_who_it_was_is_entered_or_told_once_it_is_back(
    phone: Callable[..., Phone], far: Callable[..., Phone], wire: Wire, is_freed: bool, has_line: bool
) -> None:
    """It was dropped without a word: by its return code the phone is who it was; who has sat down anew is told."""
    bohdan, anna = phone(), far()
    if not has_line:
        anna.bars_lines()
    code = sealed_table(anna, bohdan)
    return_code = anna.page.locator(".return-code .code").first.text_content() or ""
    before = number(bohdan)
    leaves(wire, anna)
    for tricks in (4, 5):
        bids(anna, 0, tricks)
    expect(anna.page.locator("#outbox")).to_be_visible()
    anna.page.context.clear_cookies()
    returns(wire, anna)
    expect(anna.page.locator("#lost")).to_be_visible()
    if is_freed:
        bohdan.asks("DELETE", f"/tables/{code}/seats/0")
        anna.page.get_by_role("button", name="Anna").tap()
        expect(anna.page.locator("#refusal")).to_contain_text("was not entered")
        bids(anna, 0, 2)
    else:
        anna.page.locator("#fold-return > summary").tap()
        anna.page.locator("#return-code").fill(return_code)
        anna.page.locator("#fold-return button").tap()
    entered = [2] if is_freed else [4, 5]
    expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(before + 3))
    expect(anna.page.locator("#outbox")).to_be_hidden()
    for seat in (1, 2):
        bids(bohdan, seat, 1)
        expect(bohdan.page.locator("#undo")).to_contain_text(("Anna", "Bohdan", "Katka")[seat])
    assert log_of(bohdan.server, code) == [*((0, tricks) for tricks in entered), (1, 1), (2, 1)]


def test_a_tap_that_the_server_takes_from_no_page_of_its_seat_is_not_sent_for_ever(phone: Callable[..., Phone]) -> None:
    """As where a proxy changes what says from which page it comes."""
    anna = phone()
    seated_without_a_line(anna)
    asked: list[Route] = []

    def forbid(route: Route) -> None:
        asked.append(route)
        route.fulfill(status=403, content_type="text/html", body="Not from this page")

    anna.page.route("**/move", forbid)
    with anna.page.expect_navigation():
        anna.chooses(4)
    anna.is_live()
    expect(anna.page.locator("#outbox")).to_be_hidden()
    anna.page.wait_for_timeout(SEEN_MS)
    assert len(asked) == 1


@pytest.fixture
def deaf(phone: Callable[..., Phone], far: Callable[..., Phone], wire: Wire) -> tuple[Phone, Phone]:
    """Give a phone that can bid, and a screen as on a machine that slept: its stream is open, says nothing, and stays."""
    bohdan, anna = phone(), phone()
    code = sealed_table(anna, bohdan)
    wall = far("Desktop Chrome")
    listens(wall, f"/t/{code}/screen")
    wire.goes_dead()
    return bohdan, wall


@pytest.mark.promise(8)
@pytest.mark.parametrize("sign", SIGNS)
def test_a_phone_whose_stream_is_dead_is_right_at_once_when_it_is_looked_at(
    deaf: tuple[Phone, Phone], figure: Callable[[str], None], sign: str
) -> None:
    bohdan, wall = deaf
    before = number(bohdan)
    bids(bohdan, 1, 3)
    expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(before + 1))
    assert number(wall) == before
    wall.page.evaluate(WATCHES, before + 1)
    wall.page.evaluate(SIGNS[sign])
    wall.page.wait_for_function("() => window.right !== null", timeout=30_000, polling=50)
    took = wall.page.evaluate("window.right") / 1000
    figure(f"{sign}: right after {took:.2f} s")
    assert took < BACK_S


@pytest.mark.long
@pytest.mark.promise(8, 10)
def test_a_dead_stream_is_noticed_without_any_sign(deaf: tuple[Phone, Phone], figure: Callable[[str], None]) -> None:
    bohdan, wall = deaf
    wall.page.evaluate(WATCHES, number(bohdan) + 1)
    wall.page.evaluate("window.begins()")
    bids(bohdan, 1, 3)
    wall.page.wait_for_function("() => window.right !== null", timeout=120_000)
    took = wall.page.evaluate("window.right") / 1000
    figure(f"a stream that was dead without a word: right after {took:.0f} s")
    assert took < 60


@pytest.mark.promise(10)
def test_a_page_without_connection_says_so_after_three_seconds_and_since_when(
    phone: Callable[..., Phone], far: Callable[..., Phone], wire: Wire, figure: Callable[[str], None]
) -> None:
    """Its last sign of life is some seconds old when the line breaks: these are not counted."""
    bohdan, anna = phone(), far()
    sealed_table(anna, bohdan)
    anna.page.evaluate(MARKED)
    anna.page.wait_for_timeout(4_000)
    anna.page.evaluate("() => window.breaks()")
    leaves(wire, anna)
    expect(anna.page.locator("body")).to_have_attribute("data-live", "off", timeout=30_000)
    expect(anna.page.locator("#live")).to_be_visible()
    expect(anna.page.locator("#since")).to_have_text(re.compile(r"^\d+ s$"))
    marked = anna.page.evaluate("() => window.marked") / 1000
    returns(wire, anna)
    anna.is_live()
    expect(anna.page.locator("#since")).to_have_text("")
    figure(f"marked after {marked:.1f} s")
    assert 3 <= marked < 12


@pytest.mark.promise(10)
def test_a_phone_that_knows_that_it_has_no_network_says_so_though_its_stream_is_open(
    phone: Callable[..., Phone], far: Callable[..., Phone], wire: Wire
) -> None:
    """Some phones keep a stream open that hears nothing, and know at once that the network is gone."""
    bohdan, anna = phone(), far()
    sealed_table(anna, bohdan)
    wire.goes_dead()
    anna.page.context.set_offline(True)
    expect(anna.page.locator("body")).to_have_attribute("data-live", "off", timeout=20_000)


@pytest.mark.long
@pytest.mark.promise(10)
def test_a_page_that_stays_without_connection_counts_on(
    phone: Callable[..., Phone], far: Callable[..., Phone], wire: Wire
) -> None:
    """The count does not begin anew when the page has tried to connect again."""
    bohdan, anna = phone(), far()
    sealed_table(anna, bohdan)
    leaves(wire, anna)
    anna.page.wait_for_function(SINCE, arg=80, timeout=110_000)


HURRIES = "const patience = AbortSignal.timeout; AbortSignal.timeout = (ms) => patience.call(AbortSignal, ms / 10);"
"""Whatever has no answer is given up ten times as soon."""


def test_a_tap_that_got_lost_on_its_way_is_sent_again_though_nothing_said_so(phone: Callable[..., Phone]) -> None:
    """A network may swallow what is sent: no error comes, and no answer."""
    anna, lost = phone(), list[Route]()
    anna.page.add_init_script(HURRIES)
    code = seated_without_a_line(anna)
    anna.page.route("**/move", lambda route: route.continue_() if lost else lost.append(route))
    anna.chooses(4)
    expect(anna.page.locator("#undo")).to_contain_text("Anna bids 4.")
    expect(anna.page.locator("#outbox")).to_be_hidden()
    assert lost
    assert len([move for move in anna.server.record(code)["moves"] if move["move"] == "bid"]) == 1


def test_a_network_that_wants_to_be_logged_in_to_takes_no_tap(phone: Callable[..., Phone]) -> None:
    anna = phone()
    seated_without_a_line(anna)
    asked: list[str] = []

    def hotel(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=200, content_type="text/html", body="<h1>Welcome to our hotel</h1>")

    anna.page.route("**/move", hotel)
    anna.chooses(4)
    expect(anna.page.locator("#outbox")).to_have_text("Not saved yet. Waiting on this phone: 1")
    assert asked
    expect(anna.page.locator("#part")).to_be_visible()
    anna.page.unroute("**/move")
    expect(anna.page.locator("#undo")).to_contain_text("Anna bids 4.")
    expect(anna.page.locator("#outbox")).to_be_hidden()


def test_a_page_in_a_network_that_wants_to_be_logged_in_to_does_not_say_that_it_is_right(
    phone: Callable[..., Phone],
) -> None:
    anna = phone()
    seated_without_a_line(anna)
    hotel = "<h1>Welcome to our hotel</h1>"
    anna.page.route("**/*", lambda route: route.fulfill(status=200, content_type="text/html", body=hotel))
    anna.page.evaluate("dispatchEvent(new Event('online'))")
    expect(anna.page.locator("body")).to_have_attribute("data-live", "off")
    anna.page.unroute("**/*")
    anna.is_live()
    anna.complaints.clear()  # the browser says, too, that the hotel streams nothing


def test_who_sits_elsewhere_when_the_network_is_back_is_led_there(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(NAMES)
    bohdan.sits(code, "Bohdan")
    bohdan.is_live()
    bohdan.page.context.set_offline(True)
    anna.opens(f"/t/{code}/start")
    anna.page.locator("button[name=up][value='2']").tap()
    expect(anna.page.locator("button[name=up]").first).to_be_visible()
    anna.page.locator("form[action$='/start'] button:not([name=up])").last.tap()
    anna.page.wait_for_url("**/history")
    bohdan.page.context.set_offline(False)
    bohdan.page.wait_for_url(f"**/t/{code}/2")
    bohdan.is_live()


def test_the_screen_in_another_tab_does_not_take_what_waits_for_its_own_page(phone: Callable[..., Phone]) -> None:
    anna = phone()
    code = seated_without_a_line(anna)
    screen = Phone(anna.page.context.new_page(), anna.server)
    screen.opens(f"/t/{code}/screen")
    screen.is_live()
    anna.page.route("**/move", lambda route: route.abort())
    anna.chooses(4)
    expect(anna.page.locator("#outbox")).to_be_visible()
    screen.page.wait_for_timeout(SEEN_MS)
    assert anna.page.evaluate("code => JSON.parse(localStorage.getItem(`outbox-${code}`)).length", code) == 1
    anna.page.unroute("**/move")
    expect(anna.page.locator("#undo")).to_contain_text("Anna bids 4.")
    expect(anna.page.locator("#outbox")).to_be_hidden()
    assert not screen.complaints


def test_the_seats_follow_the_table_though_an_answer_got_lost(phone: Callable[..., Phone]) -> None:
    anna, bohdan, katka = phone(), phone(), phone()
    code = anna.opens_table(NAMES)
    lost: list[Route] = []
    anna.page.route("**/seats", lambda route: route.continue_() if lost else lost.append(route))
    with anna.page.expect_request("**/seats"):
        bohdan.sits(code, "Bohdan")
    katka.sits(code, "Katka")
    expect(anna.page.locator("small").get_by_text("on a phone", exact=True)).to_have_count(2)


def test_the_seats_follow_the_table_when_they_are_shown_again(phone: Callable[..., Phone]) -> None:
    anna = phone()
    with anna.page.expect_request("**/stream"):
        anna.opens_table(NAMES)
    with anna.page.expect_request("**/stream"):
        anna.page.evaluate("""() => {
            for (const sign of ["pagehide", "pageshow"])
                dispatchEvent(new PageTransitionEvent(sign, { persisted: true }));
        }""")
