"""Names that follow from an identifier by the registrant's own published rule: no guesses, if they are registered."""

import re
from collections.abc import Callable
from itertools import chain, islice
from typing import NamedTuple

from doi_reading.late_pattern import compile_late
from doi_reading.message import Message
from doi_reading.name.check_digits import compute_pii_check_digit
from doi_reading.name.doi import fold
from doi_reading.tables.publisher_urls import find_numbered_names_in_address
from doi_reading.tables.registrant_numbers import NUMBERS
from doi_reading.tables.registrants import REGISTRANTS

LONGEST_WITHOUT_NAME = 200  # code points of a text that holds an identifier or a suffix in place of a name
_SUBJECT = compile_late(r"\.[A-Z]{2}(?=/)", re.IGNORECASE)
_DEPOSITS = {"zenodo": "10.5281", "m9.figshare": "10.6084"}
_PREFIXES_OF_PII = ("10.1017", "10.1107")


def _write_arxiv(found: re.Match[str]) -> tuple[str, ...]:
    """The subject in an old number (math.GT/0309136) isn't a part of the name."""
    return (f"10.48550/arXiv.{_SUBJECT.sub('', found[1])}",)


def _write_pii(found: re.Match[str]) -> tuple[str, ...]:
    """Elsevier writes a Publisher Item Identifier with its signs, Cambridge and the IUCr without. Without signs it must
    have the right check digit."""
    letter, *parts = (part.upper() for part in found.groups() if part is not None)
    name = "10.1016/{}{}-{}({}){}-{}".format(letter, *parts)
    if "(" in found[0]:
        return (name,)
    *digits, last = parts
    if compute_pii_check_digit("".join(digits)) != last:
        return ()
    return (name, *(f"{prefix}/{letter}{''.join(parts)}" for prefix in _PREFIXES_OF_PII))


_ITEM = r"([0-9]{4})-?([0-9]{3}[0-9X])(?:\(([0-9]{2})\)|([0-9]{2}))([0-9]{5})-?([0-9X])"
_LABEL = r"(?<![0-9a-z])p\.?i\.?i\.?[:=#\s]{0,3}"
_Write = Callable[[re.Match[str]], tuple[str, ...]]
_IDENTIFIERS: tuple[tuple[re.Pattern[str], _Write, Message], ...] = tuple(
    (compile_late(pattern, re.IGNORECASE), write, reason)
    for pattern, write, reason in (
        (
            r"(?<![0-9a-z])arxiv(?:\.org)?(?:[:/. _-]|%3a){0,2}"
            r"([0-9]{4}\.[0-9]{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/[0-9]{7})(?:v[0-9]{1,2})?(?![0-9])",
            _write_arxiv,
            Message("the DOI of this arXiv number"),
        ),
        (
            r"(?<![0-9a-z./])jstor(?: ?(?:id|stable))? ?[:=#/]? ?(?!(?:1[89]|20)[0-9]{2}(?![0-9]))([0-9]{4,9})(?![0-9./-])",
            lambda found: (f"10.2307/{found[1]}",),
            Message("the DOI of this JSTOR number"),
        ),
        (
            rf"(?:(?<![0-9a-z(])(?:1-s2\.0-)?|{_LABEL})(S){_ITEM}(?![0-9a-z]|-[0-9])",
            _write_pii,
            Message("the DOI of this Publisher Item Identifier"),
        ),
        (
            rf"(?:\A|{_LABEL})()([0-9]{{4}})-([0-9]{{3}}[0-9X])\(([0-9]{{2}})\)([0-9]{{5}})-([0-9X])(?:\Z|\s?\[pii\])",
            _write_pii,
            Message("the DOI of this Publisher Item Identifier"),
        ),
        (
            rf"(?:\A|{_LABEL})(B97[89]-[0-9]{{1,5}}-[0-9]{{1,7}}-[0-9]{{1,7}}-[0-9X]\.[0-9]{{5}}-[0-9X])(?![0-9a-z])",
            lambda found: (f"10.1016/{found[1].upper()}",),
            Message("the DOI of this Publisher Item Identifier"),
        ),
        (
            r"(?<![0-9a-z.])(zenodo|m9\.figshare)[.:] ?([0-9]{4,9}(?:\.v[0-9]{1,2})?)(?![0-9])",
            lambda found: (f"{_DEPOSITS[found[1].lower()]}/{found[1].lower()}.{found[2].lower()}",),
            Message("with the prefix that this suffix belongs to"),
        ),
    )
)


def _write_by(template: str) -> _Write:
    return lambda found: (found.expand(template),)


_NUMBERS = tuple(
    (
        rule.pattern,
        _write_by(rule.name),
        Message("the DOI of this {registrant} number", registrant=REGISTRANTS[rule.name.partition("/")[0]]),
    )
    for rule in NUMBERS
)
_WHITE = compile_late(r"\s")


class Identifier(NamedTuple):
    """An identifier in a text: the names that it may stand for, the reason of each, and itself with its label; "" for an
    address among other words."""

    names: tuple[str, ...]
    reason: Message
    written: str


def derive_names(text: str) -> tuple[tuple[str, Message], ...]:
    """Return the names that follow from the one identifier in a text, each with its reason: an arXiv number, a JSTOR
    number, a Publisher Item Identifier, another labelled number, or an address with one of them. () for none, for
    several, and for a text longer than LONGEST_WITHOUT_NAME.
    """
    text = text.strip()
    if len(text) > LONGEST_WITHOUT_NAME:
        return ()
    found = find_only_identifier(text, find_numbered_names_in_address(text))
    return tuple((name, found.reason) for name in found.names) if found else ()


def find_only_identifier(text: str, of_address: list[str]) -> Identifier | None:
    """Return the identifier of the text, of which `of_address` are the names of its address; None for several."""
    found: dict[str, Identifier] = {}
    if of_address:
        reason = Message("the name that the publisher registers for such an address")
        found[fold(of_address[0])] = Identifier(tuple(of_address), reason, "" if _WHITE.search(text) else text)
    for pattern, write, reason in chain(_IDENTIFIERS, _NUMBERS):
        for match in islice(pattern.finditer(text), 9):
            if names := write(match):
                found.setdefault(fold(names[0]), Identifier(names, reason, match[0]))
    return next(iter(found.values())) if len(found) == 1 else None
