"""What an operator's programs are told: figures without tables, names and secrets, and lines of JSON in the log."""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from urllib.parse import quote

import pytest

from companion.desk.health import Probe
from companion.metrics import JsonNotes, Notes, refusals, rulings, write_lines, write_notes
from companion.tables.seating import hashed
from tests.house import without_threads
from tests.web.conftest import House, Phone

MakePhone = Callable[..., Phone]
Build = Callable[..., House]


def figures(house: House, **more: str) -> tuple[int, str]:
    answer = house.app.test_client().get("/metrics", **more)
    return answer.status_code, answer.text


def test_the_process_answers_and_says_that_it_is_ready(house: House) -> None:
    client = house.app.test_client()
    assert client.get("/healthz").text == "alive\n"
    assert client.get("/readyz").text == "ready\nredis: none\n"


def test_a_database_of_another_release_is_not_ready(house: House) -> None:
    with closing(sqlite3.connect(house.file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'older'")
    answer = house.app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert house.app.test_client().get("/healthz").status_code == 200


def test_what_nobody_can_be_sent_to_ask_does_not_answer_and_is_asked_again() -> None:
    probe = Probe(lambda: True)
    with without_threads():
        assert probe.took_s() is None
        assert probe.took_s() is None
    assert probe.took_s() is not None


def test_moves_refusals_and_times_are_counted_without_tables_and_names(house: House, phone: MakePhone) -> None:
    ann = phone()
    code = ann.opens(bidding="open")
    before = figures(house)[1]
    ann.posts(f"/t/{code}/0/move", {"move": "bid", "seat": "0", "tricks": "2"})
    ann.posts(f"/t/{code}/0/move", {"move": "bid", "seat": "0", "tricks": "2"})
    status, after = figures(house)
    assert status == 200
    moved, refused = 'companion_moves_total{game="rage",kind="move"}', 'companion_refusals_total{game="rage",rule="'
    assert counted(after, moved) == counted(before, moved) + 1
    assert counted(after, refused) == counted(before, refused) + 1
    for name in ("companion_commit_seconds_count", "companion_render_seconds_count"):
        assert counted(after, name) > counted(before, name)
    assert code not in after
    assert "Ann" not in after


def counted(figures: str, name: str) -> float:
    """Add up the lines that begin so."""
    return sum(float(line.rsplit(" ", 1)[1]) for line in figures.splitlines() if line.startswith(name))


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("::ffff:127.0.0.1", {}, 200),
        ("::ffff:192.168.1.20", {}, 403),
        ("192.168.1.20", {}, 403),
        ("", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.7"}, 403),
        ("127.0.0.1", {"Forwarded": "for=203.0.113.7"}, 403),
        ("192.168.1.20", {"Authorization": "Bearer wrong"}, 403),
        ("192.168.1.20", {"Authorization": "Bearer right"}, 200),
    ],
)
def test_the_figures_are_for_this_machine_or_who_has_the_token(
    house: House, address: str, headers: dict[str, str], status: int
) -> None:
    house.app.config["COMPANION"] = replace(house.settings, metrics="right")
    answer = house.app.test_client().get("/metrics", headers=headers, environ_base={"REMOTE_ADDR": address})
    assert answer.status_code == status


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_a_house_with_names_tells_its_own_machine_how_it_is(build: Build, host: str, path: str) -> None:
    """Health checks and Prometheus ask past the proxy, by a name that stands nowhere."""
    client = build(address="https://games.example", hosts=("play.example",), proxies=1).app.test_client()
    for address, status in {"127.0.0.1": 200, "::1": 200, "192.168.1.20": 400}.items():
        around = {"REMOTE_ADDR": address, "HTTP_HOST": host}
        assert client.get(path, environ_overrides=around).status_code == status
    by_proxy = {"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": host, "HTTP_X_FORWARDED_FOR": "203.0.113.7"}
    assert client.get(path, environ_overrides=by_proxy).status_code == 400


@pytest.mark.parametrize("path", ["/", "/operator", "/api/games", "/nothing"])
def test_a_house_with_names_shows_its_own_machine_no_page_by_another_one(build: Build, path: str) -> None:
    client = build(address="https://games.example", hosts=("play.example",)).app.test_client()
    assert client.get(path, environ_overrides={"HTTP_HOST": "127.0.0.1:8000"}).status_code == 400


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "10.0.0.1", ""])
def test_a_page_that_points_its_name_at_this_machine_reads_no_figures(build: Build, host: str) -> None:
    client = build(address="https://games.example", hosts=("play.example",)).app.test_client()
    assert client.get("/metrics", environ_overrides={"HTTP_HOST": host}).status_code == 400


def test_without_a_token_nobody_has_the_right_one(house: House) -> None:
    answer = house.app.test_client().get(
        "/metrics", headers={"Authorization": "Bearer "}, environ_base={"REMOTE_ADDR": "192.168.1.20"}
    )
    assert answer.status_code == 403


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    """Give the log as it is, and leave it so."""
    logger = logging.getLogger("companion")
    before = list(logger.handlers), logger.propagate
    yield logger
    logger.handlers, logger.propagate = before
    for each in (rulings, refusals):
        each.setLevel(logging.NOTSET)


