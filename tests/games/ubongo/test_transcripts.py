"""Plays of Ubongo as text: each move, the ruling, and what every page then shows. `--regenerate` writes them anew."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from companion import record
from companion.games.ubongo import GAME
from companion.words import Voice

HERE = Path(__file__).parent / "transcripts"
PLAYS = sorted(path.stem for path in HERE.glob("*.json"))


def short(value: Any) -> str:
    """Write a part of a view on one line."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return "[" + ", ".join(short(item) for item in value) + "]"
    if is_dataclass(value):
        return "{" + ", ".join(f"{part.name}: {short(getattr(value, part.name))}" for part in fields(value)) + "}"
    return "–" if value is None else str(value)


def changes(before: Any, view: Any, without: set[str]) -> Iterator[str]:
    for part in fields(view):
        now = getattr(view, part.name)
        then = None if before is None else getattr(before, part.name)
        if part.name in without or now == then:
            continue
        if isinstance(now, tuple) and now and is_dataclass(now[0]):
            yield from (
                f"    {part.name}[{i}]: {short(item)}" for i, item in enumerate(now) if item not in (then or ())
            )
        else:
            yield f"    {part.name}: {short(now)}"


def transcript(data: dict[str, Any]) -> str:
    """Tell a record: what everyone sees where it has changed, and what each seat may do."""
    read = record.read_data(data)
    voice, play = Voice(GAME.words, read.players), read.start
    screen = GAME.view(play.position, None)
    lines = ["at the start", *changes(None, screen, {"seat", "own"})]
    for asked, move in zip(read.moves, read.data, strict=True):
        play = play.judge(asked)
        before, screen = screen, GAME.view(play.position, None)
        lines += [f"{asked.number}. {json.dumps(move)}", *(f"  {voice.event(event)}" for event in play.events)]
        lines += changes(before, screen, {"seat", "own"})
        pages = [GAME.view(play.position, seat) for seat in range(len(read.players))]
        lines += [f"    {name} may: {short(page.own)}" for name, page in zip(read.players, pages, strict=True)]
    return "\n".join([*lines, json.dumps(record.result(play, read.players)), ""])


@pytest.mark.parametrize("name", PLAYS)
def test_a_play_reads_as_its_transcript(name: str, is_regenerating: bool) -> None:
    text, file = transcript(json.loads((HERE / f"{name}.json").read_text("utf-8"))), HERE / f"{name}.txt"
    if is_regenerating:
        file.write_text(text, "utf-8")
    assert file.read_text("utf-8") == text
