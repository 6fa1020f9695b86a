"""A phone that comes by another address has no secret: it takes its seat back by what its old page shows.

A browser keeps a secret for the address that gave it. When the companion's address changes in mid-evening, each phone
is a stranger; by the return code (`desk/returning.py`) it is known again, and the secret of before opens nothing.
"""

from __future__ import annotations

from companion import log
from companion.errors import GameOver, NoSuchReturn, Seated
from companion.log import Changes, Now, Table, Wish, Yes
from companion.tables.seating import Asker


def phones(table: Table) -> list[str]:
    """List the phones that may come back to a table: those that sit there, and the host's; none once it is over."""
    if table.closed:
        return []
    return list(dict.fromkeys([*(seating.phone for seating in table.seatings if seating.phone), table.host]))


def come_back(asker: Asker, before: str, key: str) -> None:
    """Give a phone what another one has at a table: its seat, and the table, if the host's; the other has nothing then.

    Args:
        asker: the phone that comes.
        before: what it was until now, hashed.
        key: the same key counts once.

    Raises:
        GameOver, NoSuchReturn (the other has nothing there by now), Seated, KeyReused.
    """
    phone, seat = asker.phone, Asker(asker.table, before).seat

    def decide(now: Now) -> Yes:
        there = Asker(now.table, before)
        if now.table.closed:
            raise GameOver
        if there.seat != seat or before not in phones(now.table):
            raise NoSuchReturn
        if Asker(now.table, phone).seat is not None:
            raise Seated
        changes = Changes(_roles(now.table, before, phone), {} if seat is None else {seat: {"phone": phone}})
        return Yes(now.reading.play, seat, changes)

    kind, act = ("table", "host") if seat is None else ("seat", "return")
    log.enter(Wish(asker.table, kind, seat, {"act": act}, key, decide))


def _roles(table: Table, before: str, phone: str) -> dict[str, str]:
    """Name what the phone was beside its seat."""
    return {role: phone for role in ("host", "former_host") if getattr(table, role) == before}
