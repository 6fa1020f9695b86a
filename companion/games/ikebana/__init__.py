"""Ikebana: four rounds, a bouquet of five cards in each; keep what you draw, pay to refuse it, or buy from others.

Two to five players. Equal values and runs make a bouquet's base, its colours the multiplier; what nobody wants lies
open for the others to buy, and most prestige wins. The table tells every card, or just who pays what.
"""

from __future__ import annotations

from operator import attrgetter

from companion.game import Game
from companion.games.ikebana import moves, pads, position, rules, schemas, scoring, sheets
from companion.games.ikebana.ending import again, course, reasons
from companion.games.ikebana.figures import STATISTICS, figures
from companion.games.ikebana.lesson import lesson
from companion.games.ikebana.likely import likely
from companion.games.ikebana.question import QUESTION
from companion.games.ikebana.rule_card import rule_card
from companion.games.ikebana.view import View, own, view
from companion.games.ikebana.words import WORDS

GAME: Game[position.Options, position.Position, moves.Move, View] = Game(
    key="ikebana",
    name="Ikebana",
    players=position.PLAYERS,
    rules=moves.Rule,
    options=schemas.OPTIONS,
    moves=schemas.moves,
    words=WORDS,
    start=rules.start,
    judge=rules.judge,
    legal=rules.legal,
    may_move=rules.may_move,
    view=view,
    own=own,
    standing=scoring.standing,
    summary=scoring.summary,
    on_paper=scoring.on_paper,
    question=QUESTION,
    rule_card=rule_card,
    lesson=lesson,
    likely=likely,
    reasons=reasons,
    course=course,
    asked_first="detail",
    again=again,
    begins=attrgetter("starter"),
    figures=figures,
    statistics=STATISTICS,
    still_means=rules.still_means,
    sheets={"score_sheet": sheets.score_sheet, "score_pad": pads.score_pad, "reference_cards": sheets.reference_cards},
)
