"""The statistics on a page, and the same for programs: hostile names, filters, nothing to tell, one against another."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest

from companion import record
from companion.games import GAMES
from companion.kernel.frozen import replace
from companion.record import read_data, replay
from companion.tables import opening
from companion.tables.seating import hashed
from companion.testing import kit
from tests.test_endings import played
from tests.web.conftest import House, Phone
from tests.web.hostile import hostile_names
from tests.web.page import Element

MakePhone = Callable[..., Phone]
PAGE = "/book/statistics"
SHARED = "No error"


@cache
def evening(game: str, seats: int) -> Any:
    """Play a game at random to its end."""
    for seed in range(30):
        *_, play = kit.play_on(kit.Table(GAMES[game], {}, seats), Random(seed), most=2_000)
        if GAMES[game].standing(play.position).is_finished:
            return play
    raise AssertionError(game)


def gems(*counts: int) -> Any:
    """Let Ubongo end by a count: so many green gems each."""
    return played("ubongo", {}, [{"move": "count", "gems": [[count, 0, 0, 0, 0, 0] for count in counts]}], len(counts))


def hosts(house: House, phone: MakePhone, *evenings: tuple[Any, list[str], str]) -> Phone:
    """Give a phone evenings: (play, names, day)."""
    host = phone()
    host.reads("/")
    cookie = host.client.get_cookie("phone")
    assert cookie
    with house.app.app_context():
        for play, names, day in evenings:
            data = record.write(play, {}, names) | {"opened": f"{day}T12:00:00.000Z"}
            opening.open_from(replay(read_data(data)), hashed(cookie.value))
    return host


@pytest.fixture
def friends(house: House, phone: MakePhone) -> Phone:
    """Anna and Bo met three times, with Cy once: 5 to 3, 2 to 4, 5 to 5 to 1."""
    return hosts(
        house,
        phone,
        (gems(5, 3), ["Anna", "Bo"], "2026-11-01"),
        (gems(4, 2), ["Bo", "Anna"], "2026-11-02"),
        (gems(5, 5, 1), ["Anna", "Bo", "Cy"], "2026-11-03"),
    )


def test_a_phone_without_evenings_is_told_what_to_do(phone: MakePhone) -> None:
    page = phone().reads(PAGE)
    assert "No game of this phone is over yet." in page.text
    assert not page.all("figure")


def test_wins_and_places_stand_on_the_page(friends: Phone) -> None:
    text = friends.reads(PAGE).text
    assert "From 3 games that were played to their end." in text
    assert text.count("2 of 3") == 4  # both, in the picture and in its table
    assert "0 of 1" in text
    answer = friends.gets("/api/book/statistics").json
    [ubongo] = answer["games"]
    assert (ubongo["game"], ubongo["plays"]) == ("ubongo", 3)
    assert {one["player"]: (one["plays"], one["wins"], one["places"]) for one in ubongo["players"]} == {
        "Anna": (3, 2, [2, 1, 0, 0]),
        "Bo": (3, 2, [2, 1, 0, 0]),
        "Cy": (1, 0, [0, 0, 1, 0]),
    }
    assert {one["player"]: (one["best"], round(one["average"], 2)) for one in ubongo["players"]} == {
        "Anna": (5, 4.0), "Bo": (5, 4.0), "Cy": (1, 1.0),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?since=2026-11-02", 2),
        ("?until=2026-11-01", 1),
        ("?since=2026-11-02&until=2026-11-02", 1),
        ("?player=cy", 1),
        ("?game=ubongo&player=Anna", 3),
        ("?game=rage", 0),
        ("?player=nobody", 0),
    ],
)
def test_what_is_looked_for_is_what_counts(friends: Phone, query: str, count: int) -> None:
    page = friends.reads(PAGE + query).text
    assert ("No evening is like that." in page) == (count == 0)
    if count:
        said = "From 1 game that was" if count == 1 else f"From {count} games that were"
        assert said in page
    answer = friends.gets("/api/book/statistics" + query).json
    assert sum(one["plays"] for one in answer["games"]) == count


@pytest.mark.parametrize("query", ["?since=yesterday", "?until=2026-13-01", "?until=9999-12-32", "?since=2026-11"])
def test_a_wrong_day_is_refused_by_name(friends: Phone, query: str) -> None:
    field = query[1:].split("=", maxsplit=1)[0]
    answer = friends.gets(PAGE + query)
    assert answer.status_code == 400
    assert field in answer.text
    problem = friends.gets("/api/book/statistics" + query)
    assert problem.status_code == 400
    assert field in problem.json["detail"]


def test_one_is_compared_with_everyone_met_and_with_one_game_by_game(friends: Phone) -> None:
    everyone = friends.reads(f"{PAGE}?player=Anna")
    assert "Anna and the others" in everyone.text
    assert any("with=Bo" in link for link in everyone.links)
    one = friends.reads(f"{PAGE}?player=Anna&with=Bo").text
    assert "Anna and Bo" in one
    assert "points apart" in one
    met = friends.gets("/api/book/statistics?player=Anna&with=Bo").json["meetings"]
    assert met == [
        {"other": "Bo", "game": "ubongo", "plays": 3, "ahead": 1, "level": 1, "behind": 1, "difference": 0.0}
    ]
    assert len(friends.gets("/api/book/statistics?player=Anna").json["meetings"]) == 2


def test_two_games_of_one_name_are_compared_each_by_itself(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(GAMES["ubongo"], key="ubongo_junior")
    monkeypatch.setitem(GAMES, other.key, other)  # type: ignore[arg-type]
    won, lost = gems(5, 3), replace(gems(2, 4), game=other)
    host = hosts(house, phone, (won, ["Anna", "Bo"], "2026-11-01"), (lost, ["Anna", "Bo"], "2026-11-02"))
    met = host.gets("/api/book/statistics?player=Anna&with=Bo").json["meetings"]
    assert [(one["game"], one["difference"]) for one in met] == [("ubongo", 2.0), ("ubongo_junior", -2.0)]
    shown = host.reads(f"{PAGE}?player=Anna&with=Bo").text
    assert all(said in shown for said in ("2.0", "−2.0"))


def test_who_is_not_named_in_full_is_compared_with_nobody(friends: Phone) -> None:
    assert "and the others" not in friends.reads(f"{PAGE}?player=Ann").text
    assert "and the others" not in friends.reads(f"{PAGE}?with=Bo").text


def test_nobody_wins_where_all_play_together(house: House, phone: MakePhone) -> None:
    host = hosts(house, phone, (evening("hanabi", 3), ["Anna", "Bo", ""], "2026-11-01"))
    page = host.reads(PAGE).text
    assert "Wins" not in page
    assert SHARED in page
    [hanabi] = host.gets("/api/book/statistics").json["games"]
    assert [(one["wins"], one["places"]) for one in hanabi["players"]] == [(0, []), (0, [])]
    assert {one["per"] for one in hanabi["statistics"]} == {"table"}
    assert [row["player"] for one in hanabi["statistics"] for row in one["rows"]] == [None] * 4


@pytest.mark.parametrize("game", GAMES)
def test_every_picture_has_its_table_with_the_same_numbers(house: House, phone: MakePhone, game: str) -> None:
    host = hosts(house, phone, (evening(game, 3), ["Anna", "Bo", "Cy"], "2026-11-01"))
    page = host.reads(PAGE)
    told = [one for one in host.gets("/api/book/statistics").json["games"][0]["statistics"] if one["rows"]]
    figures: list[list[Element]] = []
    for element in page.elements:
        if element.tag == "figure":
            figures.append([])
        elif "figure" in element.inside:
            figures[-1].append(element)
    assert len(figures) == len(told) + (not GAMES[game].is_shared)
    for parts in figures:
        [picture] = [part for part in parts if part.tag == "svg"]
        assert (picture.attrs["role"], bool(picture.attrs["aria-label"])) == ("img", True)
        drawn = [part.text for part in parts if part.attrs.get("class") == "bar-number"]
        assert drawn == [part.text for part in parts if part.tag == "td"]
        assert len([part for part in parts if part.tag == "rect"]) == len(drawn) > 0


def test_programs_are_told_of_many_players_and_meetings_page_by_page(house: House, phone: MakePhone) -> None:
    play, names = evening("rage", 8), [f"Guest {number:02}" for number in range(56)]
    tables = [["Anna", *names[first : first + 7]] for first in range(0, 56, 7)]
    host = hosts(house, phone, *((play, players, "2026-11-01") for players in tables))
    path = "/api/book/statistics?player=Anna&page="
    pages = [host.gets(f"{path}{page}").json for page in (1, 2, 3)]
    games = [answer["games"][0] for answer in pages]
    assert [(game["count"], game["plays"], len(game["players"])) for game in games] == [
        (57, 8, 50),
        (57, 8, 7),
        (57, 8, 0),
    ]
    assert {one["player"] for game in games for one in game["players"]} == {"Anna", *names}
    for game in games:
        shown = {None, *(one["player"] for one in game["players"])}
        assert all({row["player"] for row in one["rows"]} <= shown for one in game["statistics"])
    assert [(answer["count"], len(answer["meetings"])) for answer in pages] == [(56, 50), (56, 6), (56, 0)]
    assert {one["other"] for answer in pages for one in answer["meetings"]} == {*names}
    assert host.gets(f"{path}0").status_code == 400


def test_hostile_names_are_only_names(house: House, phone: MakePhone) -> None:
    kept = [name for name in hostile_names() if name.strip() and len(name) < 24 and name.isprintable()][:24]
    play = evening("rage", 8)
    host = hosts(house, phone, *((play, kept[first : first + 8], "2026-11-01") for first in range(0, 24, 8)))
    [rage] = host.gets("/api/book/statistics").json["games"]
    text = host.reads(PAGE).text
    assert len(rage["players"]) == len(kept) == 24
    for one in rage["players"]:
        name = one["player"]
        assert name in text
        compared = host.reads(f"{PAGE}?{urlencode({'player': name})}")
        assert f"{name} and the others" in compared.text


def test_the_evenings_of_another_phone_are_not_told(friends: Phone, phone: MakePhone) -> None:
    assert "No game of this phone is over yet." in phone().reads(PAGE).text


def test_a_program_without_a_token_is_refused(phone: MakePhone) -> None:
    assert phone().gets("/api/book/statistics").status_code == 401
