"""Promise 27: who is invited comes in, however many wrong codes others try; and tokens that are ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from limits.storage import memory

from companion.drawing.qr import qr_svg
from companion.log.codes import CODE_LENGTH, CROCKFORD, INVITATION_LENGTH
from companion.printing import Printer
from companion.tables.seating import hashed
from tests.databases import Lite
from tests.house import Client, Server, environment, secret
from tests.house import House as Home
from tests.proofs import codes as codes_of
from tests.proofs import picture
from tests.web.conftest import ADDRESS, House, Phone
from tests.web.test_guesses import FROM_ALL, FROM_ONE, charge, guess

MakePhone = Callable[..., Phone]


def invitation(house: House | Home, code: str) -> str:
    ((found,),) = house.rows("SELECT invitation FROM tables WHERE code = ?", code)
    return str(found)


def shut(*phones: Phone) -> None:
    """Let strangers have tried as many codes as they may, from everywhere and from these phones' own addresses."""
    charge("all guesses", "all", FROM_ALL)
    for phone in phones:
        charge("guesses", phone.address, FROM_ONE)


def scans(guest: Phone, host: Phone) -> Any:
    """Open what the QR code leads to, in capitals, and go where that leads."""
    guest.comes(host)
    answer = guest.gets(f"/T/{host.code}{invitation(guest.house, host.code)}")
    assert (answer.status_code, answer.location) == (302, f"/t/{host.code}")
    return guest.gets(answer.location)


@pytest.mark.promise(27)
def test_who_scans_comes_in_while_nobody_who_types_does(phone: MakePhone) -> None:
    host, scanner, typist = phone(), phone(), phone()
    host.opens()
    shut(scanner, typist, host)
    assert typist.comes(host).gets("/t/{code}").status_code == 429
    assert scans(scanner, host).status_code == 200
    assert scanner.gets("/t/{code}/screen").status_code == 200, "who only looks on is let in, too"
    assert scanner.sits(1).status_code == 303
    assert scanner.gets("/t/{code}/1").status_code == 200
    assert host.gets("/t/{code}/0").status_code == 200
    assert host.taps("bid", tricks=1).status_code == 303
    assert scanner.taps("bid", tricks=1).status_code == 303
    assert typist.sits(2).status_code == 429


@pytest.mark.promise(27)
def test_a_program_comes_in_by_the_same_address(phone: MakePhone) -> None:
    host, program = phone(), phone()
    host.opens()
    shut(program)
    assert program.gets(f"/api/tables/{host.code}").status_code == 429
    path = f"/api/tables/{host.code}{invitation(host.house, host.code)}"
    assert program.gets(path).json["code"] == host.code
    assert program.asks(f"{path}/seats/1", "PUT", json={"name": ""}).status_code == 200


