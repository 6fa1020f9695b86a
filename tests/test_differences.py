"""What a phone is sent of a view: what has changed, put in by the script as it is shipped, gives the new one."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from companion.rendering.differences import difference, put_in
from tests.phones import ROOT

NODE = ROOT / ".venv/bin/node"
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab.", max_size=2), inner, max_size=4),
    max_leaves=12,
)
SCRIPT = """
import { readFileSync } from "node:fs";
import { patched } from "%s";
const cases = JSON.parse(readFileSync(0, "utf8"));
const before = JSON.stringify(cases.map(([old]) => old));
const results = cases.map(([old, sent]) => patched(old, sent));
if (JSON.stringify(cases.map(([old]) => old)) !== before) throw new Error("what was there before has changed");
console.log(JSON.stringify(results));
"""


def on_phone(cases: list[tuple[Any, Any]]) -> list[Any]:
    """Let the script that phones have put differences in: (old, difference) of each."""
    script = SCRIPT % (ROOT / "companion/static/patch.js")
    command = [NODE, "--input-type=module", "--eval", script]
    run = subprocess.run(command, input=json.dumps(cases), capture_output=True, text=True, check=True)
    results: list[Any] = json.loads(run.stdout)
    return results


def changes() -> st.SearchStrategy[tuple[Any, Any]]:
    """Draw two values; the second is another one, or the first with something changed in it."""
    alike = PLAIN.flatmap(lambda old: st.tuples(st.just(old), st.just(old).map(_shaken)))
    return st.tuples(PLAIN, PLAIN) | alike


def _shaken(value: Any) -> Any:
    """Change the last leaf."""
    if isinstance(value, dict) and value:
        name = list(value)[-1]
        return {**value, name: _shaken(value[name])}
    if isinstance(value, list) and value:
        return [*value[:-1], _shaken(value[-1])]
    return "changed"


def test_what_has_changed_put_in_gives_the_new_view(is_long: bool) -> None:
    cases: list[tuple[Any, Any]] = []

    @given(changes())
    @settings(max_examples=5_000 if is_long else 500, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def gather(change: tuple[Any, Any]) -> None:
        cases.append(change)

    gather()
    sent = [(old, difference(old, new)) for old, new in cases]
    wanted = [json.dumps(new) for _old, new in cases]
    assert [json.dumps(result) for result in on_phone(sent)] == wanted
    assert [json.dumps(put_in(*case)) for case in sent] == wanted


def test_what_has_not_changed_is_not_sent() -> None:
    view = {"round": 3, "players": [{"name": "Ann", "is_next": False}, {"name": "Bo", "is_next": False}]}
    after = {**view, "players": [view["players"][0], {"name": "Bo", "is_next": True}]}  # type: ignore[index]
    assert difference(view, view) == {}
    assert difference(view, json.loads(json.dumps(view))) == {}
    assert difference(view, after) == {"players.1.is_next": True}
    assert difference({"n": 1}, {"n": True}) == {"n": True}


def test_what_a_path_cannot_name_is_sent_whole() -> None:
    assert difference({"a.b": 1, "c": 2}, {"a.b": 3, "c": 2}) == {"": {"a.b": 3, "c": 2}}
    assert difference({"a": []}, {"a": [1]}) == {"a": [1]}


def test_of_a_list_that_grows_or_shrinks_only_the_stretch_is_sent() -> None:
    assert difference([1, 2, 3], [1, 3]) == {"1:2": []}
    assert difference({"a": [1, 2]}, {"a": [1, 2, 3]}) == {"a.2:2": [3]}
    assert difference({"a": [1, 1]}, {"a": [1, 1, 1]}) == {"a.2:2": [1]}
    assert difference([1, 2, 3], [4, 5]) == {"0:3": [4, 5]}


def test_of_a_list_that_has_lost_something_here_and_there_the_places_are_sent() -> None:
    cards = [{"colour": colour, "value": value} for colour in "WRB" for value in (1, 2, 3)]
    left = [card for card in cards if card["value"] != 2]
    assert difference({"a": cards}, {"a": left}) == {"a.-": [1, 4, 7]}
    assert difference(cards, cards[:3]) == {"3:9": []}
    assert difference(cards, [*left[:3], {"colour": "Y"}]) == {"1:9": [*left[1:3], {"colour": "Y"}]}
    assert difference([1, 2, 3, 4, 5], [1, 3, 5]) == {"1:4": [3]}
    assert put_in(cards, {"-": [1, 4, 7]}) == left
