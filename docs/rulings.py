"""Write what is ruled, and by which example it is tried: `.venv/bin/python docs/rulings.py`.

`rulings.toml` has the sentences, by the paragraphs of each game's rules; where they come from, and which decision is
behind them, the examples say themselves, in their `source`.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from companion.game import AnyGame  # noqa: E402
from companion.games import GAMES  # noqa: E402
from companion.words import Voice, numbered, whole_card  # noqa: E402

PAGE, SENTENCES = ROOT / "docs" / "rulings.md", ROOT / "docs" / "rulings.toml"
EXAMPLES = ROOT / "tests" / "games"
BOOK = re.compile(r"[A-Z]-[a-z]{2}$")
RULING = re.compile(r"\b[HIRU]\d{1,2}b?\b")
COLUMNS = ("§", "part", "what it says", "tried by", "the card says", "cited")
MOST = 4
"""How many examples a line names."""

HEAD = """# What is ruled, and by which example it is tried

Each sentence of the rules that rules something, in a few words of ours, with the paragraph of the game's rules that has
it; the examples that try it (rows of `tests/games/<game>/examples/`), or why none can; the words of the rule card by
which a player reads it, or why a player needs none of it; and what the examples cite: a book and its part, or a
[decision](decisions.md) where the books leave something open. Below, for each game, stand all citations with their
examples: nothing is tried that is not found here.

`docs/rulings.py` writes this page from [rulings.toml](rulings.toml) and from the `source` of each example;
`tests/test_rulings.py` holds it to them, to the paragraphs of the rules, and to every decision that is ruled.
"""


@dataclass(frozen=True)
class Example:
    """A row of a table of examples."""

    name: str
    file: Path
    source: str


@dataclass(frozen=True)
class Sentence:
    """A sentence of the rules, and what tries it."""

    paragraph: str
    says: str
    patterns: tuple[str, ...]
    examples: tuple[Example, ...]
    untried: str = ""
    """Why no example can try it; "" where some do."""
    source: str = ""
    """What is behind a sentence that is not tried."""
    card: str = ""
    """The words by which a player reads it."""
    at: str = ""
    """The paragraph of these words; "" where it is the sentence's own."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of a table whose card has these words; none where the card of the whole box does."""
    off_card: str = ""
    """Why a player needs none of it; "" where the card says it."""


@cache
def examples(key: str) -> tuple[Example, ...]:
    """Read the examples of a game, table by table."""
    found = [
        Example(named(row), file, row["source"])
        for file in sorted((EXAMPLES / key / "examples").glob("*.json"))
        for row in json.loads(file.read_text("utf-8"))
    ]
    return tuple(found)


def named(row: Mapping[str, object]) -> str:
    """Name a row; those of purses have no name of their own."""
    return str(row.get("name") or f"{row['points']} points pay for {row['refusals']} refusals")


def fits(pattern: str, name: str) -> bool:
    """Say whether a name is meant, where * stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name) is not None


def written() -> list[str]:
    """List the games that have sentences, in our order."""
    told = tomllib.loads(SENTENCES.read_text("utf-8"))
    return [key for key in GAMES if key in told]


@cache
def sentences(key: str) -> tuple[Sentence, ...]:
    """Read the sentences of a game, with the examples that try them."""
    told = tomllib.loads(SENTENCES.read_text("utf-8"))[key]
    return tuple(_sentence(key, paragraph, row) for paragraph, rows in told.items() for row in rows)


def _sentence(key: str, paragraph: str, row: Sequence[Any]) -> Sentence:
    says, *rest = row
    patterns = [part for part in rest if isinstance(part, str)]
    about = {name: said for part in rest if isinstance(part, dict) for name, said in part.items()}
    tried = [one for one in examples(key) if any(fits(pattern, one.name) for pattern in patterns)]
    return Sentence(paragraph, says, tuple(patterns), tuple(tried), **about)


def cited(sentence: Sentence) -> Iterator[str]:
    """Yield what a sentence rests on, each once: a book's part, a decision with the way to it, or as it stands."""
    sources = [*(example.source for example in sentence.examples), sentence.source]
    yield from dict.fromkeys(part for source in sources for part in citations(source))


