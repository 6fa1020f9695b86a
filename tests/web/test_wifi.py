"""The Wi-Fi that guests join first: on the screen, the card and the tent, in a file of this machine, and nowhere else."""

from __future__ import annotations

import json
import resource
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.desk.wifi import FILE, Wifi, is_offered, kept
from companion.drawing.qr import qr_svg
from companion.printing import Printer
from tests.proofs import codes, picture
from tests.web.conftest import House, Phone, sound

NAME, KEY = "Klub; Zahrada", r'Open "se": a\b,c'
CODE = r"WIFI:T:WPA;S:Klub\; Zahrada;P:Open \"se\"\: a\\b\,c;;"
MakePhone = Callable[..., Phone]


@pytest.fixture
def host(phone: MakePhone) -> Phone:
    host = phone()
    host.opens()
    return host


def types(host: Phone, name: str = NAME, key: str = KEY) -> int:
    return int(host.posts("/t/{code}/wifi", {"name": name, "wifi_key": key}).status_code)


def test_what_the_host_types_is_on_the_screen_while_seats_are_free(host: Phone, phone: MakePhone) -> None:
    drawn = qr_svg(CODE, title=NAME, keeps_case=True)
    watcher = phone(at=host)

    def is_shown() -> bool:
        return str(drawn) in watcher.gets("/t/{code}/screen").text

    assert not is_shown()
    assert types(host) == 303
    assert is_shown(), "though nothing was entered"
    assert str(drawn) in host.gets("/t/{code}/wifi").text
    assert host.reads("/t/{code}/wifi").form("/wifi").filled()["name"] == NAME
    for seat in (1, 2, 3):
        phone(at=host).sits(seat)
    assert not is_shown()
    host.posts("/t/{code}/free", {"seat": "1"})
    assert is_shown()
    assert types(host, "", "") == 303
    assert not is_shown()
    assert not (host.house.settings.data / FILE).exists()


def test_what_finds_no_room_on_the_disk_is_not_saved_and_leaves_nothing_behind(host: Phone) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        answer = host.posts("/t/{code}/wifi", {"name": NAME, "wifi_key": KEY})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert (answer.status_code, "could not save" in answer.text) == (503, True)
    assert [file.name for file in host.house.settings.data.iterdir() if FILE in file.name] == []
    assert types(host) == 303


def test_it_is_in_a_file_for_our_eyes_only_and_nowhere_else(host: Phone, house: House, phone: MakePhone) -> None:
    types(host)
    file = house.settings.data / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text()) == {"name": NAME, "key": KEY}
    others = [other for other in house.settings.data.iterdir() if other.is_file() and other != file]
    assert [other.name for other in others if KEY.encode() in other.read_bytes()] == []
    bo = phone(at=host)
    bo.sits(1)
    for page in ("/t/{code}/record.json", "/t/{code}/1", "/t/{code}/history", "/t/{code}/seats", "/api/tables/{code}"):
        assert "Zahrada" not in bo.gets(page).text, page


@pytest.mark.parametrize(("item", "times"), [("join_card", 4), ("join_tent", 2)])
def test_cards_and_tents_bear_it_beside_the_way_to_the_table(
    host: Phone, printer: Printer, tmp_path: Path, item: str, times: int
) -> None:
    host.house.app.extensions["companion.printer"] = printer
    longest = Wifi("W" * 32, "m" * 63)
    assert types(host, longest.name, longest.key) == 303
    found = codes(picture(host.gets(f"/t/{{code}}/sheet.pdf?item={item}&paper=letter").data, tmp_path, 300))
    assert found.count(longest.code) == times
    assert len(found) == 2 * times


@pytest.mark.parametrize(
    ("name", "key"), [("k" * 33, ""), ("Klub", "seven77"), ("Klub", "k" * 64), ("Kl\tub", ""), ("č" * 17, "")]
)
def test_what_can_be_no_wifi_is_refused_in_words_and_stays_in_its_fields(host: Phone, name: str, key: str) -> None:
    page = sound(answer := host.posts("/t/{code}/wifi", {"name": name, "wifi_key": key}))
    assert (answer.status_code, page.form("/wifi").filled()) == (422, {"name": name, "wifi_key": key})
    assert kept(host.house.settings) is None


def test_only_a_host_types_it_and_only_at_home(host: Phone, phone: MakePhone, build: Callable[..., House]) -> None:
    bo = phone(at=host)
    bo.sits(1)
    assert types(bo) == 403
    assert bo.gets("/t/{code}/wifi").status_code == 403
    stranger = Phone(build(proxies=1), "192.168.1.9")
    stranger.opens()
    (stranger.house.settings.data / FILE).write_text(json.dumps({"name": NAME, "key": KEY}))
    assert stranger.gets("/t/{code}/wifi").status_code == 404
    assert NAME not in stranger.gets("/t/{code}/screen").text
    assert "Wi-Fi" not in stranger.gets("/t/{code}/seats").text
    assert not is_offered(build(address="https://table.example").settings)


@pytest.mark.parametrize("left", ["", "[]", '{"name": "Klub"}', "\x00"])
def test_a_file_that_is_no_more_to_be_read_is_as_none(host: Phone, left: str) -> None:
    (host.house.settings.data / FILE).write_text(left)
    assert kept(host.house.settings) is None
    assert host.gets("/t/{code}/screen").status_code == 200


def test_an_open_one_has_no_key() -> None:
    assert Wifi("Klub", "").code == "WIFI:T:nopass;S:Klub;;"
