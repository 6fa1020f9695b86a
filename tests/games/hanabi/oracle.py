"""A second opinion on Hanabi: plays random games with real cards, records them, and says how they must end.

Written from the rules pages and `docs/record.md` alone, in dicts and lists; it knows nothing of the project's own
rules. Where those pages leave a choice, `READINGS` says how it was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice
from random import Random
from typing import Any

Table = dict[str, Any]
Move = dict[str, Any]
Wrong = tuple[Move, str]
Heard = dict[str, Any]
Card = dict[str, Any]

CHOICES: dict[str, list[Any]] = {
    "edition": ["cs", "es", "pl"],
    "multicolour": [0, 5, 10],
    "multicolour_hint": [None, "own", "all"],
    "black_powder": [False, True],
    "flamboyants": [False, True],
    "endless": [False, True],
    "hint_tokens": [8, 10],
    "errors_allowed": [3, 1],
    "empty_hint": [None, False, True],
    "third_error": ["zero", "keep"],
    "black_bonus": ["token", "tile"],
    "tiles_empty": ["nothing", "token"],
    "late_shuffle": ["no_restart", "restart"],
    "indispensable": ["immediate", "ignore"],
    "stuck": ["skip", "defeat"],
    "detail": ["cards", "hints", "tokens"],
    "aid_contradictions": [True, False],
}
"""The default first; None is what the edition says."""
READINGS = """
* A defeat of any kind scores 0 under `third_error: zero`; `raw`, `max_score` and `pace` stay as they were.
* `pace` is raw + deck + players − max_score, always. `max_score` looks at the discard pile alone; in `tokens` at its
  named cards, of which T5 and T6, as long as they are to come, may each bring one back, and at the turns left: each
  builds one card, and each of those tiles one more; but not where T5 is to come and begins the final round anew.
* `critical`: no copy is built, and all copies but one are in the discard pile; also where a card before it is lost.
* A discard that loses an endless game still gives its token; nothing is drawn. So does a misplay its error.
* `indispensable: ignore` ends when both T5 and T6 are revealed: a card that is then in the pile for good loses at once.
* `arrange`: the new hand is the old card at each place of `order`. It is open to everyone until the end.
* One remark for every hint that a revealed card contradicts, unless that hint was doubted of that card before.
* At a hint one remark for every earlier hint that says of the same card what no card left is, if each could be true
  alone: both are doubted of that card. Then one if no deal of the cards left makes the new hint true; else one for every
  earlier hint that one makes true alone, but not beside it. Then, as long as no deal makes all true that is not doubted,
  but for what was said before of cards that had none already: one for the fewest hints that are not true together,
  found from behind; none if the last of them before the new one was named already. What is not true together is doubted
  of each card that may be left out where as many as can be are dealt.
* The colour hint of T3 may be left out only if nobody else may hold anything but black powder, or anything at all.
* `tokens`: `hands` has as many slots, of which nothing is known; unnamed cards are in no sum but the deck's; a card
  named in a play must fit, but in the endless game. T5 without a card takes one that nobody named; T3 and T4 may do without the hint.
* `hints`: every card is named, as in `cards`; nothing is known of a place, so nothing is noticed of a card.
* `turns_left` counts the turn in progress while its reward is still due.
* T5 used as T6 where nothing fits is lost, like T6 itself.
"""
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}


def bases(edition: str) -> str:
    return "RBYGK" if edition == "es" else "WRBYG"


def box(options: dict[str, Any]) -> Counter[str]:
    """Count the cards of the game by face."""
    cards = Counter({f"{colour}{value}": COPIES[value] for colour in bases(options["edition"]) for value in COPIES})
    if options["multicolour"]:
        cards.update({f"M{value}": COPIES[value] if options["multicolour"] == 10 else 1 for value in COPIES})
    if options["black_powder"]:
        cards.update({f"K{6 - value}": COPIES[value] for value in COPIES})
    return cards


def way_up(table: Table, colour: str) -> list[str]:
    """List a firework's cards in the order of building."""
    values = [5, 4, 3, 2, 1] if colour == "K" and table["options"]["black_powder"] else [1, 2, 3, 4, 5]
    return [f"{colour}{value}" for value in values]


