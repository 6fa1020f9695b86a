"""What a finished game hands on: field by field, with hostile names, and nothing before its end."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import unquote

import pytest

from companion import record
from companion.games import GAMES
from companion.record import read_data, replay
from companion.tables import opening
from companion.testing import kit
from tests.house import a_record, a_round
from tests.web.conftest import House, Phone
from tests.web.hostile import hostile_names

MakePhone = Callable[..., Phone]
FORMULAS = ["=1+1", "+CMD|' /C calc'!A0", "-2+3", "@SUM(A1)"]
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="


def laid(house: House, phone: MakePhone, game: str, names: list[str], far: float = 1.0) -> tuple[Phone, Any]:
    """Open a table from a random evening, by its record, and look at it with a phone."""
    for seed in range(30):
        plays = list(kit.play_on(kit.Table(GAMES[game], {}, len(names)), Random(seed), most=2_000))
        if GAMES[game].standing(plays[-1].position).is_finished:
            break
    play = plays[round((len(plays) - 1) * far)]
    written = record.write(play, {}, names)
    with house.app.app_context():
        table = opening.open_from(replay(read_data(written)), "host")
        watcher = phone()
        watcher.code = table.code
    return watcher, play


def is_lost(play: Any) -> bool:
    return bool(play.game.summary(play.position).get("is_lost"))


def lines(phone: Phone, file: str) -> list[dict[str, str]]:
    answer = phone.gets(f"/t/{{code}}/files/{file}")
    assert answer.status_code == 200
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{phone.code}-{file}"'
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"), newline="")))


def play_of(phone: Phone) -> dict[str, Any]:
    """Read the play that the link hands to BG Stats."""
    (address,) = [link for link in phone.reads("/t/{code}/result").links if link.startswith("https:")]
    assert address.startswith(BG_STATS)
    play: dict[str, Any] = json.loads(unquote(address.removeprefix(BG_STATS)))
    return play


@pytest.mark.parametrize("game", GAMES)
def test_bg_stats_gets_every_field(house: House, phone: MakePhone, game: str) -> None:
    names = ["Žofie", "W" * 24, "Ñuño"]
    watcher, played = laid(house, phone, game, names)
    play = play_of(watcher)
    assert set(play) == {
        "sourceName", "sourcePlayId", "playDate", "durationMin", "location", "board", "comments", "game", "players",
    }  # fmt: skip
    assert (play["sourceName"], play["sourcePlayId"]) == ("companion", watcher.code)
    assert len(play["playDate"]) == len("2026-11-20 19:30:00")
    assert isinstance(play["durationMin"], int)
    assert play["game"]["name"] == GAMES[game].name
    assert play["game"]["sourceGameId"] == game
    assert (play["game"]["highestWins"], play["game"]["noPoints"]) == (True, False)
    assert ("bggId" in play["game"]) == (game in {"hanabi", "ubongo"})
    places = {place.seat: place for place in GAMES[game].standing(played.position).places}
    for seat, player in enumerate(play["players"]):
        assert set(player) == {"name", "sourcePlayerId", "startPlayer", "winner", "score", "rank", "role"}
        assert player["name"] == names[seat]
        assert (player["rank"], player["score"]) == (places[seat].rank, str(places[seat].score))
        assert player["winner"] == (places[seat].rank == 1 and not is_lost(played))
    assert sum(player["startPlayer"] for player in play["players"]) == 1


def test_the_file_of_bg_stats_names_everything_once(house: House, phone: MakePhone) -> None:
    watcher, _played = laid(house, phone, "rage", ["Ann", "Bo", "Ann"])
    answer = watcher.gets("/t/{code}/files/play.bgsplay")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{watcher.code}-play.bgsplay"'
    file = answer.get_json()
    assert set(file) == {"about", "userInfo", "players", "locations", "games", "plays"}
    assert [player["name"] for player in file["players"]] == ["Ann", "Bo"]
    (play,) = file["plays"]
    assert [score["playerRefId"] for score in play["playerScores"]] == [1, 2, 1]
    assert play["gameRefId"] == file["games"][0]["id"] == 1
    assert answer.get_json() == watcher.gets("/t/{code}/files/play.bgsplay").get_json()


def test_bg_stats_is_told_where_the_fewest_points_win(phone: MakePhone) -> None:
    host = phone()
    for wins in ("low", "high"):
        host.opens("tally", ["Ann", "Bo"], i_sit="0", wins=wins, rounds="1")
        for seat in range(2):
            move = {"move": "enter", "seat": seat, "column": "number", "value": seat}
            assert host.posts("/t/{code}/0/move", move).status_code == 303
        assert play_of(host)["game"]["highestWins"] == (wins == "high")
    file = host.gets("/book/files/plays.bgsplay").get_json()
    highest = {game["id"]: game["highestWins"] for game in file["games"]}
    assert [highest[play["gameRefId"]] for play in file["plays"]] == [True, False]


def test_what_a_host_has_called_the_game_is_handed_on(phone: MakePhone) -> None:
    host = phone()
    for called in ("Kostky", "Golf", ""):
        host.opens("tally", ["Ann", "Bo"], i_sit="0", called=called, wins="high", rounds="1")
        for seat in range(2):
            move = {"move": "enter", "seat": seat, "column": "number", "value": seat}
            assert host.posts("/t/{code}/0/move", move).status_code == 303
        name = called or "Tally"
        for file in ("plays.csv", "rounds.csv"):
            assert {line["game"] for line in lines(host, file)} == {name}
        assert play_of(host)["game"]["name"] == name
        assert f">{name}</h1>" in host.gets("/t/{code}/result.png").text
    file = host.gets("/book/files/plays.bgsplay").get_json()
    games = {game["id"]: game["name"] for game in file["games"]}
    assert [games[play["gameRefId"]] for play in file["plays"]] == ["Tally", "Golf", "Kostky"]


@pytest.mark.promise(3)
@pytest.mark.parametrize("game", GAMES)
def test_spreadsheets_say_what_the_standing_says(house: House, phone: MakePhone, game: str) -> None:
    names = ["Žofie", "Bo", "Cy"]
    watcher, played = laid(house, phone, game, names)
    places = {place.seat: place for place in GAMES[game].standing(played.position).places}
    plays = lines(watcher, "plays.csv")
    assert [line["name"] for line in plays] == names
    assert [line["score"] for line in plays] == [str(places[seat].score) for seat in range(3)]
    assert [line["rank"] for line in plays] == [str(places[seat].rank) for seat in range(3)]
    won = [places[seat].rank == 1 and not is_lost(played) for seat in range(3)]
    assert [line["winner"] for line in plays] == [str(int(has)) for has in won]
    assert [line["begins"] for line in plays].count("1") == 1
    rounds = lines(watcher, "rounds.csv")
    if game != "hanabi":
        last = {line["name"]: line["points"] for line in rounds}
        assert set(last) == set(names)
    if game in {"rage", "ikebana"}:
        assert [last[name] for name in names] == [str(places[seat].score) for seat in range(3)]


@pytest.mark.promise(17)
def test_no_cell_is_a_formula_and_every_name_is_whole(house: House, phone: MakePhone) -> None:
    kept = [name for name in hostile_names() if name.strip() and len(name) < 24 and name.isprintable()][:16]
    for formula, start in zip(FORMULAS, range(0, len(kept), 4), strict=True):
        names = [formula, *kept[start : start + 3]]
        watcher, _played = laid(house, phone, "rage", names)
        for file in ("plays.csv", "rounds.csv"):
            for line in lines(watcher, file):
                assert not line["name"].startswith(("=", "+", "-", "@", "\t", "\r"))
                assert None not in line
        shown = [player["name"] for player in play_of(watcher)["players"]]
        assert shown[0] == formula
        assert watcher.gets("/t/{code}/files/play.bgsplay").get_json()["players"]


def test_an_evening_lasts_as_long_as_it_was_played_when_its_result_is_corrected_later(phone: MakePhone) -> None:
    host = phone()
    moves = [move for number in range(1, 11) for move in a_round(number, 4)]
    at = [f"2026-11-20T19:{minute:02d}:00.000Z" for minute in range(len(moves))]
    timed = [{**move, "at": when} for move, when in zip(moves, at, strict=True)]
    written = a_record(timed, table="K7QX2M", opened=at[0], closed=at[-1])
    assert host.posts("/book/import", {"record": json.dumps(written)}).status_code == 200
    host.code = "K7QX2M"
    first = {f"tricks-{seat}": tricks for seat, tricks in enumerate((9, 1, 0, 0))}
    assert host.amends(5, "tally", **first).status_code == 303
    [evening] = host.gets("/api/book").json["evenings"]
    assert evening["closed"] > at[-1]
    assert {line["minutes"] for line in lines(host, "plays.csv")} == {"49"}
    assert play_of(host)["durationMin"] == 49
    assert "49 minutes" in host.reads("/t/{code}/result").one("textarea", id="text").text
    assert host.takes_back().status_code == 303
    assert {line["minutes"] for line in lines(host, "plays.csv")} == {"49"}


def test_nothing_is_handed_on_before_the_end(house: House, phone: MakePhone) -> None:
    watcher, _played = laid(house, phone, "rage", ["Ann", "Bo", "Cy"], far=0.5)
    assert [link for link in watcher.reads("/t/{code}/result").links if ".csv" in link or "bgstats" in link] == []
    for file in ("plays.csv", "rounds.csv", "play.bgsplay"):
        answer = watcher.gets(f"/t/{{code}}/files/{file}")
        assert (answer.status_code, answer.location) == (302, f"/t/{watcher.code}/result")


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_tells_the_result_in_the_readers_language_and_no_secret(
    house: House, phone: MakePhone, game: str
) -> None:
    """What stands on it; how it is drawn is tried with the sheets."""
    watcher, play = laid(house, phone, game, ["Žofie", "W" * 24, "Ñuño"])
    answer = watcher.gets("/t/{code}/result.png", headers={"Accept-Language": "cs"})
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert '<html lang="cs"' in answer.text
    assert all(name in answer.text for name in ("Žofie", "W" * 24, "Ñuño", GAMES[game].name))
    scores = {str(place.score).replace("-", "−") for place in GAMES[game].standing(play.position).places}
    assert all(f">{score}</b>" in answer.text for score in scores)
    assert answer.text.count('class="winner"') == (
        0 if GAMES[game].is_shared else sum(p.rank == 1 for p in GAMES[game].standing(play.position).places)
    )
    assert watcher.code not in answer.text
    assert "table.test" not in answer.text


def test_there_is_no_picture_before_the_end(house: House, phone: MakePhone) -> None:
    watcher, _played = laid(house, phone, "rage", ["Ann", "Bo", "Cy"], far=0.5)
    answer = watcher.gets("/t/{code}/result.png")
    assert answer.status_code == 302
    assert answer.location.endswith(f"/t/{watcher.code}/result")
