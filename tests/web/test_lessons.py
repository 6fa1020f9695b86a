"""A table that plays for the first time: asked when it is opened, told to every seat and the screen, ended by the host."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games import GAMES
from tests.web.conftest import House, Phone

Lay = Callable[..., list[Phone]]
BID = "From the dealer’s left, everyone says aloud how many tricks"
TRUMP = "Turn up the top card of the talon"


def teach(host: Phone) -> None:
    """Press the host's key that begins or ends the lessons."""
    form = host.reads("/t/{code}/seats").form("/teach")
    assert host.submits(form, form.filled()).status_code == 303


@pytest.mark.parametrize("key", [game.key for game in GAMES.values() if game.lesson])
def test_the_first_step_of_every_game_is_explained_where_it_was_asked_for(
    key: str, phone: Callable[..., Phone]
) -> None:
    for taught, times in (("", 0), ("1", 1)):
        ann = phone()
        ann.opens(key, **({"taught": taught} if taught else {}))
        for path in ("/t/{code}/0", "/t/{code}/screen"):
            assert ann.gets(path).text.count('class="lesson"') == times, path


def test_it_is_offered_where_a_table_is_opened_and_not_chosen(phone: Callable[..., Phone]) -> None:
    ann = phone()
    form = ann.reads("/open/rage").form("/open/rage")
    assert "We play for the first time" in ann.reads("/open/rage").text
    assert "taught" not in form.filled()


def test_every_seat_is_told_what_it_may_do_and_the_link_leads_to_the_rule(table: Lay) -> None:
    ann, bo, *_ = table(3, taught="1")
    assert BID in ann.reads("/t/{code}/0").text
    assert TRUMP in bo.reads("/t/{code}/1").text
    assert f"/t/{bo.code}/rules#rule-2.1" in bo.gets("/t/{code}/1").text
    assert 'id="rule-2.1"' in bo.gets("/t/{code}/rules").text
    ann.taps("bid", tricks=1)
    assert BID in bo.reads("/t/{code}/1").text
    assert "Nobody plays before all bids are in" in ann.reads("/t/{code}/0").text


def test_the_host_ends_the_lessons_and_begins_them_and_nobody_else(table: Lay, house: House) -> None:
    ann, bo, *_ = table(3)
    assert bo.posts("/t/{code}/teach", {"taught": "1"}).status_code == 403
    record = ann.gets("/api/tables/{code}/record").json
    teach(ann)
    stream = bo.listens("/t/{code}/1/stream")
    assert TRUMP in stream.next()["data"]
    teach(ann)
    assert "lesson" not in stream.next()["data"]
    stream.leave()
    history = bo.reads("/t/{code}/history").text
    assert "The first round is explained." in history
    assert "The first round is explained no more." in history
    assert ann.gets("/api/tables/{code}/record").json == record
    assert house.rows("SELECT options, is_taught FROM tables") == [("{}", 0)]


def test_a_program_asks_for_it_too(phone: Callable[..., Phone]) -> None:
    ann = phone()
    wish = {"game": "rage", "players": ["A", "B", "C"]}
    for taught, said in (({}, False), ({"is_taught": True}, True)):
        answer = ann.asks("/api/tables", "POST", json={**wish, **taught}).json
        assert answer["table"]["is_taught"] is said
    code, token = answer["table"]["code"], answer["token"]
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "once"}
    answer = ann.asks(f"/api/tables/{code}/lessons", "PUT", json={"is_taught": False}, headers=headers).json
    assert answer["is_taught"] is False
