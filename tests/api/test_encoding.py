"""A view as JSON is the same, whether it is written whole or beside that of the others."""

import json
from random import Random

from hypothesis import given

from companion.api.encoding import beside, encoded
from companion.testing import kit
from companion.testing.kit import Table


@given(kit.tables(), kit.randoms())
def test_a_view_beside_everybodys_says_what_it_says_alone(table: Table, rng: Random) -> None:
    for play in kit.play_on(table, rng, most=rng.randrange(1, 30)):
        everybodys = table.game.view(play.position, None)
        for seat in (None, *range(table.seats)):
            own = table.game.view(play.position, seat)
            assert json.loads(encoded(beside(own, everybodys))) == json.loads(encoded(own))


def test_what_everybody_sees_is_worked_out_once_for_all_seats() -> None:
    for game in kit.GAMES.values():
        position = Table(game, {}, game.players[0]).begin().position
        assert game.view(position, None) is game.view(position, None)
        shared = json.loads(encoded(game.view(position, None)))
        own = json.loads(encoded(game.view(position, 0)))
        assert sum(shared[name] != own[name] for name in shared) <= len(shared) / 2
