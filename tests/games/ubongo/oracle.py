"""A second opinion on Ubongo: plays random evenings with real gems and a clock, and says how they must end.

Written from the rules pages and `docs/record.md` alone, in dicts and lists; it knows nothing of the project's own
rules. Where those pages leave a choice, `READINGS` says how it was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any

COLOURS = ["green", "red", "blue", "purple", "brown", "yellow"]
STEPS = [3, 2, 1, 0]
EVENING = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)
READINGS = """
* A round is over when the time is up, or before that when every seat has called and taken, be it nothing.
* After such an early end the glass may still be seen to run out, once, before the next roll; nothing changes.
* Before the roll `symbol` is null and `glass` 1; when the game is over both stay as they were, as does `finished`.
* A call, a pawn or a take is too late when its time lies after the end of the glass, not at it. A glass turned by a
  move without a time has no end. Time that is up before that end, by a time of its own, is remarked upon; seconds that
  are begun count whole.
* Between two rounds a call, a pawn or a take is too late, with and without a time, if the time was up; after a round
  that was over before that, and for a false call, the next roll is awaited. After the last round the game is over,
  but what was too late after any other round is so after the last, too.
* Hands that were in time are never too late, if the seat had called: until the next roll or, after the last round, for
  good. A count closes all that. What hands that were late did with a pawn or with gems is too late at any time.
* Before the first roll a pawn is put on any row, as often as one likes, whatever is said of hands.
* A call can be void until its gems are taken; the pawn goes back to where it stood at the call.
* A pawn is placed once a round, even where it stays, and only before taking.
* Of a row with two gems or more two are taken, no single one; the order in which they are named does not matter.
* Without a known board gems must be named, unless the row is empty; with one, they may be.
* `count` overrules what was taken, within 12 of each colour, and within two gems a seat for each round of the whole game;
  the rows stay as they were. Where gems were taken, and are others, it is remarked upon; where none were, it is not.
* The score is the largest count.
"""

Table = dict[str, Any]
Move = dict[str, Any]
Wrong = tuple[Move, str]


def new_table(rng: Random) -> Table:
    players = rng.randint(2, 4)
    gems = COLOURS * 12
    rng.shuffle(gems)
    board = [gems[12 * row : 12 * row + 12] for row in range(6)]
    options = {
        "side": rng.choice([3, 4]),
        "long_game": rng.random() < 0.5,
        "glass_s": rng.choice([60, 60, 30, 90, 1, 600]),
        "first_seat": rng.randrange(players),
        "pawns": [rng.randrange(6) if rng.random() < 0.7 else 0 for _ in range(players)],
        "tie": "shared",
    }
    return {
        "rng": rng,
        "players": players,
        "options": options | ({"board": board} if rng.random() < 0.5 else {}),
        "board": [list(row) for row in board],
        "pawns": list(options["pawns"]),
        "gems": [dict.fromkeys(COLOURS, 0) for _ in range(players)],
        "rounds": {2: 18, 3: 12, 4: 9}[players] if options["long_game"] else 9,
        "timed": rng.choice([0.0, 0.5, 1.0, 1.0]),
        "pace": rng.choice([0.5, 1, 3]),
        "counts": rng.random() < 0.2,
        "ms": rng.randrange(10**7),
        "number": 0,
        "finished": False,
        "counted": False,
        "overtaken": False,
        "before": None,
        "remarks": [],
        **new_round(1),
    }


def new_round(number: int) -> Table:
    return {
        "round": number,
        "symbol": None,
        "glass": 1,
        "end": None,
        "order": [],
        "home": {},
        "placed": set(),
        "taken": set(),
        "sand": False,
    }


def written_options(table: Table) -> dict[str, Any]:
    defaults = {"side": 3, "long_game": False, "glass_s": 60, "first_seat": 0, "tie": "shared"}
    defaults["pawns"] = [0] * table["players"]
    options, rng = table["options"], table["rng"]
    return {name: value for name, value in options.items() if value != defaults.get(name) or rng.random() < 0.3}


def written_time(table: Table, ms: int) -> str:
    moment = EVENING + timedelta(milliseconds=ms)
    text = moment.isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z") if table["rng"].random() < 0.5 else text


def evening(table: Table) -> Iterator[Move]:
    """Play to the end; every move is handed out when the table's account of it is up to date."""
    while not table["finished"] or (asked(table) and table["rng"].random() < 0.8):
        table["ms"] += table["rng"].randrange(20_000)
        move = table["rng"].choice(choices(table))
        if table["rng"].random() < table["timed"]:
            move["at"] = written_time(table, table["ms"])
            move |= {"by": "host"} if table["rng"].random() < 0.3 else {}
        if not is_late(table, move):
            happen(table, move)
            yield move


