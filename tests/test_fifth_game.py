"""A game of another package, installed beside the companion: it needs no change anywhere."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.phones import ROOT, Server, free_port

RECORD = {
    "format": "companion-record",
    "version": 1,
    "game": "cairn",
    "players": ["Anna", "Bohdan"],
    "moves": [
        {"move": "lay", "seat": 0, "die": 5},
        {"move": "lay", "seat": 1, "die": 4},
        {"move": "lay", "seat": 0, "die": 4},
        {"move": "lay", "seat": 0, "die": 2},
    ],
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the game as its author would publish it, into a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *install, str(ROOT / "tests" / "fifth_game")], check=True)
    return folder


class Guest(Server):
    """A server beside which the game is installed."""

    site: Path

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, "PYTHONPATH": os.pathsep.join([str(ROOT), str(self.site)])}


@pytest.fixture(scope="module")
def server(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    server = Guest(tmp_path_factory.mktemp("data"), free_port())
    server.site = site
    server.start()
    yield server
    server.stop()


def post(server: Server, path: str, **fields: object) -> str:
    """Post a form as a phone does, and give the address of the page that follows."""
    base = f"http://127.0.0.1:{server.port}"
    body = urllib.parse.urlencode(fields, doseq=True).encode()
    request = urllib.request.Request(base + path, body, {"Origin": base})
    with PHONE.open(request) as answer:
        return str(answer.url).removeprefix(base)


def page(server: Server, path: str) -> bytes:
    with PHONE.open(f"http://127.0.0.1:{server.port}{path}") as answer:
        return bytes(answer.read())


PHONE = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())


def test_the_game_plays_from_the_lobby_to_the_sheet(server: Guest) -> None:
    assert b"Cairn" in page(server, "/")
    page(server, "/open/cairn")
    code = post(server, "/open/cairn", name=["Anna", "Bohdan"], i_sit="", is_gentle="on").split("/")[2]
    for number, (seat, die) in enumerate([(0, 6), (1, 5), (0, 4), (1, 4)]):
        post(server, f"/t/{code}/0/move", move="lay", seat=seat, die=die, key=f"tap-{number}")
    seat_page = page(server, f"/t/{code}/0").decode()
    assert "Anna rolls" in seat_page
    assert ">10</td>" in seat_page
    assert ">2</td>" in seat_page
    assert "The pile of Bohdan falls." in page(server, f"/t/{code}/history").decode()
    # It has no screen of its own: the plain one of any game shows the standing.
    assert b">2</b>" in page(server, f"/t/{code}/screen")
    assert [move["die"] for move in server.record(code)["moves"]] == [6, 5, 4, 4]
    assert all(page(server, address) for address in own_files(seat_page))
    sheet = PdfReader(io.BytesIO(page(server, f"/t/{code}/sheet.pdf"))).pages[0].extract_text()
    assert "Anna: 10" in sheet


def own_files(html: str) -> list[str]:
    """Name the addresses of the game's own style sheet, script and picture on a page; they change with the files."""
    found = [
        re.search(rf'"(/static/[0-9a-f]{{12}}/games/cairn{end})"', html) for end in ("[.]css", "[.]js", "/stone[.]svg")
    ]
    assert all(found)
    return [one[1] for one in found if one]


def test_its_own_files_are_kept_for_ever_and_nothing_else_of_its_package_is_served(server: Guest) -> None:
    base = f"http://127.0.0.1:{server.port}"
    page(server, "/open/cairn")
    code = post(server, "/open/cairn", name=["Anna", "Bohdan"], i_sit="").split("/")[2]
    style, script, picture = own_files(page(server, f"/t/{code}/0").decode())
    for address, kind in ((style, "text/css"), (script, "text/javascript"), (picture, "image/svg+xml")):
        with PHONE.open(base + address) as answer:
            assert answer.headers.get_content_type() == kind
            assert "immutable" in answer.headers["Cache-Control"]
            assert answer.headers["Content-Security-Policy"]
    assert style in page(server, "/service-worker.js").decode()
    for elsewhere in ("../rules.py", "..%2Frules.py", "games/../../rules.py", "games/cairn/../../../rules.py"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            page(server, style.replace("games/cairn.css", elsewhere))


def test_the_game_is_replayed_and_asked_from_the_command_line(server: Guest, tmp_path: Path) -> None:
    file = tmp_path / "cairn.json"
    file.write_text(json.dumps(RECORD))
    command = [sys.executable, "-m", "companion"]
    replay = subprocess.run(
        [*command, "replay", "--json", str(file)], env=server.environment, capture_output=True, check=False
    )
    outcome = json.loads(replay.stdout)
    assert (replay.returncode, outcome["moves"], outcome["refused"]["rule"]) == (1, 3, "cairn.not_your_turn")
    assert outcome["summary"] == {"piles": [0, 4], "last": 4, "to_move": 1}
    asked = json.loads(server.run("judge", "cairn", "--json", "3", "3"))
    assert asked["falls"] is True
    # It brings no text of its rules, so there is no paragraph to lead to.
    assert server.run("judge", "cairn", "3", "3").decode().splitlines() == [asked["verdict"], *asked["reasons"]]
    told = subprocess.run([*command, "replay", str(file)], env=server.environment, capture_output=True, check=False)
    assert f"Move 4 is refused: {outcome['refused']['reason']}" in told.stdout.decode()


@pytest.mark.promise(25)
def test_the_companion_without_the_package_does_not_know_the_game(tmp_path: Path) -> None:
    file = tmp_path / "cairn.json"
    file.write_text(json.dumps(RECORD))
    alone = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "companion", "replay", "--json", str(file)]
    replay = subprocess.run(command, env=alone, capture_output=True, check=False)
    assert replay.returncode == 2
    assert json.loads(replay.stdout)["error"]["place"] == "game"
