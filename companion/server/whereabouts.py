"""Where phones reach the companion: this machine's own address, which its network may change in mid-evening."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from ipaddress import ip_address
from threading import Lock, Thread
from urllib.parse import urlsplit

from companion.settings import Settings, own_address

LOOK_S = 2.0
"""How often it is looked whether the address is another."""
FRESH_S = 1.0
"""So long nobody looks again."""
TOLD_S = 30 * 60
"""For so long pages say that it has changed."""

log = logging.getLogger("companion")


class Whereabouts:
    """The address for other phones, as it was found last.

    Args:
        settings: those of the companion; an address that is set there never changes.
        find: finds this machine's own.
    """

    def __init__(self, settings: Settings, find: Callable[[], str] | None = None) -> None:
        """Look for the first time when somebody asks."""
        self._is_set = bool(settings.address)
        self._find = find or (lambda: own_address(settings.port, settings.network))
        self._address = settings.address
        self._looked = self._moved = float("-inf")
        self._lock = Lock()

    @property
    def address(self) -> str:
        """The address, without a slash at the end."""
        if time.monotonic() > self._looked + FRESH_S:
            self.look()
        return self._address

    @property
    def host(self) -> str:
        """The number in it, or the name."""
        return urlsplit(self.address).hostname or ""

    @property
    def is_nowhere(self) -> bool:
        """Whether this machine is in no network."""
        return not self._is_set and _is_nowhere(self.address)

    @property
    def has_moved(self) -> bool:
        """Whether it has changed lately: who is asked may have lost their seat by that."""
        return time.monotonic() < self._moved + TOLD_S

    def look(self) -> bool:
        """Look where we are; say whether that is somewhere else. While there is no network, it stays as it was."""
        if self._is_set:
            return False
        with self._lock:
            before, found = self._address, self._find()
            self._looked = time.monotonic()
            if before in {"", found} or _is_nowhere(found):
                self._address = before or found
                return False
            self._address = found
            if not _is_nowhere(before):
                self._moved = time.monotonic()
            return True

    def watch(self, moved: Callable[[], None]) -> None:
        """Tell from now on, in a thread of its own, whenever the address is another."""
        if not self._is_set:
            Thread(target=self._watch, args=(moved,), daemon=True, name="whereabouts").start()

    def _watch(self, moved: Callable[[], None]) -> None:
        told = self.address
        while True:
            time.sleep(LOOK_S)
            try:
                if (address := self.address) != told:
                    told = address
                    moved()
            except Exception:  # whatever it is, the next address has to be told
                log.exception("The address has changed, and not everybody could be told.")


def _is_nowhere(address: str) -> bool:
    """Say whether only this machine itself gets there."""
    return ip_address(urlsplit(address).hostname or "::1").is_loopback
