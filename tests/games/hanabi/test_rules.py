"""What Hanabi promises beyond what every game does: just the legal moves, no card or token lost, hands never known."""

from collections import Counter
from dataclasses import asdict, replace
from itertools import combinations, islice, permutations, product
from math import factorial
from random import Random
from typing import Any

import pytest
from hypothesis import given

from companion.game import Accepted, Refused
from companion.games import GAMES
from companion.games.hanabi.cards import VALUES, Card, Colour, Suit, card_name, parse_card
from companion.games.hanabi.moves import Arrange, Discard, Hint, Move, PlayCard, Reward
from companion.games.hanabi.options import Detail, Options
from companion.games.hanabi.position import FULL, Position, Slot, Tile
from companion.games.hanabi.rewards import NothingFits
from companion.play import Play
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables

GAME = GAMES["hanabi"]
EVERY_CARD = [Card(colour, value) for colour in Colour for value in VALUES]
THINGS: list[tuple[Colour | None, int | None]] = [
    *((colour, None) for colour in Colour),
    *((None, value) for value in range(7)),
    (Colour.RED, 1),
    (None, None),
]


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


def subsets(size: int) -> list[tuple[int, ...]]:
    return [slots for count in range(size + 1) for slots in combinations(range(size), count)]


def every_move(position: Position) -> set[Move]:
    """List every move that could be thought of at a table with small hands, and more."""
    seats, places = range(position.seats), [None, *range(-1, 4)]
    touched = [None, *subsets(3)]
    said = list(product([None, *seats], THINGS, touched))
    moves: set[Move] = {Hint(seat, to, *thing, slots) for seat in seats for to, thing, slots in said}
    moves |= {Reward(seat, tile, to, *thing, slots) for seat in seats for tile in Tile for to, thing, slots in said}
    cards = [None, *EVERY_CARD]
    moves |= {
        kind(seat, slot, card) for kind in (PlayCard, Discard) for seat in seats for slot in places for card in cards
    }
    moves |= {
        Reward(seat, tile, card=card, instead=instead)
        for seat in seats
        for tile in Tile
        for card in cards
        for instead in (None, *Tile)
    }
    orders = [order for count in range(4) for order in permutations(range(count))]
    return moves | {Arrange(seat, order) for seat in seats for order in orders}


def late(rng: Random, **options: Any) -> Position:
    """Lay out a table near its end: small hands, high fireworks, cards in the discard pile."""
    position = start(rng.choice([2, 3]), **options)
    discards = tuple(tuple(rng.randrange(copies) for copies in suit.copies) for suit in position.suits)
    return replace(
        position,
        fireworks=(*(rng.choice([3, 4, 4, 5]) for _ in position.suits[1:]), 2),
        discards=discards,
        hands=(*((Slot(),) * rng.randint(0, 2) for _ in range(position.seats - 1)), (Slot(),) * 2),
        deck=rng.choice([0, 1, 5]),
        tokens=rng.choice([0, 4, 8]),
        tiles=tuple(rng.sample(list(Tile), rng.randint(0, 5))),
        is_reward_due=options.get("flamboyants", False) and rng.random() < 0.7,
        unnamed=rng.randrange(2) if options.get("detail") == "tokens" else 0,
        turn=position.seats - 1,
    )


SETTINGS: list[dict[str, Any]] = [
    {},
    {"edition": "pl", "flamboyants": True},
    {"edition": "pl", "flamboyants": True, "black_powder": True, "empty_hint": False},
    {"edition": "es", "endless": True, "multicolour": 5},
    {"edition": "pl", "endless": True, "flamboyants": True, "indispensable": "ignore", "multicolour": 10},
    {"detail": "tokens"},
    {"detail": "tokens", "flamboyants": True, "endless": True},
    {"detail": "hints", "edition": "pl", "flamboyants": True},
    {"detail": "hints", "multicolour": 5, "endless": True},
]


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_at_small_tables_just_the_legal_moves_are_accepted(options: dict[str, Any]) -> None:
    for seed in range(3):
        position = late(Random(seed), **options)
        legal = [move for seat in range(position.seats) for move in GAME.legal(position, seat)]
        thought_of = every_move(position)
        accepted = {move for move in thought_of if isinstance(GAME.judge(position, move), Accepted)}
        assert len(legal) == len(set(legal))
        assert set(legal) == accepted


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        # 25 cards in each of 5 places; 10 things to say of each choice of at least one of 5 cards; 5! orders.
        ({}, {PlayCard: 125, Hint: 10 * 31, Arrange: 120}),
        ({"edition": "es"}, {PlayCard: 125, Hint: 10 * 32, Arrange: 120}),
        ({"multicolour": 5}, {PlayCard: 150, Hint: 11 * 31, Arrange: 120}),
        ({"edition": "pl", "multicolour": 10, "black_powder": True}, {PlayCard: 175, Hint: 10 * 32, Arrange: 120}),
        ({"detail": "tokens"}, {PlayCard: 6, Hint: 1, Arrange: 120}),
        ({"detail": "hints"}, {PlayCard: 25, Hint: 10, Arrange: 120}),
    ],
    ids=str,
)
def test_so_many_moves_are_open_at_the_start(options: dict[str, Any], counts: dict[type, int]) -> None:
    position = start(**options)
    assert Counter(type(move) for move in GAME.legal(position, 0)) == counts
    assert Counter(type(move) for move in GAME.legal(position, 1)) == {Arrange: 120}
    assert list(GAME.legal(position, None)) == []


