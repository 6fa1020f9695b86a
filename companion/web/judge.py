"""Ask the referee: one question of a game, without a table or at one; the address holds it, so it can be passed on."""

from __future__ import annotations

from typing import Any, TypedDict
from urllib.parse import urlencode

from flask import Blueprint, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import verdict
from companion.desk.asking import find_game, table_at
from companion.desk.context import Context
from companion.desk.language import language
from companion.desk.options import suggested
from companion.desk.verdict import Answer, Unanswered
from companion.desk.wording import Cited, cite
from companion.errors import NotThere
from companion.game import AnyGame
from companion.games import GAMES
from companion.question import WORDS, Keys, Part, Topic
from companion.web import asked as taps
from companion.web.asked import Question

pages = Blueprint("judge", __name__)

CODE_LENGTH = 6
ABOUT = "about"
"""The kind of question, in an address."""


class Key(TypedDict):
    """A key: a word that can be touched."""

    word: str
    name: str
    is_barred: bool
    """Whether it cannot be; touched, it says why."""
    is_chosen: bool


class Field(TypedDict):
    """A part of a question, on the page."""

    option: str
    label: str
    chosen: list[Key]
    keys: list[list[Key]]
    is_usual: bool
    """Whether nothing was told, and what is usual holds."""
    is_row: bool
    """Whether several words can be told."""


class Told(TypedDict):
    """A player who is told."""

    word: str
    """As the address has it: `A=3,3,0,1`."""
    letter: str
    parts: list[Field]


class RefereesPage(Context, template="judge.html"):
    """The games whose referees can be asked."""

    games: list[AnyGame]


class TopicsPage(Context, template="question/topics.html"):
    """What the referee of a game can be asked."""

    game: AnyGame
    code: str
    """Of the table whose rules and cards are filled in; "" without one."""
    topics: list[tuple[str, str]]
    """(address, question) of each."""


class WordsPage(Context, template="question/words.html"):
    """A question in words, and the answer."""

    game: AnyGame
    typed: MultiDict[str, str]
    """The question, as it stands in the address."""
    answer: Answer | None
    cited: Cited | None
    """Where the rule stands that decides."""
    complaint: str
    """What cannot be read of the question."""
    complains_in: str
    """The language of the complaint: English where a game has no words for it."""


class KeysPage(Context, template="question/keys.html"):
    """A question that is put together by keys, and the answer so far."""

    game: AnyGame
    code: str
    """Of the table from where it is asked; "" without one."""
    topic: Topic
    title: str
    fields: list[Field]
    rules: list[Field]
    """The parts that are rules of a table."""
    now: Field
    """The part that the keys are for."""
    colours: list[Key]
    """The colours that stand beside its keys."""
    players: list[Told]
    """The players that are told."""
    letter: str
    """Of the player who is told now; "" where no players are."""
    has_more: bool
    """Whether another player can be told."""
    answer: Answer | None
    cited: Cited | None
    missing: str
    """What is still to be told."""
    complaint: str
    """Why what was touched cannot be."""


@pages.get("/judge")
def judge() -> str:
    """Show the games that can be asked about."""
    return RefereesPage(games=list(GAMES.values())).html()


@pages.get("/t/<code>/ask")
def at_table(code: str) -> BaseResponse | str:
    """Show what the referee of a table can be asked, its rules and what lies on it filled in."""
    table = table_at(code)
    game, play = log.game_of(table), log.read(table).play
    if not game.question.topics:  # it is asked in words
        return redirect(url_for("judge.question", game=game.key))
    lies = game.question.lies(play.position) if game.question.lies else {}
    return TopicsPage(game=game, code=table.code, topics=_addresses(game, lies, table=table.code)).html()


@pages.get("/judge/<game>")
def question(game: str) -> str | tuple[str, int]:
    """Ask a question, and answer it as far as it is told."""
    chosen = find_game(game)
    if not chosen.question.topics:
        return _by_words(chosen)
    if not request.args.keys() - {"lang"}:
        edition = {name: str(value) for name, value in suggested(chosen, language()).items()}
        return TopicsPage(game=chosen, code="", topics=_addresses(chosen, {"": edition})).html()
    return _by_keys(chosen, _topic(chosen), request.args)


def _addresses(game: AnyGame, lies: Any, **more: str) -> list[tuple[str, str]]:
    """Write the address of each kind of question, with what is known of it."""
    found: list[tuple[str, str]] = []
    for topic in game.question.topics:
        known = {**lies.get("", {}), **lies.get(topic.key, {})}
        names = {part.option for part in topic.parts} | {WORDS}
        told = {name: value for name, value in known.items() if name in names and value}
        query = urlencode({"about": topic.key, **told, **more})
        found.append((f"{url_for('judge.question', game=game.key)}?{query}", _(topic.title)))
    return found


def _topic(game: AnyGame) -> Topic:
    """Find the kind of question: as the address says, or as its words and options have it. Raises: NotThere."""
    if ABOUT in request.args:
        found: Topic | None = next((one for one in game.question.topics if one.key == request.args[ABOUT]), None)
        if found is None:
            raise NotThere
        return found
    options = {name: request.args[name] for name in game.question.options if request.args.get(name)}
    asked: Topic = next(
        topic for topic in reversed(game.question.topics) if topic.is_meant(taps.parted_players(request.args), options)
    )
    return asked


