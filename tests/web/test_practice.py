"""Trying a game alone: phantoms play the other seats through the one door, as long as somebody is there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion import log
from companion.errors import NoSuchTable
from companion.games import GAMES
from companion.phantoms.playing import GONE_S, MOST, Phantoms
from companion.play import Play
from companion.push.hearing import Hearing
from companion.record import write_move
from companion.tables import referee, seating
from companion.tables.seating import Asker
from tests.house import without_threads
from tests.web.conftest import House, Phone

MakePhone = Callable[..., Phone]
TRIED = [game.key for game in GAMES.values() if game.likely]
MOST_LOOKS, SOME_LOOKS = 1500, 60


def tries(one: Phone, game: str = "rage") -> str:
    """Press the key at the opening."""
    form = one.reads(f"/open/{game}").form(f"/practice/{game}")
    answer = one.submits(form, form.filled(press=""))
    one.code, one.seat = answer.location.split("/")[2], 0
    assert (answer.status_code, answer.location) == (303, f"/t/{one.code}/0")
    return one.code


def phantoms(house: House) -> Phantoms:
    known: Phantoms = house.app.extensions["companion.phantoms"]
    return known


def look(house: House, code: str, often: int = 2) -> None:
    """Let phantoms look at their table, once to see what is new, and once to play."""
    for _ in range(often):
        assert phantoms(house).step(code) is not None


def play_of(house: House, code: str) -> Play[Any]:
    with house.app.app_context():
        return log.read(seating.find_table(code)).play


def does(house: House, code: str, move: object) -> None:
    """Let the person at seat 0 make a move."""
    with house.app.app_context():
        table = seating.find_table(code)
        now = log.read(table)
        data = write_move(now.play.game, now.play.seats, move)
        assert isinstance(
            referee.rule_on(Asker(table, table.seatings[0].phone or ""), data, f"{now.number}"), log.Reading
        )


@pytest.mark.parametrize("key", TRIED)
def test_a_game_is_played_with_phantoms_who_leave_the_person_s_seat_alone(
    key: str, phone: MakePhone, house: House, is_long: bool
) -> None:
    code, chance, game = tries(phone(), key), Random(3), GAMES[key]
    phantoms(house)._chance = Random(3)
    assert game.likely is not None
    for _ in range(MOST_LOOKS if is_long else SOME_LOOKS):
        if phantoms(house).step(code) is None:
            break
        play = play_of(house, code)
        if (wish := game.likely(play.position, 0, log.now(), chance)) is not None:
            does(house, code, wish)
    assert game.standing(play_of(house, code).position).is_finished is is_long
    acts = {*house.rows("SELECT seat, by FROM entries WHERE kind = 'move' AND seat IS NOT NULL")}
    assert acts == {(0, 0), (1, None), (2, None), (3, None)}


def test_phantoms_wait_where_the_person_is_to_act_and_answer_when_it_is_done(phone: MakePhone, house: House) -> None:
    ann = phone()
    code = tries(ann)
    look(house, code, 5)
    assert house.number == 2  # the person sat down, and nobody else may
    ann.taps("bid", tricks=3)
    look(house, code)
    (_, _, by, data) = house.rows("SELECT kind, seat, by, data FROM entries ORDER BY number DESC LIMIT 1")[0]
    assert by is None
    assert '"bid"' in data


def test_it_says_that_it_is_practice_and_teaches_the_first_round(phone: MakePhone) -> None:
    ann = phone()
    tries(ann)
    page = ann.gets("/t/{code}/0").text
    assert "Practice" in page
    assert 'class="lesson"' in page
    assert "This is practice" in ann.reads("/t/{code}/seats").text
    ann.opens()
    assert "Practice" not in ann.gets("/t/{code}/0").text


def test_nobody_is_asked_to_leave_a_seat_that_only_this_phone_can_have(phone: MakePhone) -> None:
    """Phantoms keep the table locked: whoever left it stood before a host who unlocks nothing."""
    ann = phone()
    code = tries(ann)
    actions = {form.action for form in ann.reads("/t/{code}/seats").forms}
    assert actions == {f"/t/{code}/pause"}


def test_it_stands_in_no_book_no_list_and_no_statistics(phone: MakePhone, house: House) -> None:
    ann, bo = phone(), phone()
    ann.client.set_cookie("name", "Ann")
    code = tries(ann)
    for path in ("/", "/book", "/book/statistics", "/book/files/plays.csv", "/api/book"):
        answer = ann.gets(path)
        assert answer.status_code == 200
        assert code not in answer.text, path
        assert "Emil" not in answer.text, path
    assert "Emil" not in ann.gets(f"/open/rage?again={code}").text
    bo.code = code
    assert bo.sits(1, "Bo").status_code == 409


def test_it_stands_in_no_group_s_book_either_and_nobody_is_asked_for_one(phone: MakePhone) -> None:
    ann = phone()
    code = tries(ann)
    group = ann.posts("/groups", {"name": "Club"}).location.partition("#group-")[2]
    assert ann.posts("/t/{code}/evening", {"group": group}).status_code == 303
    for path in (f"/book?group={group}", f"/book/statistics?group={group}", f"/api/book?group={group}"):
        assert "Emil" not in ann.gets(path).text, path
    assert f"/t/{code}/evening" not in ann.reads("/t/{code}/seats").links


def test_its_result_does_not_ask_for_a_book(phone: MakePhone, house: House) -> None:
    ann = phone()
    code = ann.opens("hanabi", names=["Ann", "Emil"], detail="tokens")
    assert [ann.taps("play", seat).status_code for seat in (0, 1, 0)] == [303] * 3
    way = f"/t/{code}/evening"
    assert way in ann.reads("/t/{code}/result").links
    house.writes("UPDATE tables SET host = 'phantoms'")
    assert way not in ann.reads("/t/{code}/result").links


def test_they_stop_when_nobody_is_there_and_go_on_when_somebody_comes_back(phone: MakePhone, house: House) -> None:
    ann, now = phone(), [1000.0]
    house.app.extensions["companion.hearing"] = Hearing(lambda: now[0])
    code = tries(ann)
    ann.taps("bid", tricks=3)
    now[0] += GONE_S - 1
    look(house, code)
    now[0] += 2
    assert phantoms(house).step(code) is None
    ann.gets("/t/{code}/0")
    look(house, code)


def test_nobody_misses_them_as_the_host(phone: MakePhone, house: House) -> None:
    ann, now = phone(), [1000.0]
    house.app.extensions["companion.hearing"] = Hearing(lambda: now[0])
    tries(ann)
    for _ in range(2):
        assert ann.reads("/t/{code}/0").one("aside", id="silence").text.strip() == ""
        now[0] += 3600


def test_only_so_many_tables_have_phantoms_and_the_next_one_is_told_so(phone: MakePhone, house: House) -> None:
    known = phantoms(house)
    for number in range(MOST):
        assert known.has_room
        known.wake(f"AAAA{number:02}")
    ann = phone()
    form = ann.reads("/open/rage").form("/practice/rage")
    assert ann.submits(form, form.filled(press="")).status_code == 429
    assert house.rows("SELECT count(*) FROM tables") == [(0,)]


def test_a_thread_plays_and_ends_when_there_is_nobody_left(phone: MakePhone, house: House) -> None:
    ann = phone()
    code = tries(ann)
    ann.taps("bid", tricks=3)
    known = Phantoms(house.app, pace_s=0.001)
    bell = house.app.extensions["companion.bell"]
    before = set(threading.enumerate())
    known.wake(code)
    (thread,) = [thread for thread in threading.enumerate() if thread.name == "phantoms" and thread not in before]
    assert bell.enter(code, "who")
    number = 3
    while (said := bell.wait(code, number, 20)) is not None and said < 6:
        number = said
    assert said == 6, "three phantoms bid"
    house.writes("DELETE FROM tables")
    thread.join(20)
    assert not thread.is_alive()
    assert known.has_room
    with pytest.raises(NoSuchTable):
        known.step(code)


def test_phantoms_that_were_given_no_thread_play_when_they_are_woken_again(phone: MakePhone, house: House) -> None:
    ann, known = phone(), Phantoms(house.app, pace_s=0.001)
    code = tries(ann)
    ann.taps("bid", tricks=3)
    bell = house.app.extensions["companion.bell"]
    assert bell.enter(code, "who")
    with without_threads():
        known.wake(code)
    known.wake(code)
    assert bell.wait(code, 3, 20), "one of them has bid"
    house.writes("DELETE FROM tables")


def test_after_a_day_it_is_gone_with_all_that_was_played(phone: MakePhone, house: House) -> None:
    ann, bo = phone(), phone()
    kept = bo.opens()
    code = tries(ann)
    house.writes("UPDATE tables SET opened = '2020-01-01T00:00:00.000Z'")
    fresh = tries(bo)
    assert {found for (found,) in house.rows("SELECT code FROM tables")} == {kept, fresh}
    assert code not in (kept, fresh)


def test_a_post_that_comes_twice_opens_one_table(phone: MakePhone, house: House) -> None:
    ann = phone()
    ann.opens()
    form = ann.reads("/open/rage").form("/practice/rage")
    sent = form.filled(press="")
    assert ann.submits(form, sent).location == ann.submits(form, sent).location
    assert house.rows("SELECT count(*) FROM tables") == [(2,)]


def test_a_game_without_phantoms_cannot_be_tried(phone: MakePhone) -> None:
    ann = phone()
    assert "/practice/tally" not in ann.gets("/open/tally").text
    assert ann.posts("/practice/tally").status_code == 404
    assert ann.posts("/practice/chess").status_code == 404


def test_on_the_screen_all_who_play_are_here(phone: MakePhone) -> None:
    ann = phone()
    tries(ann)
    page = ann.gets("/t/{code}/screen").text
    assert "All are here" in page
    assert "is-free" not in page
