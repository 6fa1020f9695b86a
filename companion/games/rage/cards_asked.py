"""What the referee of Rage is asked of cards: who wins a trick, and whether a card may be played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from companion.game import N_, Refused, Verdict
from companion.games.rage.cards import Action, BareJoker, Card, Colour, Joker, card_name, parse_card, winner
from companion.games.rage.moves import PlayCard, Rule, Turn
from companion.games.rage.position import PLAYERS, Edition, JokerTie, NoTrumpThenChange, Options, Position, Talon
from companion.games.rage.rules import judge, may_play
from companion.games.rage.tally import dealt
from companion.games.rage.whys import all_seen
from companion.kernel.frozen import replace
from companion.question import NO_CARD, Asked, Unclear, choice, is_on, parted


@dataclass(frozen=True, slots=True)
class CardWins:
    """A card of a trick wins it; `place` counts from 1."""

    card: Card
    place: int


@dataclass(frozen=True, slots=True)
class TrumpWins:
    """Because it is the highest trump."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class LedWins:
    """Because it is the highest card of the colour led."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class FirstWins:
    """Because nobody played a colour."""


@dataclass(frozen=True, slots=True)
class NoTrumpHere:
    """A no trump holds in the trick."""


@dataclass(frozen=True, slots=True)
class TrumpFromNow:
    """A colour is trump from now on."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class TrumpToTurn:
    """A new trump is turned up after the trick."""


@dataclass(frozen=True, slots=True)
class MayPlay:
    """A card may be played."""

    card: Card


@dataclass(frozen=True, slots=True)
class MayNotPlay:
    """A card may not be played."""

    card: Card
    colour: Colour


@dataclass(frozen=True, slots=True)
class OpenCards:
    """These cards of a hand may be played."""

    cards: tuple[Card, ...]


class TrickWon(TypedDict):
    """Who wins a trick, counted from 0; the trump before and after it; whether a new one is turned up."""

    winner: int
    card: str
    trump: str | None
    led: str | None
    after: str | None
    turns: bool


class Followed(TypedDict):
    """Whether a card may be played, and which cards of the hand may."""

    legal: bool
    card: str
    led: str | None
    open: list[str]


def trick(words: Sequence[str], options: Asked) -> Verdict:
    """Answer which card wins, and what is trump after the trick. Raises: Unclear."""
    cards = [_card(word) for word in words]
    if not cards:
        raise Unclear(N_("Name the cards of the trick, the first one first."), missing="words")
    if len(cards) > PLAYERS[-1]:
        raise Unclear(N_("A trick has one card of each player, at most %(most)s."), most=PLAYERS[-1])
    if BareJoker() in cards:
        raise Unclear(N_("A joker is played with its announced colour: J:Y."))
    played, turned = _played(cards, options)
    index = winner(played.trick, played.trump, played.options.joker_tie is JokerTie.LATER)
    after = _after(played, turned)
    data: TrickWon = {
        "winner": index,
        "card": card_name(cards[index]),
        "trump": _written(played.trump),
        "led": _written(played.led),
        "after": _written(after.trump),
        "turns": after.talon is Talon.DUE,
    }
    says = (CardWins(cards[index], index + 1), _why(cards[index], played), *_what_follows(played, after))
    return Verdict(says, Rule.TRICK_WINNER, data)


def _why(card: Card, played: Position) -> object:
    if isinstance(card, Action) or card.colour is None:
        return FirstWins()
    return TrumpWins(card.colour) if card.colour is played.trump else LedWins(card.colour)


def _what_follows(played: Position, after: Position) -> tuple[object, ...]:
    """Say what the trick has changed of the trump."""
    is_changed = Action.NO_TRUMP in played.trick or Action.CHANGE_OF_TRUMP in played.trick
    if not is_changed:
        return ()
    then = (TrumpFromNow(after.trump),) if after.trump else (TrumpToTurn(),) if after.talon is Talon.DUE else ()
    return (*((NoTrumpHere(),) if played.is_without_trump else ()), *then)


