"""The letters on cards and gems are those of the reader's language, and no two of a game are the same."""

from __future__ import annotations

import pytest

from companion.words import LANGUAGES, translations
from tests.house import House

COLOURS = {
    "W": "white",
    "R": "red",
    "B": "blue",
    "Y": "yellow",
    "G": "green",
    "K": "black",
    "M": "multicolour",
    "P": "purple",
    "O": "orange",
    "N": "brown",
}
GAMES = {"hanabi": "WRBYGKM", "ikebana": "KRGBYM", "rage": "BGRYPO", "ubongo": "GRBPNY"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("letters"))


def letters(house: House, language: str, colours: str) -> list[str]:
    """Write the letters of colours as the pages do."""
    written = '{% from "drawings/letters.html" import letter_of %}' + "|".join(
        f'{{{{ letter_of("{colour}") }}}}' for colour in colours
    )
    with house.app.test_request_context("/", headers={"Accept-Language": language}):
        return house.app.jinja_env.from_string(written).render().split("|")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_letter_stands_in_the_name_of_its_colour(house: House, language: str) -> None:
    names = [translations(language, None).gettext(name) for name in COLOURS.values()]
    drawn = letters(house, language, "".join(COLOURS))
    assert [(letter, name) for letter, name in zip(drawn, names, strict=True) if letter not in name.upper()] == []
    assert {len(letter) for letter in drawn} == {1}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_two_colours_of_a_game_have_one_letter(house: House, game: str, language: str) -> None:
    assert len(set(letters(house, language, GAMES[game]))) == len(GAMES[game])


def test_the_letters_of_polish_are_not_those_of_english(house: House) -> None:
    assert letters(house, "pl", "GRBPNY") == ["Z", "C", "N", "F", "B", "Ż"]
