"""The format in which PubMed exports citations (nbib, also called MEDLINE)."""

import re
from collections.abc import Iterator
from itertools import islice

from doi_reading import Message
from resolver.sheets.bibliographic.record import MOST_PLACES, SAVE_IN_UTF_8
from resolver.sheets.bibliographic.tagged import TaggedFormat, TaggedValue
from resolver.sheets.bibliographic.text_codec import trim

_LONGEST = 20_000
_MARK = re.compile(rb"(?:(?<!\S)\[([a-z]{2,12})\]|\[(doi)\])(?!\S)", re.I)
_BEGINS = re.compile(rb"10\.\d|https?://|doi:", re.I)


def _find_spans_before_marks(value: TaggedValue) -> Iterator[tuple[int, int]]:
    """Yield the spans of what `[doi]` stands behind: other identifiers use the same tags, and the same line."""
    last = 0
    for mark in islice(_MARK.finditer(value.raw), MOST_PLACES):
        first = max(last, mark.start() - _LONGEST)
        start, end = trim(value.raw, first, mark.start())
        last = mark.end()
        word = value.raw[start:end].split()[-1:]
        if word and (mark[1] or mark[2]).lower() == b"doi":
            yield end - len(word[0]) if _BEGINS.match(word[0]) else start, end


NBIB = TaggedFormat(
    kind="nbib",
    label="PubMed (nbib)",
    endings=("nbib",),
    media_types=("application/nbib",),
    refusal=(
        r"\s*PMID ?- ?\d+\s*\n[A-Z]{2,4} *- ",
        Message("This is a PubMed (.nbib) file."),
        SAVE_IN_UTF_8,
    ),
    start=re.compile(
        rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:PMID ?- ?\d{1,12}|(?:OWN|PMC) {0,2}- ?\w{1,30})[ \t]{0,9}[\r\n]{1,4}"
        rb"[A-Z]{2,4} {0,2}-? "
    ),
    line=re.compile(rb"(?P<tag>[A-Z]{2,4}) {0,2}-(?: |$|(?=\S))(?P<value>.*)", re.S),
    first=frozenset({"PMID"}),
    last="",
    roles={"LID": "name", "AID": "name"},
    names=("PMID",),
    titles=("TI",),
    authors=("FAU", "AU"),
    years=("DP",),
    cut=_find_spans_before_marks,
)
