"""A form of a line is read as one that is posted, and whatever a plain one offers can be sent."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.fields import Choice, Moment, SeatNumber, Switch, shape
from companion.game import Accepted, Seat
from companion.web.forms import form_of
from tests.neighbours import installed, vault
from tests.web.conftest import NAMES, Phone


@given(st.text("a1=&-;%2B+ž\x00", max_size=20))
def test_a_form_is_read_as_the_library_reads_it(text: str) -> None:
    assert form_of(text) == parse_qs(text, keep_blank_values=True)


class Weather(Enum):
    """What it is like; as data, a number."""

    DRY = 1
    WET = 2


@dataclass(frozen=True, slots=True)
class Sail:
    """Go to another seat, at a time."""

    seat: int
    to: int
    weather: Weather
    is_far: bool
    at: str | None = None


@pytest.fixture
def sailing() -> Iterator[None]:
    """Bring a game without pages of its own, whose one move holds all that a form chooses from."""
    vault_ = vault()
    schema = shape(
        Sail,
        seat=SeatNumber(2, required=True),
        to=SeatNumber(2, required=True),
        weather=Choice(Weather, required=True),
        is_far=Switch(required=True),
        at=Moment(),
    )

    def legal(position: Any, seat: int | None) -> Iterator[Sail]:
        if seat is not None:
            yield from (
                Sail(seat, to, weather, is_far) for to in range(2) for weather in Weather for is_far in (True, False)
            )

    said = {Sail: "%(seat)s sails in %(weather)s.", **vault_.words.sentences}
    words = replace(
        vault_.words,
        sentences=said,
        names={Weather.DRY: "sun", Weather.WET: "rain"},
        fields={"to": "To", "weather": "Weather", "is_far": "Far"},
    )
    sail = replace(
        vault_,
        key="sail",
        words=words,
        moves=lambda _seats: {"sail": schema},
        judge=lambda position, move: Accepted(position, (replace(move, seat=Seat(move.seat)),)),
        legal=legal,
        may_move=lambda _position, _seat: True,
    )
    with installed(sail):
        yield


@pytest.mark.usefixtures("sailing")
def test_whatever_a_plain_form_offers_is_said_in_words_and_can_be_sent(phone: Callable[..., Phone]) -> None:
    """A seat by its player's name, what is on or off, a number that stands for a word; and no time, which nobody tells."""
    ann = phone()
    ann.opens("sail", NAMES[:2])
    for to, weather, is_far in (("0", "1", "true"), ("1", "2", "false")):
        page = ann.reads("/t/{code}/0")
        said = {element.text for element in page.elements if element.tag == "option"}
        assert said == {"Ann", "Bo", "sun", "rain", "on", "off"}
        form = page.form(f"/t/{ann.code}/0/move")
        assert "at" not in {part.get("name") for part in form.fields}
        assert ann.submits(form, form.filled(to=to, weather=weather, is_far=is_far)).status_code == 303
