"""The wheel holds the whole product: code, pages, sheets, schema and translations, and nothing else."""

import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

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
    needed = message_from_bytes(metadata(wheel, "METADATA")).get_all("Requires-Dist")
    assert sorted(needed or []) == sorted((ROOT / "requirements.in").read_text().split())


def test_the_wheel_brings_the_command(wheel: ZipFile) -> None:
    assert "companion = companion.commands:companion" in metadata(wheel, "entry_points.txt").decode()
