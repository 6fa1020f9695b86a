"""Every rule, event, card and choice of every game can be said, with all its facts."""

import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from inspect import getmembers, isclass
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from babel.messages.catalog import Catalog

from companion.errors import Told
from companion.fields import Choice
from companion.game import Agreeing, Plural, Rule, Seat, Sentence, texts_of
from companion.games import GAMES, ikebana, rage, ubongo
from companion.games.ikebana.moves import BouquetScored
from companion.games.ikebana.whys import AllLie, NamedBeside, NamedTooOften
from companion.games.rage import cards, moves
from companion.games.rage.cards import Action, BareJoker, Colour, Coloured, Joker
from companion.games.rage.moves import CardPlayed, CardTurned, GameEnded, RoundScored, TrumpTurned
from companion.games.rage.terms import BidMissed, MinusFives, TricksWon
from companion.games.rage.whys import AllSeen, LessThanNone, LieInTrick, LiesAsTrump, NoRoom, WasTurned
from companion.games.ubongo.whys import FrontTwo, OneLeft, RowEmpty
from companion.words import LANGUAGES, Voice, translations
from tests.catalogues import compiled

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
PLACE = re.compile(r"%\((\w+)\)s")
ANNA = Voice(rage.GAME.words, ["Anna", "Bohdan", "Katka"])


def places(sentence: Sentence) -> set[str]:
    own = {sentence.by} if isinstance(sentence, Agreeing) else set()
    return own | {name for text in texts_of(sentence) for name in PLACE.findall(text)}


def classes_of(module: ModuleType) -> list[type[Any]]:
    own = [member for _, member in getmembers(module, isclass) if member.__module__ == module.__name__]
    return [member for member in own if is_dataclass(member)]


@each_game
def test_every_rule_has_a_sentence(game: Any) -> None:
    assert set(game.rules) <= set(game.words.sentences)
    assert all(game.words.sentences[rule] for rule in game.rules)


@each_game
def test_a_rules_key_begins_with_the_game_and_its_source_is_named(game: Any) -> None:
    for rule in game.rules:
        assert isinstance(rule, Rule)
        assert rule.key == f"{game.key}.{rule.name.lower()}"
        assert rule.source


@each_game
def test_every_move_can_be_named_with_facts_that_it_has(game: Any) -> None:
    for schema in game.moves(game.players[0]).values():
        sentence = game.words.sentences[schema.make]
        assert places(sentence) <= {part.name for part in fields(schema.make)}


@each_game
def test_every_option_and_every_value_has_a_label(game: Any) -> None:
    labels = game.words.options
    for name, field in game.options.fields.items():
        assert labels[name].name
        assert labels[name].help
        for member in field.enum if isinstance(field, Choice) else ():
            assert labels[name, member.value].name


@each_game
def test_no_label_is_left_over(game: Any) -> None:
    options = game.options.fields
    for key in game.words.options:
        name, *value = key if isinstance(key, tuple) else (key,)
        assert name in options
        assert not value or value[0] in {member.value for member in options[name].enum}


@each_game
def test_a_number_of_things_is_said_by_a_fact_of_the_sentence(game: Any) -> None:
    for sentence in game.words.sentences.values():
        if isinstance(sentence, Plural):
            assert sentence.by
            assert {sentence.by} | places(sentence) >= places(sentence.one) | places(sentence.many)


@each_game
def test_every_field_of_a_move_that_a_hand_fills_in_has_a_name(game: Any) -> None:
    schemas = game.moves(game.players[0]).values()
    asked = {name for schema in schemas for name in schema.fields} - {"seat"}
    assert asked <= set(game.words.fields)


@pytest.mark.parametrize("thing", [*classes_of(moves), *classes_of(cards)], ids=lambda thing: thing.__name__)
def test_everything_that_rage_speaks_of_has_a_sentence_of_its_own_facts(thing: type[Any]) -> None:
    assert places(rage.GAME.words.sentences[thing]) <= {part.name for part in fields(thing)}


@pytest.mark.parametrize("member", [*Colour, *Action], ids=str)
def test_every_colour_and_action_card_of_rage_has_a_name(member: Enum) -> None:
    assert rage.GAME.words.names[member]


