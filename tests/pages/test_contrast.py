"""Every text can be read: on each page and screen, by day and by night, it stands out from what really lies behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import pytest
from playwright.sync_api import expect

from companion.games import GAMES
from tests.pages.contrast import contrast, faint
from tests.pages.places import ALONE, NAMES, SETTINGS, Setting, laid, places, written
from tests.pages.test_axe import THEMES
from tests.pages.test_screen import SCREENS
from tests.phones import Phone, Server

PHONE, TELEVISION = {"width": 360, "height": 640}, {"width": 1280, "height": 720}
UNROLLED = """
  body:not(:has(> .page-screen)) { height: auto !important; }
  .table-top, .hand { overflow: visible !important; max-height: none !important; }
  .foot-bar { position: static !important; }
"""
"""The bar over the foot of a page too long to be photographed lies at its end; what would have to be scrolled to within a page is laid out."""
OPENED = "document.querySelectorAll('details:not(.menu)').forEach((fold) => { fold.open = true; })"
UNNAMED = {
    **written(Setting("hanabi", 2, (), (("detail", "tokens"),)), []),
    "moves": [{"move": "hint", "seat": 0}, {"move": "discard", "seat": 1}],
}
"""A card is discarded, and nobody says which."""

CHOSEN = {
    "a colour": ("ikebana", "input[name=card-colour]"),
    "a card": ("hanabi", "input[name=slot]"),
    "a rule": ("/open/rage", "input[name=bidding]"),
}
"""Where something is chosen: the game, or the page, and its fields."""


@pytest.fixture
def reader(phone: Callable[..., Phone]) -> Phone:
    """A phone whose page policy lets its letters be taken away."""
    one = phone(bypass_csp=True, device_scale_factor=1)
    one.opens("/")
    return one


def unreadable(server: Server, reader: Phone, path: str, is_long: bool) -> Iterator[str]:
    """Look at a page in both themes, or in the gate in one of them, which differs from page to page."""
    chance = crc32(path.partition("/t/")[2][6:].encode() or path.encode())
    for theme in THEMES if is_long else [THEMES[chance % 2]]:
        reader.page.set_viewport_size(TELEVISION if path.endswith("/screen") else PHONE)
        reader.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        reader.page.goto(server.address + path)
        reader.page.evaluate(OPENED)
        reader.page.add_style_tag(content=UNROLLED)
        yield from dict.fromkeys(f"{theme} {each}" for each in faint(reader.page))


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=[pytest.mark.long] if path.startswith("/print/") else []) for path in ALONE]
)
def test_every_text_of_a_page_without_a_table_stands_out(
    server: Server, reader: Phone, path: str, is_long: bool
) -> None:
    """What is shown of a sheet is printed first, so that it is looked at with `--long` alone."""
    assert list(unreadable(server, reader, path, is_long)) == []


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.game}-{setting.seats}")
def test_every_text_of_a_table_stands_out(server: Server, reader: Phone, setting: Setting, is_long: bool) -> None:
    """In the gate its seats and screens, where a game draws what is its own."""
    found = {}
    for what, path in places(reader, setting):
        if (is_long or what.endswith(("-seat", "-screen"))) and (
            here := list(unreadable(server, reader, path, is_long))
        ):
            found[what] = here
    assert found == {}


@pytest.mark.parametrize("theme", THEMES)
def test_a_line_in_the_side_of_the_screen_stands_out(reader: Phone, theme: Any) -> None:
    """The count of cards that were not named once stood there in 1.12:1."""
    code = reader.asks("POST", "/records", UNNAMED)["table"]["code"]
    reader.page.set_viewport_size(TELEVISION)
    reader.page.emulate_media(color_scheme=theme)
    reader.opens(f"/t/{code}/screen")
    expect(reader.page.get_by_text("and 1 card that was not named")).to_be_visible()
    assert list(map(str, faint(reader.page))) == []


@pytest.mark.parametrize("place", [1, 3])
def test_durch_stands_out_on_the_screen_in_every_row(reader: Phone, place: int) -> None:
    """In the row of the leader it once stood in the brown of its paper upon the green of the phones."""
    bids = [{"move": "bid", "seat": seat, "tricks": 3} for seat in (0, 1, 2)]
    none = [0, 0, 0]
    lost = {"move": "tally", "tricks": [3, 3, 4], "plus": none, "minus": [0, 0, 3]}
    rounds = [*bids, lost, *bids[1:], bids[0]] if place > 1 else bids
    durch = {"move": "tally", "tricks": [0, 0, 9 if place > 1 else 10], "plus": none, "minus": none}
    record = {**written(Setting("rage", 3, (), (("durch", True),)), []), "moves": [*rounds, durch]}
    code = str(reader.asks("POST", "/records", record)["table"]["code"])
    reader.page.set_viewport_size(TELEVISION)
    reader.opens(f"/t/{code}/screen")
    expect(reader.page.locator(f".rounds li:nth-child({place}) .durch")).to_have_text("Durch!")
    assert list(map(str, faint(reader.page))) == []


@pytest.mark.long
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("played", SCREENS.values(), ids=SCREENS)
def test_every_text_of_a_full_screen_stands_out(
    reader: Phone, played: Callable[[], dict[str, Any]], theme: Any
) -> None:
    code = reader.asks("POST", "/records", played())["table"]["code"]
    reader.page.set_viewport_size(TELEVISION)
    reader.page.emulate_media(color_scheme=theme)
    reader.opens(f"/t/{code}/screen")
    assert list(map(str, faint(reader.page))) == []


@pytest.mark.parametrize("key", GAMES)
def test_the_screen_of_a_table_whose_players_are_all_here_stands_out(
    phone: Callable[..., Phone], reader: Phone, key: str
) -> None:
    """A class of Hanabi's fireworks once drew it cream upon cream."""
    least = GAMES[key].players[0]
    code = str(reader.asks("POST", "/tables", {"game": key, "players": NAMES[:least]})["table"]["code"])
    for seat, name in enumerate(NAMES[:least]):
        phone().asks("PUT", f"/tables/{code}/seats/{seat}", {"name": name})
    reader.page.set_viewport_size(TELEVISION)
    for theme in THEMES:
        reader.page.emulate_media(color_scheme=theme)
        reader.opens(f"/t/{code}/screen")
        expect(reader.page.get_by_text("All are here")).to_be_visible()
        assert list(map(str, faint(reader.page))) == []


