"""The corpus put to idutils and oc-ds-converter, beside our reader; nothing of it touches a network.

`make compare` gives them an environment of their own, in which our reader runs too, since it needs nothing but Python.

A text with a name is understood when a tool gives that name (S8); a text without one, when the tool gives none.
"""

import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import idutils
from oc_ds_converter.oc_idmanager.doi import DOIManager
from oc_ds_converter.oc_idmanager.oc_data_storage.in_memory_manager import InMemoryStorageManager

from doi_reading import fold
from tests.doi_reading.corpus import AS_IT_IS, DAMAGED, NO_DOI, by_class, cases, offered

Tool = Callable[[str], list[str]]

CALLS = {
    "idutils": "normalize_doi(text)",
    "idutils+": "detect_identifier_schemes(text.strip()), then normalize_pid for doi and handle: any of the answers",
    "oc-ds": "DOIManager.normalise(text), kept when syntax_ok",
    "oc-ds+": "the same, and else attempt_repair, to which exactly the names of the corpus exist",
    "ours": "read(text), offline: the name, the short DOI or a candidate",
}


class WithAnOracle(DOIManager):
    """oc-ds-converter's manager, whose question to doi.org is answered from the corpus."""

    names = frozenset(fold(case.expected) for case in cases() if case.expected)

    def exists(self, id_string: str, get_extra_info: bool = False, allow_extra_api: str | None = None) -> bool:
        """Whether the name is one of the corpus."""
        return fold(id_string.removeprefix("doi:")) in self.names


def idutils_doi(text: str) -> list[str]:
    """The documented call; it raises AttributeError for what is no DOI to it."""
    try:
        return [idutils.normalize_doi(text)]
    except AttributeError:
        return []


def idutils_best(text: str) -> list[str]:
    """What a careful caller would do: strip, detect, normalise. A handle that is no DOI counts for nothing."""
    text = text.strip()
    schemes = [scheme for scheme in idutils.detect_identifier_schemes(text) if scheme in ("doi", "handle")]
    names = [idutils.normalize_pid(text, scheme) for scheme in schemes]
    return [name for name in names if name.startswith("10.")]


def converter(manager: DOIManager, *, repair: bool) -> Tool:
    """oc-ds-converter's answer as a list of names."""

    def ask(text: str) -> list[str]:
        name = manager.normalise(text)
        if name is None:
            return []
        if not repair or manager.exists(name):
            return [name] if manager.syntax_ok(name) else []
        repaired = manager.attempt_repair(name)
        return [repaired] if repaired else [name] if manager.syntax_ok(name) else []

    return ask


def tools(folder: Path) -> dict[str, Tool]:
    """Each tool by the name of its column."""

    def storage(name: str) -> InMemoryStorageManager:
        return InMemoryStorageManager(str(folder / name))

    plain = DOIManager(use_api_service=False, storage_manager=storage("plain.json"))
    oracle = WithAnOracle(use_api_service=True, storage_manager=storage("oracle.json"))
    return {
        "idutils": idutils_doi,
        "idutils+": idutils_best,
        "oc-ds": converter(plain, repair=False),
        "oc-ds+": converter(oracle, repair=True),
        "ours": offered,
    }


def rows(tool: Tool) -> dict[str, tuple[int, int]]:
    """How many texts the tool understands: of each group, then of each class of damage."""
    met = [(case, case.is_met_by(tool(case.input))) for case in cases()]
    groups = {}
    for group in (DAMAGED, AS_IT_IS, NO_DOI):
        good = [is_met for case, is_met in met if case.group == group]
        groups[f"= {group}"] = (sum(good), len(good))
    return groups | by_class((case, is_met) for case, is_met in met if case.group == DAMAGED)


def cell(counts: tuple[int, int], *, with_share: bool) -> str:
    """A number, with its share of all where the line is one of a group."""
    good, total = counts
    return f"{good} {good / total:5.0%}" if with_share else str(good)


def main() -> None:
    """Print one table: groups first, then the classes of damage."""
    print(f"idutils {version('idutils')}, oc-ds-converter {version('oc-ds-converter')}")
    for name, call in CALLS.items():
        print(f"  {name:<9} {call}")
    with tempfile.TemporaryDirectory() as folder:
        columns = {name: rows(tool) for name, tool in tools(Path(folder)).items()}
    print(f"\n{'':<24}{'texts':>7}" + "".join(f"{name:>12}" for name in columns))
    for kind, (_, total) in columns["ours"].items():
        cells = [cell(column[kind], with_share=kind.startswith("=")) for column in columns.values()]
        print(f"{kind:<24}{total:>7}" + "".join(f"{text:>12}" for text in cells))


if __name__ == "__main__":
    main()
