"""Promise 6, the canary: a sealed bid stays sealed; promise 7: the reveal is one entry.

The same evening is played twice, and only the sealed bids differ. Whatever anybody at the table, or beside it, can get
out of the house before the reveal must be the same, byte for byte: pages, parts, streams, the frames of lines and sockets,
their lengths and their number, answers to posts, refusals, history, forms to amend, sheets, the record, and what is logged. Codes, keys and times are made the same by fixing them.
"""

from __future__ import annotations

import gc
import json
import logging
import math
import secrets
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, product
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import event
from werkzeug.test import TestResponse

from companion import log, record
from companion.api.socket import Program
from companion.desk import talking
from companion.desk.listening import newest
from companion.desk.talking import Talker
from companion.games.rage.position import Position
from companion.kernel import once
from companion.log.rows import db
from companion.tables import seating
from companion.tables.seating import Asker, hashed
from companion.web.line import Viewer
from companion.web.parts import PART, Rendered
from tests.web.conftest import House, Phone
from tests.web.stage import routes

Build = Callable[..., House]
Step = Callable[..., None]
TIMED = {"X-RateLimit-Reset", "Retry-After"}
ROLES = ("host", "own seat", "other seat", "spectator")
HEARS: tuple[tuple[str, int | None], ...] = (
    ("host", 0), ("host", 3), ("own seat", 1), ("other seat", 2), ("spectator", None),
)  # fmt: skip
"""Whose eyes everybody listens with."""
FORMAT = logging.Formatter("%(name)s %(levelname)s %(message)s")
"""The traceback comes with it."""
SEALED = ("hidden", "secret")
RUNS = ((3, 3, 3), (3, 10, 0))
"""The bids of one evening: Bo's first, the one that replaces it, and that of the seat without a phone.

The same twice, or another one; one digit, or two; what a curious phone supposes, or not: nothing of it must show."""
BO_S_BID = 5
"""The entry of Bo's first bid."""
PROBE = 3
"""What a curious phone supposes the bid to be: right in the first evening, wrong in the second."""


STEPS = ("/t/{code}/steps?at=%s", "/api/tables/{code}/steps/%s?")
"""What there was at each step; the gate opens one of the two in turn, from look to look."""


