"""The history: who entered what, what was taken back, what was amended; and the forms that amend."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from companion import log
from companion.games import GAMES
from companion.record import write_move
from companion.tables import seating
from tests.web.conftest import House, Phone, sound
from tests.web.page import Element, Page

Lay = Callable[..., list[Phone]]


def entries(reader: Phone) -> dict[str, Element]:
    """Read the lines of the history by their number."""
    lines = reader.reads("/t/{code}/history").all("li", class_="entry")
    return {str(line.attrs["id"]).removeprefix("entry-"): line for line in lines}


def may_amend(reader: Phone) -> set[int]:
    """List the entries that this phone is offered to amend."""
    start = f"/t/{reader.code}/history/"
    links = reader.reads("/t/{code}/history").links
    return {int(link.removeprefix(start)) for link in links if link.startswith(start)}


def whole_round(players: list[Phone], bids: tuple[int, ...], took: tuple[int, ...]) -> None:
    for player, tricks in zip(players, bids, strict=True):
        assert player.taps("bid", tricks=tricks).status_code == 303
    for player, tricks in zip(players, took, strict=True):
        assert player.taps("count", tricks=tricks).status_code == 303


def test_every_entry_says_what_who_and_when_the_newest_first(table: Lay) -> None:
    ann, bo, *_others = table(seats=3)
    ann.taps("bid", tricks=3)
    bo.taps("bid", tricks=2)
    lines = entries(ann)
    assert list(lines) == ["5", "4", "3", "2", "1"]
    assert lines["5"].text.startswith("Bo bids 2.")
    assert "5 · Bo ·" in lines["5"].text
    assert lines["4"].text.startswith("Ann bids 3.")
    assert lines["3"].text.startswith("Cy sits down.")
    times = [element for element in ann.reads("/t/{code}/history").all("time")]
    assert len(times) == 5
    assert all(element.text for element in times)
    moments = [datetime.fromisoformat(str(element.attrs["datetime"])) for element in times]
    assert moments == sorted(moments, reverse=True)
    assert moments[0].tzinfo == UTC


@pytest.mark.parametrize(
    ("upto", "shown"), [("9" * 26, ["4", "3", "2", "1"]), ("-" + "9" * 26, ["1"]), ("x", ["4", "3", "2", "1"])]
)
def test_a_history_up_to_any_number_is_shown(table: Lay, upto: str, shown: list[str]) -> None:
    ann, *_others = table(seats=3)
    ann.taps("bid", tricks=3)
    lines = ann.reads(f"/t/{{code}}/history?to={upto}").all("li", class_="entry")
    assert [str(line.attrs["id"]).removeprefix("entry-") for line in lines] == shown


def test_what_the_host_enters_for_a_seat_without_a_phone_is_the_host_s(table: Lay) -> None:
    ann, *_others = table(seats=3, phones=1)
    for seat in range(3):
        ann.taps("bid", seat=seat, tricks=1)
    lines = entries(ann)
    assert "2 · Ann ·" in lines["2"].text
    assert "3 · Host ·" in lines["3"].text


def test_everybody_reads_the_same_history(table: Lay, phone: Callable[..., Phone]) -> None:
    ann, bo, *_others = table(bidding="hidden")
    ann.taps("bid", tricks=3)
    texts = [
        [line.text.removesuffix("Change – 5").strip() for line in entries(reader).values()]
        for reader in (ann, bo, phone(at=ann))
    ]
    assert "Ann has written down a bid." in texts[0][0]
    assert texts[0] == texts[1] == texts[2]


def test_what_was_taken_back_is_struck_and_stays_readable(table: Lay) -> None:
    ann, *_others = table(seats=3)
    ann.taps("bid", tricks=3)
    ann.takes_back()
    lines = entries(ann)
    assert "is-struck" in str(lines["4"].attrs["class"])
    assert "Ann bids 3." in lines["4"].text
    assert "Taken back: bid of Ann." in lines["5"].text
    ann.puts_back()
    lines = entries(ann)
    assert "is-struck" not in str(lines["4"].attrs["class"])
    assert "Put back: bid of Ann." in lines["6"].text
    page = ann.reads("/t/{code}/history")
    assert not page.all("s")


def test_what_was_amended_is_noted_at_the_move_and_by_who_did_it(table: Lay) -> None:
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    assert ann.amends(5, "bid", seat=1, tricks=4).status_code == 303
    lines = entries(cy)
    assert "Bo bids 4." in lines["5"].text
    assert "changed" in lines["5"].text
    assert "Entry 5 was amended: Bo bids 4. Bo 12 → −3" in lines["10"].text
    assert "10 · Host ·" in lines["10"].text
    assert "changed" not in lines["4"].text
    ann.takes_back()
    lines = entries(cy)
    assert "Bo bids 2." in lines["5"].text
    assert "changed" not in lines["5"].text
    assert "Taken back: the change of entry 5." in lines["11"].text


def test_who_may_amend_what(table: Lay, phone: Callable[..., Phone]) -> None:
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    assert may_amend(ann) == {4, 5, 6, 7, 8, 9}
    assert may_amend(bo) == {5, 8}
    assert may_amend(phone(at=ann)) == set()


def test_a_sealed_bid_is_amended_by_its_own_seat_alone_and_the_form_does_not_show_it(table: Lay) -> None:
    ann, bo, cy = table(seats=3, bidding="hidden")
    for player, tricks in ((ann, 3), (bo, 2)):
        player.taps("bid", tricks=tricks)
    assert [may_amend(player) for player in (ann, bo, cy)] == [{4}, {5}, set()]
    page = bo.reads("/t/{code}/history/5")
    offered = page.form("/history/5", move="bid")
    assert offered.buttons == [str(tricks) for tricks in range(11)]
    assert page.one(id="amending").text.endswith("Bo has written down a bid.")
    assert bo.submits(offered, offered.filled("4")).status_code == 303


@pytest.mark.parametrize(
    ("number", "kind", "form", "key", "after"),
    [
        (5, "bid", {}, "9", "Bo bids 9."),
        (8, "count", {"plus": "1"}, "2", "Bo counts 2, with +5."),
    ],
)
def test_a_move_is_amended_by_the_keys_of_then(  # noqa: PLR0913, PLR0917 (each row a move)
    table: Lay, house: House, number: int, kind: str, form: dict[str, str], key: str, after: str
) -> None:
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    page = bo.reads(f"/t/{{code}}/history/{number}")
    assert f"Instead of entry {number}: what was it really?" in page.text
    offered = page.form(f"/history/{number}", move=kind)
    answer = bo.submits(offered, offered.filled(key, **form))
    assert (answer.status_code, answer.location) == (303, f"/t/{ann.code}/history")
    assert after in entries(ann)[str(number)].text
    assert house.rows("SELECT kind FROM entries ORDER BY number DESC LIMIT 1") == [("amend",)]


def test_a_tally_is_amended_by_the_keys_of_then(table: Lay) -> None:
    ann, *_others = table(seats=3, phones=1)
    for seat in range(3):
        ann.taps("bid", seat=seat, tricks=3)
    sent: dict[str, Any] = {f"tricks-{seat}": str(tricks) for seat, tricks in enumerate((3, 3, 4))}
    assert ann.posts("/t/{code}/0/move", {"move": "tally", **sent}).status_code == 303
    offered = ann.reads("/t/{code}/history/5").form("/history/5", move="tally")
    filled = offered.filled(**{"tricks-0": "0", "tricks-2": "7"})
    assert (filled["tricks-1"], filled["plus-0"]) == ("3", "0")
    assert ann.submits(offered, filled).status_code == 303
    assert "Ann scores −5: bid of" in entries(ann)["5"].text


@pytest.mark.parametrize(
    ("move", "told"),
    [
        ("tally", {"tricks-0": "5", "tricks-1": "2", "tricks-2": "3", "plus-0": "1", "minus-1": "2"}),
        ("count", {"plus": "1", "minus": "2"}),
        ("trick", {"plus": "2", "minus": "1"}),
    ],
)
def test_what_was_told_of_a_round_stands_there_when_it_is_changed(table: Lay, move: str, told: dict[str, str]) -> None:
    """The bids stood there, and no +5 or −5: who put one of them right told the whole round again, from memory."""
    ann, *_others = table(seats=3, phones=1)
    for seat in range(3):
        ann.taps("bid", seat=seat, tricks=3)
    more = {"tricks": "4"} if move == "count" else {}
    assert ann.posts("/t/{code}/0/move", {"move": move, "seat": "0", **more, **told}).status_code == 303
    filled = ann.reads("/t/{code}/history/5").form("/history/5", move=move).filled()
    assert {name: filled[name] for name in told} == told


def play_tokens(host: Phone, *moves: str) -> None:
    for turn, move in enumerate(moves):
        assert host.taps(move, turn % 2).status_code == 303


def test_a_move_becomes_one_of_another_kind_by_the_keys_of_then(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("hanabi", ["Ann", "Bo"], i_sit="", detail="tokens")
    play_tokens(host, "hint", "hint", "hint")
    page = host.reads("/t/{code}/history/2")
    acts = next(form for form in page.forms if "discard" in form.buttons)
    assert acts.action.endswith("/history/2")
    assert host.submits(acts, acts.filled("discard")).status_code == 303
    assert "Entry 2 was amended: Bo discards" in entries(host)["4"].text


def test_what_would_no_longer_hold_is_named_and_asked_for(phone: Callable[..., Phone], house: House) -> None:
    host = phone()
    host.opens("hanabi", ["Ann", "Bo"], i_sit="", detail="tokens")
    play_tokens(host, "hint", "discard", "hint", "hint")
    before = house.evenings()
    acts = next(form for form in host.reads("/t/{code}/history/1").forms if "hint" in form.buttons)
    play = host.submits(acts, {**acts.filled("hint"), "move": "play"})
    assert play.status_code == 422
    page = sound(play)
    assert "Entry 2 (discard of Bo) would no longer hold" in page.one("section", id="refusal").text
    assert "Instead of entry 2: what was it really?" in page.text
    assert house.evenings() == before
    acts = next(form for form in page.forms if "hint" in form.buttons)
    assert "discard" not in acts.buttons
    assert host.submits(acts, acts.filled("hint")).status_code == 303
    lines = entries(host)
    assert lines["5"].text.startswith("Entry 1 was amended: Ann plays")
    assert "Entry 2 was amended: Bo gives a hint" in lines["5"].text
    host.takes_back()
    assert "changed" not in entries(host)["1"].text + entries(host)["2"].text


@pytest.mark.parametrize(
    "so_far", ["{", "{}", "[1]", '[{"number": 1}]', '[{"number": "1", "move": null}]', '[{"number": 1, "move": 2}]']
)
def test_a_form_with_something_else_than_changes_is_not_read(table: Lay, so_far: str) -> None:
    ann, *_others = table(seats=3)
    ann.taps("bid", tricks=3)
    answer = ann.amends(4, "bid", tricks=2, entry=5, so_far=so_far)
    assert answer.status_code == 400
    sound(answer)


@pytest.mark.promise(5)
def test_of_two_who_change_the_same_entry_the_second_is_told_what_the_first_has_made_of_it(table: Lay) -> None:
    """The one who was slower overwrote what the other had put right, and neither was told."""
    ann, bo, *_others = table(seats=3)
    ann.taps("bid", tricks=4)
    bo.taps("bid", tricks=3)
    theirs = [who.reads("/t/{code}/history/5").form("/history/5", move="bid") for who in (ann, bo)]
    assert ann.submits(theirs[0], theirs[0].filled("5")).status_code == 303
    for _copy in range(2):
        answer = bo.submits(theirs[1], theirs[1].filled("2"))
        assert answer.status_code == 409
        assert "The table has moved on, so this was not entered." in sound(answer).text
    assert "bids 5" in entries(bo)["5"].text
    again = Page(answer.text).form("/history/5", move="bid")
    assert bo.submits(again, again.filled("2")).status_code == 303
    assert "bids 2" in entries(bo)["5"].text


def test_who_put_right_one_thing_and_is_asked_for_another_begins_again_where_the_first_is_another_now(
    table: Lay,
) -> None:
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    form = bo.reads("/t/{code}/history/5").form("/history/5", move="bid")
    said = form.filled("1") | {"was": json.dumps({"move": "bid", "seat": 1, "tricks": 7})}
    answer = bo.submits(form, said)
    assert answer.status_code == 409
    assert 'name="so_far" value="[]"' in answer.text


@pytest.mark.promise(5)
def test_who_was_told_that_a_change_does_not_hold_makes_another_one(table: Lay) -> None:
    """Whatever was chosen next, somebody was said to have been quicker, until something else was entered."""
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    assert bo.taps("bid", tricks=1).status_code == 303
    for plus, is_left in (("1", False), ("2", True)):
        refused = cy.reads("/t/{code}/history/9").form("/history/9", move="count")
        for _copy in range(2):
            answer = cy.submits(refused, refused.filled("4", plus="0"))
            assert answer.status_code == 422
        assert "Entry 10 (bid of Bo) would no longer hold" in sound(answer).text
        page = cy.reads("/t/{code}/history/9") if is_left else Page(answer.text)
        another = page.form("/history/9", move="count")
        for _copy in range(2):
            assert cy.submits(another, another.filled("5", plus=plus)).status_code == 303
    assert list(entries(cy)) == [str(number) for number in range(12, 0, -1)]


@pytest.mark.parametrize("was", ["{", "[]", "1"])
def test_a_form_that_does_not_say_what_an_entry_was_is_not_read(table: Lay, was: str) -> None:
    ann, *_others = table(seats=3)
    ann.taps("bid", tricks=3)
    assert ann.amends(4, "bid", tricks=2, was=was).status_code == 400


def test_more_changes_than_a_form_may_carry_are_said_to_be_too_many(table: Lay, house: House) -> None:
    ann, *_others = table(seats=3)
    ann.taps("bid", tricks=3)
    before = house.evenings()
    so_far = json.dumps([{"number": number, "move": None} for number in range(4, 105)])
    answer = ann.amends(4, "bid", tricks=2, entry=105, so_far=so_far)
    assert answer.status_code == 400
    assert "Needs so many: 0–100." in sound(answer).text
    assert house.evenings() == before


@pytest.mark.parametrize(("entry", "so_far"), [(5, "[]"), (4, '[{"number": 4, "move": null}]')])
def test_a_form_that_does_not_begin_with_its_entry_is_not_read(table: Lay, entry: int, so_far: str) -> None:
    ann, *_others = table(seats=3)
    ann.taps("bid", tricks=3)
    assert ann.amends(4, "bid", tricks=2, entry=entry, so_far=so_far).status_code == 400


def test_what_was_not_made_is_struck(table: Lay) -> None:
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    page = cy.reads("/t/{code}/history/9")
    offered = next(form for form in page.forms if form.attrs.get("id") == "undo")
    assert cy.submits(offered, offered.filled()).status_code == 303
    lines = entries(cy)
    assert "is-struck" in str(lines["9"].attrs["class"])
    assert "Entry 9 was struck: it was not made." in lines["10"].text
    cy.takes_back()
    lines = entries(cy)
    assert "is-struck" not in str(lines["9"].attrs["class"])
    assert "Taken back: the change of entry 9." in lines["11"].text


def test_an_amendment_against_the_rules_names_the_rule_and_changes_nothing(table: Lay, house: House) -> None:
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    before = house.evenings()
    answer = bo.amends(5, "bid", tricks=11)
    assert answer.status_code == 422
    refusal = sound(answer).one("section", id="refusal").text
    assert "A bid is a number from 0 to 10" in refusal
    assert "rage.bid_range" not in answer.text
    assert house.evenings() == before


def test_an_amendment_that_a_later_move_does_not_survive_names_that_move(table: Lay, house: House) -> None:
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    assert bo.taps("bid", tricks=1).status_code == 303
    before = house.evenings()
    answer = ann.amends(8, "count", seat=1, tricks=3)
    assert answer.status_code == 422
    refusal = sound(answer).one("section", id="refusal").text
    assert "Entry 10 (bid of Bo) would no longer hold" in refusal
    assert house.evenings() == before


@pytest.mark.parametrize(
    ("number", "form", "status"),
    [
        (1, {"move": "bid", "seat": "1", "tricks": "1"}, 404),
        (99, {"move": "bid", "seat": "1", "tricks": "1"}, 404),
        (4, {"move": "bid", "seat": "1", "tricks": "1"}, 403),
        (4, {"move": "bid", "seat": "0", "tricks": "1"}, 403),
        (5, {"move": "bid", "seat": "0", "tricks": "1"}, 403),
        (5, {"move": "count", "seat": "1", "tricks": "1"}, 422),
        (5, {"move": "dance"}, 400),
        (5, {"move": "bid", "seat": "1"}, 400),
        (5, {}, 400),
    ],
)
def test_nobody_amends_what_is_not_there_or_not_theirs(
    table: Lay, house: House, number: int, form: dict[str, str], status: int
) -> None:
    ann, bo, cy = table(seats=3)
    whole_round([ann, bo, cy], (3, 2, 5), (3, 2, 5))
    before = house.evenings()
    answer = bo.posts(f"/t/{{code}}/history/{number}", form)
    assert answer.status_code == status
    sound(answer)
    assert house.evenings() == before


def test_who_would_amend_what_was_taken_back_meanwhile_is_told_so(table: Lay) -> None:
    """It said that nothing is at this address."""
    ann, bo, *_others = table(seats=3)
    assert ann.taps("bid", tricks=3).status_code == 303
    assert bo.taps("bid", tricks=2).status_code == 303
    form = bo.reads("/t/{code}/history/5").form("/history/5", move="bid")
    assert ann.posts("/t/{code}/take-back?seat=0").status_code == 303
    answer = bo.submits(form, form.filled("1"))
    assert answer.status_code == 409
    assert "The table has moved on, so this was not entered." in sound(answer).text
    assert bo.gets("/t/{code}/history/5").location == f"/t/{bo.code}/history#entry-5"
    assert "is-struck" in str(entries(bo)["5"].attrs["class"])


def test_a_bid_amended_twice_is_noted_once(table: Lay) -> None:
    ann, *_others = table(seats=3)
    ann.taps("bid", tricks=3)
    for tricks in (4, 5):
        assert ann.amends(4, "bid", tricks=tricks).status_code == 303
    line = entries(ann)["4"]
    assert line.text.count("changed") == 1
    assert "Ann bids 5." in line.text


def test_remarks_stand_at_the_move_that_they_are_about(table: Lay) -> None:
    ann, bo, cy = table(seats=3)
    for player in (ann, bo, cy):
        player.taps("bid", tricks=3)
    for player in (ann, bo, cy):
        assert player.taps("count", tricks=3).status_code == 303
    assert "3 + 3 + 3 = 9, but this round has 10 tricks: one is missing." in entries(ann)["9"].text


def test_a_remark_leads_to_the_entry_that_may_be_wrong_instead(table: Lay) -> None:
    ann, *_others = table(seats=3, phones=1)
    ann.taps("turn", card="R12")
    for seat in range(3):
        ann.taps("bid", seat=seat, tricks=3)
    for seat, card in ((0, "Y8"), (1, "B3"), (2, "Y9"), (2, "G1"), (0, "G2")):
        assert ann.taps("play", seat=seat, card=card).status_code == 303
    assert not ann.reads("/t/{code}/0").all(class_="notice-look")
    ann.taps("play", seat=1, card="Y4")
    seen = ann.reads("/t/{code}/0")
    [notice] = seen.all(class_="notice-look")
    assert "Bo played blue 3 to yellow in trick 1, and now plays yellow 4" in notice.text
    [number] = [number for number, line in entries(ann).items() if line.text.startswith("Bo plays blue 3.")]
    assert f"To entry {number}" in notice.text
    assert f"/t/{ann.code}/history#entry-{number}" in seen.links


@pytest.mark.parametrize("key", GAMES)
def test_what_amending_forms_carry_is_no_field_of_any_move(key: str) -> None:
    game = GAMES[key]
    fields = {name for schema in game.moves(game.players[0]).values() for name in schema.fields}
    assert fields.isdisjoint({"entry", "so_far", "struck", "meant", "key", "was"})


def test_a_move_whose_time_is_read_is_amended_by_the_keys_of_then(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("ubongo", ["Ann", "Bo"], i_sit="0")
    assert host.taps("place", 0, row=2).status_code == 303
    form = host.reads("/t/{code}/history/2").form("/history/2", move="place")
    assert host.submits(form, form.filled("3")).status_code == 303
    assert host.gets("/api/tables/{code}/record").json["moves"][0]["row"] == 3


def test_a_call_and_a_start_of_another_player_are_amended_as_that_player_s(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("ubongo", ["Ann", "Bo"], i_sit="0")
    bo = phone(at=host)
    assert bo.sits(1).status_code == 303
    for row in (2, 3):
        assert bo.taps("place", row=row).status_code == 303
    form = host.reads("/t/{code}/history/4").form("/history/4", move="place", seat="1")
    assert host.submits(form, form.filled("4")).status_code == 303
    assert bo.taps("roll", symbol=3).status_code == 303
    assert bo.taps("ubongo").status_code == 303
    form = host.reads("/t/{code}/history/7").form("/history/7", move="ubongo")
    assert host.submits(form, form.filled("1")).status_code == 303


@pytest.mark.parametrize(
    ("game", "moves", "wanted"),
    [
        (
            "tally",
            [("enter", {"column": "number", "value": 5})],
            {"move": "enter", "seat": 1, "column": "number", "value": 7},
        ),
        ("rage", [("count", {"tricks": 3})], {"move": "count", "seat": 1, "tricks": 3, "plus": 0, "minus": 0}),
    ],
)
@pytest.mark.parametrize("has_phones", [False, True])
def test_what_was_told_for_the_wrong_player_is_given_to_another(
    phone: Callable[..., Phone], game: str, moves: list[Any], wanted: dict[str, Any], has_phones: bool
) -> None:
    """“Another seat” showed the keys of the same one."""
    host = phone()
    host.opens(game, ["Ann", "Bo", "Cy"], i_sit="0")
    others = [phone(at=host) for _ in range(2 * has_phones)]
    for seat, one in enumerate(others, 1):
        assert one.sits(seat).status_code == 303
    for seat in range(3 * (game == "rage")):
        assert (others[seat - 1] if has_phones and seat else host).taps("bid", seat, tricks=1).status_code == 303
    for kind, said in moves:
        assert host.taps(kind, 0, **said).status_code == 303
    number = int(host.gets("/api/tables/{code}").get_json()["number"])
    [there] = [link for link in host.reads(f"/t/{{code}}/history/{number}").links if link.endswith("?seats=all")]
    [bo] = [link for link in host.reads(there).links if link.endswith("&seat=1")]
    form = host.reads(bo).form(f"/history/{number}", move=str(wanted["move"]), seat="1")
    more = {"value": "7"} if game == "tally" else {}
    assert host.submits(form, form.filled(None if more else "3", **more)).status_code == 303
    with host.house.app.app_context():
        play = log.read(seating.find_table(host.code)).play
    assert write_move(play.game, 3, play.last.asked.move) == wanted


def test_a_trick_becomes_the_new_trump_that_was_turned_up_before_it(table: Lay) -> None:
    """Where tricks had been recorded among cards, its page had no key for that."""
    ann, *others = table(3)
    for one in (ann, *others):
        assert one.taps("bid", tricks=1).status_code == 303
    assert ann.taps("turn", card="R5").status_code == 303
    for _ in range(2):
        assert ann.taps("trick").status_code == 303
    form = ann.reads("/t/{code}/history/9").form("/history/9", move="turn")
    assert ann.submits(form, {**form.filled("*8"), "card-colour": "B"}).status_code == 303


def test_the_way_back_to_the_seat_is_seen_above_the_entries(table: Lay, phone: Callable[..., Phone]) -> None:
    """Who had changed an entry stood in the history, and the way back was in the menu."""
    ann, bo, *_others = table(seats=3)
    for who, ways in ((ann, 1), (bo, 1), (phone(at=ann), 0)):
        assert who.gets("/t/{code}/history").text.split("<details")[0].count("My seat") == ways
