"""Killed under load: what phones had seen, and is not there after the server has come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack

from benchmarks import clients, servers
from benchmarks.clients import Loop, OurSockets, TheirTable, Trial
from benchmarks.ground import Ground, say, table
from benchmarks.load import FLATFILE, NAMES, SPARE
from benchmarks.machine import REST, on_cores
from benchmarks.servers import Running
from benchmarks.tables import PHONES, open_tables

TABLES, KILLS = 50, 3
LOOK_S = 30.0
"""A table that cannot be shown after so long is lost as a whole."""
READ_S = 0.3
"""What was sent before the end may still arrive for so long."""

Serve = Callable[[], AbstractContextManager[Running]]
Sit = Callable[[Trial], Sequence[Loop]]


def section(ground: Ground) -> str:
    """Kill each server a few times."""
    rows = []
    kills = min(KILLS, ground.times)
    for name, ready in (("sqlite", _ours), (FLATFILE, _theirs)):
        played = moves = tables = gone = 0
        for _ in range(kills):
            count, lost = _killed(ground, *ready(ground))
            if lost is None:
                gone += 1
                continue
            played, moves, tables = played + count, moves + sum(lost), tables + sum(1 for each in lost if each)
            say(f"  {NAMES[name]}: {sum(lost)} moves of {count} lost")
        back = (kills - gone) * ground.some(TABLES)
        rows.append([NAMES[name], f"{gone} of {kills}", f"{played:,}", moves, f"{tables} of {back}"])
    head = ["server", "does not start again", "where it does: moves", "seen but lost", "tables that lost some"]
    return f"## Killed under load\n\n`kill -9` {kills} times, at 50 tables.\n\n{table(head, rows)}"


def _ours(ground: Ground) -> tuple[Serve, Sit]:
    house = servers.house(ground, "sqlite")
    opened = open_tables(house, ground.some(TABLES))
    streams = 2 * PHONES * len(opened) + SPARE
    return lambda: servers.ours(house, streams), lambda trial: [OurSockets(trial, one) for one in opened]


def _theirs(ground: Ground) -> tuple[Serve, Sit]:
    own, matches = ground.fresh(FLATFILE), range(ground.some(TABLES))
    return (
        lambda: servers.theirs("flatfile", own, str(own / "flat")),
        lambda trial: [TheirTable(trial, f"match{number}") for number in matches],
    )


def _killed(ground: Ground, serve: Serve, sit: Sit) -> tuple[int, list[int] | None]:
    """Play, kill, and look again: how many moves there were, and how many each table lost of those seen.

    None for these where the server does not start again: then all are lost, or none, as soon as somebody mends its
    files by hand.
    """
    trial, again = Trial(), Trial()
    tables, after = sit(trial), sit(again)
    with on_cores(REST):
        with ExitStack() as running:
            asyncio.run(_play_until_killed(ground, running.enter_context(serve()), trial, tables, running))
        try:
            with serve() as server:
                asyncio.run(_look(server, again, after))
        except AssertionError as problem:
            say(f"  it does not start again: {str(problem).strip()[-200:]}")
            return sum(each.moves for each in tables), None
    lost = [max(0, max(was.seen) - max(*now.seen, now.first)) for was, now in zip(tables, after, strict=True)]
    return sum(each.moves for each in tables), lost


async def _play_until_killed(
    ground: Ground, server: Running, trial: Trial, tables: Sequence[Loop], running: ExitStack
) -> None:
    try:
        await clients.connect(tables, trial, server.port)
        clients.begin(tables)
        await asyncio.sleep(ground.seconds / 2)
        running.close()  # which is a kill -9
        await asyncio.sleep(READ_S)
    finally:
        trial.close()


async def _look(server: Running, trial: Trial, tables: Sequence[Loop]) -> None:
    """Show each table to its phones again; one that cannot be shown does not keep the others from it."""
    each = (asyncio.wait_for(one.connect(server.port), LOOK_S) for one in tables)
    await asyncio.gather(*each, return_exceptions=True)
    trial.close()
