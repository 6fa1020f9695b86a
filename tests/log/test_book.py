"""The book of evenings: which tables stand in it, and which of them a search finds."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import update

from companion import log
from companion.desk.shelf import FILES
from companion.log.book import Book, Search, all_evenings, count, evenings, hosted, newest, players
from companion.log.rows import Seating, Table, db
from companion.tables.seating import hashed
from tests.house import House, a_round, secret


def codes(house: House, phone: str, search: Search | None = None, most: int = 10, page: int = 1) -> list[str]:
    with house.app.app_context():
        return [table.code for table in evenings(Book(hashed(secret(phone))), search or Search(), most, page)]


def set_columns(house: House, code: str, **columns: object) -> None:
    with house.app.app_context():
        db.session.execute(update(Table).where(Table.code == code).values(**columns))
        db.session.commit()


def test_the_evenings_of_a_phone_are_those_it_hosts_or_sits_at_the_newest_first(house: House) -> None:
    first, second = house.open(), house.open(phones={1: "bo"})
    assert codes(house, "host") == [second, first]
    assert codes(house, "bo") == [second]
    assert (codes(house, "host", most=1), codes(house, "host", most=1, page=2)) == ([second], [first])
    assert codes(house, "stranger") == []


def test_a_search_finds_part_of_a_name_in_any_case_and_takes_signs_as_they_are(house: House) -> None:
    zofie, percent = house.open(("Žofie", "Bo", "Cy")), house.open(("100%", "Bo", "Cy"))
    assert codes(house, "host", Search(player="žOF")) == [zofie]
    assert codes(house, "host", Search(player="%")) == [percent]
    assert codes(house, "host", Search(player="_")) == []
    assert codes(house, "host", Search(player="bo")) == [percent, zofie]


@pytest.mark.on_both
def test_a_search_finds_a_name_as_it_is_written_whatever_its_small_letters_are(house: House) -> None:
    """Python makes two characters of the small one, databases one or the same."""
    code = house.open(("İb_/%", "Bo", "Cy"))
    for player in ("İ", "İB", "b_/%", "B_", "/"):
        assert codes(house, "host", Search(player=player)) == [code]
    for player in ("i/", "/_", "%b"):
        assert codes(house, "host", Search(player=player)) == []


@pytest.mark.parametrize("where", ["book", "api/book"])
def test_a_zero_byte_is_looked_for_nowhere(house: House, where: str) -> None:
    client = house.app.test_client()
    client.set_cookie("phone", secret("host"), domain="localhost")
    headers = {"Authorization": f"Bearer {secret('host')}"} if where == "api/book" else {}
    for page in ("", "/statistics", *(f"/files/{file}" for file in FILES)):
        for asked in ("player=%00", "game=a%00b", *(("player=Anna&with=%00",) if page == "/statistics" else ())):
            answer = client.get(f"/{where}{page}?{asked}", headers=headers)
            assert answer.status_code == 400, (page, asked)
            assert "attachment" not in answer.headers.get("Content-Disposition", "")


def test_a_search_by_game_and_time_finds_what_lies_within(house: House) -> None:
    old, new = house.open(), house.open()
    set_columns(house, old, opened="2026-01-05T20:00:00.000Z")
    assert codes(house, "host", Search(until="2026-01-06T00:00:00.000Z")) == [old]
    assert codes(house, "host", Search(since="2026-01-06T00:00:00.000Z")) == [new]
    assert codes(house, "host", Search(since="2026-01-05T20:00:00.000Z")) == [new, old]
    assert codes(house, "host", Search(until="2026-01-05T20:00:00.000Z")) == []
    assert codes(house, "host", Search(game="rage")) == [new, old]
    assert codes(house, "host", Search(game="ubongo")) == []


def test_a_search_that_looks_for_nothing_is_none() -> None:
    assert not Search()
    for name in ("player", "game", "since", "until"):
        assert Search(**{name: "2026"})


@pytest.mark.parametrize(("older", "is_found"), [(29, True), (30, False)])
def test_the_newest_table_is_found_before_so_many_records_of_older_evenings(
    house: House, older: int, is_found: bool
) -> None:
    """They were brought later than it was played; more of them are not looked through, so that a long book is quick."""
    with house.app.app_context():
        for number in range(older + 1):
            opened = f"20{25 if number else 26}-11-20T20:00:00.000Z"
            seatings = [Seating(seat=0, phone="bo")]
            about = {"code": f"{number:06}", "game": "rage", "options": {}, "host": "ann", "opened": opened}
            db.session.add(Table(**about, seatings=seatings))
            db.session.flush()
        assert [table.code == "000000" for table in newest("bo", 1)] == [is_found]


@pytest.mark.promise(25)
def test_a_table_of_a_game_that_is_not_installed_any_more_stays_in_the_book(house: House) -> None:
    kept, other = house.open(), house.open()
    set_columns(house, other, game="chess")
    assert codes(house, "host") == [other, kept]
    assert codes(house, "host", Search(game="chess")) == [other]


@pytest.mark.on_both
def test_all_evenings_are_gone_through_once_each(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log.book, "AT_ONCE", 2)
    opened = [house.open(("Anna", "Bo", f"P{number}")) for number in range(5)]
    with house.app.app_context():
        book = Book(hashed(secret("host")))
        assert [table.code for table in all_evenings(book, Search())] == opened[::-1]
        assert count(book, Search(player="p3")) == 1
        assert players(book) == ["Anna", "Bo", *(f"P{number}" for number in range(5))]


@pytest.mark.on_both
def test_a_table_that_is_opened_meanwhile_lets_none_stand_twice(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two were opened in the same moment."""
    monkeypatch.setattr(log.book, "AT_ONCE", 2)
    opened = [house.open() for _ in range(5)]
    for code in opened[1:3]:
        set_columns(house, code, opened="2026-01-05T20:00:00.000Z")
    set_columns(house, opened[0], opened="2026-01-04T20:00:00.000Z")
    with house.app.app_context():
        going = all_evenings(Book(hashed(secret("host"))), Search())
        read = [next(going).code]
    house.open()
    with house.app.app_context():
        assert [*read, *(table.code for table in going)] == opened[::-1]


