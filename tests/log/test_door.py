"""The one door: what is heard again is answered and told again, and what memory knows will do for the quick alone."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from companion import log, metrics
from companion.errors import NotSaved
from companion.log import Now, Reading, Wish, Yes, codes, makings
from companion.log.together import Unkept
from companion.tables import referee
from tests.house import House, a_round, bid
from tests.neighbours import cairn, installed


def opened(**more: Any) -> log.Table:
    table = log.Table(game="rage", options={}, host="host", opened=log.now())
    return log.open_table(table, codes.fresh_codes(), **more)


@pytest.mark.parametrize(
    ("more", "changes", "seen"),
    [
        ({}, None, ["Praha"]),
        ({"is_quick": True}, None, [""]),
        ({"is_quick": True}, log.Changes({"title": "Finale"}), [""]),
        ({"is_quick": True}, log.Changes(seats={0: {"name": "Ann"}}), ["", "Praha"]),
    ],
)
def test_a_wish_is_decided_upon_what_the_database_has_unless_it_may_be_quick_and_names_nobody(
    house: House, more: dict[str, bool], changes: log.Changes | None, seen: list[str]
) -> None:
    """As after a command that has changed a column, and has entered nothing."""
    code, found = house.open(), []
    house.read(code)
    house.database.change("UPDATE tables SET location = 'Praha'")

    def decide(now: Now) -> Yes:
        found.append(now.table.location)
        return Yes(now.reading.play, None, changes)

    with house.asks(code, "host") as asker:
        log.enter(Wish(asker.table, "table", None, {}, "one", decide, **more))
    assert found == seen


def test_what_is_asked_again_is_told_again(house: House) -> None:
    """Whoever had entered it may have died before anybody was told."""
    code, told = house.open(), []
    house.app.extensions["companion.told"] = lambda *news: told.append(news)
    for _time in range(2):
        house.move(code, "host", bid(0, 1), "one")
    assert told == [(code, 1)] * 2


def test_what_a_move_leads_to_is_foretold_before_it_is_told(house: House) -> None:
    code, said = house.open(), []
    told, foretold = (f"companion.{name}" for name in ("told", "foretold"))
    house.app.extensions[told] = lambda code, number: said.append((told, code, number))
    house.app.extensions[foretold] = lambda table, reading: said.append((foretold, table.code, reading.number))
    house.read(code)
    with house.asks(code, "host") as asker:
        (entered,) = referee.rule_at_once([referee.moving(asker, bid(0, 1), "one", after=0)])
    assert entered
    assert said == [(foretold, code, 1), (told, code, 1)]
    house.move(code, "host", bid(1, 1), "two")
    assert said[2:] == [(told, code, 2)], "of a table that a transaction may hold"


def test_nothing_is_confirmed_again_that_may_still_be_lost(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes something for the first time does not wait for that: it has its own commit."""

    def fails(_engine: object) -> None:
        raise OperationalError(None, None, sqlite3.OperationalError())

    code, post = house.open(), makings.post("ann", "key", b"asked")
    monkeypatch.setattr("companion.log.sqlite.ensure", fails)
    house.move(code, "host", bid(0, 1), "one")
    with house.app.app_context():
        assert makings.made_table(post) is None
        opened(post=post)
        with pytest.raises(NotSaved):
            makings.made_table(post)
    with pytest.raises(NotSaved):
        house.move(code, "host", bid(0, 1), "one")


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.parametrize("is_known", [True, False])
def test_what_no_database_keeps_takes_no_answer_of_another_table_with_it(house: House, is_known: bool) -> None:
    first, second = house.open(), house.open()
    if is_known:
        house.read(first), house.read(second)
    with house.asks(first, "host") as one, house.asks(second, "host") as other:
        unkept = replace(referee.moving(one, bid(0, 1), "k", after=0), kind="of more than twelve letters")
        said = referee.rule_on_all([unkept, referee.moving(other, bid(0, 1), "k", after=0)])
    assert [type(each) for each in said] == [Unkept, Reading]
    assert [len(house.entries(code)) for code in (first, second)] == [0, 1]


@pytest.mark.promise(25)
@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize(
    ("problem", "said_of"),
    [(KeyError("stone"), log.Stumbled), (OperationalError(None, None, sqlite3.OperationalError()), NotSaved)],
    ids=["the rules stumble", "the database is away"],
)
def test_a_game_whose_rules_stumble_takes_no_answer_of_another_table_with_it(
    house: House, is_known: bool, problem: Exception, said_of: type
) -> None:
    """A phone is told apart what may be otherwise the next time from what will not."""

    def stumbles(position: Any, move: Any) -> Any:
        raise problem

    with installed(replace(cairn(), judge=stumbles)):
        first, second = house.open(["Anna", "Bo"], game="cairn"), house.open()
        if is_known:
            house.read(first), house.read(second)
        with house.asks(first, "host") as one, house.asks(second, "host") as other:
            lays = referee.moving(one, {"move": "lay", "seat": 0, "die": 3}, "k", after=0)
            bids = referee.moving(other, bid(0, 1), "k", after=0)
            assert referee.rule_at_once([lays]) == [None]
            said = referee.rule_on_all([lays, bids])
    assert [type(each) for each in said] == [said_of, Reading]
    assert [len(house.entries(code)) for code in (first, second)] == [0, 1]


def test_how_a_game_stands_is_written_with_the_entries_that_change_it(house: House) -> None:
    code = house.open()
    for place, move in enumerate(a_round(1, 4)):
        house.move(code, "host", move, f"k{place}")
    noted = house.rows("SELECT number, standing FROM entries WHERE standing IS NOT NULL ORDER BY number")
    assert noted == [(1, "1:0 1:0 1:0 1:0"), (5, "4:5 1:10 1:10 1:10")]


def test_every_table_that_is_opened_is_counted_once(house: House) -> None:
    before = metrics.Figures().total("companion_opened_total", game="rage")
    with house.app.app_context():
        taken = opened().code
        log.open_table(log.Table(game="rage", options={}, host="host", opened=log.now()), iter([taken, "AAAAAA"]))
    assert metrics.Figures().total("companion_opened_total", game="rage") - before == 2
