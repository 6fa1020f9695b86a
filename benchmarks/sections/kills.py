"""Killed under load: what phones had seen, and is not there after the server has come back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import count

from benchmarks import clients, servers
from benchmarks.clients import Table, Trial
from benchmarks.dealt import PHONES
from benchmarks.ground import Ground, say, table
from benchmarks.load import FLATFILE, NAMES, SPARE, Asked, matches, started
from benchmarks.machine import REST, on_cores
from benchmarks.paths import Path, Phones, Theirs
from benchmarks.servers import Running
from benchmarks.tables import Opened, Room

TABLES, KILLS = 50, 3
LOOK_S = 10.0
"""A table that cannot be shown after so long is lost as a whole."""
READ_S = 0.3
"""What was sent before the end may still arrive for so long."""

Serve = Callable[[], AbstractContextManager[Running]]
Ready = tuple[Serve, type[Path], Sequence[Opened]]


def section(ground: Ground) -> str:
    """Kill each server a few times."""
    rows = []
    kills = min(KILLS, ground.times)
    for name, ready in (("phones", _ours), (FLATFILE, _theirs)):
        played = moves = tables = gone = 0
        for _ in range(kills):
            moves_made, lost = _killed(ground, ready(ground))
            if lost is None:
                gone += 1
                continue
            played, moves, tables = played + moves_made, moves + sum(lost), tables + sum(1 for each in lost if each)
            say(f"  {NAMES[name]}: {sum(lost)} moves of {moves_made} lost")
        back = (kills - gone) * ground.some(TABLES)
        rows.append([NAMES[name], f"{gone} of {kills}", f"{played:,}", moves, f"{tables} of {back}"])
    head = ["server", "does not start again", "where it does: moves", "seen but lost", "tables that lost some"]
    return f"## Killed under load\n\n`kill -9` {kills} times, at 50 tables of all games.\n\n{table(head, rows)}"


def _ours(ground: Ground) -> Ready:
    house = servers.house(ground, "sqlite")
    opened = Room(house).open(started(ground, Asked(tables=ground.some(TABLES))))
    streams = 2 * PHONES * len(opened) + SPARE
    return lambda: servers.ours(house, streams), Phones, opened


def _theirs(ground: Ground) -> Ready:
    own = ground.fresh(FLATFILE)
    opened = matches(started(ground, Asked(tables=ground.some(TABLES))), count())
    return lambda: servers.theirs(ground, "flatfile", own, str(own / "flat")), Theirs, opened


def _killed(ground: Ground, ready: Ready) -> tuple[int, list[int] | None]:
    """Play, kill, and look again: how many moves there were, and how many each table lost of those seen.

    None for these where the server does not start again, or ends upon what it reads: then all are lost, or none, as
    soon as somebody mends its files by hand.
    """
    serve, path, opened = ready
    trial, again = Trial(), Trial()
    tables, after = ([Table(each, one, path) for one in opened] for each in (trial, again))
    with on_cores(REST):
        with ExitStack() as running:
            asyncio.run(_play_until_killed(ground, running.enter_context(serve()), trial, tables, running))
        try:
            with serve() as server:
                asyncio.run(_look(server, again, after))
        except AssertionError as problem:
            say(f"  it does not start again: {str(problem).strip()[-200:]}")
            return trial.moves, None
    lost = [
        max(0, max(was.seen) - max(*now.seen, one.number)) for was, now, one in zip(tables, after, opened, strict=True)
    ]
    return trial.moves, lost


async def _play_until_killed(
    ground: Ground, server: Running, trial: Trial, tables: Sequence[Table], running: ExitStack
) -> None:
    try:
        await clients.connect(tables, trial, server.port)
        clients.begin(tables)
        await _played_a_while(ground, tables, trial)
        running.close()  # which is a kill -9
        await asyncio.sleep(READ_S)
    finally:
        trial.close()


async def _played_a_while(ground: Ground, tables: Sequence[Table], trial: Trial) -> None:
    """Wait for a time, but not until games end: who is killed must have something to do."""
    give_up, left = time.monotonic() + ground.seconds / 2, sum(len(one.moves) - one.done for one in tables)
    while time.monotonic() < give_up and trial.moves < left / 2:
        await asyncio.sleep(0.01)


async def _look(server: Running, trial: Trial, tables: Sequence[Table]) -> None:
    """Show each table to its phones again; one that cannot be shown does not keep the others from it."""
    each = (asyncio.wait_for(one.connect(server.port), LOOK_S) for one in tables)
    await asyncio.gather(*each, return_exceptions=True)
    trial.close()
