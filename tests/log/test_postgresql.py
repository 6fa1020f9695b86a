"""PostgreSQL: refused when it would lose something, patient only so long, and back by itself after it was away."""

from __future__ import annotations

import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from flask import current_app
from sqlalchemy import event
from sqlalchemy.engine import make_url

from companion import create_app, log
from companion.errors import NotSaved, StartError
from companion.log import keeping, kind
from companion.log.rows import db
from companion.settings import Settings
from tests.databases import PATIENCE_S, Cluster, Postgres
from tests.house import Client, House, Server, a_round, bid, companion, secret
from tests.log.test_database import SCHEMAS, differences, dumped

BACK_S = 5
"""So soon after the server is back, everything works again."""


@pytest.fixture
def database(postgres: Postgres) -> Postgres:
    """Give the house of a test PostgreSQL."""
    return postgres


@pytest.fixture
def empty(cluster: Cluster) -> Postgres:
    """Give a test a database that nobody has used."""
    return cluster.database("postgres").another()


@pytest.fixture
def setting(cluster: Cluster) -> Iterator[Callable[[str, str], None]]:
    """Let a test change a setting of the server."""
    server = cluster.database("postgres")
    yield server.set
    server.set("", "")


@pytest.mark.promise(2)
@pytest.mark.parametrize("name", ["fsync", "full_page_writes", "synchronous_commit"])
def test_a_server_that_may_lose_something_is_refused_by_name(
    house: House, setting: Callable[[str, str], None], name: str
) -> None:
    setting(name, "off")
    with pytest.raises(StartError, match=f"{name} is off"):
        house.again()


@pytest.mark.parametrize("value", ["local", "remote_write", "remote_apply"])
def test_a_commit_may_wait_for_more_than_the_disk(
    house: House, setting: Callable[[str, str], None], value: str
) -> None:
    setting("synchronous_commit", value)
    house.again().close()


@pytest.mark.promise(2)
def test_a_server_that_takes_nothing_is_refused(house: House, setting: Callable[[str, str], None]) -> None:
    setting("default_transaction_read_only", "on")
    with pytest.raises(StartError, match="transaction_read_only is on"):
        house.again()


@pytest.mark.promise(2)
@pytest.mark.parametrize("name", ["statement_timeout", "lock_timeout"])
def test_a_connection_that_would_wait_for_ever_is_refused(house: House, name: str) -> None:
    with house.app.app_context():
        db.engine.dispose()

        @event.listens_for(db.engine, "connect")
        def _patient(connection: object, record: object) -> None:
            connection.execute(f"SET {name} = 0")  # type: ignore[attr-defined]
            connection.commit()  # type: ignore[attr-defined]

        with pytest.raises(StartError, match=name):
            log.check()


def said(folder: Path, address: str) -> str:
    """Start a command, and hear why it does not."""
    (folder / "data").mkdir(exist_ok=True)
    done = companion(folder, "stats", COMPANION_DATABASE=address)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"opensesame" not in done.stderr + done.stdout
    return done.stderr.decode()


def test_a_server_that_cannot_be_reached_is_an_error_in_words(tmp_path: Path) -> None:
    answer = said(tmp_path, "postgresql://anna:opensesame@127.0.0.1:1/companion")
    assert answer.startswith("Error: The database cannot be used: connection")
    assert "refused" in answer


def test_a_wrong_password_is_an_error_that_does_not_tell_it(tmp_path: Path, cluster: Cluster) -> None:
    cluster.guard("guarded", "secret")
    address = make_url(cluster.database("postgres").address).set(username="guarded", password="opensesame")
    assert "password authentication failed" in said(tmp_path, address.render_as_string(hide_password=False))


def test_a_database_that_is_not_there_is_an_error_in_words(tmp_path: Path, cluster: Cluster) -> None:
    assert 'database "nowhere" does not exist' in said(tmp_path, cluster.database("nowhere").address)


def test_a_fresh_database_is_what_the_models_say_and_can_be_taken_down_and_put_up_again(
    tmp_path: Path, empty: Postgres
) -> None:
    house = House(tmp_path, empty)
    with house.app.app_context():
        assert differences() == []
        command.downgrade(current_app.extensions["migrate"].migrate.get_config(), "base")
        assert empty.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'") == [("alembic_version",)]
        log.upgrade()
        assert differences() == []
    house.close()


def test_first_starts_at_once_all_find_the_same_database(tmp_path: Path, empty: Postgres) -> None:
    (tmp_path / "data").mkdir()
    with ThreadPoolExecutor() as pool:
        starts = list(pool.map(lambda _: companion(tmp_path, "stats", COMPANION_DATABASE=empty.address), range(3)))
    assert [(start.returncode, start.stderr) for start in starts] == [(0, b"")] * 3
    assert len(empty.rows("SELECT version_num FROM alembic_version")) == 1


