"""Promise 19: whatever is taken back, put back or amended, and whenever the server is restarted, all is as it was."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion import record
from companion.game import Refused
from companion.games import GAMES
from companion.log import Readings
from companion.play import Broken
from tests import kit
from tests.house import House
from tests.kit import actors

NAMES = ("A", "B", "C", "D", "E")


def seen(house: House, code: str) -> list[Any]:
    """Gather what every seat and the spectators see, and how the table stands."""
    play = house.read(code).play
    game, position = play.game, play.position
    views = [game.view(position, actor) for actor in [None, *range(play.seats)]]
    return [views, game.standing(position), game.summary(position)]


class Sequence:
    """Random steps at a table of its own, with what was seen before and after each."""

    def __init__(self, house: House, seed: int) -> None:
        self.house, self.rng = house, Random(f"sequence {seed}")
        self.game = self.rng.choice(list(GAMES.values()))
        options: dict[str, Any] = {"rage": {"bidding": self.rng.choice(["open", "hidden", "secret"])}}.get(
            self.game.key, {}
        )
        seats = self.rng.choice([count for count in self.game.players if count <= len(NAMES)])
        self.table = kit.Table(self.game, options, seats)
        self.code = house.open(NAMES[:seats], game=self.game.key, **options)
        self.back: list[list[Any]] = []
        self.forward: list[list[Any]] = []
        self.keys = 0

    def steps(self, count: int) -> None:
        """Move, take back, put back, amend and restart."""
        for _ in range(count):
            what = self.rng.choices(["move", "take back", "put back", "amend", "restart"], [8, 4, 3, 2, 2])[0]
            self.keys += 1
            getattr(self, what.replace(" ", "_"))(f"k{self.keys}")

    def move(self, key: str) -> None:
        play = self.house.read(self.code).play
        actor = self.rng.choice(actors(self.table))
        open_moves = kit.legal_moves(self.game, play.position, actor)[: kit.SOME_LEGAL]
        if open_moves:
            move = record.write_move(self.game, self.table.seats, self.rng.choice(open_moves))
            self._changes(lambda: self.house.move(self.code, "host", move, key))

    def take_back(self, key: str) -> None:
        if self.back:
            self.forward.append(seen(self.house, self.code))
            self.house.take_back(self.code, "host", key)
            assert seen(self.house, self.code) == self.back.pop()

    def put_back(self, key: str) -> None:
        if self.forward:
            self.back.append(seen(self.house, self.code))
            self.house.put_back(self.code, "host", key)
            assert seen(self.house, self.code) == self.forward.pop()

    def amend(self, key: str) -> None:
        counting = [ruled.asked for ruled in self.house.read(self.code).play.moves() if ruled.asked]
        if counting:
            asked = self.rng.choice(counting)
            other = kit.near_miss(self.table, self.rng, asked.move)
            data = record.write_move(self.game, self.table.seats, other)
            if getattr(other, "seat", None) == getattr(asked.move, "seat", None):
                self._changes(lambda: self.house.amend(self.code, "host", asked.number, data, key))

    def restart(self, key: str) -> None:
        """Forget all that a server has in its memory."""
        before = seen(self.house, self.code)
        self.house.app.extensions["companion.readings"] = Readings()
        assert seen(self.house, self.code) == before

    def _changes(self, act: Callable[[], Any]) -> None:
        """Do what can be taken back, or be refused and change nothing."""
        before, number = seen(self.house, self.code), self.house.read(self.code).number
        if isinstance(act(), Refused | Broken):
            assert (seen(self.house, self.code), self.house.read(self.code).number) == (before, number)
        else:
            self.back.append(before)
            self.forward.clear()


@pytest.mark.promise(19)
@pytest.mark.on_both
@pytest.mark.parametrize("sequences", [40, pytest.param(10_000, marks=pytest.mark.long)])
def test_after_any_sequence_what_is_undone_is_as_it_was(
    house: House, sequences: int, figure: Callable[[str], None]
) -> None:
    entries = 0
    for seed in range(sequences):
        if seed % 500 == 499:
            house.close()
            house = house.again()
        sequence = Sequence(house, seed)
        sequence.steps(Random(seed).randint(5, 25))
        entries += house.read(sequence.code).number
    house.close()
    figure(f"{sequences:,} sequences of {entries:,} entries: 0 views that differ after undoing or restarting")
