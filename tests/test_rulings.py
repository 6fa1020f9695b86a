"""What is ruled, and by which example: `docs/rulings.md` is what its script writes, and leaves no paragraph and no rule out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from companion.games import GAMES
from companion.words import numbered, whole_card
from docs.rulings import (
    EXAMPLES,
    PAGE,
    ROOT,
    RULING,
    citations,
    cited,
    examples,
    fits,
    named,
    page,
    read,
    sentences,
    written,
)

OURS = ["hanabi", "ikebana", "rage", "ubongo"]
each_game = pytest.mark.parametrize("key", OURS)
ASKED = {"ikebana.best_reading", "rage.follow_colour", "rage.score", "rage.trick_winner"}
"""Rules that questions cite: their examples say the answer alone."""


def test_the_page_is_what_the_script_writes() -> None:
    assert sorted(written()) == OURS
    assert PAGE.read_text("utf-8") == page(), "write it anew: .venv/bin/python docs/rulings.py"


@each_game
def test_every_paragraph_of_the_rules_has_its_sentences_in_their_order(key: str) -> None:
    paragraphs = [number for number, _ in numbered(whole_card(GAMES[key], "en"))]
    assert list(dict.fromkeys(sentence.paragraph for sentence in sentences(key))) == paragraphs


@each_game
def test_every_sentence_is_tried_by_the_examples_that_it_names(key: str) -> None:
    for sentence in sentences(key):
        assert bool(sentence.patterns) is not bool(sentence.untried), sentence
        for pattern in sentence.patterns:
            assert any(fits(pattern, example.name) for example in examples(key)), (sentence.paragraph, pattern)


@each_game
def test_every_sentence_is_read_on_the_card_unless_it_says_why_not(key: str) -> None:
    for sentence in sentences(key):
        assert bool(sentence.card) is not bool(sentence.off_card), sentence.says
        assert sentence.card in read(key, sentence), (sentence.paragraph, sentence.says)


@each_game
def test_what_is_read_of_the_game_stands_on_paper_too(key: str) -> None:
    """How the companion is used stands on no rule card of paper."""
    ours = {number for number, section in enumerate(whole_card(GAMES[key], "en"), 1) if section.is_of_companion}
    for sentence in sentences(key):
        asked, answered = (
            int(one.partition(".")[0]) for one in (sentence.paragraph, sentence.at or sentence.paragraph)
        )
        assert asked in ours or answered not in ours, sentence.says


@each_game
def test_every_rule_is_tried_under_a_paragraph_that_covers_it(key: str) -> None:
    game, expected = GAMES[key], rules_met(key)
    for rule in game.rules:
        covers = {number for number, paragraph in numbered(whole_card(game, "en")) if rule in paragraph.rules}
        tried = [one.name for sentence in sentences(key) if sentence.paragraph in covers for one in sentence.examples]
        assert rule.key in ASKED or any(rule.key in expected[name] for name in tried), rule.key


def test_every_decision_has_a_sentence_unless_it_is_not_ruled() -> None:
    rows = re.findall(r'^\| <a id="([HIRU]\d+b?)"></a>(.*)$', (ROOT / "docs" / "decisions.md").read_text("utf-8"), re.M)
    ruled = {name for name, row in rows if "ot ruled" not in row}
    behind = {part for key in OURS for sentence in sentences(key) for part in RULING.findall(" ".join(cited(sentence)))}
    assert len(ruled) > 100
    assert ruled <= behind, ruled - behind


def rules_met(key: str) -> Mapping[str, set[str]]:
    """Gather the rules that the examples of each name expect."""
    met: dict[str, set[str]] = {}
    for file in (EXAMPLES / key / "examples").glob("*.json"):
        for row in json.loads(file.read_text("utf-8")):
            met.setdefault(named(row), set()).update(expects(row))
    return met


def expects(row: Mapping[str, Any]) -> set[str]:
    remarks = [remark.get("rule", "") if isinstance(remark, dict) else remark[1] for remark in row.get("remarks", [])]
    return {row.get("refused", ""), row.get("rule", ""), *remarks} - {""}


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("R-cs, trick play; R25", ["R-cs, trick play", "[R25](decisions.md#R25)"]),
        ("I3, I4", ["[I3](decisions.md#I3)", "[I4](decisions.md#I4)"]),
        ("decided here, R7", ["decided here, [R7](decisions.md#R7)"]),
        ("H-cs, rainbow 2", ["H-cs, rainbow 2"]),
    ],
)
def test_a_citation_leads_to_the_decision(source: str, parts: list[str]) -> None:
    assert list(citations(source)) == parts
