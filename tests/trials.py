"""What a table may rely on, which tests try it, and what they measured last: `docs/promises.md` is written from here.

A test that tries a promise is marked `@pytest.mark.promise(number, …)`, and says by the fixture `figure` what it has
measured. A run with `--long` keeps what its trials found in `docs/promises.json`, beside what others found that it did
not run, and writes the page anew; `tests/test_trials.py` holds the page to the marks.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGE, STORE = ROOT / "docs" / "promises.md", ROOT / "docs" / "promises.json"
BOTH = {"SQLite", "PostgreSQL"}

PROMISES: dict[int, tuple[str, str]] = {
    1: (
        "Confirmed means kept",
        "What the companion has confirmed is in the log, once and in order, whatever is killed.",
    ),
    2: ("No start without durability", "A database that may lose what it confirms is refused at the start."),
    3: ("One truth", "Log, page, API, spreadsheet and printed sheet say the same after every step."),
    4: (
        "Tapping twice counts once",
        "However often a tap arrives, it is one entry, and every copy gets the same answer.",
    ),
    5: ("Nobody overwrites anybody", "Everybody may tap at once: each tap is kept, or answered with the fresh page."),
    6: (
        "A sealed bid stays sealed",
        "Before the reveal nobody learns anything of a sealed bid, by any way out of the house.",
    ),
    7: ("The reveal is one entry", "All sealed bids are shown under one number, or none of them."),
    8: (
        "A phone comes back by itself",
        "After a break, a restart or a locked screen the right page is there, with nothing to tap.",
    ),
    9: ("Your seat is yours", "A seat is held by a secret of its phone, until it is left, or the host takes it away."),
    10: ("The stream is honest", "A page that may be old says so, and one that is not stays right, in every tab."),
    11: ("Redis may die", "Without it no move is lost or held up, and all phones are right within five seconds."),
    12: ("Strangers cannot find a table", "Guessing codes does not pay, and a full or locked table admits nobody."),
    13: ("Opening a link changes nothing", "Whatever looks at an address leaves every byte of the database as it was."),
    14: ("No forged acts", "Only a page of ours, or a program with its token, can change anything."),
    15: (
        "No neighbour’s data",
        "What each role gets from each address stands in a list; a lost seat hears nothing more.",
    ),
    16: ("No script but ours", "Every answer forbids all that is not the companion’s own, and no page needs more."),
    17: ("Any name is safe everywhere", "A name is shown as what it is, on every page, sheet and file, or refused."),
    18: (
        "Printing cannot read or call out",
        "A sheet reads nothing but what it is made of, and is never waited for in vain.",
    ),
    19: ("Undo always works", "After any taking back, putting back, amending and restarting, all is as it was."),
    20: ("Errors explain themselves", "Whatever is sent is answered in words, never by a fault of ours."),
    21: ("No poisoned QR", "No stranger’s header or address gets into a code or a link."),
    22: ("Fair clock", "The server’s clock decides, and who is heard first was first."),
    23: ("Backups restore", "A copy that is made while people play is whole, and restores to the same log."),
    24: ("Old tables open", "The database of every earlier schema is brought up to date, and its tables replay."),
    25: (
        "A table keeps its rules",
        "Whatever becomes of a game’s package: no result changes, no page breaks, and every log can be had.",
    ),
    26: (
        "Everything has a deadline and a quota",
        "Whoever uploads, opens, listens or prints without measure holds up no tap, and no home meets a bound.",
    ),
    27: (
        "Who is invited comes in",
        "However many wrong codes are tried, who scans the QR code or has a seat is let in, and no guesser is.",
    ),
    28: (
        "One parser at the door",
        "What comes in is bounded in one place; what is wrong is named, and what is good beside it is taken.",
    ),
    29: (
        "One server, one data folder",
        "What would write beside a server is refused in words, and what was half written is made anew.",
    ),
    30: (
        "A machine may die",
        "Whatever machine dies, what was confirmed another one has, and taps go on there.",
    ),
    31: (
        "Faults at every step",
        "Whatever of a move fails on its way to the disk or back, the log is whole, and trying again enters it once.",
    ),
    32: (
        "A tap means what was seen",
        "Whoever taps twice in one place, with or without a network, has entered one thing.",
    ),
}
"""Number -> what it is called, and what it says."""
A_WHILE_S = 90
"""A trial that took so long says so."""
UNTRIED = "skipped"
"""The outcome of a trial that was not run, in pytest's word."""
ON_BOTH = {1, 2, 3, 4, 5, 19, 23, 24, 31}
"""Promises that must have been tried on SQLite and on PostgreSQL."""

