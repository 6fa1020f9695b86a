"""The fields of schemas: strict where JSON is lax, and clear about what they want."""

from dataclasses import dataclass
from enum import Enum
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from marshmallow import Schema, ValidationError, fields, validate

from companion import record
from companion.fields import CardName, Choice, PerSeat, SeatNumber, Several, Shape, Switch, Whole, shape
from companion.games import GAMES
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables


class Side(Enum):
    LEFT = "left"
    TWO = 2
    ON = True


@dataclass(frozen=True)
class Thing:
    seat: int
    card: str | None = None


def parsed(name: str) -> str:
    if name not in {"R3", "J"}:
        raise ValueError(name)
    return name.lower()


FIELDS: dict[str, Any] = {
    "whole": Whole(),
    "seat": SeatNumber(3),
    "each": PerSeat(3),
    "switch": Switch(),
    "side": Choice(Side),
    "card": CardName(parsed, str.upper),
}


@pytest.mark.parametrize(
    ("field", "value", "loaded"),
    [
        ("whole", 0, 0),
        ("whole", -7, -7),
        ("whole", 10**40, 10**40),
        ("seat", 0, 0),
        ("seat", 2, 2),
        ("each", [1, -2, 3], (1, -2, 3)),
        ("switch", True, True),
        ("switch", False, False),
        ("switch", "on", True),
        ("switch", "off", False),
        ("switch", "true", True),
        ("switch", "false", False),
        ("side", "left", Side.LEFT),
        ("side", 2, Side.TWO),
        ("side", True, Side.ON),
        ("side", "true", Side.ON),
        ("card", "R3", "r3"),
    ],
)
def test_what_is_right_is_loaded(field: str, value: Any, loaded: Any) -> None:
    assert FIELDS[field].deserialize(value) == loaded


@pytest.mark.parametrize("value", [True, False, 1.0, 1.5, "1", "", None, [1], {"n": 1}, float("nan")])
@pytest.mark.parametrize("field", ["whole", "seat"])
def test_only_a_whole_number_is_a_number(field: str, value: Any) -> None:
    with pytest.raises(ValidationError):
        FIELDS[field].deserialize(value)


@pytest.mark.parametrize("value", [0, 1, "yes", "True", "ON", "", None, [], 1.0])
def test_only_true_and_false_are_switches(value: Any) -> None:
    with pytest.raises(ValidationError):
        FIELDS["switch"].deserialize(value)


@pytest.mark.parametrize("value", [3, -1, 10**30])
def test_a_seat_beyond_the_table_is_told_which_there_are(value: int) -> None:
    with pytest.raises(ValidationError, match="Seats: 0 to 2"):
        FIELDS["seat"].deserialize(value)


@pytest.mark.parametrize(
    "value", [[], [1, 2], [1, 2, 3, 4], [1, True, 3], [1, "2", 3], [1, None, 3], "123", 3, {"0": 1}]
)
def test_only_one_number_per_seat_is_a_list_for_the_seats(value: Any) -> None:
    with pytest.raises(ValidationError):
        FIELDS["each"].deserialize(value)


@pytest.mark.parametrize("value", ["LEFT", "Side.LEFT", 1, 2.0, "2", None, ["left"], {}])
def test_only_a_value_of_its_own_type_is_a_choice(value: Any) -> None:
    with pytest.raises(ValidationError):
        FIELDS["side"].deserialize(value)


def test_a_wrong_choice_is_told_what_is_allowed() -> None:
    with pytest.raises(ValidationError, match="Allowed: left, 2, true"):
        FIELDS["side"].deserialize("right")


@pytest.mark.parametrize("value", ["r3", "R4", "", 3, None, ["R3"], True])
def test_only_a_card_by_its_name_is_a_card(value: Any) -> None:
    with pytest.raises(ValidationError):
        FIELDS["card"].deserialize(value)


SHAPE = shape(Thing, seat=SeatNumber(3, required=True), card=CardName(parsed, str.upper))


def test_a_shape_loads_into_its_class() -> None:
    assert SHAPE.load({"seat": 1, "card": "J"}) == Thing(1, "j")
    assert SHAPE.load({"seat": 1}) == Thing(1)


def test_a_shape_leaves_out_what_is_none_when_it_is_written() -> None:
    assert SHAPE.dump(Thing(1)) == {"seat": 1}
    assert SHAPE.dump(Thing(1, "j")) == {"seat": 1, "card": "J"}


def test_a_field_that_a_shape_does_not_know_is_told_which_it_knows() -> None:
    with pytest.raises(ValidationError) as caught:
        SHAPE.load({"seat": 1, "colour": "red"})
    assert caught.value.messages == {"colour": ["Unknown. Allowed: seat, card."]}


