"""A key makes one thing of a post, however often it comes: a move, a table, a record, a group."""

from __future__ import annotations

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion import log
from companion.log import keeping
from tests.house import EXAMPLE, House, secret
from tests.web.page import Page

pytestmark = [pytest.mark.on_both, pytest.mark.in_turn(of=2)]

HOST = {"Authorization": f"Bearer {secret('host')}"}
OPENING = {"game": "rage", "players": ["Ann", "Bo", "Cy"], "options": {"bidding": "hidden"}}
PLAIN = {part: value for part, value in EXAMPLE.items() if part != "table"}


def fewer(record: dict[str, Any], by: int) -> dict[str, Any]:
    """Leave out a record's last moves: another play."""
    return {**record, "moves": record["moves"][:-by]}


@dataclass(frozen=True)
class Making:
    """An address where something is made."""

    path: str
    rows: str
    """Where it is kept."""
    bodies: tuple[dict[str, Any], ...]
    """What may be asked for there: each is something else."""


MAKINGS = {
    "a table": Making("/api/tables", "tables", tuple({**OPENING, "players": ["Ann", "Bo", last]} for last in "CDE")),
    "a record": Making("/api/records", "tables", (PLAIN, fewer(PLAIN, 1), fewer(PLAIN, 2))),
    "a record with a code": Making(
        "/api/records",
        "tables",
        tuple({**record, "table": "K7QX2M"} for record in (PLAIN, fewer(PLAIN, 1), fewer(PLAIN, 2))),
    ),
    "a group": Making("/api/groups", "groups", tuple({"name": day} for day in ("Thursday", "Friday", "Sunday"))),
}
every_making = pytest.mark.parametrize("making", MAKINGS.values(), ids=MAKINGS)


def posts(house: House, path: str, body: Any, key: str | None, **headers: str) -> TestResponse:
    """Let a program post something."""
    own = {} if key is None else {"Idempotency-Key": key}
    return house.app.test_client().post(path, json=body, headers={**own, **headers})


def counted(house: House, rows: str) -> int:
    (found,) = house.rows(f"SELECT count(*) FROM {rows}")
    return int(found[0])


def bids(house: House, code: str, key: str, tricks: int = 1, seat: int = 0) -> TestResponse:
    return posts(house, f"/api/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": tricks}, key, **HOST)


def test_two_long_keys_are_two_keys(house: House) -> None:
    """They begin alike, as keys with a name before a number do."""
    code = house.open(bidding="hidden")
    keys = ["k" * length + end for length in (41, 42, 47, 59, 254) for end in "ab"]
    answers = [bids(house, code, key, tricks).json["number"] for tricks, key in enumerate(keys)]
    assert answers == list(range(1, len(keys) + 1))
    assert [bids(house, code, keys[-1], len(keys) - 1).json["number"] for _ in range(2)] == [len(keys)] * 2
    assert counted(house, "entries") == len(keys)


def test_a_key_of_any_length_that_is_allowed_counts_once(house: House) -> None:
    code = house.open(bidding="hidden")
    keys = ["1", "k" * 42, "k" * 43, "k" * 47, "k" * 48, "#" * 47, "\xe9" * 255, "x y", "k" * 255]
    for number, key in enumerate(keys, 1):
        answers = [bids(house, code, key, number) for _ in range(3)]
        assert [(answer.status_code, answer.json) for answer in answers] == [(200, answers[0].json)] * 3
        assert answers[0].json["number"] == counted(house, "entries") == number
        assert bids(house, code, key, number - 1).json["type"] == "/api#key_reused"


