"""The wheel holds the whole product: code, pages, sheets, schema and translations, and nothing else; it runs alone."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from email import message_from_bytes
from functools import partial
from importlib import metadata as installed
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from pypdf import PdfReader

from companion.testing.pages import Program
from tests.house import Client, Server

ROOT = Path(__file__).parent.parent
# A folder of the tree -> where it lies in the wheel.
CONTENTS = {"companion": "companion", "templates": "companion/templates", "printables": "companion/printables"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, ROOT], check=True)
    (path,) = folder.glob("companion-*.whl")
    return ZipFile(path)


def files_of(folder: str) -> set[str]:
    """List a folder of the tree as the wheel should hold it."""
    paths = (ROOT / folder).rglob("*")
    kept = [path for path in paths if path.is_file() and path.suffix != ".pyc" and not path.name.startswith(".")]
    return {f"{CONTENTS[folder]}/{path.relative_to(ROOT / folder).as_posix()}" for path in kept}


def metadata(wheel: ZipFile, name: str) -> bytes:
    (path,) = (path for path in wheel.namelist() if path.endswith(f".dist-info/{name}"))
    return wheel.read(path)


@pytest.mark.parametrize("folder", CONTENTS)
def test_every_file_of_the_folder_is_in_the_wheel(wheel: ZipFile, folder: str) -> None:
    assert files_of(folder) <= set(wheel.namelist())


def test_nothing_else_is_in_the_wheel(wheel: ZipFile) -> None:
    expected = set().union(*map(files_of, CONTENTS))
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} <= expected


def test_the_wheel_needs_what_requirements_in_names(wheel: ZipFile) -> None:
    needed = message_from_bytes(metadata(wheel, "METADATA")).get_all("Requires-Dist") or []
    assert sorted(one for one in needed if "extra ==" not in one) == sorted(
        (ROOT / "requirements.in").read_text().split()
    )
    assert {one.split(";")[0].strip() for one in needed if "extra == 'testing'" in one} == {"hypothesis", "pytest"}


def test_the_wheel_brings_the_command(wheel: ZipFile) -> None:
    assert "companion = companion.commands:companion" in metadata(wheel, "entry_points.txt").decode()


def test_the_wheel_runs_in_an_empty_environment_from_any_folder(wheel: ZipFile, tmp_path: Path) -> None:
    python = installed_alone(wheel, tmp_path / "venv")
    check_it_runs(python, tmp_path / "elsewhere")


@pytest.mark.long
def test_the_wheel_shows_itself_in_an_empty_environment(wheel: ZipFile, tmp_path: Path) -> None:
    """Phantoms need nothing of the tests: the kit for authors is not there."""
    python = installed_alone(wheel, tmp_path / "venv")
    server = Server(tmp_path, environment={**bare(tmp_path), "TMPDIR": str(tmp_path)})
    pace = ["--pace", "0.1", "--game", "rage"]
    server.command = [
        str(python.parent / "companion"),
        "demo",
        *pace,
        "--host",
        "127.0.0.1",
        "--port",
        str(server.port),
    ]
    try:
        server.start()
        with Client(server.port, "ann") as client:
            code = client.get("/demo/table").body.decode()
            assert f"/t/{code}/screen" in client.get("/demo").body.decode()
            while b"Round 2" not in client.get(f"/t/{code}/screen").body:
                assert server.process is not None
                assert server.process.poll() is None
                time.sleep(0.1)
    finally:
        server.kill()
    assert "Traceback" not in server.output()


def installed_alone(wheel: ZipFile, folder: Path) -> Path:
    """Install it beside the pinned packages and nothing else: those of the tests are not there to be leant on."""
    python = make_environment(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    for line in re.findall(r"^\S+==[^\\\n]+", (ROOT / "requirements.txt").read_text(), re.MULTILINE):
        pinned = Requirement(line)
        if pinned.marker is None or pinned.marker.evaluate():
            borrow(pinned.name, packages)
    install_alone(wheel, python)
    return python


def test_an_author_begins_a_game_with_the_wheel_in_an_empty_environment(wheel: ZipFile, tmp_path: Path) -> None:
    """A table is opened, a round is played by the API, a sheet is printed, and its own tests are green."""
    python = make_environment(tmp_path / "venv")
    (packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    for name in {*needs("companion"), *needs("pytest"), *needs("hypothesis")} - {"companion"}:
        borrow(name, packages)
    install_alone(wheel, python)
    folder = tmp_path / "author"
    folder.mkdir()
    surroundings = bare(folder)
    run = partial(run_in, folder, surroundings)
    command = python.parent / "companion"
    run(command, "new-game", "Twenty Dice")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--target", packages]
    run(*pip, "--no-deps", "--no-build-isolation", "--no-index", folder / "twenty_dice")
    assert run(command, "check") == ""
    run(command, "print", "twenty_dice", "--blank", "-o", "sheet.pdf")
    assert "Twenty Dice" in PdfReader(folder / "sheet.pdf").pages[0].extract_text()
    check_it_plays(command, folder, surroundings)
    told = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "twenty_dice")
    assert re.search(r"^2\d passed", told.splitlines()[-1]), told


def check_it_plays(command: Path, folder: Path, surroundings: Mapping[str, str]) -> None:
    """Play a round of the author's game by the API."""
    server = Server(folder, environment=surroundings)
    server.command = [str(command), "serve", "--host", "127.0.0.1", "--port", str(server.port)]
    try:
        server.start()
        program = Program(f"http://127.0.0.1:{server.port}")
        opened = program.asks("POST", "/tables", {"game": "twenty_dice", "players": ["Anna", "Bohdan"]})
        path = f"/tables/{opened['table']['code']}"
        for seat, die in enumerate((5, 6)):
            program.asks("POST", f"{path}/moves", {"move": "note", "seat": seat, "die": die})
        assert [place["score"] for place in program.asks("GET", f"{path}/standing")["standing"]] == [6, 5]
    finally:
        server.kill()