def test_every_kind_of_rages_moves_is_named() -> None:
    assert {vars(type(schema))["make"].__func__ for schema in rage.GAME.moves(3).values()} == set(get_args(moves.Move))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Seat(1), "Bohdan"),
        (1, "1"),
        (-5, "−5"),
        (Colour.RED, "red"),
        (Action.MINUS_FIVE, "−5"),
        (Coloured(Colour.YELLOW, 8), "yellow 8"),
        (Joker(Colour.PURPLE), "joker purple"),
        ((Seat(0), Seat(1), Seat(2)), "Anna, Bohdan, and Katka"),
        ((Seat(0),), "Anna"),
        (CardPlayed(Seat(2), Coloured(Colour.BLUE, 0)), "Katka plays blue 0."),
        (TrumpTurned(Coloured(Colour.BLUE, 0), Colour.BLUE), "blue 0 was turned up: blue is trump."),
        (
            RoundScored(Seat(0), -12, (TricksWon(3, 3), BidMissed(2, -5), MinusFives(2, -10))),
            "Anna scores −12: 3 tricks +3, bid of 2 missed −5, and 2 × −5: −10.",
        ),
        (GameEnded((Seat(0), Seat(2))), "The game is over. First place: Anna and Katka."),
    ],
    ids=str,
)
def test_facts_are_said_in_words(value: Any, said: str) -> None:
    assert ANNA.say(value) == said


def test_a_colour_agrees_with_the_card_that_has_it() -> None:
    polish = Voice(rage.GAME.words, [], "pl")
    assert polish.say((Coloured(Colour.YELLOW, 8), Colour.YELLOW)) == "żółta 8 i żółty".replace(" i ", " i\xa0")
    assert set(rage.GAME.words.sentences[Coloured].each) == set(Colour)


def test_a_joker_that_nobody_announced_is_said_without_a_colour() -> None:
    assert ANNA.say(CardTurned(BareJoker())) == "joker was turned up; the next card decides."


def test_a_sentence_begins_with_a_capital_letter_but_a_name_stays_as_it_is() -> None:
    assert ANNA.event(TrumpTurned(Coloured(Colour.BLUE, 0), Colour.BLUE)) == "Blue 0 was turned up: blue is trump."
    small = Voice(rage.GAME.words, ["anna"])
    assert small.event(CardPlayed(Seat(0), Coloured(Colour.RED, 3))) == "anna plays red 3."


@pytest.mark.parametrize(("cards", "part"), [(1, "the one trick of this round"), (2, "the 2 tricks")])
def test_one_trick_is_said_as_one(cards: int, part: str) -> None:
    assert part in ANNA.rule(moves.Rule.PLUS_MINUS_ONE, {"cards": cards, "tricks": 1, "open": (0,)})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_every_event_with_its_facts(language: str) -> None:
    voice = Voice(rage.GAME.words, ["Anna"], language)
    for said in (
        voice.say(RoundScored(Seat(0), -5, (BidMissed(2, -5),))),
        voice.say(CardPlayed(Seat(0), Coloured(Colour.RED, 3))),
    ):
        assert "Anna" in said
        assert "%(" not in said


def test_a_players_name_is_said_as_it_is() -> None:
    voice = Voice(rage.GAME.words, ["%(card)s 100 %"])
    assert voice.say(RoundScored(Seat(0), 1, ())).startswith("%(card)s 100 % scores")


def test_a_game_of_another_package_is_asked_for_its_own_words_first(tmp_path: Path) -> None:
    """What its catalogue does not have is said as the companion says it."""
    own = Catalog(locale="cs")
    own.add("%(seat)s plays %(card)s.", "%(seat)s vytahuje %(card)s.")
    file = tmp_path / "cs" / "LC_MESSAGES" / "messages.mo"
    file.parent.mkdir(parents=True)
    file.write_bytes(compiled(own))
    voice = Voice(replace(rage.GAME.words, catalogue=tmp_path), ["Anna"], "cs")
    assert voice.say(CardPlayed(Seat(0), Coloured(Colour.RED, 3))) == "Anna vytahuje červená 3."


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 bod"), (3, "3 body"), (5, "5 bodů"), (0, "0 bodů"), (22, "22 bodů")]
)
def test_czech_counts_one_few_and_many(number: int, said: str) -> None:
    voice = Voice(ikebana.GAME.words, ["Anna"], "cs")
    assert voice.say(BouquetScored(Seat(0), number, 1, number)) == f"Anna získává {number} × 1 = {said} prestiže."


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        *((ikebana, kind) for kind in (AllLie, NamedBeside, NamedTooOften)),
        *((rage, kind) for kind in (AllSeen, LessThanNone, LiesAsTrump, LieInTrick, NoRoom, WasTurned)),
        *((ubongo, kind) for kind in (FrontTwo, OneLeft, RowEmpty)),
    ],
)
def test_a_whole_sentence_after_a_colon_begins_with_a_capital_in_german(game: ModuleType, kind: type[Any]) -> None:
    sentence = game.GAME.words.sentences[kind]
    spoken = translations("de")
    if isinstance(sentence, Plural):
        said = {spoken.ngettext(sentence.one, sentence.many, number) for number in (1, 2)}
    else:
        said = {spoken.gettext(sentence)}
    assert {text for text in said if not text[0].isupper()} == set()


