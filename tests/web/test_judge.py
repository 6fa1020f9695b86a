"""Ask the referee: a question without a table, on a page."""

from __future__ import annotations

from collections.abc import Callable
from random import Random, randrange
from urllib.parse import urlencode

import pytest

from companion.games import GAMES
from tests.web.conftest import Phone, sound


@pytest.fixture
def asker(phone: Callable[..., Phone]) -> Phone:
    return phone()


@pytest.mark.parametrize(
    ("address", "verdict"),
    [
        ("/judge/rage?trump=R&words=Y8&words=R4&words=NT&words=", "Card number 1 wins the trick: yellow 8."),
        ("/judge/ikebana?words=K3&words=R3&words=G3&words=B2&words=Y2", "The bouquet is worth 13 × 3 = 39"),
        ("/judge/hanabi?fireworks=W3&fireworks=R4&fireworks=B4&fireworks=Y5&fireworks=G2", "18 points: great."),
        ("/judge/ubongo?words=A%3D6,4,2,2,2,2&words=C%3D4,3,2,6,1,0", "Level on 6 and 4"),
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


@pytest.mark.parametrize(
    ("words", "says"), [("9 z", "z není číslo."), ("7 7 7 7 7 7 7 7 7 7 7 7 7", "Čísel na hráče: 1; hráčů: nejvýš 8.")]
)
def test_a_question_in_words_is_refused_in_the_readers_language(asker: Phone, words: str, says: str) -> None:
    page = sound(asker.gets(f"/judge/tally?lang=cs&{urlencode({'words': words})}"))
    (said,) = page.all("p", class_="source")
    assert (said.text, said.attrs["lang"]) == (says, "cs")


def test_a_game_that_is_not_there_is_not_there(asker: Phone) -> None:
    assert asker.gets("/judge/chess").status_code == 404


@pytest.mark.parametrize("game", [key for key in GAMES if key != "tally"])
def test_every_question_of_a_game_has_its_keys(asker: Phone, game: str) -> None:
    links = [link for link in asker.reads(f"/judge/{game}").links if "about=" in link]
    assert len(links) == len(GAMES[game].question.topics) >= 3
    for link in links:
        page = asker.reads(link)
        keys = page.all("button")
        assert len(keys) >= 6
        assert all(key.attrs.get("name") for key in keys)


def test_a_card_that_cannot_be_is_named_and_not_kept(asker: Phone) -> None:
    page = asker.gets("/judge/rage?about=trick&words=Y8&was=words&words=*8&colour=Y")
    assert page.status_code == 422
    assert "Yellow 8 cannot come again" in page.text
    assert [one.attrs["value"] for one in sound(page).all("input", name="words")] == ["Y8"]


def test_what_cannot_be_is_struck_out_and_can_be_touched(asker: Phone) -> None:
    page = asker.reads("/judge/ikebana?about=bouquet&words=K5")
    barred = [key for key in page.all("button", name="words") if "barred" in key.attrs["class"]]
    assert [key.attrs["value"] for key in barred] == ["K5"]


def test_a_card_is_taken_away_by_touching_it(asker: Phone) -> None:
    page = asker.reads("/judge/rage?about=trick&words=Y8&words=R4&drop=words:0")
    assert "Card number 1 wins the trick: red 4." in page.text


def test_a_change_of_trump_asks_for_the_talon(asker: Phone) -> None:
    page = asker.reads("/judge/rage?about=trick&words=Y8&was=words&words=CT")
    assert page.one("input", name="was").attrs["value"] == "turned"
    assert "say which" in page.text


def test_points_below_nought_have_a_true_minus_on_their_keys(asker: Phone) -> None:
    page = asker.reads("/judge/hanabi?about=rating&black_powder=yes")
    keys = {key.attrs["value"]: key.text for key in page.all("button", name="points")}
    assert [keys[str(points)] for points in range(-5, 2)] == ["−5", "−4", "−3", "−2", "−1", "0", "1"]


def test_players_are_told_one_after_another(asker: Phone) -> None:
    address = "/judge/rage?about=score&bid=3&tricks=3&minus=1&next=1"
    page = asker.reads(address)
    assert page.one("input", name="words").attrs["value"] == "A=3,3,0,1"
    page = asker.reads("/judge/rage?about=score&words=A%3D3,3,0,1&bid=2&tricks=1&plus=1")
    assert "The round brings: A 8 and B 1." in page.text


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("rage?about=score&words=A%3D3,3,0,1", "Bid 3 Tricks 3 +5 cards 0 −5 cards 1"),
        (
            "ubongo?about=gems&words=A%3D6,4,2,2,2,0",
            "G Green gems 6 R Red gems 4 B Blue gems 2 P Purple gems 2 N Brown gems 2 Y Yellow gems 0",
        ),
    ],
)
def test_what_a_player_was_told_of_is_named_number_by_number(asker: Phone, address: str, told: str) -> None:
    """There stood “A: 3 3 0 1”, which nobody could read."""
    page = asker.reads(f"/judge/{address}")
    assert page.one("span", class_="asked-told").text.split() == told.split()


