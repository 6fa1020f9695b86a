"""What Ikebana promises beyond what every game does: just the legal moves, and no card or point made or lost."""

from collections import Counter
from dataclasses import asdict, replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from companion.game import Accepted, Refused, Seat
from companion.games import GAMES
from companion.games.ikebana.bouquet import Mix, Wild, best_reading
from companion.games.ikebana.cards import CARDS, COPIES, Card, Colour, CountsAs, card_name, parse_card
from companion.games.ikebana.moves import (
    BouquetDoubled,
    BouquetScored,
    Buy,
    DrawRefused,
    Keep,
    Move,
    PilesShuffled,
    Refuse,
    Rule,
    TellBouquet,
)
from companion.games.ikebana.position import Detail, Options, Position, Round
from companion.games.ikebana.view import Phase, view
from companion.play import Asked, Play
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables
from companion.words import Voice

GAME = GAMES["ikebana"]
PAYMENTS = {"detail": "payments"}


def started(seats: int, **options: Any) -> Position:
    position = GAME.start(Options(**options), seats)
    assert isinstance(position, Position)
    return position


def after(position: Position, *moves: Move) -> Position:
    for move in moves:
        ruling = GAME.judge(position, move)
        assert isinstance(ruling, Accepted), ruling
        position = ruling.position
    return position


def cards(names: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, names.split()))


def every_turn(position: Position) -> list[Move]:
    """List every move of a turn that could be thought of, and more."""
    seats = range(position.seats)
    moves: list[Move] = [kind(seat, card) for kind in (Keep, Refuse) for seat in seats for card in (None, *COPIES)]
    return moves + [Buy(seat, owner, price) for seat in seats for owner in seats for price in (None, *range(-1, 8))]


@given(tables(("ikebana",)), randoms())
def test_just_the_legal_moves_are_accepted(table: Table, rng: Random) -> None:
    position = kit.played(table, rng, 100).position
    if position.are_bouquets_full:
        return
    accepted = {move for move in every_turn(position) if isinstance(GAME.judge(position, move), Accepted)}
    assert {move for actor in kit.actors(table) for move in GAME.legal(position, actor)} == accepted