def citations(source: str) -> Iterator[str]:
    """Take a source apart.

    >>> list(citations("R-cs, trick play; R25"))
    ['R-cs, trick play', '[R25](decisions.md#R25)']
    """
    for part in filter(None, map(str.strip, source.split(";"))):
        ids = RULING.findall(part)
        if ids and not RULING.sub("", part).strip(" ,–"):
            yield from (f"[{one}](decisions.md#{one})" for one in ids)
        else:
            yield RULING.sub(r"[\g<0>](decisions.md#\g<0>)", part)


def tried(found: Sequence[Example]) -> str:
    """Name some examples, each with the way to its table."""
    links = [f"[{cell(one.name)}](../{one.file.relative_to(ROOT)})" for one in found[:MOST]]
    return "; ".join([*links, *([f"and {len(found) - MOST} more"] if len(found) > MOST else [])])


def read(key: str, sentence: Sentence) -> str:
    """Give the paragraph of the card that a player reads; "" where there is none of its number."""
    return spoken(key, tuple(sentence.options.items())).get(sentence.at or sentence.paragraph, "")


@cache
def spoken(key: str, options: tuple[tuple[str, Any], ...]) -> dict[str, str]:
    """Say a rule card paragraph by paragraph: the one of the whole box, or of a table with these options."""
    game = GAMES[key]
    card = game.rule_card(game.options.load(dict(options)), False) if options else whole_card(game, "en")
    speak = Voice(game.words, ())
    return {number: speak.paragraph(paragraph).replace("\u00a0", " ") for number, paragraph in numbered(card)}


def on_card(sentence: Sentence) -> str:
    """Quote the rule card, or say why a player needs none of it."""
    where = f"{sentence.at}: " if sentence.at else ""
    return f"{where}“{sentence.card}”" if sentence.card else f"– ({sentence.off_card})"


def cell(text: str) -> str:
    """Make a text one that may stand in a cell, and in a link."""
    return text.replace("|", "\\|").replace("[", "(").replace("]", ")")


def page() -> str:
    """Write the page."""
    parts = [HEAD]
    for key in written():
        name = GAMES[key].name
        parts += [f"## {name}\n", _table(key, GAMES[key]), f"### {name}: by what is cited\n", _citations(key)]
    return "\n".join(parts)


def _table(key: str, game: AnyGame) -> str:
    paragraphs = list(dict(numbered(whole_card(game, "en"))))
    speak, card = Voice(game.words, ()), whole_card(game, "en")
    lines = []
    for sentence in sorted(sentences(key), key=lambda one: paragraphs.index(one.paragraph)):
        part = speak.title(card[int(sentence.paragraph.partition(".")[0]) - 1])
        found = tried(sentence.examples) or f"– ({sentence.untried})"
        cells = [sentence.paragraph, part, sentence.says, found, on_card(sentence), "; ".join(cited(sentence))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|", *lines, ""])


def _citations(key: str) -> str:
    by: dict[str, list[Example]] = {}
    for example in examples(key):
        for one in citations(example.source):
            by.setdefault(one, []).append(example)
    lines = [f"| {one} | {len(found)} | {tried(found)} |" for one, found in sorted(by.items(), key=_order)]
    return "\n".join(["| cited | examples | such as |", "|---|---:|---|", *lines, ""])


def _order(item: tuple[str, list[Example]]) -> tuple[object, ...]:
    """Put decisions in the order of their numbers, and books before them."""
    number = re.match(r"\[[A-Z](\d+)(b?)\]", item[0])
    return (1, int(number[1]), number[2]) if number else (0, item[0].lower())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