@dataclass
class Evening:
    """One table, with all that anybody could learn there, in order."""

    house: House
    people: dict[str, Phone]
    is_long: bool
    seen: list[tuple[str, bytes]] = field(default_factory=list)
    lines: dict[str, Talker] = field(default_factory=dict)
    """Pages and programs that listen all the time, by who they are."""

    def listen(self) -> None:
        """Let everybody who sits there, and the screen, hold a line of a page and a socket of a program."""
        for role, seat in HEARS:
            for kind in (Viewer, Program):
                cookie = self.people[role].client.get_cookie("phone")
                with self.house.app.test_request_context():
                    asker = Asker(seating.find_table(self.people[role].code), hashed(cookie.value if cookie else ""))
                    self.lines[f"{role} as {seat} by {kind.__name__}"] = kind(asker, seat)
        self.hear("at first")

    def hear(self, when: str) -> None:
        """Keep the next frame of every line, or that there is none; who has lost the seat hears no more."""
        with self.house.app.app_context():
            news = newest(self.people["host"].code, None)
            for who, line in list(self.lines.items()):
                said = line.look(news)
                self.seen.append((f"{when}: {who} hears", b"gone" if said is None else said.encode()))
                if said is None:
                    del self.lines[who]

    def say(self, who: str, what: str, **form: Any) -> None:
        """Tap over the line of a page, and move over the socket of a program; keep the answers, and what others hear."""
        move = {name: value for name, value in form.items() if name not in {"key", "after"}}
        for line, said in (
            (self.lines[f"{who} by Viewer"], {"key": f"{form['key']}.line", "form": urlencode(form)}),
            (self.lines[f"{who} by Program"], {"key": f"{form['key']}.socket", "move": move}),
        ):
            with self.house.app.app_context():
                (answer,) = talking.answers([(line, json.dumps(said))])
            self.seen.append((f"{who} {what} over a line", answer.encode()))
            self.hear(what)

    def note(self, what: str, answer: TestResponse) -> TestResponse:
        """Keep an answer whole."""
        told = [f"{name}: {value.partition('; Expires')[0]}" for name, value in answer.headers if name not in TIMED]
        headers = "\n".join(told)
        self.seen.append((what, f"{answer.status}\n{headers}\n\n".encode() + answer.data))
        return answer

    def act(self, who: str, what: str, path: str, **form: Any) -> TestResponse:
        """Post something, and keep the answer with and without script."""
        fields = {name: str(value) for name, value in form.items()}
        answer = self.note(f"{who} {what}", self.people[who].posts(path, fields))
        self.hear(f"{who} {what}")
        return answer

    def look_around(self, when: str) -> None:
        """Let everybody open everything; end with the record."""
        moves = self.house.rows("SELECT number FROM entries WHERE kind = 'move' ORDER BY number LIMIT 4")
        numbers = [number for (number,) in moves]
        acts_for = {"host": [0, 1, 3], "own seat": [1], "other seat": [1, 2], "spectator": [1]}
        for role, route in product(ROLES, routes(self.house.app, "GET")):
            if not any(part in route.rule for part in ("<code>", "/book")) or route.rule.startswith("/T/"):
                continue
            spots = numbers if "<int:number>" in route.rule and role in {"host", "own seat"} else [BO_S_BID]
            seats = acts_for[role] if "<int:seat>" in route.rule else [0]
            for seat, spot in product(seats, spots):
                self.look(when, role, route.path(self.people[role].code, seat, spot), route.is_stream)
        looks = sum(what.endswith(": the record") for what, _ in self.seen)
        for role, page, step in product(ROLES, STEPS if self.is_long else [STEPS[looks % 2]], range(5)):
            for seat in ("", *(f"&seat={seat}" for seat in acts_for[role])):
                self.look(when, role, f"{page % step}{seat}", is_stream=False)
        with self.house.app.app_context():
            table = seating.find_table(self.people["host"].code)
            written = record.write(log.read(table).play, table.options, list("ABCD"))
            stored = json.dumps([table.result, table.closed])
        self.seen.append((f"{when}: the record", json.dumps(written).encode() + stored.encode()))

    def look(self, when: str, role: str, path: str, is_stream: bool) -> None:
        phone = self.people[role]
        if not is_stream:
            self.note(f"{when}: {role} opens {path}", phone.gets(path))
            return
        with phone.gets(path, buffered=False) as answer:
            frames = (
                [next(chunks) for _ in range(2)]
                if answer.status_code == 200 and (chunks := answer.iter_encoded())
                else []
            )
            self.seen.append((f"{when}: {role} hears {path}", answer.status.encode() + b"".join(frames)))


@pytest.fixture
def seen(
    build: Build, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, is_long: bool
) -> Callable[[Callable[[Evening], object]], list[tuple[str, bytes]]]:
    """Play an evening, and return everything that could be seen there; codes, keys and times are always the same."""

    def run(played: Callable[[Evening], object]) -> list[tuple[str, bytes]]:
        dice, clock = Random(7), count()
        monkeypatch.setattr(secrets, "token_hex", lambda size: dice.randbytes(size).hex())
        monkeypatch.setattr(secrets, "choice", dice.choice)
        for place in (log, log.door):
            monkeypatch.setattr(place, "now", lambda: f"2026-11-21T20:00:00.{next(clock):03}Z")
        caplog.clear()
        house = build()
        people = {role: Phone(house, f"10.0.0.{index}") for index, role in enumerate(ROLES)}
        evening = Evening(house, people, is_long)
        played(evening)
        said = [FORMAT.format(each) for each in caplog.records]
        evening.seen += [("the log", line.encode()) for line in said]
        house.close()
        return [(what, data.replace(str(house.settings.data).encode(), b"DATA")) for what, data in evening.seen]

    return run


@pytest.fixture
def play(
    seen: Callable[[Callable[[Evening], object]], list[tuple[str, bytes]]],
) -> Callable[..., list[tuple[str, bytes]]]:
    """Play an evening with these bids, and return everything that could be seen before the reveal."""

    def run(bidding: str, bids: tuple[int, int, int], only: tuple[Step, ...] = ()) -> list[tuple[str, bytes]]:
        return seen(lambda evening: whole_evening(evening, bidding, bids, only))

    return run


