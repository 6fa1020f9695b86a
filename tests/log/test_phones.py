"""What a phone has here, and what it has entered."""

from __future__ import annotations

from companion import log
from companion.log import groups
from tests.house import House, bid


def test_who_is_in_a_group_has_something_here_and_nobody_else_has(house: House) -> None:
    with house.app.app_context():
        groups.found("Friday", "ann")
        assert [log.has_anything(phone) for phone in ("ann", "bo")] == [True, False]


def test_entries_are_those_of_whose_keys_begin_so_sign_by_sign(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "a1c.one")
    with house.asks(code, "host") as asker:
        found = [log.has_entered(asker.table, sender) for sender in ("a1c.", "a_c.", "%", "b")]
    assert found == [True, False, False, False]
