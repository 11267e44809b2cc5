"""The formats with tags: RIS, PubMed's nbib (also called MEDLINE) and EndNote's tagged export (`.enw`)."""

import re
from collections.abc import Iterator
from itertools import islice

from doi_reading import Message
from resolver.sheets.bibliographic.record import MAX_RECORD_PLACES, SAVE_IN_UTF_8, find_link_fields
from resolver.sheets.bibliographic.tagged import TaggedFormat, TaggedValue
from resolver.sheets.bibliographic.text_codec import trim

_LABELLED_DOI = re.compile(rb"(?i)(?:https?://\S{0,100}/|doi\s{0,3}[:=]?\s{0,3})?10\.\d")
_MARK = re.compile(rb"(?:(?<!\S)\[([a-z]{2,12})\]|\[(doi)\])(?!\S)", re.I)
_DOI_OR_LINK = re.compile(rb"(?<!\S)(?:10\.\d|https?://|doi\b)", re.I)
_MAX_MARKED_BYTES = 20_000  # that are read before a mark


class Ris(TaggedFormat):
    """RIS, as reference managers and publishers write it."""

    kind = "ris"
    label = "RIS"
    endings = ("ris",)
    media_types = ("application/x-research-info-systems",)
    refusal = (r"(?i)\s*(?:\d+\.\s+)?TY {1,2}- ?[A-Z]{2,8}\s", Message("This is a RIS file."), SAVE_IN_UTF_8)
    start = re.compile(
        # Databases write about themselves before the first record; a tab or "," is a table's.
        rb"(?i)(?:[^\t\"]|\"(?![,;])){0,4000}?(?:(?<![^\r\n])|(?<=\xbf)) {0,9}(?:\d{1,9}\.\s{1,9})?"
        rb"TY {1,2}- ?[A-Z]{2,8}\s"
        rb"|(?:\xef\xbb\xbf)?\s{0,100}+(?:[A-Z][A-Z0-9]  - [^\r\n]{0,2000}+[\r\n]{1,4}+){2}"
    )
    # The Cochrane Library writes "DOI" for the tag, also as "DOI: 10. …".
    line = re.compile(
        rb"(?P<tag>DOI(?=:)|DOI(?= )|[A-Z][A-Z0-9])(?:(?<=DOI):| {1,2}-)(?: |$|(?=\S))(?P<value>.*)", re.S
    )
    first = frozenset({"TY"})
    last = "ER"
    roles = {
        **dict.fromkeys(("DO", "DOI"), "name"),
        **dict.fromkeys(("M3", "UR", "L1", "L2", "L3", "LK"), "url"),
        "N1": "note",
    }
    added = "DO"
    fields = tuple(roles)
    link_fields = find_link_fields(roles)
    names = ("ID", "AN")
    titles = ("TI", "T1")
    people = (("A1", "AU"), ("A2", "ED"), ("A3",))
    years = ("PY", "Y1", "DA", "YR")
    containers = ("T2", "JF", "JO", "BT", "JA", "J2", "J1")
    volumes = ("VL",)
    pages = ("SP",)

    def write_line(self, like: re.Match[bytes], value: bytes) -> bytes:
        """Return a line with a DOI, with the signs between tag and value of another."""
        return self.added.encode() + like.string[like.end("tag") : like.start("value")].rstrip() + b" " + value

    def find_spans(self, value: TaggedValue) -> Iterator[tuple[int, int]]:
        """Yield the whole value; of a note its first line, if it begins with a DOI."""
        if value.tag != "N1":
            yield 0, len(value.raw)
        elif _LABELLED_DOI.match(value.raw):
            yield 0, len(value.raw.split(b"\n", 1)[0].rstrip())


class Nbib(TaggedFormat):
    """The format in which PubMed exports citations."""

    kind = "nbib"
    label = "PubMed (nbib)"
    endings = ("nbib",)
    media_types = ("application/nbib",)
    refusal = (r"\s*PMID ?- ?\d+\s*\n[A-Z]{2,4} *- ", Message("This is a PubMed (.nbib) file."), SAVE_IN_UTF_8)
    start = re.compile(
        rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:PMID ?- ?\d{1,12}|(?:OWN|PMC) {0,2}- ?\w{1,30})[ \t]{0,9}[\r\n]{1,4}"
        rb"[A-Z]{2,4} {0,2}-? "
    )
    line = re.compile(rb"(?P<tag>[A-Z]{2,4}) {0,2}-(?: |$|(?=\S))(?P<value>.*)", re.S)
    first = frozenset({"PMID"})
    roles = {"LID": "name", "AID": "name"}
    added = "LID"
    fields = tuple(roles)
    link_fields = find_link_fields(roles)
    names = ("PMID",)
    titles = ("TI",)
    people = (("FAU", "CN"), ("AU", "CN"), ("FED",), ("ED",))
    years = ("DP",)
    containers = ("JT", "BTI", "TA")
    volumes = ("VI",)
    pages = ("PG",)

    def write_line(self, like: re.Match[bytes], value: bytes) -> bytes:
        """Return a line with a DOI, which such files mark as one."""
        return b"LID - " + value + b" [doi]"

    def find_spans(self, value: TaggedValue) -> Iterator[tuple[int, int]]:
        """Yield the span before each `[doi]`: other identifiers use the same tags, and the same line."""
        last = 0
        for mark in islice(_MARK.finditer(value.raw), MAX_RECORD_PLACES):
            first = max(last, mark.start() - _MAX_MARKED_BYTES)
            start, end = trim(value.raw, first, mark.start())
            last = mark.end()
            if end > start and (mark[1] or mark[2]).lower() == b"doi":
                begins = _DOI_OR_LINK.search(value.raw, start, end)
                yield begins.start() if begins else start, end


class EndNoteTagged(TaggedFormat):
    """EndNote's tagged export, as library catalogues and Google Scholar write it."""

    kind = "enw"
    label = "EndNote (enw)"
    endings = ("enw",)
    media_types = ("application/x-endnote-refer",)
    refusal = (
        r"\s*(?:%[0A-Z] \S[^\n]*\n%[0A-Z] |%0 [^\n]*\n%[0A-Z@] )",
        Message("This is an EndNote export (tagged with % signs)."),
        SAVE_IN_UTF_8,
    )
    start = re.compile(
        rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:%0(?: [^\r\n]{0,200}+)?|%[A-Z] [^\r\n]{1,2000}+)[\r\n]{1,4}+"
        rb"(?:%[0-9A-Z@] |(?=%[A-Z] ))"
    )
    line = re.compile(rb"%(?P<tag>[0-9A-Z@!&+^$<>\[\]~#*?=:;,.(){}|/-])(?: |$)(?P<value>.*)", re.S)
    first = frozenset({"0"})
    roles = {"R": "name", "U": "url"}
    added = "R"
    fields = tuple(roles)
    link_fields = find_link_fields(roles)
    names = ("M", "F")
    titles = ("T",)
    people = (("A",), ("E",))
    years = ("D", "8")
    containers = ("J", "B")
    volumes = ("V",)
    pages = ("P",)

    def write_line(self, like: re.Match[bytes], value: bytes) -> bytes:
        """Return a line with a DOI."""
        return b"%R " + value
