"""The operator's page: only for who has the token, true to what happened, and without a secret."""

from __future__ import annotations

import hmac
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest

from companion.desk import health, quotas, trouble
from companion.desk.health import Pace, Probe
from companion.errors import CompanionError
from companion.printing import PrintError
from companion.web.operating import ERRORS, LIFE_S, QUOTAS
from companion.words import LANGUAGES
from tests.house import free_port
from tests.redises import RedisServer
from tests.web.conftest import OPERATOR, House, Phone, sound
from tests.web.test_guesses import FROM_ALL, FROM_ONE, charge, guess
from tests.web.test_in_every_language import strange_on
from tests.web.test_quotas import exhaust

MakePhone = Callable[..., Phone]
Build = Callable[..., House]
HEADING = "Operator"


def types(visitor: Phone, token: str = OPERATOR) -> Any:
    return visitor.posts("/operator", {"token": token})


@pytest.fixture
def operator(phone: MakePhone) -> Phone:
    """A browser in which the token was typed."""
    operator = phone()
    assert types(operator).status_code == 303
    return operator


def brings(visitor: Phone, value: str) -> int:
    """Ask for the page with a cookie that somebody has made; the status."""
    visitor.client.set_cookie("operator", value, path="/operator")
    return visitor.gets("/operator").status_code


def sign(token: str, until: object, key: bytes = b"s" * 32) -> str:
    return f"{until}.{hmac.new(key, f'operator {until} {token}'.encode(), sha256).hexdigest()}"


def shown(operator: Phone) -> dict[str, str]:
    """Read the page: what stands beside each name."""
    found = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", operator.gets("/operator").text, re.DOTALL)
    bare = [[" ".join(re.sub(r"<[^>]*>", " ", text).split()) for text in pair] for pair in found]
    return {name: told.replace("\N{NO-BREAK SPACE}", " ") for name, told in bare}


def number(text: str) -> float:
    return float(text.split(maxsplit=1)[0].replace(",", "").replace("–", "0"))


# Who may see it


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize("path", ["/operator", "/operator/leave"])
def test_without_a_token_there_is_no_such_page(build: Build, path: str, method: str) -> None:
    visitor = Phone(build(operator=""), "192.168.1.2")
    visitor.client.set_cookie("operator", sign("", int(time.time()) + 60), path="/operator")
    answer = visitor.asks(path, method, data={"token": ""})
    assert answer.status_code in ({404} if path == "/operator" or method == "POST" else {404, 405})
    assert HEADING not in answer.text


def test_who_has_not_typed_the_token_is_asked_for_it_and_sees_nothing(phone: MakePhone) -> None:
    page = sound(phone().gets("/operator"))
    assert page.form("/operator").filled() == {"token": ""}
    assert phone().gets("/operator").status_code == 403
    assert page.all("dl") == []


@pytest.mark.parametrize("typed", ["", OPERATOR[:-1], OPERATOR + "x", OPERATOR.upper(), "žeton", "\ud800", "x" * 5000])
def test_a_wrong_token_opens_nothing(phone: MakePhone, typed: str) -> None:
    visitor = phone()
    answer = types(visitor, typed.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    assert answer.status_code == 403
    assert "This is not the token." in sound(answer).text
    assert visitor.client.get_cookie("operator", path="/operator") is None
    assert visitor.gets("/operator").status_code == 403


def test_the_right_token_opens_the_page_and_stands_nowhere(phone: MakePhone) -> None:
    visitor = phone()
    answer = types(visitor, f" {OPERATOR}\n")
    assert (answer.status_code, answer.location) == (303, "/operator")
    told = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "Path=/operator", "SameSite=Lax", f"Max-Age={LIFE_S}"} <= set(told.split("; "))
    page = visitor.reads("/operator")
    assert page.one("h1").text == HEADING
    assert OPERATOR not in told + visitor.gets("/operator").text
    assert "operator=" not in str(visitor.gets("/").request.headers.get("Cookie")), "it goes to no other page"