def test_a_database_of_a_newer_release_is_refused_and_left_alone(tmp_path: Path, empty: Postgres) -> None:
    House(tmp_path, empty).close()
    empty.change("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StartError, match="9999"):
        House(tmp_path, empty)
    assert empty.rows("SELECT version_num FROM alembic_version") == [("9999",)]


@pytest.mark.promise(24)
@pytest.mark.parametrize("dump", sorted(SCHEMAS.glob("*.sql")), ids=lambda path: path.stem)
def test_a_database_of_every_schema_opens_and_replays(tmp_path: Path, empty: Postgres, dump: Path) -> None:
    """The rows that a release has left, in the tables as it had made them."""
    app = create_app(Settings(data=tmp_path, database=empty.address, secret=b"s" * 32))
    with app.app_context():
        command.upgrade(current_app.extensions["migrate"].migrate.get_config(), dump.stem)
        log.close()
    rows = [line for line in dumped(dump).splitlines() if line.startswith("INSERT")]
    # SQLite writes 0 and 1 for false and true.
    switches = "UPDATE pg_cast SET castcontext = 'a' WHERE castsource = 'int'::regtype AND casttarget = 'bool'::regtype"
    empty.change(switches, *(row for row in rows if "alembic_version" not in row and "sqlite_sequence" not in row))
    house = House(tmp_path, empty)
    reading = house.read("K7QX2M")
    assert reading.number == 8
    assert [row.n for row in reading.play.position.sheet[0].rows] == [5, 10, 10, 10]
    assert house.take_back("K7QX2M", "host", "new").number == 9
    with house.app.app_context():
        assert differences() == []
    house.close()


def changed_by_two(house: House, table: log.Table) -> None:
    db.session.refresh(table)
    house.database.change("""UPDATE tables SET options = '{"durch": true}'""")
    table.options = {"bidding": "hidden"}


def test_who_changes_what_has_changed_meanwhile_is_not_saved(house: House) -> None:
    """What was read at the beginning of a transaction is written back whole: a change by another would be lost."""
    code = house.open()
    with house.asks(code, "host") as asker, pytest.raises(NotSaved), log.writing():
        changed_by_two(house, asker.table)
    assert house.rows("SELECT CAST(options AS TEXT) FROM tables") == [('{"durch": true}',)]


def test_a_statement_that_takes_too_long_is_not_saved(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, "PATIENCE_MS", 50)
    hurried = house.again()
    with hurried.app.app_context(), pytest.raises(NotSaved), log.writing():
        db.session.connection().exec_driver_sql("SELECT pg_sleep(60)")
    hurried.close()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restarted", "cut off"])
def test_after_the_database_was_away_everything_goes_on_by_itself(
    house: House, server: Server, cluster: Cluster, how: signal.Signals
) -> None:
    code = house.open(["A", "B", "C"], bidding="hidden")
    path = f"/t/{code}/0"
    with Client(server.port, "host") as client:
        assert client.post(f"{path}/move", {"key": "before", **bid(0, 1)}).status == 303
        with cluster.away(how):
            move = {"key": "same", **bid(0, 2)}
            for answer in (client.get(path), client.post(f"{path}/move", move), client.get("/")):
                assert answer.status == 503
                assert int(answer.headers["Retry-After"]) > 0
                assert b"Nothing" in answer.body
        back = time.monotonic()
        # The same key, as the phone would send it again.
        assert client.post(f"{path}/move", {"key": "same", **bid(0, 2)}).status == 303
        assert client.get(path).status == 200
        assert time.monotonic() - back < BACK_S
    assert [key.partition(".")[2] for *_, key in house.entries(code)] == ["before", "same"]
    assert b"Internal Server Error" not in Path(house.folder / "server.log").read_bytes()


def test_while_the_database_is_frozen_nobody_waits_for_ever_and_it_goes_on(
    house: House, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "PATIENCE_MS", 500)
    hurried = house.again()
    path = f"/t/{hurried.open(['A', 'B', 'C'], bidding='hidden')}/0"
    client, headers = hurried.app.test_client(use_cookies=False), {"Cookie": f"phone={secret('host')}"}

    def get() -> int:
        return client.get(path, headers=headers).status_code

    def post(key: str, after: int) -> int:
        form = {"key": key, "after": after, **bid(0, 1)}
        return client.post(f"{path}/move", data=form, headers={**headers, "Sec-Fetch-Site": "same-origin"}).status_code

    with ThreadPoolExecutor(2) as phones:
        assert (post("before", 0), get()) == (303, 200)
        with cluster.frozen():
            asked = [phones.submit(get), phones.submit(post, "same", 1)]
            assert [each.result(PATIENCE_S / 2) for each in asked] == [503, 503]
        assert (post("same", 1), get()) == (303, 200)
    assert [key.partition(".")[2] for *_, key in hurried.entries(path.split("/")[2])] == ["before", "same"]
    hurried.close()


def test_a_restart_between_two_requests_costs_nobody_a_page(house: House, server: Server, cluster: Cluster) -> None:
    code = house.open()
    with ThreadPoolExecutor(8) as phones:

        def statuses() -> set[int]:
            def ask(who: int) -> int:
                with Client(server.port, "host") as client:
                    return client.get(f"/t/{code}/{who % 4}").status

            return set(phones.map(ask, range(16)))

        assert statuses() == {200}
        with cluster.away():
            pass
        assert statuses() == {200}


def test_a_restart_between_two_taps_costs_nobody_a_tap(house: House, server: Server, cluster: Cluster) -> None:
    """What writes has its own connection, of which nobody asks beforehand whether it is still there."""
    code = house.open(bidding="hidden")
    with Client(server.port, "host") as client:
        assert client.post(f"/t/{code}/0/move", {"key": "before", **bid(0, 1)}).status == 303
        with cluster.away():
            pass
        assert client.post(f"/t/{code}/0/move", {"key": "after", **bid(0, 2)}).status == 303
    assert [key.partition(".")[2] for *_, key in house.entries(code)] == ["before", "after"]


@pytest.mark.promise(1)
def test_every_confirmed_move_survives_a_database_that_is_cut_off_under_load(
    house: House, server: Server, cluster: Cluster
) -> None:
    """The database's server is killed as a power cut would, again and again, while phones post."""
    code = house.open(["S"] * 4, phones={seat: f"p{seat}" for seat in range(3)}, bidding="hidden")
    is_over = threading.Event()

    def play(seat: int) -> list[str]:
        confirmed: list[str] = []
        with Client(server.port, f"p{seat}") as client:
            while not is_over.is_set():
                key, give_up = f"{seat}.{len(confirmed)}", time.monotonic() + PATIENCE_S
                move = {"key": key, **bid(seat, len(confirmed) % 11)}
                while (status := client.post(f"/t/{code}/{seat}/move", move).status) != 303:
                    assert status == 503
                    assert time.monotonic() < give_up
                    time.sleep(0.05)
                confirmed.append(key)
        return confirmed

    with ThreadPoolExecutor(3) as phones:
        playing = [phones.submit(play, seat) for seat in range(3)]
        for _ in range(3):
            before = len(house.entries(code))
            while len(house.entries(code)) < before + 10:
                assert not any(one.done() for one in playing)
            with cluster.away(signal.SIGQUIT):
                pass
        is_over.set()
    entries = house.entries(code)
    assert [number for number, *_ in entries] == list(range(1, len(entries) + 1))
    keys = [key.partition(".")[2] for *_, key in entries]
    for seat, one in enumerate(playing):
        assert [key for key in keys if key.startswith(f"{seat}.")] == one.result()


def test_the_password_is_told_to_no_process_by_its_arguments(
    tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each client program is called by way of one that writes down how it was called."""
    cluster.guard("keeper", "opensesame")
    own = cluster.database("postgres").another()
    own.change("GRANT ALL ON SCHEMA public TO keeper")
    noted = tmp_path / "noted"
    for program in ("pg_dump", "pg_restore", "psql"):
        script = tmp_path / program
        script.write_text(f'#!/bin/sh\necho "{program} $@" >>{noted}\nexec {shutil.which(program)} "$@"\n')
        script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    address = make_url(own.address).set(username="keeper", password="opensesame").render_as_string(False)
    house = House(tmp_path, Postgres(address))
    code = house.open()
    for place, move in enumerate(a_round(1, 4)):
        house.move(code, "host", move, f"k{place}")
    with house.app.app_context():
        keeping.backup(tmp_path / "copy")
        keeping.restore(tmp_path / "copy")
    assert house.read(code).number == 5
    house.close()
    assert {line.split()[0] for line in noted.read_text().splitlines()} == {"pg_dump", "pg_restore", "psql"}
    assert "opensesame" not in noted.read_text()


def test_without_the_client_programs_a_copy_is_refused_with_what_to_install(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(house.folder))
    with house.app.app_context(), pytest.raises(StartError, match="postgresql-client"):
        keeping.backup(house.folder / "copy")
    assert list(house.folder.glob("copy*")) == []


def test_a_restore_that_fails_leaves_what_was_there(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody still plays, and holds the tables: nothing is put back, and nothing is lost."""
    monkeypatch.setattr(kind, "PATIENCE_MS", 200)
    code = house.open()
    with house.app.app_context():
        keeping.backup(house.folder / "copy")
    house.move(code, "host", bid(0, 1), "k")
    with house.database.locked(), house.app.app_context(), pytest.raises(StartError, match="lock timeout"):
        keeping.restore(house.folder / "copy")
    assert [key for *_, _data, key in house.entries(code)] == ["k"]


def test_what_no_text_of_the_database_can_hold_is_no_error_of_ours(house: House) -> None:
    client, code = house.app.test_client(), house.open()
    client.set_cookie("phone", secret("host"), domain="localhost")
    assert client.get("/book?player=a%00b").status_code == 400
    # A key is kept hashed, where it could not be kept as it is.
    form = {"key": "a\0b", "move": "bid", "seat": "0", "tricks": "1"}
    for _ in range(2):
        assert client.post(f"/t/{code}/0/move", data=form, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 303
    assert len(house.entries(code)) == 1
