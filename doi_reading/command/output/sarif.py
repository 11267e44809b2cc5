"""SARIF 2.1.0, for code scanning. The rules are the problem codes of texts, and what a check may add.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from urllib.parse import quote

from doi_reading.command.findings import DoiFinding
from doi_reading.command.installed_version import find_version
from doi_reading.command.outcomes import OF_OTHER, OUTCOMES
from doi_reading.problems.catalogue import (
    CATALOGUE,
    OF_CELLS,
    OF_COMPARISONS,
    OF_OTHERS,
    OF_RECORDS,
    OF_SEARCHES,
    OF_WORKS,
    Entry,
)

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_NOT_OF_TEXTS = OF_CELLS | OF_COMPARISONS | OF_OTHERS | OF_RECORDS | OF_SEARCHES | OF_WORKS
_OF_TEXTS = tuple(entry for code, entry in CATALOGUE.items() if code not in _NOT_OF_TEXTS)
RULES = (*_OF_TEXTS, CATALOGUE[OF_OTHER], *OUTCOMES.values())
_INDEX = {entry.code: index for index, entry in enumerate(RULES)}


def write_report(findings: Iterable[DoiFinding], pages: str) -> Iterator[str]:
    """Yield the log with one run."""
    rules = [_describe_rule(entry, pages) for entry in RULES]
    driver = {"name": "doi-read", "semanticVersion": find_version(), "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_describe_result(one) for one in findings],
    }
    yield json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _describe_rule(entry: Entry, pages: str) -> dict[str, object]:
    page = {"helpUri": f"{pages.rstrip('/')}/{entry.code}"} if pages and entry.code in CATALOGUE else {}
    example = f"\n\nExample: `{entry.example}`" if entry.example.isprintable() and entry.example else ""
    return {
        "id": entry.code,
        "shortDescription": {"text": entry.title},
        "defaultConfiguration": {"level": _LEVELS[entry.severity]},
        "help": {"text": entry.advice, "markdown": entry.advice + example},
        **page,
    }


def _describe_result(one: DoiFinding) -> dict[str, object]:
    artifact = {"uri": _build_uri(one.file)}
    region = {"startLine": one.line, "startColumn": one.column, "endLine": one.end_line, "endColumn": one.end_column}
    location = {
        "artifactLocation": artifact,
        "region": {**region, "charOffset": one.start, "charLength": one.end - one.start},
    }
    replacements = [
        {"deletedRegion": {"charOffset": edit.start, "charLength": edit.end - edit.start},
         "insertedContent": {"text": edit.new}}
        for edit in one.edits
    ]  # fmt: skip
    change = {"artifactLocation": artifact, "replacements": replacements}
    fixes = [{"description": {"text": "Correct what is certain"}, "artifactChanges": [change]}] if one.edits else []
    return {
        "ruleId": one.code,
        "ruleIndex": _INDEX[one.code],
        "level": _LEVELS[one.severity],
        "message": {"text": one.message},
        "locations": [{"physicalLocation": location}],
        **({"fixes": fixes} if fixes else {}),
    }


def _build_uri(name: str) -> str:
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()), safe="/")