def rewarded(gone: set[Card]) -> Position:
    """Let a tile be revealed while these cards lie in the discard pile, and none in the deck."""
    position = replace(start(edition="pl", flamboyants=True), deck=0, is_reward_due=True)
    piles = [[int(suit.card(value) in gone) for value in range(5)] for suit in position.suits]
    return replace(position, discards=tuple(map(tuple, piles)))


@pytest.mark.parametrize(
    ("gone", "late"),
    [
        # A white 1, which would fit, and a red 2 lie there: T5 takes one of them, or the 1 as T6.
        ({Card(Colour.WHITE, 1), Card(Colour.RED, 2)}, {Tile.T5: 2 + 1, Tile.T6: 1}),
        # Nothing lies there: T5, T5 as T6 and T6 are lost.
        (set(), {Tile.T5: 2, Tile.T6: 1}),
    ],
    ids=["cards", "none"],
)
def test_so_many_rewards_are_open(gone: set[Card], late: dict[Tile, int]) -> None:
    """T3 and T4 say one of five things of any of 5 cards."""
    position = rewarded(gone)
    rewards = [move for move in GAME.legal(position, 0) if isinstance(move, Reward)]
    said = {Tile.T1: 1, Tile.T2: 1, Tile.T3: 5 * 32, Tile.T4: 5 * 32}
    assert Counter(move.tile for move in rewards) == said | late
    assert len(set(rewards)) == len(rewards)


@pytest.mark.parametrize(
    ("gone", "fitting"),
    [({Card(Colour.WHITE, 1), Card(Colour.RED, 2)}, (Card(Colour.WHITE, 1),)), ({Card(Colour.RED, 2)}, NothingFits())],
    ids=["one", "none"],
)
def test_who_would_build_what_does_not_fit_hears_what_does(gone: set[Card], fitting: object) -> None:
    refused = GAME.judge(rewarded(gone), Reward(0, Tile.T6, card=Card(Colour.RED, 2)))
    assert isinstance(refused, Refused)
    assert refused.facts == {"card": Card(Colour.RED, 2), "cards": fitting}


def test_so_many_ways_lead_through_the_first_two_turns_where_tokens_are_counted() -> None:
    """A hint, an error or one of five 1s; then a hint, an error or a card that fits, and after a hint a discard."""
    ways = 0
    for move in islice(GAME.legal(start(detail="tokens"), 0), 1000):
        if not isinstance(move, Arrange):
            ruling = GAME.judge(start(detail="tokens"), move)
            assert isinstance(ruling, Accepted)
            ways += sum(not isinstance(second, Arrange) for second in GAME.legal(ruling.position, 1))
    # After a hint: hint, 6 plays, a discard unnamed or of 25 cards. After an error or a 1: hint and 6 plays.
    assert ways == (1 + 6 + 26) + 6 * (1 + 6)


def cards_of(position: Position) -> int:
    return sum(sum(suit.copies) for suit in position.suits)


@given(tables(("hanabi",)), randoms())
def test_no_card_and_no_token_is_lost(table: Table, rng: Random) -> None:
    for play in kit.play_on(table, rng, 60):
        now = play.position
        held = sum(map(len, now.hands)) + now.deck + sum(now.fireworks) + sum(map(sum, now.discards)) + now.unnamed
        assert held == cards_of(now)
        assert 0 <= now.tokens <= now.options.hint_tokens
        assert 0 <= now.errors <= now.options.errors_allowed
        assert all(now.left(card) >= 0 for card in now.cards())
        assert now.turns_left is None or now.turns_left <= now.seats
        summary = GAME.summary(now)
        assert summary["raw"] <= summary["max_score"] <= 30
        assert summary["tier"] is None or 1 <= summary["tier"] <= 7


@given(randoms())
def test_tiles_come_once_each_and_then_the_game_ends(rng: Random) -> None:
    start_of_all = start(3, flamboyants=True, black_powder=True, multicolour=10, black_bonus="tile")
    position = replace(start_of_all, fireworks=(4,) * 7, deck=start_of_all.deck - 28)
    for _ in range(200):
        moves = [move for move in islice(GAME.legal(position, position.turn), 60) if not isinstance(move, Arrange)]
        if not moves:
            break
        fitting = [move for move in moves if isinstance(move, PlayCard) and move.card and position.fits(move.card)]
        position = judged(position, rng.choice(fitting or moves))
        assert len(set(position.tiles)) == len(position.tiles)
    assert position.is_finished