@pytest.mark.parametrize("value", [None, [], "seat", 3])
def test_only_an_object_is_a_shape(value: Any) -> None:
    with pytest.raises(ValidationError):
        SHAPE.load(value)


def test_two_shapes_of_one_class_do_not_mix() -> None:
    other = shape(Thing, seat=SeatNumber(5, required=True))
    assert other.load({"seat": 4}) == Thing(4)
    with pytest.raises(ValidationError):
        SHAPE.load({"seat": 4})


ODD = (None, True, 1, -1, 10**5000, 1.0, "", "1", "on", "R3", [], [1, 2], (1, 2), [None], {}, {"n": 1})


def loaded(load: Any, *about: Any) -> Any:
    """Load, or say why not."""
    try:
        return repr(load(*about))
    except ValidationError as error:
        return error.messages


def at_length(schema: Any, data: Any) -> Any:
    """Load as marshmallow does, with nothing read at first sight."""
    return loaded(Schema.load, schema, data)


def made_odd(table: Table, data: dict[str, Any], names: list[str], rng: Random) -> dict[str, Any]:
    """Change something of an object that may be right: leave out a field, add one, give it another value, or no list."""
    name, odd = rng.choice([*names, "stone"]), rng.choice([*ODD, *[table.seats] * 4])
    match rng.randrange(4):
        case 0:
            return {own: value for own, value in data.items() if own != name}
        case 1:
            return data | {name: odd}
        case 2:
            return data | {name: [odd, *value] if isinstance(value := data.get(name), list) else [value]}
    return data


@pytest.mark.parametrize("key", GAMES)
def test_what_is_read_at_first_sight_is_what_marshmallow_reads_and_the_rest_it_refuses(key: str) -> None:
    @given(tables((key,)), randoms())
    def holds(table: Table, rng: Random) -> None:
        game, play = table.game, kit.played(table, rng, 30)
        cards, schemas = kit.names_of_cards(table, play), game.moves(table.seats)
        for kind, schema in schemas.items():
            legal = [move for actor in kit.actors(table) for move in islice(game.legal(play.position, actor), 20)]
            right = [
                written for move in legal if (written := record.write_move(game, table.seats, move))["move"] == kind
            ]
            wild = [
                {name: kit.wild_value(part, table.seats, cards, rng) for name, part in schema.fields.items()}
                for _ in range(20)
            ]
            for data in [*({name: one[name] for name in one if name != "move"} for one in right), *wild]:
                odd = made_odd(table, data, list(schema.fields), rng)
                assert loaded(schema.load, data) == at_length(schema, data)
                assert loaded(schema.load, odd) == at_length(schema, odd)
        options = made_odd(table, table.options, list(game.options.fields), rng)
        assert loaded(game.options.load, options) == at_length(game.options, options)

    holds()


@pytest.mark.parametrize("key", GAMES)
def test_a_legal_move_is_read_at_first_sight(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(GAMES[key], {}, 4)
    plays = list(kit.play_on(table, Random(7), 40))
    moves = [record.write_move(table.game, 4, play.last.asked.move) for play in plays if play.last]
    monkeypatch.setattr(Schema, "load", None)
    assert all(record.read_move(table.game, 4, move) for move in moves)


@dataclass(frozen=True)
class Pile:
    height: Any = None
    cards: Any = None


class Doubled(Whole):
    """A field of another package, that reads otherwise than the one that it is made of."""

    def _deserialize(self, *args: Any, **kwargs: Any) -> int:
        return 2 * super()._deserialize(*args, **kwargs)


class Loud(Whole):
    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        return 2 * super().deserialize(value, *args, **kwargs)


@pytest.mark.parametrize(
    ("part", "value", "height"),
    [
        (Doubled(), 3, 6),
        (Several(Doubled()), [3], (6,)),
        (Loud(), 3, 6),
        (Whole(post_load=[lambda value: value + 1]), 3, 4),
        (Whole(allow_none=True), None, None),
        (fields.Int(), "3", 3),
        (Several(fields.Int()), ["3"], (3,)),
        (Whole(), 3, 3),
    ],
    ids=repr,
)
def test_a_field_of_another_package_is_read_its_own_way(part: Any, value: Any, height: Any) -> None:
    assert shape(Pile, height=part).load({"height": value}) == Pile(height)


def test_a_field_may_have_more_to_say() -> None:
    bounded = shape(Pile, height=Whole(validate=validate.Range(max=5)))
    assert bounded.load({"height": 5}) == Pile(5)
    with pytest.raises(ValidationError):
        bounded.load({"height": 6})
    assert shape(Pile, height=Whole(load_default=7)).load({}) == Pile(7)
    assert shape(Pile, height=Whole(data_key="top")).load({"top": 7}) == Pile(7)
    assert isinstance(bounded, Shape)
