"""The DOIs of a document, each with its place. A document is read in a time that grows with its length."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from doi_reading.parsing.checks import LOOK_BEHIND, check_address_before
from doi_reading.parsing.free_text import Mention, check_white_space_after, iterate_mentions
from doi_reading.parsing.parse import LONGEST_TEXT, read
from doi_reading.parsing.reading import Reading
from doi_reading.problems.problem import make_problem
from doi_reading.text.name_end import DOTS, find_sentence_end
from doi_reading.text.source_text import WHITE, WHITE_RUN, SourceText

LONGEST_DOCUMENT = 10_000_000
"""Code points of a document, if the caller sets no other bound."""
_SPOILED = re.compile(
    r"(?:(?:https?:?/{1,3})?(?<![a-z0-9.-])(?:dx\.|www\.)?doi\.org[:/]|(?<![a-z0-9])doi:)[ ]?"
    r"(?=[0-9OIl]{1,3}(?:[.,:][ ]?[0-9OIl]{3}|[0-9]{4}))(?:[0-9OIl]{1,3}[.,:][ ])?[^\s<>\"]{1,2000}",
    re.IGNORECASE,
)
"""A link or a label, and what looks like a prefix that may break the syntax."""
_LABEL = re.compile(rf"(?:doi[:{WHITE}]*[{WHITE}])(?=https?://)", re.IGNORECASE)
"""A label for people before a link, which is no part of the link."""
_ADDRESS = re.compile(r"(?<![a-z0-9])https?://(?:dx\.|www\.)?doi\.org/[ ]\Z", re.IGNORECASE)
"""A resolver that a space divides from the name."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A DOI at a place of a document. `start` and `end` are code point offsets, end exclusive. The offsets in `reading`
    count from `start`."""

    start: int
    end: int
    reading: Reading


def find_all(text: str, *, longest: int = LONGEST_DOCUMENT) -> list[Occurrence]:
    """Return the DOIs of a document, in order, also those that a label or a link announces and that can't be read.

    Each is read alone, so no reading speaks of the text around it. A document of more than `longest` code points is not
    read: one occurrence, at what is too much, has the problem `too-long`. Raises nothing.
    """
    if len(text) > longest:
        too_long = make_problem("too-long", 0, len(text) - longest, length=len(text), most=longest)
        return [Occurrence(longest, len(text), Reading(text[longest:], "none", problems=(too_long,)))]
    return list(find_occurrences(SourceText.of(text)))


def find_occurrences(excerpt: SourceText) -> Iterator[Occurrence]:
    """Yield the DOIs of an excerpt of a document, in order, with their places in this excerpt."""
    done = 0
    for mention, following in pairwise(chain(iterate_mentions(excerpt), [None])):
        if mention is None:
            break
        start = _find_start(excerpt.text, done, mention)
        yield from _find_spoiled(excerpt.text, done, start)
        end = _find_end(excerpt, mention)
        done = end if following is None or end <= following.start else mention.end
        yield Occurrence(start, done, read(excerpt.text[start:done]))
    yield from _find_spoiled(excerpt.text, done, len(excerpt.text))


def _find_start(text: str, done: int, mention: Mention) -> int:
    """Return where the text begins that is read: after a label for people, or with a damaged address before the DOI."""
    if label := _LABEL.match(text, mention.start, mention.end):
        return label.end()
    first = max(done, mention.start - LOOK_BEHIND)
    before = text[first : mention.start]
    if not before.rstrip(WHITE).endswith(("/", "\\")):
        return mention.start
    if address := _ADDRESS.search(before):
        return first + address.start()
    found = check_address_before(SourceText.of(text[first : mention.end]), len(before))
    return first + min((one.start for one in found), default=len(before))


def _find_end(excerpt: SourceText, mention: Mention) -> int:
    """Return where the text ends that is read: after the DOI, or after the dots or the word that may continue it."""
    if dots := DOTS.match(mention.after.text):
        return mention.end + dots.end()
    if not check_white_space_after(excerpt, mention):
        return mention.end
    white = WHITE_RUN.match(excerpt.text, mention.start + len(mention.uncut.text))
    if white and white[0].count("\n") > 1:  # a name doesn't go on in another paragraph
        return mention.end
    start = white.end() if white else mention.end
    following = WHITE_RUN.search(excerpt.text, start, start + LONGEST_TEXT)
    return following.start() if following else min(len(excerpt.text), start + LONGEST_TEXT)


def _find_spoiled(text: str, start: int, end: int) -> Iterator[Occurrence]:
    """Yield what is announced as a DOI between two mentions, and breaks the syntax."""
    for match in _SPOILED.finditer(text, start, end):
        last = match.start() + find_sentence_end(match[0])
        reading = read(text[match.start() : last])
        if any(one.severity == "error" and one.code != "no-doi" for one in reading.problems):
            yield Occurrence(match.start(), last, reading)
