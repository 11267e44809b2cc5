"""What is found in a file: each problem of each DOI, with its place, and the edits that are certain."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from doi_reading.command.file_text import FileText, RefusedFile
from doi_reading.command.fixes import TextEdit, apply_edits, find_edits, find_prefix_problem
from doi_reading.command.formats import find_passages
from doi_reading.command.passage import Passage
from doi_reading.command.places import Places
from doi_reading.name.doi import fold
from doi_reading.parsing.occurrences import Occurrence, find_occurrences
from doi_reading.parsing.parse import read
from doi_reading.parsing.reading import Reading
from doi_reading.problems.problem import Problem, merge_messages

MOST_FINDINGS = 10_000
"""Findings of a file, or DOIs that are to be checked; the rest of it isn't read."""
_MOST_SHOWN = 300
"""Characters of a text in a finding."""
MOST_CANDIDATES = 3
"""Candidates in a finding."""
_NOT_REPORTED = frozenset({"empty", "surrounding-text"})
"""A field may be empty, and a text has other words."""


@dataclass(frozen=True, slots=True)
class DoiFinding:
    """One problem. `start` and `end` are offsets in the file's text, in code points without a byte order mark; lines
    and columns count from 1. `edits` correct the DOI; () if nothing is certain. `suggestion`: the candidate that is
    registered, if this was checked and the DOI itself isn't."""

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
    edits: tuple[TextEdit, ...] = ()
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class DoiPlace:
    """A DOI to be checked, or a text that may mean one, with its findings. `whole`: a finding about all of it, without
    a code."""

    reading: Reading
    whole: DoiFinding
    findings: tuple[DoiFinding, ...]


@dataclass(slots=True)
class FileFindings:
    """The findings of a file. `names`: the DOIs in it, folded, in order. `places`: each with its findings, if they are
    to be checked. `is_whole`: whether all of it was read."""

    name: str
    source: FileText
    findings: list[DoiFinding] = field(default_factory=list)
    edits: list[TextEdit] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    places: list[DoiPlace] = field(default_factory=list)
    is_whole: bool = True

    def correct(self) -> str:
        """Return the text with the edits. Raises RefusedFile if it doesn't have just the same DOIs, as far as it was
        read: no edit is worth that."""
        corrected = apply_edits(self.source.text, self.edits)
        again = FileText(corrected, self.source.mark, self.source.charset)
        names = find_in_file(again, self.name).names if self.edits else self.names
        if (names if self.is_whole else names[: len(self.names)]) != self.names:
            raise RefusedFile("it isn't corrected: read again, it would have other DOIs")
        return corrected


def find_in_file(
    source: FileText, name: str, *, ignored: frozenset[str] = frozenset(), with_places: bool = False
) -> FileFindings:
    """Read a file. `ignored`: codes that aren't reported, nor corrected. Raises RefusedFile."""
    found, places = FileFindings(name, source), Places(source.text)
    for passage in find_passages(source.text, name):
        for occurrence in _find_occurrences(passage):
            reading = occurrence.reading
            found.names.append(fold(str(reading.doi or reading.short_doi or "")))
            problems = [one for one in _list_problems(passage, occurrence) if one.code not in ignored]
            edits = tuple(find_edits(passage, occurrence, source, {one.code for one in problems}))
            found.edits += edits
            whole = _describe_place(name, passage, occurrence, places) if problems or with_places else None
            described = tuple(_describe(whole, passage, occurrence, problems, edits, places)) if whole else ()
            found.findings += described
            if whole and with_places:
                found.places.append(DoiPlace(reading, whole, described))
            if max(len(found.findings), len(found.places)) > MOST_FINDINGS:
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
        problems = sorted([*problems, prefix], key=lambda one: one.start)
    return problems


def _describe_place(name: str, passage: Passage, occurrence: Occurrence, places: Places) -> DoiFinding:
    reading = occurrence.reading
    first, last = passage.text.span(occurrence.start, occurrence.end)
    written = passage.text.input[first : min(last, first + _MOST_SHOWN)]
    return DoiFinding(
        name, *places.locate(first), *places.locate(last), first, last, "", "", "",
        written, str(reading.doi) if reading.doi else None, reading.url, (),
    )  # fmt: skip


def _describe(
    whole: DoiFinding,
    passage: Passage,
    occurrence: Occurrence,
    problems: list[Problem],
    edits: tuple[TextEdit, ...],
    places: Places,
) -> Iterator[DoiFinding]:
    candidates = tuple(one.doi for one in occurrence.reading.candidates[:MOST_CANDIDATES]) if problems else ()
    by_code: dict[str, list[Problem]] = {}
    for problem in problems:
        by_code.setdefault(problem.code, []).append(problem)
    for code, alike in by_code.items():
        problem = alike[0]
        start, end = passage.text.span(occurrence.start + problem.start, occurrence.start + problem.end)
        message = merge_messages([one.message for one in alike])
        kept = edits if any(code in one.codes for one in edits) else ()
        (line, column), (end_line, end_column) = places.locate(start), places.locate(end)
        yield replace(
            whole, line=line, column=column, end_line=end_line, end_column=end_column, start=start, end=end, code=code,
            severity=problem.severity, message=message, candidates=candidates, edits=kept,
        )  # fmt: skip
