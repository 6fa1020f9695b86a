"""What not every machine can, and what is done instead: whatever Unix or Linux alone has is asked for here.

Nothing here asks for a system by its name: what is missing is missing, and what stands in its place runs everywhere, so
that it is tried wherever the tests run.
"""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import struct
import subprocess
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio

try:
    import fcntl
    import resource
except ImportError:  # Windows
    HAS_UNIX = False
else:
    HAS_UNIX = hasattr(os, "fork")
"""Whether gunicorn runs here, which starts processes by forking."""

CAN_PASS_ON = hasattr(socket, "SOCK_SEQPACKET") and hasattr(socket, "MSG_CMSG_CLOEXEC")
"""Whether processes can give each other connections, each in one piece: Linux. Elsewhere any worker answers for
any table."""

M_ARENA_MAX = -8
"""What glibc's `mallopt` calls the number of places that it takes memory from (`malloc.h`)."""

steady: Callable[[], float] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)
"""Count seconds that nobody sets; on Linux those that the machine sleeps, too."""

Release = Callable[[], None]
"""Gives back what is held."""

Result = TypeVar("Result")


def with_room(call: Callable[[], Result]) -> Result:
    """Make a call beneath which others may lie deep, each as quick as the next.

    CPython takes memory for the calls under way in pieces of 16 kB, and up to 3.12 it gives a piece back at once: a
    loop at the end of one takes another at each turn, which costs more than most calls (its issue 142183). Where a call
    says that it needs much, the piece is large, and what it leaves serves all those beneath it.
    """
    return call()


# Half a megabyte of places for values; the piece is twice as large.
with_room.__code__ = with_room.__code__.replace(co_stacksize=1 << 16)


def hold(file: Path, *, is_shared: bool) -> Release:
    """Hold a file, alone or among those who share it, until this process ends, or releases it.

    Raises:
        BlockingIOError: somebody else holds it.
        OSError: it cannot be written.
    """
    held = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    if not HAS_UNIX:
        os.close(held)
        return _hold_by_sqlite(file, is_shared)
    try:
        fcntl.flock(held, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise
    os.set_inheritable(held, True)  # `serve` becomes the server
    return lambda: os.close(held)


def _hold_by_sqlite(file: Path, is_shared: bool) -> Release:
    """Hold it as SQLite holds its files: it knows how on every system. Nothing is written to it."""
    connection = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN" if is_shared else "BEGIN EXCLUSIVE")
        with closing(connection.execute("SELECT count(*) FROM sqlite_schema")) as asked:
            asked.fetchone()
    except sqlite3.OperationalError as problem:
        connection.close()
        raise BlockingIOError(str(problem)) from None
    return connection.close


def is_own(found: os.stat_result) -> bool:
    """Say whether a file is this user's; where files have no such owner, it is not for us to say who may read it."""
    return hasattr(os, "geteuid") and found.st_uid == os.geteuid()


def open_many_files() -> None:
    """Allow this process as many open files as the system allows: each connection is one."""
    if HAS_UNIX:
        _soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):  # macOS says "unlimited", and means less
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def in_memory() -> str | None:
    """Name the folder whose files lie in memory; None where there is none that can be written to."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None  # noqa: S108 (what is put there has a name that nobody guesses)


def bound_memory(memory_bytes: int) -> None:
    """Let this process have no more memory, where the system keeps count: macOS does not, nor does Windows."""
    if HAS_UNIX:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def take_memory_together() -> None:
    """Let all threads take memory from two places; glibc has up to eight for each core, and holes in all of them.

    Only what has not begun to take any elsewhere heeds this: a process calls it before it has threads.
    """
    _of_library("mallopt", M_ARENA_MAX, 2)


def give_back_memory() -> None:
    """Give the system what this process needed for a while: glibc keeps it.

    What stays lies between what is gone; so without this a server has, for days, as much as it ever needed at once.
    """
    _of_library("malloc_trim", 0)


def _of_library(function: str, *arguments: int) -> None:
    """Call what glibc has, where it is that library."""
    if HAS_UNIX:
        import ctypes  # noqa: PLC0415 (most who ask this machine for something do not need it)

        with suppress(AttributeError):  # macOS, musl
            getattr(ctypes.CDLL(None), function)(*arguments)


def apart() -> dict[str, Any]:
    """Give what starts a process that the terminal's Ctrl-C does not reach."""
    if HAS_UNIX:
        return {"start_new_session": True}
    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def ends_with_its_window() -> bool:
    """Say whether this process was started in a window, and not by `nohup`, which says that it shall outlive it."""
    return has_terminal() and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN


def has_terminal() -> bool:
    """Say whether this process has a terminal that is still there: a window that was closed is none."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR))
    except OSError:
        return False
    return True


def put_off_interrupts() -> None:
    """Put Ctrl-C off until it is heard again, for whoever is started meanwhile or takes this process over, too."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])


def hear_interrupts() -> None:
    """Hear Ctrl-C again, and what was put off of it; where nobody has said what it does, it ends us without a word."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def new_loop() -> asyncio.AbstractEventLoop:
    """Make the loop that connections wait in: by libuv where that is, which takes an eighth less for each tap."""
    try:
        from uvloop import new_event_loop  # noqa: PLC0415 (most who ask this machine for something do not need it)
    except ImportError:  # Windows, 32 bits
        import asyncio  # noqa: PLC0415

        return asyncio.new_event_loop()
    return new_event_loop()


def claim_port(probe: socket.socket) -> None:
    """Let a socket have a port that was just given back, but none that somebody listens at."""
    # Windows would share that one, too, and has another word for what is meant.
    kind = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    probe.setsockopt(socket.SOL_SOCKET, kind, 1)


def bound_reading(sock: socket.socket, patience_s: int) -> None:
    """Wait only so long for what a socket reads, in whatever size this system writes seconds. Raises: OSError."""
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", patience_s, 0))
    except OSError:  # 32 bits, with a clock of 64
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("qq", patience_s, 0))
