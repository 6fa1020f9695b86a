"""A game with hands is a kind of game like any other: it is whole, and holds what every game promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion import record
from companion.fields import CardName, SeatNumber, shape
from companion.game import AnyGame, Refused, never
from companion.games.installed import NotWhole, whole
from companion.testing import promises, renderers, transcripts
from companion.testing.moments import moments
from companion.testing.room import Room
from tests.neighbours import installed, vault

TRIALS = [getattr(promises, name) for name in promises.__all__ if "key" in getattr(promises, name).__annotations__]
SEALED = promises.test_what_is_not_told_when_a_move_is_made_cannot_be_learned_elsewhere


@pytest.fixture(scope="module")
def game() -> AnyGame:
    return vault()


@pytest.fixture(autouse=True)
def beside_ours(game: AnyGame) -> Iterator[None]:
    with installed(game):
        yield


@pytest.mark.promise(6)
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.__name__.removeprefix("test_"))
def test_a_game_with_hands_holds_what_every_game_promises(game: AnyGame, trial: Callable[[str], None]) -> None:
    assert len(TRIALS) >= 14
    assert whole(game) is game
    trial(game.key)


def test_a_phone_draws_its_pages_as_the_server_does(game: AnyGame, tmp_path: Path) -> None:
    renderers.test_a_phone_draws_what_the_server_draws(game.key, tmp_path)


@pytest.mark.promise(6)
@pytest.mark.parametrize(
    "leaky",
    [
        lambda game: {"view": lambda position, seat: game.view(position, 0)},
        lambda game: {"view": lambda position, seat: game.view(position, (seat or 0) + 1)},
        lambda game: {"summary": lambda position: game.summary(position) | {"cards": list(position.cards)}},
        lambda game: {"has_hands": False},
    ],
    ids=["everybody sees the hand of one", "each sees that of the next", "the summary has them", "it does not say so"],
)
def test_a_hand_that_shows_is_noticed(game: AnyGame, leaky: Callable[[AnyGame], dict[str, Any]]) -> None:
    with installed(replace(game, **leaky(game))), pytest.raises(AssertionError):
        SEALED(game.key)


@pytest.mark.promise(6)
def test_a_hand_of_cards_with_names_is_noticed_as_one_of_numbers(game: AnyGame) -> None:
    named = CardName(lambda name: int(name.removeprefix("C")), lambda card: f"C{card}", required=True)
    hide: Any = game.moves(2)["hide"]
    told = {**game.moves(2), "hide": shape(hide.make, seat=SeatNumber(2, required=True), card=named)}
    by_name = replace(game, moves=lambda seats: told, players=range(2, 3))
    with installed(by_name):
        SEALED(game.key)
    leaky = replace(by_name, summary=lambda position: game.summary(position) | {"cards": list(position.cards)})
    with installed(leaky), pytest.raises(AssertionError):
        SEALED(game.key)


def test_a_view_that_has_more_than_is_called_a_seats_own_is_noticed(game: AnyGame) -> None:
    with installed(replace(game, own=lambda _position, _seat: {})), pytest.raises(AssertionError):
        promises.test_what_is_a_seats_own_is_what_its_view_has_otherwise_than_the_screens(game.key)


def with_older_rules(game: AnyGame, **first: Any) -> AnyGame:
    """Let plays of the first version of its rules have begun otherwise."""
    return replace(game, version=2, older=(1,), by_rules=lambda position, _version: replace(position, **first))


def test_what_every_game_promises_is_tried_on_older_rules(game: AnyGame) -> None:
    with installed(with_older_rules(game, cards=())), pytest.raises(ZeroDivisionError):
        promises.test_who_may_move_has_a_legal_move_and_nobody_else(game.key)


def test_a_play_of_todays_rules_begins_as_it_does_where_nobody_names_them(game: AnyGame) -> None:
    ruled = with_older_rules(game, cards=(5, 5))
    starts = [record.opened(ruled, {}, 2, rules).start for rules in (None, 2, 1)]
    assert [start.cards for start in starts] == [(None, None), (None, None), (5, 5)]


def test_a_transcript_may_be_ruled_by_older_rules(game: AnyGame) -> None:
    head = f"game: {game.key}\nplayers: Anna, Bohdan\noptions: {{}}\n"
    with installed(with_older_rules(game, cards=(5, 5))):
        assert "are_hidden: False" in transcripts.written(head)
        older = transcripts.written(f"{head}rules: 1\n")
        assert "are_hidden: True" in older
        assert transcripts.written(older) == older
        with pytest.raises(AssertionError, match="begins with game, players, options"):
            transcripts.written(f"{head}rule: 1\n")


def test_hands_without_secrets_are_turned_away(game: AnyGame) -> None:
    with pytest.raises(NotWhole, match=r"^Its has_hands "):
        whole(replace(game, has_secrets=never))


@pytest.mark.parametrize("seats", [1, 2])
def test_a_game_for_few_is_looked_at_as_one_for_four(game: AnyGame, tmp_path: Path, seats: int) -> None:
    """Guests sit where there are seats, and the table of the next game has no more of them."""

    def start(options: Any, chosen: int) -> Any:
        if chosen != seats:
            return Refused(next(iter(game.rules)), {"option": "players"})
        position = game.start(options, 2)
        return replace(position, cards=position.cards[:seats], stones=position.stones[:seats])

    few = replace(game, key="few", players=range(seats, seats + 1), start=start)
    room = Room(tmp_path / "room")
    with installed(few):
        assert [look for seed in range(8) for look in moments(room, few.key, seed, 4)]
    room.close()