def fitting(table: Table) -> list[str]:
    return [way_up(table, colour)[count] for colour, count in table["built"].items() if count < 5]


def in_firework(table: Table, face: str) -> bool:
    return face in way_up(table, face[0])[: table["built"][face[0]]]


def known_pile(table: Table) -> Counter[str]:
    return Counter(face for face, named in table["pile"] if named)


def unnamed(table: Table) -> list[str]:
    return [face for face, named in table["pile"] if not named]


def new_table(rng: Random) -> Table:
    """Choose everything, and deal."""
    players = rng.randint(2, 5)
    options = {name: rng.choice(values) for name, values in CHOICES.items()}
    if rng.random() < 0.5:
        options["detail"] = "cards"
    if options["errors_allowed"] == 1 and rng.random() < 0.6:
        options["errors_allowed"] = 3
    if options["edition"] == "es":
        options["black_powder"] = False
    options["first_seat"] = rng.randrange(players)
    deck = list(box(options).elements())
    rng.shuffle(deck)
    table = {
        "rng": rng,
        "players": players,
        "options": options,
        "deck": deck,
        "hands": [[fresh(deck.pop()) for _ in range(5 if players < 4 else 4)] for _ in range(players)],
        "tokens": options["hint_tokens"],
        "errors": 0,
        "built": dict.fromkeys(dict.fromkeys(face[0] for face in box(options)), 0),
        "pile": [],
        "turn": options["first_seat"],
        "left": None,
        "stack": rng.sample(["T1", "T2", "T3", "T4", "T5", "T6"], 6),
        "due": False,
        "result": "playing",
        "remarks": [],
        "moves": [],
        "skill": rng.choice([0.3, 0.9, 0.97, 1.0, 1.0]),
        "clumsy": rng.random() < 0.3,
        "restless": rng.random() < 0.3,
    }
    table["nameable"] = nameable(options)
    table["may_be_empty"] = options["edition"] != "cs" if options["empty_hint"] is None else options["empty_hint"]
    return table


def is_own(options: dict[str, Any]) -> bool:
    return (options["multicolour_hint"] or ("all" if options["edition"] == "pl" else "own")) == "own"


def nameable(options: dict[str, Any]) -> list[str]:
    return list(bases(options["edition"])) + (["M"] if options["multicolour"] and is_own(options) else [])


def fresh(face: str) -> dict[str, Any]:
    return {"face": face, "heard": []}


def is_counted(table: Table) -> bool:
    return bool(table["options"]["detail"] == "tokens")


def has_places(table: Table) -> bool:
    return bool(table["options"]["detail"] == "cards")


def agrees(table: Table, face: str, clue: str | int) -> bool:
    """Say whether a card belongs to a hint."""
    if isinstance(clue, int):
        return face[1] == str(clue)
    return face[0] == clue or (face[0] == "M" and not is_own(table["options"]))


# What the players do


def act(table: Table) -> None:
    """Do one thing: re-order a hand, reveal a tile, or take a turn."""
    rng = table["rng"]
    if table["restless"] and rng.random() < 0.15:
        arrange(table)
    elif table["due"]:
        reveal(table)
    else:
        take_turn(table)


def arrange(table: Table) -> None:
    seat = table["rng"].randrange(table["players"])
    hand = table["hands"][seat]
    order = table["rng"].sample(range(len(hand)), len(hand))
    table["hands"][seat] = [hand[place] for place in order]
    said(table, {"move": "arrange", "seat": seat, "order": order})


def said(table: Table, move: Move) -> None:
    table["moves"].append(move)


def others_with_cards(table: Table) -> list[int]:
    return [seat for seat in range(table["players"]) if seat != table["turn"] and table["hands"][seat]]


def take_turn(table: Table) -> None:
    rng, hand = table["rng"], table["hands"][table["turn"]]
    fit = [place for place, card in enumerate(hand) if card["face"] in fitting(table)]
    if fit and rng.random() < table["skill"]:
        put_down(table, rng.choice(fit))
        return
    acts = ["hint"] * 3 if table["tokens"] and others_with_cards(table) and said_hint(table, None) else []
    if hand and table["tokens"] < table["options"]["hint_tokens"]:
        acts += ["discard"] * 3
    if hand and (not acts or rng.random() > table["skill"]):
        acts += ["play"]
    what = rng.choice(acts)
    if what == "hint":
        hint(table)
    elif what == "discard":
        discard(table, worst(table, hand))
    else:
        put_down(table, rng.randrange(len(hand)))


