"""Evenings that are simulated from a seed: the server's own code, and the phones' own modules, over a network that is none.

Nothing waits and nothing listens: `tests/offline.py` gives the server its lines upon a clock of our own, one process of
Node holds all phones (`tests/scripts/phones.mjs`). Words are late, lost with their line, come twice or after later ones;
the server is closed and opened again on the same database, a write to its disk fails, its clock jumps. Meanwhile people
play at random, put right what was entered, come and go, change places, pause (`tests/deeds.py`); a screen looks on. The same
seed is the same evening, on SQLite; on PostgreSQL (`play`) what breaks is a connection, and that is no seed's alone.

`python -m tests.simulated --first 0 --evenings 1000` plays some; a seed that fails is printed.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import orjson
from werkzeug.test import Client, TestResponse

from companion import log
from companion.desk import renewal
from companion.intake import written
from companion.log import door, keeping, readings
from companion.play import Play
from companion.record import read_move, write_move
from companion.rendering.differences import put_in
from companion.server.app import settle
from companion.tables import seating
from companion.tables.seating import hashed
from companion.testing.kit import Chance, Table, begins
from companion.testing.moments import some_table
from companion.testing.node import node
from companion.web.parts import PART
from companion.web.renderings import rendering
from tests.databases import Database, Lite, Postgres
from tests.deeds import Deeds, flat
from tests.drawn import Modules, by_server, told_now
from tests.faults import DISK, PLAN, Relay
from tests.house import House, secret
from tests.offline import Ear, Indoors, Loop, Wire
from tests.sitting import Sitting, sitting

SCRIPT = Path(__file__).with_name("scripts") / "phones.mjs"
MOST_TAPS = 40
GARBAGE = 50
"""After so many evenings it is looked for what they have left: servers, which are closed and opened again, are circles."""
BEGUN = datetime(2026, 11, 21, 20, tzinfo=UTC)
PATIENCE_S = 300.0
"""Seconds of the evening after which all must be well again, once nothing fails any more."""
DRAWN = 10
"""Of so many looks one is drawn."""
LANGUAGES = ("en", "en", "en", "cs", "de", "es", "pl")
GONE = 4001
"""Said of a line when the seat is another's."""
SILENCE_S = 35.0
AGAIN_S = 3.0
"""As in `companion/static`: after so long a silence a line is opened anew, and taps that wait are sent again."""


class Phones:
    """A process of Node that holds all phones."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([node(), SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def close(self) -> None:
        """End it."""
        self._process.communicate()

    def happens(self, phone: str, what: str, **about: Any) -> tuple[int, list[dict[str, Any]]]:
        """Let something happen to a phone: how many of its taps wait then, and what it does."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(orjson.dumps({"phone": phone, "happens": what, **about}) + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the phones have ended"
        waiting, does = orjson.loads(answer)
        return waiting, does


