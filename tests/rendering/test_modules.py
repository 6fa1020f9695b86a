"""The modules as they are served: small, kept for ever, the same in every process."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.testing.moments import reader
from companion.web.modules import address
from companion.web.renderings import part_of
from companion.words import LANGUAGES
from tests.house import House
from tests.phones import ROOT

MOST_MODULE, MOST_RUNTIME = 12_000, 3_000
"""Bytes, as they are sent."""
RUNTIME = ("draw.js", "say.js")
A_YEAR_S = 365 * 24 * 3600
STAMPS = """
import sys, tempfile, pathlib
from tests.house import House
from companion.games import GAMES
from companion.web.renderings import rendering
with tempfile.TemporaryDirectory() as folder:
    with House(pathlib.Path(folder)).app.app_context():
        print(*(rendering(game).module(part, "cs").stamp for game in GAMES.values() for part in ("seat", "screen")))
"""


def test_a_module_and_the_runtime_are_small(modules: dict[str, bytes]) -> None:
    sizes = {name: len(gzip.compress(code, mtime=0)) for name, code in modules.items()}
    assert {name: size for name, size in sizes.items() if size > MOST_MODULE} == {}
    runtime = b"".join((ROOT / "companion" / "static" / name).read_bytes() for name in RUNTIME)
    assert len(gzip.compress(runtime, mtime=0)) <= MOST_RUNTIME


def test_a_module_is_kept_for_ever_at_an_address_that_changes_with_it(house: House, modules: dict[str, bytes]) -> None:
    client = house.app.test_client()
    for game in GAMES.values():
        for seat, language in product((0, None), LANGUAGES):
            with reader(house.app, language):
                path = address(game, seat, language)
            part = part_of(seat)
            code = modules[f"{game.key}.{part}.{language}"]
            assert path == f"/templates/{sha256(code).hexdigest()[:12]}/{game.key}/{part}/{language}.js"
            plain, packed = client.get(path), client.get(path, headers={"Accept-Encoding": "gzip, br"})
            assert plain.data == gzip.decompress(packed.data) == code
            assert (plain.content_encoding, packed.content_encoding) == (None, "gzip")
            for answer in (plain, packed):
                assert answer.mimetype == "text/javascript"
                assert answer.cache_control.max_age == A_YEAR_S
                assert answer.cache_control.immutable
                assert "Accept-Encoding" in answer.vary


@pytest.mark.parametrize(
    "path",
    [
        "000000000000/rage/seat/en",
        "{stamp}/hanabi/seat/en",
        "{stamp}/rage/seat/de",
        "{stamp}/rage/screen/en",
        "{stamp}/rage/paper/en",
        "{stamp}/chess/seat/en",
    ],
)
def test_another_stamp_another_game_and_another_language_lead_nowhere(house: House, path: str) -> None:
    with reader(house.app, "en"):
        stamp = address(GAMES["rage"], 0, "en").split("/")[2]
    answer = house.app.test_client().get(f"/templates/{path.format(stamp=stamp)}.js")
    assert answer.status_code == 404
    assert answer.headers["Cache-Control"] == "no-store"


def test_every_process_makes_the_same_modules(tmp_path: Path) -> None:
    """Phones of one table come to several workers."""

    def stamps(seed: str) -> str:
        surroundings = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
        command = [sys.executable, "-c", STAMPS]
        return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True).stdout

    assert stamps("1") == stamps("2") != ""
