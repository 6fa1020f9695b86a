"""The result is passed on from a page over plain http, where a browser has neither share sheet nor clipboard."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image
from playwright.sync_api import expect

from tests.pages.places import Setting, laid
from tests.phones import Phone


def test_the_result_is_copied_over_plain_http(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("/")
    code = laid(host, Setting("rage", 4, ()), 1)
    host.opens(f"/t/{code}/result")
    assert not host.page.evaluate("isSecureContext || 'share' in navigator || 'clipboard' in navigator")
    text = host.page.locator("#text").input_value()
    host.tap("Copy the result")
    expect(host.page.get_by_role("button", name="Copied.")).to_be_visible()
    host.opens("/book/import")
    host.page.get_by_text("Or paste a record").tap()
    host.page.locator("#record").focus()
    host.page.keyboard.press("Control+V")
    expect(host.page.locator("#record")).to_have_value(text)


def test_without_script_there_is_the_text_to_hold_and_no_key(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("/")
    code = laid(host, Setting("rage", 4, ()), 1)
    reader = phone(java_script_enabled=False)
    reader.opens(f"/t/{code}/result")
    expect(reader.page.locator("#text")).to_be_visible()
    expect(reader.page.locator("[data-share-button]")).to_be_hidden()


def test_where_the_browser_has_a_way_the_result_takes_it(phone: Callable[..., Phone]) -> None:
    """And who closes the share sheet has been served; where it fails, the text is copied."""
    host = phone(bypass_csp=True)
    host.opens("/")
    code = laid(host, Setting("rage", 4, ()), 1)
    host.page.add_init_script("""navigator.share = async ({ text }) => {
      window.shared = [...(window.shared ?? []), text];
      throw new DOMException("", window.shared.length > 1 ? "NotAllowedError" : "AbortError");
    }""")
    host.opens(f"/t/{code}/result")
    host.tap("Share the result")
    assert host.page.evaluate("window.shared") == [host.page.locator("#text").input_value()]
    expect(host.page.get_by_role("button", name="Share the result")).to_be_visible()
    host.tap("Share the result")
    expect(host.page.get_by_role("button", name="Copied.")).to_be_visible()


def test_the_picture_is_held_or_kept_over_plain_http(phone: Callable[..., Phone]) -> None:
    host = phone(java_script_enabled=False)
    host.opens("/")
    code = laid(host, Setting("ubongo", 2, ()), 1)
    host.opens(f"/t/{code}/result")
    host.page.get_by_text("The result as a picture").tap()
    with host.page.expect_download() as kept:
        host.page.get_by_role("link", name="Keep the picture").tap()
    with Image.open(kept.value.path()) as picture:
        assert (picture.format, picture.size) == ("PNG", (1080, 1350))
    assert kept.value.suggested_filename.endswith("-ubongo.png")


def test_where_the_browser_shares_files_the_picture_is_one(phone: Callable[..., Phone]) -> None:
    host = phone(bypass_csp=True)
    host.opens("/")
    code = laid(host, Setting("ubongo", 2, ()), 1)
    host.page.add_init_script("""navigator.canShare = ({ files }) => files[0].type === "image/png";
    navigator.share = async ({ files }) => {
      window.shared = [...(window.shared ?? []), [files[0].name, (await createImageBitmap(files[0])).width]];
    }""")
    host.opens(f"/t/{code}/result")
    host.page.get_by_text("The result as a picture").tap()
    expect(host.page.locator(".result-picture")).to_have_js_property("naturalWidth", 1080)
    host.page.get_by_role("link", name="Share the picture").tap()
    host.page.wait_for_function("window.shared")
    assert host.page.evaluate("window.shared") == [["result.png", 1080]]
