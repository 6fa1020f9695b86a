"""The rules on a page: of a game, of a table, and from a refusal to the very paragraph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games import GAMES
from tests.web.conftest import Phone, sound


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_are_on_a_page(phone: Callable[..., Phone], game: str) -> None:
    page = phone().reads(f"/help/{game}")
    assert "1.1" in page.text
    assert len(page.all("section")) >= 4
    parts = [link for link in page.links if link.startswith("#part-")]
    assert [page.one("section", id=link[1:]) for link in parts]
    assert f"/help/{game}" in phone().reads("/help").links
    assert f"/help/{game}" in phone().reads(f"/open/{game}").links


def test_a_table_shows_its_own_rules(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("hanabi", names=["Ann", "Bo"], edition="es", hint_tokens="10")
    text = host.reads("/t/{code}/rules").text
    assert "10 hint tokens" in text
    assert "Black powder" not in text
    assert "Black powder" in host.reads("/help/hanabi").text


def test_a_refusal_leads_to_its_paragraph(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("rage", names=["Ann", "Bo", "Cy"])
    answer = host.taps("bid", seat=1, tricks=11)
    assert answer.status_code == 422
    link = f"/t/{host.code}/rules#rule-2.3"
    assert link in sound(answer).links
    page = host.reads(f"/t/{host.code}/rules")
    assert "From the dealer’s left" in page.one("div", id="rule-2.3").text


def test_a_rule_that_the_table_does_not_play_stands_on_the_card_of_the_game(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("hanabi", names=["Ann", "Bo"])
    answer = host.taps("reward", seat=0, tile="T1")
    assert answer.status_code == 422
    assert "/help/hanabi#rule-6.4" in sound(answer).links


def test_an_answer_of_the_referee_leads_to_its_paragraph(phone: Callable[..., Phone]) -> None:
    page = phone().reads("/judge/rage?trump=R&words=Y8&words=R4&words=NT")
    assert "/help/rage#rule-3.4" in page.links


def test_a_game_that_is_not_there_has_no_rules(phone: Callable[..., Phone]) -> None:
    phone().reads("/help/chess", status=404)


@pytest.mark.parametrize("game", GAMES)
def test_no_page_for_people_has_the_code_of_a_rule(phone: Callable[..., Phone], game: str) -> None:
    """Neither its key nor its source: people get the sentence, and a link to the paragraph."""
    rules = GAMES[game].rules
    host = phone()
    host.opens(game, names=["Ann", "Bo", "Cy"])
    wrong = {
        "rage": ("bid", {"tricks": 11}),
        "ikebana": ("buy", {"from": 1}),
        "ubongo": ("take", {}),
        "tally": ("enter", {"column": "number", "value": 10**8}),
        "hanabi": ("discard", {}),
    }
    move, fields = wrong[game]
    refused = host.taps(move, seat=0, **fields)
    assert refused.status_code == 422
    asked = {
        "rage": "trump=R&words=Y8&words=R4",
        "ikebana": "words=K3+R3+G3+B2+Y2",
        "ubongo": "words=A%3D6,4,2,2,2,2+C%3D4,3,2,6,1,0",
        "hanabi": "fireworks=W1",
        "tally": "words=3+5",
    }
    answered = host.reads(f"/judge/{game}?{asked[game]}")
    for page in (sound(refused), answered, host.reads("/t/{code}/history"), host.reads("/t/{code}/rules")):
        for rule in rules:
            assert rule.key not in page.text
            assert rule.source not in page.text
    assert any("#rule-" in link for link in sound(refused).links)
    assert any("#rule-" in link for link in answered.links)
