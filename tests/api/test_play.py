"""Whole games through the API alone, with the pages beside; and what a program may rely on."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion import record
from companion.drawing.paper import typeset
from companion.games import GAMES
from companion.log import keeping
from tests.api.program import Program
from tests.web.conftest import House, Phone

TABLE, SEAT, MOVES, VIEW = "/api/tables/{code}", "/api/tables/{code}/seats/{seat}", "/api/tables/{code}/moves", "/api/tables/{code}/view"  # fmt: skip
NAMES = ["Ann", "Bo", "Cy"]
OPTIONS = {
    "hanabi": {},
    "ikebana": {"final_bouquet": True},
    "rage": {"bidding": "secret"},
    "tally": {"rounds": 3},
    "ubongo": {},
}
DULL = {"void", "arrange"}
"""Moves that lead nowhere: a program makes them only where it can make no other."""


def opened(house: House, game: str, options: dict[str, Any] | None = None, seats: int = 3) -> tuple[str, list[Program]]:
    """Open a table; the host sits at seat 0, and somebody at every other."""
    programs = [Program(house.app.test_client()) for _ in range(seats)]
    body = {"game": game, "players": NAMES[:seats], "options": options or {}}
    status, said = programs[0].asks("post", "/api/tables", body)
    assert status == 201
    programs[0].token, code = said["token"], said["table"]["code"]
    for seat, program in enumerate(programs):
        status, said = program.asks("put", SEAT, {}, code=code, seat=seat)
        assert status == 200
        program.token = said["token"]
    assert len({program.token for program in programs}) == seats
    return code, programs


def open_moves(programs: list[Program], code: str) -> list[tuple[Program, dict[str, Any]]]:
    """List every move that somebody can make now: the seats' own, and those of the table."""
    found = []
    for seat, program in enumerate(programs):
        for query in ({"seat": seat}, {}) if seat == 0 else ({"seat": seat},):
            _, said = program.asks("get", MOVES, code=code, query=query)
            found += [(program, move) for move in said["moves"]]
    return found


def chosen(found: list[tuple[Program, dict[str, Any]]], chance: Random) -> tuple[Program, dict[str, Any]]:
    """Choose a kind, then a move of it."""
    kinds = sorted({move["move"] for _, move in found})
    kind = chance.choice([kind for kind in kinds if kind not in DULL] or kinds)
    return chance.choice([(program, move) for program, move in found if move["move"] == kind])


@pytest.mark.parametrize("step", ["take-back", "put-back", "moves"])
def test_a_number_that_no_table_reaches_is_only_stale(house: House, step: str) -> None:
    code, programs = opened(house, "rage", {"bidding": "secret"})
    move = {"move": "bid", "seat": 0, "tricks": 1} if step == "moves" else {}
    status, said = programs[0].asks("post", f"/api/tables/{{code}}/{step}", {**move, "after": 10**15 - 1}, code=code)
    assert (status, said["type"]) == (409, "/api#stale")


PRACTICE = "/api/games/{game}/practice"


def test_a_program_is_tried_by_phantoms_at_the_other_seats(house: House) -> None:
    program = Program(house.app.test_client())
    bodies = [({"name": "Robot"}, 201), ({"name": "Robot"}, 201), ({"name": "Other"}, 422)]
    found = [program.asks("post", PRACTICE, body, key="practise", game="rage") for body, _ in bodies]
    assert [status for status, _ in found] == [status for _, status in bodies]
    assert found[0] == found[1], "the same key twice"
    table, program.token = found[0][1]["table"], found[0][1]["token"]
    assert [(seat["name"], seat["is_taken"], seat["is_yours"]) for seat in table["seats"][:2]] == [
        ("Robot", True, True),
        ("Emil", False, False),
    ]
    assert (table["is_host"], table["is_locked"]) == (False, True)
    code, after = table["code"], table["number"]
    bid = {"move": "bid", "seat": 0, "tricks": 3, "after": after}
    assert program.asks("post", MOVES, bid, code=code)[0] == 200
    for _ in range(2):  # they look once to see what is new, and once to play
        house.app.extensions["companion.phantoms"].step(code)
    status, seen = program.asks("get", VIEW, code=code, query={"seat": 0})
    assert (status, seen["number"]) == (200, after + 2)
    stranger = Program(house.app.test_client())
    assert stranger.asks("put", SEAT, {"name": "Bo"}, code=code, seat=1)[0] == 409


