"""One socket for a whole evening: a program sends its moves there, and is sent what its seat sees.

The same path as a post and a stream, without an address, a header and a token to read for each move. A move is
`{"key": "…", "after": 41, "move": {"move": "bid", "seat": 0, "tricks": 3}}`; it is answered with its key, and `ruled`
or `problem`. Whenever the table moves on, `look` comes. All of them are as the description has them.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Flask, Response, request
from flask_babel import force_locale
from marshmallow import ValidationError

from companion.api import schemas
from companion.api.asking import own_seat
from companion.api.description import first_complaint, problem_of
from companion.api.encoding import encoded
from companion.api.play import look, ruled
from companion.desk.asking import asker_at
from companion.desk.keys import KEY_LENGTH
from companion.desk.listening import Write
from companion.desk.phone import API
from companion.desk.talking import Message, Ruling, Talker, upgraded
from companion.errors import Malformed, Told
from companion.fields import whole
from companion.game import Refused
from companion.log import Reading
from companion.tables.seating import Asker

pages = Blueprint("api-socket", __name__, url_prefix=API)
_MESSAGE = schemas.MessageSchema()


def init_app(app: Flask) -> None:
    """Let programs open sockets."""
    app.register_blueprint(pages)


class Program(Talker):
    """A program at a table."""

    def __init__(self, asker: Asker, seat: int | None) -> None:
        """Begin with nothing told."""
        super().__init__(asker, seat, _look(seat))

    def message(self, data: Any) -> Message:
        """Read a message. Raises: Malformed."""
        if not _is_plain(data):
            try:
                data = _MESSAGE.load(data)
            except ValidationError as error:
                place, reason = first_complaint(error.messages)
                raise Malformed(place=place, reason=reason) from None
        return Message(data["key"], data.get("after"), data["move"])

    def answer(self, key: Any, ruling: Ruling) -> str:
        """Write the answer, in the reader's language."""
        if isinstance(ruling, Reading):
            with force_locale(self.language):
                return encoded({"key": key, "ruled": ruled(self.asker(), ruling)})
        with self.as_then():
            problem = ruled(self.asker(), ruling) if isinstance(ruling, Refused) else problem_of(ruling)
            assert isinstance(problem, Response)
            return encoded({"key": key, "problem": problem.get_json()})


def _look(seat: int | None) -> Write:
    return lambda asker, reading: f'{{"look":{encoded(look(asker, seat, reading))}}}'


@pages.get("/tables/<code>/socket", websocket=True)
def open_socket(code: str) -> Response:
    """Hand the connection over to the lines.

    Raises:
        NoToken, NoSuchTable, NotYours, Full, BadRequest, UNRULED.
    """
    asker = asker_at(code)
    seat = whole(request.args.get("seat"))
    if isinstance(seat, str):
        raise Malformed(place="seat", reason=Told("Not a whole number."))
    return upgraded(Program(asker, own_seat(asker, seat)))


def _is_plain(message: Any) -> bool:
    """Say whether a message is right at first sight; what is wrong with another one, its schema says."""
    return (
        type(message) is dict
        and message.keys() == {"key", "after", "move"}
        and type(message["key"]) is str
        and 1 <= len(message["key"]) <= KEY_LENGTH
        and type(message["after"]) is int
        and 0 <= message["after"] < schemas.BEYOND
        and type(message["move"]) is dict
    )
