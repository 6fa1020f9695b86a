"""Evenings that are simulated from a seed: the server's own code, and the phones' own modules, over a network that is none.

Nothing waits and nothing listens: `tests/offline.py` gives the server its lines upon a clock of our own, one process of
Node holds all phones (`tests/scripts/phones.mjs`). Words are late, lost with their line, come twice or after later ones;
the server is closed and opened again on the same database, a write to its disk fails, its clock jumps. Meanwhile people
play at random. The same seed is the same evening.

`python -m tests.simulated --first 0 --evenings 1000` plays some; a seed that fails is printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import orjson
from werkzeug.test import Client

from companion import log
from companion.desk.differences import put_in
from companion.intake import written
from companion.log import door, keeping, readings
from companion.play import Play
from companion.record import read_move, write_move
from companion.tables import seating
from companion.tables.seating import Asker, hashed
from companion.testing.kit import Chance, Table
from companion.testing.moments import some_table
from companion.testing.node import node
from companion.web.parts import PART
from companion.web.renderings import rendering
from tests.faults import DISK, PLAN
from tests.house import House, secret
from tests.offline import Ear, Indoors, Loop, Wire

SCRIPT = Path(__file__).with_name("scripts") / "phones.mjs"
MOST_TAPS = 40
BEGUN = datetime(2026, 11, 21, 20, tzinfo=UTC)
PATIENCE_S = 300.0
"""Seconds of the evening after which all must be well again, once nothing fails any more."""
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
    seat: int
    acts_for: list[int] = field(default_factory=list)
    connection: Connection | None = None
    lines: int = 0
    waiting: int = 0
    number: int = 0
    """Of what it shows."""
    view: Any = None


class Evening:
    """One evening at one table."""

    def __init__(self, seed: int, phones: Phones, house: House) -> None:
        self.seed, self.node, self.folder = seed, phones, house.folder
        self.chance = Random(f"evening {seed}")
        self.loop = Loop()
        self.house: House | None = house
        self.indoors = Indoors(house, self.loop)
        self.database = house.database
        self.told_before = house.app.extensions["companion.told"]
        self.connections: list[Connection] = []
        self.clock = timedelta()
        self.is_calm = False
        self.taps = 0
        self.sent: dict[str, dict[str, Any]] = {}
        """By key, what each tap says; of moves."""
        self.told: dict[str, dict[str, Any]] = {}
        """By key, what its phone was told of it."""
        self.plays: dict[int, Play[Any]] = {}
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

        return some_table(GAMES[self.chance.choice([*GAMES])], self.chance)

    # The house.

    def opens(self) -> None:
        """Open a table, and seat the phones there."""
        house, table = self.open_house, self.table
        seats = [0, *sorted(self.chance.sample(range(1, table.seats), self.chance.randrange(min(table.seats, 4))))]
        self.phones = [Phone("host" if seat == 0 else f"{self.seed}-{seat}", seat) for seat in seats]
        sitting = {phone.seat: phone.name for phone in self.phones}
        self.code = house.open([f"P{seat}" for seat in range(table.seats)], sitting, table.game.key, **table.options)
        with house.app.app_context():
            found = seating.find_table(self.code)
            self.table_id = found.id
            for phone in self.phones:
                phone.acts_for = list(Asker(found, hashed(secret(phone.name))).seats)
        self.trusts()

    def trusts(self) -> None:
        """Look, at each telling, whether what is told is kept already."""
        house = self.open_house
        house.app.extensions["companion.is_near"] = self.chance.random() < 0.7
        told = self.told_before

        def tells(code: str, number: int) -> None:
            assert number <= self.kept(), f"{number} was told, and is not kept"
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
        self.house = House(self.folder)
        self.indoors = Indoors(self.house, self.loop)
        self.told_before = self.house.app.extensions["companion.told"]
        self.trusts()

    def play(self, number: int) -> Play[Any]:
        """Give the play at a number of the log."""
        if number not in self.plays:
            house = self.open_house
            with house.app.app_context():
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
        if connection.is_cut:
            return
        wire: Wire | int = 0
        if self.house and not self.goes_wrong():
            wire = self.indoors.connect(
                f"/t/{self.code}/{phone.seat}/line?after={phone.number}", phone.name, heard.append
            )
        if isinstance(wire, int):
            assert wire in {0, 429, 503}, f"{phone.name} was refused its line: {wire}"
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
            self.at(self.late(), self._posted, phone, url, body, key)

    def _posted(self, phone: Phone, url: str, body: str, key: str) -> None:
        answer = None
        if self.house:
            with self.indoors.outside():
                client: Client = self.house.app.test_client()
                client.set_cookie("phone", secret(phone.name), domain="localhost")
                headers = {"Sec-Fetch-Site": "same-origin", "Accept": PART}
                kind = "application/x-www-form-urlencoded"
                got = client.post(url, data=body, content_type=kind, headers=headers)
            assert got.status_code != 500, got.text[-500:]
            number = int(got.headers.get("X-Number", -1))
            answer = {"isEntered": got.status_code < 300, "number": number, "status": got.status_code, "refusal": None}
        if answer is None or self.goes_wrong(2):
            self.at(self.now + 5, self.learns, phone, key, None)
        else:
            self.at(self.late(), self.learns, phone, key, answer)

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
        connection.up(connection.ear.say(does["text"]))

    def _close(self, phone: Phone, does: dict[str, Any]) -> None:
        """It has opened another one, and `connects` sees to this one."""

    def _post(self, phone: Phone, does: dict[str, Any]) -> None:
        self.posts(phone, does["url"], does["body"], does["key"])

    def _see(self, phone: Phone, does: dict[str, Any]) -> None:
        assert does["number"] >= phone.number, f"{phone.name} was led back from {phone.number} to {does['number']}"
        phone.number, phone.view = does["number"], does["view"]

    def _lose(self, phone: Phone, does: dict[str, Any]) -> None:
        assert not does["isGone"], f"{phone.name} lost its seat"
        line = phone.lines
        self.at(self.now + self.chance.uniform(1.5, 3.0), lambda: phone.lines == line and self.connects(phone))

    def _take(self, phone: Phone, does: dict[str, Any]) -> None:
        if not does["isTaken"]:
            del self.sent[does["key"]]

    def _learn(self, phone: Phone, does: dict[str, Any]) -> None:
        key, answer = does["key"], does["answer"]
        assert key not in self.told, f"{key} was answered twice"
        assert not answer["isEntered"] or answer["number"] <= self.kept(), f"{key} was confirmed, and is not kept"
        self.told[key] = answer

    def hears(self, phone: Phone, connection: Connection, text: str, view: Any) -> None:
        """Let words arrive; what the phone makes of them is what the server meant."""
        if phone.connection is not connection:
            return
        seen = [one["view"] for one in self.tell(phone, "hears", text=text) if one["does"] == "see"]
        assert seen == ([] if view is None else [view]), f"{phone.name} sees otherwise"

    def audited(self, connection: Connection, text: str) -> Any:
        """Look at what the server says to a phone: nothing but what its seats may see. Gives the view, if it is one."""
        said = orjson.loads(text)
        if "all" not in said:
            return None
        phone, number = connection.phone, said["number"]
        connection.all = put_in(connection.all, said["all"])
        connection.own |= said.get("own", {})
        for path in said.get("gone", ()):
            del connection.own[path]
        view = put_in(connection.all, connection.own)
        assert view["number"] == number
        assert number <= self.kept(), f"{number} was told, and is not kept"
        assert connection.all["view"] == self.view(number, None), (
            f"{phone.name} is told at {number} what not all may know"
        )
        assert view["view"] == self.view(number, phone.seat), f"{phone.name} is told otherwise at {number}"
        assert set(view["acts_for"]) == set(phone.acts_for)
        for seat, beside in enumerate(view.get("views") or ()):
            assert beside is None or (seat in phone.acts_for and beside == self.view(number, seat))
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
        if phone.view is not None:
            self.taps += 1
            self._tap(phone)
        if phone.connection and self.goes_wrong():
            phone.connection.cut()
        if self.goes_wrong(0.5):
            self.tell(phone, "loads")
            self.connects(phone)
        if self.goes_wrong(0.3):
            self.restarts()
        if self.goes_wrong():
            self.clock += timedelta(seconds=self.chance.choice([-86_400, -3, 3, 3_600]))
        self.at(self.now + self.chance.choice([0.0, 0.05, 0.3, 2.0, 15.0]), self.acts)

    def _tap(self, phone: Phone) -> None:
        """Tap something that would do by what the phone shows; now and then take back, or tap it twice."""
        key = f"{phone.name}.{self.taps}"
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
        if phone.number not in self.plays and self.house is None:
            return None
        play = self.play(phone.number)
        move = self.luck.move(play.position)
        seat = getattr(move, "seat", None)
        if move is None or (seat is not None and seat not in phone.acts_for):
            return None
        self.luck.tire(move, self.chance.random() < 0.3)
        return dict(write_move(play.game, play.seats, move))

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
            if phone.waiting:
                self.tell(phone, "sends")
        self.at(self.now + AGAIN_S, self._again)

    def _is_well(self) -> bool:
        if self.house is None or any(phone.waiting for phone in self.phones):
            return False
        newest = self.kept()
        return all(one.number == newest and one.connection and not one.connection.is_cut for one in self.phones)

    def _read(self, data: dict[str, Any]) -> Any:
        return read_move(self.table.game, self.table.seats, data)

    def _look(self) -> None:
        """The log is what was confirmed, once each and in order, and nothing else."""
        house = self.open_house
        entries = [row for row in house.entries(self.code) if row[1] not in {"seat", "table"}]
        keys = [key.partition(".")[2] for *_, key in entries]
        assert len(set(keys)) == len(keys), "an entry stands there twice"
        assert set(keys) <= set(self.sent), f"nobody has tapped {set(keys) - set(self.sent)}"
        for number, kind, *_, data, key in entries:
            said = self.sent[key.partition(".")[2]]
            assert kind == said.get("kind", "move")
            assert "kind" in said or self._read(json.loads(data)) == self._read(said)
            answer = self.told.get(key.partition(".")[2])
            assert answer, f"{key} is entered, and its phone does not know"
            assert answer["isEntered"], f"{key} is entered, and was refused"
            assert number <= answer["number"]
        confirmed = {key for key, answer in self.told.items() if answer["isEntered"]}
        assert confirmed <= set(keys), f"{confirmed - set(keys)} are lost"
        assert set(self.told) == set(self.sent), "a tap was never answered"
        with house.app.app_context():
            table = seating.find_table(self.code)
            assert list(keeping.wrong_with(table)) == []
            assert log.read(table).play.position == log.fold(table).position


def rendering_of(house: House, play: Play[Any]) -> Any:
    """Give what writes views of a game."""
    with house.app.app_context():
        return rendering(play.game).write


def flat(data: dict[str, Any]) -> dict[str, Any]:
    """Write a move as a page's form says it."""
    said: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], list):
            said |= {f"{name}-{row}-{place}": one for row, cells in enumerate(value) for place, one in enumerate(cells)}
        elif isinstance(value, list) and name in {"tricks", "plus", "minus"}:
            said |= {f"{name}-{seat}": one for seat, one in enumerate(value)}
        elif isinstance(value, list):
            said[name] = " ".join(map(str, value)) or "none"
        else:
            said[name] = str(value).lower() if isinstance(value, bool) else value
    return said


