"""The secure door beside the plain one, in a real browser: an app that can be installed, and opens without the network."""

from __future__ import annotations

import base64
import hashlib
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, Playwright, expect

from companion.server.certificates import fingerprint, root
from tests.nginx import GOOD, ciphers_agreed
from tests.phones import Phone, Server, chromium, free_port

SENT = """() => performance.getEntriesByType("resource")
  .filter(({ name, transferSize }) => transferSize > 0 && /\\/(static|templates)\\//.test(name)).map(({ name }) => name)"""
"""What of styles, scripts, drawings and templates has come over the network."""
KEPT = """async (path) => {
  const isSettled = ({ installing, waiting, active }) => !installing && !waiting && active.state === "activated";
  const isThere = async () => (await caches.match(path)) && isSettled(await navigator.serviceWorker.getRegistration());
  for (let times = 0; times < 500 && !(await isThere()); times += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
}"""
"""Waits until the newest script has kept a page, and answers; not for ever."""
NAMES = ["Anna", "Bohdan", "Katka"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("secure"), free_port(), https_port=free_port())
    server.start()
    yield server
    server.stop()


def fetched(server: Server, path: str) -> tuple[bytes, str]:
    """Ask the secure door as a program that trusts the authority."""
    context = ssl.create_default_context(cadata=(server.data / "authority" / "authority.crt").read_text())
    with urllib.request.urlopen(f"https://127.0.0.1:{server.https_port}{path}", context=context, timeout=10) as answer:
        return answer.read(), answer.headers.get_content_type()


@pytest.fixture(scope="module")
def browser(playwright: Playwright, server: Server) -> Iterator[Browser]:
    """Start a browser that trusts this server's key, as a phone does once it trusts the authority."""
    certificate = x509.load_pem_x509_certificate((server.data / "authority" / "server.crt").read_bytes())
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    pin = base64.b64encode(hashlib.sha256(key).digest()).decode()
    with chromium(playwright, f"--ignore-certificate-errors-spki-list={pin}") as browser:
        yield browser


def test_who_trusts_the_authority_is_served(server: Server) -> None:
    content, kind = fetched(server, "/")
    assert b"<h1>" in content
    assert kind == "text/html"


def test_who_does_not_trust_it_is_not(server: Server) -> None:
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(f"https://127.0.0.1:{server.https_port}/", timeout=10)


def test_the_app_is_described_and_its_icons_are_there(server: Server) -> None:
    manifest = json.loads(fetched(server, "/manifest.webmanifest")[0])
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        content, kind = fetched(server, icon["src"])
        assert kind == "image/png"
        size = f"{int.from_bytes(content[16:20])}x{int.from_bytes(content[20:24])}"
        assert size == icon["sizes"]


def test_a_phone_keeps_its_seat_at_both_doors_and_both_see_every_move(
    server: Server, phone: Callable[..., Phone]
) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(NAMES)
    bohdan.sits(code, "Bohdan")
    anna.page.goto(f"{server.secure_address}/t/{code}/0")
    anna.is_live()
    assert anna.page.evaluate("isSecureContext")
    anna.chooses(3)
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna bids 3.")
    bohdan.chooses(2)
    expect(anna.page.locator("#undo")).to_contain_text("Bohdan bids 2.")
    anna.opens(f"/t/{code}/0")
    anna.is_live()