def _played(cards: Sequence[Card], options: Asked) -> tuple[Position, list[Card]]:
    """Let the referee rule on each card; one seat more than there are cards, so that the trick stays open.

    Returns: the position after the last card, and the talon cards that nobody needed. Raises: Unclear.
    """
    turned = [_card(word) for word in parted(options.get("turned", ""))]
    position = _round(options, len(cards) + 1)
    for card in cards:
        position = _ruled(position, PlayCard(position.to_move or 0, card))
        while position.talon is Talon.DUE:
            if not turned:
                missing = N_("A change of trump turns up a card: say which.")
                raise Unclear(missing, missing="turned", is_due=True)
            position = _ruled(position, Turn(turned.pop(0)))
    return position, turned


def _after(played: Position, turned: Sequence[Card]) -> Position:
    """Go on after the trick: a new trump is turned where one is due. Raises: Unclear."""
    talon = Talon.DUE if played.is_returning else Talon.UP
    after = replace(played, trick=(), talon=talon, is_without_trump=False, is_returning=False)
    for card in turned:
        after = _ruled(after, Turn(card))
    return after


def _round(options: Asked, seats: int) -> Position:
    """Lay out a round with its trump known and all bids in."""
    edition = choice(Edition, options, "edition", Edition.AMIGO_2000)
    first = JokerTie.EARLIER if edition is Edition.US else JokerTie.LATER
    chosen = Options(
        edition=edition,
        joker_tie=choice(JokerTie, options, "joker_tie", first),
        joker_anytime=is_on(options, "joker_anytime"),
        nt_then_ct=choice(NoTrumpThenChange, options, "nt_then_ct", NoTrumpThenChange.CT_WINS),
    )
    trump = options.get("trump")
    if trump and trump not in {colour.value for colour in Colour}:
        raise Unclear(N_("%(word)s is no colour."), word=trump)
    fresh = dealt(chosen, seats, ())
    return replace(fresh, bids=(0,) * seats, talon=Talon.UP, turned=Colour(trump) if trump else None)


def _ruled(position: Position, move: PlayCard | Turn) -> Position:
    ruling = judge(position, move)
    if isinstance(ruling, Refused):
        raise Unclear(ruling)
    return ruling.position


def follow(words: Sequence[str], options: Asked) -> Verdict:
    """Answer whether the last of these cards may be played from a hand to the others. Raises: Unclear."""
    hand = [_card(word) for word in parted(options.get("hand", ""))]
    if not hand:
        raise Unclear(N_("Name the cards of the hand."), missing="hand")
    if not words:
        raise Unclear(N_("Name the cards of the trick, and last the card to be played."), missing="words")
    lying, card = [_card(word) for word in words[:-1]], _card(words[-1])
    table = _round(options, PLAYERS[-1] + 1)
    _check_copies(table, [*lying, *hand, *([] if _holds(hand, card) else [card])])
    led = replace(table, trick=tuple(lying)).led
    refused = may_play(hand, led, card, table.options)
    fitting = tuple(held for held in hand if not may_play(hand, led, held, table.options))
    says = MayNotPlay(card, led) if refused and led else MayPlay(card)
    data: Followed = {
        "legal": refused is None,
        "card": card_name(card),
        "led": _written(led),
        "open": [card_name(held) for held in fitting],
    }
    return Verdict((says, OpenCards(fitting)), Rule.FOLLOW_COLOUR, data)


def _holds(hand: Sequence[Card], card: Card) -> bool:
    return card in hand or (isinstance(card, Joker) and any(isinstance(held, Joker) for held in hand))


def _check_copies(table: Position, cards: Sequence[Card]) -> None:
    """Refuse cards of which there are not so many, naming the first. Raises: Unclear."""
    for card in cards:
        if not table.left(card):
            named = BareJoker() if isinstance(card, Joker) else card
            raise Unclear(Refused(Rule.CARD_TWICE, {"card": named, "seen": all_seen(table, card)}))
        table = replace(table, seen=(*table.seen, card))


def _card(word: str) -> Card:
    try:
        return parse_card(word)
    except ValueError:
        raise Unclear(NO_CARD, word=word) from None


def _written(colour: Colour | None) -> str | None:
    return colour.value if colour else None
