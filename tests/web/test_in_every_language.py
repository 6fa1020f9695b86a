"""Whoever reads Czech reads nothing but Czech: on every page, in every refusal and on every sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from random import Random, randrange

import pytest
from babel.messages.catalog import Catalog
from pypdf import PdfReader
from werkzeug.test import TestResponse

from companion.games import GAMES
from companion.printing import PAPERS, Printer
from companion.words import translations
from tests.catalogues import OTHERS, is_whole, read
from tests.test_languages import PLACE
from tests.web.conftest import House, Phone
from tests.web.stage import routes, set_stage

READ_ALOUD = {"aria-label", "placeholder", "title", "alt", "data-text", "content"}
NAMES = ["Žofie", "Řehoř", "Łukasz", "Íñigo"]
ENGLISH = re.compile(
    r"\b(?:the|your|you|is|are|of|with|and|card|cards|round|seat|player|trick|table|not)\b", re.IGNORECASE
)
"""Words that only English has."""
WORD = re.compile(r"[^\W\d_]{2,}")
DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")
"""The other languages write 2,5."""
ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
CITED = re.compile(
    r"<p class=\"source\">.*?</p>|<b class=\"rule-number\">.*?</b>|<a class=\"quiet\" href=\"[^\"]*#rule-[^\"]*\">.*?</a>"
)
"""The name of a rule, its number, and where it is printed, for those who look it up."""
every_language = pytest.mark.parametrize("language", OTHERS)


class Texts(HTMLParser):
    """Everything on a page that is read, by eye or by ear."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.feed(CITED.sub("", html))

    def handle_data(self, data: str) -> None:
        self.texts.append(" ".join(ADDRESS.sub("", data).split()))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in READ_ALOUD and value and "=" not in value]


def pattern(text: str) -> str:
    """Match a sentence, whatever stands in its places."""
    return ".+?".join(map(re.escape, re.split(r"%\(\w+\)[sd]", text.replace("%%", "%"))))


@cache
def untranslated(language: str) -> re.Pattern[str]:
    """Match what only English says."""
    catalogue: Catalog = read(language)
    english: set[str] = set()
    spoken: set[str] = set()
    for message in filter(is_whole, catalogue):
        if message.id:
            english |= set(message.id if message.pluralizable else (message.id,))
            spoken |= set(message.string if message.pluralizable else (message.string,))
    wordless = {text for text in english if not WORD.search(PLACE.sub("", text))}
    return re.compile("|".join(map(pattern, sorted(english - spoken - wordless))))


def english_on(html: str, language: str) -> Iterator[str]:
    """Find what is left in English on a page."""
    for text in Texts(html).texts:
        if untranslated(language).fullmatch(text) or ENGLISH.search(text) or DECIMAL_POINT.search(text):
            yield text


@pytest.fixture
def reader(phone: Callable[..., Phone], request: pytest.FixtureRequest) -> Phone:
    """A phone that asks for the language of the test."""
    return phone(**{"Accept-Language": request.getfixturevalue("language")})


def test_no_page_of_a_table_says_anything_in_english(house: House, phone: Callable[..., Phone], is_long: bool) -> None:
    seed = randrange(1_000_000)
    print(f"{seed=}")
    stage = set_stage(house, phone)
    for language in OTHERS if is_long else [Random(seed).choice(OTHERS)]:
        for role in ("own seat", "host", "spectator"):
            stage.people[role].headers["Accept-Language"] = language
            for route in routes(house.app, "GET"):
                if route.is_stream or route.endpoint in {"static", "api.readable"}:
                    continue  # what programmers read is English
                is_whole_page = route.endpoint not in {"silence.silence", "moved.screen"}
                looks_through(stage.asks(role, route), language, is_whole_page)


def looks_through(answer: TestResponse, language: str, is_whole_page: bool) -> None:
    """Look for English in an answer that people read."""
    if answer.status_code == 200 and "html" in answer.mimetype:
        assert answer.text.count(f'<html lang="{language}"') == is_whole_page, answer.request.path
        assert list(english_on(answer.text, language)) == [], answer.request.path


@pytest.mark.in_turn(of=3)
@every_language
@pytest.mark.parametrize("game", GAMES)
def test_no_page_of_a_game_says_anything_in_english(reader: Phone, language: str, game: str) -> None:
    """Opened, looked at from a seat and from the screen, with its history and its sheet."""
    assert list(english_on(reader.gets(f"/open/{game}").text, language)) == []
    reader.opens(game, NAMES)
    for path in ("/t/{code}/0", "/t/{code}/screen", "/t/{code}/seats", "/t/{code}/history", "/t/{code}/sheet.pdf"):
        assert list(english_on(reader.gets(path).text, language)) == [], path


