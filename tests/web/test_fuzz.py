"""Promise 28: any byte of a request, a message, a record or an archive may be another one, and nothing is a fault of ours.

Each input begins as a right one, for every address of the map, and has some of its bytes changed; the number that a
failure names makes it again.
"""

from __future__ import annotations

import io
import json
import random
import socket
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from werkzeug.test import EnvironBuilder, run_wsgi_app
from wsproto.connection import Connection, ConnectionType
from wsproto.events import Ping, TextMessage

from companion.api.socket import Program
from companion.commands import companion as command
from companion.desk.asking import asker_at
from companion.desk.guard import limiter
from companion.desk.listening import lines
from companion.desk.talking import answers
from companion.games import GAMES
from companion.push.line import Socket
from tests.waiting import until
from tests.web.conftest import FORM, PATIENCE_S, House, Phone
from tests.web.stage import FORMS, ROLES, Route, Stage, routes, set_stage
from tests.web.test_book import written

pytestmark = pytest.mark.promise(20, 28)

MakePhone = Callable[..., Phone]
AMOUNT = [(1, ()), (50, pytest.mark.long)]
"""So many times two thousand inputs in the gate, and in the long run."""
TIMES = [pytest.param(times, marks=marks, id=f"{times}x") for times, marks in AMOUNT]
WORDS = [
    *(
        b"\0",
        b"\xff",
        b"\xed\xa0\x80",
        b"\\ud800",
        b"%00",
        b"%ff",
        b"%F0%9F",
        b"\r\n",
        b"\n",
        b"\\",
        b'"',
        b"'",
        b"&",
        b"=",
    ),
    *(
        b"9" * 20,
        b"9" * 400,
        b"9" * 5_000,
        b"-1",
        b"1e999",
        b"NaN",
        b"Infinity",
        b"0x1",
        b"1_0",
        b"\xd9\xa3",
        b"\xc2\xb2",
    ),
    *(
        b"[" * 30,
        b"[" * 2_000,
        b'{"a":' * 1_000,
        b"{}",
        b"[]",
        b"null",
        b"true",
        b'""',
        b"2147483648",
        b"9223372036854775808",
    ),
    *(
        b"0001-01-01T00:00:00+14:00",
        b"9999-12-31T23:59:59-12:00",
        b"2026-11-20",
        b"\xe2\x80\xae",
        b"../",
        b"%2e%2e/",
        b"?",
        b"#",
    ),
    *(b"{{7*7}}", b"%s", b"%(seat)s", b"<b>", b"=cmd", b"W/", b"bytes=0-", b"*/*;q=2", b";", b",", b" ", b"\xc5\xbd"),
]
"""What often goes wrong somewhere."""
HEADERS = {
    "HTTP_ACCEPT": b"text/vnd.companion.part+html",
    "HTTP_ACCEPT_LANGUAGE": b"cs;q=0.9, en",
    "HTTP_LAST_EVENT_ID": b"3",
    "HTTP_IDEMPOTENCY_KEY": b"a-key",
    "HTTP_IF_NONE_MATCH": b'"x"',
    "HTTP_IF_MODIFIED_SINCE": b"Thu, 01 Jan 1970 00:00:00 GMT",
    "HTTP_RANGE": b"bytes=0-1",
    "HTTP_REFERER": b"http://localhost/settings",
    "HTTP_SEC_FETCH_SITE": b"same-origin",
    "HTTP_SEC_WEBSOCKET_KEY": b"dGhlIHNhbXBsZSBub25jZQ==",
    "HTTP_X_FORWARDED_FOR": b"10.0.0.1",
    "HTTP_HOST": b"localhost",
    "HTTP_ORIGIN": b"http://localhost",
}


def spoilt(content: bytes, dice: random.Random) -> bytes:
    """Change some bytes of a content."""
    for _ in range(dice.choice([1, 1, 1, 2, 5])):
        at = dice.randrange(len(content) + 1)
        upto = min(len(content), at + dice.choice([0, 0, 1, 1, 4, 40]))
        put = dice.choice(
            [dice.choice(WORDS), dice.choice(WORDS), dice.randbytes(1), dice.randbytes(3), content[at : at + 30], b""]
        )
        content = content[:at] + put + content[upto:]
    return content


