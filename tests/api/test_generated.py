"""Generators can read the description: clients in two languages play a whole evening against a real server."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion import record
from tests.api.shapes import faults
from tests.house import House
from tests.phones import ROOT
from tests.web.conftest import House as WebHouse

GENERATOR = "openapi-python-client==0.29.1"
EVENING = Path(__file__).parent / "generated_evening.py"
EVENING_IN_TYPESCRIPT = EVENING.with_suffix(".ts")
TOOLS = ROOT / ".venv" / "tools"
"""What `bin/test --long` has installed."""
COMPILED = ["--strict", "--target", "es2024", "--lib", "es2024,dom,dom.iterable", "--module", "nodenext", "--types", ""]
PATIENCE_S = 600
"""After so long a program is given up."""
RECOMMENDED = {"extends": ["spectral:oas", "spectral:asyncapi"]}
WAIVED = {
    "operation-description": "a summary of one sentence says it",
    "info-contact": "whoever keeps the companion is to be asked, and it does not know them",
    "asyncapi-info-contact": "as above",
    "asyncapi-latest-version": "3.1 adds nothing that is needed",
}
"""What Spectral warns of."""
CONFIG: dict[str, Any] = {
    "package_name_override": "companion_client",
    # Files are bytes for it, whatever they are of.
    "content_type_overrides": dict.fromkeys(("application/pdf", "application/zip"), "application/octet-stream"),
    "post_hooks": [],
}


def test_the_description_is_valid(house: WebHouse) -> None:
    described = house.app.test_client().get("/api/openapi.json").get_json()
    assert faults(described) == []
    operations = [
        operation
        for methods in described["paths"].values()
        for method, operation in methods.items()
        if method != "parameters"
    ]
    named = {operation["operationId"] for operation in operations}
    assert len(named) == len(operations) >= 30
    led = {
        link["operationId"]
        for operation in operations
        for answer in operation["responses"].values()
        for link in answer.get("links", {}).values()
    }
    assert {"move", "view", "sit_down"} <= led <= named


def ran(*words: str | Path, folder: Path) -> str:
    """Run a program that knows nothing of our own packages; what it prints."""
    plain = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(words, cwd=folder, env=plain, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tool(package: str, command: str) -> Path:
    return TOOLS / package / "node_modules" / ".bin" / command


def programmed(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program from npm, by our own node."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    around = {**os.environ, "PATH": path}
    return subprocess.run(
        words, cwd=folder, env=around, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )


@pytest.mark.long
def test_spectral_finds_no_error_in_the_descriptions(house: WebHouse, tmp_path: Path) -> None:
    client, lint = house.app.test_client(), [tool("@stoplight/spectral-cli", "spectral"), "lint", "--format", "json"]
    (tmp_path / "rules.json").write_text(json.dumps(RECOMMENDED))
    for name in ("openapi.json", "asyncapi.json"):
        described = client.get(f"/api/{name}").get_json()
        (tmp_path / name).write_text(json.dumps(described))
        done = programmed(*lint, "--ruleset", "rules.json", name, folder=tmp_path)
        found = [one for one in json.loads(done.stdout) if one["code"] not in WAIVED]
        assert (done.returncode, found) == (0, []), done.stderr
        described.pop("info")
        (tmp_path / name).write_text(json.dumps(described))
        assert programmed(*lint, "--ruleset", "rules.json", name, folder=tmp_path).returncode == 1


@pytest.mark.long
def test_a_program_with_generated_types_plays_a_whole_rage(tmp_path: Path) -> None:
    house = House(tmp_path)
    server = house.server()
    described = house.app.test_client().get("/api/openapi.json").get_data(as_text=True)
    (tmp_path / "openapi.json").write_text(described)
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    shutil.copy(EVENING_IN_TYPESCRIPT, tmp_path / "evening.ts")
    make = [tool("openapi-typescript", "openapi-typescript"), "openapi.json", "-o", "companion.ts"]
    for words in ([*make, "--default-non-nullable=false"], [tool("typescript", "tsc"), *COMPILED, "evening.ts"]):
        done = programmed(*words, folder=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    try:
        server.start()
        done = programmed("node", "evening.js", f"http://127.0.0.1:{server.port}/api/v1", folder=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    finally:
        server.kill()
        house.close()
    holds(json.loads(done.stdout))


@pytest.mark.long
def test_a_generated_client_plays_a_whole_rage(tmp_path: Path) -> None:
    house = House(tmp_path)
    server = house.server()
    python = tmp_path / "client" / "bin" / "python"
    ran(sys.executable, "-m", "venv", tmp_path / "client", folder=tmp_path)
    ran(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", GENERATOR, folder=tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    try:
        server.start()
        address = f"http://127.0.0.1:{server.port}/api/v1"
        make = [python.with_name("openapi-python-client"), "generate", "--url", f"{address}/openapi.json"]
        # Into the environment itself, as if it was installed there.
        packages = ran(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=tmp_path).strip()
        place = ["--meta", "none", "--output-path", Path(packages, "companion_client")]
        ran(*make, *place, "--config", "config.json", "--fail-on-warning", folder=tmp_path)
        said = json.loads(ran(python, EVENING, address, folder=tmp_path))
    finally:
        server.kill()
        house.close()
    holds(said)


def holds(said: Any) -> None:
    """Hold what a client has seen of an evening to the record that it has fetched."""
    assert said["end"]["is_finished"]
    assert said["hidden"] > 0
    replayed = record.outcome(record.replay(record.read(json.dumps(said["record"]))))
    # A bid that was changed while it was hidden stands in the record as it was turned up, once.
    assert replayed["legal"]
    assert replayed["finished"]
    assert 10 * 3 * 2 <= replayed["moves"] <= said["moves"]
    assert replayed["standing"] == said["end"]["standing"]
    assert said["heard"] > 10 * 3
    assert said["pdf"] == "%PDF-"
    told = csv.DictReader(io.StringIO(said["csv"].removeprefix("\ufeff")))
    scores = {place["name"]: str(place["score"]) for place in said["end"]["standing"]}
    assert {row["name"]: row["score"] for row in told} == scores
