"""A move can be followed through the code, from the page to the disk, by who reads it."""

import pytest

from tests.walk import FIRST, floor, layers, walk

POST = "companion.web.table", "move", "code"


@pytest.mark.parametrize(
    ("first", "modules"),
    [
        (FIRST, ["desk.talking", "tables.referee", "log.door", "log.together", "log.database"]),
        (POST, ["web.table", "tables.referee", "log.door", "log.together", "web.parts"]),
    ],
    ids=["over a line", "as a form"],
)
def test_a_walk_leads_by_the_referee_and_the_door_to_the_commit(
    first: tuple[str, str, str], modules: list[str]
) -> None:
    done = walk(*first)
    places = [done.stays.index(f"companion.{module}") for module in modules]
    assert places == sorted(places)
    assert all(floor(module, layers()) for module in done.stays)


def test_a_tap_can_be_followed_by_who_reads_the_code() -> None:
    done = walk(*FIRST)
    assert len(done.stays) <= 35
    assert done.rooms <= 12
