"""The referee and a second opinion, written from the rules pages alone, agree on random evenings."""

import json
from collections import Counter
from typing import Any

import pytest

from companion import record
from companion.games.ubongo import GAME
from companion.games.ubongo.moves import Rule
from tests.games.ubongo import oracle

SEEDS = 500
LONG_SEEDS = 20_000
ELSEWHERE = {Rule.PLAYERS, Rule.FIRST_SEAT, Rule.GLASS_SECONDS, Rule.FULL_BOARD, Rule.EARLY, Rule.LARGEST_COUNTS}
ELSEWHERE |= {Rule.COUNT_DIFFERS}
"""Rules that no move breaks."""


def ruled(data: dict[str, Any]) -> dict[str, Any]:
    """Rule on a record, and leave out the words."""
    said = record.outcome(record.replay(record.read(json.dumps(data))))
    if said["refused"]:
        del said["refused"]["reason"]
    return said


def agree(seeds: range) -> Counter[str]:
    """Compare evening by evening, and count how they ended."""
    ends: Counter[str] = Counter()
    for seed in seeds:
        data, expected = oracle.evening_and_end(seed)
        assert ruled(data) == expected, f"seed {seed}"
        is_counted = any(move["move"] == "count" for move in data["moves"])
        assert is_counted or gems_in(expected["summary"]) == 72
        ends[
            expected["refused"]["rule"] if expected["refused"] else "finished" if expected["finished"] else "open"
        ] += 1
        ends["shared"] += [place["rank"] for place in expected["standing"]].count(1) > 1 and expected["finished"]
        ends["in time"] += any(move.get("in_time") for move in data["moves"])
        ends["early"] += any(remark["rule"] == "ubongo.early" for remark in expected["remarks"])
        ends["differs"] += any(remark["rule"] == "ubongo.count_differs" for remark in expected["remarks"])
        ends["second glass"] += expected["summary"]["glass"] == 2
    return ends


def gems_in(summary: dict[str, Any]) -> int:
    return sum(summary["rows"]) + sum(number for gems in summary["gems"] for number in gems.values())


def test_referee_and_oracle_agree_on_random_evenings() -> None:
    ends = agree(range(SEEDS))
    assert ends["finished"] > SEEDS / 10
    assert ends["shared"] > 0
    assert min(ends["second glass"], ends["differs"]) > 0
    assert min(ends["in time"], ends["early"]) > SEEDS / 10
    assert len([end for end in ends if end.startswith("ubongo.")]) >= 14


@pytest.mark.long
def test_referee_and_oracle_agree_on_thousands_of_evenings() -> None:
    ends = agree(range(SEEDS, SEEDS + LONG_SEEDS))
    assert {end for end in ends if end.startswith("ubongo.")} == {rule.key for rule in set(Rule) - ELSEWHERE}


def test_the_oracle_knows_every_option() -> None:
    options = oracle.new_table(oracle.Random(0))["options"] | {"board": None}
    assert set(options) == set(GAME.options.fields)
