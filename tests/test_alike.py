"""Whatever a game comes as – ours, another author's package, a score sheet – every door has it in the same way."""

from __future__ import annotations

import json
import shlex
import shutil
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from tests.api.shapes import faults, unsaid
from tests.api.test_play import DULL, OPTIONS
from tests.api.wire import Wire
from tests.phones import ROOT, free_port
from tests.test_fifth_game import Guest, site

__all__ = ["site"]

OUTSIDE, SHEET = "cairn", "hearts"
KINDS = (*GAMES, OUTSIDE, SHEET)
NAMES = ["Anna", "Bohdan", "Katka"]
MOST_MOVES = 1500
PAGES = ("0", "screen", "history", "result", "steps", "ask", "sheet", "evening")


@pytest.fixture(scope="module")
def server(site: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    sheets = tmp_path_factory.mktemp("sheets")
    shutil.copy(ROOT / "docs" / "score-sheets" / f"{SHEET}.toml", sheets)
    server = Guest(tmp_path_factory.mktemp("data"), free_port(), more={"COMPANION_GAMES": str(sheets)})
    server.site = site
    server.start()
    yield server
    server.stop()


@dataclass
class Program:
    """One that has a phone's token, and uses the API and the pages with it."""

    server: Guest
    token: str = ""

    def fetches(self, path: str, body: Any = None) -> bytes:
        head = {"Authorization": f"Bearer {self.token}", "Cookie": f"phone={self.token}"} if self.token else {}
        sent = None if body is None else json.dumps(body).encode()
        address = f"http://127.0.0.1:{self.server.port}{path}"
        request = urllib.request.Request(address, sent, head | {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return bytes(answer.read())

    def asks(self, path: str, body: Any = None) -> Any:
        return json.loads(self.fetches(f"/api{path}", body))


def played(program: Program, key: str) -> str:
    """Open a table, and play it through a socket to its end; gives its code."""
    opened = program.asks("/tables", {"game": key, "players": NAMES, "options": OPTIONS.get(key, {})})
    program.token, code = opened["token"], opened["table"]["code"]
    chance = Random(7)
    wire = Wire(program.server.port, code, "", "?auth=message&seat=0")
    with closing(wire.socket):
        wire.send({"token": program.token})
        assert wire.until("welcome")
        assert wire.until("look")["look"]["game"] == key
        for number in range(MOST_MOVES):
            wire.send({"key": str(number), "move": choice(program, code, chance)})
            if wire.until("ruled")["ruled"]["is_finished"]:
                return code
    raise AssertionError("no end")


def choice(program: Program, code: str, chance: Random) -> Any:
    """Choose a kind among all moves that are open, then a move of it."""
    queries = ("", *(f"?seat={seat}" for seat in range(len(NAMES))))
    found = [move for query in queries for move in program.asks(f"/tables/{code}/moves{query}")["moves"]]
    kinds = sorted({move["move"] for move in found})
    kind = chance.choice([kind for kind in kinds if kind not in DULL] or kinds)
    return chance.choice([move for move in found if move["move"] == kind])


@pytest.mark.parametrize("key", KINDS)
def test_a_game_of_any_kind_is_met_at_every_door(server: Guest, key: str) -> None:
    program = Program(server)
    game = next(each for each in program.asks("/games")["games"] if each["key"] == key)
    name = game["name"].encode()
    assert name in program.fetches("/")
    assert name in program.fetches(f"/open/{key}")
    assert program.asks(f"/games/{key}/verdict", question(game["question"]))["game"] == key
    code = played(program, key)
    for page in PAGES:
        assert name in program.fetches(f"/t/{code}/{page}"), page
    for path in ("", "/view", "/standing", "/record", "/steps/0"):
        assert program.asks(f"/tables/{code}{path}")["game"] == key, path
    assert any(line["sentences"] for line in program.asks(f"/tables/{code}/history")["entries"])
    in_book_and_statistics(program, code, key)
    on_paper(program, code, game)


def question(example: str) -> dict[str, Any]:
    """Ask as `companion judge` would: options, and words."""
    words, options = [], {}
    parts = iter(shlex.split(example))
    for part in parts:
        if part.startswith("--"):
            options[part[2:].replace("-", "_")] = next(parts)
        else:
            words.append(part)
    return {"words": words, "options": options}


def in_book_and_statistics(program: Program, code: str, key: str) -> None:
    [evening] = program.asks("/book")["evenings"]
    assert (evening["code"], evening["game"], evening["players"][0]["name"]) == (code, key, NAMES[0])
    assert all(each["rank"] for each in evening["players"])
    [counted] = program.asks("/book/statistics")["games"]
    assert (counted["game"], counted["plays"]) == (key, 1)
    assert {each["player"] for each in counted["players"]} == {*NAMES}
    assert program.fetches(f"/api/tables/{code}/files/plays.csv").count(code.encode()) == len(NAMES)
    assert len(program.asks(f"/tables/{code}/files/play.bgsplay")["plays"]) == 1
    for page in ("/book", "/book/statistics"):
        assert NAMES[1].encode() in program.fetches(page)


def on_paper(program: Program, code: str, game: Any) -> None:
    """Print what every game has: its score sheet, blank and filled, who has won, and the way to the table."""
    assert "score_sheet" in game["sheets"]
    for path in (
        f"/games/{game['key']}/sheets/score_sheet",
        f"/tables/{code}/sheets/score_sheet",
        f"/tables/{code}/sheets/certificate",
        f"/tables/{code}/sheets/join_card",
    ):
        assert program.fetches(f"/api{path}").startswith(b"%PDF-"), path


def test_the_description_has_every_kind_and_says_what_an_author_leaves_open(server: Guest) -> None:
    program = Program(server)
    described, spoken = program.asks("/openapi.json"), program.asks("/asyncapi.json")
    assert faults(described) == []
    schemas = described["components"]["schemas"]
    assert {*schemas["View"]["discriminator"]["mapping"]} == {*KINDS}
    left = {place.rpartition("/schemas/")[2]: shape for place, shape in unsaid(described)}
    assert {*left} == {"CairnVerdict/properties/data", "CairnSummary"}
    assert all("does not say" in shape["description"] for shape in left.values())
    assert len([*unsaid(spoken)]) == 1
