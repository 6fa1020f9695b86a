"""What tries mutants, tried on a module of a few lines: what its tests notice, what they do not, and what is no mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from tests.mutants import COMPANION, Book, Project, equivalents
from tests.mutations import mutants

ROOT = Path(__file__).parent.parent
START = """
import sys
from pathlib import Path
from tests.mutants import Project, main
sys.exit(main(Project(Path.cwd(), ("tiny/*.py",), patience_s=1), ["--workers", "2", *sys.argv[1:]]))
"""
SUMS = '''"""Sums."""

MOST = 3
SPARE = 7


def capped(number):
    """Give no more than the most."""
    return min(number, MOST)


def is_small(number):
    if number < 10:
        return True
    return False


def halved(number):
    while number > 1:
        number -= 2
    return number
'''
BESIDE = """
from tiny.sums import MOST
"""
TESTS = """
import time
from beside.most import MOST
from tiny.sums import capped, halved, is_small

def test_capped():
    time.sleep(0 if capped(5) == 3 else 1.5)  # A machine that has much to do makes who fails wait.
    assert (capped(2), capped(5)) == (2, 3)

def test_is_small():
    assert is_small(1) and not is_small(100)

def test_halved():
    assert (halved(4), halved(5)) == (0, 1)
"""
SAME = """
[[equivalent]]
module = "tiny.sums"
function = "is_small"
line = "return False"
becomes = "return None"
reason = "None is as false as False."
"""


def laid(folder: Path) -> Path:
    """Lay down a package with tests, and a list of equivalents."""
    files = {
        "tiny/sums.py": SUMS,
        "beside/most.py": BESIDE,
        "tests/test_sums.py": TESTS,
        "tests/equivalents.toml": SAME,
    }
    for name, text in {**files, "pytest.ini": "[pytest]\naddopts = --import-mode=importlib\n"}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package whose mutants nobody has tried."""
    return laid(tmp_path)


@pytest.fixture(scope="module")
def first_try(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str]:
    """A package whose mutants were tried once, how that ended, and what was said."""
    folder = laid(tmp_path_factory.mktemp("first"))
    ended = tried(folder)
    copytree(folder, folder.with_name("kept"))
    return folder, *ended


@pytest.fixture
def again(first_try: tuple[Path, int, str]) -> Path:
    """The same package at the same place, as it was after that, to go on with."""
    folder = first_try[0]
    rmtree(folder)
    return copytree(folder.with_name("kept"), folder)


