"""The contract with programs has a version, which its addresses may name: `/api/v1/games` is `/api/games` by version 1.

It is taken off where a request comes in, so that nothing behind the door knows of two addresses: routes, limits,
quotas, keys, sockets and streams are the same by both. What has no version in it is the newest.
"""

from __future__ import annotations

import re
from typing import Any

CONTRACT = "1"
"""The version (`docs/api.md`): another one only for a change by which a careful program breaks."""
_ADDRESS = re.compile(r"/api/v([0-9]{1,9})(?=/|$)")
_ASKED = "companion.contract"
"""Where the version is in what a request is made of."""


def unversioned(path: str) -> str:
    """Give an address without the version of today's contract."""
    found = _ADDRESS.match(path)
    return f"/api{path[found.end() :]}" if found and found[1] == CONTRACT else path


def take_off(environ: dict[str, Any]) -> None:
    """Shorten the address that a request is for by the version, once."""
    path = environ.get("PATH_INFO", "")
    found = _ADDRESS.match(path)
    if found and _ASKED not in environ:
        environ[_ASKED], environ["PATH_INFO"] = found[1], unversioned(path)


def unknown(environ: dict[str, Any]) -> str:
    """Name the version that was asked for, where there is none such; else ""."""
    asked = str(environ.get(_ASKED, CONTRACT))
    return "" if asked == CONTRACT else asked