def _by_words(game: AnyGame) -> str | tuple[str, int]:
    answer, complaint, complains_in = None, "", language()
    if request.args.keys() - {"lang"}:
        options = {name: request.args[name] for name in game.question.options if request.args.get(name)}
        try:
            answer = verdict.answer(game, taps.parted_players(request.args), options, language())
        except ValueError as error:
            complaint = str(error)
            complains_in = language() if isinstance(error, Unanswered) else "en"
    cited = cite(answer.rule, game) if answer else None
    page = WordsPage(
        game=game, typed=request.args, answer=answer, cited=cited, complaint=complaint, complains_in=complains_in
    ).html()
    return (page, 422) if complaint else page


def _by_keys(game: AnyGame, topic: Topic, args: MultiDict[str, str]) -> str | tuple[str, int]:
    asked, complaint = taps.read(topic, args), ""
    said = _ask(game, asked)
    if _is_impossible(said):
        complaint = str(said)
        earlier = taps.before(topic, args)
        # What cannot be is not kept, so that whoever has touched it can go on.
        if earlier and not _is_impossible(then := _ask(game, earlier)):
            asked, said = earlier, then
    is_wrong = _is_impossible(said)
    answer = said if isinstance(said, Answer) else None
    missing, is_due = (said.missing, said.is_due) if isinstance(said, Unanswered) else ("", False)
    now = taps.active(asked, args, missing, is_due)
    page = KeysPage(
        game=game,
        code=_code(args),
        topic=topic,
        title=_(topic.title),
        fields=[_field(game, asked, part) for part in topic.parts if not part.is_rule],
        rules=[_field(game, asked, part, has_keys=True) for part in topic.parts if part.is_rule],
        now=_field(game, asked, now, has_keys=True, looks_ahead=not is_wrong),
        colours=[_key(game, now, word, args.get(taps.COLOUR) == word) for word in now.colours],
        players=[_told(game, topic, word) for word in asked.players],
        letter=asked.letter if topic.line else "",
        has_more=len(asked.players) < len(asked.words) < game.players[-1],
        answer=answer,
        cited=cite(answer.rule, game) if answer else None,
        missing=str(said) if missing else "",
        complaint=complaint,
    ).html()
    return (page, 422) if complaint else page


def _code(args: MultiDict[str, str]) -> str:
    """Read the code of the table from where it is asked; nobody is told whether there is one."""
    code = args.get("table", "")
    return code if code.isascii() and code.isalnum() and len(code) < 2 * CODE_LENGTH else ""


def _ask(game: AnyGame, asked: Question) -> Answer | Unanswered:
    """Ask the referee."""
    try:
        return verdict.answer(game, asked.words, asked.options, language(), asked.topic.answer)
    except Unanswered as error:
        return error


def _is_impossible(said: Answer | Unanswered) -> bool:
    return isinstance(said, Unanswered) and not said.missing


def _field(game: AnyGame, asked: Question, part: Part, *, has_keys: bool = False, looks_ahead: bool = False) -> Field:
    """Describe a part; with its keys, where it has them, and which of them cannot be, where somebody looks ahead."""
    told = asked.chosen.get(part.option, []) or ([part.usual] if part.usual else [])
    rows = _rows(asked, part) if has_keys else ()
    keys = [[_key(game, part, word, part.most == 1 and word in told) for word in row] for row in rows]
    if looks_ahead and len(asked.chosen.get(part.option, ())) < max(part.most, 2):
        for key in (key for row in keys for key in row):
            key["is_barred"] = taps.STAR not in key["word"] and _is_impossible(
                _ask(game, asked.with_word(part, key["word"]))
            )
    chosen = [_key(game, part, word, True) for word in told]
    return {
        "option": part.option,
        "label": _label(game, part),
        "chosen": chosen,
        "keys": keys,
        "is_usual": not asked.chosen.get(part.option),
        "is_row": part.most > 1,
    }


def _told(game: AnyGame, topic: Topic, word: str) -> Told:
    """Describe a player who is told, part by part; of a word that cannot be read no parts are known."""
    letter, _equals, line = word.partition("=")
    parts = [part for part in topic.parts if part.option in topic.line]
    chosen = dict(zip((part.option for part in parts), ([one] for one in line.split(",")), strict=False))
    return {
        "word": word,
        "letter": letter,
        "parts": [_field(game, Question(topic, chosen), part) for part in parts if part.option in chosen],
    }


def _rows(asked: Question, part: Part) -> Keys:
    """Lay out the keys of a part; as usual where an address says what no key does."""
    try:
        return part.keys(asked.options)
    except ValueError:
        return part.keys({})


def _label(game: AnyGame, part: Part) -> str:
    return str(_(part.label or game.words.options[part.option].name))


def _key(game: AnyGame, part: Part, word: str, is_chosen: bool) -> Key:
    return {"word": word, "name": _name(game, part, word), "is_barred": False, "is_chosen": is_chosen}


def _name(game: AnyGame, part: Part, word: str) -> str:
    """Say what a word stands for; one that cannot be read stands for itself."""
    if taps.STAR in word:
        return ""
    known: dict[str, str] = {
        str(key[1]): label.name for key, label in game.words.options.items() if key[0] == part.option
    }
    if word in known and part.is_rule:
        return str(_(known[word]))
    try:
        thing = part.means(word)
    except (KeyError, ValueError):
        return word
    speak = verdict.voice(game, language())
    return speak.text(thing) if isinstance(thing, str) and thing != word else speak.say(thing)
