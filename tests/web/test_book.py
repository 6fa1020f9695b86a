"""The book of evenings: found again, searched, handed on, and brought back; groups that share one."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion import record
from companion.desk.shelf import FILES
from companion.games import GAMES
from companion.log.names import clean_name
from companion.tables import importing, opening
from companion.tables.seating import hashed
from companion.testing import kit
from tests.web.conftest import House, Phone, sound
from tests.web.hostile import hostile_names

MakePhone = Callable[..., Phone]
NAMES = ["Žofie", "Bo", "Cy"]
TALLY = {"move": "tally", "tricks": [10, 0, 0], "plus": [0, 0, 0], "minus": [0, 0, 0]}


def secret(phone: Phone) -> str:
    cookie = phone.client.get_cookie("phone")
    assert cookie
    return hashed(cookie.value)


def written(game: str = "rage", seed: int = 0, names: list[str] = NAMES, **about: Any) -> dict[str, Any]:
    """Write the record of a random evening that came to its end."""
    for number in range(seed, seed + 100):
        plays = list(kit.play_on(kit.Table(GAMES[game], {}, len(names)), Random(number), most=2_000))
        if GAMES[game].standing(plays[-1].position).is_finished:
            return record.write(plays[-1], {}, names, about)
    raise AssertionError("no evening came to its end")


def lay(house: House, phone: Phone, data: dict[str, Any]) -> str:
    """Open a table from a record; the phone is its host."""
    phone.reads("/")
    with house.app.app_context():
        return opening.open_from(record.replay(record.read_data(data)), secret(phone)).code


def codes(phone: Phone, query: str = "") -> list[str]:
    """List the tables that the book shows, in its order."""
    rows = [link for link in phone.reads(f"/book{query}").links if link.startswith("/t/")]
    return [link.split("/")[2] for link in rows]


def known(phone: Phone) -> Phone:
    """A phone that has been here before."""
    phone.reads("/")
    assert phone.posts("/settings", {"language": ""}).status_code == 303
    phone.opens(names=NAMES, i_sit="")
    return phone


def test_a_phone_that_was_at_no_table_is_told_what_will_stand_here(phone: MakePhone) -> None:
    page = phone().reads("/book")
    assert "This phone has not been at a table yet." in page.text
    assert "/book/files/plays.csv" not in "".join(page.links)


def test_the_book_shows_who_won_where_and_when_and_what_is_not_over(house: House, phone: MakePhone) -> None:
    host = known(phone())
    open_table = host.code
    data = written(opened="2026-03-05T19:00:00.000Z", location="Klub", title="Silvestr")
    code = lay(house, host, data)
    page = host.reads("/book")
    assert codes(host) == [open_table, code]
    standing = record.replay(record.read_data(data)).play
    best = GAMES["rage"].standing(standing.position).places[0]
    winners = [element.text for element in page.all("bdi") if "b" in element.inside]
    assert winners == [NAMES[best.seat]]
    for said in ("Klub", "Silvestr", "5 Mar 2026", "not over"):
        assert said in page.text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?player=žOF", [0]),
        ("?player=Bo", [1, 0]),
        ("?game=hanabi", [1]),
        ("?since=2026-03-06", [1]),
        ("?until=2026-03-05", [0]),
        ("?since=2026-03-05&until=2026-03-05", [0]),
        ("?player=nobody", []),
        ("?game=chess", []),
    ],
)
def test_the_book_is_searched_by_player_game_and_day(
    house: House, phone: MakePhone, query: str, found: list[int]
) -> None:
    host = known(phone())
    house.writes("DELETE FROM tables")
    laid = [
        lay(house, host, written(opened="2026-03-05T12:00:00.000Z")),
        lay(house, host, written("hanabi", names=["Ann", "Bo"], opened="2026-03-07T12:00:00.000Z")),
    ]
    assert codes(host, query) == [laid[place] for place in found]
    if not found:
        assert "No evening is like that." in host.reads(f"/book{query}").text


@pytest.mark.parametrize("query", ["?since=yesterday", "?until=2026-13-01", "?group=x", "?since=0001-01-01"])
def test_what_cannot_be_looked_for_is_named(phone: MakePhone, query: str) -> None:
    answer = phone().gets(f"/book{query}")
    assert answer.status_code == 400
    assert query[1:].split("=", maxsplit=1)[0] in answer.text


@pytest.mark.parametrize("path", ["/book", "/book/statistics"])
def test_a_day_that_cannot_be_read_is_said_beside_its_field_and_the_search_is_kept(phone: MakePhone, path: str) -> None:
    answer = known(phone()).gets(f"{path}?player=Ann&game=rage&since=2026-01-01&until=13.1.2026")
    assert answer.status_code == 400
    page = sound(answer)
    assert page.one("p", id="until-error").text == "Not a date (YYYY-MM-DD)."
    field = page.one("input", id="until").attrs
    assert (field["value"], field["aria-invalid"], field["max"]) == ("13.1.2026", "true", "9999-12-31")
    assert page.one("input", id="since").attrs["value"] == "2026-01-01"
    assert page.one("input", id="player").attrs["value"] == "Ann"
    assert "open" in page.one("details", id="fold-search").attrs
    assert "No evening is like that." not in answer.text


def test_the_last_day_that_can_be_entered_can_be_looked_for(phone: MakePhone) -> None:
    host = known(phone())
    assert codes(host, "?until=9999-12-31") == [host.code]


def test_a_long_book_has_pages(house: House, phone: MakePhone) -> None:
    host = known(phone())
    for number in range(60):
        house.writes(
            "INSERT INTO tables (code, game, options, host, is_locked, opened, location, title) "
            "SELECT ?, game, options, host, 0, ?, '', '' FROM tables WHERE code = ?",
            f"{number:06}", f"2026-01-01T20:{number:02}:00.000Z", host.code,
        )  # fmt: skip
    first, second = codes(host), codes(host, "?page=2")
    assert (len(first), len(second)) == (50, 11)
    assert [host.code, *(f"{number:06}" for number in reversed(range(60)))] == first + second
    assert codes(host, "?page=3") == []
    beyond = host.reads("/book?page=9")
    assert "61 evenings" in beyond.text
    assert "has not been at a table yet" not in beyond.text
    assert beyond.one("a", rel="prev").attrs["href"] == "/book?page=2"


def files(phone: Phone, file: str, query: str = "") -> Any:
    answer = phone.gets(f"/book/files/{file}{query}")
    assert answer.status_code == 200
    assert re.fullmatch(
        rf'attachment; filename="companion-\d{{4}}-\d\d-\d\d-{file}"', answer.headers["Content-Disposition"]
    )
    return answer


def test_all_evenings_are_handed_on_in_one_file(house: House, phone: MakePhone) -> None:
    host = known(phone())
    laid = [lay(house, host, written(game, names=NAMES, location="Klub")) for game in GAMES]
    read = csv.DictReader(io.StringIO(files(host, "plays.csv").data.decode("utf-8-sig"), newline=""))
    lines = list(read)
    assert [line["table"] for line in lines] == [code for code in reversed(laid) for _seat in range(3)]
    assert {line["location"] for line in lines} == {"Klub"}
    rounds = csv.DictReader(io.StringIO(files(host, "rounds.csv").data.decode("utf-8-sig"), newline=""))
    assert {line["table"] for line in rounds} == set(laid)
    stats = files(host, "plays.bgsplay").get_json()
    assert [game["name"] for game in stats["games"]] == [GAMES[key].name for key in reversed(list(GAMES))]
    assert [player["name"] for player in stats["players"]] == NAMES
    assert {play["locationRefId"] for play in stats["plays"]} == {stats["locations"][0]["id"]} == {1}
    assert stats["locations"][0]["name"] == "Klub"
    only = csv.DictReader(io.StringIO(files(host, "plays.csv", "?game=ubongo").data.decode("utf-8-sig"), newline=""))
    assert {line["game"] for line in only} == {"Ubongo"}


@pytest.mark.parametrize("table", ["tables", "entries"])
@pytest.mark.parametrize("file", FILES)
def test_a_file_that_cannot_be_begun_is_answered_in_words(
    house: House, phone: MakePhone, file: str, table: str
) -> None:
    host = known(phone())
    lay(house, host, written())
    house.writes(f"ALTER TABLE {table} RENAME TO away")
    house.app.extensions["companion.readings"].forget_all()
    answer = host.gets(f"/book/files/{file}")
    house.writes(f"ALTER TABLE away RENAME TO {table}")
    assert answer.status_code == 503
    sound(answer)
    assert files(host, file)


def test_no_cell_of_a_spreadsheet_is_computed(house: House, phone: MakePhone) -> None:
    names = [name for name in hostile_names() if name.strip() and _is_clean(name)][:40]
    host = known(phone())
    for start in range(0, 40, 4):
        lay(house, host, written(names=[clean_name(name) for name in names[start : start + 4]], location="=1+1"))
    read = csv.reader(io.StringIO(files(host, "plays.csv").data.decode("utf-8-sig"), newline=""))
    cells = [cell for line in read for cell in line]
    assert len(cells) > 400
    assert not [cell for cell in cells if cell[:1] in {"=", "+", "@", "\t", "\r"}]
    assert not [cell for cell in cells if cell.startswith("-") and not re.fullmatch(r"-\d+", cell)]


def _is_clean(name: str) -> bool:
    try:
        clean_name(name)
    except Exception:
        return False
    return True


def brings(phone: Phone, *contents: tuple[str, bytes]) -> Any:
    """Post files as the form does."""
    sent = [(io.BytesIO(content), name) for name, content in contents]
    return phone.posts("/book/import", {"files": sent}, content_type="multipart/form-data")


def test_what_was_handed_on_can_be_brought_back(house: House, phone: MakePhone) -> None:
    host = known(phone())
    house.writes("DELETE FROM tables")
    laid = [lay(house, host, written(game)) for game in GAMES]
    packed = files(host, "records.zip").data
    before = {name: json.loads(zipfile.ZipFile(io.BytesIO(packed)).read(name)) for name in _members(packed)}
    assert set(before) == {f"{code}.json" for code in laid}
    house.writes("DELETE FROM tables")
    answer = brings(host, ("all.zip", packed))
    assert answer.status_code == 200
    assert f"{len(GAMES)} evenings were brought here" in answer.text
    again = files(host, "records.zip").data
    assert {name: json.loads(zipfile.ZipFile(io.BytesIO(again)).read(name)) for name in _members(again)} == before


def _members(packed: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(packed)).namelist()


@pytest.mark.promise(28)
def test_what_is_wrong_is_said_file_by_file_and_keeps_nothing_else_out(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MOST_OF_A_RECORD", 200_000)
    host = known(phone())
    good, refused = written(), written()
    first = next(move for move in refused["moves"] if move["move"] == "bid")
    refused["moves"] = [first, first]
    answer = brings(
        host,
        ("good.json", json.dumps(good).encode()),
        ("<b>.json", b"Dear diary"),
        ("refused.json", json.dumps(refused).encode()),
        ("long.json", b"[" + b" " * 200_001),
        ("broken.zip", b"PK\x05\x06" + b"\0" * 18),
        ("none.json", json.dumps({**good, "players": ["A"] * 99}).encode()),
    )
    assert answer.status_code == 200
    page = answer.text
    assert "1 evening was brought here" in page
    assert "5 files were not taken" in page
    for said in ("&lt;b&gt;.json", "Not JSON", "Move 2 is refused", "There is no record in this archive.", "players"):
        assert said in page
    assert len(codes(host)) == 2
    assert brings(host, ("again.json", b"[]")).status_code == 422
    assert brings(host).status_code == 422
    pasted = host.posts("/book/import", {"record": f" {json.dumps(written(seed=50))} "})
    assert (pasted.status_code, "1 evening was brought here" in pasted.text) == (200, True)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"players": ["A"] * 9}, "players: Rage je pro 3 až 8 hráčů."),
        (
            {"options": {"first_dealer": 3}},
            "options.first_dealer: První rozdává někdo z hráčů (je jich 3): v zápisu mají čísla od 0 do 2.",
        ),
        ({"options": {"durch": 1}}, "options.durch: To tu na výběr není. Možnosti: true, false, on, off."),
        ({"moves": [TALLY | {"loud": True}]}, "moves[0].loud: Neznámé. Možnosti: tricks, plus, minus."),
        ({"moves": [TALLY | {"plus": 0}]}, "moves[0].plus: Není to seznam."),
        ({"moves": [TALLY | {"plus": None}]}, "moves[0].plus: Není to seznam."),
        ({"game": "ubongo", "options": {"board": None}}, "options.board: Není to seznam."),
    ],
)
def test_what_is_wrong_with_a_record_is_said_in_the_readers_language(
    phone: MakePhone, parts: dict[str, Any], said: str
) -> None:
    """On the page, and to a program."""
    reader = known(phone(**{"Accept-Language": "cs"}))
    data = {**written(), **parts}
    assert said in _line(reader.posts("/book/import", {"record": json.dumps(data)}).text)
    answer = reader.client.post("/api/records", json=data, headers={"Accept-Language": "cs"})
    assert (answer.status_code, _line(answer.get_json()["detail"])) == (400, said)


def _line(page: str) -> str:
    """Read a page without looking how its words are bound."""
    return page.replace("\xa0", " ")


def test_the_same_evening_is_not_brought_here_twice(house: House, phone: MakePhone) -> None:
    host = known(phone())
    code = lay(house, host, written())
    packed = files(host, "records.zip", "?game=rage").data
    answer = brings(host, ("again.zip", packed))
    assert answer.text.count("This evening is here already") == 2
    assert sorted(codes(host)) == sorted([host.code, code])


def test_a_group_shares_one_book(house: House, phone: MakePhone) -> None:
    ann, bo, eve = known(phone()), known(phone()), known(phone())
    answer = ann.posts("/groups", {"name": " Thursday "})
    assert answer.status_code == 303
    [(group, key)] = house.rows("SELECT id, key FROM groups")
    shown = ann.reads("/groups").text
    assert "Thursday" in shown
    assert f"{key[:4]}-{key[4:8]}-{key[8:]}" in shown
    # Opening the link changes nothing; the key may be typed as it is read.
    assert bo.gets(f"/groups/join?key={key[:6].lower()} {key[6:]}").headers["Location"] == f"/groups/join/{key}"
    assert "Thursday" in bo.reads(f"/groups/join/{key}").text
    assert bo.gets(f"/book?group={group}").status_code == 404
    assert bo.posts(f"/groups/join/{key}", {}).headers["Location"] == f"/book?group={group}"
    assert codes(bo, f"?group={group}") == []
    assert ann.posts("/t/{code}/evening", {"location": "Klub", "title": "", "group": str(group)}).status_code == 303
    assert codes(bo, f"?group={group}") == [ann.code]
    assert codes(bo) == [bo.code]
    assert "Klub" in bo.reads(f"/book?group={group}").text
    for path in (f"/book?group={group}", f"/book/files/records.zip?group={group}"):
        assert eve.gets(path).status_code == 404
    assert eve.posts("/t/{code}/evening", {"group": str(group)}).status_code == 404
    assert bo.posts("/groups/leave", {"group": str(group)}).status_code == 303
    assert bo.gets(f"/book?group={group}").status_code == 404


def test_a_new_key_shuts_the_old_one_out_and_keeps_who_is_in(house: House, phone: MakePhone) -> None:
    ann, bo = known(phone()), known(phone())
    ann.posts("/groups", {"name": "Thursday"})
    [(group, old)] = house.rows("SELECT id, key FROM groups")
    assert bo.posts("/groups/key", {"group": str(group)}).status_code == 404
    assert ann.posts("/groups/key", {"group": str(group)}).status_code == 303
    [(_group, new)] = house.rows("SELECT id, key FROM groups")
    assert new != old
    assert bo.posts(f"/groups/join/{old}", {}).status_code == 404
    assert bo.posts(f"/groups/join/{new}", {}).status_code == 303
    assert ann.gets(f"/book?group={group}").status_code == 200


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "x" * 61])
def test_a_group_needs_a_name_that_can_be_seen(house: House, phone: MakePhone, name: str) -> None:
    answer = phone().posts("/groups", {"name": name})
    page = sound(answer)
    assert answer.status_code == 422
    assert page.one("p", id="name-error").text == "A name needs 1 to 60 characters that can be seen."
    assert page.one("input", id="name").attrs["value"] == name
    assert house.rows("SELECT * FROM groups") == []


def test_a_key_that_no_group_has_is_said_beside_its_field(phone: MakePhone) -> None:
    answer = phone().gets("/groups/join?key=ABCD-EFGH-JKM1")
    page = sound(answer)
    assert answer.status_code == 404
    assert "There is no group with this evening key." in page.one("p", id="key-error").text
    assert page.one("input", id="key").attrs["value"] == "ABCD-EFGH-JKM1"
    assert page.one("input", id="name").attrs["value"] == ""


def test_a_pasted_record_that_is_refused_stays_in_its_field(phone: MakePhone) -> None:
    host = phone()
    for record_text, left in (('{"thetyped": 5}', '{"thetyped": 5}'), (json.dumps(written(seed=50)), "")):
        page = sound(host.posts("/book/import", {"record": record_text}))
        assert page.one("textarea", id="record").text == left
        assert ("open" in page.one("details", class_="fold").attrs) == bool(left)


def test_who_plays_there_notes_where_and_in_whose_book_and_nobody_else(house: House, phone: MakePhone) -> None:
    host, guest, stranger = phone(), phone(), phone()
    host.opens(names=["Ann", "", "Cy"], i_sit="0")
    guest.code = stranger.code = host.code
    guest.sits(1, "Bo")
    assert guest.posts("/t/{code}/evening", {"location": "  Klub\u202e ", "title": "Silvestr"}).status_code == 303
    assert house.rows("SELECT location, title, group_id FROM tables") == [("Klub", "Silvestr", None)]
    assert "The place, the title or the book" in host.reads("/t/{code}/history").text
    before = house.number
    assert guest.posts("/t/{code}/evening", {"location": "Klub"}).status_code == 303
    assert house.number == before
    assert stranger.gets("/t/{code}/evening").status_code == 403
    assert stranger.posts("/t/{code}/evening", {"location": "Hell"}).status_code == 403
    answer = host.posts("/t/{code}/evening", {"location": "x" * 61})
    assert (answer.status_code, "60 characters at most" in answer.text) == (422, True)


def test_a_group_that_was_left_meanwhile_is_said_beside_its_field_and_nothing_typed_is_lost(
    house: House, phone: MakePhone
) -> None:
    host = phone()
    for name in ("Thursday", "Club"):
        host.posts("/groups", {"name": name})
    (left,), (kept,) = house.rows("SELECT id FROM groups ORDER BY id")
    host.posts("/groups/leave", {"group": str(left)})
    notes = {"location": "Club house", "group": str(left)}
    answer = host.posts("/open/rage", {"name": ["Ann", "Bo", "Zdena"], "i_sit": "0", "key": "k" * 16, **notes})
    assert answer.status_code == 404
    for typed in ("Zdena", 'value="Club house"', "No such group", 'name="key"'):
        assert typed in answer.text
    assert house.rows("SELECT id FROM tables") == []
    host.opens("rage", ["Ann", "Bo", "Zdena"], i_sit="0", group=str(kept))
    answer = host.posts("/t/{code}/evening", {**notes, "title": "Final"})
    assert answer.status_code == 404
    for typed in ('value="Final"', 'value="Club house"', "No such group"):
        assert typed in answer.text
    assert f'value="{kept}" selected' in answer.text, "the book where it stands"


def test_a_table_is_opened_where_the_last_one_of_the_evening_was(house: House, phone: MakePhone) -> None:
    host = phone()
    host.reads("/")
    host.posts("/groups", {"name": "Thursday"})
    [(group,)] = house.rows("SELECT id FROM groups")
    form = {"name": NAMES, "i_sit": "", "location": "Klub", "group": str(group)}
    assert host.posts("/open/rage", form).status_code == 303
    assert house.rows("SELECT location, group_id FROM tables") == [("Klub", group)]
    fields = {part.get("name"): part.get("value") for part in host.reads("/open/ubongo").form("/open/ubongo").fields}
    assert fields["location"] == "Klub"
    assert "Thursday" in host.reads("/open/ubongo").text
    house.writes("UPDATE tables SET opened = '2026-01-01T20:00:00.000Z'")
    fields = {part.get("name"): part.get("value") for part in host.reads("/open/ubongo").form("/open/ubongo").fields}
    assert fields["location"] == ""
    answer = host.posts("/open/rage", {**form, "location": "x" * 61})
    assert (answer.status_code, "60 characters at most" in answer.text) == (422, True)
    assert phone().posts("/open/rage", form).status_code == 404


def test_a_name_is_changed_at_the_tables_of_this_phone_and_nowhere_else(house: House, phone: MakePhone) -> None:
    host, other = known(phone()), known(phone())
    code = lay(house, host, written())
    assert "at 2 seats" in host.reads("/book/people").text
    answer = host.posts("/book/people", {"name": "Bo", "to": " Bob "})
    assert answer.status_code == 303
    assert "The name is changed." in host.reads(answer.location).text
    assert "The name is" not in host.reads("/book/people").text
    named = dict(house.rows("SELECT code, name FROM seatings JOIN tables ON id = table_id WHERE seat = 1"))
    assert named == {host.code: "Bob", code: "Bob", other.code: "Bo"}
    assert "Bob" in host.reads(f"/t/{code}/result").text
    answer = host.posts("/book/people", {"name": "Bob", "to": "x" * 25})
    assert "x" * 25 in {field.attrs["value"] for field in sound(answer).all("input", name="to")}
    assert (answer.status_code, "A name needs 1 to 24" in answer.text) == (422, True)


@pytest.mark.parametrize("name", ["", "A\0"])
def test_what_is_nobody_s_name_is_nobody_to_rename(house: House, phone: MakePhone, name: str) -> None:
    host = phone()
    host.opens(names=["Ann", "Bo", ""])
    before = house.written()
    assert host.posts("/book/people", {"name": name, "to": "Eve"}).status_code == 400
    assert house.written() == before


def test_a_name_that_is_forgotten_is_nowhere_at_the_tables_of_this_phone(house: House, phone: MakePhone) -> None:
    host = known(phone())
    lay(house, host, written())
    answer = host.posts("/book/people", {"name": "Žofie", "to": "Žofie", "forget": "1"})
    assert answer.status_code == 303
    assert "The name is forgotten." in host.reads(answer.location).text
    assert "Žofie" not in host.reads("/book/people").text + host.reads("/book").text
    assert "Žofie".encode() not in house.bytes()


def test_the_text_to_pass_on_says_where_how_long_and_who(house: House, phone: MakePhone) -> None:
    host = known(phone())
    about = {"opened": "2026-03-05T12:00:00.000Z", "closed": "2026-03-05T13:05:00.000Z", "location": "Klub"}
    code = lay(house, host, written(**about))
    text = "".join(host.reads(f"/t/{code}/result").one("textarea").texts).splitlines()
    assert text[:2] == ["Rage, 5 March 2026", "Klub · 65 minutes"]
    assert text[2].startswith("1.")
    assert sorted(line.split(": ")[0][3:] for line in text[2:5]) == sorted(NAMES)


def test_any_name_is_safe_in_the_book(house: House, phone: MakePhone) -> None:
    names = [name for name in hostile_names() if name.strip() and _is_clean(name)]
    host = known(phone())
    for start in range(0, 80, 8):
        host.opens(names=[clean_name(name) for name in names[start : start + 8]], i_sit="")
        house.writes(
            "UPDATE tables SET location = ?, title = ?", clean_name(names[start]), clean_name(names[start + 1])
        )
    for path in ("/book", "/book/people", "/book?player=%3Cb%3E%22"):
        page = host.reads(path)
        assert list(page.unsafe()) == []
    shown = host.reads("/book").text
    assert all(" ".join(clean_name(name).split()) in shown for name in names[:80])