def tried(project: Path, *arguments: str) -> tuple[int, str]:
    """Try the mutants of a project; give how that ends, and what is said."""
    done = subprocess.run(
        [sys.executable, "-c", START, *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def endings(project: Path) -> dict[tuple[str, str], str]:
    """Read how the mutants ended, by what stood there and what it became."""
    found = {}
    for line in (project / ".venv/mutants/verdicts.jsonl").read_text().splitlines():
        with suppress(ValueError):
            key, ending, *_ = json.loads(line)
            found[key[2], key[3]] = ending
    return found


def test_what_the_tests_notice_is_killed_and_what_they_do_not_lives(
    first_try: tuple[Path, int, str], again: Path
) -> None:
    _folder, status, said = first_try
    ended = endings(again)
    assert ended["return min(number, MOST)", "return max(number, MOST)"] == "killed"
    assert ended["MOST = 3", "MOST = 4"] == "killed", "a constant is changed while it is imported"
    assert ended["SPARE = 7", "SPARE = 8"] == "lived"
    assert ended["number -= 2", "number += 2"] == "timed out"
    assert ended["if number < 10:", "if number <= 10:"] == "lived"
    assert ("return False", "return None") not in ended, "an equivalent is not tried"
    assert "tiny/sums.py:13 is_small\n- if number < 10:\n+ if number <= 10:\n" in said
    assert status == 1, "too many lived"
    assert said.splitlines()[-1].split()[0] == "all"
    assert said.splitlines()[-1].split()[4] == "1", "equivalents are counted"


def test_a_run_that_was_cut_off_goes_on(first_try: tuple[Path, int, str], again: Path) -> None:
    first, all_of_them = first_try[2], endings(again)
    kept = again / ".venv/mutants/verdicts.jsonl"
    lines = kept.read_text().splitlines(keepends=True)
    kept.write_text("".join(lines[:-2]) + lines[-2][:20])
    said = tried(again)[1]
    assert said.startswith(f"2 of {len(all_of_them)} mutants are to be tried")
    assert said.endswith(first[first.index("tiny/") :])
    assert endings(again) == all_of_them
    assert "to be tried" not in tried(again)[1]


def test_who_has_killed_in_a_function_is_asked_first_even_when_its_module_has_changed(again: Path) -> None:
    sums = again / "tiny/sums.py"
    sums.write_text(f"{sums.read_text()}\n")
    book = Book(Project(again, ("tiny/*.py",)))
    assert book.verdicts == {}
    assert book.killers["tiny.sums", "capped"] == {"tests/test_sums.py::test_capped"}


def test_another_machine_begins_with_the_tests_that_have_killed(again: Path) -> None:
    before = endings(again)
    kept = json.loads((again / "tests/killers.json").read_text())
    assert kept["tiny.sums"]["capped"] == ["tests/test_sums.py::test_capped"]
    kept["tiny.sums"]["capped"] += ["tests/test_sums.py::test_halved", "tests/test_gone.py::test_capped"]
    (again / "tests/killers.json").write_text(json.dumps(kept))
    rmtree(again / ".venv")
    with (again / "tests/test_sums.py").open("a") as file:
        file.write("\ndef test_nothing():\n    assert capped(0) == 0\n")
    status, said = tried(again, "--killers")
    assert "test_nothing" not in (again / ".venv/mutants/reach.json").read_text()
    assert status == 1, "whoever lived may have met too few"
    kept = json.loads((again / "tests/killers.json").read_text())
    assert kept["tiny.sums"]["capped"] == ["tests/test_sums.py::test_capped", "tests/test_sums.py::test_halved"], (
        "who came second this time may be the only one the next time"
    )
    assert endings(again) == {change: ending for change, ending in before.items() if ending != "lived"}
    status, said = tried(again)
    assert said.startswith(f"{list(before.values()).count('lived')} of {len(before)} mutants are to be tried")
    assert endings(again) == before


def test_who_lives_though_few_tests_were_let_in_has_not_been_tried(project: Path) -> None:
    status, said = tried(project, "--tests", "tests/test_sums.py::test_capped")
    assert status == 1
    assert "is_small\n- if number < 10:" in said
    assert "lived" not in endings(project).values()
    assert endings(project)["return min(number, MOST)", "return max(number, MOST)"] == "killed"


def test_a_new_test_kills_what_lived(again: Path) -> None:
    with (again / "tests/test_sums.py").open("a") as file:
        file.write(
            "\ndef test_ten_is_not_small():\n    assert is_small(9) and not is_small(10) and is_small(9) is True\n"
        )
    assert endings(again)["if number < 10:", "if number <= 10:"] == "lived"
    tried(again)
    assert endings(again)["if number < 10:", "if number <= 10:"] == "killed"


@pytest.mark.parametrize(
    ("change", "message"),
    [(("return False", "return false"), "names no mutant (any more): tiny.sums"), (("None is", ""), "gives no reason")],
)
def test_an_equivalent_that_means_nothing_is_an_error(project: Path, change: tuple[str, str], message: str) -> None:
    text = SAME.replace(*change) if change[1] else SAME.split("reason", maxsplit=1)[0]
    (project / "tests/equivalents.toml").write_text(text)
    status, said = tried(project)
    assert status == 2
    assert message in said
    assert not (project / ".venv").exists(), "nothing was tried"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = a < b", {"x = a <= b"}),
        ("x = a is not b", {"x = a is b"}),
        ("x = a and not b", {"x = a or not b", "x = a and b"}),
        ("x = a + 1", {"x = a - 1", "x = a + 2", "x = a + 0"}),
        ("x += a", {"x -= a", "pass"}),
        ("x = -a", {"x = a"}),
        ('x = "word"', {'x = ""'}),
        ("x = any(a)", {"x = all(a)"}),
        ("x = a if b else c", {"x = a if True else c", "x = a if False else c"}),
        ("x = [a for a in b if c]", {"x = [a for a in b if True]", "x = [a for a in b if False]"}),
        ("a.b = c", {"pass"}),
        ("raise a('word')", {"pass"}),
        ("return a", {"return None"}),
        ("def inner(a=True): pass", {"def inner(a=False): pass"}),
    ],
)
def test_a_line_is_changed_as_people_get_it_wrong(line: str, expected: set[str]) -> None:
    found = mutants("m", f"def f():\n    {line}\n")
    assert {mutant.becomes for mutant in found} == expected
    assert {mutant.line for mutant in found} == {line}
    assert {(mutant.function.split(".")[0], mutant.first) for mutant in found} == {("f", 2)}


@pytest.mark.parametrize(
    "source",
    [
        '"""Words."""',
        "x: Literal[3]",
        "Ruling = Accepted[3] | Refused",
        'T = TypeVar("T", bound=int)',
        "assert a < b",
        '__slots__ = ("a",)',
        '_log.warning("word", 3)',
        "@once(3)\ndef f(): ...",
        "if TYPE_CHECKING:\n    x = 3",
        'x = N_("word")',
        "x = zip(a, b, strict=True)",
    ],
)
def test_what_no_test_should_notice_is_left_alone(source: str) -> None:
    assert mutants("m", source + "\n") == []


def test_a_rule_keeps_its_source() -> None:
    found = mutants("m", 'class Rule(game.Rule):\n    BID = "rage.bid", "R-cs, bidding"\n')
    assert [mutant.becomes for mutant in found] == ['BID = "", "R-cs, bidding"']


def test_a_mutant_is_known_again_when_its_line_has_moved() -> None:
    before, after = (
        mutants("m", f"{above}def f():\n    return 1\n    return 1\n") for above in ("", "import os\n\n\n")
    )
    assert [mutant.key for mutant in before] == [mutant.key for mutant in after]
    assert len({mutant.key for mutant in before}) == len(before)
    assert {mutant.nth for mutant in before} == {1, 2}


@pytest.mark.in_turn(of=1)  # in every gate: it is quick, and any change of the rules can break it
def test_the_list_of_equivalents_names_what_there_is() -> None:
    """Without trying any: an entry that means nothing any more fails here, and not hours later."""
    assert equivalents(COMPANION)[1] == []
