"""Texts that never change under their address: packed once, and kept by phones for ever."""

from __future__ import annotations

import gzip
import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app, request, send_file
from werkzeug.exceptions import NotFound
from werkzeug.security import safe_join

from companion.games import brought

TEXTS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""What is worth packing among the static files: ending -> its type."""
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)\n", re.MULTILINE | re.DOTALL)
"""Lines of a script with nothing but a comment."""


def init_app(app: Flask) -> None:
    """Send an app's static files so."""
    app.view_functions["static"] = static


def static(filename: str) -> Response:
    """Send a static file; its address changes with it."""
    file = found(filename)
    if file is None:
        raise NotFound
    if file.suffix not in TEXTS:
        return send_file(file, max_age=current_app.get_send_file_max_age(filename))
    return sent(*_read(file), TEXTS[file.suffix])


def found(name: str) -> Path | None:
    """Find a static file: the companion's own, or what a game of another package brings beside it."""
    for folder in folders():
        place = safe_join(str(folder), name)
        with suppress(OSError):  # a name that is too long is nobody's
            if place and Path(place).is_file():
                return Path(place)
    return None


def folders() -> tuple[Path, ...]:
    """List the folders of static files, the companion's own first: nobody stands in for what is there."""
    return Path(str(current_app.static_folder)), *brought("static")


def sent(code: bytes, packed: bytes, mimetype: str) -> Response:
    """Send a text, packed where who asks can unpack it."""
    is_packed = request.accept_encodings.quality("gzip") > 0
    answer = Response(packed if is_packed else code, mimetype=mimetype)
    if is_packed:
        answer.content_encoding = "gzip"
    answer.vary.add("Accept-Encoding")
    kept_s = current_app.config["SEND_FILE_MAX_AGE_DEFAULT"]
    answer.cache_control.update({"public": True, "immutable": True, "max-age": kept_s})
    return answer


def uncommented(code: bytes) -> bytes:
    """Leave out what a script of ours says to those who read it: a quarter of what is sent, packed, too."""
    return _COMMENT.sub(b"", code)


@lru_cache(256)
def _read(file: Path) -> tuple[bytes, bytes]:
    code = file.read_bytes()
    if file.suffix == ".js" and file.is_relative_to(Path(str(current_app.static_folder))):
        code = uncommented(code)
    return code, gzip.compress(code, mtime=0)
