"""Every option of every game, given in words: to a command, in an address, by a program, and refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from click import ClickException

from companion.commands import printing
from companion.desk.paper import of_game
from companion.fields import AnySeat, CardName, Choice, Switch, Whole
from companion.game import AnyGame
from companion.games import GAMES
from companion.games.ubongo.gems import COPIES, HOLES, ROWS, Colour
from tests.web.conftest import House, Phone, build, house, phone

__all__ = ["build", "house", "phone"]

GEMS = [colour.value for colour in Colour for _ in range(COPIES)]
BOARD = [GEMS[row * HOLES : (row + 1) * HOLES] for row in range(ROWS)]
LISTS: dict[tuple[str, str], tuple[str, list[Any]]] = {
    ("ubongo", "board"): (";".join(",".join(row) for row in BOARD), BOARD),
    ("ubongo", "pawns"): ("0,5,2,2", [0, 5, 2, 2]),
    ("tally", "called"): ("Tysiąc 2", "Tysiąc 2"),
}
TRUTHS = {"true": True, "false": False, "on": True, "off": False}
TYPED = [*TRUTHS.items(), ("True", True), ("OFF", False)]


def values(game: AnyGame, name: str) -> Iterator[tuple[str, Any]]:
    """List what can be typed for an option, and what it means."""
    match game.options.fields[name]:
        case Switch():
            yield from TYPED
        case Choice() as part:
            for member in part.enum:
                words = [word for word, truth in TYPED if truth is member.value] or [str(member.value)]
                yield from ((word, member.value) for word in words)
        case AnySeat():
            yield from (("0", 0), ("2", 2))
        case Whole():
            yield "60", 60
        case _:
            yield LISTS[game.key, name]


SEATS = 4


def meant(key: str, options: dict[str, Any]) -> Any:
    """Give what options come to."""
    return GAMES[key].options.load(options)


@pytest.mark.parametrize("key", GAMES)
def test_an_option_is_read_alike_by_command_in_an_address_and_by_programs(house: House, key: str) -> None:
    house.app.config["COMPANION"] = replace(house.settings, homes=0)  # as many tables as it takes
    program, game = house.app.test_client(), GAMES[key]
    for name, word, value in ((each, *one) for each in game.options.fields for one in values(game, each)):
        assert printing._options([game], SEATS, [f"{name}={word}"]) == {key: {name: value}}
        # A form of ours sends every box that is ticked; an address without it says what is chosen.
        boxes = [box for box, part in game.options.fields.items() if isinstance(part, Switch)]
        for own, others in (("", {}), ("rules=own&", dict.fromkeys(boxes, False))):
            with house.app.test_request_context(f"/print/{key}?players={SEATS}&{own}{name}={word}"):
                sheet = of_game(key, "score_sheet")
            assert sheet.errors == {}, (name, word)
            assert meant(key, dict(sheet.options)) == meant(key, {**others, name: value}), (name, word, own)
        for said in (value, word) if word in TRUTHS else (value,):
            body = {"game": key, "players": [""] * SEATS, "options": {name: said}}
            opened = program.post("/api/tables", json=body)
            assert opened.status_code == 201, opened.text
            code = opened.json["table"]["code"]
            assert meant(key, program.get(f"/api/tables/{code}").json["options"]) == meant(key, {name: value})


@pytest.mark.parametrize("key", GAMES)
def test_a_word_that_is_no_value_is_refused_with_those_that_are(
    house: House, phone: Callable[..., Phone], key: str
) -> None:
    visitor = phone()
    for name, part in GAMES[key].options.fields.items():
        wrong = "loud" * 11 if isinstance(part, CardName) else "loud"
        with pytest.raises(ClickException, match=rf"^{name}\b") as refused:
            printing._options([GAMES[key]], SEATS, [f"{name}={wrong}"])
        body = {"game": key, "players": [""] * SEATS, "options": {name: wrong}}
        told = visitor.asks("/api/tables", "POST", json=body).json["detail"]
        with house.app.test_request_context(f"/print/{key}?{name}={wrong}"):
            (place,) = of_game(key, "score_sheet").errors
            assert place.startswith(name)
        if isinstance(part, Switch | Choice):
            listed = told.partition("Allowed: ")[2].rstrip(".").split(", ")
            assert listed[0], told
            for word in listed:
                assert printing._options([GAMES[key]], SEATS, [f"{name}={word}"]), (name, word)
                data = json.loads(word) if word in {"true", "false"} or word.isdecimal() else word
                meant(key, {name: data})
            assert refused.value.message.endswith(told.partition(": ")[2])
