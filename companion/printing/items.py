"""What can be printed of a game and of a table, and what stands on each sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from companion.game import AnyGame
from companion.games import GAMES
from companion.printing.around import (
    AROUND,
    Won,
    certificate,
    place_cards,
    season_sheet,
    stickers,
    tournament_sheet,
)
from companion.printing.cuts import BOTH_SIDES, FRONT, SLEEVES, SMALL
from companion.printing.rules import OTHER_SIDE, RULES, has_rules, rules
from companion.printing.sheet import BETWEEN, PAPERS, sheet_html
from companion.words import LANGUAGES, SpokenSection, Voice, read_out, sold_in, translations

if TYPE_CHECKING:
    # The render process imports this module too, and needs no database.
    from companion.log import Table
    from companion.play import Play

JOINING = ("join_card", "join_tent")
"""What leads to a table, or to the companion where the table has no code yet."""
EVENING = "evening_set"
"""All that a table needs tonight, as one document."""
LARGE = "large"
"""The form whose letters are 14 pt and more."""
LINKED = (*JOINING, EVENING, "stickers")
"""What bears an address even without a table."""
ITEMS = [EVENING, *dict.fromkeys(item for game in GAMES.values() for item in game.sheets), *RULES, *JOINING, *AROUND]
"""Everything that can be printed, of some game at least."""
SCORE, PAD = "score_sheet", "score_pad"
"""What is written on in the whole game; and what holds the most important of it, in large print too."""
TONIGHT = {"join_tent": "", "rule_card": "booklet", "reference_cards": "", SCORE: ""}
"""What the evening set holds, in this order, as far as a game has it; each in a form that fills whole pages."""
FORMS = {
    **dict.fromkeys((EVENING, SCORE, "game_log", "join_tent", "season_sheet", "tournament_sheet"), ("sheet", LARGE)),
    "rule_card": ("leaf", "booklet", LARGE),
    "rule_cards": ("nine", "bleed", "folded", *BOTH_SIDES, *SLEEVES),
    "reference_cards": ("nine", "bleed", *BOTH_SIDES, *(each for each in SLEEVES if each not in SMALL), LARGE),
    PAD: ("two", "four", "wide", LARGE),
}
"""The ways to lay an item out, the usual one first: pages of A5, or both on one page to fold; cards edge to edge, with
room around each for a cutter, in pairs to fold back to back, on both sides of the paper, or for other sleeves; pads of
two or four to a page, or of one on its side; or in large print. What is not named here has one way."""
PAGES = {
    "leaf": 2,
    **dict.fromkeys(SMALL, 2),
    EVENING: len(TONIGHT),
    "tournament_sheet": 2,
    **dict.fromkeys(BOTH_SIDES, 2),
}
"""The most pages of a form, or of an item: a leaf has two sides. The rest is one page, whatever stands on it."""
LONG_PAGES = {("tally", "score_sheet"): 5, ("tally", EVENING): len(TONIGHT) + 4}
"""The most of an item of a game that may have a hundred rounds."""
LARGE_PAGES = {"rule_card": 8, "join_tent": 3, "tournament_sheet": 3, EVENING: 16}
LONG_LARGE_PAGES = {("tally", SCORE): 10, ("tally", PAD): 10}
"""The most in large print."""
NOWHERE = {"code": "", "link": "", "date": "", "title": "", "place": ""}
"""What a sheet without a table knows of it."""


class Particulars(TypedDict, total=False):
    """What is known of a table, for its sheets; what is left out is not known."""

    about: Mapping[str, str]
    """`code`, `link`, `date`, `title` and `place` of the table; for what leads to no table yet, only `link`.
    `invited` is the way in for newcomers, where it is another one: what is handed round bears it, and nothing else.
    Where guests join a Wi-Fi first, `wifi` (its code) and `network` (its name), for what leads anywhere."""
    options: Mapping[str, Any] | None
    """The table's, as data; None for a sheet of the box that is sold in its language."""
    players: Sequence[str]
    """A name per seat, "" where it is left open."""
    facts: Mapping[str, Any] | None
    """What the play so far leaves on paper; None for a blank sheet."""
    standing: Sequence[Won] | None
    """How it ended, the best first; None as long as it has not."""


class Joining(TypedDict):
    """What leads to a table."""

    game_name: str
    code: str
    link: str
    tongues: Sequence[str]
    """The languages of its faces, one after the other."""
    wifi: str
    """The code of the Wi-Fi that guests join first; "" for none."""
    network: str
    """What that is called."""


