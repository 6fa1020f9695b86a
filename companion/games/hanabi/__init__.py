"""Hanabi: five fireworks, built together from 1 to 5 out of hands that everyone sees but their owners.

Two to five players, who win and lose as one; in turn they hint, discard or play. The referee knows no hand: it keeps
the tokens, the fireworks and what the hints said, rules on every card that is shown, and notices what cannot be.
"""

from __future__ import annotations

from operator import attrgetter

from companion.game import Game
from companion.games.hanabi import moves, options, pads, position, rules, schemas, scoring, sheets
from companion.games.hanabi.ending import again, course, on_paper, reasons
from companion.games.hanabi.figures import STATISTICS, figures
from companion.games.hanabi.lesson import lesson
from companion.games.hanabi.likely import likely
from companion.games.hanabi.question import QUESTION
from companion.games.hanabi.rule_card import rule_card
from companion.games.hanabi.view import View, own, view
from companion.games.hanabi.words import WORDS

GAME: Game[options.Options, position.Position, moves.Move, View] = Game(
    key="hanabi",
    name="Hanabi",
    players=position.PLAYERS,
    version=2,
    older=(1,),
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
    question=QUESTION,
    rule_card=rule_card,
    lesson=lesson,
    likely=likely,
    reasons=reasons,
    on_paper=on_paper,
    course=course,
    again=again,
    asked_first="detail",
    suggested={"detail": "tokens"},
    begins=attrgetter("turn"),
    figures=figures,
    statistics=STATISTICS,
    is_shared=True,
    is_lost=scoring.is_lost,
    bgg=98778,
    still_means=rules.still_means,
    sheets={
        "score_sheet": sheets.score_sheet,
        "score_pad": pads.score_pad,
        "game_log": pads.game_log,
        "reference_cards": sheets.reference_cards,
    },
)
