"""A table that stands still: what its pages, files, book, statistics and programs say, and the way on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.conftest import Phone

Lay = Callable[..., list[Phone]]


def action(one: Phone, path: str, end: str) -> None:
    """Press the button of a form on a page."""
    [form] = [form for form in one.reads(path).forms if form.action.partition("?")[0].endswith(end)]
    assert one.submits(form, form.filled()).status_code == 303


def test_a_pause_is_shown_everywhere_and_any_seat_ends_it(table: Lay) -> None:
    host, bo, *_ = table(3)
    action(bo, "/t/{code}/seats", "/pause")
    for one, path in ((host, "/t/{code}/0"), (bo, "/t/{code}/1"), (bo, "/t/{code}/screen"), (bo, "/t/{code}/seats")):
        assert "aused" in one.reads(path).text
    answer = host.taps("bid", tricks=1)
    assert answer.status_code == 409
    assert "The game is paused, so nothing was entered." in answer.text
    action(host, "/t/{code}/0", "/resume")
    assert "Paused" not in bo.reads("/t/{code}/1").text
    assert host.taps("bid", tricks=1).status_code == 303
    history = bo.reads("/t/{code}/history").text
    assert "The game is paused." in history
    assert "The game goes on." in history


def test_whoever_listens_is_told_of_a_pause(table: Lay) -> None:
    host, bo, *_ = table(3)
    stream = bo.listens("/t/{code}/1/stream")
    first = stream.next()
    host.posts("/t/{code}/pause")
    said = stream.next()
    assert "Paused" in said["data"]
    assert "Paused" not in first["data"]


def test_a_game_that_was_broken_off_has_no_winner_anywhere(table: Lay) -> None:
    host, bo, *_ = table(3)
    action(host, "/t/{code}/seats", "/break-off")
    for one, path in ((bo, "/t/{code}/1"), (bo, "/t/{code}/screen"), (bo, "/t/{code}/seats"), (bo, "/t/{code}/result")):
        assert "This game was ended early, and nobody has won." in one.reads(path).text
    assert "How it stood" in bo.reads("/t/{code}/1").text, "not whose turn it is"
    assert "broken off" in bo.reads("/book").text
    [evening] = bo.gets("/api/book").get_json()["evenings"]
    assert (evening["is_broken_off"], evening["closed"]) == (True, None)
    assert {player["has_won"] for player in evening["players"]} == {None}
    standing = bo.gets("/api/tables/{code}/standing").get_json()
    assert (standing["is_finished"], standing["winners"]) == (False, [])
    refused = bo.gets("/api/tables/{code}/files/plays.csv")
    assert refused.status_code == 409
    assert refused.get_json()["type"].endswith("#broken_off")
    assert bo.gets("/t/{code}/files/plays.csv").location.endswith("/result")
    assert len(bo.gets("/book/files/plays.csv").text.splitlines()) == 1
    assert bo.gets("/api/book/statistics").get_json()["games"] == []
    assert bo.gets("/api/tables/{code}/record").get_json()["moves"] == []


def test_the_host_goes_on_with_what_was_broken_off(table: Lay) -> None:
    host, bo, *_ = table(3)
    action(host, "/t/{code}/seats", "/break-off")
    assert not [form for form in bo.reads("/t/{code}/seats").forms if "/resume" in form.action]
    assert bo.posts("/t/{code}/resume").status_code == 403
    action(host, "/t/{code}/seats", "/resume")
    assert host.taps("bid", tricks=1).status_code == 303
    assert "not over" in bo.reads("/book").text


def test_from_what_was_broken_off_the_same_people_go_on_elsewhere(table: Lay) -> None:
    host, bo, *_ = table(3)
    left = host.code
    action(host, "/t/{code}/seats", "/break-off")
    [again] = [link for link in host.reads("/t/{code}/0").links if "again=" in link]
    [form] = [form for form in host.reads(again).forms if form.method == "post"]
    following = host.submits(form, form.filled()).location.split("/")[2]
    assert following != left
    assert f"/t/{following}" in bo.reads("/t/{code}/1").links
    assert f'data-next="/t/{following}/screen"' in bo.gets("/t/{code}/screen").text
    bo.code = following
    assert bo.gets("/t/{code}/1").status_code == 200


def test_who_ends_after_all_what_was_broken_off_goes_on_from_there_anew(phone: Callable[..., Phone]) -> None:
    """The screen left the end at once for the game that had been begun instead, and no other one was offered."""
    host = phone()
    code = host.opens("tally", names=["Ann", "Bo"], called="Golf", rounds="1")
    host.posts("/t/{code}/break-off")
    again = f"/open/tally?again={code}"
    form = host.reads(again).form("/open/tally")
    assert host.submits(form, form.filled()).status_code == 303
    assert host.posts("/t/{code}/resume").status_code == 303
    for seat in range(2):
        assert host.taps("enter", seat, column="number", value=5).status_code == 303
    assert again in host.reads("/t/{code}/0").links
    assert "data-next" not in host.gets("/t/{code}/screen").text
    assert host.gets("/api/tables/{code}").get_json()["next"] is None
    form = host.reads(again).form("/open/tally")
    following = host.submits(form, form.filled()).location.split("/")[2]
    assert f'data-next="/t/{following}/screen"' in host.gets("/t/{code}/screen").text


def test_programs_pause_and_go_on(table: Lay) -> None:
    host, bo, *_ = table(3)

    def puts(one: Phone, halt: str) -> int:
        return one.asks("/api/tables/{code}/halt", "PUT", json={"halt": halt}).status_code

    assert puts(bo, "paused") == 200
    assert bo.gets("/api/tables/{code}").get_json()["halt"] == "paused"
    move = {"move": "bid", "seat": 0, "tricks": 1}
    refused = host.asks("/api/tables/{code}/moves", "POST", json=move)
    assert (refused.status_code, refused.get_json()["title"]) == (409, "Paused")
    assert [puts(bo, ""), puts(bo, "broken_off"), puts(host, "broken_off"), puts(bo, "")] == [200, 403, 200, 403]
    assert puts(host, "") == 200
    assert host.asks("/api/tables/{code}/moves", "POST", json=move).status_code == 200


@pytest.mark.parametrize("halt", ["pause", "break-off"])
def test_what_is_looked_back_at_stands_as_it_was(table: Lay, halt: str) -> None:
    host, *_ = table(3)
    host.taps("bid", tricks=1)
    before = host.gets("/t/{code}/steps?seat=0").text
    host.posts(f"/t/{{code}}/{halt}")
    assert host.gets("/t/{code}/steps?seat=0").text == before


@pytest.mark.parametrize("halt", ["pause", "break-off"])
def test_no_entry_is_offered_to_be_changed_until_the_game_goes_on(table: Lay, halt: str) -> None:
    """The page had no key but “It was not made”, which was refused."""
    host, *_ = table(3)
    host.taps("bid", tricks=1)
    [change] = [link for link in host.reads("/t/{code}/history").links if "/history/" in link]
    host.posts(f"/t/{{code}}/{halt}")
    assert change not in host.reads("/t/{code}/history").links
    assert host.gets(change).status_code == 409
    host.posts("/t/{code}/resume")
    assert change in host.reads("/t/{code}/history").links


def test_how_ubongo_stood_is_told_by_its_gems_though_the_sand_ran(phone: Callable[..., Phone]) -> None:
    """They lay in a fold, which a table that stands still does not open."""
    host = phone()
    host.opens("ubongo", ["Ann", "Bo"])
    assert host.taps("roll", symbol=1).status_code == 303
    assert host.posts("/t/{code}/break-off").status_code == 303
    page = host.reads("/t/{code}/0")
    assert "How it stood" in page.text
    assert [table for table in page.all("table", class_="gems") if "details" not in table.inside]


def test_the_sand_does_not_run_while_a_game_is_paused(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("ubongo")
    host.taps("roll", symbol=3)
    assert 'data-ends="' in host.gets("/t/{code}/0").text
    host.posts("/t/{code}/pause")
    for path in ("/t/{code}/0", "/t/{code}/screen"):
        assert 'data-ends="' not in host.gets(path).text
    host.posts("/t/{code}/resume")
    assert 'data-ends="' in host.gets("/t/{code}/0").text


@pytest.mark.promise(4)
def test_a_tap_that_a_pause_has_refused_is_not_entered_by_a_copy_of_it_that_comes_after_the_pause(table: Lay) -> None:
    """Found by simulated evening 534 on PostgreSQL: its phone was told no, and a moment later the tap stood in the log."""
    host, _, spare = table(3)
    after = spare.gets("/api/tables/{code}").get_json()["number"]
    tap = {"move": "bid", "seat": "0", "tricks": "2", "key": "0.1", "after": str(after)}
    host.posts("/t/{code}/pause")
    assert host.posts("/t/{code}/0/move", tap).status_code == 409
    host.posts("/t/{code}/resume?seat=0")
    assert host.posts("/t/{code}/0/move", tap).status_code == 409
    assert spare.gets("/api/tables/{code}").get_json()["number"] == after + 2
    # Who has seen the game go on taps anew.
    assert host.posts("/t/{code}/0/move", {**tap, "key": "0.2", "after": str(after + 2)}).status_code == 303
