"""A play looked at again, move by move: what everybody saw, and what a seat saw, no more than they could know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion import record
from companion.games import GAMES
from companion.tables import opening
from tests.house import a_round, bid, tally
from tests.web.conftest import House, Phone
from tests.web.page import Page
from tests.web.test_book import NAMES, known, lay, written

MakePhone = Callable[..., Phone]


def step(phone: Phone, at: int | str = "", seat: int | str = "") -> Page:
    return phone.reads(f"/t/{{code}}/steps?at={at}&seat={seat}")


@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_a_play_can_be_looked_at_with_everybodys_eyes(
    house: House, phone: MakePhone, game: str
) -> None:
    host = known(phone())
    data = written(game)
    host.code = lay(house, host, data)
    count = len(data["moves"])
    for at in {0, 1, count // 2, count - 1, count}:
        for seat in ("", 0, 1, 2):
            page = step(host, at, seat)
            assert (f"Move {at} of {count}" if at else "Before the first move") in page.one("p", class_="h2").text
            there = [link for link in page.links if "/steps?" in link]
            assert (f"/t/{host.code}/steps?at={at + 1}" in "".join(there)) == (at < count)
            # Everything that could be tapped lies in a field that is closed.
            for element in page.all("button"):
                assert "fieldset" in element.inside
    assert page.one("fieldset", class_="then").attrs.get("disabled", "-") is None


def test_the_last_moment_comes_first_and_there_is_none_beyond(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=NAMES, i_sit="")
    assert "Before the first move" in step(host).text
    for seat in range(3):
        assert host.taps("bid", seat=seat, tricks=1).status_code == 303
    assert "Move 3 of 3" in step(host).text
    assert "Bo bids 1" in step(host, 2).text
    for path in ("at=4", "at=-1", "seat=3", "seat=-1"):
        assert host.gets(f"/t/{{code}}/steps?{path}").status_code == 404


def test_who_looks_on_beyond_what_was_taken_back_meanwhile_is_led_to_the_last_moment(phone: MakePhone) -> None:
    """It was said that there is nothing at this address."""
    host = phone()
    host.opens(names=NAMES, i_sit="")
    for seat in range(3):
        assert host.taps("bid", seat=seat, tricks=1).status_code == 303
    onward = next(link for link in step(host, 2, 1).links if "at=3" in link)
    for _ in range(2):
        assert host.posts("/t/{code}/take-back?seat=0").status_code == 303
    answer = host.gets(onward)
    assert answer.status_code == 302
    assert "Move 1 of 1" in host.reads(answer.location).text
    assert "seat=1" in answer.location
    assert host.gets("/t/{code}/steps?at=3&seat=9", follow_redirects=True).status_code == 404


def test_what_was_taken_back_is_no_step(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=NAMES, i_sit="")
    host.taps("bid", seat=0, tricks=1)
    host.takes_back()
    host.taps("bid", seat=0, tricks=2)
    assert "Žofie bids 2" in step(host).text
    assert "Move 1 of 1" in step(host).text


def test_until_the_end_a_phone_looks_back_with_its_own_eyes_and_then_with_all(house: House, phone: MakePhone) -> None:
    host, guest, stranger = phone(), phone(), phone()
    host.opens(names=["Ann", "", "Cy"], i_sit="0")
    guest.code = stranger.code = host.code
    guest.sits(1, "Bo")
    assert [guest.gets(f"/t/{{code}}/steps?seat={seat}").status_code for seat in range(3)] == [403, 200, 403]
    assert [host.gets(f"/t/{{code}}/steps?seat={seat}").status_code for seat in range(3)] == [200, 403, 200]
    assert stranger.gets("/t/{code}/steps").status_code == 200
    for number in range(1, 11):
        for move in a_round(number, 3):
            who, seat = (guest, 1) if move.get("seat") == 1 else (host, 0)
            fields = {name: value for name, value in move.items() if name != "move"}
            for name in ("tricks", "plus", "minus"):
                if isinstance(fields.get(name), list):
                    fields |= {f"{name}-{place}": value for place, value in enumerate(fields.pop(name))}
            form = {"move": move["move"], **{name: str(value) for name, value in fields.items()}}
            assert who.posts(f"/t/{{code}}/{seat}/move", form).status_code == 303
    assert [stranger.gets(f"/t/{{code}}/steps?at=2&seat={seat}").status_code for seat in range(3)] == [200] * 3


@pytest.mark.promise(6)
@pytest.mark.parametrize("bidding", ["hidden", "secret"])
def test_no_step_shows_a_bid_before_its_reveal_nor_after_the_end_before_that_moment(
    house: House, phone: MakePhone, bidding: str
) -> None:
    """The page and the API, of every seat at every step, for two plays that differ in the bids of the last round."""
    seen = []
    for bids in ((0, 0, 0), (1, 0, 1)):
        host = known(phone())
        moves = [move for number in range(1, 10) for move in a_round(number, 3)]
        last = [*(bid(seat, bids[seat]) for seat in (0, 1, 2)), tally(1, 0, 0)]
        data = {
            "format": "companion-record", "version": 1, "game": "rage", "options": {"bidding": bidding},
            "players": NAMES, "moves": [*moves, *last],
        }  # fmt: skip
        host.code = lay(house, host, data)
        sealed = range(len(moves), len(moves) + 3)
        token = host.client.get_cookie("phone")
        assert token
        headers = {"Authorization": f"Bearer {token.value}"}
        for at in sealed:
            for seat in ("", 0, 1, 2):
                seen.append((at, seat, step(host, at, seat).text.replace(host.code, "CODE")))
                query = "" if seat == "" else f"?seat={seat}"
                answer = host.gets(f"/api/tables/{{code}}/steps/{at}{query}", headers=headers)
                assert answer.status_code == 200
                seen.append((at, seat, answer.text))
        shown = step(host, len(moves) + 3).text
        assert shown != step(host, len(moves) + 2).text
    half = len(seen) // 2
    assert seen[:half] == seen[half:]


def test_a_table_brought_here_can_be_looked_at_as_the_one_it_came_from(house: House, phone: MakePhone) -> None:
    host = known(phone())
    data = written("ikebana")
    host.code = lay(house, host, data)
    first = [step(host, at).text for at in range(0, len(data["moves"]), 7)]
    house.writes("DELETE FROM tables")
    with house.app.app_context():
        opening.open_from(record.replay(record.read_data({**data, "table": host.code})), "somebody")
    assert [step(host, at).text for at in range(0, len(data["moves"]), 7)] == first


def test_a_wild_card_that_counts_with_another_value_is_shown_so_everywhere(house: House, phone: MakePhone) -> None:
    """The run was read out as 1 2 3 2 5: nobody could see why it was one."""
    hands = ("K1", "R2", "G3", "B5", "M2"), ("K3", "R3", "Y1", "B4", "G5")
    moves = [{"move": "keep", "seat": seat, "card": hands[seat][n]} for n in range(5) for seat in range(2)]
    options = {"wild": "colour_and_value"}
    told = {"format": "companion-record", "version": 1, "game": "ikebana", "options": options, "moves": moves}
    host = known(phone())
    host.code = lay(house, host, {**told, "players": ["Ann", "Bo"]})
    screen, seat = host.reads("/t/{code}/screen"), host.reads("/t/{code}/0")
    assert [one.text for one in screen.all("text", class_="is-other")] == ["=4", "=4"]  # side by side, and read aloud
    assert "Run 123M=45 15" in " ".join(screen.all("div", class_="read-one")[0].text.split())
    for page in (screen, seat, step(host, len(moves)), step(host, len(moves), 0)):
        assert "=4" in page.text
        assert "multicolour 2 as 4" in page.text
