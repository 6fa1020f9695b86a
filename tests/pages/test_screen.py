"""Nobody scrolls a television: all that the spectators' screen has to show is on it, when it has most to show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from companion.games.hanabi.cards import VALUES
from companion.games.hanabi.hints import touches
from companion.games.hanabi.moves import Discard, Hint
from companion.play import Asked, Play
from tests import kit
from tests.pages.places import Setting, table_of, written
from tests.phones import Phone

ALL_FIREWORKS = (("edition", "pl"), ("multicolour", 10), ("black_powder", True), ("flamboyants", True))
HANABI, IKEBANA = Setting("hanabi", 5, (), ALL_FIREWORKS), Setting("ikebana", 5, ())
RAGE, UBONGO = Setting("rage", 8, ()), Setting("ubongo", 4, ())
SIZES = ((1280, 720), (1920, 1080), (960, 540), (1024, 768))
"""Televisions, as their browsers count, and a tablet on its side."""
OUTSIDE = """() => [...document.querySelectorAll(".top *, .wall *")]
  .filter((part) => part.checkVisibility() && !part.closest(".vh, svg *, nav"))
  .map((part) => [part, part.getBoundingClientRect()])
  .filter(([part, { right, bottom }]) => right > innerWidth + 1 || bottom > innerHeight + 1)
  .map(([part]) => part.outerHTML.slice(0, 100))"""

UPON_ANOTHER = """() => {
  const side = document.querySelector(".wall-side");
  const box = side.getBoundingClientRect();
  const meets = ({ left, right, top, bottom }) =>
    left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
  return [...document.querySelectorAll(".wall *")]
    .filter((part) => part.checkVisibility() && !part.closest(".vh, svg *") && !part.contains(side) && !side.contains(part))
    .filter((part) => meets(part.getBoundingClientRect()))
    .map((part) => part.outerHTML.slice(0, 100));
}"""


def told(setting: Setting) -> list[Play[Any]]:
    """Deal Hanabi; hint whenever there is a token, and discard otherwise: hands and pile fill with things to show."""
    rng, table = Random(3), table_of(setting)
    play, plays = table.begin(), []
    start = play.position
    deck = [
        suit.card(place)
        for suit in start.suits
        for place in range(5)
        for _ in range(suit.copies[suit.value(place) - 1])
    ]
    rng.shuffle(deck)
    hands = [[deck.pop() for _ in hand] for hand in start.hands]
    for number in range(1, 60):
        seat = play.position.to_move
        if play.position.tokens:
            to = (seat + rng.randrange(1, setting.seats)) % setting.seats
            clue = rng.choice([*play.position.options.nameable_colours, *VALUES])
            slots = tuple(at for at, card in enumerate(hands[to]) if touches(play.position.options, clue, card))
            said = {"value": clue} if isinstance(clue, int) else {"colour": clue}
            move: Any = Hint(seat, to, **said, slots=slots)
        else:
            move = Discard(seat, 0, hands[seat].pop(0))
            hands[seat].append(deck.pop())
        ruling = play.judge(Asked(number, move))
        assert isinstance(ruling, Play)
        plays.append(play := ruling)
    return plays


def fullest(setting: Setting, much: Callable[[Any], int]) -> list[Play[Any]]:
    """Play some random evenings; give one as far as the moment when there is most of something."""
    evenings = [list(kit.play_on(table_of(setting), Random(seed))) for seed in range(8)]
    moments = [plays[: at + 1] for plays in evenings for at in range(len(plays)) if not plays[at].position.is_finished]
    return max(moments, key=lambda plays: much(plays[-1].position))


def ended(setting: Setting) -> list[Play[Any]]:
    """Play a random evening to its end."""
    return list(kit.play_on(table_of(setting), Random(3)))


SCREENS = {
    "hanabi: hints and discards": (HANABI, lambda: told(HANABI)),
    "ikebana: bouquets": (IKEBANA, lambda: fullest(IKEBANA, lambda at: sum(map(len, at.bouquets)))),
    "rage: a trick": (RAGE, lambda: fullest(RAGE, lambda at: len(at.trick))),
    "ubongo: calls": (UBONGO, lambda: fullest(UBONGO, lambda at: len(at.calls))),
    **{f"{one.game}: the end": (one, partial(ended, one)) for one in (HANABI, IKEBANA, RAGE, UBONGO)},
}
"""What there is most of -> whose screen, and how it came."""


@pytest.mark.parametrize(("setting", "played"), SCREENS.values(), ids=SCREENS)
def test_all_is_on_the_screen(
    phone: Callable[..., Phone], setting: Setting, played: Callable[[], list[Play[Any]]]
) -> None:
    """In Polish, whose words are long; and what a desk shows of the same moment later, move by move."""
    wall = phone("Desktop Chrome", locale="pl")
    plays = played()
    code = wall.asks("POST", "/records", written(setting, plays))["table"]["code"]
    wall.opens(f"/t/{code}/screen")
    wrong = {}
    for width, height in SIZES:
        wall.page.set_viewport_size({"width": width, "height": height})
        wrong[width, height] = wall.page.evaluate(OUTSIDE) + wall.page.evaluate(UPON_ANOTHER)
    wall.opens(f"/t/{code}/steps?at={len(plays)}")
    assert wrong == {size: [] for size in SIZES}
    assert wall.page.evaluate(UPON_ANOTHER) == []
