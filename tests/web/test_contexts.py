"""What a page's templates read is what its view gives: every page, as everybody who may come to it sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from flask import Flask, template_rendered
from jinja2 import nodes

from tests.test_templates import ROOT, declared, parsed, stored
from tests.web.conftest import House, Phone
from tests.web.stage import routes, set_stage
from tests.web.test_live_part import EVERYWHERE, FLASK

FOLDER = ROOT / "templates"


def parts(path: Path) -> Iterator[tuple[Path, bool]]:
    """Find the templates that a template names: those it extends (False) and includes (True)."""
    for kind in (nodes.Extends, nodes.Include):
        for named in parsed(path).find_all(kind):
            if isinstance(named.template, nodes.Const) and (FOLDER / named.template.value).is_file():
                yield FOLDER / named.template.value, kind is nodes.Include


def made(path: Path) -> set[str]:
    """Name what a template makes for those that it includes, in loops and blocks, too."""
    bound = [each.target for each in parsed(path).find_all(nodes.For)]
    bound += [target for each in parsed(path).find_all(nodes.With) for target in each.targets]
    names = [name for each in bound for name in [each, *each.find_all(nodes.Name)] if isinstance(name, nodes.Name)]
    return stored(parsed(path)) | {name.name for name in names}


def leaves_open(path: Path) -> bool:
    """Say whether a template includes one that is chosen by game."""
    return not all(isinstance(each.template, nodes.Const) for each in parsed(path).find_all(nodes.Include))


def needed(path: Path) -> set[str]:
    """Name what a page reads of its context, with all that it is put together from."""
    names = declared(path)
    for part, is_inside in parts(path):
        names |= needed(part) - (made(path) if is_inside else set())
    return names


def test_a_page_is_given_what_it_reads_and_nothing_else(house: House, phone: Callable[..., Phone]) -> None:
    stage = set_stage(house, phone)
    given: dict[str, set[str]] = {}

    def note(app: Flask, template: Any, context: dict[str, Any], **_more: Any) -> None:
        given.setdefault(template.name, set(context) - FLASK)
        given[template.name] &= set(context)

    with template_rendered.connected_to(note, house.app):
        for route in routes(house.app, "GET"):
            if not route.is_stream and not route.is_api:
                for person in stage.people.values():
                    person.gets(stage.path(route))
    pages = {name: names for name, names in given.items() if (FOLDER / name).suffix == ".html"}
    assert len(pages) > 25
    lacking = {name: needed(FOLDER / name) - names for name, names in pages.items()}
    assert {name: names for name, names in lacking.items() if names} == {}
    # A game's own templates choose among what every game's are given, and the pages around them have that, too.
    own = {name for name in pages if name.startswith("games/") or "part" in pages[name] or leaves_open(FOLDER / name)}
    rest = {name: names - EVERYWHERE - needed(FOLDER / name) for name, names in pages.items() if name not in own}
    assert {name: names for name, names in rest.items() if names} == {}
