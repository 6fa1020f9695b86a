"""Who opens the lobby for the first time is led to a table in three steps, without a script, and never again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.conftest import House, Phone, sound

MakePhone = Callable[..., Phone]


def goes_on(one: Phone, said: str = "", **more: str) -> int:
    """Say something to the step that the lobby asks."""
    form = one.reads("/").form("/first")
    step = {str(part["name"]): str(part.get("value") or "") for part in form.fields if part.get("type") == "hidden"}
    answer = one.submits(form, {**step, "said": said, **more})
    assert answer.status_code == 422 or answer.location == "/"
    return answer.status_code


def test_three_steps_lead_to_a_table_that_is_the_real_thing(phone: MakePhone, house: House) -> None:
    ann = phone()
    assert "Step 1 of 3" in ann.reads("/").text
    goes_on(ann, "cs")
    page = ann.reads("/")
    assert page.one("html").attrs["lang"] == "cs"
    goes_on(ann, "  Žofie ")
    assert "/open/rage" in ann.reads("/").links
    form = ann.reads("/open/rage").form("/open/rage")
    assert form.filled(press="")["name"] == ["Žofie", "", "", ""]
    assert ann.submits(form, form.filled(press="")).status_code == 303
    assert house.rows("SELECT seat, name FROM seatings WHERE phone IS NOT NULL") == [(0, "Žofie")]
    assert not any(form.action == "/first" for form in ann.reads("/").forms)


def test_the_language_of_the_page_is_told_by_ear_too(phone: MakePhone) -> None:
    """A ring of gold alone told it."""
    page = phone().reads("/?lang=pl")
    assert page.one("button", **{"aria-current": "true"}).text == "Polski"


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_every_step_can_be_skipped_and_none_comes_again(phone: MakePhone, steps: int) -> None:
    ann = phone()
    for said in ("de", "Anna")[:steps]:
        goes_on(ann, said)
    goes_on(ann, "Zbyněk", skip="1")
    page = ann.reads("/")
    assert not any(form.action == "/first" for form in page.forms)
    assert "/open/rage" in page.links
    assert "Zbyněk" not in ann.gets("/open/rage").text


def test_a_blank_name_leads_on_and_one_that_cannot_be_is_said_beside_the_field(phone: MakePhone) -> None:
    ann = phone()
    goes_on(ann, "en")
    assert goes_on(ann, "x" * 60) == 422
    page = sound(ann.posts("/first", {"step": "name", "said": "x" * 60}))
    assert page.one("input", name="said").attrs["value"] == "x" * 60
    assert "Step 2 of 3" in ann.reads("/").text
    assert goes_on(ann, " ") == 303
    assert "Step 3 of 3" in ann.reads("/").text


def test_who_has_sat_at_a_table_is_no_newcomer(phone: MakePhone) -> None:
    host = phone()
    host.opens()
    guest = phone(at=host)
    guest.sits(1)
    assert not any(form.action == "/first" for form in guest.reads("/").forms)


def test_a_name_that_cannot_be_is_said_also_where_a_table_was_opened_meanwhile(phone: MakePhone) -> None:
    ann = phone()
    ann.opens()
    page = sound(ann.posts("/first", {"step": "name", "said": "x" * 60}))
    assert page.one("p", id="name-error").text == "A name needs 1 to 24 characters that can be seen."
    assert page.one("input", name="said").attrs["value"] == "x" * 60


def test_a_code_leads_to_its_table_at_every_step(phone: MakePhone) -> None:
    host, guest = phone(), phone()
    code = host.opens()
    assert any(form.action == "/find" for form in guest.reads("/").forms)
    assert guest.gets(f"/find?code={code}").location == f"/t/{code}"


@pytest.mark.parametrize("step", ["", "x", "done", "<script>"])
def test_a_step_that_is_none_ends_them(phone: MakePhone, step: str) -> None:
    ann, bo = phone(), phone()
    ann.client.set_cookie("first", step or "none")
    assert not any(form.action == "/first" for form in ann.reads("/").forms)
    assert bo.posts("/first", {"step": step, "said": "cs"}).status_code == 303
    assert bo.reads("/").one("html").attrs["lang"] == "en"


def test_the_name_of_a_phone_stands_at_the_door_and_can_be_changed(phone: MakePhone) -> None:
    host, guest = phone(), phone()
    host.opens(names=["Ann", "", ""])
    guest.client.set_cookie("name", "Bo")
    guest.code = host.code
    assert guest.reads("/t/{code}").one("input", id="name").attrs["value"] == "Bo"
    settings = guest.reads("/settings").form("/settings")
    for said, kept in (("Bob", "Bob"), ("x" * 60, "Bob"), ("", "")):
        guest.submits(settings, {**settings.filled(), "name": said})
        assert guest.reads("/settings").form("/settings").filled()["name"] == kept


@pytest.mark.parametrize("cookie", ["\x00", "x" * 3000, "\u202e", '"><script>'])
def test_a_name_that_was_tampered_with_does_no_harm(phone: MakePhone, cookie: str) -> None:
    ann = phone()
    ann.client.set_cookie("name", cookie)
    assert "<script>" not in ann.reads("/open/rage").text
