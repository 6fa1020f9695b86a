"""Change the rules, the referee, the log and the guard by one small thing at a time, and see whether a test notices.

`bin/test --mutants` runs it (`python -m tests.mutants`), `docs/developing.md` says how to read it. A mutant is tried in a fork of a process that has
imported everything: its function gets the changed code, then the tests that reach the changed line run, those first whose files
are most about that function, up to the first that fails. What is changed while modules are imported is imported anew, in a fork of a process
that has imported all but the companion. What is known is kept in `.venv/mutants`, so that a run that was cut off goes on; which tests
have killed, in `tests/killers.json`, so that another machine begins with these few.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import sys
import tomllib
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from tests import forks
from tests.forks import BROKEN, NOT_SO, PASSED, TOO_LONG, Functions, Imported, Reach, Trace, Watch, in_forks, needs
from tests.mutations import Mutant, changes, is_python, mutants

ENOUGH = 98
"""So many of a hundred that are not equivalent have to be killed."""
AT_FIRST_S = 20
"""So long a mutant meets those tests that have killed before: most of those that they kill end within a second."""
OF_A_GAME = "bouquet calls candidates cards ending gems glass hints moves plays position rewards rules scoring taking tally tricks turns"
OF_PROCESSES = "adding_a_game bad_days contributing deploying durability installed light_load live new_game packaging serving several_servers shared_bell soak streams"
OF_FILES = "decisions documents every_sheet house languages mutants printing sheets templates"
OWN = ("mutants.py", "mutations.py", "forks.py", "test_mutants.py", "equivalents.toml", "killers.json")
"""What is not told to have changed: it decides which mutants there are, not how they end."""
KILLED, TIMED_OUT, LIVED, EQUIVALENT, UNTRIED = "killed", "timed out", "lived", "equivalent", "untried"
Key = tuple[str, str, str, str, int]


@dataclass(frozen=True)
class Project:
    """What is changed, and what tries it."""

    root: Path
    patterns: tuple[str, ...]
    """Paths of the modules that are changed."""
    but: frozenset[str] = frozenset()
    """Modules that are left out after all."""
    slow: tuple[str, ...] = ()
    """Paths of tests that are not used."""
    servers: frozenset[str] = frozenset()
    """Fixtures that start a server, and what tests that need one are parametrized with: these are not used either."""
    patience_s: float = 3
    """What a test may take beyond five times its usual time."""

    @property
    def state(self) -> Path:
        """Where it is kept what is known."""
        return self.root / ".venv" / "mutants"

    @cached_property
    def paths(self) -> dict[str, Path]:
        """Where each module stands, by its name."""
        found = sorted({path for pattern in self.patterns for path in self.root.glob(pattern)})
        names = [".".join(path.relative_to(self.root).with_suffix("").parts) for path in found]
        named = {name.removesuffix(".__init__"): path for name, path in zip(names, found, strict=True)}
        return {name: path for name, path in named.items() if name not in self.but}

    @cached_property
    def sources(self) -> dict[str, str]:
        """Read every module."""
        return {name: path.read_text() for name, path in self.paths.items()}

    def read(self, module: str) -> tuple[Path, str]:
        """Give where a module stands, and what stands there."""
        return self.paths[module], self.sources[module]

    @cached_property
    def packages(self) -> list[str]:
        """Name the packages of the modules."""
        return sorted({name.partition(".")[0] for name in self.paths})

    @cached_property
    def arguments(self) -> list[str]:
        """Tell pytest what it needs to know; what tests say goes nowhere."""
        plugins = [f"-pno:{name}" for name in ("benchmark", "cacheprovider", "xdist")]
        quiet = ["-qq", "--no-header", "--no-summary", "--capture=no", "-Wignore::pytest.PytestAssertRewriteWarning"]
        return [f"--rootdir={self.root}", *plugins, *quiet, *(f"--ignore={self.root / path}" for path in self.slow)]

    @cache  # noqa: B019 (there is one project, and it lasts)
    def digest_of_tests(self, file: str = "") -> str:
        """Tell one state of a file of tests from another, with its data and the helpers; or of all tests."""
        tests = self.root / "tests"
        unused = [self.root / path for path in self.slow]
        files = {
            path
            for path in tests.rglob("*.*")
            if path.suffix != ".pyc" and path.name not in OWN and not {path, *path.parents} & {*unused}
        }
        if not file:
            return digest(files)
        path = self.root / file
        own = set(path.parent.rglob("*")) if tests in path.parent.parents else set()
        helpers = {path for path in files if path.suffix == ".py" and not path.name.startswith("test_")}
        return digest(files & (own | helpers) | {path})


def digest(files: Iterable[Path]) -> str:
    """Tell one state of files from another, wherever the project stands."""
    whole = sha256()
    for file in sorted(file for file in files if file.is_file()):
        whole.update(f"{file.name}\n".encode() + file.read_bytes())
    return whole.hexdigest()[:16]


COMPANION = Project(
    Path(__file__).parent.parent,
    (
        *(f"companion/games/*/{name}.py" for name in OF_A_GAME.split()),
        *(f"companion/{name}.py" for name in ("play", "record", "game", "log/*", "desk/guard")),
        *(f"companion/tables/{name}.py" for name in ("amending", "holders", "referee", "seating", "starting")),
    ),
    # Their tests need servers, which cost a second a fork; tests/log runs the same contract on both databases.
    but=frozenset({"companion.log.postgresql", "companion.log.standby"}),
    # Those in a browser, those of minutes, and those that look at files or at processes of their own.
    slow=(
        *(f"tests/{name}" for name in ("pages", "fifth_game", "hands_game", "releases", "api/test_generated.py")),
        *(f"tests/test_{name}.py" for name in OF_PROCESSES.split()),
        *(f"tests/test_{name}.py" for name in OF_FILES.split()),
    ),
    servers=frozenset({"cluster", "redis_server", "server", "postgresql"}),
)


class Book:
    """Keeps how the mutants ended, as long as neither their module changes nor the tests that they met."""

    def __init__(self, project: Project) -> None:
        self.project, self.path = project, project.state / "verdicts.jsonl"
        self.kept = project.root / "tests" / "killers.json"
        self.verdicts: dict[Key, tuple[str, str]] = {}
        self.killers = defaultdict[tuple[str, str], set[str]](set)
        """Tests that have ever killed, by the function: they are likely to kill there again."""
        self.modules = {name: digest([path]) for name, path in project.paths.items()}
        for module, functions in self._kept().items():
            for function, tests in functions.items():
                self.killers[module, function].update(tests)
        for line in self.path.read_text().splitlines() if self.path.exists() else []:
            with suppress(ValueError):  # A line may have been cut off.
                key, *verdict, module, tests = json.loads(line)
                self._learn(key[0], key[1], *verdict)
                if module == self.modules.get(key[0]) and tests == self._digest(*verdict):
                    self.verdicts[tuple(key)] = tuple(verdict)

    def note(self, mutant: Mutant, ending: str, test: str) -> None:
        """Keep how a mutant ended, and the test that decided it."""
        self.verdicts[mutant.key] = ending, test
        self._learn(mutant.module, mutant.function, ending, test)
        line = json.dumps([mutant.key, ending, test, self.modules[mutant.module], self._digest(ending, test)])
        with self.path.open("a") as file:
            file.write(f"\n{line}")  # On a line of its own, even after one that was cut off.

    def keep(self, tried: Iterable[Mutant]) -> None:
        """Write down in the tree which tests have ever killed in a function, as long as both are there; not only those that came first."""
        functions = defaultdict[str, set[str]](set)
        for mutant in tried:
            functions[mutant.module].add(mutant.function)
        told = {module: kept for module, kept in self._kept().items() if module in self.modules.keys() - functions}
        for module, names in functions.items():
            known = {name: sorted(filter(self._is_there, self.killers[module, name])) for name in names}
            told[module] = {name: tests for name, tests in known.items() if tests}
        self.kept.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n")

    def _is_there(self, test: str) -> bool:
        return (self.project.root / test.partition("::")[0]).is_file()

    def _kept(self) -> dict[str, dict[str, list[str]]]:
        """Read which tests have killed, by module and function."""
        return json.loads(self.kept.read_text()) if self.kept.exists() else {}

    def _learn(self, module: str, function: str, ending: str, test: str) -> None:
        if ending == KILLED:
            self.killers[module, function].add(test)

    def _digest(self, ending: str, test: str) -> str:
        if ending == LIVED:
            return self.project.digest_of_tests()
        # What helps the tests changes from day to day, and hardly ever lets one of them miss what it has noticed.
        path = self.project.root / test.partition("::")[0]
        return digest([path]) if path.is_file() else "gone"


@dataclass
class Run:
    """Mutants that are still to be tried, and how."""

    project: Project
    book: Book
    todo: list[Mutant]
    workers: int
    most_s: float
    """What the tests of one mutant may usually take together."""
    only_killers: bool = False
    """Whether only those tests run that have killed before."""
    tried_by: tuple[str, ...] = ()
    """Paths of tests, of which no others run; all where none is named."""
    reach: Reach = field(default_factory=Reach)
    trace: Trace = field(init=False)
    to_import: list[Key] = field(default_factory=list)
    """Those that can only be tried while their module is imported."""

    def tests(self, mutant: Mutant) -> list[str]:
        """List the tests for a mutant in the order in which they run.

        Those that have killed in its function come first, then those that have killed in its module. Then each file of
        tests has the more of the time the more it is about the function, its quickest first: thousands of pages go
        through what a few tests are about.
        """
        seconds, known = self.reach.seconds, self.book.killers[mutant.module, mutant.function]
        beside = set().union(*(tests for (module, _), tests in self.book.killers.items() if module == mutant.module))
        tests = sorted(self.reach.of(mutant, self.project.sources), key=seconds.__getitem__)
        shares, ends = defaultdict[str, float](float), dict[str, float]()
        for test in tests:
            file = test.partition("::")[0]
            shares[file] += seconds[test] / self.reach.nearness(file, mutant)
            ends[test] = shares[file]
        tests.sort(key=lambda test: (test not in known, test not in beside, ends[test]))
        spent = accumulate((seconds[test] for test in tests), initial=0.0)
        return [test for test, before in zip(tests, spent, strict=False) if before < self.most_s]

    def watch(self, said: Path) -> Watch:
        """Look after the tests in a fork."""
        return Watch(self.reach.seconds, said, self.project.patience_s)

    def try_all(self, todo: Sequence[Mutant], work: Any) -> None:
        """Try mutants in forks, and note how each ended."""
        for number, (mutant, status, said) in enumerate(in_forks(todo, work, self.workers), 1):
            if status == BROKEN:
                print(f"could not be tried: {' | '.join(mutant.key[:4])}\n{said}", flush=True)
            elif status == NOT_SO:
                self.to_import.append(mutant.key)
            else:
                ending = TIMED_OUT if -status in TOO_LONG else LIVED if status == PASSED else KILLED
                # Who lives though few tests were let in has met too few.
                if ending != LIVED or not (self.only_killers or self.tried_by):
                    self.book.note(mutant, ending, said)
            if number % 50 == 0:
                print(f"  {number} of {len(todo)}, now in {mutant.module}", flush=True)

    def in_one_process(self) -> int:
        """Import everything, measure the tests, and try the mutants that can be tried so."""
        self.trace = Trace(self.project.paths)
        self.trace.start()
        files = [str(self.project.root / name) for name in ("tests", *self.project.packages)]
        return pytest.main([*self.project.arguments, *files], plugins=[self])

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests, see what they reach, and try the mutants upon them."""
        self.reach.at_import = self.trace.stop()
        if session.testsfailed:
            raise session.Failed("the tests cannot be collected")
        self.reach.imported = sorted(sys.modules)
        items = {item.nodeid: item for item in session.items if not self.project.servers & needs(item)}
        if self.only_killers:
            killers = set().union(*self.book.killers.values())
            items = {test: item for test, item in items.items() if test in killers}
        elif self.tried_by:
            items = {test: item for test, item in items.items() if test.startswith(self.tried_by)}
        functions = Functions()
        self.measure(list(items.values()))
        self.reach.save(self.project.state / "reach.json")

        def work(mutant: Mutant, said: Path) -> int:
            tests = [items[test] for test in self.tests(mutant)]
            if not functions.change(mutant, *self.project.read(mutant.module)):
                return NOT_SO
            return self.watch(said).run(tests)

        self.to_import += [mutant.key for mutant in self.todo if self.reach.is_imported(mutant)]
        self.try_all([mutant for mutant in self.todo if not self.reach.is_imported(mutant)], work)
        (self.project.state / "to_import.json").write_text(json.dumps(self.to_import))
        return True

    def measure(self, items: Sequence[pytest.Item]) -> None:
        """See how long each test takes and what it reaches, as far as that is not known of its file as it is."""
        files = defaultdict[str, list[pytest.Item]](list)
        for item in items:
            files[item.nodeid.partition("::")[0]].append(item)
        root = self.project.root
        code = digest(path for package in self.project.packages for path in (root / package).rglob("*.py"))
        for file, tests in files.items():
            path = self.project.state / ("killers" if self.only_killers else "reach") / f"{file.replace('/', '-')}.json"
            key = [code, self.project.digest_of_tests(file), len(tests)]
            kept: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"key": None}
            if kept["key"] != key:
                print(f"  measuring {file}", flush=True)
                done = in_forks(tests, lambda item, said: forks.measure(item, self.trace, said), self.workers)
                measured = {item.nodeid: None if status else json.loads(said) for item, status, said in done}
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(kept := {"key": key, "tests": measured}))
            self.reach.note(kept["tests"])

    def in_many_imports(self) -> None:
        """Try the mutants that are at work while modules are imported."""
        self.reach = Reach.read(self.project.state / "reach.json")
        wanted = {tuple(key) for key in json.loads((self.project.state / "to_import.json").read_text())}
        # What lies in the tree may import what is changed, and then nothing of the change would be seen.
        own = {path.stem for path in self.project.root.iterdir()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in self.reach.imported:
                if name.partition(".")[0] not in own:
                    with suppress(Exception):
                        importlib.import_module(name)

        def work(mutant: Mutant, said: Path) -> int:
            changed = Imported(mutant, *self.project.read(mutant.module))
            return forks.run_anew(self.project.arguments, self.tests(mutant), changed, self.watch(said))

        self.try_all([mutant for mutant in self.todo if mutant.key in wanted], work)


def equivalents(project: Project) -> tuple[set[Key], list[str]]:
    """Read the list of equivalents; give those that are meant, and what is wrong with the list."""
    path = project.root / "tests" / "equivalents.toml"
    entries = tomllib.loads(path.read_text())["equivalent"] if path.exists() else []
    named = {entry["module"] for entry in entries} & project.sources.keys()
    known = {mutant.key: mutant for name in named for mutant in changes(name, project.sources[name])}
    meant, wrong = set[Key](), []
    for entry in entries:
        key = (*(entry[name] for name in ("module", "function", "line", "becomes")), entry.get("nth", 1))
        if key not in known or not is_python(known[key].applied(project.sources[entry["module"]])):
            wrong.append(f"{path.name} names no mutant (any more): {' | '.join(map(str, key))}")
        if not entry.get("reason"):
            wrong.append(f"{path.name} gives no reason: {' | '.join(map(str, key))}")
        meant.add(key)
    return meant, wrong


def report(project: Project, endings: Mapping[Mutant, str]) -> tuple[str, float]:
    """Write how the mutants ended, module by module, then each that lived; give the share that was killed, too."""
    survivors, lines = [], [f"{'':34}{KILLED:>8}{TIMED_OUT:>11}{LIVED:>7}{EQUIVALENT:>12}{'of 100':>8}"]
    counts = defaultdict[str, Counter[str]](Counter)
    for mutant, ending in endings.items():
        counts[mutant.module][ending] += 1
        if ending in {LIVED, UNTRIED}:
            path = project.paths[mutant.module].relative_to(project.root)
            again = f", number {mutant.nth} of these" if mutant.nth > 1 else ""
            survivors.append(f"{path}:{mutant.first} {mutant.function}{again}\n- {mutant.line}\n+ {mutant.becomes}\n")
    for name, count in (*counts.items(), ("all", sum(counts.values(), Counter()))):
        killed, whole = count[KILLED] + count[TIMED_OUT], count.total() - count[EQUIVALENT]
        share = 100 * killed / whole if whole else 100.0
        numbers = f"{count[KILLED]:8}{count[TIMED_OUT]:11}{count[LIVED] + count[UNTRIED]:7}{count[EQUIVALENT]:12}"
        lines.append(f"{name.removeprefix('companion.'):34}{numbers}{share:8.1f}")
    return "\n".join([*survivors, *lines]), share


def chosen(project: Project, wanted: Sequence[str]) -> list[str]:
    """Name the modules that are meant: `rage/scoring`, `rage`, a path; all of them by nothing."""
    names = [name.removesuffix(".py").replace("/", ".") for name in wanted]
    meant = {name: [module for module in project.paths if f".{name}." in f".{module}."] for name in names}
    if unknown := [name for name in names if not meant[name]]:
        raise SystemExit(f"no module that is tried is called {unknown[0]}")
    return sorted({module for modules in meant.values() for module in modules}) or list(project.paths)


def _is_tried(run: Run) -> bool:
    """Try those mutants that nobody has, in processes of their own; say whether the tests could be run."""
    verdicts, killers = run.book.verdicts, run.book.killers
    run.todo = [
        mutant
        for mutant in run.todo
        if mutant.key not in verdicts and (not run.only_killers or (mutant.module, mutant.function) in killers)
    ]
    if not run.todo:
        return True
    if not (pid := os.fork()):
        os._exit(run.in_one_process())
    if forks.ending_of(pid):
        return False
    run.in_many_imports()
    return True


def main(project: Project = COMPANION, arguments: Sequence[str] | None = None) -> int:
    """Try the mutants of some modules; 1 if too many lived, 2 if the list of equivalents is wrong."""
    parser = argparse.ArgumentParser("bin/test --mutants", description="See whether the tests notice small changes.")
    parser.add_argument("modules", nargs="*", help="rage/scoring, rage, log …; all where none is named")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="so many at a time (as many as cores)")
    parser.add_argument("--seconds", type=float, default=180, help="tests for each, as they usually take (180)")
    parser.add_argument(
        "--killers", action="store_true", help="use no other tests than those that have killed before: quick"
    )
    parser.add_argument(
        "--tests", nargs="+", default=[], help="use no others than these, and those that have killed: paths"
    )
    parser.add_argument("--anew", action="store_true", help="forget how mutants ended")
    asked = parser.parse_args(arguments)
    modules = chosen(project, asked.modules)
    meant, wrong = equivalents(project)
    if wrong:
        print(*wrong, sep="\n")
        return 2
    project.state.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # Clear up then, too.
    if asked.anew:
        (project.state / "verdicts.jsonl").unlink(missing_ok=True)
    wanted = [mutant for name in modules for mutant in mutants(name, project.sources[name])]
    tried = [mutant for mutant in wanted if mutant.key not in meant]
    known = Book(project).verdicts
    if todo := [mutant for mutant in tried if mutant.key not in known]:
        print(f"{len(todo)} of {len(tried)} mutants are to be tried", flush=True)
        # Nearly all are killed by a few hundred tests; what all the others reach is measured for those that are left.
        passes = {True: min(AT_FIRST_S, asked.seconds)} | ({} if asked.killers else {False: asked.seconds})
        for few, seconds in passes.items():
            run = Run(project, Book(project), tried, asked.workers, seconds, few, tuple(asked.tests))
            if not _is_tried(run):
                print("the tests could not be run")
                return 2
        Book(project).keep(tried)
    verdicts = Book(project).verdicts
    endings = {one: EQUIVALENT if one.key in meant else verdicts.get(one.key, (UNTRIED,))[0] for one in wanted}
    text, share = report(project, endings)
    (project.state / "report.txt").write_text(text + "\n")
    print(text)
    return int(share < ENOUGH)


if __name__ == "__main__":
    sys.exit(main())