HEAD = """\
# What a table may rely on

Each promise is tried by tests that can fail. `bin/test` runs them on small figures, `bin/test --long` on the full ones; the
long run writes this page, and keeps what was measured in [promises.json](promises.json). How to run the trials of one
promise: [developing.md](developing.md#promises). All figures are of one machine, two cores that were shared; one after the
other the trials took {minutes} minutes.

"""


@dataclass(frozen=True)
class Run:
    """How a trial ended when it was last run in full."""

    on: str
    """The databases that it used; "" where it needs none."""
    outcome: str
    date: str
    figures: list[str]
    seconds: int = 0
    """How long it took."""
    is_full: bool = True
    """False where the same trial has a longer form."""

    @property
    def told(self) -> str:
        """Say it in a cell of a table."""
        what = {"passed": "held", UNTRIED: "**not tried**"}.get(self.outcome, "**FAILED**")
        long = [f"{round(self.seconds / 60)} min"] if self.seconds >= A_WHILE_S else []
        return "; ".join([what, *self.figures, *long])


@dataclass(frozen=True)
class Trial:
    """A test that is marked: which promises it tries, and whether it has a form that only long runs have."""

    numbers: tuple[int, ...]
    is_long: bool


@cache
def marked() -> dict[str, Trial]:
    """List the trials by `file::test`, as the files mark them."""
    found: dict[str, Trial] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text = _whole(file)
        if "mark.promise(" not in text:
            continue
        tree = ast.parse(text)
        named = {ast.unparse(node.targets[0]): node for node in tree.body if isinstance(node, ast.Assign)}
        everywhere = list(_numbers(ast.walk(named["pytestmark"]))) if "pytestmark" in named else []
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbers = everywhere + [number for mark in node.decorator_list for number in _numbers([mark])]
                is_long = any(_is_long(mark, named) for mark in node.decorator_list)
                if numbers:
                    found[f"{file.relative_to(ROOT)}::{node.name}"] = Trial(tuple(numbers), is_long)
    return found


def _whole(file: Path) -> str:
    """Read a file of tests, with the trials of the kit for authors that it takes over."""
    text = file.read_text()
    taken = re.findall(r"^from (companion\.testing\.\w+) import \*", text, re.MULTILINE)
    return "\n".join([text, *((ROOT / f"{name.replace('.', '/')}.py").read_text() for name in taken)])


def _is_long(node: ast.AST, named: dict[str, ast.Assign]) -> bool:
    """Say whether a mark makes a form long, also by what a name of the file stands for."""
    names = [named[part.id] for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in named]
    return "pytest.mark.long" in ast.unparse(node) or any(_is_long(name.value, named) for name in names)


def _numbers(nodes: Any) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.promise":
            yield from (ast.literal_eval(number) for number in node.args)


def trials_of(number: int) -> list[str]:
    """List the trials of a promise."""
    return [name for name, trial in marked().items() if number in trial.numbers]


def load() -> dict[str, Run]:
    """Read what was found last, by test with its parameters; trials that are gone are left out."""
    stored = json.loads(STORE.read_text()) if STORE.exists() else {}
    return {test: Run(**run) for test, run in stored.items() if _trial(test) in marked()}


def save(runs: dict[str, Run]) -> None:
    """Keep what was found."""
    lines = [f"{json.dumps(test)}: {json.dumps(vars(run), ensure_ascii=False)}" for test, run in sorted(runs.items())]
    STORE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def page(runs: dict[str, Run]) -> str:
    """Write the page."""
    lines = ["| | promise | | tried on | last |", "|---:|---|---|---|---|"]
    lines += [_line(number, runs) for number in PROMISES]
    head = HEAD.format(minutes=round(sum(run.seconds for run in runs.values()) / 60))
    return head + "\n".join(lines) + "\n" + "".join(_section(number, runs) for number in PROMISES)


def databases(number: int, runs: dict[str, Run]) -> set[str]:
    """Tell on what a promise was tried."""
    tried = [run for run in _runs(number, runs).values() if run.outcome != UNTRIED]
    return {name for run in tried for name in run.on.split(" + ") if name}


def _trial(test: str) -> str:
    return test.partition("[")[0]


def _runs(number: int, runs: dict[str, Run]) -> dict[str, Run]:
    return {test: run for test, run in runs.items() if number in marked()[_trial(test)].numbers}


def _line(number: int, runs: dict[str, Run]) -> str:
    title, text = PROMISES[number]
    own = _runs(number, runs)
    missing = [name for name in trials_of(number) if _is_missing(name, own)]
    failed = [test for test, run in own.items() if run.outcome not in {"passed", UNTRIED}]
    state = "**fails**" if failed else "**not all tried**" if missing else "holds"
    last = max((run.date for run in own.values()), default="")
    where = ", ".join(sorted(databases(number, runs), key=["SQLite", "PostgreSQL", "Redis"].index)) or "–"
    return f"| {number} | [{title}](#{number}-{_anchor(title)}): {text} | {state} | {where} | {last} |"