class Connection:
    """A line on its way through the network: what is said on it arrives in order, late, or not at all."""

    def __init__(self, evening: Evening, phone: Phone, number: int) -> None:
        self.evening, self.phone, self.number = evening, phone, number
        self.seat, self.who = phone.seat, hashed(phone.cookie) if phone.cookie else ""
        self.ear = Ear()
        self.wire: Wire | None = None
        self.up_at = self.down_at = 0.0
        self.is_cut = self.is_over = False
        """Whether nothing gets through any more; whether the phone knows."""
        self.all: Any = None
        self.own: dict[str, Any] = {}

    def up(self, data: bytes) -> None:
        """Carry what the phone says to the server."""
        if not self.is_cut:
            self.up_at = self.evening.at(max(self.up_at, self.evening.late()), self._arrives, data)

    def _arrives(self, data: bytes) -> None:
        if self.wire and not self.wire.is_cut and not self.evening.is_lost(self.is_cut):
            self.wire.line.data_received(data)

    def hear(self, data: bytes) -> None:
        """Carry what the server says to the phone; nothing, when it has hung up."""
        for text in self.ear.hear(data):
            self.down(partial(self.evening.hears, self.phone, self, text, self.evening.audited(self, text)))
        if pong := self.ear.say():
            self.up(pong)
        if self.ear.code == GONE and not self.is_cut:
            self.evening.was_turned_away(self)
        if self.ear.code is not None or not data:
            self.down(partial(self.over, self.ear.code or 1006))

    def down(self, arrives: Any) -> None:
        """Let something arrive at the phone, after all that was said before."""
        if not self.is_cut:
            self.down_at = self.evening.at(max(self.down_at, self.evening.late()), lambda: self.is_cut or arrives())

    def cut(self) -> None:
        """Let nothing through any more; both sides learn it some time, the phone after a silence at the latest."""
        self.is_cut = True
        chance = self.evening.chance
        self.evening.at(self.evening.now + chance.choice([0.05, 2.0, SILENCE_S]), self.over, 1006)
        self.evening.at(self.evening.now + chance.choice([0.05, 5.0, 30.0]), self.hang_up)

    def hang_up(self) -> None:
        """Let the server know that nobody is there."""
        if self.wire and not self.wire.is_cut:
            self.is_cut = True
            self.wire.close()

    def over(self, code: int) -> None:
        """Let the phone know that its line is broken."""
        if not self.is_over:
            self.is_over = self.is_cut = True
            if self.phone.connection is self:
                self.evening.tell(self.phone, "breaks", code=code)


@dataclass(eq=False)
class Phone:
    """What the evening knows of a phone."""

    name: str
    seat: int | None
    """Whose page it shows; None at the door, and for the screen."""
    cookie: str
    language: str
    is_screen: bool = False
    page: int = 0
    """Pages count from the first that was loaded."""
    connection: Connection | None = None
    lines: int = 0
    waiting: int = 0
    number: int = 0
    """Of what it shows."""
    view: Any = None

    @property
    def is_at_door(self) -> bool:
        """Whether it has no page that lives."""
        return self.seat is None and not self.is_screen

    @property
    def place(self) -> str:
        """Say where its page is, at its table."""
        return "screen" if self.is_screen else str(self.seat)


