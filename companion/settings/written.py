"""How addresses are written that somebody sets by hand: what is one is told from what is none."""

from __future__ import annotations

import re
from ipaddress import IPv6Address
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

PORTS = range(1, 65536)
UNSAID = {"https": 443, "http": 80}
"""The ports that go without saying."""
PLACE = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?))?(?::(\d{1,5}))?", re.ASCII)
"""A number of IPv6 in brackets, or another host; and a port."""
REDIS = r"rediss?://.*|redis\+sentinel://([^@/]*@)?[^@,/]+:\d{1,5}(,[^@,/]+:\d{1,5})*/[\w.-]+(\?db=\d+)?"
"""What names a Redis, or its Sentinels, each with its port, and what they watch."""


def at(host: str, port: int) -> str:
    """Write a place as addresses do.

    >>> at("192.168.1.5", 8000), at("::1", 8000)
    ('192.168.1.5:8000', '[::1]:8000')
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def place(text: str) -> tuple[str, int | None] | None:
    """Read a host and a port, either of which may be left out; None for what is no such thing.

    >>> place("Table.example:8000"), place("[::1]"), place(":8443"), place("a:b:8443")
    (('table.example', 8000), ('::1', None), ('', 8443), None)
    """
    found = PLACE.fullmatch(text.lower())
    if found is None:
        return None
    number, name, port = found.groups()
    try:
        named = str(IPv6Address(number)) if number else name or ""
    except ValueError:
        return None
    return (named, int(port) if port else None) if port is None or int(port) in PORTS else None


def host(text: str) -> str:
    """Write a host as requests name it, a number of IPv6 without brackets; "" for what is none, or has a port.

    >>> host("Table.example"), host("[::1]"), host("::1"), host("table.example:8443"), host("https://table.example")
    ('table.example', '::1', '::1', '', '')
    """
    named, port = place(f"[{text}]" if text.count(":") > 1 and "[" not in text else text) or ("", None)
    return "" if port else named


def origin(text: str) -> str:
    """Write an address as browsers write its origin; "" for what is none, or more than that.

    >>> origin("HTTPS://Table.example:443/"), origin("http://[::1]:8000"), origin("table.example"), origin("http://a/b")
    ('https://table.example', 'http://[::1]:8000', '', '')
    """
    scheme, _, rest = text.strip().rstrip("/").lower().partition("://")
    named, port = place(rest) or ("", None)
    if not named or scheme not in UNSAID:
        return ""
    return f"{scheme}://{at(named, port or UNSAID[scheme]).removesuffix(f':{UNSAID[scheme]}')}"


def sqlite_at(file: Path) -> str:
    """Write the address of a SQLite file, whatever its name has in it that means something else in an address.

    >>> sqlite_at(Path("/data/100% what?/a b.sqlite"))
    'sqlite:////data/100%25 what%3F/a b.sqlite'
    """
    return f"sqlite:///{str(file).replace('%', '%25').replace('?', '%3F')}"


def sqlite_file(address: str) -> Path | None:
    """Read which file such an address names; None for one of another database, and for one in memory.

    >>> str(sqlite_file("sqlite:////data/100%25 what%3F/a b.sqlite")), sqlite_file("sqlite:///:memory:")
    ('/data/100% what?/a b.sqlite', None)
    """
    kind, _, file = address.partition(":///")
    return Path(unquote(file)) if kind.startswith("sqlite") and file and not file.startswith(":") else None


def is_receiver(text: str) -> bool:
    """Say whether something can be posted there: nobody's name or password, and nothing that only browsers read."""
    try:
        parts = urlsplit(text)
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    is_plain = text.isascii() and text.isprintable() and " " not in text
    return is_whole and is_plain and parts.scheme in UNSAID and "@" not in parts.netloc and not parts.fragment


def is_redis(text: str) -> bool:
    """Say whether a Redis can be asked there, or each of its Sentinels.

    >>> is_redis("redis://localhost:6379/0"), is_redis("redis://localhost:abc"), is_redis("redis+sentinel://a:0,b:1/x")
    (True, False, False)
    """
    try:
        hosts = re.split("[/?#]", text.partition("://")[2])[0].rpartition("@")[2].split(",")
        has_ports = all(urlsplit(f"//{host}").port != 0 for host in hosts)
        return bool(re.fullmatch(REDIS, text)) and has_ports and all(map(str.isdecimal, _numbers(text)))
    except ValueError:
        return False


def _numbers(address: str) -> list[str]:
    """List what names the database of a Redis; what stands behind Sentinels says that for itself."""
    if address.startswith("redis+"):
        return []
    parts = urlsplit(address)
    return [*filter(None, [parts.path.strip("/")]), *parse_qs(parts.query).get("db", [])]
