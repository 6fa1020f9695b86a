"""What one seat of Hanabi may see and do. Nobody's cards are in it: the referee does not know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any, TypedDict

from companion.game import Refused, Seat
from companion.games.hanabi import hands, scoring
from companion.games.hanabi.cards import VALUES, Card, Colour, Suit
from companion.games.hanabi.deck import CardSet, Deck, bits_of, card_set, deck_of, joined
from companion.games.hanabi.hands import HeldCard
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.options import Options
from companion.games.hanabi.position import FULL, Ending, Hand, Position, Result, Tile
from companion.games.hanabi.rewards import is_hint_open, may_lie_discarded, recoverable
from companion.games.hanabi.scoring import Tier
from companion.games.hanabi.turns import not_on_turn
from companion.kernel.frozen import replace
from companion.kernel.once import once, part


class Phase(Enum):
    """What the table is doing."""

    TURN = "turn"
    """Somebody hints, discards or plays."""
    REWARD = "reward"
    """Somebody reveals a reward tile."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Firework:
    """One firework, and the discarded cards of its colour."""

    colour: Colour
    is_falling: bool
    """Built from 5 down to 1: black powder."""
    built: int
    """How many cards lie in it."""
    top: int | None
    """The value of the last one; None while it is empty."""
    next: Card | None
    """The card that fits; None when it is complete."""
    discards: tuple[int, ...]
    """Discarded copies of the values 1 to 5."""
    copies: tuple[int, ...]
    """All copies of the values 1 to 5 that there are."""
    reach: int
    """How many cards can still lie in it: 5, unless every copy of one is lost, and the table wants it marked."""


@dataclass(frozen=True, slots=True)
class Player:
    """One seat, as everybody sees it."""

    seat: int
    is_next: bool
    hand: tuple[HeldCard, ...]
    arranged: tuple[int, ...]
    """What was where before the hand was put in this order: another one says that cards have changed places."""


@dataclass(frozen=True, slots=True)
class RewardChoice:
    """What can be done with the tile that is due."""

    tiles: tuple[Tile, ...]
    """Those that are not revealed yet: one of them comes up."""
    discarded: tuple[Card, ...]
    """What T5 may shuffle in: cards that lie in the discard pile, or may be among those that nobody named."""
    fitting: tuple[Card, ...]
    """What T6 may build, of the same cards."""
    named: tuple[Tile, ...]
    """Those that need a card's name now; without it T5 takes one that nobody named, and T6 is lost."""
    may_be_built: bool
    """Whether T5 may be used as T6: the deck is empty."""
    lost: tuple[Tile, ...]
    """Those that would come to nothing now."""


class Mentioned(TypedDict, total=False):
    """What is said with a reason: who is on turn, or how many tokens there are."""

    seat: Seat
    tokens: int


@dataclass(frozen=True, slots=True)
class Barred(Refused):
    """Why something may not be done now."""

    facts: Mentioned = field(default_factory=Mentioned)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a seat may do now; for the spectator's screen, what the seat on turn may."""

    hint_barred: Barred | None
    """Why no hint may be given; None if one may."""
    discard_barred: Barred | None
    play_barred: Barred | None
    targets: tuple[int, ...]
    """Whom a hint may go to: the other seats that hold cards."""
    colours: tuple[Colour, ...]
    """The colours that a hint may name."""
    values: tuple[int, ...]
    may_hint_nothing: bool
    next_cards: tuple[Card, ...]
    """The cards that fit now."""
    left: tuple[Card, ...]
    """The cards of which a copy is neither built nor discarded: what may be named."""
    reward: RewardChoice | None
    """None unless a tile is due."""


@dataclass(frozen=True, slots=True)
class Aids:
    """What helps the table to reckon; each is None where it plays without."""

    turns_left: int | None
    """None before the last card is drawn, too."""
    max_score: int | None
    """The highest score that can still be reached, or more: a bound by what is known."""
    pace: int | None
    """Turns that may pass without a card played; None in the endless variant, and once the last card is drawn."""
    critical: tuple[Card, ...] | None
    """The cards of which one copy is left, and which can still be built; None, too, while nobody knows, for some
    discarded cards were not named."""


