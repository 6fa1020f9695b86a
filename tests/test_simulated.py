"""Evenings simulated from seeds, with all that can go wrong on the way: the log is what was confirmed, and no view is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests import simulated
from tests.databases import Postgres

IN_THE_GATE = 40
"""Five times, in turn."""
FOUND = (16_327, 32_240, 90_154, 402_528)
"""That once showed something: a pause that was so already, and was entered by a copy when it was so no more; a tap that
was refused while a seat was another's, and was entered by a copy afterwards; one that was refused while a pawn was
elsewhere, and was entered by a copy when that was back; one whose refusal was lost, and which came again from the same
phone with the new secret of another seat."""
A_PART = 5_000
PARTS = 20
ON_POSTGRESQL = 1_000


def told(played: simulated.Played) -> str:
    forms = ", ".join(f"{count:,} × {name}" for name, count in played.deeds.most_common())
    return (
        f"{played.evenings:,} evenings, {played.taps:,} taps, {played.entries:,} entries ({played.sealed:,} of them sealed; "
        f"{forms}): 0 lost, 0 twice, 0 views wrong, {played.drawn:,} of them drawn alike by phone and server "
        f"({played.seconds / played.evenings:.2f} s of the server's processor each)"
    )


@pytest.mark.promise(31)
@pytest.mark.in_turn(of=3)
@pytest.mark.parametrize("part", range(5))
def test_whatever_the_network_and_the_server_do_the_log_is_what_was_confirmed(
    part: int, figure: Callable[[str], None]
) -> None:
    """Two hundred evenings in all."""
    played = simulated.play(range(part * IN_THE_GATE, (part + 1) * IN_THE_GATE))
    assert played.evenings == IN_THE_GATE
    figure(told(played))


def test_what_was_found_is_not_found_again() -> None:
    assert simulated.play(FOUND).evenings == len(FOUND)


@pytest.mark.long
@pytest.mark.promise(31)
def test_evenings_on_postgresql(postgres: Postgres, figure: Callable[[str], None]) -> None:
    """There it is no disk that fails but a connection, on whichever word."""
    played = simulated.play(range(ON_POSTGRESQL), postgres=postgres)
    assert played.evenings == ON_POSTGRESQL
    figure(told(played))


@pytest.mark.long
@pytest.mark.promise(31)
@pytest.mark.parametrize("part", range(PARTS), ids="part-{:02}".format)
def test_a_hundred_thousand_evenings(part: int, figure: Callable[[str], None]) -> None:
    """In parts of half an hour: `bin/test --long tests/test_simulated.py -k part-07` goes on where another run ended."""
    played = simulated.play(range(part * A_PART, (part + 1) * A_PART))
    assert played.evenings == A_PART
    figure(told(played))
