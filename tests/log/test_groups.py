"""Groups: founded with a key, joined by whoever has it, left, and nobody else's."""

from __future__ import annotations

import pytest

from companion import log
from companion.errors import BadNote, NoSuchGroup, NotSaved, NotThere
from companion.log import groups
from companion.log.rows import Group, db
from tests.house import House

pytestmark = pytest.mark.on_both


def test_a_group_has_a_name_if_only_of_one_letter(house: House) -> None:
    with house.app.app_context():
        assert groups.found("Z", "ann").name == "Z"
        with pytest.raises(BadNote):
            groups.found(" ", "ann")


def test_a_group_is_found_by_its_key_however_it_is_typed(house: House) -> None:
    with house.app.app_context():
        one, other = groups.found("One", "ann"), groups.found("Other", "ann")
        assert groups.with_key(f" {one.key[:6].lower()}-{one.key[6:]}").id == one.id
        assert groups.with_key(other.key).id == other.id
        for key in ("", "0", one.key[:-1], one.key + "0"):
            with pytest.raises(NoSuchGroup):
                groups.with_key(key)


def test_a_key_that_an_older_release_has_made_lets_in(house: House) -> None:
    """They are written down; and those of today are as long."""
    with house.app.app_context():
        db.session.add(Group(key="K7QX2M00ABCD", name="Friday", made=log.now()))
        db.session.commit()
        assert groups.with_key("k7qx-2m00-abcd").name == "Friday"
        assert len(groups.found("Sunday", "ann").key) == len("K7QX2M00ABCD")


def test_a_phone_finds_its_own_groups_alone(house: House) -> None:
    with house.app.app_context():
        later, first = groups.found("B", "ann"), groups.found("a", "ann")
        foreign = groups.found("C", "bo")
        assert [group.id for group in groups.groups_of("ann")] == [first.id, later.id]
        assert groups.group_of("ann", later.id).id == later.id
        for number in (foreign.id, 99):
            with pytest.raises(NotThere):
                groups.group_of("ann", number)


def test_phones_are_counted_group_by_group(house: House) -> None:
    with house.app.app_context():
        small, large = groups.found("Small", "ann"), groups.found("Large", "ann")
        for phone in ("bo", "cy", "cy"):
            groups.join(large, phone)
        assert (groups.phones(small), groups.phones(large)) == (1, 3)
        groups.leave(small, "ann")
        assert (groups.phones(small), groups.phones(large)) == (0, 3)


def test_a_key_that_was_changed_lets_nobody_in(house: House) -> None:
    with house.app.app_context():
        group = groups.found("One", "ann")
        before = group.key
        groups.change_key(group)
        assert groups.with_key(group.key).id == group.id
        with pytest.raises(NoSuchGroup):
            groups.with_key(before)


def test_where_every_key_is_taken_no_group_is_founded(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with house.app.app_context():
        key = groups.found("One", "ann").key
        monkeypatch.setattr(groups, "fresh_code", lambda length: key)
        with pytest.raises(NotSaved):
            groups.found("Two", "ann")
