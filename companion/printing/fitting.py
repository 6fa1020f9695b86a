"""Letters as large as fit: a sheet may name several sizes, of which it gets the largest that its cards or pages hold.

A sheet names them by `<meta name="letters" content="8.5 9 10">`, the smallest first, and its style takes the chosen one
as `var(--letters)`. Whether they fit is seen when the sheet is laid out: the smallest say which may fit at all, and
every other layout leaves half of these. This reaches into the layout engine, whose version is pinned, as `alike.py`
does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from weasyprint.document import Document
from weasyprint.formatting_structure.boxes import BlockContainerBox, TextBox

LETTERS = re.compile(r'<meta\s+name="letters"\s+content="([\d. ]+)"\s*>')
ROUNDED = 0.01
"""What stands out by less, in CSS pixels, does not."""


def fitted(html: str, lay_out: Callable[[str], Document]) -> tuple[str, Document]:
    """Lay a sheet out in the largest letters that fit, and give it as it was laid out; one that names none as it is."""
    named = LETTERS.search(html)
    if not named:
        return html, lay_out(html)
    smallest, *larger = map(float, named[1].split())
    sheet = _lettered(html, smallest)
    document = first = lay_out(sheet)
    best = sheet, document
    taken = max(map(_taken, _sections(first)), default=0)
    larger = [size for size in larger if size * taken <= smallest]
    while larger:
        middle = len(larger) // 2
        sheet = _lettered(html, larger[middle])
        document = lay_out(sheet)
        is_held = len(document.pages) <= len(first.pages) and _is_held(document)
        best = (sheet, document) if is_held else best
        larger = larger[middle + 1 :] if is_held else larger[:middle]
    return best


def _lettered(html: str, size_pt: float) -> str:
    return LETTERS.sub(f"<style>body {{ --letters: {size_pt:g}pt }}</style>", html)


def _is_held(document: Document) -> bool:
    is_too_wide = any(_stands_out(page._page_box, inf) for page in document.pages)
    return not is_too_wide and all(_taken(section) <= 1 for section in _sections(document))


def _sections(document: Document) -> Iterator[Any]:
    """Yield the boxes of the sections that hold something."""
    for page in document.pages:
        yield from _within(page._page_box)


def _within(box: Any) -> Iterator[Any]:
    # What is placed by itself is among the children, and not among the descendants.
    if box.element_tag == "section":
        yield from [box] if box.children else []
    else:
        for child in getattr(box, "children", ()):
            yield from _within(child)


def _taken(section: Any) -> float:
    """Tell how much of its height a section takes: so much more there is of it at least, the larger its letters are.

    It has to end as far from the lower edge as it is from the left one.
    """
    top = section.content_box_y()
    end = max(child.position_y + child.margin_height() for child in section.children)
    floor = section.border_box_y() + section.border_height() - section.padding_left
    return float((end - top - ROUNDED) / (floor - top))


def _stands_out(box: Any, edge: float) -> bool:
    """Tell whether a word stands out of what holds it, or of what holds that; what has no width is only read out."""
    if isinstance(box, TextBox):
        return bool(box.position_x + box.width > edge + ROUNDED)
    if isinstance(box, BlockContainerBox):
        if not box.width:
            return False
        edge = min(edge, box.content_box_x() + box.width)
    return any(_stands_out(child, edge) for child in getattr(box, "children", ()))
