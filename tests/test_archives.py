"""Archives that are wrong: what is wrong is named, and everything beside it is taken."""

from __future__ import annotations

import io
import json
import random
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from companion.tables import importing
from companion.tables.importing import import_files
from tests.house import EXAMPLE, House

pytestmark = pytest.mark.promise(28)

NAMES = [f"{number}.json" for number in range(4)]


def packed(method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Pack four records of different evenings."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for number, name in enumerate(NAMES):
            archive.writestr(name, json.dumps({**EXAMPLE, "table": f"K7QX2{number}"}, indent=number))
    return file.getvalue()


def spoilt(content: bytes, name: str) -> bytes:
    """Spoil what is packed under a name, and nothing else."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        member = archive.getinfo(name)
        begins = member.header_offset + 30 + len(name)
        return content[:begins] + b"\xff" * member.compress_size + content[begins + member.compress_size :]


def brought(house: House, *contents: tuple[str, bytes]) -> list[tuple[str, str]]:
    """Import files; gives their names, and what is wrong with each ("" where it opened a table)."""
    with house.app.app_context():
        files = ((name, lambda content=content: io.BytesIO(content)) for name, content in contents)
        return [(one.file, str(one.problem or "")) for one in import_files(files, lambda: "host")]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_record_that_is_spoilt_keeps_no_other_out(tmp_path: Path, method: int) -> None:
    house = House(tmp_path)
    done = brought(
        house,
        ("bad.zip", spoilt(packed(method), "1.json")),
        ("good.json", json.dumps({**EXAMPLE, "table": "K7QX2M"}).encode()),
    )
    assert [file for file, _ in done] == [*(f"bad.zip: {name}" for name in NAMES), "good.json"]
    assert [bool(problem) for _, problem in done] == [False, True, False, False, False]
    assert done[1][1] == "This part of the archive cannot be read."
    house.close()


def test_an_archive_that_cannot_be_read_is_named_and_the_next_file_taken(tmp_path: Path) -> None:
    house, whole = House(tmp_path), packed()
    broken = whole.replace(b"PK\x01\x02", b"PK\x01\x03", 1)
    done = brought(house, ("bad.zip", broken), ("good.json", json.dumps({**EXAMPLE, "table": "K7QX2M"}).encode()))
    assert done == [("bad.zip", "This archive cannot be read."), ("good.json", "")]
    house.close()


def test_what_is_beyond_the_most_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MOST_IN_AN_ARCHIVE", 3)
    monkeypatch.setattr(importing, "MOST_OF_A_RECORD", 2_000)
    house = House(tmp_path)
    done = brought(house, ("many.zip", packed()), ("long.json", b"[" + b" " * 2_000))
    assert [bool(problem) for _, problem in done] == [False, False, False, True, True]
    assert done[-2:] == [
        ("many.zip", "Of an archive, 3 records are taken at most."),
        ("long.json", "Too long for a record: it has 2000 bytes at most."),
    ]
    house.close()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_record_that_could_unfold_without_bound_is_named_and_not_unpacked(tmp_path: Path, method: int) -> None:
    """A thousand bytes of it were two gigabytes of memory."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("huge.json", bytes(20_000_000), method)
        archive.writestr("good.json", json.dumps({**EXAMPLE, "table": "K7QX2M"}))
    house = House(tmp_path)
    tracemalloc.start()
    done = brought(house, ("bomb.zip", file.getvalue()))
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert done == [
        ("bomb.zip: huge.json", "Packed in an unusual way; pack it again as usual (deflate)."),
        ("bomb.zip: good.json", ""),
    ]
    assert most < 10_000_000
    house.close()


def test_of_a_record_that_unfolds_no_more_is_unpacked_than_one_has(tmp_path: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("huge.json", bytes(50_000_000))
    house = House(tmp_path)
    tracemalloc.start()
    done = brought(house, ("bomb.zip", file.getvalue()))
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert done == [("bomb.zip: huge.json", "Too long for a record: it has 1000000 bytes at most.")]
    assert most < 10_000_000
    house.close()


def test_of_an_archive_no_more_is_unpacked_than_evenings_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MOST_UNPACKED", 600)
    house = House(tmp_path)
    done = brought(house, ("many.zip", packed()))
    assert [bool(problem) for _, problem in done] == [False, False, True, True]
    assert done[-1][1] == "Of an archive, 600 bytes are unpacked at most."
    house.close()


def listing(count: int) -> bytes:
    """Write an archive that lists so many files, and holds none of them."""
    one = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 0, 20, *[0] * 8, 1, *[0] * 6) + b"a"
    end = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, count * len(one), 0)
    place = struct.pack("<4sLQL", b"PK\6\7", 0, count * len(one), 1)
    return one * count + end + place + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *[2**16 - 1] * 2, *[2**32 - 1] * 2, 0)


def test_an_archive_that_lists_a_million_files_is_named_and_not_listed(tmp_path: Path) -> None:
    house = House(tmp_path)
    assert brought(house, ("few.zip", listing(3))) == [("few.zip", "There is no record in this archive.")]
    assert brought(house, ("list.zip", listing(200_000))) == [("list.zip", "This archive cannot be read.")]
    house.close()


@pytest.mark.parametrize(
    ("method", "tries"),
    [
        pytest.param(method, tries, marks=marks, id=f"{method}-{tries}")
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        for tries, marks in ((50, ()), (5_000, pytest.mark.long))
    ],
)
def test_any_byte_of_an_archive_may_be_another(tmp_path: Path, method: int, tries: int) -> None:
    house, dice, whole = House(tmp_path), random.Random(method), packed(method)
    for _ in range(tries):
        other = bytearray(whole)
        for place in dice.sample(range(len(other)), dice.choice([1, 1, 3, 30])):
            other[place] = dice.randrange(256)
        del other[dice.choice([len(other)] * 4 + [dice.randrange(len(other))]) :]
        done = brought(house, ("some.zip", bytes(other)), ("good.json", b"[]"))
        assert done[-1] == ("good.json", "Not an object.")
        assert len(done) > 1
    house.close()
