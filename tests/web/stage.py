"""A table where every route has something to do, and everybody who may come to it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from flask import Flask

from companion.games import GAMES
from companion.log import Readings
from companion.push import hearing
from companion.tables.seating import hashed
from companion.tables.succession import SILENT_S
from companion.web import parts
from companion.web.renderings import rendering
from tests.web.conftest import OPERATOR, House, Phone

ROLES = ("anonymous", "other table", "other seat", "spectator", "former seat", "host", "own seat")
MY_BID = 7
"""The entry of the sealed bid of the own seat that counts."""
FORMS: dict[str, dict[str, Any]] = {
    "opening.open": {"name": ["Eve", "Fay", "Gil"], "i_sit": ""},
    "choices.settings": {"language": "cs"},
    "first.first": {"step": "language", "said": "cs"},
    "practice.begin": {},
    "seats.sit": {"seat": "3"},
    "seats.stand": {},
    "seats.free": {"seat": "1"},
    "seats.go": {"seat": "1", "hand": "2"},
    "seats.rename": {"seat": "1", "name": "Bob"},
    "seats.lock": {"locked": "1"},
    "seats.teach": {"taught": "1"},
    "seats.hand_over": {"seat": "1"},
    "wifi.keep": {"name": "Klub", "wifi_key": "opensesame"},
    "returning.come_back": {"return_code": "ZZZZZZ"},
    "silence.take_on": {"seat": "1"},
    "silence.reclaim": {},
    "halting.pause": {},
    "halting.break_off": {},
    "halting.resume": {},
    "passing.describe": {"location": "Klub", "title": "", "group": "0"},
    "book.bring": {
        "record": json.dumps({
            "format": "companion-record", "version": 1, "game": "rage", "players": ["A", "B", "C"], "moves": [],
        }),
    },
    "book.rename": {"name": "Bo", "to": "Bob"},
    "operator.come": {"token": OPERATOR},
    "operator.leave": {},
    "groups.found": {"name": "Thursday"},
    "groups.join": {},
    "groups.leave": {"group": "1"},
    "groups.change_key": {"group": "1"},
    "seats.host": {},
    "table.move": {"move": "bid", "seat": "1", "tricks": "2"},
    "table.why_not": {"move": "bid", "seat": "1", "tricks": "2"},
    "table.take_back": {},
    "table.put_back": {},
    "starting.start": {"order": "1.0.2.3", "bidding": "secret"},
    "history.amend": {"move": "bid", "seat": "1", "tricks": "5"},
    "api-games.judge": {"words": ["Y8", "R4"], "options": {"trump": "R"}},
    "api-tables.bring_record": {
        "format": "companion-record", "version": 1, "game": "rage", "players": ["A", "B", "C"], "moves": [],
    },
    "api-tables.open_table": {"game": "rage", "players": ["Eve", "Fay", ""]},
    "api-tables.open_practice": {"name": "Eve"},
    "api-tables.lock": {"is_locked": True},
    "api-tables.teach": {"is_taught": True},
    "api-tables.hand_over": {"seat": 1},
    "api-tables.take_on": {"seat": 1},
    "api-tables.reclaim": {},
    "api-tables.halt": {"halt": "paused"},
    "api-tables.sit_down": {"name": ""},
    "api-tables.leave": {},
    "api-tables.play_on": {"hand": 2},
    "api-tables.rename": {"name": "Bob"},
    "api-play.move": {"move": "bid", "seat": 1, "tricks": 2},
    "api-play.begin_again": {"order": [1, 0, 2, 3]},
    "api-play.amend": {"move": "bid", "seat": 1, "tricks": 5},
    "api-evenings.describe": {"location": "Klub"},
    "api-evenings.found_group": {"name": "Thursday"},
    "api-evenings.join_group": {},
    "api-evenings.leave_group": {},
    "api-play.take_back": {},
    "api-play.put_back": {},
}  # fmt: skip
"""What an honest page, or program, would send to each unsafe route."""
KEY = "K7QX2M00ABCD"
"""The evening key of the group that Bo, on the own seat, has founded."""
WHO = {
    "seats.sit": "spectator",
    "wifi.keep": "host",
    "seats.free": "host",
    "seats.lock": "host",
    "seats.teach": "host",
    "seats.rename": "host",
}
WHO |= {
    "seats.hand_over": "host",
    "api-tables.hand_over": "host",
    "api-tables.lock": "host",
    "api-tables.teach": "host",
    "book.rename": "host",
    "silence.reclaim": "former seat",
    "halting.break_off": "host",
    "api-tables.reclaim": "former seat",
    "groups.join": "spectator",
    "api-evenings.join_group": "spectator",
    "starting.start": "host",
    "api-play.begin_again": "host",
}
"""Who may do it; the own seat where left out."""
UNSEALED = {"starting.start_form", "starting.start", "api-play.begin_again"}
"""What is refused while a bid is sealed."""
QUERIES = {
    "lobby.find": "code={code}",
    "paper.paper": "code={code}",
    "groups.typed_key": "key={key}",
    "steps.steps": "seat=1",
    "api-evenings.step": "seat=1",
    "table.take_back": "seat=1",
    "table.put_back": "seat=1",
    "api-play.view": "seat=1",
    "api-play.events": "seat=1",
    "api-play.open_moves": "seat=1",
}
FREE_SEAT = {"api-tables.sit_down": "3"}
"""Where one may sit down: for these routes the seat is another one."""
SAFE = {"GET", "HEAD", "OPTIONS"}


class Hearing(hearing.Hearing):
    """Hears everybody but the host, whose phone lies in another room."""

    def __init__(self, host: str) -> None:
        super().__init__()
        self._host = host

    def ago(self, code: str, phones: Collection[str]) -> Mapping[str, float]:
        return {**super().ago(code, phones), self._host: SILENT_S}


@dataclass(frozen=True)
class Route:
    """One method of one rule of the URL map."""

    method: str
    rule: str
    endpoint: str

    def path(self, code: str, seat: int = 1, number: int = MY_BID, secret: str = "0" * 32, stamp: str = "") -> str:
        """Write an address that it answers."""
        values = {"code": code, "seat": seat, "number": number, "secret": secret, "game": "rage"}
        values |= {
            "stamp": stamp,
            "part": "seat",
            "language": "en",
            "filename": "companion.css",
            "item": "rule_card",
            "key": KEY,
            "step": 0,
        }
        values |= {"file": "records.zip" if "/book/" in self.rule else "record.json"}
        if self.endpoint in FREE_SEAT and seat == 1:
            values["seat"] = FREE_SEAT[self.endpoint]
        path = self.rule
        for name, value in values.items():
            for converter in ("", "int:", "path:"):
                path = path.replace(f"<{converter}{name}>", str(value))
        assert "<" not in path, f"{self.rule} names something that this test does not know"
        query = QUERIES.get(self.endpoint, "").format(code=code, key=KEY)
        return f"{path}?{query}" if query else path

    @property
    def is_stream(self) -> bool:
        return self.rule.endswith(("/stream", "/events"))

    @property
    def is_api(self) -> bool:
        return self.rule.startswith("/api")


OF_THE_FINISHED = [f"/api/tables/<code>/files/{file}" for file in ("plays.csv", "rounds.csv", "play.bgsplay")]
"""What only a finished game hands on."""


def routes(app: Flask, *methods: str) -> list[Route]:
    """List the URL map, in its order; without `OPTIONS`, which Flask answers by itself."""
    found = [
        Route(method, rule.rule, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"OPTIONS"})
        if not methods or method in methods
    ]
    return sorted(found, key=lambda route: (route.rule, route.method))


def unsafe_routes(app: Flask) -> Iterator[Route]:
    """List every route that may change something."""
    return (route for route in routes(app) if route.method not in SAFE)


@dataclass
class Stage:
    """The table, its people, and a copy of its database to go back to."""

    house: House
    code: str
    people: dict[str, Phone]
    copy: Path
    secret: str
    """What the phone of the host knows."""

    def path(self, route: Route, **values: Any) -> str:
        """Write an address of a route; the link that makes a phone the host is the right one, and so is a stamp."""
        return route.path(self.code, **{"secret": self.secret, "stamp": self.stamp, **values})

    @cached_property
    def stamp(self) -> str:
        """The stamp of the module that draws Rage in English."""
        with self.house.app.app_context():
            module = rendering(GAMES["rage"]).module("seat", "en")
        assert module
        return module.stamp

    def asks(self, role: str, route: Route, path: str = "") -> Any:
        """Let somebody use a route as its page would; streams are closed at once."""
        path = path or self.path(route)
        if role == "anonymous":
            self.people[role].forgets()
        if route.method not in SAFE:
            return self.sends(role, route, path, FORMS[route.endpoint])
        answer = self.people[role].asks(path, route.method, buffered=not route.is_stream)
        if route.is_stream:
            answer.close()
        return answer

    def sends(self, role: str, route: Route, path: str, data: Any, **wanted: Any) -> Any:
        """Send a form, or to the API the same as JSON."""
        if route.is_api:
            wanted.setdefault("content_type", "application/json")
            body = data if isinstance(data, str | bytes) else json.dumps(data)
            return self.people[role].asks(path, route.method, data=body, **wanted)
        return self.people[role].posts(path, data, **wanted)

    def ends_the_round(self) -> None:
        """Let those bid who have not, and the host write down the round: then nothing is sealed."""
        for role, seat in (("other seat", 2), ("host", 3)):
            assert self.people[role].taps("bid", seat, tricks=1).status_code == 303
        told = {f"{what}-{seat}": "0" for what in ("tricks", "plus", "minus") for seat in range(4)}
        assert self.people["host"].taps("tally", 0, **{**told, "tricks-0": "10"}).status_code == 303

    def go_back(self) -> None:
        """Make the database what it was, and the app forget what it has read there."""
        self.house.close()
        for left in self.house.settings.data.glob("companion.sqlite-*"):
            left.unlink()
        shutil.copy(self.copy, self.house.file)
        self.house.app.extensions["companion.readings"] = Readings()
        parts.init_app(self.house.app)


def set_stage(house: House, phone: Callable[..., Phone]) -> Stage:
    """Lay the table: secret bidding; Ann is the host on seat 0, Bo sits on 1, Cy on 2, nobody on 3.

    Bo has bid, bid again, and taken that back: it can be put back. Somebody else sat on 1 before him. That one has been
    the host, too, and might take it back; Ann is silent.
    """
    people = {role: phone() for role in ROLES}
    code = people["host"].opens("rage", bidding="secret")
    people["other table"].opens("rage", names=["Xi", "Yu", "Zoe"])
    for role in ROLES:
        people[role].code = code
    people["spectator"].reads("/t/{code}/screen")
    people["former seat"].sits(1)
    people["host"].posts("/t/{code}/free", {"seat": "1"})
    people["own seat"].sits(1)
    people["other seat"].sits(2)
    assert people["host"].taps("bid", tricks=1).status_code == 303
    for tricks in (3, 4):
        assert people["own seat"].taps("bid", tricks=tricks).status_code == 303
    assert people["own seat"].takes_back().status_code == 303
    people["own seat"].posts("/groups", {"name": "Wednesday"})
    house.writes("UPDATE groups SET key = ?", KEY)
    assert house.rows("SELECT number FROM entries WHERE kind = 'move' AND seat = 1")[0] == (MY_BID,)
    former = hashed(secret_of(people["former seat"]))
    house.writes("UPDATE tables SET former_host = ? WHERE code = ?", former, code)
    taken = "SELECT id, 10, 'table', NULL, NULL, ?, 'taken', opened, NULL FROM tables WHERE code = ?"
    house.writes(f"INSERT INTO entries {taken}", json.dumps({"act": "take_on", "seat": 0}), code)
    house.app.extensions["companion.hearing"] = Hearing(hashed(secret_of(people["host"])))
    house.bytes()
    copy = house.settings.data / "copy"
    shutil.copy(house.file, copy)
    return Stage(house, code, people, copy, secret_of(people["host"]))


def secret_of(phone: Phone) -> str:
    """Read the secret of a phone."""
    cookie = phone.client.get_cookie("phone")
    assert cookie
    return cookie.value
