"""Score sheets on phones: Hearts, of which there is nothing but a file, and the keys of others at the smallest size."""

from __future__ import annotations

import csv
import io
import random
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from companion.games import GAMES
from companion.games.tally import game_of
from companion.games.tally.reading import read
from companion.words import LANGUAGES
from tests.pages.places import Setting
from tests.pages.test_key_area import SIZES, played, walk
from tests.phones import Phone, Server, free_port

SHEETS = Path(__file__).parents[2] / "docs" / "score-sheets"
NAMES = ["Anna", "Bohdan", "Katka"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with our sheets."""
    server = Server(tmp_path_factory.mktemp("data"), free_port(), more={"COMPANION_GAMES": str(SHEETS)})
    server.start()
    yield server
    server.stop()


def tells(phone: Phone, number: int) -> None:
    """Tell a number by steps of 10 and of 1."""
    phone.page.locator("[data-add='1']").wait_for()
    phone.is_awake()
    for by, times in ((10, number // 10), (1, number % 10)):
        for _ in range(times):
            phone.page.locator(f"[data-add='{by}']").tap()
    expect(phone.page.locator("input[type=number]")).to_have_value(str(number))
    phone.page.locator(".tally-foot .main").tap()


def fetched(server: Server, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}") as answer:
        return bytes(answer.read())


def test_hearts_of_a_file_is_played_on_phones_printed_and_exported(phone: Callable[..., Phone], server: Server) -> None:
    small = {"viewport": {"width": 360, "height": 640}}
    phones = [phone(**small) for _ in NAMES]
    code = phones[0].asks("POST", "/tables", {"game": "hearts", "players": NAMES})["table"]["code"]
    for seat, (one, name) in enumerate(zip(phones, NAMES, strict=True)):
        one.asks("PUT", f"/tables/{code}/seats/{seat}", {"name": name})
    for row in ([20, 5, 1], [26, 0, 0], [20, 4, 2], [20, 0, 6], [20, 3, 3]):
        for seat, (one, number) in enumerate(zip(phones, row, strict=True)):
            one.asks(
                "POST", f"/tables/{code}/moves", {"move": "enter", "seat": seat, "column": "taken", "value": number}
            )
    for seat, one in enumerate(phones):
        one.opens(f"/t/{code}/{seat}")
        one.is_live()
    expect(phones[0].page.locator(".players .points")).to_have_text(["80", "38", "38"])
    tells(phones[2], 2)
    expect(phones[0].page.locator(".players .points")).to_have_text(["80", "38", "40"])
    expect(phones[2].page.locator(".tally-keys")).to_have_count(0)
    tells(phones[0], 21)
    for one in phones:
        expect(one.page.locator("h1")).to_have_text("Bohdan wins")
    expect(phones[1].page.locator(".ranking li").first).to_contain_text("38")
    sheet = PdfReader(io.BytesIO(fetched(server, f"/t/{code}/sheet.pdf"))).pages
    assert len(sheet) == 1
    words = sheet[0].extract_text().split()
    assert {"Hearts", "Bohdan", "101", "38", "40"} <= set(words)
    assert [move["value"] for move in server.record(code)["moves"][-2:]] == [2, 21]
    rows = list(csv.DictReader(io.StringIO(fetched(server, f"/t/{code}/files/rounds.csv").decode("utf-8-sig"))))
    assert rows


def test_a_number_that_is_being_told_stays_while_others_tell_theirs(
    phone: Callable[..., Phone], server: Server
) -> None:
    anna, bo = phone(), phone()
    code = anna.asks("POST", "/tables", {"game": "hearts", "players": NAMES})["table"]["code"]
    anna.asks("PUT", f"/tables/{code}/seats/0", {"name": "Anna"})
    bo.asks("PUT", f"/tables/{code}/seats/1", {"name": "Bohdan"})
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    anna.page.locator("[data-add='10']").tap()
    told = bo.asks("POST", f"/tables/{code}/moves", {"move": "enter", "seat": 1, "column": "taken", "value": 5})
    expect(anna.page.locator("#part")).to_have_attribute("data-number", str(told["number"]))
    field = anna.page.locator("input[type=number]")
    expect(field).to_have_value("10")
    expect(field).to_have_attribute("data-told", "10")
    anna.is_awake()
    anna.page.locator(".tally-foot .main").tap()
    expect(anna.page.locator(".players .mine .points")).to_have_text("10")


def test_a_wrong_number_is_refused_with_what_would_do_and_without_script(
    phone: Callable[..., Phone], server: Server
) -> None:
    one = phone(java_script_enabled=False)
    code = one.asks("POST", "/tables", {"game": "hearts", "players": NAMES})["table"]["code"]
    one.asks("PUT", f"/tables/{code}/seats/0", {"name": "Anna"})
    one.opens(f"/t/{code}/0")
    one.page.locator("input[type=number]").fill("13")
    expect(one.page.locator("[data-add='1']")).to_be_hidden()
    one.page.locator(".tally-foot .main").tap()
    expect(one.page.locator(".players .mine .points")).to_have_text("13")


@pytest.mark.parametrize(
    "setting",
    [Setting("bids", 6, ()), Setting("cities", 7, ()), Setting("levels", 2, ()), Setting("tally", 8, (), (("rounds", 2),))],
    ids=lambda one: one.game,
)  # fmt: skip
def test_keys_of_sheets_are_whole_uncovered_and_where_they_were(
    phone: Callable[..., Phone], monkeypatch: pytest.MonkeyPatch, is_long: bool, setting: Setting
) -> None:
    for file in SHEETS.glob("*.toml"):
        monkeypatch.setitem(GAMES, file.stem, game_of(read(file.stem, file.read_text(), file.name)))  # type: ignore[arg-type]
    seed = random.SystemRandom().randrange(10**6)
    language = LANGUAGES[seed % len(LANGUAGES)]
    print(f"seed {seed}, {language}")
    moves = played(setting, random.Random(seed))
    walk(partial(phone, locale=language), setting, moves, SIZES[0], 1 if is_long else max(1, len(moves) // 8))