def is_late(table: Table, move: Move) -> bool:
    is_bound = move["move"] in ("take", "ubongo", "place") and "in_time" not in move and not is_first(table)
    return is_bound and "at" in move and table["end"] is not None and table["ms"] > table["end"]


def choices(table: Table) -> list[Move]:
    """List what the table may do next, likely things more often."""
    rng, seats = table["rng"], range(table["players"])
    if table["counts"] and not table["finished"] and rng.random() < 0.02:
        return [count(table)]
    answers = [move for seat in asked(table) for move in late_choices(table, seat)]
    if table["finished"]:
        return answers
    if table["symbol"] is None:
        late = [{"move": "time_up"}] if table["sand"] else []
        pawns = [{"move": "place", "seat": seat, "row": rng.randrange(6)} for seat in seats] if is_first(table) else []
        return [*late, *pawns, *answers, {"move": "roll", "symbol": rng.randint(1, 6)}]
    waiting = [seat for seat in table["order"] if seat not in table["taken"]]
    moves = [{"move": "ubongo", "seat": seat} for seat in seats if seat not in table["order"]]
    for seat in waiting:
        moves += [take(table, seat)] * 2
        if rng.random() < 0.1:
            moves += late_choices(table, seat)
        if rng.random() < 0.1:
            moves.append({"move": "void", "seat": seat})
        if seat not in table["placed"]:
            moves += [{"move": "place", "seat": seat, "row": row} for row in reachable(table, seat)]
    is_due = rng.random() < 0.1 * table["pace"] or (table["end"] is not None and table["ms"] > table["end"])
    return moves * (not is_due or rng.random() < 0.5) + [{"move": "time_up"}] * is_due or [{"move": "time_up"}]


def is_first(table: Table) -> bool:
    """Say whether pawns are still put where they start."""
    return table["round"] == 1 and table["symbol"] is None and not table["finished"]


def account(table: Table) -> Table:
    """Find the round that a seat's hands belong to: this one, or the one before until the next roll."""
    is_before = table["symbol"] is None and table["before"] and not table["finished"]
    return table["before"] if is_before else table


def asked(table: Table) -> list[int]:
    """List the seats that called in time, in their order, and have not said what their hands did when time was up."""
    if table["counted"] or not table["overtaken"] or not (table["finished"] or table["symbol"] is None):
        return []
    told = account(table)
    return [seat for seat in told["order"] if seat not in told["taken"]]


def late_choices(table: Table, seat: int) -> list[Move]:
    """List what a seat may tell of its hands."""
    told = account(table)
    rows = [] if seat in told["placed"] else reachable(table, seat)
    places = [{"move": "place", "seat": seat, "row": row, "in_time": True} for row in rows]
    return [*places, take(table, seat) | {"in_time": True}, {"move": "take", "seat": seat, "in_time": False}]


def reachable(table: Table, seat: int) -> list[int]:
    steps = STEPS[account(table)["order"].index(seat)]
    return [row for row in range(6) if abs(row - table["pawns"][seat]) <= steps]


def front(table: Table, seat: int) -> list[str]:
    gems: list[str] = table["board"][table["pawns"][seat]][:2]
    return gems


def take(table: Table, seat: int) -> Move:
    gems, rng = front(table, seat), table["rng"]
    is_needed = bool(gems) and "board" not in table["options"]
    named = {"gems": rng.sample(gems, len(gems))} if is_needed or rng.random() < 0.4 else {}
    return {"move": "take", "seat": seat, **named}


