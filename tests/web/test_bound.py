"""The book of evenings and its statistics on paper: whole names, as many pages as it needs, each with its running head."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from PIL import ImageChops
from pypdf import PdfReader

from companion.printing import PAPERS, Printer
from companion.printing.bound import MOST, BoundBook, BoundStatistics, Lines, book_html, on_pages, statistics_html
from companion.words import LANGUAGES
from tests.proofs import PAPERS_MM, check, fonts, ink_box_mm, picture, sizes_mm, sizes_pt, text, words_mm
from tests.test_every_sheet import EDGE_MM, NAMES
from tests.web.conftest import House, Phone
from tests.web.test_statistics import gems, hosts

MakePhone = Callable[..., Phone]
WHOLE = ["W" * 24, "Žofie Ďurková Nováková II", "Maximilian the Great", *NAMES]
HEAD = "Book of evenings – Thursday"
COMBINED = [
    pytest.param(
        language,
        paper,
        count,
        marks=() if (language, paper, count) in {("cs", "a4", 24), ("es", "letter", 1)} else pytest.mark.long,
    )
    for language, paper, count in product(LANGUAGES, PAPERS, (1, 24, 300))
]
"""The gate binds a thick book and a thin one."""


def book(count: int) -> BoundBook:
    """Fill a book with evenings of long and hostile names."""
    chance = Random(count)
    evenings: Any = [
        {
            "game": "Ubongo",
            "title": chance.choice(["", "Friday", "W" * 60]),
            "when": "20 Nov 2026",
            "place": chance.choice(["", "Anna’s kitchen", "W" * 60]),
            "players": [
                {"name": name, "score": str(chance.randrange(-50, 150)), "is_first": not place}
                for place, name in enumerate(chance.sample(WHOLE, chance.randint(1, 8)))
            ],
            "notes": chance.choice([[], ["not over"]]),
        }
        for _evening in range(count)
    ]
    months: Any = [{"name": f"Month {at // 20 + 1}", "evenings": evenings[at : at + 20]} for at in range(0, count, 20)]
    return {
        "title": HEAD,
        "told": f"{count} evenings",
        "looked_for": ["<b>W</b>"],
        "since": "2026-01-01",
        "until": "2026-11-20",
        "months": months,
    }


def statistics(count: int) -> BoundStatistics:
    """Tell of so many players, in every width of a table."""
    drawn = [name for name in WHOLE if max(name) < "\u2e80"]  # what no font has becomes a question mark
    names = [f"{drawn[place % len(drawn)][:20]} {place}" for place in range(count)]

    def table(title: str, labels: list[str], has_bars: bool) -> Any:
        cells = [{"said": f"{place}.5", "share": 100 / (place + 1) if has_bars else 0} for place in range(len(labels))]
        lines = [{"name": name, "cells": cells} for name in names]
        shown = {
            "title": title,
            "first": "Player",
            "labels": labels,
            "has_bars": has_bars,
            "lines": lines,
            "left_out": 0,
        }
        return on_pages(cast(Lines, shown))

    widest = ["odehráno", *(f"{place}." for place in range(1, 9)), "nejlepší", "rozegrane"]
    tables = [*table("", widest, False), *table("Wins", ["Wins"], True), *table("Parts", ["One", "Two", "Three"], True)]
    return {
        "title": HEAD,
        "told": "From 3 games",
        "looked_for": [],
        "since": "",
        "until": "",
        "chapters": [{"title": "Rage", "told": "3 games", "tables": tables}],
    }


@pytest.mark.parametrize(("language", "paper", "count"), COMBINED)
def test_the_book_has_as_many_pages_as_it_needs(
    printer: Printer, tmp_path: Path, language: str, paper: str, count: int
) -> None:
    shown = book(count)
    pdf = printer.pdf(book_html(shown, language, paper))
    pages = proved(pdf, tmp_path, language, paper)
    assert count // 25 <= pages <= count // 3 + 1
    said = re.sub(r"\s", "", text(pdf))
    for month in shown["months"]:
        for evening in month["evenings"]:
            assert re.sub(r"\s", "", evening["title"]) in said
    words = [box for page in range(1, pages + 1) for box in words_mm(pdf, tmp_path, page)]
    widest = sum(player["name"] == "W" * 24 for m in shown["months"] for e in m["evenings"] for player in e["players"])
    assert sum(word.startswith("W" * 24) and len(word) < 30 for word, *_ in words) >= widest


@pytest.mark.parametrize("count", [3, pytest.param(200, marks=pytest.mark.long)])
def test_the_statistics_keep_names_whole(printer: Printer, tmp_path: Path, count: int) -> None:
    pdf = printer.pdf(statistics_html(statistics(count), "en", "letter"))
    pages = proved(pdf, tmp_path, "en", "letter")
    assert pages >= min(count, MOST) // 12
    lines = [" ".join(line.split()) for line in text(pdf).splitlines()]
    for line in statistics(count)["chapters"][0]["tables"][0]["lines"]:
        assert sum(each.startswith(line["name"]) for each in lines) >= 3


def test_a_long_table_goes_on_with_its_heads() -> None:
    for left_out in (0, 7):
        table: Any = {"title": "Wins", "labels": ["Wins"], "lines": [*range(MOST + left_out)]}
        parts = [*on_pages(table)]
        assert [part["title"] for part in parts] == ["Wins", ""]
        assert [part["labels"] for part in parts] == [["Wins"]] * 2
        assert [line for part in parts for line in part["lines"]] == [*range(MOST)]
        assert [part["left_out"] for part in parts] == [0, left_out]


def proved(pdf: bytes, folder: Path, language: str, paper: str) -> int:
    """Hold a document to what every sheet is held to; gives its pages."""
    sizes = sizes_mm(pdf)
    assert all(size == pytest.approx(PAPERS_MM[paper], abs=0.2) for size in sizes)
    assert "No syntax or stream encoding errors found" in check(pdf, folder)
    assert {embedded for _font, embedded in fonts(pdf, folder)} == {"yes"}
    reader = PdfReader(BytesIO(pdf))
    assert reader.root_object["/Lang"] == language
    assert reader.metadata
    assert reader.metadata.title == HEAD
    for page, (width, height) in enumerate(sizes, start=1):
        words = words_mm(pdf, folder, page)
        shown = picture(pdf, folder, 50, page, coloured=True)
        for left, top, right, bottom in [*(box for _, *box in words), ink_box_mm(shown, 50)]:
            assert EDGE_MM <= left < right <= width - EDGE_MM
            assert EDGE_MM <= top < bottom <= height - EDGE_MM
        assert ImageChops.difference(shown, shown.convert("L").convert("RGB")).getbbox() is None
        # Letters of one point are there to be read out alone.
        assert min(size for _word, size in sizes_pt(pdf, folder, page) if size > 1.1) >= 9 - 0.1
        read = [word for word, *_ in words]
        assert read[-3:] == [str(page), "/", str(len(sizes))]
        assert (" ".join(read).startswith(f"{HEAD} · ")) == (page > 1)
    return len(sizes)


def test_the_book_is_bound_as_it_is_searched(house: House, phone: MakePhone) -> None:
    host = hosts(
        house,
        phone,
        (gems(5, 3), ["Anna", "<b>Bo</b>"], "2026-10-01"),
        (gems(4, 2), ["<b>Bo</b>", "Anna"], "2026-11-02"),
        (gems(5, 5, 1), ["Anna", "Dora", "Cy"], "2026-11-03"),
    )
    (a4, letter) = [link for link in host.reads("/book").links if ".pdf" in link]
    answer = host.gets(a4)
    assert answer.mimetype == "application/pdf"
    assert re.search(r'^inline; filename="companion-[-0-9]+-evenings.pdf"$', answer.headers["Content-Disposition"])
    assert re.findall(r"<h2>(.*?)</h2>", answer.text) == ["November 2026", "October 2026"]
    assert answer.text.count("<article>") == 3
    assert "&lt;b&gt;Bo&lt;/b&gt;&nbsp;" in answer.text
    assert 'class="letter' in host.gets(letter).text
    assert host.gets("/book/evenings.pdf?paper=a3").status_code == 400
    (found, _letter) = [link for link in host.reads("/book?player=Dora&since=2026-11-01").links if ".pdf" in link]
    assert host.gets(found).text.count("<article>") == 1
    assert "Dora" in host.gets(found).text.partition("<article>")[0]
    assert "<article>" not in phone().gets("/book/evenings.pdf").text


def test_the_statistics_are_bound_with_the_numbers_of_their_page(house: House, phone: MakePhone) -> None:
    host = hosts(
        house,
        phone,
        (gems(5, 3), ["Anna", "Bo"], "2026-11-01"),
        (gems(4, 2), ["Bo", "Anna"], "2026-11-02"),
        (gems(5, 5, 1), ["Anna", "Bo", "Cy"], "2026-11-03"),
    )
    page = host.reads("/book/statistics?player=Anna")
    bound = host.gets(next(link for link in page.links if ".pdf" in link)).text
    assert re.findall(r"<h2>(.*?)</h2>", bound) == ["Anna and the others", "All games", "Ubongo"]
    cells = [" ".join(re.sub(r"<[^>]*>", "", cell).split()) for cell in re.findall(r"<td>(.*?)</td>", bound, re.DOTALL)]
    shown = [element.text for element in page.all("td")]
    assert cells == shown
    assert "0 of 1<i></i>" in bound, "whoever has won nothing has a bar"
    widths = re.findall(r"<i><b\s+style=\"width: ([\d.]+)%\"", bound)
    assert len(widths) == bound.count("<i><b")
    assert widths[:2] == ["100.0", "100.0"]
    other = host.gets("/book/statistics.pdf?player=Anna&with=Bo").text
    assert "Anna and Bo" in other
    assert phone().gets("/book/statistics.pdf").status_code == 200


def test_no_more_than_the_newest_are_bound_at_once(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.bound.MOST", 2)
    days = [f"2026-11-{day:02}" for day in range(1, 4)]
    host = hosts(house, phone, *((gems(5, 3), ["Anna", day], day) for day in days))
    document = host.gets("/book/evenings.pdf").text
    assert "The newest 2 of 3 evenings" in document
    assert [day in document for day in days] == [False, True, True]
