"""What the template of a page is given: a record for each, and nothing else.

A page makes its record and draws it: `return JoinPage(group=group).html()`. So mypy looks at what is given, and
`tests/test_contexts.py` holds the record to what the template reads, with all that it is put together from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypedDict, dataclass_transform

from flask import render_template


class Everywhere(TypedDict):
    """What every template is given beside its own."""

    language: str
    languages: dict[str, str]
    """Those that can be chosen, by their tags."""
    theme: str
    """As this phone has chosen: `light`, `dark`, or "" for its own."""
    hand: str
    """`left`, or ""."""
    sounds: str
    """`on`, or ""."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Context:
    """What one template is given; each is a dataclass of its own, made of keywords."""

    template: ClassVar[str]
    """Where it stands in `templates/`."""

    def __init_subclass__(cls, template: str = "") -> None:
        """Make a dataclass; one without a template of its own is what several have in common."""
        dataclass(frozen=True, kw_only=True)(cls)
        if template:
            cls.template = template

    def html(self) -> str:
        """Draw the template."""
        return render_template(self.template, **vars(self))
