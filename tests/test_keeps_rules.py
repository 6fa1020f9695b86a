"""Promise 25, with real packages: a table keeps its rules, whatever the next version of its game's package changes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.databases import Database
from tests.house import environment
from tests.phones import ROOT

CAIRN = ROOT / "tests" / "fifth_game" / "cairn"
VERSION = ('    key="cairn",\n', '    key="cairn",\n    version=2,\n')
SCORE = ("position.piles[move.seat] + move.die", "position.piles[move.seat] + 2 * move.die")
BOTH = ('    key="cairn",\n', '    key="cairn",\n    version=2,\n    older=(1,),\n    by_rules=rules.by_rules,\n')
BY_RULES = (
    ('    last: int | None = None\n', '    last: int | None = None\n    times: int = 2\n'),
    ("position.piles[move.seat] + move.die", "position.piles[move.seat] + position.times * move.die"),
    ("def judge(", "def by_rules(position: Position, version: int) -> Position:\n"
     '    """Rule by an older version."""\n    return replace(position, times=version)\n\n\ndef judge('),
)  # fmt: skip
RENAMED = ('    return {"lay": shape', '    return {"put": shape')
DROPPED = (
    ("    is_gentle: bool = False\n", ""),
    ('    """Whether a pile that falls keeps half of its stones."""\n', ""),
    ("position.piles[move.seat] // 2 if position.options.is_gentle else 0", "0"),
)
NO_LABEL = (
    ("shape(Options, is_gentle=Switch())", "shape(Options)"),
    ('{"is_gentle": Label("Gentle", "A pile that falls keeps half of its stones.")}', "{}"),
)


@dataclass(frozen=True)
class Change:
    """What the next version of the package changes, and what becomes of the tables of this one."""

    game: tuple[tuple[str, str], ...] = ()
    """What in its title page is something else."""
    rules: tuple[tuple[str, str], ...] = ()
    finished: str = ""
    """The type of the trouble with the table that is over; "" where it is ruled as it was."""
    unfinished: str = ""
    said: str = "nothing is lost"
    checked: str = ""
    """What `companion check` says of them."""
    is_there: bool = True


CHANGES = {
    "a round scores otherwise, and nobody says so": Change(
        rules=(SCORE,), finished="ruled_otherwise", unfinished="ruled_otherwise", checked="scores it otherwise by now"
    ),
    "the target is another one, and nobody says so": Change(
        rules=(("HEIGHT = 30", "HEIGHT = 40"),), finished="ruled_otherwise", checked="it stood 1:30 2:20 over, and would stand 1:30 2:20)"
    ),
    "the rules are of another version": Change(
        (VERSION,), (SCORE,), "rules_missing", "rules_missing", "version 1 of the rules of Cairn", "rules by version 2"
    ),
    "older rulings are brought": Change((BOTH,), BY_RULES, checked="ruled by version 1 of its rules, as begun"),
    "a move is renamed": Change((RENAMED,), (), "move_missing", "move_missing", "the move “lay”", "the move “lay”"),
    "an option is dropped": Change(
        NO_LABEL, DROPPED, "option_missing", "option_missing", "the option “is_gentle”", "the option “is_gentle”"
    ),
    "the rules stumble": Change(
        rules=(("    if move.die not in FACES:\n", "    if position.last and position.heights:\n"),),
        finished="log_refused", unfinished="log_refused", checked="AttributeError",
    ),
    "the package is gone": Change(
        (), (), "game_missing", "game_missing", "“cairn”", "its game, cairn, is not installed", is_there=False
    ),
}  # fmt: skip

OF_A_DATABASE = ("the target is another one, and nobody says so", "older rulings are brought", "the package is gone")
"""What is asked of PostgreSQL, too, where `--long` does not ask for all: kept results, positions, and neither."""


@dataclass
class Author:
    """The author of Cairn, and the folder where the package is installed."""

    site: Path

    def publishes(self, change: Change) -> None:
        """Install the package with a change, in the place of what was there."""
        shutil.rmtree(self.site, ignore_errors=True)
        self.site.mkdir()
        if not change.is_there:
            return
        shutil.copytree(CAIRN, self.site / "cairn", ignore=shutil.ignore_patterns("__pycache__"))
        for name, changed in (("__init__.py", change.game), ("rules.py", change.rules)):
            file = self.site / "cairn" / name
            text = file.read_text()
            for was, now in changed:
                assert was in text, was
                text = text.replace(was, now)
            file.write_text(text)
        about = self.site / "cairn-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: cairn\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[companion.games]\ncairn = cairn:GAME\n")


PROGRAM = """
import importlib, json, os, sys
from click.testing import CliRunner
from companion import api, create_app, log, web, words
from companion.commands import companion
from companion.desk import listening, talking
from companion.games import GAMES, OWN
from companion.games.installed import load
from companion.push import hearing
from jinja2 import FileSystemBytecodeCache

