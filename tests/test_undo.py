"""Promise 19: whatever is taken back, put back or amended, and whenever the server is restarted, all is as it was."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion import record
from companion.game import Refused
from companion.games import GAMES
from companion.log import Reading, Readings
from companion.play import Broken, Play
from companion.testing import kit
from companion.testing.kit import actors
from tests.house import House

NAMES = ("A", "B", "C", "D", "E")
FEW = 30
"""Of so many legal moves one is chosen."""


def seen(play: Play[Any]) -> list[Any]:
    """Gather what every seat and the spectators see, and how the table stands."""
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
        self.look()

    def look(self) -> list[Any]:
        """Look at the table as it is now; return what was seen before."""
        before = self.seen if hasattr(self, "seen") else []
        self.reading = self.house.read(self.code)
        self.seen = seen(self.reading.play)
        return before

    def steps(self, count: int) -> None:
        """Move, take back, put back, amend and restart."""
        for number in range(count):
            what = self.rng.choices(["move", "take back", "put back", "amend", "restart"], [8, 4, 3, 2, 2])[0]
            getattr(self, what.replace(" ", "_"))(f"k{number}")

    def move(self, key: str) -> None:
        position = self.reading.play.position
        for actor in self.rng.sample(actors(self.table), self.table.seats + 1):
            if open_moves := list(islice(self.game.legal(position, actor), FEW)):
                move = record.write_move(self.game, self.table.seats, self.rng.choice(open_moves))
                self._changes(self.house.move(self.code, "host", move, key))
                return

    def take_back(self, key: str) -> None:
        if self.back:
            self.house.take_back(self.code, "host", key)
            self.forward.append(self.look())
            assert self.seen == self.back.pop()

    def put_back(self, key: str) -> None:
        if self.forward:
            self.house.put_back(self.code, "host", key)
            self.back.append(self.look())
            assert self.seen == self.forward.pop()

    def amend(self, key: str) -> None:
        counting = [ruled.asked for ruled in self.reading.play.moves()]
        if counting:
            asked = self.rng.choice(counting)
            other = kit.near_miss(self.table, self.rng, asked.move)
            data = record.write_move(self.game, self.table.seats, other)
            if getattr(other, "seat", None) == getattr(asked.move, "seat", None):
                self._changes(self.house.amend(self.code, "host", asked.number, data, key))

    def restart(self, key: str) -> None:
        """Forget all that a server has in its memory."""
        self.house.app.extensions["companion.readings"] = Readings()
        assert self.look() == self.seen

    def _changes(self, ruling: Reading | Refused | Broken) -> None:
        """See what came of it: something that can be taken back, or nothing."""
        number, before = self.reading.number, self.look()
        if isinstance(ruling, Refused | Broken):
            assert (self.seen, self.reading.number) == (before, number)
        else:
            self.back.append(before)
            self.forward.clear()


@pytest.mark.in_turn(of=2)
@pytest.mark.promise(19)
@pytest.mark.on_both
@pytest.mark.parametrize("sequences", [20, pytest.param(10_000, marks=pytest.mark.long)])
def test_after_any_sequence_what_is_undone_is_as_it_was(
    house: House, sequences: int, figure: Callable[[str], None]
) -> None:
    entries = 0
    for seed in range(sequences):
        if seed % 500 == 499:
            house.close()
            house = house.again()
        sequence = Sequence(house, seed)
        sequence.steps(Random(seed).randint(5, 20))
        entries += house.read(sequence.code).number
    house.close()
    figure(f"{sequences:,} sequences of {entries:,} entries: 0 views that differ after undoing or restarting")
