"""What `tests/mutants.py` changes in a module: one small thing at a time, each a mistake that somebody might make.

Left alone, since no test could or should tell: annotations and type variables, docstrings, `assert`, `strict=`, decorators,
words for people (`N_` and its like, what an error says), the sources of rules, `__slots__`, what goes to the server's log.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain

SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
}
TWINS = {"any": "all", "all": "any", "min": "max", "max": "min"}
WORDS = {"N_", "_", "gettext", "ngettext", "Plural", "Told"}
TYPES = {"TypeVar", "NewType", "ParamSpec"}
NOTES = {"debug", "info", "warning", "error", "exception", "critical", "getLogger"}
NAMES = {"__slots__", "__all__"}

Function = ast.FunctionDef | ast.AsyncFunctionDef
Edit = tuple[int, int, str]
"""From where to where in the source, in bytes, and what stands there instead."""
Within = tuple[str, int, int]
"""A function: its qualified name, the first line of its body and the last."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change."""

    module: str
    """`companion.games.rage.scoring`."""
    function: str
    """The function or class as its qualified name has it; "" for what the module itself does."""
    line: str
    """The changed line, as it stands in the source, stripped."""
    becomes: str
    nth: int
    """Counts those of which all the above is the same, from 1."""
    edit: Edit
    first: int
    last: int
    """Where the statement stands: whoever runs one of these lines reaches the change."""
    within: Within | None
    """The outermost function that has to be called to reach it; None: importing the module does."""

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """Tell it from all others, wherever in the file it has moved meanwhile."""
        return self.module, self.function, self.line, self.becomes, self.nth

    def applied(self, source: str) -> str:
        """Change the source."""
        start, end, text = self.edit
        whole = source.encode()
        return (whole[:start] + text.encode() + whole[end:]).decode()


def mutants(module: str, source: str) -> list[Mutant]:
    """List the mutants of a module, in the order of the source."""
    return [mutant for mutant in changes(module, source) if is_python(mutant.applied(source))]


def changes(module: str, source: str) -> list[Mutant]:
    """List all that may be changed in a module, in the order of the source; a few leave no Python."""
    finder = _Finder(module, source)
    finder.visit(ast.parse(source))
    seen: Counter[tuple[object, ...]] = Counter()
    found = []
    for mutant in sorted(finder.found, key=lambda mutant: mutant.edit):
        seen[mutant.key] += 1
        found.append(replace(mutant, nth=seen[mutant.key]))
    return found


