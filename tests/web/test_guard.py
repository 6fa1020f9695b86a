"""The guard alone, request by request: which hosts and origins it lets in, how much, how often, and what it sends along."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import product

import pytest
from werkzeug.test import TestResponse

from companion import log, metrics
from companion.desk import guard
from companion.push.shared import counting
from tests.house import secret
from tests.web.conftest import FORM, House, Phone
from tests.web.test_headers import guarded

MakePhone = Callable[..., Phone]
Build = Callable[..., House]
OWN, OTHER = "http://localhost", "https://evil.example"


def refused() -> Counter[str]:
    """Count what the operator sees of refusals, by kind."""
    samples = [sample for family in metrics.QUOTAS.collect() for sample in family.samples]
    return Counter({one.labels["kind"]: int(one.value) for one in samples if one.name.endswith("_total")})


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        *(("localhost", True), ("raspberry", True), ("raspberry.local", True), ("RASPBERRY.LAN:8000", True)),
        *(("10.0.0.1", True), ("10.0.0.1:8000", True), ("[fe80::1]:8000", True), ("table.test", True)),
        *(("evil.example", False), ("10.0.0.1.evil.example", False), ("local.evil.example", False), ("", False)),
    ],
)
def test_a_house_without_names_answers_to_addresses_and_local_names(phone: MakePhone, host: str, is_ours: bool) -> None:
    answer = phone().client.get("/", environ_overrides={"HTTP_HOST": host})
    assert answer.status_code == (200 if is_ours else 400)


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [("games.example", True), ("play.example", True), ("localhost", False), ("10.0.0.1", False), ("", False)],
)
def test_a_house_with_names_answers_to_these_and_its_address(build: Build, host: str, is_ours: bool) -> None:
    house = build(address="https://games.example", hosts=("play.example",))
    answer = house.app.test_client().get("/", environ_overrides={"HTTP_HOST": host})
    assert answer.status_code == (200 if is_ours else 400)


@pytest.mark.parametrize("host", ["", "localhost"])
def test_a_house_without_an_address_answers_to_no_name_at_all_as_to_no_other(build: Build, host: str) -> None:
    answer = build(address="").app.test_client().get("/", environ_overrides={"HTTP_HOST": host})
    assert answer.status_code == (200 if host else 400)


@pytest.mark.parametrize(
    ("headers", "is_ours"),
    [
        ({"Origin": OWN}, True),
        ({"Origin": "https://localhost"}, True),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": OWN}, True),
        ({}, False),
        ({"Origin": OTHER}, False),
        ({"Origin": "null"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": OWN}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "none"}, False),
        ({"Sec-Fetch-Site": "same-origin", "Origin": OTHER}, False),
    ],
    ids=str,
)
def test_only_our_own_page_may_post_a_form(phone: MakePhone, headers: Mapping[str, str], is_ours: bool) -> None:
    client = phone().client
    answer = client.post("/settings", data={"language": "en"}, headers=headers)
    assert (answer.status_code == 403) == (not is_ours), answer.text
    assert client.get("/settings", headers=headers).status_code == 200, "who only looks may come from anywhere"
    assert client.head("/settings", headers=headers).status_code == 200
    assert client.options("/settings", headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("kind", "is_form"),
    [(FORM, True), ("multipart/form-data; boundary=x", True), ("text/plain", False), ("application/json", False)],
)
def test_what_our_page_posts_is_a_form(phone: MakePhone, kind: str, is_form: bool) -> None:
    answer = phone().client.post("/settings", data="", content_type=kind, headers={"Origin": OWN})
    assert (answer.status_code == 403) == (not is_form)


def asks_the_api(phone: Phone, headers: Mapping[str, str], kind: str = "application/json", path: str = "") -> int:
    body = '{"game": "rage", "players": ["A", "B", "C"]}'
    answer = phone.client.post(path or "/api/tables", data=body, content_type=kind, headers=headers)
    return answer.status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": OWN}, 201),
        ({"Sec-Fetch-Site": "same-origin", "Origin": OWN}, 201),
        ({"Origin": OTHER}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site", "Origin": OWN}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": OTHER}, 403),
    ],
    ids=str,
)
def test_a_program_asks_from_no_page_or_from_ours(phone: MakePhone, headers: Mapping[str, str], status: int) -> None:
    assert asks_the_api(phone(), headers) == status


def test_a_program_sends_json_unless_it_deletes(phone: MakePhone) -> None:
    ann = phone()
    assert asks_the_api(ann, {}, FORM) == 415
    ann.opens()
    assert ann.asks("/api/tables/{code}/seats/0", "DELETE").status_code == 200


def test_where_there_is_nothing_a_program_is_told_so_whatever_it_sends(phone: MakePhone) -> None:
    assert asks_the_api(phone(), {"Origin": OTHER}, FORM, "/api/nothing") == 404


@pytest.mark.parametrize(("origin", "is_ours"), [(OTHER, False), ("", False), (OWN, True)])
def test_a_line_is_opened_by_our_own_page_alone(phone: MakePhone, origin: str, is_ours: bool) -> None:
    """Whatever is there then: the client of the tests cannot go on to a line."""
    ann = phone()
    ann.opens()
    upgrade = {"Connection": "Upgrade", "Upgrade": "WebSocket", **({"Origin": origin} if origin else {})}
    assert (ann.gets("/t/{code}/line", headers=upgrade).status_code == 403) == (not is_ours)


@pytest.mark.promise(14)
@pytest.mark.parametrize(
    ("headers", "is_ours"),
    [
        ({"Origin": OTHER}, False),
        ({"Origin": "null"}, False),
        ({"Origin": OWN + ":9000"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site", "Origin": OWN}, False),
        ({"Origin": OWN}, True),
        ({}, True),
    ],
)
def test_a_program_s_socket_is_opened_by_no_other_site(
    phone: MakePhone, headers: Mapping[str, str], is_ours: bool
) -> None:
    """A program says no origin; the client of the tests cannot go on to a socket."""
    ann = phone()
    ann.opens()
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", **headers}
    assert (ann.gets("/api/tables/{code}/socket", headers=upgrade).status_code == 403) == (not is_ours)


GUEST = "https://board.example"
NO_GUESTS = (
    *(
        "https://board.example.evil.example",
        "http://board.example",
        "https://board.example:8443",
        "https://BOARD.example",
    ),
    *("https://board.example/", "https://other.board.example", "null", "*", ""),
)
SHARED = "Access-Control-Allow-Origin"


@pytest.fixture
def hospitable(build: Build) -> House:
    return build(origins=(GUEST, "http://localhost:3000"))


def preflight(house: House, path: str, origin: str) -> TestResponse:
    asked = {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization, idempotency-key"}
    return house.app.test_client().options(path, headers={"Origin": origin, **asked})


@pytest.mark.parametrize("origin", [GUEST, "http://localhost:3000"])
def test_a_named_origin_may_ask_the_api_and_read_its_answers(hospitable: House, origin: str) -> None:
    told = preflight(hospitable, "/api/tables/AAAAAA/lock", origin)
    assert told.status_code == 200
    assert told.headers[SHARED] == origin
    assert "PUT" in told.headers["Access-Control-Allow-Methods"]
    assert {"Authorization", "Idempotency-Key", "Content-Type", "If-None-Match"} <= set(
        told.headers["Access-Control-Allow-Headers"].split(", ")
    )
    assert told.headers["Access-Control-Max-Age"] == "7200", "it asks before every move otherwise"
    ann = Phone(hospitable, "192.0.2.1")
    headers = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
    assert asks_the_api(ann, headers) == 201
    assert asks_the_api(ann, headers, FORM) == 415, "no form comes in by it"
    for path in ("/api/games", "/api/tables/AAAAAA", "/api/nowhere"):
        answer = ann.gets(path, headers=headers)
        assert (answer.headers[SHARED], answer.headers["Vary"]) == (origin, "Origin")
        assert {"API-Version", "Content-Disposition", "ETag", "Retry-After", "WWW-Authenticate"} <= set(
            answer.headers["Access-Control-Expose-Headers"].split(", ")
        )
        assert {"Access-Control-Allow-Credentials", "Access-Control-Max-Age"}.isdisjoint(answer.headers.keys())


@pytest.mark.promise(14)
@pytest.mark.parametrize("origin", NO_GUESTS)
def test_no_other_origin_may(hospitable: House, origin: str) -> None:
    answer = preflight(hospitable, "/api/tables", origin)
    assert "Access-Control" not in str(answer.headers)
    ann = Phone(hospitable, "192.0.2.1")
    assert asks_the_api(ann, {"Origin": origin, "Sec-Fetch-Site": "cross-site"}) == 403
    answer = ann.gets("/api/games", headers={"Origin": origin})
    assert (SHARED in answer.headers, answer.headers["Vary"]) == (False, "Origin")


@pytest.mark.promise(14)
@pytest.mark.parametrize("path", ["/", "/settings", "/t/{code}", "/apiary", "/book"])
def test_a_named_origin_has_nothing_of_the_pages(hospitable: House, path: str) -> None:
    ann = Phone(hospitable, "192.0.2.1")
    ann.opens()
    assert SHARED not in ann.gets(path, headers={"Origin": GUEST}).headers
    assert SHARED not in preflight(hospitable, path.replace("{code}", ann.code), GUEST).headers
    guest = {"Origin": GUEST, "Sec-Fetch-Site": "cross-site"}
    assert ann.client.post("/settings", data={"language": "en"}, headers=guest).status_code == 403
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", **guest}
    assert ann.gets("/t/{code}/screen/line", headers=upgrade).status_code == 403
    assert ann.gets("/api/tables/{code}/socket", headers=upgrade).status_code != 403


@pytest.mark.promise(14)
def test_a_named_origin_is_nobody_by_a_cookie(hospitable: House) -> None:
    """Whatever the browser sends along: the phone is the host, the program is not."""
    host = Phone(hospitable, "192.0.2.1")
    host.opens()
    assert host.client.get_cookie("phone")
    path, locked = f"/api/tables/{host.code}/lock", {"is_locked": True}
    answer = host.client.put(path, json=locked, headers={"Origin": GUEST})
    assert (answer.status_code, answer.headers[SHARED]) == (401, GUEST)
    assert "WWW-Authenticate" in answer.headers["Access-Control-Expose-Headers"]


def test_a_house_without_guests_says_nothing_of_them(house: House) -> None:
    answer = preflight(house, "/api/games", GUEST)
    assert "Access-Control" not in str(answer.headers)
    assert "Vary" not in answer.headers


CLUB = "club.example"


@pytest.mark.promise(14)
@pytest.mark.parametrize(("origin", "status"), [(f"https://{CLUB}", 303), (f"http://{CLUB}", 403)])
def test_on_a_server_in_the_net_our_pages_come_by_https_alone(build: Build, origin: str, status: int) -> None:
    secure = Phone(build(address=f"https://{CLUB}"), "192.0.2.1", Origin=origin)
    assert secure.posts("/settings", {"language": "cs"}, host=CLUB).status_code == status


@pytest.mark.parametrize(
    ("address", "base", "is_strict"),
    [
        (f"https://{CLUB}", f"https://{CLUB}", True),
        (f"https://{CLUB}", f"http://{CLUB}", False),
        ("http://192.168.1.5:8000", "https://192.168.1.5:8443", False),
        ("", "http://localhost", False),
    ],
)
def test_only_where_there_is_no_plain_door_browsers_are_told_so(
    build: Build, address: str, base: str, is_strict: bool
) -> None:
    answer = build(address=address).app.test_client().get("/", base_url=base)
    assert answer.headers.get("Strict-Transport-Security") == ("max-age=31536000" if is_strict else None)


@pytest.mark.promise(9)
def test_behind_https_a_neighbour_in_the_same_domain_cannot_set_our_cookie(build: Build) -> None:
    """One of before is taken once more, and named anew."""
    client = build(address=f"https://{CLUB}").app.test_client()
    [given] = client.get("/", base_url=f"https://{CLUB}").headers.getlist("Set-Cookie")
    name, _, rest = given.partition("=")
    assert name == "__Host-phone"
    assert {"Secure", "HttpOnly", "Path=/"} <= set(rest.split("; "))
    assert "Domain" not in rest
    client.set_cookie("phone", secret("neighbour"), domain=CLUB, secure=True)
    assert client.get("/", base_url=f"https://{CLUB}").headers.getlist("Set-Cookie") == [], "it has its own"
    before = client.application.test_client()
    before.set_cookie("phone", secret("before"), domain=CLUB, secure=True)
    [again] = before.get("/", base_url=f"https://{CLUB}").headers.getlist("Set-Cookie")
    assert again.startswith(f"__Host-phone={secret('before')};")


def test_behind_https_no_cookie_can_be_another_site_s(build: Build) -> None:
    """A browser takes `__Host-` from us alone and for all pages, `__Secure-` over https alone."""
    house = build(address=f"https://{CLUB}")
    host, guest = (Phone(house, "192.0.2.1", Origin=f"https://{CLUB}") for _ in range(2))
    opened = host.posts("/open/rage", {"name": ["Ann", "", "", ""], "i_sit": "0"}, base_url=f"https://{CLUB}")
    code = opened.location.split("/")[2]
    with house.app.app_context():
        own = log.find(code).invitation
    chosen = guest.posts(
        "/settings", {"language": "cs", "theme": "dark", "hand": "x", "sounds": "x"}, base_url=f"https://{CLUB}"
    )
    scanned = guest.gets(f"/T/{code}{own}", base_url=f"https://{CLUB}")
    sat = guest.posts(f"/t/{code}/sit", {"seat": "1", "name": "Bo"}, base_url=f"https://{CLUB}")
    given = [line for answer in (chosen, scanned, sat) for line in answer.headers.getlist("Set-Cookie")]
    assert {line.partition("=")[0] for line in given} == {
        *("__Host-phone", "__Host-name", "__Host-language", "__Host-theme", "__Secure-invited"),
    }
    for line in given:
        about = set(line.split("; "))
        assert {"Secure", "HttpOnly", "SameSite=Lax"} <= about
        assert "Path=/" in about or line.startswith("__Secure-")
    assert any(line.startswith("__Secure-invited=;") for line in sat.headers.getlist("Set-Cookie")), "it is spent"


def test_what_an_older_release_kept_behind_https_is_read_until_it_is_chosen_anew(build: Build) -> None:
    client = build(address=f"https://{CLUB}").app.test_client()
    client.set_cookie("theme", "dark", domain=CLUB, secure=True)
    assert 'data-theme="dark"' in client.get("/", base_url=f"https://{CLUB}").text
    client.set_cookie("__Host-theme", "", domain=CLUB, secure=True)
    assert 'data-theme="dark"' not in client.get("/", base_url=f"https://{CLUB}").text


def brings(phone: Phone, path: str, size: int) -> TestResponse:
    return phone.posts(path, {"file": "x" * size})


def test_evenings_may_be_larger_than_any_other_post(phone: MakePhone) -> None:
    ann = phone()
    assert brings(ann, "/settings", 65_000).status_code != 413
    assert brings(ann, "/settings", 66_000).status_code == 413
    assert brings(ann, "/nowhere", 66_000).status_code in {404, 413}
    assert brings(ann, "/book/import", 66_000).status_code != 413


def test_every_answer_has_the_headers_and_only_files_are_kept(phone: MakePhone) -> None:
    ann = phone()
    page, style = ann.gets("/"), ann.gets(str(ann.reads("/").all("link", rel="stylesheet")[0].attrs["href"]))
    for answer in (page, style, ann.gets("/nowhere")):
        guarded(answer, answer.request.path)
    assert page.headers["Cache-Control"] == "no-store"
    assert "no-store" not in style.headers["Cache-Control"]


def test_only_behind_the_secure_door_a_page_is_told_to_stay_alone(phone: MakePhone) -> None:
    client = phone().client
    assert "Cross-Origin-Opener-Policy" not in client.get("/").headers
    assert client.get("/", base_url="https://localhost").headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_only_who_came_too_often_is_told_when_to_come_again(phone: MakePhone) -> None:
    stranger, before = phone(), refused()
    answers = [stranger.gets("/t/ZZZZZZ") for _ in range(31)]
    assert [answer.status_code for answer in answers] == [404] * 30 + [429]
    assert refused() - before == Counter(guesses=1)
    assert ["Retry-After" in answer.headers for answer in answers] == [False] * 30 + [True]
    assert not any("X-RateLimit-Retry-After" in answer.headers for answer in answers)
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers[:3]] == ["29", "28", "27"]


def test_who_opens_a_table_that_is_there_is_told_of_no_limit(phone: MakePhone) -> None:
    ann = phone()
    ann.opens()
    assert "X-RateLimit" not in str(ann.gets("/t/{code}/seats").headers)


def test_who_comes_from_no_address_is_counted_too(phone: MakePhone) -> None:
    """As through a socket of the file system."""
    stranger = phone()
    stranger.address = ""
    assert [stranger.gets("/t/ZZZZZZ").status_code for _ in range(31)] == [404] * 30 + [429]


def test_who_sat_down_at_another_server_is_known_here_at_once(house: House, phone: MakePhone) -> None:
    ann, bo = phone(), phone()
    ann.opens()
    assert ann.gets("/t/{code}/0").status_code == 200, "the table is remembered here"
    there = House(house.settings)
    bo.comes(ann).house = there
    assert bo.sits(1).status_code == 303
    bo.house = house
    assert bo.gets("/t/{code}/1").status_code == 200
    there.close()


@pytest.mark.parametrize(("proxies", "status"), [(0, 429), (1, 404)])
def test_whom_a_proxy_serves_is_counted_where_there_is_one(build: Build, proxies: int, status: int) -> None:
    client = build(proxies=proxies).app.test_client()
    for number in range(31):
        answer = client.get("/t/ZZZZZZ", headers={"X-Forwarded-For": f"203.0.113.{number}"})
    assert answer.status_code == status


def test_a_proxy_says_how_a_page_was_asked_for_but_not_at_which_host(build: Build) -> None:
    said = {"X-Forwarded-For": "203.0.113.1", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    answer = build(proxies=1).app.test_client().get("/", headers=said)
    assert answer.status_code == 200
    assert "Cross-Origin-Opener-Policy" in answer.headers


def test_while_redis_is_away_each_server_counts_for_itself(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one limiter of the process is given back alive: it would look for this Redis, and forget what it counted."""
    monkeypatch.setattr(guard.limiter, "_storage_dead", False)
    app = build(redis="redis://127.0.0.1:1/0").app
    assert app.config["RATELIMIT_STORAGE_OPTIONS"] == counting("redis://127.0.0.1:1/0")
    client = app.test_client()
    assert [client.get("/t/ZZZZZZ").status_code for _ in range(31)] == [404] * 30 + [429]


@pytest.mark.parametrize(("typed", "status"), [(b"words=%ff", 422), (b"words=\xff", 422), (b"words=", 200)])
def test_an_address_is_read_whatever_stands_in_it(phone: MakePhone, typed: bytes, status: int) -> None:
    """Left blank is typed, too: the page says what is missing."""
    answer = phone().client.get("/judge/rage", environ_overrides={"QUERY_STRING": typed.decode("latin-1")})
    assert answer.status_code == status


def test_a_code_that_is_left_blank_is_none(phone: MakePhone) -> None:
    ann = phone()
    assert ann.gets("/print").status_code == 200
    assert ann.gets("/print?code=").status_code == 404


def test_no_request_is_echoed_or_asked_in_a_way_of_nobody(phone: MakePhone) -> None:
    ann = phone()
    for path, method in product(("/", "/api/games", "/static/none.css", "/healthz"), ("TRACE", "CONNECT", "PATCH")):
        answer = ann.asks(path, method, headers={"X-Secret": "told"})
        assert answer.status_code in {403, 404, 405}, (path, method)
        assert "told" not in answer.text
