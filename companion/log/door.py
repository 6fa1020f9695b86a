"""The one door by which a table changes: decided, committed durably, and only then told.

Whoever wants something entered brings a `Wish`: what the entry would say, and how it is decided. The door puts wishes
in order: within a process one at a time, among processes by the log's own numbers, which nobody gets twice. Who comes
second decides again, upon what has happened meanwhile.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Generic, TypeVar

from flask import current_app
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.util import identity_key

from companion import metrics
from companion.errors import CompanionError, KeyReused, NoSuchTable, NotSaved, Stale
from companion.game import Standing
from companion.log import makings
from companion.log.database import ensure, writing
from companion.log.declined import decline, was_declined
from companion.log.kind import Meanwhile, nothing
from companion.log.makings import Post
from companion.log.reader import entry_with_key, find, now, read, read_at
from companion.log.readings import Changes, Reading, Readings, remembered, turn
from companion.log.rows import Entry, Table, db
from companion.log.stumbles import fault_of
from companion.log.together import Clash, Coming, Together
from companion.play import Play

logger = logging.getLogger("companion")

OF_NOW = frozenset({403, 404, 409})
"""With what is answered that may be otherwise some time; what is wrong with a post itself stays wrong."""
TRIES = 50
"""How often a request decides again because another process was quicker."""

Tell = Callable[[str, int], None]
"""Tells how far a table has come, by its code and the number of its newest entry."""
Foretell = Callable[[Table, Reading], None]
"""Works out what will be told of a table if what leads there can be kept; it tells nobody, and waits for nothing."""

A_co = TypeVar("A_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Now:
    """A table at the moment of a decision."""

    table: Table
    reading: Reading
    at: str
    """The time that the entry would bear: UTC, ISO 8601, milliseconds."""

    @property
    def number(self) -> int:
        """Tell the number that the entry would have."""
        return self.reading.number + 1


@dataclass(frozen=True, slots=True)
class Yes:
    """A decision that something is entered."""

    play: Play[Any]
    """The play after it."""
    by: int | None
    """The seat whose phone enters it; None for the host."""
    changes: Changes | None = None
    standing: Standing | None = None
    """How it stands after it; None where it stands as before."""


@dataclass(frozen=True, slots=True)
class Wish(Generic[A_co]):
    """What somebody wants to be entered at a table."""

    table: Table
    kind: str
    seat: int | None
    """Whom it is about; None for the table as a whole."""
    data: Mapping[str, Any]
    key: str
    """The same key counts once."""
    decide: Callable[[Now], Yes | A_co]
    """Says yes, or something else, which is the answer then; it may be asked more than once."""
    is_quick: bool = False
    """Whether a yes upon what memory knows will do. The columns of a table may be half a minute old there. And whether
    `decide` itself looks to it that no copy of it is a yes after it was a no."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """An entry that may be made, and what it leads to."""

    table: Table
    entry: Mapping[str, Any]
    reading: Reading
    changes: Changes | None


def enter(wish: Wish[A_co]) -> Reading | A_co:
    """Let something be entered, or learn why not; a wish that was heard already gets its first answer again.

    What made no entry then makes none now.

    Raises:
        KeyReused: its key has made another entry already.
        Stale: others were quicker, again and again.
        NoSuchTable, UNRULED, NotSaved, Unkept, and whatever `decide` raises.
    """
    code = wish.table.code
    with turn(wish.table):
        if draft := _remembered(wish):
            with suppress(Clash):
                return _keep(draft)
        for _ in range(TRIES):
            here = _here(code)
            if earlier := entry_with_key(here.table, wish.key):
                return _first_answer(wish, here, earlier)
            answer = _decided(wish, here)
            if not isinstance(answer, Yes):
                return answer
            with suppress(Clash):
                return _keep(_drafted(wish, here, answer))
    raise Stale(code)


def consider(wish: Wish[A_co]) -> tuple[Reading, Reading | A_co]:
    """Learn what would become of a wish, and upon what: nothing is entered, and nobody is told.

    Raises: NoSuchTable, UNRULED, and whatever `decide` raises.
    """
    here = _here(wish.table.code)
    answer = wish.decide(here)
    return here.reading, Reading(here.number, answer.play) if isinstance(answer, Yes) else answer


def enter_all(wishes: Sequence[Wish[A_co]]) -> list[Reading | A_co | CompanionError]:
    """Let wishes be entered that came at once, at different tables: those that memory says yes to share a commit."""
    at_once = enter_at_once(wishes)
    pairs = zip(wishes, at_once, strict=True)
    return [_alone(wish) if reading is None else reading for wish, reading in pairs]


def enter_at_once(wishes: Sequence[Wish[Any]]) -> list[Reading | None]:
    """Let those wishes be entered that memory says yes to, by one commit; None for those that need more."""
    drafts = [_remembered(wish) for wish in wishes]
    kept = [draft for draft in drafts if draft]
    problems = iter(_keep_all(kept, _foretelling(kept)))
    return [draft.reading if draft and next(problems) is None else None for draft in drafts]


def open_table(
    table: Table, codes: Iterator[str], entries: Sequence[Mapping[str, Any]] = (), post: Post | None = None
) -> Table:
    """Store a new table, under the first of these codes that is free.

    Args:
        table: as yet without a code.
        codes: by which it may be called, in this order.
        entries: its log, where it has one already: the columns of `Entry` but the table's id.
        post: what asks for it; None where nothing does that may come again.

    Returns:
        The table; or the one that the post has made already, if a copy of it was quicker.

    Raises:
        KeyReused: the post asks for something else than before.
        NotSaved: the database could not keep it, or none of so many codes is free.
    """
    for _ in range(TRIES):
        table.code = next(codes)
        if add(table, entries, post):
            metrics.OPENED.labels(table.game).inc()
            return table
        if earlier := makings.made_table(post):
            return earlier
    raise NotSaved


def add(table: Table, entries: Sequence[Mapping[str, Any]] = (), post: Post | None = None) -> bool:
    """Store a new table; False when its code is taken, or the post was heard already. Raises: NotSaved."""
    try:
        with writing():
            db.session.add(table)
            db.session.flush()
            makings.note(post, table=table)
            if entries:
                db.session.execute(insert(Entry), [{"table_id": table.id, **entry} for entry in entries])
    except IntegrityError:
        return False
    return True


def append(table: Table, entry: Mapping[str, Any], reading: Reading, changes: Changes | None = None) -> None:
    """Write an entry durably, keep the reading that it leads to, and tell.

    Args:
        table: whose log it is.
        entry: the columns of `Entry` but the table's id.
        reading: the play after it.
        changes: what changes with it.

    Raises:
        Clash: the number or the key was taken meanwhile; nothing is written.
        NotSaved, Unkept: the database could not keep it; nothing is written.
    """
    _keep(_Draft(table, entry, reading, changes))


def _decided(wish: Wish[A_co], here: Now) -> Yes | A_co:
    """Decide; what was answered without an entry once is not entered by a copy that comes after others have acted.

    Raises: Stale, NotSaved, and whatever `decide` raises.
    """
    if wish.is_quick:
        return wish.decide(here)
    try:
        answer = wish.decide(here)
    except CompanionError as error:
        if error.status in OF_NOW:
            decline(here.table, wish.key)
        raise
    if not isinstance(answer, Yes):
        decline(here.table, wish.key)
    elif was_declined(here.table, wish.key):
        raise Stale(here.table.code)
    return answer


def _alone(wish: Wish[A_co]) -> Reading | A_co | CompanionError:
    try:
        return enter(wish)
    except CompanionError as error:
        return error
    except Exception as problem:  # whatever the rules of one game do, at its own table
        logger.exception("What was asked of table %s could not be decided; it may come again.", wish.table.code)
        return fault_of(problem)


def _here(code: str) -> Now:
    table = find(code)
    if table is None:
        raise NoSuchTable
    return Now(table, read(table), now())


def _first_answer(wish: Wish[Any], here: Now, earlier: Entry) -> Reading:
    """Give the answer that a key got when it was first heard. Raises: KeyReused, NotSaved."""
    is_same = (earlier.kind, earlier.data) == (wish.kind, wish.data) and wish.seat in (None, earlier.seat)
    if not is_same:
        raise KeyReused
    ensure()
    # The database may have been lost right after it had kept the entry, and then nobody was told.
    _tell()(here.table.code, here.reading.number)
    return here.reading if earlier.number == here.reading.number else read_at(here.table, earlier.number)


def _tell() -> Tell:
    tell: Tell = current_app.extensions["companion.told"]
    return tell


def _remembered(wish: Wish[Any]) -> _Draft | None:
    """Draft an entry upon what is in memory, without a query; None where the log itself has to be asked.

    Only a yes holds: the log takes it under no number or key that was taken meanwhile. A no may come from a table
    that another process has led on, or from a post that was heard already. And who sits where is worked out from what
    the database has: a command may have changed a name.
    """
    known = remembered(wish.table.code) if wish.is_quick else None
    if known is None:
        return None
    here = Now(*known, now())
    try:
        answer = wish.decide(here)
    except Exception:  # a no, or whatever the rules of a game do: it is asked again, alone
        return None
    if not isinstance(answer, Yes) or (answer.changes and answer.changes.is_of_names):
        return None
    return _drafted(wish, here, answer)


def _drafted(wish: Wish[Any], here: Now, yes: Yes) -> _Draft:
    number, noted = here.number, here.reading.standing
    is_news = yes.standing is not None and yes.standing != noted
    entry = {"number": number, "kind": wish.kind, "seat": wish.seat, "by": yes.by, "data": wish.data}
    entry |= {"key": wish.key, "at": here.at, "standing": yes.play.standing if is_news else None}
    return _Draft(here.table, entry, Reading(number, yes.play, yes.standing or noted), yes.changes)


def _keep(draft: _Draft) -> Reading:
    """Write an entry, and tell. Raises: Clash, NotSaved, Unkept."""
    (problem,) = _keep_all([draft])
    if problem:
        raise problem
    return draft.reading


def _keep_all(drafts: Sequence[_Draft], meanwhile: Meanwhile = nothing) -> list[Exception | None]:
    """Write entries of different tables by one commit, and tell; why each is not written, or None."""
    own = current_app.extensions
    together: Together = own["companion.together"]
    coming = [Coming({"table_id": draft.table.id, **draft.entry}, draft.changes) for draft in drafts]
    began = perf_counter()
    problems = together.write_all(coming, meanwhile)
    metrics.COMMIT.observe(perf_counter() - began)
    known: Readings = own["companion.readings"]
    tell: Tell = own["companion.told"]
    for draft, problem in zip(drafts, problems, strict=True):
        table, number = draft.table, draft.reading.number
        if problem is None:
            code = table.code
            known.follow(table.id, draft.reading, draft.changes)
            metrics.entered(table.game, draft.entry["kind"], code, number)
            tell(code, number)
        if problem or draft.changes:
            _renew(table.id)
    return problems


def _foretelling(drafts: Sequence[_Draft]) -> Meanwhile:
    """Let what follows from an entry be worked out while the disk writes; where several come, that takes less time.

    Another thread does it: so their tables are as memory knows them, and belong to no transaction.
    """
    if len(drafts) != 1 or drafts[0].changes:
        return nothing
    foretell: Foretell = current_app.extensions["companion.foretold"]
    (draft,) = drafts
    return lambda: foretell(draft.table, draft.reading)


def _renew(table_id: int) -> None:
    """Read a table's columns and seats again, where this request has read them before."""
    table = db.session.identity_map.get(identity_key(Table, table_id)) if db.session.registry.has() else None
    if table is not None:
        db.session.refresh(table)
