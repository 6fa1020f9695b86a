"""Plays as text: each move, the ruling, and what it changed on whose screen. `--regenerate` writes them anew.

A transcript begins with the game, the players and the options, and, where it is ruled by an older version of the rules,
with that one (`rules: 1`); its moves are the lines that begin with `>`:

    game: cairn
    players: Anna, Bohdan
    options: {}

    > {"move": "lay", "seat": 0, "die": 5}
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import takewhile
from pathlib import Path
from textwrap import fill
from typing import Any

from companion import record
from companion.game import Refused
from companion.games import GAMES
from companion.play import Asked, Play
from companion.words import Voice

HEAD = ["game", "players", "options"]


def check(path: Path, is_regenerating: bool) -> None:
    """Hold a play to its transcript, or write the transcript anew."""
    text = path.read_text("utf-8")
    if is_regenerating:
        path.write_text(written(text), "utf-8")
    assert path.read_text("utf-8") == written(text)


def said(value: Any, voice: Voice) -> str | None:
    """Say a value in one breath; None for what has parts with names."""
    if isinstance(value, Enum):
        return voice.say(value) if value in voice.words.names else value.name.lower()
    if type(value) in voice.words.sentences:
        return voice.say(value)
    if isinstance(value, tuple):
        items = [said(item, voice) for item in value]
        return None if None in items else f"({', '.join(map(str, items))})"
    return None if is_dataclass(value) else str(value)


def flat(value: Any, voice: Voice, place: str = "") -> dict[str, str]:
    """List what a view shows by its place (`players[1].bid`)."""
    text = said(value, voice)
    if text is not None:
        return {place: text}
    if isinstance(value, tuple):
        parts = {f"{place}[{index}]": item for index, item in enumerate(value)}
    else:
        parts = {f"{place}.{part.name}".lstrip("."): getattr(value, part.name) for part in fields(value)}
    return {key: one for name, part in parts.items() for key, one in flat(part, voice, name).items()}


def screens(play: Play[Any], voice: Voice) -> dict[str, dict[str, str]]:
    """Gather what every seat sees, and the spectators."""
    seats = {name: seat for seat, name in enumerate(voice.players)}
    return {
        viewer: flat(play.game.view(play.position, seat), voice) for viewer, seat in [*seats.items(), ("Screen", None)]
    }


def changes(before: dict[str, str], after: dict[str, str]) -> str:
    """Write what is different: `place: now`, or `place gone`."""
    new = [f"{place}: {text}" for place, text in after.items() if before.get(place) != text]
    return "; ".join(new + [f"{place} gone" for place in before if place not in after])


def seen(before: dict[str, dict[str, str]], after: dict[str, dict[str, str]]) -> list[str]:
    """Write what changed on the screens, those that changed alike in one line."""
    viewers: dict[str, list[str]] = {}
    for viewer, now in after.items():
        viewers.setdefault(changes(before.get(viewer, {}), now), []).append(viewer)
    lines = [f"{', '.join(names)} – {change or 'nothing new'}" for change, names in viewers.items()]
    return [fill(line, 120, initial_indent=" " * 4, subsequent_indent=" " * 6) for line in lines]


def written(text: str) -> str:
    """Play the moves of a transcript, and write it as it must be."""
    above = list(takewhile(bool, text.splitlines()))
    head = dict(line.split(": ", 1) for line in above)
    assert list(head) in (HEAD, [*HEAD, "rules"]), f"a transcript begins with {', '.join(HEAD)}, and may name its rules"
    game, players = GAMES[head["game"]], head["players"].split(", ")
    voice = Voice(game.words, players)
    rules = json.loads(head["rules"]) if "rules" in head else None
    play = record.opened(game, json.loads(head["options"]), len(players), rules)
    first = screens(play, voice)
    lines = [*above, "", *seen({}, {"Screen": first.pop("Screen")})]
    lines += seen(dict.fromkeys(first, screens(play, voice)["Screen"]), first)
    for number, line in enumerate([line for line in text.splitlines() if line.startswith(">")], 1):
        lines += ["", line]
        ruling = play.judge(Asked(number, record.read_move(game, len(players), json.loads(line[1:]))))
        if isinstance(ruling, Refused):
            lines.append(f"  refused, {ruling.rule.key}: {voice.rule(ruling.rule, ruling.facts)}")
            continue
        lines += [f"  {voice.event(event)}" for event in ruling.events]
        lines += [f"  remark, {remark.rule.key}: {voice.rule(remark.rule, remark.facts)}" for remark in ruling.remarks]
        lines += seen(screens(play, voice), screens(ruling, voice))
        play = ruling
    return "\n".join(lines) + "\n"
