"""The options of a game, as a form asks for them and as it sends them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from flask_babel import gettext as _

from companion.fields import AnySeat, CardName, Choice, Switch, Whole, typed
from companion.game import AnyGame, Label
from companion.words import EDITION, sold_in

KINDS = {"switch": Switch, "choice": Choice, "seat": AnySeat, "number": Whole, "text": CardName}
"""How the form asks for an option, by the first of these fields that it is."""


class OptionField(TypedDict):
    """An option, for a form."""

    name: str
    label: str
    help: str
    kind: str
    """One of `KINDS`."""
    choices: list[tuple[Any, str, str]]
    """What can be chosen: as data, its name, and what it means."""
    editions: list[str]
    """What each edition has it be; [] where all have the same."""
    value: Any
    """What is chosen, as data; None for what the edition has."""
    default: Any
    error: str | None
    is_first: bool
    """Whether it is asked before all others."""
    needs: str
    """Where alone it means anything: other options, and what a form says of them, `multicolour=5 multicolour=10`."""


def suggested(game: AnyGame, language: str) -> dict[str, Any]:
    """Give what whoever opens a table finds chosen, as data: the box that is sold in this language, if there is one."""
    return {**game.suggested, **sold_in(game, language)}


def fields_of(game: AnyGame, options: Mapping[str, Any], errors: Mapping[str, str]) -> list[OptionField]:
    """Describe the options to a form.

    Args:
        game: which game.
        options: what is chosen, as data.
        errors: what is wrong, by option.
    """
    names = [name for name, part in game.options.fields.items() if isinstance(part, tuple(KINDS.values()))]
    return [_field(game, name, options, errors.get(name)) for name in names]


def told(field: OptionField, names: Sequence[str]) -> str:
    """Say in a few words what an option is; `names` are those of the seats."""
    value, kind = field["value"], field["kind"]
    chosen = [label for each, label, _help in field["choices"] if each == value]
    if kind == "switch":
        chosen = [_("on") if value else _("off")]
    elif kind == "seat":
        chosen = [_("the last seat") if value is None else names[value]]
    elif value is None:
        chosen = [_("As the edition has it")]
    return str(_("%(option)s: %(value)s", option=field["label"], value=chosen[0] if chosen else value))


def options_of(game: AnyGame, form: Mapping[str, str]) -> dict[str, Any]:
    """Read the options that a form sends, as data; what is left open is not in it."""
    chosen: dict[str, Any] = {}
    for name, part in game.options.fields.items():
        if value := form.get(name, ""):
            chosen[name] = typed(part, value)
        elif isinstance(part, Switch):
            # A box that is not ticked is not sent.
            chosen[name] = False
    return chosen


def _field(game: AnyGame, name: str, options: Mapping[str, Any], error: str | None) -> OptionField:
    """Describe an option to the form: its words, its choices, and what is chosen."""
    part, labels = game.options.fields[name], game.words.options
    editions = _editions(game, name)
    default = None if editions else game.options.dump(game.options.load({})).get(name)
    choices = [
        (member.value, *_words(labels[name, member.value]))
        for member in (part.enum if isinstance(part, Choice) else ())
    ]
    if name == game.asked_first:
        choices.sort(key=lambda choice: choice[0] != game.suggested.get(name, default))
    label, help_ = _words(labels[name])
    return {
        "name": name,
        "label": label,
        "help": help_,
        "kind": next(kind for kind, field in KINDS.items() if isinstance(part, field)),
        "choices": choices,
        "editions": editions,
        "value": options.get(name, default),
        "default": default,
        "error": error,
        "is_first": name == game.asked_first,
        "needs": " ".join(_needs(game, labels[name])),
    }


def _needs(game: AnyGame, label: Label) -> Iterator[str]:
    """Say of which other options an option needs what, as a form sends it."""
    for name, values in label.needs.items():
        is_switch = isinstance(game.options.fields[name], Switch)
        yield from (f"{name}={('on' if value else '') if is_switch else value}" for value in values)


def _editions(game: AnyGame, name: str) -> list[str]:
    """Say what each edition has an option be, if not all have the same; [] for the options of every edition."""
    edition, labels = game.options.fields.get(EDITION), game.words.options
    if name == EDITION or not isinstance(edition, Choice):
        return []
    values = {
        member.value: game.options.dump(game.options.load({EDITION: member.value})).get(name) for member in edition.enum
    }
    if len(set(values.values())) == 1:
        return []
    named = ((_(labels[EDITION, box].name), _(labels[name, value].name)) for box, value in values.items())
    return [_("%(option)s: %(value)s", option=box, value=value) for box, value in named]


def _words(label: Label) -> tuple[str, str]:
    return _(label.name), _(label.help) if label.help else ""
