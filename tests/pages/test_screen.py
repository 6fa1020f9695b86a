"""Nobody scrolls a television: all that the spectators' screen has to show is on it, when it has most to show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from companion.games.hanabi.cards import VALUES, Card
from companion.games.hanabi.deck import touches
from companion.games.hanabi.moves import Discard, Hint
from companion.play import Asked, Play
from companion.testing import kit
from tests.pages.places import SETTINGS, Setting, record_of, table_of, written
from tests.pages.test_stage import Wall
from tests.phones import Phone

HANABI = SETTINGS[0]
"""With all fireworks."""
IKEBANA, RAGE, UBONGO = Setting("ikebana", 5, ()), Setting("rage", 8, ()), Setting("ubongo", 4, ())
SIZES = ((1280, 720), (1920, 1080), (1024, 768))
"""Televisions, as their browsers count, and a tablet on its side."""


def told(setting: Setting) -> dict[str, Any]:
    """Deal Hanabi; hint whenever there is a token, and discard otherwise: hands and pile fill with things to show."""
    rng, table = Random(3), table_of(setting)
    play, plays = table.begin(), []
    start = play.position
    deck = [
        Card(suit.colour, value)
        for suit in start.suits
        for value, copies in zip(VALUES, suit.copies, strict=True)
        for _ in range(copies)
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
    return written(setting, plays)


def fullest(setting: Setting, much: Callable[[Any], int]) -> dict[str, Any]:
    """Play some random evenings; give one as far as the moment when there is most of something."""
    evenings = [list(kit.play_on(table_of(setting), Random(seed))) for seed in range(8)]
    moments = [plays[: at + 1] for plays in evenings for at in range(len(plays)) if not plays[at].position.is_finished]
    return written(setting, max(moments, key=lambda plays: much(plays[-1].position)))


SCREENS: dict[str, Callable[[], dict[str, Any]]] = {
    "hanabi: hints and discards": lambda: told(HANABI),
    "ikebana: bouquets": lambda: fullest(IKEBANA, lambda at: sum(map(len, at.bouquets))),
    "rage: a trick": lambda: fullest(RAGE, lambda at: len(at.trick)),
    "ubongo: calls": lambda: fullest(UBONGO, lambda at: len(at.calls)),
    **{f"{one.game}: the end": partial(record_of, one, 1) for one in (HANABI, IKEBANA, RAGE, UBONGO)},
}
"""What there is most of -> the record of how it came."""


@pytest.mark.parametrize("played", SCREENS.values(), ids=SCREENS)
def test_all_is_on_the_screen(phone: Callable[..., Phone], played: Callable[[], dict[str, Any]]) -> None:
    """In Polish, whose words are long; and what a desk shows of the same moment later, move by move."""
    wall = phone("Desktop Chrome", locale="pl", reduced_motion="reduce")
    record = played()
    code = wall.asks("POST", "/records", record)["table"]["code"]
    wall.opens(f"/t/{code}/screen")
    faults: list[str] = []
    for size in SIZES:
        wall.page.set_viewport_size({"width": size[0], "height": size[1]})
        faults += Wall(wall, size).faults("fullest")
    assert faults == []
    wall.opens(f"/t/{code}/steps?at={len(record['moves'])}")
    assert wall.page.evaluate(
        "document.querySelector('.then > .wall').scrollHeight <= document.querySelector('.then').clientHeight"
    )
