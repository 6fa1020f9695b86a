"""What the companion is made of can be listed, and asked about: by the tools as they are, and a service of our own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from tests.advisories import ROOT, Answer, ask

FLAW = {
    **{"id": "PYSEC-0000-1", "aliases": ["CVE-0000-1"], "summary": "A hole", "modified": "2026-01-01T00:00:00Z"},
    "affected": [
        {
            "package": {"name": "flask", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "9.9"}]}],
            "versions": ["3.1.3"],
        }
    ],
}
PIN = re.compile(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==([^ ;]+)", re.MULTILINE)
HASH = re.compile("--hash=sha256:([0-9a-f]{64})")


class Service(BaseHTTPRequestHandler):
    """Answers as the service of OSV does."""

    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        wanted = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(f"{wanted['package']['name']} {wanted['version']}")
        body = json.dumps({"vulns": [FLAW]} if wanted["package"]["name"] == "flask" else {}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *about: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[str]:
    Service.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"--osv-url=http://127.0.0.1:{server.server_port}/v1/query"
        server.shutdown()
        thread.join()


@pytest.fixture
def pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pin two packages, as our lists do; nobody stands between us and this machine."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    file = tmp_path / "requirements.txt"
    file.write_text("".join(f"{pin} --hash=sha256:{'0' * 64}\n" for pin in ("flask==3.1.3", "click==8.3.0")))
    return file


def test_what_is_known_against_a_pinned_package_is_said(service: str, pinned: Path) -> None:
    answer = ask([pinned], service)
    assert sorted(Service.asked) == ["click 8.3.0", "flask 3.1.3"]
    assert (answer.asked, answer.unasked, answer.status) == (2, (), 1)
    assert answer.known == ("flask 3.1.3: PYSEC-0000-1, CVE-0000-1; mended in 9.9",)
    assert answer.lines[-1] == "2 packages were asked about, 1 things are known against them."


def test_where_nobody_can_be_asked_that_is_said_and_not_that_all_is_well(pinned: Path) -> None:
    answer = ask([pinned], "--osv-url=http://127.0.0.1:1/v1/query", "--timeout=1")
    assert answer.status == 2
    assert "Connection refused" in answer.lines[0]
    assert answer.lines[-1].startswith("Nobody could be asked")


def test_a_package_that_could_not_be_asked_about_is_not_well_either() -> None:
    assert Answer(2).status == 0
    assert Answer(0).status == 2
    assert Answer(1, unasked=("ours: not found",)).status == 2
    assert Answer(1, unasked=("ours: not found",)).lines[0] == "Not asked about: ours: not found"
    assert Answer(1, known=("flask",), unasked=("ours",)).status == 1


@pytest.mark.parametrize(
    "looked_through",
    [
        pytest.param("--no-validate", id="as it is"),
        pytest.param("--validate", id="by the schema", marks=pytest.mark.long),
    ],
)
def test_the_list_of_what_it_is_made_of_has_every_pinned_package_with_its_hashes(looked_through: str) -> None:
    """It is looked through by the tool itself, by the schema of CycloneDX, which takes three seconds."""
    command = re.sub(r"\\\n\s*", "", (ROOT / "bin" / "sbom").read_text()).splitlines()[-1]
    words = command.removeprefix('exec "$venv/bin/python" ').replace('"${1:-requirements.txt}"', looked_through).split()
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, check=True)
    made = json.loads(done.stdout)
    assert made["bomFormat"] == "CycloneDX"
    assert made["metadata"]["component"]["name"] == "companion"
    listed = {
        (each["name"], each["version"]): {one["content"] for ref in each["externalReferences"] for one in ref["hashes"]}
        for each in made["components"]
    }
    lines = re.split(r"\n(?=[a-z])", (ROOT / "requirements.txt").read_text())
    pinned = {found.groups(): set(HASH.findall(line)) for line in lines if (found := PIN.match(line))}
    assert len(pinned) > 40
    assert listed == pinned