@pytest.mark.parametrize("key", GAMES)
def test_the_screen_of_a_table_whose_people_have_gone_on_stands_out(reader: Phone, key: str) -> None:
    """The ink of Hanabi's night once wrote cream upon the cream of the winner's frame."""
    over = laid(reader, Setting(key, 3, (), (("rounds", 3),) if key == "tally" else ()), 1)
    reader.opens(f"/open/{key}?again={over}")
    reader.page.locator(".foot-bar button.main").tap()
    reader.page.wait_for_url("**/seats")
    reader.page.set_viewport_size(TELEVISION)
    for theme in THEMES:
        reader.page.emulate_media(color_scheme=theme)
        reader.opens(f"/t/{over}/screen")
        reader.is_live()
        reader.page.evaluate("document.body.dataset.shows = 'next'")
        expect(reader.page.locator(".next-won h1")).to_be_visible()
        assert list(map(str, faint(reader.page))) == []


def test_the_open_menu_stands_out(reader: Phone) -> None:
    code = reader.opens_table(["Anna", "Bohdan", "Katka"])
    for theme in THEMES:
        reader.page.emulate_media(color_scheme=theme)
        reader.opens(f"/t/{code}/0")
        reader.page.locator(".menu > summary").tap()
        assert list(map(str, faint(reader.page, within=".menu"))) == []


