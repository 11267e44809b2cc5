"""The format in which PubMed exports citations (nbib, also called MEDLINE)."""

import re

from resolver.sheets.bibliographic.tagged import TaggedFormat, TaggedValue

_DOI = re.compile(rb"(.*?)\s{0,100}\[doi\]$", re.I | re.S)


def _before_mark(value: TaggedValue) -> tuple[int, int] | None:
    """Return the span of what `[doi]` stands behind: other identifiers use the same tags."""
    match = _DOI.match(value.raw)
    return match.span(1) if match else None


NBIB = TaggedFormat(
    kind="nbib",
    label="PubMed (nbib)",
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
    cut=_before_mark,
)
