"""What comes in from outside, read in one place: the bytes of a page, a program, a record or an archive become data.

JSON says little of what it may hold. Here it is bounded once, so that nothing behind this door has to reckon with more:
how deep it is, how long its numbers are, that its texts are texts, and of which years its times; and how much of
anything is taken, whichever way it comes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any

from companion.errors import Told

MOST_DEEP = 20
"""Lists and objects within one another."""
MOST_DIGITS = 15
"""Of a number: every program and every database keeps so many exactly."""
RULES = range(1, 10_000)
"""The numbers that a version of a game's rules may have."""
YEARS = range(1900, 3000)
"""Evenings are of these years; a year that every calendar and every time zone can tell."""
MOST_OF_A_BODY = 64 * 1024
"""Bytes of a form, or of what a program sends."""
MOST_OF_A_MESSAGE = 16 * 1024
"""Bytes of a message on a line."""
MOST_OF_A_RECORD = 1_000_000
"""Bytes of one record: an evening of thousands of moves."""
MOST_IN_AN_ARCHIVE = 20_000
"""Records in one archive."""
MOST_UNPACKED = 256_000_000
"""Bytes of all the records in one archive."""
MOST_LISTED = 4_000_000
"""Bytes of the list of what an archive holds, and of anything else that is read of it in one piece."""
ROOM = {"/book/import": 64_000_000, "/api/records": MOST_OF_A_RECORD}
"""Bytes that a body may have where it brings evenings, by the address."""


class NotRead(ValueError):
    """What came cannot be read. `place` says where (`moves[17].card`; "" for the whole)."""

    def __init__(self, message: Told, place: str = "") -> None:
        """Take the message and the place."""
        super().__init__(message)
        self.message, self.place = message, place


class Garbled(NotRead):
    """What came is not even JSON."""


class _OutOfBounds(Exception):
    """A number is none of ours; where it stands is looked for afterwards."""


def read_json(content: str | bytes) -> Any:
    r"""Read JSON.

    A half of a character, as a program leaves it that cuts a name in two, is dropped from a text.

    >>> read_json(rb'{"seat": 1, "name": "An\ud83dna"}')
    {'seat': 1, 'name': 'Anna'}

    Raises:
        Garbled: it is none.
        NotRead: it holds what nothing of ours does.
    """
    try:
        return _read(content if isinstance(content, str) else content.decode(json.detect_encoding(content)))
    except NotRead:
        raise
    except ValueError as error:
        raise Garbled(Told("Not JSON: %(problem)s.", problem=_harmless(str(error)))) from None
    except RecursionError:
        raise _too_deep() from None


def home(address: str) -> str:
    """Say from which home somebody comes, by the address: a whole network of 64 bits is one home's in IPv6.

    >>> home("192.0.2.7"), home("::ffff:192.0.2.7"), home("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::')
    """
    try:
        where = ip_address(address)
    except ValueError:  # a socket in a file has none
        return address
    if where.version == 4:  # noqa: PLR2004
        return str(where)
    return str(where.ipv4_mapped or type(where)(int(where) >> 64 << 64))


def read_moment(text: object) -> str:
    """Read a time (ISO 8601; UTC where it says no zone), as the log writes it.

    >>> read_moment("2026-11-20T21:00+01:00")
    '2026-11-20T20:00:00.000Z'

    Raises:
        ValueError: it is none, or of no year in which anybody plays.
    """
    if not isinstance(text, str):
        raise ValueError("no text")
    at = datetime.fromisoformat(text)
    if at.year not in YEARS:
        raise ValueError(f"the year {at.year}")
    return written(at if at.tzinfo else at.replace(tzinfo=UTC))


def written(at: datetime) -> str:
    """Write a time as the log does: UTC, ISO 8601, milliseconds."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def local(text: str) -> datetime:
    """Tell a time of the log by the clock on the wall, where the companion runs.

    An older release took any time from a record: one that lies beyond all calendars is told as it stands.
    """
    at = datetime.fromisoformat(text)
    try:
        return at.astimezone()
    except (OverflowError, ValueError):
        return at.replace(tzinfo=UTC)


def _read(text: str) -> Any:
    """Read a text. Raises: ValueError, RecursionError."""
    try:
        data, is_bounded = _STRICT.decode(text), True
    except _OutOfBounds:
        data, is_bounded = _MARKING.decode(text), False
    if text.count("[") + text.count("{") > MOST_DEEP and _is_deeper(data, MOST_DEEP):
        raise _too_deep()
    if not is_bounded:
        raise NotRead(Told("Not a number of at most %(most)s digits.", most=MOST_DIGITS), next(_marked(data), ""))
    return data if text.isascii() and "\\u" not in text else _whole(data)


def _decoder(refused: Callable[[str], Any]) -> json.JSONDecoder:
    """Make what parses JSON; `refused` gives what stands for numbers that are out of bounds, NaN and the infinities."""

    def whole(digits: str) -> Any:
        return int(digits) if len(digits.removeprefix("-")) <= MOST_DIGITS else refused(digits)

    def fraction(digits: str) -> Any:
        number = float(digits)
        return number if abs(number) < 10**MOST_DIGITS else refused(digits)

    return json.JSONDecoder(parse_int=whole, parse_float=fraction, parse_constant=refused)


def _refuse(digits: str) -> Any:
    raise _OutOfBounds


_STRICT, _MARKING = _decoder(_refuse), _decoder(lambda _: _OutOfBounds)
"""The second one says where the first one stumbled: there stands the class of the problem."""


def _too_deep() -> NotRead:
    return NotRead(Told("Nested more than %(most)s deep.", most=MOST_DEEP))


def _is_deeper(data: Any, most: int) -> bool:
    """Say whether lists and objects lie more than so many within one another."""
    within = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    return within is not None and (most == 0 or any(_is_deeper(part, most - 1) for part in within))


def _marked(data: Any, place: str = "") -> Iterator[str]:
    """Find the places of the numbers that were out of bounds."""
    if data is _OutOfBounds:
        yield place
    elif isinstance(data, dict):
        for name, part in data.items():
            yield from _marked(part, f"{place}.{_harmless(name)}" if place else _harmless(name))
    elif isinstance(data, list):
        for index, part in enumerate(data):
            yield from _marked(part, f"{place}[{index}]")


def _whole(data: Any) -> Any:
    """Drop halves of characters (lone surrogates) from texts. Raises: NotRead, where the name of a field has one."""
    if isinstance(data, dict):
        if any(_harmless(name) != name for name in data):
            raise NotRead(Told("The name of a field is no text."))
        return {name: _whole(part) for name, part in data.items()}
    if isinstance(data, list):
        return [_whole(part) for part in data]
    return _harmless(data) if isinstance(data, str) else data


def _harmless(text: str) -> str:
    return text if text.isascii() else text.encode(errors="ignore").decode()
