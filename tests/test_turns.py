"""Trials that take turns: which of them a gate leaves out, and that a few gates in a row leave out none."""

from __future__ import annotations

from math import ceil

import pytest

from tests import turns

pytest_plugins = "pytester"
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


@pytest.mark.parametrize("many", [1, 2, 3, 7, 9])
def test_turns_in_a_row_leave_out_no_trial(pytester: pytest.Pytester, many: int) -> None:
    items = pytester.getitems(TRIALS.format(many=many))
    for turn in (0, 7, 1_795_427_940):
        run = [_run(items, one) for one in (turn, turn + 1, turn + 2)]
        assert set().union(*run) == {item.name for item in items}
        assert run[0] | run[1] >= {"test_a_long_evening", "test_another_evening"}
        for names in run:
            assert len(names & {item.name for item in items[:many]}) == ceil(many / 3)
            assert len(names & {"test_a_long_evening", "test_another_evening"}) == 1
            assert "test_what_is_quick" in names


def test_what_taps_in_a_browser_takes_turns_unless_it_says_how(pytester: pytest.Pytester) -> None:
    pages = pytester.mkpydir("tests") / "pages"
    pages.mkdir()
    (pages / "test_taps.py").write_text("def test_a(): ...\ndef test_b(): ...\ndef test_c(): ...\n")
    items, _reports = pytester.inline_genitems("tests/pages")
    run = [_run(items, turn) for turn in (4, 5, 6)]
    assert [len(names) for names in run] == [1, 1, 1]
    assert set().union(*run) == {"test_a", "test_b", "test_c"}


def _run(items: list[pytest.Item], turn: int) -> set[str]:
    """Name what runs in a turn."""
    return {item.name for item in items} - {item.name for item in turns.left_out(items, turn)}
