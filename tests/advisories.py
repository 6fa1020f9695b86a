"""Ask for what is known against the pinned packages: `bin/advisories`.

The lists are read as they are pinned, with their hashes, and nothing is installed for it. What could not be asked about is
named: that nothing is known of it says nothing.

Exit status: 0 all were asked about and nothing is known, 1 something is known, 2 not all could be asked about.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LISTS = tuple(ROOT / f"requirements{of}.txt" for of in ("", "-test", "-docs"))
AUDIT = (*(sys.executable, "-m", "pip_audit"), *("--disable-pip", "--require-hashes", "--progress-spinner=off"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said of the packages."""

    asked: int
    """So many could be asked about."""
    known: tuple[str, ...] = ()
    """A line for each thing that is known against one of them."""
    unasked: tuple[str, ...] = ()
    """Why the others could not be."""

    @property
    def status(self) -> int:
        return 1 if self.known else 2 if self.unasked or not self.asked else 0

    @property
    def lines(self) -> list[str]:
        """Say it in words."""
        said = [*self.known, *(f"Not asked about: {why}" for why in self.unasked)]
        told = f"{self.asked} packages were asked about, {len(self.known)} things are known against them."
        if not self.asked:
            told = "Nobody could be asked, so nothing is said of any package. Ask again where the net is reached."
        return [*said, told]


def ask(lists: Sequence[Path], *more: str) -> Answer:
    """Ask the service of OSV, by pip-audit."""
    named = [word for file in lists for word in ("--requirement", str(file))]
    command = [*AUDIT, "--format=json", "--vulnerability-service=osv", *named, *more]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)["dependencies"]
    except ValueError:  # it ended with a complaint instead
        return Answer(0, unasked=tuple(done.stderr.strip().splitlines()[-1:]))
    return Answer(
        asked=sum("skip_reason" not in each for each in found),
        known=tuple(_told(each, flaw) for each in found for flaw in each.get("vulns", ())),
        unasked=tuple(f"{each['name']}: {each['skip_reason']}" for each in found if "skip_reason" in each),
    )


def _told(package: Mapping[str, Any], flaw: Mapping[str, Any]) -> str:
    names = ", ".join([flaw["id"], *flaw["aliases"]])
    mended = ", ".join(flaw["fix_versions"]) or "no release yet"
    return f"{package['name']} {package['version']}: {names}; mended in {mended}"


if __name__ == "__main__":
    answer = ask(LISTS, *sys.argv[1:])
    print(*answer.lines, sep="\n")
    sys.exit(answer.status)
