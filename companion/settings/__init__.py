"""What the companion needs to know before it starts, and the refusal to start without it."""

from __future__ import annotations

import base64
import binascii
import os
import re
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
from companion.machine.files import written_beside
from companion.machine.networks import leads_away, networks
from companion.settings.written import at, host, is_receiver, is_redis, origin, place, sqlite_at, sqlite_file

PORT, SECURE_PORT = 8000, 8443
LEAST_OF_A_TOKEN = 20
"""Characters of what opens the operator's page."""
LEAST_OF_THE_KEY = 32
"""Bytes of the secret key."""
KEY_SIGN, KEY_BYTES = "whsec_", range(24, 65)
"""How the key of a webhook begins, and how long it is (Standard Webhooks)."""


def _folder(name: str) -> Path:
    """Find a folder: inside an installed package, or beside it in the tree."""
    package = Path(__file__).parents[1]
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


TEMPLATES, PRINTABLES = _folder("templates"), _folder("printables")
"""The pages; and the sheets, all that a sheet may read."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """One who is told when a game has ended."""

    address: str
    key: bytes
    """Signs what is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the data is, and how the world reaches us."""

    data: Path
    """The folder with the database file and the secret key (`COMPANION_DATA`)."""
    database: str
    """The database's URL (`COMPANION_DATABASE`; by default a SQLite file in the data folder)."""
    redis: str = ""
    """The Redis that several servers share, or its Sentinels (`COMPANION_REDIS`); "" for one server alone."""
    address: str = ""
    """The address in QR codes (`COMPANION_ADDRESS`), without a slash at the end; "" for this machine's own."""
    network: str = ""
    """By which network phones come (`COMPANION_NETWORK`): its interface's name; "" for the one that leads out."""
    name: str = ""
    """The name that the network is told (`COMPANION_NAME`), without `.local`; "" for none."""
    hosts: tuple[str, ...] = ()
    """The host names that are answered (`COMPANION_HOSTS`, with commas); () for IP addresses and local names."""
    origins: tuple[str, ...] = ()
    """Whose programs may use the API in a browser (`COMPANION_ORIGINS`, with commas): `https://board.example`."""
    webhooks: tuple[Webhook, ...] = ()
    """Who is told of ended games (`COMPANION_WEBHOOKS`, with commas), by which keys (`COMPANION_WEBHOOK_KEYS`)."""
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
    operator: str = ""
    """What opens the operator's page (`COMPANION_OPERATOR`); "" for no such page."""
    has_lines: bool = False
    """Whether the server's log is written as JSON, a line for each ruling too (`COMPANION_LOG=json`)."""
    demo: tuple[str, ...] = ()
    """The games that `companion demo` shows in turn, by their keys (`COMPANION_DEMO`, with commas); () else."""
    pace_s: float = 2.5
    """How long a phantom thinks, more or less (`COMPANION_PACE`)."""
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
        here = urlsplit(self.address or own_address(self.port, self.network)).hostname or ""
        return f"https://{at(here, self.https[1])}" if self.https else ""


def from_environment() -> Settings:
    """Read the settings; make the data folder and the secret key on the first start.

    Raises:
        StartError: a setting cannot be read.
    """
    given = os.environ.get("COMPANION_DATA")
    data = Path(given) if given else user_data_path("companion", appauthor=False)
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    data = data.resolve()
    _keep_to_owner(data)
    return Settings(
        data=data,
        database=_database(os.environ.get("COMPANION_DATABASE", "")) or sqlite_at(data / "companion.sqlite"),
        redis=_redis(os.environ.get("COMPANION_REDIS", "")),
        address=set_address(),
        network=os.environ.get("COMPANION_NETWORK", ""),
        name=_label(os.environ.get("COMPANION_NAME", "")),
        hosts=_hosts(os.environ.get("COMPANION_HOSTS", "")),
        origins=_origins(os.environ.get("COMPANION_ORIGINS", "")),
        webhooks=_webhooks(os.environ.get("COMPANION_WEBHOOKS", ""), os.environ.get("COMPANION_WEBHOOK_KEYS", "")),
        streams=_number("COMPANION_STREAMS", 1000),
        homes=_number("COMPANION_HOMES", 1),
        port=_port(os.environ.get("COMPANION_PORT") or str(PORT)),
        https=_door(os.environ.get("COMPANION_HTTPS", "")),
        certificate=os.environ.get("COMPANION_CERTIFICATE", ""),
        key=os.environ.get("COMPANION_KEY", ""),
        proxies=_number("COMPANION_PROXIES", 0),
        metrics=os.environ.get("COMPANION_METRICS", ""),
        operator=_token("COMPANION_OPERATOR"),
        has_lines=_has_lines(os.environ.get("COMPANION_LOG", "")),
        demo=_listed(os.environ.get("COMPANION_DEMO", "")),
        pace_s=_seconds("COMPANION_PACE", 2.5),
        secret=_secret_key(data / "secret_key"),
    )