@pytest.mark.parametrize(("path", "choice"), CHOSEN.values(), ids=CHOSEN)
def test_what_is_chosen_stands_out_in_the_readers_own_colours(
    phone: Callable[..., Phone], path: str, choice: str
) -> None:
    one = phone(forced_colors="active")
    one.opens(path if path.startswith("/") else f"/t/{laid(one, Setting(path, 3, ()), 0)}/0")
    one.page.evaluate(OPENED)
    one.page.locator(f"label:has({choice}:not(:checked))").first.tap()
    chosen, other = (one.page.locator(f"{choice}{state} + *").first for state in (":checked", ":not(:checked)"))
    grounds = [each.evaluate("part => getComputedStyle(part).backgroundColor") for each in (chosen, other)]
    assert grounds[0] != grounds[1]


SIGNS = """() => {
  const signs = document.querySelectorAll(":is(.hand, .strip, .night-sky) :is(.spark, .flower) path:first-child");
  return [...signs].filter((path) => path.checkVisibility({ visibilityProperty: true })).map((path) => {
    let under = path;
    const ground = () => getComputedStyle(under).backgroundColor + getComputedStyle(under).backgroundImage;
    while (!/rgb\\(/.test(ground())) under = under.parentElement;
    const { fill, stroke } = getComputedStyle(path);
    const colour = (text) => text.match(/rgb\\(\\d+, \\d+, \\d+/)[0].match(/\\d+/g).map(Number);
    return [[fill, stroke].map(colour), colour(ground()), path.parentElement.getAttribute("class")];
  });
}"""
"""The colours of each sign, inside and at its edge, and of what lies under it."""
LEAST_OF_SIGNS = 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    "detail", ["ikebana cards", "ikebana payments", "hanabi cards", "hanabi hints", "hanabi tokens"]
)
def test_every_sign_stands_out_from_its_key(reader: Phone, detail: str, theme: Any) -> None:
    """A black flower lay upon a black key: its letter alone could be seen."""
    game, told = detail.split()
    options = {"detail": told, **({"edition": "es"} if game == "hanabi" else {})}
    moves = [{"move": "keep", "seat": turn % 2} for turn in range(10)] if told == "payments" else []
    evening = {"format": "companion-record", "version": 1, "game": game, "players": list(NAMES[:2]), "options": options}
    code = reader.asks("POST", "/records", {**evening, "moves": moves})["table"]["code"]
    reader.page.emulate_media(color_scheme=theme)
    reader.opens(f"/t/{code}/0")
    for touched in (None, "[name=card-colour]", "[name=cards]"):
        if touched and reader.page.locator(touched).count():
            reader.page.locator(touched).first.check(force=True)
        signs = reader.page.evaluate(SIGNS)
        assert len(signs) >= 5
        faint_ones = {
            name
            for colours, ground, name in signs
            if max(contrast(tuple(one), tuple(ground)) for one in colours) < LEAST_OF_SIGNS
        }
        assert faint_ones == set()


def test_the_measure_finds_what_is_faint(reader: Phone) -> None:
    """Half a tint is told from none, a gradient from a plain ground, and the letter of a mark by its shape."""
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    samples = {
        "plain": ('<p style="color: #767676; background: #fff">plain</p>', True),
        "faint": ('<p style="color: #888; background: #fff">faint</p>', False),
        "thin": ('<p style="opacity: .5; color: #000; background: #fff">thin</p>', False),
        "shine": ('<p style="color: #000; background: linear-gradient(90deg, #222, #fff)">shine</p>', False),
        "glass": ('<div style="background: #000"><p style="color: #fff; background: #fffc">glass</p></div>', False),
        "mark": ('<svg viewBox="0 0 9 9" width="90"><path fill="#777" d="M0 0h9v9H0z"/><text y="7" fill="#888">mark</text></svg>', False),
        "typed": ('<input value="typed" style="color: #888; background: #fff">', False),
    }  # fmt: skip
    for name, (html, is_clear) in samples.items():
        reader.page.evaluate("(html) => { document.querySelector('main').innerHTML = html; }", html)
        found = [each.text for each in faint(reader.page, within="main")]
        assert found == ([] if is_clear else [name])
