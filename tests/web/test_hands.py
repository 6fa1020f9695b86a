"""Promise 6 for a game with hands: nobody but its seat learns anything of a hidden card, by any way out of the house.

The same evening is played twice, and only one hidden card differs. What everybody else can get out of the house is the same,
byte for byte; what the seat itself gets is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from companion.games import GAMES
from tests.neighbours import installed, vault
from tests.web.test_sealed import Evening, compare, seen

__all__ = ["seen"]
Seen = Callable[[Callable[[Evening], object]], list[tuple[str, bytes]]]
CARDS = (3, 8)
"""Bo's, in one evening and in the other."""
THIRD_CARD = {"move": "hide", "seat": 3, "card": 5}


@pytest.fixture(autouse=True)
def game() -> Iterator[None]:
    with installed(vault()):
        yield


def evening_with(card: int) -> Callable[[Evening], None]:
    def played(evening: Evening) -> None:
        people = evening.people
        code = people["host"].opens("vault")
        for phone in people.values():
            phone.code = code
        for seat, role in ((1, "own seat"), (2, "other seat")):
            assert people[role].sits(seat).status_code == 303
        evening.listen()
        evening.act("host", "hides", "/t/{code}/0/move", move="hide", seat=0, card=4, key="3.0")
        answer = evening.act("own seat", "hides", "/t/{code}/1/move", move="hide", seat=1, card=card, key="4.1")
        assert answer.status_code == 303
        evening.act("host", "hides for the absent", "/t/{code}/3/move", **THIRD_CARD, key="5.3")
        curious(evening)
        answer = evening.act("other seat", "hides", "/t/{code}/2/move", move="hide", seat=2, card=7, key="9.2")
        assert answer.status_code == 303
        for seat, role in enumerate(("host", "own seat", "other seat")):
            answer = evening.act(role, "lays", f"/t/{{code}}/{seat}/move", move="lay", seat=seat, stones=seat)
            assert answer.status_code == 303
        evening.look_around("in the middle")
        evening.house.restart()
        evening.listen()

    return played


def curious(evening: Evening) -> None:
    """Ask what would tell one card from the other: by the wrong seat, by an amendment, by trials and by undoing."""
    for role, seat in (("other seat", 2), ("host", 0), ("spectator", 1)):
        for card in CARDS:
            form = {"move": "hide", "seat": 1, "card": card}
            evening.act(role, f"hides {card} for Bo", f"/t/{{code}}/{seat}/move", **form)
            evening.act(role, f"amends to {card}", "/t/{code}/history/5", **form)
            evening.act(role, f"asks why not {card}", f"/t/{{code}}/{seat}/why-not", **form)
    for act in ("take-back", "put-back"):
        evening.act("host", act, f"/t/{{code}}/{act}")


@pytest.mark.promise(6)
def test_nobody_but_its_seat_learns_anything_of_a_hidden_card(seen: Seen, figure: Callable[[str], None]) -> None:
    runs = [seen(evening_with(card)) for card in CARDS]
    assert len(runs[0]) > 100
    differing = list(dict.fromkeys(compare(runs)))
    assert [what for what in differing if "own seat" not in what] == []
    assert any("own seat opens /t/" in what for what in differing), "not even the seat itself has seen its card"
    figure(f"{len(runs[0]):,} answers and frames of two evenings: none but the seat's own differs")


def test_the_comparison_would_notice_a_hand_that_shows(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["vault"]
    view = game.view
    monkeypatch.setitem(GAMES, "vault", replace(game, view=lambda position, seat: view(position, 1)))
    runs = [seen(evening_with(card)) for card in CARDS]
    assert [what for what in compare(runs) if "own seat" not in what]