def worst(table: Table, hand: list[dict[str, Any]]) -> int:
    """Choose what to discard: at a skilled table what is of no use, or not the last one."""
    rng = table["rng"]
    places = list(range(len(hand)))
    if rng.random() > table["skill"]:
        return int(rng.choice(places))
    gone = Counter(face for face, _ in table["pile"])
    useless = [place for place in places if in_firework(table, hand[place]["face"])]
    copies = box(table["options"])
    spare = [place for place in places if copies[hand[place]["face"]] - gone[hand[place]["face"]] > 1]
    return int(rng.choice(useless or spare or places))


def said_hint(table: Table, only: str | None) -> Move | None:
    """Think of a hint to somebody; None if there is none (no card may be touched, or nobody holds any)."""
    rng = table["rng"]
    seats = others_with_cards(table)
    if not seats:
        return None
    to = rng.choice(seats)
    colours = [] if only == "value" else table["nameable"]
    values = [] if only == "colour" else [1, 2, 3, 4, 5]
    hand = table["hands"][to]
    for clue in rng.sample(colours + values, len(colours + values)):
        slots = [place for place, card in enumerate(hand) if agrees(table, card["face"], clue)]
        if table["options"]["detail"] == "hints":
            if slots or table["may_be_empty"]:
                return {"to": to, "colour" if isinstance(clue, str) else "value": clue}
            continue
        if table["clumsy"] and rng.random() < 0.2:
            slots = sorted(rng.sample(range(len(hand)), rng.randint(0, len(hand))))
        if slots or table["may_be_empty"]:
            return {"to": to, "colour" if isinstance(clue, str) else "value": clue, "slots": slots}
    return None


def hint(table: Table) -> None:
    move = said_hint(table, None)
    if move is None:
        discard(table, 0) if table["tokens"] < table["options"]["hint_tokens"] else put_down(table, 0)
        return
    table["tokens"] -= 1
    if is_counted(table):
        said(table, {"move": "hint", "seat": table["turn"]})
    else:
        if has_places(table):
            hear(table, move)
        said(table, {"move": "hint", "seat": table["turn"], **move})
    pass_on(table, draws=False)


def hear(table: Table, move: Move) -> None:
    clue = move.get("colour", move.get("value"))
    number = len(table["moves"]) + 1
    for place, card in enumerate(table["hands"][move["to"]]):
        card["heard"].append({"clue": clue, "shown": place in move["slots"], "number": number, "doubted": False})
    if table["options"]["aid_contradictions"]:
        notice(table, table["hands"][move["to"]], number)


def notice(table: Table, hand: list[Card], number: int) -> None:
    """Remark on the earlier hints that cannot be true beside the one that a hand just heard (H33)."""
    held = [card for other in table["hands"] for card in other]
    earlier = sorted({one["number"] for card in held for one in card["heard"]} - {number})
    found = opposed(table, hand)
    found |= beside_one(table, held, number, [before for before in earlier if before not in found])

    def sure(numbers: Collection[int], heeded: Collection[int] = range(len(held))) -> list[list[Heard]]:
        return [
            [one for one in told if not one["doubted"] and (place in heeded or one["number"] == number)]
            for place, told in enumerate(says(held, numbers))
        ]

    sound = set(range(len(held))) - set(left_out(table, sure(earlier)))
    while left_out(table, sure([*earlier, number], sound)):
        among = [number]
        while not left_out(table, sure(among, sound)):
            before = next(k for k in range(len(earlier)) if left_out(table, sure([*among, *earlier[: k + 1]], sound)))
            among.append(earlier[before])
        found.add(among[1])
        doubt(table, held, among, sure(among, sound))
    table["remarks"] += [{"number": number, "rule": "hanabi.contradiction"} for _ in found]