def test_phantoms_play_no_game_that_they_do_not_know(house: House) -> None:
    status, said = Program(house.app.test_client()).asks("post", PRACTICE, {}, game="tally")
    assert (status, said["type"]) == (404, "/api#not_there")


@pytest.mark.promise(3)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_programs_and_the_pages_show_the_same(
    house: House, phone: Callable[..., Phone], game: str
) -> None:
    code, programs = opened(house, game, OPTIONS[game])
    watcher = phone()
    watcher.code = code
    chance, made, is_finished = Random(7), 0, False
    while not is_finished:
        program, move = chosen(open_moves(programs, code), chance)
        status, said = program.asks("post", MOVES, move, code=code)
        assert (status, said["number"] > made) == (200, True), (move, said)
        is_finished, made = said["is_finished"], made + 1
        assert made < 1500, "no end"
        if made % 10 == 0 or is_finished:
            _, now = programs[0].asks("get", "/api/tables/{code}/standing", code=code)
            screen = watcher.reads("/t/{code}/screen").text
            assert all(typeset(place["score"]) in screen for place in now["standing"])
            assert now["is_finished"] == is_finished
    _, written = programs[1].asks("get", "/api/tables/{code}/record", code=code)
    replayed = record.outcome(record.replay(record.read(json.dumps(written))))
    assert replayed["legal"]
    assert replayed["standing"] == now["standing"]
    assert replayed["summary"] == now["summary"]
    status, again = programs[2].asks("post", "/api/records", written)
    assert status == 201
    _, copy = programs[2].asks("get", "/api/tables/{code}/standing", code=again["table"]["code"])
    assert copy["standing"] == now["standing"]
    status, sheets = programs[0].asks("get", "/api/games")
    assert next(known for known in sheets["games"] if known["key"] == game)["sheets"]


@pytest.mark.parametrize("path", ["/api/tables/{code}/record", "/api/tables/{code}/files/record.json"])
def test_an_evening_that_goes_out_as_a_record_comes_back_with_its_day_and_its_place(house: House, path: str) -> None:
    code, (ann, *_others) = opened(house, "rage")
    ann.asks("put", "/api/tables/{code}/notes", {"location": "Klub", "title": "Finale"}, code=code)
    [before] = ann.asks("get", "/api/book")[1]["evenings"]
    _, written = ann.asks("get", path, code=code)
    with house.app.app_context():
        keeping.purge([code])
    assert ann.asks("post", "/api/records", written)[0] == 201
    [evening] = ann.asks("get", "/api/book")[1]["evenings"]
    assert {**evening, "code": code} == before
    assert (evening["location"], evening["title"]) == ("Klub", "Finale")


