"""A workbook's cell with a hyperlink: the DOI in its text, and the DOI of its hyperlink."""

from dataclasses import replace
from itertools import chain

from doi_reading.name.doi import fold
from doi_reading.parsing.candidates import OF_HYPERLINK
from doi_reading.parsing.parse import LONGEST_TEXT, Reading, read_input
from doi_reading.parsing.reading import FailedReading
from doi_reading.problems.problem import make_problem

ARROW = " → "
"""Separates text and hyperlink in the examples of problems."""
# Only its server knows whether such an address leads to the name in it.
_GUESSED = frozenset({"publisher-url", "text"})


def read_cell_and_hyperlink(text: str, link: str = "", *, longest: int = LONGEST_TEXT) -> Reading:
    """Read the text of a cell. If it holds no DOI and its hyperlink does, read the hyperlink.

    If both hold different DOIs, the text's DOI is the reading and the hyperlink's DOI is one of `others`. Both are
    checked, and `weigh_hyperlink` judges them. Until then they differ, unless the hyperlink opens a candidate of the
    text. A shortDOI may stand for either, so it never differs.
    """
    shown = read_input(text, longest=longest)
    behind = read_input(link, longest=longest) if link else None
    holds_none = any(one.code in ("no-doi", "empty") for one in shown.problems)
    if isinstance(behind, FailedReading) and holds_none:
        return behind
    if behind is None or behind.doi is None:
        return shown
    if holds_none:
        return replace(behind, problems=(make_problem("from-link"), *behind.problems))
    name = str(behind.doi)
    if shown.short_doi or (shown.doi and _are_alike(shown, behind)):
        return shown
    others = tuple(dict.fromkeys((*shown.others, name)))
    # A candidate of the text itself can be its suggestion, even if the hyperlink holds it too.
    repairs = frozenset({fold(name)} & {fold(one.doi) for one in shown.candidates})
    differs = (make_problem("link-differs", linked=name),) if shown.doi and not repairs else ()
    problems = (*differs, *shown.problems)
    return replace(_offer(shown, name), problems=problems, others=others, repairs=repairs, linked=name)


def _are_alike(shown: Reading, behind: Reading) -> bool:
    named = {fold(str(shown.doi)), *map(fold, shown.others)}
    led_to = {fold(str(behind.doi))}
    if behind.form in _GUESSED:
        led_to |= {fold(one.doi) for one in behind.candidates}
    return not named.isdisjoint(led_to)


def _offer(shown: Reading, name: str) -> Reading:
    """Return the reading with one more candidate, after all others."""
    return replace(shown, offers=lambda: chain(shown.offers(), [(name, OF_HYPERLINK)]))