class JoinTent(Joining):
    """What stands on a join tent."""

    told: Mapping[str, list[str]]
    """How the companion is used in this game, in each language."""


class JoinCard(Joining):
    """What stands on a join card."""

    title: str


def items(game: AnyGame) -> list[str]:
    """List what can be printed of a game, in the order in which it is offered."""
    return [EVENING, *game.sheets, *(RULES if has_rules(game) else ()), *JOINING, *AROUND]


def forms(game: AnyGame, item: str) -> tuple[str, ...]:
    """List the ways to lay an item of a game out, the usual one first; a score sheet is large where there are pads."""
    ways = FORMS.get(item, ("sheet",))
    return ways if item != SCORE or PAD in game.sheets else ways[:1]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed, and how; what stands on it is given to `html`."""

    game: AnyGame
    item: str
    """One of the game's `items`."""
    language: str = "en"
    paper: str = PAPERS[0]
    form: str = ""
    """One of the item's `forms`; "" is the usual one."""
    also: str = ""
    """A second language, for what leads to a table: the other face of a tent, every other card; and for the backs of
    reference cards. "" for none."""
    document: str = ""
    """What the document is called that it begins; "" where it is one by itself."""

    def __post_init__(self) -> None:
        """Take the usual form where none is named."""
        object.__setattr__(self, "form", self.form or forms(self.game, self.item)[0])

    @property
    def name(self) -> str:
        """Name the file, without its ending: `rule_cards-folded-cs-letter`."""
        form = [] if self.form == forms(self.game, self.item)[0] else [self.form]
        return "-".join([self.item, *form, self.language, self.paper])

    @property
    def may_be_twofold(self) -> bool:
        """Whether it can be in two languages."""
        return self.item in LINKED or (self.form in BOTH_SIDES and self.item not in RULES)

    @property
    def most_pages(self) -> int:
        """How many pages it may have, for any table and in any language; one more is a fault."""
        kind = (self.game.drawn_as or self.game.key, self.item)
        if self.form == LARGE:
            return LONG_LARGE_PAGES.get(kind, LARGE_PAGES.get(self.item, 1))
        return LONG_PAGES.get(kind, PAGES.get(self.form, PAGES.get(self.item, 1)))

    def html(self, **known: Unpack[Particulars]) -> str:
        """Write the sheet; the evening set is several, one behind the other."""
        if self.item == EVENING:
            return BETWEEN.join(part.html(**known) for part, known in _tonight(self, known))
        if (self.item, self.form) == (SCORE, LARGE):
            return replace(self, item=PAD).html(**known)
        if self.form in BOTH_SIDES:
            return BETWEEN.join(side.html(**known) for side in _sides(self, known))
        return sheet_html(
            self.game.drawn_as or self.game.key,
            self.item,
            contents(self, known),
            language=self.language,
            paper=self.paper,
            form=self.form,
            document=self.document,
            translations=translations(self.language, self.game.words.catalogue),
        )


def _sides(sheet: Sheet, known: Particulars) -> Iterator[Sheet]:
    """Yield the fronts, and the backs that meet them: of rules, what follows; else the second language, or the turn.

    Rules that stand on one card have no back.
    """
    front, back = replace(sheet, form=FRONT), replace(sheet, form=BOTH_SIDES[sheet.form])
    yield front
    if sheet.item in RULES:
        cards: Any = contents(front, known)["cards"]
        if len(cards) > 1:
            yield back
    elif not (sheet.also or has_rules(sheet.game)):
        yield back
    else:
        yield replace(back, language=sheet.also) if sheet.also else replace(back, item=OTHER_SIDE)


def every_sheet(game: AnyGame) -> list[Sheet]:
    """List every item of a game in every form and language and on every paper."""
    usual = [Sheet(game, item, form=form) for item in items(game) for form in forms(game, item)]
    return [
        replace(sheet, language=language, paper=paper) for sheet in usual for language in LANGUAGES for paper in PAPERS
    ]


def _tonight(evening: Sheet, known: Particulars) -> Iterator[tuple[Sheet, Particulars]]:
    """Yield what a table needs tonight, and what stands on each; without a table only the first leads anywhere."""
    about, game = known.get("about", NOWHERE), evening.game
    everything = translations(evening.language).gettext("Everything for tonight")
    document = " – ".join(filter(None, (game.called(known.get("options") or {}), everything, about["code"])))
    for item, form in TONIGHT.items():
        if item in items(game):
            leads = about if about["code"] or item in JOINING else NOWHERE
            way = LARGE if evening.form == LARGE and LARGE in forms(game, item) else form
            yield replace(evening, item=item, form=way, document=document), {**known, "about": leads}


