"""Runs the tables of examples: each row is a record, and what the referee must make of it.

A row names its `source` and gives `moves` as in the table record, after as many `after_rounds` (default 0) in which
nobody solves anything. Its `board` may be one of `BOARDS` by name; `rows` sets how many gems each row still has. It
expects any of: `refused` (the rule that the last move breaks) and its `reason`, `error` (the place, where the record
cannot be opened), `finished`, `summary`, which may leave out what it does not mean (but of `gems` all that somebody
has), `standing` ([seat, rank, score]), `tiebreaks` (in the order of the standing), `starter`, `reach` ([seat, the rows
where its pawn may go]), `asked` (the seats that are asked whether their hands were in time), `remarks` ([number, rule,
text]) and `says` (all that the last move made happen; the seats are called A, B, C, D). Without `refused` every move is
accepted, without `remarks` nothing is remarked on.

In the table `questions` a row gives the `words` and `options` of a question, and expects the `rule` and what the
referee `says`, perhaps the `data`, or a part of the `error`.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from companion import record
from companion.desk.verdict import answer
from companion.game import Accepted, Refused
from companion.games.ubongo import GAME
from companion.games.ubongo.gems import Colour
from companion.games.ubongo.moves import Place, Rule
from companion.play import Play
from companion.words import Voice
from tests.examples import part_of

Row = dict[str, Any]
COLOURS = [colour.value for colour in Colour]
BOARDS = {
    "one colour a row": [[colour] * 12 for colour in COLOURS],
    # The first row begins green, red, blue …; each further one a colour later.
    "rainbow": [[COLOURS[(row + hole) % 6] for hole in range(12)] for row in range(6)],
}
TABLES = {
    path.stem: json.loads(path.read_text("utf-8")) for path in (Path(__file__).parent / "examples").glob("*.json")
}
QUESTIONS: list[Row] = TABLES["questions"]
RECORDS: list[Row] = [row for topic in sorted(TABLES) if topic != "questions" for row in TABLES[topic]]
POSSIBLE = {"error", "refused", "reason", "finished", "summary", "standing", "tiebreaks", "starter", "reach", "says"}
POSSIBLE |= {"asked", "remarks"}
KEYS = {"name", "source", "players", "options", "after_rounds", "rows", "moves"} | POSSIBLE


def options_of(row: Row) -> dict[str, Any]:
    options = dict(row.get("options", {}))
    if isinstance(options.get("board"), str):
        options["board"] = BOARDS[options["board"]]
    return options


def data_of(row: Row) -> dict[str, Any]:
    """Write a row as a table record."""
    return {
        "format": "companion-record",
        "version": 1,
        "game": "ubongo",
        "options": options_of(row),
        "players": [chr(ord("A") + seat) for seat in range(row["players"])],
        "moves": [*(move for _ in range(row.get("after_rounds", 0)) for move in vain_round()), *row["moves"]],
    }


def vain_round() -> Iterator[dict[str, Any]]:
    yield {"move": "roll", "symbol": 1}
    yield from ({"move": "time_up"}, {"move": "time_up"})


def replayed(row: Row) -> record.Replayed:
    read = record.read_data(data_of(row))
    if "rows" in row:
        position = replace(read.start.position, rows=tuple(row["rows"]))
        read = replace(read, start=replace(read.start, start=position))
    return record.replay(read)


def summary_of(row: Row) -> dict[str, Any]:
    """Spell out what a row expects of the summary: of colours that it does not name nobody has a gem."""
    expected = dict(row["summary"])
    if "gems" in expected:
        expected["gems"] = [dict.fromkeys(COLOURS, 0) | taken for taken in expected["gems"]]
    return expected


@pytest.mark.parametrize("row", [row for row in RECORDS if "error" not in row], ids=lambda row: row["name"])
def test_the_referee_rules_as_the_example_says(row: Row) -> None:
    ruled = replayed(row)
    said = record.outcome(ruled)
    refused = said["refused"] and said["refused"]["rule"]
    assert refused == row.get("refused"), said["refused"]
    if "reason" in row:
        assert said["refused"]["reason"] == row["reason"]
    assert said["moves"] == len(data_of(row)["moves"]) - bool(refused)
    assert [list(remark.values()) for remark in said["remarks"]] == row.get("remarks", [])
    assert said["finished"] == row.get("finished", False)
    if "summary" in row:
        expected = summary_of(row)
        assert part_of(expected, said["summary"]) == expected
    if "standing" in row:
        assert [[place["seat"], place["rank"], place["score"]] for place in said["standing"]] == row["standing"]
    if "tiebreaks" in row:
        assert [place["tiebreak"] for place in said["standing"]] == row["tiebreaks"]
    if "starter" in row:
        assert GAME.view(ruled.play.position, None).starter == row["starter"]
    if "asked" in row:
        assert list(ruled.play.position.asked) == row["asked"]
    if "says" in row:
        assert sentences(ruled.play, data_of(row)["players"]) == row["says"]


def sentences(play: Play[Any], players: list[str]) -> list[str]:
    voice = Voice(GAME.words, players)
    return [voice.event(event) for event in play.events]


@pytest.mark.parametrize("row", [row for row in RECORDS if "error" in row], ids=lambda row: row["name"])
def test_a_record_with_options_that_cannot_be_names_the_option(row: Row) -> None:
    with pytest.raises(record.RecordError) as caught:
        record.read_data(data_of(row))
    assert caught.value.place == row["error"]
    if "refused" in row:
        refused = GAME.start(GAME.options.load(options_of(row)), row["players"])
        assert isinstance(refused, Refused)
        assert refused.rule.key == row["refused"]
        assert Voice(GAME.words, []).rule(refused.rule, refused.facts) == row.get("reason", ANY)


@pytest.mark.parametrize("row", [row for row in RECORDS if "reach" in row], ids=lambda row: row["name"])
def test_a_pawn_goes_just_where_the_example_says(row: Row) -> None:
    position = replayed(row).play.position
    seat, rows = row["reach"]
    tries = [to for to in range(-3, 10) if isinstance(GAME.judge(position, Place(seat, to)), Accepted)]
    assert tries == rows
    assert list(GAME.view(position, seat).own.rows) == rows
    assert [move.row for move in GAME.legal(position, seat) if isinstance(move, Place) and not move.in_time] == rows


@pytest.mark.parametrize("row", [row for row in QUESTIONS if "error" not in row], ids=lambda row: row["name"])
def test_a_question_is_answered_as_the_example_says(row: Row) -> None:
    verdict = GAME.question.answer(row["words"], row.get("options", {}))
    assert verdict.rule.key == row["rule"]
    assert [Voice(GAME.words, ()).say(part) for part in verdict.says] == row["says"]
    assert json.loads(json.dumps(verdict.data)) == row.get("data", verdict.data)


@pytest.mark.parametrize("row", [row for row in QUESTIONS if "error" in row], ids=lambda row: row["name"])
def test_a_question_that_cannot_be_read_names_what_would_do(row: Row) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        answer(GAME, row["words"], row.get("options", {}), "en")
    assert row["error"] in str(caught.value)


def test_every_option_of_the_question_is_met_by_an_example() -> None:
    assert {name for row in QUESTIONS for name in row.get("options", {})} == set(GAME.question.options)


def test_every_rule_is_met_by_an_example() -> None:
    met = {row["refused"] for row in RECORDS if "refused" in row} | {row["rule"] for row in QUESTIONS if "rule" in row}
    met |= {rule for row in RECORDS for _, rule, _ in row.get("remarks", [])}
    assert met == {rule.key for rule in Rule}


def test_every_option_is_met_by_an_example() -> None:
    rows = [row.get("options", {}) for row in RECORDS if "error" not in row]
    for name, field in GAME.options.fields.items():
        values = [member.value for member in getattr(field, "enum", ())]
        assert any(name in options for options in rows), name
        assert all(any(options.get(name) == value for options in rows) for value in values), name


@pytest.mark.parametrize("row", RECORDS, ids=lambda row: row["name"])
def test_an_example_says_what_it_expects_and_where_it_comes_from(row: Row) -> None:
    assert set(row) <= KEYS
    assert row["source"]
    assert set(row) & POSSIBLE