@pytest.mark.promise(27, 13)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_opening_the_invitation_changes_nothing_and_leaves_it_in_no_address(
    phone: MakePhone, house: House, method: str
) -> None:
    host, guest = phone(), phone()
    host.opens()
    before, own = house.bytes(), invitation(house, host.code)
    for _ in range(2):
        answer = guest.asks(f"/T/{host.code}{own}", method)
        assert answer.location == f"/t/{host.code}"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        [cookie] = [line for line in answer.headers.getlist("Set-Cookie") if line.startswith("invited=")]
        assert {f"Path=/t/{host.code}", "HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    assert house.bytes() == before
    guest.comes(host)
    door = guest.gets("/t/{code}")
    assert own not in door.text
    assert own not in guest.gets("/t/{code}/seats").request.path


@pytest.mark.promise(27)
def test_whoever_sits_down_has_spent_the_invitation(phone: MakePhone) -> None:
    host, guest = phone(), phone()
    host.opens()
    scans(guest, host)
    answer = guest.sits(1)
    [cookie] = [line for line in answer.headers.getlist("Set-Cookie") if line.startswith("invited=")]
    assert "invited=;" in cookie
    assert f"Path=/t/{host.code}" in cookie
    assert host.posts("/t/{code}/free", {"seat": "1"}).status_code == 303
    shut(guest)
    assert guest.gets("/t/{code}").status_code == 429, "it came as one who types"


@pytest.mark.promise(27)
def test_an_old_code_opens_still_and_counts_as_one_that_was_typed(phone: MakePhone) -> None:
    host, guest = phone(), phone()
    host.opens()
    assert guest.gets(f"/T/{host.code}").status_code == 200
    shut()
    assert guest.gets(f"/T/{host.code}").status_code == 429


@pytest.mark.promise(27)
def test_what_is_no_invitation_of_the_table_is_none(phone: MakePhone) -> None:
    host, other, guest = phone(), phone(), phone()
    host.opens()
    other.opens()
    own, others = (invitation(host.house, one.code) for one in (host, other))
    wrong = [others, own[:-1] + ("0" if own[-1] != "0" else "1"), "0" * INVITATION_LENGTH]
    for said in wrong:
        assert guest.gets(f"/T/{host.code}{said}").location == f"/t/{host.code}", "the code before it was typed"
        assert guest.client.get_cookie("invited", path=f"/t/{host.code}") is None
    shut()
    for said in (*wrong, own[:-1], own + "0", ""):
        assert guest.gets(f"/T/{host.code}{said}").status_code == 429, said
    guest.client.set_cookie("invited", "é" * INVITATION_LENGTH)
    assert guest.comes(host).gets("/t/{code}").status_code == 429
    assert guest.gets(f"/T/ZZZZZZ{own}").status_code == 429


@pytest.mark.promise(27)
def test_the_invitation_is_shown_as_long_as_somebody_can_sit_down(phone: MakePhone, house: House) -> None:
    host, guest, watcher = phone(), phone(), phone()
    host.opens(names=["Ann", "Bo", "Cy"])
    own = invitation(house, host.code)
    drawn = str(qr_svg(f"{ADDRESS}/t/{host.code}{own}".upper()))
    guests = [guest.comes(host), phone(at=host)]
    watcher.comes(host)

    def shown() -> list[bool]:
        pages = (watcher.gets(f"/t/{{code}}/{page}").text for page in ("screen", "seats"))
        told = watcher.gets("/api/tables/{code}").json["join"]
        assert told.lower().startswith(f"{ADDRESS}/t/{host.code}".lower())
        return [*(drawn in page for page in pages), own in told]

    assert shown() == [True] * 3
    for number, one in enumerate(guests, 1):
        assert shown() == [True] * 3
        assert one.sits(number).status_code == 303
    assert shown() == [False] * 3
    assert own not in watcher.gets("/t/{code}/screen").text
    assert host.posts("/t/{code}/free", {"seat": "1"}).status_code == 303
    assert shown() == [True] * 3
    assert host.posts("/t/{code}/lock", {"locked": "1"}).status_code == 303
    assert shown() == [False] * 3


@pytest.mark.promise(27)
def test_on_paper_it_leads_newcomers_and_no_reader_of_a_score_sheet_alone_or_in_the_evening_set(
    phone: MakePhone, printer: Printer, tmp_path: Path
) -> None:
    host = phone()
    host.opens()
    host.house.app.extensions["companion.printer"] = printer
    link = f"{ADDRESS}/t/{host.code}".upper()

    def read_off(item: str, page: int = 1) -> list[str]:
        return codes_of(picture(host.gets(f"/t/{{code}}/sheet.pdf?item={item}").data, tmp_path, 150, page))

    own = invitation(host.house, host.code)
    assert {item: read_off(item) for item in ("join_card", "join_tent", "score_sheet")} == {
        "join_card": [link + own] * 4,
        "join_tent": [link + own] * 2,
        "score_sheet": [link],
    }
    assert [read_off("evening_set", page) for page in (1, 4)] == [[link + own] * 2, [link]]
    assert host.posts("/t/{code}/lock", {"locked": "1"}).status_code == 303
    assert read_off("join_card") == [link] * 4


@pytest.mark.promise(27)
def test_guesses_are_counted_where_codes_are_looked_up_and_nowhere_else(phone: MakePhone) -> None:
    stranger = phone()
    shut(stranger)
    for path in (
        "/",
        "/open/rage",
        "/judge/rage",
        "/help/rage",
        "/groups",
        "/print",
        "/book",
        "/settings",
        "/api/games",
    ):
        assert stranger.gets(path).status_code in {200, 308}, path
    assert stranger.opens()
    assert stranger.taps("bid", tricks=1).status_code == 303


@pytest.mark.promise(27)
def test_the_key_of_a_group_is_no_guess(phone: MakePhone, house: House) -> None:
    ann, bo = phone(), phone()
    ann.posts("/groups", {"name": "Thursday"})
    ((key,),) = house.rows('SELECT "key" FROM groups')
    shut(bo)
    assert bo.gets(f"/groups/join/{key}").status_code == 200
    assert bo.gets("/groups/join/ZZZZZZZZZZZZ").status_code == 429


@pytest.mark.promise(27)
def test_who_has_one_address_of_a_network_has_all_of_it(phone: MakePhone) -> None:
    stranger = phone()
    for number in range(FROM_ONE):
        stranger.address = f"2001:db8:0:1::{number:x}"
        assert guess(stranger, 1) == {404}
    for address, status in {
        "2001:db8:0:1:ffff::1": 429, "2001:db8:0:2::1": 404, "::ffff:192.0.2.1": 404, "192.0.2.1": 404,
    }.items():  # fmt: skip
        stranger.address = address
        assert guess(stranger, 1) == {status}, address
    stranger.address = "::ffff:192.0.2.1"
    assert guess(stranger, FROM_ONE - 2) == {404}
    stranger.address = "192.0.2.1"
    assert guess(stranger, 1) == {429}, "the same machine, in either way of writing"


@pytest.mark.promise(27)
@pytest.mark.parametrize("style", ["", "json"])
def test_the_invitation_stands_in_no_line_of_the_server(tmp_path: Path, style: str) -> None:
    house = Home(tmp_path)
    code = house.open(["A", "B", "C"])
    own = invitation(house, code)
    server = Server(tmp_path, environment=environment(tmp_path, COMPANION_LOG=style))
    try:
        server.start()
        with Client(server.port, "bo") as bo:
            for method in (bo.get, lambda path: bo.post(path, {"seat": 9})):
                for path in (
                    f"/T/{code}{own}",
                    f"/t/{code}{own}/sit",
                    f"/t/{code}{own}/none",
                    f"/api/tables/{code}{own}",
                ):
                    assert method(path).status < 500
            house.database.change("DROP TABLE entries")
            assert bo.get(f"/t/{code}{own}/screen").status >= 500
        server.kill()
        assert "no such table: entries" in server.output()
        assert own not in server.output()
    finally:
        server.kill()
        house.close()


ROUND = pytest.param(20, 3_000, 20, id="a round")
HOUR = pytest.param(1_000, 100_000, 1_000, id="an hour", marks=pytest.mark.long)


@pytest.mark.promise(27)
@pytest.mark.parametrize(("addresses", "codes", "newcomers"), [ROUND, HOUR])
def test_newcomers_and_players_come_in_while_an_hour_s_guesses_go_on(  # noqa: PLR0913, PLR0917 (its measures)
    phone: MakePhone,
    monkeypatch: pytest.MonkeyPatch,
    figure: Callable[[str], None],
    addresses: int,
    codes: int,
    newcomers: int,
) -> None:
    now, dice = 1_800_000_000.0, Random("guesses")
    monkeypatch.setattr(memory, "time", SimpleNamespace(time=lambda: now))
    host, attacker, newcomer = phone(), phone(), phone()
    host.opens(names=["Ann", "Bo", "Cy"])
    answers = {404: 0, 429: 0}
    came = 0
    for number in range(codes):
        attacker.address = f"10.9.{number % addresses // 250}.{number % addresses % 250 + 1}"
        now += 3600 / codes
        answers[attacker.gets(f"/t/{''.join(dice.choices(CROCKFORD, k=CODE_LENGTH))}").status_code] += 1
        if number % (codes // newcomers) == codes // newcomers - 1:
            newcomer.forgets()
            newcomer.address = attacker.address
            assert scans(newcomer, host).status_code == 200
            assert newcomer.sits(1).status_code == 303
            assert newcomer.gets("/t/{code}/1").status_code == 200
            assert newcomer.posts("/t/{code}/stand").status_code == 303
            assert host.gets("/t/{code}/0").status_code == 200
            came += 1
    assert came == newcomers
    assert answers[429] > codes / 3
    assert host.house.rows("SELECT count(*) FROM seatings WHERE phone IS NOT NULL") == [(1,)]
    figure(
        f"{codes:,} wrong codes from {addresses:,} addresses in an hour ({answers[429]:,} refused): {came:,} of "
        f"{newcomers:,} newcomers sat down by their QR code at once, the host's page came each time; 0 seats for guessers"
    )


@pytest.mark.promise(9, 27)
def test_a_secret_that_the_phone_chose_is_not_taken_on(phone: MakePhone) -> None:
    host, guest = phone(), phone()
    host.opens()
    for chosen in ("0" * 32, "a" * 64, secret("guest")[:-1] + "x"):
        guest.client.set_cookie("phone", chosen)
        guest.comes(host).gets("/t/{code}")
        given = guest.client.get_cookie("phone")
        assert given is not None
        assert given.value != chosen
        answer = guest.gets("/api/groups", headers={"Authorization": f"Bearer {chosen}"})
        assert answer.status_code == 401


@pytest.mark.promise(9)
def test_a_secret_of_an_older_release_is_known_where_it_has_something(phone: MakePhone, house: House) -> None:
    """It bears no sign."""
    host, guest = phone(), phone()
    host.opens()
    old = "0123456789abcdef" * 2
    Lite(house.settings.data).change(f"UPDATE seatings SET phone = '{hashed(old)}' WHERE seat = 1")
    house.restart()
    guest.client.set_cookie("phone", old)
    assert guest.comes(host).gets("/t/{code}").location == f"/t/{host.code}/1"
    assert held(guest) == old


def planted(guest: Phone) -> str:
    """Give a phone a secret of ours that somebody else knows, too."""
    known = secret("planted")
    guest.client.set_cookie("phone", known)
    return known


def held(guest: Phone) -> str:
    found = guest.client.get_cookie("phone")
    assert found is not None
    return str(found.value)


@pytest.mark.promise(9)
def test_who_put_a_secret_on_a_phone_has_nothing_of_its_seat(phone: MakePhone) -> None:
    host, guest, thief = phone(), phone(), phone()
    host.opens()
    known = planted(guest.comes(host))
    thief.comes(host).client.set_cookie("phone", known)
    assert guest.sits(1).status_code == 303
    assert held(guest) != known
    assert guest.gets("/t/{code}/1").status_code == 200
    assert thief.gets("/t/{code}/1").status_code == 403
    assert thief.gets("/t/{code}").status_code == 200, "the door, and no way to the seat"
    assert thief.sits(1).status_code == 409
    assert held(thief) == known


@pytest.mark.promise(9)
def test_who_put_a_secret_on_a_phone_is_not_the_host_of_its_table(phone: MakePhone) -> None:
    host, thief = phone(), phone()
    known = planted(host)
    form = next(form for form in host.reads("/open/rage").forms if form.action.endswith("/open/rage"))
    key = form.filled()["key"]
    host.opens(key=str(key))
    assert held(host) != known
    thief.comes(host).client.set_cookie("phone", known)
    assert thief.posts("/t/{code}/lock", {"locked": "1"}).status_code == 403
    assert host.posts("/t/{code}/lock", {"locked": "1"}).status_code == 303


@pytest.mark.promise(9, 8)
@pytest.mark.parametrize("way", ["the door again", "the tap again"])
def test_a_seat_whose_answer_was_lost_is_found_again(phone: MakePhone, way: str) -> None:
    host, guest = phone(), phone()
    host.opens()
    known = planted(guest.comes(host))
    assert guest.sits(1).status_code == 303
    guest.client.set_cookie("phone", known)  # as if nothing had come back
    answer = guest.gets("/t/{code}") if way == "the door again" else guest.sits(1)
    assert answer.location == f"/t/{host.code}/1"
    assert held(guest) != known
    assert guest.gets("/t/{code}/1").status_code == 200


@pytest.mark.promise(9, 8)
def test_whoever_taps_another_seat_while_the_answer_is_on_its_way_has_the_first_one_alone(phone: MakePhone) -> None:
    """Found by simulated evenings: the phone had both, and could come to one of them only."""
    host, guest = phone(), phone()
    host.opens()
    known = planted(guest.comes(host))
    assert guest.sits(1).status_code == 303
    guest.client.set_cookie("phone", known)  # as nothing has come back yet
    assert guest.sits(2).status_code == 409
    assert guest.gets("/t/{code}").location == f"/t/{host.code}/1"
    assert guest.gets("/t/{code}/1").status_code == 200
    assert phone().comes(host).sits(2).status_code == 303


@pytest.mark.promise(9, 8)
@pytest.mark.parametrize("way", ["the same form", "the door"])
def test_a_seat_whose_answer_was_lost_with_the_server_is_found_again(phone: MakePhone, house: House, way: str) -> None:
    """Who had put the secret there cannot send that form: its key is not theirs, whatever else they have put there."""
    host, guest, thief = phone(), phone(), phone()
    host.opens()
    known = planted(thief.comes(host))
    [kept] = [cookie for cookie in thief.gets("/t/{code}").headers.getlist("Set-Cookie") if "door=" in cookie]
    guest.client.set_cookie(*kept.partition(";")[0].split("="), path=f"/t/{host.code}")
    planted(guest.comes(host))
    form = guest.reads("/t/{code}").form("sit")
    assert guest.submits(form, form.filled("2")).status_code == 303
    new, entered = held(guest), house.number
    guest.client.set_cookie("phone", known)  # as if nothing had come back
    house.restart()
    assert thief.submits(form, {**form.filled("2"), "key": kept.split("=")[1].split(";")[0]}).status_code == 409
    assert thief.gets("/t/{code}").status_code == 200, "the door, and no way to the seat"
    assert held(thief) == known
    answer = guest.submits(form, form.filled("2")) if way == "the same form" else guest.gets("/t/{code}")
    assert answer.location == f"/t/{host.code}/2"
    assert held(guest) == new
    assert guest.gets("/t/{code}/2").status_code == 200
    assert house.number == entered


@pytest.mark.promise(9)
def test_a_phone_that_has_something_stays_who_it_is(phone: MakePhone) -> None:
    host, other, guest = phone(), phone(), phone()
    host.opens()
    other.opens()
    assert guest.comes(host).sits(1).status_code == 303
    known = held(guest)
    assert guest.comes(other).sits(1).status_code == 303
    assert held(guest) == known
    assert guest.comes(host).gets("/t/{code}/1").status_code == 200


def test_letters_of_an_invitation_can_be_read(phone: MakePhone, house: House) -> None:
    assert re.fullmatch(f"[{CROCKFORD}]{{{INVITATION_LENGTH}}}", invitation(house, phone().opens()))