@pytest.mark.promise(6)
def test_every_ruling_is_a_line_with_table_number_and_rule_and_no_bid(
    logger: logging.Logger, house: House, phone: MakePhone, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = phone()
    code = ann.opens(bidding="hidden")
    write_lines()
    ann.posts(f"/t/{code}/0/move", {"move": "bid", "seat": "0", "tricks": "7"})
    ann.posts(f"/t/{code}/0/move", {"move": "bid", "seat": "0", "tricks": "12"})
    entered, refused = map(json.loads, capsys.readouterr().err.splitlines())
    assert (entered["said"], entered["table"], entered["kind"]) == ("entered", code, "move")
    assert isinstance(entered["number"], int)
    assert (refused["said"], refused["table"]) == ("refused", code)
    assert refused["rule"].islower()
    assert {*entered, *refused} == {"at", "level", "said", "table", "number", "kind", "rule"}


def test_a_line_holds_no_key_of_the_address(house: House) -> None:
    secret = "0123456789abcdef0123456789abcdef"
    record = logging.LogRecord(
        "companion", logging.ERROR, "", 0, "Exception on %s", (f"/t/K7QX2M/host/{secret}",), None
    )
    with house.app.test_request_context(f"/t/K7QX2M/host/{secret}"):
        line = json.loads(JsonNotes().format(record))
    assert line["said"] == "Exception on /t/<code>/host/<secret>"


LINE = logging.LogRecord("companion", logging.ERROR, "", 0, "%s", ("an address\nof \x1b[2J \u2028 somebody",), None)
FORGED = "/t/K7QX2M/x\n2026-11-23T09:00:00.000Z error The database is gone"


def test_whatever_somebody_sends_is_one_line_of_the_log(house: House) -> None:
    """Whoever could end a line could write the next one."""
    try:
        raise RuntimeError("said\nroot: all is well")
    except RuntimeError:
        caught = sys.exc_info()
    record = logging.LogRecord("companion", logging.ERROR, "", 0, "Exception on %s", (FORGED,), caught)
    with house.app.test_request_context(quote(FORGED)):
        first, *rest = Notes().format(record).splitlines()
    assert first.endswith(" error Exception on an address of nobody")
    assert rest
    assert all(line.startswith("    ") for line in rest)
    assert len(Notes().format(LINE).splitlines()) == 1
    assert "\x1b" not in Notes().format(LINE)
    assert len(JsonNotes().format(LINE).split("\n")) == 1


@pytest.mark.parametrize("notes", [Notes(), JsonNotes()], ids=lambda notes: type(notes).__name__)
def test_a_line_says_when_in_the_time_of_the_world(notes: logging.Formatter, monkeypatch: pytest.MonkeyPatch) -> None:
    record = logging.makeLogRecord({"msg": "said", "created": 1_790_000_000.25, "levelname": "ERROR"})
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert "2026-09-21T14:13:20.250Z" in notes.format(record)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_log_that_nobody_has_set_up_is_written_by_us_and_any_other_left_as_it_is(logger: logging.Logger) -> None:
    before = list(logger.handlers)
    write_notes()
    assert logger.handlers == before, "pytest listens already"
    logger.propagate = False
    write_notes()
    write_notes()
    [handler] = logger.handlers
    assert isinstance(handler.formatter, Notes)


def test_who_is_turned_away_is_a_line_with_why_where_and_who_and_no_secret(
    logger: logging.Logger, house: House, phone: MakePhone, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bo = phone(), phone()
    bo.comes(ann).code = ann.opens()
    bo.gets("/")
    write_lines()
    bo.taps("bid", seat=0, tricks=1)
    bo.gets("/t/ZZZZZZ")
    bo.posts("/settings", {"language": "cs"}, headers={"Origin": "https://evil.example"})
    bo.gets("/", host="evil.example")
    bo.gets("/api/groups", headers={"Authorization": "Bearer nobody"})
    bo.asks("/api/tables", "POST", json={"game": 7})
    for _ in range(30):
        bo.gets("/t/ZZZZZZ")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["why"], line["status"], line["where"]) for line in lines[:6]] == [
        ("not_yours", 403, "/t/<code>/<int:seat>/move"),
        ("no_such_table", 404, "/t/<code>"),
        ("forged", 403, "/settings"),
        ("unknown_host", 400, "/"),
        ("no_token", 401, "/api/groups"),
        ("bad_request", 400, "/api/tables"),
    ]
    assert (lines[-1]["why"], lines[-1]["status"]) == ("too_many_requests", 429)
    assert {line["home"] for line in lines} == {bo.address}
    cookie = bo.client.get_cookie("phone")
    assert cookie
    secret = cookie.value
    assert lines[0]["phone"] == hashed(secret)[:8]
    assert all(secret not in line and "ZZZZZZ" not in line for line in map(str, lines))


def test_behind_a_proxy_a_phone_has_its_own_address_and_names_no_host(house: House) -> None:
    house.settings = replace(house.settings, proxies=1)
    house.restart()
    headers = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    answer = house.app.test_client().get("/", headers=headers)
    assert answer.status_code == 200
    assert "Cross-Origin-Opener-Policy" in answer.headers
    for _ in range(30):
        assert house.app.test_client().get("/t/ZZZZZZ", headers=headers).status_code == 404
    assert house.app.test_client().get("/t/ZZZZZZ", headers=headers).status_code == 429
    assert house.app.test_client().get("/t/ZZZZZZ", headers={"X-Forwarded-For": "203.0.113.8"}).status_code == 404
