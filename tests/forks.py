"""Runs tests in forks of a process that has imported everything: to see which lines they run, and to try mutants.

A fork costs some milliseconds, importing the companion with its tests some seconds; and whatever a test leaves behind in
memory (what was remembered, what was cached) ends with its fork.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NoReturn, TypeVar

import pytest
from coverage import Coverage

from tests.mutations import Mutant

PASSED, FAILED, NOT_SO, BROKEN = 0, 1, 3, 4
"""How a fork ends: all tests passed; one failed; it cannot be tried in this way; we are wrong."""
TOO_LONG = signal.SIGPROF, signal.SIGALRM
"""What ends a fork that computes, or waits, without end."""
IMPORT_S = 120
"""Importing everything may take so long."""
WAITING = 10
"""Whoever waits, for another process or for a machine that has much to do, may take so many times as long as whoever computes."""
MOST_BYTES = 6 << 30
"""What grows without end is stopped here."""

J = TypeVar("J")
Lines = dict[str, int]
"""The lines that were run, by module: line n is bit n."""


def in_forks(jobs: Sequence[J], work: Callable[[J, Path], int], workers: int) -> Iterator[tuple[J, int, str]]:
    """Do each job in a fork of its own, so many at a time.

    Args:
        jobs: in the order in which they begin.
        work: what the fork does: gives how it ends, and may write into the file that it is given.
        workers: how many forks there are at a time.

    Yields:
        The job, how its fork ended (below zero: by which signal), and what it wrote, as they end.
    """
    waiting, running = list(reversed(jobs)), dict[int, tuple[J, Path]]()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                job, folder = waiting.pop(), Path(tempfile.mkdtemp(prefix="mutant-"))
                if not (pid := os.fork()):
                    _be_a_fork(work, job, folder)
                running[pid] = job, folder
            pid, status = os.waitpid(-1, 0)
            job, folder = running.pop(pid)
            said = (folder / "said").read_text() if (folder / "said").exists() else ""
            _clear(pid, folder)
            yield job, os.waitstatus_to_exitcode(status), said
    finally:
        for pid, (_, folder) in running.items():
            _clear(pid, folder)


def ending_of(pid: int) -> int:
    """Wait for a fork; whoever interrupts this process ends it, too."""
    try:
        return os.waitpid(pid, 0)[1]
    except KeyboardInterrupt:
        os.kill(pid, signal.SIGTERM)
        raise


def _clear(pid: int, folder: Path) -> None:
    """End what a fork has started, and remove what it has written."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)


