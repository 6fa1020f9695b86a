"""An evening, with all that people do at it, is told the same by everything that tells of it, and in another house."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import log, record
from companion.api.webhooks import ended
from companion.desk import passing, result
from companion.desk.wording import names
from companion.games import GAMES
from companion.log import Table, keeping
from companion.printing import Sheet
from companion.printing.items import contents, so_far
from companion.tables import opening
from companion.tables.evenings import Evening
from companion.tables.importing import import_files
from companion.tables.seating import find_table, hashed
from companion.testing import kit
from tests.house import House, secret

HOST = secret("host")
SEATS = 3
OPTIONS = {"tally": {"called": "Kostky", "wins": "low", "rounds": 3}}
LIKED = {"move": 4, "take back": 5, "put back": 3, "amend": 3, "strike": 1, "start": 1, "halt": 1, "name": 1}
LIKED |= {"hand": 1, "leave": 1, "sit": 1, "notes": 1}
DEEDS = 40


@cache
def finished(game: str) -> Any:
    """Play a game at random to its end."""
    table = kit.Table(GAMES[game], OPTIONS.get(game, {}), SEATS)
    for seed in range(30):
        *_, play = kit.play_on(table, Random(seed), most=2_000)
        if GAMES[game].standing(play.position).is_finished:
            return play
    raise AssertionError(game)


class Told:
    """A table where people do anything, from the end of a game on; all that is asked of it."""

    def __init__(self, house: House, game: str, seed: int) -> None:
        self.house, self.rng = house, Random(f"{game} {seed}")
        self.client = house.app.test_client()
        self.client.set_cookie("phone", HOST)
        self.table = kit.Table(GAMES[game], OPTIONS.get(game, {}), SEATS)
        self.chance = kit.Chance(self.table, self.rng)
        about = {"opened": "2026-01-03T20:00:00.000Z", "location": "Klub"}
        written = record.write(finished(game), self.table.options, ["Anna", "", "Bo"], about)
        with house.app.app_context():
            self.code = opening.open_from(record.replay(record.read_data(written)), hashed(HOST)).code

    def asks(self, method: str, path: str, body: Any = None, phone: str = HOST) -> Any:
        sent = {} if body is None else {"json": body}
        head = {"Authorization": f"Bearer {phone}"}
        answer = self.client.open(f"/api/tables/{self.code}{path}", method=method, headers=head, **sent)
        assert answer.status_code < 500, (method, path, body, answer.text)
        return answer.get_json()

    def does(self, what: str) -> None:
        """Let somebody do something; the rules, or the table, may say no."""
        rng, seat = self.rng, self.rng.randrange(SEATS)
        deeds: dict[str, list[tuple[Any, ...]]] = {
            "take back": [("POST", "/take-back", {})],
            "put back": [("POST", "/put-back", {})],
            "start": [("PUT", "/start", {"order": rng.sample(range(SEATS), SEATS)})],
            "halt": [("PUT", "/halt", {"halt": halt}) for halt in (rng.choice(["paused", "broken_off"]), "")],
            "name": [("PUT", f"/seats/{seat}/name", {"name": rng.choice(["Žofie", "Bo", "=1+1"])})],
            "hand": [("PUT", f"/seats/{seat}/hand", {"hand": rng.choice([None, *range(SEATS)])})],
            "leave": [("DELETE", f"/seats/{seat}")],
            "sit": [("PUT", f"/seats/{seat}", {"name": "Cy"}, secret(rng.choice(["one", "other"])))],
            "notes": [("PUT", "/notes", {"title": rng.choice(["Finale", ""])})],
        }
        for asked in deeds.get(what, ()) or self._entering(what):
            self.asks(*asked)

    def _entering(self, what: str) -> Iterator[tuple[Any, ...]]:
        """Make a move, or put one right: the last ones most."""
        rng, play = self.rng, self.house.read(self.code).play
        steps = play.numbered()
        if what == "move" and (move := self.chance.move(play.position)):
            yield "POST", "/moves", record.bare(record.write_move(play.game, SEATS, move))
        elif what != "move" and steps:
            number = rng.choice([*steps][-rng.choice([1, 5, 500]) :])
            other = kit.near_miss(self.table, rng, steps[number].asked.move)
            data = record.bare(record.write_move(play.game, SEATS, other))
            yield "PUT", f"/moves/{number}", data if what == "amend" else {"move": None}

    def ends(self) -> None:
        """Let everybody leave, and the host play on to the end."""
        for seat in range(SEATS):
            self.asks("DELETE", f"/seats/{seat}")
        play = self.house.read(self.code).play
        while not play.game.standing(play.position).is_finished:
            move = self.chance.move(play.position)
            self.asks("POST", "/moves", record.bare(record.write_move(play.game, SEATS, move)))
            before, play = play, self.house.read(self.code).play
            self.chance.tire(move, kit.progress(before) == kit.progress(play))

    def agree(self, other: House) -> None:
        """Hold all that tells of the table to its standing; and the same in another house to all of it."""
        now, written = self.asks("GET", "/standing"), self.asks("GET", "/files/record.json")
        assert now["is_finished"]
        replayed = record.outcome(record.replay(record.read(json.dumps(written))))
        assert replayed["refused"] is None
        nameless = [{**place, "name": written["players"][place["seat"]]} for place in now["standing"]]
        assert (replayed["standing"], replayed["summary"]) == (nameless, now["summary"])
        self._agree_on_pages(now)
        with self.house.app.test_request_context():
            table = find_table(self.code)
            assert list(keeping.wrong_with(table)) == []
            here = self._agree_on_the_evening(table, now)
            assert (table.result or {})["standing"] == nameless
        with other.app.test_request_context():
            (brought,) = import_files(
                [("record", lambda: io.BytesIO(json.dumps(written).encode()))], lambda: hashed(HOST)
            )
            assert brought.problem is None
            there = find_table(brought.code)
            assert log.record_of(there) == written
            assert told(there) == here
            keeping.purge([brought.code])

    def _agree_on_pages(self, now: Any) -> None:
        """Hold the book, the spreadsheet, BG Stats and the steps."""
        places = {
            place["seat"]: (place["rank"], place["score"], place["seat"] in now["winners"]) for place in now["standing"]
        }
        in_order = [places[seat] for seat in range(SEATS)]
        book = self.client.get("/api/book", headers={"Authorization": f"Bearer {HOST}"}).get_json()["evenings"]
        (evening,) = [one for one in book if one["code"] == self.code]
        assert [(one["rank"], one["score"], one["has_won"]) for one in evening["players"]] == in_order
        text = self.client.get(f"/t/{self.code}/files/plays.csv").data.decode("utf-8-sig")
        lines = list(csv.DictReader(io.StringIO(text, newline="")))
        assert [(int(one["rank"]), int(one["score"]), one["winner"] == "1") for one in lines] == in_order
        assert {one["game"] for one in lines} == {self.table.game.called(self.table.options)}
        (play,) = self.asks("GET", "/files/play.bgsplay")["plays"]
        assert [(one["rank"], int(one["score"]), one["winner"]) for one in play["playerScores"]] == in_order
        last = self.asks("GET", f"/steps/{self.asks('GET', '/steps/0')['last']}")
        assert last["view"] == self.asks("GET", "/view")["view"]

    def _agree_on_the_evening(self, table: Table, now: Any) -> list[Any]:
        """Hold the picture, the certificate and the webhook."""
        evening = passing.evening_of(table)
        assert evening
        picture, hook = result.shown(table, evening), ended(table)["data"]
        assert picture["game_name"] == self.table.game.called(self.table.options)
        assert picture["reasons"] == now["reasons"]
        shown = [(one["rank"], one["head"]["name"], one["points"], one["is_first"]) for one in picture["places"]]
        assert shown == [
            (one["rank"], one["name"], one["score"], one["seat"] in now["winners"]) for one in now["standing"]
        ]
        assert list(hook["winners"]) == now["winners"]
        assert hook["summary"] == now["summary"]
        return told(table)


def told(table: Table) -> list[Any]:
    """Gather what another house has to tell as well, but that somebody had to go, which no record says."""
    play, evening = log.read(table).play, passing.evening_of(table)
    assert isinstance(evening, Evening)
    known = so_far(table, play, "", names(table))
    known["about"] = {**known["about"], "code": ""}
    sheets = [contents(Sheet(play.game, item), known) for item in (*play.game.sheets, "certificate")]
    figures = [{**(one.figures or {}), "left": 0} for one in table.seatings]
    about = evening.date, evening.minutes, evening.begins, evening.options, evening.course, evening.winners
    return [json.loads(json.dumps(part)) for part in (sheets, figures, about, table.result)]


@pytest.fixture
def houses(tmp_path: Path) -> Iterator[tuple[House, House]]:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    houses = House(tmp_path / "one"), House(tmp_path / "two")
    yield houses
    for house in houses:
        house.close()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("evenings", [1, pytest.param(20, marks=pytest.mark.long)])
def test_an_evening_is_told_the_same_everywhere(houses: tuple[House, House], game: str, evenings: int) -> None:
    house, other = houses
    for seed in range(evenings):
        evening = Told(house, game, seed)
        for _ in range(DEEDS):
            evening.does(evening.rng.choices([*LIKED], [*LIKED.values()])[0])
        evening.ends()
        evening.agree(other)
