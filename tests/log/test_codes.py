"""What is a code, and what is none."""

import pytest

from companion.log.codes import invited_to, is_code


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("K7QX2M0", True), ("K7QX2M", False), ("K7QX2M00", False), ("K7QX2MO", False), ("k7qx2m0", False), ("", False)],
)
def test_a_code_has_its_length_and_letters_that_nobody_mixes_up(text: str, is_one: bool) -> None:
    assert is_code(text, 7) is is_one


@pytest.mark.parametrize("text", ["", "K7QX2M", "K7QX2M-0123456789AB", "K7QX2M-0123456789ABCD", "K7QX2M-0123456789AB!"])
def test_what_is_no_code_with_an_invitation_invites_nobody(text: str) -> None:
    assert invited_to(text) == ("", "")
