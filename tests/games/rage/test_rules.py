"""What Rage promises beyond what every game does: just the legal moves, no card twice, bids sealed until the reveal."""

import json
from collections import Counter
from dataclasses import asdict
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import record
from companion.game import Accepted, Refused
from companion.games import GAMES
from companion.games.rage.cards import Action, BareJoker, Card, Colour, Coloured, Joker, every_card, led_colour, winner
from companion.games.rage.moves import Bid, BidMade, BidRevealed, BidSealed, Count, Move, PlayCard, Tally, Trick, Turn
from companion.games.rage.position import Bidding, Options, Position
from companion.games.rage.rules import may_play
from companion.play import Asked, Play
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables
from companion.words import Voice

GAME = GAMES["rage"]
NUMBERS = range(-1, 5)
SEALED = ["hidden", "secret"]


def every_move(position: Position) -> list[Move]:
    """List every move that could be thought of at a small table, and more."""
    seats = range(position.seats)
    cards = [*every_card(), BareJoker()]
    moves: list[Move] = [Turn(card) for card in cards if not isinstance(card, Joker) or isinstance(card, BareJoker)]
    moves += [Bid(seat, tricks) for seat in seats for tricks in range(-2, 13)]
    moves += [PlayCard(seat, card) for seat in seats for card in cards if not isinstance(card, BareJoker)]
    moves += [Trick(seat, *won) for seat in seats for won in product(NUMBERS, NUMBERS)]
    moves += [
        Count(seat, tricks, *won) for seat in seats for tricks in range(-1, 12) for won in product(NUMBERS, NUMBERS)
    ]
    counts = product(range(-1, position.cards + 2), repeat=position.seats)
    sums = [tricks for tricks in counts if abs(sum(tricks) - position.cards) <= 1]
    fives = [five for five in product((-1, 0, 1, 3), repeat=position.seats) if 0 <= sum(five) <= 4]
    moves += [Tally(tricks, plus, (0,) * position.seats) for tricks in sums for plus in fives]
    return moves + [Tally(tricks, (0, 1, 0), minus) for tricks in sums for minus in fives]


def small_positions(rng: Random) -> list[Position]:
    """Play an evening of three that counts its rounds, and card by card the last two."""
    options = {"plus_minus_one": rng.random() < 0.5, "edition": rng.choice(["amigo_2000", "us"])}
    table = Table(GAME, options, 3)
    play = table.begin()
    while play.position.cards > 2:
        seat = play.position.to_move
        tally = Tally((play.position.cards, 0, 0), (0, 0, 0), (0, 0, 0))
        ruling = play.judge(Asked(1, tally if play.position.are_bids_in else next(GAME.legal(play.position, seat))))
        assert isinstance(ruling, Play)
        play = ruling
    return [play.position, *(ruled.position for ruled in kit.play_on(table, rng, start=play))]


@pytest.mark.parametrize("seed", range(5))
def test_at_small_tables_just_the_legal_moves_are_accepted(seed: int) -> None:
    rng = Random(seed)
    positions = small_positions(rng)
    amid_tricks = [position for position in positions if position.trick][-2:]
    for position in [positions[-1], *amid_tricks, *rng.sample(positions[:-1], min(2, len(positions) - 1))]:
        thought_of = set(every_move(position))
        accepted = {move for move in thought_of if isinstance(GAME.judge(position, move), Accepted)}
        legal = {move for actor in (None, 0, 1, 2) for move in GAME.legal(position, actor)}
        assert legal & thought_of == accepted
        assert all(isinstance(move, Tally) for move in legal - thought_of)


@settings(max_examples=4)
@given(tables(("rage",)), randoms())
def test_no_card_comes_twice_and_the_tricks_add_up(table: Table, rng: Random) -> None:
    last = None
    for last in kit.play_on(table, rng):
        seen = last.position.seen
        assert all(copies == 1 for card, copies in Counter(seen).items() if isinstance(card, Coloured))
        assert sum(isinstance(card, Joker) for card in seen) <= 2
        assert sum(last.position.taken) + bool(last.position.trick) <= last.position.cards
    assert last
    rounds = GAME.summary(last.position)["rounds"]
    assert [played["cards"] for played in rounds] == list(range(10, 0, -1))
    for played in rounds:
        assert sum(row["tricks"] for row in played["rows"]) == played["cards"]
        assert -15 <= sum(row["d"] for row in played["rows"]) <= 15
        assert all(row["n"] == row["b"] + row["c"] + row["d"] for row in played["rows"])


