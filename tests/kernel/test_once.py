"""What is worked out once: for the very same values, and as long as it is not pushed out by others."""

import gc
from types import SimpleNamespace
from weakref import ref

import pytest

from companion.kernel.once import by_value, once, part


class Deck:
    """Equal to every other one."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck)

    def __hash__(self) -> int:
        return 0


@pytest.mark.parametrize("remember", [once, part])
def test_the_very_same_values_are_asked_about_once(remember: object) -> None:
    asked = []
    remembering = remember(lambda *values: asked.append(values))  # type: ignore[operator]
    one, other = Deck(), Deck()
    for values in [(one,), (one,), (other,), (one, other), (other, one), (one, other)]:
        remembering(*values)
    assert list(map(len, asked)) == [1, 1, 2, 2]
    assert asked[0][0] is one
    assert asked[1][0] is other


def test_what_nobody_asked_about_lately_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.kernel.once.MOST", 4)
    asked = []
    remembering = once(asked.append)
    decks = [Deck() for _ in range(9)]
    gone = ref(decks[0])
    for deck in decks:
        remembering(deck)
    remembering(decks[5])
    assert len(asked) == 9
    remembering(decks[0])
    assert len(asked) == 10
    del asked[:], decks[0], deck
    for deck in decks:
        remembering(deck)
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("values", [1, 2])
def test_what_a_game_that_is_over_was_asked_is_let_go_of_in_time(monkeypatch: pytest.MonkeyPatch, values: int) -> None:
    now = 0.0
    monkeypatch.setattr("companion.kernel.once.time", SimpleNamespace(monotonic=lambda: now))
    remembering = once(lambda *decks: len(decks))
    deck = Deck()
    gone = ref(deck)
    remembering(*[deck] * values)
    del deck
    for minutes in (4, 6, 9):
        now = minutes * 60
        remembering(*[Deck()] * values)
        assert gone() is not None
    now = 12 * 60
    remembering(*[Deck()] * values)
    gc.collect()
    assert gone() is None


def test_numbers_are_asked_about_once_by_their_value() -> None:
    asked = []
    remembering = by_value(lambda *values: asked.append(values))
    remembering(10**30, (1, 2))
    remembering(int("1" + "0" * 30), tuple([1, 2]))
    assert asked == [(10**30, (1, 2))]


def test_values_of_games_that_are_over_are_let_go_of_in_time_while_others_play(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("companion.kernel.once.time", SimpleNamespace(monotonic=lambda: now))
    asked = []
    remembering, playing = by_value(asked.append), once(len)
    times = []
    for minutes in (0, 4, 6, 9, 12):
        now = 1_000_000 + minutes * 60
        playing(f"{minutes}")
        remembering("trump")
        times.append(len(asked))
    assert times == [1, 1, 2, 2, 3]
