"""Faults at every step: each write, sync, word and answer of a move fails once, in turn; the log is whole, the phone knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import count, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import event
from werkzeug.test import Client, TestResponse

import companion
from companion import log
from companion.log import keeping
from companion.log.rows import db
from companion.rendering.differences import put_in
from companion.tables import seating
from companion.web.renderings import rendering
from tests import conserved, faults
from tests.databases import Database, Lite, Postgres
from tests.faults import MEMORY, PLAN, Relay
from tests.house import House, a_round, bid, secret, walked
from tests.offline import Indoors, Loop, Page
from tests.test_durability import PART, form, is_whole, sent

MOST_STEPS = 200
MANY = 149
"""Of so many calls the gate lets one find no memory."""
A_TABLE = 100
"""So many turns are had at a table of those whose memory fails."""
COMPANION = Path(companion.__file__).parent
HONEST = {303, 503}
"""It is entered; or nobody can say that it is, and it may come again."""


class Seen(Page):
    """A page that holds what it has been told together, as the phone does."""

    def view(self) -> dict[str, Any]:
        """Give what it shows; a line that was broken off comes again first."""
        if self.wire.is_cut:
            self.open()
        of_all: Any = None
        own: dict[str, Any] = {}
        for said in (one for one in self.told if "all" in one):
            of_all, own = put_in(of_all, said["all"]) | {"number": said["number"]}, own | said.get("own", {})
            own = {path: value for path, value in own.items() if path not in said.get("gone", ())}
        return dict(put_in(of_all, own))


@dataclass
class Evening:
    """A table where one thing is done again and again, each time with another fault."""

    house: House
    indoors: Indoors
    code: str
    phones: dict[str, Client] = field(default_factory=dict)
    pages: list[Seen] = field(default_factory=list)

    def comes(self, phone: str) -> None:
        """Let a phone be there."""
        if phone not in self.phones:
            self.phones[phone] = self.house.app.test_client()
            self.phones[phone].set_cookie("phone", secret(phone), domain="localhost")

    def post(self, phone: str, path: str, data: dict[str, object]) -> TestResponse:
        """Post a form as a phone, and let the lines tell of it."""
        self.comes(phone)
        address = f"/t/{self.code}/{path}"
        answer = self.phones[phone].post(address, data=data, headers={"Sec-Fetch-Site": "same-origin"})
        self.indoors.settle()
        return answer

    def goes(self) -> None:
        """Close the pages."""
        for page in self.pages:
            page.wire.close()
        self.indoors.settle()

    def holds(self) -> None:
        """What memory knows is what the log says, and every page shows that, and of it what is its seat's to see."""
        seen = [page.view() for page in self.pages]
        with self.house.app.app_context():
            table = seating.find_table(self.code)
            reading, folded = log.read(table), log.fold(table)
            assert walked(reading.play) == walked(folded)
            conserved.CHECKS[table.game](folded)
            write = rendering(folded.game).write
            for page, shown in zip(self.pages, seen, strict=True):
                assert shown["number"] == reading.number
                assert shown["view"] == json.loads(json.dumps(write(folded.game.view(folded.position, page.seat))))


@dataclass(frozen=True)
class Act:
    """Something that a phone asks for, and what leads up to it and away from it again."""

    path: str
    data: Callable[[int], dict[str, object]]
    """By the turn: each is another one."""
    before: Callable[[Evening, int], object] = lambda _evening, _turn: None
    after: Callable[[Evening, int], object] = lambda _evening, _turn: None
    who: str = "host"
    bidding: str = "open"


def bids(turn: int) -> dict[str, object]:
    return form(bid(0, 2 + turn % 9), "")


def bo_bids(turn: int) -> dict[str, object]:
    return form(bid(1, turn % 11), "")


def bidden(evening: Evening, turn: int) -> None:
    evening.house.move(evening.code, "guest", bid(1, turn % 11), f"before.{turn}")
    evening.indoors.settle()


def taken_back(evening: Evening, turn: int) -> None:
    assert evening.post("host", "take-back?seat=0", {"key": f"after.{turn}"}).status_code == 303


