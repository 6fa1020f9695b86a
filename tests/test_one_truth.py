"""Promise 3: after every step of random plays the log, the page, the API, the spreadsheet and the sheet say the same.

The rules are asked beside the table: each step is made there, too, and every way out of the house is held to what they
say. The sheet is printed, and its totals are read out of the PDF.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import record
from companion.drawing.paper import typeset
from companion.games import GAMES
from companion.log import Readings
from companion.play import Asked, Broken, Play
from companion.printing import Printer
from companion.testing import kit
from tests.databases import Database, Lite
from tests.house import House, secret, walked
from tests.proofs import text
from tests.web.page import Page

NAMES = ["Žofie", "Bo", "Cyril"]


Rows = list[list[str]]
"""What belongs to each seat, seat 0 first; [] where nothing is counted yet."""


def numbers(words: str) -> list[str]:
    return re.findall(r"[−-]?\d+", words)


def between(read: str, start: str, end: str) -> str:
    return read[read.index(start) + len(start) :].split(end, maxsplit=1)[0]


def places(play: Play[Any]) -> list[Any]:
    return list(play.game.standing(play.position).places)


def scores(play: Play[Any]) -> Rows:
    """Write the score of every seat."""
    return [[typeset(place.score)] for place in sorted(places(play), key=lambda place: place.seat)]


def gems(play: Play[Any]) -> Rows:
    """Write how many gems every seat has, colour by colour."""
    return [[*map(str, seat)] for seat in play.position.gems]


def sorted_gems(play: Play[Any]) -> Rows:
    """Write the same as they are compared."""
    return [[*map(str, sorted(seat, reverse=True))] for seat in play.position.gems if any(map(any, play.position.gems))]


def after_a_round(play: Play[Any]) -> Rows:
    """Write the scores as they were when the last round ended."""
    plays = [play.until(step) for step in [None, *play.moves()]]
    ends = [after for before, after in pairwise(plays) if rounds(after) > rounds(before)]
    return scores(ends[-1]) if ends else []


def rounds(play: Play[Any]) -> int:
    """Count the rounds that are over."""
    return len(
        play.game.summary(play.position)[{"rage": "rounds", "ikebana": "bouquets", "tally": "rounds"}[play.game.key]]
    )


def rage_on_paper(read: str) -> Rows:
    """After the word come each seat's total, its exact bids and its place."""
    foot = re.sub(r"^\s*after \d+", "", between(read, "\nTotal", "\na bid"))
    return [[total] for total in numbers(foot)[::3]]


def tally_on_paper(read: str) -> Rows:
    """The totals stand above the places."""
    return [[total] for total in numbers(between(read, "\nTotal", "\nPlace"))]


def hanabi_on_paper(read: str) -> Rows:
    """The score stands below the bands, before their names; it is shared."""
    return [numbers(between(read, "21–24 25\n", " a flop"))] * len(NAMES)


def ikebana_on_paper(read: str) -> Rows:
    """The prestige closes the line of a bouquet; there is one a seat in every round."""
    lines = [line for line in read.splitlines() if re.match(r"[A-Z] \d [A-Z] \d ", line)]
    return [line.split()[-1:] for line in lines[-len(NAMES) :]]


def ubongo_on_paper(read: str) -> Rows:
    """The counts of all seats, six each, each behind its place in the order."""
    found = numbers(between(read, "\nSorted", "\nPlace"))
    counts = found[1::2] if len(found) > COLOURS * len(NAMES) else []
    return [counts[first : first + COLOURS] for first in range(0, len(counts), COLOURS)]


def points_on_screen(page: Page, _play: Play[Any]) -> Rows:
    """Read the points of every seat; a round that ends, and the play that goes on, must show the same."""
    stages: list[list[tuple[int, str]]] = []
    seat = -1
    for element in page.elements:
        classes = (element.attrs.get("class") or "").split()
        if "stage" in classes:
            stages.append([])
        seat = int(element.attrs.get("data-seat") or seat)
        if "points" in classes:
            stages[-1].append((seat, element.text))
    first, *others = (sorted(stage) for stage in stages if stage)
    assert others in ([], [first])
    assert [seat for seat, _ in first] == [*range(len(NAMES))]
    return [[points] for _, points in first]


