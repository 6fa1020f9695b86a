"""Keys: the same one counts once, however often a post is sent."""

from __future__ import annotations

import secrets
from hashlib import sha256

from companion.desk.phone import phone
from companion.errors import Malformed, Told

KEY_LENGTH = 255
"""Characters of the longest key that a post may carry."""
_WHOLE, _PHONE_LENGTH = 42, 16
"""So many characters of a key, and of the phone that sends it, the log keeps as they are: it has room for 64, and what
one post enters at once has an ending each, as `.lock`."""
_HASHED = "#"
"""How a key begins in the log that stands there hashed."""


def fresh_key() -> str:
    """Make a key that no other post has."""
    return secrets.token_hex(16)


def checked_key(name: str, key: str) -> str:
    """Look at the key of a post; `name` is that of the field that it came in. Raises: Malformed."""
    if not 1 <= len(key) <= KEY_LENGTH:
        raise Malformed(place=name, reason=Told("A key has 1 to %(most)s characters.", most=KEY_LENGTH))
    return key


def own_key(key: str, who: str = "") -> str:
    """Make a key the phone's own: who repeats that of another one must not learn whether the two posts say the same."""
    if len(key) > _WHOLE or not key.isprintable() or key.startswith(_HASHED):
        key = (_HASHED + sha256(key.encode("utf-8", "surrogatepass")).hexdigest())[:_WHOLE]
    return f"{sender(who or phone())}{key}"


def sender(who: str) -> str:
    """Say how the keys of a phone begin in the log."""
    return f"{who[:_PHONE_LENGTH]}."
