"""Ctrl-C ends the companion without a word while it loads, whatever it loads just then."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import PATIENCE_S, environment, free_port

AT_WORK = """
import os, signal, sys

class Interrupted:
    def find_spec(name, *_about):
        if name == os.environ["AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupted)
if os.environ["AT"] == "the server" and "companion.server" in sys.orig_argv:
    os.kill(os.getpid(), signal.SIGINT)
"""
"""What Python does before anything else, there: Ctrl-C is pressed as soon as a module is asked for, or before any is."""
LET = ["env", "--default-signal=INT"]
"""Who was started in the background was told to let Ctrl-C be."""
LAUNCHED = [sys.executable, "-S", "-P", str(Path(__file__).parents[1] / "companion" / "__main__.py")]
"""As `bin/companion` does it."""


NOBODY = "postgresql://127.0.0.1:9/nobody"
"""A database that is not there."""
KILLED, TOLD = -signal.SIGINT, 128 + signal.SIGINT
"""How it ends: as whoever does not know the signal, or with what a shell says of them."""
COMMAND = ["companion", "click", "companion.server.start"]
SERVER = ["the server", "gunicorn", "gunicorn.arbiter", "companion.server.gunicorn_worker"]


@pytest.mark.parametrize(
    ("words", "at", "ended"),
    [
        *(("serve --no-browser", at, KILLED) for at in (*COMMAND, *SERVER)),
        *(("serve --no-browser --workers 2", at, KILLED) for at in SERVER),
        ("serve --https", "companion.server.certificates", TOLD),
        *(("demo", at, KILLED) for at in COMMAND),
        *(("demo", at, TOLD) for at in SERVER),
    ],
)
def test_what_is_interrupted_while_it_loads_ends_without_a_word(
    tmp_path: Path, words: str, at: str, ended: int
) -> None:
    """Found by hand: within the first second it told of the module that it was about to load, and of all before."""
    (tmp_path / "sitecustomize.py").write_text(AT_WORK)
    shared = (
        {} if "--workers" not in words else {"COMPANION_DATABASE": NOBODY, "COMPANION_REDIS": "redis://127.0.0.1:9"}
    )
    around = environment(tmp_path / "data", AT=at, TMPDIR=str(tmp_path), **shared)
    around["PYTHONPATH"] = f"{tmp_path}:{around['PYTHONPATH']}"
    command = [*LET, *LAUNCHED, *words.split(), "--host", "127.0.0.1", "--port", str(free_port())]
    done = subprocess.run(command, env=around, capture_output=True, timeout=PATIENCE_S, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (ended, b"", b"")
    assert [*tmp_path.glob("companion-*")] == []
