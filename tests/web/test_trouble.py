"""When something goes wrong: a page of the house that says what, and the way back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DataError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoneFree
from werkzeug.exceptions import ImATeapot, ServiceUnavailable

from companion import errors
from companion.errors import CompanionError
from companion.log.rows import db
from companion.log.unruled import UNRULED
from companion.printing import PrinterBusy, PrintError
from tests.web.conftest import FORM, House, Phone, sound

MakePhone = Callable[..., Phone]
ERRORS = [*UNRULED, *(error for error in CompanionError.__subclasses__() if error.__module__ == errors.__name__)]
FACTS = {
    "place": "tricks",
    "reason": "Not a whole number.",
    "most": 24,
    "code": "K7QX2M",
    "number": 2,
    "rule": "r",
    "game": "cairn",
    "rules": 1,
    "here": 2,
    "move": "lay",
    "option": "is_gentle",
    "asked": "2",
    "versions": "1",
}


@pytest.fixture
def readonly(house: House) -> Iterator[None]:
    """Let the database be read and not written, as on a full disk."""

    def forbid(connection: Any, *_about: object) -> None:
        connection.execute("PRAGMA query_only=ON")

    with house.app.app_context():
        event.listen(db.engine, "checkout", forbid)
        db.engine.dispose()  # what writes has been taken out of the pool before
        yield
        event.remove(db.engine, "checkout", forbid)
        db.engine.dispose()


@pytest.mark.promise(20)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.key)
def test_every_error_has_a_page_with_its_own_words(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch, error: type[CompanionError]
) -> None:
    def fails() -> str:
        raise error(**{name: value for name, value in FACTS.items() if f"%({name})s" in error.message})

    monkeypatch.setitem(house.app.view_functions, "choices.settings_form", fails)
    answer = phone().gets("/settings")
    assert answer.status_code == error.status
    page = sound(answer)
    assert error.title == page.one("h1").text
    assert error.message % FACTS in page.text
    assert "/" in page.links
    assert ("Retry-After" in answer.headers) == (error.status == 503)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationalError("SELECT 1", {}, Exception("gone")), 503),
        (InterfaceError("SELECT 1", {}, Exception("gone")), 503),
        (NoneFree(), 503),
        (DataError("SELECT 1", {}, Exception("a zero byte")), 400),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_the_database_cannot_do_is_put_into_our_words(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    def fails() -> str:
        raise error

    monkeypatch.setitem(house.app.view_functions, "choices.settings_form", fails)
    answer = phone().gets("/settings")
    assert answer.status_code == status
    assert "SELECT" not in answer.text
    sound(answer)


@pytest.mark.parametrize("error", [ImATeapot(), ServiceUnavailable(retry_after=7), RuntimeError("secret")], ids=str)
def test_errors_of_others_are_put_into_our_words(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails() -> str:
        raise error

    monkeypatch.setitem(house.app.view_functions, "choices.settings_form", fails)
    answer = phone().gets("/settings")
    assert answer.status_code == (getattr(error, "code", None) or 500)
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    sound(answer)


def test_a_bug_is_logged_with_the_table_and_told_without_details(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann = phone()
    code = ann.opens()
    monkeypatch.setattr("companion.web.parts.told", lambda *args: 1 / 0)
    answer = ann.gets("/t/{code}/0")
    assert answer.status_code == 500
    assert "This is our fault. The table is as it was; please try again." in sound(answer).text
    [told] = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert code in told.getMessage()
    assert told.exc_info


def test_an_address_that_is_not_there_is_404(phone: MakePhone) -> None:
    for path in (
        "/nowhere",
        "/t",
        "/t/",
        "/t/ABC/DEF",
        "/static/nothing.css",
        "/t/ABCDEF/-1",
        "/.env",
        "/%00",
        "/é",
    ):
        answer = phone().gets(path)
        assert answer.status_code == 404, path
        assert "There is" in sound(answer).text, path


def test_a_method_that_is_not_there_is_405_and_says_which_are(phone: MakePhone) -> None:
    answer = phone().gets("/t/ABCDEF/sit")
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
    sound(answer)


def test_too_much_at_once_is_413(phone: MakePhone, house: House) -> None:
    ann = phone()
    ann.opens()
    before = house.written()
    for content_type in (FORM, "multipart/form-data; boundary=x"):
        answer = ann.posts("/t/{code}/0/move", b"x" * 70_000, content_type=content_type)
        assert answer.status_code == 413
        sound(answer)
    answer = ann.posts("/t/{code}/0/move", b"&".join(b"a=1" for _ in range(15_000)))
    assert answer.status_code in {400, 413}
    assert house.written() == before


def test_a_tap_that_cannot_be_saved_is_answered_503(
    table: Callable[..., list[Phone]], house: House, request: pytest.FixtureRequest
) -> None:
    """No phone comes again by itself with what this page answers: whoever is told that it does waits for nothing."""
    ann, *_others = table()
    request.getfixturevalue("readonly")
    before = house.written()
    forms = {"move": {"move": "bid", "seat": "0", "tricks": "3"}, "lock": {"locked": "1"}, "stand": {}}
    for path, form in forms.items():
        answer = ann.posts(f"/t/{{code}}/{'0/' if path == 'move' else ''}{path}", form)
        assert answer.status_code == 503, path
        assert "The companion could not save this. Nothing was changed; try again in" in sound(answer).text
        assert int(answer.headers["Retry-After"]) > 0
    assert "Nothing played yet." in ann.reads("/t/{code}/0").text
    assert house.written() == before


@pytest.mark.parametrize("error", [PrintError("It broke."), PrinterBusy("Too many sheets are waiting.")], ids=str)
def test_a_sheet_that_cannot_be_printed_says_why(
    house: House, phone: MakePhone, monkeypatch: pytest.MonkeyPatch, error: PrintError
) -> None:
    def fails(html: str) -> bytes:
        raise error

    ann = phone()
    ann.opens()
    monkeypatch.setattr(house.printer, "pdf", fails)
    for path in ("/t/{code}/sheet.pdf", "/t/{code}/sheet.pdf?item=join_card", "/print/rage.pdf"):
        answer = ann.gets(path)
        assert answer.status_code == 503
        assert str(error) in sound(answer).text


def test_an_error_leads_back_to_its_table_and_says_so_nowhere_else(phone: MakePhone) -> None:
    ann, bo = phone(), phone()
    ann.opens()
    bo.comes(ann)
    ann.posts("/t/{code}/break-off")
    at_a_table = [
        ann.posts("/t/{code}/pause"),
        ann.posts("/t/{code}/0/move", b"x" * 70_000),
        ann.gets("/t/{code}/9"),
        bo.posts("/t/{code}/lock", {"locked": "1"}),
    ]
    for answer, status in zip(at_a_table, (409, 413, 404, 403), strict=True):
        assert answer.status_code == status
        back = sound(answer).one("a", class_="main")
        assert (back.text, back.attrs["href"]) == ("Back to the table", f"/t/{ann.code}"), status
    cy = phone()
    guesses = [cy.gets("/t/ABCDEF/seats") for _ in range(31)]
    elsewhere = [ann.gets("/nowhere"), ann.posts("/groups/leave", {"group": "9"}), guesses[0], guesses[-1]]
    assert [answer.status_code for answer in elsewhere] == [404, 404, 404, 429]
    for answer in elsewhere:
        back = sound(answer).one("a", class_="main")
        assert (back.text, back.attrs["href"]) == ("Back", "/"), answer.status_code


def test_an_error_speaks_the_phone_s_language(phone: MakePhone) -> None:
    assert phone().gets("/nowhere?lang=pl").text.count('<html lang="pl"') == 1
