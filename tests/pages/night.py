"""A whole game through the pages: every move of a random evening is tapped, and everyone must see what the rules say."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import TimeoutError, expect

from companion import create_app, log, record
from companion.commands import companion
from companion.desk.options import options_of
from companion.game import Accepted, AnyGame
from companion.games import GAMES
from companion.play import Asked, Play
from companion.settings import Settings
from companion.tables import seating
from companion.testing import kit
from companion.testing.kit import Table
from companion.words import translations
from tests.phones import Phone, Server

PATIENCE_S = 10
LAST = 4
"""So many moves at the end of an evening are tapped in the gate, too."""
EVENINGS = 20
"""So many are foreseen until one is long enough for all that has to happen in it."""
NEVER = 1e-9
"""How much a kind of move is liked that is not tapped: to look for all moves again takes longer than to tap one."""
STAGED = """() => [...document.querySelectorAll(".wall > :is(.stage, .next-stage)")].some((stage) => stage.checkVisibility())"""
"""Whether the screen shows anything of the game: what it says can be right, and hidden."""
Taps = Mapping[str, Callable[[Phone, dict[str, Any]], None]]
"""Kind of move -> how it is tapped, given the page of the seat that makes it and the move as data."""


class Night:
    """Phones and the screen at one table, and the same evening beside them by the rules alone."""

    def __init__(  # noqa: PLR0913 (a table is its game, its people, its options and its phones)
        self,
        server: Server,
        phone: Callable[..., Phone],
        game: str,
        names: Sequence[str],
        taps: Taps,
        *,
        plain: int | None = None,
        seed: int = 1,
        locale: str = "en-GB",
        is_long: bool = False,
        **options: str,
    ) -> None:
        """Open a table and seat everyone.

        The phone of the seat `plain` has no script. It loads a whole page for each look, which takes as long as all
        other looks together: in the gate it is looked at before its own moves, with `--long` after every one.
        """
        self.server, self.names, self.taps, self.phone = server, list(names), taps, phone
        self.locale = locale
        self.number, self.is_long = 0, is_long
        self.phones = [self._phone(seat == plain) for seat in range(len(names))]
        self.plain = plain
        if plain is None:
            self.code = self._opened(GAMES[game], options)
        else:
            self.code = self.phones[0].opens_table(self.names, game=game, **options)
            for seat, one in enumerate(self.phones):
                self._sit(one, seat)
        self.screen = phone("Desktop Chrome", locale=locale)
        self.screen.opens(f"/t/{self.code}/screen")
        self.screen.is_live()
        self.app = create_app(Settings(data=server.data, database=server.database, secret=b"s" * 32))
        with self.app.app_context():
            chosen = dict(seating.find_table(self.code).options)
            log.close()
        self.table = Table(GAMES[game], chosen, len(names))
        self.play: Play[Any] = self.table.begin()
        self.chance = kit.Chance(self.table, Random(seed))
        if plain is not None:
            self.phones[plain].page.reload()

    def _phone(self, is_plain: bool) -> Phone:
        return self.phone(locale=self.locale, java_script_enabled=not is_plain)

    def _opened(self, game: AnyGame, options: Mapping[str, str]) -> str:
        """Open the table as programs do; an evening with a phone without script opens it through the pages."""
        chosen = {name: value for name, value in options_of(game, options).items() if name in options}
        asked = {"game": game.key, "players": self.names, "options": chosen}
        code = str(self.phones[0].asks("POST", "/tables", asked)["table"]["code"])
        for seat, (one, name) in enumerate(zip(self.phones, self.names, strict=True)):
            one.asks("PUT", f"/tables/{code}/seats/{seat}", {"name": name})
            one.opens(f"/t/{code}/{seat}")
            one.is_live()
        return code

    def _sit(self, one: Phone, seat: int) -> None:
        if seat:
            one.opens(f"/t/{self.code}")
            one.page.locator(f"button[name=seat][value='{seat}']").tap()
            one.page.wait_for_url(re.compile(rf"/t/{self.code}/{seat}$"))
        else:
            one.opens(f"/t/{self.code}/0")
        if seat != self.plain:
            one.is_live()

    def choose(self) -> dict[str, Any] | None:
        """Choose a legal move at random of a kind that is tapped this evening, as data; None at the end."""
        while (move := self.chance.move(self.play.position)) is not None:
            data: dict[str, Any] = record.write_move(self.table.game, self.table.seats, move)
            if data["move"] in self.taps:
                return data
            self.chance.likes[type(move)], self.chance.known = NEVER, {}
        return None

    def seat_of(self, move: Mapping[str, Any]) -> int:
        """Tell whose phone makes a move; the table's own moves are the host's."""
        return int(move.get("seat", 0))

    def make(self, data: dict[str, Any], is_away: bool = False) -> None:
        """Tap a move; who is away makes it without a network, and it arrives when the network is back."""
        one = self.phones[self.seat_of(data)]
        one.is_awake()
        one.page.context.set_offline(is_away)
        if self.seat_of(data) == self.plain:
            with one.page.expect_navigation():
                self.taps[data["move"]](one, data)
        else:
            self.taps[data["move"]](one, data)
        if is_away:
            expect(one.page.locator("#outbox")).to_be_visible()
            one.page.context.set_offline(False)
            expect(one.page.locator("#outbox")).to_be_hidden()
        self.rule(data)

    def rule(self, data: dict[str, Any]) -> None:
        """Make the same move beside the table."""
        game, seats = self.table.game, self.table.seats
        move = record.read_move(game, seats, data)
        ruling = self.play.judge(Asked(len(list(self.play.moves())) + 1, move))
        assert isinstance(game.judge(self.play.position, move), Accepted), f"{data} is not legal"
        assert isinstance(ruling, Play)
        self.chance.likes.setdefault(type(move), 0.5)
        self.chance.tire(move, kit.progress(self.play) == kit.progress(ruling))
        self.play = ruling

    def agree(self, shows: Callable[[Phone], None], but: int | None = None) -> None:
        """Look at every phone (but for that of one seat), at the screen, and at the record that an export would write."""
        self.number = self.agree_on_the_record()
        for seat in range(len(self.phones)):
            if seat != but:
                self._agrees(seat, shows)
        shows(self.screen)
        self.waits(self.screen, STAGED, None)

    def _agrees(self, seat: int, shows: Callable[[Phone], None]) -> None:
        """Look at the phone of a seat; one without script is asked for the page anew."""
        one = self.phones[seat]
        if seat == self.plain:
            one.page.reload()
        self.waits(one, "number => document.getElementById('part').dataset.number >= number", self.number)
        shows(one)

    def agree_on_the_record(self) -> int:
        """Write the record from the server's own database, and replay it; return the number of the newest entry.

        A tap is entered a moment after it: what changes no points would otherwise be compared too early.
        """
        until = time.monotonic() + PATIENCE_S
        with self.app.app_context():
            while True:
                table = seating.find_table(self.code)
                reading = log.read(table)
                log.rest()
                if len(reading.play.moves()) == len(self.play.moves()) or time.monotonic() > until:
                    break
                time.sleep(0.02)
            log.close()
            written = record.write(reading.play, table.options, self.names, {})
        replayed = record.replay(record.read(json.dumps(written).encode()))
        assert replayed.refused is None
        assert self.play.game.standing(replayed.play.position) == self.play.game.standing(self.play.position)
        assert self.play.game.summary(replayed.play.position) == self.play.game.summary(self.play.position)
        return reading.number

    def agree_on_paper(self) -> None:
        """Replay the record that the table gives: the standing must be that of the rules beside it."""
        file = self.server.data / f"{self.code}.json"
        file.write_text(json.dumps(self.server.record(self.code)))
        replayed = json.loads(CliRunner().invoke(companion, ["replay", "--json", str(file)]).stdout)
        places = self.play.game.standing(self.play.position).places
        assert replayed["legal"]
        assert {row["seat"]: row["score"] for row in replayed["standing"]} == {p.seat: p.score for p in places}

    @staticmethod
    def waits(one: Phone, script: str, wanted: Any) -> None:
        """Wait until a page shows what is wanted, in one step: a thousand looks an evening are dear."""
        try:
            one.page.wait_for_function(script, arg=wanted)
        except TimeoutError as late:
            raise AssertionError(f"never shown: {wanted}") from late

    def plays(
        self,
        shows: Callable[[Phone], None],
        choose: Callable[[], dict[str, Any] | None] | None = None,
        *,
        away: tuple[int, int],
        undo: int,
        retake: int,
    ) -> None:
        """Play to the end of the game; everyone must agree after every move.

        A whole evening of taps takes a minute: in the gate its middle is told by the seats' phones as programs do, and
        everyone looks again after it.

        Args:
            shows: looks at one page.
            choose: gives the next move as data, None at the end; left out: any move at random.
            away: (7, 3): of every seven moves the one after the third is made by a phone without network.
            undo: after so many moves the last one is taken back and put back.
            retake: after so many seat 2 goes to another phone, and an earlier move is amended.
        """
        begun = max(undo, retake, away[1] + 1)
        foreseen = (self.foresee(choose or self.choose) for _evening in range(EVENINGS))
        moves = next(moves for moves in foreseen if len(moves) > begun)
        ends = begun if self.is_long else max(begun, len(moves) - LAST)
        for made, move in enumerate(moves, 1):
            if begun < made <= ends:
                self.tell(move)
                continue
            is_away = (made - 1) % away[0] == away[1]
            self._tap_and_agree(move, shows, is_away=is_away)
            if made == undo:
                self.take_back_and_put_back(0, shows)
            if made == retake:
                self.lose_and_retake(2)
                self.amend_as_it_was(shows)
        assert self.play.game.standing(self.play.position).is_finished
        self.agree(shows)
        self.agree_on_paper()

    def foresee(self, choose: Callable[[], dict[str, Any] | None]) -> list[dict[str, Any]]:
        """Play the evening by the rules alone; return its moves."""
        start, moves = self.play, []
        while (move := choose()) is not None:
            self.rule(move)
            moves.append(move)
        self.play = start
        return moves

    def tell(self, data: dict[str, Any]) -> None:
        """Enter a move as a program does, with the phone of the seat that makes it."""
        self.phones[self.seat_of(data)].asks("POST", f"/tables/{self.code}/moves", data)
        self.rule(data)

    def _tap_and_agree(self, move: dict[str, Any], shows: Callable[[Phone], None], *, is_away: bool) -> None:
        is_plain = self.seat_of(move) == self.plain
        if is_plain and not self.is_long:
            self._agrees(self.seat_of(move), shows)
        self.make(move, is_away=is_away and not is_plain)
        self.agree(shows, but=None if self.is_long else self.plain)

    def take_back_and_put_back(self, seat: int, shows: Callable[[Phone], None]) -> None:
        """Undo the last move by one tap, look, and redo it."""
        now, before = self.play, self.play.take_back()
        assert before is not None
        host = self.phones[seat]
        host.is_awake()
        host.page.locator("form[action*='take-back'] button").tap()
        self.play = before
        self.agree(shows)
        host.is_awake()
        host.page.locator("form[action*='put-back'] button").tap()
        self.play = now
        self.agree(shows)

    def said(self, sentence: str) -> str:
        """Say a sentence of the pages in the language of this evening."""
        return translations(self.locale[:2]).gettext(sentence)

    def amend_as_it_was(self, shows: Callable[[Phone], None]) -> None:
        """Enter the host's first move anew, by the keys of then: everything after it is judged again, all is as before."""
        host = self.phones[0]
        with self.app.app_context():
            steps = log.read(seating.find_table(self.code)).play.numbered()
            log.close()
        number, first = next(
            (n, step.asked.move) for n, step in steps.items() if getattr(step.asked.move, "seat", 1) == 0
        )
        data = record.write_move(self.table.game, self.table.seats, first)
        host.opens(f"/t/{self.code}/history")
        host.changes(host.page.locator(f"#entry-{number} a.quiet"))
        self.taps[data["move"]](host, data)
        host.page.wait_for_url(f"**/t/{self.code}/history")
        host.opens(f"/t/{self.code}/0")
        host.is_live()
        self.agree(shows)

    def lose_and_retake(self, seat: int) -> None:
        """Take a seat away from its phone; another phone sits down there, and the first is told."""
        host, lost = self.phones[0], self.phones[seat]
        host.opens(f"/t/{self.code}/seats")
        host.page.locator(f"#fold-seat-{seat} > summary").tap()
        host.page.locator(f"#fold-seat-{seat} form[action$='/free'] button").tap()
        expect(lost.page.locator("#lost")).to_contain_text(self.names[seat])
        self.phones[seat] = self._phone(is_plain=False)
        self._sit(self.phones[seat], seat)
        host.opens(f"/t/{self.code}/0")
        host.is_live()
