"""Promise 15: what everybody gets from every route stands in `roles.txt`; a route that is missing there fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.conftest import House, Phone
from tests.web.stage import ROLES, Route, Stage, routes, set_stage

TABLE = Path(__file__).parent / "roles.txt"
HEAD = """\
# What everybody gets from every route (promise 15). `--regenerate` writes it anew; review it as a diff.
# The stage is in stage.py: seat 1 is the own seat, 0 the host's, 2 another's, 3 has no phone; seat 9 is none.
# Entry 6 is the host's sealed bid, 7 the own seat's, 4 no move; a HEAD answers as the GET does.
"""
VARIANTS: dict[str, list[str]] = {
    "/t/<code>/<int:seat>": ["seat=0", "seat=3", "seat=9"],
    "/t/<code>/<int:seat>/stream": ["seat=0", "seat=3", "seat=9"],
    "/t/<code>/<int:seat>/move": ["seat=0", "seat=2", "seat=3", "seat=9"],
    "/t/<code>/<int:seat>/why-not": ["seat=0", "seat=2", "seat=3", "seat=9"],
    "/t/<code>/history/<int:number>": ["number=6", "number=4"],
    "/t/<code>/host/<secret>": ["secret=00000000000000000000000000000000"],
    "/t/<code>/take-back": ["?seat=2", "?seat=9"],
    "/t/<code>/put-back": ["?seat=2", "?seat=9"],
    "/api/tables/<code>/view": ["?seat=0", "?seat=3", "?seat=9", "?"],
    "/api/tables/<code>/events": ["?seat=0", "?seat=9", "?"],
    "/api/tables/<code>/moves": ["?seat=0", "?seat=2", "?", "?try=1"],
    "/api/tables/<code>/moves/<int:number>": ["number=6", "number=4", "?try=1"],
    "/api/tables/<code>/seats/<int:seat>": ["seat=0", "seat=2", "seat=9"],
    "/api/tables/<code>/seats/<int:seat>/name": ["seat=0", "seat=9"],
}
"""Further addresses of a rule, told by what differs."""


@pytest.fixture
def stage(house: House, phone: Callable[..., Phone]) -> Stage:
    return set_stage(house, phone)


def cases(stage: Stage) -> Iterator[tuple[str, Route, str]]:
    """Yield (name, route, address) of every line."""
    for route in routes(stage.house.app, "GET", "POST", "PUT", "PATCH", "DELETE"):
        name = re.sub(r"^/static/\w+/", "/static/", route.rule)
        path = stage.path(route)
        yield f"{route.method:<7}{name}", route, path
        for variant in VARIANTS.get(route.rule, []):
            if variant.startswith("?"):
                yield f"{route.method:<7}{name}{variant}", route, path.split("?")[0] + variant
            else:
                what, value = variant.split("=")
                yield f"{route.method:<7}{name} {variant}", route, stage.path(route, **{what: value})


def statuses(stage: Stage, route: Route, path: str) -> list[int]:
    """Ask as everybody, each time at the same table; who is refused has changed nothing."""
    found = []
    look = stage.house.written if route.method == "GET" else stage.house.evenings
    before = look()
    for role in ROLES:
        status = stage.asks(role, route, path).status_code
        if status >= 400 or route.method == "GET":
            assert look() == before, f"{role} changed something by {route} ({status})"
        elif look() != before:
            stage.go_back()
        found.append(status)
    return found


@pytest.mark.promise(15)
def test_everybody_gets_from_every_route_what_the_table_says(
    stage: Stage, is_regenerating: bool, figure: Callable[[str], None]
) -> None:
    lines = {name: statuses(stage, route, path) for name, route, path in cases(stage)}
    width = max(map(len, lines)) + 2
    text = HEAD + " " * width + "  ".join(ROLES) + "\n"
    for name, found in lines.items():
        cells = (f"{status:<{len(role) + 2}}" for role, status in zip(ROLES, found, strict=True))
        text += f"{name:<{width}}{''.join(cells)}".rstrip() + "\n"
    if is_regenerating:
        TABLE.write_text(text)
    assert text == TABLE.read_text()
    figure(f"{len(lines)} routes as {len(ROLES)} roles: {len(lines) * len(ROLES)} answers as listed")


def test_a_head_is_answered_as_a_get_without_a_body(stage: Stage) -> None:
    for route in routes(stage.house.app, "HEAD"):
        for role in ("anonymous", "own seat"):
            head = stage.asks(role, route)
            get = stage.asks(role, Route("GET", route.rule, route.endpoint))
            assert head.status_code == get.status_code, route
            assert route.is_stream or head.data == b"", route