@given(tables(("rage",)), randoms())
def test_a_standing_adds_up_the_rounds(table: Table, rng: Random) -> None:
    said = record.result(kit.played(table, rng, 80), table.players)
    for place in said["standing"]:
        assert place["score"] == sum(played["rows"][place["seat"]]["n"] for played in said["summary"]["rounds"])


@given(tables(("rage",)), randoms())
def test_the_bids_that_a_seat_is_offered_are_those_that_are_legal(table: Table, rng: Random) -> None:
    for play in kit.play_on(table, rng, 60):
        for seat in range(table.seats):
            legal = [move.tricks for move in GAME.legal(play.position, seat) if isinstance(move, Bid)]
            assert list(GAME.view(play.position, seat).open_bids) == legal


def sealed(bids: list[tuple[int, int]], bidding: str) -> Play[Any]:
    """Seal bids at a table of four, each (seat, tricks)."""
    play = Table(GAME, {"bidding": bidding}, 4).begin()
    for number, (seat, tricks) in enumerate(bids, 1):
        ruling = play.judge(Asked(number, Bid(seat, tricks), by=seat))
        assert isinstance(ruling, Play)
        play = ruling
    return play


def told(play: Play[Any]) -> dict[str, Any]:
    """Gather everything that anyone can see or hear of a play."""
    voice = Voice(GAME.words, ["Anna", "Bohdan", "Katka", "Dalibor"])
    return {
        "views": [GAME.view(play.position, seat) for seat in (None, 0, 1, 2, 3)],
        "result": record.result(play, voice.players),
        "record": record.write(play, {}, voice.players),
        "events": [ruled.events for ruled in play.moves()],
        "said": [voice.event(event) for ruled in play.moves() for event in ruled.events],
        "headlines": [voice.headline(ruled.asked.move) for ruled in play.moves()],
        "legal": [list(GAME.legal(play.position, seat)) for seat in (0, 1, 2, 3)],
        "refused": GAME.judge(play.position, Bid(0, 99)),
    }


@pytest.mark.parametrize("bidding", SEALED)
@given(st.permutations(range(4)), st.integers(1, 3), st.data())
def test_until_the_reveal_nothing_tells_a_sealed_bid(
    bidding: str, order: list[int], many: int, data: st.DataObject
) -> None:
    numbers = st.lists(st.integers(0, 10), min_size=many, max_size=many)
    plays = [sealed(list(zip(order, data.draw(numbers), strict=False)), bidding) for _ in range(2)]
    assert GAME.has_secrets(plays[0].position)
    assert told(plays[0]) == told(plays[1])
    assert told(plays[0])["record"]["moves"] == []


@pytest.mark.parametrize("bidding", SEALED)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 10)), min_size=1, max_size=6), st.data())
def test_a_sealed_bid_that_is_changed_tells_nothing_either(
    bidding: str, bids: list[tuple[int, int]], data: st.DataObject
) -> None:
    others = [(seat, data.draw(st.integers(0, 10))) for seat, _ in bids]
    assert told(sealed(bids, bidding)) == told(sealed(others, bidding))


def test_secret_bids_stay_sealed_through_the_round() -> None:
    tells = []
    for bids in ([1, 2, 3, 4], [4, 0, 10, 1]):
        play = sealed(list(enumerate(bids)), "secret")
        for number in range(9):
            ruling = play.judge(Asked(5 + number, Trick(number % 4)))
            assert isinstance(ruling, Play)
            play = ruling
        assert GAME.has_secrets(play.position)
        tells.append(told(play))
    assert tells[0] == tells[1]


