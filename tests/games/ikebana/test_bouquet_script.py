"""A phone reads a bouquet while its cards are touched: by the very same figures as the referee."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from companion.games.ikebana.bouquet import SIZE, Wild, best_reading
from companion.games.ikebana.cards import COPIES, Card, card_name
from companion.games.ikebana.scoring import reading_data
from tests.phones import ROOT

BOUQUETS = 3_000
LONG_EVERY = 7
READ = """
import { bestCard, bestReading } from "%s";
import { text } from "node:stream/consumers";
const asked = JSON.parse(await text(process.stdin));
const read = ([cards, rules, left]) => [bestReading(cards, rules), bestCard(cards, left, rules) ?? null];
console.log(JSON.stringify(asked.map(read)));
"""
SCRIPT = ROOT / "companion" / "static" / "games" / "bouquet.js"
Bouquet = tuple[Sequence[Card], Wild, bool]


def read_by_script(asked: Sequence[tuple[Bouquet, Sequence[Card]]]) -> list[Any]:
    """Let the phone's script read bouquets, and name the best card of those that are left."""
    lines = [
        [[*map(card_name, cards)], {"wild": wild.value, "isDoubled": doubled}, [*map(card_name, left)]]
        for (cards, wild, doubled), left in asked
    ]
    done = subprocess.run(
        [ROOT / ".venv/bin/node", "--input-type=module", "--eval", READ % SCRIPT.as_uri()],
        input=json.dumps(lines),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def ruled(bouquet: Bouquet) -> dict[str, Any]:
    """Read a bouquet by the rules, as far as the script says it."""
    said = reading_data(best_reading(*bouquet))
    parts = [{"kind": one["kind"], "points": one["points"]} for one in said["combinations"]]
    return {"combinations": parts, "base": said["base"], "mix": said["multiplier"], "total": said["total"]}


def dealt(chance: Random) -> tuple[Bouquet, Sequence[Card]]:
    """Deal a part of a bouquet, or all of it; and some of the cards that can still come."""
    deck = [card for card, copies in COPIES.items() for _copy in range(copies)]
    chance.shuffle(deck)
    few = sorted(deck[:20], key=lambda card: (card.colour.value != "M", card.value))
    size, is_wild = chance.randint(0, SIZE), chance.random() < 0.3
    cards = few[:size] if is_wild else deck[:size]
    return (cards, chance.choice(list(Wild)), chance.random() < 0.2), () if size == SIZE else deck[20:26]


def better(bouquet: Bouquet, left: Sequence[Card]) -> int | None:
    """Say how much the best of some cards would make of a bouquet; None where none makes more."""
    cards, wild, doubled = bouquet
    most = max(best_reading([*cards, card], wild, doubled).total for card in left) if left else 0
    return most if most > best_reading(*bouquet).total else None


def test_the_phone_reads_any_part_of_a_bouquet_as_the_referee_does() -> None:
    chance = Random(20)
    asked = [dealt(chance) for _bouquet in range(BOUQUETS)]
    for (bouquet, left), (reading, more) in zip(asked, read_by_script(asked), strict=True):
        assert reading == ruled(bouquet), bouquet
        assert (more and more["reading"]["total"]) == better(bouquet, left), (bouquet, left)


def whole() -> Iterator[Bouquet]:
    """Give every different bouquet, by each of the rules."""
    for cards in combinations_with_replacement(COPIES, SIZE):
        if all(cards.count(card) <= COPIES[card] for card in cards):
            yield from ((cards, wild, False) for wild in Wild)


@pytest.mark.long
def test_the_phone_reads_every_bouquet_as_the_referee_does() -> None:
    asked = [(bouquet, ()) for bouquet in whole()][::LONG_EVERY]
    assert [said[0] for said in read_by_script(asked)] == [ruled(bouquet) for bouquet, _left in asked]
