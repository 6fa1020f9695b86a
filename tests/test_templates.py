"""The law of templates, styles and scripts: what no formatter knows of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house import House

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for folder, endings in (("templates", "html js"), ("printables", "html css"), ("companion/static", "css js"))
    for path in (ROOT / folder).rglob("*")
    if path.suffix[1:] in endings.split()
)
MOST = 120
UNBROKEN = re.compile(r'"[^"]{80,}"')
"""A sentence, which translators read as a whole, or a drawing's path."""


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_no_line_is_long(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert [line for line in lines if len(line) > MOST and not UNBROKEN.search(line)] == []


def test_pages_carry_no_indentation(house: House) -> None:
    page = house.app.test_client().get("/open/rage").text
    assert page.count("<") > 200
    assert "   " not in page