@pytest.mark.parametrize("aid", [name for name in GAME.options.fields if name.startswith("aid_")])
@given(randoms())
def test_no_aid_changes_what_is_true(aid: str, rng: Random) -> None:
    play = kit.played(Table(GAME, {"edition": "es"}, 2), rng, 40)
    other: Any = Table(GAME, {"edition": "es", aid: False}, 2).begin()
    for ruled in play.moves():
        other = other.judge(ruled.asked)
    assert GAME.summary(other.position) == GAME.summary(play.position)


TURNED = Arrange(1, (4, 3, 2, 1, 0))
HINT = Hint(0, 1, Colour.RED, None, (0,))
PLAYED = PlayCard(0, 0, Card(Colour.RED, 1))


def test_a_hand_arranged_by_another_does_not_make_a_move_stale() -> None:
    seen = start(3)
    assert GAME.still_means(seen, judged(seen, TURNED), PLAYED)
    assert GAME.still_means(seen, judged(seen, Arrange(2, (4, 3, 2, 1, 0))), HINT)
    assert GAME.still_means(seen, judged(seen, HINT), Arrange(2, (4, 3, 2, 1, 0)))


def test_a_hand_whose_hints_moved_makes_a_move_about_its_places_stale() -> None:
    seen = judged(start(2), HINT, PlayCard(1, 4, Card(Colour.WHITE, 1)))
    turned = judged(seen, TURNED)
    assert not GAME.still_means(seen, turned, HINT)
    assert not GAME.still_means(seen, turned, Arrange(1, (1, 0, 2, 3, 4)))
    assert GAME.still_means(seen, turned, PLAYED)


def test_a_turn_taken_meanwhile_makes_a_move_stale() -> None:
    seen = start(3)
    assert not GAME.still_means(seen, judged(seen, HINT), PLAYED)


def test_a_position_does_not_grow_with_its_moves() -> None:
    position = judged(start(2), HINT)
    before = len(repr(position))
    later = judged(position, *[TURNED] * 1000)
    assert len(repr(later)) - before <= 3
    assert later.hands == position.hands


def test_a_game_gives_no_more_hints_than_its_tokens_allow() -> None:
    """Marks are all that a position gathers: one for each hint, and there are no more hints than tokens come back."""
    *_, last = kit.play_on(Table(GAME, {}, 5), Random(5))
    assert max((len(slot.marks) for hand in last.position.hands for slot in hand), default=0) <= 8 + 50 + 5


def test_the_options_are_those_of_the_position() -> None:
    assert set(GAME.options.fields) == set(asdict(Options()))


def test_every_card_survives_its_name() -> None:
    assert [parse_card(card_name(card)) for card in EVERY_CARD] == EVERY_CARD


@pytest.mark.parametrize("name", ["", "R", "R0", "R6", "R10", "R٣", "r3", "3", "X3", "RR3", "R3 "])
def test_no_other_name_is_a_card(name: str) -> None:
    with pytest.raises(ValueError, match=r"Colour|\w"):
        parse_card(name)


@pytest.mark.parametrize("is_falling", [False, True])
def test_a_firework_is_built_card_by_card(is_falling: bool) -> None:
    suit = Suit(Colour.BLACK, (3, 2, 2, 2, 1), is_falling)
    values = [suit.value(place) for place in range(FULL)]
    assert values == ([5, 4, 3, 2, 1] if is_falling else [1, 2, 3, 4, 5])
    assert [suit.place(value) for value in values] == list(range(FULL))


def test_there_is_no_card_left_of_a_colour_that_is_not_in_the_game() -> None:
    position = start()
    assert position.left(Card(Colour.BLACK, 1)) == 0
    assert position.discarded(Card(Colour.BLACK, 1)) == 0
    assert not position.is_built(Card(Colour.BLACK, 1))


def test_play_goes_on_from_any_position() -> None:
    play = Table(GAME, {}, 2).begin()
    assert isinstance(play, Play)
    assert GAME.summary(play.position)["pace"] == 0 + 40 + 2 - 25


@pytest.mark.parametrize(("seats", "hand"), [(2, 5), (4, 4)])
def test_a_first_turn_has_as_many_moves_as_arithmetic_says(seats: int, hand: int) -> None:
    table = Table(GAMES["hanabi"], {"edition": "cs", "empty_hint": False}, seats)
    kinds = Counter(type(move).__name__ for move in table.game.legal(table.begin().position, 0))
    clues, cards = 5 + 5, 5 * 5
    assert kinds["Hint"] == (seats - 1) * clues * (2**hand - 1)
    assert kinds["PlayCard"] == hand * cards
    assert kinds["Discard"] == 0  # all hint tokens are available
    assert kinds["Arrange"] == factorial(hand)


@pytest.mark.parametrize("seats", [3, 5])
def test_a_place_that_no_hand_has_is_refused_with_the_last_one(seats: int) -> None:
    position = GAME.start(Options(detail=Detail.CARDS), seats)
    size = len(position.hands[0])
    refused = GAME.judge(position, PlayCard(0, size, Card(Colour.RED, 1)))
    assert isinstance(refused, Refused)
    assert refused.facts == {"cards": size, "last": size - 1}
