"""Runs the tables of examples: a row is a record and what the referee must make of it, or a question and its answer.

A row names its `source` and gives `moves` in short, after as many `after_rounds` (default 0) in which seat 0 gathers
black 1 to 5, seat 1 red ones and so on, 60 points each. In short a move is "seat keep card", "seat refuse card card …",
"seat buy from" or "seat bouquet card …"; where only payments are told, "seat keep", "seat refuse *times" or "seat buy
from price". A row expects any of: `refused` (the rule that the last move breaks) and its `reason`, `error` (the place, where the record
is none), `finished`, `summary` (which may leave out what it does not mean), `standing` ([seat, rank, score]), `payees`
(before each of the last moves), `starters` (of each round), `says` (all that the last move made happen) and `reasons`
(why the standing is so, as sentences). Without `refused` every move is accepted, without `remarks` nothing is remarked on.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from companion import record
from companion.desk.verdict import Answer, answer
from companion.game import Accepted, Refused
from companion.games.ikebana import GAME
from companion.games.ikebana.moves import Refuse, Rule
from companion.games.ikebana.position import Detail, Options
from companion.games.ikebana.rules import judge, start
from companion.words import Voice
from tests.examples import part_of

Row = dict[str, Any]
TABLES = {
    path.stem: json.loads(path.read_text("utf-8")) for path in (Path(__file__).parent / "examples").glob("*.json")
}
QUESTIONS: list[Row] = TABLES["bouquets"]
PURSES: list[Row] = TABLES["purses"]
RECORDS: list[Row] = [row for topic in sorted(TABLES.keys() - {"bouquets", "purses"}) for row in TABLES[topic]]
KEYS = {"name", "source", "players", "options", "after_rounds", "moves"}
POSSIBLE = {"error", "refused", "reason", "finished", "summary", "standing", "payees", "starters", "says", "reasons"}
POSSIBLE |= {"remarks"}
COLOURS = "KRGBY"


def data_of(row: Row) -> dict[str, Any]:
    """Write a row as a table record."""
    options = row.get("options", {})
    return {
        "format": "companion-record",
        "version": 1,
        "game": "ikebana",
        "options": options,
        "players": [f"Player {seat}" for seat in range(row["players"])],
        "moves": [*plain_rounds(row), *(move for text in row["moves"] for move in in_full(text))],
    }


def plain_rounds(row: Row) -> Iterator[dict[str, Any]]:
    seats, options = row["players"], row.get("options", {})
    order = [(options.get("first_seat", 0) + place) % seats for place in range(seats)]
    is_told = options.get("detail") != "payments"
    for _ in range(row.get("after_rounds", 0)):
        for value in range(1, 6):
            yield from (
                {"move": "keep", "seat": s} | ({"card": f"{COLOURS[s]}{value}"} if is_told else {}) for s in order
            )
        if not is_told:
            yield from (
                {"move": "bouquet", "seat": s, "cards": [f"{COLOURS[s]}{n}" for n in range(1, 6)]} for s in order
            )


def in_full(text: str) -> Iterator[dict[str, Any]]:
    """Spell out moves that are written in short."""
    seat, kind, *words = text.split()
    move: dict[str, Any] = {"move": kind, "seat": int(seat)}
    if kind == "bouquet":
        yield move | {"cards": words}
    elif kind == "buy":
        yield move | dict(zip(("from", "price"), map(int, words), strict=False))
    elif words and words[0].startswith("*"):
        yield from [move] * int(words[0][1:])
    else:
        yield from (move | ({"card": word} if word else {}) for word in words or [""])


@pytest.mark.parametrize("row", [row for row in RECORDS if "error" not in row], ids=lambda row: row["name"])
def test_the_referee_rules_as_the_example_says(row: Row) -> None:
    data = data_of(row)
    said = record.outcome(record.replay(record.read_data(data)))
    refused = said["refused"] and said["refused"]["rule"]
    assert refused == row.get("refused"), said["refused"]
    if "reason" in row:
        assert said["refused"]["reason"] == row["reason"]
    assert said["moves"] == len(data["moves"]) - (1 if refused else 0)
    assert said["remarks"] == row.get("remarks", [])
    assert said["finished"] == row.get("finished", row.get("after_rounds") == 4)
    if "summary" in row:
        assert part_of(row["summary"], said["summary"]) == row["summary"]
    if "standing" in row:
        assert [[place["seat"], place["rank"], place["score"]] for place in said["standing"]] == row["standing"]


@pytest.mark.parametrize("row", [row for row in RECORDS if "error" in row], ids=lambda row: row["name"])
def test_a_record_that_is_wrong_in_form_names_the_place(row: Row) -> None:
    with pytest.raises(record.RecordError) as caught:
        record.read_data(data_of(row))
    assert caught.value.place == row["error"]
    if "refused" in row:
        refused = GAME.start(GAME.options.load(row.get("options", {})), row["players"])
        assert isinstance(refused, Refused)
        assert refused.rule.key == row["refused"]
        assert Voice(GAME.words, []).rule(refused.rule, refused.facts) == row.get("reason", ANY)


@pytest.mark.parametrize("row", [row for row in RECORDS if "payees" in row], ids=lambda row: row["name"])
def test_the_price_goes_to_whom_the_example_says(row: Row) -> None:
    ruled = record.replay(record.read_data(data_of(row))).play.moves()
    last = ruled[len(ruled) - len(row["payees"]) :]
    assert [GAME.summary(step.was)["payee"] for step in last] == row["payees"]


@pytest.mark.parametrize("row", [row for row in RECORDS if {"says", "reasons"} & set(row)], ids=lambda row: row["name"])
def test_the_referee_says_what_the_example_says(row: Row) -> None:
    data = data_of(row)
    play = record.replay(record.read_data(data)).play
    voice = Voice(GAME.words, data["players"])
    said = {"says": play.events, "reasons": GAME.reasons(play.position)}
    for part in {"says", "reasons"} & set(row):
        assert [voice.event(event) for event in said[part]] == row[part]


@pytest.mark.parametrize(
    ("word", "is_doubled"), [("yes", True), ("true", True), ("no", False), ("false", False), (None, False)]
)
def test_a_final_bouquet_is_asked_for_in_words(word: str | None, is_doubled: bool) -> None:
    verdict = GAME.question.answer(["K3", "R3", "G3", "B2", "Y2"], {"final": word} if word else {})
    assert verdict.data["total"] == (78 if is_doubled else 39)
    said = [Voice(GAME.words, ()).say(part) for part in verdict.says]
    assert said[0] == (
        "The final bouquet is worth 13 × 3, doubled: 78 prestige points."
        if is_doubled
        else "The bouquet is worth 13 × 3 = 39 prestige points."
    )


@pytest.mark.parametrize("row", [row for row in RECORDS if "starters" in row], ids=lambda row: row["name"])
def test_the_rounds_begin_with_whom_the_example_says(row: Row) -> None:
    position = record.replay(record.read_data(data_of(row))).play.position
    assert [*(played.starter for played in position.sheet), position.starter] == row["starters"]


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["name"])
def test_a_bouquet_is_worth_what_the_example_says(row: Row) -> None:
    verdict = GAME.question.answer(row["cards"], row.get("options", {}))
    assert verdict.rule is Rule.BEST_READING
    assert [verdict.data[key] for key in ("base", "multiplier", "total")] == row["worth"]
    named = [f"{one['kind']} {' '.join(one['cards'])} = {one['points']}" for one in verdict.data["combinations"]]
    assert named == row["combinations"]


@pytest.mark.parametrize("row", PURSES, ids=lambda row: f"{row['points']} points")
def test_a_seat_can_pay_for_as_many_refusals_as_the_example_says(row: Row) -> None:
    position = start(Options(detail=Detail.PAYMENTS), row["players"])
    assert not isinstance(position, Refused)
    position = replace(position, prestige=(row["points"], *position.prestige[1:]))
    for _ in range(row["refusals"]):
        ruling = judge(position, Refuse(0))
        assert isinstance(ruling, Accepted)
        position = ruling.position
    refused = judge(position, Refuse(0))
    assert isinstance(refused, Refused)
    assert refused.rule is Rule.CANNOT_REFUSE


def test_every_rule_is_met_by_an_example() -> None:
    met = {row["refused"] for row in RECORDS if "refused" in row} | {Rule.BEST_READING.key for _ in QUESTIONS}
    met |= {remark["rule"] for row in RECORDS for remark in row.get("remarks", [])}
    assert met == {rule.key for rule in Rule}


def test_every_value_of_every_option_is_met_by_an_example() -> None:
    met = {item for row in RECORDS for item in row.get("options", {}).items()}
    for name, field in GAME.options.fields.items():
        values = [member.value for member in field.enum] if hasattr(field, "enum") else [False, True]
        assert name == "first_seat" or {(name, value) for value in values} <= met, name


@pytest.mark.parametrize("row", RECORDS, ids=lambda row: row["name"])
def test_an_example_says_what_it_expects_and_where_it_comes_from(row: Row) -> None:
    assert set(row) <= KEYS | POSSIBLE
    assert row["source"]
    assert set(row) & POSSIBLE


def said(words: list[str], **options: str) -> Answer:
    return answer(GAME, words, options, "en")


def test_the_payments_of_who_refuses_go_round_as_in_the_rulebook() -> None:
    told = said([], players="3", points="10")
    assert (told.data["prices"], told.data["payees"], told.data["points_left"]) == ([1, 2, 3, 4], [1, 2, 1, 2], 0)
    assert [told.verdict, *told.reasons] == [
        "With 10 prestige, A can refuse 4 cards in one turn.",
        "A pays, one after another: 1 → B, 2 → C, 3 → B, and 4 → C.",
        "The next refusal would cost 5, so that card has to be kept.",
    ]


@pytest.mark.parametrize("row", PURSES, ids=lambda row: f"{row['points']} points")
def test_how_often_a_purse_pays_for_a_refusal_can_be_asked(row: Row) -> None:
    told = said([], players=str(row["players"]), points=str(row["points"]))
    assert (told.rule, told.data["refusals"]) == (Rule.CANNOT_REFUSE, row["refusals"])


@pytest.mark.parametrize(
    ("options", "rule", "verdict"),
    [
        ({"buy": "G4"}, Rule.CANNOT_BUY, "Yes: green 4 costs 4; left after that: 2."),
        ({"buy": "G4", "points": "3"}, Rule.CANNOT_BUY, "No: green 4 cannot be bought now."),
        ({"buy": "G1", "refused": "1"}, Rule.BUY_AFTER_DRAWING, "No: green 1 cannot be bought now."),
    ],
)
def test_whether_a_card_can_be_bought_can_be_asked(options: dict[str, str], rule: Rule, verdict: str) -> None:
    told = said([], **options)
    assert (told.rule, told.verdict, told.data["legal"]) == (rule, verdict, verdict.startswith("Yes"))


@pytest.mark.parametrize(
    ("words", "options", "why"),
    [
        (["K5", "K5"], {}, "black 5 is named too often; copies of it: 1."),
        (["K1", "K2"], {}, "Name the five cards of the bouquet."),
        (["K1", "K2", "K3", "K4", "K5", "R1"], {}, "A bouquet has five cards."),
        (["Q1"], {}, "Q1 is no card."),
        ([], {"players": "6"}, "6 cannot be: it is from 2 to 5."),
        ([], {"points": "many"}, "many is no number."),
        ([], {"buy": "G9"}, "G9 is no card."),
        ([], {"buy": "G1", "wild": "none"}, "--wild does not belong to this question."),
    ],
)
def test_a_question_that_has_no_answer_names_what_is_wrong(words: list[str], options: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=rf"^{why}$"):
        said(words, **options)
