"""The sizes of cards, and how they stand on a page: what is cut out, in millimetres, and what of the rules fits it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of a page that stands upright."""
AROUND_MM = 6
"""The marks are drawn in a frame that is so much larger than the cards, on each side."""
SPARE_MM = 0.5
"""The cards have more room than they take, so that rounding never sends the last one to the next row."""
LETTERS_PT = (8.5, 9, 9.5, 10, 10.5, 11, 11.5, 12)
"""The letters of a reference card: the largest are taken that fit, and that the cut allows."""
FRONT = "front"
"""The form of one side, where both are printed."""
BOTH_SIDES = {"long_edge": "turned", "short_edge": "back"}
"""How the printer turns the paper, which lies on its side, and the form of the page that comes on the back of it."""


@dataclass(frozen=True, slots=True)
class Page:
    """The cards of a page of one paper, which stand in its middle."""

    columns: int
    rows: int
    ruler: tuple[float, float]
    """Where it begins: from the left and from above. It is 50 mm long, and crosses no mark."""
    is_sideways: bool = True
    raised: float = 0
    """So far the cards are above the middle, where there is little room for the ruler."""
    marks: tuple[float, float] = (1.5, 3.5)
    """So far from the cards the marks begin, and so long they are."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A size of cards."""

    pages: Mapping[str, Page]
    """By the paper."""
    wide: int = 63
    high: int = 88
    gap: int = 0
    """Between two cards; there is as much of it around them."""
    lines: int = 21
    """So many lines of the rules fit a card."""
    letters: int = 39
    """And so many letters a line."""
    largest_pt: float = LETTERS_PT[-1]
    """With larger ones on a reference card a page would take too much ink."""


@dataclass(frozen=True, slots=True)
class Grid:
    """What a template draws the cards of a page by."""

    cut: Cut
    page: Page
    paper_mm: tuple[float, float]

    @property
    def width(self) -> int:
        """Give the width of all cards together."""
        return self.page.columns * (self.cut.wide + self.cut.gap)

    @property
    def height(self) -> int:
        """Give the height of all cards together."""
        return self.page.rows * (self.cut.high + self.cut.gap)

    @property
    def left(self) -> float:
        """Tell where they begin from the left."""
        return round((self.paper_mm[self.page.is_sideways] - self.width) / 2, 2)

    @property
    def top(self) -> float:
        """Tell where they begin from above."""
        return round((self.paper_mm[not self.page.is_sideways] - self.height) / 2 - self.page.raised, 2)

    @property
    def letters(self) -> str:
        """Write the sizes of letters, of which the layout takes the largest that fit."""
        return " ".join(f"{size:g}" for size in LETTERS_PT if size <= self.cut.largest_pt)

    @property
    def sizes(self) -> str:
        """Write the millimetres as properties, by which a sheet's style places them."""
        left, top = self.left, self.top
        ruler_left, ruler_top = self.page.ruler
        written = {
            "left": left,
            "top": top,
            "width": self.width + SPARE_MM,
            "height": self.height,
            "card-width": self.cut.wide + self.cut.gap,
            "card-height": self.cut.high + self.cut.gap,
            "crops-left": left - AROUND_MM,
            "crops-top": top - AROUND_MM,
            "ruler-left": ruler_left,
            "ruler-top": ruler_top,
        }
        return f"body {{{'; '.join(f'--{name}: {number:g}mm' for name, number in written.items())}}}"


SLEEVES = {
    "european": Cut(
        {"a4": Page(4, 2, (35, 201)), "letter": Page(4, 2, (26, 206))}, wide=59, high=92, lines=22, letters=37
    ),
    "bridge": Cut(
        {"a4": Page(4, 2, (38, 199.5)), "letter": Page(4, 2, (29, 202.5))}, wide=57, high=87, lines=20, letters=36
    ),
    "tarot": Cut(
        {
            "a4": Page(2, 2, (40, 276), is_sideways=False),
            "letter": Page(2, 2, (43, 266.5), is_sideways=False),
        },
        wide=70,
        high=120,
        lines=29,
        letters=43,
    ),
    "square": Cut(
        {
            "a4": Page(4, 2, (20, 185), marks=(0.5, 2.1)),
            "letter": Page(3, 2, (40, 185)),
        },
        wide=70,
        high=70,
        lines=16,
        letters=45,
    ),
}
"""The forms of cards that are not 63 × 88 mm."""
SMALL = ("square",)
"""Those of them that hold no reference card in letters to be read; rules go on upon the next card."""
_ROOMY = Cut({"a4": Page(4, 2, (20, 200.5)), "letter": Page(3, 2, (46, 206.4), raised=2)}, gap=6)
CUTS = {
    "nine": Cut(
        {
            "a4": Page(3, 3, (20, 286.5), is_sideways=False),
            # Nine cards leave little of a letter's height.
            "letter": Page(3, 3, (20, 271.8), is_sideways=False, marks=(0.5, 2.1)),
        }
    ),
    "folded": Cut({"a4": Page(4, 2, (29, 199.5)), "letter": Page(4, 2, (20, 202.5))}),
    "bleed": _ROOMY,
    **dict.fromkeys((FRONT, *BOTH_SIDES, *BOTH_SIDES.values()), replace(_ROOMY, largest_pt=8.5)),
    **SLEEVES,
}
"""How cards are cut out, by the form of a sheet, the usual one first."""


def cut_of(form: str) -> Cut:
    """Give the size of the cards of a form; all that are not cut are as large as the usual ones."""
    return CUTS.get(form, CUTS["nine"])


def grid_of(form: str, paper: str) -> Grid:
    """Tell how the cards of a form stand on a page."""
    cut = cut_of(form)
    return Grid(cut, cut.pages[paper], PAPERS_MM[paper])
