"""The end of a game: why the standing is so, how it came, and who begins the next one."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion import record
from companion.drawing.chart import APART, BOTTOM, DIGIT, HEIGHT, WIDTH, chart
from companion.game import AnyGame
from companion.games import GAMES
from companion.play import Asked, Play, begin
from companion.printing.items import filling
from companion.testing import kit
from companion.testing.kit import Table
from companion.words import LANGUAGES, Voice
from tests.house import a_round

NAMES = ("Anna", "Bo", "Cy", "Di")


def played(game: str, options: dict[str, Any], moves: list[dict[str, Any]], seats: int = 4) -> Play[Any]:
    """Play moves that must hold."""
    play = begin(GAMES[game], GAMES[game].options.load(options), seats)
    assert isinstance(play, Play)
    for number, data in enumerate(moves, 1):
        ruled = play.judge(Asked(number, record.read_move(GAMES[game], seats, data)))
        assert isinstance(ruled, Play), (data, ruled)
        play = ruled
    return play


def positions(play: Play[Any]) -> list[Any]:
    return [play.start, *(ruled.position for ruled in play.moves())]


def told(play: Play[Any], language: str = "en") -> list[str]:
    speak = Voice(play.game.words, NAMES, language)
    return [speak.event(reason) for reason in play.game.reasons(play.position)]


@pytest.fixture(scope="module", params=GAMES.values(), ids=list(GAMES))
def evening(request: pytest.FixtureRequest) -> Play[Any]:
    """A whole game at random."""
    game: AnyGame = request.param
    *_, last = kit.play_on(Table(game, {}, 4), Random(5))
    return last


def test_the_course_ends_with_the_standing(evening: Play[Any]) -> None:
    course = evening.game.course(positions(evening))
    assert course is not None
    assert len({len(line) for line in course.lines}) == 1
    scores = {place.seat: place.score for place in evening.game.standing(evening.position).places}
    if len(course.lines) == len(scores):
        assert scores == dict(enumerate(line[-1] for line in course.lines))
    else:
        assert len(course.lines) == 1


def test_the_course_of_rage_adds_up() -> None:
    play = played("rage", {}, [move for number in range(1, 4) for move in a_round(number, 4)])
    course = play.game.course(positions(play))
    assert course is not None
    rows = [[row["n"] for row in finished["rows"]] for finished in play.game.summary(play.position)["rounds"]]
    assert [line[0] for line in course.lines] == [0, 0, 0, 0]
    assert [line[2] - line[1] for line in course.lines] == rows[1]
    assert [line[3] for line in course.lines] == [sum(column) for column in zip(*rows, strict=True)]


def test_the_course_of_ubongo_has_a_step_a_round_and_the_count_ends_the_last() -> None:
    rolled = {"move": "roll", "symbol": 1}
    called = [{"move": "ubongo", "seat": seat} for seat in (0, 1)]
    taken = [{"move": "take", "seat": seat, "gems": gems} for seat, gems in ((0, ["red", "red"]), (1, ["red", "blue"]))]
    counts = [[0, 7, 0, 0, 0, 0], [1, 1, 3, 0, 0, 0]]
    moves = [rolled, *called, *taken, rolled, called[1], taken[1], {"move": "time_up"}, rolled]
    play = played("ubongo", {}, [*moves, called[0], {"move": "count", "gems": counts}], seats=2)
    course = play.game.course(positions(play))
    assert course is not None
    assert (course.title, course.step) == ("Largest colour after each round", "Round")
    assert course.lines == ((0, 2, 2, 7), (0, 1, 2, 3))


def test_the_course_of_a_game_that_nobody_has_begun_is_its_start(evening: Play[Any]) -> None:
    whole = evening.game.course(positions(evening))
    start = evening.game.course([evening.start])
    assert whole is not None
    assert start is not None
    assert [line[0] for line in start.lines] == [line[0] for line in whole.lines]


def test_a_score_sheet_is_filled_from_the_last_position(evening: Play[Any]) -> None:
    filled = filling(evening.game, positions(evening))
    assert filled | evening.game.summary(evening.position) == filled


def test_the_score_sheet_of_ikebana_shows_all_rounds() -> None:
    *_, last = kit.play_on(Table(GAMES["ikebana"], {}, 4), Random(5))
    filled = filling(last.game, positions(last))
    assert len(filled["starters"]) == len(filled["after"]) == 4
    assert filled["after"][-1] == filled["prestige"]


def test_whoever_begins_next_is_chosen_by_the_rules(evening: Play[Any]) -> None:
    changes = evening.game.again(evening.position)
    assert len(changes) == (evening.game.key != "tally")  # where all tell at once, nobody begins
    for option, seat in changes.items():
        assert option in evening.game.options.fields
        assert seat in range(4)
    assert isinstance(begin(evening.game, evening.game.options.load(dict(changes)), 4), Play)


@pytest.mark.parametrize(("first", "after_ten", "after_one"), [(0, 2, 1), (2, 0, 3), (3, 1, 0)])
def test_the_deal_passes_on_and_so_does_the_beginning(first: int, after_ten: int, after_one: int) -> None:
    moves = [move for number in range(1, 11) for move in a_round(number, 4)]
    rage = played("rage", {"first_dealer": first, "bidding": "hidden"}, moves)
    assert rage.game.again(rage.position) == {"first_dealer": after_ten}
    hanabi, ubongo = (played(game, {"first_seat": first}, []) for game in ("hanabi", "ubongo"))
    assert hanabi.game.again(hanabi.position) == ubongo.game.again(ubongo.position) == {"first_seat": after_one}


def test_the_deal_of_five_passes_on_from_who_dealt_last() -> None:
    rage = played("rage", {"bidding": "hidden"}, [move for number in range(1, 11) for move in a_round(number, 5)], 5)
    assert [played["dealer"] for played in rage.game.summary(rage.position)["rounds"]] == [4, 0, 1, 2, 3] * 2
    assert rage.game.again(rage.position) == {"first_dealer": 4}


def test_whoever_scored_most_in_the_last_round_starts_the_next_game_of_ikebana() -> None:
    *_, last = kit.play_on(Table(GAMES["ikebana"], {"next_starter": "round"}, 4), Random(5))
    totals = [bouquet["total"] for bouquet in last.game.summary(last.position)["bouquets"][-1]]
    assert totals.count(max(totals)) == 1
    assert last.game.again(last.position) == {"first_seat": totals.index(max(totals))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_level_totals_are_explained_in_every_language(language: str) -> None:
    """Everyone bids nothing and takes nothing but the host's neighbour, so that three are level."""
    bids = [{"move": "bid", "seat": seat, "tricks": 0} for seat in (0, 1, 2, 3)]
    moves = [*bids, {"move": "tally", "tricks": [10, 0, 0, 0], "plus": [0] * 4, "minus": [0] * 4}]
    play = played("rage", {}, moves)
    [sentence] = told(play, language)
    assert all(name in sentence for name in NAMES[1:])
    assert "Anna" not in sentence
    decided = played("rage", {"tie": "most_exact_bids"}, moves)
    assert told(decided, language) == [sentence]