def count(table: Table) -> Move:
    """Count what everyone has; or, at a table that wrote nothing down, anything that the box allows."""
    rng = table["rng"]
    gems = [[had[colour] for colour in COLOURS] for had in table["gems"]]
    if rng.random() < 0.7:
        gems = [[0] * 6 for _ in gems]
        for colour in range(6):
            for _ in range(rng.randint(0, 12)):
                gems[rng.randrange(table["players"])][colour] += 1
        for had in gems:
            while sum(had) > 2 * table["rounds"]:
                had[had.index(max(had))] -= 1
    if rng.random() < 0.3:
        gems[-1] = sorted(gems[0], key=lambda _: rng.random())
        if any(sum(column) > 12 for column in zip(*gems, strict=True)):
            gems = [[1, 0, 2, 0, 0, 3] for _ in gems]
    return {"move": "count", "gems": gems}


def happen(table: Table, move: Move) -> None:
    """Bring the account up to date."""
    table["number"] += 1
    match move["move"]:
        case "roll":
            table |= {"symbol": move["symbol"], "sand": False, "before": None, "overtaken": False}
            turn_glass(table, move)
        case "ubongo":
            table["order"].append(move["seat"])
            table["home"][move["seat"]] = table["pawns"][move["seat"]]
        case "void":
            table["order"].remove(move["seat"])
            table["placed"].discard(move["seat"])
            table["pawns"][move["seat"]] = table["home"][move["seat"]]
        case "place":
            table["pawns"][move["seat"]] = move["row"]
            if not is_first(table):
                account(table)["placed"].add(move["seat"])
        case "take":
            got(table, move["seat"], move.get("in_time", True))
        case "time_up":
            time_is_up(table, move)
        case "count":
            remark_on(table, move["gems"])
            table["gems"] = [dict(zip(COLOURS, counts, strict=True)) for counts in move["gems"]]
            table |= {"finished": True, "counted": True}


def remark_on(table: Table, gems: list[list[int]]) -> None:
    """Say which colours were recorded otherwise, where any gem was."""
    others = []
    for seat, (had, counts) in enumerate(zip(table["gems"], gems, strict=True)):
        known = [f"{colour} {had[colour]}" for colour, told in zip(COLOURS, counts, strict=True) if told != had[colour]]
        if known:
            others.append(f"Player {seat} ({listed(known) if any(had.values()) else 'nothing'})")
    if others and any(sum(had.values()) for had in table["gems"]):
        text = f"While you played, other gems were recorded: {listed(others)}. The count holds."
        table["remarks"].append({"number": table["number"], "rule": "ubongo.count_differs", "text": text})


def listed(words: list[str]) -> str:
    """Say some words as English lists them."""
    return ", ".join(words[:-1]) + ("," * (len(words) > 2) + " and ") * (len(words) > 1) + words[-1]


def turn_glass(table: Table, move: Move) -> None:
    table["end"] = table["ms"] + 1000 * table["options"]["glass_s"] if "at" in move else None


def got(table: Table, seat: int, is_in_time: bool) -> None:
    if is_in_time:
        for gem in front(table, seat):
            table["gems"][seat][gem] += 1
        del table["board"][table["pawns"][seat]][:2]
    account(table)["taken"].add(seat)
    if not table["finished"] and len(table["taken"]) == table["players"]:
        end_round(table)
        table["sand"] = not table["finished"]


def time_is_up(table: Table, move: Move) -> None:
    if table["symbol"] is not None and "at" in move and table["end"] is not None and table["ms"] < table["end"]:
        seconds = (table["end"] - table["ms"] + 999) // 1000
        unit = "second" if seconds == 1 else "seconds"
        text = (
            f"By the clock the sand had still {seconds} {unit} to run: if nobody has seen it run out, take that back."
        )
        table["remarks"].append({"number": table["number"], "rule": "ubongo.early", "text": text})
    if table["symbol"] is None:
        table["sand"] = False
    elif not table["order"] and table["glass"] == 1:
        table["glass"] = 2
        turn_glass(table, move)
    else:
        end_round(table)
        table["overtaken"] = True


def end_round(table: Table) -> None:
    if table["round"] == table["rounds"]:
        table["finished"] = True
    else:
        before = {name: table[name] for name in ("order", "placed", "taken")}
        table |= new_round(table["round"] + 1) | {"before": before}


