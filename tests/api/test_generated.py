"""Generators can read the description: one makes a client, which plays a whole evening against a real server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from companion import record
from tests.house import House
from tests.web.conftest import House as WebHouse

GENERATOR = "openapi-python-client==0.29.1"
EVENING = Path(__file__).parent / "generated_evening.py"
CONFIG: dict[str, Any] = {
    "package_name_override": "companion_client",
    # Files are bytes for it, whatever they are of.
    "content_type_overrides": {"application/pdf": "application/octet-stream"},
    "post_hooks": [],
}


def test_the_description_is_valid(house: WebHouse) -> None:
    described = house.app.test_client().get("/api/openapi.json").get_json()
    problems = [f"{list(error.path)}: {error.message}" for error in OpenAPIV31SpecValidator(described).iter_errors()]
    assert problems == []
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
        address = f"http://127.0.0.1:{server.port}"
        make = [python.with_name("openapi-python-client"), "generate", "--url", f"{address}/api/openapi.json"]
        # Into the environment itself, as if it was installed there.
        packages = ran(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=tmp_path).strip()
        place = ["--meta", "none", "--output-path", Path(packages, "companion_client")]
        ran(*make, *place, "--config", "config.json", "--fail-on-warning", folder=tmp_path)
        said = json.loads(ran(python, EVENING, address, folder=tmp_path))
    finally:
        server.kill()
        house.close()
    assert said["end"]["is_finished"]
    assert said["hidden"] > 0
    replayed = record.outcome(record.replay(record.read(json.dumps(said["record"]))))
    # A bid that was changed while it was hidden stands in the record as it was turned up, once.
    assert replayed["legal"]
    assert replayed["finished"]
    assert 10 * 3 * 2 <= replayed["moves"] <= said["moves"]
    assert replayed["standing"] == said["end"]["standing"]
