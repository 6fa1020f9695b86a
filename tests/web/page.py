"""What a browser without script makes of an answer: the page's elements, its text, its links and its forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from companion.web.unindented import BLOCKS

VOID = {"meta", "link", "input", "br", "img", "hr"}
"""Elements that are never closed; those of SVG close themselves."""
LINES = frozenset(BLOCKS.split("|"))
Attrs = dict[str, str | None]
SHUT = {"disabled", "formaction"}
"""What a key has that cannot be pressed, or only says why it is struck out."""


@dataclass
class Form:
    """A form as it is on the page."""

    action: str
    method: str
    attrs: Attrs
    fields: list[Attrs] = field(default_factory=list)
    """Its inputs, selects' options and buttons, in order, each with its `tag`."""

    def filled(self, press: str | None = None, **wanted: str) -> dict[str, str | list[str]]:
        """Fill it in as somebody would: what is checked stays, `wanted` is chosen, and one button is pressed.

        Args:
            press: the value of the button; None for the first one.
            wanted: a value for each field that is not left as it is; it must be offered.
        """
        sent: dict[str, str | list[str]] = {}
        for part in self.fields:
            name, value = part.get("name"), part.get("value") or ""
            if not name or part["tag"] == "button" or "disabled" in part:
                continue
            if part.get("type") in {"radio", "checkbox"} or part["tag"] == "option":
                is_chosen = wanted[name] == value if name in wanted else "checked" in part or "selected" in part
                sent |= {name: value} if is_chosen else {}
            elif name in sent:
                sent[name] = [*([before] if isinstance(before := sent[name], str) else before), value]
            else:
                sent[name] = wanted.get(name, value)
        missing = [name for name, value in wanted.items() if sent.get(name) != value]
        assert not missing, f"not offered: {missing}"
        return sent | self._pressed(press)

    def _pressed(self, press: str | None) -> dict[str, str]:
        buttons = [part for part in self.fields if part["tag"] == "button" and not SHUT & part.keys()]
        pressed = next((part for part in buttons if press is None or (part.get("value") or "") == press), None)
        assert pressed is not None, f"no button {press!r}"
        return {name: pressed.get("value") or ""} if (name := pressed.get("name")) else {}

    @property
    def buttons(self) -> list[str]:
        """The values of the buttons that can be pressed."""
        return [part.get("value") or "" for part in self.fields if part["tag"] == "button" and not SHUT & part.keys()]


@dataclass
class Element:
    """One element: its tag, its attributes, the text directly and indirectly in it."""

    tag: str
    attrs: Attrs
    texts: list[str] = field(default_factory=list)
    inside: tuple[str, ...] = ()
    """The tags around it."""

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())


class Page(HTMLParser):
    """A page, or a part of one, as the browser's parser sees it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.forms: list[Form] = []
        self.problems: list[str] = []
        self._open: list[Element] = []
        self._form: Form | None = None
        self._loose: list[tuple[str, Attrs]] = []
        self.feed(html)
        self.close()
        self.problems += [f"<{element.tag}> is never closed" for element in self._open]
        for owner, part in self._loose:
            next(form for form in self.forms if form.attrs.get("id") == owner).fields.append(part)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, dict(attrs))
        self._part(tag)
        if tag not in VOID:
            self._open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if not self._open or self._open[-1].tag != tag:
            self.problems.append(f"</{tag}> where {[element.tag for element in self._open[-2:]]} is open")
            return
        self._open.pop()
        self._part(tag)

    def _part(self, tag: str) -> None:
        """Part what stands beside a block, as lines of their own do."""
        if tag in LINES:
            self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.texts.append(data)

    def _note(self, tag: str, attrs: Attrs) -> None:
        self.elements.append(Element(tag, attrs, inside=tuple(element.tag for element in self._open)))
        if tag == "form":
            self._form = Form(attrs.get("action") or "", attrs.get("method") or "get", attrs)
            self.forms.append(self._form)
        elif tag in {"input", "button", "option", "select"}:
            self._control(tag, attrs)

    def _control(self, tag: str, attrs: Attrs) -> None:
        if tag == "select":
            self._select = attrs.get("name")
            return
        if self._open and self._open[-1].tag == "datalist":
            return  # Suggestions are no choice.
        part = {**attrs, "tag": tag, **({"name": self._select} if tag == "option" else {})}
        if owner := attrs.get("form"):
            self._loose.append((owner, part))
        elif self._form is not None:
            self._form.fields.append(part)

    def all(self, tag: str = "", **attrs: str) -> list[Element]:
        """List the elements with a tag, and with a class (`class_`) or other attributes."""
        return [element for element in self.elements if tag in ("", element.tag) and _has(element, attrs)]

    def one(self, tag: str = "", **attrs: str) -> Element:
        """Find the one such element."""
        found = self.all(tag, **attrs)
        assert len(found) == 1, f"{len(found)} of <{tag} {attrs}>"
        return found[0]

    @property
    def text(self) -> str:
        """Everything that can be read on it."""
        return self.all("body")[0].text if self.all("body") else " ".join(element.text for element in self.elements)

    @property
    def links(self) -> list[str]:
        """Where it leads."""
        return [href for element in self.all("a") if (href := element.attrs.get("href"))]

    def form(self, action: str, **fields: str) -> Form:
        """Find the first form whose action ends so, with these hidden values."""
        for form in self.forms:
            values = {(part.get("name"), part.get("value")) for part in form.fields}
            if form.action.split("?")[0].endswith(action) and set(fields.items()) <= values:
                return form
        raise AssertionError(f"no form {action} {fields} among {[form.action for form in self.forms]}")

    def unsafe(self) -> Iterator[str]:
        """Name everything on it that a strict policy would refuse, or that could run."""
        for element in self.elements:
            if element.tag in {"style", "iframe", "object", "embed", "base"}:
                yield f"<{element.tag}>"
            if element.tag == "script" and (element.text or not element.attrs.get("src")):
                yield "inline <script>"
            for name, value in element.attrs.items():
                if name == "style" or name.startswith("on"):
                    yield f"<{element.tag} {name}>"
                if value and value.startswith(BG_STATS) and element.attrs.get("rel") == "noreferrer":
                    continue  # the one place elsewhere that a page leads to, if somebody wants to
                if re.match(r"(?i)\s*(javascript|data|vbscript|https?):|//", value or "") and name in LEADING:
                    yield f"<{element.tag} {name}={value}>"


BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
LEADING = {"href", "src", "action", "formaction", "xlink:href", "srcset", "poster"}
"""Attributes that lead somewhere."""


def _has(element: Element, attrs: dict[str, Any]) -> bool:
    return all(
        value in (element.attrs.get("class") or "").split()
        if name == "class_"
        else element.attrs.get(name.replace("_", "-")) == value
        for name, value in attrs.items()
    )
