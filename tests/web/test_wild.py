"""Promise 20, for pages: random bytes and wild forms never give a 500, and never change what they may not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import FORM, House, Phone
from tests.web.stage import FORMS, ROLES, Stage, routes, set_stage

TRIES = 500
NAMES = [
    *(
        "move",
        "seat",
        "tricks",
        "card",
        "card-colour",
        "plus",
        "minus",
        "after",
        "key",
        "name",
        "locked",
        "i_sit",
        "more",
    ),
    *(
        "fewer",
        "seats",
        "bidding",
        "edition",
        "durch",
        "first_dealer",
        "language",
        "theme",
        "hand",
        "sounds",
        "tricks-0",
    ),
    *("tricks-1", "tricks-9", "", "[]", "move[]", "__class__", "\x00", "é"),
]
VALUES = [
    *(
        "bid",
        "turn",
        "play",
        "trick",
        "count",
        "tally",
        "0",
        "1",
        "3",
        "-1",
        "−1",
        "10",
        "11",
        "2147483648",
        "9" * 30,
        "9" * 5000,
    ),
    *(
        "٣",
        "²",
        "½",
        "1.0",
        "1e3",
        "0x10",
        " 1 ",
        "+1",
        "",
        " ",
        "null",
        "true",
        "NaN",
        "B8",
        "*8",
        "J",
        "J:R",
        "J:*",
        "+5",
        "NT",
    ),
    *(
        "\x00",
        "\ud800",
        "\U0010ffff",
        "<b>",
        "{{7*7}}",
        "%s",
        "%(x)s",
        "'",
        '"',
        "a" * 3000,
        "é" * 300,
        "on",
        "secret",
        "rage",
    ),
]
CODES = ["ZZZZZZ", "", "%00", "%ff%fe", "..", "a" * 300, "K7QX2M%0d%0aX: y", "💥", "0"]
NUMBERS = ["0", "1", "7", "99", "-1", "9" * 19, "9" * 30, "9" * 5000, "٣", "1.5", "x"]
HEADERS: dict[str, list[str]] = {
    "Accept": ["*/*", "text/vnd.companion.part+html", "x/y;q=abc", ",,,;q=1", "\xff"],
    "Accept-Language": ["cs", "*", "x" * 300, "en;q=99", "-", "\xff\xfe", "cs_CZ.UTF-8"],
    "Last-Event-ID": ["1", "9" * 5000, "-1", "x", "\xe9"],
    "Cookie": ["phone=x", "phone=" + "\xff" * 32, "language=%00", "a=b; a=c; =; ;", "phone=" + "a" * 5000],
    "Origin": ["http://localhost", "null", "http://[", "http://localhost:99999", "\xff"],
    "Sec-Fetch-Site": ["same-origin", "none", "x"],
    "If-None-Match": ['"x"', "*", "\xff"],
    "If-Modified-Since": ["x", "Thu, 01 Jan 1970 00:00:00 GMT"],
    "Range": ["bytes=0-1", "bytes=9-1", "bytes=" + "9" * 5000 + "-", "x"],
    "Content-Length": ["0", "-1", "x", "99999999"],
    "Transfer-Encoding": ["chunked"],
}
BODIES = [
    FORM,
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "application/x-www-form-urlencoded; charset=x",
]


@pytest.fixture
def stage(house: House, phone: Callable[..., Phone]) -> Stage:
    return set_stage(house, phone)


def wild_form(dice: random.Random) -> bytes:
    """Make a body: fields that we know with values that we do not, or any bytes."""
    if dice.random() < 0.2:
        return dice.randbytes(dice.randrange(400))
    fields = [(dice.choice(NAMES), dice.choice(VALUES)) for _ in range(dice.randrange(8))]
    return b"&".join(f"{quoted(name)}={quoted(value)}".encode() for name, value in fields)


def quoted(text: str) -> str:
    return "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "surrogatepass"))


def wild_path(dice: random.Random, stage: Stage) -> str:
    """Make an address: one of the map's, with odd values in its places, and an odd query."""
    rule = dice.choice([route.rule for route in routes(stage.house.app)])
    values = {
        "code": stage.code if dice.random() < 0.8 else dice.choice(CODES),
        "int:seat": dice.choice(NUMBERS if dice.random() < 0.4 else ["0", "1", "2", "3"]),
        "int:number": dice.choice(NUMBERS),
        "game": dice.choice(["rage", "RAGE", "..", "%00", "é"]),
        "secret": dice.choice(["x", stage.secret, "%ff"]),
        "item": dice.choice(["rule_card", "..", "%00"]),
        "path:filename": dice.choice(["companion.css", "../../pyproject.toml", "%2e%2e/x", "x" * 300]),
    }
    for name, value in values.items():
        rule = rule.replace(f"<{name}>", value)
    names = ["seat", "after", "lang", "paper", "players", "code", "again", "x"]
    query = "&".join(f"{dice.choice(names)}={quoted(dice.choice(VALUES))}" for _ in range(dice.randrange(3)))
    return f"{rule}?{query}"


