"""What a record says of its work: texts of bounded length, however the format writes them."""

import re
from collections.abc import Iterable

from resolver.domain.work.row_work import RowWork
from resolver.sheets.bibliographic.record import MAX_SHOWN_CHARACTERS

MAX_AUTHORS = 20
"""The people of a work that are read."""
AND_OTHERS = "et al."
"""Stands behind the people that are read if there are more."""
_READ_CHARACTERS = 8 * MAX_SHOWN_CHARACTERS  # of a text, before white space is dropped
_MAX_NAMES = 1_000  # also empty ones and those that are there twice
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_FIRST_PAGE = re.compile(r"\s*(?:(?:pp?|pages?|S|Seiten?)(?:[.:]|\s)\s*)?([^\s,;‐‑–—-]+)", re.IGNORECASE)
_ENDS_A_TITLE = ("?", "!", ":")


def build_work(
    *,
    title: str = "",
    subtitle: str = "",
    authors: Iterable[str] = (),
    year: str = "",
    container: str = "",
    volume: str = "",
    pages: str = "",
) -> RowWork:
    """Return the work, with texts of at most MAX_SHOWN_CHARACTERS. `authors` has one text a name, `year` may be any
    text with a year in it, and `pages` a range."""
    return RowWork(
        _join_title(shorten_text(title), shorten_text(subtitle)),
        list_authors(authors),
        find_year(year[:_READ_CHARACTERS]),
        shorten_text(container),
        shorten_text(volume),
        find_first_page(pages),
    )


def list_authors(names: Iterable[str]) -> tuple[str, ...]:
    """Return the first MAX_AUTHORS names, each once, and AND_OTHERS behind them if there are more."""
    found: dict[str, None] = {}
    for count, each in enumerate(names):
        name = shorten_text(each)
        if count == _MAX_NAMES or (len(found) == MAX_AUTHORS and name and name not in found):
            return (*found, AND_OTHERS)
        if name:
            found[name] = None
    return tuple(found)


def shorten_text(text: str) -> str:
    """Return the text with single spaces, and at most MAX_SHOWN_CHARACTERS of it."""
    return " ".join(text[:_READ_CHARACTERS].split())[:MAX_SHOWN_CHARACTERS]


def find_year(text: str) -> str:
    """Return the first number of four digits, "" if there is none."""
    found = _YEAR.search(text)
    return found.group() if found else ""


def find_first_page(text: str) -> str:
    """Return the first page of `12-34`, `pp. 12–34` or `e12`, "" if there is none."""
    found = _FIRST_PAGE.match(text[:MAX_SHOWN_CHARACTERS])
    return found[1] if found else ""


def _join_title(title: str, subtitle: str) -> str:
    if not title or not subtitle or subtitle.casefold() in title.casefold():
        return title or subtitle
    return f"{title}{' ' if title.endswith(_ENDS_A_TITLE) else ': '}{subtitle}"[:MAX_SHOWN_CHARACTERS]
