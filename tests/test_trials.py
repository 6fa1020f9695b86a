"""Every promise is tried, and `docs/promises.md` says by which tests, on which databases, and how they ended."""

from dataclasses import replace

from tests import trials


def test_every_promise_has_a_trial_and_every_trial_a_promise() -> None:
    tried = {number for trial in trials.marked().values() for number in trial.numbers}
    assert tried == set(trials.PROMISES) == {*range(1, 33)}


def test_what_both_databases_must_keep_has_been_tried_on_both() -> None:
    runs = trials.load()
    alone = {number: trials.databases(number, runs) for number in trials.ON_BOTH}
    assert {number: found for number, found in alone.items() if not found >= trials.BOTH} == {}


def test_the_page_names_the_trials_that_are_marked_and_what_they_found(is_regenerating: bool) -> None:
    """After marking a test: `bin/test tests/test_trials.py --regenerate`; or run it in full, which writes the page."""
    if is_regenerating:
        trials.save(trials.load())
        trials.PAGE.write_text(trials.page(trials.load()))
    assert trials.PAGE.read_text() == trials.page(trials.load())


def test_a_promise_is_not_said_to_hold_while_a_form_of_a_trial_was_not_run() -> None:
    runs = trials.load()
    for is_long in (False, True):
        test = next(test for test in runs if trials.marked()[test.partition("[")[0]].is_long is is_long)
        number = trials.marked()[test.partition("[")[0]].numbers[0]
        untried = runs | {test: replace(runs[test], outcome=trials.UNTRIED)}
        (line,) = [line for line in trials.page(untried).splitlines() if line.startswith(f"| {number} |")]
        assert "**not all tried**" in line
