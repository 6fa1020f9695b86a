"""What a socket and a stream say, described by AsyncAPI at `/api/asyncapi.json`: of the same schemas as all else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from companion import __version__
from companion.api import schemas
from companion.contract import CONTRACT
from companion.desk.addresses import our_address
from companion.desk.phone import API
from companion.push.line import GREETING_S

Shape = dict[str, Any]
"""A JSON Schema, or another part of a description."""
ABOUT = (
    "A line to a table that stays open: a WebSocket, on which a program moves and is told what its seat sees, and an "
    "event stream, on which it is only told. What is said here comes upon what /api/openapi.json says of tokens, "
    "keys and `after`. On a socket each message is answered, in the order in which they came; `look` comes "
    "whenever the table moves on. A socket is closed with 1000 when its seat is another's, 1008 when nobody was "
    "let in, 1011 and 1012 when it may come again at once. No order is promised between `look` and an answer."
)
LICENSE = {"name": "MIT", "url": "https://opensource.org/license/mit"}
AROUND = {"license": LICENSE, "tags": [{"name": "Play", "description": "A play, moved on and listened to."}]}
SEAT = {
    "type": "integer",
    "minimum": 0,
    "description": "A seat that the token acts for; left out: what everybody may see.",
}
AUTH = {
    "enum": ["header", "message"],
    "default": "header",
    "description": (
        "message: the token comes as the first message, within "
        f"{GREETING_S} seconds, since a browser lets no program set a header here."
    ),
}
OWN = {"Message": schemas.MessageSchema, "Greeting": schemas.GreetingSchema, "Welcome": schemas.WelcomeSchema}
"""Shapes that nothing but a socket has."""


def asyncapi(openapi: Mapping[str, Any]) -> Shape:
    """Describe sockets and streams, with the shapes of the other description."""
    known = {**openapi["components"]["schemas"], **_own()}
    channels = {"socket": _socket(), "events": _events()}
    told = {
        "asyncapi": "3.0.0",
        "info": {"title": openapi["info"]["title"], "version": __version__, "description": ABOUT, **AROUND},
        "defaultContentType": "application/json",
        "servers": {"sockets": _server("ws"), "streams": _server("http")},
        "channels": channels,
        "operations": _operations(),
        "components": {
            "schemas": {name: _plain(known[name]) for name in sorted(_reached(channels, known))},
            "securitySchemes": openapi["components"]["securitySchemes"],
        },
    }
    return told


def _own() -> dict[str, Shape]:
    """Describe what only a socket says; the move in a message has its `after` beside it."""
    spec = APISpec("", "", "3.1.0", plugins=[MarshmallowPlugin()])
    for name, schema in OWN.items():
        spec.components.schema(name, schema=schema)
    shapes: dict[str, Shape] = spec.to_dict()["components"]["schemas"]
    move = {"allOf": [_schema("Move"), {"not": {"required": ["after"]}}]}
    return {**shapes, "Message": {**shapes["Message"], "properties": {**shapes["Message"]["properties"], "move": move}}}


def _server(protocol: str) -> Shape:
    address = urlsplit(our_address())
    secure = "s" if address.scheme == "https" else ""
    return {"host": address.netloc, "pathname": f"{API}/v{CONTRACT}", "protocol": f"{protocol}{secure}"}


def _socket() -> Shape:
    key = {"type": "string", "description": "As the move had it."}
    any_key = {"description": "As it was sent; null where none could be read."}
    return {
        "address": "/tables/{code}/socket",
        "servers": [{"$ref": "#/servers/sockets"}],
        "parameters": {"code": {"description": "The table's code."}},
        "bindings": {"ws": {"method": "GET", "query": _query(seat=SEAT, auth=AUTH), "bindingVersion": "0.1.0"}},
        "messages": {
            "move": _message("A move, of its own key.", _schema("Message")),
            "greeting": _message("Who is there, where no header says so.", _schema("Greeting")),
            "welcome": _message("The answer to it: a look follows.", _holding(welcome=_schema("Welcome"))),
            "look": _message("What the seat sees; at once, and with every step.", _holding(look=_schema("View"))),
            "ruled": _message("The move was entered.", _holding(key=key, ruled=_schema("Ruled"))),
            "problem": _message("It was not, and why.", _holding(key=any_key, problem=_schema("Problem"))),
        },
    }


def _events() -> Shape:
    nothing = {"const": ""}
    return {
        "address": "/tables/{code}/events",
        "servers": [{"$ref": "#/servers/streams"}],
        "parameters": {"code": {"description": "The table's code."}},
        "messages": {
            "view": _message("The `data` of an event without a name; its `id` is the View's number.", _schema("View")),
            "gone": _message("`event: gone`: the seat is another's, and the stream ends.", nothing),
            "beat": _message("`event: beat`: the line is alive.", nothing),
        },
    }


def _operations() -> Shape:
    return {
        "tell": _operation("send", "socket", ["look"], "Tell what the seat sees, whenever the table moves on."),
        "move": {
            **_operation("receive", "socket", ["move"], "Rule on a move.", ["ruled", "problem"]),
            "security": [_token()],
        },
        "greet": _operation("receive", "socket", ["greeting"], "Let a program in.", ["welcome", "problem"]),
        "listen": {
            **_operation("send", "events", ["view", "gone", "beat"], "Tell what the seat sees, and hear nothing."),
            "bindings": {"http": {"method": "GET", "query": _query(seat=SEAT), "bindingVersion": "0.3.0"}},
        },
    }


def _operation(action: str, channel: str, messages: list[str], about: str, answers: list[str] | None = None) -> Shape:
    """Describe what the companion does on a channel, and how it answers."""

    def named(names: list[str]) -> Shape:
        channel_ref = {"$ref": f"#/channels/{channel}"}
        return {
            "channel": channel_ref,
            "messages": [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in names],
        }

    reply = {"reply": named(answers)} if answers else {}
    return {"action": action, "description": about, **named(messages), **reply}


def _message(summary: str, payload: Shape) -> Shape:
    return {"summary": summary, "payload": payload}


def _holding(**parts: Shape) -> Shape:
    return {"type": "object", "properties": parts, "required": [*parts], "additionalProperties": False}


def _query(**parts: Shape) -> Shape:
    return {"type": "object", "properties": parts}


def _schema(name: str) -> Shape:
    return {"$ref": f"#/components/schemas/{name}"}


def _token() -> Shape:
    return {"$ref": "#/components/securitySchemes/token"}


def _reached(part: Any, known: Mapping[str, Shape]) -> set[str]:
    """Name the shapes that something refers to, and those that these do."""
    found: set[str] = set()
    ahead = [part]
    while ahead:
        fresh = {*_referred(ahead.pop())} - found
        found |= fresh
        ahead += [known[name] for name in fresh]
    return found


def _referred(part: Any) -> Iterator[str]:
    if isinstance(part, Mapping):
        name = str(part.get("$ref", ""))
        if name.startswith("#/components/schemas/"):
            yield name.rpartition("/")[2]
        part = [*part.values()]
    if isinstance(part, list):
        for each in part:
            yield from _referred(each)


def _plain(part: Any) -> Any:
    """Leave out what only OpenAPI understands so: there a discriminator is an object."""
    if isinstance(part, Mapping):
        return {name: _plain(value) for name, value in part.items() if name != "discriminator"}
    return [_plain(each) for each in part] if isinstance(part, list) else part
