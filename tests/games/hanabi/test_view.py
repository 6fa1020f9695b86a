"""What a seat of Hanabi sees: what it may do and why not, what the hints tell, and the aids of the table."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from companion.game import Accepted
from companion.games import GAMES
from companion.games.hanabi import scoring
from companion.games.hanabi.cards import Card, Colour
from companion.games.hanabi.deck import touches
from companion.games.hanabi.moves import Discard, Hint, Move, PlayCard, Reward, Rule
from companion.games.hanabi.position import Ending, Mark, Position, Result, Slot, Tile
from companion.games.hanabi.scoring import Tier
from companion.games.hanabi.view import Phase, View
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables

GAME = GAMES["hanabi"]
R = Colour.RED


def start(seats: int = 2, **options: Any) -> Position:
    position = GAME.start(GAME.options.load(options), seats)
    assert isinstance(position, Position)
    return position


def judged(position: Position, *moves: Move) -> Position:
    for move in moves:
        ruling = GAME.judge(position, move)
        assert isinstance(ruling, Accepted)
        position = ruling.position
    return position


def seen(position: Position, seat: int | None = 0) -> View:
    view = GAME.view(position, seat)
    assert isinstance(view, View)
    return view


@given(tables(("hanabi",)), randoms())
def test_what_is_not_barred_is_legal(table: Table, rng: Random) -> None:
    position = kit.played(table, rng, 60).position
    for seat in range(table.seats):
        choices = seen(position, seat).choices
        legal = {type(move) for move in GAME.legal(position, seat)}
        assert (choices.hint_barred is None) == (Hint in legal)
        assert (choices.discard_barred is None) == (Discard in legal)
        assert (choices.play_barred is None) == (PlayCard in legal)


@given(tables(("hanabi",)), randoms())
def test_sets_of_cards_hold_what_counting_finds(table: Table, rng: Random) -> None:
    """What a card may be, what is left and what is critical: the plain way, card by card and hint by hint."""
    for play in kit.play_on(table, rng, 60):
        position = play.position
        screen, is_heard = seen(position, None), position.options.aid_hints
        left = [card for card in position.cards() if position.left(card)]
        assert list(screen.choices.left) == left
        assert list(screen.choices.next_cards) == list(position.next_cards())
        for hand, player in zip(position.hands, screen.players, strict=True):
            assert [held.slot for held in player.hand] == list(range(len(hand)))
            for slot, held in zip(hand, player.hand, strict=True):
                goes = [card for card in left if all(fits(position, mark, card) for mark in slot.marks)]
                assert held.may_be == (tuple(goes) if slot.marks and is_heard else None)
        if position.options.aid_critical and not position.unnamed:
            lost = {card for card in position.cards() if not position.left(card) and not position.is_built(card)}
            kept = [card for card in scoring.critical(position) if not lost & set(before(position, card))]
            assert screen.aids.critical == tuple(kept)


def fits(position: Position, mark: Mark, card: Card) -> bool:
    return mark.is_touched == touches(position.options, mark.clue, card)


def before(position: Position, card: Card) -> list[Card]:
    """List the cards that lie in a firework before this one."""
    suit = next(suit for suit in position.suits if suit.colour is card.colour)
    return [suit.card(place) for place in range(suit.place(card.value))]


@given(tables(("hanabi",)), randoms())
def test_the_screen_shows_the_seat_on_turn(table: Table, rng: Random) -> None:
    position = kit.played(table, rng, 60).position
    screen = seen(position, None)
    assert screen == replace(seen(position, position.turn), seat=None)


@pytest.mark.parametrize(
    ("changed", "hint", "discard", "play"),
    [
        ({}, None, Rule.ALL_TOKENS, None),
        ({"tokens": 0}, Rule.NO_TOKEN, None, None),
        ({"tokens": 4, "hands": ((Slot(),) * 5, ())}, Rule.NOBODY_TO_HINT, None, None),
        ({"tokens": 4, "hands": ((), (Slot(),) * 5)}, None, Rule.NO_CARDS, Rule.NO_CARDS),
        ({"is_reward_due": True}, *[Rule.REWARD_FIRST] * 3),
        ({"turn": 1}, *[Rule.NOT_YOUR_TURN] * 3),
        ({"ending": Ending.STUCK}, *[Rule.GAME_OVER] * 3),
    ],
    ids=str,
)
def test_what_is_barred_says_why(
    changed: dict[str, Any], hint: Rule | None, discard: Rule | None, play: Rule | None
) -> None:
    choices = seen(replace(start(flamboyants=True), **changed)).choices
    barred = (choices.hint_barred, choices.discard_barred, choices.play_barred)
    assert [refused and refused.rule for refused in barred] == [hint, discard, play]


def test_a_card_in_a_hand_shows_what_it_was_said_to_be() -> None:
    position = judged(start(), Hint(0, 1, R, None, (0, 2)), Hint(1, 0, None, 5, (1,)), Hint(0, 1, None, 1, (0,)))
    first, second, third, *_ = seen(position, 1).players[1].hand
    assert (first.is_hinted, first.told, first.told_not) == (True, (R, 1), ())
    assert first.may_be == (Card(R, 1),)
    assert (second.is_hinted, second.told, second.told_not) == (False, (), (R, 1))
    assert second.may_be is not None
    assert all(card.colour is not R and card.value != 1 for card in second.may_be)
    assert third.may_be == tuple(Card(R, value) for value in (2, 3, 4, 5))
    assert seen(position, 0).players == seen(position, 1).players == seen(position, None).players


def test_a_card_that_nothing_was_said_of_may_be_anything() -> None:
    held = seen(start()).players[0].hand[3]
    assert (held.slot, held.is_hinted, held.told, held.told_not, held.may_be) == (3, False, (), (), None)
    assert len(seen(start()).choices.left) == 25


def test_a_table_may_play_without_the_memory_of_hints() -> None:
    position = judged(start(aid_hints=False), Hint(0, 1, R, None, (0, 2)))
    assert not any(held.told or held.told_not or held.may_be for held in seen(position).players[1].hand)


def test_a_card_is_marked_with_what_it_can_still_be_where_the_table_wants_it() -> None:
    given = Hint(0, 1, R, None, (0, 2)), Hint(1, 0, None, 5, (1,)), Hint(0, 1, None, 1, (0,))
    position = judged(start(aid_can_be=True), *given)
    first, second, third, fourth, _ = seen(position, 1).players[1].hand
    assert first.can_be == ()
    others = tuple(colour for colour in position.options.base_colours if colour is not R)
    assert second.can_be == fourth.can_be == (*others, 2, 3, 4, 5)
    assert third.can_be == (2, 3, 4, 5)
    # Counted: the fives of four colours are seen, so what is a five is red.
    fives = tuple((0, 0, 0, 0, 1) if suit.colour is not R else (0,) * 5 for suit in position.suits)
    assert seen(replace(position, discards=fives)).players[0].hand[1].can_be == (R,)
    assert seen(position).players[0].hand[1].can_be == ()
    assert {held.can_be for held in seen(start(aid_can_be=True)).players[0].hand} == {()}
    assert {held.can_be for held in seen(judged(start(), *given)).players[1].hand} == {None}


def test_a_firework_shows_its_top_and_its_discards() -> None:
    position = replace(
        start(edition="pl", black_powder=True),
        fireworks=(5, 2, 0, 0, 0, 3),
        discards=((0,) * 5, (1, 0, 1, 0, 0), *((0,) * 5,) * 4),
    )
    white, red, blue, *_, black = seen(position).fireworks
    assert (white.top, white.next, white.is_falling) == (5, None, False)
    assert (red.top, red.next, red.discards, red.copies) == (2, Card(R, 3), (1, 0, 1, 0, 0), (3, 2, 2, 2, 1))
    assert (blue.built, blue.top, blue.next) == (0, None, Card(Colour.BLUE, 1))
    assert (black.built, black.top, black.next, black.is_falling) == (3, 3, Card(Colour.BLACK, 2), True)
    assert Card(Colour.WHITE, 1) in seen(position).choices.left


def test_the_aids_reckon_for_the_table() -> None:
    position = replace(start(), fireworks=(3, 0, 0, 0, 0), discards=((0,) * 5, (3, 0, 1, 0, 0), *((0,) * 5,) * 3))
    aids = seen(position).aids
    assert (aids.turns_left, aids.max_score, aids.pace) == (None, 20, 3 + 40 + 2 - 20)
    # Red can no longer be built, so no red card is worth keeping.
    assert aids.critical == tuple(
        Card(colour, 5) for colour in (Colour.WHITE, Colour.BLUE, Colour.YELLOW, Colour.GREEN)
    )
    last = seen(replace(position, deck=0, turns_left=2))
    assert (last.is_final_round, last.aids.turns_left, last.aids.pace) == (True, 2, None)
    assert seen(start(endless=True)).aids.pace is None


def test_what_can_be_reached_reckons_with_the_tiles_that_may_bring_a_card_back() -> None:
    gone = ((0,) * 5, (3, 0, 1, 0, 0), (0,) * 5, (0,) * 5, (3, 0, 0, 0, 0))
    position = replace(start(edition="pl", flamboyants=True), fireworks=(3, 0, 0, 0, 0), discards=gone)
    fives = {Card(colour, 5) for colour in (Colour.WHITE, Colour.BLUE, Colour.YELLOW)}
    lost = {Card(R, 3), Card(R, 5), Card(Colour.GREEN, 5)}
    for tiles, most, more in (((), 25, lost), ((Tile.T5,), 20, lost), ((Tile.T5, Tile.T6), 15, set())):
        aids = seen(replace(position, tiles=tiles)).aids
        assert (aids.max_score, aids.pace) == (most, 3 + 40 + 2 - most)
        assert aids.critical is not None
        assert set(aids.critical) == fives | more


def test_a_firework_that_cannot_be_completed_any_more_is_marked_with_how_far_it_can_go() -> None:
    gone = ((0,) * 5, (0, 0, 2, 0, 0), (0, 0, 0, 0, 1), (0,) * 5, (3, 0, 0, 0, 0))
    position = replace(start(), fireworks=(0, 1, 5, 0, 1), discards=gone)
    assert [firework.reach for firework in seen(position).fireworks] == [5, 2, 5, 5, 5]
    plain = replace(position, options=start(aid_cut_off=False).options)
    assert {firework.reach for firework in seen(plain).fireworks} == {5}
    rewarded = replace(position, options=start(flamboyants=True).options)
    for tiles, reach in (((), 5), ((Tile.T5,), 5), ((Tile.T5, Tile.T6), 2)):  # Those may bring it back.
        assert seen(replace(rewarded, tiles=tiles)).fireworks[1].reach == reach


@pytest.mark.parametrize("aid", ["critical", "max_score", "pace", "turns_left"])
def test_a_table_may_play_without_an_aid(aid: str) -> None:
    position = replace(start(**{f"aid_{aid}": False}), turns_left=2 if aid == "turns_left" else None)
    assert getattr(seen(position).aids, aid) is None
    assert seen(position).is_final_round == (aid == "turns_left")


def test_a_reward_says_which_tiles_may_come_and_what_they_can_do() -> None:
    position = replace(start(edition="pl", flamboyants=True), is_reward_due=True, tiles=(Tile.T2,), deck=0)
    reward = seen(position).choices.reward
    assert reward
    assert reward.tiles == (Tile.T1, Tile.T3, Tile.T4, Tile.T5, Tile.T6)
    assert (reward.may_be_built, reward.discarded, reward.fitting) == (True, (), ())
    assert reward.lost == (Tile.T5, Tile.T6)
    more = replace(position, discards=((1, 1, 0, 0, 0), *((0,) * 5,) * 4), deck=3, hands=((Slot(),), ()))
    reward = seen(more).choices.reward
    assert reward
    assert (reward.discarded, reward.fitting) == (
        (Card(Colour.WHITE, 1), Card(Colour.WHITE, 2)),
        (Card(Colour.WHITE, 1),),
    )
    assert (reward.lost, reward.may_be_built) == ((Tile.T3, Tile.T4), False)
    for tile in reward.tiles[1:]:
        assert isinstance(GAME.judge(more, Reward(0, tile)), Accepted) == (tile in reward.lost)
    assert seen(start()).choices.reward is None


def test_where_tokens_are_counted_a_reward_may_name_any_card_that_may_lie_there() -> None:
    position = replace(
        start(detail="tokens", flamboyants=True),
        is_reward_due=True,
        unnamed=1,
        fireworks=(1, 0, 0, 0, 0),
        discards=((2, 0, 0, 0, 0), (0,) * 5, (1, 0, 0, 0, 0), (0,) * 5, (0,) * 5),
    )
    reward = seen(position).choices.reward
    assert reward
    assert Card(Colour.WHITE, 1) in reward.discarded  # Two lie there by name.
    assert Card(Colour.WHITE, 2) in reward.fitting
    assert reward.named == (Tile.T6,)  # A blue 1 lies there, so it must be used.
    assert reward.lost == ()
    accepted = {
        tile: tuple(
            card for card in position.cards() if isinstance(GAME.judge(position, Reward(0, tile, card=card)), Accepted)
        )
        for tile in (Tile.T5, Tile.T6)
    }
    assert set(accepted[Tile.T5]) == set(reward.discarded)
    assert set(accepted[Tile.T6]) == set(reward.fitting)
    for tile in (Tile.T5, Tile.T6):
        assert isinstance(GAME.judge(position, Reward(0, tile)), Accepted) == (tile not in reward.named)


@given(tables(("hanabi",)), randoms())
def test_a_reward_offers_just_the_cards_that_the_referee_takes(table: Table, rng: Random) -> None:
    position = replace(kit.played(replace(table, options=table.options | {"flamboyants": True}), rng, 60).position)
    if position.is_finished:
        return
    position = replace(position, is_reward_due=True, tiles=())
    reward = seen(position, position.turn).choices.reward
    assert reward
    for tile, offered in ((Tile.T5, reward.discarded), (Tile.T6, reward.fitting)):
        taken = [
            card
            for card in position.cards()
            if isinstance(GAME.judge(position, Reward(position.turn, tile, card=card)), Accepted)
        ]
        assert set(taken) == set(offered)
        is_bare = isinstance(GAME.judge(position, Reward(position.turn, tile)), Accepted)
        assert is_bare == (tile not in reward.named)


def test_the_last_turns_bound_what_can_be_reached_whatever_is_recorded() -> None:
    for detail in ("cards", "tokens"):
        position = replace(start(detail=detail), fireworks=(5, 5, 5, 4, 3), deck=0, turns_left=2)
        assert seen(position).aids.max_score == 24
        assert seen(replace(position, turns_left=None, deck=9)).aids.max_score == 25


def test_nobody_knows_the_last_copies_while_discarded_cards_are_not_named() -> None:
    position = start(detail="tokens")
    assert seen(position).aids.critical
    assert seen(replace(position, unnamed=1)).aids.critical is None


def test_the_phase_and_the_ending_are_told() -> None:
    position = replace(start(flamboyants=True), errors=2)
    assert (seen(position).phase, seen(position).result, seen(position).tier) == (Phase.TURN, Result.PLAYING, Tier.FLOP)
    assert seen(replace(position, is_reward_due=True)).phase is Phase.REWARD
    over = seen(judged(replace(position, fireworks=(3, 3, 3, 3, 3)), PlayCard(0, 0, Card(R, 1))))
    assert (over.phase, over.result, over.ending, over.score, over.raw) == (
        Phase.OVER,
        Result.LOST,
        Ending.EXPLOSION,
        0,
        15,
    )
    assert seen(start(endless=True)).tier is None