def summary(table: Table) -> dict[str, Any]:
    """Say the position as `docs/record.md` has it."""
    said = {name: table[name] for name in ("round", "rounds", "symbol", "glass", "pawns", "gems")}
    return said | {"finished": table["order"], "rows": [len(row) for row in table["board"]]}


def standing(table: Table, names: list[str]) -> list[dict[str, Any]]:
    """Rank the seats by their largest count, then the second largest, and so on."""
    merits = [sorted(had.values(), reverse=True) for had in table["gems"]]
    places = [
        {
            "seat": seat,
            "name": names[seat],
            "rank": 1 + sum(other > merit for other in merits),
            "score": merit[0],
            "tiebreak": merit,
        }
        for seat, merit in enumerate(merits)
    ]
    return sorted(places, key=lambda place: (place["rank"], place["seat"]))


def evening_and_end(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Make a record, whole or cut short or with a wrong move at its end, and the outcome that it must have."""
    rng = Random(seed)
    table = new_table(rng)
    names = [f"Player {seat}" for seat in range(table["players"])]
    until = rng.choice([None, rng.randint(0, 20), rng.randint(0, 60), rng.randint(0, 120)])
    moves = list(evening(table) if until is None else islice(evening(table), until))
    wrong = rng.choice(wrong_moves(table) or [None]) if rng.random() < 0.6 else None
    record = {
        "format": "companion-record",
        "version": 1,
        "game": "ubongo",
        "options": written_options(table),
        "players": names,
        "moves": [*moves, *([wrong[0]] if wrong else [])],
    }
    expected = {
        "game": "ubongo",
        "legal": wrong is None,
        "moves": len(moves),
        "finished": table["finished"],
        "refused": {"number": len(moves) + 1, "move": wrong[0], "rule": wrong[1]} if wrong else None,
        "remarks": table["remarks"],
        "standing": standing(table, names),
        "summary": summary(table),
    }
    return record, expected


def wrong_moves(table: Table) -> list[Wrong]:
    """List moves that break one rule each, with the rule."""
    counts = wrong_counts(table)
    about_seats = [{"move": kind, "seat": 0} for kind in ("ubongo", "void", "take")]
    about_seats.append({"move": "place", "seat": 0, "row": 0})
    if table["finished"]:
        late = [*about_seats[:1], *about_seats[2:]] if table["overtaken"] and not table["counted"] else []
        moves = [move for move in about_seats if move not in late]
        moves += [{"move": "roll", "symbol": 1}, {"move": "time_up"}, *(move for move, _ in counts)]
        wrong: list[Wrong] = [(move, "ubongo.game_over") for move in moves]
        return [*wrong, *((move, "ubongo.too_late") for move in late), *wrong_answers(table)]
    if table["symbol"] is not None:
        wrong = [({"move": "roll", "symbol": symbol}, "ubongo.round_open") for symbol in (1, 6)]
        return wrong + [one for seat in range(table["players"]) for one in wrong_of(table, seat)] + counts[:1]
    between = "ubongo.too_late" if table["overtaken"] else "ubongo.roll_first"
    wrong = [(move, "ubongo.roll_first" if move["move"] == "void" else between) for move in about_seats]
    if is_first(table):
        wrong = wrong[:-1] + [({"move": "place", "seat": 0, "row": row}, "ubongo.pawns") for row in (-1, 6)] * 3
    if table["overtaken"]:
        at = written_time(table, table["ms"])
        wrong += [(move | {"at": at}, between) for move in about_seats if move["move"] != "void"]
    if not table["sand"]:
        wrong += [({"move": "time_up"}, "ubongo.roll_first")] * 2
    wrong += wrong_answers(table)
    return wrong + [({"move": "roll", "symbol": symbol}, "ubongo.symbol") for symbol in (0, 7, -1)] + counts


def wrong_answers(table: Table) -> list[Wrong]:
    """List what hands cannot have done, when time was up."""
    told, wrong = account(table), []
    if not table["overtaken"] or table["counted"]:
        return []
    for seat in range(table["players"]):
        plain, stay = {"move": "take", "seat": seat}, {"move": "place", "seat": seat, "row": table["pawns"][seat]}
        wrong.append((stay | {"in_time": False}, "ubongo.too_late"))
        if seat not in told["order"]:
            wrong += [(move | {"in_time": True}, "ubongo.too_late") for move in (plain, stay)]
        elif seat in told["taken"]:
            wrong[-1:] = [(plain | {"in_time": said}, "ubongo.taken_already") for said in (True, False)]
            wrong.append((stay | {"in_time": True}, "ubongo.move_before_taking"))
        else:
            wrong.append((plain | {"gems": ["red"], "in_time": False}, "ubongo.too_late"))
            wrong += [(move | {"in_time": True}, rule) for move, rule in wrong_gems(table, seat, plain)]
            if seat in told["placed"]:
                wrong[-1:] = [(stay | {"in_time": said}, "ubongo.one_move") for said in (True, False)]
                wrong = [one for one in wrong if one != (stay | {"in_time": False}, "ubongo.too_late")]
            else:
                far = [row for row in range(-2, 9) if row not in reachable(table, seat)]
                wrong += [(stay | {"row": row, "in_time": True}, "ubongo.pawn_reach") for row in far]
    return wrong


def wrong_counts(table: Table) -> list[Wrong]:
    nothing = [[0] * 6 for _ in range(table["players"] - 1)]
    one = [[0, 0, 1, 0, 0, 0], *nothing[1:]]
    many = 2 * table["rounds"] + 1
    too_many = [min(12, max(0, many - 12 * colour)) for colour in range(6)]
    return [
        ({"move": "count", "gems": [*nothing, too_many]}, "ubongo.count"),
        ({"move": "count", "gems": [[0, 0, 12, 0, 0, 0], *one]}, "ubongo.twelve_of_a_colour"),
        ({"move": "count", "gems": [[0, 0, 13, 0, 0, 0], *nothing]}, "ubongo.count_range"),
        ({"move": "count", "gems": [*nothing, [0, 0, 0, 0, 0, -1]]}, "ubongo.count_range"),
    ]


def wrong_of(table: Table, seat: int) -> list[Wrong]:
    """List what a seat may not do while the sand runs."""
    here = table["pawns"][seat]
    call, void = ({"move": kind, "seat": seat} for kind in ("ubongo", "void"))
    plain, stay = {"move": "take", "seat": seat}, {"move": "place", "seat": seat, "row": here}
    late = written_time(table, table["end"] + 1) if table["end"] is not None else None
    if seat not in table["order"]:
        wrong = [(move, "ubongo.not_called") for move in (void, plain, stay)]
        return wrong + ([(call | {"at": late}, "ubongo.too_late")] * 4 if late else [])
    wrong = [(call, "ubongo.called_already")]
    if seat in table["taken"]:
        wrong += [(void, "ubongo.call_stands"), (stay, "ubongo.move_before_taking")]
        return [*wrong, (plain, "ubongo.taken_already")]
    if seat in table["placed"]:
        wrong.append((stay, "ubongo.one_move"))
    else:
        far = [row for row in range(-2, 9) if row not in reachable(table, seat)]
        wrong += [(stay | {"row": row}, "ubongo.pawn_reach") for row in far]
        wrong += [(stay | {"at": late}, "ubongo.too_late")] * 4 if late else []
    if late:
        wrong += [(take(table, seat) | {"at": late}, "ubongo.too_late")] * 4
    return wrong + wrong_gems(table, seat, plain)


def wrong_gems(table: Table, seat: int, plain: Move) -> list[Wrong]:
    gems = front(table, seat)
    wrong = [(plain | {"gems": [*gems, "red"]}, "ubongo.front_two")]
    if not gems:
        return wrong
    wrong += [(plain | {"gems": gems[1:]}, "ubongo.front_two"), (plain | {"gems": []}, "ubongo.front_two")]
    if "board" in table["options"]:
        other = next(colour for colour in COLOURS if colour not in gems)
        return [*wrong, (plain | {"gems": [*gems[1:], other]}, "ubongo.front_colours")]
    wrong.append((plain, "ubongo.name_gems"))
    had = {colour: sum(gems[colour] for gems in table["gems"]) for colour in COLOURS}
    gone = [colour for colour in COLOURS if had[colour] + len(gems) > 12]
    return wrong + [(plain | {"gems": [colour] * len(gems)}, "ubongo.twelve_of_a_colour") for colour in gone]
