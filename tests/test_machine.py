"""Other machines: what Unix alone has is asked for in one place, and without it the companion serves and prints all the same."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import pytest

from benchmarks.machine import children
from companion import create_app, machine
from companion.errors import StartError
from companion.server.keepers import Keepers
from companion.server.start import server_command
from companion.server.waitress_server import check_without_gunicorn
from companion.testing.pages import Program
from tests.house import PATIENCE_S, Client, Server, a_round, environment, free_port
from tests.test_house import MODULES, ROOT

CALLS, DEPTHS = 500, 400
"""Of a loop, and how deep it lies: beyond the first two pieces of memory that calls are given."""

UNIX = ("fcntl", "grp", "pwd", "resource", "syslog", "termios", "tty")
ABSENT = (*UNIX, "gevent", "gunicorn", "psycopg", "redis", "uvloop")
LOST = {
    "os": ("fork", "geteuid", "killpg", "setsid"),
    "socket": (
        "AF_UNIX",
        "MSG_CMSG_CLOEXEC",
        "MSG_DONTWAIT",
        "SOCK_SEQPACKET",
        "TCP_USER_TIMEOUT",
        "recv_fds",
        "send_fds",
    ),
}
ELSEWHERE = f"""import os, socket, sys
sys.modules |= dict.fromkeys({ABSENT!r})
for name, lost in {LOST!r}.items():
    for one in lost:
        delattr(sys.modules[name], one)
"""
"""What Python does before anything else, there: it knows nothing of Unix, and has neither gunicorn nor the extras."""
SERVE = ("serve", "--host", "127.0.0.1", "--port")
OF_OTHERS = {f"companion.server.{name}" for name in ("caller", "gunicorn_worker", "incoming", "outgoing")} | {
    "companion.log.standby"
}
"""What is loaded by gunicorn alone, and what with PostgreSQL’s driver."""


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """Give a process the surroundings of another machine."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    (place / "sitecustomize.py").write_text(ELSEWHERE)
    surroundings = environment(tmp_path / "data")
    return {**surroundings, "PYTHONPATH": f"{place}:{surroundings['PYTHONPATH']}"}


def test_what_unix_alone_has_is_imported_in_one_place() -> None:
    line = re.compile(rf"^ *(?:import|from) ({'|'.join(UNIX)})\b", re.MULTILINE)
    found = {str(path.relative_to(ROOT)): line.findall(path.read_text()) for path in MODULES}
    assert {name: names for name, names in found.items() if names} == {
        "companion/machine/__init__.py": ["fcntl", "resource"]
    }


def test_every_module_is_loaded_and_a_round_played_heard_and_printed_without_what_unix_alone_has(
    elsewhere: dict[str, str], tmp_path: Path
) -> None:
    port = free_port()
    # Who was started in the background was told to let Ctrl-C be.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    load = f"{heard}\nfrom importlib import import_module\nfor name in {loaded()!r}: import_module(name)"
    begin = [sys.executable, "-c", f"{load}\nfrom companion.commands import companion\ncompanion()", *SERVE]
    server = Server(tmp_path, port, [*begin, str(port)], elsewhere)
    try:
        server.start()
        assert f"The companion is at http://127.0.0.1:{port}" in server.output()
        code = check_it_plays(port)
        with Client(port, "nobody") as client:
            assert client.get(f"/t/{code}/sheet.pdf").body.startswith(b"%PDF")
        again = [sys.executable, "-m", "companion", *SERVE, str(free_port())]
        done = subprocess.run(again, env=elsewhere, capture_output=True, text=True, check=False)
        assert done.stderr.startswith("Error: Another companion serves these tables already")
        assert server.process is not None
        os.kill(server.process.pid, signal.SIGINT)
        assert server.process.wait(PATIENCE_S) == 0
    finally:
        server.kill()
    assert "Traceback" not in server.output()


@pytest.mark.parametrize("has_libuv", [True, False], ids=["libuv's loop", "Python's own"])
def test_connections_wait_in_libuv_s_loop_or_in_python_s_own(tmp_path: Path, has_libuv: bool) -> None:
    port = free_port()
    missing = "" if has_libuv else "sys.modules['uvloop'] = None; "
    begin = f"import sys; {missing}from gunicorn.app.wsgiapp import run; run()"
    command = [sys.executable, "-c", begin, *server_command("127.0.0.1", port, streams=10)[3:]]
    server = Server(tmp_path, port, command, environment(tmp_path / "data"))
    try:
        server.start()
        check_it_plays(port)
        assert server.process is not None
        (worker,) = children(server.process.pid)
        assert ("/uvloop/loop." in Path(f"/proc/{worker}/maps").read_text()) is has_libuv
    finally:
        server.kill()