def contents(sheet: Sheet, known: Particulars) -> Mapping[str, object]:
    """Gather what stands on a sheet, in primitives.

    Raises:
        KeyError: the game has no such item.
    """
    game, item, language, also = sheet.game, sheet.item, sheet.language, sheet.also
    about, options = _leading(item, known.get("about", NOWHERE)), known.get("options")
    if options is None:
        options = sold_in(game, language)
    if item in {*RULES, OTHER_SIDE}:
        return rules(game, item, about, _told(game, language, options), sheet.form)
    if item in JOINING:
        tongues = (language, also) if also else (language,)
        told = {tongue: _told(game, tongue, options) for tongue in tongues}
        return _joining(game.called(options), item, about, told)
    if item in AROUND:
        return _around(sheet, about, known)
    return game.sheets[item](options, known.get("players", ()), known.get("facts"), about)


def _leading(item: str, about: Mapping[str, str]) -> Mapping[str, str]:
    """Let what is handed round lead newcomers in."""
    return {**about, "link": about.get("invited") or about["link"]} if item in LINKED else about


def _around(sheet: Sheet, about: Mapping[str, str], known: Particulars) -> Mapping[str, object]:
    game, item, is_large = sheet.game, sheet.item, sheet.form == LARGE
    name, players = game.called(known.get("options") or {}), known.get("players") or [""] * game.usual_players
    if item == "place_cards":
        return place_cards(name, about, players)
    if item == "stickers":
        return stickers(name, about)
    if item == "certificate":
        return certificate(name, about, players, known.get("standing"))
    if item == "season_sheet":
        return season_sheet(name, players, is_large)
    return tournament_sheet(name, players, game.is_shared, is_large)


def _told(game: AnyGame, language: str, options: Mapping[str, Any]) -> list[SpokenSection]:
    return read_out(game.rule_card(game.options.load(dict(options)), False), Voice(game.words, (), language))


def _joining(
    name: str, item: str, about: Mapping[str, str], parts: Mapping[str, list[SpokenSection]]
) -> JoinCard | JoinTent:
    known = Joining(
        game_name=name,
        code=about["code"],
        link=about["link"],
        tongues=[*parts],
        wifi=about.get("wifi", ""),
        network=about.get("network", ""),
    )
    if item == "join_card":
        return JoinCard(**known, title=about["title"])
    return JoinTent(**known, told={tongue: _of_companion(told) for tongue, told in parts.items()})


def _of_companion(parts: Sequence[SpokenSection]) -> list[str]:
    return [paragraph["text"] for part in parts if part["is_of_companion"] for paragraph in part["paragraphs"]]


def filling(game: AnyGame, positions: Sequence[object]) -> Mapping[str, Any]:
    """Give what the sheets of a play are filled with, from its positions, the first one first."""
    return game.on_paper(positions) if game.on_paper else game.summary(positions[-1])


def so_far(table: Table, play: Play[Any], link: str, players: Sequence[str], invited: str = "") -> Particulars:
    """Gather what fills the sheets of a table, as far as it is played.

    Args:
        table: which one.
        play: what was played there.
        link: the address that opens it.
        players: a name per seat, "" where there is none yet: it is left open.
        invited: the address that lets newcomers in; "" where it is no other.
    """
    return {
        "about": {
            "code": table.code,
            "link": link,
            "invited": invited,
            "date": _day(table.opened),
            "title": table.title,
            "place": table.location,
        },
        "options": table.options,
        "players": players,
        "facts": filling(play.game, play.positions()),
        "standing": _ended(play),
    }


def _ended(play: Play[Any]) -> list[Won] | None:
    """Tell who has won and the rest; a game that all have lost has no places."""
    standing = play.game.standing(play.position)
    if not standing.is_finished or play.game.is_lost(play.game.summary(play.position)):
        return None
    return [Won(rank=place.rank, seat=place.seat, score=place.score) for place in standing.places]


def _day(written: str) -> str:
    """Tell the day of a time by the calendar on the wall, where the companion runs, as pages do."""
    try:
        return datetime.fromisoformat(written).astimezone().date().isoformat()
    except OverflowError:
        # On the calendar's first and last day the zone would lead out of it.
        return written[:10]