def shared_points_on_screen(page: Page, play: Play[Any]) -> Rows:
    """Read the points that all have together."""
    return [[page.all(class_="points")[0].text]] * len(NAMES)


def gems_on_screen(page: Page, play: Play[Any]) -> Rows:
    """Read the gems of every seat; at the end the rows stand by place."""
    counts = [element.text for element in page.all("td", class_="gem-count")]
    rows = [element.attrs["data-seat"] for element in page.all("tr") if "data-seat" in element.attrs]
    if not rows:
        # While a glass runs, the screen shows who has called, and nobody's gems.
        assert play.game.view(play.position, None).phase.value == "solving"
        return gems(play)
    by_seat = {seat: counts[COLOURS * row : COLOURS * row + COLOURS] for row, seat in enumerate(rows)}
    return [by_seat[str(seat)] for seat in range(len(NAMES))]


COLOURS = 6
ON_SCREEN: dict[str, tuple[Callable[[Page, Play[Any]], Rows], Callable[[Play[Any]], Rows]]] = {
    "hanabi": (shared_points_on_screen, scores),
    "ikebana": (points_on_screen, scores),
    "rage": (points_on_screen, scores),
    "tally": (points_on_screen, scores),
    "ubongo": (gems_on_screen, gems),
}
"""Game -> how its screen is read, and what the rules say that it must be."""
ON_PAPER: dict[str, tuple[Callable[[str], Rows], Callable[[Play[Any]], Rows]]] = {
    "hanabi": (hanabi_on_paper, scores),
    "ikebana": (ikebana_on_paper, after_a_round),
    "rage": (rage_on_paper, after_a_round),
    "tally": (tally_on_paper, after_a_round),
    "ubongo": (ubongo_on_paper, sorted_gems),
}
OPTIONS: dict[str, dict[str, Any]] = {"ubongo": {"glass_s": 600}}
"""The sand must not run out while programs play."""
NOT_YET = {"time_up", "count"}
"""Moves that the clock would refuse, or that end the game at once."""


