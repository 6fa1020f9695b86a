"""The address changes in mid-evening: the screen and the host's page say so, with the new code; a name leads to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.drawing.qr import qr_svg
from companion.server import whereabouts
from companion.server.whereabouts import Whereabouts
from tests.web.conftest import ADDRESS, House, Phone
from tests.web.page import Page

BEFORE, AFTER = "http://192.168.1.5:8000", "http://10.0.0.7:8000"


@pytest.fixture
def found(build: Callable[..., House], monkeypatch: pytest.MonkeyPatch, house: House) -> list[str]:
    """Where the machine is; it may be put elsewhere."""
    monkeypatch.setattr(whereabouts, "FRESH_S", -1)
    found = [BEFORE]
    own = Whereabouts(build(address="").settings, lambda: found[0])
    house.app.extensions["companion.whereabouts"] = own
    assert own.address == BEFORE
    return found


def test_the_screen_and_the_host_are_told_with_the_new_code(
    found: list[str], table: Callable[..., list[Phone]], phone: Callable[..., Phone]
) -> None:
    host, bo, _cy = table(seats=3)
    code, watcher = host.code, phone(at=host)
    told = {watcher: "/screen", host: "/0", bo: "/1"}
    parts = {watcher: "/screen/moved", host: "/0/silence", bo: "/1/silence"}

    def say(pages: dict[Phone, str]) -> list[bool]:
        return ["The address has changed" in one.gets(f"/t/{{code}}{page}").text for one, page in pages.items()]

    assert say(told) == say(parts) == [False] * 3
    found[0] = AFTER
    assert say(told) == say(parts) == [True, True, False], "who is still at the table need not know"
    drawn = str(qr_svg(f"{AFTER}/t/{code}".upper()))
    assert drawn in watcher.gets("/t/{code}/screen/moved").text
    assert watcher.gets("/t/{code}/screen").text.count(drawn) == 2, "the one beside the stage is new, too"
    assert f"{AFTER}/t/{code}" in host.gets("/t/{code}/seats").text
    assert "menu of their page" in host.reads("/t/{code}/seats").text
    strip = Page(host.gets("/t/{code}/0/silence").text)
    assert strip.links == [f"/t/{code}/seats"], "on a seat's page a line, which leads there"
    assert "menu of their page" not in strip.text


@pytest.mark.promise(21)
@pytest.mark.parametrize("name", ["companion.local", "companion-2.local", "COMPANION.local"])
def test_the_name_leads_to_the_number_before_any_cookie_is_set(build: Callable[..., House], name: str) -> None:
    stranger = Phone(build(name="companion", hosts=("table.lan",)), "192.168.1.9")
    answer = stranger.gets("/find?code=K7QX2M", host=f"{name}:8000")
    assert (answer.status_code, answer.location) == (302, f"{ADDRESS}/find?code=K7QX2M")
    assert "Set-Cookie" not in answer.headers
    assert stranger.gets("/find?code=?", host=name).location == f"{ADDRESS}/find?code=?"
    for method in ("GET", "HEAD"):
        assert stranger.asks("/", method, host=f"{name}:8000").location == f"{ADDRESS}/"
    assert stranger.gets("//evil.example/", host=f"{name}:8000").location.startswith(f"{ADDRESS}/")
    assert stranger.posts("/open/rage", {"name": ["A", "B", "C"]}, host=name).status_code == 400


@pytest.mark.promise(21)
def test_the_name_leads_on_whatever_stands_in_the_address(build: Callable[..., House]) -> None:
    stranger = Phone(build(name="companion"), "192.168.1.9")
    for path, query, there in (
        ("/\r\nSet-Cookie:x=1", "", "/%0D%0ASet-Cookie%3Ax%3D1"),
        ("/find", "code=a%0d%0ab&x=%26", "/find?code=a%0d%0ab&x=%26"),
        ("/find", "code=\r\n\xff", "/find?code=%0D%0A%FF"),
        ("/a?b#c%0d", "d", "/a%3Fb%23c%250d?d"),
    ):
        asked = {"HTTP_HOST": "companion-2.local", "PATH_INFO": path, "QUERY_STRING": query}
        answer = stranger.client.get("/", environ_overrides=asked)
        assert (answer.status_code, answer.location) == (302, ADDRESS + there)
        assert "Set-Cookie" not in answer.headers


@pytest.mark.promise(21)
def test_the_name_leads_from_the_secure_door_to_the_secure_one(build: Callable[..., House]) -> None:
    house = build(address="http://192.168.1.5:8000", name="companion", https=(8080, 8443))
    answer = house.app.test_client().get("/find", base_url="https://companion.local:8443")
    assert answer.location == "https://192.168.1.5:8443/find"


def test_other_names_are_as_they_were(build: Callable[..., House]) -> None:
    stranger = Phone(build(), "192.168.1.9")
    assert stranger.gets("/", host="companion.local").status_code == 200
    named = Phone(build(name="companion", hosts=("table.lan",)), "192.168.1.9")
    for host, status in {"table.lan": 200, "companion.lan": 400, "companion-99.local": 400}.items():
        assert named.gets("/", host=host).status_code == status, host


def test_the_number_is_answered_wherever_names_are_listed(found: list[str], build: Callable[..., House]) -> None:
    house = build(address="", hosts=("table.lan",))
    house.app.extensions["companion.whereabouts"] = Whereabouts(house.settings, lambda: found[0])
    stranger = Phone(house, "192.168.1.9")
    assert stranger.gets("/", host="192.168.1.5:8000").status_code == 200
    assert stranger.gets("/", host="10.0.0.7:8000").status_code == 400
    found[0] = AFTER
    assert stranger.gets("/", host="10.0.0.7:8000").status_code == 200
