"""Random moves that break a rule are refused at that move, under that rule, and in a sentence that says all its facts.

The moves come from the second opinions of the games (`tests/games/<game>/oracle.py`), which say what rule each breaks.
"""

from __future__ import annotations

import json
from collections import Counter
from types import ModuleType

import pytest

from companion import record
from companion.words import Voice
from tests.games.ikebana import oracle as ikebana
from tests.games.rage import oracle as rage
from tests.games.ubongo import oracle as ubongo

ORACLES = [ikebana, rage, ubongo]
EVENINGS, LONG_EVENINGS = 150, 12_000
GENERAL = {
    *("ikebana.game_over", "rage.game_over", "ubongo.game_over", "rage.bids_closed", "rage.no_turn_due"),
    *("rage.turn_first", "rage.trick_open", "ubongo.round_open", "ikebana.buy_after_drawing", "ikebana.own_pile"),
    *("ikebana.bouquet_growing", "ikebana.bouquet_known", "ikebana.card_needed", "ikebana.card_unasked"),
    *("ikebana.price_needed", "ikebana.price_unasked"),
}
"""Rules that say all there is to say without a card, a player or a number."""
UNSAID = {"open"}
"""Facts that only choose the form of a sentence."""


def refused(oracle: ModuleType, evenings: range) -> Counter[str]:
    """Rule on evenings that end with a wrong move, and count the rules that they break."""
    broken: Counter[str] = Counter()
    for seed in evenings:
        data, expected = oracle.evening_and_end(seed)
        if expected["refused"] is None:
            continue
        ruled = record.replay(record.read(json.dumps(data)))
        assert ruled.refused, f"seed {seed}: accepted"
        asked, refusal = ruled.refused
        assert (asked.number, refusal.rule.key) == (expected["refused"]["number"], expected["refused"]["rule"])
        speak = Voice(ruled.record.game.words, data["players"])
        reason = speak.rule(refusal.rule, refusal.facts).lower()
        for name, fact in refusal.facts.items():
            said = "one" if fact == 1 and "one" in reason else speak.say(fact).lower()
            assert name in UNSAID or said in reason, (seed, name, reason)
        assert bool(refusal.facts) != (refusal.rule.key in GENERAL), refusal.rule.key
        broken[refusal.rule.key] += 1
    return broken


@pytest.mark.parametrize("oracle", ORACLES, ids=["ikebana", "rage", "ubongo"])
def test_random_wrong_moves_are_refused_with_all_their_facts(oracle: ModuleType) -> None:
    broken = refused(oracle, range(EVENINGS))
    assert broken.total() > EVENINGS / 3
    assert len(broken) > 8


@pytest.mark.long
def test_of_twenty_thousand_wrong_moves_none_is_accepted() -> None:
    broken = [refused(oracle, range(EVENINGS, EVENINGS + LONG_EVENINGS)) for oracle in ORACLES]
    assert sum(counter.total() for counter in broken) >= 20_000
