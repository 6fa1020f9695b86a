"""What those are told whom the operator has named, once a game has ended: its result, signed, until it is taken."""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime
from hashlib import sha256
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from apispec import APISpec
from flask import Flask
from marshmallow import Schema, fields
from marshmallow.validate import OneOf

from companion import log
from companion.api.schemas import PlaceSchema, doc
from companion.games import known
from companion.log import Table, tellings
from companion.log.tellings import Untold
from companion.push import webhooks
from companion.record import winners
from companion.settings import Settings, Webhook

LOOK_S = 2.0
"""Seconds between looks for games that have ended."""
ENDED = "game.ended"
TOLD = (
    "A game has ended: posted to the addresses in `COMPANION_WEBHOOKS`, signed as Standard Webhooks has it. Whoever "
    "does not answer 2xx is told again, after a minute and ever longer pauses, for a day. A game whose result is "
    "corrected, or that went on and has ended anew, is told again: another message, with another `timestamp`."
)
SIGNED = {
    "webhook-id": "The same at every try: who has heard it already lets it go.",
    "webhook-timestamp": "Seconds since 1970, of this try: what is older than some minutes is somebody else's.",
    "webhook-signature": "`v1,` and in base64 the HMAC-SHA256 of `{id}.{timestamp}.{body}` by the key.",
}

logger = logging.getLogger("companion")


class EndSchema(Schema):
    """A game that has ended."""

    table = fields.Str(required=True, metadata=doc("The table's code."))
    game = fields.Str(required=True)
    rules = fields.Int(required=True, metadata=doc("The version of the game's rules by which it was played."))
    opened = fields.Str(required=True, metadata=doc("UTC, ISO 8601."))
    standing = fields.List(fields.Nested(PlaceSchema), required=True, metadata=doc("As it was ruled then."))
    winners = fields.List(fields.Int(), required=True, metadata=doc("Seats; [] where all have lost."))
    summary = fields.Dict(keys=fields.Str(), required=True)


class EndedSchema(Schema):
    """What is posted when a game has ended."""

    type = fields.Str(required=True, validate=OneOf([ENDED]))
    timestamp = fields.Str(required=True, metadata=doc("When its last move was made; UTC, ISO 8601."))
    data = fields.Nested(EndSchema, required=True)


class Teller:
    """Tells one receiver, in a thread of its own: no move waits for it, nor does another receiver."""

    def __init__(self, app: Flask, webhook: Webhook) -> None:
        """Take whose games it tells of, and whom."""
        self._app, self._webhook = app, webhook
        self._receiver = sha256(webhook.address.encode()).hexdigest()
        self._is_troubled = False

    def start(self) -> None:
        """Begin."""
        Thread(target=self._go_on, daemon=True, name="webhook").start()

    def look(self, at: datetime) -> bool:
        """Tell what has waited for longest, if anything is due. Raises: what the database does."""
        with self._app.app_context():
            tellings.note(self._receiver, at)
            untold = tellings.first_due(self._receiver, at)
            if untold and (ours := tellings.take_on(untold, at)):
                self._tell(ours, at)
            return untold is not None

    def _go_on(self) -> None:
        while True:
            try:
                while self.look(datetime.now(UTC)):
                    pass
                self._is_troubled = False
            except Exception:  # the database is away; it is said once, and then waited for
                if not self._is_troubled:
                    logger.exception("The outbox of webhooks cannot be read; it is tried again.")
                self._is_troubled = True
            time.sleep(LOOK_S)

    def _tell(self, untold: Untold, at: datetime) -> None:
        table = tellings.table_of(untold)
        said = ended(table) if table else {}
        log.rest()  # who waits for a receiver holds no connection
        body = json.dumps(said, ensure_ascii=False).encode()
        if not table or webhooks.post(self._webhook, name_of(table.code, untold.ended), body, at):
            tellings.end(untold)
            return
        # The rest of an address may be secret.
        host = urlsplit(self._webhook.address).netloc
        if untold.due is None:
            logger.warning("%s did not take for a day that table %s has ended; it is given up.", host, table.code)
        elif untold.tries == 1:
            logger.warning("%s did not take that table %s has ended; it is tried again for a day.", host, table.code)


def ended(table: Table) -> dict[str, Any]:
    """Tell of a game that has ended: the result as it was ruled, and nothing by which one comes in or acts."""
    ruled = table.result or {"standing": [], "summary": {}}
    data = {
        "table": table.code,
        "game": table.game,
        "rules": table.rules,
        "opened": table.opened,
        "standing": ruled["standing"],
        "winners": winners(known(table.game), ruled),
        "summary": ruled["summary"],
    }
    return {"type": ENDED, "timestamp": table.closed, "data": data}


def name_of(code: str, closed: str) -> str:
    """Name a message, so that it is the same at every try and for every receiver."""
    return f"end_{sha256(f'{code} {closed}'.encode()).hexdigest()[:32]}"


def init_app(app: Flask) -> None:
    """Have a teller for each receiver; the server starts them."""
    settings: Settings = app.config["COMPANION"]
    app.extensions["companion.tellers"] = [Teller(app, webhook) for webhook in settings.webhooks]


def describe(spec: APISpec) -> None:
    """Describe what is posted."""
    spec.components.schema("Ended", schema=EndedSchema)
    signed = [
        {"in": "header", "name": name, "required": True, "schema": {"type": "string"}, "description": text}
        for name, text in SIGNED.items()
    ]
    body = {"application/json": {"schema": {"$ref": "#/components/schemas/Ended"}}}
    operation = {
        "operationId": "game_ended",
        "summary": "Be told that a game has ended.",
        "description": TOLD,
        "tags": ["api-evenings"],
        "security": [],
        "parameters": signed,
        "requestBody": {"required": True, "content": body},
        "responses": {"2XX": {"description": "It was taken, and is not told again."}},
    }
    spec.options["webhooks"] = {ENDED: {"post": operation}}