def whole_evening(evening: Evening, bidding: str, bids: tuple[int, int, int], only: tuple[Step, ...]) -> Evening:
    """Seal bids, replace them, amend them, take back, put back, try to find out, restart; stop before the reveal."""
    house = evening.house
    begin(evening, bidding)
    for step in only or (
        first_bids,
        second_bids,
        bids_by_line,
        mistakes,
        trials,
        steps_back,
        curiosity,
        troubles,
        changes_of_seat,
    ):
        step(evening, *bids)
        if step is second_bids:
            evening.look_around(step.__name__)
    if only:
        return evening
    house.restart()
    evening.listen()
    evening.look_around("after a restart")
    if bidding == "secret":
        the_round(evening)
    return evening


def begin(evening: Evening, bidding: str) -> None:
    """Sit down, and let everybody listen."""
    people = evening.people
    code = people["host"].opens(bidding=bidding)
    for phone in people.values():
        phone.code = code
    for seat, role in ((1, "own seat"), (2, "other seat")):
        assert people[role].sits(seat).status_code == 303
    evening.listen()


def first_bids(evening: Evening, first: int, second: int, absent: int) -> None:
    evening.act("host", "bids", "/t/{code}/0/move", move="bid", seat=0, tricks=first, after=3, key="3.0")
    evening.act("own seat", "bids", "/t/{code}/1/move", move="bid", seat=1, tricks=first, after=4, key="4.1")
    evening.act(
        "host", "bids for the absent", "/t/{code}/3/move", move="bid", seat=3, tricks=absent, after=5, key="5.3"
    )


def second_bids(evening: Evening, first: int, second: int, absent: int) -> None:
    answer = evening.act("own seat", "bids anew", "/t/{code}/1/move", move="bid", seat=1, tricks=second, key="6.1")
    assert answer.status_code == 303
    script = {"Accept": PART}
    form = {"move": "bid", "seat": "1", "tricks": str(second)}
    evening.note("own seat bids by script", evening.people["own seat"].posts("/t/{code}/1/move", form, headers=script))
    answer = evening.act("own seat", "amends", "/t/{code}/history/5", move="bid", seat=1, tricks=second)
    assert answer.status_code == 303


def bids_by_line(evening: Evening, first: int, second: int, absent: int) -> None:
    """Bid, and bid anew, over lines; be wrong there, too."""
    evening.say("own seat as 1", "bids", move="bid", seat=1, tricks=second, key="7.1")
    evening.say("host as 3", "bids for the absent", move="bid", seat=3, tricks=absent, key="7.3")
    evening.say("other seat as 2", "bids for Bo", move="bid", seat=1, tricks=PROBE, key="7.1")
    evening.say("own seat as 1", "bids too much", move="bid", seat=1, tricks=11, key="7.2")
    evening.say("other seat as 2", "counts", move="count", seat=2, tricks=1, key="7.4")


def mistakes(evening: Evening, first: int, second: int, absent: int) -> None:
    """Ask for what cannot be, as every role, by bid and by amendment."""
    for tricks in (-1, 11, "x", PROBE):
        for role in ROLES:
            if tricks != PROBE or role != "own seat":
                evening.act(role, "amends a bid", "/t/{code}/history/5", move="bid", seat=1, tricks=tricks)
        evening.act("other seat", "bids for Bo", "/t/{code}/1/move", move="bid", seat=1, tricks=tricks)
        evening.act("other seat", "bids for Bo at home", "/t/{code}/2/move", move="bid", seat=1, tricks=tricks)
        evening.act("host", "bids for Bo", "/t/{code}/0/move", move="bid", seat=1, tricks=tricks)
    for move in ("count", "trick", "play", "tally", "nothing"):
        evening.act("own seat", move, "/t/{code}/1/move", move=move, seat=1, tricks=1, card="R1")
    evening.act("own seat", "bids too much", "/t/{code}/1/move", move="bid", seat=1, tricks=11)


