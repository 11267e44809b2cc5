"""The DOIs of a document, each with its place. A document is read in a time that grows with its length."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from doi_reading.parsing.free_text import Mention, check_white_space_after, iterate_mentions
from doi_reading.parsing.parse import LONGEST_TEXT, read
from doi_reading.parsing.reading import Reading
from doi_reading.problems.problem import make_problem
from doi_reading.text.name_end import DOTS, find_sentence_end
from doi_reading.text.source_text import WHITE, WHITE_RUN, SourceText

LONGEST_DOCUMENT = 10_000_000
"""Code points of a document, if the caller sets no other bound."""
_SPOILED = re.compile(
    r"(?:https?://(?:dx\.|www\.)?doi\.org/|(?<![a-z0-9])doi:[ ]?)(?=1[01]\.[0-9])[^\s<>\"]{1,2000}", re.IGNORECASE
)
"""A link or a label whose name may break the syntax."""
_LABEL = re.compile(rf"(?:doi[:{WHITE}]*[{WHITE}])(?=https?://)", re.IGNORECASE)
"""A label for people before a link, which is no part of the link."""


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
    for mention in iterate_mentions(excerpt):
        yield from _find_spoiled(excerpt.text, done, mention.start)
        label = _LABEL.match(excerpt.text, mention.start, mention.end)
        start, done = label.end() if label else mention.start, _find_end(excerpt, mention)
        yield Occurrence(start, done, read(excerpt.text[start:done]))
    yield from _find_spoiled(excerpt.text, done, len(excerpt.text))


def _find_end(excerpt: SourceText, mention: Mention) -> int:
    """Return where the text ends that is read: after the DOI, or after the dots or the word that may continue it."""
    if dots := DOTS.match(mention.after.text):
        return mention.end + dots.end()
    if not check_white_space_after(excerpt, mention):
        return mention.end
    white = WHITE_RUN.match(excerpt.text, mention.start + len(mention.uncut.text))
    start = white.end() if white else mention.end
    following = WHITE_RUN.search(excerpt.text, start, start + LONGEST_TEXT)
    return following.start() if following else min(len(excerpt.text), start + LONGEST_TEXT)


def _find_spoiled(text: str, start: int, end: int) -> Iterator[Occurrence]:
    """Yield what is announced as a DOI between two mentions, and breaks the syntax."""
    for match in _SPOILED.finditer(text, start, end):
        last = match.start() + find_sentence_end(match[0])
        reading = read(text[match.start() : last])
        if any(one.severity == "error" for one in reading.problems):
            yield Occurrence(match.start(), last, reading)
