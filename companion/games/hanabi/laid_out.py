"""The table that a question to the referee of Hanabi is about: its cards, its fireworks, its discard pile."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import N_, Refused
from companion.games.hanabi.cards import Card, Colour, parse_card
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.options import Edition, EmptyHint, Multicolour, MulticolourHint, Options
from companion.games.hanabi.plays import refused_copy, with_discarded
from companion.games.hanabi.position import PLAYERS, Position
from companion.games.hanabi.rules import start
from companion.kernel.frozen import replace
from companion.question import NO_CARD, NO_CHOICE, Asked, Unclear, choice, is_on, parted


def started(options: Asked) -> Position:
    """Lay out the game without anything played. Raises: Unclear."""
    wild, empty = options.get("multicolour_hint"), options.get("empty_hint")
    chosen = Options(
        edition=choice(Edition, options, "edition", Edition.CS),
        multicolour=_multicolour(options.get("multicolour", "0")),
        multicolour_hint=choice(MulticolourHint, options, "multicolour_hint", MulticolourHint.OWN) if wild else None,
        black_powder=is_on(options, "black_powder"),
        empty_hint=EmptyHint(is_on(options, "empty_hint")) if empty else None,
    )
    position = start(chosen, PLAYERS[0])
    if isinstance(position, Refused):
        raise Unclear(position)
    return position


def laid_out(options: Asked) -> Position:
    """Lay out the fireworks and the discard pile. Raises: Unclear."""
    position = started(options)
    built: dict[Colour, int] = {}
    for word in parted(options.get("fireworks", "")):
        top = known(position, word)
        if top.colour in built:
            raise Unclear(N_("%(word)s: that firework is named twice."), word=word)
        built[top.colour] = top.value
    heights = (suit.place(built[suit.colour]) + 1 if suit.colour in built else 0 for suit in position.suits)
    position = replace(position, fireworks=tuple(heights))
    return without(position, [known(position, word) for word in parted(options.get("discards", ""))])


def without(position: Position, cards: Sequence[Card]) -> Position:
    """Lay cards on the discard pile; of each there must be a copy left. Raises: Unclear, naming the first."""
    for one in cards:
        if refused := refused_copy(position, one):
            raise Unclear(refused)
        position = with_discarded(position, one)
    return position


def known(position: Position, word: str) -> Card:
    """Read a card of this game. Raises: Unclear, naming it."""
    try:
        found = parse_card(word)
    except ValueError:
        raise Unclear(NO_CARD, word=word) from None
    if position.index(found) is None:
        raise Unclear(Refused(Rule.NO_SUCH_CARD, {"card": found}))
    return found


def _multicolour(word: str) -> Multicolour:
    found = next((many for many in Multicolour if str(many.value) == word), None)
    if found is None:
        raise Unclear(NO_CHOICE, word=word, allowed="0, 5, 10")
    return found
