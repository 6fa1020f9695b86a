"""Codes that people type: of tables, and of the groups that share a book."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import repeat

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters and digits that nobody mixes up."""
CODE_LENGTH = 6
"""Of a table's code; those of groups are longer."""
INVITATION_LENGTH = 13
"""Of what a QR code brings beside it: nobody tries all of these."""


def read_code(text: str) -> str:
    """Read a typed code: Crockford's alphabet forgives case, O for 0, I and L for 1.

    >>> read_code(" k7-qxo l")
    'K7QX01'
    """
    return text.upper().translate(str.maketrans("OIL", "011", " -"))


def invited_to(text: str) -> tuple[str, str]:
    """Read a code with its invitation; ("", "") where the text is no such thing.

    >>> invited_to("k7qx2m-0123456789abc")
    ('K7QX2M', '0123456789ABC')
    """
    said = read_code(text)
    is_whole = is_code(said, CODE_LENGTH + INVITATION_LENGTH)
    return (said[:CODE_LENGTH], said[CODE_LENGTH:]) if is_whole else ("", "")


def fresh_invitation() -> str:
    """Draw what the QR code of a new table brings."""
    return fresh_code(INVITATION_LENGTH)


def fresh_code(length: int) -> str:
    """Draw a code that nobody can guess."""
    return "".join(secrets.choice(CROCKFORD) for _ in range(length))


def fresh_codes() -> Iterator[str]:
    """Draw codes for a new table, until one is free."""
    return (fresh_code(CODE_LENGTH) for _ in repeat(None))


def code_of(number: int, length: int) -> str:
    """Write the last digits of a number as a code.

    >>> code_of(32 * 31 + 7, 3)
    '0Z7'
    """
    return "".join(CROCKFORD[number >> 5 * place & 31] for place in reversed(range(length)))


def is_code(text: str, length: int) -> bool:
    """Say whether this is a code of that length, as `read_code` reads them."""
    return len(text) == length and set(text) <= set(CROCKFORD)


def said_code(code: str) -> str:
    """Write a long code in groups of four.

    >>> said_code("K7QX2M00ABCD")
    'K7QX-2M00-ABCD'
    """
    return "-".join(code[place : place + 4] for place in range(0, len(code), 4))
