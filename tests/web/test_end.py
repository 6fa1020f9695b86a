"""A game that is over: the result to pass on, the way to the next table, and what the next one takes over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.house import a_round
from tests.web.conftest import Phone, sound

MakePhone = Callable[..., Phone]


def play_out(host: Phone) -> None:
    """Play an evening of Rage to its end, from one phone."""
    for number in range(1, 11):
        for move in a_round(number, 4):
            fields = {name: value for name, value in move.items() if name not in {"move", "seat"}}
            sent = {name: value for name, value in fields.items() if not isinstance(value, list)}
            for name, values in fields.items():
                if isinstance(values, list):
                    sent |= {f"{name}-{seat}": value for seat, value in enumerate(values)}
            answer = host.taps(move["move"], move.get("seat", 0), **sent)
            assert answer.status_code == 303, answer.text


@pytest.fixture
def over(phone: MakePhone) -> tuple[Phone, Phone]:
    """A host and a guest at a table where the game is over."""
    host = phone()
    host.opens("rage", ["Ann", "Bo", "Cy", "<b>Di</b>"], i_sit="")
    play_out(host)
    guest = phone(at=host)
    assert guest.sits(1).status_code == 303
    return host, guest


def test_the_result_can_be_passed_on_as_text(over: tuple[Phone, Phone]) -> None:
    host, _guest = over
    text = host.reads("/t/{code}/result").one("textarea").text
    assert text.startswith("Rage, ")
    assert all(name in text for name in ("Ann", "Bo", "Cy", "<b>Di</b>"))
    assert "1. " in text
    assert f"/t/{host.code}/result" in host.reads("/t/{code}/0").links


def test_the_result_is_not_told_before_the_end(phone: MakePhone) -> None:
    host = phone()
    host.opens("rage")
    page = host.reads("/t/{code}/result")
    assert "The game is not over yet." in page.text
    assert page.all("textarea") == []


def test_the_course_is_a_picture_and_a_table(over: tuple[Phone, Phone]) -> None:
    host, _guest = over
    page = host.reads("/t/{code}/0")
    assert page.one("svg", role="img").attrs["aria-label"] == "Points after each round"
    assert len(page.all("polyline")) == 4
    assert len(page.all("table", class_="course-table")) == 1


@pytest.mark.parametrize("points", ["9999", "100000", "-100000"])
def test_a_game_of_large_numbers_shows_its_end(phone: MakePhone, points: str) -> None:
    host = phone()
    host.opens("tally", ["Ann", "Bo"], i_sit="0", rounds="3")
    for seat in (0, 1) * 3:
        assert host.taps("enter", seat, column="number", value=points if seat else "0").status_code == 303
    for page in ("/t/{code}/0", "/t/{code}/screen", "/t/{code}/result"):
        assert len(host.reads(page).all("polyline")) == 2


def test_the_next_game_takes_over_people_and_rules_and_the_deal_passes_on(over: tuple[Phone, Phone]) -> None:
    host, guest = over
    form = host.reads(f"/open/rage?again={host.code}").form("/open/rage")
    data = form.filled()
    assert data["first_dealer"] == "1"  # the last seat dealt first, ten deals later seat 0
    assert data["name"] == ["Ann", "Bo", "Cy", "<b>Di</b>"]
    following = host.submits(form, data).location.split("/")[2]
    assert f"/t/{following}" in guest.reads(f"/t/{host.code}/1").links
    assert guest.gets(f"/t/{following}").location == f"/t/{following}/1"  # the seat went along
    assert f"/t/{following}" in host.reads(f"/t/{host.code}/0").links
    assert f"The next game: table {following}." in host.reads(f"/t/{host.code}/history").text


def test_who_comes_late_to_a_table_whose_people_have_gone_on_is_shown_where(
    over: tuple[Phone, Phone], phone: MakePhone
) -> None:
    """The old code still lies there, on its tent: whoever scanned it was offered nothing but a seat at what is over."""
    host, guest = over
    late = phone(at=host)
    pages = ("/t/{code}", "/t/{code}/seats")
    assert not any("The next game" in late.reads(page).text for page in pages)
    form = host.reads(f"/open/rage?again={host.code}").form("/open/rage")
    following = host.submits(form, form.filled()).location.split("/")[2]
    for page in pages:
        assert f"/t/{following}" in late.reads(page).links
    answer = late.sits(0)
    assert (answer.status_code, answer.location) == (303, f"/t/{following}"), "it was seated at what is over"
    assert late.gets("/t/{code}/0").status_code == 403
    assert guest.sits(1).location == f"/t/{host.code}/1", "who sits there stays there"
    seated = late.client.put(
        f"/api/tables/{host.code}/seats/0", json={"name": "Late"}, headers={"Idempotency-Key": "late"}
    )
    assert (seated.status_code, seated.get_json()["detail"]) == (409, f"The next game: table {following}.")
    host.posts("/t/{code}/take-back")  # the game goes on after all
    assert not any("The next game" in late.reads(page).text for page in pages)
    assert late.sits(0).location == f"/t/{host.code}/0"


def test_of_the_people_who_go_on_sit_there_whose_names_stand_there(over: tuple[Phone, Phone]) -> None:
    host, guest = over
    form = host.reads(f"/open/rage?again={host.code}").form("/open/rage")
    seats = {"name": ["Bo", "Ann", "Cy", "Eve"], "i_sit": "3"}  # the host plays as Eve now, and Bo has moved
    following = host.submits(form, {**form.filled(), **seats}).location.split("/")[2]
    assert guest.gets(f"/t/{following}").location == f"/t/{following}/0"
    assert host.gets(f"/t/{following}").location == f"/t/{following}/3"
    assert "Bo sits down." in host.reads(f"/t/{following}/history").text


def test_whoever_opens_the_next_game_has_the_own_seat_there(over: tuple[Phone, Phone]) -> None:
    """The first seat was chosen for all: its own phone was led nowhere, and whoever opened it played as somebody else."""
    host, guest = over
    form = guest.reads(f"/open/rage?again={host.code}").form("/open/rage")
    following = guest.submits(form, form.filled()).location.split("/")[2]
    assert guest.gets(f"/t/{following}").location == f"/t/{following}/1"
    assert "Ann sits down." not in guest.reads(f"/t/{following}/history").text


def test_who_only_kept_score_does_so_in_the_next_game(over: tuple[Phone, Phone]) -> None:
    host, _guest = over
    form = host.reads(f"/open/rage?again={host.code}").form("/open/rage")
    assert form.filled()["i_sit"] == ""


def test_of_two_who_open_the_next_game_the_second_goes_to_that_of_the_first(over: tuple[Phone, Phone]) -> None:
    """Two tables were opened, and those who were at the first one already were not told of the second."""
    host, guest = over
    forms = [one.reads(f"/open/rage?again={host.code}").form("/open/rage") for one in over]
    following = guest.submits(forms[1], forms[1].filled()).location.split("/")[2]
    assert host.submits(forms[0], forms[0].filled()).location == f"/t/{following}"
    assert f"/t/{following}" in guest.reads(f"/t/{host.code}/1").links


def test_who_opened_the_next_game_wrongly_opens_another(over: tuple[Phone, Phone]) -> None:
    host, guest = over
    codes = set()
    for _time in range(2):
        form = host.reads(f"/open/rage?again={host.code}").form("/open/rage")
        codes.add(host.submits(form, form.filled()).location.split("/")[2])
    assert len(codes) == 2
    assert any(f"/t/{code}" in guest.reads(f"/t/{host.code}/1").links for code in codes)


def test_the_screen_names_those_who_play_next_and_not_those_who_have_played(over: tuple[Phone, Phone]) -> None:
    host, _guest = over
    form = host.reads(f"/open/rage?again={host.code}").form("/open/rage")
    seats = {"name": ["Eve", "Bo", "Ann", ""], "i_sit": "2"}  # Cy and Di have left
    following = host.submits(form, {**form.filled(), **seats}).location.split("/")[2]
    said = host.reads(f"/t/{host.code}/screen").one("div", class_="next-box").text
    assert f"table {following} A Eve B Bo C Ann D Seat D This screen" in said


def test_of_two_people_with_the_same_name_each_keeps_a_seat(phone: MakePhone) -> None:
    host = phone()
    first = host.opens("rage", ["Ann", "Ann", "Cy"], i_sit="2")
    guests = [phone(at=host), phone(at=host)]
    assert [guest.sits(seat).status_code for seat, guest in enumerate(guests)] == [303, 303]
    host.posts("/t/{code}/break-off")
    form = host.reads(f"/open/rage?again={first}").form("/open/rage")
    answer = host.submits(form, {**form.filled(), "i_sit": "2"})
    assert answer.status_code == 303
    following = answer.location.split("/")[2]
    assert [guest.gets(f"/t/{following}").location for guest in guests] == [f"/t/{following}/{seat}" for seat in (0, 1)]
    assert f"/t/{following}" in guests[1].reads(f"/t/{first}/1").links


@pytest.mark.parametrize("seat", [0, 1])
def test_who_has_the_name_of_somebody_without_a_phone_keeps_the_own_seat(phone: MakePhone, seat: int) -> None:
    host = phone()
    first = host.opens("rage", ["Ann", "Ann", "Cy"], i_sit="2")
    guest = phone(at=host)
    assert guest.sits(seat).status_code == 303
    host.posts("/t/{code}/break-off")
    form = host.reads(f"/open/rage?again={first}").form("/open/rage")
    following = host.submits(form, {**form.filled(), "i_sit": "2"}).location.split("/")[2]
    assert guest.gets(f"/t/{following}").location == f"/t/{following}/{seat}"


def test_who_was_not_at_a_table_leads_nobody_away_from_it(over: tuple[Phone, Phone], phone: MakePhone) -> None:
    host, guest = over
    stranger = phone()
    form = stranger.reads(f"/open/rage?again={host.code}").form("/open/rage")
    assert stranger.submits(form, form.filled()).status_code == 303
    assert "The next game" not in guest.reads("/t/{code}/1").text


def test_a_game_that_still_runs_leads_nobody_away(phone: MakePhone) -> None:
    host = phone()
    first = host.opens("rage")
    form = host.reads(f"/open/rage?again={first}").form("/open/rage")
    assert host.submits(form, form.filled()).status_code == 303
    assert "The next game" not in host.reads(f"/t/{first}/history").text


def test_the_form_to_open_offers_what_this_phone_played_last(phone: MakePhone) -> None:
    host = phone()
    assert "As last time" not in host.reads("/open/rage").text
    code = host.opens("rage", ["Ann", "Bo", "Cy"], durch="on")
    page = host.reads("/open/rage")
    assert "As last time Ann, Bo, Cy" in page.text
    assert f"/open/rage?again={code}" in page.links
    assert "As last time" not in host.reads("/open/hanabi").text
    assert host.reads(f"/open/rage?again={code}").form("/open/rage").filled()["durch"] == "on"


# Editions


def test_what_the_edition_decides_is_left_to_it_unless_chosen(phone: MakePhone) -> None:
    host = phone()
    form = host.reads("/open/rage").form("/open/rage")
    data = {**form.filled(), "edition": "us", "name": ["Ann", "Bo", "Cy"]}
    assert data["joker_tie"] == ""
    code = host.submits(form, data).location.split("/")[2]
    assert "the earlier is higher" in host.reads(f"/t/{code}/rules").text
    code = host.submits(form, {**data, "joker_tie": "later"}).location.split("/")[2]
    assert "the later is higher" in host.reads(f"/t/{code}/rules").text


def test_what_each_edition_has_is_said_beside_it(phone: MakePhone) -> None:
    text = phone().reads("/open/hanabi").text
    assert "As the edition has it Czech: Not allowed, Spanish: Allowed, Polish de luxe: Allowed" in text


# Mistakes


def test_taking_back_names_whose_points_it_changes(over: tuple[Phone, Phone]) -> None:
    host, _guest = over
    effect = host.reads("/t/{code}/0").one("b", class_="effect").text
    assert " → " in effect
    host.posts("/t/{code}/take-back?seat=0")
    undo = host.reads("/t/{code}/0").one("div", id="undo").text
    assert undo.startswith("Taken back: ")
    assert effect in undo


def test_gems_are_told_and_no_points_that_nobody_counts(phone: MakePhone) -> None:
    """Whose largest count of one colour it had raised was told as if that were points."""
    host = phone()
    host.opens("ubongo", ["Ann", "Bo"])
    host.taps("roll", 0, symbol=1)
    host.taps("ubongo", 0)
    assert host.posts("/t/{code}/0/move", {"move": "take", "seat": "0", "gems": ["red", "blue"]}).status_code == 303
    for told in ("Ann takes a red gem", "Taken back: Ann takes a red gem"):
        undo = host.reads("/t/{code}/0").one("div", id="undo").text
        assert undo.startswith(told)
        assert "→" not in undo
        host.takes_back()


def test_a_refused_amendment_leads_to_the_later_entry_and_asks_for_it(phone: MakePhone) -> None:
    host = phone()
    host.opens("rage", ["Ann", "Bo", "Cy"], i_sit="", plus_minus_one="on")
    for seat, tricks in enumerate((3, 3, 3)):
        assert host.taps("bid", seat, tricks=tricks).status_code == 303
    answer = host.amends(1, "bid", 0, tricks=4)
    assert answer.status_code == 422
    page = sound(answer)
    assert f"/t/{host.code}/history#entry-3" in page.links
    offered = page.form("/history/1", move="bid", seat="2")
    assert "3" not in offered.buttons
    assert host.submits(offered, offered.filled("2")).status_code == 303
    assert [move["tricks"] for move in host.gets("/api/tables/{code}/record").json["moves"]] == [4, 3, 2]


def test_a_long_history_comes_in_pages(phone: MakePhone) -> None:
    host = phone()
    host.opens("hanabi", ["Ann", "Bo"], i_sit="", detail="tokens")
    for _ in range(60):
        assert host.taps("hint", 0).status_code == 303
        assert host.posts("/t/{code}/take-back?seat=0").status_code == 303
    newest = host.reads("/t/{code}/history")
    assert len(newest.all("li", class_="entry")) == 100
    assert newest.all("li", class_="entry")[0].attrs["id"] == "entry-120"
    oldest = host.reads("/t/{code}/history" + next(link for link in newest.links if link.startswith("?to=")))
    assert [entry.attrs["id"] for entry in oldest.all("li", class_="entry")][-1] == "entry-1"
    assert len(oldest.all("li", class_="entry")) == 20


# Settings


@pytest.mark.parametrize(
    ("back", "leads"),
    [
        ("/t/K7QX2M/0", "/t/K7QX2M/0"),
        ("//evil.test/", "/"),
        ("/\\evil.test", "/"),
        ("https://evil.test/", "/"),
        ("", "/"),
    ],
)
def test_settings_lead_back_within_the_site_only(phone: MakePhone, back: str, leads: str) -> None:
    assert phone().posts("/settings", {"theme": "dark", "back": back}).location == leads


def test_the_settings_remember_where_one_came_from(phone: MakePhone) -> None:
    guest = phone()
    page = sound(guest.gets("/settings", headers={"Referer": "http://localhost/help/rage"}))
    assert page.form("/settings").filled()["back"] == "/help/rage"
    page = sound(guest.gets("/settings", headers={"Referer": "http://elsewhere.test/help"}))
    assert "back" not in page.form("/settings").filled()