def test_two_who_are_level_share_a_place() -> None:
    bids = [{"move": "bid", "seat": seat, "tricks": tricks} for seat, tricks in enumerate((2, 2, 4, 0))]
    tally = {"move": "tally", "tricks": [2, 2, 4, 2], "plus": [0] * 4, "minus": [0] * 4}
    assert told(played("rage", {}, [*bids, tally])) == ["Equal totals: Anna and Bo share place 2."]


def test_the_end_of_rage_names_who_is_first_and_who_shares_a_place() -> None:
    """Everybody bids 0 in every round, and Anna takes all the tricks: 10 points a round for each of the others."""
    play = played("rage", {"bidding": "hidden"}, [move for number in range(1, 11) for move in a_round(number, 4)])
    speak = Voice(play.game.words, NAMES)
    assert [speak.event(event) for event in play.events] == [
        "Round 10 is counted.",
        "Anna scores −4: 1 trick +1 and bid of 0 missed −5.",
        "Bo scores 10: bid of 0 made +10.",
        "Cy scores 10: bid of 0 made +10.",
        "Di scores 10: bid of 0 made +10.",
        "The game is over. First place: Bo, Cy, and Di.",
    ]
    assert told(play) == ["Equal totals: Bo, Cy, and Di share place 1."]
    assert play.game.view(play.position, None).winners == (1, 2, 3)


def test_exact_bids_decide_where_the_table_says_so() -> None:
    """Anna makes 10 of 10 exactly and then misses; Bo misses and then makes it: the totals are made equal by a +5."""
    ten = {"move": "tally", "tricks": [2, 2, 3, 3], "plus": [0, 3, 0, 0], "minus": [0] * 4}
    bids = [{"move": "bid", "seat": seat, "tricks": tricks} for seat, tricks in enumerate((2, 0, 0, 0))]
    play = played("rage", {"tie": "most_exact_bids"}, [*bids, ten])
    assert [place.score for place in play.game.standing(play.position).places][:2] == [12, 12]
    assert told(play)[0] == "Anna and Bo have equal totals; exact bids decide, 1 to 0."


# The picture


@pytest.mark.parametrize("most", [300, 10_000, 10**7, 10**12])
def test_lines_stay_in_the_picture_and_marks_apart(most: int) -> None:
    chance = Random(3)
    for _ in range(200):
        seats, steps = chance.randint(1, 8), chance.randint(1, 60)
        lines = [[chance.randint(-most * 2 // 3, most) for _ in range(steps + 1)] for _ in range(seats)]
        picture = chart(lines)
        for line in picture.lines:
            for point in line.points.split():
                x, y = map(float, point.split(","))
                assert picture.left <= x <= WIDTH
                assert 0 <= y <= HEIGHT - BOTTOM
        marks = sorted(line.mark_y for line in picture.lines)
        assert all(below - above >= APART - 0.11 for above, below in pairwise(marks))
        assert marks[0] >= 0
        assert marks[-1] <= HEIGHT - BOTTOM
        numbers = [number for _y, number in picture.ticks]
        assert numbers[0] <= min(map(min, lines))
        assert numbers[-1] >= max(map(max, lines))
        assert len(numbers) <= 8
        assert all(DIGIT * len(str(number)) <= picture.numbers < picture.left for number in numbers)
        assert len(picture.steps) <= 11


def test_higher_is_higher_and_zero_is_where_it_is_named() -> None:
    picture = chart([(0, 10), (0, 5), (0, -5)])
    heights = [line.end[1] for line in picture.lines]
    assert heights == sorted(heights)
    named = {number: y for y, number in picture.ticks}
    assert named[0] == float(picture.lines[0].points.split()[0].split(",")[1])
