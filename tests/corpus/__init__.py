"""Texts and the DOI name that each means: every .tsv of this folder, for the tests and for `make bench`.

README.md says what stands in which file and where it comes from.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
COLUMNS = ["input", "expected_doi", "class", "source"]

NO_DOI = "no-doi"  # nothing in the text is a DOI
# A registered name, however odd it looks, written as it is registered: input and expected name are one.
AS_IT_IS = "as it is"

_ESCAPES = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\\\": "\\"}
_ESCAPE = re.compile(r"\\(?:[tnr]|\\)")


@dataclass(frozen=True, slots=True)
class Case:
    """A text, the name it means ('' for none), the class of its damage, and where it was found."""

    input: str
    expected: str
    kind: str
    source: str

    @property
    def group(self) -> str:
        """What is asked of a reader: NO_DOI: find nothing; AS_IT_IS: leave it alone; 'damaged': find the name."""
        if self.kind == NO_DOI:
            return NO_DOI
        return AS_IT_IS if self.input == self.expected else "damaged"


class UnreadableCorpus(ValueError):
    """A line of a corpus file is not what README.md asks for; the message names file and line."""


@cache
def cases() -> tuple[Case, ...]:
    """Every case of every file, files in the order of their names; a text that stands in two files comes once."""
    found: dict[str, Case] = {}
    for path in sorted(FOLDER.glob("*.tsv")):
        for case in read_cases(path):
            found.setdefault(case.input, case)
    return tuple(found.values())


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of one file; UnreadableCorpus where it breaks the form."""
    lines = path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    if lines[0].split("\t") != COLUMNS:
        raise UnreadableCorpus(f"{path.name}: the first line must name the columns {COLUMNS}")
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS) or "\r" in line:
            raise UnreadableCorpus(f"{path.name}, line {number}: {len(cells)} cells, or a carriage return")
        text, expected, kind, source = cells
        if not kind or not source or (kind == NO_DOI) != (expected == ""):
            raise UnreadableCorpus(f"{path.name}, line {number}: class, source and expected name do not fit")
        yield Case(_unescaped(text), _unescaped(expected), kind, source)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPES[match.group()], text)
