"""What every game promises of paper, and of the referee asked without a table: it can be drawn, and be answered."""

from __future__ import annotations

from random import Random

from hypothesis import given

from companion.desk.looked_at import ask, draw
from companion.games import GAMES
from companion.printing.items import filling
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables


def test_every_sheet_is_drawn_blank_and_filled(key: str) -> None:
    """As HTML, with whatever may stand on it; whether it looks well, nobody but a reader of the paper can say."""

    @given(tables((key,)), randoms())
    def holds(table: Table, rng: Random) -> None:
        play = kit.played(table, rng, 80)
        blank: list[str] = [""] * table.seats
        draw(table.game, {"players": blank, "options": table.options})
        facts = filling(table.game, play.positions())
        draw(table.game, {"players": table.players, "options": table.options, "facts": facts})

    holds()


def test_the_example_of_the_question_is_answered(key: str) -> None:
    ask(GAMES[key])


__all__ = ["test_every_sheet_is_drawn_blank_and_filled", "test_the_example_of_the_question_is_answered"]
