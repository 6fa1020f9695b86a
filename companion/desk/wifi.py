"""The Wi-Fi that guests have to join before they can scan: kept in a file of this machine, and nowhere else.

It is in no database, log, backup or record; whoever copies the evenings has no key to the house.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass

from flask import current_app
from markupsafe import Markup

from companion.drawing.qr import qr_svg
from companion.errors import BadWifi, NotSaved
from companion.machine.files import written_beside
from companion.settings import Settings

FILE = "wifi.json"
MOST_OF_A_NAME = 32
"""Bytes, by the standard."""
KEYS = range(8, 64)
"""How many characters a key has, by the standard."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """A network at home."""

    name: str
    key: str
    """"" where it is open."""

    @property
    def code(self) -> str:
        r"""Write what phones read.

        >>> print(Wifi("Klub; 2", r"a:b\c,d").code)
        WIFI:T:WPA;S:Klub\; 2;P:a\:b\\c\,d;;
        """
        name, key = _escaped(self.name), _escaped(self.key)
        return f"WIFI:T:WPA;S:{name};P:{key};;" if key else f"WIFI:T:nopass;S:{name};;"


def is_offered(settings: Settings) -> bool:
    """Say whether hosts may type it: at home. Where strangers open tables, one would speak for all."""
    return not settings.proxies and settings.database.startswith("sqlite") and not settings.address.startswith("https:")


def kept(settings: Settings) -> Wifi | None:
    """Give the Wi-Fi that was typed; None where none was, or what was is no more to be read."""
    with suppress(OSError, ValueError, TypeError):
        return Wifi(**json.loads((settings.data / FILE).read_text("utf-8"))) if is_offered(settings) else None
    return None


def keep(settings: Settings, name: str, key: str) -> None:
    """Keep a Wi-Fi, for the eyes of this machine's user alone; without a name, forget it. Raises: BadWifi, NotSaved."""
    if name and not _is_one(name, key):
        raise BadWifi
    file = settings.data / FILE
    try:
        if name:
            written_beside(file, json.dumps(asdict(Wifi(name, key))).encode(), 0o600).replace(file)
        else:
            file.unlink(missing_ok=True)
    except OSError as error:
        raise NotSaved from error


def shown() -> Mapping[str, str] | None:
    """Give what the screen shows of it: its code, drawn, and its name."""
    found = kept(current_app.config["COMPANION"])
    return {"qr": str(drawn(found)), "name": found.name} if found else None


def drawn(wifi: Wifi) -> Markup:
    """Draw its code."""
    return qr_svg(wifi.code, title=wifi.name, keeps_case=True)


def on_paper(settings: Settings) -> Mapping[str, str]:
    """Give what join cards and tents say of it."""
    found = kept(settings)
    return {"wifi": found.code, "network": found.name} if found else {}


def _escaped(text: str) -> str:
    return re.sub(r'([\\;,:"])', r"\\\1", text)


def _is_one(name: str, key: str) -> bool:
    """Say whether there can be such a network."""
    has_key = not key or len(key) in KEYS
    return len(name.encode()) <= MOST_OF_A_NAME and (name + key).isprintable() and has_key
