"""The benchmarks play what tables play: whole games, each move legal, the same by a form as by a program."""

from importlib import import_module
from pathlib import Path
from statistics import mean
from urllib.parse import parse_qsl

import pytest
from werkzeug.datastructures import MultiDict

from benchmarks.dealt import PHONES, SHORTEST, Dealt, deal, usual_views
from benchmarks.tables import HOST, Room, Start, spread
from companion import record
from companion.api.encoding import written
from companion.game import Accepted
from companion.games import GAMES
from companion.log import Reading, Seating, Table, now
from companion.tables import referee
from companion.tables.seating import Asker, find_table, hashed
from companion.web.forms import move_data
from tests.house import House

ROOT = Path(__file__).parent.parent
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted((ROOT / "benchmarks").rglob("*.py"))
]


@pytest.fixture(params=GAMES)
def dealt(request: pytest.FixtureRequest) -> Dealt:
    (only,) = deal(request.param, 1)
    return only


@pytest.mark.parametrize("name", MODULES)
def test_every_module_can_be_imported(name: str) -> None:
    assert import_module(name).__doc__


def test_a_dealt_game_is_legal_and_whole_at_the_time_when_it_is_played(dealt: Dealt) -> None:
    position = record.opened(dealt.game, dealt.options, PHONES).position
    for move in dealt.moves:
        assert not dealt.game.standing(position).is_finished
        ruling = dealt.game.judge(position, record.read_timed(dealt.game, PHONES, move.data, now()))
        assert isinstance(ruling, Accepted), (move, ruling)
        position = ruling.position
    assert dealt.game.standing(position).is_finished
    assert len(dealt.moves) >= SHORTEST


def test_a_form_says_the_same_as_the_move(dealt: Dealt) -> None:
    table = Table(game=dealt.game.key, seatings=[Seating(seat=seat, name="") for seat in range(PHONES)])
    for move in dealt.moves:
        typed = move_data(table, MultiDict(parse_qsl(move.form, keep_blank_values=True)))
        assert record.read_move(dealt.game, PHONES, typed) == record.read_move(dealt.game, PHONES, move.data)


def test_their_state_is_as_large_as_our_view_usually_is(dealt: Dealt) -> None:
    views = usual_views([dealt])
    theirs = [len(written({**views.shared, **own})) for own in views.own]
    ours = [len(written(dealt.game.view(step.position, 0))) for step in dealt.play.moves()]
    assert mean(theirs) == pytest.approx(mean(ours), rel=0.2)


def test_a_table_is_opened_in_the_middle_of_its_game_and_can_be_played_to_the_end(tmp_path: Path, dealt: Dealt) -> None:
    house = House(tmp_path)
    undecided, *others = Room(house).open([Start(dealt, 10, twice=3), *spread([dealt], 2)])
    assert [one.number - one.done for one in (undecided, *others)] == [10, 4, 4]
    for opened in (undecided, *others):
        reading = house.read(opened.code)
        assert (reading.number, len(reading.play.moves())) == (opened.number, opened.done)
    last = others[0]
    for place, move in enumerate(dealt.moves[last.done :], last.number):
        phone = hashed(last.tokens[HOST if move.seat is None else move.seat])
        with house.app.app_context():
            reading = referee.rule_on(Asker(find_table(last.code), phone), move.data, str(place), place)
        assert isinstance(reading, Reading), reading
        assert reading.number == place + 1
    house.close()