words.languages()

def said(asks):
    app = create_app()
    app.jinja_env.bytecode_cache = FileSystemBytecodeCache(".")
    if not os.path.exists("all.zip"):
        with app.app_context():
            log.upgrade()
    answers = []
    for method, path, body, token in asks:
        head = {"Authorization": f"Bearer {token}"} if token else {}
        answer = app.test_client().open(path, method=method, json=body, headers=head)
        answers.append((answer.status_code, answer.text))
    run = CliRunner().invoke
    checked = run(companion, ["check"])
    exported = run(companion, ["export", "--all", "-o", "all.zip"])
    assert isinstance(exported.exception, SystemExit | None), exported.exception
    return {"answers": answers, "checked": checked.output, "status": checked.exit_code}

for line in sys.stdin:
    if not (pid := os.fork()):
        importlib.invalidate_caches()
        for name in [name for name in sys.modules if name.partition(".")[0] == "cairn"]:
            del sys.modules[name]
        GAMES.clear()
        GAMES.update(load(OWN)[0])
        print(json.dumps(said(json.loads(line))), flush=True)
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        sys.exit("It fell.")
"""
"""What a server and its commands say: asked by lines on standard input, told on standard output.

Each line is asked of a fork that loads the games as a start does, and nothing else: whole starts are tried by `--long`.
"""

Ask = tuple[str, str, Any, str]
"""Method, path, body and token."""


@dataclass
class Said:
    """What a companion says with a package as it is by a change."""

    answers: list[tuple[int, str]]
    checked: str
    status: int
    """Of the check."""
    records: dict[str, Any]
    """As they are exported, by code."""


@dataclass
class Club:
    """Where Cairn is played."""

    data: Path
    address: str
    """Of its database."""
    author: Author
    is_started_anew: bool
    """Whether a whole process is started for every change."""
    process: subprocess.Popen[str] | None = None

    @property
    def changes(self) -> dict[str, Change]:
        """The changes that are tried here."""
        is_all = self.is_started_anew or self.address.startswith("sqlite")
        return CHANGES if is_all else {name: CHANGES[name] for name in OF_A_DATABASE}

    def says(self, change: Change, *asks: Ask) -> Said:
        """Start the companion with the package as it is by a change, ask all that, check and export."""
        self.author.publishes(change)
        if self.process and self.is_started_anew:
            self.end()
        self.process = self.process or self.started()
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(asks), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        assert line, self.fault()
        with zipfile.ZipFile(self.data / "all.zip") as archive:
            records = {name.removesuffix(".json"): json.loads(archive.read(name)) for name in archive.namelist()}
        told = json.loads(line)
        return Said([tuple(answer) for answer in told["answers"]], told["checked"], told["status"], records)

    def started(self) -> subprocess.Popen[str]:
        """Start what answers."""
        path = os.pathsep.join([str(ROOT), str(self.author.site)])
        surroundings = environment(self.data, COMPANION_DATABASE=self.address, PYTHONPATH=path)
        with (self.data / "faults").open("w") as faults:
            return subprocess.Popen(
                [sys.executable, "-c", PROGRAM],
                env=surroundings, cwd=self.data, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=faults, text=True,
            )  # fmt: skip

    def fault(self) -> str:
        """Read why there was no answer."""
        return (self.data / "faults").read_text()

    def end(self) -> None:
        """Let it end."""
        if self.process:
            self.process.communicate()
            assert self.process.returncode == 0, self.fault()
            self.process = None


@dataclass(frozen=True)
class Evening:
    """A table, and how it stands."""

    code: str
    token: str
    """Of its host."""
    rolls: int
    """How often is rolled: 6, 5, 6, 5 …; the ninth roll ends it."""

    @property
    def is_over(self) -> bool:
        """Whether a pile is high enough."""
        return self.rolls == 9

    @property
    def scores(self) -> tuple[int, int]:
        """How it stands then."""
        return (self.rolls + 1) // 2 * 6, self.rolls // 2 * 5

    @property
    def moves(self) -> Iterator[Ask]:
        """Roll."""
        for roll in range(self.rolls):
            move = {"move": "lay", "seat": roll % 2, "die": 6 - roll % 2}
            yield "POST", f"/api/tables/{self.code}/moves", move, self.token


@pytest.fixture(params=["forks", pytest.param("starts", marks=pytest.mark.long)])
def club(request: pytest.FixtureRequest, tmp_path: Path, database: Database) -> Iterator[Club]:
    data = tmp_path / "data"
    data.mkdir()
    club = Club(data, database.address, Author(tmp_path / "site"), request.param == "starts")
    try:
        yield club
    finally:
        club.end()


READS = (
    "/t/{}/history",
    "/t/{}/screen",
    "/t/{}/seats",
    "/api/tables/{}",
    "/api/tables/{}/view",
    "/api/tables/{}/history",
)
WRITES = ("take-back", "put-back", "moves")
BESIDE: tuple[Ask, ...] = (("GET", "/", None, ""), ("GET", "/book/statistics", None, ""))
NOTHING = Change()


def opened(club: Club, *rolls: int) -> list[Evening]:
    """Open tables where so often will be rolled."""
    sent = {"game": "cairn", "players": ["Anna", "Bo"], "options": {"is_gentle": True}}
    said = club.says(NOTHING, *[("POST", "/api/tables", sent, "") for _ in rolls])
    tables = [json.loads(told) for _, told in said.answers]
    return [Evening(one["table"]["code"], one["token"], many) for one, many in zip(tables, rolls, strict=True)]


def questions(evening: Evening) -> list[Ask]:
    """Ask a table for everything, and for what would change it, were it not frozen."""
    code, token = evening.code, evening.token
    reads: list[Ask] = [("GET", path.format(code), None, token) for path in READS]
    bodies = ({}, {}, {"move": "lay", "seat": 0, "die": 1})
    return reads + [
        ("POST", f"/api/tables/{code}/{write}", body, token) for write, body in zip(WRITES, bodies, strict=True)
    ]


@pytest.mark.promise(25)
@pytest.mark.on_both
def test_a_table_keeps_its_rules_whatever_becomes_of_the_package(club: Club, figure: Callable[[str], None]) -> None:
    over, on = opened(club, 9, 4)
    book: Ask = ("GET", "/api/book", None, over.token)
    standings: tuple[Ask, ...] = tuple(("GET", f"/api/tables/{one.code}/standing", None, "") for one in (over, on))
    was, answers = club.says(NOTHING, *over.moves, *on.moves, book, *standings), 0
    assert {status for status, _ in was.answers} == {200}, was.answers
    first, *stood = was.answers[-3:]
    for name, change in club.changes.items():
        asks = [
            ask
            for one, trouble in ((over, change.finished), (on, change.unfinished))
            if trouble
            for ask in questions(one)
        ]
        said = club.says(change, book, *standings, *BESIDE, *asks)
        assert kept(said.answers[0]) == kept(first), name
        for place, trouble in enumerate((change.finished, change.unfinished), 1):
            assert trouble or said.answers[place] == stood[place - 1], name
        assert [status for status, _ in said.answers[3:5]] == [200, 200], name
        for ask, answer in zip(asks, said.answers[5:], strict=True):
            refuses(change, over if over.code in ask[1] else on, ask, answer)
        assert said.records == was.records, name
        assert (change.checked in said.checked, said.status) == (True, bool(asks)), (name, said.checked)
        answers += len(said.answers)
    # And as it was, once what they were played with is installed again.
    goes_on: Ask = ("POST", f"/api/tables/{on.code}/moves", {"move": "lay", "seat": 0, "die": 6}, on.token)
    said = club.says(NOTHING, *standings, goes_on)
    assert said.answers[:2] == stood
    assert said.answers[2][0] == 200
    figure(f"{len(club.changes)} changes of a package, {answers} answers, none of them a fault of ours")


def kept(answer: tuple[int, str]) -> Any:
    """Read a book; by what name a game is called depends on its package."""
    assert answer[0] == 200, answer
    return [
        {name: evening[name] for name in evening if name != "game"} for evening in json.loads(answer[1])["evenings"]
    ]


def refuses(change: Change, evening: Evening, ask: Ask, answer: tuple[int, str]) -> None:
    """Hold an answer to the trouble that a table is in: said by name, with how it stood."""
    (_, path, body, _), (status, told) = ask, answer
    if status == 400:
        assert (change.game, body) == ((RENAMED,), {"move": "lay", "seat": 0, "die": 1})
        return
    assert status == 409, (path, told)
    assert change.said in (json.loads(told)["detail"] if path.startswith("/api") else told), (path, told)
    if path.startswith("/api"):
        trouble = change.finished if evening.is_over else change.unfinished
        assert json.loads(told)["type"] == f"/api#{trouble}", (path, told)
    else:
        assert all(f">{score}<" in told for score in evening.scores), (path, told)
