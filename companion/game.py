"""What a game is: a frozen record of functions, and the values they speak in.

Pure: this module and the rules of a game import each other, what `pyproject.toml` names, and the standard library.
A newcomer reads this first, then the `rules.py` of one game, then `companion/tables/referee.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from companion.kernel.figures import Course, Figures, Statistic, no_course, no_figures
from companion.kernel.sentences import N_, Agreeing, Label, Plural, Sentence, texts_of

__all__ = [
    "N_", "Accepted", "Agreeing", "AnyGame", "Facts", "Game", "Label", "Paragraph", "Place", "Plural", "Question",
    "Refused", "Remark", "Rule", "Schema", "Seat", "Section", "Sentence", "Standing", "Verdict", "Words", "as_before",
    "as_played", "by_legal", "never", "nothing", "only_if_same", "ranked", "texts_of", "the_first_seat",
]  # fmt: skip

Facts = Mapping[str, object]


class Seat(int):
    """A place at the table, from 0, clockwise: an int that among facts and events is said as its player's name."""


class Rule(Enum):
    """A rule that a ruling cites; every game has an enum of its own.

    A member's value is its stable name (`rage.bid_range`) and the source that decides it (`R-cs, bidding`; `decided
    here, R7`); `docs/decisions.md` has the ids. Its sentence stands in the game's `words.py`.
    """

    def __init__(self, key: str, source: str) -> None:
        """Keep the two parts of the value."""
        self.key = key
        self.source = source


@dataclass(frozen=True, slots=True)
class Remark:
    """Accepted, but the table should look: `rule` names what, `facts` the cards, seats and numbers."""

    rule: Rule
    facts: Facts = field(default_factory=dict)
    back: tuple[int, ...] = ()
    """How many moves before this one those were told that do not go with it: one of them may be wrong as well."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The rules say no. A value, never an exception."""

    rule: Rule
    facts: Facts = field(default_factory=dict)
    """What the rule's sentence mentions; where a choice is open they name what would be legal."""


P = TypeVar("P")
O = TypeVar("O")  # noqa: E741 (options; the letters follow the words)
M = TypeVar("M")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Accepted(Generic[P]):
    """The rules say yes: the new position, and what happened on the way to it."""

    position: P
    events: tuple[object, ...]
    """Derived, never stored; the first of them says the move itself."""
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One seat's place in a standing.

    `rank` counts from 1; tied seats share it and the next rank is skipped (1, 1, 3).
    `tiebreak` holds further numbers that decided, highest first; () where the score alone does.
    """

    seat: int
    rank: int
    score: int
    tiebreak: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """All seats sorted by rank (ties by seat), and whether the game is over."""

    places: tuple[Place, ...]
    is_finished: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's answer to one question without a table."""

    says: tuple[object, ...]
    """What an event is in a ruling: the first says the verdict, the others give the reasons."""
    rule: Rule
    """The rule that decides."""
    data: Mapping[str, Any]
    """The same as plain data."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee of a game can be asked without a table (`companion judge`)."""

    example: str
    """The words after the game's name: `--trump R Y8 R4 NT`."""
    options: Mapping[str, str]
    """Option -> what it means (English); each takes one word."""
    answer: Callable[[Sequence[str], Mapping[str, str]], Verdict]
    """(words, options given) -> the verdict. Raises: `companion.question.Unclear`, which is said in every
    language; any other ValueError is shown in English. Either names the word that cannot be read."""
    topics: tuple[Any, ...] = ()
    """What a page asks by keys (`companion/question.py`); () where it can only be asked in words."""
    lies: Callable[[Any], Mapping[str, Mapping[str, str]]] | None = None
    """From a position, what everybody may know of it: topic -> option -> value; "" is any topic."""
    data: tuple[type, ...] = ()
    """What `data` of a verdict may be, a `TypedDict` each, for the API's description; () where that is not said."""