def trials(evening: Evening, first: int, second: int, absent: int) -> None:
    """Ask what a move would bring, the last bid too, which would open all of them: nothing is told."""
    number = evening.house.rows("SELECT max(number) FROM entries")
    for role, seat in (("other seat", 2), ("own seat", 1), ("host", 0)):
        for tricks in (PROBE, 11):
            form = {"move": "bid", "seat": seat, "tricks": tricks}
            evening.act(role, "tries a bid", f"/t/{{code}}/{seat}/why-not", **form)
    assert evening.house.rows("SELECT max(number) FROM entries") == number


def steps_back(evening: Evening, first: int, second: int, absent: int) -> None:
    for who in ("other seat", "own seat", "host"):
        evening.act(who, "takes back", "/t/{code}/take-back")
    evening.look_around("taken back")
    for who in ("other seat", "host", "own seat"):
        evening.act(who, "puts back", "/t/{code}/put-back")
    evening.act("own seat", "bids again", "/t/{code}/1/move", move="bid", seat=1, tricks=first)
    evening.act("own seat", "bids again", "/t/{code}/1/move", move="bid", seat=1, tricks=second)


def curiosity(evening: Evening, first: int, second: int, absent: int) -> None:
    """Ask what would tell the values apart: upon numbers before a change, and with the keys of others."""
    newest = evening.house.rows("SELECT max(number) FROM entries")[0][0]
    for back in (1, 2):
        form = {"move": "turn", "card": "R1", "after": newest - back}
        evening.act("other seat", f"turns a card as of {back} before", "/t/{code}/2/move", **form)
        evening.act("other seat", f"takes back as of {back} before", "/t/{code}/take-back", after=newest - back)
    for role, seat in (("other seat", 2), ("host", 0), ("spectator", 1)):
        for key in ("4.1", "6.1"):
            form = {"move": "bid", "seat": 1, "tricks": PROBE, "key": key}
            evening.act(role, f"repeats {key}", f"/t/{{code}}/{seat}/move", **form)
            evening.act(role, f"repeats {key} as amendment", "/t/{code}/history/5", **form)
            evening.act(role, f"repeats {key} to undo", "/t/{code}/take-back", key=key)


def troubles(evening: Evening, first: int, second: int, absent: int) -> None:
    """Bid while the database cannot be written."""
    with evening.house.app.app_context():
        db.engine.dispose()
        event.listen(db.engine, "checkout", forbid_writing)
        answer = evening.act("own seat", "bids in vain", "/t/{code}/1/move", move="bid", seat=1, tricks=second)
        assert answer.status_code == 503
        db.engine.dispose()
        evening.act("own seat", "amends in vain", "/t/{code}/history/5", move="bid", seat=1, tricks=first)
        event.remove(db.engine, "checkout", forbid_writing)
        db.engine.dispose()


def forbid_writing(connection: Any, *_about: object) -> None:
    """Let transactions begin, and fail at what they write."""
    connection.execute("PRAGMA query_only=ON")


def changes_of_seat(evening: Evening, first: int, second: int, absent: int) -> None:
    """Free Bo's seat: the host acts for it, then another phone has it; then Bo comes back."""
    keys = {"move": "bid", "seat": 1, "tricks": PROBE, "key": "6.1"}
    for free in (("host", "frees", "/t/{code}/free"), ("spectator", "leaves", "/t/{code}/stand")):
        evening.act(*free, seat=1)
        evening.act("host", "repeats Bo's key", "/t/{code}/1/move", **keys)
        evening.act("other seat", "repeats Bo's key", "/t/{code}/2/move", **keys)
        if free[0] == "host":
            evening.act("spectator", "sits down", "/t/{code}/sit", seat=1)
            evening.act("spectator", "repeats Bo's key", "/t/{code}/1/move", **keys)
            evening.look_around("another phone on the seat")
    evening.act("own seat", "sits down again", "/t/{code}/sit", seat=1)
    evening.act("own seat", "bids once more", "/t/{code}/1/move", move="bid", seat=1, tricks=second)


