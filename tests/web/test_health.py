"""What an operator's programs are told: figures without tables, names and secrets, and lines of JSON in the log."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from companion.metrics import JsonNotes, write_lines
from tests.web.conftest import House, Phone

MakePhone = Callable[..., Phone]


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
        ("192.168.1.20", {}, 403),
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


def test_without_a_token_nobody_has_the_right_one(house: House) -> None:
    answer = house.app.test_client().get(
        "/metrics", headers={"Authorization": "Bearer "}, environ_base={"REMOTE_ADDR": "192.168.1.20"}
    )
    assert answer.status_code == 403


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    """Give the log as it is, and leave it so."""
    logger, rulings = logging.getLogger("companion"), logging.getLogger("companion.rulings")
    before = list(logger.handlers), logger.propagate, rulings.level
    yield logger
    logger.handlers, logger.propagate, level = before
    rulings.setLevel(level)


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
