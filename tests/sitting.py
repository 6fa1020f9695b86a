"""Who sits where as the log has a number, read past the app; what a phone may do there is worked out anew."""

from __future__ import annotations

from dataclasses import dataclass

from tests.databases import Database


@dataclass(frozen=True)
class Sitting:
    """A table's people at one moment."""

    seats: tuple[tuple[str | None, int | None], ...]
    """By seat: the phone that has it, hashed, and the seat by whose hand it is played on."""
    host: str
    halt: str

    def own(self, phone: str) -> int | None:
        """Name the seat of a phone."""
        return next((seat for seat, (who, _) in enumerate(self.seats) if who == phone), None)

    def acts_for(self, phone: str) -> list[int]:
        """List the seats that a phone acts for."""
        return [seat for seat in range(len(self.seats)) if self._player(seat) == phone]

    def _player(self, seat: int) -> str:
        who, hand = self.seats[seat]
        by_hand = None if hand is None else self.seats[hand][0]
        return who or by_hand or self.host


def sitting(database: Database, table_id: int) -> Sitting:
    """Read who sits where now."""
    seats = database.rows("SELECT phone, hand FROM seatings WHERE table_id = ? ORDER BY seat", table_id)
    ((host, halt),) = database.rows("SELECT host, halt FROM tables WHERE id = ?", table_id)
    return Sitting(tuple((phone, hand) for phone, hand in seats), host, halt)
