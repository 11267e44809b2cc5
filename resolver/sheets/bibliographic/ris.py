"""RIS, as reference managers and publishers write it."""

import re
from collections.abc import Iterator

from doi_reading import Message
from resolver.sheets.bibliographic.record import SAVE_IN_UTF_8
from resolver.sheets.bibliographic.tagged import TaggedFormat, TaggedValue

_LABELLED = re.compile(rb"(?i)(?:https?://\S{0,100}/|doi\s{0,3}[:=]?\s{0,3})?10\.\d")


def _read_here(value: TaggedValue) -> Iterator[tuple[int, int]]:
    """Yield the whole value; of a note its first line, if it begins with a DOI."""
    if value.tag != "N1":
        yield 0, len(value.raw)
    elif _LABELLED.match(value.raw):
        yield 0, len(value.raw.split(b"\n", 1)[0].rstrip())


RIS = TaggedFormat(
    kind="ris",
    label="RIS",
    endings=("ris",),
    media_types=("application/x-research-info-systems",),
    refusal=(
        r"(?i)\s*(?:\d+\.\s+)?TY {1,2}- ?[A-Z]{2,8}\s",
        Message("This is a RIS file."),
        SAVE_IN_UTF_8,
    ),
    start=re.compile(
        # Databases write about themselves before the first record; a tab or "," is a table's.
        rb"(?i)(?:[^\t\"]|\"(?![,;])){0,4000}?(?:(?<![^\r\n])|(?<=\xbf)) {0,9}(?:\d{1,9}\.\s{1,9})?"
        rb"TY {1,2}- ?[A-Z]{2,8}\s"
        rb"|(?:\xef\xbb\xbf)?\s{0,100}+(?:[A-Z][A-Z0-9]  - [^\r\n]{0,2000}+[\r\n]{1,4}+){2}"
    ),
    # The Cochrane Library writes "DOI" for the tag, also as "DOI: 10. …".
    line=re.compile(rb"(?P<tag>DOI(?=:)|DOI(?= )|[A-Z][A-Z0-9])(?:(?<=DOI):| {1,2}-)(?: |$|(?=\S))(?P<value>.*)", re.S),
    first=frozenset({"TY"}),
    last="ER",
    roles={
        "DO": "name",
        "DOI": "name",
        "M3": "url",
        "UR": "url",
        "L1": "url",
        "L2": "url",
        "L3": "url",
        "LK": "url",
        "N1": "note",
    },
    names=("ID", "AN"),
    titles=("TI", "T1"),
    authors=("AU", "A1"),
    years=("PY", "Y1", "DA", "YR"),
    cut=_read_here,
)
