"""Guesses for texts that hold only a suffix: file names of articles, suffixes that one registrant uses."""

import re
from collections.abc import Iterator

from doi_reading.message import Message
from doi_reading.repair.derived_names import LONGEST_WITHOUT_NAME
from doi_reading.repair.prefixes import SLASH_IN_FILE_NAME
from doi_reading.tables.fixed_width_numbers import FIXED_NUMBERS
from doi_reading.tables.suffix_patterns import PREFIX_OF_JOURNAL, SIGNS, SUFFIXES, SURE_BEGINNING, SURE_SUFFIXES

_RESOLVER = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:[ ]?", re.IGNORECASE)
_END = re.compile(
    r"(?:(?:-main)?(?:[ _]?\([0-9]{1,2}\))?\.(?:pdf|epub|html?|xml|docx?|txt)|[._-]R[1-9]|\s?\[pii\])\Z", re.IGNORECASE
)
"""The end of a file name, the mark of a manuscript's revision, or PubMed's label after the number of an article."""
_WITH_PREFIX = re.compile(rf"(?:doi[._-]?)?10[._-]([0-9]{{4,9}}){SLASH_IN_FILE_NAME}(\S+)", re.IGNORECASE)
_SLUG = re.compile(r"https?://\S{3,150}/((?:doi-)?10-[0-9]{4,5}-[0-9a-z-]{5,100})/?", re.IGNORECASE)
"""An address whose last part a program made of a name."""
_IN_LINK = re.compile(r"[\"(]https?://(?:dx\.|www\.)?doi\.org/([a-z][^\s\"'<>()\[\]]{5,100})[\")]", re.IGNORECASE)
_SPRINGER = re.compile(r"s([0-9]{5})-[0-9]{3}-[0-9]{4,5}-[0-9xyz]")
_SPRINGER_PREFIXES = ("10.1186", "10.1038")  # beside 10.1007, which SUFFIXES has


def propose_names_of_suffix(text: str) -> Iterator[tuple[str, Message]]:
    """Yield the names that a file name or a bare suffix stands for, each with its reason, best first.

    At most 8. None for other texts, and for texts longer than LONGEST_WITHOUT_NAME.
    """
    text = text.strip()
    if len(text) > LONGEST_WITHOUT_NAME:
        return
    if link := _SLUG.fullmatch(text) or _IN_LINK.search(text):
        text = link[1]
    elif resolver := _RESOLVER.match(text):
        text = text[resolver.end() :].rstrip(".,;")
    stem = _END.sub("", text)
    of_file = Message("read from a file name")
    if found := _WITH_PREFIX.fullmatch(stem):
        prefix, suffix = f"10.{found[1]}", found[2]
        for registrant, pattern, written in SIGNS:
            if registrant == f"{prefix}/" and pattern.match(suffix):
                yield f"{registrant}{pattern.sub(written, suffix)}", of_file
        yield f"{prefix}/{suffix}", of_file
        if "_" in suffix:
            yield f"{prefix}/{suffix.replace('_', '.')}", of_file
        elif "-" in suffix and "." not in suffix:
            yield f"{prefix}/{suffix.replace('-', '.')}", of_file
        return
    with_prefix = Message("with the prefix that this suffix belongs to")
    for shape, prefix in SUFFIXES:
        if shape.match(stem):
            yield f"{prefix}/{stem}", with_prefix
    if _SPRINGER.fullmatch(stem):
        for prefix in _SPRINGER_PREFIXES:
            yield f"{prefix}/{stem}", with_prefix
    for row in FIXED_NUMBERS:
        if row.written and (whole := row.pad(stem)):
            yield f"{row.prefix}/{whole}", Message("with the prefix, punctuation and zeros of a known registrant")


def find_name_of_sure_suffix(text: str) -> str:
    """Return the name of a text that is a suffix, or the file name of one, of which the registrant is certain: its word
    for the journal (`journal.pone.0012345`) or its number (`s41586-020-2649-2`) is in it. "" for other texts."""
    if not SURE_BEGINNING.match(text):  # as most texts
        return ""
    stem = _END.sub("", text)
    if springer := _SPRINGER.fullmatch(stem):
        prefix = PREFIX_OF_JOURNAL.get(springer[1], "")
    else:
        prefix = next((prefix for shape, prefix in SURE_SUFFIXES if shape.match(stem)), "")
    return f"{prefix}/{stem}" if prefix else ""