def test_behind_https_the_sign_goes_by_https_alone(build: Build) -> None:
    visitor = Phone(build(address="https://localhost"), "192.168.1.2", Origin="https://localhost")
    answer = visitor.posts("/operator", {"token": OPERATOR}, base_url="https://localhost")
    assert answer.status_code == 303
    assert "Secure" in answer.headers["Set-Cookie"].split("; ")


def test_the_token_is_read_from_no_address(phone: MakePhone) -> None:
    visitor = phone()
    assert visitor.gets(f"/operator?token={OPERATOR}").status_code == 403
    assert visitor.posts(f"/operator?token={OPERATOR}").status_code == 403


def test_a_sign_is_good_for_its_token_and_its_time_alone(phone: MakePhone) -> None:
    soon = int(time.time()) + 60
    assert brings(phone(), sign(OPERATOR, soon)) == 200, "as we write it"
    bad = [
        *(OPERATOR, f"{soon}.{OPERATOR}", sign(OPERATOR, soon - 120), sign("another token of 24 chars", soon)),
        *(
            sign(OPERATOR, soon, b"k" * 32),
            sign(OPERATOR, soon).replace(f"{soon}.", f"{soon + 1}."),
            f"{soon}.",
            ".",
            "",
        ),
        *(sign(OPERATOR, "9" * 1000), sign(OPERATOR, "-1"), sign(OPERATOR, "1e9"), sign(OPERATOR, "٣"), f"{soon}.é"),
    ]
    assert [value for value in bad if brings(phone(), value) != 403] == []


def test_another_token_shuts_out_who_knew_the_old_one(house: House, operator: Phone) -> None:
    assert operator.gets("/operator").status_code == 200
    house.settings = replace(house.settings, operator="another token of 24 chars")
    house.restart()
    assert operator.gets("/operator").status_code == 403


def test_who_leaves_has_to_type_it_again(operator: Phone) -> None:
    answer = operator.submits(operator.reads("/operator").form("/operator/leave"), {})
    assert (answer.status_code, answer.location) == (303, "/operator")
    assert operator.gets("/operator").status_code == 403