def the_round(evening: Evening) -> None:
    """Let the last one bid, and play the round up to its last count."""
    evening.act("other seat", "bids last", "/t/{code}/2/move", move="bid", seat=2, tricks=2)
    evening.look_around("all bids are in")
    evening.act("other seat", "bids too late", "/t/{code}/2/move", move="bid", seat=2, tricks=2)
    evening.act("own seat", "amends", "/t/{code}/history/5", move="bid", seat=1, tricks=PROBE + 1)
    evening.act("own seat", "counts", "/t/{code}/1/move", move="count", seat=1, tricks=3)
    evening.act("other seat", "counts", "/t/{code}/2/move", move="count", seat=2, tricks=3)
    evening.act("host", "counts", "/t/{code}/0/move", move="count", seat=0, tricks=3)
    evening.act("host", "counts for the absent, wrongly", "/t/{code}/3/move", move="count", seat=3, tricks=0)
    evening.act("host", "takes back", "/t/{code}/take-back")
    evening.act("host", "puts back", "/t/{code}/put-back")
    evening.look_around("counts that do not add up")


def revealed(evening: Evening, bidding: str, bids: tuple[int, int, int]) -> None:
    """Play a round to the reveal."""
    begin(evening, bidding)
    first_bids(evening, *bids)
    evening.act("other seat", "bids last", "/t/{code}/2/move", move="bid", seat=2, tricks=2)
    for who, seat, tricks in (("host", 0, 4), ("own seat", 1, 3), ("host", 3, 0), ("other seat", 2, 3)):
        if bidding == "secret":
            evening.act(who, "counts", f"/t/{{code}}/{seat}/move", move="count", seat=seat, tricks=tricks)


def suppose(evening: Evening, bidding: str, bids: tuple[int, int, int]) -> None:
    """Ask again what one's last move was, as if the one before had brought the reveal, by a form that cannot be taken."""
    begin(evening, bidding)
    first_bids(evening, *bids)
    move: dict[str, Any] = {"move": "bid", "seat": 1, "tricks": 1}
    supposed: dict[str, Any] = {**move, "seat": 2}
    if bidding == "secret":
        evening.act("other seat", "bids last", "/t/{code}/2/move", **supposed)
        move = {**move, "move": "count"}
        supposed = {"move": "tally", "tricks": [3, 3, 3, 1], "plus": [0] * 4, "minus": [0] * 4}
    for _ in range(2):
        evening.act("own seat", "moves", "/t/{code}/1/move", **move)
    last = evening.house.rows("SELECT max(number) FROM entries")[0][0]
    so_far = json.dumps([{"number": last - 1, "move": supposed}])
    evening.act("own seat", "supposes", f"/t/{{code}}/history/{last - 1}", **move, entry=last, so_far=so_far, key="4.1")


def sealed_again(evening: Evening, undone: str) -> None:
    """Undo the reveal, and look at nothing but what is to be learned afterwards."""
    newest = evening.house.rows("SELECT max(number) FROM entries")[0][0]
    if undone == "taken back":
        answer = evening.act("host", "takes back", "/t/{code}/take-back")
    else:
        answer = evening.act("host", "strikes", f"/t/{{code}}/history/{newest}", struck="1")
    assert answer.status_code == 303
    evening.seen.clear()
    evening.listen()
    evening.look_around("sealed again")


def compare(runs: list[list[tuple[str, bytes]]]) -> Iterator[str]:
    """Name what differs between evenings."""
    first, *others = runs
    for other in others:
        assert [what for what, _ in first] == [what for what, _ in other]
        for (what, here), (_, there) in zip(first, other, strict=True):
            if here != there:
                yield what


@pytest.mark.promise(6)
@pytest.mark.parametrize("bidding", SEALED)
def test_nobody_learns_anything_of_a_sealed_bid_before_its_reveal(
    play: Callable[..., list[tuple[str, bytes]]], figure: Callable[[str], None], bidding: str
) -> None:
    runs = [play(bidding, bids) for bids in RUNS]
    assert len(runs[0]) > 300
    assert list(dict.fromkeys(compare(runs))) == []
    figure(f"{bidding}: {len(runs[0]):,} answers, frames and lines of {len(runs)} evenings: 0 bytes differ")