def test_the_shell_opens_without_the_network_and_nothing_of_a_table_is_kept(
    server: Server, phone: Callable[..., Phone]
) -> None:
    anna = phone()
    code = anna.opens_table(NAMES)
    anna.page.goto(f"{server.secure_address}/t/{code}/0")
    anna.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    anna.page.reload()
    anna.is_live()
    kept = anna.page.evaluate(
        "caches.keys().then(ns => Promise.all(ns.map(n => caches.open(n).then(c => c.keys())))).then(l => l.flat().map(r => new URL(r.url).pathname))"
    )
    assert any(path.endswith("companion.css") for path in kept)
    assert [path for path in kept if path.startswith("/templates/")] == [
        anna.page.locator("body").get_attribute("data-templates")
    ]
    anna.page.context.new_cdp_session(anna.page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    anna.page.reload()
    anna.is_live()
    assert anna.page.evaluate(SENT) == []
    assert not [path for path in kept if path.startswith("/t/")]
    anna.page.context.set_offline(True)
    anna.page.goto(f"{server.secure_address}/help/rage")
    expect(anna.page.get_by_role("heading", name="No connection")).to_be_visible()
    anna.page.context.set_offline(False)
    anna.page.get_by_role("link", name="Try again").tap()
    expect(anna.page.get_by_role("heading", name="Rules of Rage")).to_be_visible()


def test_without_the_network_the_language_is_the_one_that_was_chosen_last(
    server: Server, phone: Callable[..., Phone]
) -> None:
    anna = phone()
    anna.page.goto(f"{server.secure_address}/settings")
    anna.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    anna.page.wait_for_function("() => navigator.serviceWorker.controller")
    anna.page.locator("label:has(input[name=language][value=cs])").tap()
    anna.page.get_by_role("button", name="Save").tap()
    anna.page.wait_for_url(f"{server.secure_address}/")
    anna.page.evaluate(KEPT, "/offline?lang=cs")
    anna.page.context.set_offline(True)
    anna.page.goto(f"{server.secure_address}/help/rage")
    expect(anna.page.get_by_role("heading", name="Bez spojení")).to_be_visible()
    anna.page.context.set_offline(False)


def test_the_screen_is_kept_awake_at_the_secure_door_and_the_plain_one_says_once_that_it_is_not(
    server: Server, phone: Callable[..., Phone]
) -> None:
    anna = phone()
    code = anna.opens_table(NAMES)
    plain = anna.page.locator(".asleep")
    anna.opens(f"/t/{code}/0")
    expect(plain).to_be_visible()
    anna.tap("All right")
    expect(plain).to_be_hidden()
    anna.page.reload()
    anna.is_live()
    expect(plain).to_be_hidden()
    asked: list[str] = []

    def note(kind: str) -> None:
        asked.append(kind)

    anna.page.expose_function("noteWakeLock", note)
    anna.page.add_init_script("navigator.wakeLock.request = async (kind) => { window.noteWakeLock(kind); };")
    anna.page.goto(f"{server.secure_address}/t/{code}/0")
    anna.is_live()
    anna.page.locator("h1").tap()
    expect(anna.page.locator(".asleep")).to_be_hidden()
    anna.page.wait_for_timeout(200)
    assert asked == ["screen"]


def test_the_page_that_leads_through_trusting_it_shows_the_fingerprint(
    server: Server, phone: Callable[..., Phone]
) -> None:
    guest = phone()
    guest.opens("/trust")
    certificate = root(server.data / "authority")
    expect(guest.page.locator(".fingerprint")).to_have_text(fingerprint(certificate))
    with guest.page.expect_download() as download:
        guest.page.get_by_role("link", name="Fetch the certificate").tap()
    assert download.value.path().read_bytes() == (server.data / "authority" / "authority.crt").read_bytes()
    expect(guest.page.get_by_role("link", name=server.secure_address)).to_be_visible()


def test_the_secure_door_agrees_on_no_weak_encryption(server: Server) -> None:
    assert server.https_port
    assert ciphers_agreed(server.https_port) == {GOOD}


def test_a_page_that_was_opened_without_network_is_there_when_the_network_is(
    server: Server, phone: Callable[..., Phone]
) -> None:
    anna = phone()
    code = anna.opens_table(NAMES)
    anna.page.goto(f"{server.secure_address}/t/{code}/0")
    anna.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    anna.page.wait_for_function("() => navigator.serviceWorker.controller")
    anna.page.context.set_offline(True)
    anna.page.reload()
    expect(anna.page.get_by_role("heading", name="No connection")).to_be_visible()
    anna.page.context.set_offline(False)
    expect(anna.page.locator("#part")).to_be_visible()
    assert anna.page.url == f"{server.secure_address}/t/{code}/0"
