"""A second opinion on Rage: plays random evenings with real cards, records them, and says how they must end.

Written from the rules pages and `docs/record.md` alone, in dicts and lists; it knows nothing of the project's ways.
Where those pages leave a choice, `READINGS` says how it was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

COLOURS = "BGRYPO"
ACTIONS = {
    "amigo_2000": {"J": 2, "NT": 4, "CT": 4, "+5": 3, "-5": 3},
    "amigo_1985": {"J": 2, "NT": 3, "CT": 3, "+5": 2, "-5": 2},
    "us": {"J": 2, "NT": 4, "CT": 4, "+5": 2, "-5": 2},
}
CHOICES: dict[str, list[Any]] = {
    "edition": ["amigo_2000", "amigo_1985", "us"],
    "bidding": ["open", "hidden", "secret"],
    "plus_minus_one": [False, True],
    "durch": [False, True],
    "tie": ["shared", "most_exact_bids"],
    "joker_tie": ["later", "earlier"],
    "joker_anytime": [False, True],
    "nt_then_ct": ["ct_wins", "ct_wins_but_reflip", "nt_dominates"],
}
READINGS = """
* `to_move` is the seat that bids or plays next; null while bids are sealed in any order, while a trick awaits a card of
  the talon, and at the end.
* `trump` is null while it is unknown: before it is turned up, and from a change of trump to its card.
* `turn` may come at any time before the first card of a trick when trump is due, and after a trick that was recorded
  whole, since a change of trump may have lain in it.
