"""Templates are indented for who reads them; phones are sent every byte, and not that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

_SPACE = re.compile(r"\s{2,}")


class Unindented(Extension):
    """Leave of each stretch of space in a template one, when it is compiled: a browser shows no more of it."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Pass a template's tokens on."""
        if (stream.name or "").endswith(".js"):  # a comment ends where its line does
            yield from stream
            return
        for token in stream:
            yield token._replace(value=_SPACE.sub(" ", token.value)) if token.type == "data" else token