class Evening:
    """One evening at one table."""

    def __init__(self, seed: int, phones: Phones, house: House, modules: Modules, database: Database) -> None:
        self.seed, self.node, self.folder, self.modules = seed, phones, house.folder, modules
        self.chance = Random(f"evening {seed}")
        self.loop = Loop()
        self.house: House | None = house
        self.indoors = Indoors(house, self.loop)
        self.served = house.database
        self.database = database
        """The same, past what may fail."""
        self.told_before = house.app.extensions["companion.told"]
        self.connections: list[Connection] = []
        self.clock = timedelta()
        self.is_calm = False
        self.taps = 0
        self.sent: dict[str, dict[str, Any]] = {}
        """By key, what each tap says; of moves."""
        self.told: dict[str, dict[str, Any]] = {}
        """By key, what its phone was told of it."""
        self.deeds = Deeds(self)
        self.plays: dict[int, Play[Any]] = {}
        self.sittings: dict[int, Sitting] = {}
        """By number; some may lack where nobody was told of it."""
        self.looks = self.drawn = 0
        self.seen: dict[tuple[int, int | None], Any] = {}
        self.harm = self.chance.choice([0.0, 0.01, 0.05, 0.15])
        """How much goes wrong on this evening."""

    @property
    def now(self) -> float:
        return self.loop.now

    @cached_property
    def table(self) -> Table:
        """Choose a game."""
        from companion.games import GAMES  # noqa: PLC0415 (loaded with the house)

        table = some_table(GAMES[self.chance.choice([*GAMES])], self.chance)
        sealed = {**table.options, "bidding": "hidden"}
        is_sealed = "bidding" in table.game.options.fields and self.chance.random() < 0.5
        return (
            Table(table.game, sealed, table.seats) if is_sealed and begins(table.game, sealed, table.seats) else table
        )

    # The house.

    def opens(self) -> None:
        """Open a table, and seat the phones there."""
        house, table = self.open_house, self.table
        seats = [0, *sorted(self.chance.sample(range(1, table.seats), self.chance.randrange(min(table.seats, 4))))]
        names = {seat: "host" if seat == 0 else f"{self.seed}-{seat}" for seat in seats}
        self.phones = [Phone(name, seat, secret(name), self.chance.choice(LANGUAGES)) for seat, name in names.items()]
        if self.chance.random() < 0.3:
            self.phones.append(Phone(f"{self.seed}-screen", None, "", self.chance.choice(LANGUAGES), is_screen=True))
        self.code = house.open([f"P{seat}" for seat in range(table.seats)], names, table.game.key, **table.options)
        with house.app.app_context():
            self.table_id = seating.find_table(self.code).id
        self.opened = self.kept()
        self.sittings[self.opened] = sitting(self.database, self.table_id)
        self.trusts()

    def trusts(self) -> None:
        """Look, at each telling, whether what is told is kept already."""
        house = self.open_house
        house.app.extensions["companion.is_near"] = self.chance.random() < 0.7
        told = self.told_before

        def tells(code: str, number: int) -> None:
            kept = self.kept()
            assert number <= kept, f"{number} was told, and is not kept"
            if kept not in self.sittings:
                self.sittings[kept] = sitting(self.database, self.table_id)
            told(code, number)

        house.app.extensions["companion.told"] = tells

    def kept(self) -> int:
        """Count the entries in the database."""
        ((number,),) = self.database.rows("SELECT count(*) FROM entries WHERE table_id = ?", self.table_id)
        return int(number)

    def restarts(self) -> None:
        """Kill the server, and start it again after a while."""
        if self.house is None:
            return
        for connection in self.connections:
            if connection.wire:
                connection.wire.is_cut = True  # whatever a process that is gone had still to say
            if not connection.is_cut:
                connection.cut()
        self.house.close()
        self.house = None
        self.at(self.now + self.chance.choice([0.5, 3.0, 20.0]), self.starts)

    def starts(self) -> None:
        self.house = House(self.folder, self.served)
        self.indoors = Indoors(self.house, self.loop)
        self.told_before = self.house.app.extensions["companion.told"]
        self.trusts()

    def play(self, number: int) -> Play[Any]:
        """Give the play at a number of the log."""
        if number not in self.plays:
            house = self.open_house
            with PLAN.spared(), house.app.app_context():
                table = seating.find_table(self.code)
                known = log.read(table)
                self.plays[known.number] = known.play
                if number not in self.plays:
                    self.plays[number] = door.read_at(table, number).play if number else self.table.begin()
        return self.plays[number]

    @property
    def open_house(self) -> House:
        assert self.house
        return self.house

    # The network.

    def at(self, when: float, do: Any, *about: Any) -> float:
        """Let something happen."""
        self.loop.call_at(when := max(when, self.now), do, *about)
        return when

    def late(self) -> float:
        """Say when something arrives that is sent now."""
        usual = self.chance.uniform(0.005, 0.08)
        return self.now + (usual if self.is_calm or self.chance.random() > self.harm else self.chance.uniform(0.1, 8.0))

    def is_lost(self, is_cut: bool) -> bool:
        """Say whether what was on its way when a line was cut never arrives; the rest does, late as it is."""
        return is_cut and self.chance.random() < 0.5

    def goes_wrong(self, times: float = 1.0) -> bool:
        return not self.is_calm and self.chance.random() < self.harm * times

    def connects(self, phone: Phone) -> None:
        """Let a phone open a line, in the place of the one before."""
        phone.lines += 1
        before, phone.connection = phone.connection, Connection(self, phone, phone.lines)
        self.connections.append(phone.connection)
        if before:
            before.is_over = True
            self.at(self.late(), before.hang_up)
        self.tell(phone, "connects", wire=phone.lines)
        self.at(self.late(), self._rings, phone.connection)

    def _rings(self, connection: Connection) -> None:
        """Ask the server for a line."""
        phone, heard = connection.phone, list[bytes]()
        if connection.is_cut or phone.connection is not connection:  # else its page is gone
            return
        wire: Wire | int = 0
        if self.house and not self.goes_wrong():
            about = {"Accept-Language": phone.language, "Cookie": f"phone={phone.cookie}" if phone.cookie else ""}
            path = f"/t/{self.code}/{phone.place}/line?after={phone.number}"
            wire = self.indoors.connect(path, "", heard.append, **about)
        if isinstance(wire, int):
            assert wire in {0, 403, 429, 503}, f"{phone.name} was refused its line: {wire}"
            if wire == 403:
                self.was_turned_away(connection)
                connection.down(lambda: self.visits(phone, phone.seat))
            connection.down(partial(connection.over, 1006))
            return
        connection.wire = wire
        wire.hears = connection.hear
        connection.down(partial(self.tell, phone, "opens"))
        for data in heard:
            connection.hear(data)

    def posts(self, phone: Phone, url: str, body: str, key: str) -> None:
        """Carry a form to the server, perhaps twice, and its answer back."""
        if self.goes_wrong():
            self.at(self.now + 5, self.learns, phone, key, None)
            return
        for _ in range(2 if self.goes_wrong(2) else 1):
            self.at(self.late(), self._posted, phone, phone.cookie, url, body, key)

    def _posted(self, phone: Phone, cookie: str, url: str, body: str, key: str) -> None:
        answer, got = None, self.asks(url, cookie, body)
        if got:
            number, is_part = int(got.headers.get("X-Number", -1)), got.mimetype == PART
            answer = {"isEntered": got.status_code < 300, "number": number, "status": got.status_code, "refusal": None}
            answer["isLost"] = not is_part
        if answer is None or self.goes_wrong(2):
            self.at(self.now + 5, self.learns, phone, key, None)
        else:
            self.at(self.late(), self.learns, phone, key, answer)

    def asks(self, url: str, cookie: str, form: str | dict[str, Any] | None = None) -> TestResponse | None:
        """Ask the server: for a page, or by a form; None where nobody is there."""
        if self.house is None:
            return None
        with self.indoors.outside():
            client: Client = self.house.app.test_client(use_cookies=False)
            headers = {"Sec-Fetch-Site": "same-origin", "Accept": PART if isinstance(form, str) else "text/html"}
            headers["Cookie"] = f"phone={cookie}"
            kind = "application/x-www-form-urlencoded"
            got = (
                client.get(url, headers=headers)
                if form is None
                else client.post(url, data=form, content_type=kind, headers=headers)
            )
        assert got.status_code != 500, got.text[-500:]
        return got

    def given(self, got: TestResponse) -> str:
        """Give the new secret of a phone that an answer brings; "" for none."""
        cookies = (SimpleCookie(one) for one in got.headers.getlist("Set-Cookie"))
        return next((one["phone"].value for one in cookies if "phone" in one), "")

    def leaves(self, phone: Phone) -> None:
        """Let a page be loaded anew that is not what it should be; what it had begun to do it still does."""
        page, seat = phone.page, phone.seat
        self.at(self.now, lambda: phone.page == page and self.visits(phone, seat))

    def visits(self, phone: Phone, seat: int | None) -> None:
        """Let the page of a seat be loaded, in the place of the one before; who is at the door stays there."""
        if seat is None and not phone.is_screen:
            return
        before, phone.connection, phone.view = phone.connection, None, None
        if before and not before.is_over:
            before.is_over = True
            self.at(self.late(), before.hang_up)
        phone.page += 1
        self.tell(phone, "loads")
        self.at(self.late(), self._visited, phone, seat, phone.page)

    def _visited(self, phone: Phone, seat: int | None, page: int) -> None:
        if page != phone.page:
            return
        got = self.asks(f"/t/{self.code}/{'screen' if phone.is_screen else seat}", phone.cookie)
        if got is None or got.status_code == 503 or self.goes_wrong():
            self.at(self.now + 3, self._visited, phone, seat, page)
            return
        assert got.status_code in {200, 302, 403}, got.status_code
        there = int(got.headers["Location"].rpartition("/")[2]) if got.status_code == 302 else seat
        self.at(self.late(), self._shown, phone, there, page, got.status_code)

    def _shown(self, phone: Phone, seat: int | None, page: int, status: int) -> None:
        if page != phone.page:
            return
        if status == 302:
            self.visits(phone, seat)
        elif status == 403:
            phone.seat = None
        else:
            phone.seat = seat
            self.connects(phone)

    def was_turned_away(self, connection: Connection) -> None:
        """Hold the server to its word that a seat is another's."""
        now = self.sittings.get(self.kept())
        is_theirs = now and connection.seat in now.acts_for(connection.who)
        assert not is_theirs, f"{connection.phone.name} was turned away from its own seat"

    def learns(self, phone: Phone, key: str, answer: Any) -> None:
        self.tell(phone, "learns", key=key, answer=answer)

    # The phones.

    def tell(self, phone: Phone, what: str, **about: Any) -> list[dict[str, Any]]:
        """Let something happen to a phone, and do what it does then."""
        phone.waiting, does = self.node.happens(phone.name, what, **about)
        for one in does:
            getattr(self, f"_{one['does']}")(phone, one)
        return does

    def _send(self, phone: Phone, does: dict[str, Any]) -> None:
        connection = phone.connection
        assert connection
        assert connection.number == does["wire"]
        if connection.ear.code is None:  # else the server has hung up, and the phone does not know
            connection.up(connection.ear.say(does["text"]))

    def _close(self, phone: Phone, does: dict[str, Any]) -> None:
        """It has opened another one, and `connects` sees to this one."""

    def _post(self, phone: Phone, does: dict[str, Any]) -> None:
        self.posts(phone, does["url"], does["body"], does["key"])

    def _see(self, phone: Phone, does: dict[str, Any]) -> None:
        assert does["number"] >= phone.number, f"{phone.name} was led back from {phone.number} to {does['number']}"
        phone.number, phone.view = does["number"], does["view"]

    def _lose(self, phone: Phone, does: dict[str, Any]) -> None:
        if does["isGone"]:
            self.leaves(phone)
            return
        line = phone.lines
        self.at(
            self.now + self.chance.uniform(1.5, 3.0),
            lambda: phone.connection and phone.lines == line and self.connects(phone),
        )

    def _take(self, phone: Phone, does: dict[str, Any]) -> None:
        if not does["isTaken"]:
            del self.sent[does["key"]]

    def _learn(self, phone: Phone, does: dict[str, Any]) -> None:
        key, answer = does["key"], does["answer"]
        assert key not in self.told, f"{key} was answered twice"
        assert not answer["isEntered"] or answer["number"] <= self.kept(), f"{key} was confirmed, and is not kept"
        self.told[key] = answer
        if answer.get("isLost"):
            self.leaves(phone)

    def _draw(self, phone: Phone, does: dict[str, Any]) -> None:
        """It has drawn what it shows, as it was asked to."""

    def hears(self, phone: Phone, connection: Connection, text: str, view: Any) -> None:
        """Let words arrive; what the phone makes of them is what the server meant."""
        if phone.connection is not connection:
            return
        seen = [one["view"] for one in self.tell(phone, "hears", text=text) if one["does"] == "see"]
        assert seen == ([] if view is None else [view]), f"{phone.name} sees otherwise"
        self.looks += bool(seen)
        if seen and self.looks % DRAWN == 0 and self.house and phone.connection is connection:
            with PLAN.spared(), self.indoors.outside():
                self._draws(phone, connection, view)

    def _draws(self, phone: Phone, connection: Connection, view: dict[str, Any]) -> None:
        """Let a phone draw what it shows: as the server would, and as a page that is loaded now."""
        house, seat, language = self.open_house, connection.seat, phone.language
        module, template = self.modules.there(house, self.table.game.key, seat, language)
        (does,) = self.tell(phone, "draws", module=module, template=template)
        assert does["html"] == by_server(house, self.code, language, seat, view), f"{phone.name} draws otherwise"
        if phone.number == self.kept():
            told = told_now(house, self.code, connection.who, language, seat)
            otherwise = [name for name in told if told[name] != view.get(name)]
            assert not otherwise, f"{phone.name} is told otherwise than by a page: {otherwise}"
        self.drawn += 1

    def audited(self, connection: Connection, text: str) -> Any:
        """Look at what the server says to a phone: nothing but what its seats may see. Gives the view, if it is one."""
        said = orjson.loads(text)
        if "all" not in said:
            return None
        phone, number = connection.phone, said["number"]
        connection.all = put_in(connection.all, said["all"]) | {"number": said["number"]}
        connection.own |= said.get("own", {})
        for path in said.get("gone", ()):
            del connection.own[path]
        view = put_in(connection.all, connection.own)
        assert view["number"] == number
        assert number <= self.kept(), f"{number} was told, and is not kept"
        assert connection.all["view"] == self.view(number, None), (
            f"{phone.name} is told at {number} what not all may know"
        )
        assert view["view"] == self.view(number, connection.seat), f"{phone.name} is told otherwise at {number}"
        sits = self.sittings.get(number)
        seats = sits.acts_for(connection.who) if sits else view["acts_for"]
        for seat, beside in enumerate(view.get("views") or ()):
            assert beside is None or (seat in seats and beside == self.view(number, seat))
        if sits:
            assert connection.seat is None or connection.seat in seats, f"{phone.name} looks with another's eyes"
            acts = [] if sits.halt else seats
            assert (view["acts_for"], view["own"]) == (acts, sits.own(connection.who)), f"{phone.name} at {number}"
            assert view["table"]["halt"] == sits.halt, f"{phone.name} is told of another halt at {number}"
        return view

    def view(self, number: int, seat: int | None) -> Any:
        """Say what somebody may see at a number, by the rules alone."""
        if (number, seat) not in self.seen:
            play = self.play(number)
            write = rendering_of(self.open_house, play)
            self.seen[number, seat] = orjson.loads(orjson.dumps(write(play.game.view(play.position, seat))))
        return self.seen[number, seat]

    # What people do.

    def acts(self) -> None:
        """Let somebody do something, or something go wrong; then wait a little."""
        if self.taps >= MOST_TAPS:
            return
        phone = self.chance.choice(self.phones)
        if phone.is_at_door or (phone.view is not None and not phone.is_screen):
            self.taps += 1
            key = f"{phone.name}.{self.taps}"
            is_tap = not phone.is_at_door and not phone.view["table"]["halt"] and self.chance.random() < 0.8
            if is_tap or not (self.deeds.does(phone, key) or phone.is_at_door):
                self._tap(phone, key)
        if phone.connection and self.goes_wrong():
            phone.connection.cut()
        if phone.connection and self.goes_wrong(0.5):
            self.visits(phone, phone.seat)
        if self.goes_wrong(0.3):
            self.restarts()
        if self.goes_wrong():
            self.clock += timedelta(seconds=self.chance.choice([-86_400, -3, 3, 3_600]))
        self.at(self.now + self.chance.choice([0.0, 0.05, 0.3, 2.0, 15.0]), self.acts)

    def _tap(self, phone: Phone, key: str) -> None:
        """Tap something that would do by what the phone shows; now and then take back, or tap it twice."""
        if self.chance.random() < 0.12:
            step = self.chance.choice(["take-back", "take-back", "put-back"])
            tap = {"url": f"/t/{self.code}/{step}?seat={phone.seat}"}
            self.sent[key] = {"kind": step.replace("-", "_")}
            said: dict[str, Any] = {}
        else:
            data = self._move(phone)
            if data is None:
                return
            self.sent[key] = data
            said, tap = flat(data), {"url": f"/t/{self.code}/{phone.seat}/move"}
        said |= {"after": phone.number, "key": key}
        self.tell(phone, "taps", tap={**tap, "body": urlencode(said)})

    def _move(self, phone: Phone) -> dict[str, Any] | None:
        """Choose a move of those that the phone may make."""
        play = self.known(phone)
        move = self.luck.move(play.position) if play else None
        seat = getattr(move, "seat", None)
        if play is None or move is None or (seat is not None and seat not in phone.view["acts_for"]):
            return None
        self.luck.tire(move, self.chance.random() < 0.3)
        return dict(write_move(play.game, play.seats, move))

    def known(self, phone: Phone) -> Play[Any] | None:
        """Give the play that a phone shows; None where nobody is there to be asked for it."""
        return self.play(phone.number) if phone.number in self.plays or self.house else None

    @cached_property
    def luck(self) -> Chance:
        return Chance(self.table, self.chance)

    # The whole.

    def runs(self) -> None:
        """Play the evening, then let all be well again, and look."""
        self.opens()
        for phone in self.phones:
            self.tell(phone, "is")
            self.connects(phone)
        self.at(self.now, self.acts)
        self.at(self.now + AGAIN_S, self._again)
        while self.taps < MOST_TAPS:
            self._step(PATIENCE_S * 10)
        self.is_calm = True
        until = self.now + PATIENCE_S
        while not self._is_well():
            assert self._step(until), f"it stands still: {[(one.name, one.waiting, one.number) for one in self.phones]}"
        self._look()

    def ends(self) -> House:
        """Let everybody go, and give the house back."""
        for connection in self.connections:
            connection.is_over = True
            connection.hang_up()
        with self.indoors.inside():
            self.loop.settle()
        for phone in self.phones:
            self.node.happens(phone.name, "goes")
        self.open_house.app.extensions["companion.told"] = self.told_before
        return self.open_house

    def _step(self, until: float) -> bool:
        fails = self.house is not None and self.goes_wrong(0.05)
        with self.indoors.inside(), PLAN.failing_at(self.chance.randrange(12)) if fails else nullcontext():
            return self.loop.step(until)

    def _again(self) -> None:
        for phone in self.phones:
            if phone.waiting and phone.connection:
                self.tell(phone, "sends")
        self.at(self.now + AGAIN_S, self._again)

    def _is_well(self) -> bool:
        there = [phone for phone in self.phones if not phone.is_at_door]
        if self.house is None or self.deeds.is_waiting or any(phone.waiting for phone in there):
            return False
        newest = self.kept()
        return all(one.number == newest and one.connection and not one.connection.is_cut for one in there)

    def _read(self, data: dict[str, Any]) -> Any:
        return read_move(self.table.game, self.table.seats, data)

    def _look(self) -> None:
        """The log is what was confirmed, once each and in order, and nothing else."""
        house = self.open_house
        rows = house.entries(self.code)[self.opened :]
        entries = {row[-1].partition(".")[2]: row for row in rows}
        assert len(entries) == len(rows), "an entry stands there twice"
        unasked = entries.keys() - self.sent.keys() - self.deeds.all.keys()
        assert not unasked, f"nobody has asked for {unasked}"
        self.deeds.holds(entries)
        # Whose phone is at the door has taps that wait until it has a page again.
        untold = self.sent.keys() - self.told.keys()
        away = {phone.name for phone in self.phones if phone.is_at_door and phone.waiting}
        assert {key.partition(".")[0] for key in untold} <= away, f"{untold} were never answered"
        for key in entries.keys() & self.sent.keys() - untold:
            number, kind, *_, data, _ = entries[key]
            said, answer = self.sent[key], self.told[key]
            assert kind == said.get("kind", "move")
            assert "kind" in said or self._read(json.loads(data)) == self._read(said)
            assert answer["isEntered"], f"{key} is entered, and was refused"
            assert number <= answer["number"]
        confirmed = {key for key, answer in self.told.items() if answer["isEntered"]}
        assert confirmed <= entries.keys(), f"{confirmed - entries.keys()} are lost"
        with house.app.app_context():
            table = seating.find_table(self.code)
            cookies = {hashed(phone.cookie) for phone in self.phones}
            lost = [place.seat for place in table.seatings if place.phone and place.phone not in cookies]
            assert not lost, f"nobody has the secrets of {lost}"
            assert list(keeping.wrong_with(table)) == []
            assert log.read(table).play.position == log.fold(table).position


