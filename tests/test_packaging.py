"""The wheel holds the whole product: code, pages, sheets, schema and translations, and nothing else; it runs alone."""

import os
import re
import shutil
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
from tests.house import Client, Server, a_round

ROOT = Path(__file__).parent.parent
# A folder of the tree -> where it lies in the wheel.
EXTRAS = {"postgres": {"psycopg[binary]>=3.3"}, "redis": {"redis"}}
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


def wanted(wheel: ZipFile) -> dict[str, set[str]]:
    """List what the wheel needs, by the extra that needs it; by "" what it always needs."""
    found: dict[str, set[str]] = {}
    for one in message_from_bytes(metadata(wheel, "METADATA")).get_all("Requires-Dist") or []:
        need, _, extra = one.partition("; extra == ")
        found.setdefault(extra.strip("'\""), set()).add(canonical(need))
    return found


def canonical(line: str) -> str:
    """Write a need as the standard has it."""
    return str(Requirement(line))


def test_the_wheel_needs_what_requirements_in_names(wheel: ZipFile) -> None:
    """Those of the extras are needed by many tables, and have no packages on some small machines."""
    by_extra = wanted(wheel)
    assert by_extra.pop("testing") == {"hypothesis", "pytest"}
    assert {extra: by_extra[extra] for extra in EXTRAS} == EXTRAS
    assert set().union(*by_extra.values()) == {*map(canonical, requirements())}


def test_the_wheel_brings_the_command(wheel: ZipFile) -> None:
    assert "companion = companion.__main__:main" in metadata(wheel, "entry_points.txt").decode()


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
    for name in needs("companion") - {"companion"}:
        borrow(name, packages)
    assert not {"psycopg", "redis", "waitress"} & {path.name for path in packages.iterdir()}
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
def test_the_wheel_runs_on_the_pinned_packages_as_they_are_installed_by_each_python(
    wheel: ZipFile, tmp_path: Path
) -> None:
    """Of those that are here: 3.11 is always tried, and it is said which others were."""
    tried = []
    for number in range(11, 15):
        python = python_of(f"3.{number}")
        if python is None:
            continue
        folder = tmp_path / f"3.{number}"
        folder.mkdir()
        own = make_environment(folder / "venv", python)
        pip = [sys.executable, "-m", "pip", f"--python={own}", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, "--require-hashes", "--requirement", ROOT / "requirements.txt"], check=True)
        install_alone(wheel, own)
        check_it_runs(own, folder / "elsewhere")
        tried.append(f"3.{number}")
    print("Pythons:", *tried)
    assert sys.version_info[:2] in {tuple(map(int, one.split("."))) for one in tried}


def python_of(version: str) -> str | None:
    """Find a Python of this version that starts, and has what a virtual environment needs."""
    python = sys.executable if sys.version.startswith(f"{version}.") else shutil.which(f"python{version}")
    if python is None:
        return None
    done = subprocess.run([python, "-c", "import ensurepip, sqlite3, ssl"], capture_output=True, check=False)
    return python if done.returncode == 0 else None


@pytest.mark.long
@pytest.mark.parametrize("tool", ["pip", "pipx", "uv"])
def test_each_tool_installs_the_wheel_and_the_command_serves(wheel: ZipFile, tmp_path: Path, tool: str) -> None:
    """With the newest packages that the wheel allows, as people get them who never see our pins."""
    python = make_environment(tmp_path / "tool")
    pip = [sys.executable, "-m", "pip", f"--python={python}", "--disable-pip-version-check", "install", "--quiet"]
    places = {"PIPX_HOME": "pipx", "PIPX_BIN_DIR": "bin", "UV_TOOL_DIR": "uv", "UV_TOOL_BIN_DIR": "bin"}
    surroundings = bare(tmp_path) | {name: str(tmp_path / place) for name, place in places.items()}
    if tool == "pip":
        subprocess.run([*pip, str(wheel.filename)], check=True)
        (tmp_path / "bin").symlink_to(python.parent)
    else:
        subprocess.run([*pip, tool], check=True)
        how = ["install"] if tool == "pipx" else ["tool", "install", "--quiet", "--python", sys.executable]
        subprocess.run([python.parent / tool, *how, str(wheel.filename)], env=surroundings, check=True)
    command = tmp_path / "bin" / "companion"
    run_in(tmp_path, surroundings, command, "print", "rage", "--blank", "-o", "rage.pdf")
    assert "Rage" in PdfReader(tmp_path / "rage.pdf").pages[0].extract_text()
    asked = subprocess.run([command, "update"], env=surroundings, stdout=subprocess.PIPE, text=True, check=False)
    known = {"pip": "pip", "pipx": "pipx", "uv": "uv tool"}[tool]
    assert re.match(
        rf"companion \S+: installed by {known}, in .*, from companion-\S+\.whl\.$", asked.stdout, re.MULTILINE
    )
    check_it_serves(command, tmp_path, surroundings)


def needs(name: str) -> set[str]:
    """Name a package and all that it needs here, the companion's own need among them."""
    found: set[str] = set()
    ahead = at_home() if name == "companion" else [name]
    while ahead:
        need = Requirement(ahead.pop())
        if need.name in found or (need.marker and not need.marker.evaluate({"extra": ""})):
            continue
        found.add(need.name)
        ahead += installed.distribution(need.name).requires or []
        ahead += [one.partition(";")[0] for extra in need.extras for one in of_extra(need.name, extra)]
    return found


def requirements() -> list[str]:
    return (ROOT / "requirements.in").read_text().splitlines()


def at_home() -> list[str]:
    """List what the companion itself needs, without its extras."""
    return [line for line in requirements() if line not in set().union(*EXTRAS.values())]


def of_extra(name: str, extra: str) -> list[str]:
    """List what an extra of a package needs here."""
    asked = [Requirement(one) for one in installed.distribution(name).requires or []]
    return [str(one) for one in asked if one.marker and one.marker.evaluate({"extra": extra})]


def make_environment(folder: Path, python: str = sys.executable) -> Path:
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
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


def check_a_round(port: int) -> None:
    """Play a round of Rage by the API."""
    program = Program(f"http://127.0.0.1:{port}")
    opened = program.asks("POST", "/tables", {"game": "rage", "players": ["Anna", "Bohdan", "Cyril"]})
    path = f"/tables/{opened['table']['code']}"
    for move in a_round(1, 3):
        program.asks("POST", f"{path}/moves", move)
    assert [place["score"] for place in program.asks("GET", f"{path}/standing")["standing"]] == [10, 10, 5]


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
        check_a_round(server.port)
    finally:
        server.kill()
