"""Write `licences.md`, what is shipped with the companion and under which licence: `.venv/bin/python docs/licences.py`.

Shipped are the packages of `requirements.txt`, which the image and the Debian package hold. Each says itself what it is
under.
"""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "licences.md"
ELSEWHERE = {
    "async-timeout": "Apache-2.0",
    "brotlicffi": "MIT",
    "colorama": "BSD-3-Clause",
    "deprecated": "MIT License",
    "importlib-metadata": "Apache-2.0",
    "tzdata": "Apache-2.0",
    "wrapt": "BSD-2-Clause",
    "zipp": "MIT",
}
"""Those that some machines or Pythons alone are given: it cannot be asked everywhere."""
HEAD = """# Licences

The companion itself is under the [MIT licence](../LICENSE). The image and the Debian package bring these packages
with it, each with its licence beside it (`….dist-info`); pip fetches them where the wheel is installed. All may be
used and passed on freely. Those under the LGPL and the MPL (of the three of pyphen, the MPL) are shipped unchanged,
as packages of their own, which anybody may exchange.

Fonts (Lato, OFL), Pango and HarfBuzz come from the system; in the image they are Debian's own packages, with their
licences in `/usr/share/doc`. Pictures, drawings and words are the companion's own; nothing of the games' books or art
is in it.

`docs/licences.py` writes this page; `tests/test_releasing.py` says when it is due.

| package | licence |
|---|---|
"""
CLASSIFIER = re.compile(r"^License :: (?:OSI Approved :: )?(.+)$")


def shipped() -> list[str]:
    """Name the packages."""
    named = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    return list(dict.fromkeys(named))


def licence(name: str) -> str:
    """Say under which licence a package is, in its own words. Raises: SystemExit, where it does not say."""
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    about = metadata.metadata(name)
    short: str = about["License-Expression"] or _classified(about.get_all("Classifier") or []) or about["License"] or ""
    if not short or "\n" in short:  # that is the text of one
        raise SystemExit(f"{name} does not say under which licence it is.")
    return short


def _classified(classifiers: list[str]) -> str:
    found = [match[1] for match in map(CLASSIFIER.match, classifiers) if match]
    # qrcode calls so what its own file says of the program that it was made from: MIT.
    return ", ".join(one for one in found if one != "Other/Proprietary License")


def written() -> str:
    """Write the page."""
    return HEAD + "".join(f"| {name} | {licence(name)} |\n" for name in shipped())


if __name__ == "__main__":
    PAGE.write_text(written())