* A revoke is remarked on at the first card of the colour that is played later, once for each trick not followed.
* A tally may come in the middle of a trick that was begun card by card; a whole trick may not.
* More copies of a card than the box holds are `rage.card_twice`; impossible numbers of ±5, `rage.action_cards`.
* After the last round the summary stays at round 10, with nothing on the table and the trump of its last trick.
"""


def deck(edition: str) -> list[str]:
    """List all cards of an edition (112 in that of 2000)."""
    coloured = [f"{colour}{value}" for colour in COLOURS for value in range(16)]
    return coloured + [card for card, copies in ACTIONS[edition].items() for _ in range(copies)]


def is_coloured(card: str) -> bool:
    return card[0] in COLOURS


def colour_of(card: str) -> str | None:
    if card.startswith("J:"):
        return card[2]
    return card[0] if is_coloured(card) else None


def height(card: str) -> int:
    return 16 if card.startswith("J") else int(card[1:])


def led_colour(cards: list[str]) -> str | None:
    return next((colour for card in cards if (colour := colour_of(card))), None)


def winning(cards: list[str], trump: str | None, joker_tie: str) -> int:
    """Find the place of the card that takes a whole trick."""
    for colour in (trump, led_colour(cards)):
        places = [place for place, card in enumerate(cards) if colour and colour_of(card) == colour]
        if places:
            best = max(height(cards[place]) for place in places)
            tied = [place for place in places if height(cards[place]) == best]
            return tied[0] if joker_tie == "earlier" else tied[-1]
    return 0


def playable(hand: list[str], cards: list[str], joker_anytime: bool) -> list[str]:
    """List the cards of a hand that may follow the cards on the table."""
    following = [card for card in hand if is_coloured(card) and card[0] == led_colour(cards)]
    if not following:
        return hand
    return following + [card for card in hand if card == "J" and joker_anytime]


def turn_up(talon: list[str]) -> list[str]:
    """Take cards from the talon up to the first coloured one."""
    turned = [talon.pop(0)]
    while not is_coloured(turned[-1]):
        turned.append(talon.pop(0))
    return turned


def run_trick(seen: dict[str, Any], options: dict[str, Any], hands: list[list[str]], is_last: bool) -> dict[str, Any]:
    """Play a whole trick with real cards.

    `seen` holds what lies open (`trump`, `talon`, `leader`) and is brought up to date. The answer tells every card with
    what it turned up and the trump after it, who took the trick, and what was turned up at its end.
    """
    steps: list[dict[str, Any]] = []
    pending = dominated = False
    colour_later = None
    for place in range(len(hands)):
        seat = (seen["leader"] + place) % len(hands)
        card = seen["pick"](hands[seat], [step["card"] for step in steps])
        turned: list[str] = []
        if card == "NT":
            seen["trump"], pending, dominated, colour_later = None, True, True, None
        elif card == "CT":
            turned = turn_up(seen["talon"])
            if dominated and options["nt_then_ct"] == "nt_dominates":
                colour_later, pending = turned[-1][0], False
            else:
                seen["trump"] = turned[-1][0]
                pending = pending and options["nt_then_ct"] == "ct_wins_but_reflip"
        steps.append({"seat": seat, "card": card, "turned": turned, "trump": seen["trump"]})
    cards = [step["card"] for step in steps]
    taker = steps[winning(cards, seen["trump"], options["joker_tie"])]["seat"]
    turned = turn_up(seen["talon"]) if pending and not is_last else []
    if not is_last:
        seen["trump"] = turned[-1][0] if turned else colour_later or seen["trump"]
    seen["leader"] = taker
    plus, minus = cards.count("+5"), cards.count("-5")
    return {"steps": steps, "seat": taker, "plus": plus, "minus": minus, "turned": turned, "after": seen["trump"]}


def points(won: tuple[int, int, int, int], cards: int, durch: bool) -> dict[str, int]:
    """Fill one row of the sheet from a bid, the tricks, the +5 and the −5 taken."""
    bid, tricks, plus, minus = won
    worth = tricks * 2 if durch and tricks == cards and cards > 1 else tricks
    hit = 10 if bid == tricks else -5
    extra = 5 * plus - 5 * minus
    return {"a": bid, "b": worth, "c": hit, "d": extra, "n": worth + hit + extra, "tricks": tricks}


def chosen_options(rng: Random, players: int) -> dict[str, Any]:
    """Choose among all that a table may agree on, and leave out some defaults."""
    options = {name: rng.choice(values) for name, values in CHOICES.items()}
    options["first_dealer"] = rng.randrange(players)
    if options["bidding"] != "open":
        options["plus_minus_one"] = False
    return options


def written_options(rng: Random, options: dict[str, Any], players: int) -> dict[str, Any]:
    defaults = {name: values[0] for name, values in CHOICES.items()} | {"first_dealer": players - 1}
    if options["edition"] == "us":
        defaults["joker_tie"] = "earlier"
    return {name: value for name, value in options.items() if value != defaults[name] or rng.random() < 0.3}


def new_table(rng: Random) -> dict[str, Any]:
    players = rng.randint(3, 8)
    return {
        "rng": rng,
        "players": players,
        "options": chosen_options(rng, players),
        "clumsy": rng.random() < 0.3,
        "style": rng.choice(["cards", "trick", "tally", "mixed"]),
        "rounds": [],
        "remarks": [],
        "number": 0,
        "finished": False,
    }


def evening(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Play ten rounds; every move is handed out when the table's account of it is up to date."""
    for number in range(1, 11):
        table |= new_round(table, number)
        yield from one_round(table)


def new_round(table: dict[str, Any], number: int) -> dict[str, Any]:
    players = table["players"]
    dealer = (table["options"]["first_dealer"] + number - 1) % players
    return {
        "round": number,
        "cards": 11 - number,
        "dealer": dealer,
        "leader": (dealer + 1) % players,
        "bids": [None] * players,
        "trump": None,
        "turn": "due",
        "trick": [],
        "tricks": 0,
        "out": [],
        "missed": [],
        "taken": [0] * players,
        "plus": [0] * players,
        "minus": [0] * players,
    }


