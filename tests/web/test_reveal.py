"""Promise 7: the reveal is one entry; and what a sealed bid is from then on."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO

import pytest
from pypdf import PdfReader

from companion import log, record
from companion.printing import Printer
from companion.tables import seating
from tests.web.conftest import House, Phone
from tests.web.page import Element

Lay = Callable[..., list[Phone]]
BIDS = (1, 9, 4, 0)


def entry(reader: Phone, number: int) -> Element:
    return reader.reads("/t/{code}/history").one("li", id=f"entry-{number}")


def newest(house: House) -> int:
    return int(house.rows("SELECT max(number) FROM entries")[0][0])


@pytest.mark.promise(7)
@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_all_bids_are_shown_under_one_number(table: Lay, house: House, bidding: str) -> None:
    players = table(bidding=bidding)
    ann, bo, *_others = players
    stream = bo.listens("/t/{code}/1/stream")
    parts = [stream.next()]
    for player, tricks in zip(players, BIDS, strict=True):
        assert player.taps("bid", tricks=tricks).status_code == 303
        parts.append(stream.next())
    if bidding == "secret":
        for player, tricks in zip(players, (2, 3, 3, 2), strict=True):
            assert player.taps("count", tricks=tricks).status_code == 303
            parts.append(stream.next())
    last = newest(house)
    assert [int(part["id"]) for part in parts] == list(range(last - len(parts) + 1, last + 1))
    for part in parts[:-1]:
        assert "had bid" not in part["data"]
    for name, tricks in zip(("Ann", "Bo", "Cy", "Di"), BIDS, strict=True):
        assert f"{name} had bid {tricks}." in entry(ann, last).text
        shown = rf"{name} had bid {tricks}\." if bidding == "hidden" else rf"{name}</bdi>.*?\bbid {tricks}\b"
        assert re.search(shown, parts[-1]["data"], re.DOTALL)
    for number in range(1, last):
        assert "had bid" not in entry(ann, number).text


@pytest.mark.promise(6, 7)
def test_taking_back_the_reveal_seals_the_bids_again(table: Lay, house: House) -> None:
    players = table(bidding="hidden")
    ann, *_others, di = players
    for player, tricks in zip(players, BIDS, strict=True):
        player.taps("bid", tricks=tricks)
    reveal = newest(house)
    before = [ann.reads(path).text for path in ("/t/{code}/0", "/t/{code}/screen")]
    assert di.takes_back().status_code == 303
    for reader in players:
        line = entry(reader, reveal)
        assert "Di has written down a bid." in line.text
        assert "had bid" not in reader.reads("/t/{code}/history").text
        assert "is-struck" in (line.attrs["class"] or "")
    assert di.puts_back().status_code == 303
    assert [ann.reads(path).text for path in ("/t/{code}/0", "/t/{code}/screen")] == before
    assert "Bo had bid 9." in entry(ann, reveal).text


@pytest.mark.promise(6, 7)
def test_the_record_tells_the_bids_from_the_reveal_on_and_not_before(table: Lay, house: House) -> None:
    players = table(bidding="hidden")
    lengths = []
    for player, tricks in zip(players, BIDS, strict=True):
        player.taps("bid", tricks=tricks)
        with house.app.app_context():
            found = seating.find_table(player.code)
            lengths.append(len(record.write(log.read(found).play, found.options, list("ABCD"))["moves"]))
    assert lengths == [0, 0, 0, 4]


@pytest.mark.promise(6)
def test_a_printed_sheet_has_no_sealed_bid_in_its_text(
    table: Lay, house: House, printer: Printer, tmp_path: object
) -> None:
    house.app.extensions["companion.printer"] = printer
    texts = []
    for tricks in (3, 10):
        players = table(bidding="secret")
        for player in players:
            player.taps("bid", tricks=tricks)
        text = printed(players[0].gets("/t/{code}/sheet.pdf").data)
        texts.append(text.replace(players[0].code, "CODE"))
    assert texts[0] == texts[1]
    assert "Ann" in texts[0]


def printed(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)
