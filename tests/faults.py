"""Faults at every step: what a move asks of a disk, or of a database server, fails once, in turn.

`Plan` counts the steps of a move and lets one of them fail. `disk` lays a layer under SQLite through which every write,
sync and cut of a file goes: a VFS around the one that it has, by its public interface. `Relay` stands between psycopg and
PostgreSQL, and carries every word and every answer. The companion knows nothing of either.
"""

from __future__ import annotations

import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ctypes import CDLL, CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p, cast, pointer
from dataclasses import dataclass, field
from importlib.util import find_spec
from inspect import CO_GENERATOR
from pathlib import Path
from select import select
from threading import Thread
from types import FrameType
from typing import Any

from sqlalchemy.engine import make_url

from companion import testing
from tests.databases import Postgres

SOCKET = ".s.PGSQL.5432"
KIT = str(Path(testing.__file__).parent)
"""Which the tests themselves call."""
WRITE, TRUNCATE, SYNC = 778, 1546, 1034
"""What SQLite is told: SQLITE_IOERR_WRITE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_FSYNC."""


@dataclass
class Plan:
    """Which step fails, and what the steps were."""

    fails_at: int = -1
    """Steps count from 0; none fails where there is none of that number."""
    is_on: bool = False
    is_done: bool = False
    """Whether it has failed."""
    steps: list[str] = field(default_factory=list)
    look: Callable[[], object] | None = None

    @contextmanager
    def failing_at(self, step: int, look: Callable[[], object] | None = None) -> Iterator[None]:
        """Count from here, and let one step fail; who looks does so in that moment, when nothing has tidied up yet."""
        self.fails_at, self.is_on, self.is_done, self.look = step, True, False, look
        self.steps.clear()
        try:
            yield
        finally:
            self.is_on = False

    @contextmanager
    def spared(self) -> Iterator[None]:
        """Count nothing meanwhile: it is the test that looks."""
        before, self.is_on = self.is_on, False
        try:
            yield
        finally:
            self.is_on = before

    def fails(self, step: str) -> bool:
        """Note a step, and say whether it is the one that fails."""
        if not self.is_on:
            return False
        self.steps.append(step)
        if len(self.steps) != self.fails_at + 1:
            return False
        self.is_done = True
        if self.look:
            self.look()
        return True

    @property
    def failed(self) -> list[str]:
        """Name what has failed, if anything has."""
        return self.steps[self.fails_at : self.fails_at + 1]


PLAN = Plan()
"""Of this process: the layers lie under all of its databases."""


class Methods(Structure):
    """`sqlite3_io_methods`: what can be done with an open file."""

    _fields_ = [("version", c_int), *((f"x{number}", c_void_p) for number in range(18))]


class File(Structure):
    """`sqlite3_file`, as far as everybody knows it."""

    _fields_ = [("methods", POINTER(Methods))]


class Vfs(Structure):
    """`sqlite3_vfs`: the files of a machine."""


Vfs._fields_ = [
    *(("version", c_int), ("size", c_int), ("longest", c_int), ("next", c_void_p), ("name", c_char_p)),
    *(("data", c_void_p), ("open", c_void_p)),
    *((f"x{number}", c_void_p) for number in range(15)),
]

Opens = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(File), c_int, c_void_p)
Writes = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Truncates = CFUNCTYPE(c_int, c_void_p, c_int64)
Syncs = CFUNCTYPE(c_int, c_void_p, c_int)