@pytest.mark.promise(14)
@pytest.mark.parametrize("path", ["/operator", "/operator/leave"])
def test_no_other_page_types_it(house: House, path: str) -> None:
    answer = house.app.test_client().post(path, data={"token": OPERATOR}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers


# Guesses


@pytest.mark.promise(12)
def test_wrong_tokens_are_counted_as_wrong_codes_are(phone: MakePhone, operator: Phone) -> None:
    stranger, other = phone(), phone()
    charge("guesses", stranger.address, FROM_ONE - 2)
    assert [types(stranger, f"guess {n}").status_code for n in range(3)] == [403, 403, 429]
    answer = types(stranger)
    assert answer.status_code == 429, "nor does a right one help then"
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    assert guess(stranger, 1) == {429}, "of one home there is one count"
    assert types(other).status_code == 303
    operator.address = stranger.address
    assert operator.gets("/operator").status_code == 200, "whoever is in stays in"


@pytest.mark.promise(12)
def test_guesses_of_others_do_not_keep_the_operator_out(phone: MakePhone) -> None:
    charge("all guesses", "all", FROM_ALL)
    assert guess(phone(), 1) == {429}
    assert types(phone()).status_code == 303


def test_opening_the_page_is_no_guess(phone: MakePhone) -> None:
    visitor = phone()
    for _ in range(FROM_ONE + 1):
        assert brings(visitor, "1.2") == 403
    assert types(visitor).status_code == 303


# What it says


@pytest.fixture
def grown(operator: Phone) -> Callable[[], dict[str, float]]:
    """Say by how much each figure is larger than it was."""
    before = shown(operator)

    def compare() -> dict[str, float]:
        now = shown(operator)
        return {name: number(told) - number(before.get(name, "0")) for name, told in now.items() if told[0].isdigit()}

    return compare


def refuses(_html: str) -> bytes:
    raise PrintError("no paper")


def test_what_happened_at_a_table_stands_on_the_page(
    house: House, table: Callable[..., list[Phone]], grown: Callable[[], dict[str, float]], phone: MakePhone
) -> None:
    phones = table(seats=3, bidding="open")
    streams = [one.listens(f"/t/{{code}}/{seat}/stream") for seat, one in enumerate(phones)]
    for stream in streams:
        stream.next()
    for one in phones:
        assert one.taps("bid", tricks=0).status_code == 303
    assert phones[0].taps("bid", tricks=1).status_code == 422, "it was made already"
    assert phones[0].gets("/t/{code}/sheet.png").status_code == 200
    exhaust(phones[1], quotas.SHEETS)
    assert phones[1].gets("/t/{code}/sheet.png").status_code == 429
    charge("guesses", (stranger := phone()).address, FROM_ONE)
    assert guess(stranger, 1) == {429}
    house.printer.pictures = refuses  # type: ignore[method-assign, assignment]
    assert phones[0].gets("/t/{code}/sheet.png").status_code == 503
    more = grown()
    assert (more["Tables with phones"], more["Phones connected"], more["Tables opened since the start"]) == (1, 3, 1)
    assert more["Moves since the start"] == 3
    (refused,) = (name for name, count in more.items() if name.startswith("Rage ") and count)
    assert more[refused] == 1
    assert more["Pages drawn"] > 0
    assert (more["Sheets printed"], more["Sheets that wait"]) == (1, 0)
    assert (more["Sheets printed or looked at sheets"], more["Wrong codes guesses"]) == (1, 1)
    assert more["Not printed printer"] == 1
    for one in streams:
        one.leave()
    assert {grown()[name] for name in ("Tables with phones", "Phones connected")} == {0}


def test_what_broke_is_counted_once(
    house: House, phone: MakePhone, grown: Callable[[], dict[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    for endpoint in ("choices.settings_form", "api-games.games"):
        monkeypatch.setitem(house.app.view_functions, endpoint, broken)
    assert phone().gets("/settings").status_code == 500
    assert grown()["Something broke internal_server_error"] == 1
    assert phone().gets("/api/games").status_code == 500
    assert grown()["Something broke internal_server_error"] == 2


def test_it_says_what_the_figures_for_prometheus_say(house: House, operator: Phone, phone: MakePhone) -> None:
    phone().opens()
    told = house.app.test_client().get("/metrics").text
    page = shown(operator)
    for name, metric in {
        "Tables opened since the start": "companion_opened_total",
        "Processes": "companion_workers",
    }.items():
        found = re.findall(rf"^{metric}(?:{{.*}})? (\S+)$", told, re.MULTILINE)
        assert number(page[name]) == sum(map(float, found)) > 0, name
    assert f'companion_info{{version="{health.__version__}"}} 1.0' in told
    assert health.__version__ in operator.reads("/operator").text


@pytest.mark.promise(6)
def test_nothing_secret_stands_on_it(
    house: House, table: Callable[..., list[Phone]], operator: Phone, phone: MakePhone
) -> None:
    phones = table(seats=3, bidding="hidden")
    phones[0].posts("/groups", {"name": "Thursday"})
    assert phones[1].taps("bid", tricks=7).status_code == 303
    assert phones[1].taps("bid", tricks=99).status_code in {400, 422}
    said = operator.gets("/operator").text + house.app.test_client().get("/metrics").text
    (invitation, key) = (house.rows(f"SELECT {what}")[0][0] for what in ("invitation FROM tables", "key FROM groups"))
    cookies = [one.client.get_cookie("phone") for one in phones]
    secrets = [OPERATOR, phones[0].code, invitation, key, "Thursday", *("Ann", "Bo", "Cy"), str(house.settings.data)]
    secrets += [cookie.value for cookie in cookies if cookie] + [one.address for one in phones]
    secrets += [value for (value,) in house.rows("SELECT phone FROM seatings WHERE phone IS NOT NULL")]
    assert [secret for secret in secrets if re.search(rf"\b{re.escape(secret)}\b", said)] == []


def test_a_database_that_is_away_is_said_and_the_page_is_there(house: House, operator: Phone) -> None:
    assert re.fullmatch(r"[\d.]+ ms until it answers", shown(operator)["Database"])
    assert operator.reads("/operator").one(class_="state").text == "Everything answers."
    house.writes("UPDATE alembic_version SET version_num = 'older'")
    assert shown(operator)["Database"] == "does not answer"
    assert "marked below" in operator.reads("/operator").one(class_="state").text
    assert "companion_database_up 0.0" in house.app.test_client().get("/metrics").text


def test_redis_is_said_to_be_there_away_or_not_used(build: Build, operator: Phone, redis_server: RedisServer) -> None:
    assert shown(operator)["Redis"] == "– not used"
    for address, told in (
        (redis_server.address, r"[\d.]+ ms until it answers"),
        (f"redis://127.0.0.1:{free_port()}/0", "does not answer"),
    ):
        other = Phone(build(redis=address), "192.168.1.9")
        assert types(other).status_code == 303, "it is counted here while Redis is away"
        assert re.fullmatch(told, shown(other)["Redis"])


def test_a_full_disk_is_said(operator: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    assert " GB left of " in shown(operator)["Room on the disk"]
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _: SimpleNamespace(total=100e9, free=1e9))
    assert shown(operator)["Room on the disk"] == "1.0 GB left of 100.0 GB"
    assert [line.text for line in operator.reads("/operator").all("div", class_="is-worry")] == [
        "Room on the disk 1.0 GB left of 100.0 GB"
    ]


def test_a_disk_that_is_gone_is_said_and_the_page_is_there(
    house: House, operator: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_folder: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(health.shutil, "disk_usage", gone)
    assert shown(operator)["Room on the disk"] == "does not answer"
    assert "marked below" in operator.reads("/operator").one(class_="state").text
    told = house.app.test_client().get("/metrics")
    assert (told.status_code, "\ncompanion_disk_free_bytes " in told.text) == (200, False)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_it_is_said_in_every_language(house: House, language: str) -> None:
    reader = Phone(house, "192.168.1.2", **{"Accept-Language": language})
    assert strange_on(reader.gets("/operator").text, language) == set()
    assert strange_on(types(reader, "wrong").text, language) == set()
    assert types(reader).status_code == 303
    assert strange_on(reader.gets("/operator").text, language) == set()


def test_whatever_is_counted_has_a_name() -> None:
    assert set(QUOTAS) == set(quotas.KINDS)
    assert set(ERRORS) == set(trouble.KINDS) - {"internal_server_error"}

    def kinds(kind: type[CompanionError]) -> Iterator[type[CompanionError]]:
        yield kind
        for each in kind.__subclasses__():
            yield from kinds(each)

    assert {kind.key for kind in kinds(CompanionError) if kind.status >= 500} - {
        "full",
        "internal_server_error",
    } <= set(ERRORS)


# How it is found out


def test_the_pace_is_that_of_the_last_minute_or_of_as_long_as_nobody_looked() -> None:
    pace = Pace(at_s=1000)
    assert pace.of(30, 1010) == (3, 10), "since the start"
    assert pace.of(90, 1040) == (2.25, 40)
    assert pace.of(170, 1080) == (2, 70), "since the last look that is a minute ago"
    assert pace.of(170, 5000) == (0, 3920)
    assert pace.of(9, 5000.1)[0] == 0, "a figure that falls was begun anew"


def test_what_does_not_answer_is_given_up_and_asked_by_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE_S", 0.01)
    may_answer, asked = threading.Event(), []

    def ask() -> bool:
        asked.append(1)
        return may_answer.wait(20)

    probe = Probe(ask)
    assert [probe.took_s() for _ in range(3)] == [None] * 3
    assert len(asked) == 1
    may_answer.set()
    monkeypatch.setattr(health, "PATIENCE_S", 20)
    assert (probe.took_s() or 0) > 0
    assert Probe(lambda: False).took_s() is None
    assert Probe(lambda: bool(1 // 0)).took_s() is None


def test_how_quickly_moves_come_is_told_by_a_clock_that_nobody_sets(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set back by two hours, all moves since the start were told as those of the last second, for two hours."""
    ahead = time.time() + 7200
    monkeypatch.setattr(time, "time", lambda: ahead)
    with house.app.app_context():
        _rate, over_s = health.moves_a_second(1)
    assert over_s < 3600
