"""Positions are copied as `dataclasses.replace` copies them."""

import dataclasses
from random import Random

import pytest
from hypothesis import given

from companion.kernel.frozen import replace
from companion.testing import kit
from companion.testing.kit import Table


@given(kit.tables(), kit.randoms())
def test_a_copy_is_the_one_that_dataclasses_makes(table: Table, rng: Random) -> None:
    before, after = (kit.played(table, rng, rng.randrange(40)).position for _ in range(2))
    for field in dataclasses.fields(before):
        change = {field.name: getattr(after, field.name)}
        copy = replace(before, **change)
        assert copy == dataclasses.replace(before, **change)
        assert type(copy) is type(before)
    assert replace(before) == before
    assert replace(before) is not before


def test_a_field_that_there_is_not_is_refused() -> None:
    position = Table(kit.GAMES["rage"], {}, 3).begin().position
    with pytest.raises(TypeError, match="no field tricks"):
        replace(position, tricks=3)
    assert replace(position, bids=(1, None, None)).bids == (1, None, None)
