"""A second opinion on Ikebana: plays random evenings with a real deck, records them, and says how they must end.

Written from the rules pages and `docs/record.md` alone, in dicts and lists; it knows nothing of the project's rules,
and finds a bouquet's worth by trying everything. Where those pages leave a choice, `READINGS` says how it was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice, product
from random import Random
from typing import Any

COLOURS = "KRGBY"
BOX = [f"{colour}{value}" for colour in COLOURS for value in (1, 1, 1, 2, 2, 3, 3, 4, 4, 5)] + [
    f"M{n}" for n in range(1, 6)
]
KINDS = [f"{colour}{value}" for colour in COLOURS + "M" for value in range(1, 6)]
NAMES_OF_SETS = {2: "pair", 3: "trio", 4: "quartet", 5: "quintet"}
CHOICES: dict[str, list[Any]] = {
    "wild": ["colour", "colour_and_value", "none"],
    "next_starter": ["total", "round"],
    "final_bouquet": [False, True],
    "detail": ["cards", "payments"],
}
READINGS = """
* A card leaves the draw pile with the move that tells it, so an empty pile is shuffled by the next `keep` or `refuse`.
* `bouquets` lists the finished rounds.
* `price` and `payee` are those of the next refusal whenever it is somebody's turn, whether or not it can be paid; null
  with `to_move` while complete bouquets are told, and at the end.
* With `payments`, piles have their true height and their cards are null; a `keep` or `refuse` with a card, and a `buy`
  without price, are refused. So are a `buy` with a price and a bouquet where cards are told.
* Of several best scores the next starter is the first clockwise, counted from the previous starter, who comes first.
* After the last round the piles and the draw pile stay as they lie.
* With `wild: none` five cards of five among the six colours multiply by 3.
"""


def points_of(values: tuple[int, ...]) -> int:
    """Give the points of one combination; 0 if the values are none."""
    if len(values) > 1 and len(set(values)) == 1:
        return sum(values)
    return {(1, 2, 3, 4): 8, (2, 3, 4, 5): 12, (1, 2, 3, 4, 5): 15}.get(tuple(sorted(values)), 0)


@cache
def best_partition(values: tuple[int, ...]) -> int:
    """Try every way to cut the cards into groups."""
    if not values:
        return 0
    first, rest = values[0], values[1:]
    best = 0
    for size in range(len(values)):
        for places in combinations(range(len(rest)), size):
            group = (first, *(rest[place] for place in places))
            others = tuple(value for place, value in enumerate(rest) if place not in places)
            best = max(best, points_of(group) + best_partition(others))
    return best


@cache
def best_values(values: tuple[int, ...], wilds: int) -> int:
    """Try every value for each wild card."""
    return max(best_partition(tuple(sorted(values + more))) for more in product(range(1, 6), repeat=wilds))


@cache
def best_colours(colours: str, wilds: int, palette: str) -> int:
    """Try every colour for each wild card, and take the highest multiplier."""
    return max(multiplier(colours + "".join(more), palette) for more in product(COLOURS, repeat=wilds))


def multiplier(colours: str, palette: str) -> int:
    different = len(set(colours))
    if different == 1:
        return 4
    if different == 5 and set(colours) <= set(palette):
        return 3
    return 2 if different == 2 else 1


def worth(cards: list[str], wild: str) -> tuple[int, int]:
    """Give base and multiplier of a complete bouquet."""
    natural = sorted(card for card in cards if wild == "none" or card[0] != "M")
    wilds = len(cards) - len(natural)
    colours = best_colours("".join(card[0] for card in natural), wilds, COLOURS + "M")
    if wild == "colour_and_value":
        return best_values(tuple(sorted(int(card[1]) for card in natural)), wilds), colours
    return best_partition(tuple(sorted(int(card[1]) for card in cards))), colours


def is_sound(told: dict[str, Any], wild: str) -> bool:
    """Check the combinations named with a bouquet: each card once, each of its kind, and the points add up."""
    cards = list(told["cards"])
    for combination in told["combinations"]:
        for card in combination["cards"]:
            if card not in cards:
                return False
            cards.remove(card)
        if not is_combination(combination, wild):
            return False
    return sum(combination["points"] for combination in told["combinations"]) == told["base"]


def is_combination(told: dict[str, Any], wild: str) -> bool:
    free = [wild == "colour_and_value" and card[0] == "M" for card in told["cards"]]
    choices = [range(1, 6) if is_free else [int(card[1])] for card, is_free in zip(told["cards"], free, strict=True)]
    if told["kind"] == "run":
        return any(
            list(values) == sorted(values) and points_of(values) == told["points"] for values in product(*choices)
        )
    sets = [values for values in product(*choices) if len(set(values)) == 1]
    return NAMES_OF_SETS[len(choices)] == told["kind"] and told["points"] in [points_of(values) for values in sets]


def new_table(rng: Random) -> dict[str, Any]:
    players = rng.randint(2, 5)
    options = {name: rng.choice(values) for name, values in CHOICES.items()} | {"first_seat": rng.randrange(players)}
    table: dict[str, Any] = {
        "rng": rng,
        "players": players,
        "options": options,
        "fuss": rng.choice([0.1, 0.5, 0.9, 0.98]),
        "greed": rng.choice([0.0, 0.2, 0.6]),
        "prestige": [6] * players,
        "round": 1,
        "scored": [],
        "finished": False,
        "remarks": [],
        "number": 0,
    }
    return table | new_round(table, options["first_seat"])


def new_round(table: dict[str, Any], starter: int) -> dict[str, Any]:
    deck = list(BOX)
    table["rng"].shuffle(deck)
    empty = range(table["players"])
    return {
        "starter": starter,
        "seat": starter,
        "refused": 0,
        "deck": deck,
        "piles": [[] for _ in empty],
        "bouquets": [[] for _ in empty],
        "told": {},
        "paid": [],
    }


def evening(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Play four rounds; every move is handed out when the table's account of it is up to date."""
    for one in rounds(table):
        table["number"] += 1
        yield one


