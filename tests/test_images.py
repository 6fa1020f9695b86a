"""The image and its companions: the files name what is there, the health check tells health, and (--long) it is built and runs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.commands.serve import serve
from tests.house import Client, House, free_port
from tests.roots import Root, bare_root, wait_for
from tests.test_packaging import check_a_round
from tests.waiting import until

ROOT = Path(__file__).parent.parent
FILES = ROOT / "docs" / "deploying"
IMAGE = FILES / "Containerfile"
COMPOSED = sorted(FILES.glob("compose*.yaml"))
SETTINGS = set(re.findall(r"^\| `(COMPANION_\w+)`", (ROOT / "README.md").read_text(), re.MULTILINE))


def instructions(name: str) -> list[str]:
    """List what stands behind an instruction of the Containerfile, each on one line."""
    whole = re.sub(r"\\\n\s*", "", IMAGE.read_text())
    return re.findall(rf"^{name} (.+)$", whole, re.MULTILINE)


def services(file: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(file.read_text())["services"]
    return found


def ours(file: Path) -> dict[str, Any]:
    return services(file)["companion"]


def test_what_is_copied_is_there_and_let_in() -> None:
    sources = [line.split()[0] for line in instructions("COPY") if not line.startswith("--from")]
    assert all((ROOT / source).exists() for source in sources)
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    assert sorted(let_in) == sorted(sources)


def test_the_image_has_the_packages_of_debian_that_the_tree_installs() -> None:
    (listed,) = re.findall(r'^run_packages="(.+)"$', (ROOT / "bin" / "setup.sh").read_text(), re.MULTILINE)
    installed = {word for line in instructions("RUN") for word in line.split()}
    assert set(listed.split()) <= installed


def test_it_runs_as_nobody_in_particular_and_begins_with_serve() -> None:
    assert int(instructions("USER")[-1]) > 0
    begun = [*json.loads(instructions("ENTRYPOINT")[0]), *json.loads(instructions("CMD")[-1])]
    assert begun[1:] == ["-P", "-m", "companion", "serve"]


def test_the_health_check_tells_who_is_well_from_who_is_not(tmp_path: Path) -> None:
    house = House(tmp_path)
    server = house.server()
    (check,) = (json.loads(line.partition("CMD ")[2]) for line in instructions("HEALTHCHECK"))
    asks = [sys.executable, *(word.replace("8000", str(server.port)) for word in check[1:])]
    assert asks[1:] != check[1:]
    try:
        server.start()
        assert subprocess.run(asks, capture_output=True, check=False).returncode == 0
    finally:
        server.kill()
        house.close()
    assert subprocess.run(asks, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("file", COMPOSED, ids=lambda file: file.name)
def test_what_is_composed_names_what_is_there(file: Path) -> None:
    built = ours(file)["build"]
    assert (FILES / built["context"]).resolve() == ROOT
    assert ROOT / built["dockerfile"] == IMAGE
    assert set(built.get("args", ())) <= {line.partition("=")[0] for line in instructions("ARG")}
    assert set(ours(file).get("environment", ())) <= SETTINGS
    known = {name for option in serve.params for name in option.opts}
    assert {word for word in ours(file).get("command", ()) if word.startswith("-")} <= known
    kept = yaml.safe_load(file.read_text())["volumes"]
    for volume in (volume for one in services(file).values() for volume in one.get("volumes", ())):
        source = volume.partition(":")[0]
        assert source in kept or source.startswith("/") or (FILES / source).is_file(), volume


@pytest.mark.parametrize("file", COMPOSED, ids=lambda file: file.name)
def test_what_is_composed_may_write_its_data_and_nothing_else(file: Path) -> None:
    one = ours(file)
    assert one["read_only"] is True
    assert one["cap_drop"] == ["ALL"]
    assert {volume.partition(":")[2] for volume in one["volumes"]} | set(one["tmpfs"]) == {"/data", "/tmp"}
    assert instructions("VOLUME") == ["/data"]


def test_services_wait_for_services_that_are_there() -> None:
    found = services(FILES / "compose.many.yaml")
    named = {name for one in found.values() for name in one.get("depends_on", ())}
    assert named <= set(found)
    assert found["nginx"]["network_mode"] == "service:companion"
    asked = re.findall(r"@(\w+)/|//(\w+):", " ".join(found["companion"]["environment"].values()))
    assert {"".join(one) for one in asked} <= {*found, "companion"}


def buildah(folder: Path, *words: object) -> str:
    """Run buildah with a store of its own."""
    places = ["--storage-driver", "vfs", "--root", str(folder / "store"), "--runroot", str(folder / "run")]
    command = ["buildah", *places, *map(str, words)]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Root, dict[str, Any]]]:
    """Build the image upon a Debian made on the spot, since no registry may be here; gives its files and its settings."""
    folder = tmp_path_factory.mktemp("image")
    with bare_root(folder) as bare:
        (folder / "Containerfile").write_text("FROM scratch\nADD root /\n")
        isolated = ("build", "--isolation", "chroot", "--format", "docker")
        buildah(folder, *isolated, "--tag", "base", "--file", folder / "Containerfile", bare.folder.parent)
        buildah(folder, *isolated, "--build-arg", "BASE=localhost/base", "--tag", "companion", "--file", IMAGE, ROOT)
    about = json.loads(buildah(folder, "inspect", "--type", "image", "companion"))["Docker"]["config"]
    container = buildah(folder, "from", "companion")
    try:
        yield Root(Path(buildah(folder, "mount", container))), about
    finally:
        buildah(folder, "umount", container)
        subprocess.run(["rm", "-rf", folder], check=True)


@pytest.mark.long
def test_the_image_is_built_and_plays_with_a_root_that_cannot_be_written(
    image: tuple[Root, dict[str, Any]], tmp_path: Path
) -> None:
    root, about = image
    port, data = free_port(), tmp_path / "data"
    data.mkdir()
    begin = [*about["Entrypoint"], *about["Cmd"], "--host", "127.0.0.1", "--port", str(port)]
    around = dict(line.split("=", 1) for line in about["Env"])
    assert about["Healthcheck"]["Test"][0] == "CMD"
    with root.read_only(data, int(about["User"]), begin, around) as said:
        wait_for(port, said)
        check_a_round(port)
        with Client(port, "nobody") as client:
            assert client.get("/print/rage.pdf").body.startswith(b"%PDF")
    assert {path.name for path in data.iterdir()} >= {"companion.sqlite", "secret_key"}
    print("MB of the image:", *root.run("du", "-sxm", "/").split()[:1])


@pytest.mark.long
def test_the_root_of_that_trial_cannot_be_written(image: tuple[Root, dict[str, Any]], tmp_path: Path) -> None:
    root, about = image
    data = tmp_path / "data"
    data.mkdir()
    tries = "touch /tmp/here /data/here && ! touch /here && ! touch /opt/companion/here && sleep 1 && echo so"
    with root.read_only(data, int(about["User"]), ["sh", "-c", tries], {}) as said:
        until(lambda: said.read_text().endswith("so\n"), said.read_text)