class Disk:
    """The files of SQLite, each write, sync and cut of which may fail; a write fails in its middle."""

    def __init__(self) -> None:
        spec = find_spec("_sqlite3")
        assert spec
        assert spec.origin
        # By the module that Python uses itself, so that it is the same library.
        self._library = CDLL(spec.origin)
        self._library.sqlite3_vfs_find.restype = POINTER(Vfs)
        self._library.sqlite3_vfs_find.argtypes = [c_char_p]
        self._library.sqlite3_vfs_register.argtypes = [c_void_p, c_int]
        self._real: Any = self._library.sqlite3_vfs_find(None)
        self._laid = Vfs.from_buffer_copy(self._real.contents)
        self._laid.name = b"companion-faults"
        self._open = Opens(self._opened)
        self._laid.open = cast(self._open, c_void_p).value
        self._methods: dict[int, tuple[Methods, list[Any]]] = {}
        """By where those are that they stand upon; kept, as SQLite keeps no count of them."""
        self._names: dict[int, str] = {}

    @contextmanager
    def laid(self) -> Iterator[None]:
        """Let all files that are opened from now on be of this disk."""
        self._library.sqlite3_vfs_register(byref(self._laid), 1)
        try:
            yield
        finally:
            self._library.sqlite3_vfs_register(self._real, 1)

    def _opened(self, vfs: int, name: int | None, file: Any, flags: int, found: int | None) -> int:
        status = Opens(self._real.contents.open)(vfs, name, file, flags, found)
        if status == 0 and file.contents.methods:
            said = cast(name, c_char_p).value if name else None
            where = cast(file, c_void_p).value
            assert where is not None
            self._names[where] = (said or b"-temporary").decode().rpartition("companion.sqlite")[2] or "database"
            file.contents.methods = pointer(self._upon(file.contents.methods))
        return int(status)

    def _upon(self, real: Any) -> Methods:
        """Make methods that may fail upon real ones."""
        where = cast(real, c_void_p).value
        assert where is not None
        if where not in self._methods:
            own = Methods.from_buffer_copy(real.contents)
            write, truncate, sync = Writes(own.x2), Truncates(own.x3), Syncs(own.x4)

            def writes(file: int, data: int, size: int, at: int) -> int:
                fails = PLAN.fails(f"write {self._names[file]}")
                done = int(write(file, data, size // 2 if fails else size, at))
                return WRITE if fails else done

            def truncates(file: int, size: int) -> int:
                return TRUNCATE if PLAN.fails(f"cut {self._names[file]}") else int(truncate(file, size))

            def syncs(file: int, flags: int) -> int:
                return SYNC if PLAN.fails(f"sync {self._names[file]}") else int(sync(file, flags))

            made = [Writes(writes), Truncates(truncates), Syncs(syncs)]
            own.x2, own.x3, own.x4 = (cast(one, c_void_p).value for one in made)
            self._methods[where] = own, made
        return self._methods[where][0]


class Relay:
    """Stands between the companion and PostgreSQL; a connection may break in it, whichever way a word goes."""

    def __init__(self, folder: Path, database: Postgres) -> None:
        url = make_url(database.address)
        self._real = f"{url.query['host']}/{SOCKET}"
        self.database = Postgres(url.update_query_dict({"host": str(folder)}).render_as_string(hide_password=False))
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / SOCKET))
        self._door.listen()
        Thread(target=self._let_in, daemon=True, name="relay").start()

    def close(self) -> None:
        """Let nobody in any more."""
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _let_in(self) -> None:
        while True:
            try:
                phone, _ = self._door.accept()
            except OSError:
                return
            Thread(target=self._carry, args=(phone,), daemon=True, name="relayed").start()

    def _carry(self, near: socket.socket) -> None:
        """Carry words to the server, and its answers back, until one side has ended or the connection breaks."""
        with near, socket.socket(socket.AF_UNIX) as far, suppress(OSError):
            if PLAN.fails("connect"):
                return
            far.connect(self._real)
            while True:
                for one in select((near, far), (), ())[0]:
                    data = one.recv(1 << 16)
                    if not data or PLAN.fails("word" if one is near else "answer"):
                        return
                    (far if one is near else near).sendall(data)


def as_it_lies(folder: Path, into: Path) -> Path:
    """Copy a database of SQLite as a machine would leave it that died now."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir()
    for ending in ("", "-wal"):
        if (file := folder / f"companion.sqlite{ending}").exists():
            shutil.copy(file, into)
    return into


class Memory:
    """The memory of this thread: there is none for one call of a function, of ours or of any library's."""

    def __init__(self) -> None:
        self.plan = Plan()

    @contextmanager
    def failing_at(self, call: int, under: Path) -> Iterator[None]:
        """Count the calls of functions that lie under a folder, and let one of them fail."""
        place = str(under)

        def called(frame: FrameType, event: str, _about: object) -> None:
            code = frame.f_code
            is_there = code.co_filename.startswith(place) and not code.co_filename.startswith(KIT)
            # One that goes on, as a generator that is closed, asks for none.
            is_there &= not code.co_flags & CO_GENERATOR
            if event == "call" and is_there and self.plan.fails(code.co_qualname):
                raise MemoryError

        with self.plan.failing_at(call):
            sys.setprofile(called)
            try:
                yield
            finally:
                sys.setprofile(None)


DISK = Disk()
MEMORY = Memory()
