"""Confirmed means kept: a real server under real posts, killed, locked, full, and asked the same thing fifty times."""

import random
import resource
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import event

from companion.log.rows import db
from tests.api.wire import PageWire
from tests.databases import PATIENCE_S, Database, Lite
from tests.house import Answer, Client, House, Server, a_round, bid, secret, walked
from tests.offline import Indoors, Loop, Page

PART = "text/vnd.companion.part+html"


def form(move: dict[str, Any], key: str, after: int | None = None) -> dict[str, object]:
    """Write a move as the page's form sends it."""
    flat: dict[str, object] = {"key": key}
    for name, value in move.items():
        numbers = enumerate(value) if isinstance(value, list) else ()
        flat |= {f"{name}-{seat}": number for seat, number in numbers} or {name: value}
    return flat if after is None else {**flat, "after": after}


def at_once(phones: int, work: Callable[[int], Any]) -> list[Any]:
    """Let so many phones do something at the same moment."""
    start = threading.Barrier(phones)

    def begin(who: int) -> Any:
        start.wait()
        return work(who)

    with ThreadPoolExecutor(phones) as pool:
        return list(pool.map(begin, range(phones)))


def sent(key: str) -> str:
    """Take the phone off a key of the log."""
    return key.partition(".")[2]


def is_whole(database: Database) -> bool:
    """Check the file, and that a table has a result just when it is closed."""
    ruled = "result IS NOT NULL AND CAST(result AS TEXT) != 'null'"
    torn = database.rows(f"SELECT code FROM tables WHERE (closed IS NOT NULL) != ({ruled})")
    is_sound = not isinstance(database, Lite) or database.rows("PRAGMA integrity_check") == [("ok",)]
    return torn == [] and is_sound


@dataclass
class Phone:
    """A phone of the trial of kills: it posts one move after the other, each again until it is confirmed."""

    name: str
    who: str
    code: str
    seat: int
    moves: Iterator[tuple[str, dict[str, Any]]]
    confirmed: list[str] = field(default_factory=list)
    """The keys, in the order in which they were confirmed."""


@dataclass
class Phones:
    """All phones of a trial, and what they were told."""

    port: int
    phones: list[Phone]
    is_over: threading.Event = field(default_factory=threading.Event)
    told: threading.Condition = field(default_factory=threading.Condition)
    wrong: list[str] = field(default_factory=list)
    cut_off: int = 0
    """Posts whose connection broke, and that were sent again."""
    unheard: int = 0
    """Of these, moves that were in the log already."""

    def confirmed(self) -> int:
        return sum(len(phone.confirmed) for phone in self.phones)

    def run(self, phone: Phone) -> None:
        with Client(self.port, phone.who) as client:
            for turn, (path, move) in enumerate(phone.moves):
                key = f"{phone.name}.{turn}"
                answer = self.post(client, f"/t/{phone.code}/{path}", form(move, key))
                with self.told:
                    if answer.status == 303:
                        phone.confirmed.append(key)
                    else:
                        self.wrong.append(f"{key} {path} {move}: {answer.status} {answer.body.decode()[-2000:]}")
                    self.told.notify_all()
                if self.is_over.is_set() or self.wrong:
                    return

    def post(self, client: Client, path: str, data: dict[str, object]) -> Answer:
        give_up = time.monotonic() + 2 * PATIENCE_S
        while True:
            try:
                return client.post(path, data)
            except OSError as error:
                assert time.monotonic() < give_up
                with self.told:
                    self.cut_off += not isinstance(error, ConnectionRefusedError)
                time.sleep(0.1)

    def wait_for(self, more: int) -> None:
        """Wait until so many more moves are confirmed."""
        with self.told:
            goal = self.confirmed() + more
            assert self.told.wait_for(lambda: self.confirmed() >= goal or self.wrong, 2 * PATIENCE_S)
        assert not self.wrong

    def check(self, database: Database, on_their_way: int) -> int:
        """Every confirmed move is in its log once, in order; logs have no gaps; nothing is torn. Counts the entries."""
        with self.told:
            confirmed = {phone.name: list(phone.confirmed) for phone in self.phones}
        logs: dict[str, list[str]] = {}
        for code, number, key in database.rows(
            "SELECT code, number, key FROM entries JOIN tables ON id = table_id ORDER BY code, number"
        ):
            logs.setdefault(code, []).append(sent(key))
            assert number == len(logs[code])
        for phone in self.phones:
            kept = [key for key in logs.get(phone.code, []) if key.startswith(f"{phone.name}.")]
            known = confirmed[phone.name]
            assert kept[: len(known)] == known
            assert len(kept) <= len(known) + on_their_way
            self.unheard += len(kept) - len(known)
        assert is_whole(database)
        return sum(map(len, logs.values()))


