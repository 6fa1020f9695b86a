"""What the referee of Ikebana can be asked without a table: a bouquet's worth, refusals, a purchase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from companion.game import N_, Refused, Seat, Verdict
from companion.games.ikebana import question_keys as keys
from companion.games.ikebana.bouquet import SIZE, Mix, Wild, best_reading
from companion.games.ikebana.cards import COPIES, Card, parse_card
from companion.games.ikebana.moves import Buy, Refuse, Rule
from companion.games.ikebana.position import PLAYERS, PRESTIGE, Detail, Options, Position
from companion.games.ikebana.rules import judge, start
from companion.games.ikebana.scoring import Bouquet, reading_data
from companion.kernel.frozen import replace
from companion.question import NO_CARD, Asked, Topic, Unclear, about, choice, is_on, told

MOST_POINTS = 999


@dataclass(frozen=True, slots=True)
class BouquetIsWorth:
    """A bouquet's value."""

    base: int
    multiplier: int
    points: int


@dataclass(frozen=True, slots=True)
class FinalBouquetIsWorth:
    """A final bouquet's value, which is doubled."""

    base: int
    multiplier: int
    points: int


@dataclass(frozen=True, slots=True)
class ColoursMultiply:
    """What the colours multiply by."""

    mix: Mix
    multiplier: int


@dataclass(frozen=True, slots=True)
class RefusesTimes:
    """How many cards can be refused in a turn, by who has so many points."""

    seat: Seat
    points: int
    times: int


@dataclass(frozen=True, slots=True)
class Pays:
    """What a refusal costs, and who gets it."""

    price: int
    payee: Seat


@dataclass(frozen=True, slots=True)
class PaysInTurn:
    """What the refusals of a turn cost, one after another."""

    seat: Seat
    payments: tuple[Pays, ...]


@dataclass(frozen=True, slots=True)
class NextWouldCost:
    """What the refusal after them would cost."""

    price: int


@dataclass(frozen=True, slots=True)
class Buys:
    """A card can be bought; `left` are the points then."""

    card: Card
    price: int
    left: int


@dataclass(frozen=True, slots=True)
class BuysNot:
    """A card cannot be bought."""

    card: Card


class Refusals(TypedDict):
    """How often somebody can refuse in a turn, what each costs and who gets it, and what is left then."""

    refusals: int
    prices: list[int]
    payees: list[int]
    points_left: int


class PurchaseJudged(TypedDict):
    """Whether a card can be bought."""

    legal: bool
    price: int


class Purchase(PurchaseJudged, total=False):
    """What is left then, where it can."""

    left: int


def bouquet(words: Sequence[str], options: Asked) -> Verdict:
    """Answer what a bouquet of these five cards is worth. Raises: Unclear."""
    cards = [_card(word) for word in words]
    for card in cards:
        if cards.count(card) > COPIES[card]:
            raise Unclear(N_("%(card)s is named too often; copies of it: %(copies)s."), card=card, copies=COPIES[card])
    if len(cards) > SIZE:
        raise Unclear(N_("A bouquet has five cards."))
    if len(cards) < SIZE:
        raise Unclear(N_("Name the five cards of the bouquet."), missing="words")
    reading = best_reading(cards, choice(Wild, options, "wild", Wild.COLOUR), is_on(options, "final"))
    says = FinalBouquetIsWorth if reading.is_doubled else BouquetIsWorth
    multiplier = reading.mix.value
    verdict = says(reading.base, multiplier, reading.total)
    colours = ColoursMultiply(reading.mix, multiplier)
    return Verdict((verdict, *reading.combinations, colours), Rule.BEST_READING, reading_data(reading))


def refusals(words: Sequence[str], options: Asked) -> Verdict:
    """Answer how often who is first (A) can refuse in a turn, what it costs and who gets it. Raises: Unclear."""
    seats, points = told(options, "players", PLAYERS, 3), told(options, "points", range(MOST_POINTS + 1), PRESTIGE)
    position, payments = _laid_out(seats, points), []
    while True:
        price, payee = position.price or 0, Seat(position.payee or 0)
        ruling = judge(position, Refuse(0))
        if isinstance(ruling, Refused):
            break
        position = ruling.position
        payments.append(Pays(price, payee))
    says = [RefusesTimes(Seat(0), points, len(payments)), NextWouldCost(price)]
    if payments:
        says.insert(1, PaysInTurn(Seat(0), tuple(payments)))
    data: Refusals = {
        "refusals": len(payments),
        "prices": [one.price for one in payments],
        "payees": [int(one.payee) for one in payments],
        "points_left": position.prestige[0],
    }
    return Verdict(tuple(says), Rule.CANNOT_REFUSE, data)


def purchase(words: Sequence[str], options: Asked) -> Verdict:
    """Answer whether a card can be bought with so many points. Raises: Unclear."""
    if "buy" not in options:
        raise Unclear(N_("Name the card to buy."), missing="buy")
    card, points = _card(options["buy"]), told(options, "points", range(MOST_POINTS + 1), PRESTIGE)
    lying = replace(_laid_out(2, points), piles=((), (None,)))
    refused = told(options, "refused", range(10), 0)
    ruling = judge(replace(lying, refusals=refused), Buy(0, 1, card.value))
    if isinstance(ruling, Refused):
        return Verdict((BuysNot(card), ruling), ruling.rule, Purchase(legal=False, price=card.value))
    left = ruling.position.prestige[0]
    data = Purchase(legal=True, price=card.value, left=left)
    return Verdict((Buys(card, card.value, left),), Rule.CANNOT_BUY, data)


def _laid_out(seats: int, points: int) -> Position:
    """Lay out a table where the first one has so many points. Raises: Unclear."""
    position = start(Options(detail=Detail.PAYMENTS), seats)
    if isinstance(position, Refused):
        raise Unclear(position)
    return replace(position, prestige=(points, *position.prestige[1:]))


def _card(word: str) -> Card:
    try:
        return parse_card(word)
    except ValueError:
        raise Unclear(NO_CARD, word=word) from None


def lies(position: Position) -> Mapping[str, Asked]:
    """Tell what lies on the table: the players, and the points of who is next."""
    rules = {
        "wild": position.options.wild.value,
        "final": "yes" if position.is_final else "no",
        "players": str(position.seats),
    }
    if position.to_move is None:
        return {"": rules}
    return {"": {**rules, "points": str(position.prestige[position.to_move]), "refused": str(position.refusals)}}


POINTS = {"points": "The prestige points of who refuses or buys; 6 where it is left out."}

QUESTION = about(
    (
        Topic(
            "bouquet",
            N_("What is this bouquet worth?"),
            keys.BOUQUET,
            bouquet,
            {
                "wild": "What a multicolour card may stand for: colour, colour_and_value or none.",
                "final": "Whether it is a Final bouquet, which counts double: yes or no.",
            },
            data=Bouquet,
        ),
        Topic(
            "refusals",
            N_("Who is paid when cards are refused?"),
            keys.REFUSALS,
            refusals,
            {"players": "How many play: who is paid when cards are refused?", **POINTS},
            is_meant=lambda words, options: "players" in options or options.keys() == {"points"},
            data=Refusals,
        ),
        Topic(
            "purchase",
            N_("Can this card be bought?"),
            keys.PURCHASE,
            purchase,
            {
                "buy": "The card on top of a pile: can it be bought?",
                "refused": "How many cards were refused in this turn already.",
                **POINTS,
            },
            is_meant=lambda words, options: "buy" in options,
            data=Purchase,
        ),
    ),
    "K3 R3 G3 B2 Y2",
    lies,
)
