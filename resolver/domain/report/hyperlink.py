"""A cell of a workbook with a hyperlink: which DOI it shows, and to which it leads."""

from dataclasses import replace
from itertools import chain

from resolver.domain.message import Message
from resolver.domain.name.doi import fold
from resolver.domain.parsing.parse import LONGEST, Reading, read
from resolver.domain.parsing.unreadable_text import Unread
from resolver.domain.problems.problem import problem

REASON = Message("the DOI to which the hyperlink of the cell leads")
ARROW = " → "
"""Between text and hyperlink, where both are shown as one text: in the examples of problems."""
# Whether such an address leads to another name than the one that it holds, only its server can tell.
_GUESSED = frozenset({"publisher-url", "text"})


def read_cell(text: str, link: str = "", *, longest: int = LONGEST) -> Reading:
    """Read the text of a cell; where nothing in it reads as a DOI and its hyperlink names one, read that.

    Where both name a DOI and these differ, the text's is the reading, and the link's is one of `others`: both are
    asked for, and neither is a suggestion for the other, unless it is what the text may mean anyway. A shortDOI may be
    either, so it differs from nothing.
    """
    shown = read(text, longest=longest)
    behind = read(link, longest=longest) if link else None
    holds_none = any(one.code == "no-doi" for one in shown.problems)
    if isinstance(behind, Unread) and holds_none:
        return behind
    if behind is None or behind.doi is None:
        return shown
    if holds_none:
        return replace(behind, problems=(problem("from-link"), *behind.problems))
    name = str(behind.doi)
    if shown.doi is None:
        return shown if shown.short_doi else _offered(shown, name)
    if _names_alike(shown, behind):
        return shown
    told = problem("link-differs", linked=name)
    others = tuple(dict.fromkeys((*shown.others, name)))
    # What the text itself may mean can be its suggestion, wherever else it stands.
    repairs = frozenset({fold(name)} & {fold(one.doi) for one in shown.candidates})
    return replace(_offered(shown, name), problems=(told, *shown.problems), others=others, repairs=repairs)


def _names_alike(shown: Reading, behind: Reading) -> bool:
    named = {fold(str(shown.doi)), *map(fold, shown.others)}
    led_to = {fold(str(behind.doi))}
    if behind.form in _GUESSED:
        led_to |= {fold(one.doi) for one in behind.candidates}
    return not named.isdisjoint(led_to)


def _offered(shown: Reading, name: str) -> Reading:
    """The reading with one candidate more, behind all others."""
    return replace(shown, offers=lambda: chain(shown.offers(), [(name, REASON)]))
