"""A workbook's cell with a hyperlink: the DOI in its text, and the DOI of its hyperlink."""

from dataclasses import replace
from itertools import chain

from doi_reading.name.doi import fold
from doi_reading.parsing.candidates import OF_HYPERLINK, Offers
from doi_reading.parsing.reading import FailedReading, Reading
from doi_reading.problems.problem import make_problem

# Only its server knows whether such an address leads to the name in it.
_GUESSED = frozenset({"publisher-url", "text"})


def combine_with_hyperlink(shown: Reading, behind: Reading) -> Reading:
    """Combine the readings of a cell's text and its hyperlink. A text without a DOI is read as its hyperlink.

    If both hold different DOIs, the text's DOI is the reading and the hyperlink's DOI is one of `others`. They differ
    until both are checked, unless the hyperlink opens a candidate of the text. A shortDOI may mean either DOI, so it
    never differs.
    """
    holds_none = any(one.code in ("no-doi", "empty") for one in shown.problems)
    if isinstance(behind, FailedReading) and holds_none:
        return behind
    if behind.doi is None:
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

    def offers() -> Offers:
        return chain(shown.offers(), [(name, OF_HYPERLINK)])

    return replace(shown, problems=problems, others=others, repairs=repairs, linked=name, offers=offers)


def _are_alike(shown: Reading, behind: Reading) -> bool:
    named = {fold(str(shown.doi)), *map(fold, shown.others)}
    led_to = {fold(str(behind.doi))}
    if behind.form in _GUESSED:
        led_to |= {fold(one.doi) for one in behind.candidates}
    return not named.isdisjoint(led_to)