@pytest.mark.parametrize("bidding", SEALED)
def test_all_sealed_bids_are_revealed_by_one_move(bidding: str) -> None:
    play: Any = sealed([(3, 1), (0, 2), (2, 3), (1, 4)], bidding)
    if bidding == "secret":
        assert not any(isinstance(event, BidRevealed) for ruled in play.moves() for event in ruled.events)
        play = play.judge(Asked(5, Tally((10, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))))
    revealed = [event for event in play.events if isinstance(event, BidRevealed)]
    assert [(event.seat, event.tricks) for event in revealed] == [(0, 2), (1, 4), (2, 3), (3, 1)]
    assert not GAME.has_secrets(play.position)
    assert len(record.write(play, {}, ["A", "B", "C", "D"])["moves"]) == len(play.moves())


def test_an_empty_bidding_holds_no_secret() -> None:
    assert not GAME.has_secrets(sealed([], "secret").position)


coloured = st.builds(Coloured, st.sampled_from(Colour), st.integers(0, 15))
jokers = st.builds(Joker, st.sampled_from(Colour))
any_card: st.SearchStrategy[Card] = coloured | jokers | st.sampled_from(Action)


@given(st.lists(any_card, min_size=3, max_size=8, unique=True), st.none() | st.sampled_from(Colour))
def test_the_winning_card_is_beaten_by_none(trick: list[Card], trump: Colour | None) -> None:
    won, led = trick[winner(trick, trump, is_later_joker_higher=True)], led_colour(trick)
    colours = [getattr(card, "colour", None) for card in trick]
    wanted = trump if trump and trump in colours else led
    if wanted is None:
        assert won is trick[0]
        return
    rivals = [card for card in trick if getattr(card, "colour", None) is wanted]
    assert won in rivals
    if any(isinstance(card, Joker) for card in rivals):
        assert isinstance(won, Joker)
    else:
        assert getattr(won, "value", 0) == max(card.value for card in rivals if isinstance(card, Coloured))


@given(st.lists(any_card, min_size=1, max_size=10), st.none() | st.sampled_from(Colour), st.booleans())
def test_every_hand_has_a_card_that_may_be_played(hand: list[Card], led: Colour | None, anytime: bool) -> None:
    options = Options(joker_anytime=anytime)
    assert any(may_play(hand, led, card, options) is None for card in hand)


def test_counts_may_come_in_any_order_and_be_told_again() -> None:
    start: Any = sealed([(0, 1), (1, 1), (2, 1), (3, 1)], "hidden")
    play = start
    for number, count in enumerate([Count(3, 1), Count(0, 9), Count(1, 3), Count(0, 3, 1), Count(2, 3)], 5):
        assert len(play.position.sheet) == 0
        play = play.judge(Asked(number, count))
    whole = start.judge(Asked(5, Tally((3, 3, 3, 1), (1, 0, 0, 0), (0, 0, 0, 0))))
    assert play.position == whole.position
    assert record.write(play, {}, ["A"] * 4) == record.write(whole, {}, ["A"] * 4)


@pytest.mark.parametrize(
    ("between", "back"), [([], 5), ([Count(2, 0, 0, 0)], 6), ([Count(2, 0, 0, 0), Count(3, 1, 0, 0)], 7)]
)
def test_a_remark_leads_back_to_the_other_card_whatever_was_told_between(between: list[Move], back: int) -> None:
    colours = {"Y": Colour.YELLOW, "B": Colour.BLUE, "G": Colour.GREEN}
    played = [(0, "Y8"), (1, "B3"), (2, "Y9"), (3, "Y10"), (3, "G1"), (0, "G2")]
    cards = [PlayCard(seat, Coloured(colours[card[0]], int(card[1:]))) for seat, card in played]
    moves = [Turn(Coloured(Colour.RED, 12)), *(Bid(seat, 0) for seat in range(4)), *cards, *between]
    position = GAME.start(Options(), 4)
    for move in moves:
        ruling = GAME.judge(position, move)
        assert isinstance(ruling, Accepted)
        position = ruling.position
    ruling = GAME.judge(position, PlayCard(1, Coloured(Colour.YELLOW, 4)))
    assert isinstance(ruling, Accepted)
    assert [remark.back for remark in ruling.remarks] == [(back,)]


