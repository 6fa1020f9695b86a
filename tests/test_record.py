"""The table record: read with the place of every error, replayed, and written so that it reads back the same."""

import json
from typing import Any

import pytest

from companion import record
from companion.game import Refused
from companion.games import GAMES
from companion.play import Asked, Play
from companion.record import RecordError
from companion.testing.kit import Table

BID = {"move": "bid", "seat": 0, "tricks": 3}
TURN = {"move": "turn", "card": "R3"}
TALLY = {"move": "tally", "tricks": [10, 0, 0], "plus": [0, 0, 0], "minus": [0, 0, 0]}
BIDS = [{"move": "bid", "seat": seat, "tricks": 3} for seat in range(3)]


def data_with(**parts: Any) -> dict[str, Any]:
    """Make a record of three players, with some parts replaced."""
    plain = {"format": "companion-record", "version": 1, "game": "rage", "players": ["Anna", "Bo", "Cy"], "moves": []}
    return plain | parts


def error_of(data: Any) -> RecordError:
    with pytest.raises(RecordError) as caught:
        record.read(data if isinstance(data, str | bytes) else json.dumps(data))
    return caught.value


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "Not JSON"),
        ("{", "Not JSON"),
        ("nonsense", "Not JSON"),
        (b"\xff\xfe\x00", "Not JSON"),
        (b"\x80", "Not JSON"),
        ("[" * 100_000, "Nested more than 20 deep."),
        ('{"moves": ' * 100_000, "Nested more than 20 deep."),
        ("1" * 5_000, "Not a number of at most 15 digits."),
        ("[]", "Not an object"),
        ("NaN", "Not a number of at most 15 digits."),
        ("null", "Not an object"),
        ('"companion-record"', "Not an object"),
    ],
    ids=range(12),
)
def test_what_is_no_record_at_all_is_said_of_the_whole(text: str | bytes, what: str) -> None:
    error = error_of(text)
    assert error.place == ""
    assert error.message.startswith(what)


@pytest.mark.parametrize(
    ("parts", "place", "message"),
    [
        ({"format": "other"}, "format", "Not “companion-record”."),
        ({"format": None}, "format", "Not “companion-record”."),
        ({"version": 2}, "version", "Version 2 is newer than this program, which reads 1."),
        ({"version": 10**14}, "version", "newer"),
        ({"version": 0}, "version", "Not a version number."),
        ({"version": True}, "version", "Not a version number."),
        ({"version": 1.0}, "version", "Not a version number."),
        ({"version": "1"}, "version", "Not a version number."),
        ({"version": None}, "version", "Not a version number."),
        ({"game": "chess"}, "game", "Unknown game. Known: "),
        ({"game": ["rage"]}, "game", "Unknown game."),
        ({"game": None}, "game", "Unknown game."),
        ({"players": None}, "players", "Not a list of names."),
        ({"players": "Anna"}, "players", "Not a list of names."),
        ({"players": ["Anna", "Bo", 3]}, "players[2]", "Not a name."),
        ({"players": ["Anna", None, "Cy"]}, "players[1]", "Not a name."),
        ({"players": ["Anna", "Bo"]}, "players", "Rage is for 3 to 8 players."),
        ({"players": ["Anna"] * 9}, "players", "Rage is for 3 to 8 players."),
        ({"players": []}, "players", "Rage is for 3 to 8 players."),
        ({"options": []}, "options", "Not an object."),
        ({"options": None}, "options", "Not an object."),
        (
            {"options": {"speed": 1}},
            "options.speed",
            "Allowed: edition, bidding, plus_minus_one, durch, tie, joker_tie,",
        ),
        ({"options": {"bidding": "loud"}}, "options.bidding", "Allowed: open, hidden, secret."),
        ({"options": {"bidding": ["open"]}}, "options.bidding", "Allowed: open, hidden, secret."),
        ({"options": {"tie": "coin"}}, "options.tie", "Allowed: shared, most_exact_bids."),
        ({"options": {"nt_then_ct": 1}}, "options.nt_then_ct", "Allowed: ct_wins, ct_wins_but_reflip, nt_dominates."),
        ({"options": {"durch": 1}}, "options.durch", "Not a choice here. Allowed: true, false, on, off."),
        ({"options": {"durch": "yes"}}, "options.durch", "Not a choice here. Allowed: true, false, on, off."),
        ({"options": {"durch": None}}, "options.durch", "Allowed: true, false, on, off."),
        ({"options": {"bidding": None}}, "options.bidding", "Allowed: open, hidden, secret."),
        ({"options": {"first_dealer": True}}, "options.first_dealer", "Not a whole number."),
        (
            {"options": {"first_dealer": 3}},
            "options.first_dealer",
            "The first dealer is one of the 3 players: a record counts them from 0 to 2.",
        ),
        ({"options": {"bidding": "secret", "plus_minus_one": True}}, "options.plus_minus_one", "needs open bids"),
        ({"moves": None}, "moves", "Not a list of moves."),
        ({"moves": {"0": BID}}, "moves", "Not a list of moves."),
        ({"title": 3}, "title", "Not a text."),
        ({"opened": ["now"]}, "opened", "Not a text."),
    ],
)
def test_a_wrong_part_is_named(parts: dict[str, Any], place: str, message: str) -> None:
    error = error_of(data_with(**parts))
    assert error.place == place
    assert message in error.message
    assert str(error) == f"{place}: {error.message}"


