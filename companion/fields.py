"""The fields that games' schemas are made of: strict where JSON is lax, and clear about what they want.

A record says `true`, not 1; 3, not "3" or 3.0. Every error names what would do. Nearly all that comes in is right, and
is read by `at_sight` of its fields; the rest is left to marshmallow, which says what is wrong, or reads it after all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from marshmallow import Schema, ValidationError, fields, missing, post_dump, post_load

from companion.errors import Told

E = TypeVar("E", bound=Enum)
T = TypeVar("T")


class Odd(Exception):
    """A value is not right at first sight; the argument, if any, is a `Told` that says what would do."""


MOST = 10**4000
"""Python writes numbers of up to 4300 digits: greater ones could not be said once they are added up."""


class Part(fields.Field[T]):
    """A value that is right at first sight, or not at all; null is none that is, where it is not allowed."""

    def at_sight(self, value: Any) -> T:
        """Read a value. Raises: Odd."""
        raise NotImplementedError

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> T:
        try:
            return self.at_sight(value)
        except Odd as odd:
            raise ValidationError(*odd.args) from None

    def _validate_missing(self, value: Any) -> None:
        if value is not None:
            super()._validate_missing(value)


class Whole(Part[int]):
    """A whole number."""

    def at_sight(self, value: Any) -> int:
        """Read a number. Raises: Odd."""
        if type(value) is not int or abs(value) > MOST:
            raise Odd(Told("Not a whole number."))
        return value


class SeatNumber(Whole):
    """A seat of the table, from 0."""

    def __init__(self, seats: int, **kwargs: Any) -> None:
        """Take the number of seats."""
        super().__init__(**kwargs)
        self.seats = seats

    def at_sight(self, value: Any) -> int:
        """Read a seat. Raises: Odd."""
        if type(value) is not int:
            raise Odd(Told("Not a whole number."))
        if not 0 <= value < self.seats:
            raise Odd(Told("There is no such seat. Seats: 0 to %(last)s.", last=self.seats - 1))
        return value


class AnySeat(Whole):
    """A seat named among the options; the game checks it when the number of seats is known."""


class Several(fields.List[Any]):
    """A list loaded as a tuple: of one length, or of any."""

    default_error_messages = {name: Told("Not a list.") for name in ("invalid", "null")}  # noqa: RUF012 (as marshmallow has it)

    def __init__(self, part: fields.Field[Any], length: int | None = None, **kwargs: Any) -> None:
        """Take what the list holds, and how many of it."""
        super().__init__(part, **kwargs)
        self.length = length

    def needed(self) -> Told:
        """Say how many are needed, where there are not so many."""
        return Told("Needs so many: %(length)s.", length=self.length)

    def _deserialize(self, *args: Any, **kwargs: Any) -> Any:
        items = super()._deserialize(*args, **kwargs)
        if self.length not in (None, len(items)):
            raise ValidationError(self.needed())
        return tuple(items)

    def at_sight(self, value: Any) -> tuple[Any, ...]:
        """Read the list. Raises: Odd."""
        if type(value) is not list or self.length not in (None, len(value)):
            raise Odd
        return tuple(map(self._one, value))

    @cached_property
    def _one(self) -> Callable[[Any], Any]:
        return _sight(self.inner)


class PerSeat(Several):
    """A list with one whole number per seat."""

    def __init__(self, seats: int, **kwargs: Any) -> None:
        """Take the number of seats."""
        super().__init__(Whole(), seats, **kwargs)

    def needed(self) -> Told:
        """Say how many numbers are needed."""
        return Told("Needs one number per seat: %(seats)s.", seats=self.length)


class EverySeat(Several):
    """A list among the options that has something for each seat; the game checks its length."""


class Moment(Part[str]):
    """When something was done: UTC, ISO 8601; kept as it is written. None where nobody measured it."""

    def __init__(self, **kwargs: Any) -> None:
        """Allow None."""
        super().__init__(allow_none=True, **kwargs)

    def at_sight(self, value: Any) -> str:
        """Read a time. Raises: Odd."""
        try:
            datetime.fromisoformat(value)
        except (TypeError, ValueError):
            raise Odd(Told("Not a time (UTC, ISO 8601).")) from None
        return str(value)


SWITCHED: Mapping[str, bool] = {"true": True, "false": False, "on": True, "off": False}
"""What is true or false, in words."""


def _in_words(value: Any) -> Any:
    """Read what is true or false in words."""
    return SWITCHED.get(value, value) if isinstance(value, str) else value


def _allowed(*values: Any) -> str:
    """List what would do, as it is written."""
    return ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)


class Switch(Part[bool]):
    """On or off: true or false, or in words."""

    def at_sight(self, value: Any) -> bool:
        """Read true or false, or a word for it, as a form sends it. Raises: Odd."""
        value = _in_words(value)
        if not isinstance(value, bool):
            raise Odd(Told("Not a choice here. Allowed: %(choices)s.", choices=_allowed(*SWITCHED)))
        return value


class Choice(Part[E]):
    """One of an enum's values."""

    def __init__(self, enum: type[E], **kwargs: Any) -> None:
        """Take the enum."""
        super().__init__(**kwargs)
        self.enum = enum
        self._members = {(type(one.value), one.value): one for one in enum if isinstance(one.value, str | int)}
        self.is_text = all(isinstance(one.value, str) for one in enum)
        """Whether its values are written as they are typed."""

    def _serialize(self, value: E | None, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return None if value is None else value.value

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> E:
        if any(isinstance(member.value, bool) for member in self.enum):
            value = _in_words(value)
        for member in self.enum:
            if type(member.value) is type(value) and member.value == value:
                return member
        allowed = _allowed(*(member.value for member in self.enum))
        raise ValidationError(Told("Not a choice here. Allowed: %(choices)s.", choices=allowed))

    def at_sight(self, value: Any) -> E:
        """Read one of the values. Raises: Odd."""
        member = self._members.get((type(value), value)) if isinstance(value, str | int) else None
        if member is None:
            raise Odd
        return member


def whole(text: str | None) -> int | str | None:
    """Read digits as a number, and leave anything else for the schema to refuse."""
    if text is None:
        return None
    if text.isdecimal() and text.isascii() and len(text) < 10:  # noqa: PLR2004
        return int(text)
    digits = text.strip().replace("−", "-")
    is_number = digits.removeprefix("-").isascii() and digits.removeprefix("-").isdecimal()
    return int(digits) if is_number and len(digits) < 10 else text  # noqa: PLR2004


def typed(part: fields.Field[Any], text: str) -> Any:
    """Read what somebody typed for a field, as data; what is none of its values is left for the schema to refuse.

    The parts of a list stand between commas, lists in a list between semicolons.

    >>> typed(Switch(), "True"), typed(Several(Whole()), "0,2"), typed(Whole(), "two")
    (True, [0, 2], 'two')
    """
    if isinstance(part, Switch):
        return _in_words(text.lower())
    if isinstance(part, Choice):
        return next((member.value for member in part.enum if _is_typed(text, member.value)), text)
    if isinstance(part, Several):
        sign = ";" if isinstance(part.inner, Several) else ","
        return [typed(part.inner, word) for word in text.split(sign)]
    return whole(text) if isinstance(part, Whole) else text


def _is_typed(text: str, value: Any) -> bool:
    return _in_words(text.lower()) is value if isinstance(value, bool) else text == str(value)


class HalfRead(ValueError):
    """Something is missing from a card's name, or too much of it; the argument is a `Told` that says what would do."""


class CardName(Part[Any]):
    """A card by its name in the record."""

    def __init__(self, parse: Callable[[str], Any], name: Callable[[Any], str], **kwargs: Any) -> None:
        """Take the pair of functions that reads and writes the game's cards; `parse` raises ValueError."""
        super().__init__(**kwargs)
        self.parse, self.write = parse, name

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else self.write(value)

    def at_sight(self, value: Any) -> Any:
        """Read a card. Raises: Odd."""
        try:
            if isinstance(value, str):
                return self.parse(value)
        except HalfRead as half:
            raise Odd(*half.args) from None
        except ValueError:
            pass  # as what is no text at all
        raise Odd(Told("There is no such card here."))


def _sight(part: fields.Field[Any]) -> Callable[[Any], Any]:
    """Give what reads a field at first sight: its own `at_sight`, unless anything else has a say in its value."""
    kind = type(part)
    reads = next(vars(each) for each in kind.__mro__ if vars(each).keys() & {"at_sight", "_deserialize"})
    has_more = part.validators or part.pre_load or part.post_load or kind.deserialize is not fields.Field.deserialize
    sight: Callable[[Any], Any] = getattr(part, "at_sight", _odd) if "at_sight" in reads and not has_more else _odd
    return sight


def _odd(value: Any) -> Any:
    raise Odd


class Shape(Schema):
    """A schema that loads into a class of the game, and leaves out what is None when it dumps; made by `shape`."""

    class Meta:
        """Keep these schemas out of marshmallow's registry: their names repeat from game to game."""

        register = False

    make: ClassVar[Callable[..., Any]]

    def load(self, data: Any, **how: Any) -> Any:
        """Read an object. Raises: ValidationError."""
        if type(data) is dict and not how and self._is_plain:
            try:
                return self._at_sight(data)
            except Odd:
                pass
        return super().load(data, **how)

    def _at_sight(self, data: Mapping[str, Any]) -> Any:
        """Read what is right at first sight. Raises: Odd."""
        if not self._needed <= data.keys():
            raise Odd
        facts = {}
        for name, value in data.items():
            fact, sight = self._sights.get(name, ("", _odd))
            facts[fact] = sight(value)
        return type(self).make(**facts)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether what is given is all there is, under its own names."""
        parts = self.load_fields.values()
        has_name = all(part.data_key is None and "." not in (part.attribute or "") for part in parts)
        return has_name and all(part.load_default is missing for part in parts)

    @cached_property
    def _needed(self) -> set[str]:
        return {name for name, part in self.load_fields.items() if part.required}

    @cached_property
    def _sights(self) -> Mapping[str, tuple[str, Callable[[Any], Any]]]:
        """What each field is called in the class, and how it is read."""
        return {name: (part.attribute or name, _sight(part)) for name, part in self.load_fields.items()}

    @post_load
    def _made(self, data: dict[str, Any], **kwargs: Any) -> Any:
        return type(self).make(**data)

    @post_dump
    def _said(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value is not None}


def shape(make: Callable[..., Any], **parts: fields.Field[Any]) -> Schema:
    """Build the schema of a class from its fields; an unknown one is an error that lists the known ones."""
    for part in parts.values():
        part.error_messages["required"] = Told("Missing.")
    unknown = Told("Unknown. Allowed: %(known)s.", known=", ".join(parts) or "–")
    said = {"unknown": unknown, "type": Told("Not an object.")}
    body = {**parts, "make": staticmethod(make), "error_messages": said}
    schema: Schema = type("Shape", (Shape,), body)()
    return schema
