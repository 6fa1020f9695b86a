"""Jinja's statements, written in JavaScript: each template becomes a function from its context to HTML.

What is compiled is the tree that Jinja itself has parsed. What this has no method for is refused, with file and line.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from jinja2 import Environment, nodes

from companion.rendering.expressions import Addresses, Expressions, Way, js
from companion.rendering.law import Unlawful
from companion.rendering.needs import parsed
from companion.rendering.scope import Scope
from companion.rendering.texts import Texts

FUNCTIONS = {"say"}
"""What every template may call, beside macros and what Jinja knows."""


@dataclass(slots=True)
class Part:
    """A template in JavaScript."""

    code: str = ""
    """A function from the context: to HTML, or of a template that is imported to what it holds."""
    free: dict[str, tuple[str, int]] = field(default_factory=dict)
    """What it, and all that it includes, must find in the context, and where that is read first."""
    optional: set[str] = field(default_factory=set)
    """What it may find there."""
    macros: dict[str, nodes.Macro] = field(default_factory=dict)


class Compiler:
    """Compiles templates, in one language, from those that are asked for down to all that they need."""

    def __init__(self, env: Environment, texts: Texts, addresses: Addresses) -> None:
        """Begin with none.

        Args:
            env: where they are found.
            texts: what their sentences are in one language.
            addresses: looks an address up.
        """
        self.texts = texts
        self._env, self._addresses = env, addresses
        self.ways: dict[str, Way] = {}
        """Of the addresses that they lead to."""
        self.parts: dict[str, Part] = {}
        """By name, in the order in which they were begun; of an import by its name and `*`."""

    def draw(self, name: str, given: Collection[str]) -> Part:
        """Compile a template that draws a whole part of a page.

        Args:
            name: the template.
            given: the names in its context.

        Raises:
            Unlawful: it is not for phones.
        """
        part = self.part(name)
        for lacking, where in part.free.items():
            if lacking not in FUNCTIONS and lacking not in given:
                raise Unlawful(*where, f"`{lacking}`, which is not in the context,")
        return part

    def part(self, name: str, is_import: bool = False) -> Part:
        """Compile a template, if it was not compiled before."""
        key = f"{name}*" if is_import else name
        if key not in self.parts:
            part = self.parts[key] = Part()
            _Body(self, name, part).compile(parsed(self._env, name), is_import)
        return self.parts[key]

    def expressions(self, name: str) -> Expressions:
        """Give what compiles the expressions of a template."""
        return Expressions(name, self.texts, self._addresses, self.ways)


class _Body:
    """Compiles the statements of one template."""

    def __init__(self, compiler: Compiler, name: str, part: Part) -> None:
        self._compiler, self._part = compiler, part
        self._of = compiler.expressions(name)
        part.free, part.optional = self._of.free, self._of.optional
        self._loops = 0

    def compile(self, tree: nodes.Template, is_import: bool) -> None:
        scope = Scope()
        body = self._imported(tree, scope) if is_import else self._all(tree.body, scope)
        end = f"return{{{','.join(f'{n}:{v}' for n, v in scope.variables().items())}}}" if is_import else "return o"
        self._part.macros = scope.macros
        self._part.code = f"c=>{{let o='';{scope.declared()}{body}{end}}}"

    def _imported(self, tree: nodes.Template, scope: Scope) -> str:
        """Compile what a template holds that others import; what it would draw is not drawn."""
        for node in tree.body:
            if not isinstance(node, nodes.Macro | nodes.Assign | nodes.FromImport | nodes.Output):
                self._of.refuse(node, f"`{type(node).__name__}` in what is imported")
        return self._all([node for node in tree.body if not isinstance(node, nodes.Output)], scope)

    def _all(self, body: Sequence[nodes.Node], scope: Scope) -> str:
        written = []
        for node in body:
            write = getattr(self, f"_{type(node).__name__.lower()}", None)
            written.append(write(node, scope) if write else self._of.refuse(node))
        return "".join(written)

    def _output(self, node: nodes.Output, scope: Scope) -> str:
        joined: list[str] = []
        for part in (part for one in node.nodes for part in self._of.printed(one, scope)):
            if joined and part[0] == joined[-1][0] == '"':
                joined[-1] = joined[-1][:-1] + part[1:]
            elif part != '""':
                joined.append(part)
        return "".join(f"o+={part};" for part in joined)

    def _if(self, node: nodes.If, scope: Scope) -> str:
        with scope.perhaps():
            written = "else ".join(
                f"if({self._of.truth(one.test, scope)}){{{self._all(one.body, scope)}}}" for one in (node, *node.elif_)
            )
            return f"{written}else{{{self._all(node.else_, scope)}}}" if node.else_ else written

    def _for(self, node: nodes.For, scope: Scope) -> str:
        if node.recursive:
            self._of.refuse(node, "a recursive loop")
        self._loops += 1
        n, inner, source = self._loops, Scope(scope), self._of.value(node.iter, scope)
        if node.test:
            tested = Scope(scope)
            bound = self._bound(node.target, "v", tested)
            test = self._of.truth(node.test, tested)
            source = f"R.list({source}).filter(v=>{{{tested.declared()}{bound}return {test}}})"
        loop = inner.take("loop", f"l{n}")
        bound = self._bound(node.target, f"v{n}", inner)
        body = self._all(node.body, inner)
        how_far = f"const {loop}={{index:i{n}+1,index0:i{n},first:!i{n},last:i{n}==a.length-1}};"
        told = how_far if loop in self._of.loops else ""
        each = f"R.each({source},(v{n},i{n},a)=>{{{told}{inner.declared()}{bound}{body}}})"
        if not node.else_:
            return f"{each};"
        otherwise = Scope(scope)
        body = self._all(node.else_, otherwise)
        return f"if(!{each}){{{otherwise.declared()}{body}}}"

    def _assign(self, node: nodes.Assign, scope: Scope) -> str:
        value = self._of.value(node.node, scope)
        return self._bound(node.target, value, scope)

    def _with(self, node: nodes.With, scope: Scope) -> str:
        inner = Scope(scope)
        values = [self._of.value(value, scope) for value in node.values]
        bound = "".join(self._bound(one, value, inner) for one, value in zip(node.targets, values, strict=True))
        body = self._all(node.body, inner)
        return f"{{{inner.declared()}{bound}{body}}}"

    def _include(self, node: nodes.Include, scope: Scope) -> str:
        name = self._written(node.template, node)
        if not node.with_context or node.ignore_missing:
            self._of.refuse(node, "an include without context, or of what may be missing,")
        part, known = self._compiler.part(name), scope.variables()
        if not part.code:
            self._of.refuse(node, f"{name}, which includes itself,")
        for lacking in part.free.keys() - known.keys():
            self._of.free.setdefault(lacking, part.free[lacking])
        wanted = {*part.free, *part.optional}
        self._of.optional |= part.optional - known.keys()
        passed = ",".join(f"{n}:{known[n]}" for n in known if n in wanted and n != "loop")
        return f"o+=T[{js(name)}]({f'{{__proto__:c,{passed}}}' if passed else 'c'});"

    def _fromimport(self, node: nodes.FromImport, scope: Scope) -> str:
        name = self._written(node.template, node)
        if node.with_context:
            self._of.refuse(node, "an import with context")
        part, written = self._compiler.part(name, is_import=True), ""
        for lacking in part.free:
            raise Unlawful(*part.free[lacking], f"`{lacking}`, which an import is not given,")
        for one in node.names:
            there, here = one if isinstance(one, tuple) else (one, one)
            written += f"{scope.set(here)}=R.from(T,{js(f'{name}*')}).{there};"
            if there in part.macros:
                scope.macros[here] = part.macros[there]
        return written

    def _macro(self, node: nodes.Macro, scope: Scope) -> str:
        variable = scope.set(node.name)
        scope.macros[node.name] = node
        inner = Scope(scope)
        args = [inner.take(argument.name) for argument in node.args]
        for place, default in enumerate(node.defaults, len(args) - len(node.defaults)):
            args[place] += f"={self._of.value(default, inner)}"
        body = self._all(node.body, inner)
        return f"{variable}=({','.join(args)})=>{{let o='';{inner.declared()}{body}return R.safe(o)}};"

    def _bound(self, target: nodes.Node, value: str, scope: Scope) -> str:
        """Give names to a value."""
        if isinstance(target, nodes.Name):
            return f"{scope.set(target.name)}={value};"
        if not isinstance(target, nodes.Tuple) or not all(isinstance(one, nodes.Name) for one in target.items):
            self._of.refuse(target, "a name of that kind")
        names = [one.name for one in target.items if isinstance(one, nodes.Name)]
        return f"[{','.join(map(scope.set, names))}]={value};"

    def _written(self, template: nodes.Expr, node: nodes.Node) -> str:
        if not isinstance(template, nodes.Const) or not isinstance(template.value, str):
            self._of.refuse(node, "a template by a name that is not written there")
        return template.value
