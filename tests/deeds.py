"""What people do at a simulated evening on pages of their own: they put right, come and go, change places, let the table rest.

Such a form is no tap: it waits on no phone. Who gets no answer sends it again, with the same key.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from companion.desk.options import fields_of
from companion.record import reseated, write_move
from companion.tables.starting import moved_by
from companion.testing.kit import near_miss
from companion.testing.moments import reader

if TYPE_CHECKING:
    from companion.play import Play
    from tests.simulated import Evening, Phone

PATIENCE_S = 6.0
"""After so long a person sends a form again."""
DONE = 303
NOBODY_KNOWS = 503
HONEST = {DONE, 403, 404, 409, 422, NOBODY_KNOWS}
"""It is done; or why it is not; or nobody can say, and it may come again."""
SURE = {"amend", "start", "stand"}
"""What is always entered where it is done; the rest may be so already."""
KINDS = {"amend": "amend", "start": "start", "pause": "table", "break-off": "table", "resume": "table"}
"""What the entries are called; those of all other deeds are about a seat."""
LIKED = {"amend": 8, "start": 2, "pause": 1, "break-off": 0.3, "stand": 1, "free": 1, "go": 1, "sit": 0.3}


@dataclass(eq=False)
class Deed:
    """Something that is asked for by a form."""

    name: str
    phone: Phone
    path: str
    form: dict[str, Any]
    move: dict[str, Any] | None = None
    """Of an amendment: what it was."""
    answers: dict[str, list[int]] = field(default_factory=dict)
    """What the server has said, whether that has arrived or not: by the cookie with which it was asked."""
    told: int = 0
    """What has arrived."""

    @property
    def is_honest(self) -> bool:
        """Whether it was told that it is done, and was refused by nobody who was told so; nobody may have been able to say.

        A phone that has lost its seat, and has a new secret since it has sat down again, is somebody else. What that
        one was refused it may do, if it does not know of the refusal and asks again.
        """
        done = [{*said} for said in self.answers.values() if DONE in said]
        return self.told == DONE and bool(done) and all(said <= {DONE, NOBODY_KNOWS} for said in done)

    @property
    def kind(self) -> str:
        return KINDS.get(self.name, "seat")

    @property
    def seat(self) -> int:
        return int(self.form["seat"])


class Deeds:
    """All of an evening, by their keys."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self.all: dict[str, Deed] = {}
        self.entered = Counter[str]()

    @property
    def is_waiting(self) -> bool:
        """Whether somebody does not know yet what became of a form."""
        return any(not deed.told for deed in self.all.values())

    def does(self, phone: Phone, key: str) -> bool:
        """Let somebody do something; False where there is nothing to do."""
        deed = self._chosen(phone)
        if deed:
            deed.form["key"] = key
            self.all[key] = deed
            self._tries(deed)
        return deed is not None

    def _tries(self, deed: Deed) -> None:
        evening = self._evening
        if deed.told:
            return
        for _ in range(2 if evening.goes_wrong(2) else 1):
            evening.at(evening.late(), self._arrives, deed, deed.phone.cookie)
        evening.at(evening.now + PATIENCE_S, self._tries, deed)

    def _arrives(self, deed: Deed, cookie: str) -> None:
        evening = self._evening
        got = evening.asks(f"/t/{evening.code}/{deed.path}", cookie, deed.form)
        if got is None:
            return
        assert got.status_code in HONEST, f"{deed.name}: {got.status_code}"
        deed.answers.setdefault(cookie, []).append(got.status_code)
        if got.status_code != NOBODY_KNOWS and not evening.goes_wrong(2):
            evening.at(evening.late(), self._learns, deed, got.status_code, evening.given(got))

    def _learns(self, deed: Deed, status: int, cookie: str) -> None:
        if deed.told:
            return
        deed.told = status
        phone = deed.phone
        if cookie:
            phone.cookie = cookie
        if deed.name == "sit" and status == DONE:
            self._evening.visits(phone, deed.seat)
        elif deed.name in {"stand", "go"} and phone.seat is not None:
            self._evening.visits(phone, phone.seat)

    # What to do.

    def _chosen(self, phone: Phone) -> Deed | None:
        evening, chance = self._evening, self._evening.chance
        if phone.seat is None:
            return self._sit(phone)
        if phone.view["table"]["halt"] and chance.random() < 0.6:
            return Deed("resume", phone, f"resume?seat={phone.seat}", {})
        (name,) = chance.choices([*LIKED], [*LIKED.values()])
        seat = chance.randrange(evening.table.seats)
        match name:
            case "amend":
                return self._amend(phone)
            case "start":
                return self._start(phone)
            case "sit":
                return self._sit(phone)
            case "pause" | "break-off" | "stand":
                return Deed(name, phone, name, {})
            case "free":
                return Deed(name, phone, name, {"seat": seat})
        hand = chance.choice(["", "", chance.randrange(evening.table.seats)])
        return Deed(name, phone, name, {"seat": chance.choice([phone.seat, seat]), "hand": hand})

    def _sit(self, phone: Phone) -> Deed | None:
        """Ask for a seat; who is to hear of one yet has no page to ask for another."""
        if any(deed.name == "sit" and deed.phone is phone and not deed.told for deed in self.all.values()):
            return None
        seat = self._evening.chance.randrange(self._evening.table.seats)
        return Deed("sit", phone, "sit", {"seat": seat, "name": phone.name})

    def _amend(self, phone: Phone) -> Deed | None:
        """Put an entry right: the last ones most."""
        evening, chance = self._evening, self._evening.chance
        play = evening.known(phone)
        steps = play.numbered() if play else {}
        if not play or not steps:
            return None
        numbers = [*steps][-chance.choice([1, 3, 1000]) :]
        number = chance.choice(numbers)
        path = f"history/{number}"
        if chance.random() < 0.2:
            return Deed("amend", phone, path, {"struck": "1"})
        move = self._other(play, number, steps[number])
        data = dict(write_move(play.game, play.seats, move))
        return Deed("amend", phone, path, flat(data), data)

    def _other(self, play: Play[Any], number: int, step: Any) -> Any:
        """Choose what it was: nearly the same, or anything that was open then."""
        chance, table = self._evening.chance, self._evening.table
        if chance.random() < 0.6:
            return near_miss(table, chance, step.asked.move)
        seat = getattr(step.asked.move, "seat", None)
        return chance.choice([*islice(play.game.legal(play.at(number - 1).position, seat), 40), step.asked.move])

    def _start(self, phone: Phone) -> Deed | None:
        """Let two people have changed places from the beginning."""
        evening, chance = self._evening, self._evening.chance
        play = evening.known(phone)
        if not play or play.seats == 1 or evening.house is None:
            return None
        order = [*range(play.seats)]
        one, other = chance.sample(order, 2)
        order[one], order[other] = order[other], order[one]
        with reader(evening.house.app, "en"):
            fields = fields_of(play.game, play.options, {})
        chosen = {each["name"]: each["value"] for each in fields}
        said = reseated(play.game.options, chosen, moved_by(order, play.seats))
        form = {name: "on" if value is True else value for name, value in said.items() if value not in (None, False)}
        return Deed("start", phone, "start", {**form, "order": ".".join(map(str, order))})

    # What became of them.

    def holds(self, entries: dict[str, tuple[Any, ...]]) -> None:
        """What was done stands in the log once and as it was said, and what was not does not."""
        for key, deed in self.all.items():
            assert deed.told, f"nobody was told of {key}"
            assert key not in entries or deed.is_honest, (
                f"{key} is entered, and was refused: {[*deed.answers.values()]}"
            )
            assert key in entries or deed.name not in SURE or deed.told != DONE, f"{key} is lost"
            if key in entries:
                _, kind, *_, data, _ = entries[key]
                assert kind == deed.kind, f"{key} is entered as {kind}"
                assert all(json.loads(data).get(name) == said for name, said in self._says(deed)), f"{key} says {data}"
                self.entered[deed.name] += 1

    def _says(self, deed: Deed) -> Iterator[tuple[str, Any]]:
        """Tell what stands in an entry."""
        acts = {"pause": "paused", "break-off": "broken_off"}
        if deed.name == "amend":
            yield "number", int(deed.path.partition("/")[2])
        elif deed.name != "start":
            yield "act", acts.get(deed.name, deed.name)


def flat(data: dict[str, Any]) -> dict[str, Any]:
    """Write a move as a page's form says it."""
    said: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], list):
            said |= {f"{name}-{row}-{place}": one for row, cells in enumerate(value) for place, one in enumerate(cells)}
        elif isinstance(value, list) and name in {"tricks", "plus", "minus"}:
            said |= {f"{name}-{seat}": one for seat, one in enumerate(value)}
        elif isinstance(value, list):
            said[name] = " ".join(map(str, value)) or "none"
        else:
            said[name] = str(value).lower() if isinstance(value, bool) else value
    return said
