"""Plain data is said as the values were that it was made of, by the server and by a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, is_dataclass
from enum import Enum
from itertools import pairwise
from random import Random
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from companion.api.encoding import as_json
from companion.game import Agreeing, Plural, Seat, Words
from companion.games import GAMES
from companion.rendering.differences import difference, put_in
from companion.rendering.needs import Needs
from companion.rendering.plain import Writer
from companion.rendering.tags import TAG, tags
from companion.rendering.texts import texts
from companion.rendering.vocabulary import Speaker, vocabulary
from companion.testing.kit import play_on, played
from companion.testing.moments import moments, of_any_game, reader, some_table
from companion.testing.node import Asked, Phone
from companion.web import parts
from companion.web.live_part import LivePart, PlainPart, ScreenPart
from companion.words import LANGUAGES, Voice, translations
from tests.house import House

OURS = ("hanabi", "ikebana", "rage", "ubongo")
NAMES = ("Anna", "Bo & Cy", "-", "Ð", "E", "F", "G", "H")


def sayable(value: Any, words: Words) -> Iterator[Any]:
    """Yield what of a view can be said."""
    if isinstance(value, Enum):
        yield from [value] if value in words.names else []
    elif is_dataclass(value):
        yield from [value] if type(value) in words.sentences else []
        for field in fields(value):
            yield from sayable(getattr(value, field.name), words)
    elif isinstance(value, tuple):
        cards = tuple(
            one for one in value if (isinstance(one, Enum) and one in words.names) or type(one) in words.sentences
        )
        yield from [cards[:5]] if cards == value else []
        for one in value:
            yield from sayable(one, words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", OURS)
def test_a_phone_and_the_server_say_what_a_voice_says(
    key: str, language: str, phone: Phone, modules: dict[str, bytes]
) -> None:
    game = GAMES[key]
    rng = Random(key)
    plays = [played(some_table(game, rng), rng, 200) for _ in range(6)]
    views = [game.view(play.position, 0) for play in plays]
    values = [value for view in views for value in sayable(view, game.words)][:800]
    voice = Voice(game.words, NAMES, language)
    own = texts(translations(language), language)
    speaker = Speaker(vocabulary(game, own, language, None), own, NAMES)
    write = Writer(tags(game.words))
    expected = [voice.say(value) for value in values]
    assert len(set(expected)) > 5
    assert [speaker.say(write(value)) for value in values] == expected
    say = f"export const words={json.dumps(asdict(speaker.vocabulary))},plural=n=>Number({own.rule}),\n"
    say += "templates=R=>({say:c=>JSON.stringify(c.values.map(c.say))});\n"
    (phone.folder / "say.only.js").write_text(say)
    told = json.dumps({"names": NAMES, "values": [write(value) for value in values]})
    (by_phone,) = phone.draws([Asked("say.only", "say", told)])
    assert json.loads(by_phone) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_forms_of_a_plural_are_the_same_on_both_sides(language: str, phone: Phone) -> None:
    own = texts(translations(language), language)
    numbers = [*range(210), 1000, 1001, 1002, 1005]
    code = f"export const words={{lists:[]}},plural=n=>Number({own.rule}),templates=R=>({{p:c=>''+c.n.map(plural)}});\n"
    (phone.folder / f"plural.{language}.js").write_text(code)
    (by_phone,) = phone.draws([Asked(f"plural.{language}", "p", json.dumps({"names": [], "n": numbers}))])
    assert [int(form) for form in by_phone.split(",")] == [own.form(number) for number in numbers]


@pytest.mark.parametrize(
    ("last", "said"), [("Inés", "e\xa0Inés"), ("Íñigo", "e\xa0Íñigo"), ("hilo", "e\xa0hilo"), ("hielo", "y\xa0hielo")]
)
def test_the_last_of_a_list_changes_the_spanish_and(last: str, said: str, phone: Phone) -> None:
    own = texts(translations("es"), "es")
    speaker = Speaker(vocabulary(GAMES["rage"], own, "es", None), own, [])
    lists = [["Ana", last], ["Ana", "Íñigo", last], [last, "Ana"], [last], []]
    expected = [f"Ana {said}", f"Ana, Íñigo {said}", f"{last} y\xa0Ana", last, ""]
    assert [speaker.say(one) for one in lists] == expected
    say = f"export const words={json.dumps(asdict(speaker.vocabulary))},plural=n=>Number({own.rule}),\n"
    say += "templates=R=>({say:c=>JSON.stringify(c.values.map(c.say))});\n"
    (phone.folder / "lists.es.js").write_text(say)
    (by_phone,) = phone.draws([Asked("lists.es", "say", json.dumps({"names": [], "values": lists}))])
    assert json.loads(by_phone) == expected


class Suit(Enum):
    ROSE = "R"


class Hue(Enum):
    RED = "R"


class Size(Enum):
    BIG = 3
    IS_ON = True


@dataclass(frozen=True)
class Beaten:
    seat: Seat
    by: tuple[Seat, ...]
    cards: int


@dataclass(frozen=True)
class Painted:
    hue: Hue
    suit: Suit


@dataclass(frozen=True)
class Empty:
    pass


def small_game(**view: Any) -> Any:
    """Make as much of a game as has words."""
    words = Words(
        sentences={
            Beaten: Plural("%(seat)s: 100 %%, %(cards)s", "%(by)s/%(seat)s %(cards)s", by="cards"),
            Painted: Agreeing("hue", {Hue.RED: "red as a %(suit)s"}),
        },
        names={Suit.ROSE: "rose", Hue.RED: "red", Size.BIG: "big", Size.IS_ON: "on"},
        options={},
        fields={},
    )
    return type("Small", (), {"words": words, "view": staticmethod(lambda position, seat: None)})


def test_what_has_one_text_and_two_names_bears_its_kind_and_seats_are_said_by_name() -> None:
    game, own = small_game(), texts(translations("en"), "en")
    write = Writer(tags(game.words))
    speaker = Speaker(vocabulary(game, own, "en", None), own, NAMES)
    values = [Suit.ROSE, Hue.RED, Size.BIG, Size.IS_ON, -3, True, None, "?"]
    assert [speaker.say(write(value)) for value in values] == ["rose", "red", "big", "on", "−3", "True", "None", "?"]
    assert write(Suit.ROSE) == "R"
    assert write(Hue.RED) == {TAG: "Hue", "value": "R"}
    assert speaker.say(write(Painted(Hue.RED, Suit.ROSE))) == "red as a rose"
    assert speaker.say(write(Beaten(Seat(0), (Seat(1), Seat(3)), 1))) == "Anna: 100 %, 1"
    assert speaker.say(write(Beaten(Seat(0), (Seat(0), Seat(1), Seat(3)), 2))) == "Anna, Bo & Cy, and Ð/Anna 2"


def is_plain(value: Any) -> bool:
    if type(value) is dict:
        return all(type(name) is str and is_plain(one) for name, one in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return type(value) in {str, int, bool, type(None)} or (type(value) is float and not value.is_integer())


def agrees(value: Any, kind: Any) -> bool:
    """Look whether a value is of a kind, down to all that it holds."""
    if is_typeddict(kind):
        named = get_type_hints(kind)
        return value.keys() == named.keys() and all(agrees(value[name], one) for name, one in named.items())
    if get_origin(kind) is list:
        return type(value) is list and all(agrees(one, get_args(kind)[0]) for one in value)
    if get_origin(kind) is UnionType:
        return any(agrees(value, one) for one in get_args(kind))
    return kind is Any or type(value) is (get_origin(kind) or kind)


@pytest.mark.parametrize("key", [*OURS, "cairn"])
def test_a_live_part_is_told_nothing_but_plain_data(house: House, key: str) -> None:
    for seed in range(4):
        for look in moments(house, key, seed, 8):
            with reader(house.app, look.language):
                about = look.asker, look.seat, look.reading
                told, plain = parts.told(*about, look.refusal), of_any_game(look)
            assert is_plain(told | plain)
            assert json.loads(json.dumps(told | plain)) == told | plain
            own = {name: value for name, value in told.items() if name != "plain"}
            assert agrees(own, ScreenPart if look.seat is None else LivePart)
            assert agrees(plain, PlainPart)


@pytest.mark.parametrize("key", OURS)
def test_a_whole_view_is_written_as_the_api_writes_it(key: str) -> None:
    game, rng = GAMES[key], Random(key)
    for _ in range(6):
        position = played(some_table(game, rng), rng, 300).position
        for seat in (None, 0, 1):
            view = game.view(position, seat)
            assert Writer({})(view) == as_json(view)


def test_of_a_record_only_what_is_read_is_written_and_one_that_is_only_asked_for_is_true() -> None:
    write = Writer({Empty: "Empty"}, Needs(frozenset(), frozenset({"seat"})).fields)
    assert write([Beaten(Seat(1), (), 2), Empty()]) == [{"seat": 1}, {TAG: "Empty"}]
    assert Writer({}, {"nothing"})(Beaten(Seat(1), (), 2)) is True


@pytest.mark.parametrize("key", [*OURS, "cairn"])
def test_what_a_move_changes_in_a_view_is_what_lies_between_what_is_written_of_both(key: str) -> None:
    game, rng = GAMES[key], Random(key)
    write = Writer(tags(game.words))
    for _ in range(4):
        table = some_table(game, rng)
        positions = [table.begin().position, *(play.position for play in play_on(table, rng, 60))]
        for seat in (None, *range(table.seats)):
            views = [game.view(position, seat) for position in positions]
            for old, new in pairwise(views):
                changed = write.difference(old, new, "view")
                assert changed == difference(write(old), write(new), "view")
                assert json.dumps(put_in({"view": write(old)}, changed)) == json.dumps({"view": write(new)})
            assert write.difference(views[0], views[-1]) == difference(write(views[0]), write(views[-1]))


def test_what_is_of_another_kind_or_length_or_no_record_changes_as_what_is_written_does() -> None:
    write = Writer({Empty: "Empty"})
    beaten, painted = Beaten(Seat(1), (Seat(2),), 2), Painted(Hue.RED, Suit.ROSE)
    assert write.difference(beaten, Beaten(Seat(1), (Seat(2), Seat(3)), 2)) == {"by.1:1": [3]}
    assert write.difference(beaten, Beaten(Seat(1), (Seat(4),), 3)) == {"cards": 3, "by.0": 4}
    assert write.difference((beaten, 1), (painted, 1)) == {"0": write(painted)}
    assert write.difference((Size.BIG, 1), (Size.IS_ON, 1)) == {"0": True}
    assert write.difference((1, 2.0), (True, 2.0)) == {"0": True}
    assert write.difference({"a": (1, 2)}, {"a": (1, 3)}, "at") == {"at.a.1": 3}
    assert write.difference(beaten, painted, "at") == {"at": write(painted)}
    assert write.difference(Empty(), Empty()) == {}
    assert write.difference(None, beaten) == {"": write(beaten)}
    assert write.difference(beaten, beaten) == {}
    assert write.difference((), (1,), "at") == {"at": [1]}
