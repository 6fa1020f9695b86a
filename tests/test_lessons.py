"""A taught first round: each step is explained by one paragraph of the rules, to the end of the round and no longer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from itertools import chain, product
from random import Random
from typing import Any

import pytest

from companion.game import AnyGame, Paragraph
from companion.games import GAMES
from companion.play import Asked, Play
from companion.record import opened, read_move
from companion.testing import kit
from companion.testing.kit import Table
from companion.words import LANGUAGES, Voice, lesson_on, numbered, whole_card

TAUGHT = {key: game for key, game in GAMES.items() if game.lesson}
every_game = pytest.mark.parametrize("game", TAUGHT.values(), ids=TAUGHT)
WAYS: dict[str, tuple[dict[str, Any], ...]] = {
    "hanabi": ({"detail": "cards"}, {"detail": "tokens"}, {"detail": "tokens", "hint_tokens": 8}),
    "ikebana": ({"detail": "cards"}, {"detail": "payments"}, {"next_starter": "round"}),
    "rage": ({}, {"plus_minus_one": True}, {"bidding": "hidden"}, {"bidding": "secret", "joker_anytime": True}),
    "ubongo": ({}, {"long_game": True}),
}
"""Options by which every step comes."""
BEGINS = {"rage": {"Bid"}, "ikebana": {"Keep", "Refuse", "Buy"}, "ubongo": {"Roll"}}
"""The moves that begin a round."""
EVENINGS = 12
"""Of each of these, with different players."""
MOST_EVENINGS = 50
"""Within so many of each, every step has come."""


def evenings(game: AnyGame, count: int = EVENINGS, after: int = 8) -> Iterator[Iterator[Play[Any]]]:
    """Play random evenings of a game, to so many moves after the last lesson."""
    for seed, options in product(range(count), WAYS[game.key]):
        table = Table(game, options, game.players[seed % len(game.players)])
        begun = opened(game, options, table.seats)
        yield _until_taught(chain([begun], kit.play_on(table, Random(seed), start=begun)), after)


def _until_taught(plays: Iterator[Play[Any]], after: int) -> Iterator[Play[Any]]:
    silent = 0
    for play in plays:
        yield play
        silent += set(told(play)) == {None}
        if silent > after:
            return


def acted() -> Iterator[Play[Any]]:
    """Play action cards into the first trick of Rage, which chance seldom does."""
    game = GAMES["rage"]
    play = opened(game, {}, 8)
    bids = [{"move": "bid", "seat": seat, "tricks": 1} for seat in range(8)]
    cards = [{"move": "play", "seat": seat, "card": card} for seat, card in enumerate(("+5", "J:R", "-5", "NT"))]
    for number, data in enumerate([{"move": "turn", "card": "B5"}, *bids, *cards], 1):
        ruling = play.judge(Asked(number, read_move(game, 8, data)))
        assert isinstance(ruling, Play)
        play = ruling
        yield play


def told(play: Play[Any]) -> list[Enum | None]:
    """Name the step that each seat is taught, the screen, and who keeps the table for all."""
    lesson, seats = play.game.lesson, [[seat] for seat in range(play.seats)]
    assert lesson is not None
    return [lesson(play.position, acting) for acting in (*seats, [], list(range(play.seats)))]


def explained(game: AnyGame) -> list[Paragraph]:
    return [paragraph for _, paragraph in numbered(whole_card(game, "en")) if paragraph.step]


@every_game
def test_every_step_has_one_paragraph_and_comes(game: AnyGame) -> None:
    steps = Counter(paragraph.step for paragraph in explained(game))
    assert set(steps.values()) == {1}
    assert set(steps) == set(type(next(iter(steps))))
    met = {step for play in acted() for step in told(play)} if game.key == "rage" else set()
    for plays in evenings(game, MOST_EVENINGS):
        met |= {step for play in plays for step in told(play)}
        if met == {*steps, None}:
            break
    assert met == {*steps, None}


@every_game
def test_everyone_is_taught_from_the_start_or_nobody_any_more(game: AnyGame) -> None:
    for plays in evenings(game, 2, after=100):
        were_taught = True
        for play in plays:
            steps = told(play)
            assert len({step is None for step in steps}) == 1
            assert were_taught or None in steps
            were_taught = None not in steps
        assert not were_taught


@pytest.mark.parametrize("key", BEGINS)
def test_it_falls_silent_with_the_second_round(key: str) -> None:
    """What the first one has brought is explained until then."""
    game = GAMES[key]
    for plays in evenings(game, 4):
        for play in plays:
            number = game.summary(play.position)["round"]
            is_later = bool(play.last) and game.summary(play.last.was)["round"] > 1 if play.last else False
            if number == 1 and not game.standing(play.position).is_finished:
                assert None not in told(play)
            elif is_later and play.last and type(play.last.asked.move).__name__ in BEGINS[key]:
                assert set(told(play)) == {None}


def test_hanabi_is_taught_for_two_turns_of_every_seat() -> None:
    game = GAMES["hanabi"]
    for plays in evenings(game):
        turns = 0
        for play in plays:
            # In these games nobody is passed over, so a turn is over when another seat is on turn.
            turns += play.last is not None and play.last.was.turn != play.position.turn
            if turns < 2 * play.seats and not game.standing(play.position).is_finished:
                assert None not in told(play)
            elif turns == 2 * play.seats:
                assert set(told(play)) == {None}


@every_game
def test_what_a_table_is_taught_stands_on_its_own_card_in_every_language(game: AnyGame) -> None:
    for plays in evenings(game, 3):
        for play in plays:
            steps = {*told(play)} - {None}
            card = game.rule_card(game.options.load(dict(play.options)), False) if steps else ()
            for step in steps:
                said = {language: lesson_on(step, card, Voice(game.words, (), language)) for language in LANGUAGES}
                assert None not in said.values()
                assert len({lesson["text"] for lesson in said.values() if lesson}) == len(LANGUAGES)
                assert len({lesson["number"] for lesson in said.values() if lesson}) == 1


@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_a_lesson_tells_nothing_of_a_sealed_bid(bidding: str) -> None:
    game = GAMES["rage"]
    table = Table(game, {"bidding": bidding}, 4)
    begun = table.begin()
    bids = list(game.legal(begun.position, 1))
    after = {tuple(told(judged)) for move in bids if isinstance(judged := begun.judge(Asked(1, move)), Play)}
    assert len(bids) == 11
    assert len(after) == 1
