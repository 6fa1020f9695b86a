"""QR codes: as a picture for pages and paper, as half blocks for a terminal.

An address is drawn in capitals: the alphanumeric mode packs it into a smaller symbol (38 characters into 25 × 25
modules), so whoever serves a printed address must read its path without regard to case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from math import inf

from markupsafe import Markup, escape

QUIET_ZONE = 4
"""Modules of white on each side."""

WHITE_ON_BLACK, AS_BEFORE = "\x1b[97;40m", "\x1b[0m"


def qr_svg(
    text: str, *, module_mm: float | None = None, most_mm: float = inf, title: str = "", keeps_case: bool = False
) -> Markup:
    """Draw a QR code as one black path in an inline SVG.

    Args:
        text: what a phone reads; capitals are made of it, unless `keeps_case`.
        module_mm: the edge of one module in mm; None leaves the size to the style sheet.
        most_mm: the room for all of them, with the quiet zone: a long text has smaller ones.
        title: the alternative text; the address itself where it is empty.
        keeps_case: whether capitals mean something else.

    >>> 'viewBox="0 0 29 29" width="29mm" height="29mm"' in qr_svg("k7qx2m", module_mm=1)
    True
    """
    rows = _modules(text if keeps_case else text.upper())
    edge = len(rows)
    edge_mm = min(edge * module_mm, most_mm) if module_mm else 0
    size = f' width="{edge_mm:g}mm" height="{edge_mm:g}mm"' if edge_mm else ""
    return Markup(  # noqa: S704 (what is not a number is escaped)
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {edge} {edge}"{size}'
        f' role="img" class="qr" shape-rendering="crispEdges"><title>{escape(title or text)}</title>'
        f'<path fill="#fff" d="M0 0h{edge}v{edge}h-{edge}z"/><path stroke="#000" d="{"".join(_runs(rows))}"/></svg>'
    )


def qr_terminal(text: str) -> str:
    """Draw a QR code in half blocks, two modules a character, one line of text for two rows.

    The light modules are the blocks, white on black whatever colours the terminal has; where escape codes are
    stripped it is still right on a dark terminal.
    """
    modules = _modules(text.upper())
    rows = [*modules, *[[True] * len(modules)] * (len(modules) % 2)]
    halves = zip(rows[::2], rows[1::2], strict=True)
    lines = ("".join(_half(*pair) for pair in zip(upper, lower, strict=True)) for upper, lower in halves)
    return "\n".join(f"{WHITE_ON_BLACK}{line}{AS_BEFORE}" for line in lines)


@lru_cache(maxsize=64)
def _modules(text: str) -> Sequence[Sequence[bool]]:
    """Encode the text at level M, once for two dozen stickers: the rows, the quiet zone with them, True is dark."""
    # Here, and not above: it brings a library for pictures along, and the first page shows no code.
    from qrcode import QRCode  # noqa: PLC0415
    from qrcode.constants import ERROR_CORRECT_M  # noqa: PLC0415

    code: QRCode[object] = QRCode(error_correction=ERROR_CORRECT_M, border=QUIET_ZONE)
    code.add_data(text)
    code.make()
    return tuple(tuple(map(bool, row)) for row in code.get_matrix())


def _runs(rows: Sequence[Sequence[bool]]) -> Iterator[str]:
    """Yield a stroke, as thick as a row is high, for each run of dark modules."""
    for y, row in enumerate(rows):
        x = 0
        for is_dark, run in groupby(row):
            length = len(list(run))
            if is_dark:
                yield f"M{x} {y}.5h{length}"
            x += length


def _half(upper: bool, lower: bool) -> str:
    """Choose the character whose blocks are the light modules."""
    return {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}[upper, lower]
