"""CITATION.cff: the key `doi` of YAML, and the `value` of an identifier of type `doi`. Other text may mention DOIs."""

import re
from collections.abc import Iterator
from itertools import pairwise

from doi_reading.command.passage import Passage
from doi_reading.text.source_text import SourceText

_KEY = re.compile(
    r"^[ \t]{0,200}(?:-[ \t]{1,20})?([\"']?)(doi|type|value)\1[ \t]{0,20}:[ \t]{1,20}([^\r\n]*)", re.MULTILINE
)
_TYPE_DOI = re.compile(r"([\"']?)doi\1[ \t]*(?:#.*)?")
_ITEM = re.compile(r"^[ \t]{0,200}-[ \t]", re.MULTILINE)
_QUOTED = re.compile(r"\"([^\"\\]*)\"|'([^']*)'")
"""A value with a backslash or a doubled quote is read as text: what it means depends on the kind of quotes."""


def find_passages(text: str) -> Iterator[Passage]:
    """Yield the values for a DOI, and the text between them."""
    whole, done = SourceText.of(text), 0
    for field in _find_fields(text):
        start, end = field.span(3)
        if quoted := _QUOTED.match(text, start, end):
            start, end = quoted.span(quoted.lastindex or 0)
        elif text[start : start + 1] in ("'", '"', "|", ">", "&", "*", "!"):
            continue
        else:
            end = start + len(text[start:end].partition(" #")[0].rstrip())
        if start == end:
            continue
        yield Passage(whole.cut(done, start))
        yield Passage(whole.cut(start, end).strip(), is_field=True, takes_link=False)
        done = end
    yield Passage(whole.cut(done))


def _find_fields(text: str) -> Iterator[re.Match[str]]:
    """Yield the keys `doi`, and those `value` that stand in one item of a list with `type: doi`."""
    keys = [None, *_KEY.finditer(text), None]
    for before, (key, after) in zip(keys, pairwise(keys[1:]), strict=False):
        if key and (
            key[2] == "doi" or (key[2] == "value" and (_is_type_of(text, before, key) or _is_type_of(text, after, key)))
        ):
            yield key


def _is_type_of(text: str, other: re.Match[str] | None, key: re.Match[str]) -> bool:
    if other is None or other[2] != "type" or not _TYPE_DOI.fullmatch(other[3].rstrip()):
        return False
    first, second = (other, key) if other.start() < key.start() else (key, other)
    return not _ITEM.search(text, first.end(), second.start(2))
