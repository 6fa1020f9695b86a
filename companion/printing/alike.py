"""Sections that are alike are laid out once: a page of cards is mostly the same card nine times over.

Before the layout, a section that has stood on the sheet before loses what it holds; its frame, of the same size, keeps
its place. Afterwards the frame gets copies of the boxes of the first one. This reaches into the layout engine, whose
version is pinned: `tests/test_laid_out_once.py` holds a sheet to what it is without.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from weasyprint.document import Document, Page

SECTION = re.compile(r"<section\b([^>]*)>((?:(?!<section\b).)*?)</section>", re.DOTALL)
FIRST, AGAIN = "data-first", "data-again"
"""Attributes of a section, with its number: that it is the first of its kind, or another one, and empty."""


ROUNDED = 0.01
"""Widths that differ by less, in CSS pixels, are the same."""


def once(html: str) -> str:
    """Empty the sections of a sheet that have stood there before."""
    counts = Counter(section[0] for section in SECTION.finditer(html))
    numbers: dict[str, int] = {}

    def kept(section: re.Match[str]) -> str:
        whole, attributes, inside = section[0], section[1], section[2]
        if counts[whole] == 1:
            return whole
        if whole in numbers:
            return f'<section {AGAIN}="{numbers[whole]}"{attributes}></section>'
        numbers[whole] = len(numbers)
        return f'<section {FIRST}="{numbers[whole]}"{attributes}>{inside}</section>'

    return SECTION.sub(kept, html)


def is_filled(document: Document) -> bool:
    """Fill the sections that were emptied; tell whether all could be, as long as their size is not that of their text.

    What has a background is not copied: where it is painted is told by the page, not by the box.
    """
    firsts: dict[str, Any] = {}
    for page in document.pages:
        for box in _sections(page._page_box):
            is_first = FIRST in box.element.attrib
            if is_first and not _is_movable(box):
                return False
            if is_first:
                firsts[box.element.get(FIRST)] = box
            elif not _is_copied(firsts[box.element.get(AGAIN)], box):
                return False
    if firsts:
        document.pages[:] = [Page(page._page_box) for page in document.pages]
    return True


def _sections(box: Any) -> Iterator[Any]:
    """Yield the boxes of sections that others are like, or that are like others; anonymous boxes within are not."""
    if box.element is not None and {FIRST, AGAIN} & box.element.attrib.keys():
        yield box
    else:
        for child in box.children:
            yield from _sections(child)


def _is_movable(box: Any) -> bool:
    return box.style["height"] != "auto" and not any(each.background for each in box.descendants())


def _is_copied(first: Any, frame: Any) -> bool:
    """Copy the boxes of the first section into a frame of the same width; tell whether it is that."""
    if abs(first.width - frame.width) > ROUNDED:
        return False
    frame.children = [child.deepcopy() for child in first.children]
    across, down = frame.content_box_x() - first.content_box_x(), frame.content_box_y() - first.content_box_y()
    for child in frame.children:
        child.translate(across, down)
    return True
