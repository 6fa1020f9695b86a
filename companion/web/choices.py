"""This phone's own choices: language, look, the hand that holds it, sounds, and the name of who has it."""

from __future__ import annotations

import re

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.desk import addresses, wording
from companion.desk.context import Context
from companion.desk.phone import NAME, kept, own_name, remember
from companion.errors import BadName
from companion.log.names import clean_name
from companion.words import LANGUAGES

pages = Blueprint("choices", __name__)

WITHIN = re.compile(r"(?=/)(?:/[\w.-]+)*/?")
"""An address of our own: no other host, no way to one."""
CHOICES = {"language": ("", *LANGUAGES), "theme": ("", "light", "dark"), "hand": ("", "left"), "sounds": ("", "on")}
"""What a phone can choose; "" is what the phone itself prefers."""


class SettingsPage(Context, template="settings.html"):
    """This phone's own choices."""

    chosen: dict[str, str]
    """By the names of `CHOICES`."""
    own_name: str
    back: str
    """Where it came from; "" where nobody knows."""
    error: str = ""
    """What is wrong with the name."""


@pages.get("/settings")
def settings_form() -> str:
    """Show what this phone has chosen."""
    chosen = {name: kept(name) for name in CHOICES}
    return SettingsPage(chosen=chosen, own_name=own_name(), back=addresses.came_from()).html()


@pages.post("/settings")
def settings() -> BaseResponse | tuple[str, int]:
    """Keep what this phone chooses, and go back to where it came from; or show what was chosen, and what is wrong."""
    said, back = request.form.get(NAME, ""), request.form.get("back", "")
    try:
        own = clean_name(said) if said.strip() else ""
    except BadName as error:
        chosen = {name: request.form.get(name, "") for name in CHOICES}
        return SettingsPage(chosen=chosen, own_name=said, back=back, error=wording.said(error)).html(), error.status
    answer = redirect(back if WITHIN.fullmatch(back) else url_for("lobby.lobby"), 303)
    for name, allowed in CHOICES.items():
        if (value := request.form.get(name, "")) in allowed:
            remember(answer, name, value)
    remember(answer, NAME, own)
    return answer
