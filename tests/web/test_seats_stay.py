"""Promise 9: your seat is yours, until you leave it or the host takes it away; then both are told."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import SimpleCookie

import pytest

from companion import log
from companion.web.parts import PART
from tests.web.conftest import House, Phone, sound

Lay = Callable[..., list[Phone]]


@pytest.mark.promise(9)
def test_a_phone_gets_a_secret_of_128_bits_that_no_script_can_read(phone: Callable[..., Phone]) -> None:
    answer = phone().gets("/")
    [line] = answer.headers.getlist("Set-Cookie")
    morsel = SimpleCookie(line)["phone"]
    assert len(bytes.fromhex(morsel.value)) == 16 + 16, "half of it is a sign of ours"
    assert morsel["httponly"]
    assert morsel["samesite"] == "Lax"
    assert int(morsel["max-age"]) >= 365 * 24 * 3600
    assert morsel["path"] == "/"
    assert not morsel["domain"]
    again = phone().gets("/").headers.getlist("Set-Cookie")
    assert again != [line]


def test_the_secret_is_sent_only_over_https_where_there_is_nothing_else(build: Callable[..., House]) -> None:
    secure = build(address="https://club.example")
    [line] = Phone(secure, "192.168.1.2").gets("/", host="club.example").headers.getlist("Set-Cookie")
    assert "Secure" in line


def test_a_phone_is_the_same_at_the_plain_and_at_the_secure_door(phone: Callable[..., Phone]) -> None:
    """A cookie for https alone would make a phone a stranger when it scans the code of the plain address."""
    guest = phone()
    [line] = guest.gets("/", base_url="https://localhost/").headers.getlist("Set-Cookie")
    assert "Secure" not in line
    assert guest.gets("/").headers.getlist("Set-Cookie") == []


@pytest.mark.promise(9)
def test_the_database_holds_no_secret_of_a_phone(table: Lay, house: House) -> None:
    for player in table():
        cookie = player.client.get_cookie("phone")
        assert cookie
        assert cookie.value.encode() not in house.bytes()


@pytest.mark.promise(9)
def test_a_seat_survives_a_restart_and_a_year(table: Lay, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bo, *_others = table()
    stranger = Phone(house, "10.9.9.9", ann.code)
    for moment in ("2026-11-21T20:00:00.000Z", "2027-11-21T20:00:00.000Z"):
        for place in (log, log.door):
            monkeypatch.setattr(place, "now", lambda moment=moment: moment)
        house.restart()
        assert bo.gets("/t/{code}").location == f"/t/{ann.code}/1"
        assert bo.gets("/t/{code}/1").status_code == 200
        assert stranger.sits(1, "Eve").status_code == 409
        assert stranger.gets("/t/{code}/1").status_code == 403
    assert bo.taps("bid", seat=1, tricks=1).status_code == 422  # Ann is first: heard, and ruled on
    assert house.rows("SELECT count(*) FROM seatings WHERE phone IS NOT NULL") == [(4,)]


@pytest.mark.promise(9)
def test_another_phone_gets_a_seat_only_when_the_host_has_freed_it_and_both_are_told(
    table: Lay, phone: Callable[..., Phone], house: House
) -> None:
    ann, bo, cy, _di = table()
    new = phone(at=ann)
    before = house.evenings()
    for thief in (new, cy):
        assert thief.sits(1, "Eve").status_code == 409
        assert thief.posts("/t/{code}/free", {"seat": "1"}).status_code == 403
    assert ann.sits(1).status_code == 409
    assert house.evenings() == before
    stream = bo.listens("/t/{code}/1/stream")
    assert stream.next()["event"] == "part"
    hosts = ann.listens("/t/{code}/0/stream")
    assert hosts.next()["event"] == "part"
    assert ann.posts("/t/{code}/free", {"seat": "1"}).status_code == 303
    assert stream.next()["event"] == "gone"
    assert stream.next()["event"] == "closed"
    assert hosts.next()["event"] == "part"
    assert "The seat of Bo is free now. The phone that had it is told so." in ann.reads("/t/{code}/seats?freed=1").text
    lost = bo.reads("/t/{code}/1", status=403)
    assert "The host has taken the seat of Bo away from its phone. It is free" in lost.one("div", id="lost").text
    assert "Which seat is yours?" in lost.text
    assert bo.gets("/t/{code}/1/stream").status_code == 403
    assert "Which seat is yours?" in bo.reads("/t/{code}").text
    assert "The seat of Bo is free for another phone." in ann.reads("/t/{code}/history").text
    assert new.sits(1).status_code == 303
    assert new.gets("/t/{code}/1").status_code == 200
    assert "and another phone has it now" in bo.reads("/t/{code}/1", status=403).one("div", id="lost").text
    assert "is free now" not in ann.reads("/t/{code}/seats?freed=1").text
    answer = bo.sits(1)
    assert answer.status_code == 409
    assert sound(answer).one("p", role="status").attrs["class"] == "notice notice-race"


@pytest.mark.promise(9)
def test_who_has_tapped_two_seats_at_once_is_led_to_the_one_that_it_has(phone: Callable[..., Phone]) -> None:
    """A browser drops the first answer, with the new secret in it: no page had a way to the seat."""
    host = phone()
    code = host.opens("rage", ["Ann", "Bo", "Cy"])
    bo = phone(at=host)
    door = bo.reads("/t/{code}").form("/sit").filled()
    before = bo.client.get_cookie("phone")
    assert before is not None
    assert bo.posts("/t/{code}/sit", {**door, "seat": "1"}).status_code == 303
    bo.client.set_cookie("phone", before.value)
    for again in ({**door, "seat": "2"}, {"seat": "2"}):
        assert f"/t/{code}" in sound(bo.posts("/t/{code}/sit", again)).links
    assert bo.gets("/t/{code}").location == f"/t/{code}/1"
    assert f"/t/{code}" not in phone(at=host).reads("/t/{code}/1", status=403).links


@pytest.mark.promise(9)
def test_the_host_hands_the_table_over_and_everybody_can_read_it(table: Lay) -> None:
    ann, bo, cy, _di = table()
    for thief in (bo, cy):
        assert thief.posts("/t/{code}/hand-over", {"seat": "1"}).status_code == 403
    form = next(one for one in ann.reads("/t/{code}/seats").forms if one.action.endswith("/hand-over"))
    assert ann.submits(form, form.filled()).status_code == 303
    heir = next(one for one in (bo, cy) if "Lock the table" in one.reads("/t/{code}/seats").text)
    assert heir is bo
    assert "Lock the table" not in ann.reads("/t/{code}/seats").text
    assert "Bo is the host now." in cy.reads("/t/{code}/history").text
    assert ann.gets("/t/{code}/0").status_code == 200


def test_nobody_is_told_of_a_seat_that_was_not_taken_away(table: Lay, phone: Callable[..., Phone]) -> None:
    ann, bo, *_others = table()
    new = phone(at=ann)
    for one in (bo, new):
        assert "is not on this phone" in one.reads("/t/{code}/0", status=403).one("div", id="lost").text
    assert bo.posts("/t/{code}/stand").status_code == 303
    assert "is not on this phone" in bo.reads("/t/{code}/1", status=403).one("div", id="lost").text
    assert "The phone that had it" not in ann.reads("/t/{code}/seats?freed=1").text
    for wrong in ("9", "-1", "one"):
        ann.reads(f"/t/{{code}}/seats?freed={wrong}")


def test_who_leaves_a_seat_gives_it_back(table: Lay, phone: Callable[..., Phone]) -> None:
    ann, bo, *_others = table()
    stream = bo.listens("/t/{code}/1/stream")
    assert stream.next()["event"] == "part"
    assert bo.posts("/t/{code}/stand").status_code == 303
    assert stream.next()["event"] == "gone"
    assert ann.gets("/t/{code}/1").status_code == 200
    assert phone(at=ann).sits(1).status_code == 303
    assert ann.gets("/t/{code}/1").status_code == 403


def test_the_screen_s_stream_goes_on_when_seats_change(table: Lay, phone: Callable[..., Phone]) -> None:
    ann, *_others = table()
    screen = phone(at=ann)
    stream = screen.listens("/t/{code}/screen/stream")
    first = stream.next()
    ann.posts("/t/{code}/free", {"seat": "1"})
    second = stream.next()
    assert int(second["id"]) == int(first["id"]) + 1


@pytest.mark.promise(9)
def test_a_forged_secret_is_nobody(table: Lay, phone: Callable[..., Phone]) -> None:
    ann, *_others = table()
    thief = phone(at=ann)
    for secret in ("0" * 32, "", "'" * 32, "%" * 32, "a" * 31, "a" * 33, "é" * 32):
        thief.client.set_cookie("phone", secret)
        for path in ("/t/{code}/0", "/t/{code}/1"):
            assert thief.gets(path).status_code == 403, secret


def test_a_stream_that_knows_a_later_number_than_the_table_starts_over(table: Lay) -> None:
    _ann, bo, *_others = table()
    number = bo.listens("/t/{code}/1/stream").next()["id"]
    ahead = bo.listens("/t/{code}/1/stream?after=999999999")
    assert ahead.next()["id"] == number
    assert bo.listens("/t/{code}/1/stream", **{"Last-Event-ID": "9" * 5000}).next()["id"] == number


@pytest.mark.promise(4, 9)
def test_a_form_that_comes_again_after_its_phone_has_sat_down_anew_counts_once(
    phone: Callable[..., Phone], house: House
) -> None:
    """Found by simulated evening 300183: the phone had another secret by then, and so its key was another one's."""
    host, guest = phone(), phone()
    host.opens()
    first, again, gone = ({"seat": "1", "key": key} for key in ("first", "again", "gone"))
    guest.comes(host)
    for path, form in (("sit", first), ("go", gone), ("sit", again)):
        assert guest.posts(f"/t/{{code}}/{path}", form).status_code == 303
    entered = house.number
    for path, form in (("go", gone), ("sit", first), ("sit", again)):
        assert guest.posts(f"/t/{{code}}/{path}", form).status_code == 303
    assert house.number == entered
    assert guest.gets("/t/{code}/1").status_code == 200


