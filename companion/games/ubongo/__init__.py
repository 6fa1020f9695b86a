"""Ubongo: solve the puzzle on your card before the sand runs out, and take gems; many of one colour win.

Two to four players. The referee never sees a card: players call out, and it keeps the order of the calls, the sand
glass, the pawns' moves and the gems in the six rows, down to the comparison of colours that decides the game.
"""

from __future__ import annotations

from operator import attrgetter

from companion.game import Game
from companion.games.ubongo import moves, pads, position, rules, schemas, scoring, sheets
from companion.games.ubongo.ending import again, course, on_paper
from companion.games.ubongo.figures import STATISTICS, figures
from companion.games.ubongo.lesson import lesson
from companion.games.ubongo.likely import likely
from companion.games.ubongo.question import QUESTION
from companion.games.ubongo.rule_card import rule_card
from companion.games.ubongo.view import View, own, view
from companion.games.ubongo.words import WORDS

GAME: Game[position.Options, position.Position, moves.Move, View] = Game(
    key="ubongo",
    name="Ubongo",
    players=position.PLAYERS,
    version=position.RULES,
    older=(1,),
    rules=moves.Rule,
    options=schemas.OPTIONS,
    moves=schemas.moves,
    words=WORDS,
    start=rules.start,
    by_rules=rules.by_rules,
    judge=rules.judge,
    legal=rules.legal,
    may_move=rules.may_move,
    view=view,
    own=own,
    standing=scoring.standing,
    summary=scoring.summary,
    question=QUESTION,
    rule_card=rule_card,
    lesson=lesson,
    likely=likely,
    on_paper=on_paper,
    reasons=scoring.comparisons,
    course=course,
    again=again,
    begins=attrgetter("starter"),
    has_points=False,
    figures=figures,
    statistics=STATISTICS,
    bgg=16986,
    still_means=rules.still_means,
    clock=rules.clock,
    sheets={
        "score_sheet": sheets.score_sheet,
        "score_pad": pads.score_pad,
        "board_plan": pads.board_plan,
        "reference_cards": sheets.reference_cards,
    },
)
