"""Whoever cannot tell the colours apart can tell the shapes: suits, fireworks, flowers, gems and seats, in any light."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import combinations
from math import ceil, floor

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import FloatRect

from tests.house import House
from tests.phones import Phone

SIGHTS = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")
MARKS = {
    "seats": ('{% from "marks.html" import seat_mark %}', "seat_mark({0})", list("01234567")),
    "rage": ('{% from "games/rage/marks.html" import suit %}', 'suit("{0}")', list("BGRYPO")),
    "hanabi": ('{% from "games/hanabi/marks.html" import spark %}', 'spark("{0}")', list("WRBYGKM")),
    "ikebana": ('{% from "games/ikebana/marks.html" import flower %}', 'flower("{0}")', list("KRGBYM")),
    "ubongo": (
        '{% from "games/ubongo/marks.html" import gem %}',
        'gem("{0}")',
        ["green", "red", "blue", "purple", "brown", "yellow"],
    ),
}
"""Kind -> the macro's import, its call, and what there is of the kind."""
SIZE, SCALE = 64, 3
LEAST = 0.05
"""The part of its square by which an outline differs from every other."""
CONTRAST = 90
"""Of 255 steps of grey."""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Write the marks of a kind as the pages do."""
    house = House(tmp_path_factory.mktemp("marks"))

    def write(kind: str) -> str:
        head, call, each = MARKS[kind]
        body = "".join(
            f'<span class="mark-{place}">{{{{ {call.format(one)} }}}}</span>' for place, one in enumerate(each)
        )
        with house.app.test_request_context("/"):
            return house.app.jinja_env.from_string(head + body).render()

    return write


def photographs(phone: Phone, kind: str) -> Iterator[Image.Image]:
    """Photograph each mark in grey, all in one picture."""
    found = [phone.page.locator(f".mark-{place} svg").first.bounding_box() for place in range(len(MARKS[kind][2]))]
    where = [(box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]) for box in found if box]
    assert len(where) == len(found)
    left, top = (floor(min(edges)) for edges in list(zip(*where, strict=True))[:2])
    right, bottom = (ceil(max(edges)) for edges in list(zip(*where, strict=True))[2:])
    # The whole page is ten times as much to write and to read.
    around: FloatRect = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    picture = Image.open(BytesIO(phone.page.screenshot(clip=around))).convert("L")
    for edges in where:
        beside = (left, top, left, top)
        inside = tuple(round((edge - start) * SCALE) for edge, start in zip(edges, beside, strict=True))
        yield picture.crop(inside).resize((SIZE, SIZE))


def difference(one: Image.Image, other: Image.Image) -> float:
    return ImageStat.Stat(ImageChops.difference(one, other)).mean[0] / 255


def shown(phone: Callable[..., Phone], html: str, theme: str) -> Phone:
    """Lay marks on a page."""
    looker = phone(bypass_csp=True, color_scheme=theme, device_scale_factor=SCALE)
    looker.opens("/")
    looker.page.evaluate("(html) => { document.querySelector('main').innerHTML = html; }", html)
    return looker


def outlines(phone: Callable[..., Phone], html: str, kind: str) -> list[Image.Image]:
    """Photograph the marks of a kind as shadows."""
    looker = shown(phone, html, "light")
    looker.page.add_style_tag(
        content="main svg * { fill: #000 !important; stroke: none !important; } main text { display: none; }"
    )
    return [picture.point(lambda light: 255 if light > 127 else 0) for picture in photographs(looker, kind)]


@pytest.mark.parametrize("kind", MARKS)
def test_every_two_marks_have_different_outlines(
    phone: Callable[..., Phone], drawn: Callable[[str], str], kind: str
) -> None:
    names = MARKS[kind][2]
    for (first, one), (second, other) in combinations(enumerate(outlines(phone, drawn(kind), kind)), 2):
        assert difference(one, other) >= LEAST, (names[first], names[second])


def test_seats_are_of_one_family_and_cards_and_gems_of_others(
    phone: Callable[..., Phone], drawn: Callable[[str], str]
) -> None:
    """All seats stand on the same body, and nothing else does."""
    bodies = {
        kind: [outline.crop((0, SIZE // 2, SIZE, SIZE)) for outline in outlines(phone, drawn(kind), kind)]
        for kind in MARKS
    }
    body, *seats = bodies.pop("seats")
    assert max(difference(body, seat) for seat in seats) < LEAST
    assert {
        (kind, MARKS[kind][2][place]): found
        for kind, signs in bodies.items()
        for place, sign in enumerate(signs)
        if (found := difference(body, sign)) < 3 * LEAST
    } == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", MARKS)
def test_every_mark_stands_out_through_any_eyes(
    phone: Callable[..., Phone], drawn: Callable[[str], str], kind: str, theme: str
) -> None:
    """Its outline, or its letter, is much lighter or darker than what is beside it."""
    looker = shown(phone, drawn(kind), theme)
    session = looker.page.context.new_cdp_session(looker.page)
    for sight in SIGHTS:
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
        for name, picture in zip(MARKS[kind][2], photographs(looker, kind), strict=True):
            darkest, lightest = picture.getextrema()
            assert lightest - darkest >= CONTRAST, (sight, name)