def ranked(merits: Sequence[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Rank seats by merit, one tuple per seat: (rank, seat), sorted by rank, then by seat.

    >>> ranked([(8,), (1,), (12,), (8,)])
    [(1, 2), (2, 0), (2, 3), (4, 1)]
    """
    best = sorted(merits, reverse=True)
    return sorted([(1 + best.index(merit), seat) for seat, merit in enumerate(merits)])


@dataclass(frozen=True, slots=True)
class Words:
    """The game's sentences in English, which gettext translates.

    `sentences`: by rule, by class of event, card or move; facts stand as `%(name)s`.
    `names`: by enum member. `options`: by option, and by (option, value). `fields`: those of the moves, by name.
    """

    sentences: Mapping[Rule | type[Any], Sentence]
    names: Mapping[Enum, str]
    options: Mapping[str | tuple[str, object], Label]
    fields: Mapping[str, str]
    catalogue: Path | Callable[[str], Mapping[str, str]] | None = None
    """The folder of its translations (gettext, domain `messages`); or language -> English -> translated."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of the rules: a sentence or a few, and the rules of the referee that it covers."""

    sentence: str | Plural
    facts: Facts = field(default_factory=dict)
    """What the sentence mentions; numbers come from the constants of the rules, never typed again."""
    rules: tuple[Rule, ...] = ()
    picture: str = ""
    """A drawing beside it, that says the same: `printables/<game>/<picture>.svg`."""
    table: tuple[tuple[Any, ...], ...] = ()
    """What is read in rows: facts, and sentences; the first row is its head."""
    step: Enum | None = None
    """The step of a first round that it explains."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a rule card."""

    title: str
    paragraphs: tuple[Paragraph | None, ...]
    """Each keeps its number, which is its place, whatever is chosen; None stands for one that is not needed."""
    is_of_companion: bool = False
    """Whether it tells how the companion is used, and not how the game is played: then it stands on no rule card."""


class Schema(Protocol):
    """What carries a move or a set of options over the wire (a marshmallow schema is one)."""

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields by name."""

    def load(self, data: Mapping[str, Any]) -> Any:
        """Read plain data. Raises: marshmallow.ValidationError, naming the field."""

    def dump(self, obj: Any) -> Any:
        """Write plain data."""


def as_played(before: object, move: Any, after: object) -> Any:
    """Write a move as it was made: the `recorded` of most games."""
    return move


def only_if_same(seen: object, now: object, move: object) -> bool:
    """Hold a move only if nothing has changed: the `still_means` of most games."""
    return seen == now


def never(position: object) -> bool:
    """Say no: the `has_secrets` of games that have none, the `is_lost` of those that somebody always wins."""
    return False


def nothing(*of: object) -> tuple[()]:
    """Have none: the `rule_card`, the `reasons` and the `clock` of games that bring no text, reasons or clock."""
    return ()


def by_legal(position: object, seat: int) -> bool:
    """Stand for a look at `legal`, which each game has its own of: the `may_move` of games that know no shorter way."""
    raise NotImplementedError


def as_before(position: object) -> Mapping[str, Any]:
    """Begin again as before: the `again` of games that change nothing."""
    return {}


def the_first_seat(position: object) -> int:
    """Let seat 0 begin: the `begins` of games that do not say."""
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[O, P, M, V]):
    """A game, as everything outside its own folder sees it.

    `judge`, `legal`, `may_move` and `view` must agree; none of them raises or changes anything.
    """

    key: str
    """Names the game in code, records, folders and addresses: `rage`."""
    name: str
    """As printed on the box; never translated."""
    about: str = ""
    """What the lobby says of it where its name does not (English)."""
    drawn_as: str = ""
    """The game whose templates, styles, scripts and sheets it is drawn with; "" for its own."""
    players: range
    """How many can play, of 1 to 8."""
    version: int = 1
    """Of its rules: raised by every change by which the same moves are ruled or scored otherwise, not by a remark."""
    rules: type[Rule]
    options: Schema
    """Reads and writes the game's options; fields left out take the edition's defaults."""
    moves: Callable[[int], Mapping[str, Schema]]
    """The schema of each kind of move, for that many seats."""
    words: Words

    start: Callable[[O, int], P | Refused]
    """The first position for these options and seats. Refused names the `option` that cannot be."""
    older: tuple[int, ...] = ()
    """Versions of its rules before this one by which it still rules; a table of any other version is frozen."""
    by_rules: Callable[[P, int], P] | None = None
    """(first position, version of the rules) -> where a play ruled by that version begins; None: as one of today."""
    judge: Callable[[P, M], Accepted[P] | Refused]
    legal: Callable[[P, int | None], Iterator[M]]
    """Every move that `judge` accepts from that seat; None asks for the table's own moves. Lazy: may be long."""
    may_move: Callable[[P, int], bool] = by_legal
    """Whether a seat has any move now; asked for every seat after every move. Must agree with `legal`."""
    view: Callable[[P, int | None], V]
    """What one seat may see and do; None is the spectator's screen. The only door to any screen."""
    own: Callable[[P, int], Mapping[str, Any]] | None = None
    """What a seat's `view` has otherwise than the screen's, told after each move; None: the two are compared."""
    standing: Callable[[P], Standing]
    summary: Callable[[P], Mapping[str, Any]]
    """The position as plain data (`docs/record.md`); a `TypedDict` tells the API's description what stands there."""
    question: Question
    has_secrets: Callable[[P], bool] = never
    """Whether something in this position must not be told to everyone yet."""
    has_hands: bool = False
    """Whether a seat's own view has what it alone may know; else not even what it has sealed itself stands there."""
    still_means: Callable[[P, P, M], bool] = only_if_same
    """(position seen, position now, move) -> whether a move made upon the first still means the same."""
    recorded: Callable[[P, M, P], M | None] = as_played
    """(position before, move, position after) -> the move as the table record writes it; None leaves it out."""
    clock: Callable[[P], tuple[object, ...]] = nothing
    """What runs by the clock, told from every other run, or (); its first move's `at` is put off by a pause."""
    rule_card: Callable[[O, bool], tuple[Section, ...]] = nothing
    """(options, whether to tell every variant, and not only those that are played) -> the complete rules."""
    lesson: Callable[[P, Sequence[int]], Enum | None] | None = None
    """(position, seats that a page acts for; () for the screen) -> the step of a first round to explain, if any."""
    likely: Callable[[P, int, str, Random], M | None] | None = None
    """(position, seat, the time, chance) -> what somebody there may well do now, or None to wait: so phantoms play."""
    reasons: Callable[[P], tuple[object, ...]] = nothing
    """Why the standing is as it is where the scores alone do not say it, as events are told."""
    course: Callable[[Sequence[P]], Course | None] = no_course
    """How it went, from the positions of a play, the first one first."""
    again: Callable[[P], Mapping[str, Any]] = as_before
    """The options, as data, that the next game of the same people changes: who begins."""
    asked_first: str = ""
    """The option that decides an evening: whoever opens a table is asked it before all others."""
    suggested: Mapping[str, Any] = field(default_factory=dict)
    """Options, as data, that whoever opens a table finds chosen, where a record's defaults are others."""
    named_by: str = ""
    """The option in which a host may say what a table's game is called."""
    won_by_fewest: Mapping[str, Any] | None = None
    """The options, as data, by which the fewest points win; {}: always; None: never."""
    begins: Callable[[P], int] = the_first_seat
    """The seat that begins, from the first position."""
    figures: Callable[[Sequence[P]], Figures] = no_figures
    """What a finished play leaves of every seat, from its positions, the first one first."""
    statistics: tuple[Statistic, ...] = ()
    """How the figures of many plays are drawn."""
    is_shared: bool = False
    """Whether all play together, for one score."""
    has_points: bool = True
    """Whether scores are points: else nobody is told whose a move changes, for what it did says more."""
    is_lost: Callable[[Mapping[str, Any]], bool] = never
    """(summary of a finished play, of an older release, too) -> whether all have lost; `figures` say it by `LOST`."""
    bgg: int | None = None
    """Its number at BoardGameGeek, where it is certain."""
    folder: Path | None = None
    """Where a game of another package keeps its `templates/` and `printables/`; None for the companion's own."""
    on_paper: Callable[[Sequence[P]], dict[str, Any]] | None = None
    """What the sheets are filled with, from the positions of a play; None: the summary of the last one."""
    sheets: Mapping[str, Callable[..., Mapping[str, object]]] = field(default_factory=dict)
    """What can be printed: item -> the template's context, in primitives."""

    def __post_init__(self) -> None:
        """Look for a legal move where the game does not say who may move."""
        if self.may_move is by_legal:
            object.__setattr__(self, "may_move", lambda position, seat: any(True for _ in self.legal(position, seat)))

    def has_rules(self, version: int) -> bool:
        """Say whether it rules tables that were begun by this version of its rules."""
        return version == self.version or version in self.older

    def called(self, options: Mapping[str, Any]) -> str:
        """Name it as a table does, by its options as data."""
        return str(options.get(self.named_by) or self.name)

    @property
    def usual_players(self) -> int:
        """For how many a table is laid, and a sheet is ruled, unless asked otherwise: four, or as near as can be."""
        return min(max(4, self.players[0]), self.players[-1])


AnyGame = Game[Any, Any, Any, Any]
