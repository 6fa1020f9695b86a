"""What the evenings tell together: the database's sums are those of a recount, play by play."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import pytest

from companion import log, record
from companion.game import AnyGame
from companion.games import GAMES
from companion.games.tally import game_of
from companion.games.tally.reading import read
from companion.kernel.figures import LOST, Per
from companion.log import statistics
from companion.log.book import Book, Search
from companion.log.codes import fresh_codes
from companion.log.rows import Group, Seating, Table, db
from companion.play import Play
from companion.record import read_data, replay
from companion.tables import opening
from companion.tables.seating import hashed
from companion.testing import kit
from tests.house import House, secret
from tests.phones import ROOT

HEARTS = ROOT / "docs" / "score-sheets" / "hearts.toml"
"""A game that the fewest points win."""
PLAYERS = ("Anna", "Ann", "Bohdan", "Žofie", "O'Neil", '"; DROP', "100%_", "")
DAYS = [f"2026-11-{day:02}" for day in range(1, 11)]
EVENINGS = 36
PINBALL = 'name = "Pinball"\nplayers = [2, 4]\nrounds = 1\n[columns.rolled]\nmost = 9999999999\n'


@dataclass(frozen=True)
class Evening:
    """A finished play, as it was given to the book."""

    play: Play[Any]
    names: tuple[str, ...]
    day: str
    host: str


@cache
def evenings() -> tuple[Evening, ...]:
    """Play evenings of every game at random, by few people who meet again and again; some sit down twice."""
    rng = Random(11)
    found = []
    while len(found) < EVENINGS:
        game = GAMES[list(GAMES)[len(found) % len(GAMES)]]
        table = kit.Table(game, {}, rng.choice(game.players))
        *_, play = kit.play_on(table, rng, most=2_000)
        if game.standing(play.position).is_finished:
            names = tuple(rng.choice(PLAYERS) for _ in range(table.seats))
            found.append(Evening(play, names, rng.choice(DAYS), rng.choice(["host", "host", "other"])))
    return tuple(found)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A book with all the evenings, one that goes on, and one of another phone."""
    house = House(tmp_path_factory.mktemp("book"))
    with house.app.app_context():
        for evening in evenings():
            about = {"opened": f"{evening.day}T20:00:00.000Z"}
            data = record.write(evening.play, {}, evening.names) | about
            opening.open_from(replay(read_data(data)), evening.host)
        first = evenings()[2].play
        begun = record.write(first, {}, ["Anna"] * first.seats)
        opening.open_from(replay(read_data(begun | {"moves": begun["moves"][:3]})), "host")
    yield house
    house.close()


@contextmanager
def asked(house: House) -> Iterator[None]:
    with house.app.app_context():
        yield


SEARCHES = [
    Search(),
    Search(game="rage"),
    Search(player="ann"),
    Search(player="%"),
    Search(since="2026-11-03"),
    Search(until="2026-11-06"),
    Search(player="Žofie", game="hanabi", since="2026-11-02", until="2026-11-09"),
    Search(player="nobody at all"),
]
every_search = pytest.mark.parametrize("search", SEARCHES)


def found(search: Search) -> list[Evening]:
    """Choose the evenings of the phone `host` that are looked for."""
    return [
        evening
        for evening in evenings()
        if evening.host == "host"
        and any(search.player.lower() in name.lower() for name in evening.names)
        and search.game in {"", evening.play.game.key}
        and (not search.since or evening.day >= search.since)
        and (not search.until or evening.day < search.until)
    ]


def places(evening: Evening) -> list[Any]:
    return list(evening.play.game.standing(evening.play.position).places)


@pytest.mark.in_turn(of=3)
@every_search
def test_places_are_those_of_a_recount(book: House, search: Search) -> None:
    recount = defaultdict(list)
    for evening in found(search):
        for place in places(evening):
            recount[evening.names[place.seat], evening.play.game.key].append((place.rank, place.score))
    with asked(book):
        played = statistics.played(Book("host"), search)
    told = {(tally.player, tally.game): tally for one in played for tally in one.tallies}
    assert {one.game.key: one.plays for one in played} == Counter(one.play.game.key for one in found(search))
    assert set(told) == {key for key in recount if key[0]}
    for key, tally in told.items():
        ranks, scores = zip(*recount[key], strict=True)
        is_shared, places_of = GAMES[key[1]].is_shared, range(1, GAMES[key[1]].players[-1] + 1)
        assert (tally.plays, tally.best) == (len(ranks), max(scores))
        assert tally.wins == (0 if is_shared else ranks.count(1))  # None of these games can be lost by all.
        assert list(tally.places) == ([] if is_shared else [ranks.count(place) for place in places_of])
        assert tally.average == pytest.approx(sum(scores) / len(scores))


