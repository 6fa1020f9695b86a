"""Runs a program as the unit in `docs/deploying/` lets it run: `python -m tests.jail PROGRAM ARGUMENTS`.

Where no systemd has begun everything, nothing can be started by a unit. What the unit says of system calls, of sockets and of
files that are made is done here by the library that systemd does it with, to this process, before it becomes the program.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import socket
import subprocess
import sys
from functools import cache

from tests.nginx import FILES

ALLOW, REFUSE = 0x7FFF0000, 0x00050000
EQUAL = 4
NO_NEW_PRIVILEGES = 38


class Compared(ctypes.Structure):
    """What an argument of a call must be."""

    _fields_ = (("place", ctypes.c_uint), ("how", ctypes.c_int), ("value", ctypes.c_uint64), ("other", ctypes.c_uint64))


def said(name: str) -> list[list[str]]:
    """Read what the unit says by a name, line by line."""
    unit = (FILES / "companion.service").read_text()
    return [line.split() for line in re.findall(rf"^{name}=(.*)$", unit, re.MULTILINE)]


@cache
def sets() -> dict[str, list[str]]:
    """Read what systemd's sets of system calls hold: calls, and other sets."""
    told = subprocess.run(["systemd-analyze", "syscall-filter"], capture_output=True, text=True, check=True).stdout
    found: dict[str, list[str]] = {}
    for line in told.splitlines():
        if line.startswith("@"):
            found[line] = []
        elif line.startswith("    ") and not line.strip().startswith("#"):
            found[[*found][-1]].append(line.strip())
    return found


def calls(name: str) -> set[str]:
    """List the system calls of a set; what is none is one itself."""
    return {call for each in sets()[name] for call in calls(each)} if name.startswith("@") else {name}


def allowed() -> set[str]:
    """List the system calls that the unit allows; those without which nothing can begin are always."""
    always = calls("@default")
    found = set(always)
    for (name,) in said("SystemCallFilter"):
        found = (found - calls(name[1:])) if name.startswith("~") else found | calls(name)
    return found | always


def lock() -> None:
    """Take from this process what the unit takes; there is no way back."""
    library, system = ctypes.CDLL("libseccomp.so.2"), ctypes.CDLL(None)
    library.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(library.seccomp_init(REFUSE | errno.EPERM))

    def add(call: int, *compared: Compared) -> None:
        array = (Compared * len(compared))(*compared)
        assert library.seccomp_rule_add_array(rules, ALLOW, call, len(compared), array) == 0

    for name in sorted(allowed()):
        number = library.seccomp_syscall_resolve_name(name.encode())
        if name == "socket":
            for family in said("RestrictAddressFamilies")[0]:
                add(number, Compared(0, EQUAL, getattr(socket, family), 0))
        elif number >= 0:  # else this kind of machine has no such call
            add(number)
    os.umask(int(said("UMask")[0][0], 8))
    assert system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
    assert library.seccomp_load(rules) == 0


if __name__ == "__main__":
    lock()
    os.execv(sys.argv[1], sys.argv[1:])
