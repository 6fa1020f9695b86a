"""What a tap sets going, counted: our own calls and modules, what the database is asked, and the bytes for each phone."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import FrameType
from unittest.mock import patch

import pytest
from marshmallow import Schema
from sqlalchemy import event

import companion
from benchmarks.dealt import Dealt, deal
from companion.desk import talking
from companion.desk.listening import News, newest
from companion.games import GAMES
from companion.log import sqlite
from companion.log.rows import db
from companion.tables.seating import Asker, find_table, hashed
from companion.web.line import Viewer
from companion.web.telling import Telling
from tests.house import House, secret
from tests.walk import room

OURS = f"{Path(companion.__file__).parent}/"
DOUBTED = Schema.load.__code__
PHONES = {0: "host", 1: "bohdan", 2: "katka", 3: "dalibor"}
EVENINGS, MOVES, WARM = 3, 40, 3
CALLS = {"hanabi": 351, "ikebana": 220, "rage": 177, "tally": 243, "ubongo": 197}
"""From the message to its answer, and to what the phone that tapped sees."""
TO_THE_ANSWER = 148
"""Of these, until it is committed and answered, as `tests/walk.py` follows it; in any game."""
BYTES = {"hanabi": 730, "ikebana": 390, "rage": 160, "tally": 205, "ubongo": 215}
"""That each phone is sent."""
ROOMS, FILES = 15, 40
"""The rooms of the picture, the game's own among them, and how many files these are."""


@dataclass
class Trace:
    """What was called, of ours. What is written within a function, as a comprehension, is a part of it."""

    calls: Counter[str] = field(default_factory=Counter)
    doubts: int = 0
    """What was not right at first sight, and left to marshmallow: that takes eight times as long."""

    @contextmanager
    def on(self) -> Iterator[None]:
        before = sys.getprofile()
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _note(self, frame: FrameType, what: str, _about: object) -> None:
        code = frame.f_code
        if what == "call" and code.co_filename.startswith(OURS) and not code.co_name.startswith("<"):
            self.calls[frame.f_globals["__name__"]] += 1
        elif what == "call" and code is DOUBTED:
            self.doubts += 1


def viewers_at(house: House, code: str) -> list[Viewer]:
    """Open the pages of four phones."""
    opened = []
    for seat, phone in PHONES.items():
        with house.app.test_request_context(f"/t/{code}/{seat}/line", base_url="http://127.0.0.1/"):
            opened.append(Viewer(Asker(find_table(code), hashed(secret(phone))), seat))
    return opened


def messages(dealt: Dealt, after: int, most: int | None = MOVES) -> Iterator[tuple[int, str]]:
    """Play the moves of a game: whose phone taps (the host's, where it is nobody's move), and what it says."""
    for place, move in enumerate(dealt.moves[:most]):
        form = f"after={after + place}&{move.form}"
        yield 0 if move.seat is None else move.seat, json.dumps({"key": f"{place:032}", "form": form})


@dataclass
class Tap:
    """What one tap has cost."""

    calls: Counter[str]
    to_the_answer: int
    doubts: int
    asked: list[str]
    """What the database was asked, beside the entry."""
    transactions: int
    told: Sequence[str]
    """What each phone was sent."""


@contextmanager
def database(house: House, tap: Tap) -> Iterator[None]:
    """Note what the database is asked."""

    def asked(*about: object) -> None:
        tap.asked.append(str(about[2]))

    event.listen(db.engine, "before_cursor_execute", asked)
    with patch("companion.log.sqlite.write", wraps=sqlite.write) as write:
        yield
    tap.transactions = write.call_count + sum(statement.startswith("BEGIN") for statement in tap.asked)
    event.remove(db.engine, "before_cursor_execute", asked)


