"""The operator's page: how the server is, for who has the token of `COMPANION_OPERATOR`; without it there is no page.

The token is typed into a form and stands in no address. What the browser keeps of it is a sign that we have made, good
for this page and for some hours: nobody guesses that, and the tokens that are typed are counted as codes are.
"""

from __future__ import annotations

import hmac
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import compare_digest

from babel.dates import format_timedelta
from babel.numbers import format_decimal
from flask import Blueprint, current_app, g, redirect, request, url_for
from flask_babel import get_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from companion import __version__
from companion.desk import health
from companion.desk.context import Context
from companion.desk.dates import day_and_clock
from companion.desk.guard import limited_at_home
from companion.desk.phone import forget, kept, remember
from companion.errors import Away, NotSaved, NotThere, PrinterDown
from companion.game import N_
from companion.games import GAMES
from companion.intake import MOST_DIGITS
from companion.metrics import Figures
from companion.settings import Settings

pages = Blueprint("operator", __name__)

COOKIE = "operator"
LIFE_S = 12 * 3600
"""So long a browser need not be told the token again."""
EVERY_S = 5
"""The page renews itself so often."""
MOST = 12
"""So many refusals are listed."""
SCARCE = 0.05
"""Of a disk, what is left when somebody should look."""
QUOTAS = {
    "tables": N_("Tables and groups opened"),
    "records": N_("Records brought"),
    "sheets": N_("Sheets printed or looked at"),
    "books": N_("Statistics and spreadsheets"),
    "busy": N_("The same asked for by many at once"),
    "bringing": N_("Files on their way at once"),
    "late": N_("Files that took too long"),
    "listening": N_("Pages open at once"),
    "streams": N_("All places for phones taken"),
    "guesses": N_("Wrong codes"),
}
"""What there can be too much of, by the names of the figures."""
ERRORS = {kind.key: kind.title for kind in (Away, NotSaved, PrinterDown)}


@dataclass(frozen=True, slots=True)
class Line:
    """A figure, as it is read."""

    name: str
    told: str
    more: str = ""
    """What it is of, or over."""
    is_worry: bool = False
    """Whether somebody should look."""


@dataclass(frozen=True, slots=True)
class Counted:
    """How often something happened."""

    name: str
    count: str
    code: str = ""
    """As the figures and the server's log name it."""


class OperatorPage(Context, template="operator.html"):
    """How the server is."""

    is_well: bool
    """Whether nobody need look."""
    tables: list[Line]
    ground: list[Line]
    work: list[Line]
    refusals: list[Counted]
    quotas: list[Counted]
    errors: list[Counted]
    version: str
    since: str
    every_s: int


class TokenPage(Context, template="token.html"):
    """The way to the operator's page."""

    is_wrong: bool
    """Whether a token was typed that is none."""


@pages.get("/operator")
def page() -> str | tuple[str, int]:
    """Show how the server is, to who has typed the token."""
    if not _is_known(_token()):
        return TokenPage(is_wrong=False).html(), 403
    return _page(health.figures()).html()


@pages.post("/operator")
def come() -> BaseResponse | tuple[str, int]:
    """Take the token, and keep on the browser that it was right."""
    token = _token()
    if not _is_right(token):
        return TokenPage(is_wrong=True).html(), 403
    answer = redirect(url_for("operator.page"), 303)
    until = int(time.time()) + LIFE_S
    remember(answer, COOKIE, f"{until}.{_sign(token, until)}", path=url_for("operator.page"), life_s=LIFE_S)
    return answer


@pages.post("/operator/leave")
def leave() -> BaseResponse:
    """Forget on this browser that the token was right."""
    _token()
    answer = redirect(url_for("operator.page"), 303)
    forget(answer, COOKIE, url_for("operator.page"))
    return answer


def _token() -> str:
    """Give the token. Raises: NotThere, where there is none, and so no such page."""
    settings: Settings = current_app.config["COMPANION"]
    if not settings.operator:
        raise NotThere
    return settings.operator


@limited_at_home
def _is_right(token: str) -> bool:
    """Say whether the token was typed; a wrong one counts as a guess. Raises: TooManyRequests."""
    typed = request.form.get("token", "").strip()
    is_right = compare_digest(typed.encode(errors="replace"), token.encode(errors="replace"))
    if not is_right:
        g.is_miss = True
    return is_right


def _is_known(token: str) -> bool:
    """Say whether the browser has brought a sign of ours, for this token and this time."""
    until, _dot, sign = kept(COOKIE, url_for("operator.page")).partition(".")
    if not (until.isascii() and until.isdecimal() and len(until) <= MOST_DIGITS):
        return False
    is_ours = compare_digest(sign.encode(errors="replace"), _sign(token, int(until)).encode())
    return is_ours and time.time() < int(until)


