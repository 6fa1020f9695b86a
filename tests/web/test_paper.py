"""What can be printed: offered, shown first, and given out as it was asked for."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image
from pypdf import PdfReader

from companion.errors import Told
from companion.games import GAMES
from companion.printing import Printer, PrinterBusy
from companion.printing.around import AROUND
from tests.web.conftest import House, Mirror, Phone
from tests.web.page import Page
from tests.web.test_passing import laid

MakePhone = Callable[..., Phone]


@pytest.mark.parametrize("path", ["/print", "/print?code={code}"])
def test_who_looks_at_what_can_be_printed_finds_the_printer_awake(phone: MakePhone, path: str) -> None:
    host = phone()
    host.opens()
    mirror = host.house.printer
    assert isinstance(mirror, Mirror)
    assert host.gets("/print?code=ZZZZZZ").status_code == 404
    for page, woken in [("/t/{code}/seats", 0), (path, 1), ("/t/{code}/sheet", 1)]:
        host.reads(page)
        assert mirror.woken == woken


def test_sheets_to_print_are_offered_for_every_game_that_has_them_and_for_the_table(phone: MakePhone) -> None:
    host = phone()
    host.opens()
    rest = ["reference_cards", "rule_card", "rule_cards", "join_card", "join_tent", *AROUND]
    every = ["evening_set", "score_sheet", "score_pad", *rest]
    own = {"hanabi": ["game_log"], "rage": ["trump_tracker"], "ubongo": ["board_plan"]}
    links = host.reads("/print").links
    assert [link for link in links if "item=" in link] == [
        f"/print/{key}?item={item}"
        for key in GAMES
        for item in [*every[:3], *own.get(key, ()), *rest]
        if (key, item) != ("tally", "reference_cards")
    ]
    links = host.reads("/print?code={code}").links
    tonight = f"/t/{host.code}/sheet.pdf?item=evening_set"
    pages = [f"/t/{host.code}/sheet?item={item}" for item in [*every[:3], "trump_tracker", *rest]]
    assert [link for link in links if link.startswith("/t/")] == [tonight, *pages]
    of_table = host.gets("/print?code={code}").text.partition("<details")[0]
    assert [of_table.count(name) for name in ("Everything for tonight", "Look first, choose paper")] == [1, 1]
    for item in every:
        page = host.reads(f"/t/{host.code}/sheet?item={item}")
        (document,) = [link for link in page.links if "/sheet.pdf" in link]
        assert f"item={item}" in document
        assert host.gets(document).status_code == 200
        answer = host.gets(f"/t/{host.code}/sheet.pdf?item={item}")
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"] == f'inline; filename="{host.code}-{item}.pdf"'


def test_large_print_is_offered_of_what_is_filled_in_or_read(phone: MakePhone) -> None:
    host = phone()
    asked = [("rage", "score_sheet"), ("tally", "score_sheet"), ("tally", "join_tent"), ("tally", "stickers")]
    pages = [host.gets(f"/print/{key}?item={item}").text for key, item in asked]
    assert ["Usual print" in page and "Large print" in page for page in pages] == [True, True, True, False]


def test_the_evening_set_is_one_tap_from_the_table_and_holds_its_rules_and_names(phone: MakePhone) -> None:
    host = phone()
    host.opens("hanabi", names=["Ann", "Bo", "Cy"], multicolour="5")
    (tonight,) = [link for link in host.reads("/t/{code}/seats").links if "evening_set" in link]
    document = host.gets(tonight).text
    titles = re.findall(r"utf-8\">\s*<title>(.*?)</title>", document)
    assert titles == [f"Hanabi – Everything for tonight – {host.code}"] * 4
    tent, rules, cards, sheet = document.split("\f")
    assert tent.count("</svg>") == 2
    assert "multicolour" in rules
    assert cards.count("<section>") == 9
    assert all(name in sheet for name in ("Ann", "Bo", "Cy"))
    blank = phone().gets("/print/hanabi.pdf?item=evening_set").text
    assert [part.count("</figure>") for part in blank.split("\f")] == [2, 0, 0, 0]


@pytest.mark.parametrize("item", ["evening_set", "score_sheet", "place_cards", "season_sheet", "tournament_sheet"])
def test_who_has_no_name_yet_finds_room_to_write_it(phone: MakePhone, item: str) -> None:
    host = phone()
    host.opens(names=["Ann", "", ""])
    document = host.gets(f"/t/{{code}}/sheet.pdf?item={item}&language=cs").text
    assert "Ann" in document
    assert "Seat B" not in document
    assert "Místo B" not in document


@pytest.mark.parametrize(("item", "faces"), [("join_tent", 2), ("join_card", 4)])
def test_what_leads_to_a_table_can_be_in_two_languages(phone: MakePhone, item: str, faces: int) -> None:
    host = phone()
    host.opens()
    form = host.reads(f"/t/{host.code}/sheet?item={item}&language=cs").form(f"/t/{host.code}/sheet")
    document = host.gets("/t/{code}/sheet.pdf", query_string=form.filled(also="pl")).text
    languages = re.findall('<section[^>]* lang="(..)"', document)
    assert sorted(languages) == ["cs"] * (faces // 2) + ["pl"] * (faces // 2)
    assert document.count("Naskenuj a\xa0sedni si") == document.count("Zeskanuj, by zająć miejsce") == faces // 2
    alone = host.gets("/t/{code}/sheet.pdf", query_string=form.filled()).text
    assert "Zeskanuj" not in alone


def test_what_stands_around_a_game_bears_the_name_that_its_host_gave_it(phone: MakePhone) -> None:
    host = phone()
    host.opens("tally", called="Carcassonne")
    for item in ("join_card", "join_tent", *AROUND, "evening_set"):
        document = host.gets(f"/t/{{code}}/sheet.pdf?item={item}").text
        assert "<title>Carcassonne –" in document, item
        assert "Tally" not in document or item == "evening_set", item


def test_a_certificate_tells_how_a_game_ended_and_nothing_before(house: House, phone: MakePhone) -> None:
    begun, _play = laid(house, phone, "ubongo", ["Ann", "Bo"], far=0.5)
    assert "Ann" not in begun.gets("/t/{code}/sheet.pdf?item=certificate").text
    over, play = laid(house, phone, "ubongo", ["Ann", "Bo"])
    document = over.gets("/t/{code}/sheet.pdf?item=certificate").text
    told = re.findall(r'class="name">(.*?)</span> <b>(.*?)</b>', document)
    places = play.game.standing(play.position).places
    assert told == [(["Ann", "Bo"][place.seat], str(place.score)) for place in places]


def test_the_blank_sheet_is_printed_as_it_was_asked_for(phone: MakePhone) -> None:
    visitor = phone()
    form = visitor.reads("/print/rage").form("/print/rage")
    query = form.filled(players="6", paper="letter", language="cs")
    answer = visitor.gets("/print/rage.pdf", query_string=query)
    assert answer.status_code == 200
    assert '<html lang="cs"' in answer.text
    assert answer.text != visitor.gets("/print/rage.pdf", query_string={**query, "players": "5"}).text
    assert answer.text != visitor.gets("/print/rage.pdf", query_string={**query, "paper": "a4"}).text


def test_a_blank_sheet_is_for_four_or_for_as_near_to_four_as_the_game_allows(
    phone: MakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = phone()
    for allowed, usual in ((range(2, 4), 3), (range(5, 9), 5), (range(3, 9), 4)):
        monkeypatch.setitem(GAMES, "rage", replace(GAMES["rage"], players=allowed))
        assert visitor.gets("/print/rage.pdf").text == visitor.gets(f"/print/rage.pdf?players={usual}").text


@pytest.mark.parametrize(
    "query", ["players=2", "players=9", "paper=a3", "language=xx", "form=ball", "paper=../../etc/passwd", "item=poem"]
)
def test_a_sheet_that_cannot_be_printed_is_refused_by_name(phone: MakePhone, query: str) -> None:
    answer = phone().gets(f"/print/rage.pdf?{query}")
    assert answer.status_code == 400
    assert query.split("=", maxsplit=1)[0] in answer.text


def test_a_sheet_is_shown_before_it_is_printed(house: House, phone: MakePhone, printer: Printer) -> None:
    house.app.extensions["companion.printer"] = printer
    visitor = phone()
    variants = "multicolour=10&black_powder=on&flamboyants=on&endless=on"
    page = visitor.reads(f"/print/hanabi?item=rule_card&form=leaf&language=pl&paper=letter&{variants}")
    pictures = [element for element in page.all("img") if "png" in element.attrs["src"]]
    assert [picture.attrs["alt"] for picture in pictures] == [
        f"Page {number} of 2, as it will be printed" for number in (1, 2)
    ]
    for picture in pictures:
        shown = Image.open(BytesIO(visitor.gets(picture.attrs["src"]).data))
        assert shown.size == (int(picture.attrs["width"]), int(picture.attrs["height"]))
    (document,) = [link for link in page.links if ".pdf" in link]
    pdf = PdfReader(BytesIO(visitor.gets(document).data))
    assert (len(pdf.pages), pdf.root_object["/Lang"]) == (2, "pl")
    assert [round(float(edge) / 72 * 25.4) for edge in pdf.pages[0].mediabox[2:]] == [140, 216]
    for page_number in ("0", "3", "-1"):
        assert visitor.gets(f"/print/hanabi.png?item=rule_card&page={page_number}").status_code == 404


@pytest.mark.parametrize(
    ("zone", "opened", "day"),
    [
        ("UTC", "2026-11-20T23:30:00.000Z", "20 November 2026"),
        ("Europe/Prague", "2026-11-20T23:30:00.000Z", "21 November 2026"),
        ("America/New_York", "2026-11-21T03:30:00.000Z", "20 November 2026"),
        # West of Greenwich this moment lies before the first day that there is.
        ("America/New_York", "0001-01-01T00:00:00.000Z", "1 January 1"),
    ],
)
def test_the_sheet_of_a_table_says_which_evening_it_was(  # noqa: PLR0913, PLR0917
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch, zone: str, opened: str, day: str
) -> None:
    """Its title, and the day by the clock on the wall: the one that the book of evenings shows."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    host = phone()
    host.opens(names=["Ann", "Bo", "Cy"])
    house.writes("UPDATE tables SET opened = ?, title = ?, location = ?", opened, "New Year’s <Eve>", "Bo’s")
    document = host.gets("/t/{code}/sheet.pdf?language=en").text
    monkeypatch.undo()
    time.tzset()
    assert f"<b>{day}</b>" in document
    assert "New Year’s &lt;Eve&gt; · Bo’s</b>" in document
    assert "New Year’s &lt;Eve&gt;" in host.gets("/t/{code}/sheet.pdf?item=join_card").text


