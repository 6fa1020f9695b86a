"""Score sheets without code: what their page says is so, and they are games as any other in lobby, pages, API, files."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from companion.desk.verdict import answer
from companion.games.tally import game_of
from companion.games.tally.counting import At, known
from companion.games.tally.parser import FUNCTIONS, LISTS
from companion.games.tally.reading import COLUMN, SHEET, Sheet, read
from companion.games.tally.source import SheetFault
from companion.words import in_full
from tests.phones import ROOT, Server, free_port

PAGE = (ROOT / "docs" / "score-sheets.md").read_text()
WRITTEN = re.findall(r"```toml\n(.+?)```", PAGE, re.DOTALL)
FOLDER = ROOT / "docs" / "score-sheets"
ASKED = re.findall(r"^\$ companion judge (\w+) (.+)\n((?:.+\n)+)```$", PAGE, re.MULTILINE)
PHONE = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())


def sheet_of(key: str) -> Sheet:
    return read(key, (FOLDER / f"{key}.toml").read_text(), f"{key}.toml")


@pytest.mark.parametrize("text", WRITTEN, ids=lambda text: text.partition("\n")[0])
def test_every_sheet_of_the_page_is_read_and_plays_as_the_file_of_its_name_does(text: str) -> None:
    sheet = read("sheet", text, "the page")
    files = {one.name: one for one in (sheet_of(file.stem) for file in FOLDER.glob("*.toml"))}
    if sheet.name in files:
        assert sheet.counting == files[sheet.name].counting


def test_the_page_shows_every_sheet_of_the_folder() -> None:
    assert {read("sheet", text, "").name for text in WRITTEN} >= {
        sheet_of(file.stem).name for file in FOLDER.glob("*.toml")
    }


@pytest.mark.parametrize(("key", "words", "said"), ASKED)
def test_what_the_page_asks_is_answered_so(key: str, words: str, said: str) -> None:
    game = game_of(sheet_of(key))
    answered = answer(game, words.split(), {}, "en")
    assert [answered.verdict, *answered.reasons, in_full(answered.rule, game, "en")] == said.splitlines()


def test_the_fault_of_the_page_is_said_so() -> None:
    text = WRITTEN[0].replace("max(all.", "max(al.")
    with pytest.raises(SheetFault) as found:
        read("darts", text, "darts.toml")
    assert f"The score sheet darts.toml is left out. {found.value}" in PAGE


def test_the_page_names_all_that_a_sheet_may_say() -> None:
    names = {*SHEET, *COLUMN} - {"columns"}
    assert [name for name in sorted(names) if not re.search(rf"`[^`]*\b{name}\b", PAGE)] == []
    assert [name for name in FUNCTIONS if f"`{name}(" not in PAGE] == []
    assert [name for name in (*known((), At.ROW).own, *LISTS) if not re.search(rf"`{name}\b", PAGE)] == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("sheets")
    for file in FOLDER.glob("*.toml"):
        shutil.copy(file, folder)
    (folder / "broken.toml").write_text('points = "bid ++"\n[columns.bid]\n')
    (folder / "rage.toml").write_text("[columns.bid]\n")
    server = Server(tmp_path_factory.mktemp("data"), free_port(), more={"COMPANION_GAMES": str(folder)})
    server.start()
    yield server
    server.stop()


def page(server: Server, path: str) -> bytes:
    with PHONE.open(f"http://127.0.0.1:{server.port}{path}") as answer:
        return bytes(answer.read())


def post(server: Server, path: str, **fields: object) -> str:
    """Post a form as a phone does, and give the address of the page that follows."""
    base = f"http://127.0.0.1:{server.port}"
    body = urllib.parse.urlencode(fields, doseq=True).encode()
    with PHONE.open(urllib.request.Request(base + path, body, {"Origin": base})) as answer:
        return str(answer.url).removeprefix(base)


def opened(server: Server, key: str, names: list[str], **options: object) -> str:
    return post(server, f"/open/{key}", name=names, i_sit="", **options).split("/")[2]


def tells(server: Server, code: str, *told: tuple[int, str, int]) -> None:
    done = len(server.record(code)["moves"])
    for number, (seat, column, value) in enumerate(told, done):
        tap = {"move": "enter", "seat": seat, "column": column, "value": value, "key": f"tap-{number}"}
        post(server, f"/t/{code}/{seat}/move", **tap)


@pytest.mark.promise(25)
def test_a_faulty_sheet_is_named_and_stops_nothing_else(server: Server) -> None:
    lobby = page(server, "/").decode()
    assert all(f'"/open/{key}"' in lobby for key in ("rage", "tally", "bids", "cities", "hearts", "levels", "race"))
    faults = (
        "The score sheet broken.toml is left out. broken.toml, line 1, column 17: A number, a name or a bracket is missing here.",
        "The score sheet rage.toml is left out. Another game has its key, rage: the companion",
    )
    logged = (server.data / "server.log").read_text()
    command = [sys.executable, "-m", "companion", "check"]
    checked = subprocess.run(command, env=server.environment, capture_output=True, check=False)
    assert checked.returncode == 1
    for fault in faults:
        assert fault in logged
        assert fault in checked.stdout.decode()


def test_a_sheet_is_played_from_the_lobby_to_paper_and_files(server: Server) -> None:
    assert "Tricks" in page(server, "/help/bids").decode()
    code = opened(server, "bids", ["Anna", "Bo", "Cy"])
    assert b"<h1>Exact bids</h1>" in page(server, f"/t/{code}/screen")
    tells(server, code, *((seat, "bid", 1) for seat in range(3)), (1, "took", 1), (0, "took", 0), (2, "took", 1))
    shown = page(server, f"/t/{code}/0").decode()
    assert [number in shown for number in (">30</td>", ">−10</td>")] == [True, True]
    # Two have said that they took the one trick of the round.
    assert "The numbers of round 1 do not go together" in shown
    history = page(server, f"/t/{code}/history").decode()
    assert "Round 1: Anna −10, Bo 30, and Cy 30." in history
    amended = f"/t/{code}/history/6"
    assert "Instead of entry 6" in page(server, amended).decode()
    post(server, amended, move="enter", seat=2, column="took", value=0, key="right")
    assert "do not go together" not in page(server, f"/t/{code}/0").decode()
    post(server, f"/t/{code}/take-back", key="back")
    with PHONE.open(f"http://127.0.0.1:{server.port}/api/tables/{code}?lang=cs") as answer:
        table: dict[str, Any] = json.load(answer)
    assert table["game"] == "bids"
    assert "Sázka" in page(server, f"/t/{code}/0?lang=cs").decode()
    sheet = PdfReader(io.BytesIO(page(server, f"/t/{code}/sheet.pdf?lang=cs"))).pages
    # Ten rounds of three rows, each high enough to write in.
    assert len(sheet) == 2
    assert {"Sázka", "Anna", "Celkem"} <= set(sheet[0].extract_text().split())
    assert b">30</b>" in page(server, f"/t/{code}/screen")


def test_any_other_game_is_described_by_its_host_and_the_table_keeps_that(server: Server) -> None:
    code = opened(server, "tally", ["Anna", "Bo"], called="Kostky", wins="low", rounds="0", target="20")
    assert b"<h1>Kostky</h1>" in page(server, f"/t/{code}/screen"), "before the first move"
    tells(server, code, (0, "number", 21), (1, "number", -3))
    shown = page(server, f"/t/{code}/0").decode()
    assert "Kostky" in shown
    assert "Bo wins" in shown
    record = server.record(code)
    assert record["options"] == {"called": "Kostky", "wins": "low", "target": 20}
    sheet = PdfReader(io.BytesIO(page(server, f"/t/{code}/sheet.pdf"))).pages[0].extract_text()
    assert "Kostky" in sheet
    with pytest.raises(urllib.error.HTTPError, match="422"):
        opened(server, "tally", ["Anna", "Bo"], wins="low", rounds="500", target="0")


def test_the_referee_is_asked_without_a_table(server: Server) -> None:
    said = json.loads(server.run("judge", "hearts", "--json", "26", "0", "0"))
    assert said["points"] == [0, 26, 26]
    assert "A number" not in page(server, "/judge/hearts?words=26&words=0&words=0").decode()


@pytest.mark.promise(25)
def test_a_table_is_frozen_while_its_sheet_counts_otherwise_and_goes_on_when_it_is_as_it_was(server: Server) -> None:
    file = Path(server.more["COMPANION_GAMES"]) / "race.toml"
    text = file.read_text()
    code = opened(server, "race", ["Anna", "Bo", "Cy"])
    tells(server, code, (0, "left", 3), (1, "left", 0))
    standing = restarted(server, file, text.replace(">= 20", ">= 30"), f"/t/{code}/0")
    assert "Begun by other rules" in standing
    assert "Cards left" in restarted(server, file, text.replace("Zbylé karty", "Karty v ruce"), f"/t/{code}/0")
    tells(server, code, (2, "left", 2))
    assert ">3</td>" in page(server, f"/t/{code}/0").decode()
    restarted(server, file, text, "/")


def restarted(server: Server, file: Path, text: str, path: str) -> str:
    """Start anew with another sheet, and look at a page."""
    server.stop()
    file.write_text(text)
    server.start()
    try:
        return page(server, path).decode()
    except urllib.error.HTTPError as refused:
        return refused.read().decode()