@pytest.mark.parametrize("part", ["format", "version", "game", "players", "moves"])
def test_a_missing_part_is_named(part: str) -> None:
    assert error_of({name: value for name, value in data_with().items() if name != part}).place == part


@pytest.mark.parametrize(
    ("move", "place", "message"),
    [
        (3, "", "Not an object."),
        (None, "", "Not an object."),
        ([BID], "", "Not an object."),
        ({}, "move", "Unknown kind of move. Known: turn, bid, play, trick, count, tally."),
        ({"move": "pass"}, "move", "Known: turn"),
        ({"move": ["bid"]}, "move", "Known: turn"),
        ({"move": "bid", "tricks": 3}, "seat", "Missing"),
        (BID | {"seat": 3}, "seat", "There is no such seat. Seats: 0 to 2."),
        (BID | {"seat": -1}, "seat", "There is no such seat."),
        (BID | {"seat": False}, "seat", "Not a whole number."),
        (BID | {"seat": 10**14}, "seat", "There is no such seat."),
        (BID | {"tricks": "3"}, "tricks", "Not a whole number."),
        (BID | {"tricks": 3.0}, "tricks", "Not a whole number."),
        (BID | {"tricks": True}, "tricks", "Not a whole number."),
        (BID | {"tricks": None}, "tricks", "Not a whole number."),
        (BID | {"tricks": [3]}, "tricks", "Not a whole number."),
        (BID | {"loud": True}, "loud", "Unknown. Allowed: seat, tricks."),
        (BID | {"_schema": 3}, "_schema", "Unknown. Allowed: seat, tricks."),
        (TURN | {"seat": 0}, "seat", "Unknown. Allowed: card."),
        (TURN | {"card": "R16"}, "card", "There is no such card here."),
        (TURN | {"card": "R03"}, "card", "There is no such card here."),
        (TURN | {"card": "R٣"}, "card", "There is no such card here."),
        (TURN | {"card": "r3"}, "card", "There is no such card here."),
        (TURN | {"card": " R3"}, "card", "There is no such card here."),
        (TURN | {"card": ""}, "card", "There is no such card here."),
        (TURN | {"card": 3}, "card", "There is no such card here."),
        (TURN | {"card": "J:R"}, "card", "A joker from the talon has no colour: J."),
        ({"move": "play", "seat": 0, "card": "J"}, "card", "A joker is played with its announced colour: J:Y."),
        ({"move": "play", "seat": 0, "card": "J:X"}, "card", "There is no such card here."),
        ({"move": "play", "seat": 0, "card": "−5"}, "card", "There is no such card here."),
        ({"move": "trick", "seat": 0, "plus": True}, "plus", "Not a whole number."),
        (TALLY | {"tricks": [10, 0]}, "tricks", "Needs one number per seat: 3."),
        (TALLY | {"tricks": [10, 0, 0, 0]}, "tricks", "Needs one number per seat: 3."),
        (TALLY | {"tricks": [10, False, 0]}, "tricks[1]", "Not a whole number."),
        (TALLY | {"minus": [0, 0, None]}, "minus[2]", "Not a whole number."),
        (TALLY | {"plus": 0}, "plus", "Not a list."),
        (TALLY | {"plus": None}, "plus", "Not a list."),
        (BID | {"by": 3}, "by", "Neither a seat (0 to 2) nor “host”."),
        (BID | {"by": True}, "by", "Neither a seat (0 to 2) nor “host”."),
        (BID | {"by": "Anna"}, "by", "Neither a seat (0 to 2) nor “host”."),
        (BID | {"by": []}, "by", "Neither a seat (0 to 2) nor “host”."),
        (BID | {"at": "yesterday"}, "at", "Not a time (UTC, ISO 8601)."),
        (BID | {"at": 1763668800}, "at", "Not a time (UTC, ISO 8601)."),
    ],
)
def test_an_error_in_a_move_names_its_place(move: Any, place: str, message: str) -> None:
    error = error_of(data_with(moves=[BID] * 17 + [move]))
    assert error.place == "moves[17]" + (f".{place}" if place else "")
    assert message in error.message


