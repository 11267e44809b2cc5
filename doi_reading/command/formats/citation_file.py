"""CITATION.cff: the key `doi` of YAML; every other text may mention DOIs."""

import re
from collections.abc import Iterator

from doi_reading.command.passage import Passage
from doi_reading.text.source_text import SourceText

_DOI = re.compile(r"^[ \t]{0,200}(?:-[ \t]{1,20})?([\"']?)doi\1[ \t]{0,20}:[ \t]{1,20}([^\r\n]*)", re.MULTILINE)
_QUOTED = re.compile(r"\"([^\"\\]*)\"|'([^']*)'")
"""A value with a backslash or a doubled quote is read as text: what it means depends on the kind of quotes."""


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the values for a DOI, and the text between them."""
    whole, done = SourceText.of(text), 0
    for field in _DOI.finditer(text):
        start, end = field.span(2)
        if quoted := _QUOTED.match(text, start, end):
            start, end = quoted.span(quoted.lastindex or 0)
        elif text[start : start + 1] in ("'", '"', "|", ">", "&", "*", "!"):
            continue
        else:
            end = start + len(text[start:end].partition(" #")[0].rstrip())
        if start == end:
            continue
        yield Passage(whole.cut(done, start))
        yield Passage(whole.cut(start, end), is_field=True)
        done = end
    yield Passage(whole.cut(done))