@settings(max_examples=settings.default.max_examples // 2)
@given(tables(("ikebana",)), randoms())
def test_no_card_and_no_point_is_made_or_lost(table: Table, rng: Random) -> None:
    points = 6 * table.seats
    for play in kit.play_on(table, rng):
        position = play.position
        scored = sum(event.points for event in play.events if isinstance(event, BouquetScored | BouquetDoubled))
        points += scored
        assert sum(position.prestige) == points
        assert min(position.prestige) >= 0
        held = [card for cards in (*position.bouquets, *position.piles) for card in cards]
        assert len(held) + position.deck == CARDS
        assert position.taken == sum(map(len, position.bouquets))
        assert all(n <= COPIES[card] for card, n in Counter(filter(None, held)).items())
        assert max(map(len, position.bouquets)) - min(map(len, position.bouquets)) <= 1


@given(tables(("ikebana",)), randoms())
def test_a_view_counts_every_card_that_is_left(table: Table, rng: Random) -> None:
    for play in kit.play_on(table, rng, 150):
        left = [(card, copies) for card in COPIES if (copies := play.position.left(card))]
        assert list(view(play.position, None).left) == ([] if play.position.is_finished else left)


@given(tables(("ikebana",)), randoms())
def test_what_a_view_offers_is_what_the_referee_accepts(table: Table, rng: Random) -> None:
    position = kit.played(table, rng, 100).position
    for actor in kit.actors(table):
        seen, legal = view(position, actor), kit.legal_moves(GAME, position, actor)
        assert seen.may_keep == any(isinstance(move, Keep) for move in legal)
        assert seen.may_refuse == any(isinstance(move, Refuse) for move in legal)
        assert seen.may_tell == any(isinstance(move, TellBouquet) for move in legal)
        offers = [(player.seat, price) for player in seen.players for price in player.pile.prices]
        tops = {move.owner: position.piles[move.owner][-1] for move in legal if isinstance(move, Buy)}
        bought = [move for move in legal if isinstance(move, Buy)]
        assert offers == [(move.owner, move.price or getattr(tops[move.owner], "value", None)) for move in bought]
        if table.options.get("detail") != "payments":
            kept = {move.card for move in legal if isinstance(move, Keep)}
            assert kept == ({card for card, _ in seen.left} if seen.may_keep else set())


def test_a_view_shows_the_bouquets_as_they_grow() -> None:
    position = after(started(3), Keep(0, *cards("K3")), Refuse(1, *cards("R5")), Keep(1, *cards("R4")))
    seen = view(position, 2)
    assert (seen.phase, seen.to_move, seen.price, seen.payee, seen.deck) == (Phase.DRAWING, 2, 1, 0, 52)
    assert [player.taken for player in seen.players] == [1, 1, 0]
    assert [player.pile.height for player in seen.players] == [0, 1, 0]
    assert seen.players[1].pile.top == parse_card("R5")
    assert seen.players[1].pile.prices == (5,)
    assert view(position, 0).players[1].pile.prices == ()
    grown = after(position, Keep(2, *cards("G1")), Keep(0, *cards("K3")))
    assert view(grown, None).players[0].reading.total == 3 * 2 * 4


def test_a_view_of_the_end_names_the_winners() -> None:
    table = Table(GAME, {}, 2)
    *_, last = kit.play_on(table, Random(1))
    seen = view(last.position, 0)
    assert seen.phase is Phase.OVER
    assert seen.winners == tuple(place.seat for place in GAME.standing(last.position).places if place.rank == 1)
    assert not any([seen.left, seen.may_keep, seen.may_refuse, seen.may_tell])
    assert len(seen.sheet) == 4


def test_a_wild_card_of_any_value_is_shown_as_it_counts_and_stays_the_card_that_it_is() -> None:
    reading = best_reading(cards("K1 R2 G3 B5 M2"), Wild.COLOUR_AND_VALUE)
    wild = CountsAs(Colour.MULTICOLOUR, value=2, counts=4)
    assert reading.cards[-1] == wild
    assert reading.combinations[0].cards == (*cards("K1 R2 G3"), wild, *cards("B5"))
    assert [card_name(card) for card in reading.cards] == ["K1", "R2", "G3", "B5", "M2"]
    assert best_reading(cards("K1 R2 G3 B4 M5"), Wild.COLOUR_AND_VALUE).cards == tuple(cards("K1 R2 G3 B4 M5"))


def test_a_bouquet_that_is_told_says_what_its_wild_cards_count_as() -> None:
    table = Table(GAME, {**PAYMENTS, "wild": "colour_and_value"}, 2)
    play = table.begin()
    for number, move in enumerate(
        [*[Keep(seat) for _ in range(5) for seat in range(2)], TellBouquet(0, tuple(cards("K1 R2 G3 B5 M2")))], 1
    ):
        ruling = play.judge(Asked(number, move))
        assert isinstance(ruling, Play)
        play = ruling
    assert play.last is not None
    (told,) = play.last.events
    said = Voice(GAME.words, ("Ann", "Bo")).say(told)
    assert said == "The bouquet of Ann: black 1, red 2, green 3, blue 5, and multicolour 2 as 4."


def growing(names: str, wild: Wild = Wild.COLOUR) -> tuple[int, Mix]:
    reading = best_reading(cards(names), wild)
    return reading.base, reading.mix


@pytest.mark.parametrize(
    ("names", "base", "mix"),
    [
        ("", 0, Mix.UNICOLOUR),
        ("M2", 0, Mix.UNICOLOUR),
        ("K2 M2", 4, Mix.UNICOLOUR),
        ("K2 R3", 0, Mix.BICOLOUR),
        ("K1 R2 G3", 0, Mix.MIXED),
        ("K1 R2 G3 B4", 8, Mix.MIXED),
        ("K1 R2 M3 M4", 8, Mix.BICOLOUR),
    ],
)
def test_a_growing_bouquet_has_a_present_value(names: str, base: int, mix: Mix) -> None:
    assert growing(names) == (base, mix)


def full(seats: int) -> Position:
    """Lead a table that tells payments to the end of its first round."""
    position = started(seats, detail=Detail.PAYMENTS)
    return after(position, *(Keep(seat) for _ in range(5) for seat in range(seats)))


def test_bouquets_that_are_told_at_once_are_put_in_order() -> None:
    seen = full(2)
    mine, yours = TellBouquet(0, cards("K1 K2 K3 K4 K5")), TellBouquet(1, cards("R1 R2 R3 R4 R5"))
    now = after(seen, mine)
    assert GAME.still_means(seen, now, yours)
    assert after(now, yours) == after(seen, yours, mine)


def test_who_goes_on_before_all_bouquets_are_told_hears_whose_are_missing() -> None:
    refused = GAME.judge(after(full(3), TellBouquet(1, cards("K1 K2 K3 K4 K5"))), Keep(0))
    assert isinstance(refused, Refused)
    assert refused.facts == {"seats": (0, 2)}


def test_who_would_start_another_round_starts_the_next_game() -> None:
    rounds = tuple(Round(0, (), prestige) for prestige in [(9, 1, 1), (1, 1, 9), (1, 9, 1)])
    assert GAME.again(replace(started(3), sheet=rounds)) == {"first_seat": 1}


def test_a_move_made_before_somebody_elses_is_stale() -> None:
    seen = started(2)
    assert GAME.still_means(seen, seen, Keep(0, *cards("K1")))
    assert not GAME.still_means(seen, after(seen, Keep(0, *cards("K1"))), Keep(1, *cards("K2")))
    told = full(2)
    late = after(told, TellBouquet(0, cards("K1 K2 K3 K4 K5")), TellBouquet(1, cards("R1 R2 R3 R4 R5")))
    assert not GAME.still_means(told, late, TellBouquet(1, cards("R1 R2 R3 R4 R5")))


def said(position: Position, move: Move) -> list[str]:
    ruling = GAME.judge(position, move)
    assert isinstance(ruling, Accepted)
    return [Voice(GAME.words, ["Anna", "Bo"]).event(event) for event in ruling.events]


def test_the_first_event_says_the_move() -> None:
    position = started(2)
    assert said(position, Keep(0, *cards("K1"))) == ["Anna draws and keeps: black 1."]
    assert said(position, Refuse(0, *cards("K1"))) == ["Anna draws and refuses: black 1. Bo gets 1 prestige point."]
    bought = after(position, Refuse(0, *cards("K1")), Keep(0, *cards("K2")))
    assert said(bought, Buy(1, 0)) == ["Bo buys: black 1. Anna gets 1 prestige point."]
    position = started(2, detail=Detail.PAYMENTS)
    assert said(position, Keep(0)) == ["Anna draws a card and keeps it."]
    assert said(position, Refuse(0)) == ["Anna draws a card and refuses it. Bo gets 1 prestige point."]
    bought = after(position, Refuse(0), Keep(0))
    assert said(bought, Buy(1, 0, 1)) == ["Bo buys a card from the pile of Anna for 1 prestige point."]
    telling = after(full(2), TellBouquet(1, cards("R1 R2 R3 R4 R5")))
    told = [
        "The bouquet of Anna: black 1, black 2, black 3, black 4, and black 5.",
        "Anna scores 15 × 4 = 60 prestige points.",
        "Bo scores 15 × 4 = 60 prestige points.",
    ]
    bouquet = TellBouquet(0, cards("K1 K2 K3 K4 K5"))
    assert said(telling, bouquet) == [*told, "All cards are shuffled. Anna starts round 2."]
    last = replace(telling, sheet=after(telling, bouquet).sheet * 3)
    assert said(last, bouquet) == [*told, "The game is over. First place: Anna and Bo."]
    ahead = replace(last, prestige=(7, 6))
    assert said(ahead, bouquet)[-1] == "The game is over. First place: Anna."


def test_a_shuffle_is_said_with_the_draw_that_needs_it() -> None:
    rich = replace(started(2, detail=Detail.PAYMENTS), prestige=(2_000, 6))
    position = after(rich, *[Refuse(0)] * 55)
    ruling = GAME.judge(position, Refuse(0))
    assert isinstance(ruling, Accepted)
    assert ruling.events == (DrawRefused(Seat(0), 56, Seat(1)), PilesShuffled(54))
    assert ruling.position.deck == 53


def test_what_happens_is_said_in_sentences() -> None:
    play = Table(GAME, {}, 2).begin()
    told = []
    for number, move in enumerate([Refuse(0, *cards("K3")), Refuse(0, *cards("M1")), Keep(0, *cards("R5")), Buy(1, 0)]):
        ruled = play.judge(Asked(number, move))
        assert isinstance(ruled, Play)
        play = ruled
        told += [Voice(GAME.words, ["Anna", "Bo"]).event(event) for event in play.events]
    assert told == [
        "Anna draws and refuses: black 3. Bo gets 1 prestige point.",
        "Anna draws and refuses: multicolour 1. Bo gets 2 prestige points.",
        "Anna draws and keeps: red 5.",
        "Bo buys: multicolour 1. Anna gets 1 prestige point.",
    ]


def perft(position: Position, depth: int) -> int:
    """Count the ways to go on for so many moves."""
    if depth == 0:
        return 1
    moves = [move for seat in range(position.seats) for move in GAME.legal(position, seat)]
    return sum(perft(after(position, move), depth - 1) for move in moves)


def test_the_first_two_moves_are_as_many_as_the_cards_say() -> None:
    # 30 kinds of cards; 10 of them exist once, so that 29 are left for the second draw.
    assert perft(started(2), 1) == 2 * 30
    assert perft(started(2), 2) == 2 * (20 * 2 * 30 + 10 * 2 * 29)


@cache
def payments(purses: tuple[int, int], piles: tuple[int, int], refused: int, depth: int) -> int:
    """Count the ways in which two can go on, from the rules page alone; no bouquet fills up in so few moves."""
    if depth == 0:
        return 1
    (mine, yours), (my_pile, your_pile), price = purses, piles, refused + 1
    ways = payments((yours, mine), (your_pile, my_pile), 0, depth - 1)
    if mine >= price:
        ways += payments((mine - price, yours + price), (my_pile + 1, your_pile), price, depth - 1)
    if your_pile and not refused:
        left = (your_pile - 1, my_pile)
        ways += sum(payments((yours + price, mine - price), left, 0, depth - 1) for price in range(1, min(mine, 5) + 1))
    return ways


@pytest.mark.parametrize("depth", range(8))
def test_payments_can_go_on_in_as_many_ways_as_the_rules_page_says(depth: int) -> None:
    assert perft(started(2, detail=Detail.PAYMENTS), depth) == payments((6, 6), (0, 0), 0, depth)


@pytest.mark.parametrize(
    ("words", "options", "named"),
    [
        ("K3 R3 G3 B2", {}, "five cards"),
        ("K3 R3 G3 B2 Y2 Y1", {}, "five cards"),
        ("K3 R3 G3 B2 Z2", {}, "Z2 is no card"),
        ("K3 R3 G3 B2 Y6", {}, "Y6 is no card"),
        ("K5 K5 G3 B2 Y2", {}, "copies of it: 1"),
        ("K3 R3 G3 B2 Y2", {"wild": "value"}, "colour, colour_and_value, none"),
        ("K3 R3 G3 B2 Y2", {"final": "maybe"}, "yes, no, true, false"),
    ],
)
def test_a_question_that_cannot_be_read_names_the_word(words: str, options: dict[str, str], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        GAME.question.answer(words.split(), options)


def test_an_answer_says_why() -> None:
    verdict = GAME.question.answer(["K3", "R3", "G3", "B2", "Y2"], {})
    assert [Voice(GAME.words, ()).say(part) for part in verdict.says] == [
        "The bouquet is worth 13 × 3 = 39 prestige points.",
        "Trio: black 3, red 3, and green 3 – 9 points",
        "Pair: blue 2 and yellow 2 – 4 points",
        "Five colours: × 3.",
    ]
    doubled = GAME.question.answer(["K3", "R3", "G3", "B2", "Y2"], {"final": "yes"})
    assert "doubled: 78 prestige points" in Voice(GAME.words, ()).say(doubled.says[0])


def test_every_card_has_a_name_of_its_own() -> None:
    names = {card_name(card): card for card in COPIES}
    assert len(names) == 30
    assert all(parse_card(name) == card for name, card in names.items())
    assert sum(COPIES.values()) == CARDS == 55


def test_the_options_are_those_of_the_position() -> None:
    assert set(GAME.options.fields) == set(asdict(Options()))


def test_every_rule_and_every_option_has_words() -> None:
    assert set(Rule) <= set(GAME.words.sentences)
    for name, field in GAME.options.fields.items():
        assert GAME.words.options[name].help
        for member in getattr(field, "enum", ()):
            assert GAME.words.options[name, member.value].help


def test_six_players_are_refused_with_the_numbers_that_can_play() -> None:
    refused = GAME.start(Options(), 6)
    assert isinstance(refused, Refused)
    assert (refused.facts["fewest"], refused.facts["most"]) == (2, 5)
