"""The screen fills itself: nobody scrolls it, nothing is cut, no text lies on another, in every stage of every game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from companion.games.hanabi.position import Result
from companion.games.rage.moves import Bid, Tally
from companion.play import Asked, Play
from companion.testing import kit
from companion.words import LANGUAGES
from tests.pages.places import Setting, table_of, written
from tests.phones import Phone

SIZES = ((1280, 720), (1920, 1080), (820, 1180))
NAMES = ("Anna", "Bartolomějíček", "Cyril", "Dana", "Eva", "Maximilian-Jan", "Gabriela", "Hynek")
"""As long as names are at a table: with fourteen letters each is whole."""
LEAST_USED = 0.7
"""Of the height."""
STATES = 3
"""Moments of a game that the gate looks at, beside its stages."""
MANY = 24
BLACK_POWDER = (("edition", "pl"), ("multicolour", 10), ("black_powder", True), ("flamboyants", True))
SETTINGS = {
    "hanabi": (Setting("hanabi", 2, (), (("detail", "tokens"),)), Setting("hanabi", 5, (), BLACK_POWDER)),
    "ikebana": (Setting("ikebana", 2, (), (("detail", "payments"),)), Setting("ikebana", 5, ())),
    "rage": (Setting("rage", 3, ()), Setting("rage", 8, (), (("bidding", "hidden"),))),
    "ubongo": (Setting("ubongo", 2, ()), Setting("ubongo", 4, ())),
}
"""The fewest and the most players."""
FAULTS = """() => {
  const wall = document.querySelector(".wall");
  const seen = (part) => part.checkVisibility({ visibilityProperty: true }) && !part.closest(".vh, nav, svg *");
  const parts = [...document.querySelectorAll(".top *, .wall *")].filter(seen);
  const short = (part) => part.outerHTML.slice(0, 90);
  const faults = [];
  const page = document.scrollingElement;
  if (page.scrollHeight > innerHeight + 1 || page.scrollWidth > innerWidth + 1) faults.push("the page scrolls");
  const frame = wall.getBoundingClientRect();
  for (const part of parts) {
    const { left, right, top, bottom, width, height } = part.getBoundingClientRect();
    if (width < 1 || height < 1) continue;
    const within = wall.contains(part) ? frame : { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
    if (left < within.left - 1 || right > within.right + 1 || top < within.top - 1 || bottom > within.bottom + 1)
      faults.push(`outside: ${short(part)}`);
    const style = getComputedStyle(part);
    if (part.parentElement.matches(".wall li") && style.position === "static") {
      const row = part.parentElement.getBoundingClientRect();
      if (top < row.top - 2 || bottom > row.bottom + 2) faults.push(`beyond its row: ${short(part)}`);
    }
    if (part.matches(".name")) {
      const all = part.textContent.trim().length;
      const letters = (all * part.clientWidth) / part.scrollWidth;
      if (part.scrollWidth > part.clientWidth + 1 && (all <= 14 || letters < 6)) faults.push(`${Math.floor(letters)} letters of ${part.textContent}`);
    } else if (style.overflowY !== "visible" && part.scrollHeight > part.clientHeight + 2) faults.push(`cut: ${short(part)}`);
  }
  const boxes = [];
  const places = document.createTreeWalker(wall, NodeFilter.SHOW_TEXT);
  for (let node = places.nextNode(); node; node = places.nextNode()) {
    const part = node.parentElement;
    if (!node.data.trim() || !seen(part)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const shown = part.getBoundingClientRect();
    for (const box of range.getClientRects()) {
      const { left, top, bottom } = box;
      const right = part.matches(".name") ? Math.min(box.right, shown.right) : box.right;
      // A line is higher than its letters.
      const air = (bottom - top) / 5;
      boxes.push({ part, left: left + 1, right: right - 1, top: top + air, bottom: bottom - air });
      if (right > frame.right + 1 || bottom > frame.bottom + 1) faults.push(`text outside: ${node.data.trim()}`);
    }
  }
  for (const [at, one] of boxes.entries())
    for (const other of boxes.slice(at + 1))
      if (one.part !== other.part && one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
        faults.push(`upon one another: ${short(one.part)} ${short(other.part)}`);
  const full = parts.filter((part) => part.matches("svg, img, li, .ring-table") || [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const spans = full.map((part) => part.getBoundingClientRect()).filter(({ width }) => width).sort((a, b) => a.top - b.top);
  let used = 0;
  let end = 0;
  for (const { top, bottom } of spans) {
    used += Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, end));
    end = Math.max(end, bottom);
  }
  return { faults: [...new Set(faults)], used: used / innerHeight };
}"""
NOT_WHOLE = """() => [...document.querySelectorAll(".face :is(svg, b, i)")].flatMap((part) => {
  const { left, right, top, bottom, width } = part.getBoundingClientRect();
  const face = part.closest(".face").getBoundingClientRect();
  const isWhole = !width || (left >= face.left && right <= face.right && top >= face.top && bottom <= face.bottom);
  return isWhole ? [] : [part.outerHTML];
})"""
"""What is cut of the cards on a phone."""
POINTED_AT = [
    (0, 1, {"colour": "R"}), (1, 0, {"colour": "R"}), (2, 0, {"colour": "B"}), (3, 0, {"colour": "Y"}),
    (4, 0, {"colour": "G"}), (0, 1, {"value": 1}), (1, 0, {"colour": "W"}), (2, 0, {"value": 3}),
]  # fmt: skip
"""Hints: from whom, to whom, what the first card is; Anna's is of all colours."""
COUNTED = [
    [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 4, 5]],
    [[3, 2, 1, 0, 0, 0], [0, 3, 2, 2, 0, 0], [0, 0, 3, 2, 3, 0], [0, 0, 0, 3, 3, 4]],
]
"""Gems at the end, which take many words to tell apart."""
LEVEL = {
    "a third place of two": ([9, 7, 5, 5, 3, 3, 2, 1], 2),
    "a second place of all others": ([9, 5, 5, 5, 5, 5, 5, 5], 1),
    "a victory of all": ([5, 5, 5, 5, 5, 5, 5, 5], 8),
    "a victory of five": ([9, 9, 9, 9, 9, 5, 5, 5], 5),
    "two victories and a third place": ([9, 9, 5, 3, 3, 3, 2, 1], 3),
}
"""The points of eight, and how many of them stand on the podium."""
STYLED = """(rule) => {
  const styles = new CSSStyleSheet();
  styles.replaceSync(rule);
  document.adoptedStyleSheets = [styles];
}"""
OLD = """() => {
  document.body.dataset.live = document.getElementById("live").dataset.state = "off";
  document.getElementById("since").textContent = "40 s";
}"""


@dataclass
class Wall:
    """A screen of one size, and what has been wrong on it."""

    phone: Phone
    size: tuple[int, int]

    def faults(self, stage: str) -> Iterator[str]:
        """Name what nobody could read from four metres, or at all."""
        found = self.phone.page.evaluate(FAULTS)
        about = f"{stage}, {self.size[0]} × {self.size[1]}"
        yield from (f"{about}: {fault}" for fault in found["faults"])
        if found["used"] < LEAST_USED:
            yield f"{about}: {found['used']:.0%} of the height is used"

    def shows(self, code: str, stage: str) -> Iterator[str]:
        """Open the screen of a table; a reveal is looked at, then what comes after it."""
        self.phone.opens(f"/t/{code}/screen")
        yield from self.faults(stage)
        for what, stage_of in (("reveal", ".reveal"), ("play", ".reveal"), ("next", ".next-stage")):
            if self.phone.page.locator(f".wall > {stage_of}").count():
                self.phone.page.evaluate("what => { document.body.dataset.shows = what; }", what)
                yield from self.faults(f"{stage}, {what}")


def moments(plays: list[Play[Any]], setting: Setting, chance: random.Random, states: int) -> dict[str, int]:
    """Choose the moments to look at: some by chance, and those in which a stage of its own is on."""
    chosen = {f"move {at}": at for at in chance.sample(range(1, len(plays)), min(states, len(plays) - 1))}
    if setting.game in {"rage", "ikebana"}:
        chosen["a round is over"] = next(at for at, play in enumerate(plays, 1) if play.position.sheet)
    return {**chosen, "the end": len(plays)}


def evening(setting: Setting, chance: random.Random) -> list[Play[Any]]:
    """Play a random game that is long enough to have stages."""
    while True:
        plays = list(kit.play_on(table_of(setting), chance))
        if len(plays) > 2 * STATES:
            return plays


def laid(host: Phone, setting: Setting, plays: list[Play[Any]]) -> str:
    record = {**written(setting, plays), "players": list(NAMES[: setting.seats])}
    return str(host.asks("POST", "/records", record)["table"]["code"])


def chosen(is_long: bool, seed: int) -> tuple[list[str], list[tuple[int, int]]]:
    """Choose the languages and sizes: all of them, or one of each in turn."""
    if is_long:
        return list(LANGUAGES), list(SIZES)
    return [list(LANGUAGES)[seed % len(LANGUAGES)]], [SIZES[seed // len(LANGUAGES) % len(SIZES)]]


@pytest.mark.parametrize("game", SETTINGS)
def test_every_stage_of_a_game_fills_the_screen(phone: Callable[..., Phone], is_long: bool, game: str) -> None:
    seed = random.SystemRandom().randrange(10**6)
    languages, sizes = chosen(is_long, seed)
    settings = SETTINGS[game] if is_long else (SETTINGS[game][seed % 2],)
    print(f"seed {seed}, {languages}, {sizes}, {[setting.seats for setting in settings]} players")
    faults: list[str] = []
    for language in languages:
        screen = phone("Desktop Chrome", locale=language)
        for setting in settings:
            faults += walked(screen, setting, random.Random(seed), sizes, MANY if is_long else STATES)
    assert faults == []


def test_what_was_found_fills_the_screen(phone: Callable[..., Phone]) -> None:
    """A shared victory of Ubongo: who stands on the podium has a gold frame, and one of them fourteen letters."""
    screen, setting = phone("Desktop Chrome", locale="de"), SETTINGS["ubongo"][1]
    assert list(walked(screen, setting, random.Random(135497), [(1280, 720)], STATES)) == []


def walked(
    screen: Phone, setting: Setting, chance: random.Random, sizes: list[tuple[int, int]], states: int
) -> Iterator[str]:
    """Look at the stages of a random game, at each size."""
    plays = evening(setting, chance)
    seen = {name: laid(screen, setting, plays[:at]) for name, at in moments(plays, setting, chance, states).items()}
    seen["an empty lobby"] = laid(screen, setting, [])
    for size in sizes:
        screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        wall = Wall(screen, size)
        for name, code in seen.items():
            yield from wall.shows(code, f"{setting.game} for {setting.seats}, {name}")
        screen.page.evaluate(OLD)
        yield from wall.faults(f"{setting.game}, an old picture")


def test_a_card_at_which_every_colour_points_is_whole(phone: Callable[..., Phone]) -> None:
    setting = SETTINGS["hanabi"][1]
    hints = [{"move": "hint", "seat": by, "to": to, "slots": [0], **what} for by, to, what in POINTED_AT]
    host = phone(viewport={"width": 360, "height": 640})
    record = {**written(setting, []), "players": list(NAMES[: setting.seats]), "moves": hints}
    code = str(host.asks("POST", "/records", record)["table"]["code"])
    for seat in (0, 1):
        host.opens(f"/t/{code}/{seat}")
        host.is_live()
        told = [host.page.locator(f"{place} .face .told svg.spark").count() for place in (".at-sight", ".folds")]
        assert told == [6, 6]  # where it lies, and where its place can be told anew
        assert host.page.evaluate(NOT_WHOLE) == []
    assert list(at_each(phone("Desktop Chrome"), list(SIZES), code, "a card of all colours")) == []


def test_the_lobby_and_the_next_game_fill_the_screen(phone: Callable[..., Phone], is_long: bool) -> None:
    """Eight sit down one after the other, and go on to the next table."""
    seed = random.SystemRandom().randrange(10**6)
    languages, sizes = chosen(is_long, seed)
    print(f"seed {seed}, {languages}, {sizes}")
    host = phone(locale=languages[0])
    setting = Setting("rage", 8, ())
    code = laid(host, setting, [])
    screen = phone("Desktop Chrome", locale=languages[0])
    stages = [("the lobby, empty", code)]
    faults: list[str] = []
    for seat in range(setting.seats):
        guest = phone() if seat else host
        guest.asks("PUT", f"/tables/{code}/seats/{seat}", {"name": ""})
        if seat in {3, setting.seats - 1}:
            faults += at_each(screen, sizes, code, f"the lobby, {seat + 1} have come")
    faults += at_each(screen, sizes, ended(host, setting), "the next game")
    assert stages
    assert faults == []


def test_a_count_that_does_not_add_up_fills_the_screen_with_every_five_in_one_hand(phone: Callable[..., Phone]) -> None:
    """What is told of the +5 and −5 stands beside ten rings, and why all count again above the rows."""
    screen = phone("Desktop Chrome", locale="de")
    names = [*NAMES[:6], "Gabriela Wolfensteinová", "Hugo"]
    code = str(screen.asks("POST", "/tables", {"game": "rage", "players": names})["table"]["code"])
    for seat in range(8):
        screen.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": 10})
    faults: list[str] = []
    for seat in range(8):
        fives = {} if seat else {"plus": 3, "minus": 3}
        screen.asks("POST", f"/tables/{code}/moves", {"move": "count", "seat": seat, "tricks": 10, **fives})
        if seat in {0, 7}:
            faults += at_each(screen, list(SIZES), code, f"{seat + 1} have counted")
    assert faults == []


def test_a_game_that_is_lost_by_five_with_the_longest_names_fills_the_screen(phone: Callable[..., Phone]) -> None:
    setting = SETTINGS["hanabi"][1]
    plays = evening(setting, random.Random(5))
    assert plays[-1].position.result is Result.LOST
    names = ["Maximiliana Wolfenstein", "Bohdan", "Katarzyna Świętosławska", "Dalibor", "Ester"]
    screen = phone("Desktop Chrome", locale="pl")
    record = {**written(setting, plays), "players": names}
    code = str(screen.asks("POST", "/records", record)["table"]["code"])
    assert list(at_each(screen, list(SIZES), code, "lost")) == []


@pytest.mark.parametrize("gems", COUNTED, ids=["three are level", "the third colour decides"])
def test_the_comparison_has_room_above_all_its_reasons(phone: Callable[..., Phone], gems: list[list[int]]) -> None:
    setting = SETTINGS["ubongo"][1]
    record = {
        **written(setting, []),
        "players": ["Wolfensteinová", "Maksymilian", "Katarzyna", "Dalibor"],
        "moves": [{"move": "count", "gems": gems}],
    }
    screen = phone("Desktop Chrome", locale="de")
    code = str(screen.asks("POST", "/records", record)["table"]["code"])
    assert list(at_each(screen, list(SIZES), code, "compared")) == []


@pytest.mark.parametrize(("points", "standing"), LEVEL.values(), ids=LEVEL)
def test_of_those_who_share_a_place_all_stand_on_the_podium_or_none(
    phone: Callable[..., Phone], points: list[int], standing: int
) -> None:
    setting = Setting("tally", 8, (), (("rounds", 1),))
    moves = [{"move": "enter", "seat": seat, "column": "number", "value": each} for seat, each in enumerate(points)]
    record = {**written(setting, []), "players": list(NAMES), "moves": moves}
    screen = phone("Desktop Chrome", locale="de")
    code = str(screen.asks("POST", "/records", record)["table"]["code"])
    assert list(at_each(screen, list(SIZES), code, "level")) == []
    assert screen.page.locator(".podium .stand").count() == standing
    assert screen.page.locator(".rest li").count() == len(NAMES) - standing


@pytest.mark.parametrize("ahead", [0, 1, 2])
def test_of_those_who_share_a_place_of_ubongo_all_stand_on_the_podium_or_none(
    phone: Callable[..., Phone], ahead: int
) -> None:
    setting = SETTINGS["ubongo"][1]
    gems = [[3, seat, 0, 0, 0, 0] if seat < ahead else [2, 2, 0, 0, 0, 0] for seat in range(4)]
    record = {**written(setting, []), "players": list(NAMES[:4]), "moves": [{"move": "count", "gems": gems}]}
    screen = phone("Desktop Chrome", locale="de")
    code = str(screen.asks("POST", "/records", record)["table"]["code"])
    assert list(at_each(screen, list(SIZES), code, "level")) == []
    assert screen.page.locator(".podium .stand").count() == (ahead or 4)
    assert screen.page.locator(".gems tbody tr").count() == 4


@pytest.mark.parametrize("ahead", [1, 2])
def test_the_podium_gives_way_to_the_many_who_share_the_next_place(phone: Callable[..., Phone], ahead: int) -> None:
    """Eight at Rage, of whom one or two take all tricks: the reason is long, and six or seven stand in the list."""
    setting, play = SETTINGS["rage"][1], table_of(SETTINGS["rage"][1]).begin()
    plays: list[Play[Any]] = []
    while not play.position.is_finished:
        cards = play.position.cards
        tricks = tuple(cards if seat == cards % ahead else 0 for seat in range(setting.seats))
        none = (0,) * setting.seats
        bids = [Bid(seat, won) for seat, won in enumerate(tricks)]
        for move in (*bids, Tally(tricks, none, none)):
            ruled = play.judge(Asked(len(plays) + 1, move))
            assert isinstance(ruled, Play)
            play = ruled
            plays.append(play)
    screen = phone("Desktop Chrome", locale="pl")
    assert list(at_each(screen, list(SIZES), laid(screen, setting, plays), "many share a place")) == []
    assert screen.page.locator(".podium .stand").count() == ahead
    assert screen.page.locator(".rest li").count() == setting.seats - ahead


@pytest.mark.parametrize("seats", [3, 4, 8])
def test_a_round_in_which_one_takes_all_tricks_fills_the_screen(phone: Callable[..., Phone], seats: int) -> None:
    """Who has the longest name rises from the last place, with all +5; of eight rows the first was once cut."""
    rest = [0] * (seats - 2)
    bids = [{"move": "bid", "seat": seat, "tricks": 1} for seat in range(seats)]
    moves = [
        *bids,
        {"move": "tally", "tricks": [8, 2, *rest], "plus": [0, 0, *rest], "minus": [0, 3, *rest]},
        {**bids[1], "tricks": 9},
        *bids[2:],
        bids[0],
        {"move": "tally", "tricks": [0, 9, *rest], "plus": [0, 3, *rest], "minus": [0, 0, *rest]},
    ]
    record = {**written(Setting("rage", seats, (), (("durch", True),)), []), "players": list(NAMES[:seats])}
    screen = phone("Desktop Chrome", locale="cs")
    code = str(screen.asks("POST", "/records", {**record, "moves": moves})["table"]["code"])
    assert list(at_each(screen, list(SIZES), code, "Durch")) == []
    assert screen.page.locator(".rounds li:first-child.has-risen .durch").count() == 1


@pytest.mark.parametrize("rounds", [2, 9], ids=["the second round", "the last round"])
def test_the_hands_of_all_are_asked_about_where_all_is_seen(phone: Callable[..., Phone], rounds: int) -> None:
    """In the last round the screen once said who had won, and the answer could still make it another one."""
    called = [{"move": "roll", "symbol": 1}, *({"move": "ubongo", "seat": seat} for seat in range(4))]
    taken = [{"move": "take", "seat": seat, "gems": ["red", "blue" if seat else "red"]} for seat in range(4)]
    moves = [*called, *taken, *[*called, {"move": "time_up"}] * (rounds - 1)]
    record = {**written(SETTINGS["ubongo"][1], []), "players": ["Wolfensteinová", "Maximilian-Jan", *NAMES[1:3]]}
    screen = phone("Desktop Chrome", locale="pl")
    code = str(screen.asks("POST", "/records", {**record, "moves": moves})["table"]["code"])
    assert list(at_each(screen, list(SIZES), code, "asked")) == []
    assert "Wygrywa" not in screen.page.locator("h1").inner_text()
    is_before_a_roll = "przed następnym rzutem" in screen.page.locator(".asked p").inner_text()
    assert is_before_a_roll == (rounds == 2)


def at_each(screen: Phone, sizes: list[tuple[int, int]], code: str, stage: str) -> Iterator[str]:
    for size in sizes:
        screen.page.set_viewport_size({"width": size[0], "height": size[1]})
        yield from Wall(screen, size).shows(code, stage)


def ended(host: Phone, setting: Setting) -> str:
    """Finish a game, and go on to the next one with the same people."""
    code = laid(host, setting, evening(setting, random.Random(1)))
    host.opens(f"/open/{setting.game}?again={code}")
    host.page.locator(".foot-bar button.main").tap()
    host.page.wait_for_url("**/seats")
    return code


def test_the_measure_finds_what_is_wrong(phone: Callable[..., Phone]) -> None:
    """A line too many, a word that is cut, one upon another, and a screen that is half empty."""
    wall = Wall(phone("Desktop Chrome", viewport={"width": 1280, "height": 720}), (1280, 720))
    code = laid(wall.phone, Setting("rage", 3, ()), evening(Setting("rage", 3, ()), random.Random(2))[:5])
    wall.phone.opens(f"/t/{code}/screen")
    assert list(wall.faults("as it is")) == []
    for broken in (
        ".wall h1 { position: relative; top: 2000px }",
        ".wall .eyebrow { height: 4px; overflow: hidden }",
        ".wall .eyebrow { position: relative; top: 1.5em; height: 0 }",
        ".wall .name { max-width: 1em }",
        ".wall .play { height: 40% }",
        ".wall li > * { height: 200% }",
    ):
        wall.phone.page.evaluate(STYLED, broken)
        assert list(wall.faults(broken)) != [], broken
