"""The benchmarks play what tables play: whole games, each move legal, the same by a form as by a program."""

import asyncio
import gzip
import json
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from statistics import mean

import pytest

from benchmarks import clients, everything, printing, servers
from benchmarks.clients import PATIENCE_S, Trial
from benchmarks.dealt import PHONES, SHORTEST, Dealt, Move, deal, usual_views
from benchmarks.ground import Ground
from benchmarks.load import MEMORY, PATHS, Figures
from benchmarks.loading import Loaded, loaded
from benchmarks.sections import games
from benchmarks.servers import Running
from benchmarks.tables import HOST, Opened, Room, Start, spread
from companion import record
from companion.api.encoding import encoded
from companion.game import Accepted
from companion.games import GAMES
from companion.log import Reading, Seating, Table, now
from companion.printing import ITEMS
from companion.tables import referee
from companion.tables.seating import Asker, find_table, hashed
from companion.web.forms import form_of, move_data
from companion.web.packed import uncommented
from tests.house import House

ROOT = Path(__file__).parent.parent
LAST = 8
OF_OTHERS = {"demonstration.js", "operator.js", "stage.js"}
"""Scripts that no seat's page loads."""
"""Moves of a game that are played before a server."""
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sorted((ROOT / "benchmarks").rglob("*.py"))
]


@pytest.fixture(autouse=True)
def no_loop() -> Iterator[None]:
    """Hide the loop that the driver of a browser leaves running in this thread, if a page was tried before."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


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
        typed = move_data(table, form_of(move.form))
        assert record.read_move(dealt.game, PHONES, typed) == record.read_move(dealt.game, PHONES, move.data)


def test_their_state_is_as_large_as_our_view_usually_is(dealt: Dealt) -> None:
    views = usual_views([dealt])
    theirs = [len(encoded({**views.shared, **own})) for own in views.own]
    ours = [len(encoded(dealt.game.view(step.position, 0))) for step in dealt.play.moves()]
    assert mean(theirs) == pytest.approx(mean(ours), rel=0.2)


def test_the_others_can_play_every_game_whichever_are_measured_alone(tmp_path: Path) -> None:
    ground = Ground(tmp_path, scale=0.04, kinds=["rage"])
    assert set(json.loads(ground.their_games.read_text())) == set(GAMES)


@pytest.mark.in_turn(of=2)
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


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Running]]:
    """A server as the benchmarks start it."""
    house = House(tmp_path_factory.mktemp("benchmarks"))
    with servers.ours(house, 2 * PHONES) as running:
        yield house, running
    house.close()


@pytest.fixture(scope="module")
def room(served: tuple[House, Running]) -> Room:
    return Room(served[0])


async def played(name: str, opened: Opened, running: Running, moves: int) -> Trial:
    """Let phones play until so many moves of a game are made, or something is wrong."""
    trial = Trial()
    tables = [clients.Table(trial, opened, PATHS[name])]
    try:
        await clients.connect(tables, trial, running.port)
        await asyncio.wait_for(clients.play_to([moves], tables, trial), PATIENCE_S)
    finally:
        trial.close()
    return trial


@pytest.mark.in_turn(of=2)
@pytest.mark.parametrize(
    ("dealt", "name"),
    [*((key, "phones") for key in GAMES), *(("rage", name) for name in PATHS if name != "phones")],
    indirect=["dealt"],
)
def test_phones_play_a_game_to_its_end_on_each_path(
    served: tuple[House, Running], room: Room, dealt: Dealt, name: str
) -> None:
    house, running = served
    (opened,) = room.open([Start(dealt, len(dealt.moves) - LAST)])
    trial = asyncio.run(played(name, opened, running, len(dealt.moves)))
    reading = house.read(opened.code)
    assert (reading.number, trial.moves) == (opened.number + LAST, LAST)
    assert dealt.game.standing(reading.play.position).is_finished


@pytest.mark.parametrize("name", PATHS)
def test_a_move_that_is_not_entered_ends_the_trial(served: tuple[House, Running], room: Room, name: str) -> None:
    (dealt,) = deal("rage", 1)
    (opened,) = room.open(
        [Start(Dealt(dealt.game, dealt.options, [Move(HOST, {"move": "fly"}, "move=fly")], dealt.play))]
    )
    with pytest.raises(AssertionError):
        asyncio.run(played(name, opened, served[1], 1))


def test_a_first_load_counts_all_that_a_page_asks_for(served: tuple[House, Running], room: Room) -> None:
    first = loaded(served[1], room.open([Start(deal("rage", 1)[0])]))
    static = ROOT / "companion/static"
    styles = [static / "companion.css", static / "games/rage.css"]
    scripts = [*(file for file in static.glob("*.js") if file.name not in OF_OTHERS), static / "games/rage.js"]
    sent = [uncommented(file.read_bytes()) for file in scripts]
    for weight, texts in ((first.styles, [file.read_bytes() for file in styles]), (first.scripts, sent)):
        assert weight == sum(len(gzip.compress(text, mtime=0)) for text in texts)
    assert first.all - first.drawing - first.styles == first.page > 0
    assert first.drawing - first.scripts == first.templates > 0


def test_what_should_hold_is_told_beside_what_is() -> None:
    figures = games.Played()
    for name, moves_s, cpu_us in (("phones", 150, 240), (MEMORY, 100, 200)):
        figures.busy["rage", name].append(Figures(moves_s, [0.01, 0.01], cpu_us, 1001, 0.5, 0))
    for name, took_s in (("phones", 0.003), (MEMORY, 0.002)):
        figures.alone["rage", name].append(Figures(20, [took_s, took_s], 1000, 500, 0.1, 0))
    said = games.told(figures, {"rage": Loaded(20_000, 10_000, 15_000, 9_000, 4_000)}, ["phones"], [])
    assert (
        "| rage | ours, phones | ✓ 1.50 (≥ 1.3) | 1.00 | 1.00 | ✗ 1.50 (≤ 1.2) | ✓ 240 (≤ 250) | ✗ 1,001 (≤ 1000) |"
        " ✓ 54.0 (≤ 100) | ✓ 24.0 (≤ 40) |"
    ) in said


@pytest.mark.parametrize("left_s", [0.5, 0])
def test_a_section_for_which_there_is_no_time_is_not_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], left_s: float
) -> None:
    begun = []

    async def busy() -> str:
        def again() -> None:
            time.sleep(0.05)
            loop.call_soon(again)

        begun.append("busy")
        loop = asyncio.get_running_loop()
        again()
        await asyncio.sleep(5)
        return "measured"

    assert not everything.printed("games", lambda ground: asyncio.run(busy()), Ground(tmp_path), left_s)
    assert "Not measured: Over." in capsys.readouterr().out
    assert begun == (["busy"] if left_s else [])


def test_no_sheet_is_measured_twice_and_none_is_left_out() -> None:
    """The second time it came from the printer's memory, and counted as a millisecond."""
    measured = printing.written()
    assert {sheet.item for sheet, _html in measured} == {*ITEMS}
    assert len({html for _sheet, html in measured}) == len(measured)
