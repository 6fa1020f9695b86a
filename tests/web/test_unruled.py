"""Promise 25: a table whose game is not installed, or whose rules are others by now, breaks nothing and loses nothing."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion import log
from companion.api.socket import Program
from companion.commands import companion as command
from companion.desk import talking
from companion.kernel.figures import Bar, Per, Statistic
from companion.log import keeping
from companion.push.lines import BROKEN
from companion.tables.importing import import_files
from companion.tables.seating import Asker, find_table, hashed
from companion.web.line import Viewer
from tests.house import a_record, a_round
from tests.neighbours import cairn, installed
from tests.web.conftest import House, Phone
from tests.web.stage import OF_THE_FINISHED, ROLES, Stage, routes, set_stage
from tests.web.test_book import lay, written

pytestmark = pytest.mark.promise(25)

MakePhone = Callable[..., Phone]
BREAKAGES = {
    "the game is gone": ("game_missing", "UPDATE tables SET game = 'cairn'"),
    "an option is gone": ("option_missing", """UPDATE tables SET options = '{"loud": true}' WHERE game = 'rage'"""),
    "a value is gone": ("option_missing", """UPDATE tables SET options = '{"bidding": "loud"}' WHERE game = 'rage'"""),
    "the rules are gone": ("rules_missing", "UPDATE tables SET rules = 7 WHERE game = 'rage'"),
    "a round scores otherwise": ("ruled_otherwise", "UPDATE entries SET standing = '1:1 1:1 1:1' WHERE number = 3"),
    "a bid is refused": ("log_refused", """UPDATE entries SET data = replace(data, '"tricks": ', '"tricks": 9')"""),
    "a move has another name": ("move_missing", """UPDATE entries SET data = replace(data, '"bid"', '"offer"')"""),
    "the rules stumble": ("log_refused", """UPDATE entries SET kind = 'amend', data = '{}' WHERE kind = 'take_back'"""),
}


@pytest.fixture
def stage(house: House, phone: MakePhone) -> Stage:
    return set_stage(house, phone)


def breaks(house: House, breakage: str) -> str:
    """Let the package of a game be another one from the next start on; gives the type of the trouble."""
    kind, sql = BREAKAGES[breakage]
    house.writes(sql)
    house.restart()
    return kind


@pytest.mark.promise(20)
@pytest.mark.parametrize("breakage", BREAKAGES)
def test_no_address_answers_with_a_fault_of_ours(stage: Stage, breakage: str) -> None:
    kind = breaks(stage.house, breakage)
    found: set[int] = set()
    for route in routes(stage.house.app):
        if route.endpoint in {"groups.leave", "groups.change_key", "groups.join", "api-evenings.join", "book.rename"}:
            continue
        for role in ("host", "own seat", "anonymous"):
            answer = stage.asks(role, route)
            assert answer.status_code < 500, (route, role, answer.text)
            if answer.status_code == 409 and route.is_api and route.method != "HEAD":
                # What only a finished game hands on says first that this one is not over.
                kinds = {kind, "not_over"} if route.rule in OF_THE_FINISHED else {kind}
                assert answer.get_json()["type"].removeprefix("/api#") in kinds, (route, role)
            found.add(answer.status_code)
    assert {200, 409} <= found


@pytest.mark.parametrize("breakage", BREAKAGES)
def test_its_page_names_the_game_and_shows_the_log_but_no_secret(stage: Stage, breakage: str) -> None:
    breaks(stage.house, breakage)
    name = "cairn" if breakage == "the game is gone" else "Rage"
    for path in ("/t/{code}/history", "/t/{code}/screen", "/t/{code}/result", "/t/{code}/seats", "/print?code={code}"):
        page = stage.people["spectator"].reads(path, 409).text
        assert name in page, path
        assert "nothing is lost" in page
        assert "sealed" in page
        assert "tricks" not in page
    page = stage.people["own seat"].reads("/t/{code}/history", 409)
    assert all(datetime.fromisoformat(str(each.attrs["datetime"])).tzinfo == UTC for each in page.all("time"))
    own = page.text
    assert own.count('"tricks"') == 2
    assert "companion export" in own
    for role in ROLES:
        for path in (
            "/t/{code}/files/record.json",
            "/api/tables/{code}/record",
            "/api/tables/{code}/files/record.json",
        ):
            assert stage.people[role].gets(path).status_code == 409
        packed = stage.people[role].gets("/book/files/records.zip").data
        for name, text in members(packed).items():
            assert name == "left-out.txt" or "tricks" not in text
    assert stage.code in members(stage.people["host"].gets("/book/files/records.zip").data)["left-out.txt"]


@pytest.mark.promise(6)
def test_whoever_comes_to_a_seat_reads_nothing_that_may_be_sealed_there(stage: Stage) -> None:
    assert stage.people["own seat"].posts("/t/{code}/stand").status_code == 303
    breaks(stage.house, "the game is gone")
    host = stage.people["host"].reads("/t/{code}/history", 409).text
    assert '"seat": 0, "tricks"' in host
    assert '"seat": 1, "tricks"' not in host


def members(packed: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_lobby_and_the_book_go_on_naming_it(house: House, phone: MakePhone) -> None:
    host = phone()
    code = lay(house, host, written(location="Klub"))
    before = host.gets(f"/t/{code}/files/record.json").get_json()
    scores = [
        f">{place['score']}<".replace("-", "−")
        for place in host.gets(f"/api/tables/{code}/standing").get_json()["standing"]
    ]
    house.writes("UPDATE tables SET game = 'cairn'")
    house.restart()
    assert f"cairn {code}" in " ".join(host.reads("/").text.split())
    assert "cairn" in host.reads("/book").text
    host.reads("/book/statistics")
    shown = host.gets(f"/t/{code}/result").text
    assert all(score in shown for score in scores)
    assert host.gets(f"/t/{code}/files/record.json").get_json() == {**before, "game": "cairn"}
    assert host.gets("/api/book").get_json()["evenings"][0]["game"] == "cairn"
    assert json.loads(members(host.gets("/book/files/records.zip").data)[f"{code}.json"])["moves"] == before["moves"]
    for file, lines in (("plays.csv", 3), ("rounds.csv", 3)):
        assert host.gets(f"/book/files/{file}").text.count(f"\n{code},cairn,") == lines
    [play] = json.loads(host.gets("/book/files/plays.bgsplay").data)["plays"]
    assert len(play["playerScores"]) == 3
    assert host.posts("/book/people", {"name": "Bo", "to": "Bob"}).status_code == 303
    assert "Bob" in host.gets(f"/t/{code}/result").text
    # And as it was, once the game is installed again.
    house.writes("UPDATE tables SET game = 'rage'")
    house.restart()
    host.reads(f"/t/{code}/result")


def stumbles(*_about: object) -> Any:
    raise KeyError("stone")


@pytest.mark.parametrize(
    "name", ["begins", "by_rules", "course", "figures", "has_secrets", "is_lost", "reasons", "recorded", "summary"]
)
def test_a_game_that_stumbles_over_its_old_evenings_keeps_nobody_from_the_others(
    house: House, phone: MakePhone, name: str
) -> None:
    host, older = phone(), {"older": (1,), "version": 2}
    statistic = Statistic("Piles", (Bar("Piles", "piles"),), Per.TABLE, is_share=True)
    with installed(cairn()):
        code, other = lay(house, host, written("cairn", names=["Ann", "Bo"])), lay(house, host, written())
    with installed(replace(cairn(), **older, **{name: stumbles}, statistics=(statistic,))):
        house.restart()
        with house.app.app_context():
            log.upgrade()
        for page in ("/", "/book", "/book/statistics"):
            host.reads(page)
        assert {one["code"] for one in host.gets("/api/book").get_json()["evenings"]} == {code, other}
        for file in ("plays.csv", "rounds.csv", "plays.bgsplay"):
            handed_on = host.gets(f"/book/files/{file}")
            assert (handed_on.status_code, "Cairn" in handed_on.text, "Rage" in handed_on.text) == (200, True, True)
        assert {f"{code}.json", f"{other}.json"} <= members(host.gets("/book/files/records.zip").data).keys()
        with house.app.app_context():
            assert not any(other in problem for problem in keeping.problems())


@pytest.mark.parametrize("is_known", [True, False])
def test_a_move_that_a_game_stumbles_over_while_it_is_read_takes_no_answer_of_another_table_with_it(
    house: House, phone: MakePhone, is_known: bool
) -> None:
    host = phone()
    house.app.extensions["companion.is_near"] = True  # whatever the disk is here
    with installed(cairn()), house.app.test_request_context():
        codes = host.opens("cairn", names=["Ann", "Bo"]), host.opens("rage")
        lines = [Viewer(Asker(find_table(code), hashed(host.client.get_cookie("phone").value)), 0) for code in codes]
        for code in codes:
            log.read(find_table(code))
    forms = "move=lay&seat=0&die=5&after=1", "move=bid&seat=0&tricks=3&after=1"
    taps = [json.dumps({"key": "tap", "form": form}) for form in forms]
    arrived = list(zip(lines, taps, strict=True))
    with installed(replace(cairn(), moves=stumbles)), house.app.test_request_context():
        said = talking.at_once(arrived) if is_known else talking.answers(arrived)
    assert said == [None if is_known else '{"key":"tap","isToWait":true,"isStumbled":true}', '{"key":"tap","number":2}']


def test_a_refusal_that_a_game_cannot_say_takes_no_answer_of_another_table_with_it(
    house: House, phone: MakePhone
) -> None:
    game = cairn()
    sentences = {**game.words.sentences, **dict.fromkeys(game.rules, "%(stone)s")}
    host = phone()
    with installed(replace(game, words=replace(game.words, sentences=sentences))), house.app.test_request_context():
        codes = host.opens("cairn", names=["Ann", "Bo"]), host.opens("rage")
        lines = [Viewer(Asker(find_table(code), hashed(host.client.get_cookie("phone").value)), 0) for code in codes]
        forms = "move=lay&seat=0&die=9&after=1", "move=bid&seat=0&tricks=3&after=1"
        taps = [json.dumps({"key": "tap", "form": form}) for form in forms]
        said = talking.answers(list(zip(lines, taps, strict=True)))
    assert said == [BROKEN, '{"key":"tap","number":2}']


def test_a_move_of_which_a_game_cannot_say_what_happened_counts_once_and_so_does_that_of_another_table(
    house: House, phone: MakePhone
) -> None:
    game = cairn()
    sentences = {of: "%(stone)s" if isinstance(of, type) else said for of, said in game.words.sentences.items()}
    host = phone()
    house.app.extensions["companion.is_near"] = True  # whatever the disk is here
    with installed(replace(game, words=replace(game.words, sentences=sentences))), house.app.test_request_context():
        codes = host.opens("cairn", names=["Ann", "Bo"]), host.opens("rage")
        lines = [Program(Asker(find_table(code), hashed(host.client.get_cookie("phone").value)), 0) for code in codes]
        for code in codes:
            log.read(find_table(code))
        moves = {"move": "lay", "seat": 0, "die": 5}, {"move": "bid", "seat": 0, "tricks": 3}
        said = [json.dumps({"key": "tap", "after": 1, "move": move}) for move in moves]
        arrived = list(zip(lines, said, strict=True))
        before = house.number
        assert talking.at_once(arrived) == [None, None]
        assert house.number == before + 2
        broken, ruled = talking.answers(arrived)
    assert (broken, json.loads(ruled)["ruled"]["number"], house.number) == (BROKEN, 2, before + 2)


def test_an_evening_lasts_as_long_as_it_was_played_when_its_game_is_gone(house: House, phone: MakePhone) -> None:
    host = phone()
    moves = [move for number in range(1, 11) for move in a_round(number, 4)]
    at = [f"2026-11-20T19:{minute:02d}:00.000Z" for minute in range(len(moves))]
    timed = [{**move, "at": when} for move, when in zip(moves, at, strict=True)]
    host.code = lay(house, host, a_record(timed, opened=at[0], closed=at[-1]))
    first = {f"tricks-{seat}": tricks for seat, tricks in enumerate((9, 1, 0, 0))}
    assert host.amends(5, "tally", **first).status_code == 303
    before = minutes(host)
    house.writes("UPDATE tables SET game = 'cairn'")
    house.restart()
    assert minutes(host) == before == {"49"}


@pytest.mark.parametrize("wins", ["low", "high"])
def test_bg_stats_is_told_which_points_have_won_when_the_score_sheet_is_gone(
    house: House, phone: MakePhone, wins: str
) -> None:
    host = phone()
    moves = [{"move": "enter", "seat": seat, "column": "number", "value": seat} for seat in range(2)]
    options = {"wins": wins, "rounds": 1}
    lay(house, host, a_record(moves, ["Ann", "Bo"], game="tally", options=options))
    house.writes("UPDATE tables SET game = 'golf', options = '{}'")
    house.restart()
    [game] = host.gets("/book/files/plays.bgsplay").get_json()["games"]
    assert game["highestWins"] == (wins == "high")


def minutes(phone: Phone) -> set[str]:
    """Read how long the evenings of a phone lasted."""
    return {line["minutes"] for line in csv.DictReader(phone.gets("/book/files/plays.csv").text.splitlines())}


def test_a_long_log_has_pages(house: House, phone: MakePhone) -> None:
    host = phone()
    code = lay(house, host, written())
    house.writes("UPDATE tables SET game = 'cairn'")
    house.restart()
    numbers: list[int] = []
    at: str | None = f"/t/{code}/history"
    while at:
        page = host.reads(at, 409)
        numbers += map(int, re.findall(r'entry-by">(\d+) ·', host.gets(at).text))
        at = next((link for link in page.links if "?to=" in link and int(link.split("=")[1]) < numbers[-1]), None)
    [(count,)] = house.rows("SELECT count(*) FROM entries")
    assert numbers == list(range(count, 0, -1))


def test_its_people_go_on_with_another_table(stage: Stage) -> None:
    breaks(stage.house, "a bid is refused")
    host = stage.people["host"]
    assert host.gets(f"/open/rage?again={stage.code}").status_code == 200
    sent = {"name": ["A", "B", "C"], "i_sit": "0", "again": stage.code}
    assert host.posts("/open/rage", sent).status_code == 303


def test_a_finished_table_is_shown_though_its_people_have_gone_on_with_a_game_that_is_gone(
    house: House, phone: MakePhone
) -> None:
    host = phone()
    code = lay(house, host, written())
    sent = {"name": ["A", "B", "C"], "i_sit": "0", "again": code}
    assert host.posts("/open/rage", sent).status_code == 303
    house.writes(f"UPDATE tables SET game = 'cairn' WHERE code != '{code}'")
    house.restart()
    for path in ("result", "0"):
        host.reads(f"/t/{code}/{path}")
    assert "cairn" in host.reads(f"/t/{code}/screen").text


@pytest.fixture
def run(house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Result]:
    """Give what runs a command upon the data of the house."""
    monkeypatch.setenv("COMPANION_DATA", str(house.settings.data))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Result:
        house.bytes()
        result = CliRunner().invoke(command, arguments)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.mark.parametrize("breakage", BREAKAGES)
def test_every_command_survives_it(stage: Stage, run: Callable[..., Result], breakage: str) -> None:
    healthy = stage.people["spectator"].opens("hanabi", names=["Ann", "Bo"])
    breaks(stage.house, breakage)
    stage.house.writes("UPDATE tables SET game = 'hanabi' WHERE code = ?", healthy)
    checked = run("check")
    assert checked.exit_code == 1
    assert f"Table {stage.code}: " in checked.stdout
    assert healthy not in checked.stdout
    printed = run("print", stage.code)
    assert (printed.exit_code, "nothing is lost" in printed.stderr) == (1, True)
    assert run("export", healthy).exit_code == 0
    exported = run("export", stage.code)
    assert (exported.exit_code, stage.code in exported.stderr) == (1, True)
    # What was taken back does not count; nobody has judged what does.
    if breakage != "the rules stumble":
        assert [move["seat"] for move in json.loads(exported.stdout)["moves"]] == [0, 1]
    everything = run("export", "--all", "-o", "all.zip")
    assert (everything.exit_code, f"Not judged: Table {stage.code}" in everything.stderr) == (1, True)
    assert {f"{stage.code}.json", f"{healthy}.json"} <= set(members(Path("all.zip").read_bytes()))
    for kind in ("plays.csv", "rounds.csv", "plays.bgsplay"):
        assert run("export", "--all", "--as", kind).exit_code in {0, 1}
    assert run("rename", "Ann", "Anna").exit_code == 0
    assert run("forget", "Anna").exit_code == 0
    assert run("stats").exit_code == 0
    assert run("backup", "copy.sqlite").exit_code == 0
    assert run("purge", "--older-than", "0d", "--yes").exit_code == 0
    assert stage.house.rows("SELECT count(*) FROM tables") == [(0,)]


def test_a_record_of_a_table_that_is_here_and_cannot_be_ruled_on_comes_in(house: House, phone: MakePhone) -> None:
    host = phone()
    data = written()
    code = lay(house, host, {**data, "table": "K7QX2M"})
    assert code == "K7QX2M"
    house.writes("""UPDATE entries SET data = replace(data, '"bid"', '"offer"')""")
    house.restart()
    brought: list[Any] = [("all.json", lambda: io.BytesIO(json.dumps({**data, "table": code}).encode()))]
    with house.app.app_context():
        [one] = import_files(brought, lambda: "host")
    assert one.problem is None
    assert one.code != code