def _be_a_fork(work: Callable[[J, Path], int], job: J, folder: Path) -> NoReturn:
    """Do the job out of everybody's way; a clock that cannot be caught ends it if it hangs."""
    status = BROKEN
    try:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        for number in (*TOO_LONG, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        _give(IMPORT_S)
        status = work(job, folder / "said")
    except BaseException:
        (folder / "said").write_text(traceback.format_exc())
    finally:
        os._exit(status)


def _give(seconds: float) -> None:
    """End this process once it has computed so long from now on, or has waited many times as long."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, WAITING * seconds)


class Watch:
    """A plugin of pytest: gives each test its time, and notes the one that runs or has failed.

    Its time is what it computes, for beside other work the clock on the wall runs on; that one ends what only waits.
    """

    def __init__(self, seconds: Mapping[str, float], said: Path, patience_s: float = IMPORT_S) -> None:
        """Take how long each test usually takes, where to note its name, and how much longer it may take at least."""
        self.seconds, self.said, self.patience_s = seconds, said, patience_s
        self.has_failed = False

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        _give(self.patience_s + 5 * self.seconds.get(nodeid, 0))
        self.said.write_text(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.has_failed = self.has_failed or report.failed

    def run(self, items: Sequence[pytest.Item]) -> int:
        """Run tests that pytest has collected, up to the first that fails."""
        if items:
            items[0].config.pluginmanager.register(self)
        for item, following in zip(items, [*items[1:], None], strict=False):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.has_failed:
                return FAILED
        return PASSED


class Trace:
    """Notes which lines of some modules are run."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self.names = {str(path): name for name, path in paths.items()}
        self.coverage = Coverage(data_file=None, config_file=False, include=[*self.names])
        self.coverage.set_option("run:disable_warnings", ["no-data-collected", "module-not-imported"])

    def start(self) -> None:
        """Begin, with nothing noted. A fork may use what has been used before it: that begins at once."""
        self.coverage.erase()
        self.coverage.start()

    def stop(self) -> Lines:
        """Give what was noted."""
        self.coverage.stop()
        data = self.coverage.get_data()
        lines = {self.names[path]: data.lines(path) or () for path in data.measured_files()}
        return {name: sum(1 << line for line in numbers) for name, numbers in lines.items()}


def needs(item: pytest.Item) -> set[Any]:
    """Name the fixtures of a test, and what it is parametrized with."""
    call = getattr(item, "callspec", None)
    values = {value for value in call.params.values() if isinstance(value, str)} if call else set()
    return {*getattr(item, "fixturenames", ()), *values}


def measure(item: pytest.Item, trace: Trace, said: Path) -> int:
    """Run one test and write how long it takes, in seconds, and the lines that it runs."""
    watch = Watch({}, said)
    trace.start()
    begin = time.perf_counter()  # to begin noting lines takes fifty times as long as most tests
    status = watch.run([item])
    seconds = time.perf_counter() - begin
    said.write_text(json.dumps([seconds, _hex(trace.stop())]))
    return status


@dataclass
class Reach:
    """What is known of the tests: how long each takes, and which lines it runs."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, Lines] = field(default_factory=dict)
    of_file: defaultdict[str, Lines] = field(default_factory=lambda: defaultdict(dict))
    """Which lines the tests of a file run together."""
    at_import: Lines = field(default_factory=dict)
    """What runs while everything is imported and the tests are collected."""
    imported: list[str] = field(default_factory=list)
    """All modules that are then there."""

    def of(self, mutant: Mutant, sources: Mapping[str, str]) -> list[str]:
        """List the tests that reach a mutant; of what is only imported, those, too, that are named after its module."""
        own = ""
        if mutant.within and not self.is_imported(mutant):
            wanted = {mutant.module: sum(1 << line for line in range(mutant.first, mutant.last + 1))}
        else:
            name = mutant.function.partition(".")[0] or re.split(r"\W", mutant.line)[0] or mutant.module
            wanted = {other: _mentions(source, name) for other, source in sources.items()}
            wanted[mutant.module] = -1
            own = f"/test_{mutant.module.rpartition('.')[2]}.py::"
        return [
            test
            for test, lines in self.lines.items()
            if any(lines.get(n, 0) & wanted[n] for n in wanted) or (own and own in test)
        ]

    def nearness(self, file: str, mutant: Mutant) -> float:
        """Say how much a file of tests is about a function: so much of what it runs lies there."""
        lines = self.of_file[file]
        _, first, last = mutant.within or ("", 0, lines.get(mutant.module, 0).bit_length())
        there = (lines.get(mutant.module, 0) >> first) & ((2 << last - first) - 1)
        return (1 + there.bit_count()) / (1 + sum(bits.bit_count() for bits in lines.values()))

    def save(self, path: Path) -> None:
        """Write all of it."""
        tests = {test: [self.seconds[test], _hex(lines)] for test, lines in self.lines.items()}
        path.write_text(json.dumps({"tests": tests, "at_import": _hex(self.at_import), "imported": self.imported}))

    @staticmethod
    def read(path: Path) -> Reach:
        """Read what was written."""
        kept = json.loads(path.read_text())
        reach = Reach(at_import=_lines(kept["at_import"]), imported=kept["imported"])
        reach.note(kept["tests"])
        return reach

    def note(self, tests: Mapping[str, Any]) -> None:
        """Add what was measured: of each test its seconds and its lines in hexadecimal; None of one that failed."""
        for test, measured in tests.items():
            if measured is None:
                print(f"not used, for it fails without any change: {test}", flush=True)
            elif measured[1]:
                self.seconds[test] = measured[0]
                self.lines[test] = _lines(measured[1])
                together = self.of_file[test.partition("::")[0]]
                for name, bits in self.lines[test].items():
                    together[name] = together.get(name, 0) | bits

    def is_imported(self, mutant: Mutant) -> bool:
        """Say whether it is at work while modules are imported, or tests collected."""
        if mutant.within is None:
            return True
        _, first, last = mutant.within
        return any(self.at_import.get(mutant.module, 0) >> line & 1 for line in range(first, last + 1))


def _hex(lines: Lines) -> dict[str, str]:
    return {name: hex(bits) for name, bits in lines.items()}


def _lines(kept: Mapping[str, str]) -> Lines:
    return {name: int(bits, 16) for name, bits in kept.items()}


def _mentions(source: str, name: str) -> int:
    """Give the lines that name something."""
    pattern = re.compile(rf"\b{name}\b")
    return sum(1 << number for number, line in enumerate(source.split("\n"), 1) if pattern.search(line))


class Functions:
    """Finds the living functions of a module by their code, to give them another."""

    def __init__(self) -> None:
        gc.unfreeze()
        self.living: defaultdict[CodeType, list[FunctionType]] = defaultdict(list)
        for thing in gc.get_objects():
            if type(thing) is FunctionType:
                self.living[thing.__code__].append(thing)
        gc.freeze()

    def change(self, mutant: Mutant, path: Path, source: str) -> bool:
        """Make a function what it is in the mutant; False where that cannot be done."""
        assert mutant.within is not None
        before = _codes(compile(source, str(path), "exec", dont_inherit=True), mutant.within[0])
        after = _codes(compile(mutant.applied(source), str(path), "exec", dont_inherit=True), mutant.within[0])
        changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
        functions = [(function, new) for old, new in changed for function in self.living.get(old, [])]
        try:
            for function, new in functions:
                function.__code__ = new
        except ValueError:  # It takes more from around it, or less.
            return False
        return bool(functions)


def _codes(code: CodeType, name: str) -> list[CodeType]:
    """List the code of functions by their qualified name: a property has as many as it has ways."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [part for one in inner for part in ([one] if one.co_qualname == name else _codes(one, name))]


class Imported(MetaPathFinder):
    """Lets a module be imported as it is in a mutant."""

    def __init__(self, mutant: Mutant, path: Path, source: str) -> None:
        self.name, self.path = mutant.module, str(path)
        self.loader = _Changed(self.name, self.path)
        self.loader.source = mutant.applied(source)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self.name:
            return None
        folder = [str(Path(self.path).parent)] if self.path.endswith("__init__.py") else None
        return spec_from_file_location(name, self.path, loader=self.loader, submodule_search_locations=folder)


class _Changed(SourceFileLoader):
    source: str

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


class Chosen:
    """A plugin of pytest: leaves the tests that are wanted, in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.order = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
        )


def run_anew(arguments: Sequence[str], tests: Sequence[str], changed: Imported, watch: Watch) -> int:
    """Import everything with one module changed, file by file, and run tests up to the first that fails."""
    watch.said.write_text(tests[0] if tests else "")
    sys.meta_path.insert(0, changed)
    try:
        # First of all: pytest has a way of its own to import the files that it is told to run.
        importlib.import_module(changed.name)
    except Exception:
        return FAILED
    files = defaultdict[str, list[str]](list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    for file in files:
        _give(IMPORT_S)
        watch.said.write_text(file)
        status = pytest.main([*arguments, "-x", file], plugins=[watch, Chosen(files[file])])
        if watch.has_failed or status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return FAILED
    return PASSED
