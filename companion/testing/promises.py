"""What every game promises to the house, tried on random plays: a file of tests imports all of it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from companion import record
from companion.game import Accepted, Refused
from companion.games import GAMES, TURNED_AWAY
from companion.play import Asked, Broken, Play
from companion.testing import kit
from companion.testing.kit import Table, actors, randoms, tables_of_any_rules
from companion.testing.looks import *  # noqa: F403
from companion.words import Voice


def test_every_game_that_is_installed_is_whole() -> None:
    assert TURNED_AWAY == ()


def moves_of(play: Play[Any]) -> list[Asked]:
    """List the moves of a play."""
    return [ruled.asked for ruled in play.moves()]


def seen_by_everyone(table: Table, play: Play[Any], but: int | None = None) -> dict[str, Any]:
    """Gather all that leaves the house: views (but of one seat), summary and standing, the record, what was said."""
    game, position = table.game, play.position
    voice = Voice(game.words, table.players)
    return {
        "views": [game.view(position, actor) for actor in actors(table) if actor is None or actor != but],
        "result": record.result(play, table.players),
        "record": record.write(play, table.options, table.players),
        "said": [[voice.event(event) for event in ruled.events] for ruled in play.moves()],
        "remarks": [ruled.remarks for ruled in play.moves()],
    }


def test_who_is_to_move_has_a_legal_move_until_the_end(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        game = table.game
        position = kit.played(table, rng, 40).position
        may = [actor for actor in actors(table) if next(iter(game.legal(position, actor)), None) is not None]
        # After the end a seat may still be asked something: whether its hands were in time.
        assert may or game.standing(position).is_finished
        awaited = game.summary(position).get("to_move")
        assert awaited is None or awaited in may

    holds()


def test_who_may_move_has_a_legal_move_and_nobody_else(key: str) -> None:
    """What a game says by a shorter way, or leaves to `legal`, after every move of a play to its end."""

    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        game = table.game
        for play in [table.begin(), *kit.play_on(table, rng, 120)]:
            for seat in range(table.seats):
                legal = next(game.legal(play.position, seat), None)
                assert game.may_move(play.position, seat) is (legal is not None)

    holds()


def test_a_play_ends_and_then_nobody_may_move(key: str) -> None:
    @settings(max_examples=4)
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        *_, last = kit.play_on(table, rng)
        assert table.game.standing(last.position).is_finished
        assert not any(kit.legal_moves(table.game, last.position, actor) for actor in actors(table))

    holds()


def test_phantoms_play_to_the_end(key: str) -> None:
    """What a game holds likely is legal, and leads on."""

    @settings(max_examples=2)
    @given(randoms())
    def holds(rng: Random) -> None:
        if GAMES[key].likely:
            *_, last = kit.likely_plays(GAMES[key], rng)
            assert last.game.standing(last.position).is_finished

    holds()


def test_every_legal_move_is_accepted(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        position = kit.played(table, rng, 40).position
        for actor in actors(table):
            for move in islice(table.game.legal(position, actor), kit.SOME_LEGAL):
                assert isinstance(table.game.judge(position, move), Accepted)
                assert getattr(move, "seat", actor) == actor

    holds()


def test_whatever_is_accepted_was_legal(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        game, play = table.game, kit.played(table, rng, 40)
        cards = kit.names_of_cards(table, play)
        moves = [kit.wild_move(table, rng, cards) for _ in range(100)]
        near = [asked.move for asked in moves_of(play)][-5:]
        near += [move for actor in actors(table) for move in islice(game.legal(play.position, actor), 5)]
        moves += [kit.near_miss(table, rng, move) for move in near]
        legal = {actor: kit.legal_moves(game, play.position, actor) for actor in actors(table)}
        for move in moves:
            if move is None or isinstance(game.judge(play.position, move), Refused):
                continue
            known = legal[getattr(move, "seat", None)]
            assert move in known or len(known) == kit.MOST_LEGAL

    holds()


def test_judge_never_raises_and_changes_nothing(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        play = kit.played(table, rng, 40)
        before, cards = repr(play.position), kit.names_of_cards(table, play)
        voice = Voice(table.game.words, table.players)
        for _ in range(100):
            move = kit.wild_move(table, rng, cards)
            ruling = None if move is None else table.game.judge(play.position, move)
            if isinstance(ruling, Refused):
                assert "%(" not in voice.rule(ruling.rule, ruling.facts)
        assert repr(play.position) == before

    holds()


def test_everything_that_happens_can_be_said(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        voice = Voice(table.game.words, table.players)
        for play in kit.play_on(table, rng, 40):
            assert play.last
            texts = [voice.headline(play.last.asked.move), *(voice.event(event) for event in play.events)]
            texts += [voice.rule(remark.rule, remark.facts) for remark in play.remarks]
            assert play.events
            assert all(text and "%(" not in text for text in texts)

    holds()


def test_standing_and_summary_are_plain_data(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        said = record.result(kit.played(table, rng, 80), table.players)
        assert json.loads(json.dumps(said)) == said
        ranks = [place["rank"] for place in said["standing"]]
        assert sorted(place["seat"] for place in said["standing"]) == list(range(table.seats))
        assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]

    holds()


def test_records_survive_json(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        play = kit.played(table, rng, 80)
        written = record.write(play, table.options, table.players, {"title": "Evening"}, rules=table.rules)
        again = record.replay(record.read(json.dumps(written)))
        assert again.refused is None
        assert record.write(again.play, table.options, table.players, again.record.about, rules=table.rules) == written
        if not table.game.has_secrets(play.position):
            assert record.result(again.play, table.players) == record.result(play, table.players)

    holds()


def test_every_move_survives_writing(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        position = kit.played(table, rng, 40).position
        for actor in actors(table):
            for move in islice(table.game.legal(position, actor), kit.SOME_LEGAL):
                data = json.loads(json.dumps(record.write_move(table.game, table.seats, move)))
                assert record.read_move(table.game, table.seats, data) == move

    holds()


def same(play: Play[Any], other: Play[Any], but: int = 0) -> bool:
    """Compare two plays; of the move with this number it does not count whether it was amended."""
    here, there = (
        [replace(asked, is_amended=False) if asked.number == but else asked for asked in moves_of(each)]
        for each in (play, other)
    )
    return (play.position, here, play.events, play.remarks) == (other.position, there, other.events, other.remarks)


@pytest.mark.promise(19)
def test_taking_back_and_putting_back_are_exact(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        plays = [table.begin(), *kit.play_on(table, rng, 40)]
        play = plays[-1]
        for before in plays[-2::-1]:
            taken = play.take_back()
            assert taken
            assert same(taken, before)
            play = taken
        assert play.take_back() is None
        for after in plays[1:]:
            put = play.put_back()
            assert put
            assert same(put, after)
            play = put
        assert play.put_back() is None

    holds()


def test_amending_with_the_same_move_changes_nothing(key: str) -> None:
    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        play = kit.played(table, rng, 40)
        for asked in moves_of(play):
            amended = play.amend(asked.number, asked.move)
            assert isinstance(amended, Play)
            assert [one.number for one in moves_of(amended) if one.is_amended] == [asked.number]
            assert same(amended, play, but=asked.number)

    holds()


def changed(table: Table, play: Play[Any], chance: kit.Chance) -> Play[Any]:
    """Do anything that a table may do to its play."""
    rng = chance.rng
    act = rng.choice(["move", "move", "move", "take back", "take back", "put back", "amend"])
    if act == "take back":
        return play.take_back() or play
    if act == "put back":
        return play.put_back() or play
    asked = moves_of(play)
    if act == "amend" and asked:
        one = rng.choice(asked)
        amended = play.amend(one.number, kit.near_miss(table, rng, one.move))
        return play if isinstance(amended, Broken) else amended
    move = chance.move(play.position)
    ruling = play.judge(Asked(max([0, *(one.number for one in asked)]) + 1, move)) if move else play
    assert isinstance(ruling, Play)
    return ruling


@pytest.mark.promise(19)
def test_whatever_is_undone_comes_back_as_it_was(key: str) -> None:
    """A plain model beside the play: the lists of moves to go back to, and forward to."""

    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        play, chance = table.begin(), kit.Chance(table, rng)
        back: list[list[Asked]] = []
        forward: list[list[Asked]] = []
        for _ in range(40):
            now, undo, redo = moves_of(play), play.undo, play.redo
            assert (undo and moves_of(undo)) == (back[-1] if back else None)
            assert (redo and moves_of(redo)) == (forward[-1] if forward else None)
            after = changed(table, play, chance)
            if after is play:
                continue
            if undo and after.redo is play:
                forward.append(now)
                back.pop()
            elif after is redo:
                back.append(now)
                forward.pop()
            else:
                back.append(now)
                forward.clear()
            play = after
            again = twin_of(table, moves_of(play))
            assert again
            assert again.position == play.position

    holds()


@pytest.mark.promise(6)
def test_what_is_not_told_when_a_move_is_made_cannot_be_learned_elsewhere(key: str) -> None:
    """Two plays that differ in a sealed move look the same to everyone, by every way out of the house.

    To whose move it is, too: what a seat has sealed stands in no view. In a game with hands it stands in its own.
    """

    @given(tables_of_any_rules(key), randoms())
    def holds(table: Table, rng: Random) -> None:
        for play in kit.play_on(table, rng, 40):
            if not table.game.has_secrets(play.position):
                continue
            asked = moves_of(play)
            index = rng.randrange(first_secret(table, play), len(asked))
            other = replace(asked[index], move=instead(table, rng, play, index))
            twin = twin_of(table, [*asked[:index], other, *asked[index + 1 :]])
            if twin and [ruled.events for ruled in twin.moves()] == [ruled.events for ruled in play.moves()]:
                own = getattr(other.move, "seat", None) if table.game.has_hands else None
                assert seen_by_everyone(table, twin, own) == seen_by_everyone(table, play, own)

    holds()


def instead(table: Table, rng: Random, play: Play[Any], index: int) -> Any:
    """Draw what else could have been made of a move: a legal one of its kind, or the same but for a number."""
    move, was = play.moves()[index].asked.move, play.moves()[index].was
    near = kit.near_miss(table, rng, move)
    legal = kit.legal_moves(table.game, was, getattr(move, "seat", None))
    others = [one for one in legal if type(one) is type(move) and one != move]
    return rng.choice(others) if others and (near == move or rng.random() < 0.5) else near


def first_secret(table: Table, play: Play[Any]) -> int:
    """Find the move with which the present secrets began, from 0."""
    secret = [table.game.has_secrets(ruled.position) for ruled in play.moves()]
    return max([index + 1 for index, is_secret in enumerate(secret) if not is_secret], default=0)


def twin_of(table: Table, asked: list[Asked]) -> Play[Any] | None:
    """Play these moves; None if one does not hold."""
    play = table.begin()
    for one in asked:
        ruling = play.judge(one)
        if isinstance(ruling, Refused):
            return None
        play = ruling
    return play


__all__ = [name for name in globals() if name.startswith("test_")]
