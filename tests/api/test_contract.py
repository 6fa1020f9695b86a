"""The description is a contract: every operation says all that a generator or a cache needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from companion.desk.guard import COUNTED
from companion.games import GAMES
from companion.record import write
from companion.testing import kit
from companion.words import LANGUAGES
from tests.api.program import Program
from tests.phones import ROOT
from tests.web.conftest import House, Phone

MakePhone = Callable[..., Phone]
KEPT = ("", "/view", "/view?seat=0", "/standing", "/history", "/record", "/steps/0")
"""Addresses at a table that are asked again and again."""


@pytest.fixture
def described(house: House) -> Any:
    return house.app.test_client().get("/api/openapi.json").get_json()


def operations(described: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in described["paths"].items():
        yield from ((path, method, one) for method, one in methods.items() if method != "parameters")


def test_every_operation_says_what_a_generator_needs(described: Any) -> None:
    assert [server["url"] for server in described["servers"]] == ["/api/v1", "/api"]
    assert not [path for path in described["paths"] if path.startswith("/api")]
    for path, method, operation in operations(described):
        assert operation["operationId"].isidentifier(), path
        assert operation["summary"], path
        assert operation["tags"], path
        assert operation["security"] in ([{"token": []}], [{}, {"token": []}]), path
        assert (operation["security"] == [{"token": []}]) == (
            "401" in operation["responses"] and not _is_look(operation)
        )
        answers = {status: one for status, one in operation["responses"].items() if status[0] == "2"}
        assert len(answers) == 1, (path, method)
        assert all(one["content"] for one in answers.values()), (path, method)


def _is_look(operation: Any) -> bool:
    """Say whether a token is needed for the page of a seat alone."""
    return any(one.get("name") == "seat" and one["in"] == "query" for one in operation.get("parameters", ()))


def test_what_is_asked_again_is_told_anew_only_where_it_has_changed(house: House, phone: MakePhone) -> None:
    host = phone()
    host.opens("rage", names=["Ann", "Bo", "Cy"])
    for path in KEPT:
        first = host.gets(f"/api/tables/{host.code}{path}")
        tag = first.headers["ETag"]
        again = host.gets(f"/api/tables/{host.code}{path}", headers={"If-None-Match": tag})
        assert (first.status_code, again.status_code, again.data) == (200, 304, b""), path
        assert again.headers["ETag"] == tag
        assert again.headers["Cache-Control"] == "no-store", "nobody between keeps it"
        other = host.gets(f"/api/tables/{host.code}{path}", headers={"If-None-Match": 'W/"other"'})
        assert other.data == first.data


@pytest.mark.parametrize(
    "path", ["/api/games", "/api/openapi.json", "/api", "/api/tables/AAAAAA", "/api/nowhere", "/api/v1"]
)
def test_every_answer_names_the_contract(house: House, phone: MakePhone, path: str) -> None:
    assert phone().gets(path).headers["API-Version"] == "1"
    assert "`API-Version: 1`" in (ROOT / "docs" / "api.md").read_text()


def test_pages_name_none(phone: MakePhone) -> None:
    assert "API-Version" not in phone().gets("/").headers


def test_who_asks_is_told_of_a_limit_only_where_something_was_counted(house: House) -> None:
    """Each answer is held to the headers of its description by the program."""
    host, stranger = (Program(house.app.test_client()) for _ in range(2))
    opened = host.asks("post", "/api/tables", {"game": "rage", "players": ["Ann", "Bo", "Cy"]})[1]
    table, code = "/api/tables/{code}", opened["table"]["code"]
    assert stranger.asks("get", table, code=code)[0] == 200
    assert not {*COUNTED} & {*stranger.told}, "a code that leads to a table is no guess"
    assert [stranger.asks("get", table, code="ZZZZZZ")[0] for _ in range(29)] == [404] * 29
    assert (stranger.told["X-RateLimit-Limit"], stranger.told["X-RateLimit-Remaining"]) == ("30", "1")
    assert [stranger.asks("get", table, code="ZZZZZZ")[0] for _ in range(2)] == [404, 429]
    assert int(stranger.told["Retry-After"]) <= 60
    assert stranger.asks("get", "/api/groups")[0] == 401
    assert "Retry-After" not in stranger.told


@pytest.mark.parametrize("path", ["/games", "/groups", "/book"])
def test_what_is_never_too_much_says_so(described: Any, path: str) -> None:
    assert "429" not in described["paths"][path]["get"]["responses"]


def test_a_sheet_is_printed_in_a_second_language(house: House) -> None:
    program, path = Program(house.app.test_client()), "/api/games/{game}/sheets/{item}"
    asked = {"game": "rage", "item": "join_card"}
    plain, both = (
        program.asks("get", path, query={"language": "en", **more}, **asked) for more in ({}, {"also": "cs"})
    )
    assert (plain[0], both[0]) == (200, 200)
    assert plain[1] != both[1]
    assert program.asks("get", path, query={"also": "xx"}, **asked)[0] == 400


def test_every_file_is_as_it_is_described(house: House) -> None:
    game, program = GAMES["rage"], Program(house.app.test_client())
    *_, play = kit.play_on(kit.Table(game, {}, 3), Random(7), most=2_000)
    assert game.standing(play.position).is_finished
    status, brought = program.asks("post", "/api/records", write(play, {}, ["Ann", "Bo", "Cy"]))
    assert status == 201
    program.token, code = brought["token"], brought["table"]["code"]
    kinds = {}
    for path in [path for path in program.described["paths"] if "/files/" in path]:
        status, said = program.asks("get", path, code=code)
        [kind] = program.described["paths"][path]["get"]["responses"]["200"]["content"]
        assert (status, bool(said)) == (200, True), path
        kinds[path.rpartition("/")[2]] = kind
    assert kinds == {
        "plays.csv": "text/csv",
        "rounds.csv": "text/csv",
        "play.bgsplay": "application/json",
        "plays.bgsplay": "application/json",
        "record.json": "application/json",
        "records.zip": "application/zip",
    }


def test_the_values_of_options_are_told_in_the_reader_s_language(phone: MakePhone) -> None:
    heard = set()
    for language in LANGUAGES:
        told = phone().gets("/api/games", headers={"Accept-Language": language}).get_json()["games"]
        options = {(game["key"], option["name"]): option for game in told for option in game["options"]}
        for option in options.values():
            assert [one["value"] for one in option["values"]] == option["choices"]
            assert all(one["label"] for one in option["values"])
        heard.add(tuple(one["label"] for one in options["rage", "bidding"]["values"]))
    assert len(heard) == len(LANGUAGES)