@pytest.mark.parametrize(
    ("bids", "missing"), [([], (0, 1, 2, 3)), ([Bid(2, 1)], (0, 1, 3)), ([Bid(1, 0), Bid(0, 2)], (2, 3))]
)
def test_who_has_not_bid_is_named_in_the_order_of_the_bids(bids: list[Move], missing: tuple[int, ...]) -> None:
    position = GAME.start(Options(bidding=Bidding.HIDDEN), 4)
    for move in (Turn(Coloured(Colour.RED, 12)), *bids):
        ruling = GAME.judge(position, move)
        assert isinstance(ruling, Accepted)
        position = ruling.position
    refused = GAME.judge(position, PlayCard(0, Coloured(Colour.RED, 1)))
    assert isinstance(refused, Refused)
    assert refused.facts == {"seats": missing}


def test_who_bids_out_of_turn_is_told_whose_turn_it_is() -> None:
    refused = GAME.judge(GAME.start(Options(), 4), Bid(2, 1))
    assert isinstance(refused, Refused)
    assert refused.facts == {"seat": 0}


def test_the_options_are_those_of_the_position() -> None:
    fields = set(asdict(Options()))
    assert set(GAME.options.fields) == fields
    assert Options().bidding is Bidding.OPEN


def test_two_players_are_refused_with_the_numbers_that_can_play() -> None:
    refused = GAME.start(Options(), 2)
    assert isinstance(refused, Refused)
    assert (refused.facts["fewest"], refused.facts["most"]) == (3, 8)


def test_a_record_of_the_rulebooks_example_gives_its_sheet() -> None:
    bids = [{"move": "bid", "seat": seat, "tricks": tricks} for seat, tricks in enumerate([3, 2, 2, 5])]
    tally = {"move": "tally", "tricks": [3, 1, 2, 4], "plus": [0, 1, 0, 0], "minus": [1, 0, 0, 0]}
    players = ["Anička", "Bohouš", "Katka", "Dalibor"]
    data = {"format": "companion-record", "version": 1, "game": "rage", "players": players, "moves": [*bids, tally]}
    said = record.outcome(record.replay(record.read(json.dumps(data))))
    assert [row["n"] for row in said["summary"]["rounds"][0]["rows"]] == [8, 1, 12, -1]


def bidding(name: str) -> Position:
    return Table(GAME, {"bidding": name}, 3).begin().position


def after(position: Position, *moves: Move) -> Position:
    for move in moves:
        ruling = GAME.judge(position, move)
        assert isinstance(ruling, Accepted)
        position = ruling.position
    return position


def test_an_open_bid_is_told_to_all_and_a_sealed_one_only_that_it_was_made() -> None:
    told = [GAME.judge(bidding(name), Bid(0, 3)) for name in ("open", "hidden")]
    assert [ruling.events for ruling in told if isinstance(ruling, Accepted)] == [(BidMade(0, 3),), (BidSealed(0),)]


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Count(0, 3), "Anna counts 3."),
        (Count(0, 3, plus=1, minus=2), "Anna counts 3, with +5 −5 −5."),
        (Trick(1), "Bohdan takes the trick."),
        (Trick(1, minus=1), "Bohdan takes the trick, with −5."),
    ],
)
def test_the_fives_are_said_with_the_tricks_that_they_lay_in(move: Move, said: str) -> None:
    """What stands beside “Take back” said nothing of them."""
    ruling = GAME.judge(after(bidding("open"), Bid(0, 3), Bid(1, 3), Bid(2, 3)), move)
    assert isinstance(ruling, Accepted)
    assert Voice(GAME.words, ["Anna", "Bohdan", "Katka"]).event(ruling.events[0]) == said


def test_a_sealed_bid_means_the_same_whoever_bid_meanwhile() -> None:
    seen = bidding("hidden")
    assert GAME.still_means(seen, after(seen, Bid(1, 3)), Bid(0, 2))
    assert GAME.still_means(after(seen, Bid(1, 3)), after(seen, Bid(1, 4)), Bid(1, 5))


