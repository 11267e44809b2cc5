"""Whatever the layers below say to a person is known where pages are translated."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from django.utils import translation

from resolver.web.site.translate import in_readers_language
from translating.extracting import ROOT

# What a person is told is given to one of these.
SAYING = {
    "NoColumn", "NotFoundHint", "NotRedirectable", "OtherChoice", "ProxyError", "Unasked", "Unreachable",
    "UnreadableFile", "UnreadableLocations", "UnreadableXml", "damaged", "nothing", "no_name",
}  # fmt: skip
MODULES = [
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    for layer in ("domain", "proxy", "services", "sheets")
    for path in sorted((ROOT / "resolver" / layer).rglob("[!_]*.py"))
]


def texts(node: ast.AST, module: ModuleType) -> Iterator[str]:
    """The texts of an argument, filled as the code would fill them: numbers with 7, names of the module with theirs."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr():
            yield "".join(
                part.value if isinstance(part, ast.Constant) else str(_named(part.value, module) or 7)
                for part in node.values
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
        case ast.Name():
            yield from filter(None, [_named(node, module)])
        case ast.IfExp():
            yield from texts(node.body, module)
            yield from texts(node.orelse, module)


def _named(node: ast.AST, module: ModuleType) -> str | None:
    value = getattr(module, node.id, None) if isinstance(node, ast.Name) else None
    return value if isinstance(value, str) else None


def said(name: str) -> set[str]:
    """The sentences and phrases that the module's source gives to what tells people."""
    module = import_module(name)
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if called in SAYING:
                found |= {text for argument in node.args for text in texts(argument, module) if " " in text.strip()}
    return found


def test_whatever_is_said_to_people_can_be_translated():
    everything = {text for name in MODULES for text in said(name)}
    assert len(everything) > 80
    with translation.override("de"):
        assert not {text for text in everything if in_readers_language(text) == text}
