"""The pages of a table that live: one seat's, and the spectators' screen."""

from __future__ import annotations

from markupsafe import Markup

from companion.desk.context import Context
from companion.desk.wording import TableFacts


class LivePage(Context):
    """A page whose part is kept fresh by the script."""

    table: TableFacts
    seat: int | None
    number: int
    """Of the newest entry in the part."""
    part: Markup
    part_url: str
    """Where the part is got alone."""
    stream: str
    """Where it comes from whenever the table moves on."""
    line: str
    """Where it comes from as data."""
    templates: str
    """Of the phone's own drawing; "" where the server draws."""
    part_template: str
    """By which the part is drawn."""


class SeatPage(LivePage, template="seat.html"):
    """One seat's page."""

    silence: Markup
    """What it is told of the host, beside the table."""
    return_code: str
    """By which this phone comes back; "" once the game is over."""


class ScreenPage(LivePage, template="screen.html"):
    """The spectators' screen."""

    moved: Markup
    """That the address has changed, if it has."""
