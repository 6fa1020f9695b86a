"""How a file comes on to the disk: the whole of it, or nothing."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def written_beside(file: Path, content: bytes, mode: int = 0o644) -> Path:
    """Write on to the disk what shall have a file's name; it waits beside it, under the name given. Raises: OSError."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(descriptor)
    except OSError:
        fresh.unlink()
        raise
    return fresh