def rounds(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    while not table["finished"]:
        while any(len(bouquet) < 5 for bouquet in table["bouquets"]):
            yield from turn(table)
        if table["options"]["detail"] == "payments":
            yield from tell(table)


def turn(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    rng, seat = table["rng"], table["seat"]
    sellers = [other for other in affordable(table) if rng.random() < table["greed"]]
    if sellers:
        yield buy(table, seat, rng.choice(sellers))
        return
    while table["refused"] < table["prestige"][seat] and rng.random() < table["fuss"]:
        yield refuse(table, seat)
    card = draw(table)
    move = {"move": "keep", "seat": seat} | told_card(table, card)
    take(table, seat, card)
    yield move


def affordable(table: dict[str, Any]) -> list[int]:
    """List the seats whose top card the seat to move can pay for."""
    seat = table["seat"]
    piles = enumerate(table["piles"])
    return [other for other, pile in piles if other != seat and pile and int(pile[-1][1]) <= table["prestige"][seat]]


def told_card(table: dict[str, Any], card: str) -> dict[str, Any]:
    return {"card": card} if table["options"]["detail"] == "cards" else {}


def draw(table: dict[str, Any]) -> str:
    """Take a card from the draw pile, which an empty one is made anew for."""
    if not table["deck"]:
        for pile in table["piles"]:
            table["deck"] += pile[:-1]
            del pile[:-1]
        table["rng"].shuffle(table["deck"])
    card: str = table["deck"].pop()
    return card


def refuse(table: dict[str, Any], seat: int) -> dict[str, Any]:
    card = draw(table)
    to = payee(table)
    table["refused"] += 1
    table["prestige"][seat] -= table["refused"]
    table["prestige"][to] += table["refused"]
    table["piles"][seat].append(card)
    return {"move": "refuse", "seat": seat} | told_card(table, card)


def payee(table: dict[str, Any]) -> int:
    """Walk around the table from the left neighbour, passing oneself over."""
    others = [(table["seat"] + step) % table["players"] for step in range(1, table["players"])]
    return others[table["refused"] % len(others)]


def buy(table: dict[str, Any], seat: int, other: int) -> dict[str, Any]:
    card = table["piles"][other].pop()
    price = int(card[1])
    table["prestige"][seat] -= price
    table["prestige"][other] += price
    table["paid"].append((seat, price))
    take(table, seat, card)
    move = {"move": "buy", "seat": seat, "from": other}
    return move if table["options"]["detail"] == "cards" else move | {"price": price}


def take(table: dict[str, Any], seat: int, card: str) -> None:
    table["bouquets"][seat].append(card)
    table["seat"] = (seat + 1) % table["players"]
    table["refused"] = 0
    if table["options"]["detail"] == "cards" and all(len(bouquet) == 5 for bouquet in table["bouquets"]):
        score(table, table["bouquets"])


def tell(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Let everyone tell the bouquet, in any order and with the cards in any order."""
    rng, players = table["rng"], table["players"]
    for seat in rng.sample(range(players), players):
        cards = rng.sample(table["bouquets"][seat], 5)
        if rng.random() < 0.1:
            cards = told_wrong(table, cards)
        table["told"][seat] = cards
        table["remarks"] += [{"number": table["number"] + 1, "rule": "ikebana.bought_card"}] * missing(table, seat)
        if len(table["told"]) == players:
            score(table, [table["told"][other] for other in range(players)])
        yield {"move": "bouquet", "seat": seat, "cards": cards}


def told_wrong(table: dict[str, Any], cards: list[str]) -> list[str]:
    """Name another card than one of the bouquet: one that lies in the draw pile or beneath."""
    rest = list(BOX)
    for bouquet in [*table["bouquets"], *table["told"].values()]:
        for card in bouquet:
            if card in rest:
                rest.remove(card)
    return [*cards[1:], table["rng"].choice(rest)]


def missing(table: dict[str, Any], seat: int) -> int:
    """Count the values of which a bouquet has fewer cards than its owner has paid for."""
    prices = [price for who, price in table["paid"] if who == seat]
    values = [int(card[1]) for card in table["told"][seat]]
    return sum(prices.count(price) > values.count(price) for price in set(prices))


def score(table: dict[str, Any], bouquets: list[list[str]]) -> None:
    """Score the round, and begin the next one."""
    doubled = 2 if table["options"]["final_bouquet"] and table["round"] == 4 else 1
    scores = []
    for seat, cards in enumerate(bouquets):
        base, times = worth(cards, table["options"]["wild"])
        scores.append({"cards": cards, "base": base, "multiplier": times, "total": base * times * doubled})
        table["prestige"][seat] += base * times * doubled
    table["scored"].append(scores)
    if table["round"] == 4:
        table["finished"] = True
        return
    table["round"] += 1
    by_round = [entry["total"] for entry in scores]
    best = by_round if table["options"]["next_starter"] == "round" else table["prestige"]
    starter = table["starter"]
    while best[starter] < max(best):
        starter = (starter + 1) % table["players"]
    table |= new_round(table, starter)


def summary(table: dict[str, Any]) -> dict[str, Any]:
    """Say the position as `docs/record.md` has it, without the combinations."""
    is_turn = any(len(bouquet) < 5 for bouquet in table["bouquets"])
    is_told = table["options"]["detail"] == "cards"
    return {
        "round": table["round"],
        "to_move": table["seat"] if is_turn else None,
        "price": table["refused"] + 1 if is_turn else None,
        "payee": payee(table) if is_turn else None,
        "prestige": table["prestige"],
        "piles": [[card if is_told else None for card in pile] for pile in table["piles"]],
        "deck": len(table["deck"]),
        "bouquets": table["scored"],
    }


def standing(table: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    places = [
        {"seat": seat, "name": name, "rank": 1 + sum(other > points for other in table["prestige"]), "score": points}
        for seat, (name, points) in enumerate(zip(names, table["prestige"], strict=True))
    ]
    return sorted(places, key=lambda place: (place["rank"], place["seat"]))


def written_options(rng: Random, options: dict[str, Any]) -> dict[str, Any]:
    defaults = {name: values[0] for name, values in CHOICES.items()} | {"first_seat": 0}
    return {name: value for name, value in options.items() if value != defaults[name] or rng.random() < 0.3}


def evening_and_end(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Make a record, whole or cut short or with a wrong move at its end, and the outcome that it must have."""
    rng = Random(seed)
    table = new_table(rng)
    names = [f"Player {seat}" for seat in range(table["players"])]
    until = rng.choice([None, None, rng.randint(0, 60), rng.randint(0, 300)])
    moves = list(islice(evening(table), until))
    wrong = rng.choice(wrong_moves(table)) if rng.random() < 0.6 else None
    record = {
        "format": "companion-record",
        "version": 1,
        "game": "ikebana",
        "options": written_options(rng, table["options"]),
        "players": names,
        "moves": [*moves, *([wrong[0]] if wrong else [])],
    }
    expected = {
        "game": "ikebana",
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


def move(kind: str, seat: int, **parts: Any) -> dict[str, Any]:
    return {"move": kind, "seat": seat} | parts


def wrong_moves(table: dict[str, Any]) -> list[Wrong]:
    """List moves that break one rule each, with the rule."""
    cards = table["rng"].sample(BOX, 5)
    if table["finished"]:
        kinds = [
            move("keep", 0),
            move("refuse", 0, card="K3"),
            move("buy", 0, **{"from": 1}),
            move("bouquet", 0, cards=cards),
        ]
        return [(one, "ikebana.game_over") for one in kinds]
    if all(len(bouquet) == 5 for bouquet in table["bouquets"]):
        return wrong_bouquets(table)
    is_told = table["options"]["detail"] == "cards"
    early = (
        move("bouquet", table["seat"], cards=cards),
        "ikebana.bouquet_known" if is_told else "ikebana.bouquet_growing",
    )
    return [early, *wrong_turns(table), *wrong_draws(table), *wrong_purchases(table)]


def wrong_bouquets(table: dict[str, Any]) -> list[Wrong]:
    rng = table["rng"]
    seat = next(seat for seat in range(table["players"]) if seat not in table["told"])
    out = [card for cards in table["told"].values() for card in cards]
    full = [card for card in KINDS if out.count(card) == BOX.count(card)]
    wrong: list[Wrong] = [(move("keep", seat), "ikebana.bouquets_due"), (move("refuse", seat), "ikebana.bouquets_due")]
    wrong += [(move("buy", seat, **{"from": (seat + 1) % table["players"]}, price=1), "ikebana.bouquets_due")]
    wrong += [(move("bouquet", other, cards=cards), "ikebana.bouquet_told") for other, cards in table["told"].items()]
    wrong += [(move("bouquet", seat, cards=["K1", "K1", "K1", "K1", "R2"]), "ikebana.card_gone")]
    wrong += [(move("bouquet", seat, cards=["M3", "Y2", "M3", "B1", "R2"]), "ikebana.card_gone")]
    if full:
        rest = list(BOX)
        for card in out:
            rest.remove(card)
        cards = [rng.choice(full), *rng.sample(rest, 4)]
        wrong += [(move("bouquet", seat, cards=rng.sample(cards, 5)), "ikebana.card_gone")] * 4
    return wrong


def wrong_turns(table: dict[str, Any]) -> list[Wrong]:
    is_told = table["options"]["detail"] == "cards"
    others = [(table["seat"] + step) % table["players"] for step in range(1, table["players"])]
    card = told_card(table, table["rng"].choice(reachable(table)))
    wrong = [(move(kind, seat, **card), "ikebana.not_your_turn") for kind in ("keep", "refuse") for seat in others]
    price = {} if is_told else {"price": 1}
    return wrong + [(move("buy", seat, **{"from": table["seat"]}, **price), "ikebana.not_your_turn") for seat in others]


def reachable(table: dict[str, Any]) -> list[str]:
    """List the cards that the next draw can bring."""
    return table["deck"] or [card for pile in table["piles"] for card in pile[:-1]]


def wrong_draws(table: dict[str, Any]) -> list[Wrong]:
    seat, near = table["seat"], table["rng"].choice(reachable(table))
    is_poor = table["refused"] >= table["prestige"][seat]
    poor: list[Wrong] = (
        [(move("refuse", seat, **told_card(table, near)), "ikebana.cannot_refuse")] * 4 if is_poor else []
    )
    if table["options"]["detail"] == "payments":
        return poor + [(move(kind, seat, card=near), "ikebana.card_unasked") for kind in ("keep", "refuse")]
    gone = sorted(set(KINDS) - set(reachable(table)))
    wrong = [(move(kind, seat, card=card), "ikebana.card_gone") for card in gone for kind in ("keep", "refuse")]
    return poor + wrong + [(move(kind, seat), "ikebana.card_needed") for kind in ("keep", "refuse")]


def wrong_purchases(table: dict[str, Any]) -> list[Wrong]:
    seat, players = table["seat"], table["players"]
    is_told = table["options"]["detail"] == "cards"

    def purchase(other: int, price: int = 1) -> dict[str, Any]:
        return move("buy", seat, **{"from": other}, **({} if is_told else {"price": price}))

    if table["refused"]:
        return [(purchase(other), "ikebana.buy_after_drawing") for other in range(players)]
    wrong: list[Wrong] = [(purchase(seat), "ikebana.own_pile")]
    for other, pile in enumerate(table["piles"]):
        if other == seat:
            continue
        if not pile:
            wrong.append((purchase(other), "ikebana.empty_pile"))
        elif is_told:
            wrong.append((purchase(other) | {"price": int(pile[-1][1])}, "ikebana.price_unasked"))
        else:
            wrong += [(purchase(other, price), "ikebana.price_needed") for price in (-1, 0, 6)]
            wrong += [(move("buy", seat, **{"from": other}), "ikebana.price_needed")]
        if pile and int(pile[-1][1]) > table["prestige"][seat]:
            wrong += [(purchase(other, int(pile[-1][1])), "ikebana.cannot_buy")] * 4
    return wrong
