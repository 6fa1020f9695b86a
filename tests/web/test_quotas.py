"""Promise 26: whoever asks for more than anybody needs is told to wait, in words; a home with eight phones never is."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import Context
from itertools import islice
from typing import Any

import pytest
from flask import Flask
from limits.strategies import FixedWindowRateLimiter
from redis.exceptions import ConnectionError as RedisGone

from companion.desk import quotas
from companion.desk.guard import limiter
from companion.desk.quotas import BOOKS, LOOKING_OF_A_HOME, PLAYING_OF_A_HOME, RECORDS, SHEETS, TABLES, Homes, Quota
from companion.desk.shelf import FILES
from companion.games import GAMES
from companion.intake import home
from companion.words import LANGUAGES
from tests.house import without_threads
from tests.web.conftest import House, Phone, sound
from tests.web.test_book import written

pytestmark = pytest.mark.promise(26)

MakePhone = Callable[..., Phone]
HOME = "192.0.2.7"


def spent(app: Flask) -> dict[str, float]:
    """Say how much of each quota the home has spent, as a part of one."""
    found = {}
    for quota in quotas.ALL:
        most = quota.window(quota.of_a_home)
        rest = limiter.limiter.get_window_stats(most, quota.key, f"home {HOME}").remaining
        found[quota.key] = (quota.of_a_home - rest) / quota.of_a_home
    return found


def exhaust(phone: Phone, quota: Quota, who: str = "") -> None:
    """Count for a home, or another, as if it had asked for all that it may."""
    limiter.limiter.hit(
        quota.window(quota.of_a_home), quota.key, who or f"home {home(phone.address)}", cost=quota.of_a_home
    )


def known(phone: Phone) -> Phone:
    """Let a phone have a secret, which opening a table gives."""
    phone.opens()
    return phone


def archive(count: int) -> dict[str, Any]:
    """Bring as many records, each in a file."""
    records = [json.dumps(written(seed=100 * number, opened="2026-11-20")).encode() for number in range(count)]
    return {"key": "k", "files": [(io.BytesIO(content), f"{number}.json") for number, content in enumerate(records)]}


def brings(phone: Phone, count: int) -> Any:
    return phone.posts("/book/import", archive(count), content_type="multipart/form-data")


ASKED: dict[str, tuple[Quota, Callable[[Phone], Any]]] = {
    "a table": (TABLES, lambda phone: phone.posts("/open/rage", {"name": ["A", "B", "C"]})),
    "a group": (TABLES, lambda phone: phone.posts("/groups", {"name": "We"})),
    "a table, by a program": (
        TABLES,
        lambda phone: phone.asks("/api/tables", "POST", json={"game": "rage", "players": ["A", "B", "C"]}),
    ),
    "a group, by a program": (TABLES, lambda phone: phone.asks("/api/groups", "POST", json={"name": "We"})),
    "a record, by a program": (RECORDS, lambda phone: phone.asks("/api/records", "POST", json=written())),
    "a sheet": (SHEETS, lambda phone: phone.gets("/print/rage")),
    "a document": (SHEETS, lambda phone: phone.gets("/print/rage.pdf")),
    "a table's sheet": (SHEETS, lambda phone: phone.gets("/t/{code}/sheet.png")),
    "a sheet, for a program": (SHEETS, lambda phone: phone.gets("/api/games/rage/sheets/score_sheet")),
    "statistics": (BOOKS, lambda phone: phone.gets("/book/statistics")),
    "a bound book": (BOOKS, lambda phone: phone.gets("/book/evenings.pdf")),
    "bound statistics": (BOOKS, lambda phone: phone.gets("/book/statistics.pdf")),
    "statistics, for a program": (BOOKS, lambda phone: phone.gets("/api/book/statistics")),
    "a spreadsheet": (BOOKS, lambda phone: phone.gets("/book/files/plays.csv")),
    "a spreadsheet, for a program": (BOOKS, lambda phone: phone.gets("/api/book/files/plays.csv")),
}


@pytest.mark.parametrize("what", ASKED)
def test_who_asks_for_too_much_is_told_when_to_come_again(phone: MakePhone, what: str) -> None:
    ann, other = known(phone(**{"Accept-Language": "cs"})), known(phone())
    quota, ask = ASKED[what]
    assert ask(ann).status_code in {200, 201, 303}
    exhaust(ann, quota)
    answer = ask(ann)
    assert answer.status_code == 429, answer.text
    assert 0 < int(answer.headers["Retry-After"]) <= (24 if quota is RECORDS else 1) * 3600
    if answer.mimetype == "text/html":
        assert sound(answer).one("h1").text == "To bylo hodně"
    else:
        assert (answer.get_json()["type"], answer.get_json()["title"]) == ("/api#too_much", "To bylo hodně")
    assert ask(other).status_code in {200, 201, 303}, "another home goes on"
    assert ann.gets("/t/{code}/0").status_code == 200, "and so does the table"


@pytest.mark.parametrize("quota", quotas.ALL, ids=lambda quota: quota.key)
def test_a_phone_has_less_than_its_home(phone: MakePhone, quota: Quota) -> None:
    assert quota.of_a_phone <= quota.of_a_home
    ann, flatmate = known(phone()), known(phone())
    flatmate.address = ann.address
    ask = next(ask for theirs, ask in ASKED.values() if theirs is quota)
    cookie = ann.client.get_cookie("phone")
    assert cookie
    with ann.house.app.test_request_context(headers={"Cookie": f"phone={cookie.value}"}):
        _home, (most, *who) = quota.limits(1)
        limiter.limiter.hit(most, *who, cost=quota.of_a_phone)
    assert ask(ann).status_code == 429
    assert ask(flatmate).status_code in {200, 201, 303}


def test_opening_goes_on_exactly_as_often_as_it_may(phone: MakePhone) -> None:
    ann = phone()
    found: Counter[int] = Counter()
    for _ in range(TABLES.of_a_home + 20):
        ann.forgets()
        found[ASKED["a table"][1](ann).status_code] += 1
    assert found == {303: TABLES.of_a_home, 429: 20}


def test_records_beyond_the_quota_are_named_and_those_before_it_taken(phone: MakePhone) -> None:
    ann = phone()
    limiter.limiter.hit(
        RECORDS.window(RECORDS.of_a_home), RECORDS.key, f"home {ann.address}", cost=RECORDS.of_a_home - 2
    )
    answer = brings(ann, 3)
    assert answer.status_code == 200
    assert answer.text.count("/seats") + answer.text.count("/t/") >= 2
    assert "Many records were brought from here lately." in answer.text
    assert ann.house.rows("SELECT count(*) FROM tables") == [(2,)]


def test_files_that_come_after_a_minute_of_reading_are_named(phone: MakePhone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "BRING_S", -1.0)
    answer = brings(phone(), 2)
    assert answer.status_code == 422
    assert answer.text.count("This came too late: the files before it took long.") == 2


def test_many_who_do_what_takes_long_leave_threads_for_taps(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "WAIT_S", 0.05)
    ann, places = known(phone()), house.app.extensions["companion.places"]
    with ExitStack() as bringing:
        with ExitStack() as looking:
            for _ in range(quotas.THREADS):
                looking.enter_context(places[BOOKS.key].one())
                bringing.enter_context(places[RECORDS.key].one())
            for ask in (ASKED["statistics"][1], ASKED["a spreadsheet"][1], ASKED["a record, by a program"][1]):
                answer = ask(ann)
                assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
            assert brings(ann, 1).status_code == 429
        assert ASKED["statistics"][1](ann).status_code == 200
        assert ASKED["statistics"][1](ann).status_code == 200, "and the place came free"


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_minute_is_not_counted_as_several(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(quotas, "WAIT_S", 0.05)
    ann, places = known(phone(**{"Accept-Language": language})), house.app.extensions["companion.places"]
    with ExitStack() as looking:
        for _ in range(quotas.THREADS):
            looking.enter_context(places[BOOKS.key].one())
        assert re.search(r"\b1\smin\b", ASKED["statistics"][1](ann).text)


@pytest.mark.parametrize(("homes", "status"), [(0, 303), (1, 429), (2, 303)])
def test_several_homes_behind_one_address_have_so_many_times_as_much(
    build: Callable[..., House], homes: int, status: int
) -> None:
    house = build(homes=homes)
    ann = Phone(house, HOME)
    exhaust(ann, TABLES)
    limiter.limiter.hit(TABLES.window(2 * TABLES.of_a_home), TABLES.key, f"home {HOME}", cost=TABLES.of_a_home)
    assert ASKED["a table"][1](ann).status_code == status


def test_a_network_of_64_bits_is_one_home(phone: MakePhone) -> None:
    ann, flatmate, neighbour = phone(), phone(), phone()
    ann.address, flatmate.address, neighbour.address = "2001:db8:1:2::3", "2001:db8:1:2:a:b:c:d", "2001:db8:1:3::3"
    exhaust(ann, TABLES)
    assert [ASKED["a table"][1](one).status_code for one in (ann, flatmate, neighbour)] == [429, 429, 303]


def test_while_redis_is_away_it_is_counted_here(phone: MakePhone, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_about: object, **_more: object) -> bool:
        raise RedisGone

    ann = phone()
    with monkeypatch.context() as away:
        away.setattr(limiter.limiter, "hit", gone)
        assert ASKED["a table"][1](ann).status_code == 303
    spare: FixedWindowRateLimiter = ann.house.app.extensions["companion.spare_limiter"]
    most = TABLES.window(TABLES.of_a_home)
    assert spare.get_window_stats(most, TABLES.key, f"home {ann.address}").remaining == TABLES.of_a_home - 1


def test_who_cannot_be_let_in_for_want_of_a_thread_holds_no_place(
    build: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter, "_storage_dead", False)  # the one limiter of the process, which others need
    house = build(redis="redis://127.0.0.1:1/0")
    host = Phone(house, "192.0.2.7")
    client, address = house.app.test_client(), f"/t/{host.opens()}/screen/stream"
    with without_threads():
        for _ in range(LOOKING_OF_A_HOME):
            assert client.get(address).status_code == 500
    with client.get(address) as stream:
        assert stream.status_code == 200


@pytest.mark.parametrize(("is_playing", "most"), [(True, PLAYING_OF_A_HOME), (False, LOOKING_OF_A_HOME)])
def test_a_home_listens_as_often_as_it_may_and_players_need_no_place_of_lookers(is_playing: bool, most: int) -> None:
    homes = Homes(2)
    assert [homes.enter(HOME, is_playing) for _ in range(2 * most + 1)] == [True] * 2 * most + [False]
    assert homes.enter(HOME, not is_playing)
    assert homes.enter("192.0.2.8", is_playing)
    homes.leave(HOME, is_playing)
    assert homes.enter(HOME, is_playing)
    assert all(Homes(0).enter(HOME, is_playing) for _ in range(most + 1))


def test_a_home_with_eight_phones_meets_none_on_a_busy_evening(house: House, phone: MakePhone) -> None:
    """Nine tables, sheets of all games, everybody in the book, old evenings brought: within the same hour."""
    phones = [phone() for _ in range(8)]
    for one in phones:
        one.address = HOME
    host, *guests = phones
    for game in [*GAMES, *GAMES, "rage"]:
        host.opens(game, names=[f"P{seat}" for seat in range(GAMES[game].players[-1])])
    for seat, guest in enumerate(guests, 1):
        assert guest.comes(host).sits(seat).status_code == 303
    brought = [brings(host, 4)]
    asked = [
        one.gets(path)
        for one in phones
        for path in (
            *(f"/print/{game}.pdf" for game in GAMES),
            *("/t/{code}/sheet", "/t/{code}/sheet.pdf", "/t/{code}/sheet.png"),
            *("/book/statistics", "/book/statistics?player=P1", "/book/files/plays.csv"),
        )
    ]
    streams = [one.listens("/t/{code}/screen/stream") for one in phones]
    assert {stream.answer.get().status_code for stream in streams} == {200}
    assert {answer.status_code for answer in [*brought, *asked]} == {200}
    assert all(part <= 0.25 for part in spent(house.app).values()), spent(house.app)
    assert spent(house.app)[TABLES.key] > 0, "counted it is"


def test_what_takes_long_is_done_by_few_waited_for_by_as_many_and_refused_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(quotas, "WAIT_S", 0.05)
    places = quotas.Places()
    with ExitStack() as busy:
        for _ in range(quotas.THREADS):
            busy.enter_context(places.one())
        with pytest.raises(quotas.TooMuch), places.one():
            pytest.fail("nobody has gone")
        monkeypatch.setattr(quotas, "WAIT_S", 30.0)
        with ThreadPoolExecutor(quotas.THREADS) as pool:
            waiting = [pool.submit(_done_at, places) for _ in range(quotas.THREADS)]
            while places._room.acquire(blocking=False):  # until all of them wait
                places._room.release()
            with pytest.raises(quotas.TooMuch), places.one():
                pytest.fail("there was no room to wait")
            busy.close()
            assert [one.result() for one in waiting] == [True] * quotas.THREADS


def _done_at(places: quotas.Places) -> bool:
    with places.one():
        return True


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("pieces", [0, 1])
def test_a_file_of_the_book_holds_a_place_until_it_is_written_or_nobody_reads_on(
    phone: MakePhone, monkeypatch: pytest.MonkeyPatch, file: str, pieces: int
) -> None:
    monkeypatch.setattr(quotas, "WAIT_S", 0.05)
    ann, path = known(phone()), f"/book/files/{file}"
    for _ in range(2):
        threads = [Context() for _ in range(quotas.THREADS)]
        begun = [thread.run(ann.gets, path, buffered=False) for thread in threads]
        for thread, answer in zip(threads, begun, strict=True):
            assert len(thread.run(lambda read: [*islice(read, pieces)], answer.iter_encoded())) == pieces
        assert ann.gets(path).status_code == ann.gets("/book/statistics").status_code == 429
        for thread, answer in zip(threads, begun, strict=True):
            thread.run(answer.close)
    assert {ann.gets(path).status_code for _ in range(2 * quotas.THREADS)} == {200}