@dataclass(frozen=True, slots=True)
class View:
    """The page of one seat (None: the spectator's screen)."""

    seat: int | None
    phase: Phase
    options: Options
    to_move: int | None
    players: tuple[Player, ...]
    """One per seat, clockwise from seat 0."""
    tokens: int
    """Hint tokens available, of `options.hint_tokens`."""
    errors: int
    """The one numbered `options.errors_allowed` ends the game."""
    deck: int
    is_final_round: bool
    """Whether the last card is drawn and turns are counted."""
    fireworks: tuple[Firework, ...]
    tiles: tuple[Tile, ...]
    """Reward tiles revealed so far."""
    unnamed: int
    """Discarded cards that nobody named."""
    choices: Choices
    aids: Aids
    score: int
    raw: int
    """The sum of the fireworks, also after a defeat."""
    tier: Tier | None
    """None in the endless variant."""
    result: Result
    ending: Ending


def view(position: Position, seat: int | None) -> View:
    """Show the play to a seat, or to everyone (None)."""
    shown = _shown(position)
    return shown if seat is None else replace(shown, **own(position, seat))


def own(position: Position, seat: int) -> Mapping[str, Any]:
    """Show what is a seat's own."""
    choices = _shown(position).choices
    return {"seat": seat, "choices": choices if seat == position.turn else _elsewhere(position, seat, choices)}


@once
def _shown(position: Position) -> View:
    """Show the play to everyone, who may choose as whoever's turn it is."""
    total, is_marked = scoring.score(position), scoring.is_loss_marked(position)
    pile_of = partial(_pile, is_marked, len(scoring.returning(position)))
    piles = tuple(map(pile_of, position.suits, position.fireworks, position.discards))
    deck = deck_of(position.options, position.suits)
    left = card_set(deck, joined([pile.left for pile in piles]))
    return View(
        seat=None,
        phase=_phase(position),
        options=position.options,
        to_move=position.to_move,
        players=_players(position, deck, left),
        tokens=position.tokens,
        errors=position.errors,
        deck=position.deck,
        is_final_round=position.turns_left is not None,
        fireworks=tuple([pile.firework for pile in piles]),
        tiles=position.tiles,
        unnamed=position.unnamed,
        choices=_choices(position, piles, left),
        aids=_aids(position, card_set(deck, joined([pile.critical for pile in piles]))),
        score=total,
        raw=scoring.raw(position),
        tier=None if position.options.endless else scoring.tier(total),
        result=position.result,
        ending=position.ending,
    )


@dataclass(frozen=True, slots=True)
class Pile:
    """One firework, and sets of its cards."""

    firework: Firework
    left: int
    """Those of which a copy is neither built nor discarded."""
    critical: int
    """Those of which one copy is left, and that are worth keeping: no card before them is lost for good."""


@part
def _pile(is_marked: bool, returns: int, suit: Suit, built: int, discards: tuple[int, ...]) -> Pile:
    top = suit.value(built - 1) if built else None
    following = suit.card(built) if built < FULL else None
    reach = scoring.reachable(suit, built, discards, returns)
    shown = reach if is_marked else FULL
    firework = Firework(suit.colour, suit.is_falling, built, top, following, discards, suit.copies, shown)
    copies = {value: suit.left(value, built, discards[value - 1]) for value in VALUES}
    within = [suit.value(place) for place in range(built, reach)]
    return Pile(
        firework,
        left=bits_of([value for value in VALUES if copies[value]]),
        critical=bits_of([value for value in within if copies[value] == 1]),
    )