def is_python(source: str) -> bool:
    """Say whether a source can be read; to read a module takes most of the time of listing its mutants."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


class _Finder(ast.NodeVisitor):
    """Goes through a module and finds what can be changed in it."""

    def __init__(self, module: str, source: str) -> None:
        self.module, self.source = module, source.encode()
        lengths = [len(line) for line in self.source.splitlines(keepends=True)]
        self.starts = [sum(lengths[:number]) for number in range(len(lengths) + 1)]
        self.found: list[Mutant] = []
        self.scope: list[str] = []
        self.statement = (1, 1)
        self.within: Within | None = None
        self.has_words = False

    @contextmanager
    def _with(self, **state: object) -> Iterator[None]:
        """Go on with another state, and come back to this one."""
        before = {name: getattr(self, name) for name in state}
        vars(self).update(state)
        yield
        vars(self).update(before)

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """Tell where a node stands, in bytes."""
        return (
            self.starts[getattr(node, "lineno") - 1] + getattr(node, "col_offset"),  # noqa: B009 (not every AST has one)
            self.starts[getattr(node, "end_lineno") - 1] + getattr(node, "end_col_offset"),  # noqa: B009
        )

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _put(self, start: int, end: int, text: str) -> None:
        """Note one mutant."""
        begin = self.source.rfind(b"\n", 0, start) + 1
        stop = self.source.find(b"\n", end)
        becomes = self.source[begin:start].decode() + text + self.source[end:stop].decode()
        line = self.source[begin:].split(b"\n", 1)[0].decode()
        place = (self.module, ".".join(self.scope), line.strip(), becomes.split("\n")[0].strip())
        self.found.append(Mutant(*place, 1, (start, end, text), *self.statement, self.within))

    def _instead(self, node: ast.AST, *texts: str) -> None:
        for text in texts:
            self._put(*self._span(node), text)

    def _swap(self, left: ast.AST, operator: ast.AST, right: ast.AST) -> None:
        """Put another operator between two operands."""
        start, end = self._span(left)[1], self._span(right)[0]
        sign, other = SWAPS[type(operator)]
        if found := re.search(re.escape(sign).replace(r"\ ", r"\s+").encode(), self.source[start:end]):
            self._put(start + found.start(), start + found.end(), other)

    def visit(self, node: ast.AST) -> None:
        """Change the node, then what is in it."""
        if isinstance(node, ast.stmt):
            header = [*ast.iter_child_nodes(node)] if not hasattr(node, "body") else [_test(node)]
            last = max(
                (getattr(part, "end_lineno", None) or node.lineno for part in header if part), default=node.lineno
            )
            with self._with(statement=(node.lineno, last)):
                super().visit(node)
        else:
            super().visit(node)

    def _function(self, node: Function) -> None:
        defaults = node.args
        for default in chain(defaults.defaults, defaults.kw_defaults):
            if default:
                with self._with(scope=[*self.scope, node.name]):
                    self.visit(default)
        scope = [*self.scope, node.name]
        within = self.within or (".".join(scope), node.body[0].lineno, node.end_lineno)
        with self._with(scope=scope, within=within):
            for statement in node.body:
                self.visit(statement)

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815 (ast's own names)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        is_rule = any(self._text(base).endswith("Rule") for base in node.bases)
        with self._with(scope=[*self.scope, node.name]):
            for statement in node.body:
                if is_rule and isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Tuple):
                    self.visit(statement.value.elts[0])
                else:
                    self.visit(statement)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave it alone."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        target, is_alias = node.targets[0], isinstance(node.value, ast.Subscript)
        is_union = isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.BitOr)
        if (isinstance(target, ast.Name) and target.id in NAMES) or (not self.within and (is_alias or is_union)):
            return
        if not isinstance(target, ast.Name | ast.Tuple):
            self._instead(node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._instead(node, "pass")
        self._swap(node.target, node.op, node.value)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        is_note = isinstance(node.value, ast.Call) and _name(node.value) in NOTES
        if isinstance(node.value, ast.Constant) or is_note:
            return
        self._instead(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._instead(node, "pass")
        with self._with(has_words=True):
            self.generic_visit(node)

    def _step(self, node: ast.AST) -> None:
        self._instead(node, "pass")
        self.generic_visit(node)

    visit_Continue = visit_Break = visit_Delete = _step  # noqa: N815

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and self._text(node.value) != "None":
            self._instead(node.value, "None")
        self.generic_visit(node)

    def _condition(self, test: ast.expr, *forced: str) -> None:
        if not isinstance(test, ast.Constant):
            self._instead(test, *forced)

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        if self._text(node.test) == "TYPE_CHECKING":
            return
        binds = any(isinstance(part, ast.NamedExpr) for part in ast.walk(node.test))
        self._condition(node.test, *([] if binds else ["True"]), "False")
        self.generic_visit(node)

    visit_IfExp = visit_If  # noqa: N815

    def visit_While(self, node: ast.While) -> None:
        self._condition(node.test, "False")
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test, "True", "False")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, sign, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self._swap(left, sign, right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._swap(left, node.op, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in SWAPS:
            self._swap(node.left, node.op, node.right)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self._instead(node, self._text(node.operand))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if _name(node) in TYPES | NOTES:
            return
        if _name(node) in TWINS:
            self._instead(node.func, TWINS[_name(node)])
        with self._with(has_words=self.has_words or _name(node) in WORDS):
            self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        if not self.has_words:
            self._instead(node, '""')

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._instead(node, str(not node.value))
        elif isinstance(node.value, int | float):
            self._instead(node, str(node.value + 1), str(node.value - 1))
        elif isinstance(node.value, str) and not self.has_words:
            self._instead(node, '""' if node.value else '"XX"')
        elif isinstance(node.value, bytes):
            self._instead(node, 'b""' if node.value else 'b"XX"')


def _test(node: ast.AST) -> ast.AST | None:
    """Give what the head of a compound statement looks at."""
    return getattr(node, "test", None) or getattr(node, "iter", None) or getattr(node, "subject", None)


def _name(call: ast.Call) -> str:
    """Give the last word of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
