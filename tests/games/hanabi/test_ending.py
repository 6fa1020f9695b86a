"""A game of Hanabi that has ended says what each firework has brought."""

from __future__ import annotations

from random import Random

from hypothesis import given

from companion.games import GAMES
from companion.games.hanabi.events import Ended
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables

GAME = GAMES["hanabi"]


@given(tables(("hanabi",)), randoms())
def test_the_terms_of_the_end_add_up_to_the_score_or_to_what_burnt(table: Table, rng: Random) -> None:
    *_, last = kit.play_on(table, rng)
    summary = GAME.summary(last.position)
    (ended,) = GAME.reasons(last.position)
    assert isinstance(ended, Ended)
    assert sum(term.points for term in ended.terms) == ended.raw == summary["raw"]
    assert ended.score == summary["score"]
    assert [term.colour.value for term in ended.terms] == list(summary["fireworks"])
    for term, built in zip(ended.terms, summary["fireworks"].values(), strict=True):
        assert term.points in (built, built - 5)
