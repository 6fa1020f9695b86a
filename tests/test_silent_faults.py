"""What would be silent in a game of another package until somebody plays it is said by name when it is loaded."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.fields import CardName, SeatNumber, shape
from companion.game import AnyGame, Plural
from companion.games import OWN
from companion.games.installed import NotWhole, whole
from companion.testing import promises
from tests.neighbours import cairn, installed, vault
from tests.test_installed import laid_out

CS = "cs/LC_MESSAGES/messages"


@pytest.fixture(scope="module")
def game() -> AnyGame:
    return cairn()


def with_cards(parse: Any) -> AnyGame:
    """Let the cards of Vault be read so."""
    game = vault()
    hide: Any = game.moves(2)["hide"]
    card = CardName(parse, str, required=True)

    def moves(seats: int) -> Any:
        return {**game.moves(seats), "hide": shape(hide.make, seat=SeatNumber(seats, required=True), card=card)}

    return replace(game, moves=moves)


@pytest.mark.parametrize(
    ("parse", "why"),
    [
        ({"1": 1}.__getitem__, "hide: card has a parse that raises KeyError at ''"),
        (lambda name: int(name) // 0, "hide: card has a parse that raises ZeroDivisionError at '0'"),
    ],
)
def test_cards_that_are_read_by_what_fails_are_named(parse: Any, why: str) -> None:
    with pytest.raises(NotWhole, match=f"^Its moves cannot hold: {why}"):
        whole(with_cards(parse))
    assert whole(with_cards(int))


def test_an_event_without_a_sentence_is_named(game: AnyGame) -> None:
    said = {of: text for of, text in game.words.sentences.items() if getattr(of, "__name__", "") != "Laid"}
    assert len(said) < len(game.words.sentences)
    with pytest.raises(NotWhole, match=r"^Its legal cannot hold: There are none for the event Laid\.$"):
        whole(replace(game, words=replace(game.words, sentences=said)))


@pytest.mark.parametrize("said", ["%(seat)s is half done: 50%", "50% of %(die)s", "%(die)s%", "%s", "%(die)d", "%%%"])
def test_a_sentence_with_a_percent_sign_by_itself_is_named(game: AnyGame, said: str) -> None:
    """Every page that says it would be away, and at the table alone; doubled, it is said."""
    (laid,) = [of for of in game.words.sentences if getattr(of, "__name__", "") == "Laid"]
    odd, even = (
        replace(game, words=replace(game.words, sentences={**game.words.sentences, laid: text}))
        for text in (said, "50%% of %(die)s")
    )
    assert whole(even)
    with pytest.raises(NotWhole) as found:
        whole(odd)
    assert str(found.value) == f"Its words cannot hold: “{said}” has a percent sign by itself: it is written %%."


def test_a_translation_that_names_a_wrong_place_is_named(game: AnyGame, tmp_path: Path) -> None:
    for said, why in (
        ("%(seat)s pokládá %(dice)s.", "cs says %(dice)s, which “%(seat)s lays %(die)s.” has not."),
        ("%(die)s: 5 %", "cs says “%(die)s: 5 %”, where a percent sign is written %%."),
        ("%(die)s!", ""),
    ):
        text = f'msgid "%(seat)s lays %(die)s."\nmsgstr "{said}"\n'
        named(text, tmp_path / str(len(why)))
        told = replace(game, words=replace(game.words, catalogue=tmp_path / str(len(why))))
        assert refused(told) == (f"Its catalogue cannot hold: {why}" if why else "")


@pytest.mark.parametrize(
    ("many", "why"),
    [
        ("%(seat)s pokládá %(dice)s.", "cs says %(dice)s, which “%(seat)s lays one.” has not."),
        ("%(die)s: 5 %", "cs says “%(die)s: 5 %”, where a percent sign is written %%."),
        ("%(seat)s pokládá %(die)s.", ""),
    ],
)
def test_what_a_translation_says_of_many_is_looked_at_too(game: AnyGame, tmp_path: Path, many: str, why: str) -> None:
    (laid,) = [of for of in game.words.sentences if getattr(of, "__name__", "") == "Laid"]
    sentences = {**game.words.sentences, laid: Plural("%(seat)s lays one.", "%(seat)s lays %(die)s.", "die")}
    forms = f'msgstr[0] "%(seat)s pokládá jeden."\nmsgstr[1] "{many}"\nmsgstr[2] "%(seat)s pokládá %(die)s."'
    named(f'msgid "%(seat)s lays one."\nmsgid_plural "%(seat)s lays %(die)s."\n{forms}\n', tmp_path)
    told = replace(game, words=replace(game.words, sentences=sentences, catalogue=tmp_path))
    assert refused(told) == (f"Its catalogue cannot hold: {why}" if why else "")


def test_a_percent_sign_by_itself_in_the_translation_of_a_sentence_without_a_place_is_named(
    game: AnyGame, tmp_path: Path
) -> None:
    named('msgid "A die shows 1 to 6."\nmsgstr "Na 100 % je tam 1 až 6."\n', tmp_path)
    with pytest.raises(NotWhole, match=r"cs says “Na 100 % je tam 1 až 6\.”, where a percent sign is written %%"):
        whole(replace(game, words=replace(game.words, catalogue=tmp_path)))


def refused(game: AnyGame) -> str:
    """Say why a game is not whole; "" where it is."""
    try:
        assert whole(game)
    except NotWhole as why:
        return str(why)
    return ""


def named(text: str, folder: Path) -> None:
    """Write a catalogue in Czech, and compile it."""
    plural = "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);"
    head = f'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: {plural}\\n"\n\n'
    place = folder / f"{CS}.po"
    place.parent.mkdir(parents=True)
    place.write_text(head + text)
    compiling = ["-m", "babel.messages.frontend", "compile", "-i", place, "-o", place.with_suffix(".mo")]
    subprocess.run([sys.executable, *compiling], check=True, capture_output=True)


STYLE = """
.a { background: url("rage/gone.svg") } /* url(nothing.svg) */
.b { background: url(rage/here.svg); mask: url('data:image/svg+xml,x'); color: url(#inside) }
.c { src: url(../fonts.css) }
"""


def test_a_picture_that_a_style_sheet_lacks_is_named(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, {"static/games/rage.css": STYLE, "static/games/rage/here.svg": ""})
    with pytest.raises(NotWhole) as found:
        whole(replace(OWN[2], folder=folder))
    said = [part for part in str(found.value).split(". ") if "url(" in part]
    assert [part.rpartition(" asks for ")[2].partition(",")[0] for part in said] == [
        "url(rage/gone.svg)",
        "url(../fonts.css)",
    ]


def broken(*_about: object) -> Any:
    raise KeyError("stone")


@pytest.mark.parametrize(
    "sheets",
    [{"score_sheet": broken}, {"score_sheet": lambda *_about: {"players": ["Ann"]}}],
    ids=["its function raises", "its template reads what nobody gives"],
)
def test_a_sheet_that_cannot_be_drawn_breaks_a_promise(sheets: Any) -> None:
    promises.test_every_sheet_is_drawn_blank_and_filled("rage")
    with installed(replace(OWN[2], sheets=sheets)), pytest.raises(Exception, match=r"stone|undefined"):
        promises.test_every_sheet_is_drawn_blank_and_filled("rage")


@pytest.mark.parametrize("example", ["", "what is this", "6 '"])
def test_a_question_that_cannot_be_asked_breaks_a_promise(game: AnyGame, example: str) -> None:
    with installed(game):
        promises.test_the_example_of_the_question_is_answered("cairn")
    with installed(replace(game, question=replace(game.question, example=example))), pytest.raises(ValueError):  # noqa: PT011
        promises.test_the_example_of_the_question_is_answered("cairn")