def freed(evening: Evening, turn: int) -> None:
    """The seat is the phone's own, until the host takes it away."""
    sitter = evening.phones[f"late{turn}"]
    assert sitter.get(f"/t/{evening.code}/2").status_code == 200
    assert evening.post("host", "free", {"seat": "2", "key": f"free.{turn}"}).status_code == 303
    assert sitter.get(f"/t/{evening.code}/2").status_code == 403


ACTS = {
    "a move": Act("1/move", bo_bids, after=taken_back, who="guest"),
    "a bid": Act("0/move", bids, bidding="hidden"),
    "a step back": Act("take-back?seat=0", lambda _turn: {}, before=bidden),
    "an amendment": Act("history/2", bids, bidding="hidden"),
    "taking a seat": Act("sit", lambda _turn: {"seat": "2", "name": "Zoe"}, after=freed, who="late{}"),
}


@pytest.fixture
def evenings(database: Database, tmp_path: Path) -> Iterator[Callable[[str], Evening]]:
    """Give what opens a table upon a disk, or by connections, that may fail."""
    with ExitStack() as ends:
        ends.enter_context(faults.DISK.laid())
        if isinstance(database, Postgres):
            relay = Relay(Path(ends.enter_context(TemporaryDirectory(prefix="relay-"))), database)
            ends.callback(relay.close)
            database = relay.database
        house = House(tmp_path, database)
        ends.callback(house.close)
        indoors = Indoors(house, loop := Asyncios())
        loop.failed = indoors.lines.failed
        with house.app.app_context():
            if isinstance(database, Lite):
                db.engine.dispose()
                event.listen(db.engine, "connect", lambda raw, _: raw.execute("PRAGMA wal_autocheckpoint=1"))

        def opened(bidding: str) -> Evening:
            code = house.open(["Ann", "Bo", ""], {1: "guest"}, bidding=bidding)
            house.move(code, "host", bid(0, 1), "first")
            evening = Evening(house, indoors, code)
            evening.pages += [Seen(indoors, code, *who) for who in (("host", 0), ("guest", 1), ("", None))]
            return evening

        yield opened


def fails_once(evening: Evening, act: Act, turn: int, folder: Path) -> bool:
    """Let one step of an act fail, then send it again; False when there is no such step."""
    house, key, crashed = evening.house, f"k{turn}", list[list[Any]]()
    who, data = act.who.format(turn), {**act.data(turn), "key": key}
    act.before(evening, turn)
    before = house.entries(evening.code)

    def look() -> None:
        if isinstance(house.database, Lite):
            crashed.append(left(house, evening.code, folder))

    with PLAN.failing_at(turn, look):
        answer = evening.post(who, act.path, data)
    entered = house.entries(evening.code)
    new = [sent(each) for *_, each in entered[len(before) :]]
    assert answer.status_code in HONEST, answer.text[-300:]
    assert new == [key] if answer.status_code == 303 else new in ([], [key])
    assert entered[: len(before)] == before
    assert all(entries in (before, [*before, *entries[len(before) :]]) for entries in crashed)
    assert not new or not isinstance(house.database, Lite) or answer.status_code == 303
    for _ in range(2):
        assert evening.post(who, act.path, data).status_code == 303
        assert [sent(each) for *_, each in house.entries(evening.code)[len(before) :]] == [key]
    evening.holds()
    act.after(evening, turn)
    return PLAN.is_done


def left(house: House, code: str, folder: Path) -> list[Any]:
    """Read the log as a machine would leave it that dies now; it is whole."""
    database = Lite(faults.as_it_lies(house.folder, folder / "left"))
    assert is_whole(database)
    return database.rows(
        "SELECT number, kind, seat, by, CAST(data AS TEXT), key FROM entries JOIN tables ON id = table_id "
        "WHERE code = ? ORDER BY number",
        code,
    )