def test_an_open_bid_made_upon_an_older_table_may_mean_something_else() -> None:
    seen = bidding("open")
    assert not GAME.still_means(seen, after(seen, Bid(0, 3)), Bid(0, 3))
    assert GAME.still_means(seen, seen, Bid(0, 3))
    assert not GAME.still_means(after(seen, Bid(0, 3)), after(seen, Bid(0, 4)), Bid(1, 3))


def test_what_the_table_turns_may_mean_something_else_after_a_sealed_bid_but_not_after_a_changed_one() -> None:
    seen, turned = bidding("hidden"), Turn(Coloured(Colour.YELLOW, 8))
    assert not GAME.still_means(seen, after(seen, Bid(1, 3)), turned)
    assert GAME.still_means(after(seen, Bid(1, 3)), after(seen, Bid(1, 4)), turned)


def test_where_more_is_bid_than_there_are_tricks_no_bid_is_barred() -> None:
    seen = Table(GAME, {"plus_minus_one": True}, 3).begin().position
    barred = [GAME.view(after(seen, Bid(0, 10), Bid(1, more)), 2).barred_bid for more in range(3)]
    assert barred == [0, None, None]


def test_a_bid_of_an_earlier_round_means_nothing_in_the_next() -> None:
    seen = bidding("hidden")
    over = after(seen, *(Bid(seat, 3) for seat in range(3)), Tally((4, 3, 3), (0, 0, 0), (0, 0, 0)))
    assert not GAME.still_means(seen, over, Bid(0, 3))


def ways_to_bid(position: Position, seats: int) -> int:
    """Count the ways in which the next seats can bid."""
    if seats == 0:
        return 1
    assert position.to_move is not None
    bids = [move for move in GAME.legal(position, position.to_move) if isinstance(move, Bid)]
    return sum(ways_to_bid(after(position, bid), seats - 1) for bid in bids)


def test_there_are_as_many_ways_to_bid_as_arithmetic_says() -> None:
    numbers = 11  # 0 to 10 tricks in the first round
    assert ways_to_bid(Table(GAME, {}, 3).begin().position, 3) == numbers**3
    # The last bidder is barred from one number wherever the others have left tricks over: 0 to 10 in all.
    barred = sum(first + second <= 10 for first in range(numbers) for second in range(numbers))
    assert ways_to_bid(Table(GAME, {"plus_minus_one": True}, 3).begin().position, 3) == numbers**3 - barred


def test_a_table_that_was_begun_by_the_first_rules_keeps_a_count_without_what_lies_on_the_table() -> None:
    moves = [{"move": "bid", "seat": seat, "tricks": 0} for seat in range(3)]
    moves += [{"move": "turn", "card": "R5"}, {"move": "play", "seat": 0, "card": "+5"}]
    moves += [{"move": "tally", "tricks": [0, 10, 0], "plus": [0, 0, 0], "minus": [0, 0, 0]}]
    table = {"format": "companion-record", "version": 1, "game": "rage", "players": ["A", "B", "C"], "moves": moves}
    assert [
        (said := record.replay(record.read_data(table | rules)).refused) and said[1].rule.key
        for rules in ({}, {"rules": 1}, {"rules": 2})
    ] == ["rage.tally_less", None, "rage.tally_less"]
    twice = [*moves, *({"move": "bid", "seat": seat, "tricks": 0} for seat in (1, 2, 0))]
    twice += [{"move": "turn", "card": "R5"}, {"move": "play", "seat": 1, "card": "+5"}]
    twice += [{"move": "tally", "tricks": [0, 9, 0], "plus": [0, 0, 0], "minus": [0, 0, 0]}]
    assert record.replay(record.read_data(table | {"rules": 1, "moves": twice})).refused is None


def test_a_sum_that_is_refused_is_written_with_a_true_minus() -> None:
    play: Any = sealed([(seat, 1) for seat in range(4)], "hidden")
    refused = play.judge(Asked(5, Tally((12, -1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))))
    assert isinstance(refused, Refused)
    said = Voice(GAME.words, ("Ann", "Bo", "Cy", "Di")).rule(refused.rule, refused.facts)
    assert said.startswith("12 + −1 + 0 + 0 = 11, but this round has 10 tricks")