def loaded() -> list[str]:
    """Name all modules but those of gunicorn and of extras, those that begin to work at once, and the kit of authors."""
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in MODULES]
    wanted = [name for name in names if name not in OF_OTHERS and not re.search(r"new_game\.|__main__|\.testing", name)]
    assert len(wanted) > 200
    return wanted


def check_it_plays(port: int) -> str:
    """Play a round of Rage by programs, one of which listens; gives the table's code."""
    program = Program(f"http://127.0.0.1:{port}")
    opened = program.asks("POST", "/tables", {"game": "rage", "players": ["Anna", "Bohdan", "Cyril"]})
    code = str(opened["table"]["code"])
    heard = stream(port, code)
    numbers = [next(heard)]
    for move in a_round(1, 3):
        program.asks("POST", f"/tables/{code}/moves", move)
        numbers.append(next(heard))
    assert [number - numbers[0] for number in numbers] == [0, 1, 2, 3, 4]
    standing = program.asks("GET", f"/tables/{code}/standing")["standing"]
    assert [place["score"] for place in standing] == [10, 10, 5]
    return code


def stream(port: int, code: str) -> Iterator[int]:
    """Listen to a table; gives the number of each view."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request("GET", f"/api/tables/{code}/events")
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    while line := answer.readline():
        if line.startswith(b"id: "):
            yield int(line[4:])


@pytest.mark.parametrize(
    ("wished", "told"),
    [((2, False, False), "--workers"), ((1, True, False), "--https"), ((1, False, True), "--reload")],
)
def test_what_waitress_has_not_is_refused(
    monkeypatch: pytest.MonkeyPatch, wished: tuple[int, bool, bool], told: str
) -> None:
    check_without_gunicorn(*wished)
    monkeypatch.setattr(machine, "HAS_UNIX", False)
    check_without_gunicorn(1, False, False)
    with pytest.raises(StartError, match=f"{told} needs Linux or macOS"):
        check_without_gunicorn(*wished)


@pytest.mark.parametrize(
    ("package", "settings", "extra"),
    [
        ("psycopg", {"COMPANION_DATABASE": "postgresql://localhost/tables"}, "postgres"),
        ("redis", {"COMPANION_REDIS": "redis://localhost"}, "redis"),
    ],
)
def test_an_extra_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str, settings: dict[str, str], extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # type: ignore[arg-type]
    for name, value in {"COMPANION_DATA": str(tmp_path), **settings}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(StartError, match=re.escape(f"pip install 'companion[{extra}]'")):
        create_app()


@pytest.fixture(params=[True, False], ids=["by the system", "by SQLite"])
def file(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name a file to hold, in both ways."""
    monkeypatch.setattr(machine, "HAS_UNIX", request.param)
    return tmp_path / "serving.lock"


def test_a_file_is_held_by_one(file: Path) -> None:
    release = machine.hold(file, is_shared=False)
    for is_shared in (True, False):
        with pytest.raises(BlockingIOError):
            machine.hold(file, is_shared=is_shared)
    release()
    machine.hold(file, is_shared=False)()
    assert file.read_bytes() == b""


def test_a_file_is_shared_by_those_who_say_so(file: Path) -> None:
    releases = [machine.hold(file, is_shared=True) for _ in range(2)]
    with pytest.raises(BlockingIOError):
        machine.hold(file, is_shared=False)
    for release in releases:
        release()
    machine.hold(file, is_shared=False)()


def test_where_no_connection_can_be_passed_on_nobody_keeps_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "CAN_PASS_ON", False)
    keepers = Keepers(4)
    assert keepers.free(set()) is None
    assert keepers.keeper("K7QX2M") is None


def test_however_deep_a_call_lies_it_takes_no_memory_anew_where_there_is_room() -> None:
    """At some depth each turn of a loop begins another piece of memory, in Pythons before 3.13: pages that are not there."""

    def leaf() -> None:
        pass

    def deep(levels: int) -> int:
        if levels:
            return deep(levels - 1)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(CALLS):
            leaf()
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    missing = [machine.with_room(partial(deep, levels)) for levels in range(DEPTHS)]
    assert max(missing) < CALLS


def test_memory_that_was_needed_for_a_while_is_given_back_though_what_stays_lies_between() -> None:
    program = """
import os
from benchmarks.machine import memory_kb
from companion.machine import give_back_memory

pages = [bytes(4096 + number % 4096) for number in range(40_000)]
stays = pages[::100]
del pages
before = memory_kb([os.getpid()])
give_back_memory()
print(before - memory_kb([os.getpid()]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert float(done.stdout) / 1024 > 100