def test_a_huge_number_is_a_matter_for_the_rules() -> None:
    said = record.outcome(record.replay(record.read_data(data_with(moves=[BID | {"tricks": 10**30}]))))
    assert said["refused"]["rule"] == "rage.bid_range"


def test_a_refusal_stops_the_replay_and_says_why() -> None:
    moves = [BIDS[0], BIDS[1] | {"tricks": 11}, BIDS[2]]
    said = record.outcome(record.replay(record.read_data(data_with(moves=moves))))
    assert not said["legal"]
    assert said["moves"] == 1
    assert said["refused"] == {
        "number": 2,
        "move": moves[1],
        "rule": "rage.bid_range",
        "reason": "A bid is a number from 0 to 10, the tricks of this round.",
    }
    assert said["summary"]["to_move"] == 1


def test_an_outcome_says_all_that_the_format_promises() -> None:
    said = record.outcome(record.replay(record.read_data(data_with(moves=[*BIDS, TALLY]))))
    assert list(said) == ["game", "legal", "moves", "finished", "refused", "remarks", "standing", "summary"]
    assert list(said["summary"]["rounds"][0]["rows"][0]) == ["a", "b", "c", "d", "n", "tricks"]
    assert said["standing"][0] == {"seat": 0, "name": "Anna", "rank": 1, "score": 5}
    assert json.loads(json.dumps(said)) == said


def test_a_record_keeps_who_entered_a_move_and_when() -> None:
    at = "2026-11-20T20:15:00.123Z"
    written = [BIDS[0] | {"at": at, "by": 0}, BIDS[1] | {"at": at, "by": "host"}]
    read = record.read_data(data_with(moves=written))
    assert [(asked.by, asked.at) for asked in read.moves] == [(0, at), (None, at)]
    assert record.write(record.replay(read).play, {}, read.players)["moves"] == written


def test_a_record_keeps_what_it_says_of_the_evening() -> None:
    about = {"table": "K7QX2M", "title": "Friday", "location": "Brno", "opened": "2026-11-20", "closed": "2026-11-21"}
    read = record.read_data(data_with(options={"durch": True}, **about))
    written = record.write(record.replay(read).play, read.options, read.players, read.about)
    assert written == data_with(options={"durch": True}, rules=GAMES["rage"].version, **about)


def test_what_other_programs_note_on_top_is_not_read() -> None:
    plain, noted = (
        data_with(moves=[*BIDS, TALLY]),
        data_with(moves=[*BIDS, TALLY], comment="late", photos=[{"of": None}]),
    )
    said, other = (record.outcome(record.replay(record.read(json.dumps(data)))) for data in (plain, noted))
    assert other == said
    assert record.read_data(noted).about == {}


def test_a_written_record_reads_back_the_same() -> None:
    moves = [*BIDS, TURN, {"move": "play", "seat": 0, "card": "J:Y"}, {"move": "play", "seat": 1, "card": "-5"}]
    read = record.read_data(data_with(moves=moves))
    written = record.write(record.replay(read).play, read.options, read.players)
    assert written["moves"] == moves
    again = record.read(json.dumps(written))
    assert record.replay(again).play.position == record.replay(read).play.position


def test_numbers_left_out_are_zero_and_are_written() -> None:
    read = record.read_data(data_with(moves=[*BIDS, {"move": "trick", "seat": 1}]))
    written = record.write(record.replay(read).play, {}, read.players)
    assert written["moves"][-1] == {"move": "trick", "seat": 1, "plus": 0, "minus": 0}