@pytest.mark.long
def test_the_wheel_runs_on_the_pinned_packages_as_they_are_installed(wheel: ZipFile, tmp_path: Path) -> None:
    python = make_environment(tmp_path / "venv")
    pip = [sys.executable, "-m", "pip", f"--python={python}", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--require-hashes", "--requirement", ROOT / "requirements.txt"], check=True)
    install_alone(wheel, python)
    check_it_runs(python, tmp_path / "elsewhere")


def needs(name: str) -> set[str]:
    """Name a package and all that it needs here, the companion's own need among them."""
    found: set[str] = set()
    ahead = [*(ROOT / "requirements.in").read_text().split()] if name == "companion" else [name]
    while ahead:
        wanted = Requirement(ahead.pop())
        if wanted.name in found or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        found.add(wanted.name)
        ahead += installed.distribution(wanted.name).requires or []
        ahead += [one.partition(";")[0] for extra in wanted.extras for one in of_extra(wanted.name, extra)]
    return found


def of_extra(name: str, extra: str) -> list[str]:
    """List what an extra of a package needs here."""
    asked = [Requirement(one) for one in installed.distribution(name).requires or []]
    return [str(one) for one in asked if one.marker and one.marker.evaluate({"extra": extra})]


def make_environment(folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder / "bin" / "python"


def borrow(name: str, packages: Path) -> None:
    """Link what the installed package of this name consists of."""
    files = installed.distribution(name).files
    assert files, name
    for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
        place = packages / top
        if not place.exists():
            place.symlink_to(Path(str(installed.distribution(name).locate_file(top))))


def install_alone(wheel: ZipFile, python: Path) -> None:
    pip = [sys.executable, "-m", "pip", f"--python={python}", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel.filename)], check=True)


def bare(folder: Path) -> dict[str, str]:
    """Give surroundings in which nothing of ours is set but the folder of the data."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMPANION_", "PYTHON"))}
    return {**kept, "COMPANION_DATA": str(folder / "data")}


def run_in(folder: Path, surroundings: Mapping[str, str], *words: object) -> str:
    command = [*map(str, words)]
    return subprocess.run(command, cwd=folder, env=surroundings, stdout=subprocess.PIPE, text=True, check=True).stdout


def check_it_runs(python: Path, folder: Path) -> None:
    folder.mkdir()
    surroundings = bare(folder)
    run = partial(run_in, folder, surroundings)
    command = python.parent / "companion"

    where = run(python, "-c", "import companion; print(companion.__file__)")
    assert Path(where).is_relative_to(python.parent.parent)
    run(command, "print", "rage", "--blank", "--paper", "a4", "--lang", "en", "-o", "rage.pdf")
    assert "Rage" in PdfReader(folder / "rage.pdf").pages[0].extract_text()
    check_it_serves(command, folder, surroundings)


def check_it_serves(command: Path, folder: Path, surroundings: Mapping[str, str]) -> None:
    server = Server(folder, environment=surroundings)
    server.command = [str(command), "serve", "--host", "127.0.0.1", "--port", str(server.port)]
    try:
        server.start()
        with Client(server.port, "ann") as client:
            lobby = client.get("/")
            assert lobby.status == 200
            files = re.findall(r'"(/static/[^"]+)"', lobby.body.decode())
            assert files
            assert {client.get(file).status for file in files} == {200}
    finally:
        server.kill()
