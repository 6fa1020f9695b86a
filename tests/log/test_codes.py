"""What is a code, and what is none."""

import pytest

from companion.log.codes import is_code


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("K7QX2M0", True), ("K7QX2M", False), ("K7QX2M00", False), ("K7QX2MO", False), ("k7qx2m0", False), ("", False)],
)
def test_a_code_has_its_length_and_letters_that_nobody_mixes_up(text: str, is_one: bool) -> None:
    assert is_code(text, 7) is is_one
