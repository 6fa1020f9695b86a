"""A catalogue's sentences in one language, and the rule by which it chooses the form of a plural."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from gettext import NullTranslations

from companion.words import translations

NUMBERS = range(200)
"""They show every form of every language."""
_RULE = re.compile(r"plural=([\sn\d%=!<>&|?:()+-]+)")
"""C's signs, which mean the same in JavaScript."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Sentences in one language."""

    catalogue: NullTranslations
    form: Callable[[int], int]
    """Number -> which of the forms it takes."""
    rule: str
    """The same in JavaScript, of `n`."""

    def gettext(self, sentence: str) -> str:
        """Translate a sentence."""
        return self.catalogue.gettext(sentence)

    def forms(self, one: str, many: str) -> list[str]:
        """Translate a sentence with a number in it: its forms, in the order of the catalogue."""
        found = {self.form(number): self.catalogue.ngettext(one, many, number) for number in NUMBERS}
        return [found.get(form, "") for form in range(max(found) + 1)]


def texts(catalogue: NullTranslations, language: str) -> Texts:
    """Read a catalogue; its plurals are those of the companion's own in that language.

    >>> texts(translations("pl"), "pl").rule[:31]
    '(n==1 ? 0 : n%10>=2 && n%10<=4 '
    >>> texts(translations("en"), "en").forms("%(num)s trick", "%(num)s tricks")
    ['%(num)s trick', '%(num)s tricks']
    """
    own = translations(language)
    found = _RULE.search(own.info().get("plural-forms", ""))
    form: Callable[[int], int] | None = getattr(own, "plural", None)
    if form is None or found is None:
        return Texts(catalogue, lambda number: int(number != 1), "n!=1")
    return Texts(catalogue, form, found[1].strip())
