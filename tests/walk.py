"""A move followed through the code, as somebody would who reads it: call by call, from the page to the disk and back.

`python -m tests.walk` prints the walk. It is read from the code alone, nothing runs: from a function on, every call is
followed into our own code to which what came in is handed on (or what was made of it), in the order in which it is
written, and each function once. A *stay* is the time in one module before another one is entered, a *return* a stay in a
module that was left before, a *room* is a module or package of the picture in `docs/architecture.md`, and a *climb* leads
to a higher layer.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
FIRST = "companion.desk.talking", "at_once", "arrived"
EVERYDAY = {name for one in (str, list, dict, set) for name in dir(one)}
"""Methods that most values have: their names alone do not say whose they are."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
Known = dict[str, str]
"""Name -> what it is: the full name of a module, class or function of ours."""


@dataclass(frozen=True)
class Module:
    """A module of ours, as it is written."""

    name: str
    tree: ast.Module

    @cached_property
    def definitions(self) -> dict[str, ast.AST]:
        """List functions, classes and methods by their names in the module: `Play`, `Play.judge`."""
        found: dict[str, ast.AST] = {}
        for part in self.tree.body:
            if isinstance(part, Function | ast.ClassDef):
                found[part.name] = part
            for inner in part.body if isinstance(part, ast.ClassDef) else ():
                if isinstance(inner, Function):
                    found[f"{part.name}.{inner.name}"] = inner
        return found

    @cached_property
    def imports(self) -> Known:
        """Name what it imports from us, wherever that is written, and what it defines."""
        known = {name: f"{self.name}.{name}" for name in self.definitions if "." not in name}
        for part in ast.walk(self.tree):
            if isinstance(part, ast.ImportFrom) and (part.module or "").startswith("companion"):
                known |= {one.asname or one.name: f"{part.module}.{one.name}" for one in part.names}
        return known


@dataclass
class House:
    """All modules of ours."""

    modules: dict[str, Module] = field(default_factory=dict)

    @classmethod
    def read(cls) -> House:
        """Read them from the tree."""
        house = cls()
        for file in sorted((ROOT / "companion").rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts).removesuffix(".__init__")
            house.modules[name] = Module(name, ast.parse(file.read_text()))
        return house

    def find(self, name: str) -> tuple[Module, str] | None:
        """Find what a full name means: its module, and its name there; what is only imported there is looked up."""
        if name in self.modules:
            return self.modules[name], ""
        place, _, rest = name.rpartition(".")
        while place and place not in self.modules:
            place, _, inner = place.rpartition(".")
            rest = f"{inner}.{rest}"
        if not place:
            return None
        module, (first, *more) = self.modules[place], rest.split(".")
        if rest in module.definitions:
            return module, rest
        led = module.imports.get(first)
        return self.find(".".join([led, *more])) if led and led != f"{place}.{first}" else None

    @cached_property
    def methods(self) -> dict[str, list[str]]:
        """List by their names the methods of all classes."""
        found: dict[str, list[str]] = {}
        for module in self.modules.values():
            for name in module.definitions:
                if "." in name:
                    found.setdefault(name.partition(".")[2], []).append(f"{module.name}.{name}")
        return found


@dataclass
class Walk:
    """A walk through the house: the modules entered, one after the other."""

    house: House
    steps: list[tuple[str, str]] = field(default_factory=list)
    """(module, function) as they are entered."""

    def enter(self, module: Module, name: str, handed: frozenset[str]) -> None:
        """Enter a function that is handed something, and follow it on; one that was walked through is passed by."""
        definition = module.definitions[name]
        if (module.name, name) in self.steps or not isinstance(definition, Function):
            return
        self.steps.append((module.name, name))
        Reader(self, module, name.rpartition(".")[0], set(handed), dict(_annotated(definition))).read(definition.body)

    @property
    def stays(self) -> list[str]:
        """List the modules that are entered, the next one only when another has been left."""
        entered = [module for module, _ in self.steps]
        return [here for place, here in enumerate(entered) if place == 0 or entered[place - 1] != here]

    @property
    def rooms(self) -> int:
        return len({room(stay) for stay in self.stays})

    @property
    def returns(self) -> int:
        return len(self.stays) - len(set(self.stays))

    @property
    def climbs(self) -> int:
        stays, floors = self.stays, layers()
        return sum(floor(after, floors) > floor(before, floors) for before, after in pairwise(stays))


