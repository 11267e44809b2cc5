"""CSV and TSV: their cells. A column whose name is that of DOIs has fields."""

import re
from collections.abc import Iterator

from doi_reading.command.passage import Passage, unescape
from doi_reading.text.source_text import SourceText

_HEADER = re.compile(
    r"(?:[^/]*[^a-z/])?dois?(?:[^a-z/]+(?:[a-z]{2}|links?|ur[il]s?|names?|numbers?|values?|texts?))?[^a-z/]*",
    re.IGNORECASE,
)
"""A name that ends in `DOI`, or in a DOI's link, language or the like: `doi_status` has no DOIs. A slash is
that of a DOI."""
_ABSENT = frozenset(["-", "–", "—", "?", "0", "1", "n/a", "na", "no", "none", "null", "nan", "true", "false", "yes"])
"""What stands in a column for DOIs, or about them, where there is none."""
_LONGEST_HEADER = 100
_QUOTES = re.compile(r'"(")')
_END = re.compile(r"\r\n|\n|\r")


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the cells. The separator is what the first line has most of: comma, semicolon or TAB."""
    first = _END.split(text[:10_000], maxsplit=1)[0]
    yield from _read_cells(text, max(",;\t", key=first.count))


def find_tab_passages(text: str) -> Iterator[Passage]:
    """Yield the cells that TABs separate."""
    yield from _read_cells(text, "\t")


def _read_cells(text: str, separator: str) -> Iterator[Passage]:
    cell = re.compile(rf'"((?:[^"]|"")*+)"|([^{separator}\r\n"][^{separator}\r\n]*+)?')
    whole, doi_columns, row, column, at = SourceText.of(text), set[int](), 0, 0, 0
    while at < len(text):
        found = cell.match(text, at)
        start, end = found.span(found.lastindex or 0) if found else (at, at)
        value = whole.cut(start, end)
        if found and found.lastindex == 1 and '""' in value.text:
            value = unescape(value, _QUOTES)
        if row == 0 and _is_doi_header(value.text):
            doi_columns.add(column)
        elif value.text:
            value = value.strip()
            is_field = column in doi_columns and value.text.lower() not in _ABSENT
            yield Passage(value, is_value=True, is_field=is_field)
        at = max(at, found.end() if found else at)
        if text.startswith(separator, at):
            column, at = column + 1, at + 1
        elif line := _END.match(text, at):
            row, column, at = row + 1, 0, line.end()
        elif at < len(text):  # a stray quote, or text after the quotes of a cell
            rest = re.compile(rf"[^{separator}\r\n]++").match(text, at)
            end = rest.end() if rest else at + 1
            yield Passage(whole.cut(at, end))
            at = end


def _is_doi_header(name: str) -> bool:
    return bool(name) and len(name) <= _LONGEST_HEADER and _HEADER.fullmatch(name.strip()) is not None
