"""Values as plain data: what JSON can hold, the same after it was written and read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, TypeVar

from companion.kernel.once import MOST, PARTS, Memory, once
from companion.rendering.differences import DOT, Difference, difference
from companion.rendering.tags import TAG

T = TypeVar("T")
Write = Callable[[Any], Any]
Get = Callable[[Any], Any]
"""Gets all fields of a record, as a tuple."""

_AS_THEY_ARE = frozenset({int, str, bool, type(None)})
KINDS = 8
"""Of records and tuples that a view has many of."""


class Writer:
    """Writes the values of a game as plain data; how each kind is written is worked out once.

    How a value is written stands here in three places, for a call would cost more than it does.

    What is written of a record or a tuple is remembered as long as that is handed on as it is, and nobody changes it:
    so what has not changed from one view to the next is the very same here, too.

    A record becomes its fields by name, an enum its value, a sequence or a set a list, a mapping one by texts, a float
    that is whole an int (JSON does not keep the difference), and anything else its text. A record of which no field is
    read becomes true: it is there.
    """

    def __init__(self, kinds: Mapping[type[Any], str], read: Collection[str] | None = None) -> None:
        """Begin with no kind known.

        Args:
            kinds: those that bear their name, as `$`.
            read: of records that bear no name only these fields and properties are written; None: all fields.
        """
        self._kinds, self._read = kinds, read
        self._writers: _Known[Write] = _Known(self._writer)
        self._fields: _Known[tuple[Sequence[str], Get]] = _Known(self._fields_of)
        self._memory = Memory(MOST * PARTS * KINDS)
        self._once = once(self)

    def __call__(self, value: Any) -> Any:
        """Write a value.

        >>> from companion.games.rage.cards import Action, Colour, Coloured
        >>> Writer({Coloured: "Coloured"})((Coloured(Colour.RED, 7), Action.NO_TRUMP, {1: 2.0}))
        [{'$': 'Coloured', 'colour': 'R', 'value': 7}, 'NT', {'1': 2}]
        """
        kind = value.__class__
        return value if kind in _AS_THEY_ARE else self._writers[kind](value)

    def beside(self, own: Any, shared: Any) -> Any:
        """Write a record that mostly holds the very same values as another one of its kind: these are written once.

        >>> from companion.games.rage.cards import Colour, Coloured
        >>> Writer({}).beside(Coloured(Colour.RED, 7), Coloured(Colour.RED, 8))
        {'colour': 'R', 'value': 7}

        Args:
            own: the record.
            shared: the other one.
        """
        names, get = self._fields[own.__class__]
        if own.__class__ is not shared.__class__ or not names:
            return self(own)
        mine, theirs = get(own), get(shared)
        differs = compress(zip(names, mine, strict=True), map(is_not, mine, theirs))
        return {**self._once(shared), **{name: self(one) for name, one in differs}}

    def difference(self, old: Any, new: Any, path: str = "") -> Difference:
        """Say what changes in what is written, by looking at the values: only what has changed is written.

        What is the very same in both is passed over at a glance, so values are to be handed on where they stay.

        >>> from companion.games.rage.cards import Colour, Coloured
        >>> Writer({}).difference((1, Coloured(Colour.RED, 7)), (1, Coloured(Colour.RED, 8)))
        {'1.value': 8}

        Args:
            old: what there was.
            new: what there is.
            path: where they stand.
        """
        found: dict[str, Any] = {}
        records = self._fields
        ahead = [(path, old, new)]
        for at, was, now in ahead:  # which grows meanwhile
            kind = now.__class__
            if kind is not was.__class__:
                found[at] = self(now)
            elif kind in _AS_THEY_ARE:
                if was != now:
                    found[at] = now
            elif (known := records[kind])[0]:
                names, get = known
                mine, theirs = get(now), get(was)
                changed = compress(zip(names, theirs, mine, strict=True), map(is_not, mine, theirs))
                before = at and at + DOT
                ahead += [(before + name, one, other) for name, one, other in changed]
            elif kind is tuple and len(was) == len(now):
                places = compress(enumerate(zip(was, now, strict=True)), map(is_not, now, was))
                before = at and at + DOT
                ahead += [(f"{before}{place}", one, other) for place, (one, other) in places]
            else:
                found |= difference(self(was), self(now), at)
        return found

    def own(self, shared: Any, own: Mapping[str, Any], path: str) -> Difference:
        """Say what changes in what is written of a record in which some fields are others.

        >>> from companion.games.rage.cards import Colour, Coloured
        >>> Writer({}).own(Coloured(Colour.RED, 7), {"value": 8, "colour": Colour.RED}, "card")
        {'card.value': 8}

        Args:
            shared: the record.
            own: those fields, by name.
            path: where it stands.
        """
        found: dict[str, Any] = {}
        names = self._fields[shared.__class__][0]
        for name, one in own.items():
            was = getattr(shared, name)
            if one is was or name not in names:
                continue
            if one.__class__ is was.__class__:
                found |= self.difference(was, one, path + DOT + name)
            else:
                found[path + DOT + name] = self(one)
        return found

    def _fields_of(self, kind: type[Any]) -> tuple[Sequence[str], Get]:
        """Name the fields of records of a kind, and give what gets them all; none of what is no record."""
        names = self._names(kind) if is_dataclass(kind) else []
        return names, _getter(names)

    def _writer(self, kind: type[Any]) -> Write:
        """Work out how a kind is written."""
        if issubclass(kind, Enum):
            return self._of_members(kind)
        if is_dataclass(kind):
            return once(self._of_records(kind), self._memory)
        if issubclass(kind, Mapping):
            return lambda value: {self._key(key): self(one) for key, one in value.items()}
        if issubclass(kind, tuple):
            return once(self._of_rows(), self._memory)
        if issubclass(kind, list | set | frozenset | range):
            return self._of_rows()
        if issubclass(kind, int):
            return int
        return _shortened if issubclass(kind, float) else str

    def _key(self, key: Any) -> str:
        return str(key.value if isinstance(key, Enum) else key)

    def _of_members(self, kind: type[Enum]) -> Write:
        tag = self._kinds.get(kind)
        written = {member: self(member.value) for member in kind}
        if tag:
            written = {member: {TAG: tag, "value": value} for member, value in written.items()}
        return written.__getitem__

    def _of_rows(self) -> Write:
        plain, writers, lately = _AS_THEY_ARE, self._writers, self._memory.get
        return lambda row: [
            one if one.__class__ in plain else known[0] if (known := lately(id(one))) else writers[one.__class__](one)
            for one in row
        ]

    def _of_records(self, kind: type[Any]) -> Write:
        """Write records of a kind; it is most of the work, and all of its names are looked up beforehand."""
        head, names, plain = self._head(kind), self._names(kind), _AS_THEY_ARE
        writers, lately = self._writers, self._memory.get
        if not names:
            return lambda _record: dict(head) or True
        get = _getter(names)

        def write(record: Any) -> dict[str, Any]:
            told = {
                name: one
                if one.__class__ in plain
                else known[0]
                if (known := lately(id(one)))
                else writers[one.__class__](one)
                for name, one in zip(names, get(record), strict=True)
            }
            return {**head, **told} if head else told

        return write

    def _head(self, kind: type[Any]) -> dict[str, str]:
        return {TAG: self._kinds[kind]} if kind in self._kinds else {}

    def _names(self, kind: type[Any]) -> list[str]:
        """Name what is written of a record: of one that is said, every field, for its sentence may mention it."""
        names, read = [field.name for field in fields(kind)], self._read
        if read is None:
            return names
        chosen = names if kind in self._kinds else [name for name in names if name in read]
        return [*chosen, *(name for name in sorted(read) if isinstance(getattr(kind, name, None), property))]


class _Known(dict[type[Any], T]):
    """What is known of kinds; what is missing is worked out."""

    def __init__(self, make: Callable[[type[Any]], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, kind: type[Any]) -> T:
        self[kind] = known = self._make(kind)
        return known


def _getter(names: Sequence[str]) -> Get:
    """Give what gets these fields of a record, as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


def _shortened(number: float) -> float | int:
    return int(number) if number.is_integer() else float(number)