def test_a_phone_remembers_its_paper(phone: MakePhone) -> None:
    visitor = phone()
    assert "paper=a4" in visitor.gets("/print/rage").text
    assert "paper=letter" in visitor.gets("/print/rage?paper=letter").text
    assert "paper=letter" in visitor.gets("/print/hanabi?item=join_tent").text
    visitor.client.set_cookie("paper", "../../etc/passwd")
    assert "paper=a4" in visitor.gets("/print/rage").text


def test_a_blank_sheet_can_follow_other_rules_than_the_usual_ones(phone: MakePhone) -> None:
    visitor = phone()
    form = visitor.reads("/print/hanabi?players=3").form("/print/hanabi")
    usual = visitor.gets("/print/hanabi.pdf", query_string=form.filled()).text
    assert usual == visitor.gets("/print/hanabi.pdf?players=3").text
    query = form.filled(multicolour="5", black_powder="on")
    other = visitor.gets("/print/hanabi.pdf", query_string=query).text
    assert "multicolour" in other
    assert other != usual
    page = visitor.gets("/print/hanabi", query_string=query)
    assert "multicolour=5" in page.text
    assert "black_powder=on" in page.text


def test_another_language_brings_its_own_box_unless_another_is_chosen(phone: MakePhone) -> None:
    visitor = phone()
    form = visitor.reads("/print/hanabi?item=rule_card").form("/print/hanabi")

    def printed(**chosen: str) -> str:
        return visitor.gets("/print/hanabi.pdf", query_string=form.filled(**chosen)).text

    def named(query: str) -> str:
        return visitor.gets(f"/print/hanabi.pdf?item=rule_card&language=pl{query}").text

    assert printed(language="pl") == named("")
    assert printed(language="pl", multicolour="10") == named("&multicolour=10")
    assert printed(language="pl", edition="es") == named("&edition=es") != named("")
    again = visitor.gets("/print/hanabi", query_string=form.filled(language="pl", multicolour="10")).text
    form = Page(again).form("/print/hanabi")
    assert printed() == named("&multicolour=10")
    assert printed(edition="cs") == named("&multicolour=10&edition=cs") != named("&multicolour=10")


def test_rules_that_cannot_be_are_named_beside_the_form(phone: MakePhone) -> None:
    visitor = phone()
    page = visitor.gets("/print/hanabi?rules=own&multicolour=7")
    assert page.status_code == 200
    assert 'role="alert"' in page.text
    assert visitor.gets("/print/hanabi?_external=1&_scheme=javascript&endpoint=x&code=y").status_code == 200


def test_a_sheet_that_cannot_be_drawn_says_why_and_can_still_be_changed(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(html: str) -> list[bytes]:
        raise PrinterBusy(Told("Too many sheets are waiting to be printed. Try again in a moment."))

    monkeypatch.setattr(house.printer, "pictures", busy)
    visitor = phone()
    page = visitor.reads("/print/rage?lang=cs&item=rule_cards")
    assert "tisk" in page.one(role="alert").text
    assert page.form("/print/rage")
    assert [link for link in page.links if ".pdf" in link] == []