@pytest.mark.promise(31)
@pytest.mark.on_both
@pytest.mark.parametrize("every", [pytest.param(11, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ACTS)
def test_whatever_step_of_an_act_fails_the_log_is_whole_and_the_phone_knows(
    evenings: Callable[[str], Evening], name: str, every: int, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    act, steps = ACTS[name], set[str]()
    evening = evenings(act.bidding)
    for turn in count([*ACTS].index(name) % every, every):
        assert turn < MOST_STEPS
        is_failed = fails_once(evening, act, turn, tmp_path)
        steps |= {*PLAN.failed}
        if not is_failed:
            break
    assert turn > every
    assert is_whole(evening.house.database)
    numbers = [number for number, *_ in evening.house.entries(evening.code)]
    assert numbers == list(range(1, len(numbers) + 1))
    figure(f"{name}: {-(-turn // every)} faults ({', '.join(sorted(steps))}), each once: 0 entries lost, 0 twice")


class Asyncios(Loop):
    """A loop that goes on when something fails that was due, as asyncio's does: it tells whoever it has to tell."""

    failed: Callable[[Any, dict[str, Any]], None]

    def step(self, until: float) -> bool:
        try:
            return super().step(until)
        except MemoryError as problem:
            self.failed(self, {"exception": problem, "handle": None})
            return True


def tapped(page: Seen, key: str, said: str) -> dict[str, Any] | None:
    """Tap by a line, which asyncio ends where it cannot be read."""
    try:
        return page.tap(key, said)
    except MemoryError:
        page.wire.close()
        page.indoors.settle()
        return None


def runs_out_once(evening: Evening, act: Act, turn: int) -> bool:
    """Let there be no memory for one call of an act, then send it again; False when there is no such call."""
    house, key = evening.house, f"k{turn}"
    who, data = act.who.format(turn), {**act.data(turn), "key": key}
    act.before(evening, turn)
    before = house.entries(evening.code)
    evening.comes(who)
    with suppress(MemoryError), MEMORY.failing_at(turn, COMPANION):
        evening.post(who, act.path, data)
    is_failed, what = MEMORY.plan.is_done, MEMORY.plan.failed
    new = [sent(each) for *_, each in house.entries(evening.code)[len(before) :]]
    assert new in ([], [key]), what
    for _ in range(2):
        answer = evening.post(who, act.path, data)
        assert answer.status_code == 303, (what, answer.text[-300:])
        assert [sent(each) for *_, each in house.entries(evening.code)[len(before) :]] == [key], what
    evening.holds()
    act.after(evening, turn)
    return is_failed


@pytest.mark.promise(31)
@pytest.mark.parametrize("every", [pytest.param(MANY, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)])
@pytest.mark.in_turn(of=5)
@pytest.mark.parametrize("name", ACTS)
def test_whatever_call_of_an_act_finds_no_memory_the_log_is_whole_and_the_phone_knows(
    evenings: Callable[[str], Evening], name: str, every: int, figure: Callable[[str], None]
) -> None:
    act, faults_of = ACTS[name], set[str]()
    evening = evenings(act.bidding)
    for turn in count([*ACTS].index(name) * 7 % every, every):
        if turn % A_TABLE < every:
            evening.goes()
            evening = evenings(act.bidding)
        is_failed = runs_out_once(evening, act, turn)
        faults_of |= {*MEMORY.plan.failed}
        if not is_failed:
            break
    assert turn > every
    assert is_whole(evening.house.database)
    figure(f"{name}: {-(-turn // every)} calls without memory ({len(faults_of)} functions): 0 entries lost, 0 twice")


@pytest.mark.promise(31)
@pytest.mark.parametrize("every", [pytest.param(MANY, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)])
@pytest.mark.parametrize("is_near", [True, False], ids=["at once", "beside"])
def test_whatever_call_of_a_tap_by_line_finds_no_memory_it_is_entered_once_and_the_line_goes_on(
    evenings: Callable[[str], Evening], is_near: bool, every: int, figure: Callable[[str], None]
) -> None:
    evening = evenings("hidden")
    evening.house.app.extensions["companion.is_near"] = is_near
    page = evening.pages[0]
    for turn in count(0, every):
        before, key = len(evening.house.entries(evening.code)), f"k{turn}"
        said = urlencode({"move": "bid", "seat": 0, "tricks": 2 + turn % 9, "after": before})
        with MEMORY.failing_at(turn, COMPANION):
            answer = tapped(page, key, said)
        what = MEMORY.plan.failed
        if answer is None:
            page.open()
        if answer is None or "isToWait" in answer:
            answer = page.tap(key, said)
        assert answer == {"key": key, "number": before + 1}, what
        assert [sent(each) for *_, each in evening.house.entries(evening.code)[before:]] == [key], what
        evening.holds()
        if not MEMORY.plan.is_done:
            break
    assert turn > every
    figure(f"a tap by its line: {-(-turn // every)} calls without memory, each once: 0 entries lost, 0 twice")


@pytest.mark.promise(31)
@pytest.mark.parametrize("is_near", [True, False], ids=["at once", "beside"])
def test_whatever_step_of_a_tap_by_line_fails_it_is_entered_once_and_everybody_sees_it(
    evenings: Callable[[str], Evening], is_near: bool, figure: Callable[[str], None]
) -> None:
    """The last steps are the sends: to who has tapped, and to the others; a line is cut where one fails."""
    evening, steps = evenings("hidden"), list[str]()
    evening.house.app.extensions["companion.is_near"] = is_near
    page = evening.pages[0]
    for turn in count():
        before, key = len(evening.house.entries(evening.code)), f"k{turn}"
        said = urlencode({"move": "bid", "seat": 0, "tricks": 2 + turn % 9, "after": before})
        with PLAN.failing_at(turn):
            answer = page.tap(key, said)
        if answer is None:
            page.open()
        if answer is None or "isToWait" in answer:
            answer = page.tap(key, said)
        assert answer == {"key": key, "number": before + 1}
        assert [sent(each) for *_, each in evening.house.entries(evening.code)[before:]] == [key]
        evening.holds()
        steps += PLAN.failed
        if not PLAN.is_done:
            break
    assert steps[-len(evening.pages) :] == ["send"] * len(evening.pages)
    figure(f"a tap by its line: {len(steps)} faults, {steps.count('send')} of them sends: 0 entries lost, 0 twice")


@pytest.mark.promise(19)
def test_the_end_of_a_game_that_was_posted_can_be_taken_back_at_once(house: House) -> None:
    """Found by simulated evenings: memory kept the table as it was before the end, and the table was frozen for ever."""
    code = house.open(["Ann", "Bo", "Cy"])
    *moves, last = (move for number in range(1, 11) for move in a_round(number, 3))
    for number, move in enumerate(moves):
        house.move(code, "host", move, f"k{number}")
    client = house.app.test_client()
    client.set_cookie("phone", secret("host"), domain="localhost")
    house.read(code)
    for path, said in (("0/move", form(last, "last")), ("take-back?seat=0", {"key": "back"})):
        headers = {"Sec-Fetch-Site": "same-origin", "Accept": PART}
        assert client.post(f"/t/{code}/{path}", data=said, headers=headers).status_code == 200
    with house.app.app_context():
        assert list(keeping.wrong_with(seating.find_table(code))) == []


@pytest.mark.promise(20)
def test_a_tap_by_line_that_cannot_be_read_is_answered_and_the_line_goes_on(house: House) -> None:
    """Found by simulated evenings: to name the field took a request, and the line broke off whenever the tap came again."""
    code = house.open(["Ann", "Bo"], game="ubongo")
    page = Page(Indoors(house, Loop()), code, "host", 0)
    for said in ("move=place&seat=0&row=x", "move=place&seat=0", "move=roll&symbol=x", "move=ubongo&seat=x"):
        assert page.tap(said, said) == {"key": said, "isLost": True}
    assert not page.wire.is_cut


def test_a_tap_waits_for_the_ruling_on_another_one_and_nothing_turns_round_meanwhile(
    evenings: Callable[[str], Evening],
) -> None:
    evening = evenings("open")
    evening.house.app.extensions["companion.is_near"] = False
    pages, loop = evening.pages[:2], evening.indoors.loop
    with evening.indoors.inside():
        for seat, page in enumerate(pages):
            page.say("k", urlencode({"move": "bid", "seat": seat, "tricks": 3}))
        until = loop.time() + 1
        steps = sum(1 for _ in takewhile(lambda _: loop.step(until), range(MOST_STEPS)))
    assert steps < MOST_STEPS
    assert [[one["key"] for one in page.told if "key" in one] for page in pages] == [["k"], ["k"]]
