"""What people read of a table: names, rulings and what went wrong, in the language of who asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import url_for
from flask_babel import gettext as _

from companion import log
from companion.desk.language import language
from companion.errors import CompanionError, Malformed, Told
from companion.game import N_, AnyGame, Refused, Remark, Rule, Section
from companion.kernel.frozen import replace
from companion.log import Reading, Table
from companion.phantoms.practice import is_tried
from companion.play import Broken, Play
from companion.record import RecordError
from companion.words import Voice, paragraph_number, translations, whole_card


@dataclass(frozen=True, slots=True)
class Cited:
    """Where a rule that the referee names stands, for its reader."""

    number: str = ""
    """Of the paragraph that covers it; "" where the game brings no text."""
    link: str = ""


def cite(rule: Rule, game: AnyGame, table: Table | None = None) -> Cited:
    """Find a rule on the card of a table; what this table does not play stands on the card of the game."""
    own = paragraph_number(rule, card_of(game, table)) if table else ""
    number = own or paragraph_number(rule, whole_card(game, language()))
    if not number:
        return Cited()
    page = url_for("rules.of_table", code=table.code) if own and table else url_for("rules.of_game", game=game.key)
    return Cited(number, f"{page}#rule-{number}")


def card_of(game: AnyGame, table: Table) -> tuple[Section, ...]:
    """Give the rules of a table, as its options have them. Raises: UNRULED."""
    log.start(table)  # which says so where the options are none any more
    return game.rule_card(game.options.load(table.options), False)


LETTERS = "ABCDEFGH"
"""The letters of the seats; their shapes stand in `templates/marks.html`."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not, in the reader's words."""

    sentence: str
    later: int | None = None
    """The later entry that would no longer hold."""
    cited: Cited | None = None
    title: str = ""
    """What it is, where it is not the rules that say no."""
    is_race: bool = False
    """Whether somebody was quicker, and nobody is wrong."""


def in_words(game: AnyGame, text: str) -> str:
    """Say a title or a label in the reader's language, by the game's own words where it has some.

    It may have a percent sign, which stands for no fact.
    """
    return translations(language(), game.words.catalogue).gettext(text)


def about(game: AnyGame) -> str:
    """Say in the reader's language what a game is; it says something of itself."""
    return in_words(game, game.about)


def names(table: Table) -> tuple[str, ...]:
    """Name every seat; one that nobody has named is called by its letter."""
    return tuple(
        seating.name or _("Seat %(letter)s", letter=LETTERS[seating.seat % len(LETTERS)]) for seating in table.seatings
    )


def voice(table: Table) -> Voice:
    """Speak the reader's language at a table."""
    return Voice(log.game_of(table).words, names(table), language())


def refusal_of(table: Table, problem: Refused | Broken | CompanionError) -> Refusal:
    """Say why something was refused."""
    if isinstance(problem, CompanionError):
        return Refusal(said(problem), title=_(problem.title))
    if isinstance(problem, Broken):
        why, asked = refusal_of(table, problem.refused), problem.asked
        no_longer = _(
            "Entry %(number)s (%(move)s) would no longer hold: %(reason)s",
            number=asked.number,
            move=voice(table).headline(asked.move),
            reason=why.sentence,
        )
        return replace(why, sentence=no_longer, later=asked.number)
    sentence = voice(table).rule(problem.rule, problem.facts)
    return Refusal(sentence, cited=cite(problem.rule, log.game_of(table), table))


def against(table: Table, now: Reading, ruling: Reading | Refused) -> Refusal | None:
    """Say what the referee has against a move; nothing of what is remarked upon while something is sealed."""
    if isinstance(ruling, Refused):
        return refusal_of(table, ruling)
    is_open = not now.play.game.has_secrets(now.play.position)
    return remarked(table, ruling.play.remarks) if is_open else None


def remarked(table: Table, remarks: Sequence[Remark]) -> Refusal | None:
    """Say what the referee would remark upon a move; None for nothing."""
    if not remarks:
        return None
    speak = voice(table)
    sentences = " ".join(speak.rule(remark.rule, remark.facts) for remark in remarks)
    return Refusal(sentences, cited=cite(remarks[0].rule, log.game_of(table), table), title=_("Please look"))


def said(error: CompanionError) -> str:
    """Say what went wrong above the rules."""
    facts = {name: retold(fact) if isinstance(fact, Told) else fact for name, fact in error.facts.items()}
    return str(_(error.message, **facts))


def malformed(game: AnyGame, error: RecordError) -> Malformed:
    """Put what is wrong with a move into the reader's words, its field named as in the form."""
    name, *index = error.place.partition("[")
    known = {"seat": N_("Seat"), **game.words.fields}
    return Malformed(place=(_(known[name]) if name in known else name) + "".join(index), reason=error.message)


def reason(error: RecordError) -> str:
    """Say why something cannot be read, or why the options cannot be."""
    if error.game and error.refused:
        return Voice(error.game.words, (), language()).rule(error.refused.rule, error.refused.facts)
    return retold(error.message)


def retold(told: Told) -> str:
    """Say in the reader's language what was told in English."""
    return str(_(told.sentence, **told.facts))


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What every template of a table may know of it."""

    code: str
    game: AnyGame
    names: tuple[str, ...]
    """One per seat, never empty."""
    is_locked: bool
    is_over: bool
    halt: str
    """`paused` or `broken_off` while nothing can be played; "" else."""
    is_practice: bool
    """Whether somebody tries the game alone, with phantoms."""
    called: str
    """What its game is called: by its host, where any other game is counted; else as on the box."""


def facts(table: Table, play: Play[Any]) -> TableFacts:
    """Tell the templates about a table."""
    is_over = play.game.standing(play.position).is_finished
    return TableFacts(
        code=table.code,
        game=play.game,
        names=names(table),
        is_locked=table.is_locked,
        is_over=is_over,
        halt=table.halt,
        is_practice=is_tried(table),
        called=play.game.called(play.options),
    )
