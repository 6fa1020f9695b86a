"""A table's pages: the door, the seats, the screen, and the taps that change it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.conftest import NAMES, House, Phone, sound
from tests.web.page import Page

Lay = Callable[..., list[Phone]]
MakePhone = Callable[..., Phone]
LONG, REASON = "Maximilian-Alexander von Hohenberg", "A name needs 1 to 24 characters that can be seen."


def test_the_door_shows_the_seats_to_who_comes_in(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=["Ann", "Bo", "", "Di"])
    guest = phone(at=host)
    page = guest.reads("/t/{code}")
    for name in ("Ann", "Bo", "Di"):
        assert name in page.text
    seats = [form for form in page.forms if form.action.endswith("/sit")]
    offered = [part["value"] for form in seats for part in form.fields if part["tag"] == "button"]
    assert sorted(map(str, offered)) == ["1", "2", "3"]
    assert f"/t/{host.code}/screen" in page.links


def test_a_code_in_capitals_or_as_read_aloud_opens_the_same_door(phone: MakePhone) -> None:
    host = phone()
    code = host.opens()
    guest = phone()
    for path in (f"/T/{code}", f"/t/{code.lower()}", f"/t/{code[:3]}-{code[3:]}", f"/t/{code.replace('0', 'o')}"):
        assert "Which seat is yours?" in guest.reads(path).text


def test_who_scans_sits_with_one_tap_where_the_name_is_known(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=["Ann", "Bo", "Cy"])
    guest = phone(at=host)
    form = next(form for form in guest.reads("/t/{code}").forms if "1" in form.buttons)
    answer = guest.submits(form, form.filled(press="1"))
    assert (answer.status_code, answer.location) == (303, f"/t/{host.code}/1")
    assert guest.gets("/t/{code}").location == f"/t/{host.code}/1"


def test_who_sits_on_a_nameless_seat_gives_a_name(phone: MakePhone, house: House) -> None:
    host = phone()
    host.opens(names=["Ann", "", ""])
    guest = phone(at=host)
    form = next(form for form in guest.reads("/t/{code}").forms if "2" in form.buttons)
    answer = guest.submits(form, form.filled(press="2", name="Zo\u0308e"))
    assert answer.status_code == 303
    assert house.rows("SELECT name FROM seatings WHERE seat = 2") == [("Zöe",)]
    before = house.written()
    refused = phone(at=host).sits(1, "")
    assert refused.status_code == 422
    assert "A name needs 1 to 24 characters" in refused.text
    assert house.written() == before


def test_a_given_name_does_not_change_a_seat_that_has_one(phone: MakePhone, house: House) -> None:
    host = phone()
    host.opens(names=["Ann", "Bo", "Cy"])
    assert phone(at=host).sits(1, "Mallory").status_code == 303
    assert house.rows("SELECT name FROM seatings WHERE seat = 1") == [("Bo",)]


@pytest.mark.parametrize(
    ("seat", "status", "reason"),
    [
        ("0", 409, "Somebody sits there already."),
        ("9", 404, "There is nothing at this address."),
        ("-1", 404, "There is nothing at this address."),
        ("", 400, "seat"),
        ("x", 400, "seat"),
        ("9" * 5000, 400, "seat"),
    ],
)
def test_a_seat_that_cannot_be_had_is_said_at_the_door(
    phone: MakePhone, house: House, seat: str, status: int, reason: str
) -> None:
    host = phone()
    host.opens()
    before = house.evenings()
    answer = phone(at=host).posts("/t/{code}/sit", {"seat": seat, "name": "Eve"})
    assert answer.status_code == status
    assert reason in answer.text
    assert "Which seat is yours?" in sound(answer).text
    assert house.evenings() == before


def test_a_phone_has_one_seat_at_a_table(table: Lay, house: House) -> None:
    _ann, bo, *_others = table(phones=3)
    before = house.evenings()
    answer = bo.sits(3)
    assert answer.status_code == 409
    assert "This phone has a seat at this table." in answer.text
    assert bo.sits(1).status_code == 303
    assert house.evenings() == before


def test_a_locked_table_lets_nobody_in_until_it_is_unlocked(table: Lay, phone: MakePhone) -> None:
    ann, *_others = table(phones=2)
    form = ann.reads("/t/{code}/seats").form("/lock")
    assert ann.submits(form, form.filled()).status_code == 303
    guest = phone(at=ann)
    page = guest.reads("/t/{code}")
    assert "This table is locked" in page.text
    assert [form.action for form in page.forms] == [f"/t/{ann.code}/return"]
    assert guest.sits(2).status_code == 409
    assert "The host has locked the table" in guest.sits(2).text
    form = ann.reads("/t/{code}/seats").form("/lock")
    ann.submits(form, form.filled())
    assert guest.sits(2).status_code == 303


def test_a_seat_page_is_its_own_phone_s_and_for_seats_without_one_the_host_s(table: Lay, phone: MakePhone) -> None:
    ann, bo, *_others = table(phones=3)
    expected = {ann: [200, 403, 403, 200], bo: [403, 200, 403, 403], phone(at=ann): [403] * 4}
    for reader, statuses in expected.items():
        assert [reader.gets(f"/t/{{code}}/{seat}").status_code for seat in range(4)] == statuses
    assert "is not on this phone" in bo.gets("/t/{code}/0").text


def test_the_screen_shows_the_way_in_and_no_form(table: Lay, phone: MakePhone) -> None:
    ann, *_others = table()
    for reader in (ann, phone(at=ann)):
        page = reader.reads("/t/{code}/screen")
        assert page.forms == []
        assert page.all("svg", class_="qr")
        assert ann.code in page.text
        assert "All are here" in page.text
    assert ann.taps("bid", tricks=3).status_code == 303
    page = ann.reads("/t/{code}/screen")
    assert page.all("svg", class_="qr")
    assert "Bo bids" in page.text


def test_the_seats_page_has_tools_for_the_host_and_for_oneself(table: Lay, phone: MakePhone) -> None:
    ann, bo, *_others = table(phones=3)
    tools = {
        reader: sorted({form.action.rsplit("/", 1)[1] for form in reader.reads("/t/{code}/seats").forms})
        for reader in (ann, bo, phone(at=ann))
    }
    of_host = ["break-off", "free", "go", "hand-over", "lock", "pause", "rename", "stand", "teach"]
    assert list(tools.values()) == [of_host, ["go", "pause", "stand"], []]


def test_a_refused_tap_comes_back_with_the_reason_and_the_rule_and_changes_nothing(table: Lay, house: House) -> None:
    _ann, bo, *_others = table()
    before = house.evenings()
    answer = bo.taps("bid", tricks=3)
    assert answer.status_code == 422
    page = sound(answer)
    refusal = page.one("section", id="refusal").text
    assert "It is not your turn: Ann is next." in refusal
    assert "rage.not_your_turn" not in answer.text
    assert "R-cs" not in answer.text
    assert "Ann bids" in page.text
    assert house.evenings() == before
    assert not bo.reads("/t/{code}/1").all("section", id="refusal")


def test_a_page_that_answered_a_form_is_refreshed_at_an_address_that_can_be_opened(table: Lay) -> None:
    ann, bo, *_others = table()
    for who, path, sent in (
        (bo, "/t/{code}/1/move", {"move": "bid", "seat": "1", "tricks": "3"}),
        (bo, "/t/{code}/take-back?seat=1", {}),
        (ann, "/t/{code}/rename", {"seat": "1", "name": LONG}),
    ):
        answer = who.posts(path, sent)
        assert answer.status_code in {409, 422}, path
        assert who.gets(sound(answer).one("a", class_="refresh").attrs["href"] or path).status_code == 200, path


@pytest.mark.parametrize(
    ("form", "place"),
    [
        ({"move": "dance"}, "move"),
        ({}, "move"),
        ({"move": "bid", "seat": "1"}, "Tricks"),
        ({"move": "bid", "seat": "1", "tricks": "many"}, "Tricks"),
        ({"move": "bid", "seat": "1", "tricks": "9" * 5000}, "Tricks"),
        ({"move": "bid", "seat": "9", "tricks": "1"}, "Player"),
        ({"move": "play", "seat": "1", "card": "Z9"}, "Card"),
        ({"move": "turn", "card": "*8"}, "Card"),
        ({"move": "bid", "seat": "1", "tricks": "1", "after": "soon"}, "after"),
    ],
)
def test_a_tap_that_cannot_be_read_names_the_field(table: Lay, house: House, form: dict[str, str], place: str) -> None:
    _ann, bo, *_others = table()
    before = house.written()
    answer = bo.posts("/t/{code}/1/move", form)
    assert answer.status_code == 400
    assert f"{place}: " in sound(answer).text
    assert house.written() == before


def test_a_tap_upon_an_older_table_is_refused_with_the_fresh_page(table: Lay, house: House) -> None:
    ann, bo, *_others = table()
    seen = str(house.number)
    ann.taps("bid", tricks=3)
    bo.taps("bid", tricks=2)
    before = house.written()
    answer = bo.posts("/t/{code}/take-back?seat=1", {"after": seen})
    assert answer.status_code == 409
    page = sound(answer)
    assert "The table has moved on" in page.one("section", id="refusal").text
    assert "Bo bids 2." in page.text
    assert house.written() == before


def test_a_tap_sent_twice_counts_once(table: Lay, house: House) -> None:
    ann, *_others = table()
    form = {"move": "bid", "seat": "0", "tricks": "3", "key": "one"}
    for _ in range(3):
        assert ann.posts("/t/{code}/0/move", form).status_code == 303
    assert house.rows("SELECT count(*) FROM entries WHERE kind = 'move'") == [(1,)]
    assert ann.posts("/t/{code}/0/move", {**form, "tricks": "4"}).status_code == 422


def test_one_phone_s_key_is_not_another_s(table: Lay, house: House) -> None:
    ann, bo, *_others = table(bidding="hidden")
    for player, seat in ((ann, 0), (bo, 1)):
        form = {"move": "bid", "seat": str(seat), "tricks": "3", "key": "same"}
        assert player.posts(f"/t/{{code}}/{seat}/move", form).status_code == 303
    assert house.rows("SELECT count(*) FROM entries WHERE kind = 'move'") == [(2,)]


def test_nothing_to_take_back_is_said(table: Lay) -> None:
    ann, *_others = table()
    for answer in (ann.takes_back(), ann.puts_back()):
        assert answer.status_code == 409
        assert "There is nothing to take back or to put back." in sound(answer).text


def test_the_bar_names_what_taking_back_would_undo_and_who_may(table: Lay) -> None:
    ann, bo, cy, _di = table()
    ann.taps("bid", tricks=3)
    bo.taps("bid", tricks=2)
    pages = [player.reads(f"/t/{{code}}/{player.seat}") for player in (ann, bo, cy)]
    undo = [page.one("div", id="undo").text for page in pages]
    assert "Bo bids 2." in undo[0]
    assert "Take back" in undo[0]
    assert "Take back" in undo[1]
    assert "Can be taken back by Bo." in undo[2]
    assert cy.takes_back().status_code == 403
    assert bo.takes_back().status_code == 303
    assert "Put back" in bo.reads("/t/{code}/1").one("div", id="undo").text
    assert bo.puts_back().status_code == 303
    assert "Bo bids 2." in cy.reads("/t/{code}/2").text


def test_a_card_is_recorded_in_two_steps(table: Lay) -> None:
    ann, *_others = table(seats=3)
    answer = ann.posts("/t/{code}/0/move", {"move": "turn", "card": "*8", "card-colour": "B"})
    assert answer.status_code == 303
    assert "blue is trump" in ann.reads("/t/{code}/history").text


def test_only_who_may_renames_frees_and_leaves(table: Lay, house: House) -> None:
    ann, bo, cy, _di = table()
    before = house.evenings()
    assert cy.posts("/t/{code}/rename", {"seat": "1", "name": "Boo"}).status_code == 403
    assert ann.posts("/t/{code}/rename", {"seat": "1", "name": "\u202e"}).status_code == 422
    assert ann.posts("/t/{code}/rename", {"seat": "9", "name": "Boo"}).status_code == 404
    assert ann.posts("/t/{code}/free", {"seat": "9"}).status_code == 404
    assert house.evenings() == before
    assert bo.posts("/t/{code}/rename", {"seat": "1", "name": "Bob"}).status_code == 303
    assert "Bob" in cy.reads("/t/{code}/2").text


def test_a_name_that_cannot_be_is_shown_again_at_the_door(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=["Ann", "", "Cy"])
    answer = phone(at=host).sits(1, LONG)
    assert (answer.status_code, REASON in answer.text) == (422, True)
    assert sound(answer).one("input", id="name").attrs["value"] == LONG


def test_a_name_that_cannot_be_is_shown_again_at_its_seat(table: Lay) -> None:
    ann, bo, *_others = table()
    answer = ann.posts("/t/{code}/rename", {"seat": "1", "name": LONG})
    page = sound(answer)
    assert (answer.status_code, page.one("p", id="error").text) == (422, REASON)
    assert [field.attrs["value"] for field in page.all("input", name="name")] == ["Ann", LONG, "Cy", "Di"]
    assert [fold.attrs["id"] for fold in page.all("details") if "open" in fold.attrs] == ["fold-seat-1"]
    assert REASON in sound(bo.posts("/t/{code}/rename", {"seat": "1", "name": LONG})).text


@pytest.mark.parametrize("seats", [3, 4, 8])
def test_a_whole_round_is_played_by_its_forms_alone(table: Lay, seats: int) -> None:
    players = table(seats=seats)
    for player in players:
        page = player.reads(f"/t/{{code}}/{player.seat}")
        form = page.form("/move", move="bid", seat=str(player.seat))
        answer = player.submits(form, form.filled(press="1"))
        assert (answer.status_code, answer.location) == (303, f"/t/{player.code}/{player.seat}")
    takes = [10, *[0] * (seats - 1)]
    for player, tricks in zip(players, takes, strict=True):
        form = player.reads(f"/t/{{code}}/{player.seat}").form("/move", move="count", seat=str(player.seat))
        answer = player.submits(form, form.filled(press=str(tricks)))
        assert answer.status_code == 303
    for player in players:
        page = player.reads(f"/t/{{code}}/{player.seat}")
        assert "Round 2 of 10" in page.text
        rows = [row.text for row in page.all("tr") if "tbody" in row.inside][:seats]
        assert [name in row for name, row in zip(NAMES, rows, strict=False)] == [True] * seats
    assert "Round 2 of 10" in players[0].reads("/t/{code}/screen").text


def test_a_scorekeeper_plays_for_all_by_forms_alone(phone: MakePhone) -> None:
    host = phone()
    host.opens(i_sit="", bidding="open")
    for seat in range(4):
        form = host.reads("/t/{code}/0").form("/move", move="bid", seat=str(seat))
        assert host.submits(form, form.filled(press="2")).status_code == 303
    form = host.reads("/t/{code}/0").form("/move", move="tally")
    wanted = {f"tricks-{seat}": tricks for seat, tricks in enumerate("4321")}
    assert host.submits(form, form.filled(**wanted)).status_code == 303
    page = host.reads("/t/{code}/0")
    assert "Round 2 of 10" in page.text
    form = page.form("/take-back")
    assert host.submits(form, form.filled()).status_code == 303
    form = host.reads("/t/{code}/0").form("/put-back")
    assert host.submits(form, form.filled()).status_code == 303


def test_a_five_that_lies_in_the_trick_is_counted_for_who_takes_it(phone: MakePhone) -> None:
    """Those on the table were taken for recorded: with the last of them there, no count of the round was accepted."""
    host = phone()
    host.opens(names=NAMES[:3], i_sit="", bidding="open")
    for seat in range(3):
        assert host.taps("bid", seat, tricks=1).status_code == 303
    host.taps("turn", 0, card="R5")
    fives = host.reads("/t/{code}/0").one("input", name="plus-2").attrs["max"]
    for seat in range(2):
        assert host.taps("play", seat, card="+5").status_code == 303
    assert host.reads("/t/{code}/0").one("input", name="plus-2").attrs["max"] == fives


@pytest.mark.parametrize("way", ["trick", "turn"])
def test_who_has_counted_counts_again_where_tricks_or_cards_are_recorded(table: Lay, way: str) -> None:
    ann, *others = table(3)
    for one in (ann, *others):
        assert one.taps("bid", tricks=1).status_code == 303
    assert ann.taps("count", tricks=3).status_code == 303
    assert ann.taps(way, **({"card": "R5"} if way == "turn" else {})).status_code == 303
    form = ann.reads("/t/{code}/0").form("/move", move="count", seat="0")
    assert ann.submits(form, form.filled("4")).status_code == 303


@pytest.mark.parametrize("first", ["bid", "turn"])
def test_the_screen_leaves_what_a_round_has_brought_with_the_first_move_of_the_next(table: Lay, first: str) -> None:
    """A trump that was turned up before the bids was not seen for twenty seconds."""
    ann, *others = table(3)
    for one in (ann, *others):
        assert one.taps("bid", tricks=3).status_code == 303
    for one, tricks in zip((ann, *others), (3, 3, 4), strict=True):
        assert one.taps("count", tricks=tricks).status_code == 303
    assert ann.reads("/t/{code}/screen").all(class_="reveal")
    assert others[0].taps(first, **({"card": "R5"} if first == "turn" else {"tricks": 2})).status_code == 303
    assert not ann.reads("/t/{code}/screen").all(class_="reveal")


@pytest.mark.parametrize("way", ["trick", "turn"])
def test_a_round_is_told_as_the_one_before_it(table: Lay, way: str) -> None:
    """The keys for it once lay in a fold at the foot of the page in each round anew."""
    seats = ann, bo, cy = table(3)
    for one in seats:
        assert one.taps("bid", tricks=3).status_code == 303
    if way == "turn":
        assert ann.taps("turn", card="R5").status_code == 303
        for one, card in ((ann, "Y8"), (bo, "Y3"), (cy, "Y1")):
            assert one.taps("play", card=card).status_code == 303
    for _trick in range(9 if way == "turn" else 10):
        assert ann.taps("trick").status_code == 303
    for one in (bo, cy, ann):
        assert one.taps("bid", tricks=3).status_code == 303
    keys = ann.reads("/t/{code}/0").all("input", name="move", value=way)
    assert [key for key in keys if "details" not in key.inside]


def test_who_has_no_seat_calls_for_the_one_player_without_a_phone(phone: MakePhone) -> None:
    """The key bore no player, and was not there at all."""
    host = phone()
    host.opens("ubongo", NAMES[:2], i_sit="")
    bo = phone(at=host)
    assert bo.sits(1).status_code == 303
    assert bo.taps("roll", symbol=3).status_code == 303
    form = host.reads("/t/{code}/0").form("/move", move="ubongo")
    assert host.submits(form, form.filled("0")).status_code == 303


def test_the_end_is_told_on_every_page(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=["Ann", "Bo", "Cy"], bidding="hidden")
    for cards in range(10, 0, -1):
        for seat in range(3):
            assert host.taps("bid", seat=seat, tricks=0).status_code == 303
        tally = {"move": "tally", **{f"tricks-{seat}": str(cards if seat == 2 else 0) for seat in range(3)}}
        assert host.posts("/t/{code}/0/move", tally).status_code == 303
    for path in ("/t/{code}/0", "/t/{code}/screen"):
        page = host.reads(path)
        assert "A shared victory" in page.text
    page = host.reads("/t/{code}/0")
    assert f"/open/rage?again={host.code}" in page.links
    assert host.taps("bid", seat=0, tricks=1).status_code == 422
    assert "The game is over." in host.reads("/t/{code}/history").text


def test_a_table_before_its_first_move_says_so(table: Lay) -> None:
    ann, *_others = table()
    assert "Nothing played yet." in ann.reads("/t/{code}/0").text
    lonely = Phone(ann.house, "10.1.1.1")
    lonely.opens(i_sit="")
    assert "Nothing played yet." in lonely.reads("/t/{code}/history").text


def test_names_that_nobody_gave_are_letters(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=["Ann", "", ""])
    for path in ("/t/{code}", "/t/{code}/0", "/t/{code}/screen", "/t/{code}/seats"):
        page = Page(host.gets(path, follow_redirects=True).text)
        assert "Seat B" in page.text or "Free seat B" in page.text


def test_any_other_game_bears_the_name_that_its_host_gave_it(phone: MakePhone) -> None:
    host = phone()
    host.opens("tally", ["Ann", "Bo"], called="Kostky", wins="high", rounds="1", target="0")
    for path in (
        "/",
        "/book",
        "/t/{code}/0",
        "/t/{code}/seats",
        "/t/{code}/screen",
        "/t/{code}/rules",
        "/t/{code}/history",
    ):
        assert "Kostky" in host.reads(path).text, path
        assert "Tally " + host.code not in host.reads(path).text, path
    for path in ("/t/{code}/0", "/t/{code}/screen"):
        assert "<span>Kostky</span>" in host.gets(path).text, "in the frame"
        assert "Tally" not in host.reads(path).text, path
    nameless = phone()
    nameless.opens("tally", ["Ann", "Bo"], wins="high", rounds="1", target="0")
    assert "<span>Tally</span>" in nameless.gets("/t/{code}/0").text