def _keep_to_owner(folder: Path) -> None:
    """Let nobody else into our folder; one that is somebody's home, or that all write to, is not ours alone."""
    found = folder.stat()
    is_ours = machine.is_own(found) and not found.st_mode & stat.S_ISVTX and folder != Path.home()
    if is_ours and found.st_mode & 0o077:
        folder.chmod(0o700)


def set_address() -> str:
    """Read the address in QR codes as browsers write it; "" where none is set. Raises: StartError."""
    given = os.environ.get("COMPANION_ADDRESS", "")
    if given and not origin(given):
        raise StartError(
            f"COMPANION_ADDRESS is {given}: it is written as https://table.example or http://192.168.1.5:8000 is."
        )
    return origin(given)


def _database(address: str) -> str:
    """Look at where a database is: half of a path leads elsewhere from each folder. Raises: StartError."""
    file = sqlite_file(address)
    if file and not file.is_absolute():
        raise StartError(
            f"COMPANION_DATABASE is {address}: behind sqlite:/// is the whole path, as in sqlite:////a/file."
        )
    return address


def _port(given: str) -> int:
    """Read a port. Raises: StartError."""
    found = place(f":{given}")
    if not (found and found[1]):
        raise StartError(f"COMPANION_PORT is {given}: its port must be a whole number from 1 to 65535.")
    return found[1]


def _door(given: str) -> tuple[str, int] | None:
    """Read where the secure door is, by its port at least. Raises: StartError."""
    found = place(given if ":" in given else f":{given}")
    if given and not (found and found[1]):
        raise StartError(f"COMPANION_HTTPS is {given}: it is written as 0.0.0.0:8443 is, with a port up to 65535.")
    return (found[0] or "0.0.0.0", found[1]) if found and found[1] else None


def _has_lines(given: str) -> bool:
    """Read how the log is written. Raises: StartError."""
    if given.lower() not in {"", "json"}:
        raise StartError(f"COMPANION_LOG is {given}: it is json, or left out.")
    return bool(given)


def _number(name: str, usual: int) -> int:
    """Read a whole number. Raises: StartError."""
    given = os.environ.get(name, str(usual))
    if not re.fullmatch(r"\d{1,9}", given, re.ASCII):
        raise StartError(f"{name} is {given}: it must be a whole number.")
    return int(given)


def _seconds(name: str, usual: float) -> float:
    """Read seconds. Raises: StartError."""
    given = os.environ.get(name, str(usual))
    if not re.fullmatch(r"\d{1,4}(\.\d{1,3})?", given, re.ASCII):
        raise StartError(f"{name} is {given}: it must be seconds, as 2.5 is.")
    return float(given)


def _token(name: str) -> str:
    """Read a secret that nobody shall guess, whatever is tried. Raises: StartError."""
    given = os.environ.get(name, "")
    if given and len(given) < LEAST_OF_A_TOKEN:
        raise StartError(
            f"{name} is too short: take {LEAST_OF_A_TOKEN} characters or more, as openssl rand -hex 16 makes."
        )
    return given


def _label(given: str) -> str:
    """Look at a name for the network. Raises: StartError."""
    if given and not re.fullmatch("[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?", given.lower()):
        raise StartError(f"COMPANION_NAME is {given}: a name has letters, digits and hyphens, as companion has.")
    return given.lower()


