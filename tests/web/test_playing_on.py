"""Who has to go is played on by another hand: on the page of the seats, at the seats, in the history, for programs."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.conftest import Phone

Lay = Callable[..., list[Phone]]


def test_a_seat_is_handed_to_another_by_one_tap(table: Lay) -> None:
    host, bo, cy = table(3)
    [form] = [form for form in bo.reads("/t/{code}/seats").forms if form.action.endswith("/go")]
    assert form.buttons == ["", "2"]  # Ann is the host: she was offered twice
    assert bo.submits(form, form.filled(press="2")).status_code == 303
    assert cy.gets("/t/{code}/1").status_code == 200
    assert [one.gets("/t/{code}/1").status_code for one in (bo, host)] == [403, 403]
    assert "played on by Cy" in host.reads("/t/{code}/seats").text
    assert host.taps("bid", tricks=1).status_code == 303
    assert cy.taps("bid", seat=1, tricks=2).status_code == 303
    history = host.reads("/t/{code}/history").text
    assert "Bo has to go; Cy plays on for this seat." in history
    assert bo.sits(1).status_code == 303
    assert "played on by Cy" not in host.reads("/t/{code}/seats").text
    assert cy.gets("/t/{code}/1").status_code == 403


def test_where_that_hand_stands_up_too_the_host_is_said_to_play_on(table: Lay) -> None:
    host, bo, cy = table(3)
    assert bo.posts("/t/{code}/go", {"seat": "1", "hand": "2"}).status_code == 303
    assert cy.posts("/t/{code}/stand").status_code == 303
    assert host.gets("/t/{code}/1").status_code == 200
    text = host.reads("/t/{code}/seats").text
    assert "played on by the host" in text
    assert "played on by Cy" not in text


def test_the_host_hands_a_seat_on_and_to_itself(table: Lay) -> None:
    host, bo, _cy = table(3)
    forms = [form for form in host.reads("/t/{code}/seats").forms if form.action.endswith("/go")]
    assert [form.buttons for form in forms] == [["", "1", "2"], ["", "2"], ["", "1"]]
    assert host.submits(forms[1], forms[1].filled()).status_code == 303
    assert host.gets("/t/{code}/1").status_code == 200
    assert bo.gets("/t/{code}/1").status_code == 403
    assert "Bo has to go; the host plays on for this seat." in host.reads("/t/{code}/history").text


def test_the_stream_of_who_goes_ends_and_the_other_is_told(table: Lay) -> None:
    _host, bo, cy = table(3)
    own, other = bo.listens("/t/{code}/1/stream"), cy.listens("/t/{code}/2/stream")
    own.next(), other.next()
    assert bo.posts("/t/{code}/go", {"seat": "1", "hand": "2"}).status_code == 303
    assert own.next()["event"] == "gone"
    assert other.next()["event"] == "part"


def test_programs_hand_a_seat_on(table: Lay) -> None:
    host, bo, cy = table(3)
    answer = bo.asks("/api/tables/{code}/seats/1/hand", "PUT", json={"hand": 2})
    assert answer.status_code == 200
    seat = answer.get_json()["seats"][1]
    assert (seat["has_left"], seat["hand"], seat["is_taken"]) == (True, 2, False)
    assert cy.gets("/api/tables/{code}/view?seat=1").status_code == 200
    assert host.gets("/api/tables/{code}/view?seat=1").status_code == 403
    assert host.asks("/api/tables/{code}/seats/1/hand", "PUT", json={"hand": None}).status_code == 200
    assert host.gets("/api/tables/{code}/view?seat=1").status_code == 200


def test_the_book_says_who_was_played_on(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens("hanabi", names=["Ann", "Bo"], detail="tokens")
    bo = phone(at=host)
    bo.sits(1)
    assert host.taps("play").status_code == 303
    assert bo.taps("play").status_code == 303
    bo.posts("/t/{code}/go", {"seat": "1", "hand": "0"})
    assert host.taps("play").status_code == 303
    text = host.reads("/book/statistics").text
    assert "Played to the end by another hand: Bo 1" in text
    [game] = host.gets("/api/book/statistics").get_json()["games"]
    assert {one["player"]: one["left"] for one in game["players"]} == {"Ann": 0, "Bo": 1}
    assert "Bo had to go, and another hand played on." in host.reads("/t/{code}/result").one("textarea", id="text").text


def golf(phone: Callable[..., Phone], rounds: int) -> tuple[Phone, Phone]:
    """Open a table of any other game, whose second player is about to go."""
    host = phone()
    host.opens("tally", names=["Ann", "Bo", "Cy"], called="Golf", wins="low", rounds=str(rounds))
    bo = phone(at=host)
    assert bo.sits(1).status_code == 303
    return host, bo


def left(host: Phone) -> dict[str, int]:
    """Read who was played to the end by another hand, and how often."""
    [game] = host.gets("/api/book/statistics").get_json()["games"]
    return {one["player"]: one["left"] for one in game["players"]}


def test_who_had_to_go_is_who_it_was_where_people_sit_otherwise_at_the_end(phone: Callable[..., Phone]) -> None:
    host, bo = golf(phone, rounds=2)
    for who, seat in ((host, 0), (bo, 1), (host, 2)):
        assert who.taps("enter", seat, column="number", value=5 + seat).status_code == 303
    assert bo.posts("/t/{code}/go", {"seat": "1", "hand": "0"}).status_code == 303
    form = host.reads("/t/{code}/start").form("/start")
    sent = {name: value for name, value in form.filled("").items() if name != "up"}
    assert host.posts(form.action, {**sent, "order": "0.2.1", "rounds": "1"}).status_code == 303
    assert left(host) == {"Ann": 0, "Bo": 1, "Cy": 0}
    assert "Bo had to go, and another hand played on." in host.reads("/t/{code}/result").one("textarea", id="text").text


def test_who_had_to_go_is_still_known_where_a_result_is_corrected_after_a_return(phone: Callable[..., Phone]) -> None:
    host, bo = golf(phone, rounds=1)
    assert bo.posts("/t/{code}/go", {"seat": "1", "hand": "0"}).status_code == 303
    for seat in range(3):
        assert host.taps("enter", seat, column="number", value=5 + seat).status_code == 303
    assert bo.sits(1).status_code == 303
    assert left(host) == {"Ann": 0, "Bo": 1, "Cy": 0}
    last = host.gets("/api/tables/{code}").get_json()["number"] - 1
    assert host.amends(last, "enter", 2, column="number", value=9).status_code == 303
    assert left(host) == {"Ann": 0, "Bo": 1, "Cy": 0}
