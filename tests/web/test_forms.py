"""A form of a line is read as one that is posted."""

from urllib.parse import parse_qs

from hypothesis import given
from hypothesis import strategies as st

from companion.web.forms import form_of


@given(st.text("a1=&-;%2B+ž\x00", max_size=20))
def test_a_form_is_read_as_the_library_reads_it(text: str) -> None:
    assert form_of(text) == parse_qs(text, keep_blank_values=True)
