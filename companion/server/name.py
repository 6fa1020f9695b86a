"""A name to type where nobody can scan: `companion.local`, told to the network by mDNS as long as we are there.

The name leads on to the number (`desk/guard.py`): a seat's cookie belongs to one of them, and the QR code has the
number. Where another machine has the name, ours is `companion-2.local`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

KIND = "_http._tcp.local."
MOST = 9
"""So many names are tried; a network with more companions has another kind of evening."""
PATIENCE_MS = 700
"""So long is waited for whoever may have the name."""

log = logging.getLogger("companion")


def is_name(host: str, name: str) -> bool:
    """Say whether a host is one of the names by which we may be known in the network.

    >>> [is_name(host, "companion") for host in ("companion.local", "companion-2.local", "companion.lan")]
    [True, True, False]
    """
    return bool(name) and host in {f"{one}.local" for one in _names(name)}


class LocalName:
    """A name in the network.

    Args:
        name: what is taken if nobody has it: `companion`.
        port: where the companion listens.
        taken: told each name that was taken, with its ending, and our number.
    """

    def __init__(self, name: str, port: int, taken: Callable[[str, str], None]) -> None:
        """Begin without it."""
        self._name, self._port, self._taken = name, port, taken
        self._told: Zeroconf | None = None
        self._lock = Lock()

    def take(self, number: str) -> None:
        """Take the name for this number soon, and no longer for another one; nobody waits for it."""
        Thread(target=self._take, args=(number,), daemon=True, name="name").start()

    def give_back(self) -> None:
        """Tell the network that the name is nobody's any more."""
        with self._lock:
            if self._told:
                with suppress(Exception):  # the network may be gone, and nobody is left to be told
                    self._told.close()
            self._told = None

    def _take(self, number: str) -> None:
        self.give_back()
        try:
            with self._lock:
                name = self._announced(number)
        except Exception:  # whatever a network refuses: the QR code has the number
            log.info("The name could not be told to the network.", exc_info=True)
            return
        if name:
            self._taken(name, number)

    def _announced(self, number: str) -> str:
        """Tell the network the first name that is free; gives it, or "" where none is."""
        from zeroconf import IPVersion, NonUniqueNameException, Zeroconf  # noqa: PLC0415 (it takes a third of a second)

        told = self._told = Zeroconf(interfaces=[number], ip_version=IPVersion.V4Only)
        for name in _names(self._name):
            if not _is_anothers(told, name, number):
                with suppress(NonUniqueNameException):
                    told.register_service(_told(name, number, self._port))
                    return f"{name}.local"
        return ""


def _names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{place}" for place in range(2, MOST + 1))


def _is_anothers(told: Zeroconf, name: str, number: str) -> bool:
    from zeroconf import AddressResolverIPv4  # type: ignore[attr-defined] # noqa: PLC0415 (as above)

    asked = AddressResolverIPv4(f"{name}.local.")
    return bool(asked.request(told, PATIENCE_MS)) and asked.parsed_addresses() != [number]


def _told(name: str, number: str, port: int) -> ServiceInfo:
    from zeroconf import ServiceInfo  # noqa: PLC0415 (as above)

    return ServiceInfo(
        KIND, f"{name}.{KIND}", port, properties={"path": "/"}, server=f"{name}.local.", parsed_addresses=[number]
    )
