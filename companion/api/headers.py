"""What answers say in their headers, as the description has it."""

from __future__ import annotations

from typing import Any

from apispec import APISpec

from companion.contract import CONTRACT
from companion.desk.guard import COUNTED

VERSION = "API-Version"
Described = dict[str, dict[str, Any]]
"""Headers by name, as OpenAPI describes them."""


def _always(name: str, description: str, **schema: Any) -> Described:
    return {name: {"description": description, "required": True, "schema": {"type": "string", **schema}}}


_EVERYWHERE = _always(VERSION, "The version of this contract.", const=CONTRACT)
_TAG = _always("ETag", "To be sent as `If-None-Match` by who asks again.")
_NAME = _always("Content-Disposition", "What to call the file.")
_WHO = _always("WWW-Authenticate", "`Bearer`.")
_AGAIN = _always("Retry-After", "After how many seconds it is worth trying again.", type="integer", minimum=1)
_COUNTS = (
    "How many wrong codes are borne from one address in a minute; only where one was counted.",
    "How many of them are left.",
    "When the minute is over, in seconds since 1970.",
)
_GUESSES: Described = {
    name: {"description": text, "schema": {"type": "integer"}} for name, text in zip(COUNTED, _COUNTS, strict=True)
}
_OF_PROBLEMS: dict[int, Described] = {401: _WHO, 404: _GUESSES, 429: {**_AGAIN, **_GUESSES}, 503: _AGAIN}


def of_a_problem(status: int) -> Described:
    """Describe the headers of a problem."""
    return {**_EVERYWHERE, **_OF_PROBLEMS.get(status, {})}


def describe(spec: APISpec) -> None:
    """Describe the headers of every answer that is no problem."""
    for path, methods in spec._paths.items():
        is_file = "/files/" in path or "/sheets/" in path
        for operation in (one for method, one in methods.items() if method != "parameters"):
            answers = operation["responses"]
            told = {**_EVERYWHERE, **(_TAG if "304" in answers else {}), **(_NAME if is_file else {})}
            for status, answer in answers.items():
                if status[0] in "23":
                    answer["headers"] = told
