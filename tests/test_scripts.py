"""The scripts that know no page, run as they are shipped: `tests/scripts/*.test.mjs`, in Node."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from companion.web.packed import uncommented
from tests.phones import ROOT

STATIC = ROOT / "companion" / "static"
TSC = ROOT / ".venv/tools/typescript/node_modules/typescript/bin/tsc"
SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.test.mjs"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name.partition(".")[0])
def test_a_script_does_what_its_page_needs(script: Path) -> None:
    run = subprocess.run([ROOT / ".venv/bin/node", "--test", script], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert "fail 0" in run.stdout
    assert "pass 0" not in run.stdout


def compiled(folder: Path, scripts: dict[Path, bytes]) -> dict[Path, bytes]:
    """Write scripts as TypeScript's compiler does, without a comment."""
    for name, code in scripts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(code)
    ways = ["--target", "esnext", "--module", "esnext", "--moduleResolution", "bundler", "--outDir", folder / "out"]
    command = [ROOT / ".venv/bin/node", TSC, "--allowJs", "--noCheck", "--removeComments", *ways]
    subprocess.run([*command, *(folder / name for name in scripts)], check=True)
    return {name: (folder / "out" / name).read_bytes() for name in scripts}


def test_what_phones_are_sent_does_what_is_written_in_fewer_bytes(tmp_path: Path) -> None:
    written = {file.relative_to(STATIC): file.read_bytes() for file in STATIC.glob("**/*.js")}
    sent = {name: uncommented(code) for name, code in written.items()}
    assert compiled(tmp_path / "sent", sent) == compiled(tmp_path / "written", written)
    assert sum(map(len, sent.values())) < 0.75 * sum(map(len, written.values()))


def test_a_comment_beside_code_stays_where_it_is() -> None:
    code = b"/** @type {any} */ (a).b();\n// one\n  /* two\n     lines */\nc(); // beside\n/* d */ e(); /* f */\n"
    assert uncommented(code) == b"/** @type {any} */ (a).b();\nc(); // beside\n/* d */ e(); /* f */\n"
