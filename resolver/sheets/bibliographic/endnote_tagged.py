"""EndNote's tagged export (`.enw`), as library catalogues and Google Scholar write it."""

import re

from doi_reading import Message
from resolver.sheets.bibliographic.record import SAVE_IN_UTF_8
from resolver.sheets.bibliographic.tagged import TaggedFormat

ENDNOTE_TAGGED = TaggedFormat(
    kind="enw",
    label="EndNote (enw)",
    endings=("enw",),
    media_types=("application/x-endnote-refer",),
    refusal=(
        r"\s*(?:%[0A-Z] \S[^\n]*\n%[0A-Z] |%0 [^\n]*\n%[0A-Z@] )",
        Message("This is an EndNote export (tagged with % signs)."),
        SAVE_IN_UTF_8,
    ),
    start=re.compile(
        rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:%0(?: [^\r\n]{0,200}+)?|%[A-Z] [^\r\n]{1,2000}+)[\r\n]{1,4}+"
        rb"(?:%[0-9A-Z@] |(?=%[A-Z] ))"
    ),
    line=re.compile(rb"%(?P<tag>[0-9A-Z@!&+^$<>\[\]~#*?=:;,.(){}|/-])(?: |$)(?P<value>.*)", re.S),
    first=frozenset({"0"}),
    last="",
    roles={"R": "name", "U": "url"},
    names=("M", "F"),
    titles=("T",),
    authors=("A",),
    years=("D", "8"),
)
