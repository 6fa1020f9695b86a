"""The lobby: find a table, open one, choose a language."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.fields import AnySeat
from companion.games import GAMES
from companion.games.tally import game_of
from companion.games.tally.reading import read
from tests.neighbours import cairn, installed
from tests.web.conftest import NAMES, House, Phone, sound
from tests.web.page import Page

MakePhone = Callable[..., Phone]


def test_the_first_page_offers_every_game_and_a_field_for_the_code(phone: MakePhone) -> None:
    page = phone().reads("/")
    for game in GAMES.values():
        assert f"/open/{game.key}" in page.links
        assert game.name in page.text
    [form] = [form for form in page.forms if form.action == "/find"]
    assert form.method == "get"
    assert [part["name"] for part in form.fields if part.get("name")] == ["code"]
    assert "Your tables" not in page.text


LUCK = """
rounds = 3
about = { en = "Half luck, 50% cunning", cs = "Půl štěstí, 50% lsti" }
[columns.luck]
name = "100% %(seat)s"
[columns.wit]
"""


@pytest.mark.parametrize(("language", "about"), [("en", "Half luck, 50% cunning"), ("cs", "Půl štěstí, 50% lsti")])
def test_a_score_sheet_says_in_the_reader_s_language_what_it_is_whatever_signs_that_has(
    phone: MakePhone, language: str, about: str
) -> None:
    with installed(game_of(read("luck", LUCK, "luck.toml"))):
        host = phone()
        for path in ("/", "/open/luck"):
            assert about in host.reads(f"{path}?lang={language}").text
        sheet = host.gets("/print/luck.pdf?item=score_sheet")
        assert '<th class="column" scope="row">100% %(seat)s</th>' in sheet.text


@pytest.mark.promise(25)
@pytest.mark.parametrize("picture", ["{{ view.seat }}", '{% include "nowhere.html" %}', "{{ 1 // 0 }}"])
def test_a_game_whose_picture_cannot_be_drawn_keeps_nobody_from_the_others(
    house: House, phone: MakePhone, tmp_path: Path, picture: str
) -> None:
    marks = len(phone().reads("/").all("svg", class_="mark"))
    file = tmp_path / "templates" / "games" / "cairn" / "box.html"
    file.parent.mkdir(parents=True)
    file.write_text(picture)
    with installed(replace(cairn(), folder=tmp_path)):
        house.restart()
        page = phone().reads("/")
    assert {f"/open/{key}" for key in (*GAMES, "cairn")} <= {*page.links}
    assert len(page.all("svg", class_="mark")) == marks + 1


def test_the_lobby_remembers_the_tables_of_a_phone(phone: MakePhone) -> None:
    host, guest, stranger = phone(), phone(), phone()
    first = host.opens(names=["Ann", "Bo", "Cy"])
    second = host.opens(names=["Ann", "Di", "Ed"], i_sit="")
    guest.code = first
    guest.sits(1)
    page = host.reads("/")
    assert [link for link in page.links if link.startswith("/t/")] == [f"/t/{second}/seats", f"/t/{first}/0"]
    assert "Ann , Di , Ed" in page.text or "Ann, Di, Ed" in page.text
    assert [link for link in guest.reads("/").links if link.startswith("/t/")] == [f"/t/{first}/1"]
    assert "Your tables" not in stranger.reads("/").text


def test_the_lobby_shows_the_newest_tables_and_leads_to_the_older_ones(phone: MakePhone) -> None:
    host = phone()
    opened = [host.opens(names=["Ann", "Bo", "Cy"], i_sit="") for _ in range(6)]
    assert "Older ones" not in host.reads("/").text
    opened.append(host.opens(names=["Ann", "Bo", "Cy"], i_sit=""))
    page = host.reads("/")
    assert [link.split("/")[2] for link in page.links if link.startswith("/t/")] == opened[:0:-1]
    assert "Older ones: book of evenings" in page.text
    assert "/book" in page.links


def test_finding_leads_to_the_door(phone: MakePhone) -> None:
    host = phone()
    host.opens()
    answer = phone(at=host).gets("/find?code={code}")
    assert (answer.status_code, answer.location) == (302, f"/t/{host.code}")


@pytest.mark.parametrize(
    "code", ["ZZZZZZ", "", "ABC", "K7QX2M7", "ÄÖÜ", "<b>", "0" * 5000, "\x00", "'; DROP TABLE entries; --"]
)
def test_a_code_without_a_table_is_said_beside_the_field(phone: MakePhone, code: str) -> None:
    answer = phone().gets("/find", query_string={"code": code})
    assert answer.status_code == 404
    assert "There is no table with this code." in answer.text
    assert 'id="code-error"' in answer.text
    assert "<b>" not in answer.text or code != "<b>"


def test_find_without_a_code_is_no_error_of_ours(phone: MakePhone) -> None:
    assert phone().gets("/find").status_code == 404


def test_the_form_to_open_asks_for_every_option_in_words(phone: MakePhone) -> None:
    page = phone().reads("/open/rage")
    form = page.form("/open/rage")
    assert {part["name"] for part in form.fields if part.get("name")} == {
        *("key", "seats", "name", "i_sit", "more", "fewer", "location", "taught"),
        *GAMES["rage"].options.fields,
    }
    for option in GAMES["rage"].options.fields:
        assert GAMES["rage"].words.options[option].name in page.text


@pytest.mark.parametrize("key", ["hanabi", "ikebana", "rage", "ubongo"])
def test_the_last_seat_is_offered_only_where_leaving_it_open_means_that(phone: MakePhone, key: str) -> None:
    """Elsewhere the first seat would begin, whatever the form has said."""
    options = GAMES[key].options
    (name,) = [name for name, part in options.fields.items() if isinstance(part, AnySeat)]
    fields = phone().reads(f"/open/{key}").form(f"/open/{key}").fields
    is_open = name not in options.dump(options.load({}))
    assert [part["value"] for part in fields if part.get("name") == name] == ["", "0", "1", "2", "3"][not is_open :]


def test_a_table_opens_as_it_is_offered(phone: MakePhone, house: House) -> None:
    host = phone()
    form = host.reads("/open/rage").form("/open/rage")
    answer = host.submits(form, form.filled(press="", bidding="secret", durch="on") | {"name": list(NAMES[:4])})
    assert answer.status_code == 303
    [(code, options, names)] = house.rows(
        "SELECT code, options, group_concat(name) FROM tables JOIN seatings ON table_id = id GROUP BY id"
    )
    assert answer.location == f"/t/{code}/seats"
    assert options == '{"bidding": "secret", "durch": true}'
    assert names == "Ann,Bo,Cy,Di"
    assert host.gets(f"/t/{code}").location == f"/t/{code}/0"


@pytest.mark.parametrize(
    ("language", "edition"), [("en", "cs"), ("cs", "cs"), ("de", "cs"), ("es", "es"), ("pl", "pl")]
)
def test_the_reader_s_language_chooses_the_box_and_the_phone_is_the_token_tray(
    phone: MakePhone, house: House, language: str, edition: str
) -> None:
    host = phone()
    form = host.reads(f"/open/hanabi?lang={language}").form("/open/hanabi")
    assert host.submits(form, {**form.filled(), "name": ["Ann", "Bo", "", ""]}).status_code == 303
    ((options,),) = house.rows("SELECT options FROM tables")
    opened = json.loads(options)
    assert (opened.get("edition", "cs"), opened["detail"]) == (edition, "tokens")


@pytest.mark.parametrize(("pressed", "seats"), [("more", 5), ("fewer", 3)])
def test_one_seat_more_or_fewer_keeps_what_was_typed(phone: MakePhone, house: House, pressed: str, seats: int) -> None:
    visitor = phone()
    typed = {"name": ["Ann", "<i>", "", "Di"], "bidding": "hidden", "durch": "on", "i_sit": "1", pressed: "1"}
    answer = visitor.posts("/open/rage", typed)
    assert answer.status_code == 200
    assert house.rows("SELECT count(*) FROM tables") == [(0,)]
    page = Page(answer.text)
    fields = page.form("/open/rage").fields
    assert [part["value"] for part in fields if part.get("name") == "name"] == ["Ann", "<i>", "", "Di", ""][:seats]
    checked = {(part["name"], part["value"]) for part in fields if "checked" in part}
    assert {("bidding", "hidden"), ("durch", "on"), ("i_sit", "1")} <= checked


@pytest.mark.parametrize(
    ("i_sit", "names", "left"),
    [("3", ["Ann", "Bo", "Di"], "2"), ("2", ["Ann", "Bo", "Cy"], "2"), ("", ["Ann", "Bo", "Cy"], "")],
)
def test_one_seat_fewer_leaves_the_host_the_own_seat_and_name(
    phone: MakePhone, i_sit: str, names: list[str], left: str
) -> None:
    typed = {"name": list(NAMES[:4]), "i_sit": i_sit, "fewer": "1"}
    filled = Page(phone().posts("/open/rage", typed).text).form("/open/rage").filled()
    assert (filled["name"], filled["i_sit"]) == (names, left)


def test_there_are_never_more_or_fewer_seats_than_the_game_has(phone: MakePhone) -> None:
    visitor = phone()
    for names, pressed, seats in ((NAMES, "more", 8), (NAMES[:3], "fewer", 3), ((), "fewer", 3), ((), "more", 3)):
        answer = visitor.posts("/open/rage", {"name": list(names), pressed: "1"})
        assert answer.text.count('name="name"') == seats


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ({"name": ["Ann", "Bo"]}, "Rage is for 3 to 8 players."),
        ({"name": []}, "Rage is for 3 to 8 players."),
        ({"name": [*NAMES, "Ida"]}, "Rage is for 3 to 8 players."),
        ({"name": ["x"] * 500}, "Rage is for 3 to 8 players."),
        ({"bidding": "loud"}, "bidding"),
        ({"edition": "<script>"}, "edition"),
        ({"first_dealer": "4"}, "The first dealer is one of the 4 players: a record counts them from 0 to 3."),
        ({"first_dealer": "-1"}, "first_dealer"),
        ({"first_dealer": "x"}, "first_dealer"),
        ({"first_dealer": "9" * 5000}, "first_dealer"),
        ({"plus_minus_one": "on", "bidding": "secret"}, "Plus/minus one needs open bids"),
        ({"name": ["Ann", "Bo", "\u200b"]}, "A name needs 1 to 24 characters that can be seen."),
        ({"name": ["Ann", "Bo", "x" * 10_000]}, "A name needs 1 to 24 characters that can be seen."),
    ],
)
def test_what_cannot_be_opened_is_said_on_the_form(
    phone: MakePhone, house: House, typed: dict[str, Any], reason: str
) -> None:
    before = house.written()
    answer = phone().posts("/open/rage", {"name": list(NAMES[:4]), "i_sit": "0", **typed})
    assert answer.status_code == 422
    if reason in GAMES["rage"].options.fields:
        assert f'name="{reason}"' in answer.text
        assert 'class="error" role="alert"' in answer.text
    else:
        assert reason in answer.text
    assert house.written() == before


@pytest.mark.parametrize("i_sit", ["", "x", "-1", "9", "9" * 5000, "²", "٣"])
def test_a_host_who_sits_nowhere_keeps_score(phone: MakePhone, i_sit: str) -> None:
    host = phone()
    answer = host.posts("/open/rage", {"name": ["Ann", "Bo", "Cy"], "i_sit": i_sit})
    assert answer.status_code == 303
    host.code = answer.location.split("/")[2]
    assert "Keep the score" in host.reads("/t/{code}/seats").text
    assert all(host.gets(f"/t/{{code}}/{seat}").status_code == 200 for seat in range(3))


@pytest.mark.parametrize("name", ["", "   ", "\t"])
def test_a_host_without_a_name_is_called_host(phone: MakePhone, house: House, name: str) -> None:
    host = phone()
    answer = host.posts("/open/rage", {"name": [name, "Bo", "Cy"], "i_sit": "0"})
    assert answer.status_code == 303
    assert house.rows("SELECT name FROM seatings WHERE seat = 0") == [("Host",)]


def test_the_same_people_play_again_with_the_same_rules(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=["Ann", "Bo", "Cy", "", "Ed"], bidding="hidden")
    form = host.reads(f"/open/rage?again={host.code}").form("/open/rage")
    assert [part["value"] for part in form.fields if part.get("name") == "name"] == ["Ann", "Bo", "Cy", "", "Ed"]
    assert form.filled(press="")["bidding"] == "hidden"
    assert phone().gets("/open/rage?again=ZZZZZZ").status_code == 404
    assert phone().gets("/open/rage?again=").status_code == 200


def test_the_same_names_in_another_order_open_another_table(phone: MakePhone, house: House) -> None:
    host = phone()
    sent = {"name": ["Ann", "Bo", "Cy"], "i_sit": "0", "key": "same"}
    first, second = (host.posts("/open/rage", {**sent, "name": names}) for names in (sent["name"], ["Bo", "Ann", "Cy"]))
    assert first.location != second.location
    assert house.rows("SELECT name FROM seatings WHERE seat = 0 ORDER BY table_id") == [("Ann",), ("Bo",)]
    assert host.posts("/open/rage", sent).location == first.location


def test_a_game_that_is_not_there_is_404(phone: MakePhone, house: House) -> None:
    visitor = phone()
    assert visitor.gets("/open/chess").status_code == 404
    assert visitor.posts("/open/chess", {"name": ["A", "B", "C"]}).status_code == 404
    assert visitor.gets("/print/chess.pdf").status_code == 404
    assert house.rows("SELECT count(*) FROM tables") == [(0,)]


def test_settings_are_kept_on_the_phone(phone: MakePhone) -> None:
    visitor = phone()
    form = visitor.reads("/settings").form("/settings")
    answer = visitor.submits(form, form.filled(language="pl", theme="dark", hand="left", sounds="on"))
    assert (answer.status_code, answer.location) == (303, "/")
    assert all("HttpOnly" in line or "sounds" in line for line in answer.headers.getlist("Set-Cookie"))
    html = visitor.reads("/").one("html")
    assert (html.attrs["lang"], html.attrs["data-theme"], html.attrs["data-hand"]) == ("pl", "dark", "left")
    filled = visitor.reads("/settings").form("/settings").filled()
    assert filled == {"language": "pl", "theme": "dark", "hand": "left", "sounds": "on", "name": ""}
    back = visitor.reads("/settings").form("/settings")
    visitor.submits(back, back.filled(language="", theme="", hand=""))
    assert "data-theme" not in visitor.reads("/").one("html").attrs


@pytest.mark.parametrize("name", ["x" * 25, "\u200b", "\0"])
def test_settings_stay_as_they_were_chosen_where_the_name_is_refused(phone: MakePhone, name: str) -> None:
    visitor = phone()
    sent = {"language": "", "theme": "dark", "hand": "left", "sounds": "on", "back": "/book"}
    answer = visitor.posts("/settings", {**sent, "name": name})
    page = sound(answer)
    assert (answer.status_code, page.one("p", id="name-error").text) == (
        422,
        "A name needs 1 to 24 characters that can be seen.",
    )
    assert page.form("/settings").filled() == {**sent, "name": name}
    answer = visitor.submits(page.form("/settings"), page.form("/settings").filled(name="Ann"))
    assert (answer.status_code, answer.location) == (303, "/book")
    assert visitor.reads("/settings").form("/settings").filled()["name"] == "Ann"


@pytest.mark.parametrize(
    ("came", "back"),
    [
        ("/book", "/book"),
        ("/t/{code}/sit", "/t/{code}"),
        ("/t/{code}/0/move", "/t/{code}/0"),
        ("/t/{code}/history/3", "/t/{code}/history/3"),
        ("/first", ""),
        ("/nowhere/at/all", ""),
    ],
)
def test_who_was_told_no_goes_from_the_settings_back_to_a_page(phone: MakePhone, came: str, back: str) -> None:
    host = phone()
    host.opens()
    asked = host.gets("/settings", headers={"Referer": f"http://localhost{came}".replace("{code}", host.code)})
    sent = sound(asked).form("/settings").filled()
    assert sent.get("back", "") == back.replace("{code}", host.code)
    assert host.gets(host.posts("/settings", sent).location).status_code in {200, 302, 404}


def test_a_setting_that_is_not_offered_is_not_kept(phone: MakePhone) -> None:
    visitor = phone()
    visitor.posts("/settings", {"language": "<script>", "theme": "x" * 5000, "hand": '"><b>'})
    html = visitor.reads("/").one("html")
    assert html.attrs == {"lang": "en"}


@pytest.mark.parametrize("cookie", ['"><script>alert(1)</script>', "dark' onload='x", "{{ 7*7 }}"])
def test_a_cookie_that_was_tampered_with_does_no_harm(phone: MakePhone, cookie: str) -> None:
    visitor = phone()
    for name in ("theme", "hand", "language"):
        visitor.client.set_cookie(name, cookie)
    page = visitor.reads("/")
    assert page.one("html").attrs["lang"] == "en"
    assert "49" not in page.text


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ({"Accept-Language": "cs-CZ,cs;q=0.9,en;q=0.8"}, "cs"),
        ({"Accept-Language": "es-MX"}, "es"),
        ({"Accept-Language": "de-AT, en;q=0.5"}, "de"),
        ({"Accept-Language": "fr, pl;q=0.5"}, "pl"),
        ({"Accept-Language": "de;q=0, cs;q=0.2, *"}, "cs"),
        ({"Accept-Language": "fr"}, "en"),
        ({"Accept-Language": "x" * 3000}, "en"),
        ({}, "en"),
        ({"Accept-Language": "pl", "chosen": "es"}, "es"),
        ({"Accept-Language": "pl", "chosen": "xx"}, "pl"),
    ],
)
def test_pages_speak_the_phone_s_language_or_the_one_chosen_on_it(
    phone: MakePhone, wanted: dict[str, str], language: str
) -> None:
    visitor = phone()
    if chosen := wanted.get("chosen"):
        visitor.client.set_cookie("language", chosen)
    assert visitor.gets("/", headers=wanted).text.count(f'<html lang="{language}"') == 1
    assert visitor.gets("/nowhere", headers=wanted).text.count(f'<html lang="{language}"') == 1
    asked = visitor.gets("/?lang=cs", headers=wanted).text
    assert '<html lang="cs"' in asked
    assert f'<html lang="{language}"' in visitor.gets("/?lang=xx", headers=wanted).text
