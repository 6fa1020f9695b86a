"""What the network is told, and who has started the server: where it is, by which name, and that it has moved."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.server.name import LocalName
from companion.server.surroundings import open_page
from companion.settings import Settings

if TYPE_CHECKING:
    from flask import Flask

    from companion.server.tls_proxy import Front
    from companion.server.whereabouts import Whereabouts

NOTES, OPENED = "COMPANION_NOTES", "COMPANION_OPENED"
"""By what `serve` tells the worker what else to say, and which page to open on this computer; no settings."""
BACK = "Phones scan this code, and take their seats back by the return code that stands in the menu of their page."


class Presence:
    """A worker's word to the world.

    Args:
        app: of the worker.
        front: its secure door, if it has one.
        is_first: whether it is the first of all: one greeting is enough.
        is_speaker: whether it tells the network the name, and the terminal what changes.
    """

    def __init__(self, app: Flask, front: Front | None, *, is_first: bool, is_speaker: bool) -> None:
        """Begin in silence."""
        self._app, self._front = app, front
        self._settings: Settings = self._app.config["COMPANION"]
        self._here: Whereabouts = self._app.extensions["companion.whereabouts"]
        self._is_first, self._is_speaker = is_first, is_speaker
        self._name = LocalName(self._settings.name, self._settings.port, self._named)
        self._is_named = False

    def begin(self) -> None:
        """Say where the companion is, tell the network its name, and watch whether it moves."""
        self._here.watch(self._moved)
        if self._is_first:
            self._greet()
        self._take_name()

    def end(self) -> None:
        """Give the name back."""
        self._name.give_back()

    def _take_name(self) -> None:
        if self._is_speaker and self._settings.name and not self._settings.address and not self._here.is_nowhere:
            self._name.take(self._here.host)

    def _named(self, name: str, number: str) -> None:
        """Say by which name the companion is found, once; the certificate has it, too."""
        self._certify(number, name)
        if not self._is_named:
            _say([f"To type: http://{name}:{self._settings.port}"])
        self._is_named = True

    def _moved(self) -> None:
        """Say that the address is another: in the certificate, to pages that are still heard, and in the terminal."""
        address = self._here.address
        self._certify(self._here.host)
        self._app.extensions["companion.lines"].renew()
        if self._is_speaker:
            _say([*_code(address), f"The address has changed: the companion is at {address} now.", BACK])
        self._take_name()

    def _certify(self, *hosts: str) -> None:
        """Let the certificate of the companion's own name these hosts."""
        if self._front and self._settings.has_own_authority:
            from companion.server.certificates import identity, own_hosts  # noqa: PLC0415 (most have no such door)

            identity(self._settings.authority, own_hosts(*hosts))
            self._front.show()

    def _greet(self) -> None:
        """Say where the companion is, and where it keeps its tables; open the first page where that is wanted."""
        from companion import log  # noqa: PLC0415 (whoever stops a server needs no database)

        settings, address = self._settings, self._here.address
        said = [*_code(address), f"The companion is at {address}", "Stop it with Ctrl-C."]
        if settings.https:
            said.append(f"Secure: {settings.secure_address} (how phones trust it: {address}/trust)")
        with self._app.app_context():
            said.append(f"Tables are kept in {log.place()}, the secret key in {settings.data}")
        _say([*said, *filter(None, [os.environ.pop(NOTES, "")])])
        if opened := os.environ.pop(OPENED, ""):
            open_page(opened)


def _code(address: str) -> list[str]:
    from companion.drawing.qr import qr_terminal  # noqa: PLC0415 (most workers have said it)

    return [qr_terminal(address), ""]


def _say(lines: list[str]) -> None:
    for line in lines:
        with suppress(OSError, UnicodeError):  # a terminal that is gone, or lacks the signs of one, is told the others
            print(line, flush=True)