@pytest.mark.promise(6)
@pytest.mark.parametrize("bidding", SEALED)
def test_nobody_learns_a_bid_by_supposing_what_would_reveal_it(
    seen: Callable[[Callable[[Evening], object]], list[tuple[str, bytes]]], bidding: str
) -> None:
    runs = [seen(lambda evening, bids=bids: suppose(evening, bidding, bids)) for bids in ((3, 3, 3), (3, 3, 0))]
    assert list(dict.fromkeys(compare(runs))) == []


@pytest.mark.promise(6)
@pytest.mark.parametrize("undone", ["taken back", "struck"])
@pytest.mark.parametrize("bidding", SEALED)
def test_a_bid_that_is_sealed_again_is_told_by_nothing_that_was_entered_since(
    seen: Callable[[Callable[[Evening], object]], list[tuple[str, bytes]]], bidding: str, undone: str
) -> None:
    def played(evening: Evening, bids: tuple[int, int, int]) -> None:
        revealed(evening, bidding, bids)
        sealed_again(evening, undone)

    runs = [seen(lambda evening, bids=bids: played(evening, bids)) for bids in RUNS]
    assert len(runs[0]) > 100
    assert list(dict.fromkeys(compare(runs))) == []


def test_the_comparison_would_notice_a_bid_that_shows(
    play: Callable[..., list[tuple[str, bytes]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Position, "are_bids_open", property(lambda position: True))
    assert len(list(compare([play("hidden", bids, (first_bids, second_bids)) for bids in RUNS]))) > 10


class Work:
    """Counts the calls that Python makes: a measure of time that a busy machine does not change."""

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> Work:
        gc.disable()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *problem: object) -> None:
        sys.setprofile(None)
        gc.enable()

    def _note(self, frame: object, what: str, argument: object) -> None:
        self.calls += what in {"call", "c_call"}


@pytest.mark.promise(6)
@pytest.mark.parametrize("bidding", SEALED)
def test_the_work_for_a_sealed_bid_does_not_depend_on_its_value(
    build: Build, figure: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, bidding: str
) -> None:
    """What takes the same steps takes the same time: for the bid, for the pages of all, for a refusal and for undoing."""
    house = build()
    # What is worked out once is never full in the middle, and never old: to let go of something is work, too.
    gc.unfreeze()  # else those of the start are not among them
    for memory in [one for one in gc.get_objects() if isinstance(one, once.Memory)]:
        monkeypatch.setattr(memory, "most", math.inf)
    monkeypatch.setattr("companion.kernel.once.time", SimpleNamespace(monotonic=lambda: -math.inf))
    house.app.extensions["companion.parts"] = Rendered(kept_s=math.inf)
    counts: dict[int, list[int]] = {}
    # The first evenings fill what is kept in memory, with as little as one view an evening.
    for tricks in (*(0, 10) * 4, *range(11)):
        people = {role: Phone(house, f"10.0.0.{index}") for index, role in enumerate(ROLES)}
        code = people["host"].opens(bidding=bidding)
        for phone in people.values():
            phone.code = code
        people["own seat"].sits(1)
        people["other seat"].sits(2)
        people["spectator"].gets("/t/{code}/screen")  # It draws the code, which is another one at every table.
        acts: list[Callable[[], TestResponse]] = [
            lambda people=people, tricks=tricks: people["own seat"].taps("bid", tricks=tricks),
            lambda people=people: people["own seat"].gets("/t/{code}/1"),
            lambda people=people: people["other seat"].gets("/t/{code}/2"),
            lambda people=people: people["host"].gets("/t/{code}/0"),
            lambda people=people: people["spectator"].gets("/t/{code}/screen"),
            lambda people=people: people["host"].gets("/t/{code}/history"),
            lambda people=people: people["other seat"].taps("count", tricks=1),
            lambda people=people: people["own seat"].posts("/t/{code}/take-back"),
        ]
        counts[tricks] = []
        for act in acts:
            with Work() as work:
                act()
            counts[tricks].append(work.calls)
    assert {tricks: made for tricks, made in counts.items() if made != counts[0]} == {}
    figure(f"{bidding}: {sum(counts[0]):,} calls for every bid of 0 to 10")
