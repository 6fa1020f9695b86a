"""A server that would lose something or hang is refused at its start, and told what to set."""

import http.client
import os
import re
import resource
import shutil
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from companion.errors import StartError
from companion.server.gunicorn_worker import Porter
from companion.server.start import check_workers, open_secure_door, server_command
from companion.settings import Settings
from tests import stove
from tests.house import (
    PATIENCE_S,
    Answer,
    Client,
    House,
    Server,
    companion,
    environment,
    free_port,
    wait_until,
    without_threads,
)
from tests.test_durability import workers_of
from tests.waiting import until

LITE, POSTGRES, REDIS = "sqlite:////a/file", "postgresql://host/name", "redis://host/0"


@pytest.mark.promise(2)
@pytest.mark.parametrize(
    ("workers", "database", "redis", "said"),
    [
        (1, LITE, "", ""),
        (1, LITE, REDIS, ""),
        (1, POSTGRES, "", ""),
        (1, POSTGRES, REDIS, ""),
        (2, POSTGRES, REDIS, ""),
        (2, LITE, "", "Several workers need PostgreSQL"),
        (2, LITE, REDIS, "Several workers need PostgreSQL"),
        (2, POSTGRES, "", "Several workers need Redis"),
    ],
)
def test_what_loses_or_hangs_is_refused(workers: int, database: str, redis: str, said: str) -> None:
    settings = Settings(data=Path("/a"), database=database, redis=redis)
    if not said:
        check_workers(workers, settings)
        return
    with pytest.raises(StartError, match=said):
        check_workers(workers, settings)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_lets_in_everybody_who_may_listen(workers: int) -> None:
    words = dict(
        word.split("=", 1) for word in server_command("127.0.0.1", 8000, 2_000, workers=workers) if "=" in word
    )
    # A phone has a stream, and a connection for its taps, which is kept. gunicorn's own limit would be a thousand.
    assert int(words["--worker-connections"]) >= 2 * 2_000


