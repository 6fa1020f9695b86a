"""Telling other programs, by a signed post to an address that the operator has set: a webhook.

Signed as Standard Webhooks has it, so that receivers need no code of their own for that.
"""

from __future__ import annotations

import base64
import hmac
import socket
from contextlib import suppress
from datetime import datetime
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from urllib.parse import urlsplit

from companion import __version__
from companion.settings import Webhook

STEP_S, WHOLE_S = 10.0, 30.0
"""How long a receiver may be silent, and how long it may take in all."""


def headers(webhook: Webhook, name: str, body: bytes, at: datetime) -> dict[str, str]:
    """Sign a message: who has the key knows that it is ours, that nothing was changed, and when it was sent.

    Args:
        webhook: whose key it is.
        name: of the message, the same at every try.
        body: what it says.
        at: now, so that an old message that somebody repeats is known.
    """
    moment = str(int(at.timestamp()))
    signature = hmac.digest(webhook.key, f"{name}.{moment}.".encode() + body, "sha256")
    return {
        "Content-Type": "application/json",
        "User-Agent": f"companion/{__version__}",
        "webhook-id": name,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }


def post(webhook: Webhook, name: str, body: bytes, at: datetime) -> bool:
    """Tell a receiver; say whether it took it (2xx). Where it points elsewhere (3xx), nobody goes."""
    parts = urlsplit(webhook.address)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=STEP_S)
    watch = Timer(WHOLE_S, _cut, [connection])
    watch.daemon = True
    watch.start()
    try:
        connection.request(
            "POST", parts._replace(scheme="", netloc="").geturl() or "/", body, headers(webhook, name, body, at)
        )
        return connection.getresponse().status in range(200, 300)
    except (OSError, HTTPException, ValueError):
        return False
    finally:
        watch.cancel()
        connection.close()


def _cut(connection: HTTPConnection) -> None:
    """Cut off who answers a letter at a time."""
    with suppress(OSError):
        if connection.sock:
            connection.sock.shutdown(socket.SHUT_RDWR)
