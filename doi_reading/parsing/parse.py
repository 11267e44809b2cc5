"""Read a text, stage by stage: clean it, find its name and check it, report what surrounds the name (E, U, N, S)."""

import logging
import re
from collections.abc import Iterable

from doi_reading.name.doi import fold, is_graphic
from doi_reading.parsing.cell_hyperlink import combine_with_hyperlink
from doi_reading.parsing.excerpt_reading import read_excerpt
from doi_reading.parsing.free_text import find_mentions
from doi_reading.parsing.name_reading import read_plain_name
from doi_reading.parsing.reading import FailedReading, Reading
from doi_reading.parsing.surroundings import report_surroundings
from doi_reading.parsing.text_cleaning import clean_text
from doi_reading.problems.problem import make_problem
from doi_reading.text.html_entities import decode_html_entities
from doi_reading.text.source_text import BLANK, SourceText

_LOG = logging.getLogger(__name__)
_SEPARATORS = ";,|&+"
_VALUE = re.compile(r"(?:[^|]|(?<!\|)\|(?!\|))+")
"""One of the values that `||` joins, as repositories export them."""
_DAMAGED = re.compile(r"(?<!\d)10[^\w/]{1,2}\d{4,9}\s?[^\w\s]|\bdoi\b", re.I)
"""A value in which a DOI was meant."""
_SEPARATING_WORDS = ("/", "and", "und", "et", "or", "oder", "ou")

LONGEST_TEXT = 10_000
"""Code points of one text, if the caller sets no other bound (S7)."""


def read(text: str, link: str = "", *, longest: int = LONGEST_TEXT) -> Reading:
    """Read `text` as a librarian's cell: one name in any form, or text around it. `link`: the hyperlink of the cell.

    A text of more than `longest` code points is not read: a clear error, never a truncation (S7). An error of the
    library is logged and becomes a problem of this text alone, so that all other texts are read. Raises nothing.
    """
    reading = _read_text(text, longest)
    return combine_with_hyperlink(reading, _read_text(link, longest)) if link else reading


def _read_text(text: str, longest: int) -> Reading:
    if len(text) > longest:
        too_long = make_problem("too-long", longest, len(text), length=len(text), most=longest)
        return Reading(text, "none", problems=(too_long,))
    try:
        if plain := read_plain_name(text):
            return plain
        cleaned = clean_text(text)
        if not any(is_graphic(one) and one not in BLANK for one in cleaned.plain.text):
            return Reading(text, "none", problems=(make_problem("empty", 0, len(text)),))
        reading = read_excerpt(cleaned.excerpt)
        return report_surroundings(reading, cleaned)
    except Exception:  # noqa: BLE001  (logged; no reason to lose other people's answers)
        _LOG.exception("A text of %d characters could not be read", len(text))
        return FailedReading.of(text)


def read_all(text: str, link: str = "", *, longest: int = LONGEST_TEXT) -> list[Reading]:
    """Return a reading for each DOI of a text, in order. It reads the part of the text that means this DOI or a longer
    one, else the DOI alone. A text with one DOI, or with none, has the reading that `read` returns. Values joined by
    `||` are read one by one, and those without a DOI or a damaged one are left out."""
    reading = read(text, link, longest=longest)
    text = reading.input
    if len(text) > longest:
        return [reading]
    values = _split_values(text)
    if values != [(0, len(text))]:
        parts = [part for start, end in values for part in read_all(text[start:end], longest=longest)]
        if reading.linked:
            parts.append(read(reading.linked, longest=longest))
        found: dict[str, Reading] = {}
        for part in parts:
            if part.form != "none" or _DAMAGED.search(part.input):
                found.setdefault(fold(str(part.doi or part.input)), part)
        return list(found.values()) or [reading]
    return _find_in_value(reading, longest) if reading.doi and reading.others else [reading]


def _find_in_value(reading: Reading, longest: int) -> list[Reading]:
    wanted = {fold(name): name for name in (str(reading.doi), *reading.others)}
    found: dict[str, Reading] = {}
    for start, end in find_parts(reading.input):
        part = read(reading.input[start:end], longest=longest)
        name = fold(str(part.doi or ""))
        if name not in wanted:  # alone it may be read with markup, and what follows that
            name = max(filter(name.startswith, wanted), key=len, default="")
        if name:
            found.setdefault(name, part)
    alone = (read(name, longest=longest) for key, name in wanted.items() if key not in found)
    return [*found.values(), *alone]


def find_parts(text: str) -> list[tuple[int, int]]:
    """Return where the parts of a text begin and end that `read_all` reads: of each value of those joined by `||`, its
    DOIs with what is before the first and between them, but separators."""
    return [
        (first + start, first + start + len(_strip_separators(text[first + start : first + end])))
        for first, last in _split_values(text)
        for start, end in _split_at_mentions(text[first:last])
    ]


def _split_values(text: str) -> list[tuple[int, int]]:
    """Return where the values that are joined by `||` begin and end; of a text without it, the whole."""
    values = _VALUE.finditer(text) if "||" in text else ()
    return [value.span() for value in values if value.group().strip()] or [(0, len(text))]


def _split_at_mentions(value: str) -> Iterable[tuple[int, int]]:
    plain, _ = decode_html_entities(SourceText.of(value))
    starts = [plain.span(mention.start)[0] for mention in find_mentions(plain)]
    return zip([0, *starts[1:]], [*starts[1:], len(value)], strict=True)


def _strip_separators(text: str) -> str:
    """Return the text without the signs and words at its end that separate a DOI from the next one."""
    end = len(text)
    while True:
        while end and (text[end - 1].isspace() or text[end - 1] in _SEPARATORS):
            end -= 1
        starts = (end - len(word) for word in _SEPARATING_WORDS if text.endswith(word, 0, end))
        start = next((start for start in starts if start and text[start - 1].isspace()), None)
        if start is None:
            return text[:end]
        end = start