@pytest.mark.promise(20)
def test_wild_requests_never_give_a_500(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(20)
    found: dict[int, int] = {}
    for attempt in range(TRIES):
        person = stage.people[dice.choice(ROLES)]
        person.address = f"10.{attempt % 250}.0.1"
        method = dice.choice(["GET", "HEAD", "POST", "POST", "POST", "POST"])
        headers = {name: dice.choice(values) for name, values in HEADERS.items() if dice.random() < 0.07}
        wanted: dict[str, Any] = {"headers": headers, "buffered": False}
        if method == "POST":
            wanted |= {"data": wild_form(dice), "content_type": dice.choice([FORM] * 8 + BODIES)}
        path = wild_path(dice, stage)
        with person.asks(path, method, **wanted) as answer:
            if answer.mimetype == "text/event-stream" and method == "GET":
                next(answer.iter_encoded())
        assert answer.status_code < 500, (attempt, method, path, wanted, caplog.text[-3000:])
        found[answer.status_code] = found.get(answer.status_code, 0) + 1
    assert {200, 303, 400, 403, 404, 422} <= set(found), found


@pytest.mark.promise(20)
def test_wild_forms_on_every_unsafe_route_never_give_a_500(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(21)
    for route in routes(stage.house.app, "POST"):
        for attempt in range(20):
            person = stage.people[dice.choice(("host", "own seat"))]
            form = {**FORMS[route.endpoint], dice.choice(NAMES): dice.choice(VALUES)}
            if route.is_api:
                answer = person.asks(stage.path(route), "POST", data=json.dumps(form), content_type="application/json")
            else:
                body = b"&".join(
                    f"{quoted(name)}={quoted(value)}".encode()
                    for name, values in form.items()
                    for value in (values if isinstance(values, list) else [values])
                )
                answer = person.posts(stage.path(route), body)
            assert answer.status_code < 500, (route, attempt, form, caplog.text[-3000:])


@pytest.mark.promise(20, 28)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_numbers_too_long_to_be_numbers_are_no_error_of_ours(stage: Stage, method: str) -> None:
    long = "9" * 5000
    paths = [f"/t/{stage.code}/{long}", f"/t/{stage.code}/history/{long}", f"/t/{stage.code}/{long}/stream"]
    paths += [f"/t/{stage.code}/{long}/move", f"/t/{stage.code}/take-back?seat={long}"]
    paths += [f"/t/{stage.code}/1/stream?after={long}", f"/print/rage.pdf?players={long}"]
    for path in paths:
        with stage.people["own seat"].asks(
            path, method, headers={"Origin": "http://localhost"}, content_type=FORM, buffered=False
        ) as answer:
            assert answer.status_code < 500, path


@pytest.mark.promise(20)
def test_the_table_is_whole_after_all_that(stage: Stage) -> None:
    dice = random.Random(22)
    for _ in range(100):
        stage.people[dice.choice(ROLES)].posts(wild_path(dice, stage), wild_form(dice))
    stage.house.restart()
    for role in ("host", "spectator"):
        stage.people[role].reads("/t/{code}/screen")
        stage.people[role].reads("/t/{code}/history")
    numbers = [
        number
        for (number,) in stage.house.rows(
            "SELECT number FROM entries JOIN tables ON id = table_id WHERE code = ? ORDER BY number", stage.code
        )
    ]
    assert numbers == list(range(1, len(numbers) + 1))
