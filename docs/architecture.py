"""Draw the rooms of the house, and who knows whom, from the imports: `.venv/bin/python docs/architecture.py`.

A room is a package of `companion/` or a module at its top. The floors are the layers of `pyproject.toml`. An arrow says
that something in one room imports something of the other; one that leads where other arrows lead, too, is left out.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "companion"
PICTURE = Path(__file__).with_suffix(".svg")

Edges = dict[str, set[str]]
Place = tuple[int, str]
"""Floor, and the room there; or `room>other`, where an arrow passes by on its way."""

FLOOR_PX, BOX_PX, GAP_PX, LETTER_PX, MARGIN_PX = 60, 30, 28, 8, 24
SWEEPS = 24
"""How often each floor is put in order by those above and below it; the picture has settled long before."""

LOOK = """
    rect.ground { fill: #fbfaf7 } rect.room { fill: #fff; stroke: #1d5443; stroke-width: 1.5 }
    rect.module { stroke-dasharray: 4 3 } text { fill: #1c2522; font: 14px system-ui, sans-serif; text-anchor: middle }
    path { fill: none; stroke: #6d8a80; stroke-width: 1.5 } marker path { fill: #6d8a80; stroke: none }
    @media (prefers-color-scheme: dark) {
      rect.ground { fill: #16201d } rect.room { fill: #22302b; stroke: #7fc4ac } text { fill: #eef3f1 }
      path { stroke: #8ba79d } marker path { fill: #8ba79d }
    }
"""


def floors() -> list[list[str]]:
    """Read the floors from the top, as the import contract has them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "layers")
    return [[room.strip(" ()") for room in layer.replace(":", "|").split("|")] for layer in layers]


def imported(file: Path) -> Iterator[str]:
    """Yield the names under `companion` that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "companion":
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")[1:2] if (node.module or "").startswith("companion.") else ()
        elif isinstance(node, ast.Import):
            yield from (name.name.split(".")[1] for name in node.names if name.name.startswith("companion."))


def known() -> Edges:
    """Say of every room which others it imports. The factory, which puts all together, is no room."""
    rooms = {room for floor in floors() for room in floor}
    knows: Edges = {room: set() for room in sorted(rooms)}
    for file in sorted(HOUSE.rglob("*.py")):
        room = file.relative_to(HOUSE).with_suffix("").parts[0]
        if room in rooms:
            knows[room] |= (set(imported(file)) & rooms) - {room}
    return knows


def reached(knows: Edges, room: str) -> set[str]:
    """Gather all rooms that lie behind one."""
    behind: set[str] = set()
    ahead = [room]
    while ahead:
        fresh = knows[ahead.pop()] - behind
        behind |= fresh
        ahead += fresh
    return behind


def without_detours(knows: Edges) -> Edges:
    """Leave out every arrow that leads where others lead, too."""
    return {
        room: {other for other in others if not any(other in reached(knows, one) for one in others - {other})}
        for room, others in knows.items()
    }


def steps(knows: Edges, floor_of: dict[str, int]) -> Iterator[list[Place]]:
    """Yield every arrow as the places that it passes, one on each floor."""
    for room, others in knows.items():
        for other in sorted(others):
            top, bottom = floor_of[room], floor_of[other]
            if top >= bottom:
                raise SystemExit(f"{room} knows {other}, which is no floor lower: see tests/test_house.py.")
            between: list[Place] = [(floor, f"{room}>{other}") for floor in range(top + 1, bottom)]
            yield [(top, room), *between, (bottom, other)]


def width(place: Place) -> int:
    """Tell how wide a place is, in px; an arrow that passes by needs little."""
    return GAP_PX // 2 if ">" in place[1] else LETTER_PX * len(sign(place[1])) + GAP_PX


def sign(room: str) -> str:
    """Write what stands on a room."""
    return f"{room}/" if (HOUSE / room).is_dir() else f"{room}.py"


def laid_out(house: list[list[Place]], arrows: list[list[Place]]) -> dict[Place, float]:
    """Find the middle of every place, in px from the left: near those that it is tied to, and none upon another."""
    ties: dict[Place, list[Place]] = {place: [] for floor in house for place in floor}
    for arrow in arrows:
        for upper, lower in pairwise(arrow):
            ties[upper].append(lower)
            ties[lower].append(upper)
    middle = {place: 100.0 * index for floor in house for index, place in enumerate(floor)}
    for sweep in range(SWEEPS):
        for floor in house if sweep % 2 else reversed(house):
            wanted = {place: sum(middle[tied] for tied in ties[place]) / len(ties[place]) for place in floor}
            floor.sort(key=lambda place: (round(wanted[place], 3), place))
            middle |= _spread(floor, wanted)
    left = min(middle[place] - width(place) / 2 for place in middle)
    return {place: round(at - left + MARGIN_PX, 1) for place, at in middle.items()}


def _spread(floor: list[Place], wanted: dict[Place, float]) -> dict[Place, float]:
    """Push the places of a floor apart, and move all of them back to where they want to be on the whole."""
    at = {floor[0]: wanted[floor[0]]}
    for before, place in pairwise(floor):
        at[place] = max(wanted[place], at[before] + (width(before) + width(place)) / 2 + GAP_PX)
    shift = sum(wanted[place] - at[place] for place in floor) / len(floor)
    return {place: x + shift for place, x in at.items()}


def drawn() -> str:
    """Draw the picture, as SVG that is readable in light and dark."""
    rows = floors()
    arrows = [*steps(without_detours(known()), {room: number for number, row in enumerate(rows) for room in row})]
    passing = {place for arrow in arrows for place in arrow[1:-1]}
    house: list[list[Place]] = [
        [*((number, room) for room in row), *sorted(place for place in passing if place[0] == number)]
        for number, row in enumerate(rows)
    ]
    middle = laid_out(house, arrows)
    wide = round(max(middle[place] + width(place) / 2 for place in middle) + MARGIN_PX)
    high = len(rows) * FLOOR_PX + 2 * MARGIN_PX - (FLOOR_PX - BOX_PX)
    boxes = [_box(place, middle[place]) for floor in house for place in sorted(floor) if place not in passing]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">',
            "<title>The rooms of companion/, and which others each of them knows</title>",
            f"<style>{LOOK}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path d="M0 0 8 4 0 8z"/></marker></defs>',
            f'<rect class="ground" width="{wide}" height="{high}" rx="8"/>',
            *(_line(arrow, middle) for arrow in arrows),
            *boxes,
            "</svg>\n",
        ]
    )


def _top(place: Place) -> int:
    return MARGIN_PX + place[0] * FLOOR_PX


def _line(arrow: list[Place], middle: dict[Place, float]) -> str:
    """Draw an arrow from the foot of one room to the head of another, by the side of those between."""
    x, y = middle[arrow[0]], _top(arrow[0]) + BOX_PX
    path = f"M{x} {y}"
    for place in arrow[1:]:
        to, bend = _top(place), (y + _top(place)) / 2
        path += f" C{x} {bend} {middle[place]} {bend} {middle[place]} {to}"
        x, y = middle[place], to + BOX_PX
        path += f" V{y}" if place != arrow[-1] else ""
    return f'<path d="{path}" marker-end="url(#tip)"><title>{arrow[0][1]} knows {arrow[-1][1]}</title></path>'


def _box(place: Place, x: float) -> str:
    wide, name = width(place), sign(place[1])
    kind = "room" if name.endswith("/") else "room module"
    left = round(x - wide / 2, 1)
    return (
        f'<rect class="{kind}" x="{left}" y="{_top(place)}" width="{wide}" height="{BOX_PX}" rx="6"/>'
        f'<text x="{x}" y="{_top(place) + BOX_PX // 2 + 5}">{name}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(drawn())
