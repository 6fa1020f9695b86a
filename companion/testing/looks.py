"""What every game promises of what is looked at: its views, its paper, and the referee asked without a table."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given

from companion.desk.looked_at import ask, draw
from companion.games import GAMES
from companion.printing.items import filling
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables, tables_of_any_rules


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


def test_what_is_a_seats_own_is_what_its_view_has_otherwise_than_the_screens(key: str) -> None:
    """Where a game says so by itself; what a view makes of its fields must be the same for all then."""

    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        game, own = table.game, table.game.own
        if own is None:
            return
        for play in [table.begin(), *kit.play_on(table, rng, 40)]:
            shared = game.view(play.position, None)
            made = [name for name, each in vars(type(shared)).items() if isinstance(each, property)]
            for seat in range(table.seats):
                view = game.view(play.position, seat)
                assert view == replace(shared, **own(play.position, seat))
                assert [getattr(view, name) for name in made] == [getattr(shared, name) for name in made]

    holds()


def test_the_example_of_the_question_is_answered(key: str) -> None:
    ask(GAMES[key])


__all__ = [name for name in globals() if name.startswith("test_")]
