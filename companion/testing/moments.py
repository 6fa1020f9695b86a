"""Moments of random plays, as everybody who may look at them sees them: for both renderers to draw."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from flask import Flask

from companion.desk.wording import Refusal, refusal_of, voice
from companion.errors import SeatTaken
from companion.fields import Choice, Several
from companion.game import AnyGame, Refused
from companion.games import GAMES
from companion.log import Reading
from companion.log import Table as DbTable
from companion.play import Asked, Broken, Play
from companion.record import read_timed, write_move
from companion.tables import halting, onward, opening, seating
from companion.tables.seating import Asker, hashed
from companion.testing.kit import Table, begins, names_of_cards, option_values, play_on, wild_move
from companion.testing.room import Room, secret
from companion.web.telling import plain_of
from companion.words import LANGUAGES

NAMES = ("Anna", "O'Neil <b>", 'Łucja "Zoë" & co', "Dalibor", "{{ view }}", "${o}", "\\n", "Ὅμηρος")
MOST_MOVES = 600


@dataclass(frozen=True)
class Moment:
    """What somebody sees of a play at one moment."""

    asker: Asker
    seat: int | None
    reading: Reading
    language: str
    refusal: Refusal | None = None
    is_plain: bool = False
    """Whether it is drawn by the page of any game."""
    is_then: bool = False
    """Whether it is looked back at."""


@contextmanager
def reader(app: Flask, language: str) -> Iterator[None]:
    """Be somebody who reads a language."""
    with app.test_request_context("/", headers={"Accept-Language": language}):
        yield


def of_any_game(moment: Moment) -> dict[str, Any]:
    """Give what the pages of any game are told beside."""
    seats = [] if moment.seat is None else moment.asker.seats
    return {"plain": plain_of(moment.reading.play, voice(moment.asker.table), seats)}


def some_table(game: AnyGame, rng: Random) -> Table:
    """Choose seats, and options that go with them."""
    seats = rng.choice(game.players)
    options: dict[str, Any] = {}
    for name, field in game.options.fields.items():
        values = option_values(field, seats)
        value = rng.choice(values) if values else dealt(field, rng)
        if value is not None and rng.random() < 0.6 and begins(game, options | {name: value}, seats):
            options[name] = value
    return Table(game, options, seats)


def dealt(field: Any, rng: Random) -> Any:
    """Deal what is chosen among to the places of a table, each as often as the others; None for any other field."""
    rows = field.inner if isinstance(field, Several) else None
    if not isinstance(rows, Several) or not isinstance(rows.inner, Choice):
        return None
    assert field.length
    assert rows.length
    names = [member.value for member in rows.inner.enum]
    all_of_them = names * (field.length * rows.length // len(names))
    rng.shuffle(all_of_them)
    return [all_of_them[row * rows.length : (row + 1) * rows.length] for row in range(field.length)]


def timed(table: Table, play: Play[Any], rng: Random) -> Iterator[Play[Any]]:
    """Make the moves of a play again, by a clock, as long as they hold."""
    now, again = datetime(2026, 11, 22, tzinfo=UTC), table.begin()
    for number, step in enumerate(play.moves(), 1):
        yield again
        now += timedelta(milliseconds=rng.choice([40, 100, 900, 20_000]))
        data = write_move(table.game, table.seats, step.asked.move)
        move = read_timed(table.game, table.seats, data, f"{now:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z")
        ruling = again.judge(Asked(number, move, step.asked.by))
        if isinstance(ruling, Refused):
            return
        again = ruling
    yield again


def moments(room: Room, key: str, seed: int, most: int) -> Iterator[Moment]:
    """Play a game at random, and look at some moments of it; the last one is always among them."""
    rng = Random(f"{key} {seed}")
    table = some_table(GAMES[key], rng)
    plays = [table.begin(), *play_on(table, rng, MOST_MOVES)]
    if any("at" in schema.fields for schema in table.game.moves(table.seats).values()):
        plays += timed(table, plays[-1], rng)
    found = opened(room, table, rng)
    for number in sorted({*rng.sample(range(len(plays)), min(most, len(plays)) - 1), len(plays) - 1}):
        yield looked_at(room, found, table, plays[number], rng)


def opened(room: Room, table: Table, rng: Random) -> DbTable:
    """Open a table, where the host and a guest may sit."""
    phones = {seat: phone for seat, phone in _phones(rng).items() if seat < table.seats}
    code = room.open(NAMES[: table.seats], phones, table.game.key, **table.options)
    if rng.random() < 0.5:
        _goes_on(room, code)
    # By itself, so that the plays stay what they are.
    halt = Random(repr((table.seats, table.options))).choice([None, None, None, halting.pause, halting.break_off])
    if halt:
        with room.asks(code, "host") as asker:
            halt(asker, "halt")
    if table.seats % 2:
        with room.asks(code, "host") as asker:
            seating.teach(asker, True, "teach")
    with room.app.app_context():
        return seating.find_table(code)


def looked_at(room: Room, found: DbTable, table: Table, play: Play[Any], rng: Random) -> Moment:
    """Look at a play as somebody who may."""
    now, language = play, rng.choice([*LANGUAGES])
    if rng.random() < 0.2 and (before := play.take_back()):
        now = before
    phone, seat = rng.choice([("host", rng.randrange(table.seats)), ("host", 0), ("p1", 1), ("nobody", None)])
    asker = Asker(found, hashed(secret(phone)))
    seat = seat if seat in asker.seats else None
    about = {"is_plain": rng.random() < 0.15, "is_then": rng.random() < 0.05}
    refusal = None
    if seat is not None and rng.random() < 0.3:
        with reader(room.app, language):
            refusal = _refusal(asker, table, play, rng)
    return Moment(asker, seat, Reading(len(play.moves()), now), language, refusal, **about)


def _phones(rng: Random) -> dict[int, str]:
    """Let the host sit down or not, and one guest or none."""
    return rng.choice([{0: "host", 1: "p1"}, {1: "p1"}, {0: "host"}, {}])


def _goes_on(room: Room, code: str) -> None:
    """Open the table of the next game."""
    with room.asks(code, "host") as asker:
        game = GAMES[asker.table.game]
        following = opening.open_table(game, {}, [""] * game.usual_players, hashed(secret("host")))
        onward.go_on(asker, following, "go on")


def _refusal(asker: Asker, table: Table, play: Play[Any], rng: Random) -> Refusal | None:
    """Ask for what cannot be, or come too late."""
    if rng.random() < 0.2:
        return rng.choice(
            [refusal_of(asker.table, SeatTaken()), Refusal("A & B", title="Bo was quicker", is_race=True)]
        )
    cards = names_of_cards(table, play)
    ruling: Play[Any] | Refused | Broken
    for _ in range(20):
        move = wild_move(table, rng, cards)
        numbers = [*play.numbered()]
        if move is not None and numbers and rng.random() < 0.5:
            ruling = play.amend(rng.choice(numbers), move)
        elif move is not None:
            ruling = play.judge(Asked(len(numbers) + 1, move))
        if move is not None and isinstance(ruling, Refused | Broken):
            return refusal_of(asker.table, ruling)
    return None
