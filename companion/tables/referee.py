"""A tap becomes a ruling: may this phone ask it, has the table moved on, what do the rules say; save, then tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from companion import log, metrics
from companion.errors import CompanionError, KeyReused, NothingThere, NotThere, NotYours, Stale
from companion.game import Refused
from companion.log import Changes, Reading, Table
from companion.play import Asked, Broken, Play
from companion.push.bell import bell
from companion.record import RecordError, bare, reads_time
from companion.tables.opening import closing
from companion.tables.seating import Asker, find_table

Decision = Play[Any] | Refused | Broken
Decide = Callable[["Asker", Reading, Asked], Decision]


@dataclass(frozen=True, slots=True)
class Asking:
    """A move that a phone asks for."""

    asker: Asker
    data: Mapping[str, Any]
    """As the table record writes it."""
    key: str
    """The same key counts once."""
    after: int | None = None
    """The number of the log that the phone had seen."""


@dataclass(frozen=True, slots=True)
class Entering:
    """What a phone wants to be entered, and how it is decided whether it may be."""

    asker: Asker
    what: Mapping[str, Any]
    """The entry's `kind`, `seat`, `data` and `key`."""
    decide: Decide
    """Given who asks, the reading, and the entry's number, time and asker: the play after it, or why not."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that may be made, and what it leads to."""

    table: Table
    entry: Mapping[str, Any]
    reading: Reading
    changes: Changes | None


Undo = Callable[["Asker", str, int | None], Reading]


def rule_on(asker: Asker, data: Mapping[str, Any], key: str, after: int | None = None) -> Reading | Refused:
    """Rule on a move that a phone asks for.

    Args:
        asker: who asks.
        data: the move, as the table record writes it.
        key: the same key counts once.
        after: the number of the log that the phone had seen.

    Raises:
        RecordError: the move cannot be read.
        NotYours: the phone may not act for that seat.
        Stale: the table has moved on, and the move would mean something else.
    """
    ruling = _enter(_moving(Asking(asker, data, key, after)))
    assert not isinstance(ruling, Broken)
    return ruling


def rule_on_all(askings: Sequence[Asking]) -> list[Reading | Refused | CompanionError | RecordError]:
    """Rule on moves that came at once, at different tables: those that memory says yes to share a commit."""
    drafts = {place: draft for place, asking in enumerate(askings) if (draft := _drafted(asking))}
    problems = log.append_all([(draft.table, draft.entry, draft.reading) for draft in drafts.values()])
    kept = {place for place, problem in zip(drafts, problems, strict=True) if problem is None}
    for place in kept:
        bell().ring(drafts[place].table.code, drafts[place].reading.number)
    return [drafts[place].reading if place in kept else _ruled(asking) for place, asking in enumerate(askings)]


def _drafted(asking: Asking) -> Draft | None:
    """Draft a move's entry upon what is remembered; None where it takes more than that."""
    try:
        draft = _remembered(_moving(asking))
    except (CompanionError, RecordError):
        return None
    return draft if draft and draft.changes is None else None


def _ruled(asking: Asking) -> Reading | Refused | CompanionError | RecordError:
    try:
        return rule_on(asking.asker, asking.data, asking.key, asking.after)
    except (CompanionError, RecordError) as error:
        return error


def _moving(asking: Asking) -> Entering:
    """Read a move, and how it is decided. Raises: RecordError."""
    table, data, after = asking.asker.table, bare(asking.data), asking.after
    move = log.move_of(table, data)
    seat = getattr(move, "seat", None)

    def decide(asker: Asker, reading: Reading, asked: Asked) -> Decision:
        if seat not in asker.seats and (seat is not None or not asker.seats):
            raise NotYours
        _check_fresh(asker.table, reading, after, (move, data))
        timed = log.move_of(table, data, asked.at) if reads_time(reading.play.game, reading.play.seats, data) else move
        return reading.play.judge(Asked(asked.number, timed, asked.by, asked.at))

    return Entering(asking.asker, {"kind": "move", "seat": seat, "data": data, "key": asking.key}, decide)


def take_back(asker: Asker, key: str, after: int | None = None) -> Reading:
    """Undo the last move or amendment. Raises: NotYours, Stale, NothingThere."""
    return _undo(asker, key, after, "take_back")


def put_back(asker: Asker, key: str, after: int | None = None) -> Reading:
    """Redo what was taken back. Raises: NotYours, Stale, NothingThere."""
    return _undo(asker, key, after, "put_back")


def may_undo(asker: Asker, play: Play[Any]) -> bool:
    """Say whether this phone may take back (or put back) the last step of a play.

    The host may; so may the seat that entered it, or, of a move, the seat that it is about.
    """
    if asker.is_host:
        return True
    about = getattr(play.asked.move, "seat", None) if play.asked and play.amended is None else None
    return asker.seat is not None and asker.seat in (play.by, about)


def amend(asker: Asker, number: int, data: Mapping[str, Any], key: str) -> Reading | Refused | Broken:
    """Replace the move of an earlier entry; every later move is judged again.

    Returns:
        The new reading; or the move that would no longer hold, and why.

    Raises:
        RecordError, NotYours, NotThere (no such move counts).
    """
    table, data = asker.table, bare(data)
    move = log.move_of(table, data)

    def decide(asker: Asker, reading: Reading, asked: Asked) -> Decision:
        ruled = next((play for play in reading.play.moves() if play.asked and play.asked.number == number), None)
        if ruled is None or ruled.asked is None:
            raise NotThere
        is_sealed = reading.play.is_sealed(ruled)
        if not may_amend(asker, ruled, is_sealed) or not _is_theirs(asker, ruled, move, is_sealed):
            raise NotYours
        return reading.play.amend(number, log.move_of(table, data, ruled.asked.at), asked.by)

    what = {"kind": "amend", "seat": getattr(move, "seat", None), "data": {"number": number, "move": data}, "key": key}
    return _enter(Entering(asker, what, decide))