@every_language
def test_a_round_of_rage_is_told_without_a_word_of_english(reader: Phone, language: str) -> None:
    reader.opens("rage", NAMES, i_sit="")
    reader.seat = 0
    for seat, tricks in ((0, 3), (1, 4), (2, 2), (3, 2)):
        reader.taps("bid", seat, tricks=tricks)
    reader.posts("/t/{code}/0/move", {"move": "tally"} | {f"tricks-{seat}": "1" for seat in range(4)})
    tally = {f"tricks-{seat}": str(tricks) for seat, tricks in enumerate((3, 3, 2, 2))}
    assert reader.posts("/t/{code}/0/move", {"move": "tally"} | tally).status_code == 303
    for path in ("/t/{code}/0", "/t/{code}/screen", "/t/{code}/history", "/t/{code}/history/1", "/t/{code}/sheet.pdf"):
        assert list(english_on(reader.gets(path).text, language)) == [], path


@pytest.mark.in_turn(of=3)
@every_language
@pytest.mark.parametrize(
    ("path", "data", "status"),
    [
        ("/t/{code}/0/move", {"move": "bid", "seat": "0", "tricks": "99"}, 422),
        ("/t/{code}/0/move", {"move": "bid", "seat": "0", "tricks": "many"}, 400),
        ("/t/{code}/0/move", {"move": "bid", "seat": "7", "tricks": "1"}, 400),
        ("/t/{code}/0/move", {"move": "bid", "seat": "0"}, 400),
        ("/t/{code}/0/move", {"move": "bid", "seat": "0", "tricks": "1", "after": "much"}, 400),
        ("/t/{code}/2/move", {"move": "bid", "seat": "2", "tricks": "1"}, 422),
        ("/t/{code}/take-back?seat=0", {}, 409),
        ("/t/{code}/sit", {"seat": "1", "name": "Bo"}, 409),
        ("/t/{code}/rename", {"seat": "1", "name": ""}, 422),
        ("/open/rage", {"name": ["Ann"]}, 422),
        ("/open/rage", {"name": NAMES, "plus_minus_one": "on", "bidding": "secret"}, 422),
        ("/open/rage", {"name": NAMES, "bidding": "loud"}, 422),
        ("/open/rage", {"name": ["x" * 60, "Bo", "Cy"]}, 422),
        ("/nowhere", {}, 404),
        ("/t/QQQQQQ/0/move", {}, 404),
        ("/", {}, 405),
    ],
)
def test_every_refusal_is_in_the_readers_language(
    reader: Phone, language: str, path: str, data: dict[str, object], status: int
) -> None:
    reader.opens("rage", NAMES)
    answer = reader.posts(path, data)
    assert answer.status_code == status, answer.text
    assert list(english_on(answer.text, language)) == []


@every_language
def test_a_finder_of_english_finds_it(reader: Phone, language: str) -> None:
    """The same page in English is full of it."""
    reader.headers["Accept-Language"] = "en"
    found = list(english_on(reader.gets("/").text, language))
    assert "Code of your table" in found
    assert "A good game, and nobody has to count" in found


@every_language
def test_a_sheet_is_printed_in_the_language_that_is_asked_for(reader: Phone, language: str) -> None:
    reader.headers["Accept-Language"] = "en"
    sheet = reader.gets(f"/print/rage.pdf?lang={language}").text
    assert f'<html lang="{language}">' in sheet
    assert translations(language).gettext("Score sheet") in sheet
    assert list(english_on(sheet, language)) == []


@pytest.mark.in_turn(of=2)
@pytest.mark.parametrize(
    ("language", "paper"),
    [
        pytest.param(language, paper, marks=() if (row + place) % 2 else pytest.mark.long)
        for row, language in enumerate(OTHERS)
        for place, paper in enumerate(PAPERS)
    ],
)
def test_a_sheet_needs_no_more_pages_than_in_english(
    reader: Phone, printer: Printer, language: str, paper: str
) -> None:
    """With as many players as there can be, and every house rule in words below."""
    house_rules = {"joker_tie": "earlier", "joker_anytime": "on", "nt_then_ct": "ct_wins_but_reflip", "durch": "on"}
    reader.opens("rage", ["Maximiliána Nepomucká"] * 8, **house_rules)
    reader.house.app.extensions["companion.printer"] = printer
    for item in ("score_sheet", "join_card"):
        path = f"/t/{{code}}/sheet.pdf?item={item}&paper={paper}"
        sheets = [reader.gets(f"{path}&language={tongue}").data for tongue in ("en", language)]
        english, spoken = (PdfReader(BytesIO(sheet)) for sheet in sheets)
        assert len(spoken.pages) == len(english.pages)
        assert spoken.trailer["/Root"]["/Lang"] == language
