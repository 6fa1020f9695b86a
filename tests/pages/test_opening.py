"""What the folded rules name follows what is chosen in them; without script nothing stale stands there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from companion.games import GAMES
from companion.testing import laws
from companion.words import LANGUAGES
from tests.pages.places import Setting, record_of
from tests.phones import Phone

BEYOND = """() => [...document.querySelectorAll("h1, .hand h2 *, .hand button")]
  .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > innerWidth)
  .map((part) => part.outerHTML)"""
"""What lies beyond the edge of the page."""
OVERFULL = """() => [...document.querySelectorAll(".step-key small")].flatMap((word) => {
  const [inner, outer] = [word, word.parentElement].map((part) => part.getBoundingClientRect());
  return inner.left < outer.left || inner.right > outer.right ? [word.innerText] : [];
})"""
"""Which words reach beyond their keys."""


def chosen(one: Phone) -> list[str]:
    return [tag.inner_text() for tag in one.page.locator("#rules > summary .tag:visible").all()]


def chooses(one: Phone, name: str, value: str) -> None:
    one.page.locator(f"label:has(input[name={name}][value='{value}'])").tap()


def test_the_folded_rules_name_what_is_chosen_now(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("/open/hanabi")
    assert chosen(host)[:2] == ["Edition: Czech", "Multicolour cards: None"]
    assert "Black powder" not in chosen(host)
    host.page.locator("#rules > summary").tap()
    chooses(host, "edition", "pl")
    chooses(host, "multicolour", "5")
    chooses(host, "black_powder", "on")
    assert chosen(host)[0] == "Edition: Polish de luxe"
    assert "Multicolour cards: None" not in chosen(host)
    assert len([tag for tag in chosen(host) if tag.startswith("Multicolour cards: ")]) == 1
    assert "Black powder" in chosen(host)
    chooses(host, "black_powder", "on")
    assert "Black powder" not in chosen(host)
    host.page.locator("#notes > summary").tap()
    host.page.locator("#location").fill("Club")
    expect(host.page.locator("#notes > summary .tag:visible")).to_have_text("Club")


SHOWN = """() => [...document.querySelectorAll("#rules .option [name]")]
  .filter((field) => field.closest(".option").checkVisibility()).map((field) => field.name)"""


def test_an_option_is_there_where_it_means_anything(phone: Callable[..., Phone]) -> None:
    """Aids for hints were offered, and named beside the title, where hints are but counted."""
    host = phone()
    host.opens("/open/hanabi")
    host.page.locator("#rules > summary").tap()
    for name, value, depends in (
        ("detail", "cards", {"aid_hints", "aid_can_be", "aid_contradictions"}),
        ("multicolour", "5", {"multicolour_hint"}),
        ("flamboyants", "on", {"tiles_empty", "late_shuffle"}),
        ("black_powder", "on", {"black_bonus"}),
        ("endless", "on", {"stuck", "indispensable"}),
    ):
        before = {*host.page.evaluate(SHOWN)}
        assert not before & depends
        assert ("Remember hints" in chosen(host)) == (name != "detail")
        chooses(host, name, value)
        assert {*host.page.evaluate(SHOWN)} - before == depends
    assert not {*host.page.evaluate(SHOWN)} & {"aid_pace", "aid_turns_left"}  # no last turns are counted any more
    plain = phone(java_script_enabled=False)
    plain.opens("/open/hanabi")
    plain.page.locator("#rules > summary").tap()
    assert {*GAMES["hanabi"].options.fields} - {*plain.page.evaluate(SHOWN)} == {"detail"}


def test_without_script_the_folded_rules_name_nothing_stale(phone: Callable[..., Phone]) -> None:
    host = phone(java_script_enabled=False)
    host.opens("/open/hanabi")
    tags = host.page.locator("#rules > summary .tag:visible")
    expect(tags).not_to_have_count(0)
    host.page.locator("#rules > summary").tap()
    chooses(host, "edition", "pl")
    expect(tags).to_have_count(0)


@pytest.mark.parametrize("has_script", [True, False])
def test_one_seat_more_is_a_tap_and_no_way_back_down_the_page(phone: Callable[..., Phone], has_script: bool) -> None:
    """The page came anew from its head, 900 pixels above the key, for each of eight seats."""
    host = phone(viewport={"width": 360, "height": 640}, java_script_enabled=has_script)
    host.opens("/open/rage")
    fields = host.page.locator("input[name=name]")
    for key, by in (("more", 1), ("more", 1), ("fewer", -1)):
        seats = fields.count() + by
        host.page.locator(f"button[name={key}]").tap()
        expect(fields).to_have_count(seats)
        expect(host.page.locator(f"button[name={key}]")).to_be_in_viewport(ratio=1)
        expect(fields.last).to_be_in_viewport(ratio=1)
    host.page.keyboard.press("Tab")
    expect(host.page.locator("button[name=more]")).to_be_focused()


def test_the_names_of_who_played_before_take_seats_with_a_tap(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("/open/ubongo")
    expect(host.page.locator(".known")).to_have_count(0)
    host.asks("POST", "/tables", {"game": "rage", "players": ["Anna", "Bohdan", "Katka"]})
    host.opens("/open/ubongo")
    for name in ("Katka", "Anna", "Bohdan", "Katka"):
        host.page.get_by_role("button", name=name).tap()
    names = [field.input_value() for field in host.page.locator("input[name=name]").all()]
    assert names == ["", "Anna", "Bohdan", ""]
    expect(host.page.get_by_role("button", name="Anna")).to_have_attribute("aria-pressed", "true")
    expect(host.page.get_by_role("button", name="Katka")).to_have_attribute("aria-pressed", "false")


def test_no_page_is_wider_than_the_phone_for_a_name_without_a_blank(phone: Callable[..., Phone]) -> None:
    host = phone(viewport={"width": 320, "height": 740})
    code = host.opens_table(["W" * 24, "Ann", "Bo"])
    for path in ("/open/rage", f"/t/{code}/steps", f"/t/{code}/seats", f"/t/{code}/0", "/book", "/book/people", "/"):
        host.opens(path)
        assert host.page.evaluate("document.documentElement.scrollWidth") == 320, path


@pytest.mark.parametrize("key", GAMES)
def test_a_name_without_a_blank_moves_no_headline_and_no_key_off_a_narrow_phone(
    phone: Callable[..., Phone], key: str
) -> None:
    """Who keeps score for all is asked for each by name, and may have a key for each."""
    keeper = phone(viewport={"width": 320, "height": 740})
    code = keeper.opens_table([letter * 24 for letter in "WMAB"], key, i_sit="")
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    assert keeper.page.evaluate(BEYOND) == []


@pytest.mark.parametrize("key", GAMES)
def test_changing_an_entry_is_not_wider_than_the_phone_for_a_name_without_a_blank(
    phone: Callable[..., Phone], key: str
) -> None:
    """What was entered names a player, and stands beside the way to another seat."""
    keeper = phone(viewport={"width": 320, "height": 740})
    record = {**record_of(Setting(key, 4, ()), 0.1), "players": [letter * 24 for letter in "WMAB"]}
    code = keeper.asks("POST", "/records", record)["table"]["code"]
    for language in LANGUAGES:
        keeper.page.context.add_cookies([{"name": "language", "value": language, "url": keeper.server.address}])
        keeper.opens(f"/t/{code}/history/1")
        assert keeper.page.evaluate("document.documentElement.scrollWidth") == 320, language
        assert [*laws.cut(keeper.page), *keeper.page.evaluate(BEYOND)] == [], language


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_that_step_through_a_play_have_room_for_their_words_on_a_narrow_phone(
    phone: Callable[..., Phone], language: str
) -> None:
    reader = phone(viewport={"width": 320, "height": 740}, locale=language)
    code = reader.asks("POST", "/tables", {"game": "rage", "players": ["Ann", "Bo", "Cy"]})["table"]["code"]
    reader.opens(f"/t/{code}/steps")
    assert reader.page.evaluate(OVERFULL) == []
