"""The scripts that know no page, run as they are shipped: `tests/scripts/*.test.mjs`, in Node."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.phones import ROOT

SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.test.mjs"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name.partition(".")[0])
def test_a_script_does_what_its_page_needs(script: Path) -> None:
    run = subprocess.run([ROOT / ".venv/bin/node", "--test", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert "fail 0" in run.stdout
    assert "pass 0" not in run.stdout
