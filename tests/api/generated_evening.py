"""A whole Rage with hidden bids, by a client that a generator has made of the description alone.

It listens all the time, takes a move back and puts it back, amends a bid, and fetches the sheet and a spreadsheet.

Run by a Python that has this client, with the address of a companion's API; prints what it has seen, as JSON.
"""

import json
import sys
from random import Random
from threading import Thread
from typing import Any

if __name__ == "__main__":
    from companion_client import AuthenticatedClient, Client
    from companion_client.api.api_files import table_plays_csv
    from companion_client.api.api_play import (
        amend,
        events,
        history,
        move,
        open_moves,
        put_back,
        standing,
        take_back,
        view,
    )
    from companion_client.api.api_tables import open_table, sit_down, table_record, table_sheet
    from companion_client.models import (
        Admitted,
        RageBidAmend,
        RageLook,
        RageOpening,
        RageOptions,
        RageOptionsBidding,
        RageStanding,
        Ruled,
        Sitting,
        Step,
        TableSheetItem,
    )

PLAYERS = ["Ann", "Bo", "Cy"]
KEY = "e" * 255
"""As long as a key may be."""
UNDONE = 7
"""After so many moves one is taken back and put back."""


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
    heard: list[Any] = []
    ear = Thread(target=listen, args=(code, seats[1], heard), daemon=True)
    ear.start()
    moves, hidden, is_finished = 0, 0, False
    while not is_finished:
        who, chosen = choose(code, seats, Random(moves))
        ruled = move.sync(code, client=who, body=chosen, idempotency_key=f"move {moves}")
        assert isinstance(ruled, Ruled), (chosen, ruled)
        moves, is_finished = moves + 1, ruled.is_finished
        hidden += seen_of_others(code, seats)
        if moves == UNDONE:
            undo(code, seats[0], ruled.number)
    ear.join(30)
    assert heard[-1].is_finished, heard[-1]
    numbers = [look.number for look in heard]
    assert numbers == sorted(numbers)
    amend_first_bid(code, seats[0])
    end = standing.sync(code, client=seats[1])
    assert isinstance(end, RageStanding), end
    assert len(end.summary.rounds) == 10, end.summary
    written = table_record.sync(code, client=seats[2])
    sheet = table_sheet.sync(code, TableSheetItem.SCORE_SHEET, client=seats[2])
    said = {"moves": moves, "hidden": hidden, "end": end.to_dict(), "record": written.to_dict()}
    plays = table_plays_csv.sync(code, client=seats[2])
    print(json.dumps(said | {"heard": len(heard), "pdf": sheet.payload.read(5).decode(), "csv": plays}))


def listen(code: str, who: Any, heard: list[Any]) -> None:
    """Hear what seat 1 sees, until the game is over: a stream is asked for as the client would, and read line by line."""
    with who.get_httpx_client().stream(**events._get_kwargs(code, seat=1), timeout=None) as answer:
        for line in answer.iter_lines():
            if line.startswith("data: {"):
                heard.append(RageLook.from_dict(json.loads(line.removeprefix("data: "))))
                if heard[-1].is_finished:
                    return


def undo(code: str, who: Any, number: int) -> None:
    """Take the last move back, and put it back."""
    back = take_back.sync(code, client=who, body=Step(after=number))
    assert isinstance(back, Ruled), back
    again = put_back.sync(code, client=who, body=Step(after=back.number))
    assert isinstance(again, Ruled), again
    assert again.number > back.number > number


def amend_first_bid(code: str, who: Any) -> None:
    """Let the first bid have been another one."""
    first = first_bid(code, who)
    entries = history.sync(code, client=who, to=100).entries
    number = next(entry.number for entry in entries if entry.may_amend and entry.at == first["at"])
    other = RageBidAmend("bid", first.seat, (first.tricks + 1) % 10)
    tried, amended = (amend.sync(code, number, client=who, body=other, try_=only) for only in (1, 0))
    assert isinstance(amended, Ruled), amended
    assert tried.is_trial, tried
    assert tried.number == amended.number
    assert first_bid(code, who).tricks == other.tricks


def first_bid(code: str, who: Any) -> Any:
    """Read the first bid in the record."""
    return next(each for each in table_record.sync(code, client=who).moves if each.move == "bid")


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
