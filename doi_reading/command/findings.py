"""What is found in a file: each problem of each DOI, with its place, and the edits that are certain."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from doi_reading.command.file_text import FileText, RefusedFile
from doi_reading.command.fixes import TextEdit, apply_edits, find_edits, find_prefix_problem
from doi_reading.command.formats import find_passages
from doi_reading.command.passage import Passage
from doi_reading.command.places import Places
from doi_reading.name.doi import fold
from doi_reading.parsing.occurrences import Occurrence, find_occurrences
from doi_reading.parsing.parse import read
from doi_reading.problems.problem import Problem, merge_messages

MOST_FINDINGS = 10_000
"""Findings of a file; the rest of it isn't read."""
_MOST_SHOWN = 300
"""Characters of a text in a finding."""
_MOST_CANDIDATES = 3
_NOT_REPORTED = frozenset({"empty", "surrounding-text"})
"""A field may be empty, and a text has other words."""


@dataclass(frozen=True, slots=True)
class DoiFinding:
    """One problem. `start` and `end` are offsets in the file's text, in code points without a byte order mark; lines
    and columns count from 1. `edits` correct the DOI; () if nothing is certain."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int
    code: str
    severity: str
    message: str
    text: str
    doi: str | None
    url: str | None
    candidates: tuple[str, ...]
    edits: tuple[TextEdit, ...]


@dataclass(slots=True)
class FileFindings:
    """The findings of a file. `names`: the DOIs in it, folded, in order. `is_whole`: whether all of it was read."""

    name: str
    source: FileText
    findings: list[DoiFinding] = field(default_factory=list)
    edits: list[TextEdit] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    is_whole: bool = True

    def correct(self) -> str:
        """Return the text with the edits. Raises RefusedFile if it doesn't have just the same DOIs: no edit is worth
        that."""
        corrected = apply_edits(self.source.text, self.edits)
        again = FileText(corrected, self.source.mark, self.source.charset)
        if self.edits and self.is_whole and find_in_file(again, self.name).names != self.names:
            raise RefusedFile("it isn't corrected: read again, it would have other DOIs")
        return corrected


def find_in_file(source: FileText, name: str, *, ignored: frozenset[str] = frozenset()) -> FileFindings:
    """Read a file. `ignored`: codes that aren't reported, nor corrected. Raises RefusedFile."""
    found, places = FileFindings(name, source), Places(source.text)
    for passage in find_passages(source.text, name):
        for occurrence in _find_occurrences(passage):
            reading = occurrence.reading
            found.names.append(fold(str(reading.doi or reading.short_doi or "")))
            problems = [one for one in _list_problems(passage, occurrence) if one.code not in ignored]
            edits = tuple(find_edits(passage, occurrence, source, {one.code for one in problems}))
            found.edits += edits
            found.findings += _describe(name, passage, occurrence, problems, edits, places)
            if len(found.findings) > MOST_FINDINGS:
                found.is_whole = False
                return found
    return found


def _find_occurrences(passage: Passage) -> Iterator[Occurrence]:
    text = passage.text.text
    if not passage.is_field:
        yield from find_occurrences(passage.text)
    elif text.strip():
        yield Occurrence(0, len(text), read(text))


def _list_problems(passage: Passage, occurrence: Occurrence) -> list[Problem]:
    problems = [one for one in occurrence.reading.problems if one.code not in _NOT_REPORTED]
    prefix = find_prefix_problem(passage, occurrence) if passage.is_field else None
    if prefix and all(one.code != prefix.code for one in problems):
        problems.append(prefix)
    return problems


def _describe(
    name: str,
    passage: Passage,
    occurrence: Occurrence,
    problems: list[Problem],
    edits: tuple[TextEdit, ...],
    places: Places,
) -> Iterator[DoiFinding]:
    reading = occurrence.reading
    first, last = passage.text.span(occurrence.start, occurrence.end)
    written = passage.text.input[first : min(last, first + _MOST_SHOWN)]
    candidates = tuple(one.doi for one in reading.candidates[:_MOST_CANDIDATES]) if problems else ()
    by_code: dict[str, list[Problem]] = {}
    for problem in problems:
        by_code.setdefault(problem.code, []).append(problem)
    for code, alike in by_code.items():
        problem = alike[0]
        start, end = passage.text.span(occurrence.start + problem.start, occurrence.start + problem.end)
        message = str(merge_messages([one.message for one in alike]))
        kept = edits if any(code in one.codes for one in edits) else ()
        yield DoiFinding(
            name, *places.locate(start), *places.locate(end), start, end, code, problem.severity, message,
            written, str(reading.doi) if reading.doi else None, reading.url, candidates, kept,
        )  # fmt: skip