@pytest.mark.parametrize("words", ["A", "A=", "=", "A=3,3,0,1,7,7,7,7", "A=x,y", "A=9999999999"])
def test_a_player_who_cannot_be_read_is_shown_all_the_same(asker: Phone, words: str) -> None:
    for game, topic in (("rage", "score"), ("ubongo", "gems")):
        assert asker.gets(f"/judge/{game}?{urlencode({'about': topic, 'words': words})}").status_code == 422


def test_gems_are_asked_about_by_their_drawings(asker: Phone) -> None:
    """They were named in words alone, on six keys that did not fit the screen."""
    page = asker.reads("/judge/ubongo?about=gems")
    drawn = [svg.attrs["class"].split()[-1] for svg in page.all("svg", class_="gem")]
    assert drawn == ["gem-green", "gem-red", "gem-blue", "gem-purple", "gem-brown", "gem-yellow"]


def test_a_kind_of_question_that_is_not_there_is_not_there(asker: Phone) -> None:
    assert asker.gets("/judge/rage?about=chess").status_code == 404


def test_a_table_is_filled_in(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("rage", names=["Ann", "Bo", "Cy"], nt_then_ct="nt_dominates", durch="on")
    for seat in range(3):
        assert host.taps("bid", seat=seat, tricks=seat).status_code == 303
    for move, fields in (("turn", {"card": "R7"}), ("play", {"seat": 0, "card": "Y8"})):
        assert host.taps(move, **fields).status_code == 303
    assert "/t/{code}/ask".replace("{code}", host.code) in host.reads("/t/{code}/0").links
    trick, _follow, score, bids = [link for link in host.reads("/t/{code}/ask").links if "about=" in link]
    page = host.reads(trick)
    assert "Card number 1 wins the trick: yellow 8." in page.text
    assert page.one("input", name="trump").attrs["value"] == "R"
    assert page.one("input", name="nt_then_ct").attrs["value"] == "nt_dominates"
    assert "durch=yes" in score
    assert "bids=0%2C1" in bids
    assert f"/t/{host.code}/ask" in page.links


def test_a_table_whose_referee_is_asked_in_words_leads_to_the_field_for_them(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("tally", names=["Ann", "Bo"])
    assert f"/t/{host.code}/ask" in host.reads("/t/{code}/0").links
    assert host.gets("/t/{code}/ask").headers["Location"] == "/judge/tally"
    assert host.reads("/judge/tally").one("input", name="words")


@pytest.mark.promise(6)
@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_what_is_sealed_is_not_filled_in(phone: Callable[..., Phone], bidding: str) -> None:
    host = phone()
    host.opens("rage", names=["Ann", "Bo", "Cy"], bidding=bidding)
    assert host.taps("bid", seat=0, tricks=7).status_code == 303
    assert "bids=" not in host.reads("/t/{code}/ask").text


@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        ("hanabi", [("play", {"seat": 0, "slot": 0, "card": "R1"})], ["fireworks=R1", "seen=R1", "points=1"]),
        ("ikebana", [("refuse", {"seat": 0})], ["players=3", "points=5", "refused=1"]),
        ("ubongo", [("roll", {"symbol": 1}), ("ubongo", {"seat": 1})], ["from=0", "rank=1", "left=12"]),
    ],
)
def test_what_lies_on_a_table_is_filled_in(
    phone: Callable[..., Phone], game: str, moves: list[tuple[str, dict[str, object]]], told: list[str]
) -> None:
    host = phone()
    detail = {"hanabi": {"detail": "cards"}, "ikebana": {"detail": "payments"}}.get(game, {})
    host.opens(game, names=["Ann", "Bo", "Cy"], **detail)
    for move, fields in moves:
        assert host.taps(move, **fields).status_code == 303
    page = host.reads("/t/{code}/ask")
    for part in told:
        assert any(f"{part}&" in f"{link}&" for link in page.links), part
    for link in page.links:
        if "about=" in link:
            host.reads(link)


STRANGE = [
    "",
    "x",
    "-1",
    "99",
    "9" * 5_000,
    "%00",
    "*8",
    "J",
    "J:Q",
    "R9",
    "W3",
    "A=1",
    "A=1,2,3,4,5,6",
    "yes",
    "\u0663",
    ",",
]
"""What no key says, or not there."""


@pytest.mark.parametrize("game", GAMES)
def test_whatever_an_address_says_is_answered(asker: Phone, game: str) -> None:
    seed = randrange(1 << 32)
    print(f"seed {seed}")
    chance = Random(seed)
    for topic in GAMES[game].question.topics:
        names = ["words", "was", "row", "drop", "next", "colour", "table", *(part.option for part in topic.parts)]
        for _ in range(25):
            told = [(chance.choice(names), chance.choice([*STRANGE, *names])) for _ in range(chance.randrange(1, 8))]
            address = f"/judge/{game}?{urlencode([('about', topic.key), *told])}"
            assert asker.gets(address).status_code in {200, 422}, address
