"""The mutants of a file: mutmut's operators at every place inside of its functions and of the constants at its top, in
the order of the text. A regular expression at the top has operators of its own (`regular_expressions.py`).

Annotations, decorators, defaults, docstrings, logging and the bodies of classes stay.
"""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

from benchmarks.mutants.regular_expressions import weaken

ROOT = Path(__file__).parents[2]
NOT_CHANGED = (cst.Annotation, cst.Decorator, cst.Parameters, cst.TypeAlias, cst.Import, cst.ImportFrom)
NOT_CHANGED_CALLS = {"len", "isinstance", "cast", "super", "getLogger"}
LOGS = {"log", "logger"}
_SENTENCE = re.compile(r"[a-z]{2} [a-z]{2}")


@dataclass(frozen=True)
class Mutant:
    """One change; `lines` are those of the statement that it is in, from and to. `constant`: it is at the top of the
    module, and `function` is the name of the constant."""

    path: str
    function: str
    lines: tuple[int, int]
    text: str  # of the whole file, as it is
    module: cst.Module
    old: cst.CSTNode
    new: cst.CSTNode
    constant: bool = False

    @cached_property
    def source(self) -> str:
        """The whole file with the change."""
        return self.module.deep_replace(self.old, self.new).code  # type: ignore[arg-type]  (libcst types both as any node)

    @cached_property
    def difference(self) -> list[str]:
        """The lines that go (`-`) and those that come (`+`)."""
        lines = difflib.unified_diff(self.text.splitlines(), self.source.splitlines(), lineterm="", n=0)
        return [line for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"}]

    @property
    def is_wording(self) -> bool:
        """Whether a sentence has other words: tests ask for codes and states, and what people read may change."""
        return isinstance(self.old, cst.SimpleString) and _SENTENCE.search(self.old.value) is not None

    @property
    def words(self) -> str:
        """The difference in one line without indentation: how a list of known mutants names this one."""
        return " ".join(f"{line[0]}{line[1:].strip()}" for line in self.difference)


@cache
def mutants(path: str) -> Sequence[Mutant]:
    """All of a file, named by its path from the root."""
    text = (ROOT / path).read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(text))
    finder = _Finder(path, text, wrapper.module)
    wrapper.visit(finder)
    return finder.found


class _Finder(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, path: str, text: str, module: cst.Module) -> None:
        super().__init__()
        self.path, self.text, self.module = path, text, module
        self.found: list[Mutant] = []
        self._names: list[str] = []  # of the classes and functions around
        self._functions = 0
        self._constant = False  # inside of one at the top of the module
        self._statement: tuple[int, int] | None = None  # a statement inside of a function, however many lines it has

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, NOT_CHANGED) or _is_left_alone(node):
            return False
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            self._go_into(node)
            return False
        if isinstance(node, cst.SimpleStatementLine) and (self._functions or not self._names):
            self._statement = self._lines(node)
        if self._functions or self._constant:
            self._change(node)
        elif not self._names and isinstance(node, (cst.Assign, cst.AnnAssign)):
            self._go_into_constant(node)
            return False
        return True

    def on_leave(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.SimpleStatementLine):
            self._statement = None

    def _go_into_constant(self, node: cst.Assign | cst.AnnAssign) -> None:
        target = node.targets[0].target if isinstance(node, cst.Assign) else node.target
        if isinstance(target, cst.Name) and not isinstance(node.value, (cst.Subscript, type(None))):  # a type's name
            self._names, self._constant = [target.value], True
            node.value.visit(self)
            self._names, self._constant = [], False

    def _go_into(self, node: cst.FunctionDef | cst.ClassDef | cst.Lambda) -> None:
        if isinstance(node, cst.Lambda):
            self._change(node)
        self._names.append("lambda" if isinstance(node, cst.Lambda) else node.name.value)
        self._functions += not isinstance(node, cst.ClassDef)
        node.body.visit(self)
        self._functions -= not isinstance(node, cst.ClassDef)
        self._names.pop()

    def _change(self, node: cst.CSTNode) -> None:
        lines = self._statement or self._lines(node)
        if lines:
            name, constant = ".".join(self._names), self._constant
            new = self._change_constant(node) if constant else _apply_operators(node)
            self.found += (Mutant(self.path, name, lines, self.text, self.module, node, one, constant) for one in new)

    def _change_constant(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """A string in a table is changed once: in another case it is often the same to its reader."""
        match node:
            case cst.SimpleString() if "r" in node.prefix:
                for pattern in weaken(node.raw_value):
                    yield node.with_changes(value=f"{node.prefix}{node.quote}{pattern}{node.quote}")
            case cst.FormattedStringText(value=value):
                for pattern in weaken(value.replace("{{", "{").replace("}}", "}")):
                    yield node.with_changes(value=pattern.replace("{", "{{").replace("}", "}}"))
            case cst.SimpleString():
                yield from islice(_apply_operators(node), 1)
            case _:
                yield from _apply_operators(node)

    def _lines(self, node: cst.CSTNode) -> tuple[int, int] | None:
        """Some nodes, such as operators, have no place of their own; inside of a statement they have its."""
        place = self.get_metadata(PositionProvider, node, None)
        return (place.start.line, place.end.line) if place else None


def _apply_operators(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    return (new for kind, operator in mutation_operators if isinstance(node, kind) for new in operator(node))


def _is_left_alone(node: cst.CSTNode) -> bool:
    """A docstring, a message to the log, or a call that says something of types only."""
    match node:
        case cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
            return True
        case cst.Call(func=cst.Name(value=name)):
            return name in NOT_CHANGED_CALLS
        case cst.Call(func=cst.Attribute(value=cst.Name(value=name))):
            return name in LOGS
    return False
