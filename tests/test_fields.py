"""The fields of schemas: strict where JSON is lax, and clear about what they want."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest
from marshmallow import ValidationError

from companion.fields import CardName, Choice, PerSeat, SeatNumber, Switch, Whole, shape


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