@pytest.mark.promise(4)
def test_a_key_counts_once_and_no_more(house: House) -> None:
    code, (ann, bo, _cy) = opened(house, "rage")
    before = house.number
    bid = {"move": "bid", "seat": 0, "tricks": 2}
    answers = [ann.asks("post", MOVES, bid, key="one", code=code) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert house.number == before + 1
    status, said = ann.asks("post", MOVES, bid | {"tricks": 3}, key="one", code=code)
    assert (status, said["type"]) == (422, "/api#key_reused")
    # The key is the program's own: another one's is another key.
    assert bo.asks("post", MOVES, {"move": "bid", "seat": 1, "tricks": 2}, key="one", code=code)[0] == 200


@pytest.mark.promise(5)
def test_what_was_asked_of_an_earlier_table_is_stale(house: House) -> None:
    code, (ann, bo, _cy) = opened(house, "rage")
    _, now = ann.asks("get", VIEW, code=code, query={"seat": 0})
    ann.asks("post", MOVES, {"move": "bid", "seat": 0, "tricks": 1}, code=code)
    bo.asks("post", MOVES, {"move": "bid", "seat": 1, "tricks": 1}, code=code)
    status, said = ann.asks("post", "/api/tables/{code}/take-back", {"after": now["number"]}, code=code)
    assert (status, said["type"]) == (409, "/api#stale")


@pytest.mark.promise(5)
@pytest.mark.parametrize("query", [{}, {"try": 1}])
def test_an_amendment_of_an_earlier_table_is_stale(house: House, query: dict[str, Any]) -> None:
    code, (ann, bo, _cy) = opened(house, "tally", {"rounds": 3})
    told = {"move": "enter", "seat": 0, "column": "number", "value": 5}
    _, said = ann.asks("post", MOVES, told, code=code)
    first, moves = said["number"], "/api/tables/{code}/moves/{number}"
    told |= {"value": 6, "after": first}
    assert ann.asks("put", moves, told, code=code, number=first)[0] == 200
    for changed in (told | {"value": 7}, {"move": None, "after": first}, told | {"after": first + 2}):
        status, said = ann.asks("put", moves, changed, code=code, number=first, query=query)
        assert (status, said["type"]) == (409, "/api#stale")
    assert bo.asks("put", "/api/tables/{code}/seats/{seat}/name", {"name": "Bob"}, code=code, seat=1)[0] == 200
    assert ann.asks("put", moves, told | {"after": first + 1}, code=code, number=first, query=query)[0] == 200


def test_a_refusal_names_its_rule_and_an_amendment_what_would_no_longer_hold(house: House) -> None:
    code, (ann, bo, cy) = opened(house, "rage", {"plus_minus_one": True})
    status, said = bo.asks("post", MOVES, {"move": "bid", "seat": 1, "tricks": 0}, code=code)
    assert (status, said["rule"]) == (422, "rage.not_your_turn")
    for seat, (program, tricks) in enumerate(((ann, 4), (bo, 4), (cy, 1))):
        status, said = program.asks("post", MOVES, {"move": "bid", "seat": seat, "tricks": tricks}, code=code)
        assert status == 200
    first = said["number"] - 2
    status, said = ann.asks(
        "put", "/api/tables/{code}/moves/{number}", {"move": "bid", "seat": 0, "tricks": 5}, code=code, number=first
    )
    assert (status, said["later"], said["rule"]) == (422, first + 2, "rage.plus_minus_one")


def test_later_moves_are_amended_with_an_earlier_one_and_a_move_can_be_struck(house: House) -> None:
    code, (ann, bo, cy) = opened(house, "rage", {"plus_minus_one": True})
    for seat, (program, tricks) in enumerate(((ann, 4), (bo, 4), (cy, 1))):
        _, said = program.asks("post", MOVES, {"move": "bid", "seat": seat, "tricks": tricks}, code=code)
    first, last, moves = said["number"] - 2, said["number"], "/api/tables/{code}/moves/{number}"
    bids = {"move": "bid", "seat": 0, "tricks": 5}
    later = [{"number": last, "move": {"move": "bid", "seat": 2, "tricks": 0}}]
    status, said = ann.asks("put", moves, {**bids, "later": later}, code=code, number=first)
    assert status == 200
    _, written = ann.asks("get", "/api/tables/{code}/record", code=code)
    assert [move["tricks"] for move in written["moves"]] == [5, 4, 0]
    assert cy.asks("put", moves, {"move": None}, code=code, number=last)[0] == 200
    _, written = ann.asks("get", "/api/tables/{code}/record", code=code)
    assert [move["tricks"] for move in written["moves"]] == [5, 4]


def test_the_stream_brings_each_view_once(house: House, phone: Callable[..., Phone]) -> None:
    code, (ann, bo, _cy) = opened(house, "rage")
    listener = phone()
    listener.client.set_cookie("phone", bo.token)
    stream = listener.listens(f"/api/tables/{code}/events?seat=1")
    _, now = bo.asks("get", VIEW, code=code, query={"seat": 1})
    first = stream.next()
    assert (int(first["id"]), json.loads(first["data"])) == (now["number"], now)
    ann.asks("post", MOVES, {"move": "bid", "seat": 0, "tricks": 1}, code=code)
    heard = stream.next()
    _, now = bo.asks("get", VIEW, code=code, query={"seat": 1})
    assert (int(heard["id"]), json.loads(heard["data"])) == (now["number"], now)
    assert now["to_move"] == [1]
    ann.asks("delete", SEAT, code=code, seat=1)
    assert stream.next()["event"] == "gone"


@pytest.mark.parametrize("number", range(3))
def test_the_first_view_comes_at_every_number(house: House, phone: Callable[..., Phone], number: int) -> None:
    program = Program(house.app.test_client())
    body = {"game": "rage", "players": NAMES, "options": OPTIONS["rage"]}
    said = program.asks("post", "/api/tables", body)[1]
    program.token, code = said["token"], said["table"]["code"]
    for seat in range(number):
        program.asks("post", MOVES, {"move": "bid", "seat": seat, "tricks": 1}, code=code)
    listener = phone()
    listener.code = code
    first = listener.listens(f"/api/tables/{code}/events").next()
    assert (first["id"], json.loads(first["data"])["number"]) == (str(number), number)
    # The page has been given its part already; who comes without one is sent it.
    for query, headers in (("", {}), ("?after=x", {}), ("", {"Last-Event-ID": "9" * 20})):
        assert listener.listens(f"/t/{code}/screen/stream{query}", **headers).next()["id"] == str(number)


@pytest.mark.promise(15)
def test_a_seat_is_its_token_s(house: House) -> None:
    code, (ann, bo, cy) = opened(house, "rage")
    stranger = Program(house.app.test_client())
    assert stranger.asks("get", VIEW, code=code, query={"seat": 1})[0] == 401
    assert cy.asks("get", VIEW, code=code, query={"seat": 1})[0] == 403
    assert stranger.asks("post", MOVES, {"move": "bid", "seat": 0, "tricks": 1}, code=code)[0] == 401
    assert stranger.asks("put", SEAT, {"name": "Eve"}, code=code, seat=1)[0] == 409
    status, table = ann.asks("put", "/api/tables/{code}/lock", {"is_locked": True}, code=code)
    assert (status, table["is_locked"]) == (200, True)
    status, table = bo.asks("delete", SEAT, code=code, seat=1)
    assert (status, table["seats"][1]["is_taken"]) == (200, False)
    assert stranger.asks("put", SEAT, {}, code=code, seat=1)[0] == 409
    status, table = ann.asks("put", "/api/tables/{code}/seats/{seat}/name", {"name": "Bob"}, code=code, seat=1)
    assert (status, table["seats"][1]["name"]) == (200, "Bob")


def test_the_history_is_the_page_s(house: House) -> None:
    code, (ann, *_others) = opened(house, "rage")
    ann.asks("post", MOVES, {"move": "bid", "seat": 0, "tricks": 1}, code=code)
    ann.asks("post", "/api/tables/{code}/take-back", {}, code=code)
    _, said = ann.asks("get", "/api/tables/{code}/history", code=code)
    told = [sentence for entry in said["entries"] for sentence in entry["sentences"]]
    assert told == ["Ann sits down.", "Bo sits down.", "Cy sits down.", "Ann bids 1.", "Taken back: bid of Ann."]
    assert [entry["is_struck"] for entry in said["entries"]] == [False, False, False, True, False]
    assert said["older"] is None


def test_the_description_can_be_read(house: House, phone: Callable[..., Phone]) -> None:
    page = phone().reads("/api")
    described = Program(house.app.test_client()).described
    assert described["openapi"] == "3.1.0"
    for path in described["paths"]:
        assert path in page.text
    assert {element.attrs["id"] for element in page.all("section") if element.attrs.get("id")} >= {
        "refused",
        "stale",
        "no_token",
    }


def test_a_program_that_was_slower_is_told_who_was_quicker(house: House) -> None:
    """In words for people; the type stays what it is."""
    code, (ann, bo, _cy) = opened(house, "rage")
    _, now = bo.asks("get", VIEW, code=code, query={"seat": 1})
    ann.asks("post", MOVES, {"move": "bid", "seat": 0, "tricks": 1}, code=code)
    status, said = bo.asks("post", "/api/tables/{code}/take-back", {"after": now["number"]}, code=code)
    assert (status, said["type"], said["title"]) == (409, "/api#stale", "Somebody was quicker")
    assert said["detail"] == "Ann was quicker. Ann bids 1. What you tapped was not entered."
    assert said.keys() == {"type", "title", "status", "detail"}


def test_a_trial_says_what_a_move_would_bring_and_enters_nothing(house: House) -> None:
    code, (ann, bo, _cy) = opened(house, "rage", {"plus_minus_one": True})
    before = house.written()
    status, said = ann.asks("post", MOVES, {"move": "bid", "seat": 0, "tricks": 2}, code=code, query={"try": 1})
    assert (status, said["is_trial"], said["events"]) == (200, True, ["Ann bids 2."])
    status, said = bo.asks("post", MOVES, {"move": "bid", "seat": 1, "tricks": 2}, code=code, query={"try": 1})
    assert (status, said["rule"]) == (422, "rage.not_your_turn")
    assert bo.asks("post", MOVES, {"move": "bid", "seat": 0, "tricks": 2}, code=code, query={"try": 1})[0] == 403
    assert ann.asks("post", MOVES, {"move": "bid", "seat": 0}, code=code, query={"try": 1})[0] == 400
    assert house.written() == before


def test_a_trial_names_the_points_that_would_change(house: House) -> None:
    code, (ann, *others) = opened(house, "rage")
    for seat, program in enumerate((ann, *others)):
        assert program.asks("post", MOVES, {"move": "bid", "seat": seat, "tricks": seat}, code=code)[0] == 200
    tally = {"move": "tally", "tricks": [4, 1, 5], "plus": [0, 0, 0], "minus": [0, 0, 0]}
    said = ann.asks("post", MOVES, tally, code=code, query={"try": 1})[1]
    assert said["effect"] == "Ann 0\u00a0→\u00a0−1, Bo 0\u00a0→\u00a011"
    assert ann.asks("get", "/api/tables/{code}/standing", code=code)[1]["standing"][0]["score"] == 0


def test_a_trial_of_an_amendment_says_what_it_would_break(house: House) -> None:
    code, programs = opened(house, "rage", {"plus_minus_one": True})
    for seat, tricks in enumerate((4, 4, 1)):
        programs[seat].asks("post", MOVES, {"move": "bid", "seat": seat, "tricks": tricks}, code=code)
    before, amended = house.written(), "/api/tables/{code}/moves/{number}"
    broken, fine = ({"move": "bid", "seat": 0, "tricks": tricks} for tricks in (5, 3))
    status, said = programs[0].asks("put", amended, broken, code=code, number=4, query={"try": 1})
    assert (status, said["later"], said["rule"]) == (422, 6, "rage.plus_minus_one")
    assert programs[0].asks("put", amended, fine, code=code, number=4, query={"try": 1})[0] == 200
    assert house.written() == before


@pytest.mark.promise(6)
@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_a_trial_of_the_last_sealed_bid_opens_none(house: House, bidding: str) -> None:
    code, (ann, bo, cy) = opened(house, "rage", {"bidding": bidding})
    for seat, program in enumerate((ann, bo)):
        program.asks("post", MOVES, {"move": "bid", "seat": seat, "tricks": 7}, code=code)
    said = cy.asks("post", MOVES, {"move": "bid", "seat": 2, "tricks": 3}, code=code, query={"try": 1})[1]
    assert (said["events"], said["remarks"], said["effect"], said["is_finished"]) == ([], [], "", False)