def test_everybodys_book_has_the_tables_of_all(house: House) -> None:
    opened = [house.open(("A", "B", "C"), phones={0: "ann", 1: "bo", 2: "cy"}), house.open()]
    with house.app.app_context():
        assert [table.code for table in evenings(Book(), Search(), 10, 1)] == opened[::-1]


def test_a_seat_without_a_name_is_nobody_in_a_book(house: House) -> None:
    house.open(("Anna", "", "Cy"))
    house.open(("Anna", "", ""))
    with house.app.app_context():
        assert players(Book()) == ["Anna", "Cy"]
        assert hosted(hashed(secret("host"))) == [("Anna", 2), ("Cy", 1)]
        assert hosted(hashed(secret("stranger"))) == []


def test_everyone_ends_where_the_rules_say_and_the_end_can_be_taken_back(house: House) -> None:
    code = house.open()
    for number in range(1, 11):
        for place, move in enumerate(a_round(number, 4)):
            house.move(code, "host", move, f"{number}.{place}")
    ended = house.rows("SELECT seat, rank, score FROM seatings ORDER BY seat")
    with house.asks(code, "host") as asker:
        assert asker.table.result is not None
        said = [(place["seat"], place["rank"], place["score"]) for place in asker.table.result["standing"]]
    assert ended == sorted(said)
    house.take_back(code, "host", "back")
    assert house.rows("SELECT DISTINCT rank, score, figures FROM seatings") == [(None, None, None)]
    house.put_back(code, "host", "again")
    assert house.rows("SELECT seat, rank, score FROM seatings ORDER BY seat") == ended


def test_what_an_older_release_did_not_count_is_counted_at_the_start(house: House) -> None:
    code = house.open()
    for number in range(1, 11):
        for place, move in enumerate(a_round(number, 4)):
            house.move(code, "host", move, f"{number}.{place}")
    counted = house.rows("SELECT seat, figures FROM seatings ORDER BY seat")
    with closing(sqlite3.connect(house.folder / "companion.sqlite")) as connection, connection:
        connection.execute("UPDATE seatings SET figures = NULL")
    House(house.folder).close()
    assert house.rows("SELECT seat, figures FROM seatings ORDER BY seat") == counted


def test_a_start_counts_again_only_what_every_play_must_have_been_counted_for(house: House) -> None:
    """Each of Hanabi is won, ended or lost; in Ikebana what is missing may not have happened. No connection is kept."""
    for game in ("hanabi", "ikebana"):
        house.open(game=game)
    house.database.change("UPDATE seatings SET rank = 1, figures = '{}'")
    with house.app.app_context():
        log.count_all()
        assert not db.session.registry.has()
    counted = house.rows("SELECT game, figures FROM tables JOIN seatings ON id = table_id WHERE seat = 0 ORDER BY game")
    assert [(game, figures == "{}") for game, figures in counted] == [("hanabi", False), ("ikebana", True)]
