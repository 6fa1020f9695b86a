"""Nothing stands on a page that belongs to another time: not on a fresh game's, and not on a finished one's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.games import GAMES
from tests.pages.places import SETTINGS, Setting, record_of
from tests.web.conftest import NAMES, Phone
from tests.web.page import Page

FINISHED = [setting for setting in SETTINGS if 1 in setting.far]
OF_A_RUNNING_GAME = (
    "Join in",
    "pace",
    "still possible",
    "Last copies",
    "Trump",
    "– next",
    "in the deck",
    "leads first",
)
"""Who is finished is asked in to nothing, paces nothing, reaches nothing more, and nobody is next."""
HYPHEN = re.compile(r"(?<![\w.:/#=–-])[-–]\d")
"""A minus that is none."""


def at_the_end(phone: Phone, setting: Setting) -> dict[str, Page]:
    """Bring a finished game here; give its pages."""
    answer = phone.asks("/api/records", "POST", json=record_of(setting, 1))
    phone.client.set_cookie("phone", answer.json["token"])
    phone.code = answer.json["table"]["code"]
    pages = ("0", "screen", "result", "history", "steps?at=9999", "seats")
    return {page: phone.reads(f"/t/{{code}}/{page}") for page in pages if page != "steps?at=9999"}


@pytest.mark.parametrize("setting", FINISHED, ids=lambda setting: setting.game)
def test_a_finished_game_shows_nothing_of_a_running_one(phone: Callable[..., Phone], setting: Setting) -> None:
    pages = at_the_end(phone(), setting)
    for name in ("0", "screen"):
        text = pages[name].one("main").text
        assert [word for word in OF_A_RUNNING_GAME if word in text] == [], name
        # The arrow of who is to move is drawn beside whatever is `next`.
        assert not [one for one in pages[name].elements if "next" in (one.attrs.get("class") or "").split()], name
        assert not [one for one in pages[name].elements if "invite" in (one.attrs.get("class") or "").split()], name


@pytest.mark.parametrize("setting", FINISHED, ids=lambda setting: setting.game)
def test_every_minus_is_one(phone: Callable[..., Phone], setting: Setting) -> None:
    for name, page in at_the_end(phone(), setting).items():
        assert HYPHEN.findall(page.text) == [], name


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if not game.is_shared])
def test_nobody_has_a_place_before_anybody_is_ahead(phone: Callable[..., Phone], game: str) -> None:
    host = phone()
    host.opens(game, names=NAMES[:3])
    for page in ("0", "screen"):
        assert "place 1" not in host.reads(f"/t/{{code}}/{page}").text


def test_places_come_with_the_first_that_is_ahead(phone: Callable[..., Phone]) -> None:
    host: Any = phone()
    host.opens("rage", names=NAMES[:3], i_sit="")
    for seat in range(3):
        host.taps("bid", seat=seat, tricks=3)
    host.taps("tally", seat=0, **{"tricks-0": 3, "tricks-1": 3, "tricks-2": 4})
    text = host.reads("/t/{code}/0").text
    assert text.count("place 1") == 2
    assert "place 3" in text