def beside_one(table: Table, held: list[Card], number: int, earlier: list[int]) -> set[int]:
    """Find the earlier hints that leave no deal in which a new one is true; 0 where there is none without them."""
    if left_out(table, says(held, [number])):
        doubt(table, held, [number], says(held, [number]))
        return {0}
    found = set()
    for before in earlier:
        pair = says(held, [before, number])
        if not left_out(table, says(held, [before])) and left_out(table, pair):
            found.add(before)
            doubt(table, held, [before, number], pair)
    return found


def says(held: list[Card], numbers: Collection[int]) -> list[list[Heard]]:
    """List what some hints said of each card."""
    return [[one for one in card["heard"] if one["number"] in numbers] for card in held]


def doubt(table: Table, held: list[Card], numbers: Collection[int], among: list[list[Heard]]) -> None:
    for place in left_out(table, among):
        for one in held[place]["heard"]:
            one["doubted"] |= one["number"] in numbers


def opposed(table: Table, hand: list[dict[str, Any]]) -> set[int]:
    """Find the earlier hints that say of some card of a hand what no card is that the newest one allows."""
    faces, found = set(unseen(table)), set()
    for card in hand:
        newest = card["heard"][-1]
        allowed = {face for face in faces if agrees_with(table, face, newest)}
        for one in card["heard"][:-1]:
            before = {face for face in faces if agrees_with(table, face, one)}
            if allowed and before and not allowed & before:
                found.add(one["number"])
                one["doubted"] = newest["doubted"] = True
    return found


def agrees_with(table: Table, face: str, one: dict[str, Any]) -> bool:
    return bool(agrees(table, face, one["clue"]) == one["shown"])


def unseen(table: Table) -> Counter[str]:
    """Count the cards that lie neither in a firework nor in the pile."""
    built = Counter(face for colour, count in table["built"].items() for face in way_up(table, colour)[:count])
    return box(table["options"]) - built - Counter(face for face, _ in table["pile"])


def left_out(table: Table, said: list[list[Heard]]) -> list[int]:
    """Name the places that may be left without a card where as many as can be get one of which all that is said is true.

    A place may be left out if as many get a card without it.
    """
    copies = list(unseen(table).elements())
    wanted = [
        [n for n, face in enumerate(copies) if all(agrees_with(table, face, one) for one in told)] for told in said
    ]

    def served(places: Sequence[int]) -> int:
        owners: dict[int, int] = {}

        def finds(place: int, tried: set[int]) -> bool:
            for copy in wanted[place]:
                if copy not in tried:
                    tried.add(copy)
                    if copy not in owners or finds(owners[copy], tried):
                        owners[copy] = place
                        return True
            return False

        return sum(finds(place, set()) for place in places)

    every = range(len(wanted))
    most = served(every)
    if most == len(wanted):
        return []
    return [place for place in every if served([other for other in every if other != place]) == most]


def show(table: Table, place: int) -> str:
    """Turn a card of the hand over, and note the hints that it contradicts."""
    card = table["hands"][table["turn"]].pop(place)
    for one in card["heard"]:
        is_wrong = not agrees_with(table, card["face"], one) and not one["doubted"]
        if is_wrong and table["options"]["aid_contradictions"]:
            table["remarks"].append({"number": len(table["moves"]) + 1, "rule": "hanabi.contradiction"})
    return str(card["face"])


def discard(table: Table, place: int) -> None:
    rng, seat = table["rng"], table["turn"]
    face = show(table, place)
    named = not is_counted(table) or rng.random() < 0.7
    table["pile"].append((face, named))
    table["tokens"] += 1
    where = {"slot": place} if has_places(table) else {}
    said(table, {"move": "discard", "seat": seat, **where, **({"card": face} if named else {})})
    if is_hopeless(table):
        table["result"] = "lost"
    else:
        pass_on(table)


def put_down(table: Table, place: int) -> None:
    seat = table["turn"]
    face = show(table, place)
    where = {"slot": place} if has_places(table) else {}
    if face in fitting(table):
        said(table, {"move": "play", "seat": seat, **where, "card": face})
        build(table, face)
        if table["result"] == "playing" and not table["due"]:
            pass_on(table)
        return
    named = not is_counted(table) or (table["options"]["endless"] and table["rng"].random() < 0.6)
    said(table, {"move": "play", "seat": seat, **where, **({"card": face} if named else {})})
    table["pile"].append((face, named))
    table["errors"] += 1
    if table["errors"] == table["options"]["errors_allowed"] or is_hopeless(table):
        table["result"] = "lost"
    else:
        pass_on(table)


