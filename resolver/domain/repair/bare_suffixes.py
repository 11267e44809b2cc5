"""Names for texts that hold only a suffix: file names of articles, arXiv numbers, suffixes that one registrant uses, the
number in an address."""

import re
from collections.abc import Iterator

from resolver.domain.message import Message
from resolver.domain.tables.publisher_urls import find_doubtful_names_in_address
from resolver.domain.tables.suffix_patterns import SIGNS, SUFFIXES

LONGEST = 200
"""Code points of such a text."""
_RESOLVER = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi:[ ]?", re.IGNORECASE)
_FILE = re.compile(r"(?:-main)?(?:[ _]?\([0-9]{1,2}\))?\.(?:pdf|epub|html?|xml|docx?|txt)\Z", re.IGNORECASE)
_WITH_PREFIX = re.compile(r"(?:doi[._-]?)?10[._-]([0-9]{4,9})[_-](\S+)", re.IGNORECASE)
_SLUG = re.compile(r"https?://\S{3,150}/((?:doi-)?10-[0-9]{4,5}-[0-9a-z-]{5,100})/?", re.IGNORECASE)
"""An address whose last part a program made of a name."""
_IN_LINK = re.compile(r"[\"(]https?://(?:dx\.|www\.)?doi\.org/([a-z][^\s\"'<>()\[\]]{5,100})[\")]", re.IGNORECASE)
_ARXIV = re.compile(
    r"(?:https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/|arxiv(?:\.org)?(?:[:/. _-]|%3a){0,2})"
    r"([0-9]{4}\.[0-9]{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]{1,2})?"
    r"(?:\s{1,3}\[[a-z.-]{2,20}\](?:\s.{0,30})?)?",
    re.IGNORECASE | re.DOTALL,
)
_PII = re.compile(r"(?:1-s2\.0-|PII)(S)([0-9]{4})([0-9]{3}[0-9X])([0-9]{2})([0-9]{5})([0-9X])(?:-main)?", re.IGNORECASE)
_SPRINGER = re.compile(r"s[0-9]{5}-[0-9]{3}-[0-9]{4,5}-[0-9xyz]")
_SPRINGER_PREFIXES = ("10.1186", "10.1038")  # beside 10.1007, which SUFFIXES has


def propose_names_of_suffix(text: str) -> Iterator[tuple[str, Message]]:
    """Yield the names that a file name, an arXiv number, a bare suffix or the number in an address stands for, each with
    its reason, best first.

    At most 8. None for other texts, and for texts longer than LONGEST.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return
    if link := _SLUG.fullmatch(text) or _IN_LINK.search(text):
        text = link[1]
    elif resolver := _RESOLVER.match(text):
        text = text[resolver.end() :].rstrip(".,;")
    arxiv = Message("the DOI of this arXiv number")
    if found := _ARXIV.fullmatch(_FILE.sub("", text)):
        yield f"10.48550/arXiv.{found[1]}", arxiv
        return
    if of_address := find_doubtful_names_in_address(text):
        yield from ((name, Message("the name that the publisher registers for such an address")) for name in of_address)
        return
    stem = _FILE.sub("", text)
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
    if found := _PII.fullmatch(stem):
        yield "10.1016/{}{}-{}({}){}-{}".format(*(part.upper() for part in found.groups())), of_file
        return
    with_prefix = Message("with the prefix that this suffix belongs to")
    for shape, prefix in SUFFIXES:
        if shape.match(stem):
            yield f"{prefix}/{stem}", with_prefix
    if _SPRINGER.fullmatch(stem):
        for prefix in _SPRINGER_PREFIXES:
            yield f"{prefix}/{stem}", with_prefix
