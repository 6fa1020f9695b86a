"""Everything that the referee of Ubongo has to say can be said."""

from typing import get_args

from companion.game import texts_of
from companion.games.ubongo import GAME, question
from companion.games.ubongo.gems import Colour, Gem, Held
from companion.games.ubongo.moves import Event, Move, NothingRecorded, OtherRecorded, Rule
from companion.games.ubongo.whys import WhatLies


def test_every_rule_event_and_move_has_a_sentence() -> None:
    said = {question.Placed, question.Ranking, question.PawnReaches, question.MayMove, question.MayNotMove}
    said |= {question.TakesGems, question.TakesNothing, question.TooLateForGems}
    said |= {OtherRecorded, NothingRecorded, Held, *get_args(WhatLies)}
    assert set(GAME.words.sentences) == {*Rule, *get_args(Event), *get_args(Move), *said}


def test_every_sentence_is_a_whole_one() -> None:
    for key, sentence in GAME.words.sentences.items():
        is_rule_or_event = isinstance(key, Rule) or key in get_args(Event)
        assert all(text.endswith((".", "!")) or not is_rule_or_event for text in texts_of(sentence))


def test_every_colour_has_a_name() -> None:
    assert set(GAME.words.names) == {*Colour, *Gem}
    assert [gem.value for gem in Gem] == [colour.value for colour in Colour]


def test_every_option_and_every_value_of_it_is_explained() -> None:
    fields = GAME.options.fields
    values = {(name, member.value) for name, field in fields.items() for member in getattr(field, "enum", ())}
    assert set(GAME.words.options) == set(fields) | values
    assert all(label.help for label in GAME.words.options.values())


def test_every_field_of_a_move_has_a_name() -> None:
    fields = {name for schema in GAME.moves(2).values() for name in schema.fields}
    assert set(GAME.words.fields) == fields - {"seat"}