def build(table: Table, face: str) -> None:
    """Lay a card on its firework, and give what it earns."""
    options, colour = table["options"], face[0]
    table["built"][colour] += 1
    if all(count == 5 for count in table["built"].values()):
        table["result"] = "won"
        return
    if table["built"][colour] < 5:
        return
    by_tile = options["flamboyants"] and (face[1] == "5" or options["black_bonus"] == "tile")
    if by_tile and table["stack"]:
        table["due"] = True
    elif not by_tile or options["tiles_empty"] == "token":
        add_token(table)


def add_token(table: Table) -> None:
    table["tokens"] = min(table["tokens"] + 1, table["options"]["hint_tokens"])


def is_hopeless(table: Table) -> bool:
    """Say whether an endless game has lost a card for good."""
    options = table["options"]
    waits = options["flamboyants"] and options["indispensable"] == "ignore"
    if not options["endless"] or (waits and ("T5" in table["stack"] or "T6" in table["stack"])):
        return False
    gone = known_pile(table)
    return any(gone[face] == copies and not in_firework(table, face) for face, copies in box(options).items())


def reveal(table: Table) -> None:
    """Turn up the top tile and use it."""
    table["due"] = False
    tile = table["stack"].pop(0)
    move = {"move": "reward", "seat": table["turn"], "tile": tile}
    effect = tile
    if tile == "T5" and not table["deck"] and table["rng"].random() < 0.5:
        effect = move["as"] = "T6"
    move |= EFFECTS[effect](table)
    said(table, move)
    if table["result"] == "playing" and is_hopeless(table):
        table["result"] = "lost"
        return
    if table["result"] == "playing" and not table["due"]:
        pass_on(table)


def tile_1(table: Table) -> Move:
    add_token(table)
    return {}


def tile_2(table: Table) -> Move:
    table["errors"] = max(0, table["errors"] - 1)
    add_token(table)
    return {}


def tile_hint(table: Table, only: str) -> Move:
    move = said_hint(table, only)
    if move is None or (is_counted(table) and table["rng"].random() < 0.5):
        return {}
    if has_places(table):
        hear(table, move)
    return move


def tile_3(table: Table) -> Move:
    return tile_hint(table, "colour")


def tile_4(table: Table) -> Move:
    return tile_hint(table, "value")


def tile_5(table: Table) -> Move:
    rng = table["rng"]
    if not table["pile"]:
        return {}
    bare = unnamed(table)
    if bare and rng.random() < 0.5:
        face = rng.choice(bare)
        table["pile"].remove((face, False))
        move = {}
    else:
        face = rng.choice(table["pile"])[0]
        take_named(table, face)
        move = {"card": face}
    table["deck"].insert(rng.randint(0, len(table["deck"])), face)
    return move


def take_named(table: Table, face: str) -> None:
    table["pile"].remove((face, True) if (face, True) in table["pile"] else (face, False))


def tile_6(table: Table) -> Move:
    fit = fitting(table)
    certain = [face for face, named in table["pile"] if face in fit and named]
    possible = [face for face, _ in table["pile"] if face in fit]
    if not possible or (not certain and table["rng"].random() < 0.3):
        return {}
    face = table["rng"].choice(possible)
    take_named(table, face)
    build(table, face)
    return {"card": face}


EFFECTS: dict[str, Any] = {"T1": tile_1, "T2": tile_2, "T3": tile_3, "T4": tile_4, "T5": tile_5, "T6": tile_6}


def pass_on(table: Table, draws: bool = True) -> None:
    """Draw, count the last turns, and find who is next."""
    options, n = table["options"], table["players"]
    left = table["left"]
    if left is not None:
        table["left"] = left - 1
    if draws and table["deck"]:
        table["hands"][table["turn"]].append(fresh(table["deck"].pop()))
        if not table["deck"] and not options["endless"] and (left is None or options["late_shuffle"] == "restart"):
            table["left"] = n
    if table["left"] == 0:
        table["result"] = "ended"
        return
    order = [(table["turn"] + step) % n for step in range(1, n + 1)]
    able = [seat for seat in order if can_act(table, seat)]
    if not able or (able[0] != order[0] and options["stuck"] == "defeat"):
        table["result"] = "lost"
        return
    table["turn"] = able[0]