class Evening:
    """A table that programs play, and the same play by the rules alone."""

    def __init__(self, house: House, game: str, seed: int) -> None:
        self.house, self.game, self.rng = house, game, Random(f"{game} {seed}")
        self.table = kit.Table(GAMES[game], OPTIONS.get(game, {}), len(NAMES))
        self.code = house.open(NAMES, game=game, **self.table.options)
        self.client = house.app.test_client()
        self.client.set_cookie("phone", secret("host"))
        self.play = self.table.begin()
        self.chance = kit.Chance(self.table, self.rng)
        self.steps = 0

    def asks(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {secret('host')}"}
        sent = {} if method == "GET" else {"json": body or {}}
        answer = self.client.open(f"/api/tables/{self.code}{path}", method=method, headers=headers, **sent)
        assert answer.status_code == 200, (path, body, answer.text)
        return answer.get_json()

    def step(self) -> bool:
        """Make a move, take one back, put it back, or amend one; False where no move is left."""
        what = self.rng.choices(["move", "take back", "put back", "amend"], [12, 2, 2, 1])[0]
        counting = [ruled.asked for ruled in self.play.moves()]
        if what == "take back" and (before := self.play.take_back()):
            number = self.asks("POST", "/take-back")["number"]
            self.play = before
        elif what == "put back" and (after := self.play.put_back()):
            number = self.asks("POST", "/put-back")["number"]
            self.play = after
        elif what == "amend" and counting and (amended := self._amended(self.rng.choice(counting))):
            number = amended
        elif move := self._chosen():
            data = record.write_move(self.table.game, self.table.seats, move)
            number = self.asks("POST", "/moves", data)["number"]
            ruling = self.play.judge(Asked(number, move))
            assert isinstance(ruling, Play)
            self.chance.tire(move, kit.progress(self.play) == kit.progress(ruling))
            self.play = ruling
        else:
            return False
        assert number == self.steps + 1
        self.steps = number
        return True

    def _chosen(self) -> Any:
        while move := self.chance.move(self.play.position):
            if record.write_move(self.table.game, self.table.seats, move)["move"] not in NOT_YET:
                return move
            self.chance.known = {}
        return None

    def _amended(self, asked: Asked) -> int | None:
        """Change an earlier move a little; None where the rules would not have it."""
        other = kit.near_miss(self.table, self.rng, asked.move)
        amended = self.play.amend(asked.number, other)
        if not isinstance(amended, Play) or isinstance(amended, Broken):
            return None
        data = record.write_move(self.table.game, self.table.seats, other)
        self.play = amended
        return int(self.asks("PUT", f"/moves/{asked.number}", data)["number"])

    def agree(self) -> None:
        """Hold the live play, the log, the API, the screen and the spreadsheet to the rules."""
        live = self.house.read(self.code)
        self.house.app.extensions["companion.readings"] = Readings()
        cold = self.house.read(self.code)
        assert live.number == cold.number == self.steps
        assert walked(live.play) == walked(cold.play)
        assert self.play.game.summary(live.play.position) == self.play.game.summary(self.play.position)
        told = self.asks("GET", "/standing")
        standing = self.play.game.standing(self.play.position)
        assert told["is_finished"] == standing.is_finished
        assert [(place["seat"], place["rank"], place["score"]) for place in told["standing"]] == [
            (place.seat, place.rank, place.score) for place in standing.places
        ]
        screen = self.client.get(f"/t/{self.code}/screen")
        assert f'data-number="{self.steps}"' in screen.text
        shown, said = ON_SCREEN[self.game]
        assert shown(Page(screen.text), self.play) == said(self.play)
        self._agree_on_files(standing.is_finished)

    def _agree_on_files(self, is_finished: bool) -> None:
        answer = self.client.get(f"/t/{self.code}/files/plays.csv")
        assert (answer.status_code == 200) == is_finished
        if is_finished:
            lines = list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"), newline="")))
            assert [line["name"] for line in lines] == NAMES
            assert [[line["score"].replace("-", "−")] for line in lines] == scores(self.play)

    def agree_on_paper(self) -> None:
        """Print the sheet, and read its totals."""
        answer = self.client.get(f"/t/{self.code}/sheet.pdf")
        assert answer.status_code == 200
        printed, said = ON_PAPER[self.game]
        read = text(answer.data)
        assert printed(read) == said(self.play), read


@pytest.fixture
def house(tmp_path: Path, database: Database, printer: Printer) -> Iterator[House]:
    house = House(tmp_path, database)
    house.app.extensions["companion.printer"] = printer
    yield house
    house.close()


@pytest.mark.promise(3)
@pytest.mark.on_both
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("evenings", [1, pytest.param(3, marks=pytest.mark.long)])
def test_everything_says_the_same_after_every_step(
    house: House, game: str, evenings: int, figure: Callable[[str], None]
) -> None:
    every, steps, sheets = (40 if evenings == 1 else 1), 0, 0
    # The rules are the same on both: the gate plays half as far on PostgreSQL.
    most = 150 if evenings > 1 else 60 if isinstance(house.database, Lite) else 30
    for seed in range(evenings):
        evening = Evening(house, game, seed)
        while evening.steps < most and evening.step():
            evening.agree()
            if evening.steps % every == 0:
                evening.agree_on_paper()
                sheets += 1
        evening.agree_on_paper()
        sheets, steps = sheets + 1, steps + evening.steps
    figure(f"{game}: {steps:,} steps and {sheets:,} printed sheets, 0 differences")