def _is_missing(name: str, runs: dict[str, Run]) -> bool:
    """Say whether a trial was never run in one of its forms, or not in full."""
    own = [run for test, run in runs.items() if _trial(test) == name]
    is_full = any(run.is_full for run in own) or not marked()[name].is_long
    return not own or not is_full or any(run.outcome == UNTRIED for run in own)


def _anchor(title: str) -> str:
    return title.lower().replace("’", "").replace(",", "").replace(" ", "-")


def _section(number: int, runs: dict[str, Run]) -> str:
    title, text = PROMISES[number]
    rows = ["| trial | on | last | |", "|---|---|---|---|"]
    for trial in trials_of(number):
        file, name = trial.split("::")
        link = f"[{file.removeprefix('tests/')}::{name}](../{file})"
        own = {test: run for test, run in runs.items() if _trial(test) == trial}
        rows += _rows(link, own)
        if _is_missing(trial, own) and not any(run.outcome == UNTRIED for run in own.values()):
            rows.append(f"| {link}{', in full' if own else ''} | | | **not tried yet** |")
    return f"\n## {number} {title}\n\n{text}\n\n" + "\n".join(rows) + "\n"


def _rows(link: str, own: dict[str, Run]) -> list[str]:
    """Write the runs of a trial: one line for all that held without a figure, one for each of the others."""
    plain = [run for run in own.values() if run.outcome == "passed" and not run.figures]
    rows = []
    if plain:
        where = ", ".join(dict.fromkeys(run.on for run in plain))
        times = f", {len(plain)} times" if len(plain) > 1 else ""
        rows.append(f"| {link} | {where} | {max(run.date for run in plain)} | held{times} |")
    rows += [f"| {link} | {run.on} | {run.date} | {run.told} |" for run in own.values() if run not in plain]
    return rows


def on(item: pytest.Item) -> str:
    """Tell which databases a test uses, by what it is parametrized with, or by its fixtures."""
    names = set(getattr(item, "fixturenames", ()))
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    said = " ".join(value for value in parameters.values() if isinstance(value, str))
    if found := [name for name in ("SQLite", "PostgreSQL", "Redis") if name in said]:
        return " + ".join(found)
    if parameters.get("database") == "postgresql" or (names & {"postgres", "cluster"} and "database" not in parameters):
        found.append("PostgreSQL")
    elif names & {"database", "server", "house", "tmp_path", "app"}:
        found.append("SQLite")
    return " + ".join(found + ["Redis"] * ("redis_server" in names))


def promises_of(item: pytest.Item) -> set[int]:
    """Tell which promises a test tries."""
    return {number for mark in item.iter_markers("promise") for number in mark.args}


def note(item: pytest.Item) -> None:
    """Let the reports of a trial say where it runs."""
    if promises_of(item):
        trial = marked()[_trial(item.nodeid)]
        is_full = not trial.is_long or item.get_closest_marker("long") is not None
        item.user_properties += [("on", on(item)), ("is_full", is_full)]


@dataclass(eq=False)
class Recorder:
    """Notes how the trials of this run end, and writes it down when all are over."""

    runs: dict[str, Run] = field(default_factory=dict)
    known: dict[str, Run] = field(default_factory=dict)
    """Every form of the trials that were found, whether it was run or not."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note which forms there are: those that were never run stand on the page, too."""
        for item in session.items:
            if promises_of(item):
                about = dict(item.user_properties)
                self.known[item.nodeid] = Run(str(about["on"]), UNTRIED, "", [], 0, bool(about["is_full"]))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what a trial found; what breaks before or after it is a failure, too."""
        properties = report.user_properties
        if "on" not in dict(properties) or (report.when != "call" and report.passed):
            return
        figures = [str(value) for name, value in properties if name == "figure"]
        today = datetime.now(UTC).date().isoformat()
        took = round(report.duration)
        where, is_full = (dict(properties)[name] for name in ("on", "is_full"))
        self.runs[report.nodeid] = Run(str(where), report.outcome, today, figures, took, bool(is_full))
        if took >= A_WHILE_S:
            self.write()  # What took long is not lost with a run that is broken off.

    def pytest_sessionfinish(self) -> None:
        """Write, unless nothing is new."""
        if self.runs or self.known.keys() - load().keys():
            self.write()

    def write(self) -> None:
        """Keep what was found until now, and write the page."""
        runs = self.known | load() | {test: run for test, run in self.runs.items() if _trial(test) in marked()}
        save(runs)
        PAGE.write_text(page(load()))