def rendering_of(house: House, play: Play[Any]) -> Any:
    """Give what writes views of a game."""
    with house.app.app_context():
        return rendering(play.game).write


@contextmanager
def clocks(evening: Evening) -> Iterator[None]:
    """Let the server's clocks be the evening's."""

    def now() -> str:
        return written(BEGUN + timedelta(seconds=evening.now) + evening.clock)

    places: Sequence[tuple[Any, str, Any]] = (
        (log, "now", now), (door, "now", now),
        (readings, "time", SimpleNamespace(monotonic=lambda: evening.now)),
        (renewal, "time", SimpleNamespace(monotonic=lambda: evening.now)),
    )  # fmt: skip
    before = [(place, name, getattr(place, name)) for place, name, _ in places]
    for place, name, value in places:
        setattr(place, name, value)
    try:
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


@contextmanager
def frozen() -> Iterator[None]:
    """Let the collector leave alone what there is already, and come as seldom as it comes in a server."""
    before = gc.get_threshold()
    settle()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@dataclass
class Played:
    """What some evenings have shown."""

    evenings: int = 0
    taps: int = 0
    entries: int = 0
    sealed: int = 0
    """Entries that were secret when they were made."""
    drawn: int = 0
    deeds: Counter[str] = field(default_factory=Counter)
    """What was entered by forms."""
    seconds: float = 0.0

    def add(self, evening: Evening) -> None:
        """Count an evening."""
        self.evenings += 1
        self.taps += evening.taps
        self.entries += evening.kept()
        self.drawn += evening.drawn
        self.deeds += evening.deeds.entered
        self.sealed += sum(play.game.has_secrets(play.position) for play in evening.plays.values())