def _choices(position: Position, piles: tuple[Pile, ...], left: CardSet) -> Choices:
    """Tell what the seat on turn may do."""
    seat, options = position.turn, position.options
    barred = _barred(position, seat)
    return Choices(
        hint_barred=barred or _hint_barred(position, seat),
        discard_barred=barred or _discard_barred(position, seat),
        play_barred=barred or _empty_handed(position, seat),
        targets=_targets(position.hands, seat),
        colours=options.nameable_colours,
        values=tuple(VALUES),
        may_hint_nothing=options.may_hint_nothing,
        next_cards=tuple([pile.firework.next for pile in piles if pile.firework.next]),
        left=left.cards,
        reward=_reward(position),
    )


def _elsewhere(position: Position, seat: int, choices: Choices) -> Choices:
    """Tell what another seat than the one on turn may do: nothing but to wait."""
    barred = _barred(position, seat)
    targets = _targets(position.hands, seat)
    return replace(choices, hint_barred=barred, discard_barred=barred, play_barred=barred, targets=targets)


@part
def _targets(hands: tuple[Hand, ...], seat: int) -> tuple[int, ...]:
    return tuple([to for to, hand in enumerate(hands) if hand and to != seat])


def _aids(position: Position, critical: CardSet) -> Aids:
    options = position.options
    is_paced = options.aid_pace and not options.endless and position.turns_left is None
    most = scoring.at_most(position)
    return Aids(
        turns_left=position.turns_left if options.aid_turns_left else None,
        max_score=most if options.aid_max_score else None,
        pace=scoring.pace(position, most) if is_paced else None,
        critical=critical.cards if options.aid_critical and not position.unnamed else None,
    )


def _phase(position: Position) -> Phase:
    if position.is_finished:
        return Phase.OVER
    return Phase.REWARD if position.is_reward_due else Phase.TURN


def _players(position: Position, deck: Deck, left: CardSet) -> tuple[Player, ...]:
    to_move, is_heard, is_marked = position.to_move, position.options.aid_hints, position.options.aid_can_be
    return tuple(
        [
            Player(
                seat,
                seat == to_move,
                hands.shown(deck, left, is_marked, hand) if is_heard else hands.unheard(hand),
                position.arranged[seat],
            )
            for seat, hand in enumerate(position.hands)
        ]
    )


def _barred(position: Position, seat: int) -> Barred | None:
    """Say why a seat may neither hint nor discard nor play. Must agree with `rules.judge`."""
    if position.is_finished:
        return Barred(Rule.GAME_OVER)
    refused = not_on_turn(position, seat)
    return Barred(refused.rule, {"seat": Seat(position.turn)}) if refused else None


def _hint_barred(position: Position, seat: int) -> Barred | None:
    """Must agree with `hints.judge_hint`."""
    if not position.tokens:
        return Barred(Rule.NO_TOKEN)
    return None if position.holds_elsewhere(seat) else Barred(Rule.NOBODY_TO_HINT)


def _discard_barred(position: Position, seat: int) -> Barred | None:
    """Must agree with `plays.judge_discard`."""
    if position.tokens == position.options.hint_tokens:
        return Barred(Rule.ALL_TOKENS, {"tokens": position.tokens})
    return _empty_handed(position, seat)


def _empty_handed(position: Position, seat: int) -> Barred | None:
    return None if position.hands[seat] else Barred(Rule.NO_CARDS)


def _reward(position: Position) -> RewardChoice | None:
    if not position.is_reward_due:
        return None
    discarded = tuple(card for card in position.cards() if may_lie_discarded(position, card))
    fitting = tuple(card for card in position.next_cards() if card in discarded)
    lost = {
        Tile.T3: not is_hint_open(position, Tile.T3),
        Tile.T4: not is_hint_open(position, Tile.T4),
        Tile.T5: not discarded,
        Tile.T6: not fitting,
    }
    named = {Tile.T5: not position.unnamed, Tile.T6: bool(recoverable(position))}
    tiles = tuple(tile for tile in Tile if tile not in position.tiles)
    return RewardChoice(
        tiles=tiles,
        discarded=discarded,
        fitting=fitting,
        named=tuple(tile for tile in tiles if named.get(tile) and not lost[tile]),
        may_be_built=not position.deck,
        lost=tuple(tile for tile in tiles if lost.get(tile)),
    )