def ends(house: House, wins: str, **points: int) -> None:
    """Let any other game end after a round."""
    code = house.open(list(points), game="tally", wins=wins, rounds=1)
    for seat, value in enumerate(points.values()):
        house.move(code, "host", {"move": "enter", "seat": seat, "column": "number", "value": value}, f"{seat}")


def best(game: AnyGame) -> dict[str, int]:
    """Tell the best of everybody, where `game` stands for its key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "GAMES", {game.key: game})
        [told] = statistics.played(Book(), Search())
    return {tally.player: tally.best for tally in told.tallies}


@pytest.mark.on_both
def test_where_the_fewest_points_win_the_fewest_are_the_best(house: House) -> None:
    ends(house, "low", Anna=30, Bo=40, Cy=-5)
    ends(house, "low", Anna=70, Bo=80)
    ends(house, "high", Bo=10, Dan=20)
    ends(house, "high", Dan=15)
    game, sheet = GAMES["tally"], game_of(read("hearts", HEARTS.read_text(), HEARTS.name))
    with house.app.app_context():
        assert best(game) == {"Anna": 30, "Bo": 10, "Cy": -5, "Dan": 20}
        assert best(replace(game, won_by_fewest=sheet.won_by_fewest)) == {"Anna": 30, "Bo": 10, "Cy": -5, "Dan": 15}


@every_search
@pytest.mark.parametrize("game", GAMES)
def test_figures_are_those_of_a_recount(book: House, search: Search, game: str) -> None:
    players, seats, tables = defaultdict(list), [], []
    for evening in found(search):
        if evening.play.game.key == game:
            figures = evening.play.figures()
            tables.append(figures[0])
            seats += figures
            for name, counted in zip(evening.names, figures, strict=True):
                players[name].append(counted)
    with asked(book):
        told = [played for played in statistics.played(Book("host"), search) if played.game.key == game]
    assert len(told) == bool(tables)
    for played in told:
        recounted(played, players, seats, tables)


def recounted(played: statistics.Played, players: dict[str, Any], seats: list[Any], tables: list[Any]) -> None:
    for statistic in played.game.statistics:
        for bar in statistic.bars:
            for group, sums in {
                Per.PLAYER: [(players[name], sums) for name, sums in played.players.items()],
                Per.SEAT: [(seats, played.seats)],
                Per.TABLE: [(tables, played.tables)],
            }[statistic.per]:
                summed = sum(counted.get(bar.figure, 0) for counted in group)
                whole = sum(counted.get(bar.each, 0) for counted in group) if bar.each else len(group)
                assert bar.of(sums.plays, sums.figures) == (pytest.approx(summed / whole) if whole else None)
    if any(statistic.per is Per.PLAYER for statistic in played.game.statistics):
        assert set(played.players) == set(players) - {""}


@every_search
def test_who_came_before_whom_is_that_of_a_recount(book: House, search: Search) -> None:
    recount = defaultdict(list)
    for evening in found(search):
        if not evening.play.game.is_shared:
            for mine in places(evening):
                for theirs in places(evening):
                    names = evening.names[mine.seat], evening.names[theirs.seat]
                    if names[0] == "Anna" and names[1] not in {"", "Anna"}:
                        recount[names[1], evening.play.game.key].append(
                            (theirs.rank - mine.rank, mine.score - theirs.score)
                        )
    with asked(book):
        everyone = statistics.meetings(Book("host"), search, "Anna")
        one = statistics.meetings(Book("host"), search, "Anna", "Bohdan")
    assert {(meeting.other, meeting.game) for meeting in everyone} == set(recount)
    assert sorted(map(str, one)) == sorted(str(meeting) for meeting in everyone if meeting.other == "Bohdan")
    for meeting in everyone:
        ranks, scores = zip(*recount[meeting.other, meeting.game], strict=True)
        assert meeting.plays == len(ranks)
        assert meeting.ahead == sum(rank > 0 for rank in ranks)
        assert meeting.behind == sum(rank < 0 for rank in ranks)
        assert meeting.level == ranks.count(0)
        assert meeting.difference == pytest.approx(sum(scores) / len(scores))


def test_the_evenings_of_others_are_not_told(book: House) -> None:
    with asked(book):
        assert statistics.played(Book("stranger"), Search()) == []
        assert sum(one.plays for one in statistics.played(Book("other"), Search())) == sum(
            one.host == "other" for one in evenings()
        )


def test_a_group_reads_what_stands_in_its_book(book: House) -> None:
    with asked(book):
        group = Group(key="k", name="Friday", made="2026-11-01T00:00:00.000Z")
        db.session.add(group)
        db.session.flush()
        mine = db.session.query(Table).filter(Table.closed.is_not(None), Table.game == "ubongo").limit(2).all()
        for table in mine:
            table.group_id = group.id
        db.session.flush()
        [played] = statistics.played(Book("stranger", group=group.id), Search())
        assert (played.game.key, played.plays) == ("ubongo", 2)
        db.session.rollback()


def test_what_an_older_release_did_not_count_is_nothing(book: House) -> None:
    """As if the figures of one table lacked a name: the others are summed up without it."""
    with asked(book):
        whole = statistics.played(Book("host"), Search(game="rage"))[0].seats
        table = next(
            table for table in db.session.query(Table) if table.game == "rage" and table.host == "host" and table.closed
        )
        lost = 0
        for seating in table.seatings:
            lost += seating.figures["actions"]
            seating.figures = {name: number for name, number in seating.figures.items() if name != "actions"}
        db.session.flush()
        left = statistics.played(Book("host"), Search(game="rage"))[0].seats
        db.session.rollback()
    assert left.plays == whole.plays
    assert left.figures["actions"] == whole.figures["actions"] - lost
    assert left.figures["tricks"] == whole.figures["tricks"]


def test_nobody_wins_a_play_that_all_have_lost(book: House) -> None:
    """As if the seats of one table of Ubongo had all lost together: its first place counts as a place, not as won."""
    search = Search(game="ubongo")
    with asked(book):
        before = {tally.player: tally for tally in statistics.played(Book("host"), search)[0].tallies}
        table = next(
            one for one in db.session.query(Table) if one.game == "ubongo" and one.host == "host" and one.closed
        )
        first = Counter(seating.name for seating in table.seatings if seating.rank == 1)
        for seating in table.seatings:
            seating.figures = {**seating.figures, LOST: 1}
        db.session.flush()
        after = {tally.player: tally for tally in statistics.played(Book("host"), search)[0].tallies}
        db.session.rollback()
    assert {name: before[name].wins - after[name].wins for name in before if before[name].wins - after[name].wins} == {
        name: count for name, count in first.items() if name
    }
    assert all(before[name].places == after[name].places for name in before)


def test_ends_that_an_older_release_did_not_count_are_counted_at_the_next_start(book: House) -> None:
    search, ends = Search(game="hanabi"), ("won", "ended", "lost")
    with asked(book):
        whole = statistics.played(Book("host"), search)[0].tables
        tables = [one for one in db.session.query(Table) if one.game == "hanabi" and one.closed]
        for seating in (seating for table in tables for seating in table.seatings):
            seating.figures = {name: number for name, number in seating.figures.items() if name not in ends}
        db.session.commit()
        gone = statistics.played(Book("host"), search)[0].tables
        assert sum(gone.figures[end] for end in ends) == 0
        log.upgrade()
        again = statistics.played(Book("host"), search)[0].tables
    assert {end: again.figures[end] for end in ends} == {end: whole.figures[end] for end in ends}
    assert sum(again.figures[end] for end in ends) == again.plays == whole.plays
    assert again.figures == whole.figures


def over(game: str, *lines: tuple[str, int, int], **figures: int) -> None:
    """Lay a table whose game is over: who sat there, at which place they ended, with which score."""
    about = {"game": game, "options": {}, "host": "host", "opened": log.now(), "closed": log.now()}
    seatings = [
        Seating(seat=seat, name=name, rank=rank, score=score, figures=figures)
        for seat, (name, rank, score) in enumerate(lines)
    ]
    log.open_table(Table(**about, seatings=seatings), fresh_codes())


def test_whoever_won_most_is_told_first_then_played_most_then_scored_most(house: House) -> None:
    """And of figures and meetings those of whoever played most."""
    with asked(house):
        over("tally", ("Dora", 1, 10), ("Bo", 2, 9), ("Ed", 2, 9), ("Cy", 4, 4), ("Al", 4, 4), ("", 6, 0))
        over("tally", ("Dora", 1, 3), ("Bo", 2, 1))
        [played] = statistics.played(Book("host"), Search())
        assert [tally.player for tally in played.tallies] == ["Dora", "Bo", "Ed", "Al", "Cy"]
        assert list(played.players) == ["Bo", "Dora", "Al", "Cy", "Ed"]
        met = statistics.meetings(Book("host"), Search(), "Bo")
        assert [meeting.other for meeting in met] == ["Dora", "Al", "Cy", "Ed"]


def test_a_player_s_figures_are_those_of_every_seat_and_a_table_s_are_counted_once(house: House) -> None:
    with asked(house):
        over("hanabi", ("Anna", 1, 25), ("Bo", 1, 25), ("Cy", 1, 25), won=1)
        over("tally", ("Anna", 1, 7), points=7, rounds=2)
        over("tally", ("Bo", 1, 7), ("Anna", 1, 7), points=7, rounds=2)
        hanabi, tally = statistics.played(Book("host"), Search())
    assert (hanabi.plays, hanabi.tables.figures["won"]) == (1, 1)
    assert (tally.plays, tally.seats.figures["points"], tally.players["Anna"].figures["points"]) == (2, 21, 14)
    assert "" not in {*hanabi.seats.figures, *tally.seats.figures}


@pytest.mark.parametrize(
    ("game", "lost", "places", "wins"),
    [("tally", 0, (1, *[0] * 7), 1), ("tally", 1, (1, *[0] * 7), 0), ("hanabi", 0, (), 0)],
)
def test_who_plays_alone_or_against_others_wins_where_they_are_first_and_not_all_have_lost(
    house: House, game: str, lost: int, places: tuple[int, ...], wins: int
) -> None:
    with asked(house):
        over(game, ("Anna", 1, 7), **{LOST: lost})
        [[tally]] = [played.tallies for played in statistics.played(Book("host"), Search())]
    assert (tally.places, tally.wins) == (places, wins)


@pytest.mark.on_both
def test_scores_of_thousands_of_millions_are_kept_and_summed_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the next start finds nothing to count."""
    monkeypatch.setitem(GAMES, "pinball", game_of(read("pinball", PINBALL, "pinball.toml")))  # type: ignore[arg-type]
    for most in (9_999_999_999, 9_000_000_000):
        code = house.open(["Anna", "Bo"], game="pinball")
        for seat, rolled in enumerate((most, 5_000_000_000)):
            tap = {"move": "enter", "seat": seat, "column": "rolled", "value": rolled}
            house.move(code, "host", tap, f"{seat}")
        assert house.read(code).play.game.standing(house.read(code).play.position).is_finished
    host = Book(hashed(secret("host")))
    with asked(house):
        log.upgrade()
        [played] = statistics.played(host, Search())
        [met] = statistics.meetings(host, Search(), "Anna")
    assert [(tally.player, tally.best, tally.average) for tally in played.tallies] == [
        ("Anna", 9_999_999_999, 9_499_999_999.5),
        ("Bo", 5_000_000_000, 5_000_000_000),
    ]
    assert dict(played.seats.figures) == {"points": 28_999_999_999, "rounds": 4}
    assert (met.ahead, met.difference) == (2, 4_499_999_999.5)
    told = [*played.seats.figures.values(), played.tallies[0].average, met.difference]
    assert {type(number) for number in told} == {int, float}


@pytest.mark.promise(25)
@pytest.mark.on_both
def test_a_game_that_leaves_parts_of_numbers_keeps_nobody_from_what_others_tell(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinball: AnyGame = game_of(read("pinball", PINBALL, "pinball.toml"))
    monkeypatch.setitem(GAMES, "pinball", replace(pinball, figures=lambda _play: [{"points": 2.5, "rounds": True}] * 2))  # type: ignore[arg-type]
    code = house.open(["Anna", "Bo"], game="pinball")
    for seat in (0, 1):
        tap = {"move": "enter", "seat": seat, "column": "rolled", "value": 5}
        house.move(code, "host", tap, f"{seat}")
    with asked(house):
        over("tally", ("Anna", 1, 7))
        played = statistics.played(Book(hashed(secret("host"))), Search())
        assert [(one.game.key, dict(one.seats.figures)) for one in played] == [("pinball", {"points": 4, "rounds": 2})]
        assert [one.game.key for one in statistics.played(Book("host"), Search())] == ["tally"]
