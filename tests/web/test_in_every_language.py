"""Whoever reads Czech reads nothing but Czech: on every page, in every refusal and on every sheet."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from html.parser import HTMLParser
from io import BytesIO
from random import Random, randrange

import pytest
from pypdf import PdfReader
from werkzeug.test import TestResponse

from companion.game import AnyGame
from companion.games import GAMES
from companion.printing import PAPERS, Printer, every_sheet
from companion.words import sold_in, translations
from tests.catalogues import OTHERS
from tests.dictionaries import dictionary, words_of
from tests.house import EXAMPLE
from tests.test_every_sheet import ABOUT, FULLEST
from tests.web.conftest import NAMES as OTHER_NAMES
from tests.web.conftest import House, Phone
from tests.web.stage import FORMS, KEY, routes, set_stage, unsafe_routes

NAMES = ["Žofie", "Řehoř", "Łukasz", "Íñigo"]
PEOPLE = {*NAMES, *OTHER_NAMES, "Wednesday", KEY[-4:]}
"""Of people and of a group, and what is only letters of its key."""
KINDS = {*GAMES["rage"].moves(4)}
"""Of moves, as programs call them."""
FORGED = {"after", "hidden", "open", "secret"}
"""Names that programs use: whoever sends what is on no page is told by these what was wrong."""
SPOKEN = {"aria-label", "placeholder", "title", "alt", "data-text"}
DESCRIBED = {"description", "og:title", "og:description"}
UNREAD = {"script", "style"}
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
CODE = re.compile(r"\b[A-Z]{6}(?:[A-Z]{7})?\b")
"""A table's, alone or with an invitation, without a digit by chance."""
DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.(?!\d{3}\b)\d+(?![\d.])")
"""The other languages write 2,5; 1.026 is a thousand."""
ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
CITED = re.compile(
    r"<p class=\"source\">.*?</p>|<b(?: class=\"rule-number\")?>\d+\.\d+</b>|<small class=\"code\">.*?</small>"
    r"|<a(?: class=\"quiet\")? href=\"[^\"]*#rule-[^\"]*\">.*?</a>"
)
"""The name of a rule, its number, and where it is printed, for those who look it up; what the server's log says."""
every_language = pytest.mark.parametrize("language", OTHERS)


class Texts(HTMLParser):
    """Everything on a page that is read, by eye or by ear, and in which language it says it is."""

    def __init__(self, html: str, language: str) -> None:
        super().__init__()
        self.texts: list[tuple[str, str]] = []
        self._open = [("", language)]
        self.feed(CITED.sub("", html))

    def handle_data(self, data: str) -> None:
        tag, language = self._open[-1]
        if tag not in UNREAD:
            self.texts.append((language, data))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        had = {name: value or "" for name, value in attrs}
        language = had.get("lang", self._open[-1][1])
        if tag not in VOID:
            self._open.append((tag, language))
        described = ["content"] if DESCRIBED & {had.get("name"), had.get("property")} else []
        self.texts += [(language, had[name]) for name in (*SPOKEN, *described) if name in had]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop()[0] == tag


def strange_on(html: str, language: str) -> set[str]:
    """Find the words on a page that are none of the language they are in, and what is counted as in English."""
    said = defaultdict[str, set[str]](set)
    found = set()
    for spoken, text in Texts(html, language).texts:
        found |= set(DECIMAL_POINT.findall(text)) if spoken != "en" else set()
        said[spoken] |= words_of(CODE.sub("", ADDRESS.sub("", text)))
    return found.union(*(dictionary(spoken).lacks(words - PEOPLE) for spoken, words in said.items()))


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


def looks_through(answer: TestResponse, language: str, is_whole_page: bool = True) -> None:
    """Look up what people read in an answer: on a page, or on what is printed and painted of one."""
    if "html" in answer.mimetype and not answer.location:
        is_whole_page = is_whole_page or answer.status_code != 200
        assert answer.text.count(f'<html lang="{language}"') == is_whole_page, answer.request.path
    elif not answer.data.lstrip().startswith(b"<!DOCTYPE html>"):
        return
    assert strange_on(answer.text, language) == set(), answer.request.path


