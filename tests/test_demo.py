"""`companion demo`: started by one command, it plays on without a fault, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from companion.commands import companion as command
from tests.databases import Lite
from tests.house import Client, Server, environment, free_port

NUMBER = re.compile(rb'data-number="(\d+)"')


@pytest.mark.parametrize("game", ["chess", "tally"])
def test_a_game_that_phantoms_cannot_play_is_refused_by_its_name(game: str) -> None:
    before = dict(os.environ)
    result = CliRunner().invoke(command, ["demo", "--game", game])
    assert result.exit_code == 2
    assert f"{game} cannot be shown. There are: hanabi, ikebana, rage, ubongo." in " ".join(result.stderr.split())
    assert dict(os.environ) == before


def test_receivers_of_the_companion_at_home_are_left_alone(tmp_path: Path) -> None:
    arguments = ["demo", "--host", "127.0.0.1", "--port", str(free_port()), "--data", str(tmp_path / "shown")]
    home = {"COMPANION_WEBHOOKS": "https://club.example/ended", "COMPANION_WEBHOOK_KEYS": "no key"}
    with (
        patch.dict(os.environ, home),
        patch("companion.machine.open_many_files"),
        patch("companion.commands.demo._served", return_value=0) as served,
    ):
        result = CliRunner().invoke(command, arguments)
        assert served.called, result.output
        assert not os.environ.keys() & home


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[Server]:
    """Run it beside a home whose settings it must leave alone."""
    port = free_port()
    (tmp_path / "tmp").mkdir()
    around = environment(tmp_path / "home", COMPANION_DATABASE=f"sqlite:///{tmp_path}/home.sqlite")
    around["TMPDIR"] = str(tmp_path / "tmp")
    arguments = ["demo", "--host", "127.0.0.1", "--port", str(port), "--pace", "0.1"]
    server = Server(tmp_path, port, [sys.executable, "-m", "companion", *arguments], around)
    server.start()
    yield server
    server.kill()


def watched(server: Server, until: float) -> list[str]:
    """Look at the screen and the phone as long as is said; gives the tables that were shown, each of which moved."""
    codes: list[str] = []
    last = 0
    with Client(server.port, "visitor") as one:
        while time.monotonic() < until:
            code = one.get("/demo/table").body.decode()
            if code not in codes:
                assert last > 0 or not codes, f"{codes[-1]} stood still"
                codes, last = [*codes, code], 0
            for path in (f"/t/{code}/screen", f"/t/{code}/0", "/demo"):
                answer = one.get(path)
                assert answer.status == 200, server.output()
                found = NUMBER.search(answer.body)
                last = max(last, int(found[1])) if found else last
            time.sleep(0.5)
    return codes


@pytest.mark.long
def test_the_demonstration_runs_without_a_fault_and_leaves_nothing_behind(
    shown: Server, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    hours: float = request.config.getoption("--hours")
    home = {file.name for file in (tmp_path / "home").iterdir()}
    codes = watched(shown, time.monotonic() + hours * 3600)
    assert len(codes) > hours * 3600 / 60, codes
    (folder,) = (tmp_path / "tmp").glob("companion-demo-*")
    ((kept,),) = Lite(folder).rows("SELECT count(*) FROM tables")
    assert kept <= 2
    assert shown.process is not None
    os.killpg(shown.process.pid, signal.SIGINT)  # as a terminal does at Ctrl-C
    assert shown.process.wait(60) == 0
    said = shown.output()
    assert not re.search(r"Traceback|could not|Error", said), said
    assert f"The companion is at http://127.0.0.1:{shown.port}" in said
    assert list((tmp_path / "tmp").glob("companion-demo-*")) == []
    assert {file.name for file in (tmp_path / "home").iterdir()} == home
    assert not (tmp_path / "home.sqlite").exists()
