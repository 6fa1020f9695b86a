"""Letters as large as fit: a sheet may name several sizes, of which it gets the largest that its cards or pages hold.

A sheet names them by `<meta name="letters" content="8.5 9 10">`, and its style takes the chosen one as
`var(--letters)`. Whether they fit is seen when the sheet is laid out. Cards get the smallest first: how much of a card
these take tells what may fit at all, and what is likely to. Of a page nobody knows that, and most hold the largest,
which come first. This reaches into the layout engine, whose version is pinned, as `alike.py` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from weasyprint.document import Document
from weasyprint.formatting_structure.boxes import BlockContainerBox, TextBox

from companion.printing.alike import SECTION

LETTERS = re.compile(r'<meta\s+name="letters"\s+content="([\d. ]+)"\s*>')
ROUNDED = 0.2
"""What stands out by less, in CSS pixels, does not: the twentieth part of a millimetre."""
GROWTH = 1.6
"""By this power of the letters' size text grows: in both directions, but not where a line ends by itself."""
TOO_MUCH = 1.01
"""So much of a page is taken, at the least, by what takes more than it."""


def fitted(html: str, lay_out: Callable[[str], Document]) -> tuple[str, Document]:
    """Lay a sheet out in the largest letters that fit, and give it as it was laid out; one that names none as it is.

    Where none fit, it has the smallest.
    """
    named = LETTERS.search(html)
    if not named:
        return html, lay_out(html)
    left, held, seen = sorted(map(float, named[1].split())), None, dict[float, float]()
    size = left[0] if SECTION.search(html) else left[-1]
    while left:
        sheet = _lettered(html, size)
        document = lay_out(sheet)
        taken = seen[size] = _taken(document)
        if taken <= 1:
            held = sheet, document
            # The larger letters are, the more of them there is, by as much at least.
            left = [each for each in left if each > size and each * taken <= size]
        else:
            left = [each for each in left if each < size]
        likely = [each for each in left if all((each / old) ** GROWTH * was <= 1 for old, was in seen.items())]
        size = max(likely, default=min(left, default=size))
    return held or (sheet, document)


def _lettered(html: str, size_pt: float) -> str:
    return LETTERS.sub(f"<style>body {{ --letters: {size_pt:g}pt }}</style>", html)


def _taken(document: Document) -> float:
    """Tell how much of its room a sheet takes, more than 1 where that is too little: where it has no cards, one page.

    Of pages that are not full nobody knows how much they hold: 0.
    """
    heights: dict[Any, list[float]] = {}
    for page in document.pages:
        for section in _sections(page._page_box):
            heights.setdefault(section.element, []).append(_height_taken(section))
    # A card that goes on upon the next page is too high for its own.
    cards = [max(sum(parts), TOO_MUCH * (len(parts) > 1)) for parts in heights.values()]
    high = max(cards, default=TOO_MUCH * (len(document.pages) > 1))
    wide = max(_width_taken(page._page_box, -inf, inf) for page in document.pages)
    return float(max(high, wide**GROWTH))  # which a word does in one direction alone


def _sections(box: Any) -> Iterator[Any]:
    """Yield the boxes of the sections that hold something."""
    # What is placed by itself is among the children, and not among the descendants.
    if box.element_tag == "section":
        yield from [box] if box.children else []
    else:
        for child in getattr(box, "children", ()):
            yield from _sections(child)


def _height_taken(section: Any) -> float:
    """Tell how much of its height a section takes. It has to end as far from the lower edge as it is from the left."""
    top = section.content_box_y()
    end = max(child.position_y + child.margin_height() for child in section.children)
    floor = section.border_box_y() + section.border_height() - section.padding_left
    return float((end - top - ROUNDED) / (floor - top))


def _width_taken(box: Any, left: float, right: float) -> float:
    """Tell how much a word takes of the width of what holds it, or of what holds that, if it is too much; else 0.

    What has no width is only read out.
    """
    if isinstance(box, TextBox):
        end = box.position_x + box.width
        return float((end - left) / (right - left)) if end > right + ROUNDED else 0
    if isinstance(box, BlockContainerBox):
        if not box.width:
            return 0
        start = box.content_box_x()
        left, right = (start, start + box.width) if start + box.width < right else (left, right)
    return max((_width_taken(child, left, right) for child in getattr(box, "children", ())), default=0)