def _redis(address: str) -> str:
    """Look at the address of Redis. Raises: StartError."""
    if address and not is_redis(address):
        raise StartError(
            "COMPANION_REDIS is no address of a Redis, as redis://localhost:6379/0 is, "
            "or of its Sentinels, as redis+sentinel://one:26379,two:26379/companion is."
        )
    if address and not find_spec("redis"):
        raise StartError("COMPANION_REDIS needs the package redis: pip install 'companion[redis]'.")
    return address


def _origins(given: str) -> tuple[str, ...]:
    """Read origins as browsers write them. Raises: StartError."""
    origins = _listed(given)
    for one in origins:
        if one != origin(one):
            raise StartError(f"COMPANION_ORIGINS names {one}: an origin is written as https://board.example:8080 is.")
    return origins


def _hosts(given: str) -> tuple[str, ...]:
    """Read hosts as requests name them. Raises: StartError."""
    for one in _listed(given):
        if not host(one):
            raise StartError(f"COMPANION_HOSTS names {one}: a host is written as table.example is, without its port.")
    return tuple(map(host, _listed(given)))


def _listed(given: str) -> tuple[str, ...]:
    """Read what stands between commas."""
    return tuple(filter(None, (one.strip() for one in given.split(","))))


def _webhooks(given: str, given_keys: str) -> tuple[Webhook, ...]:
    """Read who is told of ended games, each with a key or all with one. Raises: StartError."""
    addresses, keys = _listed(given), [_webhook_key(key) for key in _listed(given_keys)]
    for address in addresses:
        if not is_receiver(address):
            raise StartError(f"COMPANION_WEBHOOKS names {address}: an address is written as https://club.example/x is.")
    if len(keys) != len(addresses) and not (len(keys) == 1 and addresses):
        raise StartError("COMPANION_WEBHOOK_KEYS needs a key for each address in COMPANION_WEBHOOKS, or one for all.")
    every = keys * len(addresses) if len(keys) == 1 else keys
    return tuple(Webhook(address, key) for address, key in zip(addresses, every, strict=True))


def _webhook_key(text: str) -> bytes:
    """Read a key as Standard Webhooks writes it. Raises: StartError."""
    try:
        key = base64.b64decode(text.removeprefix(KEY_SIGN), validate=True)
    except binascii.Error:
        key = b""
    if not text.startswith(KEY_SIGN) or len(key) not in KEY_BYTES:
        raise StartError(
            f"COMPANION_WEBHOOK_KEYS has a key that is none: a key is {KEY_SIGN} and 24 to 64 random bytes in base64."
        )
    return key


def _secret_key(file: Path) -> bytes:
    """Read the key, or make one for our eyes only; two first starts at once agree on one. Raises: StartError."""
    if not file.exists():
        fresh = written_beside(file, secrets.token_bytes(LEAST_OF_THE_KEY), 0o600)
        try:
            os.link(fresh, file)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    key = file.read_bytes()
    if len(key) < LEAST_OF_THE_KEY:
        raise StartError(f"{file} has no whole key. Put a copy of it back, or delete it to get another one.")
    return key


def own_address(port: int | None = None, network: str | None = None) -> str:
    """Find the address at which phones in the same network reach this machine.

    Args:
        port: where the companion listens; None: as it is set.
        network: the name of the interface, "" for the one that leads out; None: as it is set.
    """
    here = _number_at(os.environ.get("COMPANION_NETWORK", "") if network is None else network) or _number_near()
    return f"http://{here}:{port or os.environ.get('COMPANION_PORT', PORT)}"


def _number_near() -> str:
    """Give our number in the network that leads out; where that is by a VPN, where no phone is, in one that is here."""
    out = _number_out()
    return next((own.number for own in networks()), out) if leads_away(out) else out


def _number_out() -> str:
    """Ask the system which of its numbers it would use; no packet is sent by connecting a datagram socket."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _number_at(network: str) -> str:
    """Give the number of an interface; "" where it has none, or none is named."""
    return next((own.number for own in networks() if own.name == network), "") if network else ""
