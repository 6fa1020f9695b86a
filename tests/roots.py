"""A bare Debian in a folder, made on the spot, for trials of what is built for one. Needs root, and a mirror of Debian's."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.databases import PATIENCE_S
from tests.house import Client

RELEASE = Path("/etc/os-release")
TRUSTED = Path("/etc/ssl/certs/ca-certificates.crt")
PIP = "[global]\ncert = /etc/ssl/trusted.crt\n"
"""Whom this machine trusts the root trusts, too, when it fetches packages."""
BARE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
WRITABLE = """set -eu
root=$1; shift
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
cp --dereference /etc/resolv.conf "$root/etc/"
"""
"""Shuts a program up in the root, in namespaces of its own, which end with it."""
READ_ONLY = """set -eu
root=$1; kept=$2; shift 2
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$kept" "$root/data"
mount -o remount,bind,ro "$root"
"""
ENTER = 'exec chroot "$@"\n'
APART = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]


@dataclass
class Root:
    """The files of a machine."""

    folder: Path

    def run(self, *command: str, **around: str) -> str:
        """Run a command there, as root; gives what it says."""
        script = ["sh", "-c", WRITABLE + ENTER, "sh", self.folder, self.folder]
        done = subprocess.run(
            [*APART, *script, *command], env={**BARE, **around}, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout

    @contextmanager
    def begun(self, command: Sequence[str], log: Path, around: Mapping[str, str] = BARE) -> Iterator[Path]:
        """Have a server run there; gives the file with what it says."""
        yield from self._begun([WRITABLE + ENTER, "sh", self.folder, self.folder, *command], log, around)

    @contextmanager
    def read_only(self, kept: Path, user: int, command: Sequence[str], around: Mapping[str, str]) -> Iterator[Path]:
        """Have a server run there that can write /tmp, and what is `kept` as /data, and nothing else."""
        shutil.chown(kept, user, user)
        enter = [f"--userspec={user}:{user}", self.folder]
        script = [READ_ONLY + ENTER, "sh", self.folder, kept, *enter, *command]
        yield from self._begun(script, kept.with_suffix(".log"), around)

    def _begun(self, script: Sequence[object], log: Path, around: Mapping[str, str]) -> Iterator[Path]:
        with log.open("wb") as output:
            command = [*APART, "sh", "-c", *map(str, script)]
            process = subprocess.Popen(command, env=dict(around), stdout=output, stderr=output, start_new_session=True)
        try:
            yield log
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def bare_root(folder: Path) -> Iterator[Root]:
    """Make the smallest Debian of this machine's release that has apt."""
    assert os.geteuid() == 0, "this trial makes a Debian, and has to be run by root"
    root = folder / "debian" / "root"
    root.parent.mkdir()
    (release,) = re.findall(r"^VERSION_CODENAME=(\w+)$", RELEASE.read_text(), re.MULTILINE)
    subprocess.run(["mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", release, root], check=True)
    if TRUSTED.exists():
        (root / "etc" / "ssl").mkdir(exist_ok=True)
        shutil.copyfile(TRUSTED, root / "etc" / "ssl" / "trusted.crt")
        (root / "etc" / "pip.conf").write_text(PIP)
    try:
        yield Root(root)
    finally:
        # Not by Python: there are files of many owners, and devices.
        subprocess.run(["rm", "-rf", "--one-file-system", root], check=True)


def wait_for(port: int, log: Path) -> None:
    """Wait until a server answers."""
    give_up = time.monotonic() + PATIENCE_S
    while True:
        assert time.monotonic() < give_up, log.read_text(errors="replace")
        with Client(port, "nobody") as client:
            try:
                client.get("/healthz")
            except OSError:
                time.sleep(0.1)
            else:
                return
