"""The referee and a second opinion, written from the rules pages alone, agree on random evenings."""

import json
from collections import Counter
from typing import Any

import pytest

from companion import record
from companion.games.rage.moves import PlayCard, Rule
from tests.games.rage import oracle

SEEDS = 250
LONG_SEEDS = 20_000


def ruled(data: dict[str, Any]) -> dict[str, Any]:
    """Rule on a record, and leave out the words."""
    said = record.outcome(record.replay(record.read(json.dumps(data))))
    if said["refused"]:
        del said["refused"]["reason"]
    for remark in said["remarks"]:
        del remark["text"]
    return said


def agree(seeds: range) -> Counter[str]:
    """Compare evening by evening, and count how they ended."""
    ends: Counter[str] = Counter()
    for seed in seeds:
        data, expected = oracle.evening_and_end(seed)
        assert ruled(data) == expected, f"seed {seed}"
        ends[
            expected["refused"]["rule"] if expected["refused"] else "finished" if expected["finished"] else "open"
        ] += 1
        ends.update(remark["rule"] for remark in expected["remarks"])
    return ends


def test_referee_and_oracle_agree_on_random_evenings() -> None:
    ends = agree(range(SEEDS))
    assert ends["finished"] > SEEDS / 10
    assert ends["rage.revoke"] > 0
    assert len([rule for rule in ends if rule.startswith("rage.")]) >= 11


def test_a_revoke_names_the_entry_of_the_card_that_did_not_follow() -> None:
    named = 0
    for seed in range(SEEDS // 2):
        play = record.replay(record.read(json.dumps(oracle.evening_and_end(seed)[0]))).play
        moves = {step.asked.number: step for step in play.moves()}
        for step in moves.values():
            for remark in (one for one in step.remarks if one.rule is Rule.REVOKE):
                [number] = step.doubted(remark)
                assert moves[number].asked.move == PlayCard(step.asked.move.seat, remark.facts["card"])
                assert moves[number].was.led is remark.facts["colour"]
                named += 1
    assert named > 10


@pytest.mark.long
def test_referee_and_oracle_agree_on_thousands_of_evenings() -> None:
    assert len(agree(range(SEEDS, SEEDS + LONG_SEEDS))) >= 15


@pytest.mark.parametrize(("cards", "trump", "place"), [(["Y8", "R4", "NT"], None, 0), (["Y3", "J:R", "Y15"], "R", 1)])
def test_the_oracle_knows_the_rulebooks_tricks(cards: list[str], trump: str | None, place: int) -> None:
    assert oracle.winning(cards, trump, "later") == place
