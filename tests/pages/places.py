"""Every page there is, at tables of every game in every phase: where axe, the gallery and the measuring go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from companion import record
from companion.games import GAMES
from companion.play import Play
from companion.testing import kit
from companion.testing.kit import Table
from tests.phones import Phone

NAMES = ("Anna", "Bohdan", "Katarzyna", "Dalibor", "Ester", "Felix", "Gabriela Wolfensteinová", "Hugo")


@dataclass(frozen=True, slots=True)
class Setting:
    """A table to look at: a game with options, and how far it is played, from 0 to 1."""

    game: str
    seats: int
    far: tuple[float, ...]
    options: tuple[tuple[str, Any], ...] = ()


SETTINGS = (
    Setting("hanabi", 5, (0.5, 1), (("edition", "pl"), ("multicolour", 10), ("black_powder", True), ("flamboyants", True))),
    Setting("hanabi", 2, (0.4,), (("detail", "tokens"),)),
    Setting("ikebana", 4, (0.5, 1)),
    Setting("ikebana", 3, (0.6,), (("detail", "payments"),)),
    Setting("rage", 4, (0, 0.3, 1)),
    Setting("rage", 8, (0.02,), (("bidding", "hidden"),)),
    Setting("tally", 4, (0.5, 1), (("called", "Kostky"), ("rounds", 3))),
    Setting("ubongo", 4, (0, 0.02, 0.5, 1)),
)  # fmt: skip
ALONE = (
    "/",
    "/settings",
    "/api",
    "/print",
    "/print/hanabi?item=rule_cards",
    "/help",
    "/book/statistics",
    "/judge",
    "/judge/rage?about=trick",
    "/judge/rage?about=trick&trump=R&words=Y8,R4,J:G,CT&turned=B7",
    "/judge/rage?about=score&words=A%3D3,3,0,1+B%3D2,1,1,0&bid=2&tricks=2",
    "/judge/hanabi?about=hint&edition=pl&multicolour=10&black_powder=yes&hand=B1,K4,M2&hint=B",
    "/judge/ikebana?about=bouquet&words=K3,R3,G3,B2,Y2",
    "/judge/ubongo?about=gems&words=A%3D6,4,2,2,2,2+C%3D4,3,2,6,1,0&green=3",
    "/book",
    "/book/import",
    "/groups",
    "/trust",
    "/offline",
    "/nowhere",
    "/t/AAAAAA",
)
"""Pages that belong to no table; the last two say that something is not there."""


def record_of(setting: Setting, far: float, seed: int = 3) -> dict[str, Any]:
    """Write the record of a random evening, broken off so far."""
    plays = list(kit.play_on(table_of(setting), Random(seed)))
    return written(setting, plays[: round(len(plays) * far)])


def table_of(setting: Setting) -> Table:
    """Lay the table of a setting."""
    return Table(GAMES[setting.game], dict(setting.options), setting.seats)


def written(setting: Setting, plays: Sequence[Play[Any]]) -> dict[str, Any]:
    """Write the record of an evening, from the play after each of its moves."""
    game = GAMES[setting.game]
    moves = [play.last.asked.move for play in plays if play.last]
    return {
        "format": "companion-record",
        "version": 1,
        "game": game.key,
        "options": dict(setting.options),
        "players": list(NAMES[: setting.seats]),
        "moves": [record.write_move(game, setting.seats, move) for move in moves],
    }


def laid(host: Phone, setting: Setting, far: float) -> str:
    """Import such an evening and make a phone its host; return the table's code."""
    return str(host.asks("POST", "/records", record_of(setting, far))["table"]["code"])


def taught(host: Phone, setting: Setting) -> str:
    """Open a table whose first round is explained; return its code."""
    wish = {"game": setting.game, "players": list(NAMES[: setting.seats]), "options": dict(setting.options)}
    code = str(host.asks("POST", "/tables", {**wish, "is_taught": True})["table"]["code"])
    host.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    return code


def places(host: Phone, setting: Setting) -> Iterator[tuple[str, str]]:
    """Yield (what it is, path) of all pages of a game's tables, laid one after the other."""
    for far in setting.far:
        code = laid(host, setting, far)
        label = f"{setting.game}-{setting.seats}-{round(far * 100)}"
        yield f"{label}-seat", f"/t/{code}/0"
        yield f"{label}-screen", f"/t/{code}/screen"
        if far < 1:
            yield f"{label}-start", f"/t/{code}/start"
        if far == min(setting.far):
            yield f"{label}-seats-then", f"/t/{code}/seats"
            for halt in ("paused", "broken_off"):
                host.asks("PUT", f"/tables/{code}/halt", {"halt": halt})
                yield f"{label}-{halt}-seat", f"/t/{code}/0"
                yield f"{label}-{halt}-screen", f"/t/{code}/screen"
        if far == 1:
            for page in ("history", "seats", "rules", "result", "sheet", "evening"):
                yield f"{label}-{page}", f"/t/{code}/{page}"
            yield f"{label}-step", f"/t/{code}/steps?at=2"
            yield f"{label}-step-of-a-seat", f"/t/{code}/steps?at=2&seat=0"
            yield f"{setting.game}-book", f"/book?game={setting.game}"
            yield f"{setting.game}-people", "/book/people"
            yield f"{label}-amend", f"/t/{code}/history/1"
            yield f"{label}-print", f"/print?code={code}"
            yield f"{setting.game}-help", f"/help/{setting.game}"
            yield f"{setting.game}-judge", f"/judge/{setting.game}"
            yield f"{label}-ask-at-table", f"/t/{code}/ask"
            yield f"{setting.game}-open", f"/open/{setting.game}"
            yield f"{setting.game}-statistics", "/book/statistics?player=Anna"
            code = taught(host, setting)
            yield f"{label}-taught-seat", f"/t/{code}/0"
            yield f"{label}-taught-screen", f"/t/{code}/screen"
