"""A play that all have lost: nobody has won it, in no file, page, answer or statistic, whoever stored its result."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from companion import record
from companion.commands import companion
from companion.desk.phone import hashed
from companion.game import Refused
from companion.games import GAMES
from companion.log import keeping
from companion.play import Asked
from companion.record import read_data, replay
from companion.tables import opening
from tests.web.conftest import House, Phone

MakePhone = Callable[..., Phone]
NAMES = ["Žofie", "Bo"]
CARDS = [f"{colour}{value}" for value in range(1, 6) for colour in "WRBYG"]
ENDS = {"lost": "the game is lost", "ended": "The final round is over.", "won": "the game is won"}
"""How a game of Hanabi can end, and what is said of it."""


def moves_to(end: str) -> Iterator[dict[str, Any]]:
    """Yield moves that lead there, and may go on beyond; tokens only."""
    if end == "lost":
        yield from ({"move": "play"} for _ in range(3))
    yield from ({"move": "play", "card": card} for card in (CARDS if end == "won" else CARDS[:15]))
    while True:
        yield {"move": "hint"}
        yield {"move": "discard"}


def written(end: str) -> dict[str, Any]:
    """Write the record of a game that ends so."""
    options = {"detail": "tokens"}
    play = record.opened(GAMES["hanabi"], options, 2)
    for number, move in enumerate(moves_to(end), 1):
        ruled = play.judge(Asked(number, record.read_move(play.game, 2, {**move, "seat": (number - 1) % 2})))
        assert not isinstance(ruled, Refused), ruled
        play = ruled
        if play.game.standing(play.position).is_finished:
            break
    assert play.game.summary(play.position)["result"] == end
    return record.write(play, options, NAMES, {"opened": "2026-03-05T19:00:00.000Z"})


@pytest.fixture(params=[False, True], ids=["stored today", "stored by 0.1.0"])
def lay(house: House, phone: MakePhone, request: pytest.FixtureRequest) -> Callable[[str], Phone]:
    """Lay a game that ends so, whose host is a phone; its result stored today, or without what 0.1.0 did not know."""

    def laid(end: str) -> Phone:
        host = phone()
        host.reads("/")
        cookie = host.client.get_cookie("phone")
        with house.app.app_context():
            assert cookie
            host.code = opening.open_from(replay(read_data(written(end))), hashed(cookie.value)).code
        if request.param:
            [(stored,)] = house.rows("SELECT result FROM tables")
            ruled = json.loads(stored)
            assert ruled["summary"].pop("is_lost") == (end == "lost")
            ruled["summary"]["max_score"] = 25  # It did not reckon with the turns left.
            house.writes("UPDATE tables SET result = ?", json.dumps(ruled))
        return host

    return laid


every_end = pytest.mark.parametrize("end", ENDS)


@every_end
def test_files_for_other_programs_name_no_winner_of_a_loss(lay: Callable[[str], Phone], end: str) -> None:
    host, has_won = lay(end), end != "lost"
    for path in ("/t/{code}/files/plays.csv", "/book/files/plays.csv"):
        lines = list(csv.DictReader(io.StringIO(host.gets(path).data.decode("utf-8-sig"), newline="")))
        assert [line["winner"] for line in lines] == [str(int(has_won))] * 2
        assert [line["rank"] for line in lines] == ["1", "1"]
    for path in ("/t/{code}/files/play.bgsplay", "/book/files/plays.bgsplay"):
        [play] = host.gets(path).get_json()["plays"]
        assert [score["winner"] for score in play["playerScores"]] == [has_won] * 2
        assert ENDS[end] in play["comments"]
    [link] = [link for link in host.reads("/t/{code}/result").links if link.startswith("https:")]
    handed = json.loads(unquote(link.partition("data=")[2]))
    assert [player["winner"] for player in handed["players"]] == [has_won] * 2
    assert ENDS[end] in handed["comments"]


@every_end
def test_pages_say_how_it_ended(lay: Callable[[str], Phone], end: str) -> None:
    host = lay(end)
    result = host.reads("/t/{code}/result")
    [line] = [item for item in result.all("li") if NAMES[0] in item.text and NAMES[1] in item.text]
    assert ("first" in (line.attrs.get("class") or "")) == (end != "lost")
    assert ("Lost" in [element.text for element in result.all("b")]) == (end == "lost")
    assert ENDS[end] in result.one("textarea", id="text").text
    row = next(item for item in host.reads("/book").all("a", class_="row") if NAMES[1] in item.text)
    assert ("Lost" in row.text) == (end == "lost")


@every_end
def test_programs_are_told_who_has_won(lay: Callable[[str], Phone], end: str) -> None:
    host, has_won = lay(end), end != "lost"
    standing = host.gets("/api/tables/{code}/standing").get_json()
    assert standing["winners"] == ([0, 1] if has_won else [])
    assert [ENDS[end] in reason for reason in standing["reasons"]] == [True]
    [evening] = host.gets("/api/book").get_json()["evenings"]
    assert [player["has_won"] for player in evening["players"]] == [has_won] * 2


@every_end
def test_statistics_say_how_it_ended(lay: Callable[[str], Phone], end: str) -> None:
    host = lay(end)
    [hanabi] = host.gets("/api/book/statistics").get_json()["games"]
    ends = next(one for one in hanabi["statistics"] if one["title"] == "How it ended")
    shares = dict(zip([bar["figure"] for bar in ends["bars"]], ends["rows"][0]["values"], strict=True))
    assert shares == {name: float(name == end) for name in ENDS}
    assert "How it ended" in host.reads("/book/statistics").text


def test_nobody_has_won_before_the_end(phone: MakePhone) -> None:
    host = phone()
    host.opens("hanabi", NAMES, i_sit="")
    assert host.gets("/api/tables/{code}/standing").get_json()["winners"] == []
    [evening] = host.gets("/api/book").get_json()["evenings"]
    assert [player["has_won"] for player in evening["players"]] == [None, None]
    assert "Lost" not in host.reads("/book").text


@every_end
def test_a_replay_says_that_a_game_is_lost(tmp_path: Path, end: str) -> None:
    (tmp_path / "evening.json").write_text(json.dumps(written(end)), "utf-8")
    said = CliRunner().invoke(companion, ["replay", str(tmp_path / "evening.json")])
    assert said.exit_code == 0
    assert ("Lost: nobody has won." in said.output) == (end == "lost")


@every_end
def test_a_check_of_the_results_knows_those_of_an_older_release(
    lay: Callable[[str], Phone], house: House, end: str
) -> None:
    host = lay(end)
    with house.app.app_context():
        assert list(keeping.problems()) == []
    house.writes("UPDATE tables SET result = json_set(result, '$.standing[0].score', 3)")
    with house.app.app_context():
        [problem] = keeping.problems()
    assert problem == f"Table {host.code}: its result was ruled otherwise when it ended."
