"""A taught first round on a phone: each step is read on the page and on the screen, and no key moves for it."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from companion.games import GAMES
from companion.play import Asked, Play
from companion.record import opened, read_move
from companion.words import Lesson, Voice, lesson_on
from tests.pages.places import Setting
from tests.pages.test_key_area import LANGUAGES, NAMES, Seat, played
from tests.phones import Phone

SIZE = (360, 640)
SETTINGS = (
    Setting("hanabi", 5, (), (("detail", "cards"),)),
    Setting("ikebana", 4, (), (("detail", "cards"),)),
    Setting("rage", 8, ()),
    Setting("ubongo", 4, ()),
)
SEEN = """() => {
  const lesson = document.querySelector(".lesson");
  return lesson && lesson.checkVisibility() ? lesson.innerText.replace(/\\s+/g, " ").trim() : "";
}"""
OVERFLOWS = """() => {
  const wall = document.querySelector(".wall").getBoundingClientRect();
  const stage = [...document.querySelectorAll(".wall > *")].map((part) => part.getBoundingClientRect());
  return stage.some((part) => part.bottom > wall.bottom + 1 || part.right > wall.right + 1);
}"""
AFTER = 3
"""So many moves after the last lesson are looked at, too."""


LEAST = 3
"""So many moves at least are explained; a count of Ubongo's gems would end it at once."""


def first_round(setting: Setting, chance: random.Random) -> list[tuple[dict[str, Any], Play[Any]]]:
    """Play a random first round; give its moves and where each of them led, and a few of the next."""
    game, found, silent = GAMES[setting.game], [], 0
    play = opened(game, dict(setting.options), setting.seats)
    for number, move in enumerate(played(setting, chance), 1):
        ruling = play.judge(Asked(number, read_move(game, setting.seats, move)))
        assert isinstance(ruling, Play)
        play = ruling
        found.append((move, play))
        silent += expected(play, [1], "en") is None
        if silent > AFTER:
            break
    return found


def expected(play: Play[Any], seats: list[int], language: str) -> Lesson | None:
    """Find what is explained to who acts for these seats."""
    game = play.game
    assert game.lesson
    card = game.rule_card(game.options.load(dict(play.options)), False)
    return lesson_on(game.lesson(play.position, seats), card, Voice(game.words, NAMES, language))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.game)
def test_each_step_is_read_and_no_key_moves(phone: Callable[..., Phone], is_long: bool, setting: Setting) -> None:
    seed = random.SystemRandom().randrange(10**6)
    languages = list(LANGUAGES) if is_long else [list(LANGUAGES)[seed % len(LANGUAGES)]]
    print(f"seed {seed}, {languages}")
    chance = random.Random(seed)
    moves = first_round(setting, chance)
    while sum(expected(play, [1], "en") is not None for _move, play in moves) < LEAST:
        moves = first_round(setting, chance)
    for language in languages:
        walk(partial(phone, locale=language), setting, moves, language)


def walk(
    make: Callable[..., Phone], setting: Setting, moves: list[tuple[dict[str, Any], Play[Any]]], language: str
) -> None:
    """Play by the API; look at the page of a seat, and at the screen."""
    size = {"width": SIZE[0], "height": SIZE[1]}
    host, own = (make(viewport=size, device_scale_factor=1) for _ in range(2))
    screen = make(viewport={"width": 1280, "height": 720}, is_mobile=False, has_touch=False)
    wish = {"game": setting.game, "players": list(NAMES[: setting.seats]), "options": dict(setting.options)}
    code = host.asks("POST", "/tables", {**wish, "is_taught": True})["table"]["code"]
    for number, one in enumerate((host, own)):
        one.asks("PUT", f"/tables/{code}/seats/{number}", {"name": ""})
    seat = Seat(1, own, SIZE)
    own.opens(f"/t/{code}/1")
    own.is_live()
    screen.opens(f"/t/{code}/screen")
    screen.is_live()
    read = set()
    for move, play in moves:
        by = own if move.get("seat") == 1 else host
        answer = by.asks("POST", f"/tables/{code}/moves", move)
        for one, seats in ((own, [1]), (screen, [])):
            Seat(0, one, SIZE).shows(answer["number"])
            lesson = expected(play, seats, language)
            seen = one.page.evaluate(SEEN)
            assert seen.startswith(" ".join(lesson["text"].split())) if lesson else not seen
            read.add(seen)
        assert not screen.page.evaluate(OVERFLOWS)
        assert list(seat.faults(acts=False)) == [], move
    assert len(read) > 1
    assert "" in read
