"""Hanabi's score sheet and pads: every box, ticked as the table says, and the names of the ratings."""

from __future__ import annotations

import re
from itertools import chain
from random import Random
from typing import Any

import pytest

from companion.game import Accepted
from companion.games import GAMES
from companion.games.hanabi.cards import Card, Colour
from companion.games.hanabi.moves import Arrange, Hint, Move, PlayCard, Reward
from companion.games.hanabi.position import Ending, Position, Tile
from companion.games.hanabi.scoring import Tier
from companion.kernel.frozen import replace
from companion.printing import PAPERS, Sheet
from companion.printing.items import filling
from companion.testing.kit import Table, play_on
from companion.words import LANGUAGES, Voice, read_out, translations
from tests.proofs import boxes_mm, measured_pdf, sheet, sizes_mm

GAME = GAMES["hanabi"]


def laid_out(options: dict[str, Any], facts: dict[str, Any] | None = None) -> Any:
    """Lay out the sheet of a table for two."""
    return GAME.sheets["score_sheet"](options, ["Anna", "Bohouš"], facts, {})


def test_every_copy_of_every_card_has_a_box() -> None:
    options = {"edition": "pl", "multicolour": 5, "black_powder": True}
    lines = {line["letter"]: line for line in laid_out(options)["suits"]}
    assert [value for value, _ in lines["W"]["copies"]] == [1, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert [value for value, _ in lines["K"]["copies"]] == [5, 5, 5, 4, 4, 3, 3, 2, 2, 1]
    assert [value for value, _ in lines["M"]["copies"]] == [1, 2, 3, 4, 5]
    assert [value for value, _ in lines["K"]["firework"]] == [5, 4, 3, 2, 1]


def test_the_boxes_are_ticked_as_the_summary_says() -> None:
    play = list(play_on(Table(GAME, {}, 2), Random(1), most=2_000))[-1]
    assert GAME.standing(play.position).is_finished
    summary, on_paper = GAME.summary(play.position), laid_out({}, filling(GAME, play.positions()))
    for line in on_paper["suits"]:
        assert sum(is_built for _, is_built in line["firework"]) == summary["fireworks"][line["letter"]]
        for value in range(1, 6):
            ticked = sum(is_gone for own, is_gone in line["copies"] if own == value)
            assert ticked == summary["discarded"].get(f"{line['letter']}{value}", 0)
    assert [band["tier"] for band in on_paper["scale"] if band["is_reached"]] == [summary["tier"]]


def test_everyone_who_had_the_last_turn_is_ticked() -> None:
    """Followed over whole random evenings: a tick more with each turn after the last card is drawn."""
    ends = set()
    for seed in range(6):
        plays = list(play_on(Table(GAME, {"detail": "tokens", "first_seat": 1}, 2), Random(seed), most=2_000))
        for play in plays:
            position = play.position
            seats = laid_out({}, filling(GAME, play.positions()))["seats"]
            done = [seat["seat"] for seat in seats if seat["is_done"]]
            left = position.turns_left
            if left is None:
                assert done == []
            elif not position.is_finished:
                assert len(done) == max(0, 2 - left)
                assert position.turn not in done
        ends.add((plays[-1].position.ending, len(done)))
        html = sheet("hanabi", "score_sheet", laid_out({}, filling(GAME, plays[-1].positions())))
        assert html[: html.index('<table class="tracks">')].count("<title>ticked</title>") == len(done)
    assert (Ending.LAST_TURN, 2) in ends


def last_turns(start: Position, *moves: Move) -> list[list[int]]:
    """Tell who has had the last turn after each of some moves."""
    positions, told = [start], []
    for move in moves:
        ruling = GAME.judge(positions[-1], move)
        assert isinstance(ruling, Accepted), ruling
        positions.append(ruling.position)
        told.append(filling(GAME, positions)["last_turns"])
    return told


def test_who_arranges_a_hand_in_the_last_round_has_not_had_the_turn() -> None:
    start = replace(Table(GAME, {"detail": "tokens"}, 2).begin().position, deck=1)
    arranged = Arrange(0, (1, 0, 2, 3, 4)), Arrange(1, (1, 0, 2, 3, 4))
    told = last_turns(start, PlayCard(0, None, None), *arranged, Hint(1), *arranged, Hint(0))
    assert told == [[], [], [], [1], [1], [1], [0, 1]]


def test_nobody_has_had_the_last_turn_where_the_last_round_begins_anew() -> None:
    red, options = Card(Colour.RED, 5), {"detail": "tokens", "edition": "pl", "flamboyants": True}
    start = Table(GAME, {**options, "late_shuffle": "restart"}, 3).begin().position
    start = replace(start, deck=0, turns_left=3, unnamed=1, fireworks=(4,) * 5)
    told = last_turns(start, Hint(0), PlayCard(1, None, red), Reward(1, Tile.T5), Hint(2))
    assert told == [[0], [0], [], [2]]


def test_the_reward_tiles_that_were_used_are_ticked() -> None:
    options = {"edition": "pl", "multicolour": 10, "flamboyants": True}
    start = Table(GAME, options, 2).begin().position
    for used in ((), (Tile.T4,), (Tile.T6, Tile.T1, Tile.T3)):
        on_paper = laid_out(options, filling(GAME, [start, start, replace(start, tiles=used)]))
        assert on_paper["tiles"] == [(tile.value, tile in used) for tile in Tile]
        html = sheet("hanabi", "score_sheet", on_paper)
        ticked = re.findall(r"<title>chosen</title>\s*(?:<path[^>]*/>\s*)*</svg></span><small>([^<]+)</small>", html)
        assert ticked == [GAME.words.names[tile].strip("“”") for tile in sorted(used, key=lambda tile: tile.value)]
    assert not any(is_used for _, is_used in laid_out(options)["tiles"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rating_has_one_name_on_the_sheet_on_the_card_and_on_the_screen(language: str) -> None:
    speak = Voice(GAME.words, (), language)
    options = {"edition": "pl", "multicolour": 5}
    names = [speak.say(tier) for tier in Tier]
    words = translations(language, GAME.words.catalogue)
    html = sheet("hanabi", "score_sheet", laid_out(options), words=words)
    assert re.findall(r"</svg>([^<]*)</span>\s*</td>", html) == names
    card = " ".join(
        " ".join([part["text"], *chain(*part["table"])])
        for section in read_out(GAME.rule_card(GAME.options.load(options), False), speak)
        for part in section["paragraphs"]
    )
    assert [name for name in names if name not in card] == []
    drawn = next(statistic for statistic in GAME.statistics if any(bar.label == "a flop" for bar in statistic.bars))
    assert [words.gettext(bar.label) for bar in drawn.bars] == names


def test_the_scale_reaches_as_far_as_the_table_can() -> None:
    def scale(options: dict[str, Any]) -> list[str]:
        return [band["scores"] for band in laid_out(options)["scale"]]

    assert scale({}) == ["≤ 5", "6–10", "11–15", "16–20", "21–24", "25"]
    assert scale({"multicolour": 5})[-2:] == ["25–29", "30"]
    assert scale({"endless": True}) == []


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("tokens", [8, 10])
def test_of_four_pads_to_a_page_every_box_can_be_ticked_by_hand(paper: str, tokens: int) -> None:
    """Ten tokens in one row were boxes of 6.5 mm."""
    options = {"edition": "pl", "multicolour": 10, "black_powder": True, "hint_tokens": tokens}
    html = Sheet(GAME, "score_pad", "de", paper, "four").html(players=[""] * 5, options=options)
    assert len(sizes_mm(measured_pdf(html))) == 1
    boxes = boxes_mm(html, "td")
    assert len(re.findall(r"<td>", html)) == 4 * (tokens + 3 + 7 * 5)
    assert min(right - left for left, _, right, _ in boxes) >= 8
    assert min(bottom - top for _, top, _, bottom in boxes) >= 7.5
