"""A move can be followed through the code, from the page to the disk, by who reads it."""

from tests.walk import floor, layers, walk


def test_a_walk_leads_from_the_page_by_the_referee_and_the_door_to_the_commit() -> None:
    done = walk()
    rooms = ["web.table", "tables.referee", "log.door", "log.together", "web.parts"]
    places = [done.stays.index(f"companion.{room}") for room in rooms]
    assert places == sorted(places)
    assert done.returns == len(done.stays) - done.rooms
    assert all(floor(room, layers()) for room in done.stays)