def can_act(table: Table, seat: int) -> bool:
    others = [hand for other, hand in enumerate(table["hands"]) if other != seat and hand]
    return bool(table["hands"][seat] or (table["tokens"] and others))


# What must be said of it


def best_possible(table: Table, gone: Counter[str], raw: int) -> int:
    """Build on with all that is not lost; where tokens are counted, with what tiles may bring back and time allows."""
    options = table["options"]
    helpers = {"T5", "T6"} & set(table["stack"]) if options["flamboyants"] and is_counted(table) else set()
    best = best_with(table, gone, len(helpers))
    if not is_counted(table) or table["left"] is None:
        return best
    is_endless_round = options["late_shuffle"] == "restart" and "T5" in helpers
    return best if is_endless_round else min(best, raw + table["left"] + len(helpers))


def best_with(table: Table, gone: Counter[str], helpers: int) -> int:
    """Try which of the lost cards to bring back, one after the other."""
    total, blocked = 0, []
    for colour, count in table["built"].items():
        way, reach = way_up(table, colour), count
        while reach < 5 and gone[way[reach]] < box(table["options"])[way[reach]]:
            reach += 1
        total += reach - 5 if way[0] == "K5" else reach
        blocked += [way[reach]] if reach < 5 else []
    return max([total, *(best_with(table, gone - Counter([face]), helpers - 1) for face in blocked if helpers)])


def summary(table: Table) -> dict[str, Any]:
    gone, options = known_pile(table), table["options"]
    raw = sum(count - 5 if way_up(table, colour)[0] == "K5" else count for colour, count in table["built"].items())
    score = 0 if table["result"] == "lost" and options["third_error"] == "zero" else raw
    best = best_possible(table, gone, raw)
    tier = 1 + sum(score > most for most in (5, 10, 15, 20, 24, 29))
    faces = [f"{colour}{value}" for colour in "WRBYGKM" if colour in table["built"] for value in range(1, 6)]
    last = [face for face in faces if box(options)[face] - gone[face] == 1 and not in_firework(table, face)]
    return {
        "hint_tokens": table["tokens"],
        "errors": table["errors"],
        "deck": len(table["deck"]),
        "fireworks": table["built"],
        "discarded": dict(gone),
        "score": score,
        "raw": raw,
        "max_score": best,
        "pace": raw + len(table["deck"]) + table["players"] - best,
        "critical": last,
        "turns_left": table["left"],
        "tier": None if options["endless"] else tier,
        "is_lost": table["result"] == "lost",
        "result": table["result"],
        "to_move": table["turn"] if table["result"] == "playing" else None,
        "hands": [[marks(card) for card in hand] for hand in table["hands"]],
    }


def marks(card: dict[str, Any]) -> dict[str, list[str | int]]:
    order = [*"WRBYGKM", 1, 2, 3, 4, 5]
    return {
        "is": [clue for clue in order if any(one["clue"] == clue and one["shown"] for one in card["heard"])],
        "is_not": [clue for clue in order if any(one["clue"] == clue and not one["shown"] for one in card["heard"])],
    }


def written_options(table: Table) -> dict[str, Any]:
    defaults = {name: values[0] for name, values in CHOICES.items()} | {"first_seat": 0}
    rng, options = table["rng"], table["options"]
    kept = {name: value for name, value in options.items() if value is not None}
    return {name: value for name, value in kept.items() if value != defaults[name] or rng.random() < 0.2}


