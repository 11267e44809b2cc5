"""Texts and the DOI name that each means: every .tsv of this folder, for the tests and for `make bench`.

README.md says what stands in which file and where it comes from.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from doi_reading import fold, read
from doi_reading.name import is_short_doi

FOLDER = Path(__file__).parent
COLUMNS = ["input", "expected_doi", "class", "source"]

NO_DOI = "no-doi"  # nothing in the text is a DOI
AS_IT_IS = "as it is"  # a registered name, however odd it looks, written as it is registered
DAMAGED = "damaged"

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
        """What is asked of a reader. NO_DOI: find nothing; AS_IT_IS: leave it alone; DAMAGED: find the name."""
        if self.kind == NO_DOI:
            return NO_DOI
        return AS_IT_IS if self.input == self.expected and not is_short_doi(self.input) else DAMAGED

    def is_met_by(self, names: Iterable[str]) -> bool:
        """Whether one of the names is equivalent (S8) to the expected one; for NO_DOI, whether there is none."""
        if self.kind == NO_DOI:
            return not list(names)
        return fold(self.expected) in map(fold, names)


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


def as_csv(texts: Iterable[str]) -> bytes:
    """A file to upload, with a line a text in the column `doi`; every cell is quoted."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, quoting=csv.QUOTE_ALL)
    writer.writerow(["number", "doi"])
    writer.writerows(enumerate(texts, 1))
    return file.getvalue().encode()


def offered(text: str) -> list[str]:
    """All names that our reader, offline, offers for a text: what it means, then what was probably meant."""
    reading = read(text)
    first = str(reading.doi) if reading.doi else reading.short_doi
    return [*([first] if first else []), *(candidate.doi for candidate in reading.candidates)]


def by_class(met: Iterable[tuple[Case, bool]]) -> dict[str, tuple[int, int]]:
    """How many cases of each class were met, and how many there are."""
    total: Counter[str] = Counter()
    good: Counter[str] = Counter()
    for case, is_met in met:
        total[case.kind] += 1
        good[case.kind] += is_met
    return {kind: (good[kind], total[kind]) for kind in sorted(total)}


def table(met: Iterable[tuple[Case, bool]], most: int = 200) -> str:
    """The score by class, and the first cases that were not met, for people."""
    met = list(met)
    lines = [
        f"{kind:<24} {good:>5} / {total:>5}  {good / total:>6.1%}" for kind, (good, total) in by_class(met).items()
    ]
    missed = [f"{case.kind}: {case.input!r} -> {case.expected!r}" for case, is_met in met if not is_met]
    return "\n".join([*lines, "", *missed[:most], *([f"and {len(missed) - most} more"] if len(missed) > most else [])])
