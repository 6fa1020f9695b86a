"""Promise 12 on trial: a thousand addresses guess codes for a day, against ten thousand tables.

Time passes by moving the limiter's clock: in the process its own, in Redis by making every counter older. The attacker
tries as often as it is let, and sits down where it can.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Protocol
from urllib.parse import urlencode

import pytest
import redis
from limits.storage import memory

from companion.log import Seating, Table
from companion.log.codes import CROCKFORD
from companion.tables.seating import CODE_LENGTH
from tests.databases import PATIENCE_S, Lite
from tests.house import House
from tests.redises import RedisServer

FROM_ONE, FROM_ALL = 30, 1000
"""Wrong codes that are let through: in a minute from one address, in an hour from all."""
STARTED = 10
HOUR_S = 3600


class Way(Protocol):
    """How the attacker reaches the companion, and how time passes there."""

    def ask(self, address: int, code: str) -> int:
        """Open a table's door; the status."""

    def sit(self, address: int, code: str) -> int:
        """Sit down; the status."""

    def wait(self, seconds: int) -> None:
        """Let time pass."""


@dataclass
class InProcess:
    """The app in this process, whose limiter has a clock that is moved."""

    house: House
    monkeypatch: pytest.MonkeyPatch
    now: float = 1_800_000_000.0

    def __post_init__(self) -> None:
        self.monkeypatch.setattr(memory, "time", SimpleNamespace(time=lambda: self.now))
        self.client = self.house.app.test_client()

    def _open(self, address: int, path: str, **more: object) -> int:
        around = {"REMOTE_ADDR": f"10.1.{address // 250}.{address % 250 + 1}"}
        return int(self.client.open(path, environ_overrides=around, **more).status_code)  # type: ignore[arg-type]

    def ask(self, address: int, code: str) -> int:
        return self._open(address, f"/t/{code}")

    def sit(self, address: int, code: str) -> int:
        headers = {"Sec-Fetch-Site": "same-origin"}
        return self._open(address, f"/t/{code}/sit", method="POST", data={"seat": "1"}, headers=headers)

    def wait(self, seconds: int) -> None:
        self.now += seconds


@dataclass
class ByRedis:
    """Two servers that count together; every address of the attacker is a real one, and asks either."""

    ports: list[int]
    counters: redis.Redis

    def _open(self, address: int, method: str, path: str, form: dict[str, str] | None = None) -> int:
        source = (f"127.1.{address // 250}.{address % 250 + 1}", 0)
        port = self.ports[address % len(self.ports)]
        with closing(
            http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S, source_address=source)
        ) as connection:
            kind = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
            connection.request(method, path, urlencode(form or {}), kind)
            return connection.getresponse().status

    def ask(self, address: int, code: str) -> int:
        return self._open(address, "GET", f"/t/{code}")

    def sit(self, address: int, code: str) -> int:
        return self._open(address, "POST", f"/t/{code}/sit", {"seat": "1"})

    def wait(self, seconds: int) -> None:
        for key in self.counters.scan_iter():
            left = self.counters.pttl(key)
            if left > 0:
                self.counters.pexpire(key, max(1, left - 1000 * seconds))


def code_from(dice: Random) -> str:
    return "".join(dice.choices(CROCKFORD, k=CODE_LENGTH))


def lay(house: House, count: int) -> set[str]:
    """Open so many tables, by copying one, each with a seat that anybody may take; return their codes."""
    first, dice = house.open(["A", "B", "C"]), Random("tables")
    codes = {code_from(dice) for _ in range(count - 1)}
    tables = ", ".join(column.name for column in Table.__table__.columns if column.name not in {"id", "code"})
    seats = ", ".join(column.name for column in Seating.__table__.columns if column.name not in {"id", "table_id"})
    own = f"(SELECT id FROM tables WHERE code = '{first}')"
    house.database.change(
        *(
            f"INSERT INTO tables (code, {tables}) SELECT '{code}', {tables} FROM tables WHERE code = '{first}'"
            for code in codes
        ),
        f"INSERT INTO seatings (table_id, {seats}) SELECT tables.id, "
        + ", ".join(f"seatings.{name.strip()}" for name in seats.split(","))
        + f" FROM tables JOIN seatings ON seatings.table_id = {own} WHERE tables.code != '{first}'",
    )
    return codes | {first}