@pytest.mark.parametrize("length", [36, 42, 43, 47, 64, 255])
def test_a_key_of_any_length_makes_all_that_one_post_enters(house: House, length: int) -> None:
    """PostgreSQL took a seat for it, but not the lock of the table, and the post was refused."""
    answers = [posts(house, "/api/games/rage/practice", {}, "k" * length, **HOST) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert [answer.json["table"]["is_locked"] for answer in answers] == [True, True]
    assert (counted(house, "tables"), counted(house, "entries")) == (1, 2)


def test_a_key_is_answered_as_the_first_time_though_the_table_has_moved_on(house: House) -> None:
    code = house.open(bidding="hidden")
    answers = [bids(house, code, key, tricks).json for tricks, key in enumerate("abc")]
    posts(house, f"/api/tables/{code}/take-back", {}, "back", **HOST)
    assert [bids(house, code, key, tricks).json for tricks, key in enumerate("abc")] == answers
    assert counted(house, "entries") == 4


def test_a_key_that_is_too_long_or_empty_is_refused_by_name(house: House) -> None:
    code = house.open(bidding="hidden")
    for key in ("", "k" * 256, "k" * 5000):
        check_refused(house, code, key)
    assert [counted(house, rows) for rows in ("entries", "tables", "groups")] == [0, 1, 0]


def check_refused(house: House, code: str, key: str) -> None:
    asked = [bids(house, code, key), *(posts(house, making.path, making.bodies[0], key) for making in MAKINGS.values())]
    asked.append(house.app.test_client().put("/api/groups/X", json={}, headers={"Idempotency-Key": key}))
    for answer in asked:
        assert (answer.status_code, answer.json["type"]) == (400, "/api#malformed")
        assert answer.json["detail"] == "Idempotency-Key: A key has 1 to 255 characters."


def test_the_description_says_how_long_a_key_may_be(house: House) -> None:
    described = house.app.test_client().get("/api/openapi.json").json
    keyed = []
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            for part in operation.get("parameters", []) if method != "parameters" else ():
                if part["name"] == "Idempotency-Key":
                    keyed.append((method, path))
                    assert part["schema"] == {"type": "string", "minLength": 1, "maxLength": 255}
    assert {("post", making.path.removeprefix("/api")) for making in MAKINGS.values()} <= set(keyed)
    assert "255 characters" in described["info"]["description"]


@every_making
def test_the_same_key_makes_one_thing_and_gives_the_same_answer(house: House, making: Making) -> None:
    path, bodies = making.path, making.bodies
    for made, headers in enumerate(({}, HOST)):
        first, again = (posts(house, path, bodies[made], f"key {made}", **headers) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 201), again.text
        assert again.json == first.json
        assert not headers or headers["Authorization"].endswith(first.json["token"])
        reused = posts(house, path, bodies[made - 1], f"key {made}", **headers)
        assert (reused.status_code, reused.json["type"]) == (422, "/api#key_reused")
        assert counted(house, making.rows) == made + 1
    # The key is the program's own: another one's is another key.
    stranger = posts(house, path, bodies[2], "key 1", Authorization=f"Bearer {secret('stranger')}")
    assert (stranger.status_code, counted(house, making.rows)) == (201, 3)


@every_making
def test_without_a_key_every_post_makes_something(house: House, making: Making) -> None:
    found = [posts(house, making.path, making.bodies[0], None).status_code for _ in range(2)]
    assert found == [201, 409 if "table" in making.bodies[0] else 201]
    assert counted(house, making.rows) == found.count(201)


@every_making
def test_a_key_is_known_after_a_restart_and_on_another_server(house: House, making: Making) -> None:
    first = posts(house, making.path, making.bodies[0], "one")
    others = house.again()
    try:
        assert posts(others, making.path, making.bodies[0], "one").json == first.json
        assert posts(others, making.path, making.bodies[1], "one").status_code == 422
    finally:
        others.close()
    assert counted(house, making.rows) == 1


@every_making
def test_copies_of_a_post_that_come_at_once_make_one_thing(house: House, making: Making) -> None:
    others, key = house.again(), str(uuid.uuid4())

    def post(turn: int) -> TestResponse:
        return posts((house, others)[turn % 2], making.path, making.bodies[0], key)

    try:
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(post, range(16)))
    finally:
        others.close()
    assert {answer.status_code for answer in answers} == {201}, [answer.text for answer in answers]
    assert all(answer.json == answers[0].json for answer in answers)
    assert counted(house, making.rows) == counted(house, "makings") == 1


def test_nobody_else_is_given_the_token_of_a_key(house: House) -> None:
    """Without a token it is the key's and the address's: who sends the same key from elsewhere is somebody else."""
    told = set()
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1"):
        client = house.app.test_client()
        answer = client.post(
            "/api/tables", json=OPENING, headers={"Idempotency-Key": "one"}, environ_base={"REMOTE_ADDR": address}
        )
        told.add((answer.json["token"], answer.json["table"]["code"]))
    assert len(told) == len({token for token, _ in told}) == counted(house, "tables") == 2


def test_who_sits_down_with_a_key_has_the_seat_though_the_answer_was_lost(house: House) -> None:
    code = house.open(["A", "B", "C"])
    path, headers = f"/api/tables/{code}/seats/1", {"Idempotency-Key": "a chair"}
    first, again = (house.app.test_client().put(path, json={}, headers=headers) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json == again.json
    assert first.json["table"]["seats"][1]["is_yours"]
    assert house.app.test_client().put(path, json={}).status_code == 409


def test_a_key_goes_with_what_it_has_made(house: House) -> None:
    codes = []
    for _ in range(2):
        codes.append(posts(house, "/api/tables", OPENING, "one", **HOST).json["table"]["code"])
        with house.app.app_context():
            keeping.purge(codes[-1:])
            log.rest()
        assert counted(house, "makings") == 0
    assert codes[0] != codes[1]


FORMS = {
    "/open/rage": ("tables", {"name": ["Ann", "Bo", "Cy"]}),
    "/groups": ("groups", {"name": "Thursday"}),
    "/book/import": ("tables", {}),
}


@pytest.mark.parametrize("path", FORMS)
def test_a_form_that_is_sent_twice_makes_one_thing(house: House, path: str) -> None:
    phone = house.app.test_client()
    phone.set_cookie("phone", secret("ann"))
    rows, filled = FORMS[path]

    def key() -> str:
        forms = [form.filled() for form in Page(phone.get(path).text).forms if form.method == "post"]
        return next(str(form["key"]) for form in forms if "key" in form)

    def sent(key: str, title: str) -> TestResponse:
        files = [(BytesIO(json.dumps({**PLAIN, "title": title}).encode()), f"{n}.json") for n in range(3)]
        more = {"files": files} if path == "/book/import" else {**filled, "location": title}
        return phone.post(path, data={"key": key, **more}, headers={"Sec-Fetch-Site": "same-origin"})

    tapped = key()
    first, again = (sent(tapped, "Thursday") for _ in range(2))
    made = counted(house, rows)
    assert (first.status_code in {200, 303}, made) == (True, 3 if path == "/book/import" else 1)
    assert (again.status_code, again.headers.get("Location")) == (first.status_code, first.headers.get("Location"))
    # Filled in otherwise, as after Back, it asks for something else; and so does a fresh form.
    for wanted, (other, title) in enumerate([(tapped, "Friday"), (key(), "Thursday")], 2):
        assert sent(other, title).status_code == first.status_code
        assert counted(house, rows) == wanted * made


def test_a_form_whose_key_is_too_long_is_refused(house: House) -> None:
    phone = house.app.test_client()
    answer = phone.post("/groups", data={"name": "A", "key": "k" * 256}, headers={"Sec-Fetch-Site": "same-origin"})
    assert (answer.status_code, counted(house, "groups")) == (400, 0)
    assert "A key has 1 to 255 characters." in answer.text
