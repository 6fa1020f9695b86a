"""Ikebana's figures: what came in and what was paid make the final prestige, whatever the table tells."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings

from companion.games import GAMES
from companion.games.ikebana.moves import Buy, Refuse
from companion.testing.kit import Table, play_on, randoms, tables
from tests.test_endings import played


@given(tables(("ikebana",)), randoms())
@settings(max_examples=10)
def test_income_and_payments_make_the_prestige(table: Table, rng: Random) -> None:
    *_, play = play_on(table, rng)
    scores = {place.seat: place.score for place in GAMES["ikebana"].standing(play.position).places}
    figures = play.figures()
    for seat, counted in enumerate(figures):
        assert sum(counted[part] for part in ("start", "bouquets", "received", "paid")) == scores[seat]
        asked = [ruled.asked.move for ruled in play.moves() if ruled.asked.move.seat == seat]
        assert counted["refused"] == sum(isinstance(move, Refuse) for move in asked)
        assert counted["bought"] == sum(isinstance(move, Buy) for move in asked)
    assert sum(counted["received"] + counted["paid"] for counted in figures) == 0


def test_a_refusal_and_a_purchase_are_counted_for_both_sides() -> None:
    moves = [
        {"move": "refuse", "seat": 0, "card": "R3"},
        {"move": "keep", "seat": 0, "card": "B1"},
        {"move": "buy", "seat": 1, "from": 0},
    ]
    first, second = played("ikebana", {}, moves, seats=2).figures()
    assert first == {"start": 6, "bouquets": 0, "received": 3, "paid": -1, "refused": 1, "bought": 0}
    assert second == {"start": 6, "bouquets": 0, "received": 1, "paid": -3, "refused": 0, "bought": 1}