@dataclass
class Asking:
    """A request on its way to be spoilt."""

    route: Route
    path: bytes
    query: bytes
    body: bytes = b""
    kind: bytes = b""
    headers: dict[str, bytes] = field(default_factory=dict)

    def spoil(self, dice: random.Random) -> None:
        """Change something of it."""
        for part in dice.sample(["path", "query", "body", "body", "body", "kind", "headers"], dice.choice([1, 1, 2])):
            if part == "headers":
                name = dice.choice([*self.headers, *HEADERS])
                self.headers[name] = spoilt(self.headers.get(name, HEADERS.get(name, b"")), dice)
            elif getattr(self, part) or part == "query":
                setattr(self, part, spoilt(getattr(self, part), dice))

    @property
    def environ(self) -> dict[str, Any]:
        """Write it as a server hands it on: bytes in the clothes of Latin letters."""
        environ = EnvironBuilder(path="/", method=self.route.method, data=self.body).get_environ()
        environ |= {"PATH_INFO": self.path.decode("latin-1"), "QUERY_STRING": self.query.decode("latin-1")}
        environ |= {"CONTENT_TYPE": self.kind.decode("latin-1"), "CONTENT_LENGTH": str(len(self.body))}
        return environ | {name: value.decode("latin-1") for name, value in self.headers.items()}


def asking(stage: Stage, route: Route, dice: random.Random, brought: list[bytes]) -> Asking:
    """Ask as an honest page, or program, would."""
    path, _mark, query = stage.path(route).partition("?")
    asked = Asking(route, path.encode(), query.encode(), headers={"HTTP_HOST": b"localhost"})
    cookie = stage.people[dice.choice(ROLES)].client.get_cookie("phone")
    if cookie:
        known = (
            {"HTTP_AUTHORIZATION": f"Bearer {cookie.value}"}
            if route.is_api
            else {"HTTP_COOKIE": f"phone={cookie.value}"}
        )
        asked.headers |= {name: value.encode() for name, value in known.items()}
    if route.method in {"POST", "PUT"}:
        form = FORMS[route.endpoint]
        asked.kind = b"application/json" if route.is_api else FORM.encode()
        fields = EnvironBuilder(method="POST", data={} if route.is_api else form)
        asked.body = json.dumps(form).encode() if route.is_api else fields.get_environ()["wsgi.input"].read()
        asked.headers |= {} if route.is_api else {"HTTP_ORIGIN": b"http://localhost"}
        if route.endpoint == "api-tables.bring_record":
            asked.body = dice.choice(brought)
        if route.endpoint == "book.bring":
            asked.kind = b"multipart/form-data; boundary=x"
            asked.body = (
                b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n%s\r\n--x--\r\n'
                % dice.choice(brought)
            )
    return asked


@pytest.fixture
def stage(house: House, phone: MakePhone) -> Stage:
    return set_stage(house, phone)


@pytest.fixture(scope="module")
def brought() -> list[bytes]:
    """Write records of every game, and archives of them."""
    records = [json.dumps(written(game, names=["Ann", "Bo", "Cy"], opened="2026-11-20")).encode() for game in GAMES]
    return [
        *records,
        *(packed(records, method) for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)),
    ]