@pytest.mark.promise(4, 8)
@pytest.mark.parametrize("script", [True, False], ids=["with script", "without"])
def test_a_tap_that_was_entered_is_never_refused_when_it_comes_again(phone: Callable[..., Phone], script: bool) -> None:
    """Found by simulated evenings 300118 and 300121: its phone had lost the seat by then, and was told that it came too late."""
    host, guest, stranger = phone(), phone(), phone()
    host.opens(bidding="hidden")
    assert guest.comes(host).sits(1).status_code == 303
    tap = {"move": "bid", "seat": "1", "tricks": "7", "key": "0.1", "after": "2"}
    accept = {"Accept": PART} if script else {}
    first = guest.posts("/t/{code}/1/move", tap, headers=accept)
    assert first.status_code == (200 if script else 303)
    back, numbers = {"key": "2.1"}, {"1/move": "3", "take-back?seat=1": "4"}
    assert guest.posts("/t/{code}/take-back?seat=1", back).status_code == 303
    assert host.posts("/t/{code}/free", {"seat": "1"}).status_code == 303
    for path, form in (("1/move", tap), ("take-back?seat=1", back)):
        answer = guest.posts(f"/t/{{code}}/{path}", form, headers=accept)
        assert answer.status_code == (204 if script else 303)
        assert answer.headers.get("X-Number") == (numbers[path] if script else None)
        assert answer.location == (None if script else f"/t/{host.code}/1")
        assert not (script and answer.data), "nothing of the seat is shown"
        assert stranger.comes(host).posts(f"/t/{{code}}/{path}", form, headers=accept).status_code == 403
    assert guest.posts("/t/{code}/1/move", {**tap, "key": "2.1"}, headers=accept).status_code == 422
    assert guest.posts("/t/{code}/1/move", {**tap, "key": "3.1"}, headers=accept).status_code == 403


@pytest.mark.promise(4)
def test_what_the_host_enters_on_the_page_of_a_seat_that_is_another_s_by_now_is_not_refused(
    phone: Callable[..., Phone], house: House
) -> None:
    """Found by simulated evening 800035: the table went on, and the answer was that it did not."""
    host, guest = phone(), phone()
    host.opens()
    assert guest.comes(host).sits(1).status_code == 303
    before = house.number
    for act in ("pause", "resume"):
        answer = host.posts(f"/t/{{code}}/{act}?seat=1", {"key": act})
        assert (answer.status_code, answer.location) == (303, f"/t/{host.code}/seats")
    assert host.posts("/t/{code}/pause?seat=0").location == f"/t/{host.code}/0"
    assert house.number == before + 3
