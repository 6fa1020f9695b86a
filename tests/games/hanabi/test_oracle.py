"""The referee and a second opinion, written from the rules pages alone, agree on random games."""

import json
from collections import Counter
from typing import Any

import pytest

from companion import record
from tests.games.hanabi import oracle

SEEDS = 300
LONG_SEEDS = 10_000


def ruled(data: dict[str, Any]) -> dict[str, Any]:
    """Rule on a record, and leave out the words."""
    said = record.outcome(record.replay(record.read(json.dumps(data))))
    if said["refused"]:
        del said["refused"]["reason"]
    for remark in said["remarks"]:
        del remark["text"]
    return said


def agree(seeds: range) -> Counter[str]:
    """Compare game by game, and count how they ended."""
    ends: Counter[str] = Counter()
    for seed in seeds:
        data, expected = oracle.game_and_end(seed)
        assert ruled(data) == expected, f"seed {seed}"
        ends[expected["refused"]["rule"] if expected["refused"] else expected["summary"]["result"]] += 1
        ends["hanabi.contradiction"] += len(expected["remarks"])
        ends["rewards"] += sum(move["move"] == "reward" for move in data["moves"])
    return ends


def test_referee_and_oracle_agree_on_random_games() -> None:
    ends = agree(range(SEEDS))
    assert min(ends[end] for end in ("won", "lost", "ended", "playing")) > SEEDS / 40
    assert ends["hanabi.contradiction"] > 0
    assert ends["rewards"] > SEEDS / 10
    assert len([rule for rule in ends if rule.startswith("hanabi.")]) >= 15


@pytest.mark.long
def test_referee_and_oracle_agree_on_thousands_of_games() -> None:
    ends = agree(range(SEEDS, SEEDS + LONG_SEEDS))
    assert len([rule for rule in ends if rule.startswith("hanabi.")]) >= 24


@pytest.mark.parametrize(
    ("face", "clue", "options", "is_touched"),
    [
        ("M3", "R", {"edition": "pl", "multicolour_hint": None}, True),
        ("M3", "R", {"edition": "cs", "multicolour_hint": None}, False),
        ("K3", "R", {"edition": "pl", "multicolour_hint": None}, False),
        ("K3", 3, {"edition": "pl", "multicolour_hint": None}, True),
    ],
)
def test_the_oracle_knows_what_a_hint_touches(
    face: str, clue: str | int, options: dict[str, Any], is_touched: bool
) -> None:
    assert oracle.agrees({"options": options}, face, clue) == is_touched
