"""A game's templates as one JavaScript module, in one language: `draw.js` draws by it."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256

from companion.rendering.compiler import Compiler
from companion.rendering.expressions import js
from companion.rendering.vocabulary import Vocabulary


@dataclass(frozen=True)
class Module:
    """A module, as it is sent."""

    code: bytes

    @cached_property
    def packed(self) -> bytes:
        """The same by gzip, packed once for all phones."""
        return gzip.compress(self.code, mtime=0)

    @cached_property
    def stamp(self) -> str:
        """What is another one for other code."""
        return sha256(self.code).hexdigest()[:12]


def module(compiler: Compiler, templates: Sequence[str], given: Collection[str], words: Vocabulary) -> Module:
    """Compile the templates of a game.

    Args:
        compiler: one that has compiled nothing yet.
        templates: those that draw a whole part of a page; what they need comes with them.
        given: the names in their context.
        words: by which the game's values are said, in the same language.

    Raises:
        Unlawful: a template is not for phones.
    """
    for name in templates:
        compiler.draw(name, given)
    # Imports first: so those that draw lie within the 32 kB over which gzip sees that they say the same.
    each = sorted(compiler.parts.items(), key=lambda one: not one[0].endswith("*"))
    parts = ",\n".join(f"{js(name)}:{part.code}" for name, part in each)
    code = (
        f"export const words={js(asdict(words))},\nplural=n=>Number({compiler.texts.rule}),\n"
        f"templates=R=>{{const P=plural,U={js(compiler.ways)},T={{\n{parts}\n}};return T}};\n"
    )
    return Module(code.encode())
