"""Ask the referee: a question without a table, on a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games import GAMES
from tests.web.conftest import Phone


@pytest.fixture
def asker(phone: Callable[..., Phone]) -> Phone:
    return phone()


@pytest.mark.parametrize(
    ("address", "verdict"),
    [
        ("/judge/rage?trump=R&words=Y8&words=R4&words=NT&words=", "Card number 1 wins the trick: yellow 8."),
        ("/judge/ikebana?words=K3&words=R3&words=G3&words=B2&words=Y2", "The bouquet is worth 13 × 3 = 39"),
        ("/judge/hanabi?fireworks=W3&fireworks=R4&fireworks=B4&fireworks=Y5&fireworks=G2", "18 points: great."),
        ("/judge/ubongo?A=6&A=4&A=2&A=2&A=2&A=2&C=4&C=3&C=2&C=6&C=1&C=0", "Level on 6 and 4"),
    ],
)
def test_the_referee_answers_and_names_the_rule(asker: Phone, address: str, verdict: str) -> None:
    page = asker.gets(address)
    assert page.status_code == 200
    assert verdict in page.text
    assert f"{address.split('/')[2].split('?', maxsplit=1)[0]}." in page.text  # the stable name of the rule


@pytest.mark.parametrize("game", GAMES)
def test_what_cannot_be_read_is_answered_and_kept(asker: Phone, game: str) -> None:
    page = asker.gets(f"/judge/{game}?words=%3Cb%3EZ99&words=%00&A=x&fireworks=Q9&trump=Z")
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert "<b>Z99" not in page.text


@pytest.mark.parametrize("game", GAMES)
def test_a_game_can_be_asked_about_from_the_list(asker: Phone, game: str) -> None:
    assert f'href="/judge/{game}"' in asker.gets("/judge").text
    page = asker.gets(f"/judge/{game}")
    assert page.status_code == 200
    assert 'role="alert"' not in page.text


def test_a_game_that_is_not_there_is_not_there(asker: Phone) -> None:
    assert asker.gets("/judge/chess").status_code == 404