@pytest.mark.parametrize(("bidding", "held_back"), [("open", 0), ("hidden", 0), ("secret", 4)])
def test_a_record_ends_before_what_is_still_sealed(bidding: str, held_back: int) -> None:
    moves = [*BIDS, {"move": "trick", "seat": 1, "plus": 0, "minus": 0}]
    read = record.read_data(data_with(options={"bidding": bidding}, moves=moves))
    written = record.write(record.replay(read).play, read.options, read.players)
    assert written["moves"] == moves[: len(moves) - held_back]


def test_a_record_holds_back_sealed_bids_but_not_the_rounds_before() -> None:
    options = {"bidding": "secret"}
    read = record.read_data(data_with(options=options, moves=[*BIDS, TALLY, BIDS[0]]))
    assert record.write(record.replay(read).play, options, read.players)["moves"] == [*BIDS, TALLY]


def test_opening_a_table_with_wrong_options_names_the_option() -> None:
    with pytest.raises(RecordError) as caught:
        record.opened(GAMES["rage"], {"bidding": "loud"}, 4)
    assert caught.value.place == "options.bidding"


def test_reading_one_move_names_the_field_alone() -> None:
    with pytest.raises(RecordError) as caught:
        record.read_move(GAMES["rage"], 3, BID | {"tricks": "3"})
    assert caught.value.place == "tricks"


def test_the_games_that_are_known_are_named_one_by_one() -> None:
    assert error_of(data_with(game="chess")).message.endswith(f"Known: {', '.join(GAMES)}.")


@pytest.mark.parametrize(
    ("game", "move", "is_read"),
    [("ubongo", "ubongo", True), ("ubongo", "void", False), ("ubongo", "dance", False), ("rage", "bid", False)],
)
def test_a_move_is_read_with_its_time_where_its_rules_read_one(game: str, move: str, is_read: bool) -> None:
    assert record.reads_time(GAMES[game], 3, {"move": move, "seat": 0}) is is_read


def test_a_call_is_read_with_the_time_of_its_entry_and_a_bid_without() -> None:
    call, at = {"move": "ubongo", "seat": 1}, "2026-11-20T20:00:00.000Z"
    assert record.read_timed(GAMES["ubongo"], 3, call, at).at == at
    assert record.read_timed(GAMES["ubongo"], 3, call, None).at is None
    assert record.read_timed(GAMES["rage"], 3, BID, at) == record.read_move(GAMES["rage"], 3, BID)


def test_a_move_is_bare_without_when_and_by_whom() -> None:
    assert record.bare({**BID, "by": 1, "at": "2026-11-20T20:00:00.000Z"}) == BID


def test_an_entry_that_is_no_move_at_all_is_named_by_its_place_alone() -> None:
    assert error_of(data_with(moves=[BID, 3])).place == "moves[1]"


def test_a_thing_that_is_no_move_cannot_be_written() -> None:
    with pytest.raises(TypeError):
        record.write_move(GAMES["rage"], 3, object())


def test_seats_of_the_record_are_those_of_its_table() -> None:
    read = record.read_data(data_with(moves=[BID]))
    assert isinstance(read.start.judge(Asked(1, read.moves[0].move)), Play)
    assert not isinstance(Table(read.game, {}, 3).begin().judge(read.moves[0]), Refused)


def test_only_what_has_a_part_for_each_seat_goes_with_the_seats() -> None:
    """The places of a hint are as many as the seats, and stay; the seats that it names, and a tally, do not."""
    hanabi, rage = GAMES["hanabi"].moves(2), GAMES["rage"].moves(3)
    hint = {"seat": 0, "to": 1, "colour": "R", "slots": [0, 1]}
    assert record.reseated(hanabi["hint"], hint, [1, 0]) == {"seat": 1, "to": 0, "colour": "R", "slots": [0, 1]}
    tally = {"tricks": [5, 3, 2], "plus": [0, 1, 2], "minus": [0, 0, 0]}
    moved = {"tricks": [2, 5, 3], "plus": [2, 0, 1], "minus": [0, 0, 0]}
    assert record.reseated(rage["tally"], tally, [1, 2, 0]) == moved
