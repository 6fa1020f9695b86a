"""What templates read is what they are given: every page its record, every live part what it is told, every sheet."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import get_type_hints

import pytest
from jinja2 import nodes

from companion import api, web
from companion.desk.context import Context, Everywhere
from companion.games import GAMES
from companion.printing import EVENING, items
from companion.printing.around import Certificate, PlaceCards, SeasonSheet, Stickers, TournamentSheet
from companion.printing.bound import BoundBook, BoundStatistics
from companion.printing.items import JoinCard, JoinTent
from companion.printing.result import ResultPicture
from companion.printing.rules import OtherSide, RuleCards, RuleLeaf
from companion.printing.sheet import Frame
from companion.web.live_part import GIVEN, LivePart, PlainPart, ScreenPart
from tests.test_templates import ROOT, named_by, parsed, read, stored

assert api, web  # whose records are asked for
PAGES, SHEETS = ROOT / "templates", ROOT / "printables"
EVERYWHERE = {PAGES: set(Everywhere.__annotations__), SHEETS: set(Frame.__annotations__)}
LIVE = {"seat.html": set(LivePart.__annotations__), "screen.html": set(ScreenPart.__annotations__)}
SAY = {"say"}
"""Which a live part is given to speak with."""
OPTIONAL = {"faces", "is_upright", "is_few", "leaves"}
"""What `cards.html` and `pad.html` can do without."""
ALONE = {"service-worker.js", "silence.html", "moved.html"}
"""What has a record, and is no page."""
DRAWN_BY = {"desk/context.py", "web/parts.py"}
"""What calls Flask's `render_template`."""


def records(kind: type[Context] = Context) -> Iterator[type[Context]]:
    """Find the records of all pages."""
    for each in kind.__subclasses__():
        yield from [each] if hasattr(each, "template") else []
        yield from records(each)


RECORDS = {kind.template: kind for kind in records()}
PRINTED = {
    **{"join_card": JoinCard, "join_tent": JoinTent, "rule_card": RuleLeaf, "rule_cards": RuleCards},
    **{"place_cards": PlaceCards, "stickers": Stickers, "certificate": Certificate, "season_sheet": SeasonSheet},
    "tournament_sheet": TournamentSheet,
}
"""What every game has; what else a game prints says what stands on it by its function's type."""


def pattern(name: nodes.Expr) -> str:
    """Give what names a template, with a star for what is only known when it is drawn."""
    written = name.nodes if isinstance(name, nodes.Concat) else [name]
    return "".join(one.value if isinstance(one, nodes.Const) else "*" for one in written)


def others(path: Path, kind: type[nodes.Extends | nodes.Include]) -> Iterator[Path]:
    """Find the templates that a template extends, or includes; all that it could be, where it is chosen."""
    folder = next(folder for folder in EVERYWHERE if path.is_relative_to(folder))
    for one in parsed(path).find_all(kind):
        for name in one.template.items if isinstance(one.template, nodes.List) else [one.template]:
            drawing = pattern(name).partition("drawings/")[2]
            found = [*(SHEETS.glob(drawing) if drawing else folder.glob(pattern(name)))]
            assert found, f"{path}: there is no {pattern(name)}"
            yield from (each for each in found if each.suffix == ".html")


def lent(path: Path) -> set[str]:
    """Name what a template makes for those that it includes, or that fill its blocks: in loops, too."""
    loops = {name for each in parsed(path).find_all(nodes.For) for name in named_by(each.target)}
    return loops | {
        name for each in parsed(path).find_all(nodes.With) for one in each.targets for name in named_by(one)
    }


@cache
def needed(path: Path) -> set[str]:
    """Name what is read of a context, by a template and all that it is put together from."""
    names = read(path) - OPTIONAL
    for frame in others(path, nodes.Extends):
        names = (names - lent(frame)) | (needed(frame) - stored(parsed(path)))
    for part in others(path, nodes.Include):
        names = names | (needed(part) - stored(parsed(path)) - lent(path))
    return names


@pytest.mark.parametrize("template", RECORDS)
def test_a_page_is_given_what_it_reads_and_nothing_else(template: str) -> None:
    given = {field.name for field in fields(RECORDS[template])}  # type: ignore[arg-type]
    assert needed(PAGES / template) - EVERYWHERE[PAGES] == given


def test_every_page_is_drawn_by_its_record() -> None:
    frames = {frame for path in PAGES.rglob("*.html") for frame in others(path, nodes.Extends)}
    whole = {path for path in PAGES.rglob("*.html") if [*others(path, nodes.Extends)]} - frames
    assert {PAGES / template for template in RECORDS} == {*whole, *(PAGES / name for name in ALONE)}
    assert len([*records()]) == len(RECORDS), "two records for one template"
    calls = {
        path.relative_to(ROOT / "companion").as_posix()
        for path in (ROOT / "companion").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Name) and node.id.startswith("render_template")
    }
    assert calls == DRAWN_BY


@pytest.mark.parametrize("key", [*GAMES, "any"])
@pytest.mark.parametrize("file", LIVE)
def test_a_live_part_reads_what_it_is_told(key: str, file: str) -> None:
    plain = set(PlainPart.__annotations__) if key == "any" else set()
    assert needed(PAGES / "games" / key / file) - EVERYWHERE[PAGES] - SAY <= LIVE[file] | plain


def test_a_live_part_is_told_nothing_that_none_reads() -> None:
    parts = [needed(PAGES / "games" / key / file) for key in (*GAMES, "any") for file in LIVE]
    assert set().union(*parts) >= GIVEN


@pytest.mark.parametrize(
    ("key", "item"), [(key, item) for key, game in GAMES.items() for item in items(game) if item != EVENING]
)
def test_a_sheet_is_given_what_it_reads_and_nothing_else(key: str, item: str) -> None:
    own = SHEETS / key / f"{item}.html"
    kind = PRINTED.get(item) or get_type_hints(GAMES[key].sheets[item])["return"]
    template = own if own.is_file() else SHEETS / f"{item}.html"
    assert needed(template) - EVERYWHERE[SHEETS] == set(get_type_hints(kind))


@pytest.mark.parametrize(
    ("template", "kind"),
    [
        ("result.html", ResultPicture),
        ("other_side.html", OtherSide),
        ("book/evenings.html", BoundBook),
        ("book/statistics.html", BoundStatistics),
    ],
)
def test_what_is_no_item_is_given_what_it_reads_and_nothing_else(template: str, kind: type) -> None:
    assert needed(SHEETS / template) - EVERYWHERE[SHEETS] == set(get_type_hints(kind))


def test_what_all_are_given_is_read_by_some() -> None:
    for folder, names in EVERYWHERE.items():
        assert set().union(*(needed(path) for path in folder.rglob("*.html"))) >= names
