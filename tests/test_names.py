"""Any name is safe everywhere: cleaned of what cannot be seen, short enough for every page and sheet, or refused."""

import unicodedata
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.errors import BadName, BadNote
from companion.log.names import MOST, ROOM, clean_name, clean_note
from companion.log.rows import Group, Seating, Table

BIDI = [chr(code) for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))]
UNSEEN = [
    *BIDI,
    *map(chr, (0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0x2061, 0x2064)),
    *map(chr, (0x206A, 0x206F, 0x2800, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0xE0001, 0xE0020, 0xE007F, 0x1D173)),
]
"""Letters, marks and formats that show nothing."""
BROKEN = [*map(chr, (0x00, 0x07, 0x08, 0x1B, 0x7F, 0x80, 0x85, 0x9B, 0xD800, 0xDFFF, 0xE000, 0xF8FF, 0xFFFE, 0xFFFF))]
"""Controls, halves of pairs, private and unassigned ones."""
SPACES = [*map(chr, (0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0xA0, 0x1680, 0x2003, 0x2007, 0x2028, 0x2029, 0x202F, 0x3000))]
MARKS = [*map(chr, (0x0300, 0x0301, 0x030C, 0x0315, 0x0321, 0x0334, 0x0345, 0x0488, 0x0489, 0x0E47, 0x20DD, 0xFE0F))]
MARKUP = [
    "<script>alert(1)</script>",
    "<img src=x onerror=a()>",
    "<svg onload=alert(1)>",
    "</title><script>x()",
    '"><script>x</script>',
    "' onfocus='x()' a='",
    "javascript:alert(1)",
    "{{ 7*7 }}",
    "{% raw %}",
    "{{config}}",
    "${7*7}",
    "%(name)s%s%n",
    "%00%0a",
    "&lt;b&gt;&#x202e;",
    "=1+1",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "../../etc/passwd",
    "C:\\con\\nul",
    "'; DROP TABLE seatings;--",
    "a\\b\"c'd`e",
    "http://example.com/x.png",
    "url(file:///etc/passwd)",
    "@import 'x'",
    "data:text/html,<b>",
    "NULL",
    "null",
    "undefined",
    "NaN",
    "0",
    "-1",
    "true",
    "[object Object]",
    "-->",
    "<!--",
    "<![CDATA[",
    "]]>",
    "?xml",
    "A; filename=x",
]
LETTERS = [
    "Žofie",
    "Ľubomír",
    "Łukasz",
    "Ñandú",
    "李小龍",
    "محمد",
    "שרה",
    "நிலா",
    "Ἀθηνᾶ",
    "👩‍👩‍👧",
    "🇨🇿",
    "ﷺ",
    "ﬃ",
    "Ⅷ",
]
HOSTILE = [
    *MARKUP,
    *LETTERS,
    *(f"A{thing}B" for thing in (*UNSEEN, *BROKEN, *SPACES)),
    *(thing * 5 for thing in (*UNSEEN, *BROKEN, *SPACES, *MARKS)),
    *("e" + mark * 50 for mark in MARKS),
    *(f"e{unseen}\u0301" for unseen in UNSEEN),
    *(start + "Anna" + end for start, end in product(BIDI, ["", "\u202c"])),
    "",
    " ",
    "A" * 24,
    "A" * 25,
    "A" * 10_000,
    "\u0301" * 10_000,
    "A\u0301" * 24,
    "A\u0301" * 25,
    "\U0001f600" * 24,
    "\ufdfa" * 24,
    "\u1100\u1161\u11a8" * 20,
]


def test_there_are_enough_hostile_names() -> None:
    assert len(set(HOSTILE)) >= 200


def is_harmless(name: str) -> bool:
    marks = [unicodedata.category(letter) in {"Mn", "Me"} for letter in name]
    return (
        1 <= len(name) <= MOST * 4
        and name == unicodedata.normalize("NFC", name)
        and name == " ".join(name.split())
        and all(letter == " " or unicodedata.category(letter)[0] not in "CZ" for letter in name)
        and not set(name) & set(UNSEEN)
        and any(unicodedata.category(letter)[0] in "LNPS" for letter in name)
        and not any(all(marks[place : place + 4]) for place in range(len(marks) - 3))
        and not marks[0]
        and bool(name.encode())
    )


@pytest.mark.promise(17)
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_name_is_cleaned_or_refused(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName:
        return
    assert is_harmless(name), ascii(name)
    assert clean_name(name) == name


@pytest.mark.promise(17)
@given(st.text() | st.text(st.sampled_from([*UNSEEN, *MARKS, *SPACES, "e", "A", "\u1100", "\u1161"]), max_size=40))
@example("e\u200d\u0301")
@example("\u0301 \u0301a")
def test_any_text_is_cleaned_or_refused(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName:
        return
    assert is_harmless(name), ascii(name)
    assert clean_name(name) == name


@pytest.mark.parametrize("name", [name for name in MARKUP if len(name) <= MOST])
def test_signs_of_other_languages_stay_as_they_were_typed(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Anna \t Maria\n", "Anna Maria"),
        ("Z\u030cofie", "Žofie"),
        ("Z\u200b\u030cofie", "Žofie"),
        ("\u202egnirts", "gnirts"),
        ("A" + "\u0300" * 50, "À\u0300\u0300\u0300"),
        ("A" * 24, "A" * 24),
        ("x\u0323" * 24, "x\u0323" * 24),
        ("李\u3000小龍", "李 小龍"),
        ("\u0301 \u0301a", "a"),
    ],
)
def test_a_name_is_stored_so(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    "text", ["", " \t\n", *UNSEEN, *BROKEN, *MARKS, "A" * 25, "A" * 10_000, "\u3164\u2800 \u115f"], ids=ascii
)
def test_a_name_that_shows_nothing_or_too_much_is_refused(text: str) -> None:
    with pytest.raises(BadName):
        clean_name(text)


def test_so_much_that_nobody_can_see_is_refused_unread() -> None:
    """Twenty signs for each that can be seen: enough for every script."""
    assert clean_name("A" + "\u200b" * (20 * MOST - 1)) == "A"
    with pytest.raises(BadName):
        clean_name("A" + "\u200b" * 20 * MOST)


def test_a_note_has_room_for_sixty_letters_and_may_be_empty() -> None:
    assert (clean_note("n" * 60), clean_note(" ")) == ("n" * 60, "")
    with pytest.raises(BadNote):
        clean_note("n" * 61)


@pytest.mark.parametrize("mark", ["\u0301", "\u302e", "\u1baa"], ids=ascii)
def test_no_mark_makes_a_name_longer_than_there_is_room_for(mark: str) -> None:
    assert clean_name("q" + mark * 400) == "q" + mark * 3
    assert len(clean_name(f"q{mark * 3}" * MOST)) <= ROOM


def test_a_note_that_the_database_has_no_room_for_is_refused() -> None:
    columns = (Table.location, Table.title, Group.name, Seating.name)
    assert {column.type.length for column in columns} == {ROOM}
    marked = "q\u0316\u0317\u0318"
    assert clean_note(marked * 50) == marked * 50
    with pytest.raises(BadNote):
        clean_note(marked * 51)
