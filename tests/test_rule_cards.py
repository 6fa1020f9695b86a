"""The rules of a game to read: complete, in every language, with the numbers of the rules themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from companion.fields import Choice, Switch
from companion.game import AnyGame, Plural, Refused, Section
from companion.games import GAMES
from companion.settings import PRINTABLES
from companion.words import LANGUAGES, Voice, numbered, paragraph_number, whole_card

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
NAMES_OF_CARDS = re.compile(r"[+−]5|T[1-6]")
PLACE = re.compile(r"%\(\w+\)s")


def options_of(game: AnyGame, chance: Random) -> Any:
    """Choose options at random that go together."""
    choices: dict[str, list[Any]] = {}
    for name, part in game.options.fields.items():
        if isinstance(part, Switch):
            choices[name] = [False, True]
        elif isinstance(part, Choice):
            choices[name] = [member.value for member in part.enum]
    while True:
        options = game.options.load({name: chance.choice(values) for name, values in choices.items()})
        if not isinstance(game.start(options, game.players[-1]), Refused):
            return options


def cards(game: AnyGame, count: int, language: str = "en") -> Iterator[tuple[Section, ...]]:
    """Give the whole rules, and those of so many tables."""
    yield whole_card(game, language)
    yield from (game.rule_card(options_of(game, Random(seed)), False) for seed in range(count))


@every_game
def test_every_rule_that_the_referee_cites_stands_on_the_card(game: AnyGame) -> None:
    """A new rule is named in the paragraph of `rule_card.py` that says it."""
    covered = {rule for _, paragraph in numbered(whole_card(game, "en")) for rule in paragraph.rules}
    assert set(game.rules) == covered


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_card_is_said_in_every_language(game: AnyGame, language: str) -> None:
    speak = Voice(game.words, (), language)
    for card in cards(game, 40, language):
        for number, paragraph in numbered(card):
            text = speak.paragraph(paragraph)
            assert "%" not in text, number
            assert text[-1] == "."


@every_game
def test_a_rule_keeps_its_number_whatever_is_chosen(game: AnyGame) -> None:
    whole = whole_card(game, "en")
    for seed in range(100):
        card = game.rule_card(options_of(game, Random(seed)), False)
        assert [section.title for section in card] == [section.title for section in whole]
        assert {number for number, _ in numbered(card)} <= {number for number, _ in numbered(whole)}
        for rule in game.rules:
            paragraphs = {number for number, paragraph in numbered(whole) if rule in paragraph.rules}
            assert paragraph_number(rule, card) in paragraphs | {""}


@every_game
def test_no_number_is_typed_twice(game: AnyGame) -> None:
    """Beside the names of cards a sentence says no number greater than 2: the others are facts."""
    for card in cards(game, 100):
        for number, paragraph in numbered(card):
            said = paragraph.sentence.many if isinstance(paragraph.sentence, Plural) else paragraph.sentence
            digits = re.findall(r"\d+", NAMES_OF_CARDS.sub("", PLACE.sub("", said)))
            assert all(int(digit) <= 2 for digit in digits), (number, said)
            assert set(re.findall(r"%\((\w+)\)s", said)) <= set(paragraph.facts), number


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.key != "tally"], ids=lambda game: game.key)
def test_every_drawing_is_there(game: AnyGame) -> None:
    drawn = [paragraph.picture for _, paragraph in numbered(whole_card(game, "en")) if paragraph.picture]
    assert drawn
    for picture in drawn:
        assert (PRINTABLES / game.key / f"{picture}.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("key", "flow"), [("hanabi", "turn"), ("ikebana", "turn"), ("rage", "round"), ("ubongo", "round")]
)
def test_the_card_draws_what_lies_on_the_table_and_how_a_turn_goes(key: str, flow: str) -> None:
    drawn = [paragraph.picture for _, paragraph in numbered(whole_card(GAMES[key], "en")) if paragraph.picture]
    assert drawn.index("table") < drawn.index(flow)


@pytest.mark.parametrize(("tokens", "errors"), list(product((8, 10), (3, 1))))
def test_as_many_tokens_are_drawn_as_the_table_plays_with(tokens: int, errors: int) -> None:
    hanabi = GAMES["hanabi"]
    card = hanabi.rule_card(hanabi.options.load({"hint_tokens": tokens, "errors_allowed": errors}), False)
    (picture,) = [part.picture for _, part in numbered(card) if part.picture.startswith("table")]
    circles = re.findall(r'<circle .*? fill="(\w+)"', (PRINTABLES / "hanabi" / f"{picture}.svg").read_text())
    assert (circles.count("currentColor"), circles.count("none")) == (tokens, errors)


def test_the_example_that_is_drawn_is_the_one_that_is_told() -> None:
    hanabi = GAMES["hanabi"]
    (told,) = (part for _, part in numbered(whole_card(hanabi, "en")) if part.picture == "scored")
    *tops, points = re.findall(r">(\d+)<", (PRINTABLES / "hanabi" / "scored.svg").read_text())
    assert (tops, int(points)) == (re.findall(r"\d+", told.facts["tops"]), told.facts["points"])
    assert sum(map(int, tops)) == int(points)


def test_a_table_shows_its_own_numbers() -> None:
    rage, hanabi = GAMES["rage"], GAMES["hanabi"]
    speak = Voice(rage.words, ())
    boxes = {"amigo_2000": "112", "amigo_1985": "108", "us": "110"}
    for edition, cards in boxes.items():
        text = " ".join(
            speak.paragraph(p) for _, p in numbered(rage.rule_card(rage.options.load({"edition": edition}), False))
        )
        assert re.findall(r"All (\d+) cards", text) == [cards]
    said = {}
    for tokens, errors in product((8, 10), (1, 3)):
        options = hanabi.options.load({"edition": "es", "hint_tokens": tokens, "errors_allowed": errors})
        card = dict(numbered(hanabi.rule_card(options, False)))
        said[tokens, errors] = [Voice(hanabi.words, ()).paragraph(card[number]) for number in ("1.4", "5.1")]
    assert said[10, 3][0].startswith("10 hint tokens")
    assert said[8, 1][1].startswith("The first error")
    assert len({tuple(texts) for texts in said.values()}) == 4


@pytest.mark.parametrize(
    ("options", "points", "lowest"),
    [
        ({}, "Each card built is a point.", "0–5"),
        ({"black_powder": True}, "Each card built that is not black is a point.", "≤ 5"),
    ],
)
def test_black_powder_brings_no_points_and_may_cost_more_than_there_are(
    options: dict[str, Any], points: str, lowest: str
) -> None:
    """Source: H-pl, Black Powder; H7."""
    game = GAMES["hanabi"]
    card = dict(numbered(game.rule_card(game.options.load({"edition": "pl", **options}), False)))
    assert Voice(game.words, ()).paragraph(card["5.4"]) == points
    assert [row[0] for row in card["5.4"].table][1:3] == [lowest, "6–10"]


def test_the_card_of_a_table_that_plays_to_the_last_breath_has_no_last_turns_and_no_rating() -> None:
    """Source: H-cs, last breath. The card of the game tells of both."""
    game = GAMES["hanabi"]
    options = game.options.load({"endless": True})
    for is_whole, said in ((False, False), (True, True)):
        end = next(section for section in game.rule_card(options, is_whole) if section.title == "The end")
        paragraphs = [paragraph for paragraph in end.paragraphs if paragraph]
        texts = " ".join(Voice(game.words, ()).paragraph(paragraph) for paragraph in paragraphs)
        assert ("one more turn" in texts) is said
        assert any(paragraph.table for paragraph in paragraphs) is said


def test_a_table_that_plays_to_the_last_breath_reads_of_no_rating_for_multicolour() -> None:
    game = GAMES["hanabi"]
    for endless, is_whole, said in ((False, False, True), (True, False, False), (True, True, True)):
        card = game.rule_card(game.options.load({"multicolour": 5, "endless": endless}), is_whole)
        texts = " ".join(Voice(game.words, ()).paragraph(paragraph) for _, paragraph in numbered(card))
        assert ("The rating then" in texts) is said
        assert ("There is no rating." in texts) is endless


def test_a_table_with_reward_tiles_reads_of_no_token_for_a_firework() -> None:
    game = GAMES["hanabi"]
    for flamboyants, is_whole, said in ((False, False, True), (True, False, False), (True, True, True)):
        card = game.rule_card(game.options.load({"edition": "pl", "flamboyants": flamboyants}), is_whole)
        texts = [Voice(game.words, ()).paragraph(paragraph) for _, paragraph in numbered(card)]
        assert ("Whoever completes a firework gets a token back, if one is used." in texts) is said
        assert any("earns no token" in text for text in texts) is flamboyants


def test_a_variant_that_is_not_played_is_not_on_the_card_of_the_table() -> None:
    game = GAMES["hanabi"]
    texts = " ".join(
        Voice(game.words, ()).paragraph(p) for _, p in numbered(game.rule_card(game.options.load({}), False))
    )
    assert "Black powder" not in texts
    assert "Flamboyants" not in texts


def test_the_card_of_a_table_with_secret_bids_does_not_lean_on_a_variant_that_is_not_on_it() -> None:
    game = GAMES["rage"]
    card = dict(numbered(game.rule_card(game.options.load({"bidding": "secret"}), False)))
    secret = Voice(game.words, ()).paragraph(card["6.3"])
    assert "6.2" not in card
    assert secret == "Secret bids: written, and shown only when the round is over."