def written(folder: Path, name: str, passphrase: str = "") -> tuple[str, str]:
    """Write a certificate and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), datetime.now(UTC)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), 1, now, now + timedelta(days=1))
    hidden = serialization.BestAvailableEncryption(passphrase.encode()) if passphrase else serialization.NoEncryption()
    (folder / f"{name}.crt").write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    (folder / f"{name}.key").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, hidden)
    )
    return str(folder / f"{name}.crt"), str(folder / f"{name}.key")


@pytest.mark.parametrize("kind", ["no PEM", "empty", "another's", "with a passphrase"])
def test_a_certificate_that_opens_no_door_is_refused(tmp_path: Path, kind: str) -> None:
    certificate, key = written(tmp_path, "table", "long enough" if kind == "with a passphrase" else "")
    if kind == "another's":
        key = written(tmp_path, "other")[1]
    elif kind != "with a passphrase":
        Path(certificate).write_text("" if kind == "empty" else "Dear diary")
    with pytest.raises(StartError, match=f"{certificate} and {key} are no certificate and its private key"):
        open_secure_door("127.0.0.1", 8443, certificate, key)


def test_a_certificate_of_yours_opens_the_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COMPANION_HTTPS", "COMPANION_CERTIFICATE", "COMPANION_KEY"):
        monkeypatch.setenv(name, "")
    certificate, key = written(tmp_path, "table")
    open_secure_door("::1", 8443, certificate, key)
    assert os.environ["COMPANION_HTTPS"] == "[::1]:8443"
    assert (os.environ["COMPANION_CERTIFICATE"], os.environ["COMPANION_KEY"]) == (certificate, key)


def test_a_certificate_that_is_renewed_behind_its_link_is_shown_without_a_restart(tmp_path: Path) -> None:
    names = [tmp_path / "live.crt", tmp_path / "live.key"]

    def lead(made: tuple[str, str]) -> None:
        for name, file in zip(names, made, strict=True):
            name.unlink(missing_ok=True)
            name.symlink_to(file)
            time.sleep(3)  # a server that looks meanwhile finds a certificate and another's key

    def shown() -> str:
        return ssl.get_server_certificate(("127.0.0.1", secure), timeout=PATIENCE_S)

    lead(old := written(tmp_path, "old"))
    port, secure = free_port(), free_port()
    options = ["--host", "127.0.0.1", "--port", str(port), "--https-port", str(secure), "--no-browser"]
    files = ["--certificate", str(names[0]), "--key", str(names[1])]
    server = Server(tmp_path, port, [sys.executable, "-m", "companion", "serve", *options, *files])
    try:
        server.start()
        assert shown().strip() == Path(old[0]).read_text().strip()
        lead(new := written(tmp_path, "new"))
        give_up = time.monotonic() + PATIENCE_S
        while shown().strip() != Path(new[0]).read_text().strip():
            assert time.monotonic() < give_up
            time.sleep(0.1)
    finally:
        server.kill()


def test_who_comes_by_the_secure_door_while_no_file_can_be_opened_is_let_go(tmp_path: Path) -> None:
    certificate, key = written(tmp_path, "table")
    port, secure = free_port(), free_port()
    options = ["--host", "127.0.0.1", "--port", str(port), "--https-port", str(secure), "--no-browser"]
    files = ["--certificate", certificate, "--key", key]
    server = Server(tmp_path, port, [sys.executable, "-m", "companion", "serve", *options, *files])
    try:
        server.start()
        assert server.process is not None
        worker = int(workers_of(server.process.pid)[1])
        taken = set(map(int, os.listdir(f"/proc/{worker}/fd")))
        _for_the_phone, none_left = islice((number for number in count() if number not in taken), 2)
        _soft, most = resource.prlimit(worker, resource.RLIMIT_NOFILE)
        resource.prlimit(worker, resource.RLIMIT_NOFILE, (none_left, most))
        trusting = ssl.create_default_context(cafile=certificate)
        trusting.check_hostname = False
        with socket.create_connection(("127.0.0.1", secure), 15) as plain, trusting.wrap_socket(plain) as phone:
            assert phone.recv(1) == b""
    finally:
        server.kill()


@pytest.mark.skipif(not Path("/proc/net/if_inet6").exists(), reason="this machine has no IPv6")
@pytest.mark.parametrize("host", ["::", "::1"])
def test_a_server_answers_at_numbers_of_ipv6_too(tmp_path: Path, host: str) -> None:
    port, secure = free_port(), free_port()
    options = ["--host", host, "--port", str(port), "--https", "--https-port", str(secure), "--no-browser"]
    server = Server(tmp_path, port, [sys.executable, "-m", "companion", "serve", *options])
    server.start(is_waiting=False)
    assert server.process is not None
    try:
        wait_until(lambda: socket.create_connection(("::1", secure)).close(), server.process, server.output)
        asked = http.client.HTTPConnection("::1", port, timeout=PATIENCE_S)
        asked.request("GET", "/find?code=")
        assert asked.getresponse().status in {200, 404}
        asked.close()
        assert f"http://[::1]:{port}" in server.output() or host == "::"
        assert f"https://[::1]:{secure}" in server.output() or host == "::"
        if host == "::":
            server.wait_until_it_answers()
            socket.create_connection(("127.0.0.1", secure)).close()
    finally:
        server.kill()


def test_serve_says_what_to_set(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    refused = companion(tmp_path, "serve", "--workers", "2")
    assert refused.returncode == 1
    assert b"Set COMPANION_DATABASE=postgresql://" in refused.stderr


def test_an_address_that_is_none_of_redis_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    refused = companion(tmp_path, "export", "000000", COMPANION_REDIS="localhost:6379")
    assert refused.returncode == 1
    assert b"COMPANION_REDIS" in refused.stderr


@pytest.mark.promise(2)
def test_a_server_that_cannot_use_its_database_says_why_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "companion.sqlite").write_bytes(b"Dear diary, " * 1000)
    server = Server(tmp_path)
    server.start(is_waiting=False)
    assert server.process is not None
    assert server.process.wait(PATIENCE_S) != 0
    assert server.output() == "Error: The database cannot be used: file is not a database.\n"


def test_a_terminal_without_blocks_is_told_the_address_all_the_same(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.command = ["sh", "-c", 'PYTHONIOENCODING=iso-8859-2 exec "$@"', "sh", *server.as_started()]
    try:
        server.start()
        assert "The companion is at http://" in server.output()
    finally:
        server.kill()


@pytest.mark.parametrize("script", ['PYTHONIOENCODING=ascii exec "$@"', 'exec "$@" >&-', 'exec "$@" >/dev/full'])
def test_who_cannot_be_told_the_address_is_served_all_the_same(tmp_path: Path, script: str) -> None:
    server = Server(tmp_path)
    server.command = ["sh", "-c", script, "sh", *server.as_started()]
    try:
        server.start()
        assert "Traceback" not in server.output()
    finally:
        server.kill()


def test_a_worker_that_replaces_another_does_not_ask_again_whether_the_database_is_in_order(house: House) -> None:
    server = house.server()
    try:
        server.start()
        assert server.process is not None
        said = server.output()
        before = workers_of(server.process.pid)[1:]
        house.database.change("UPDATE alembic_version SET version_num = '9999'")
        for worker in before:
            os.kill(int(worker), signal.SIGKILL)
        server.wait_until_it_answers()
        assert not set(before) & set(workers_of(server.process.pid))
        assert "The companion is at" in said
        assert "The companion is at" not in server.output().removeprefix(said), "once is enough"
    finally:
        server.kill()


@pytest.mark.parametrize("is_watched", [False, True], ids=["told", "watched"])
def test_a_reload_serves_the_release_that_lies_there_by_then(tmp_path: Path, is_watched: bool) -> None:
    tree = tmp_path / "tree"
    for folder in ("companion", "templates", "printables"):
        shutil.copytree(Path(stove.ROOT, folder), tree / folder)
    server = Server(tmp_path, environment={**environment(tmp_path), "PYTHONPATH": str(tree)})
    if is_watched:
        server.command = server_command("127.0.0.1", server.port, streams=40, watched=[])
    try:
        server.start()
        assert server.process is not None
        before = workers_of(server.process.pid)[1:]
        with (tree / "companion" / "errors.py").open("a") as errors:
            errors.write("\n\nclass OfTheNewRelease(CompanionError):\n    pass\n")
        with (tree / "companion" / "web" / "table.py").open("a") as pages:
            pages.write("\n\nfrom companion.errors import OfTheNewRelease\n")
        with (tree / "companion" / "__init__.py").open("a") as first:
            first.write('\n\n__version__ = "99.0.0"\n')
        if not is_watched:
            server.process.send_signal(signal.SIGHUP)
        give_up = time.monotonic() + PATIENCE_S
        while set(before) & set(workers_of(server.process.pid)):
            assert time.monotonic() < give_up
            time.sleep(0.05)
        server.wait_until_it_answers()
        with Client(server.port, "operator") as client:
            assert 'version="99.0.0"' in client.get("/metrics").body.decode()
    finally:
        server.kill()


def test_a_file_that_is_half_written_is_shown_until_it_is_whole_again(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for folder in ("companion", "templates", "printables"):
        shutil.copytree(Path(stove.ROOT, folder), tree / folder)
    server = Server(tmp_path, environment={**environment(tmp_path), "PYTHONPATH": str(tree)})
    server.command = server_command("127.0.0.1", server.port, streams=40, watched=[])

    def lobby() -> Answer | None:
        try:
            with Client(server.port, "writer") as client:
                return client.get("/find?code=")
        except OSError:
            return None

    def saved(text: str, holds: Callable[[Answer], bool]) -> None:
        """Save the file, and again where the server has not noticed, until something holds."""
        give_up = again = time.monotonic() + PATIENCE_S
        while not ((answer := lobby()) and holds(answer)):
            assert time.monotonic() < give_up, server.output()
            if time.monotonic() > again - PATIENCE_S:
                again += 10
                file.write_text(text)
            time.sleep(0.1)

    try:
        server.start()
        file = tree / "companion" / "games" / "rage" / "rules.py"
        whole = file.read_text()
        saved(f"{whole}\n\ndef half(:\n", lambda answer: b"SyntaxError" in answer.body)
        saved(whole, lambda answer: b"SyntaxError" not in answer.body and answer.status < 500)
    finally:
        server.kill()


def test_a_server_that_ends_leaves_no_figures(shared_house: House) -> None:
    left = shared_house.folder / "left"
    left.mkdir()
    server = shared_house.server()
    server.environment = {**server.environment, "TMPDIR": str(left), "COMPANION_NAME": ""}
    options = ["--host", "127.0.0.1", "--port", str(server.port), "--workers", "2", "--no-browser"]
    server.command = [sys.executable, "-m", "companion", "serve", *options]
    try:
        server.start()
        assert server.process is not None
        assert [file.name for file in left.iterdir() if file.is_dir()]
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE_S) == 0
        assert [*left.iterdir()] == []
    finally:
        server.kill()


def test_several_workers_count_in_memory_and_begin_again_where_that_was_tidied_away(shared_house: House) -> None:
    """Found on a full disk: each was killed as it counted, and so was whoever replaced it."""
    server = shared_house.server()
    server.environment = {name: value for name, value in server.environment.items() if name != "TMPDIR"}
    options = ["--host", "127.0.0.1", "--port", str(server.port), "--workers", "2", "--no-browser"]
    server.command = [sys.executable, "-m", "companion", "serve", *options]
    try:
        server.start()
        assert server.process is not None
        before = workers_of(server.process.pid)[1:]
        (counter,) = re.findall(
            r"\S+/companion-figures-\w+/counter_\d+\.db", Path(f"/proc/{before[0]}/maps").read_text()
        )
        folder = Path(counter).parent
        assert folder.parent == Path("/dev/shm")
        shutil.rmtree(folder)
        for worker in before:
            os.kill(int(worker), signal.SIGKILL)
        give_up = time.monotonic() + PATIENCE_S
        while set(before) & set(workers_of(server.process.pid)) or not folder.exists():
            assert time.monotonic() < give_up
            time.sleep(0.05)
        server.wait_until_it_answers()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE_S) == 0
        assert not folder.exists()
    finally:
        server.kill()


@pytest.mark.parametrize("name", ["json", "companion", "gunicorn", "logging"])
@pytest.mark.parametrize("is_installed", [False, True], ids=["in the tree", "installed"])
def test_what_lies_where_it_is_started_is_not_taken_for_a_part_of_it(
    tmp_path: Path, name: str, is_installed: bool
) -> None:
    (tmp_path / f"{name}.py").write_text("raise SystemExit('something of somebody\u2019s own')")
    server = Server(tmp_path)
    options = ["--host", "127.0.0.1", "--port", str(server.port), "--no-browser"]
    (tmp_path / "bin").mkdir()
    (script := tmp_path / "bin" / "companion").write_text("from companion.__main__ import main\nmain()")
    begun = [str(script)] if is_installed else ["-S", "-P", f"{stove.ROOT}/companion/__main__.py"]
    server.command = [sys.executable, *begun, "serve", *options]
    try:
        server.start()
    finally:
        server.kill()


def test_who_comes_where_there_are_no_more_threads_waits_for_one_that_is_there() -> None:
    """The worker ended, and with it the lines of all its phones."""
    may_go_on = threading.Event()
    with Porter.get_thread_pool(SimpleNamespace(cfg=SimpleNamespace(threads=2))) as threads:
        with without_threads(), pytest.raises(RuntimeError):
            threads.submit(bool)
        first = threads.submit(may_go_on.wait, PATIENCE_S)
        with without_threads():
            second = threads.submit(threading.get_ident)
        may_go_on.set()
        assert first.result(PATIENCE_S)
        assert second.result(PATIENCE_S)


def by_hand(folder: Path, workers: int) -> Server:
    """Start the server as people may who do not know `companion serve`."""
    port = free_port()
    words = ["--threads=8", f"--workers={workers}", f"--bind=127.0.0.1:{port}", "--graceful-timeout=1"]
    return Server(folder, port, [sys.executable, "-m", "gunicorn", "--no-control-socket", *words, "wsgi:app"])


def test_several_workers_that_were_started_by_hand_are_refused_where_they_would_not_hear_each_other(
    tmp_path: Path,
) -> None:
    server = by_hand(tmp_path, workers=2)
    server.start(is_waiting=False)
    assert server.process is not None
    assert server.process.wait(PATIENCE_S) != 0
    assert "Another worker serves these tables already" in server.output()
    assert "Start one: gunicorn --workers 1" in server.output()


def test_one_worker_that_was_started_by_hand_serves_and_can_be_replaced(tmp_path: Path) -> None:
    server = by_hand(tmp_path, workers=1)
    try:
        server.start()
        assert server.process is not None
        before = workers_of(server.process.pid)
        server.process.send_signal(signal.SIGHUP)
        wait_until_others_serve(server, before)
    finally:
        server.kill()


def wait_until_others_serve(server: Server, before: Sequence[str]) -> None:
    """Wait until no worker of those before is left, and another one answers."""
    assert server.process is not None
    pid = server.process.pid
    until(lambda: not set(before[1:]) & set(workers_of(pid)))
    server.wait_until_it_answers()


@pytest.fixture
def window() -> Iterator[tuple[int, str]]:
    """Open a terminal: its window, and the name by which whoever has none yet gets it as his own."""
    window, terminal = os.openpty()
    yield window, os.ttyname(terminal)
    os.close(terminal)


@pytest.mark.parametrize("words", [["serve"], ["demo", "--pace", "60"]], ids=["serve", "demo"])
def test_whoever_closes_the_window_has_ended_the_companion(
    tmp_path: Path, window: tuple[int, str], words: list[str]
) -> None:
    """Found by hand: as the first evening says it is stopped, it went on without a window, and the next was refused."""
    server = in_window(tmp_path, window[1], words)
    try:
        server.start()
        assert server.process is not None
        os.close(window[0])
        assert server.process.wait(PATIENCE_S) == 0
        assert "Traceback" not in server.output()
        assert [*(tmp_path / "tmp").iterdir()] == []
    finally:
        server.kill()


def test_who_was_told_to_outlive_its_window_does(tmp_path: Path, window: tuple[int, str]) -> None:
    server = in_window(tmp_path, window[1], ["serve"], "trap '' HUP; ")
    try:
        server.start()
        assert server.process is not None
        before = workers_of(server.process.pid)
        os.close(window[0])
        wait_until_others_serve(server, before)
    finally:
        server.kill()


def in_window(folder: Path, terminal: str, words: Sequence[str], first: str = "") -> Server:
    """Write the command that somebody types into a window; whoever begins a session has the terminal that he opens."""
    port = free_port()
    (folder / "tmp").mkdir()
    typed = [sys.executable, "-m", "companion", *words, "--host", "127.0.0.1", "--port", str(port)]
    around = {**environment(folder), "TMPDIR": str(folder / "tmp")}
    # Whoever runs the trials by `nohup` has told all that they start to outlive a window.
    hanging_up = ["env", "--default-signal=HUP"]
    return Server(folder, port, [*hanging_up, "sh", "-c", f'{first}exec "$@" <"$0"', terminal, *typed], around)
