"""What the template of a live part is told (`parts.told`), as plain data; `docs/templates.md` explains it."""

from __future__ import annotations

from typing import Any, TypedDict


class PartGame(TypedDict):
    """The game, for any template."""

    key: str
    name: str
    sheets: list[str]
    """What can be printed of it alone."""


class PartTable(TypedDict):
    """The table, for any template."""

    code: str
    is_over: bool
    halt: str
    """`paused` or `broken_off` while nothing can be played; "" else, and where it is looked back at."""
    next: str | None
    """Of one that was broken off, the code of the table where the same people went on."""
    called: str
    """What its game is called: by its host, where any other game is counted; else as on the box."""
    game: PartGame


class LivePart(TypedDict):
    """What every live part is told: of a seat, and of the screen."""

    table: PartTable
    names: list[str]
    """One per seat, never empty."""
    seat: int | None
    """Whose part it is; None for the screen."""
    own: int | None
    """The seat that this phone sits on."""
    acts_for: list[int]
    """The seats that this phone may move for; none while nothing can be played."""
    view: Any
    """What the game shows the seat."""
    views: list[Any]
    """What it shows the others that this phone acts for, by seat; [] where no template reads it."""
    number: int
    """Of the newest entry in it."""
    key: str
    """Whose part it is, in a word: with the number before it, what makes a tap count once."""
    undo: dict[str, Any] | None
    """What taking back would undo: an `Undoing` of desk/undoing.py; its sentence is "" if it is the first of `last`."""
    redo: dict[str, Any] | None
    """What putting back would redo."""
    refusal: dict[str, Any] | None
    """Why not: a `Refusal` of desk/wording.py."""
    remarks: list[dict[str, Any]]
    """What the table should look at: `text`, and the numbers of the earlier `entries` that do not go with it."""
    lesson: dict[str, Any] | None
    """What those who play for the first time are told of this step: a `Lesson` of words.py."""
    last: list[str]
    """What happened by the last move."""
    end: dict[str, Any] | None
    """What there is to say of a game that is over: an `End` of telling.py."""
    is_filling: bool
    """Whether nothing is played yet, and a seat has no phone."""
    is_then: bool
    """Whether it is looked back at."""
    then: str
    """The kind of the move that is amended; "" where none is."""
    was: dict[str, Any] | None
    """What it said, as a record writes it; None where none is amended, or where it is sealed."""


class ScreenPart(LivePart):
    """What the spectators' screen is told."""

    qr: str
    """An SVG."""
    join: str
    """The address to type."""
    wifi: dict[str, str] | None
    """What guests join first, while somebody may sit down: `qr` (an SVG) and `name`."""
    seated: list[bool]
    """Per seat: whether a phone has it."""
    moment: list[Any]
    """The events of the last move: what moves on the screen."""


class PlainForms(TypedDict):
    """What the standing of any game looks like."""

    standing: list[dict[str, Any]]
    """Its places."""
    forms: list[dict[str, Any]]
    """A `MoveForm` of any_game.py for each kind of move that is open."""


class PlainPart(TypedDict):
    """What the pages of any game are told beside that, by which a game without templates is played."""

    plain: PlainForms


GIVEN = frozenset({*ScreenPart.__annotations__, *PlainPart.__annotations__})
"""The context of any live part."""