def tapped(house: House, viewers: Sequence[Viewer], seat: int, message: str) -> Tap:
    """Tap on one phone; all are told."""
    own, trace = viewers[seat], Trace()
    with house.app.app_context():
        tap = Tap(trace.calls, 0, 0, [], 0, [])
        with database(house, tap):
            with trace.on():
                (answer,) = talking.at_once([(own, message)])
            tap.to_the_answer, tap.doubts = trace.calls.total(), trace.doubts
            assert answer, "what memory says yes to is answered at once"
            news: News = newest(own.code, json.loads(answer)["number"])
            with trace.on():
                first = own.look(news)
            tap.told = [first or "", *(viewer.look(news) or "" for viewer in viewers if viewer is not own)]
    return tap


def taps_of(house: House, dealt: Dealt, most: int | None = MOVES) -> list[Tap]:
    """Play the first moves of a game (None: all), from when all of it is warm."""
    code = house.open(phones=PHONES, game=dealt.game.key, **dealt.options)
    viewers = viewers_at(house, code)
    with house.app.app_context():
        for viewer in viewers:
            viewer.look(newest(code, None))
    begun = house.read(code).number
    return [tapped(house, viewers, seat, message) for seat, message in messages(dealt, begun, most)][WARM:]


@pytest.mark.parametrize("key", GAMES)
def test_a_tap_calls_little_asks_the_database_once_and_sends_little(house: House, key: str) -> None:
    house.app.extensions["companion.is_near"] = True  # whatever the disk is here
    taps = [tap for dealt in deal(key, EVENINGS) for tap in taps_of(house, dealt)]
    assert len(taps) == EVENINGS * (MOVES - WARM)
    assert {tap.transactions for tap in taps} == {1}
    assert {tap.doubts for tap in taps} == {0}
    assert [tap.asked for tap in taps] == [[]] * len(taps)
    assert median(len(text.encode()) for tap in taps for text in tap.told) <= BYTES[key]
    assert median(tap.calls.total() for tap in taps) <= CALLS[key]
    assert median(tap.to_the_answer for tap in taps) <= TO_THE_ANSWER
    assert median(len(tap.calls) for tap in taps) <= FILES
    assert median(len({room(module) for module in tap.calls}) for tap in taps) <= ROOMS


def test_the_map_names_what_a_tap_goes_through_in_this_order(house: House) -> None:
    house.app.extensions["companion.is_near"] = True
    (dealt,) = deal("rage", 1)
    *_, tap = taps_of(house, dealt, 9)
    steps = re.findall(r"^\d\. `([\w/]+)\.py`", companion.__doc__ or "", re.MULTILINE)
    named = [f"companion.{step.replace('/', '.')}" for step in steps]
    assert len(named) == 7
    assert [module for module in tap.calls if module in named] == named


@pytest.mark.parametrize("key", GAMES)
def test_what_was_foreseen_is_not_worked_out_again_when_it_is_told(house: House, key: str) -> None:
    house.app.extensions["companion.is_near"] = True
    (dealt,) = deal(key, 1)
    code = house.open(phones=PHONES, game=key, **dealt.options)
    viewers, others = viewers_at(house, code), viewers_at(house, code)
    with house.app.app_context():
        for viewer in (*viewers, *others):
            viewer.look(newest(code, None))
        for seat, message in messages(dealt, house.read(code).number, 9):
            (answer,) = talking.at_once([(viewers[seat], message)])
            news = newest(code, json.loads(answer or "")["number"])
            for viewer in viewers:
                viewer.foresee(news)
            with patch("companion.web.line.Telling") as telling, patch.object(Telling, "since") as since:
                told = [viewer.look(news) for viewer in viewers]
            assert not telling.mock_calls
            assert not since.mock_calls
            assert told == [other.look(news) for other in others]


@pytest.mark.parametrize("key", GAMES)
def test_the_end_of_a_game_asks_the_database_only_whether_people_have_gone_on(house: House, key: str) -> None:
    """What is stored with it goes with the entry, and how the table is then nobody has to read."""
    house.app.extensions["companion.is_near"] = True
    (dealt,) = deal(key, 1)
    *_, last = taps_of(house, dealt, None)
    assert house.rows("SELECT closed IS NOT NULL FROM tables") == [(1,)]
    assert [statement.split()[0] for statement in last.asked] == ["BEGIN", "SELECT"]
    assert last.transactions == 2