def how_to_record(table: dict[str, Any]) -> list[str]:
    """Choose for each trick of the round how it is recorded; a tally takes in all that follow it."""
    rng, cards = table["rng"], table["cards"]
    if table["style"] != "mixed":
        return [table["style"]] * cards
    plan = [rng.choice(["cards", "trick"]) for _ in range(cards)]
    if rng.random() < 0.4:
        start = rng.randrange(cards)
        plan[start:] = ["tally"] * (cards - start)
    return plan


def one_round(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    rng, options = table["rng"], table["options"]
    cards = deck(options["edition"])
    rng.shuffle(cards)
    hands = [[cards.pop() for _ in range(table["cards"])] for _ in range(table["players"])]
    seen = {"talon": cards, "leader": table["leader"], "pick": picker(table)}
    unsaid = turn_up(seen["talon"])
    seen["trump"] = unsaid[-1][0]
    plan = how_to_record(table)
    early = rng.random() < (0.8 if "cards" in plan else 0.2)
    opening = bid_moves(table)
    if early:
        opening = laid_in(opening, unsaid, rng)
        unsaid = []
    for move in opening:
        yield from spoken(table, move)
    for index, way in enumerate(plan):
        story = run_trick(seen, options, hands, index == table["cards"] - 1)
        if way == "cards":
            for card in unsaid:
                yield from spoken(table, {"move": "turn", "card": card})
            yield from told(table, story)
            unsaid = story["turned"]
        else:
            turned = [step["turned"] for step in story["steps"] if step["turned"]] + [story["turned"]]
            unsaid = next((cards for cards in reversed(turned) if cards), unsaid)
            yield from summed(table, story, way)


def laid_in(bids: list[dict[str, Any]], turned: list[str], rng: Random) -> list[dict[str, Any]]:
    """Turn trump up before the bids (as the rulebook does), or somewhere among them."""
    place = 0 if rng.random() < 0.8 else rng.randint(0, len(bids))
    turns = [{"move": "turn", "card": card} for card in turned]
    return bids[:place] + turns + bids[place:]


def picker(table: dict[str, Any]) -> Any:
    """Choose cards at random among the legal ones; at a clumsy table now and then among all."""
    rng, options = table["rng"], table["options"]

    def pick(hand: list[str], cards: list[str]) -> str:
        may = hand if table["clumsy"] and rng.random() < 0.1 else playable(hand, cards, options["joker_anytime"])
        card: str = rng.choice(may)
        hand.remove(card)
        return f"J:{rng.choice(COLOURS)}" if card == "J" else card

    return pick


def bid_moves(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Let everyone bid something near the fair share; sealed bids come in any order and may be changed."""
    rng, cards, players = table["rng"], table["cards"], table["players"]
    order = [(table["dealer"] + 1 + place) % players for place in range(players)]
    if table["options"]["bidding"] != "open":
        rng.shuffle(order)
        order = [*rng.choices(order[:-1], k=rng.randint(0, 2)), *order]
    moves: list[dict[str, Any]] = []
    for seat in order:
        tricks = min(cards, max(0, round(rng.gauss(cards / players, 1))))
        if seat == table["dealer"] and tricks in forbidden(table, [move["tricks"] for move in moves]):
            tricks = tricks + 1 if tricks < cards else tricks - 1
        moves.append({"move": "bid", "seat": seat, "tricks": tricks})
    return moves


def forbidden(table: dict[str, Any], before: list[int]) -> list[int]:
    """List what plus/minus one forbids to the last bidder."""
    rest = table["cards"] - sum(before)
    return [rest] if table["options"]["plus_minus_one"] and 0 <= rest <= table["cards"] else []


def spoken(table: dict[str, Any], move: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Hand out a bid, or a card turned up between tricks."""
    if move["move"] == "bid":
        table["bids"][move["seat"]] = move["tricks"]
    else:
        turned_up(table, move["card"], move["card"][0])
    table["number"] += 1
    yield move


def turned_up(table: dict[str, Any], card: str, trump: str | None) -> None:
    table["out"].append(card)
    table["turn"] = None if is_coloured(card) else "due"
    table["trump"] = trump if is_coloured(card) else None


def told(table: dict[str, Any], story: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Hand out a trick card by card."""
    for index, step in enumerate(story["steps"]):
        moves = [{"move": "play", "seat": step["seat"], "card": step["card"]}]
        moves += [{"move": "turn", "card": card} for card in step["turned"]]
        for move in moves:
            table["number"] += 1
            if move["move"] == "turn":
                turned_up(table, move["card"], step["trump"])
            else:
                put_down(table, step)
            if index == len(story["steps"]) - 1 and move is moves[-1]:
                take(table, story)
            yield move


def put_down(table: dict[str, Any], step: dict[str, Any]) -> None:
    seat, card, led = step["seat"], step["card"], led_colour(table["trick"])
    while is_coloured(card) and (seat, card[0]) in table["missed"]:
        table["missed"].remove((seat, card[0]))
        table["remarks"].append({"number": table["number"], "rule": "rage.revoke"})
    may_join = card.startswith("J") and table["options"]["joker_anytime"]
    if led and not may_join and not (is_coloured(card) and card[0] == led):
        table["missed"].append((seat, led))
    table["trick"].append(card)
    table["out"].append(card)
    if card in ("NT", "CT"):
        table["trump"] = None
    if card == "CT":
        table["turn"] = "at once"


def take(table: dict[str, Any], story: dict[str, Any]) -> None:
    """Close a trick that was told card by card."""
    table["trick"] = []
    table["turn"] = "due" if story["turned"] else None
    table["trump"] = None if story["turned"] else story["after"]
    add_trick(table, story)


def add_trick(table: dict[str, Any], story: dict[str, Any]) -> None:
    seat = story["seat"]
    table["leader"] = seat
    table["tricks"] += 1
    table["taken"][seat] += 1
    table["plus"][seat] += story["plus"]
    table["minus"][seat] += story["minus"]
    if table["tricks"] == table["cards"]:
        score(table)


def summed(table: dict[str, Any], story: dict[str, Any], way: str) -> Iterator[dict[str, Any]]:
    """Hand out a whole trick; or nothing until the round's last, and then the tally."""
    said = {name: story[name] for name in ("plus", "minus") if story[name] or table["rng"].random() < 0.3}
    move = {"move": "trick", "seat": story["seat"], **said}
    table["turn"] = table["turn"] or "may"
    add_trick(table, story)
    if way == "trick":
        table["number"] += 1
        yield move
    elif table["tricks"] == table["cards"]:
        table["number"] += 1
        yield {"move": "tally", "tricks": table["taken"], "plus": table["plus"], "minus": table["minus"]}


def score(table: dict[str, Any]) -> None:
    durch = table["options"]["durch"]
    parts = zip(table["bids"], table["taken"], table["plus"], table["minus"], strict=True)
    rows = [points(part, table["cards"], durch) for part in parts]
    table["rounds"].append({"cards": table["cards"], "dealer": table["dealer"], "rows": rows})
    table["finished"] = table["round"] == 10


def present(table: dict[str, Any]) -> dict[str, Any]:
    """Give the table as it is: when a round is full, the next one has begun."""
    is_over = len(table["rounds"]) == table["round"]
    return table | new_round(table, table["round"] + 1) if is_over and not table["finished"] else table


def summary(table: dict[str, Any]) -> dict[str, Any]:
    """Say the position as `docs/record.md` has it."""
    now = present(table)
    names = ("round", "cards", "dealer", "trump", "trick", "taken", "rounds")
    said = {name: now[name] for name in names}
    return said | {"to_move": to_move(now), "led": led_colour(now["trick"])}


def to_move(table: dict[str, Any]) -> int | None:
    players = table["players"]
    if None in table["bids"]:
        bids = sum(bid is not None for bid in table["bids"])
        return (table["dealer"] + 1 + bids) % players if table["options"]["bidding"] == "open" else None
    if table["finished"] or (table["trick"] and table["turn"] in ("due", "at once")):
        return None
    seat: int = (table["leader"] + len(table["trick"])) % players
    return seat


def standing(table: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    """Rank the seats by the finished rounds."""
    rows = [[played["rows"][seat] for played in table["rounds"]] for seat in range(table["players"])]
    scores = [sum(row["n"] for row in of_seat) for of_seat in rows]
    exact = [sum(row["tricks"] == row["a"] for row in of_seat) for of_seat in rows]
    breaks_ties = table["options"]["tie"] == "most_exact_bids"
    merits = [(score, hits if breaks_ties else 0) for score, hits in zip(scores, exact, strict=True)]
    places = [
        {"seat": seat, "name": names[seat], "rank": 1 + sum(other > merit for other in merits), "score": scores[seat]}
        for seat, merit in enumerate(merits)
    ]
    return sorted(places, key=lambda place: (place["rank"], place["seat"]))


def evening_and_end(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Make a record, whole or cut short or with a wrong move at its end, and the outcome that it must have."""
    rng = Random(seed)
    table = new_table(rng)
    names = [f"Player {seat}" for seat in range(table["players"])]
    until = rng.choice([None, None, rng.randint(0, 60), rng.randint(0, 300)])
    moves = list(islice(evening(table), until)) if until != 0 else []
    if not moves:
        table |= new_round(table, 1)
    wrong = rng.choice(wrong_moves(present(table)) or [None]) if rng.random() < 0.6 else None
    record = {
        "format": "companion-record",
        "version": 1,
        "game": "rage",
        "options": written_options(rng, table["options"], table["players"]),
        "players": names,
        "moves": [*moves, *([wrong[0]] if wrong else [])],
    }
    expected = {
        "game": "rage",
        "legal": wrong is None,
        "moves": len(moves),
        "finished": table["finished"],
        "refused": {"number": len(moves) + 1, "move": wrong[0], "rule": wrong[1]} if wrong else None,
        "remarks": table["remarks"],
        "standing": standing(table, names),
        "summary": summary(table),
    }
    return record, expected


Wrong = tuple[dict[str, Any], str]


def wrong_moves(table: dict[str, Any]) -> list[Wrong]:
    """List moves that break one rule each, with the rule."""
    if table["finished"]:
        moves = [bid(0, 0), play(0, "R3"), {"move": "turn", "card": "R3"}, whole_trick(0), tally(table, [1])]
        return [(move, "rage.game_over") for move in moves]
    wrong = wrong_bids(table) if None in table["bids"] else wrong_tricks(table)
    return [*wrong, *wrong_turns(table)]


def bid(seat: int, tricks: int) -> dict[str, Any]:
    return {"move": "bid", "seat": seat, "tricks": tricks}


def play(seat: int, card: str) -> dict[str, Any]:
    return {"move": "play", "seat": seat, "card": card}


def whole_trick(seat: int, plus: int = 0, minus: int = 0) -> dict[str, Any]:
    return {"move": "trick", "seat": seat, "plus": plus, "minus": minus}


def tally(table: dict[str, Any], tricks: list[int], plus: int = 0) -> dict[str, Any]:
    """Make a tally of `tricks` for the first seats and none for the others, with what is recorded of +5 and −5."""
    seats = table["players"]
    tricks = tricks + [0] * (seats - len(tricks))
    most = tricks.index(max(tricks))
    plusses = [count + plus * (seat == most) for seat, count in enumerate(table["plus"])]
    return {"move": "tally", "tricks": tricks, "plus": plusses, "minus": table["minus"]}


def wrong_bids(table: dict[str, Any]) -> list[Wrong]:
    cards, players = table["cards"], table["players"]
    seat = to_move(table)
    anyone = table["bids"].index(None) if seat is None else seat
    wrong = [(bid(anyone, cards + 1), "rage.bid_range"), (bid(anyone, -1), "rage.bid_range")]
    wrong += [(move, "rage.bid_first") for move in (whole_trick(anyone), tally(table, [cards]))]
    if table["turn"] is None:
        wrong.append((play((table["dealer"] + 1) % players, fresh(table)), "rage.bid_first"))
    if seat is not None:
        wrong += [(bid((seat + step) % players, 0), "rage.not_your_turn") for step in range(1, players)]
    if seat is not None and seat == table["dealer"]:
        before = [count for count in table["bids"] if count is not None]
        wrong += [(bid(seat, tricks), "rage.plus_minus_one") for tricks in forbidden(table, before)] * 5
    return wrong


def fresh(table: dict[str, Any]) -> str:
    """Name a coloured card that is not out."""
    out = set(table["out"])
    return str(table["rng"].choice([card for card in deck("us") if is_coloured(card) and card not in out]))


def used_up(table: dict[str, Any]) -> list[str]:
    """List cards that cannot come again this round."""
    kinds = [card.split(":")[0] for card in table["out"]]
    gone = [card for card in table["out"] if is_coloured(card)]
    box = ACTIONS[table["options"]["edition"]]
    return gone[-5:] + [kind for kind, copies in box.items() if kinds.count(kind) == copies]


def wrong_turns(table: dict[str, Any]) -> list[Wrong]:
    def turn(card: str) -> dict[str, Any]:
        return {"move": "turn", "card": card}

    if table["turn"] is None:
        return [(turn(fresh(table)), "rage.no_turn_due"), (turn("NT"), "rage.no_turn_due")]
    return [(turn(card), "rage.card_twice") for card in used_up(table)] if table["turn"] != "may" else []


def wrong_tricks(table: dict[str, Any]) -> list[Wrong]:
    players = table["players"]
    wrong = [(bid(seat, 1), "rage.bids_closed") for seat in range(0, players, 2)]
    if table["trick"]:
        wrong += [(whole_trick(table["leader"]), "rage.trick_open")] * 3
    else:
        wrong += wrong_sums(table)
    seat = (table["leader"] + len(table["trick"])) % players
    if table["turn"] in ("due", "at once"):
        return wrong + ([(play(seat, fresh(table)), "rage.turn_first")] if len(table["trick"]) < players else [])
    wrong += [(play((seat + step) % players, fresh(table)), "rage.not_your_turn") for step in range(1, players)]
    gone = ["J:G" if card == "J" else card for card in used_up(table)]
    return wrong + [(play(seat, card), "rage.card_twice") for card in gone] * 2


def finishing(table: dict[str, Any]) -> list[int]:
    """Count the tricks of the round as if the leader took all that are left."""
    left = table["cards"] - table["tricks"]
    return [count + left * (seat == table["leader"]) for seat, count in enumerate(table["taken"])]


def wrong_sums(table: dict[str, Any]) -> list[Wrong]:
    leader = table["leader"]
    wrong = [(whole_trick(leader, plus=4), "rage.action_cards"), (whole_trick(leader, minus=4), "rage.action_cards")]
    wrong += [(whole_trick(leader, minus=-1), "rage.action_cards")]
    full = finishing(table)
    more = [count + (seat == 0) for seat, count in enumerate(full)]
    fewer = [count - (seat == leader) for seat, count in enumerate(full)]
    wrong += [(tally(table, counts), "rage.tally_sum") for counts in (more, fewer)]
    wrong += [(tally(table, full, plus=4), "rage.action_cards")]
    if {"+5", "-5"} & set(table["trick"]):
        wrong += [(tally(table, full), "rage.tally_less")]
    robbed = next((seat for seat, count in enumerate(table["taken"]) if count), None)
    if robbed is not None:
        other = (robbed + 1) % table["players"]
        moved = [count - (seat == robbed) + (seat == other) for seat, count in enumerate(full)]
        if moved[robbed] < table["taken"][robbed]:
            wrong += [(tally(table, moved) | {"plus": table["plus"]}, "rage.tally_less")]
    return wrong
