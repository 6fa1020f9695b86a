"""The computer that the companion runs on: that it stays awake, opens the first page, and lets phones through.

All of it is a kindness: where a computer has no way to do it, the companion serves all the same.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread

AWAKE = ["systemd-inhibit", "--what=idle:sleep", "--who=companion", "--why=A game is on the table", "--mode=block"]
PATIENCE_S = 5
"""So long is waited for a system that does not answer whether it can stay awake."""


def has_desktop(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Say whether somebody sits before a screen where a browser can open."""
    return platform in {"darwin", "win32"} or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_page(address: str) -> None:
    """Open a page in the browser of this computer; nobody waits for it."""

    def show() -> None:
        with suppress(webbrowser.Error, OSError):
            webbrowser.open(address)

    Thread(target=show, daemon=True, name="browser").start()


def stay_awake(pid: int) -> bool:
    """Hold off this computer's sleep as long as a process runs; say whether that can be."""
    if shutil.which("caffeinate"):  # macOS
        _beside(["caffeinate", "-i", "-w", str(pid)])
        return True
    if not shutil.which(AWAKE[0]) or not _is_let([*AWAKE, "true"]):
        return False
    _beside([*AWAKE, "tail", f"--pid={pid}", "-f", os.devnull])
    return True


def firewalls(root: Path = Path("/")) -> Iterator[tuple[str, str]]:
    """Name the firewalls that are switched on here, each with the command that opens a port, `{port}`."""
    ufw = root / "etc/ufw/ufw.conf"
    with suppress(OSError, UnicodeError):
        if "ENABLED=yes" in ufw.read_text().split():
            yield "ufw", "sudo ufw allow {port}/tcp"
    if (root / "run/firewalld").is_dir():
        yield "firewalld", "sudo firewall-cmd --add-port={port}/tcp"


def _is_let(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=PATIENCE_S, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _beside(command: list[str]) -> None:
    """Start what ends by itself, and hears nothing of what is typed here."""
    nothing = subprocess.DEVNULL
    started = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    Thread(target=started.wait, daemon=True, name="beside").start()
