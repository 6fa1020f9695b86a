"""Runs the tables of examples: each row is a record, and what the referee must make of it.

A row names its `source` and gives `moves` as in the table record, after as many `after_rounds` (default 0) in which
everyone bids 0 and seat 0 takes all. It expects any of: `refused` (the rule that the last move breaks) and its
`reason`, `error` (the place, where the record cannot be opened), `remarks`, `finished`, `summary` and `rows` (of the
last finished round), which may leave out what they do not mean, in a list by "…", `standing` ([seat, rank, score]),
`trumps` (after every turn and play), `open_bids` (of who bids next) and `says` (all that the last move made happen). In
the table `asked` a row is a question: `words` and `options`, and what the referee `says` by which `rule`, or the
`error`. Without `refused` every move is accepted, without `remarks` there are none.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from companion import record
from companion.desk.verdict import answer
from companion.game import Refused
from companion.games.rage import GAME
from companion.games.rage.cards import Colour, Joker, led_colour, parse_card
from companion.games.rage.moves import Bid, Rule
from companion.games.rage.position import Options
from companion.games.rage.question import QUESTION
from companion.games.rage.rules import judge, may_play
from companion.words import Voice
from tests.examples import part_of

Row = dict[str, Any]
TABLES = {
    path.stem: json.loads(path.read_text("utf-8")) for path in (Path(__file__).parent / "examples").glob("*.json")
}
HANDS: list[Row] = TABLES["legality"]
QUESTIONS: list[Row] = TABLES["questions"]
ASKED: list[Row] = TABLES["asked"]
APART = {"legality", "questions", "asked"}
RECORDS: list[Row] = [row for topic in sorted(TABLES.keys() - APART) for row in TABLES[topic]]
KEYS = {"name", "source", "players", "options", "after_rounds", "moves", "error"} | {
    *("refused", "reason", "remarks", "finished", "summary", "rows", "standing", "trumps", "open_bids", "says")
}
POSSIBLE = {"error", "refused", "remarks", "finished", "summary", "rows", "standing", "trumps", "open_bids", "says"}


def data_of(row: Row) -> dict[str, Any]:
    """Write a row as a table record."""
    seats, options = row["players"], row.get("options", {})
    rounds = range(row.get("after_rounds", 0))
    first = (options.get("first_dealer", seats - 1) + 1) % seats
    return {
        "format": "companion-record",
        "version": 1,
        "game": "rage",
        "options": options,
        "players": [f"Player {seat}" for seat in range(seats)],
        "moves": [*(move for number in rounds for move in plain_round(number, first, seats)), *row["moves"]],
    }


def plain_round(number: int, first: int, seats: int) -> Iterator[dict[str, Any]]:
    for place in range(seats):
        yield {"move": "bid", "seat": (first + number + place) % seats, "tricks": 0}
    nobody = [0] * seats
    yield {"move": "tally", "tricks": [10 - number, *nobody[1:]], "plus": nobody, "minus": nobody}


@pytest.mark.parametrize("row", [row for row in RECORDS if "error" not in row], ids=lambda row: row["name"])
def test_the_referee_rules_as_the_example_says(row: Row) -> None:
    said = record.outcome(record.replay(record.read_data(data_of(row))))
    refused = said["refused"] and said["refused"]["rule"]
    assert refused == row.get("refused"), said["refused"]
    if "reason" in row:
        assert said["refused"]["reason"] == row["reason"]
    if refused:
        assert said["moves"] == len(data_of(row)["moves"]) - 1
    assert part_of(row.get("remarks", []), said["remarks"]) == row.get("remarks", [])
    assert said["finished"] == row.get("finished", row.get("after_rounds") == 10)
    if "summary" in row:
        assert part_of(row["summary"], said["summary"]) == row["summary"]
    if "rows" in row:
        assert part_of(row["rows"], said["summary"]["rounds"][-1]["rows"]) == row["rows"]
    if "standing" in row:
        assert [[place["seat"], place["rank"], place["score"]] for place in said["standing"]] == row["standing"]


@pytest.mark.parametrize("row", [row for row in RECORDS if "error" in row], ids=lambda row: row["name"])
def test_a_record_with_options_that_do_not_go_together_names_the_option(row: Row) -> None:
    with pytest.raises(record.RecordError) as caught:
        record.read_data(data_of(row))
    assert caught.value.place == row["error"]
    refused = GAME.start(GAME.options.load(row.get("options", {})), row["players"])
    assert isinstance(refused, Refused)
    assert refused.rule.key == row["refused"]
    assert Voice(GAME.words, []).rule(refused.rule, refused.facts) == row.get("reason", ANY)


@pytest.mark.parametrize("row", [row for row in RECORDS if "trumps" in row], ids=lambda row: row["name"])
def test_trump_is_as_the_example_says_after_every_card(row: Row) -> None:
    ruled = record.replay(record.read_data(data_of(row))).play.moves()
    cards = [step for step, move in zip(ruled, row["moves"], strict=True) if move["move"] in ("turn", "play")]
    assert [GAME.summary(step.position)["trump"] or "-" for step in cards] == row["trumps"]


@pytest.mark.parametrize("row", [row for row in RECORDS if "says" in row], ids=lambda row: row["name"])
def test_the_referee_says_what_the_example_says(row: Row) -> None:
    data = data_of(row)
    voice = Voice(GAME.words, data["players"])
    assert [voice.event(event) for event in record.replay(record.read_data(data)).play.events] == row["says"]


@pytest.mark.parametrize("row", [row for row in RECORDS if "open_bids" in row], ids=lambda row: row["name"])
def test_just_the_bids_of_the_example_are_open(row: Row) -> None:
    position = record.replay(record.read_data(data_of(row))).play.position
    seat = position.to_move
    tries = [tricks for tricks in range(-2, 14) if not isinstance(judge(position, Bid(seat, tricks)), Refused)]
    assert tries == row["open_bids"]
    assert list(GAME.view(position, seat).open_bids) == row["open_bids"]
    assert {move.tricks for move in GAME.legal(position, seat) if isinstance(move, Bid)} == set(row["open_bids"])


@pytest.mark.parametrize("row", HANDS, ids=lambda row: row["name"])
def test_who_shows_a_hand_must_follow_as_the_example_says(row: Row) -> None:
    options = Options(**row.get("options", {}))
    led = led_colour([parse_card(name) for name in row["trick"]])
    hand = [parse_card(name) for name in row["hand"]]
    for name, held in zip(row["hand"], hand, strict=True):
        for card in [Joker(colour) for colour in Colour] if isinstance(held, Joker) else [held]:
            refused = may_play(hand, led, card, options)
            assert (refused is None) == (name in row["legal"]), name
            if refused:
                assert refused.rule is Rule.FOLLOW_COLOUR
                assert refused.facts == {"card": card, "colour": led}


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["name"])
def test_a_question_without_a_table_is_answered_as_the_example_says(row: Row) -> None:
    verdict = QUESTION.answer(row["cards"], row.get("options", {}))
    assert verdict.rule is Rule.TRICK_WINNER
    assert (verdict.data["winner"], verdict.data["card"]) == (row["winner"], row["cards"][row["winner"]])


@pytest.mark.parametrize("row", ASKED, ids=lambda row: row["name"])
def test_what_can_be_asked_is_answered_or_refused_as_the_example_says(row: Row) -> None:
    if "error" in row:
        with pytest.raises(ValueError, match=re.escape(row["error"])):
            answer(GAME, row["words"], row["options"], "en")
        return
    said = answer(GAME, row["words"], row["options"], "en")
    assert said.rule.key == row["rule"]
    assert [said.verdict, *said.reasons] == row["says"]
    assert {key: said.data[key] for key in row.get("data", {})} == row.get("data", {})


@pytest.mark.parametrize("cards", ["J Y8", "Y8 J", ""])
def test_a_joker_in_a_trick_is_asked_about_with_its_colour(cards: str) -> None:
    with pytest.raises(ValueError, match="J:Y" if cards else "Name the cards"):
        QUESTION.answer(cards.split(), {})


@pytest.mark.parametrize("row", [row for row in HANDS if "options" not in row], ids=lambda row: row["name"])
def test_whether_a_card_may_be_played_can_be_asked_without_a_table(row: Row) -> None:
    for name in row["hand"]:
        verdict = QUESTION.answer([*row["trick"], name], {"hand": ",".join(row["hand"])})
        assert verdict.rule is Rule.FOLLOW_COLOUR
        assert verdict.data["legal"] == (name in row["legal"])


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (["Y8", "CT"], {"trump": "R"}, "A change of trump turns up a card"),
        (["Y8", "Q3"], {}, "Q3 is no card"),
        (["Y8", "R3"], {"trump": "Z"}, "Z is no colour"),
    ],
)
def test_a_question_that_cannot_be_read_is_answered_with_what_is_wrong(
    words: list[str], options: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.question.answer(words, options)


def test_every_rule_is_met_by_an_example() -> None:
    met = {row["refused"] for row in RECORDS if "refused" in row}
    met |= {remark["rule"] for row in RECORDS for remark in row.get("remarks", [])}
    met |= {row["rule"] for row in ASKED if "rule" in row}
    met |= {Rule.TRICK_WINNER.key for row in QUESTIONS if row["cards"]}
    met |= {Rule.FOLLOW_COLOUR.key for row in HANDS if set(row["hand"]) - set(row["legal"])}
    assert met == {rule.key for rule in Rule}


def test_every_value_of_every_option_is_met_by_an_example() -> None:
    met = {item for row in RECORDS + HANDS for item in row.get("options", {}).items()}
    for name, field in GAME.options.fields.items():
        values = [member.value for member in field.enum] if hasattr(field, "enum") else [False, True]
        assert name == "first_dealer" or {(name, value) for value in values} <= met, name


@pytest.mark.parametrize("row", RECORDS, ids=lambda row: row["name"])
def test_an_example_says_what_it_expects_and_where_it_comes_from(row: Row) -> None:
    assert set(row) <= KEYS
    assert row["source"]
    assert set(row) & POSSIBLE