def packed(records: list[bytes], method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for number, content in enumerate(records):
            archive.writestr(f"{number}.json", content)
    return file.getvalue()


# Of a form whose end does not come, werkzeug leaves the part that did to the collector of garbage.
@pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("times", TIMES)
def test_any_byte_of_a_request_may_be_another(
    stage: Stage, brought: list[bytes], caplog: pytest.LogCaptureFixture, times: int
) -> None:
    found: Counter[int] = Counter()
    every = [route for route in routes(stage.house.app) if route.method != "HEAD"]
    weights = [4 if route.method != "GET" else 1 for route in every]
    for number in range(900 * times):
        dice = random.Random(number)
        if number % 400 == 0:
            stage.go_back()
            limiter.reset()
        asked = asking(stage, dice.choices(every, weights)[0], dice, brought)
        asked.spoil(dice)
        answer, status, _headers = run_wsgi_app(stage.house.app, asked.environ)
        assert int(status[:3]) < 500 or int(status[:3]) == 503, (number, asked, caplog.text[-4_000:])
        next(iter(answer), None)
        getattr(answer, "close", lambda: None)()
        found[int(status[:3])] += 1
    assert {200, 201, 303, 400, 403, 404, 422} <= set(found), found
    # What was kept out is kept out: the table stands as it may, and can be read.
    stage.house.restart()
    stage.people["host"].reads("/t/{code}/history")


def messages(dice: random.Random) -> bytes:
    """Write what a program sends."""
    move = dice.choice(
        [{"move": "bid", "seat": 0, "tricks": dice.randrange(9)}, {"move": "play", "seat": 0, "card": "R4"}]
    )
    return json.dumps({"key": str(dice.random()), "after": dice.randrange(20), "move": move}).encode()


@pytest.fixture
def seat(stage: Stage) -> Program:
    """Seat a program at the table."""
    secret = {"Authorization": f"Bearer {stage.secret}"}
    with stage.house.app.test_request_context(f"/api/tables/{stage.code}/socket?seat=0", headers=secret):
        return Program(asker_at(stage.code), 0)


@pytest.mark.parametrize("times", TIMES)
def test_any_byte_of_a_message_may_be_another(stage: Stage, seat: Program, times: int) -> None:
    found: Counter[str] = Counter()
    for number in range(500 * times):
        dice = random.Random(number)
        # The wire takes nothing but texts: what is no UTF-8 it cuts off.
        text = spoilt(messages(dice), dice).decode(errors="replace")
        with stage.house.app.app_context():
            [said] = map(json.loads, answers([(seat, text)]))
        problem = said.get("problem", {"type": "none", "status": 200})
        assert problem["status"] < 500, (number, text, said)
        found[problem["type"]] += 1
    assert {"none", "/api#malformed", "/api#not_json", "/api#refused", "/api#stale"} <= set(found), found


def frames(dice: random.Random) -> bytes:
    """Write messages as they go over the wire."""
    wire = Connection(ConnectionType.CLIENT)
    return b"".join(wire.send(event) for event in (TextMessage(messages(dice).decode()), Ping(b"x"), TextMessage("{}")))


@pytest.mark.parametrize("times", TIMES)
def test_any_byte_on_the_wire_may_be_another(
    stage: Stage, seat: Program, caplog: pytest.LogCaptureFixture, times: int
) -> None:
    for number in range(100 * times):
        dice = random.Random(number)
        ours, theirs = socket.socketpair()
        with stage.house.app.app_context():
            seat.is_called = True
            seat.come()
            lines().take(Socket(lines(), seat, b""), theirs)
        ours.settimeout(PATIENCE_S)
        ours.sendall(spoilt(frames(dice), dice))
        ours.shutdown(socket.SHUT_WR)
        while ours.recv(65_536):
            pass
        ours.close()
    until(lambda: not lines_of(stage).tables)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def lines_of(stage: Stage) -> Any:
    return stage.house.app.extensions["companion.lines"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, list[str]]]:
    """Give what runs a command on files; gives its exit status and what it says."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, list[str]]:
        result = CliRunner().invoke(command, arguments)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.output.splitlines()

    return run


def spoilt_files(brought: list[bytes], count: int, kinds: slice) -> Iterator[str]:
    for number in range(count):
        dice = random.Random(number)
        Path(f"{number}.json").write_bytes(spoilt(dice.choice(brought[kinds]), dice))
        yield f"{number}.json"


@pytest.mark.parametrize("times", TIMES)
def test_any_byte_of_a_record_may_be_another(run: Callable[..., Any], brought: list[bytes], times: int) -> None:
    files = list(spoilt_files(brought, 400 * times, slice(4)))
    status, said = run("replay", "--json", *files)
    assert [json.loads(line)["file"] for line in said] == files
    assert status in {0, 1, 2}
    status, _said = run("replay", *files)
    assert status in {0, 1, 2}
    status, said = run("import", *files)
    assert status in {0, 1, 2}
    assert all(any(line.startswith(f"{file}: ") for line in said) for file in files[:20])


@pytest.mark.parametrize("times", TIMES)
def test_any_byte_of_an_archive_may_be_another(run: Callable[..., Any], brought: list[bytes], times: int) -> None:
    Path("good.json").write_bytes(brought[0])
    files = list(spoilt_files(brought, 100 * times, slice(4, None)))
    status, said = run("import", *files, "good.json")
    assert status in {0, 1, 2}
    assert any(line.startswith("good.json: ") for line in said)
