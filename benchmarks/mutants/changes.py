"""The mutants of a file: mutmut's operators at every place inside of its functions, in the order of the text.

Only what runs when a function is called is changed: annotations, decorators, defaults, docstrings, logging and
what stands at the top of a module stay (tables of the domain have examples, which are tests of their own).
"""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

ROOT = Path(__file__).parents[2]
NOT_CHANGED = (cst.Annotation, cst.Decorator, cst.Parameters, cst.TypeAlias, cst.Import, cst.ImportFrom)
NOT_CHANGED_CALLS = {"len", "isinstance", "cast", "super"}
LOGS = {"log", "logger"}
_SENTENCE = re.compile(r"[a-z]{2} [a-z]{2}")


@dataclass(frozen=True)
class Mutant:
    """One change; `lines` are those of the statement that it is in, from and to."""

    path: str
    function: str
    lines: tuple[int, int]
    text: str  # of the whole file, as it is
    module: cst.Module
    old: cst.CSTNode
    new: cst.CSTNode

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
        self._statement: tuple[int, int] | None = None  # a statement inside of a function, however many lines it has

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, NOT_CHANGED) or _is_left_alone(node):
            return False
        if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            self._go_into(node)
            return False
        if self._functions:
            if isinstance(node, cst.SimpleStatementLine):
                self._statement = self._lines(node)
            self._change(node)
        return True

    def on_leave(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.SimpleStatementLine):
            self._statement = None

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
        for kind, operator in mutation_operators:
            if lines and isinstance(node, kind):
                for new in operator(node):
                    self.found.append(
                        Mutant(self.path, ".".join(self._names), lines, self.text, self.module, node, new)
                    )

    def _lines(self, node: cst.CSTNode) -> tuple[int, int] | None:
        """Some nodes, such as operators, have no place of their own; inside of a statement they have its."""
        place = self.get_metadata(PositionProvider, node, None)
        return (place.start.line, place.end.line) if place else None


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