def sealed_bids(seat: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Change a sealed bid for ever."""
    for turn in count():
        yield f"{seat}/move", bid(seat, turn % 11)


def whole_games() -> Iterator[tuple[str, dict[str, Any]]]:
    """Play to the end, then take the end back and put it back, or play it again, for ever."""
    moves = [move for number in range(1, 11) for move in a_round(number, 3)]
    yield from (("0/move", move) for move in moves)
    while True:
        yield from (("take-back", {}), ("0/move", moves[-1]), ("take-back", {}), ("put-back", {}))


def trial_of_kills(house: House, kills: int, most: int) -> str:
    """Kill the server so many times, each after at most so many moves; check the file each time. Gives the figures."""
    dice = random.Random(kills)
    server, phones = house.server(), []
    for table in range(4):
        code = house.open(["A", "B", "C"], phones={1: f"guest{table}"}, bidding="hidden")
        phones += [Phone(f"h{table}", "host", code, 0, sealed_bids(0))]
        phones += [Phone(f"g{table}", f"guest{table}", code, 1, sealed_bids(1))]
    phones += [Phone(f"w{table}", "host", house.open(["A", "B", "C"]), 0, whole_games()) for table in range(2)]
    house.close()
    trial = Phones(server.port, phones)
    threads = [threading.Thread(target=trial.run, args=(phone,)) for phone in phones]
    try:
        server.start()
        for thread in threads:
            thread.start()
        for _ in range(kills):
            if dice.random() < 0.15:
                time.sleep(2 * dice.random())
            else:
                trial.wait_for(dice.randint(1, most))
            server.kill()
            trial.check(left_behind(house.database), on_their_way=1)
            server.start(is_waiting=False)
        trial.wait_for(50)
    finally:
        trial.is_over.set()
        for thread in threads:
            thread.join()
        server.kill()
    assert not trial.wrong
    entries = trial.check(house.database, on_their_way=0)
    return (
        f"0 of {trial.confirmed():,} confirmed moves lost, 0 tables torn in {kills:,} kills "
        f"({entries:,} entries; {trial.cut_off:,} posts cut off and sent again, none of them entered twice)"
    )


def left_behind(database: Database) -> Database:
    """Copy the files as a killed server has left them, so that looking does not tidy them up."""
    if not isinstance(database, Lite):
        return database
    copy = database.folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for name in ("companion.sqlite", "companion.sqlite-wal"):
        if (database.folder / name).exists():
            shutil.copy(database.folder / name, copy)
    return Lite(copy)


@pytest.mark.promise(1)
@pytest.mark.on_both
@pytest.mark.parametrize("kills", [pytest.param(0, id="a few"), pytest.param(1_000, marks=pytest.mark.long)])
def test_every_confirmed_move_survives_a_killed_server(house: House, kills: int, figure: Callable[[str], None]) -> None:
    figure(trial_of_kills(house, kills or 4, most=40))
    again = house.again()
    for code, closed in house.rows("SELECT code, closed FROM tables"):
        play = again.read(code).play
        assert play.game.standing(play.position).is_finished == (closed is not None)
    again.close()


@pytest.mark.promise(4)
@pytest.mark.on_both
def test_fifty_copies_of_one_post_are_one_entry_and_fifty_identical_answers(
    house: House, server: Server, figure: Callable[[str], None]
) -> None:
    code = house.open(["A", "B", "C"])

    def post(_: int) -> Answer:
        with Client(server.port, "host") as client:
            return client.post(f"/t/{code}/0/move", form(bid(0, 3), "same", after=0), Accept=PART)

    answers = at_once(50, post)
    assert {(answer.status, answer.headers["X-Number"]) for answer in answers} == {(200, "1")}
    assert len({answer.body for answer in answers}) == 1
    assert [sent(key) for *_, key in house.entries(code)] == ["same"]
    figure("50 copies at once: 1 entry, 50 identical answers")


@pytest.mark.promise(5)
@pytest.mark.on_both
@pytest.mark.parametrize(("phones", "rounds"), [(20, 10), pytest.param(100, 100, marks=pytest.mark.long)])
def test_phones_that_post_at_once_at_one_table_overwrite_nobody(
    house: House, server: Server, phones: int, rounds: int, figure: Callable[[str], None]
) -> None:
    """Eight seats, the last of which never bids, so that the bids stay sealed; phones share the other seven."""
    code = house.open(["S"] * 8, phones={seat: f"p{seat}" for seat in range(7)}, bidding="hidden")
    seen = house.read(code).number

    def play(who: int) -> set[int]:
        seat, number, statuses = who % 7, seen, set[int]()
        with Client(server.port, f"p{seat}") as client:
            for turn in range(rounds):
                move = form(bid(seat, turn % 11), f"{who}.{turn}", after=number)
                answer = client.post(f"/t/{code}/{seat}/move", move, Accept=PART)
                number = int(answer.headers["X-Number"])
                statuses.add(answer.status)
        return statuses

    assert at_once(phones, play) == [{200}] * phones
    entries = house.entries(code)
    assert [number for number, *_ in entries] == list(range(1, seen + phones * rounds + 1))
    keys = [sent(key) for *_, key in entries[seen:]]
    for who in range(phones):
        mine = [key for key in keys if key.startswith(f"{who}.")]
        assert mine == [f"{who}.{turn}" for turn in range(rounds)]
    last = {int(key.split(".")[0]) % 7: int(key.split(".")[1]) % 11 for key in keys}
    assert house.read(code).play.position.bids == (*(last[seat] for seat in range(7)), None)
    figure(f"{phones} phones × {rounds} moves at once: {len(keys):,} entries without a gap, 0 updates lost")


@pytest.mark.promise(5)
@pytest.mark.on_both
def test_of_many_who_act_upon_the_same_table_one_is_taken_and_the_others_see_the_fresh_page(
    house: House, server: Server
) -> None:
    code = house.open(["A", "B", "C"])

    def post(who: int) -> Answer:
        with Client(server.port, "host") as client:
            return client.post(f"/t/{code}/0/move", form(bid(0, who % 11), f"k{who}", after=0), Accept=PART)

    answers = at_once(20, post)
    assert sorted(answer.status for answer in answers) == [200, *[409] * 19]
    assert {answer.headers["X-Number"] for answer in answers} == {"1"}
    assert len(house.entries(code)) == 1


ACTS: dict[str, tuple[str, dict[str, object]]] = {
    "a move": ("/t/{code}/0/move", form(bid(0, 4), "move")),
    "a step back": ("/t/{code}/take-back?seat=0", {"key": "back"}),
    "an amendment": ("/t/{code}/history/1", form(bid(0, 5), "amend")),
    "sitting down": ("/t/{code}/sit", {"seat": "0", "name": "Zoe", "key": "sit"}),
    "a lock": ("/t/{code}/lock", {"locked": "1"}),
    "a new table": ("/open/rage", {"name": "A"}),
}


def posted(house: House, path: str, data: dict[str, object]) -> tuple[int, str]:
    """Post a form to the app in this process."""
    client = house.app.test_client()
    client.set_cookie("phone", secret("host"), domain="localhost")
    if path.startswith("/open"):
        data = {"name": ["A", "B", "C"]}
    answer = client.post(path, data=data, headers={"Sec-Fetch-Site": "same-origin"})
    return answer.status_code, answer.text


def everything(house: House) -> list[list[tuple[Any, ...]]]:
    return [house.rows(f"SELECT * FROM {table}") for table in ("tables", "seatings", "entries")]


@pytest.fixture
def sealed(house: House) -> str:
    """Open a table where a bid lies sealed: another may come, be taken back, or be amended."""
    code = house.open(["A", "B", "C"], bidding="hidden")
    house.move(code, "host", bid(0, 1), "first")
    return code


@pytest.mark.promise(1)
@pytest.mark.on_both
@pytest.mark.parametrize("act", ACTS)
def test_a_locked_database_is_not_saved_and_nothing_is_half_written(house: House, sealed: str, act: str) -> None:
    path, data = ACTS[act]
    house.impatient()
    before, play = everything(house), walked(house.read(sealed).play)
    with house.database.locked():
        status, said = posted(house, path.format(code=sealed), data)
        assert (status, "could not save" in said) == (503, True)
        assert walked(house.read(sealed).play) == play
    assert everything(house) == before
    status, _ = posted(house, path.format(code=sealed), data)
    assert status == 303
    assert everything(house) != before


@pytest.mark.on_both
def test_a_real_server_waits_for_a_lock_then_says_that_nothing_was_saved(house: House, server: Server) -> None:
    code = house.open(["A", "B", "C"])
    move = form(bid(0, 1), "same", after=0)
    with Client(server.port, "host") as client, Client(server.port, "host") as reader:
        with house.database.locked():
            answer = client.post(f"/t/{code}/0/move", move)
            assert answer.status == 503
            assert int(answer.headers["Retry-After"]) > 0
            assert reader.get(f"/t/{code}/0").status == 200
        assert house.entries(code) == []
        assert client.post(f"/t/{code}/0/move", move).status == 303
    assert len(house.entries(code)) == 1


class Full:
    """Make the database full for the app: no page more than it has."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.is_on = False
        with house.app.app_context():
            self.engine = db.engine
        event.listen(self.engine, "checkout", self._limit)

    def turn(self, *, is_on: bool) -> None:
        """Turn it on or off; what writes is not taken from the pool each time, but from each pool once."""
        self.is_on = is_on
        self.engine.dispose()

    def _limit(self, connection: sqlite3.Connection, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count={1 if self.is_on else 1_000_000}")


@pytest.mark.promise(1)
@pytest.mark.parametrize("act", ["a move", "a new table"])
def test_a_full_disk_is_not_saved_and_nothing_is_half_written(
    house: House, sealed: str, act: str, caplog: pytest.LogCaptureFixture
) -> None:
    path, data = ACTS[act]
    disk, kept = Full(house), 0
    disk.turn(is_on=True)
    while True:
        before, play = everything(house), walked(house.read(sealed).play)
        more = {**data, "key": f"k{kept}"} if "key" in data else data
        status, said = posted(house, path.format(code=sealed), more)
        if status != 303:
            break
        kept += 1
    assert (status, "could not save" in said) == (503, True)
    assert "database or disk is full" in caplog.text
    assert "tricks" not in caplog.text, "what is sealed would stand in the server's log"
    assert everything(house) == before
    assert walked(house.read(sealed).play) == play
    assert is_whole(house.database)
    disk.turn(is_on=False)
    assert posted(house, path.format(code=sealed), more)[0] == 303
    assert everything(house) != before


@pytest.mark.promise(1)
def test_a_real_server_on_a_disk_that_takes_no_more_goes_on_when_there_is_room(house: House, server: Server) -> None:
    """The limit on the size of files stands for the full disk: a write fails in the middle, as there."""
    code = house.open(["A", "B", "C"], bidding="hidden")
    statuses: list[int] = []
    room = (house.folder / "companion.sqlite-wal").stat().st_size + 20_000
    assert server.process is not None
    workers = [int(pid) for pid in workers_of(server.process.pid)]
    with Client(server.port, "host") as client:
        for turn in range(120):
            if turn in {20, 80}:
                for worker in workers:
                    _, hard = resource.prlimit(worker, resource.RLIMIT_FSIZE)
                    resource.prlimit(worker, resource.RLIMIT_FSIZE, (room if turn == 20 else hard, hard))
            statuses.append(client.post(f"/t/{code}/0/move", form(bid(0, turn % 11), f"k{turn}")).status)
    assert set(statuses) == {303, 503}
    assert set(statuses[:20]) == set(statuses[80:]) == {303}
    assert statuses[79] == 503
    keys = [sent(key) for *_, key in house.entries(code)]
    assert keys == [f"k{turn}" for turn, status in enumerate(statuses) if status == 303]
    assert is_whole(house.database)
    server.kill()
    assert is_whole(house.database)
    again = house.again()
    assert again.read(code).number == len(keys)
    again.close()


@pytest.mark.promise(1)
def test_who_taps_by_line_on_a_full_disk_is_told_that_it_waits_and_goes_on_when_there_is_room(
    house: House, server: Server
) -> None:
    """Found on a disk that was full before the first tap: how quick it is could not be tried, and each tap was hung up."""
    code = house.open(["A", "B", "C"], bidding="hidden")
    assert server.process is not None
    workers = [int(pid) for pid in workers_of(server.process.pid)]
    wire = PageWire(server.port, code, "host", "0")
    tapped = urlencode(bid(0, 4))
    _, hard = resource.prlimit(workers[0], resource.RLIMIT_FSIZE)
    for worker in workers:
        resource.prlimit(worker, resource.RLIMIT_FSIZE, (0, hard))
    assert [wire.tap("same", tapped) for _ in range(2)] == [{"key": "same", "isToWait": True}] * 2
    for worker in workers:
        resource.prlimit(worker, resource.RLIMIT_FSIZE, (hard, hard))
    assert wire.tap("same", tapped) == {"key": "same", "number": 1}
    wire.socket.close()


@pytest.mark.promise(1)
@pytest.mark.parametrize("way", ["by form", "by line"])
def test_what_is_written_into_a_file_that_was_moved_away_is_not_confirmed(house: House, sealed: str, way: str) -> None:
    """Found by hand: a tap was confirmed that stood in a file without a name, and an empty one lay in its place."""
    house.app.extensions["companion.is_near"] = True
    page = Page(Indoors(house, Loop()), sealed, "host", 0)
    file, away = house.folder / "companion.sqlite", house.folder / "away"

    def is_kept(key: str) -> bool:
        if way == "by line":
            return "number" in (page.tap(key, urlencode(bid(0, 4))) or {})
        return posted(house, f"/t/{sealed}/0/move", form(bid(0, 4), key))[0] == 303

    assert is_kept("there")
    file.rename(away)
    assert not is_kept("gone")
    assert not file.exists(), "an empty one would be served from the next start on"
    file.write_bytes(away.read_bytes())
    assert not is_kept("another")
    away.rename(file)
    assert is_kept("back")
    assert [sent(key) for *_, key in house.entries(sealed)[1:]] == ["there", "back"]


def workers_of(master: int) -> list[str]:
    """List the processes that a process has started, with itself."""
    return [str(master), *Path(f"/proc/{master}/task/{master}/children").read_text().split()]
