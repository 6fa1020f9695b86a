"""The operator's page renews itself while somebody looks, says when it is old, and has no barrier."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.words import LANGUAGES
from tests.pages.conftest import OPERATOR
from tests.pages.places import Setting, laid
from tests.pages.test_axe import problems
from tests.phones import Phone

SOON_MS = 6_000
"""The page looks again within it."""


def signed_in(phone: Phone) -> Page:
    phone.opens("/operator")
    phone.page.fill("#token", OPERATOR)
    phone.page.click("main button")
    expect(phone.page.locator(".state")).to_be_visible()
    return phone.page


@pytest.fixture
def operator(phone: Callable[..., Phone]) -> Iterator[Phone]:
    """A browser whose time is ours."""
    operator = phone()
    operator.page.clock.install()
    yield operator
    operator.complaints.clear()  # the browser says, too, that nothing came


def test_the_page_renews_itself_unless_it_is_told_not_to_and_says_that_it_is_old(
    operator: Phone, phone: Callable[..., Phone]
) -> None:
    page, host = signed_in(operator), phone()
    opened = page.locator(".figures > div", has_text="Tables opened since the start").locator("b")
    before = int(opened.inner_text())
    laid(host, Setting("rage", 4, (0,)), 0)
    page.clock.run_for(SOON_MS)
    expect(opened).to_have_text(str(before + 1))
    page.uncheck("#renews input")
    laid(host, Setting("rage", 4, (0,)), 0)
    page.clock.run_for(SOON_MS)
    page.check("#renews input")
    expect(opened).to_have_text(str(before + 1))
    page.context.set_offline(True)
    page.clock.run_for(SOON_MS)
    expect(page.locator("#late")).to_be_visible()
    page.context.set_offline(False)
    page.clock.run_for(SOON_MS)
    expect(opened).to_have_text(str(before + 2))
    expect(page.locator("#late")).to_be_hidden()
    page.context.clear_cookies()
    page.clock.run_for(SOON_MS)
    expect(page.locator("#token")).to_be_visible()


@pytest.mark.long
def test_neither_page_has_a_barrier(phone: Callable[..., Phone]) -> None:
    reader = phone(bypass_csp=True, viewport={"width": 320, "height": 740})
    reader.opens("/operator")
    address = reader.page.url
    assert list(problems(reader.page, "operator", address, is_long=True)) == []
    reader.page.context.add_cookies([{"name": "language", "value": LANGUAGES[0], "url": address}])
    signed_in(reader)
    assert list(problems(reader.page, "operator", address, is_long=True)) == []
    reader.complaints.clear()  # that who has no token is refused