def _sign(token: str, until: int) -> str:
    settings: Settings = current_app.config["COMPANION"]
    said = f"operator {until} {token}".encode(errors="surrogateescape")
    return hmac.new(settings.secret, said, sha256).hexdigest()


def _page(figures: Figures) -> OperatorPage:
    refusals = figures.by("companion_refusals_total", "game", "rule")
    started = figures.known("companion_start_time_seconds") or time.time()
    ground = _ground(figures)
    return OperatorPage(
        is_well=not any(line.is_worry for line in ground),
        tables=_tables(figures),
        ground=ground,
        work=_work(figures),
        refusals=[
            Counted(GAMES[game].name if game in GAMES else game, _whole(count), rule)
            for (game, rule), count in refusals[:MOST]
        ],
        quotas=_named(figures, "companion_quotas_total", QUOTAS),
        errors=_named(figures, "companion_errors_total", ERRORS),
        version=__version__,
        since=day_and_clock(datetime.fromtimestamp(started, UTC)),
        every_s=EVERY_S,
    )


def _tables(figures: Figures) -> list[Line]:
    moves = figures.total("companion_moves_total", kind="move")
    rate, over_s = health.moves_a_second(moves)
    return [
        Line(_("Tables with phones"), _whole(figures.total("companion_tables"))),
        Line(_("Phones connected"), _whole(figures.total("companion_phones"))),
        Line(_("Moves a second"), _decimal(rate), _("over the last %(time)s", time=_span(over_s))),
        Line(_("Moves since the start"), _whole(moves)),
        Line(_("Tables opened since the start"), _whole(figures.total("companion_opened_total"))),
    ]


def _ground(figures: Figures) -> list[Line]:
    return [
        _answering(_("Database"), figures, "database"),
        Line(_("Until a move is kept"), _mean(figures, "companion_commit_seconds"), _("on average")),
        _answering("Redis", figures, "redis"),
        _room(figures),
        Line(_("Processes"), _whole(figures.total("companion_workers"))),
    ]


def _room(figures: Figures) -> Line:
    """Say how much is left on the disk."""
    free, size = (figures.known(f"companion_disk_{name}_bytes") for name in ("free", "size"))
    if free is None or size is None:
        return Line(_("Room on the disk"), _("does not answer"), is_worry=True)
    of_all = _("left of %(size)s", size=_gigabytes(size))
    return Line(_("Room on the disk"), _gigabytes(free), of_all, free < SCARCE * size)


def _work(figures: Figures) -> list[Line]:
    drawn, printed = "companion_render_seconds", "companion_sheet_seconds"
    return [
        Line(_("Pages drawn"), _whole(figures.total(f"{drawn}_count")), _each(figures, drawn)),
        Line(_("Sheets printed"), _whole(figures.total(f"{printed}_count")), _each(figures, printed)),
        Line(_("Sheets that wait"), _whole(figures.total("companion_printing"))),
    ]


def _answering(name: str, figures: Figures, what: str) -> Line:
    """Say whether something answers."""
    is_there, took_s = figures.known(f"companion_{what}_up"), figures.known(f"companion_{what}_seconds")
    if is_there is None:
        return Line(name, "–", _("not used"))
    if took_s is None:
        return Line(name, _("does not answer"), is_worry=True)
    return Line(name, _milliseconds(took_s), _("until it answers"))


def _named(figures: Figures, name: str, names: dict[str, str]) -> list[Counted]:
    counted = figures.by(name, "kind")
    return [Counted(_(names.get(kind, N_("Something broke"))), _whole(count), kind) for (kind,), count in counted]


def _each(figures: Figures, name: str) -> str:
    mean = _mean(figures, name)
    return _("%(time)s each", time=mean) if mean != "–" else ""


def _mean(figures: Figures, name: str) -> str:
    """Say how long something took on average; a dash where it has not happened."""
    count = figures.total(f"{name}_count")
    return _milliseconds(figures.total(f"{name}_sum") / count) if count else "–"


def _whole(number: float) -> str:
    return str(format_decimal(round(number), locale=get_locale()))


def _decimal(number: float) -> str:
    return str(format_decimal(number, "#,##0.0", locale=get_locale()))


def _milliseconds(seconds: float) -> str:
    return f"{_decimal(1000 * seconds)}\N{NO-BREAK SPACE}ms"


def _gigabytes(number: float) -> str:
    return f"{_decimal(number / 1e9)}\N{NO-BREAK SPACE}GB"


def _span(seconds: float) -> str:
    return str(format_timedelta(timedelta(seconds=round(seconds)), threshold=1.5, format="short", locale=get_locale()))
