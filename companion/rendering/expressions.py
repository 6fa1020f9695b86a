"""Jinja's expressions, written in JavaScript.

What they stand on: the runtime `R`, the context `c`, the addresses `U`, and `P`, the form of a plural.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NoReturn
from urllib.parse import quote

from jinja2 import nodes
from markupsafe import escape

from companion.rendering.law import CHOSEN_BY, COMPARED, FILTERS, TESTS, Unlawful, is_field
from companion.rendering.scope import Scope
from companion.rendering.sentences import is_sentence, pieces
from companion.rendering.texts import Texts

Way = Sequence[str]
"""How an address is written: its text, and the names of its places, by turns."""
Addresses = Callable[[str], Way]
"""Endpoint -> its way. Raises: KeyError, where there is none of that name, or more than one."""
LOOP = {"index", "index0", "first", "last"}


def js(value: object) -> str:
    """Write plain data in JavaScript."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Expressions:
    """The expressions of one template; what it reads of its context is noted."""

    def __init__(self, template: str, texts: Texts, addresses: Addresses, ways: dict[str, Way]) -> None:
        """Begin with nothing read.

        Args:
            template: its name.
            texts: what its sentences are in one language.
            addresses: looks an address up.
            ways: of the addresses that the templates before have led to; those of this one are added.
        """
        self.template, self.texts = template, texts
        self._addresses, self._ways = addresses, ways
        self.free: dict[str, tuple[str, int]] = {}
        """What must be in the context: the template and the line that read it first."""
        self.optional: set[str] = set()
        """What may be there."""
        self.loops: set[str] = set()
        """The variables of loops that are asked how far they are."""

    def refuse(self, node: nodes.Node, what: str = "") -> NoReturn:
        """Say what is against the law."""
        raise Unlawful(self.template, node.lineno, what or f"`{type(node).__name__}`")

    def truth(self, node: nodes.Node, scope: Scope) -> str:
        """Write a condition."""
        match node:
            case nodes.Not():
                return f"!{self.truth(node.node, scope)}"
            case nodes.And():
                return f"({self.truth(node.left, scope)}&&{self.truth(node.right, scope)})"
            case nodes.Or():
                return f"({self.truth(node.left, scope)}||{self.truth(node.right, scope)})"
            case nodes.Compare() | nodes.Test():
                return self.value(node, scope)
        return f"R.is({self.value(node, scope)})"

    def printed(self, node: nodes.Expr, scope: Scope) -> list[str]:
        """Write what is printed, as parts that are each a text."""
        match node:
            case nodes.TemplateData():
                return [js(node.data)]
            case nodes.Const() if type(node.value) in {str, int}:
                return [js(str(escape(node.value)))]
            case nodes.CondExpr():
                yes, no = (joined(self.printed(one, scope)) if one else '""' for one in (node.expr1, node.expr2))
                return [f"({self.truth(node.test, scope)}?{yes}:{no})"]
            case nodes.Call() if is_sentence(node):
                return pieces(self, node, scope)
        return [f"R.out({self.value(node, scope)})"]

    def value(self, node: nodes.Node, scope: Scope) -> str:
        """Write a value."""
        write = getattr(self, f"_{type(node).__name__.lower()}", None)
        return str(write(node, scope)) if write else self.refuse(node)

    def values(self, of: Sequence[nodes.Expr], scope: Scope) -> str:
        """Write several, with commas between."""
        return ",".join(self.value(node, scope) for node in of)

    def _const(self, node: nodes.Const, scope: Scope) -> str:
        if isinstance(node.value, float) and node.value.is_integer():
            self.refuse(node, f"the number {node.value}, which is {int(node.value)} in JavaScript,")
        return js(node.value)

    def _templatedata(self, node: nodes.TemplateData, scope: Scope) -> str:
        return f"R.safe({js(node.data)})"

    def _name(self, node: nodes.Name, scope: Scope) -> str:
        if node.name == "loop":
            self.refuse(node, "`loop` but for its " + ", ".join(sorted(LOOP)))
        return scope.find(node.name) or self._of_context(node)

    def _of_context(self, node: nodes.Name) -> str:
        self.free.setdefault(node.name, (self.template, node.lineno))
        return f"c.{node.name}"

    def _maybe(self, node: nodes.Expr, scope: Scope) -> str:
        """Write what may not be there at all."""
        if isinstance(node, nodes.Name) and not scope.find(node.name):
            self.optional.add(node.name)
            return f"c.{node.name}"
        return self.value(node, scope)

    def _tuple(self, node: nodes.Tuple | nodes.List, scope: Scope) -> str:
        return f"[{self.values(node.items, scope)}]"

    _list = _tuple

    def _dict(self, node: nodes.Dict, scope: Scope) -> str:
        for pair in node.items:
            if not isinstance(pair.key, nodes.Const) or not isinstance(pair.key.value, str):
                self.refuse(pair, "a dictionary whose keys are no written texts")
        return (
            f"{{{','.join(f'{self.value(pair.key, scope)}:{self.value(pair.value, scope)}' for pair in node.items)}}}"
        )

    def _getattr(self, node: nodes.Getattr, scope: Scope) -> str:
        if isinstance(node.node, nodes.Name) and node.node.name == "loop":
            variable = scope.find("loop")
            if node.attr not in LOOP or not variable:
                self.refuse(node, f"`loop.{node.attr}`")
            self.loops.add(variable)
            return f"{variable}.{node.attr}"
        if not is_field(node.attr):
            self.refuse(node, f'`.{node.attr}`, which every dictionary or list has (write `["{node.attr}"]`),')
        return f"{self.value(node.node, scope)}?.{node.attr}"

    def _getitem(self, node: nodes.Getitem, scope: Scope) -> str:
        of, at = self.value(node.node, scope), node.arg
        if not isinstance(at, nodes.Slice):
            return f"R.item({of},{self.value(at, scope)})"
        if at.step:
            self.refuse(node, "a slice with a step")
        start, stop = (self.value(one, scope) if one else "" for one in (at.start, at.stop))
        return f"R.list({of}).slice({start or 0}{',' + stop if stop else ''})"

    def _condexpr(self, node: nodes.CondExpr, scope: Scope) -> str:
        no = self.value(node.expr2, scope) if node.expr2 else "undefined"
        return f"({self.truth(node.test, scope)}?{self.value(node.expr1, scope)}:{no})"

    def _and(self, node: nodes.And, scope: Scope) -> str:
        return f"R.and({self.value(node.left, scope)},()=>{self.value(node.right, scope)})"

    def _or(self, node: nodes.Or, scope: Scope) -> str:
        return f"R.or({self.value(node.left, scope)},()=>{self.value(node.right, scope)})"

    def _not(self, node: nodes.Not, scope: Scope) -> str:
        return self.truth(node, scope)

    def _neg(self, node: nodes.Neg, scope: Scope) -> str:
        return f"(-{self.value(node.node, scope)})"

    def _compare(self, node: nodes.Compare, scope: Scope) -> str:
        if len(node.ops) > 1:
            self.refuse(node, "a chain of comparisons")
        (one,) = node.ops
        return COMPARED[one.op].format(self.value(node.expr, scope), self.value(one.expr, scope))

    def _add(self, node: nodes.Add, scope: Scope) -> str:
        return f"R.add({self._reckoned(node, scope)})"

    def _sub(self, node: nodes.Sub, scope: Scope) -> str:
        return f"({self._reckoned(node, scope, '-')})"

    def _mul(self, node: nodes.Mul, scope: Scope) -> str:
        return f"({self._reckoned(node, scope, '*')})"

    def _reckoned(self, node: nodes.BinExpr, scope: Scope, sign: str = ",") -> str:
        for side in (node.left, node.right):
            if isinstance(side, nodes.Const) and isinstance(side.value, float):
                self.refuse(node, f"reckoning with {side.value}, which may come out whole,")
        return f"{self.value(node.left, scope)}{sign}{self.value(node.right, scope)}"

    def _mod(self, node: nodes.Mod, scope: Scope) -> str:
        facts = node.right.items if isinstance(node.right, nodes.Tuple) else [node.right]
        return self._formatted(node, node.left, facts, scope)

    def _formatted(self, node: nodes.Expr, text: nodes.Expr, facts: Sequence[nodes.Expr], scope: Scope) -> str:
        pattern = text.value if isinstance(text, nodes.Const) else None
        if not isinstance(pattern, str):
            self.refuse(node, "`%` of what is no written text")
        parts = pattern.split("%s")
        if len(parts) != len(facts) + 1 or any("%" in part for part in parts):
            self.refuse(node, "a text with other places than one `%s` for each fact")
        filled = [js(parts[0])]
        for fact, part in zip(facts, parts[1:], strict=True):
            filled += [self.value(fact, scope), js(part)]
        return f"R.text({','.join(part for part in filled if part != js(''))})"

    def _concat(self, node: nodes.Concat, scope: Scope) -> str:
        return f"R.joined([{self.values(node.nodes, scope)}])"

    def _test(self, node: nodes.Test, scope: Scope) -> str:
        if node.name not in TESTS or node.args:
            self.refuse(node, f"`is {node.name}`")
        return TESTS[node.name].format(self._maybe(node.node, scope))

    def _filter(self, node: nodes.Filter, scope: Scope) -> str:
        if node.node is None:
            self.refuse(node, "a filter of a block")
        if node.name == "format" and not node.kwargs:
            return self._formatted(node, node.node, node.args, scope)
        if node.name == "safe" and isinstance(node.node, nodes.Name) and node.node.name == "qr":
            return f"R.safe({self.value(node.node, scope)})"
        args = self._arguments(node)
        of = self._maybe(node.node, scope) if node.name == "default" else self.value(node.node, scope)
        return f"R.{node.name}({','.join([of, *(self.value(one, scope) for one in args)])})"

    def _arguments(self, node: nodes.Filter) -> list[nodes.Expr]:
        """Give the arguments of a filter that the law knows."""
        by_name = {one.key: one.value for one in node.kwargs}
        args = [*node.args, *by_name.values()]
        is_known = node.name in FILTERS and len(args) <= FILTERS[node.name] and not (node.dyn_args or node.dyn_kwargs)
        # Without the word, Jinja takes what `map` is given for a filter, and what `sort` is given for a direction.
        is_named = by_name.keys() == {"attribute"} if node.name in {"map", "sort"} and args else not by_name
        if not is_known or not (is_named or (node.name == "sum" and by_name.keys() == {"attribute"})):
            self.refuse(node, f"the filter `{node.name}` with {len(args)} arguments")
        by = args[1:2] if node.name.endswith("attr") else args[:1] if node.name == "reject" else []
        for test in by:
            if not isinstance(test, nodes.Const) or test.value not in CHOSEN_BY:
                self.refuse(node, f"`{node.name}` by that test")
        return args

    def _call(self, node: nodes.Call, scope: Scope) -> str:
        if is_sentence(node):
            return f"R.safe({joined(pieces(self, node, scope))})"
        if not isinstance(node.node, nodes.Name) or node.dyn_args is not None:
            self.refuse(node, "a call of a method")
        name = node.node.name
        if name == "url":
            return self._url(node, scope)
        if name == "static":
            return self._static(node)
        if node.dyn_kwargs is not None:
            self.refuse(node, f"`{name}` with `**`")
        args = ",".join(self._ordered(node, scope))
        return f"R.range({args})" if name == "range" else f"{self._name(node.node, scope)}({args})"

    def _ordered(self, node: nodes.Call, scope: Scope) -> list[str]:
        """Put what a macro is given by name where it belongs."""
        by_place = [self.value(one, scope) for one in node.args]
        if not node.kwargs:
            return by_place
        name = getattr(node.node, "name", "")
        if name not in scope.macros:
            self.refuse(node, f"a keyword for `{name}`, which is no macro that is imported here,")
        given = {one.key: self.value(one.value, scope) for one in node.kwargs}
        names = [argument.name for argument in scope.macros[name].args][len(by_place) :]
        if not given.keys() <= set(names):
            self.refuse(node, f"`{name}` with {', '.join(given)}")
        last = max(names.index(one) for one in given)
        return by_place + [given.get(one, "undefined") for one in names[: last + 1]]

    def _url(self, node: nodes.Call, scope: Scope) -> str:
        name: Any = node.args[0].value if node.args and isinstance(node.args[0], nodes.Const) else None
        try:
            self._ways[name] = self._addresses(name)
        except KeyError:
            self.refuse(node, f"an address called {name}")
        facts = [f"...{self.value(node.dyn_kwargs, scope)}"] if node.dyn_kwargs else []
        facts += [f"{one.key}:{self.value(one.value, scope)}" for one in node.kwargs]
        return f"R.url(U[{js(name)}],{{{','.join(facts)}}})"

    def _static(self, node: nodes.Call) -> str:
        path = node.args[0].value if len(node.args) == 1 and isinstance(node.args[0], nodes.Const) else None
        if not isinstance(path, str) or node.kwargs or node.dyn_kwargs is not None:
            self.refuse(node, "`static` of what is no written text")
        before, _name, after = self._addresses("static")
        return js(f"{before}{quote(path)}{after}")


def joined(parts: Sequence[str]) -> str:
    """Write parts of text as one."""
    return "+".join(parts) if parts else '""'
