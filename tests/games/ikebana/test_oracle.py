"""The referee and a second opinion, written from the rules pages alone, agree on random evenings."""

import json
from collections import Counter
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from companion import record
from companion.games.ikebana.bouquet import Wild, best_reading
from companion.games.ikebana.cards import parse_card
from companion.games.ikebana.scoring import reading_data
from tests.games.ikebana import oracle

SEEDS = 300
LONG_SEEDS = 10_000
EXTREMES = {"colour": (2, 88), "colour_and_value": (2, 100), "none": (2, 75)}


def ruled(data: dict[str, Any]) -> dict[str, Any]:
    """Rule on a record; check the combinations and leave them out, and the words too."""
    said = record.outcome(record.replay(record.read(json.dumps(data))))
    if said["refused"]:
        del said["refused"]["reason"]
    for remark in said["remarks"]:
        del remark["text"]
    for bouquets in said["summary"]["bouquets"]:
        for bouquet in bouquets:
            assert oracle.is_sound(bouquet, data["options"].get("wild", "colour")), bouquet
            del bouquet["combinations"]
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
        ends["remarks"] += len(expected["remarks"])
    return ends


def test_referee_and_oracle_agree_on_random_evenings() -> None:
    ends = agree(range(SEEDS))
    assert ends["finished"] > SEEDS / 10
    assert ends["remarks"] > 0
    assert len([rule for rule in ends if rule.startswith("ikebana.")]) >= 12


def test_a_card_that_is_not_there_names_the_entries_of_its_purchase() -> None:
    named = 0
    for seed in range(SEEDS):
        play = record.replay(record.read(json.dumps(oracle.evening_and_end(seed)[0]))).play
        moves = {step.asked.number: step for step in play.moves()}
        for step in moves.values():
            for remark in step.remarks:
                bought = [moves[number].asked.move for number in step.doubted(remark)]
                assert len(bought) == remark.facts["bought"]
                assert {(move.seat, move.price) for move in bought} == {(step.asked.move.seat, remark.facts["price"])}
                named += 1
    assert named > 10


@pytest.mark.long
def test_referee_and_oracle_agree_on_thousands_of_evenings() -> None:
    assert len([rule for rule in agree(range(SEEDS, SEEDS + LONG_SEEDS)) if rule.startswith("ikebana.")]) == 16


def check(cards: list[str], wild: str) -> dict[str, Any]:
    """Compare one bouquet's reading."""
    said = reading_data(best_reading([parse_card(name) for name in cards], Wild(wild)))
    assert (said["base"], said["multiplier"]) == oracle.worth(cards, wild), cards
    assert oracle.is_sound(said, wild), said
    return said


@pytest.mark.parametrize("wild", EXTREMES)
def test_referee_and_oracle_agree_on_random_bouquets(wild: str) -> None:
    rng = Random(wild)
    for _ in range(2_000):
        check(rng.sample(oracle.BOX, 5), wild)
    for extra in range(6):
        for _ in range(50):
            cards = rng.sample(oracle.BOX[-5:], extra) + rng.sample(oracle.BOX[:-5], 5 - extra)
            check(rng.sample(cards, 5), wild)


@pytest.mark.long
@pytest.mark.parametrize("wild", EXTREMES)
def test_referee_and_oracle_agree_on_every_bouquet(wild: str) -> None:
    hands = combinations_with_replacement(oracle.KINDS, 5)
    possible = [
        list(cards) for cards in hands if all(cards.count(card) <= oracle.BOX.count(card) for card in set(cards))
    ]
    assert len(possible) == 223_031
    totals = [check(cards, wild)["total"] for cards in possible]
    assert (min(totals), max(totals)) == EXTREMES[wild]
