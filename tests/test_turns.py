"""Trials that take turns: which of them a gate leaves out, and that a few gates in a row leave out none."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest

from tests import turns

pytest_plugins = "pytester"
ROOT = Path(__file__).parent.parent
TRIALS = """
import pytest

@pytest.mark.in_turn(of=3)
@pytest.mark.parametrize("seats", range({many}))
def test_seats(seats): ...

@pytest.mark.in_turn(of=2, among="evenings")
def test_a_long_evening(): ...

@pytest.mark.in_turn(of=2, among="evenings")
def test_another_evening(): ...

def test_what_is_quick(): ...
"""
TURNS = (0, 7, 1_795_427_940)


@pytest.mark.parametrize("many", [1, 2, 9])
def test_turns_in_a_row_leave_out_no_trial(pytester: pytest.Pytester, many: int) -> None:
    items = pytester.getitems(TRIALS.format(many=many))
    for turn in TURNS:
        run = [_run(items, one) for one in (turn, turn + 1, turn + 2)]
        assert set().union(*run) == {item.name for item in items}
        assert run[0] | run[1] >= {"test_a_long_evening", "test_another_evening"}
        for names in run:
            assert len(names & {item.name for item in items[:many]}) in (many // 3, ceil(many / 3))
            assert len(names & {"test_a_long_evening", "test_another_evening"}) == 1
            assert "test_what_is_quick" in names


def test_what_is_dear_takes_turns_unless_it_says_how(pytester: pytest.Pytester) -> None:
    _write(
        pytester,
        "tests/test_claim.py",
        f"@pytest.mark.parametrize('each', range({2 * turns.OF}))\ndef test_a(each): ...\n",
    )
    items, _reports = pytester.inline_genitems("tests")
    for turn in TURNS:
        run = [_run(items, turn + one) for one in range(turns.OF)]
        assert [len(names) for names in run] == [2] * turns.OF
        assert set().union(*run) == {item.name for item in items}


def test_a_turn_has_no_two_of_the_longest_before_each_has_one(pytester: pytest.Pytester) -> None:
    longest = turns.HEAVIEST[: 2 * turns.OF]
    for file in {place.partition("::")[0] for place in longest}:
        functions = [
            function for of_file, _, function in (place.partition("::") for place in longest) if of_file == file
        ]
        _write(pytester, file, "".join(f"def {function}(): ...\n" for function in functions))
    items, _reports = pytester.inline_genitems("tests")
    names = [place.partition("::")[2] for place in longest]
    assert sorted(item.name for item in items) == sorted(names)
    pairs = [_run(items, turn) for turn in range(turns.OF)]
    assert pairs == [{names[turn], names[-1 - turn]} for turn in range(turns.OF)]


def test_whatever_takes_turns_by_its_name_is_there() -> None:
    assert [place for place in turns.DEAR if not (ROOT / place).exists()] == []
    assert [name for name in turns.HEAVIEST if not name.startswith(turns.DEAR)] == []
    for file, _, function in (name.partition("::") for name in turns.HEAVIEST):
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")


def _write(pytester: pytest.Pytester, file: str, text: str) -> None:
    place = pytester.path / file
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"import pytest\n{text}", encoding="utf-8")


def _run(items: list[pytest.Item], turn: int) -> set[str]:
    """Name what runs in a turn."""
    return {item.name for item in items} - {item.name for item in turns.left_out(items, turn)}
