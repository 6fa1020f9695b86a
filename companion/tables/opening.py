"""Opening a table, fresh or from a record, and closing it with its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from companion import log
from companion.errors import AlreadyHere
from companion.game import AnyGame
from companion.intake import read_moment
from companion.kernel.figures import LEFT
from companion.log import Changes, Post, Seating, Table, makings, raw
from companion.log.codes import CODE_LENGTH, fresh_codes, is_code
from companion.log.names import clean_name
from companion.log.unruled import UNRULED
from companion.play import Play
from companion.record import Replayed, bare, opened, result, write
from companion.tables.noting import NO_NOTES, Notes, noted


def open_table(  # noqa: PLR0913 (who plays what, how, for whom, and by which post)
    game: AnyGame,
    options: Mapping[str, Any],
    names: Sequence[str],
    phone: str,
    *,
    notes: Notes = NO_NOTES,
    is_taught: bool = False,
    post: Post | None = None,
) -> Table:
    """Open a table; its host is the phone that asks.

    Args:
        game: which game.
        options: as data.
        names: one per seat, clockwise; "" for whoever sits down there.
        phone: the host's, hashed.
        notes: where they play, and in whose book it shall stand.
        is_taught: whether the first round is explained as it is played.
        post: what asks for it; one that was heard already is given its table again.

    Raises:
        KeyReused: the post asks for something else than before.
        RecordError: the options cannot be, or not with so many seats.
        BadName, BadNote: a name or a note cannot be taken.
        NotThere: the phone is not in that group.
    """
    if earlier := makings.made_table(post):
        return earlier
    opened(game, dict(options), len(names))
    table = _fresh(game, differing(game, options), _said(names), phone)
    _set(table, {**noted(notes, phone), "is_taught": is_taught})
    return _store(table, post=post)


def open_from(replayed: Replayed, phone: str, post: Post | None = None) -> Table:
    """Open a table from a record that holds, the whole of it or nothing; under its own code, where that is free.

    Args:
        replayed: the record, judged.
        phone: the host's, hashed.
        post: what asks for it; one that was heard already is given its table again.

    Raises:
        KeyReused: the post asks for something else than before.
        AlreadyHere: the very same play is here, under the record's code.
        BadName: a name cannot be taken.
        NotSaved: nothing was written.
    """
    record, about = replayed.record, replayed.record.about
    table = _fresh(record.game, record.options, _said(record.players), phone)
    table.rules = record.rules
    code = about.get("table", "").upper()
    code = code if is_code(code, CODE_LENGTH) else ""
    known = log.find(code) if code else None
    # In this order: a copy of the post that was quicker has kept its table and its key at once.
    if earlier := makings.made_table(post):
        return earlier
    if known and _is_same(known, replayed):
        raise AlreadyHere(code=code)
    entries = _entries(replayed)
    _set(table, noted(Notes(about.get("location"), about.get("title")), phone))
    began, ended = (read_moment(about[name]) if about.get(name) else None for name in ("opened", "closed"))
    table.opened = began or table.opened
    last = ended or (record.moves[-1].at if record.moves else None)
    if ending := closing(table, replayed.play, last or table.opened):
        _set(table, ending.table)
        for seat, values in ending.seats.items():
            _set(table.seatings[seat], values)
    return _store(table, entries, code, post)


def closing(table: Table, play: Play[Any], at: str) -> Changes | None:
    """Store the result of a game that has ended with this entry, as it was ruled; or take it out again.

    Args:
        table: where it is played, as people sit after the entry.
        play: after the entry.
        at: when it was entered.
    """
    if play.game.standing(play.position).is_finished:
        ruled = result(play, [seating.name for seating in table.seatings])
        counted = [{**figures, **_left(seat)} for figures, seat in zip(play.figures(), table.seatings, strict=True)]
        seats = {
            place["seat"]: {"rank": place["rank"], "score": place["score"], "figures": counted[place["seat"]]}
            for place in ruled["standing"]
        }
        return Changes({"closed": at, "result": ruled}, seats)
    if not table.closed:
        return None
    nothing = {"rank": None, "score": None, "figures": None}
    return Changes({"closed": None, "result": None}, dict.fromkeys(range(play.seats), nothing))


def _entries(replayed: Replayed) -> list[dict[str, Any]]:
    """Write the moves of a record as the entries of a log."""
    record, play = replayed.record, replayed.play
    stood = [record.start.standing, *(play.until(step).standing for step in play.moves())]
    return [
        {"kind": "move", "seat": data.get("seat"), "by": asked.by, "data": bare(data), "key": f"import.{asked.number}",
         "number": asked.number, "at": asked.at or "", "standing": None if now == was else now}
        for asked, data, (was, now) in zip(record.moves, record.data, pairwise(stood), strict=True)
    ]  # fmt: skip


def _left(seating: Seating) -> dict[str, int]:
    """Note that another hand has played a seat to the end, even where who had to go has sat down again since."""
    return {LEFT: 1} if seating.has_left or LEFT in (seating.figures or {}) else {}


def _is_same(table: Table, replayed: Replayed) -> bool:
    """Say whether a table's record and another one tell the same play."""
    record = replayed.record
    told = write(replayed.play, record.options, record.players)
    try:
        here = log.record_of(table)
    except UNRULED:
        here = raw.record(table)
    return all(told[part] == here[part] for part in ("game", "moves")) and len(record.players) == len(table.seatings)


def _set(row: object, columns: Mapping[str, Any]) -> None:
    for column, value in columns.items():
        setattr(row, column, value)


def _said(names: Sequence[str]) -> list[str]:
    return [clean_name(name) if name.strip() else "" for name in names]


def _fresh(game: AnyGame, options: Mapping[str, Any], names: Sequence[str], host: str) -> Table:
    seatings = [Seating(seat=seat, name=name) for seat, name in enumerate(names)]
    played = {"game": game.key, "rules": game.version, "options": dict(options)}
    return Table(**played, host=host, is_locked=False, opened=log.now(), seatings=seatings)


def _store(table: Table, entries: Sequence[Mapping[str, Any]] = (), code: str = "", post: Post | None = None) -> Table:
    """Store a fresh table under a code that no other has; the one asked for, if it is free.

    Raises: KeyReused, NotSaved.
    """
    return log.open_table(table, chain([code] if code else [], fresh_codes()), entries, post)


def differing(game: AnyGame, options: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the options that make a difference."""
    kept = dict(options)
    for option in options:
        fewer = {name: value for name, value in kept.items() if name != option}
        if game.options.load(fewer) == game.options.load(kept):
            kept = fewer
    return kept