def test_no_refusal_says_anything_in_english(house: House, phone: Callable[..., Phone], is_long: bool) -> None:
    """Whoever sends every form empty is told at most what its fields are called for programs."""
    seed = randrange(1_000_000)
    print(f"{seed=}")
    stage = set_stage(house, phone)
    for language in OTHERS if is_long else [Random(seed).choice(OTHERS)]:
        stage.people["spectator"].headers["Accept-Language"] = language
        for route in unsafe_routes(house.app):
            if not route.is_api:
                answer = stage.people["spectator"].posts(stage.path(route))
                assert answer.location or strange_on(answer.text, language) <= {*FORMS[route.endpoint], *KINDS}, route


@pytest.mark.in_turn(of=3)
@every_language
@pytest.mark.parametrize("game", GAMES)
def test_no_page_of_a_game_says_anything_in_english(reader: Phone, language: str, game: str) -> None:
    """What there is without a table; then a table, looked at from a seat and from the screen, with its history."""
    for route in routes(reader.house.app, "GET"):
        if "<game>" in route.rule and not route.is_api:
            looks_through(reader.gets(route.path("").replace("rage", game)), language)
    reader.opens(game, NAMES)
    for path in ("/t/{code}/0", "/t/{code}/screen", "/t/{code}/seats", "/t/{code}/history"):
        looks_through(reader.gets(path), language)


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
        assert strange_on(reader.gets(path).text, language) == set(), path


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
    assert strange_on(answer.text, language) <= FORGED


@pytest.mark.in_turn(of=4)
@every_language
def test_a_record_that_is_none_is_complained_of_in_the_readers_language(reader: Phone, language: str) -> None:
    """Where in it something is wrong, and what may stand there, is named as its format does."""
    good = {**EXAMPLE, "rules": 1, "closed": "", "title": ""}
    wrong = [{**good, name: value} for name in good for value in (None, 0, [], {}, "x", [{"move": "dance"}])]
    seats = [
        {**good, "moves": [{"move": "bid", **more}]} for more in ({"by": 9}, {"at": "x"}, {"seat": 9}, {"seat": "x"})
    ]
    newer = [{**good, "version": 9}, {**good, "rules": 99}, {**good, "closed": "soon"}]
    tongue = {
        *words_of(" ".join(good)),
        *GAMES,
        *GAMES["rage"].moves(4),
        "host",
        "record",
        "seat",
        "tricks",
        "at",
        "by",
    }
    for record in (*wrong, *seats, *newer):
        answer = reader.posts("/book/bring", {"record": json.dumps(record)})
        assert strange_on(answer.text, language) <= tongue, record


@every_language
def test_a_word_of_english_is_found_on_a_page(reader: Phone, language: str) -> None:
    """The same page in English is full of them, as soon as it does not say that it is."""
    reader.headers["Accept-Language"] = "en"
    page = reader.gets("/").text
    assert strange_on(page, language) == set()
    assert {"your", "nobody", "count"} <= strange_on(page.replace('lang="en"', ""), language)


@pytest.mark.in_turn(of=4)
@every_language
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_sheet_says_anything_in_english(game: AnyGame, language: str) -> None:
    """Blank, and of a table with the rules that say the most."""
    full = {name: value for name, value in FULLEST[game.key].items() if name not in {"called", "edition"}}
    about = {**ABOUT, "title": NAMES[0], "place": NAMES[1]}
    for sheet in every_sheet(game):
        if (sheet.language, sheet.paper) == (language, PAPERS[0]):
            for known in (
                {"players": [""] * 4},
                {"about": about, "players": NAMES, "options": sold_in(game, language) | full},
            ):
                assert strange_on(sheet.html(**known), language) == set(), sheet.name


@every_language
def test_a_sheet_is_printed_in_the_language_that_is_asked_for(reader: Phone, language: str) -> None:
    reader.headers["Accept-Language"] = "en"
    sheet = reader.gets(f"/print/rage.pdf?lang={language}").text
    assert f'<html lang="{language}">' in sheet
    assert translations(language).gettext("Score sheet") in sheet


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
