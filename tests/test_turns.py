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
            assert len(names & {item.name for item in items[:many]}) == ceil(many / 3)
            assert len(names & {"test_a_long_evening", "test_another_evening"}) == 1
            assert "test_what_is_quick" in names


@pytest.mark.parametrize(
    ("file", "of"), [("pages/test_taps.py", turns.OF_PAGES), ("test_claim.py", turns.OF_DEAR)], ids=["pages", "dear"]
)
def test_what_is_dear_takes_turns_unless_it_says_how(pytester: pytest.Pytester, file: str, of: int) -> None:
    place = pytester.mkdir("tests") / file
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"import pytest\n@pytest.mark.parametrize('each', range({2 * of}))\ndef test_a(each): ...\n")
    items, _reports = pytester.inline_genitems("tests")
    for turn in TURNS:
        run = [_run(items, turn + one) for one in range(of)]
        assert [len(names) for names in run] == [2] * of
        assert set().union(*run) == {item.name for item in items}


def test_every_dear_file_is_there() -> None:
    assert [place for place in (turns.PAGES, *turns.DEAR) if not (ROOT / place).exists()] == []


def _run(items: list[pytest.Item], turn: int) -> set[str]:
    """Name what runs in a turn."""
    return {item.name for item in items} - {item.name for item in turns.left_out(items, turn)}
