"""A whole Rage with hidden bids, by a client that a generator has made of the description alone.

Run by a Python that has this client, with the address of a companion; prints what it has seen, as JSON.
"""

import json
import sys
from random import Random
from typing import Any

if __name__ == "__main__":
    from companion_client import AuthenticatedClient, Client
    from companion_client.api.api_play import move, open_moves, standing, view
    from companion_client.api.api_tables import open_table, sit_down, table_record
    from companion_client.models import (
        Admitted,
        RageOpening,
        RageOptions,
        RageOptionsBidding,
        RageStanding,
        Ruled,
        Sitting,
    )

PLAYERS = ["Ann", "Bo", "Cy"]
KEY = "e" * 255
"""As long as a key may be."""


def main(address: str) -> None:
    """Open a table, sit down, and play it to its end."""
    body = RageOpening("rage", PLAYERS, RageOptions(bidding=RageOptionsBidding.HIDDEN))
    opened, again = (open_table.sync(client=Client(address), body=body, idempotency_key=KEY) for _ in range(2))
    assert isinstance(opened, Admitted), opened
    assert again == opened, "the same key twice"
    assert opened.table.options.bidding is RageOptionsBidding.HIDDEN
    code, seats = opened.table.code, [AuthenticatedClient(address, opened.token)]
    for seat in range(len(PLAYERS)):
        who = seats[0] if seat == 0 else Client(address)
        admitted = sit_down.sync(code, seat, client=who, body=Sitting())
        assert isinstance(admitted, Admitted), admitted
        seats[seat:] = [AuthenticatedClient(address, admitted.token)]
    moves, hidden, is_finished = 0, 0, False
    while not is_finished:
        who, chosen = choose(code, seats, Random(moves))
        ruled = move.sync(code, client=who, body=chosen, idempotency_key=f"move {moves}")
        assert isinstance(ruled, Ruled), (chosen, ruled)
        moves, is_finished = moves + 1, ruled.is_finished
        hidden += seen_of_others(code, seats)
    end = standing.sync(code, client=seats[1])
    assert isinstance(end, RageStanding), end
    assert len(end.summary.rounds) == 10, end.summary
    written = table_record.sync(code, client=seats[2])
    print(json.dumps({"moves": moves, "hidden": hidden, "end": end.to_dict(), "record": written.to_dict()}))


def choose(code: str, seats: list[Any], chance: Random) -> tuple[Any, Any]:
    """Choose among all moves that somebody can make now: a kind first, then one of it."""
    found = [
        (who, each)
        for place, who in enumerate(seats)
        for seat in ({"seat": place}, {})[: 2 if place == 0 else 1]
        for each in open_moves.sync(code, client=who, **seat).moves
    ]
    kind = chance.choice(sorted({each.move for _, each in found}))
    return chance.choice([(who, each) for who, each in found if each.move == kind])


def seen_of_others(code: str, seats: list[Any]) -> int:
    """Count the bids that stand and that others do not see, until all are turned up."""
    looks = [view.sync(code, client=who, seat=seat).view.to_dict()["players"] for seat, who in enumerate(seats)]
    return sum(
        place["has_bid"] and place["bid"] is None
        for seat, look in enumerate(looks)
        for other, place in enumerate(look)
        if other != seat
    )


if __name__ == "__main__":
    main(sys.argv[1])
