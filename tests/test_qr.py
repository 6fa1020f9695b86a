"""QR codes are read back from what is drawn."""

import re

import pytest
from PIL import Image, ImageDraw

from companion.drawing.qr import qr_svg, qr_terminal
from tests.proofs import codes

ADDRESS = "http://192.168.178.20:8000/t/k7qx2m"
CAPITALS = ADDRESS.upper()
SCALE = 6


def drawn(svg: str) -> Image.Image:
    """Draw the dark runs of the SVG."""
    edge = int(re.findall(r"viewBox=\"0 0 (\d+)", svg)[0])
    image = Image.new("L", (edge * SCALE, edge * SCALE), 255)
    for x, y, width in re.findall(r"M(\d+) (\d+)\.5h(\d+)", svg):
        left, top = int(x) * SCALE, int(y) * SCALE
        ImageDraw.Draw(image).rectangle((left, top, left + int(width) * SCALE - 1, top + SCALE - 1), fill=0)
    return image


def read_off(terminal: str) -> Image.Image:
    """Draw what a terminal shows: a block is white, the ground black."""
    lines = re.sub(r"\x1b\[[\d;]*m", "", terminal).split("\n")
    image = Image.new("L", (len(lines[0]), 2 * len(lines)), 0)
    for y, line in enumerate(lines):
        for x, character in enumerate(line):
            image.putpixel((x, 2 * y), 255 if character in "█▀" else 0)
            image.putpixel((x, 2 * y + 1), 255 if character in "█▄" else 0)
    return image.resize((image.width * SCALE, image.height * SCALE))


def test_a_phone_reads_the_address_in_capitals() -> None:
    assert codes(drawn(qr_svg(ADDRESS))) == [CAPITALS]


def test_a_phone_reads_it_from_a_terminal_too() -> None:
    assert codes(read_off(qr_terminal(ADDRESS))) == [CAPITALS]


def test_38_capitals_fit_the_second_smallest_symbol() -> None:
    assert 'viewBox="0 0 33 33"' in qr_svg("a" * 38)
    assert 'viewBox="0 0 37 37"' in qr_svg("a" * 39)


def test_four_modules_around_stay_white() -> None:
    svg = qr_svg(ADDRESS)
    runs = [tuple(map(int, run)) for run in re.findall(r"M(\d+) (\d+)\.5h(\d+)", svg)]
    assert min(x for x, _, _ in runs) == min(y for _, y, _ in runs) == 4
    assert max(x + width for x, _, width in runs) == max(y for _, y, _ in runs) + 1 == 33 - 4


def test_a_module_is_as_large_as_asked() -> None:
    assert 'width="26.4mm" height="26.4mm"' in qr_svg(ADDRESS, module_mm=0.8)
    assert "mm" not in qr_svg(ADDRESS).partition("<title>")[0]


@pytest.mark.parametrize("hostile", ["</title><script>alert(1)</script>", '" onload="alert(1)'])
def test_text_in_a_code_is_harmless(hostile: str) -> None:
    for svg in (qr_svg(hostile), qr_svg(ADDRESS, title=hostile)):
        assert "<script" not in svg
        assert '" onload' not in svg
