"""Lighthouse's grades for a phone: the lobby, a seat, the history. Minutes long: `bin/test --long`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pages.places import Setting, laid
from tests.phones import FLAGS, ROOT, Phone, Server

NODE = ROOT / ".venv/bin/node"
LIGHTHOUSE = ROOT / ".venv/tools/lighthouse/node_modules/lighthouse/cli/index.js"
LEAST = {"performance": 95, "accessibility": 100, "best-practices": 100}


def grades(server: Server, path: str, cookie: str, folder: Path) -> dict[str, int]:
    """Let Lighthouse look at a page as a phone would on slow mobile data."""
    headers = folder / "headers.json"
    headers.write_text(json.dumps({"Cookie": cookie}))
    # From this machine itself, as over https: what a plain address cannot have is not the page's fault.
    address = f"http://127.0.0.1:{server.port}{path}"
    flags = " ".join([*FLAGS, "--headless=new", *(["--no-sandbox"] if os.geteuid() == 0 else [])])
    command = [str(NODE), str(LIGHTHOUSE), address, "--quiet", "--output=json", f"--extra-headers={headers}"]
    command += [f"--only-categories={','.join(LEAST)}", f"--chrome-flags={flags}"]
    around = {**os.environ, "CHROME_PATH": "/usr/bin/chromium"}
    report = json.loads(subprocess.run(command, env=around, check=True, capture_output=True).stdout)
    return {name: round(100 * report["categories"][name]["score"]) for name in LEAST}


@pytest.mark.long
@pytest.mark.parametrize("page", ["lobby", "seat", "history"])
def test_lighthouse_has_little_to_say(server: Server, phone: Callable[..., Phone], page: str, tmp_path: Path) -> None:
    host = phone()
    code = laid(host, Setting("rage", 4, (0.3,)), 0.3)
    [secret] = [cookie["value"] for cookie in host.page.context.cookies() if cookie["name"] == "phone"]
    path = {"lobby": "/", "seat": f"/t/{code}/0", "history": f"/t/{code}/history"}[page]
    found = grades(server, path, f"phone={secret}", tmp_path)
    assert all(found[name] >= least for name, least in LEAST.items()), found
