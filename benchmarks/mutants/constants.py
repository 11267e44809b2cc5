"""The constants at the top of the modules: which are built from which, which lines of functions read one, and the
values that all of them have when one is changed.

The first two are learned from the text, so that the tests of a constant are known before anything is imported. A
default of a parameter and the body of a class have copied the value, and keep it.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
Constant = tuple[str, str]
"""The path of a module from the root, and a name at its top."""
Change = tuple[object, str, object]
"""An object, one of its attributes, and the value that this gets."""


@dataclass(frozen=True)
class Top:
    """The top of a module: what is assigned, the functions, and what is imported from where (the name is "" for a
    module)."""

    assigned: Mapping[str, ast.stmt]
    functions: Mapping[str, ast.FunctionDef]
    imported: Mapping[str, Constant]
    module: ast.Module


def find_assignments(module: ast.Module) -> dict[str, ast.stmt]:
    """The assignments at the top of a module, by name."""
    found: dict[str, ast.stmt] = {}
    for one in module.body:
        if isinstance(one, (ast.Assign, ast.AnnAssign)):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            names = (node for target in targets for node in ast.walk(target))
            found |= {name.id: one for name in names if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
    return found


def find_lines(constant: Constant) -> list[tuple[str, int]]:
    """The lines of functions that read the constant, or one that is built from it."""
    return [line for one in _find_built(constant) for line in _lines()[one]]


def compute_changes(constant: Constant, statement: ast.stmt) -> list[Change]:
    """The constants of this process that differ when the statement of one is this; none if nothing does, or if it
    can't be run. They are as before when this returns."""
    before: list[tuple[ModuleType, str, object]] = []
    changes: list[Change] = []
    built = _find_built(constant)
    try:
        for path, name in TopologicalSorter({one: _built_from()[one] & built for one in built}).static_order():
            module = _find_module(path)
            if module is None:
                continue
            own = (path, name) == constant
            new = _run(statement if own else _tops()[path].assigned[name], module)[name]
            if own and new == getattr(module, name):
                return []
            for holder, local in [(module, name), *_find_importers(path, name, getattr(module, name))]:
                before.append((holder, local, getattr(holder, local)))
                changes.append((holder, local, new))
                setattr(holder, local, new)
    except Exception:  # noqa: BLE001 - whatever it raises, the module could not be imported
        return []
    finally:
        for holder, local, old in reversed(before):
            setattr(holder, local, old)
    return changes


def _run(statement: ast.stmt, module: ModuleType) -> dict[str, object]:
    found: dict[str, object] = {}
    code = compile(ast.Module([statement], []), str(module.__file__), "exec", dont_inherit=True)
    exec(code, vars(module), found)  # noqa: S102 - our own code with a small fault
    return found


def _find_built(constant: Constant) -> set[Constant]:
    """The constant, and all that are built from it."""
    found = {constant}
    while more := {one for one, of in _built_from().items() if not of.isdisjoint(found)} - found:
        found |= more
    return found


def _find_importers(path: str, name: str, value: object) -> Iterator[tuple[ModuleType, str]]:
    """Our modules that import the constant, and tests that have its value under its name."""
    for importer, top in _tops().items():
        for local in top.imported:
            if _find_origin(importer, local) == (path, name) and (module := _find_module(importer)) is not None:
                yield module, local
    for dotted, module in sys.modules.items():
        if dotted.startswith("tests.") and vars(module).get(name) is value:
            yield module, name


def _find_module(path: str) -> ModuleType | None:
    return sys.modules.get(_dot(path))


def _dot(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def _tops() -> dict[str, Top]:
    files = (path for folder in ("doi_reading", "resolver") for path in sorted((ROOT / folder).rglob("*.py")))
    paths = [str(path.relative_to(ROOT)) for path in files]
    modules = {_dot(path): path for path in paths}
    tops = {}
    for path in paths:
        module = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        imported = {}
        for one in (node for node in module.body if isinstance(node, ast.ImportFrom)):
            for alias in one.names:
                whole, source = modules.get(f"{one.module}.{alias.name}"), modules.get(one.module or "")
                if found := whole or source:
                    imported[alias.asname or alias.name] = found, "" if whole else alias.name
        functions = {one.name: one for one in module.body if isinstance(one, ast.FunctionDef)}
        tops[path] = Top(find_assignments(module), functions, imported, module)
    return tops


@cache
def _find_origin(path: str, name: str) -> Constant | None:
    """Where a name at the top of a module comes from; None if from elsewhere."""
    top = _tops()[path]
    if name in top.assigned or name in top.functions:
        return path, name
    return _find_origin(*top.imported[name]) if name in top.imported and top.imported[name][1] else None


def _references(path: str, node: ast.AST) -> Iterator[tuple[Constant, ast.expr]]:
    """What the node reads of the tops of our modules, and where."""
    imported = _tops()[path].imported
    for one in ast.walk(node):
        found = None
        match one:
            case ast.Name(id=name, ctx=ast.Load()):
                found = _find_origin(path, name)
            case ast.Attribute(value=ast.Name(id=module), attr=name) if imported.get(module, ("", "x"))[1] == "":
                found = _find_origin(imported[module][0], name)
        if found is not None and isinstance(one, ast.expr):
            yield found, one


@cache
def _lines() -> Mapping[Constant, set[tuple[str, int]]]:
    """The lines of functions by the constant that they read; not those of a function's parameters and decorators."""
    found: dict[Constant, set[tuple[str, int]]] = defaultdict(set)
    for path, top in _tops().items():
        for function in ast.walk(top.module):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for constant, place in (one for part in function.body for one in _references(path, part)):
                    found[constant].add((path, place.lineno))
    return found


@cache
def _built_from() -> dict[Constant, set[Constant]]:
    """The constants that each is built from, those in the functions called for it among them."""
    return {
        (path, name): set(_find_parts(path, statement, set()))
        for path, top in _tops().items()
        for name, statement in top.assigned.items()
    }


def _find_parts(path: str, node: ast.AST, seen: set[Constant]) -> Iterator[Constant]:
    called = {id(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}
    for (origin, name), place in _references(path, node):
        function = _tops()[origin].functions.get(name)
        if function is None:
            yield origin, name
        elif id(place) in called and (origin, name) not in seen:
            seen.add((origin, name))
            yield from _find_parts(origin, function, seen)
