"""Readers of printed sheets: pages, text, fonts, ink, codes, and boxes in millimetres."""

import io
import re
import subprocess
from collections.abc import Iterable
from functools import cache, lru_cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import zxingcpp
from PIL import Image
from pypdf import PdfReader
from pyzbar import pyzbar
from weasyprint import CSS, HTML
from weasyprint.document import Document
from weasyprint.text.fonts import FontConfiguration

from companion.printing import sheet_html
from companion.printing.sheet import font_css
from companion.settings import PRINTABLES

MM = 25.4
ALMOST_WHITE = 250
"""A grey that is lighter is none: pictures are smoothed."""
MEASURED = r"<(p|section|td|th|li|svg)\b([^>]*>)"
"""The elements that are measured."""
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}


def sheet(
    game: str, item: str, context: dict[str, Any], paper: str = "a4", words: NullTranslations | None = None
) -> str:
    """Fill a sheet in English."""
    return sheet_html(game, item, context, language="en", paper=paper, translations=words or NullTranslations())


def bare(body: str) -> str:
    """Write the smallest page that the layout engine does not complain about."""
    return f'<!DOCTYPE html><html lang="en"><head><title>Trial</title></head><body>{body}</body></html>'


def sizes_mm(pdf: bytes) -> list[tuple[float, float]]:
    """Measure the pages: (width, height)."""
    pages = PdfReader(io.BytesIO(pdf)).pages
    return [(round(float(p.mediabox.width) / 72 * MM, 1), round(float(p.mediabox.height) / 72 * MM, 1)) for p in pages]


def text(pdf: bytes) -> str:
    """Read the text back, in the order of the page."""
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def fonts(pdf: bytes, folder: Path) -> list[tuple[str, str]]:
    """List the fonts: (name without its subset mark, whether embedded: yes or no)."""
    listing = _run("pdffonts", _kept(pdf, folder)).decode().splitlines()[2:]
    return [(line.split()[0].partition("+")[2] or line.split()[0], line.split()[-5]) for line in listing]


def check(pdf: bytes, folder: Path) -> str:
    """Let qpdf check the file; raises where it finds an error or a warning."""
    return _run("qpdf", "--check", _kept(pdf, folder)).decode()


def picture(pdf: bytes, folder: Path, dpi: int, page: int = 1, *, coloured: bool = False) -> Image.Image:
    """Draw a page, in greys unless asked otherwise."""
    which = ("-f", str(page), "-singlefile", *(() if coloured else ("-gray",)))
    return Image.open(io.BytesIO(_run("pdftoppm", "-r", str(dpi), *which, _kept(pdf, folder))))


def ink_percent(page: Image.Image) -> float:
    """Tell how much of the picture of a page is black; a coarse one has a little more ink than is printed."""
    greys = page.convert("L").histogram()
    return 100 * sum((255 - grey) * count for grey, count in enumerate(greys)) / (255 * sum(greys))


def ink_box_mm(page: Image.Image, dpi: int) -> list[float]:
    """Measure what of the picture of a page is not white: left, top, right and bottom."""
    box = page.convert("L").point([255] * ALMOST_WHITE + [0] * (256 - ALMOST_WHITE)).getbbox()
    assert box, "an empty page"
    return [edge / dpi * MM for edge in box]


def codes(image: Image.Image) -> list[str]:
    """Read the QR codes in a picture, and hold two decoders to the same."""
    found = [code.text for code in zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode)]
    again = [code.data.decode() for code in pyzbar.decode(image, symbols=[pyzbar.ZBarSymbol.QRCODE])]
    assert sorted(again) == sorted(found)
    return found


def words_mm(pdf: bytes, folder: Path, page: int = 1) -> list[tuple[str, float, float, float, float]]:
    """Place every word of a page: (word, left, top, right, bottom)."""
    listing = _run("pdftotext", "-bbox", "-f", str(page), "-l", str(page), _kept(pdf, folder), "-").decode()
    found = re.findall(r'<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)</word>', listing)
    return [(word, *(float(edge) / 72 * MM for edge in edges)) for *edges, word in found]


def lines_that_go_on(pdf: bytes, folder: Path, page: int = 1) -> list[list[str]]:
    """Read the lines of a page that are followed by another one of the same text, each as its words."""
    layout = _run("pdftotext", "-bbox-layout", "-f", str(page), "-l", str(page), _kept(pdf, folder), "-").decode()
    blocks = [re.findall(r"<line.*?</line>", block, re.DOTALL) for block in layout.split("<block")[1:]]
    return [re.findall(r">([^<>]+)</word>", line) for lines in blocks for line in lines[:-1]]


def sizes_pt(pdf: bytes, folder: Path, page: int = 1) -> list[tuple[str, float]]:
    """Tell how large every word of a page is printed: (word, points); its box is as high as its letters are large."""
    return [(word, (bottom - top) / MM * 72) for word, _, top, _, bottom in words_mm(pdf, folder, page)]


def boxes_mm(html: str, tag: str, class_: str = "") -> list[tuple[float, float, float, float]]:
    """Lay the sheet out and measure its elements of that tag (and class): (left, top, right, bottom) of each.

    What stands on the second page stands beneath the first.
    """
    kind = re.compile(rf'<{tag}\b(?=[^>]*class="[^"]*\b{class_}\b)' if class_ else rf"<{tag}\b")
    return [edges for element, edges in _laid_out(html)[0] if kind.match(element)]


def measured_pdf(html: str) -> bytes:
    """Draw a sheet from the very layout that `boxes_mm` measures: half the work of printing it beside."""
    drawn: bytes = _laid_out(html)[1].write_pdf()
    return drawn


@lru_cache(maxsize=1)
def _laid_out(html: str) -> tuple[list[tuple[str, tuple[float, float, float, float]]], Document]:
    """Lay a sheet out, which takes a second, and measure what may be asked for: (the opening tag, its edges) of each."""
    elements = re.findall(MEASURED, html)
    count = iter(range(len(elements)))
    marked = re.sub(MEASURED, lambda match: f'<{match[1]} id="box-{next(count)}"{match[2]}', html)
    fonts, style = _dress()
    leaves = HTML(string=marked, base_url=f"{PRINTABLES.as_uri()}/").render(stylesheets=[style], font_config=fonts)
    found, above = dict[str, tuple[float, ...]](), 0.0
    for leaf in leaves.pages:
        for name, (left, top, right, bottom) in leaf.anchors.items():
            found[name] = (left, above + top, right, above + bottom)
        above += leaf.height
    return [(f"<{tag}{rest}", _mm(found[f"box-{index}"])) for index, (tag, rest) in enumerate(elements)], leaves


@cache
def _dress() -> tuple[FontConfiguration, CSS]:
    fonts = FontConfiguration()
    return fonts, CSS(string=font_css() + (PRINTABLES / "print.css").read_text(), font_config=fonts)


def _mm(edges_px: Iterable[float]) -> tuple[float, float, float, float]:
    left, top, right, bottom = (edge / 96 * MM for edge in edges_px)
    return left, top, right, bottom


def _kept(pdf: bytes, folder: Path) -> str:
    file = folder / "sheet.pdf"
    file.write_bytes(pdf)
    return str(file)


def _run(*command: str) -> bytes:
    return subprocess.run(command, check=True, capture_output=True).stdout
