"""What the companion needs to know before it starts, and the refusal to start without it."""

from __future__ import annotations

import os
import secrets
import socket
import stat
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from platformdirs import user_data_path

from companion import machine
from companion.errors import StartError

PORT, SECURE_PORT = 8000, 8443


def _folder(name: str) -> Path:
    """Find a folder: inside an installed package, or beside it in the tree."""
    package = Path(__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


TEMPLATES, PRINTABLES = _folder("templates"), _folder("printables")
"""The pages; and the sheets, all that a sheet may read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the data is, and how the world reaches us."""

    data: Path
    """The folder with the database file and the secret key (`COMPANION_DATA`)."""
    database: str
    """The database's URL (`COMPANION_DATABASE`; by default a SQLite file in the data folder)."""
    redis: str = ""
    """The address of the Redis that several servers share (`COMPANION_REDIS`); "" for one server alone."""
    address: str = ""
    """The address printed in QR codes (`COMPANION_ADDRESS`), without a slash at the end; "" for the request's own."""
    hosts: tuple[str, ...] = ()
    """The host names that are answered (`COMPANION_HOSTS`, with commas); () for IP addresses and local names."""
    origins: tuple[str, ...] = ()
    """Whose programs may use the API in a browser (`COMPANION_ORIGINS`, with commas): `https://board.example`."""
    streams: int = 1000
    """How many may listen at once, each worker (`COMPANION_STREAMS`)."""
    homes: int = 1
    """How many homes share one address: quotas are so many times as large (`COMPANION_HOMES`); 0 for no quotas."""
    port: int = PORT
    """Where the plain server listens (`COMPANION_PORT`)."""
    https: tuple[str, int] | None = None
    """Where the secure door is: host and port (`COMPANION_HTTPS`); None without one."""
    certificate: str = ""
    """The file that the secure door shows (`COMPANION_CERTIFICATE`); "" for the local authority's."""
    key: str = ""
    """The file of its private key (`COMPANION_KEY`)."""
    proxies: int = 0
    """How many proxies stand before us and say whom they serve (`COMPANION_PROXIES`)."""
    metrics: str = ""
    """What a program must know that reads the figures from elsewhere (`COMPANION_METRICS`); "" for none."""
    has_lines: bool = False
    """Whether the server's log is written as JSON, a line for each ruling too (`COMPANION_LOG=json`)."""
    secret: bytes = b""

    @property
    def authority(self) -> Path:
        """The folder of the local authority."""
        return self.data / "authority"

    @property
    def has_own_authority(self) -> bool:
        """Whether phones must be asked to trust this companion's own authority."""
        return self.https is not None and Path(self.certificate).parent == self.authority

    @property
    def secure_address(self) -> str:
        """The address of the secure door; "" without one."""
        host = urlsplit(self.address or own_address()).hostname
        return f"https://{host}:{self.https[1]}" if self.https else ""


def from_environment() -> Settings:
    """Read the settings; make the data folder and the secret key on the first start.

    Raises:
        StartError: a setting cannot be read.
    """
    port, https = os.environ.get("COMPANION_PORT") or str(PORT), os.environ.get("COMPANION_HTTPS", "")
    host, _colon, secure = https.rpartition(":")
    for name, number in (("COMPANION_PORT", port), ("COMPANION_HTTPS", secure)):
        if number and not (number.isascii() and number.isdecimal()):
            raise StartError(f"{name} is {os.environ[name]}: its port must be a whole number.")
    given = os.environ.get("COMPANION_DATA")
    data = Path(given) if given else user_data_path("companion", appauthor=False)
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    data = data.resolve()
    _keep_to_owner(data)
    return Settings(
        data=data,
        database=os.environ.get("COMPANION_DATABASE") or f"sqlite:///{data / 'companion.sqlite'}",
        redis=_redis(os.environ.get("COMPANION_REDIS", "")),
        address=os.environ.get("COMPANION_ADDRESS", "").rstrip("/"),
        hosts=tuple(filter(None, os.environ.get("COMPANION_HOSTS", "").lower().split(","))),
        origins=_origins(os.environ.get("COMPANION_ORIGINS", "")),
        streams=_number("COMPANION_STREAMS", 1000),
        homes=_number("COMPANION_HOMES", 1),
        port=int(port),
        https=(host or "0.0.0.0", int(secure)) if secure else None,
        certificate=os.environ.get("COMPANION_CERTIFICATE", ""),
        key=os.environ.get("COMPANION_KEY", ""),
        proxies=_number("COMPANION_PROXIES", 0),
        metrics=os.environ.get("COMPANION_METRICS", ""),
        has_lines=os.environ.get("COMPANION_LOG", "") == "json",
        secret=_secret_key(data / "secret_key"),
    )


def _keep_to_owner(folder: Path) -> None:
    """Let nobody else into our folder; one that is somebody's home, or that all write to, is not ours alone."""
    found = folder.stat()
    is_ours = machine.is_own(found) and not found.st_mode & stat.S_ISVTX and folder != Path.home()
    if is_ours and found.st_mode & 0o077:
        folder.chmod(0o700)


def _number(name: str, usual: int) -> int:
    """Read a whole number. Raises: StartError."""
    given = os.environ.get(name, str(usual))
    if not (given.isascii() and given.isdecimal()):
        raise StartError(f"{name} is {given}: it must be a whole number.")
    return int(given)


def _redis(address: str) -> str:
    """Look at the address of Redis. Raises: StartError."""
    if address and urlsplit(address).scheme not in {"redis", "rediss"}:
        raise StartError("COMPANION_REDIS is no address of a Redis, as redis://localhost:6379/0 is.")
    if address and not find_spec("redis"):
        raise StartError("COMPANION_REDIS needs the package redis: pip install 'companion[redis]'.")
    return address


def _origins(given: str) -> tuple[str, ...]:
    """Read origins as browsers write them. Raises: StartError."""
    origins = tuple(filter(None, (one.strip() for one in given.split(","))))
    for origin in origins:
        if not _is_origin(origin):
            raise StartError(
                f"COMPANION_ORIGINS names {origin}: an origin is written as https://board.example:8080 is."
            )
    return origins


def _is_origin(text: str) -> bool:
    """Say whether a browser would write an origin so: no path, no capital, and no port that goes without saying."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    unsaid = (None, {"https": 443, "http": 80}.get(parts.scheme))
    written = f"{parts.scheme}://{host}" + ("" if port in unsaid else f":{port}")
    return text == written and text.isascii() and "*" not in text and parts.scheme in {"http", "https"}


def _secret_key(file: Path) -> bytes:
    """Read the key, or make one that nobody else can read; two first starts at once agree on one."""
    if not file.exists():
        fresh = file.with_name(f".{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(secrets.token_bytes(32))
        try:
            os.link(fresh, file)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return file.read_bytes()


def own_address(port: int | None = None) -> str:
    """Find the address at which phones in the same network reach this machine.

    No packet is sent: connecting a datagram socket only asks the system which of its addresses it would use.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            host = str(probe.getsockname()[0])
        except OSError:
            host = "127.0.0.1"
    return f"http://{host}:{port or os.environ.get('COMPANION_PORT', PORT)}"
