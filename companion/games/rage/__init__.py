"""Rage: ten rounds of tricks, from ten cards down to one; say how many you will take, and take just those.

Three to eight players. Every round ends with one line a player: tricks, +10 for an exact bid or −5, and the
±5 cards in the tricks won. The referee never sees a hand: players record cards, tricks, or just the count.
"""

from __future__ import annotations

from operator import attrgetter

from companion.game import Game
from companion.games.rage import moves, pads, position, rules, schemas, scoring, sheets
from companion.games.rage.ending import again, course, reasons
from companion.games.rage.figures import STATISTICS, figures
from companion.games.rage.lesson import lesson
from companion.games.rage.likely import likely
from companion.games.rage.question import QUESTION
from companion.games.rage.rule_card import rule_card
from companion.games.rage.view import View, own, view
from companion.games.rage.words import WORDS

GAME: Game[position.Options, position.Position, moves.Move, View] = Game(
    key="rage",
    name="Rage",
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
    reasons=reasons,
    course=course,
    asked_first="bidding",
    again=again,
    begins=attrgetter("leader"),
    figures=figures,
    statistics=STATISTICS,
    has_secrets=rules.has_secrets,
    still_means=rules.still_means,
    recorded=rules.recorded,
    sheets={
        "score_sheet": sheets.score_sheet,
        "score_pad": pads.score_pad,
        "trump_tracker": pads.trump_tracker,
        "reference_cards": sheets.reference_cards,
    },
)
