"""A table that stands still: paused for a while, or broken off for good; until it goes on nothing can be played."""

from __future__ import annotations

from collections.abc import Callable

from companion import log
from companion.errors import BrokenOff, GameOver
from companion.log import Changes, Now, Wish, Yes
from companion.tables.seating import Asker, check_host, check_there

PAUSED, BROKEN_OFF = "paused", "broken_off"
"""How a table stands still."""


def pause(asker: Asker, key: str) -> None:
    """Let a table stand still for a while: any seat may, and the host.

    Raises:
        NotYours, GameOver, BrokenOff, KeyReused.
    """

    def check(asker: Asker) -> None:
        check_there(asker)
        if asker.table.halt == BROKEN_OFF:
            raise BrokenOff

    _halt(asker, PAUSED, key, check)


def break_off(asker: Asker, key: str) -> None:
    """End a game early, without a winner. Raises: HostOnly, GameOver, KeyReused."""
    _halt(asker, BROKEN_OFF, key, check_host)


def resume(asker: Asker, key: str) -> None:
    """Go on: after a pause any seat may, with a game that was broken off the host; what runs by the clock starts anew.

    Raises:
        NotYours, HostOnly, KeyReused.
    """
    phone = asker.phone

    def decide(now: Now) -> Yes | None:
        asker = Asker(now.table, phone)
        check = check_host if now.table.halt == BROKEN_OFF else check_there
        check(asker)
        if not now.table.halt:
            return None
        play = now.reading.play
        if play.game.clock(play.position):
            log.CLOCK.hold()
        return Yes(play.anew(now.at), asker.by(asker.seat), Changes({"halt": ""}))

    log.enter(Wish(asker.table, "table", None, {"act": log.RESUMED}, key, decide))


def _halt(asker: Asker, halt: str, key: str, check: Callable[[Asker], None]) -> None:
    phone = asker.phone

    def decide(now: Now) -> Yes | None:
        asker, play = Asker(now.table, phone), now.reading.play
        check(asker)
        if play.game.standing(play.position).is_finished:
            raise GameOver
        return None if now.table.halt == halt else Yes(play, asker.by(asker.seat), Changes({"halt": halt}))

    log.enter(Wish(asker.table, "table", None, {"act": halt}, key, decide))
