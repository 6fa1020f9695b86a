"""Promise 16: no script but ours, on every answer; promise 21: no poisoned QR, no way off the site."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from html import unescape

import pytest
from werkzeug.test import TestResponse

from companion.drawing.qr import qr_svg
from companion.printing import Printer, PrintError
from tests.web.conftest import ADDRESS, House, Phone, sound
from tests.web.page import Page
from tests.web.stage import FORMS, ROLES, Route, Stage, routes, set_stage

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
EVIL_HOSTS = [
    *("evil.example", "evil.example:8000", "localhost.evil.example", "evil.example.", "127.0.0.1.evil.example"),
    *("", "[", "[::1", "a b", "evil.example/", "evil.example#.local", "evil@localhost", "x" * 300 + ".example"),
    *("ünknown.example", "xn--\x80.local", ".", "..", "local.", "0x7f000001.example"),
]


@pytest.fixture
def stage(house: House, phone: Callable[..., Phone]) -> Stage:
    return set_stage(house, phone)


def policy(answer: TestResponse) -> dict[str, str]:
    """Read what an answer lets a page load, and who may show it."""
    return dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))


def guarded(answer: TestResponse, what: object) -> None:
    """Check what every answer must carry."""
    assert policy(answer) == POLICY, what
    assert len(answer.headers.getlist("Content-Security-Policy")) == 1, what
    for name, value in ALWAYS.items():
        assert answer.headers.getlist(name) == [value], (what, name)
    assert answer.headers["Permissions-Policy"] == "camera=(), geolocation=(), microphone=()", what
    assert "Access-Control-Allow-Origin" not in answer.headers, what
    assert "Server" not in answer.headers, what


@pytest.mark.promise(16)
def test_every_answer_of_every_route_carries_the_policy(stage: Stage) -> None:
    for role in ("anonymous", "host", "own seat"):
        for route in routes(stage.house.app):
            answer = stage.asks(role, route)
            guarded(answer, (role, route))
            is_kept = route.endpoint in {"static", "modules.templates"}
            assert is_kept or answer.headers["Cache-Control"] == "no-store", route
        stage.go_back()


@pytest.mark.promise(16)
def test_every_page_is_free_of_inline_script_and_style(stage: Stage) -> None:
    seen = 0
    for role in ROLES:
        for route in routes(stage.house.app, "GET"):
            answer = stage.asks(role, route)
            if answer.mimetype == "text/html" and "Location" not in answer.headers:
                page = sound(answer)
                assert page.all("html"), route
                seen += 1
    assert seen > 60


@pytest.mark.promise(16)
def test_errors_carry_the_policy(house: House, phone: Callable[..., Phone], monkeypatch: pytest.MonkeyPatch) -> None:
    ann = phone()
    ann.opens()

    def breaks() -> str:
        raise RuntimeError("broken")

    def prints_nothing(html: str) -> bytes:
        raise PrintError("No paper.")

    monkeypatch.setitem(house.app.view_functions, "choices.settings_form", breaks)
    monkeypatch.setattr(house.printer, "pdf", prints_nothing)
    answers = {
        400: ann.posts("/t/{code}/0/move", {"move": "dance"}),
        403: ann.gets("/t/{code}/1") if ann.sits(1).status_code == 303 else phone(at=ann).gets("/t/{code}/1"),
        404: ann.gets("/nowhere"),
        405: ann.gets("/t/{code}/stand"),
        409: ann.sits(2),
        413: ann.posts("/t/{code}/0/move", {"card": "x" * 70_000}),
        422: ann.taps("bid", tricks=11),
        500: ann.gets("/settings"),
        503: ann.gets("/t/{code}/sheet.pdf"),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        guarded(answer, status)
        assert answer.headers["Cache-Control"] == "no-store"
        sound(answer)
    for _ in range(31):
        answer = ann.gets("/t/ZZZZZZ")
    assert answer.status_code == 429
    guarded(answer, 429)
    sound(answer)


def test_a_sheet_is_named_by_its_code_and_nothing_else(
    table: Callable[..., list[Phone]], house: House, printer: Printer
) -> None:
    house.app.extensions["companion.printer"] = printer
    ann, *_others = table()
    ann.posts("/t/{code}/rename", {"seat": "1", "name": "\";'%22.exe"})
    for item in ("score_sheet", "join_card"):
        answer = ann.gets(f"/t/{{code}}/sheet.pdf?item={item}")
        assert answer.data.startswith(b"%PDF-")
        assert answer.mimetype == "application/pdf"
        assert answer.headers["Content-Disposition"] == f'inline; filename="{ann.code}-{item}.pdf"'
        guarded(answer, item)
    blank = ann.gets("/print/rage.pdf?players=4")
    assert blank.headers["Content-Disposition"] == 'inline; filename="rage-score_sheet.pdf"'


def test_static_texts_are_packed_for_who_can_unpack_them(phone: Callable[..., Phone]) -> None:
    visitor = phone()
    page = visitor.reads("/")
    for address in {
        str(link.attrs.get("href") or link.attrs.get("src")) for link in page.all("link") + page.all("script")
    }:
        if not address.startswith("/static/") or address.endswith(".png"):
            continue
        plain, packed = (visitor.gets(address, headers={"Accept-Encoding": way}) for way in ("identity", "br, gzip"))
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) < len(plain.data)
        assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"


def test_static_files_are_kept_for_long_and_change_their_address_when_they_change(phone: Callable[..., Phone]) -> None:
    visitor = phone()
    page = visitor.reads("/")
    addresses = [element.attrs["href"] for element in page.all("link") if element.attrs["rel"] != "manifest"] + [
        element.attrs["src"] for element in page.all("script")
    ]
    assert len(addresses) >= 3
    for address in addresses:
        assert address
        assert re.match(r"/static/", address)
        answer = visitor.gets(address)
        assert answer.status_code == 200
        assert answer.cache_control.max_age == 365 * 24 * 3600
        guarded(answer, address)
    guarded(visitor.gets("/static/../secret_key"), "outside")
    assert visitor.gets(addresses[0].rsplit("/", 1)[0] + "/nothing.css").status_code == 404


@pytest.mark.promise(21)
def test_unknown_hosts_are_refused_everywhere(stage: Stage) -> None:
    before = stage.house.written()
    every = [(route, EVIL_HOSTS[0]) for route in routes(stage.house.app, "GET", "POST")]
    for route, host in (*every, *((every[-1][0], host) for host in EVIL_HOSTS)):
        around = {"HTTP_HOST": host, "HTTP_ORIGIN": f"http://{host}"}
        form = None if route.is_api else FORMS.get(route.endpoint)
        answer = stage.people["own seat"].client.open(
            stage.path(route), method=route.method, data=form, environ_overrides=around
        )
        assert answer.status_code == 400, (route, host)
        assert "does not answer at this address" in unescape(answer.text), (route, host)
        assert len(host) < 5 or host not in answer.text, (route, host)
        guarded(answer, (route, host))
    assert stage.house.written() == before


def test_a_house_answers_to_its_addresses_and_local_names(phone: Callable[..., Phone]) -> None:
    for host in ("192.168.1.4:8000", "localhost", "[fe80::1]:8000", "raspberry", "raspberry.local", "PI.lan:80"):
        assert phone().gets("/", headers={"Host": host}).status_code == 200, host


def test_a_house_with_names_answers_to_these_alone(build: Callable[..., House]) -> None:
    house = build(address="https://games.example", hosts=("play.example",))
    for host, status in {"games.example": 200, "play.example": 200, "localhost": 400, "10.0.0.1": 400}.items():
        assert Phone(house, "10.0.0.2").gets("/", headers={"Host": host}).status_code == status, host


@pytest.mark.promise(21)
def test_join_links_and_qr_codes_never_follow_the_host_header(stage: Stage) -> None:
    link = f"{ADDRESS}/t/{stage.code}"
    ((invitation,),) = stage.house.rows("SELECT invitation FROM tables WHERE code = ?", stage.code)
    drawing = str(qr_svg((link + invitation).upper()))
    host = stage.people["host"]
    host.client.set_cookie("phone", stage.secret, domain="poison.local")
    shown = 0
    for route in routes(stage.house.app, "GET"):
        seen = {}
        for name in ("localhost", "poison.local:666"):
            with host.gets(stage.path(route), buffered=not route.is_stream, host=name) as answer:
                text = "" if route.is_stream or route.rule == "/clock" else answer.get_data().decode(errors="replace")
                # The key by which a form counts once is another one each time.
                seen[name] = (answer.status_code, answer.location, re.sub(r'name="key" value="\w+"', "", text))
            assert "poison" not in str(answer.headers), route
        assert seen["poison.local:666"] == seen["localhost"], route
        shown += drawing in seen["localhost"][2]
    assert shown >= 2
    assert link in stage.people["host"].reads("/t/{code}/seats").text


@pytest.mark.promise(21)
def test_without_a_set_address_links_carry_the_server_s_own(
    build: Callable[..., House], monkeypatch: pytest.MonkeyPatch
) -> None:
    house = build(address="")
    monkeypatch.setattr("companion.server.whereabouts.own_address", lambda *_: "http://10.1.2.3:8000")
    ann = Phone(house, "10.0.0.2", Host="poison.local:666", Origin="http://poison.local:666")
    ann.opens()
    page = ann.reads("/t/{code}/seats")
    assert f"http://10.1.2.3:8000/t/{ann.code}" in page.text
    assert "poison" not in ann.gets("/t/{code}/seats").text


@pytest.mark.promise(21)
def test_redirects_and_links_stay_within_the_site(stage: Stage) -> None:
    led = 0
    for route in routes(stage.house.app, "GET", "POST"):
        for role in ROLES:
            answer = stage.asks(role, route)
            if answer.status_code in {301, 302, 303, 307, 308}:
                led += 1
                assert re.match(r"/(?!/)", answer.location), route
            elif answer.mimetype == "text/html":
                assert [link for link in Page(answer.text).links if not re.match(r"/(?!/)|#", link)] == [], route
            if route.method == "POST":
                stage.go_back()
    assert led > 20


@pytest.mark.promise(21)
@pytest.mark.parametrize(
    "path",
    [
        *("//evil.example", "//evil.example/..", "///evil.example", "/\\evil.example", "/%2F%2Fevil.example"),
        *("/t//evil.example", "/find//evil.example", "/find?code=//evil.example", "/t/{code}/", "/t/{code}/seats/"),
        *("/t/{code}//seats", "/?next=//evil.example", "/settings?next=http://evil.example"),
    ],
)
def test_no_crafted_address_leads_away(phone: Callable[..., Phone], path: str) -> None:
    ann = phone()
    ann.opens()
    around = {"PATH_INFO": path.split("?", maxsplit=1)[0].replace("{code}", ann.code)}
    answer = ann.client.get("/?" + path.partition("?")[2], environ_overrides=around)
    assert answer.status_code in {200, 308, 404}
    if answer.status_code == 308:
        # Werkzeug joins doubled slashes, at our own address.
        assert answer.location.startswith("http://localhost/"), answer.location


def like(answer: TestResponse) -> dict[str, str]:
    """Take the headers that do not tell the time."""
    telling = {"X-RateLimit-Reset", "Retry-After", "Date", "Set-Cookie"}
    return {name: value for name, value in answer.headers if name not in telling}


def test_a_head_carries_the_same_headers(stage: Stage) -> None:
    for route in routes(stage.house.app, "HEAD"):
        head = stage.asks("host", route)
        get = stage.asks("host", Route("GET", route.rule, route.endpoint))
        assert like(head) == like(get), route


def test_a_script_that_is_a_template_keeps_its_lines(phone: Callable[..., Phone]) -> None:
    """A comment ends where its line does: on one line, the whole script was a comment."""
    assert "\nconst FILES = " in phone().gets("/service-worker.js").text