def may_amend(asker: Asker, ruled: Play[Any], is_sealed: bool) -> bool:
    """Say whether this phone may amend a move: its own, those it entered, and for the host all but sealed ones."""
    asked = ruled.asked
    about = getattr(asked.move, "seat", None) if asked else None
    if about is not None and is_sealed:
        return about in asker.seats
    return asker.is_host or (asker.seat is not None and asker.seat in (about, asked.by if asked else None))


def _is_theirs(asker: Asker, ruled: Play[Any], move: Any, is_sealed: bool) -> bool:
    """Say whether a move may stand in the place of another: of its kind, and about a seat that the phone acts for.

    What is in the open the host may also give to another seat, as a trick that somebody else took.
    """
    assert ruled.asked is not None
    about = getattr(move, "seat", None)
    is_open = asker.is_host and not is_sealed
    return type(move) is type(ruled.asked.move) and (about is None or about in asker.seats or is_open)


def _check_fresh(
    table: Table, reading: Reading, after: int | None, asked: tuple[Any, Mapping[str, Any] | None] = (None, None)
) -> None:
    """Refuse what was asked of an earlier table, unless it still means the same.

    Args:
        table: which table.
        reading: the table as it is now.
        after: the number that had been seen; None lets anything through.
        asked: the move, and the same as the log writes it; none for what is no move.
    """
    if after is None or after == reading.number:
        return
    if after > reading.number:
        raise Stale(table.code)
    move, data = asked
    kinds = log.kinds(table, after) - {"seat", "table"}
    if kinds - {"move"}:
        raise Stale(table.code, after, data)
    seen, play = reading.play.at(after).position, reading.play
    if kinds and (move is None or not play.game.still_means(seen, play.position, move)):
        raise Stale(table.code, after, data)


def _undo(asker: Asker, key: str, after: int | None, kind: str) -> Reading:
    def decide(asker: Asker, reading: Reading, asked: Asked) -> Decision:
        _check_fresh(asker.table, reading, after)
        play = reading.play
        then, step = (play.take_back(), play) if kind == "take_back" else (play.put_back(), play.put_back())
        if then is None or step is None:
            raise NothingThere
        if not may_undo(asker, step):
            raise NotYours
        return then

    reading = _enter(Entering(asker, {"kind": kind, "seat": None, "data": {}, "key": key}, decide))
    assert isinstance(reading, Reading)
    return reading


def _enter(entering: Entering) -> Reading | Refused | Broken:
    """Decide and append upon what is remembered; if that fails, upon what the log says now; then ring.

    Raises:
        KeyReused: the key has made another entry already.
    """
    code, what = entering.asker.table.code, entering.what
    with log.turn(entering.asker.table):
        if draft := _remembered(entering):
            with suppress(log.Clash):
                return _keep(draft)
        asker = Asker(find_table(code), entering.asker.phone)
        for _ in range(log.TRIES):
            reading = log.read(asker.table)
            if earlier := log.entry_with_key(asker.table, what["key"]):
                if (earlier.kind, earlier.data) != (what["kind"], what["data"]):
                    raise KeyReused
                return reading if earlier.number == reading.number else log.read_at(asker.table, earlier.number)
            ruling = _draft(entering, asker, reading)
            if isinstance(ruling, Refused):
                metrics.refused(asker.table.game, ruling.rule.name.lower(), code)
            if not isinstance(ruling, Draft):
                return ruling
            with suppress(log.Clash):
                return _keep(ruling)
    raise Stale


def _remembered(entering: Entering) -> Draft | None:
    """Draft an entry upon what is in memory, without a query; None where the log itself has to be asked.

    Only a yes holds: the log takes it under no number or key that was taken meanwhile. A no may come from a table
    that another process has led on, or from a post that was heard already.
    """
    known = log.remembered(entering.asker.table.code)
    if known is None:
        return None
    try:
        draft = _draft(entering, _at(entering.asker, known[0]), known[1])
    except CompanionError:
        return None
    return draft if isinstance(draft, Draft) else None


def _at(asker: Asker, table: Table) -> Asker:
    return asker if asker.table is table else Asker(table, asker.phone)


def _draft(entering: Entering, asker: Asker, reading: Reading) -> Draft | Refused | Broken:
    """Decide, for who asks as the table is now. Raises: what `decide` raises."""
    what = entering.what
    asked = Asked(reading.number + 1, None, asker.by(what["seat"]), log.now())
    play = entering.decide(asker, reading, asked)
    if isinstance(play, Refused | Broken):
        return play
    entry = {**what, "number": asked.number, "by": asked.by, "at": asked.at}
    return Draft(asker.table, entry, Reading(asked.number, play), closing(asker.table, play, str(asked.at)))


def _keep(draft: Draft) -> Reading:
    """Append, and ring. Raises: log.Clash, NotSaved."""
    code = draft.table.code
    log.append(draft.table, draft.entry, draft.reading, draft.changes)
    bell().ring(code, draft.reading.number)
    return draft.reading
