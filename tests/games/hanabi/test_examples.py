"""Runs the tables of examples: each row is a position, moves upon it, and what the referee must make of them.

A row names its `source`. `given` says what differs from the start: `deck`, `tokens`, `errors`, `turn`, `turns_left`,
`unnamed`, `built` {colour: cards}, `discards` {card: copies}, `hands` (sizes), `tiles`. It expects any of: `refused`
(the rule that the last move breaks) and its `reason`, `error` (the place, where the table cannot be opened), `remarks`,
`finished`, `summary` (which may leave out what it does not mean; of a card `{}`, nothing is known), `hand_sizes`,
`standing` ([seat, rank, score]), `said` (of the last moves). Without `refused` every move is accepted, without
`remarks` there are none. The rows of `touches` and `questions` have a form of their own.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from companion import record
from companion.desk.verdict import answer
from companion.game import Refused
from companion.games.hanabi import GAME
from companion.games.hanabi.cards import Colour, parse_card
from companion.games.hanabi.deck import touches
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.position import Position, Slot, Tile
from companion.play import Asked, Play, begin
from companion.words import Voice
from tests.examples import part_of

Row = dict[str, Any]
TABLES = {
    path.stem: json.loads(path.read_text("utf-8")) for path in (Path(__file__).parent / "examples").glob("*.json")
}
QUESTIONS: list[Row] = TABLES.pop("questions")
TOUCHES: list[Row] = TABLES.pop("touches")
ROWS: list[Row] = [row for topic in sorted(TABLES) for row in TABLES[topic]]
GIVEN = {"deck", "tokens", "errors", "turn", "turns_left", "unnamed", "built", "discards", "hands", "tiles"}
EXPECTED = {"error", "refused", "reason", "remarks", "finished", "summary", "hand_sizes", "standing", "said"}
KEYS = {"name", "source", "players", "options", "given", "moves"} | EXPECTED
NOTHING_KNOWN: dict[str, Any] = {"is": [], "is_not": []}


def laid_out(position: Position, given: Row) -> Position:
    """Put a table into the state of a row."""
    assert set(given) <= GIVEN
    plain = {key: given[key] for key in ("deck", "tokens", "errors", "turn", "turns_left", "unnamed") if key in given}
    position = replace(position, **plain)
    built = tuple(given.get("built", {}).get(suit.colour.value, 0) for suit in position.suits)
    discards = {parse_card(name): copies for name, copies in given.get("discards", {}).items()}
    piles = tuple(
        tuple(
            sum(n for card, n in discards.items() if (card.colour, card.value) == (suit.colour, value))
            for value in range(1, 6)
        )
        for suit in position.suits
    )
    hands = tuple((Slot(),) * size for size in given["hands"]) if "hands" in given else position.hands
    tiles = tuple(Tile(name) for name in given.get("tiles", ()))
    assert sum(built) == sum(given.get("built", {}).values())
    return replace(position, fireworks=built, discards=piles, hands=hands, tiles=tiles)


def opened(row: Row) -> Play[Position]:
    play = begin(GAME, GAME.options.load(row.get("options", {})), row["players"])
    assert isinstance(play, Play)
    return replace(play, start=laid_out(play.start, row.get("given", {})))


def ruled(row: Row) -> tuple[list[Play[Position]], Refused | None]:
    """Rule on the moves of a row: the play after each, and the refusal of the last."""
    plays = [opened(row)]
    for number, data in enumerate(row["moves"], start=1):
        ruling = plays[-1].judge(Asked(number, record.read_move(GAME, row["players"], data)))
        if isinstance(ruling, Refused):
            assert number == len(row["moves"]), ruling
            return plays, ruling
        plays.append(ruling)
    return plays, None


def summary_of(row: Row) -> dict[str, Any]:
    """Spell out what a row expects of the summary: of a card that it says nothing of nothing is known."""
    expected = dict(row["summary"])
    if "hands" in expected:
        expected["hands"] = [[card or NOTHING_KNOWN for card in hand] for hand in expected["hands"]]
    return expected


@pytest.mark.parametrize("row", [row for row in ROWS if "error" not in row], ids=lambda row: row["name"])
def test_the_referee_rules_as_the_example_says(row: Row) -> None:
    plays, refused = ruled(row)
    voice = Voice(GAME.words, [f"Player {seat}" for seat in range(row["players"])])
    position = plays[-1].position
    assert (refused and refused.rule.key) == row.get("refused"), refused
    if refused and "reason" in row:
        assert voice.rule(refused.rule, refused.facts) == row["reason"]
    assert GAME.standing(position).is_finished == row.get("finished", False)
    if "summary" in row:
        expected = summary_of(row)
        assert part_of(expected, GAME.summary(position)) == expected
    assert [len(hand) for hand in position.hands] == row.get("hand_sizes", [len(hand) for hand in position.hands])
    if "standing" in row:
        assert [[place.seat, place.rank, place.score] for place in GAME.standing(position).places] == row["standing"]


@pytest.mark.parametrize("row", [row for row in ROWS if "error" not in row], ids=lambda row: row["name"])
def test_the_referee_says_what_the_example_says(row: Row) -> None:
    plays, _ = ruled(row)
    voice = Voice(GAME.words, [f"Player {seat}" for seat in range(row["players"])])
    remarks = [
        {"number": step.asked.number, "rule": remark.rule.key, "text": voice.rule(remark.rule, remark.facts)}
        for step in plays[-1].moves()
        for remark in step.remarks
    ]
    assert part_of(row.get("remarks", []), remarks) == row.get("remarks", [])
    said = [voice.event(event) for play in plays for event in play.events]
    if "said" in row:
        assert said[-len(row["said"]) :] == row["said"]


@pytest.mark.parametrize("row", [row for row in ROWS if "error" in row], ids=lambda row: row["name"])
def test_a_record_with_options_that_do_not_go_together_names_the_option(row: Row) -> None:
    with pytest.raises(record.RecordError) as caught:
        record.opened(GAME, row.get("options", {}), row["players"])
    assert caught.value.place == row["error"]
    refused = GAME.start(GAME.options.load(row.get("options", {})), row["players"])
    assert isinstance(refused, Refused)
    assert refused.rule.key == row["refused"]
    assert Voice(GAME.words, []).rule(refused.rule, refused.facts) == row.get("reason", ANY)


@pytest.mark.parametrize("row", TOUCHES, ids=lambda row: row["name"])
def test_a_hint_touches_what_the_example_says(row: Row) -> None:
    clue = row["clue"] if isinstance(row["clue"], int) else Colour(row["clue"])
    options, hand = GAME.options.load(row["options"]), [parse_card(name) for name in row["hand"]]
    assert [slot for slot, card in enumerate(hand) if touches(options, clue, card)] == row["slots"]


@pytest.mark.parametrize("row", [row for row in QUESTIONS if "error" not in row], ids=lambda row: row["name"])
def test_the_referee_answers_as_the_example_says(row: Row) -> None:
    verdict = answer(GAME, row["words"], row["options"], "en")
    assert verdict.rule.key == row["rule"]
    assert {key: verdict.data[key] for key in row["data"]} == row["data"]
    assert [verdict.verdict, *verdict.reasons] == row["says"]


@pytest.mark.parametrize("row", [row for row in QUESTIONS if "error" in row], ids=lambda row: row["name"])
def test_a_question_that_cannot_be_read_names_the_word(row: Row) -> None:
    with pytest.raises(ValueError, match=r"\.$") as caught:
        answer(GAME, row["words"], row["options"], "en")
    assert str(caught.value) == row["error"]


def test_every_rule_is_met_by_an_example() -> None:
    met = {row["refused"] for row in ROWS if "refused" in row} | {row["rule"] for row in QUESTIONS if "rule" in row}
    met |= {remark["rule"] for row in ROWS for remark in row.get("remarks", []) if "rule" in remark}
    assert met == {rule.key for rule in Rule}


def test_every_value_of_every_option_is_met_by_an_example() -> None:
    met = {item for row in ROWS + TOUCHES for item in row.get("options", {}).items()}
    defaults = GAME.options.dump(GAME.options.load({}))
    for name, field in GAME.options.fields.items():
        values = [member.value for member in field.enum] if hasattr(field, "enum") else [False, True]
        if name == "first_seat" or name.startswith("aid_"):
            continue
        missing = {(name, value) for value in values} - met - {(name, defaults.get(name))}
        assert not missing, name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_an_example_says_what_it_expects_and_where_it_comes_from(row: Row) -> None:
    assert set(row) <= KEYS
    assert row["source"]
    assert set(row) & EXPECTED