def game_and_end(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play one game: the record, and what `companion replay` must say of it (without the words)."""
    rng = Random(seed)
    table = new_table(rng)
    stop = rng.choice([rng.randint(0, 60), "reward", "no token", "all tokens", "no cards", *[1000] * 8])
    while table["result"] == "playing" and not is_time(table, stop):
        act(table)
    wrong = rng.choice(wrong_moves(table)) if rng.random() < (0.2 if stop == 1000 else 0.7) else None
    names = [f"Player {seat}" for seat in range(table["players"])]
    ended = summary(table)
    said_moves = table["moves"] + ([wrong[0], *islice(table["moves"], 1)] if wrong else [])
    data = written(table, said_moves)
    number = len(table["moves"])
    return data, {
        "game": "hanabi",
        "legal": wrong is None,
        "moves": number,
        "finished": table["result"] != "playing",
        "refused": {"number": number + 1, "move": wrong[0], "rule": wrong[1]} if wrong else None,
        "remarks": table["remarks"],
        "standing": [{"seat": s, "name": names[s], "rank": 1, "score": ended["score"]} for s in range(len(names))],
        "summary": ended,
    }


def written(table: Table, moves: list[Move]) -> dict[str, Any]:
    """Write a record of a table."""
    return {
        "format": "companion-record",
        "version": 1,
        "game": "hanabi",
        "options": written_options(table),
        "players": [f"Player {seat}" for seat in range(table["players"])],
        "moves": moves,
    }


def told_rightly(rng: Random) -> dict[str, Any]:
    """Play a whole game card by card in which every hint is right: the record."""
    table = new_table(rng)
    table["options"] |= {"detail": "cards", "aid_contradictions": True}
    table["clumsy"] = False
    while table["result"] == "playing":
        act(table)
    return written(table, table["moves"])


def is_time(table: Table, stop: int | str) -> bool:
    """Say whether to break off: after so many moves, or when something is so that a wrong move can be tried upon."""
    hand = table["hands"][table["turn"]]
    return {
        "reward": table["due"],
        "no token": not table["tokens"],
        "all tokens": bool(table["moves"]) and table["tokens"] == table["options"]["hint_tokens"],
        "no cards": not hand or not others_with_cards(table),
    }.get(str(stop), len(table["moves"]) == stop)


# What must be refused


def wrong_moves(table: Table) -> list[Wrong]:
    """List moves that the rules refuse now, each with the rule that it breaks."""
    seat = table["turn"]
    bare = {"move": "hint", "seat": seat}
    if table["result"] != "playing":
        return [(bare, "hanabi.game_over"), ({"move": "arrange", "seat": seat, "order": []}, "hanabi.game_over")]
    other = (seat + 1) % table["players"]
    size = len(table["hands"][seat])
    wrong: list[Wrong] = [
        ({"move": kind, "seat": other}, "hanabi.not_your_turn") for kind in ("hint", "discard", "play")
    ]
    wrong += [({"move": "reward", "seat": other, "tile": "T1"}, "hanabi.not_your_turn")]
    wrong += [({"move": "arrange", "seat": seat, "order": [size, *range(1, size)]}, "hanabi.order")]
    if table["due"]:
        return wrong + wrong_rewards(table)
    wrong += [({"move": "reward", "seat": seat, "tile": "T1"}, "hanabi.no_reward")]
    return wrong + wrong_hints(table) + wrong_cards(table)


def wrong_hints(table: Table) -> list[Wrong]:
    seat, seats = table["turn"], others_with_cards(table)
    bare = {"move": "hint", "seat": seat}
    if not table["tokens"]:
        return [(bare, "hanabi.no_token")] * 4
    if is_counted(table):
        return [(bare | {"to": (seat + 1) % table["players"]}, "hanabi.say_less")]
    empty = [other for other in range(table["players"]) if other != seat and not table["hands"][other]]
    at_first, none = ({"slots": [0]}, {"slots": []}) if has_places(table) else ({}, {})
    wrong: list[Wrong] = [
        (bare, "hanabi.say_all"),
        (bare | {"to": seat, "value": 1, **at_first}, "hanabi.not_oneself"),
        *((bare | {"to": other, "value": 1, **none}, "hanabi.nobody_to_hint") for other in empty),
    ]
    if not seats:
        return wrong
    to = {**bare, "to": table["rng"].choice(seats)}
    size = len(table["hands"][to["to"]])
    unnamed_colours = [colour for colour in "WRBYGKM" if colour not in table["nameable"]]
    wrong += [(to | {"colour": colour, **at_first}, "hanabi.not_nameable") for colour in unnamed_colours]
    wrong += [
        (to | at_first, "hanabi.one_thing"),
        (to | {**at_first, "value": 1, "colour": "R"}, "hanabi.one_thing"),
        (to | {**at_first, "value": 6}, "hanabi.value_range"),
    ]
    if not has_places(table):
        return [*wrong, *((to | {"value": 1, "slots": slots}, "hanabi.say_less") for slots in ([], [0]))]
    wrong += [
        (to | {"value": 1}, "hanabi.say_all"),
        (to | {"slots": [size], "value": 1}, "hanabi.slots"),
        (to | {"slots": [0, 0], "colour": "R"}, "hanabi.slots"),
    ]
    if not table["may_be_empty"]:
        wrong += [(to | {"slots": [], "value": 1}, "hanabi.empty_hint")]
    return wrong


def wrong_cards(table: Table) -> list[Wrong]:
    seat, hand = table["turn"], table["hands"][table["turn"]]
    play, counted = {"move": "play", "seat": seat}, is_counted(table)
    where = {"slot": 0} if has_places(table) else {}
    if not hand:
        return [(play | where, "hanabi.no_cards")]
    gone, missing = known_pile(table), "W1" if table["options"]["edition"] == "es" else "K1"
    out = [f for f, copies in box(table["options"]).items() if copies - gone[f] - in_firework(table, f) == 0]
    wrong = [(play | where | {"card": face}, "hanabi.no_copy_left") for face in out]
    if missing not in box(table["options"]):
        wrong += [(play | where | {"card": missing}, "hanabi.no_such_card")]
    if table["tokens"] == table["options"]["hint_tokens"]:
        wrong += [({"move": "discard", "seat": seat, **where, "card": hand[0]["face"]}, "hanabi.all_tokens")] * 2
    if counted:
        unfit = (
            [] if table["options"]["endless"] else [card["face"] for card in hand if card["face"] not in fitting(table)]
        )
        wrong += [(play | {"card": face}, "hanabi.does_not_fit") for face in unfit if face not in out]
        return [*wrong, (play | {"slot": 0}, "hanabi.say_less")]
    if not has_places(table):
        return [*wrong, (play | {"slot": 0, "card": hand[0]["face"]}, "hanabi.say_less"), (play, "hanabi.say_all")]
    wrong += [(play | {"slot": len(hand), "card": hand[0]["face"]}, "hanabi.slot")]
    return [*wrong, (play, "hanabi.say_all"), (play | {"slot": 0}, "hanabi.say_all")]


def wrong_rewards(table: Table) -> list[Wrong]:
    reward = {"move": "reward", "seat": table["turn"]}
    wrong: list[Wrong] = [({"move": "play", "seat": table["turn"]}, "hanabi.reward_first")]
    gone = [tile for tile in EFFECTS if tile not in table["stack"]]
    wrong += [(reward | {"tile": tile}, "hanabi.tile_gone") for tile in gone]
    pile, fit = known_pile(table), fitting(table)
    absent = [face for face in box(table["options"]) if not pile[face]]
    certain = [face for face in pile if face in fit]
    if "T1" in table["stack"]:
        wrong += [(reward | {"tile": "T1", "card": "R1"}, "hanabi.tile_needs")]
        wrong += [(reward | {"tile": "T1", "as": "T6"}, "hanabi.instead")]
    if "T4" in table["stack"] and others_with_cards(table) and not is_counted(table):
        wrong += [(reward | {"tile": "T4"}, "hanabi.must_use")]
    if "T3" in table["stack"] and table["may_be_empty"] and others_with_cards(table) and not is_counted(table):
        wrong += [(reward | {"tile": "T3"}, "hanabi.must_use")]
    if "T5" in table["stack"]:
        if table["deck"]:
            wrong += [(reward | {"tile": "T5", "as": "T6", "card": "R1"}, "hanabi.instead")]
        if table["pile"] and not unnamed(table):
            wrong += [(reward | {"tile": "T5"}, "hanabi.must_use")]
        if not unnamed(table):
            wrong += [(reward | {"tile": "T5", "card": face}, "hanabi.not_discarded") for face in absent[:3]]
    if "T6" in table["stack"]:
        wrong += [(reward | {"tile": "T6"}, "hanabi.must_use") for _ in certain]
        wrong += [(reward | {"tile": "T6", "card": face}, "hanabi.does_not_fit") for face in pile if face not in fit]
    return wrong
