"""The page where a host types the Wi-Fi that guests join first."""

from __future__ import annotations

from flask import Blueprint, current_app, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import wifi, wording
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.desk.wording import TableFacts, facts
from companion.errors import BadWifi, HostOnly, NotThere
from companion.settings import Settings
from companion.tables.seating import Asker

pages = Blueprint("wifi", __name__)


class WifiPage(Context, template="wifi.html"):
    """The Wi-Fi for guests."""

    table: TableFacts
    seat: int | None
    name: str
    """"" while none is kept."""
    qr: Markup
    error: str
    typed: str
    """The name in its field: of the one that is kept, or as it was refused."""
    typed_key: str


@pages.get("/t/<code>/wifi")
def wifi_form(code: str) -> str:
    """Show what is kept, and ask for another."""
    return _page(_host(code))


@pages.post("/t/<code>/wifi")
def keep(code: str) -> BaseResponse | tuple[str, int]:
    """Keep what was typed, or forget it; screens show it at once."""
    asker = _host(code)
    try:
        wifi.keep(_settings(), request.form.get("name", "").strip(), request.form.get("wifi_key", ""))
    except BadWifi as error:
        return _page(asker, wording.said(error)), error.status
    current_app.extensions["companion.lines"].renew()
    return redirect(url_for("wifi.wifi_form", code=asker.table.code), 303)


def _host(code: str) -> Asker:
    asker = asker_at(code)
    if not wifi.is_offered(_settings()):
        raise NotThere
    if not asker.is_host:
        raise HostOnly
    return asker


def _page(asker: Asker, error: str = "") -> str:
    kept, table = wifi.kept(_settings()), asker.table
    return WifiPage(
        table=facts(table, log.read(table).play),
        seat=asker.seat,
        name=kept.name if kept else "",
        qr=wifi.drawn(kept) if kept else Markup(),
        error=error,
        typed=request.form.get("name", kept.name if kept else ""),
        typed_key=request.form.get("wifi_key", ""),
    ).html()


def _settings() -> Settings:
    settings: Settings = current_app.config["COMPANION"]
    return settings
