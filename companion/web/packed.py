"""Texts that never change under their address: packed once, and kept by phones for ever."""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

from flask import Flask, Response, current_app, request

TEXTS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""What is worth packing among the static files: ending -> its type."""


def init_app(app: Flask) -> None:
    """Send an app's static files so."""
    app.view_functions["static"] = static


def static(filename: str) -> Response:
    """Send a static file; its address changes with it."""
    file = Path(str(current_app.static_folder)) / filename
    if file.suffix not in TEXTS or ".." in file.parts or not file.is_file():
        return current_app.send_static_file(filename)
    return sent(*_read(file), TEXTS[file.suffix])


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


@lru_cache(256)
def _read(file: Path) -> tuple[bytes, bytes]:
    code = file.read_bytes()
    return code, gzip.compress(code, mtime=0)
