"""What the referee notices of wrong hints, at the earliest move at which anybody could know it.

Whether it can be known says a search of its own: it deals the cards that nobody has seen to the hands, so that
everything said so far is true. Where there is no such deal, something is wrong.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from companion import record
from companion.games import GAMES
from companion.games.hanabi.cards import Colour
from companion.games.hanabi.moves import Hint
from companion.games.hanabi.options import Options
from companion.play import Asked, Play, begin
from companion.words import Voice
from tests.games.hanabi import oracle

Said = Callable[[str], bool]
"""What a hint said of a card: whether a face agrees."""
GAMES_PLAYED, LONG_GAMES = 100, 3_000
AT_LEAST = 0.95


class Knowing:
    """What everybody at a table knows together, from a record alone: what was said, and the cards shown."""

    def __init__(self, data: dict[str, Any]) -> None:
        """Deal hidden cards."""
        self.data, self.seats = data, len(data["players"])
        defaults = {name: values[0] for name, values in oracle.CHOICES.items()}
        self.table = {"options": defaults | data["options"]}
        self.unseen = oracle.box(self.table["options"])
        size = 5 if self.seats < 4 else 4
        self.hands: list[list[list[Said]]] = [[[] for _ in range(size)] for _ in range(self.seats)]
        self.deck = self.unseen.total() - size * self.seats

    def wrong_at(self) -> int | None:
        """Tell after which move (from 1) it is known that something said is wrong; None if it never is."""
        for number, move in enumerate(self.data["moves"], start=1):
            if not self.sees(move, self.data["moves"][number:]) or not self.can_be():
                return number
        return None

    def sees(self, move: dict[str, Any], later: list[dict[str, Any]]) -> bool:
        """Follow a move; say whether the card that it shows is what was said of it."""
        agrees = True
        if "slots" in move:
            self.hears(move)
        elif move["move"] in ("play", "discard"):
            agrees = all(said(move["card"]) for said in self.hands[move["seat"]].pop(move["slot"]))
            self.unseen[move["card"]] -= 1
        elif move["move"] == "arrange":
            hand = self.hands[move["seat"]]
            self.hands[move["seat"]] = [hand[place] for place in move["order"]]
        elif move.get("as", move["tile"]) == "T5" and "card" in move:
            self.unseen[move["card"]] += 1
            self.deck += 1
        following = next((one["move"] for one in later if one["move"] != "arrange"), "")
        if move["move"] in ("play", "discard", "reward") and following != "reward" and self.deck:
            self.hands[move["seat"]].append([])
            self.deck -= 1
        return agrees

    def hears(self, move: dict[str, Any]) -> None:
        clue = move.get("colour", move.get("value"))
        for place, card in enumerate(self.hands[move["to"]]):
            is_shown = place in move["slots"]
            card.append(lambda face, shown=is_shown: oracle.agrees(self.table, face, clue) == shown)

    def can_be(self) -> bool:
        """Deal the unseen cards so that all is true, card by card, the one with the fewest faces first."""
        cards = [card for hand in self.hands for card in hand if card]
        faces = [
            [face for face, count in self.unseen.items() if count and all(s(face) for s in card)] for card in cards
        ]
        return deals(sorted(faces, key=len), Counter(self.unseen))


def deals(wanted: list[list[str]], left: Counter[str]) -> bool:
    """Deal each card one of its faces, by trying."""
    if all(sum(left[face] for face in faces) > before for before, faces in enumerate(wanted)):
        return True  # Even if all before it took theirs of these, one is left.
    return any(left[face] and deals(wanted[1:], left - Counter([face])) for face in wanted[0])


def noticed(data: dict[str, Any]) -> list[int]:
    """List the moves at which the referee remarks."""
    replayed = record.replay(record.read(json.dumps(data)))
    assert replayed.refused is None
    return [remark["number"] for remark in record.outcome(replayed)["remarks"]]


def games(count: int) -> Iterator[tuple[dict[str, Any], Random]]:
    for seed in range(count):
        chance = Random(seed)
        yield oracle.told_rightly(chance), chance


def told_wrongly(data: dict[str, Any], chance: Random) -> dict[str, Any] | None:
    """Enter one hint of a game wrongly, as a thumb does: a card too many or too few, or the key beside; None if none."""
    data = deepcopy(data)
    hints = [move for move in data["moves"] if move.get("slots")]
    if not hints:
        return None
    move = chance.choice(hints)
    slots = set(move["slots"]) ^ {chance.randrange(max(move["slots"]) + 1)}
    if slots and chance.random() < 0.5:
        move["slots"] = sorted(slots)
        return data
    name = "colour" if "colour" in move else "value"
    keys = oracle.nameable({"multicolour_hint": None, "multicolour": 0, "edition": "cs"} | data["options"])
    move[name] = chance.choice([key for key in (keys if name == "colour" else range(1, 6)) if key != move[name]])
    return data


def looked_at(count: int) -> Counter[str]:
    """Enter a hint wrongly in each of so many games, and compare when it is noticed with when it can be known."""
    seen: Counter[str] = Counter()
    for right, chance in games(count):
        assert noticed(right) == []
        wrong = told_wrongly(right, chance)
        if wrong is None:
            continue
        knowable, remarks = Knowing(wrong).wrong_at(), noticed(wrong)
        seen["games"] += 1
        seen["knowable"] += knowable is not None
        seen["at once"] += bool(remarks) and remarks[0] == knowable
        seen["late"] += bool(remarks) and knowable is not None and remarks[0] > knowable
        seen["never"] += not remarks and knowable is not None
        assert not (remarks and knowable is None), "noticed what nobody can know"
        assert not (remarks and knowable and remarks[0] < knowable), "noticed before anybody can know"
    return seen


def test_a_remark_leads_to_the_hint_that_it_names() -> None:
    led = 0
    for right, chance in games(40):
        wrong = told_wrongly(right, chance)
        for step in record.replay(record.read(json.dumps(wrong or right))).play.moves():
            for remark in step.remarks:
                how = remark.facts["how"]
                named = [one.number for one in getattr(how, "hints", ())[:-1]] or [getattr(how, "number", None)]
                assert step.doubted(remark) == (() if named == [None] else tuple(named))
                led += named != [None]
    assert led


def holds(count: int) -> None:
    seen = looked_at(count)
    assert seen["knowable"] > count / 2
    assert seen["at once"] >= AT_LEAST * seen["knowable"], seen


def test_a_wrong_hint_is_noticed_as_soon_as_anybody_can_know_it_and_a_right_one_never() -> None:
    holds(GAMES_PLAYED)


@pytest.mark.long
def test_so_it_is_in_thousands_of_games() -> None:
    holds(LONG_GAMES)


@pytest.mark.parametrize(
    ("hints", "said"),
    [
        (
            [
                Hint(0, 1, colour=Colour.RED, slots=(0,)),
                Hint(1, 0, value=1, slots=(0,)),
                Hint(0, 1, value=5, slots=(1,)),
                Hint(1, 0, value=5, slots=(1,)),
                Hint(0, 1, colour=Colour.BLUE, slots=(0,)),
            ],
            "Entry 4, Ann: “This card is red.” Entry 20, Ann: “This card is blue.” Both",
        ),
        ([Hint(0, 1, value=5, slots=(0, 1, 2, 3, 4))], None),
        (
            [Hint(0, 1, value=5, slots=(0,)), Hint(1, 0, value=5, slots=(0, 1, 2, 3, 4))],
            "Entry 4, Ann and entry 8, Bea: tog",
        ),
    ],
)
def test_a_hint_is_named_by_its_entry_as_in_the_history(hints: list[Hint], said: str | None) -> None:
    """Who was told of move 4 changed the entry of that number, which was another one: people sit down by entries, too."""
    game = GAMES["hanabi"]
    play = begin(game, Options(), 2)
    assert isinstance(play, Play)
    for place, hint in enumerate(hints, 1):
        ruling = play.judge(Asked(4 * place, hint))
        assert isinstance(ruling, Play)
        play = ruling
    speak = Voice(game.words, ["Ann", "Bea"])
    texts = [speak.rule(remark.rule, remark.facts) for remark in play.remarks]
    assert [text[: len(said)] for text in texts if said] == ([said] if said else [])
    assert (said is None) == (texts == [])