@dataclass
class Attacker:
    """Many addresses that work together."""

    way: Way
    addresses: int
    dice: Random = field(default_factory=lambda: Random("attacker"))
    heard: int = 0
    """Guesses that were answered with yes or no."""
    refused: int = 0
    found: list[str] = field(default_factory=list)
    seats: int = 0

    def guess(self, address: int) -> bool:
        """Try a code; False when the address is told to wait."""
        code = code_from(self.dice)
        status = self.way.ask(address, code)
        if status == 429:
            self.refused += 1
            return False
        assert status in {200, 404}
        self.heard += 1
        if status == 200:
            self.found.append(code)
            self.seats += self.way.sit(address, code) == 303
        return True

    def an_hour(self) -> None:
        """Let every address guess until it is told to wait; a minute later those that were heard try again."""
        for addresses in (self.addresses, FROM_ALL // FROM_ONE + 1):
            for address in range(addresses):
                while self.guess(address):
                    pass
            self.way.wait(61)
        self.way.wait(HOUR_S - 2 * 61)


def attack(house: House, way: Way, codes: set[str], hours: int, addresses: int) -> str:
    """Attack for so many hours; tell what came of it."""
    attacker = Attacker(way, addresses)
    for _ in range(hours):
        attacker.an_hour()
    # The hours of the counter need not be the attacker's; and who starts a server has tried a code until it answered.
    assert hours * (FROM_ALL - STARTED) <= attacker.heard <= (hours + 1) * FROM_ALL
    assert set(attacker.found) <= codes
    assert house.rows("SELECT count(*) FROM seatings WHERE phone IS NOT NULL") == [(attacker.seats,)]
    assert attacker.seats == 0
    expected = attacker.heard * len(codes) / len(CROCKFORD) ** CODE_LENGTH
    return (
        f"{addresses:,} addresses, {hours} h, {len(codes):,} tables: {attacker.heard:,} guesses answered, "
        f"{attacker.refused:,} refused; {len(attacker.found)} tables found (by chance {expected:.2g} could be), 0 seats"
    )


HOUR = pytest.param(1, 60, 1_000, id="an hour")


@pytest.mark.promise(12)
@pytest.mark.parametrize(
    ("hours", "addresses", "tables"),
    [HOUR, pytest.param(24, 1_000, 10_000, id="a day", marks=pytest.mark.long)],
)
def test_an_attacker_with_many_addresses_gains_no_seat(  # noqa: PLR0913, PLR0917 (the attack's measures)
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    figure: Callable[[str], None],
    hours: int,
    addresses: int,
    tables: int,
) -> None:
    house = House(tmp_path, Lite(tmp_path))
    figure(attack(house, InProcess(house, monkeypatch), lay(house, tables), hours, addresses))
    house.close()


@pytest.mark.promise(12)
@pytest.mark.parametrize(
    ("hours", "addresses", "tables"),
    [HOUR, pytest.param(24, 1_000, 10_000, id="a day", marks=pytest.mark.long)],
)
def test_an_attacker_gains_no_seat_at_servers_that_count_together(  # noqa: PLR0913, PLR0917 (the attack's measures)
    shared_house: House,
    redis_server: RedisServer,
    figure: Callable[[str], None],
    hours: int,
    addresses: int,
    tables: int,
) -> None:
    codes = lay(shared_house, tables)
    servers = [shared_house.server() for _ in range(2)]
    try:
        for server in servers:
            server.start()
        way = ByRedis([server.port for server in servers], redis_server.ask())
        figure(attack(shared_house, way, codes, hours, addresses))
    finally:
        for server in servers:
            server.kill()