def play(seeds: Sequence[int] | range, postgres: Postgres | None = None) -> Played:
    """Play evenings. Raises: AssertionError, with the seed."""
    played, began = Played(), time.process_time()
    with ExitStack() as ends:
        phones = Phones()
        ends.callback(phones.close)
        ends.enter_context(DISK.laid())
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="evenings-")))
        served = None
        if postgres:
            relay = Relay(Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="relay-"))), postgres)
            ends.callback(relay.close)
            served = relay.database
        ends.enter_context(frozen())
        house, modules = House(folder, served), Modules(folder)
        ends.callback(lambda: house.close())  # noqa: PLW0108 (it may be another one by then)
        past = ends.enter_context((postgres or Lite(folder)).held())
        for seed in seeds:
            evening = Evening(seed, phones, house, modules, past)
            with clocks(evening):
                try:
                    evening.runs()
                    played.add(evening)
                except Exception as problem:
                    raise AssertionError(f"evening {seed}: {problem}") from problem
                house = evening.ends()
            if seed % GARBAGE == 0:
                gc.collect()
    played.seconds = time.process_time() - began
    return played


def main() -> None:
    """Play some evenings, and say how long they took."""
    parser = argparse.ArgumentParser(description="Play evenings that are simulated from their seeds.")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--evenings", type=int, default=1)
    asked = parser.parse_args()
    print(play(range(asked.first, asked.first + asked.evenings)))


if __name__ == "__main__":
    main()
