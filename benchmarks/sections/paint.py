"""When a phone shows what was tapped: Chromium with a processor four times as slow, phones that play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from random import Random
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, Locator, Playwright, sync_playwright

from benchmarks.aims import AGAIN, PAINTED
from benchmarks.dealt import TRIES
from benchmarks.ground import Ground, say, short, table
from benchmarks.machine import SERVER, on_cores
from companion.play import Asked, Play
from companion.record import read_move
from tests.pages import test_hanabi, test_ikebana, test_rage, test_ubongo
from tests.pages.night import Night, Taps
from tests.phones import Phone, Server, chromium, free_port

NAMES = ["Anna", "Bohdan", "Katka"]
SLOWER = 4
TOUCH_MS = 80
"""So long a finger stays on what it taps; a tap is counted from when it lets go."""
MOVES, VISITS = 24, 5
PLAYED: dict[str, tuple[Taps, dict[str, Any]]] = {
    "hanabi": (test_hanabi.TAPS, {"seed": 92, "detail": "cards", "multicolour": "5"}),
    "ikebana": (test_ikebana.TAPS, {}),
    "rage": ({"bid": test_rage.bids, "trick": test_rage.takes_trick, "count": test_rage.counts}, {}),
    "ubongo": (test_ubongo.TAPS, {"glass_s": test_ubongo.LONG}),
}
"""How each game is tapped, and the options of its table."""
NIGHTS: dict[str, type[Night]] = {"ubongo": test_ubongo.Evening}
"""Where not every legal move is one that a page offers."""
NOTE = """
window.painted = { taps: [], views: [] };
const note = (list, since) => requestAnimationFrame(() => {
  const after = new MessageChannel(); // what is posted within a frame arrives when that is painted
  after.port1.onmessage = () => list.push(performance.now() - since);
  after.port2.postMessage(0);
});
addEventListener("click", ({ timeStamp }) => note(painted.taps, timeStamp), true);
window.WebSocket = class extends WebSocket {
  constructor(...about) {
    super(...about);
    this.addEventListener("message", ({ data, timeStamp }) => {
      if (data.includes('"all":')) note(painted.views, timeStamp);
    });
  }
};
"""
"""Notes how long after a tap, and after what comes of a move, the next frame stands."""


def section(ground: Ground) -> str:
    """Play the beginning of each game, and load its pages again."""
    rows = []
    with ExitStack() as after:
        after.enter_context(_fingers())
        playwright = after.enter_context(sync_playwright())
        browser = after.enter_context(chromium(playwright, program="chromium-headless-shell"))
        server = Server(ground.fresh("paint"), free_port())
        with on_cores(SERVER):
            server.start()
        after.callback(server.stop)
        for key in ground.kinds:
            rows.append([key, *_seen(_Phones(browser, playwright, server), key, ground.some(MOVES))])
            say(f"  {' | '.join(rows[-1])}")
    head = ["game", "own tap, ms", "slowest of ten", "another's move, ms", "slowest of ten", "page again, ms"]
    about = (
        f"Until the next frame stands, in Chromium whose processor is {SLOWER} × as slow: a tap on one's own phone, "
        f"from when the finger lets go, which has stayed for {TOUCH_MS} ms; a move of somebody else, from its arrival; "
        "the first paint of a page that was seen before. Medians of a game that goes on, and the "
        f"ninth of ten; a table of {len(NAMES)} whose other phones draw nothing."
    )
    return f"## What a phone shows\n\n{about}\n\n{table(head, rows)}"


@contextmanager
def _fingers() -> Iterator[None]:
    """Let taps last as long as people do; Playwright lets go at once, before a key that is touched is drawn."""
    at_once = Locator.tap

    def tap(self: Locator, **about: Any) -> None:
        at_once(self, trial=True, **about)
        box = self.bounding_box()
        assert box
        session = self.page.context.new_cdp_session(self.page)
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
        self.page.wait_for_timeout(TOUCH_MS)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()

    Locator.tap = tap  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        Locator.tap = at_once  # type: ignore[method-assign]


class _Phones:
    """Makes phones."""

    def __init__(self, browser: Browser, playwright: Playwright, server: Server) -> None:
        self.browser, self.playwright, self.server = browser, playwright, server

    def __call__(self, device: str = "Pixel 7", **settings: Any) -> Phone:
        """Make one."""
        context = self.browser.new_context(**{**self.playwright.devices[device], **settings, "reduced_motion": None})
        context.add_init_script(NOTE)
        return Phone(context.new_page(), self.server)

    def slow_down(self, one: Phone) -> None:
        """Give a phone a slow processor."""
        session = one.page.context.new_cdp_session(one.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def _seen(phones: _Phones, key: str, moves: int) -> Sequence[str]:
    """Play for a while; give how long it took until each was painted, and the page's first paint."""
    taps, options = PLAYED[key]
    night = NIGHTS.get(key, Night)(phones.server, phones, key, NAMES, taps, **options)
    one, own, others = night.phones[0], list[float](), list[float]()
    for other in (*night.phones[1:], night.screen):
        other.opens("/healthz")  # these phones draw nothing: they would draw on the same cores
    phones.slow_down(one)
    chance = Random(1)
    for _ in range(moves):
        if (move := _next(night, chance)) is None:
            break
        one.page.evaluate("painted.taps = [], painted.views = []")
        if night.seat_of(move):
            _posted(night.phones[night.seat_of(move)], night, move)
        else:
            night.make(move)
        number = night.agree_on_the_record()
        night.waits(one, "number => document.getElementById('part').dataset.number >= number", number)
        one.page.wait_for_function("() => painted.views.length > 0")
        own += one.page.evaluate("painted.taps")
        others += one.page.evaluate("painted.views") if night.seat_of(move) else []
    first = [_first_paint(one) for _ in range(VISITS)]
    for each in (*night.phones, night.screen):
        each.page.context.close()
    return [
        PAINTED.beside(median(own)),
        short(quantiles(own, n=10)[-1]),
        PAINTED.beside(median(others)),
        short(quantiles(others, n=10)[-1]),
        AGAIN.beside(median(first)),
    ]


def _posted(one: Phone, night: Night, move: dict[str, Any]) -> None:
    """Make a move as a program of that seat does, without a page."""
    (known,) = [each["value"] for each in one.page.context.cookies(night.server.address) if each["name"] == "phone"]
    answer = one.page.context.request.post(
        f"http://127.0.0.1:{night.server.port}/api/tables/{night.code}/moves",
        data=move,
        headers={"Authorization": f"Bearer {known}"},
    )
    assert answer.ok, answer.text()
    night.rule(move)


def _next(night: Night, chance: Random) -> dict[str, Any] | None:
    """Choose the next move: not the last one, where there is another, for chance would lose Hanabi by its third."""
    move = None
    for _ in range(TRIES):
        # The keys of Rage tell one part of a move each, and its bids come before all else.
        move = test_rage.next_move(night, chance) if night.table.game.key == "rage" else night.choose()
        if move is None or not _ends(night, move):
            break
    return move


def _ends(night: Night, move: Mapping[str, Any]) -> bool:
    """Say whether a move would end the game."""
    game, play = night.table.game, night.play
    ruling = play.judge(Asked(len(play.moves()) + 1, read_move(game, play.seats, move)))
    return isinstance(ruling, Play) and game.standing(ruling.position).is_finished


def _first_paint(one: Phone) -> float:
    one.page.goto(one.page.url)
    one.is_live()
    found: float = one.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    return found
