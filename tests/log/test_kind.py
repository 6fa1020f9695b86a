"""What holds for every kind of database."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from companion.log.kind import write_whole


def lay(text: str, file: Path) -> None:
    file.write_text(text)


def test_a_file_is_there_whole_and_for_its_owner_alone_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is anything written into a file that somebody lays in its place just then, for many to read."""
    file, unlink = tmp_path / "copy", Path.unlink
    write_whole(file, partial(lay, "evenings"))
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("evenings", 0o600)

    def laid_again(path: Path, missing_ok: bool = False) -> None:
        unlink(path, missing_ok)
        path.touch(0o666)

    monkeypatch.setattr(Path, "unlink", laid_again)
    with pytest.raises(FileExistsError):
        write_whole(file, partial(lay, "secrets"))
    assert [path for path in tmp_path.iterdir() if path.read_text() == "secrets"] == []