@contextmanager
def clocks(evening: Evening) -> Iterator[None]:
    """Let the server's clocks be the evening's."""

    def now() -> str:
        return written(BEGUN + timedelta(seconds=evening.now) + evening.clock)

    places: Sequence[tuple[Any, str, Any]] = (
        (log, "now", now), (door, "now", now),
        (readings, "time", SimpleNamespace(monotonic=lambda: evening.now)),
    )  # fmt: skip
    before = [(place, name, getattr(place, name)) for place, name, _ in places]
    for place, name, value in places:
        setattr(place, name, value)
    try:
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


@dataclass
class Played:
    """What some evenings have shown."""

    evenings: int = 0
    taps: int = 0
    entries: int = 0
    seconds: float = 0.0


def play(seeds: Sequence[int] | range, most_s: float = float("inf")) -> Played:
    """Play evenings, as many as the time allows. Raises: AssertionError, with the seed."""
    played, began = Played(), time.process_time()
    with ExitStack() as ends:
        phones = Phones()
        ends.callback(phones.close)
        ends.enter_context(DISK.laid())
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="evenings-")))
        house = House(folder)
        ends.callback(lambda: house.close())  # noqa: PLW0108 (it may be another one by then)
        for seed in seeds:
            if time.process_time() - began > most_s:
                break
            evening = Evening(seed, phones, house)
            with clocks(evening):
                try:
                    evening.runs()
                    played.entries += evening.kept()
                except Exception as problem:
                    raise AssertionError(f"evening {seed}: {problem}") from problem
                house = evening.ends()
            played.evenings += 1
            played.taps += len(evening.sent)
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