SAID_OF_ONE = {
    "Here: %(here)s of %(seats)s": {
        "en": "Here: 1 of 4",
        "cs": "U stolu: 1 z 4",
        "de": "Schon da: 1 von 4",
        "es": "Aquí: 1 de 4",
        "pl": "Przy stole: 1 z 4",
    },
    "%(name)s for the host: agreed by %(agree)s of %(asked)s.": {
        "en": "Bo for the host: agreed by 1 of 4.",
        "cs": "Hostitelem má být Bo: souhlas 1 z 4.",
        "de": "Bo für die Spielleitung: dafür 1 von 4.",
        "es": "Bo para llevar la mesa: de acuerdo 1 de 4.",
        "pl": "Gospodarzem ma być Bo: za 1 z 4.",
    },
    "%(told)s × %(five)s told, %(left)s left in this round": {
        "en": "2 × +5 told, 1 left in this round",
        "cs": "nahlášeno 2 × +5, v tomto kole už nejvýš 1",
        "de": "2 × +5 gemeldet, in dieser Runde höchstens noch 1",
        "es": "dichas 2 × +5, en esta ronda como mucho 1",
        "pl": "podano 2 × +5, w tej rundzie najwyżej jeszcze 1",
    },
    "%(told)s × ±5 told, and beside the cards on the table so many tricks have room for %(cards)s": {
        "en": "2 × ±5 told, and beside the cards on the table so many tricks have room for 1",
        "cs": "nahlášeno je 2 × ±5, a vedle karet na stole je v tolika štyších místo pro 1",
        "de": "2 × ±5 gemeldet, und neben den Karten auf dem Tisch ist in so vielen Stichen Platz für 1",
        "es": "dichas 2 × ±5, y junto a las cartas de la mesa hay sitio en tantas bazas para 1",
        "pl": "podano 2 × ±5, a obok kart na stole jest w tylu lewach miejsce na 1",
    },
    "Yes: %(card)s costs %(price)s; left after that: %(left)s.": {
        "en": "Yes: X costs 3; left after that: 1.",
        "cs": "Ano: X stojí 3; pak zbývá: 1.",
        "de": "Ja: X kostet 3; danach übrig: 1.",
        "es": "Sí: X cuesta 3; saldo después: 1.",
        "pl": "Tak: X kosztuje 3; potem zostaje: 1.",
    },
    "Not saved yet. Waiting on this phone: %(n)s": {
        "en": "Not saved yet. Waiting on this phone: 1",
        "cs": "Ještě neuloženo. Čeká v tomto telefonu: 1",
        "de": "Noch nicht gespeichert. Noch auf diesem Handy: 1",
        "es": "Sin guardar todavía. En espera en este móvil: 1",
        "pl": "Jeszcze nie zapisano. Czeka na tym telefonie: 1",
    },
}
"""Sentences with one form for all numbers: no verb in them is right for one alone, or for several."""
NUMBERS = {"here": 1, "seats": 4, "agree": 1, "asked": 4, "left": 1, "cards": 1, "told": 2, "price": 3, "n": 1}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sentence", SAID_OF_ONE)
def test_one_form_for_all_numbers_suits_one(sentence: str, language: str) -> None:
    said = translations(language).gettext(sentence) % {**NUMBERS, "name": "Bo", "five": "+5", "card": "X"}
    assert said.replace("\xa0", " ") == SAID_OF_ONE[sentence][language]


def test_told_remembers_its_facts() -> None:
    told = Told("There is no such seat. Seats: 0 to %(last)s.", last=3)
    assert told == "There is no such seat. Seats: 0 to 3."
    assert translations("cs").gettext(told.sentence) % told.facts == "Takové místo není. Místa: 0 až 3."
