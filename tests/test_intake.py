"""What comes in from outside is bounded in one place, in words, whoever brings it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.intake import MOST_DEEP, MOST_DIGITS, Garbled, NotRead, read_json
from tests.api.conftest import build, house, phone
from tests.web.conftest import House, Phone

__all__ = ["build", "house", "phone"]

MakePhone = Callable[..., Phone]
LONG = "9" * 5_000


def nested(deep: int) -> str:
    return "[" * deep + "]" * deep


OUT_OF_BOUNDS = {
    nested(MOST_DEEP + 1): ("", "Nested more than 20 deep."),
    nested(30_000): ("", "Nested more than 20 deep."),
    '{"a": ' * 900 + LONG + "}" * 900: ("", "Nested more than 20 deep."),
    f'{{"moves": [1, {{"tricks": {LONG}}}]}}': ("moves[1].tricks", "Not a number of at most 15 digits."),
    '{"after": 1e400}': ("after", "Not a number of at most 15 digits."),
    '{"after": -Infinity}': ("after", "Not a number of at most 15 digits."),
    "NaN": ("", "Not a number of at most 15 digits."),
    "-1" + "0" * MOST_DIGITS: ("", "Not a number of at most 15 digits."),
    '{"a": {"\\ud800": 1}}': ("", "The name of a field is no text."),
}


@pytest.mark.promise(28)
@pytest.mark.parametrize("text", OUT_OF_BOUNDS, ids=range(len(OUT_OF_BOUNDS)))
def test_what_is_out_of_bounds_is_named_with_its_place(text: str) -> None:
    with pytest.raises(NotRead) as problem:
        read_json(text)
    assert not isinstance(problem.value, Garbled)
    assert (problem.value.place, problem.value.message) == OUT_OF_BOUNDS[text]


@pytest.mark.promise(28)
@pytest.mark.parametrize(
    "content", [b"", b"\0", b"\x80", b"\xff\xfe\x00", b'"\xed\xa0\x80"', "\ufeff{}", "{", f'{{"a": {LONG}[']
)
def test_what_is_no_json_is_said_to_be_none(content: str | bytes) -> None:
    with pytest.raises(Garbled):
        read_json(content)


@pytest.mark.promise(28)
@pytest.mark.parametrize(
    ("content", "data"),
    [
        (nested(MOST_DEEP).encode(), json.loads(nested(MOST_DEEP))),
        ("9" * MOST_DIGITS, 10**MOST_DIGITS - 1),
        ("-" + "9" * MOST_DIGITS, 1 - 10**MOST_DIGITS),
        ("\ufeff[1]".encode(), [1]),
        ("[1]".encode("utf-16"), [1]),
        (b'["\\ud83d", "a\\ud83db", "\\ud83d\\ude00", "\\\\ud83d"]', ["", "ab", "😀", "\\ud83d"]),
        (b'{"\\u0161": ["\\n", -1.5e3, null, true]}', {"š": ["\n", -1500.0, None, True]}),
    ],
)
def test_what_is_within_them_is_read_as_it_is(content: bytes, data: Any) -> None:
    assert read_json(content) == data


WELL_FORMED = ['{"name": "\\ud800"}', '{"words": ["\\ud800"]}', '{"location": "\\udfff"}']


@pytest.mark.promise(20, 28)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/tables"),
        ("POST", "/api/records"),
        ("POST", "/api/games/rage/verdict"),
        ("POST", "/api/tables/{code}/moves"),
        ("POST", "/api/tables/{code}/take-back"),
        ("PUT", "/api/tables/{code}/moves/1"),
        ("PUT", "/api/tables/{code}/seats/1"),
        ("PUT", "/api/tables/{code}/notes"),
        ("POST", "/api/groups"),
    ],
)
@pytest.mark.parametrize("language", ["en", "cs"])
def test_a_body_out_of_bounds_is_refused_in_words(
    house: House, phone: MakePhone, method: str, path: str, language: str
) -> None:
    host = phone(**{"Accept-Language": language})
    host.opens("rage")
    for body, (place, message) in OUT_OF_BOUNDS.items():
        answer = host.asks(path, method, data=body, content_type="application/json")
        assert (answer.status_code, answer.get_json()["type"]) == (400, "/api#malformed"), (body[:80], answer.text)
        assert (answer.get_json()["detail"] == f"{place or 'JSON'}: {message}") is (language == "en")
    for body in WELL_FORMED:
        answer = host.asks(path, method, data=body, content_type="application/json")
        assert answer.status_code < 500, (body, answer.text)


@pytest.mark.promise(20, 28)
def test_a_number_in_an_address_is_as_long_as_any_other(phone: MakePhone) -> None:
    host = phone()
    host.opens("rage")
    for path in ("/t/{code}/%s", "/t/{code}/history/%s", "/api/tables/{code}/steps/%s"):
        assert host.gets(path % ("9" * 4_000)).status_code == 404
