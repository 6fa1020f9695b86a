"""Plays handed on to other programs: files, and what they say of an evening."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from flask import Response, stream_with_context
from flask_babel import gettext as _

from companion import log
from companion.desk import wording
from companion.desk.options import fields_of
from companion.desk.phone import phone
from companion.desk.wording import names, voice
from companion.errors import BrokenOff, CompanionError, NotOver, NotThere
from companion.games import known
from companion.intake import local
from companion.kernel.figures import LEFT
from companion.log import Table, raw
from companion.log.unruled import UNRULED
from companion.play import Play
from companion.record import winners
from companion.tables import evenings, holders
from companion.tables.evenings import Evening
from companion.tables.halting import BROKEN_OFF
from companion.tables.seating import Asker


def handed_on(table: Table, file: str) -> Response:
    """Hand a play on to a spreadsheet, to BG Stats, or as a record. Raises: NotOver, NotThere."""
    if file not in FILES:
        raise NotThere
    kind, write = FILES[file]
    return answered(list(write(table)), kind, f"{table.code}-{file}")


def _evening_alone(table: Table) -> list[Evening]:
    evening = evening_of(table)
    if evening is None:
        raise BrokenOff if table.halt == BROKEN_OFF else NotOver
    return [evening]


FILES: Mapping[str, tuple[str, Callable[[Table], Iterable[bytes]]]] = {
    "plays.csv": ("text/csv", lambda table: evenings.plays_csv(_evening_alone(table))),
    "rounds.csv": ("text/csv", lambda table: evenings.rounds_csv(_evening_alone(table))),
    "play.bgsplay": ("application/json", lambda table: evenings.bgsplay(_evening_alone(table))),
    "record.json": ("application/json", lambda table: [evenings.record_json(record(table))]),
}
"""What a play can be handed on as: its kind, and how it is written."""


Tell = Callable[[CompanionError], None]
"""Is told what cannot be ruled on any more."""


def told_elsewhere(error: CompanionError) -> None:
    """Say nothing: pages name these tables, and an archive names what is not in it."""


def finished(tables: Iterable[Table], tell: Tell) -> Iterator[Evening]:
    """Sum up the tables whose games are over."""
    return filter(None, (evening_of(table, tell) for table in tables))


def evening_of(table: Table, tell: Tell | None = None) -> Evening | None:
    """Sum up a table whose game is over; None while it is not.

    Args:
        table: which one.
        tell: is told where nothing but the stored result is known.

    Raises:
        UNRULED: so it is, and nobody is there to be told.
    """
    if table.result is None:
        return None
    evening = Evening(
        code=table.code,
        game=known(table.game),
        called=known(table.game).called(table.options),
        opened=local(table.opened),
        closed=local(table.closed or table.opened),
        players=names(table),
        begins=None,
        standing=tuple(table.result["standing"]),
        winners=winners(known(table.game), table.result),
        options="",
        comments="",
        location=table.location,
        is_low=_is_low(table),
    )
    try:
        with log.as_ruled(table):
            return _played(evening, table, log.fold(table))
    except UNRULED as error:
        if tell is None:
            raise
        tell(error)
        return replace(_until(evening, raw.played_to(table)), is_low=_has_ended_low(evening))


def _until(evening: Evening, at: str | None) -> Evening:
    """Let it end when its last move was made, where that is known."""
    return replace(evening, closed=local(at)) if at else evening


def _is_low(table: Table) -> bool:
    """Say whether the fewest points win at a table."""
    asked = known(table.game).won_by_fewest
    return asked is not None and all(table.options.get(name) == value for name, value in asked.items())


def _has_ended_low(evening: Evening) -> bool:
    """Say of a table of which the result alone is known whether the fewest points have won there."""
    best, last = evening.standing[0]["score"], evening.standing[-1]["score"]
    return evening.is_low if best == last else bool(best < last)


def _played(evening: Evening, table: Table, play: Play[Any]) -> Evening:
    """Add what only the game knows."""
    speak, course = voice(table), play.game.course(play.positions())
    return replace(
        _until(evening, play.last.asked.at if play.last else None),
        begins=play.game.begins(play.start),
        options=", ".join(_chosen(table)),
        comments=" ".join([*(speak.event(reason) for reason in play.game.reasons(play.position)), *_gone(table)]),
        course=course.lines if course else (),
    )


def _gone(table: Table) -> list[str]:
    """Say which seats another hand has played to the end."""
    named = names(table)
    gone = [seating.seat for seating in table.seatings if (seating.figures or {}).get(LEFT)]
    return [str(_("%(name)s had to go, and another hand played on.", name=named[seat])) for seat in gone]


def record(table: Table) -> dict[str, Any]:
    """Write the record of a table; where its log does not hold here, as it was entered, if nothing of it may be secret.

    Raises:
        UNRULED: something may be.
    """
    try:
        return log.record_of(table)
    except UNRULED:
        entries = log.entries(table)
        if len(holders.readable(Asker(table, phone()), entries)) < len(entries):
            raise
        return raw.record(table)


def records(tables: Iterable[Table], tell: Tell, write: Callable[[Table], dict[str, Any]] = record) -> Iterator[bytes]:
    """Write an archive of records; what has to be left out is named in it."""
    left_out: list[str] = []

    def written() -> Iterator[dict[str, Any]]:
        for table in tables:
            try:
                yield write(table)
            except UNRULED as error:
                tell(error)
                left_out.append(wording.said(error))

    return evenings.records_zip(written(), left_out)


def answered(content: Iterable[bytes], kind: str, name: str) -> Response:
    """Answer with a file to keep."""
    sent = stream_with_context(iter(content))
    return Response(sent, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _chosen(table: Table) -> list[str]:
    """Name the options that were chosen, in the reader's words."""
    fields = [field for field in fields_of(log.game_of(table), table.options, {}) if field["name"] in table.options]
    said = []
    for field in fields:
        if field["kind"] == "switch" and field["value"]:
            said.append(str(field["label"]))
        said += [
            str(_("%(option)s: %(value)s", option=field["label"], value=label))
            for value, label, _help in field["choices"]
            if value == field["value"]
        ]
    return said
