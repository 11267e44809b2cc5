"""Every statement of behaviour in the five source documents, in our own short words, and what holds it.

`statements.tsv` has the number, the places that say it, the words, the clauses and the tests that hold it, and a
reason: alone, why it does not apply here; beside clauses, why another statement stands in its place.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.clauses import CLAUSES

DOCUMENTS = {
    "RD": "DOI Resolution Documentation",
    "URI": "The “doi” URI scheme",
    "NISO": "ANSI/NISO Z39.84-2005; fore: the foreword, A to E: the appendices",
    "SC": "Handling of Special Characters (2000)",
    "ENC": "DOI Name Encoding Rules for URL Presentation",
}
HEAD = """
## The source documents, statement by statement

What the five documents say about the behaviour of names, addresses and services. A statement that several documents
make, or one makes twice, is one line with all its places. The tests of its clauses above hold it; a test named here
shows it best.
"""
HOLDS, NOT_HERE = "holds", "does not apply"
Held = Mapping[str, Mapping[str, bool]]  # clause → test → whether it passed


@dataclass(frozen=True)
class Statement:
    number: int
    sources: tuple[str, ...]
    words: str
    clauses: tuple[str, ...]
    tests: tuple[str, ...]
    reason: str

    def result(self, held: Held) -> str:
        """`held` are the tests of each clause. A test that no clause names is of no use here: nobody saw it pass."""
        if not self.clauses:
            return f"{NOT_HERE}: {self.reason}"
        passed = {test: ok for tests in held.values() for test, ok in tests.items()}
        missing = [clause for clause in self.clauses if not held.get(clause)]
        missing += [test for test in self.tests if test not in passed]
        if missing:
            return f"no test yet: {', '.join(missing)}"
        of_clauses = (ok for clause in self.clauses for ok in held[clause].values())
        if not all(of_clauses) or not all(passed[test] for test in self.tests):
            return "FAILS"
        return f"{HOLDS}; not as it stands: {self.reason}" if self.reason else HOLDS


def _statement(row: dict[str, str]) -> Statement:
    held = row["held by"].split()
    return Statement(
        int(row["number"]),
        tuple(row["source"].split(", ")),
        row["statement"],
        tuple(one for one in held if one in CLAUSES),
        tuple(f"tests/{one}" for one in held if one not in CLAUSES),
        row["reason"],
    )


with Path(__file__).with_name("statements.tsv").open(encoding="utf-8", newline="") as _file:
    STATEMENTS = tuple(map(_statement, csv.DictReader(_file, delimiter="\t", quoting=csv.QUOTE_NONE)))


def section(held: Held) -> list[str]:
    """The part of the page, as lines."""
    lines = [HEAD, *(f"- **{short}**: {name}" for short, name in DOCUMENTS.items()), ""]
    lines += ["| no. | where | what it says | held by | result |", "|---|---|---|---|---|"]
    for one in STATEMENTS:
        tests = (f"`{test.removeprefix('tests/')}`" for test in one.tests)
        held_by = "<br>".join(filter(None, (", ".join(one.clauses), *tests))) or "–"
        words = one.words.replace("<", "&lt;").replace("`", "\\`")
        lines.append(f"| {one.number} | {', '.join(one.sources)} | {words} | {held_by} | {one.result(held)} |")
    return lines