@dataclass
class Reader:
    """Reads one function, line by line, with an eye on what was handed to it."""

    walk: Walk
    module: Module
    owner: str
    """The class that it is a method of; "" for none."""
    carried: set[str]
    """Names that hold what was handed on, or something made of it."""
    types: dict[str, ast.expr | str]
    """Name -> its annotation, or the full name of its class."""

    def read(self, body: list[ast.stmt]) -> None:
        """Read statements in their order."""
        for part in body:
            self.visit(part)

    def visit(self, part: ast.AST) -> None:
        """Read a part: its calls, innermost first, and what they are kept in."""
        if isinstance(part, Function):
            # A function inside knows what is carried here.
            inner = {arg.arg for arg in part.args.args}
            self.types |= dict(_annotated(part))
            self.carried |= inner
            self.read(part.body)
            return
        if isinstance(part, ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.withitem | ast.For | ast.comprehension):
            self._kept(part)
        inner = list(ast.iter_child_nodes(part))
        # What a comprehension goes through is written after what it makes of it.
        for child in sorted(inner, key=lambda child: not isinstance(child, ast.comprehension)):
            self.visit(child)
        if isinstance(part, ast.Call):
            self._call(part)

    def _kept(self, part: ast.AST) -> None:
        value = getattr(part, "value", None) or getattr(part, "context_expr", None) or getattr(part, "iter", None)
        target = getattr(part, "target", None) or getattr(part, "optional_vars", None) or getattr(part, "targets", None)
        if value is None or target is None or not self._carries(value):
            return
        for one in target if isinstance(target, list) else [target]:
            names = [name.id for name in ast.walk(one) if isinstance(name, ast.Name)]
            self.carried |= set(names)
            if len(names) == 1 and (made := self._type(value)):
                self.types[names[0]] = made

    def _carries(self, part: ast.AST) -> bool:
        return any(isinstance(name, ast.Name) and name.id in self.carried for name in ast.walk(part))

    def _call(self, call: ast.Call) -> None:
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        given = [*call.args, *(word.value for word in call.keywords)]
        if not any(self._carries(part) for part in (*given, *([receiver] if receiver else []))):
            return
        led = self._resolved(call.func)
        found = self.walk.house.find(led) if led else None
        if found is None or not isinstance(definition := found[0].definitions.get(found[1]), Function):
            return
        parameters = [arg.arg for arg in (*definition.args.posonlyargs, *definition.args.args)]
        is_method = "." in found[1] and parameters[:1] == ["self"]
        handed = {"self"} if is_method else set()
        for parameter, value in zip(parameters[is_method:], call.args, strict=False):
            handed |= {parameter} if self._carries(value) else set()
        handed |= {word.arg for word in call.keywords if word.arg and self._carries(word.value)}
        self.walk.enter(*found, frozenset(handed))

    def _resolved(self, called: ast.expr) -> str | None:
        """Tell the full name of what is called; None where it is not ours, or nobody can say."""
        if isinstance(called, ast.Name):
            return self.module.imports.get(called.id)
        if not isinstance(called, ast.Attribute):
            return None
        if isinstance(called.value, ast.Name) and called.value.id in self.module.imports:
            return f"{self.module.imports[called.value.id]}.{called.attr}"
        if type_ := self._type(called.value):
            return f"{type_}.{called.attr}"
        if isinstance(called.value, ast.Name) and called.value.id in self.types:
            return None
        doors = self.walk.house.methods.get(called.attr, [])
        return doors[0] if len(doors) == 1 and called.attr not in EVERYDAY else None

    def _type(self, value: ast.expr) -> str | None:
        """Tell the class of a value, as far as annotations say."""
        if isinstance(value, ast.Name):
            if value.id == "self":
                return f"{self.module.name}.{self.owner}" if self.owner else None
            known = self.types.get(value.id)
            return known if isinstance(known, str) or known is None else self._class(known, self.module)
        if isinstance(value, ast.Await):
            return self._type(value.value)
        if isinstance(value, ast.Call):
            led = self._resolved(value.func)
            found = self.walk.house.find(led) if led else None
            definition = found[0].definitions.get(found[1]) if found else None
            if found and isinstance(definition, ast.ClassDef):
                return f"{found[0].name}.{found[1]}"
            returns = definition.returns if isinstance(definition, Function) else None
            return self._class(returns, found[0]) if found and returns else None
        if isinstance(value, ast.Attribute) and (owner := self._type(value.value)):
            return self._attribute(owner, value.attr)
        return None

    def _attribute(self, owner: str, name: str) -> str | None:
        found = self.walk.house.find(owner)
        definition = found[0].definitions.get(found[1]) if found else None
        for part in definition.body if isinstance(definition, ast.ClassDef) else ():
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id == name:
                return self._class(part.annotation, found[0]) if found else None
            if isinstance(part, Function) and part.name == name and part.returns:
                return self._class(part.returns, found[0]) if found else None
        return None

    def _class(self, annotation: ast.expr, module: Module) -> str | None:
        """Find the first class of ours that an annotation names."""
        for name in ast.walk(annotation):
            led = module.imports.get(name.id) if isinstance(name, ast.Name) else None
            found = self.walk.house.find(led) if led else None
            if found and isinstance(found[0].definitions.get(found[1]), ast.ClassDef):
                return f"{found[0].name}.{found[1]}"
        return None


def _annotated(function: Function) -> Iterator[tuple[str, ast.expr]]:
    for arg in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        if arg.annotation:
            yield arg.arg, arg.annotation


def layers() -> dict[str, int]:
    """Read the layers from `pyproject.toml`: module or package -> its floor, the lowest is 1."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["id"] == "layers")
    return {
        f"companion.{name.strip()}": floor for floor, row in enumerate(reversed(rows), 1) for name in row.split("|")
    }


def floor(module: str, floors: dict[str, int]) -> int:
    """Find the floor of a module: its own, or that of the package that it is in."""
    return floors[room(module)]


def room(module: str) -> str:
    """Name the module or package at the top that a module is, or is in."""
    return ".".join(module.split(".")[:2])


def walk(module: str = FIRST[0], function: str = FIRST[1], parameter: str = FIRST[2]) -> Walk:
    """Walk from a function on, as one of its parameters."""
    house = House.read()
    walk = Walk(house)
    walk.enter(house.modules[module], function, frozenset({parameter}))
    return walk


def main() -> None:
    """Print a walk."""
    done, before = walk(*(sys.argv[1:] or FIRST)), ""
    for module, function in done.steps:
        if module != before:
            print(f"{floor(module, layers()):3}  {module}")
        print(f"        {function}")
        before = module
    print(f"{len(done.stays)} stays in {done.rooms} rooms, {done.climbs} climbs, {done.returns} returns")


if __name__ == "__main__":
    main()
