"""EndNote's XML export."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MOST_PLACES,
    SAVE_IN_UTF_8,
    BibliographicRecord,
    Edit,
    Place,
    Role,
    splice,
)
from resolver.sheets.bibliographic.xml_leaves import MIXED, Leaf, XmlRecord, encode_xml, read_xml_records

_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:<\?[^>]{0,500}+>\s{0,1000}+|<!--[^>]{0,2000}+>\s{0,1000}+){0,10}+<(?:xml|records)[\s>]"
)
_ROLES: dict[str, Role] = {"electronic-resource-num": "name", "related-urls": "url"}
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_SHOWN = 300


class EndNoteXml:
    """Records whose texts stand in `style` elements, often several for one text."""

    kind = "endnote-xml"
    label = "EndNote XML"
    endings = ("xml",)
    media_types = ("application/xml",)
    refusal = (
        r"(?i)\s*<(?:[a-z][\w.-]*:)?(?:xml|records)(?:[\s>]|/>)",
        Message("This is an EndNote XML file."),
        SAVE_IN_UTF_8,
    )
    fields = tuple(_ROLES)

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is EndNote XML."""
        return bool(_HEAD.match(head))

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order. Raises UnreadableFile for XML that is not well-formed."""
        for each in read_xml_records(stream, "record"):
            yield BibliographicRecord(each.start, each.end, fault=each.fault) if each.fault else _build(each, fields)

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of a record with the edits made."""
        return splice(raw, first, edits)


def _build(found: XmlRecord, fields: frozenset[str]) -> BibliographicRecord:
    texts = [_join_runs(list(group)) for _, group in groupby(found.leaves, key=_identify_element)]
    year = _YEAR.search(_find_first(texts, "year"))
    places = islice((place for path, runs in texts for place in _find_places(path, runs, fields)), MOST_PLACES)
    return BibliographicRecord(
        found.start,
        found.end,
        name=_find_first(texts, "rec-number"),
        title=_find_first(texts, "title"),
        author=_find_first(texts, "author"),
        year=year.group() if year else "",
        places=tuple(places),
    )


_Text = tuple[tuple[str, ...], list[Leaf]]


def _identify_element(leaf: Leaf) -> tuple[object, ...]:
    """Return what is the same for all runs of one text, and for what stands beside them in the same element."""
    return (leaf.path[:-1], leaf.parent) if leaf.path[-1] == "style" else (leaf.path, leaf.number)


def _join_runs(runs: list[Leaf]) -> _Text:
    path = runs[0].path
    return (path[:-1] if path[-1] == "style" else path), sorted(runs, key=lambda run: run.first)


def _find_places(path: tuple[str, ...], runs: list[Leaf], fields: frozenset[str]) -> Iterator[Place]:
    field = next((name for name in path if name in _ROLES), None)
    if field is None or field not in fields:
        return
    text = "".join(run.text for run in runs).strip()
    spans = tuple(run.span for run in runs if run.span)
    reason = None if len(spans) == len(runs) else MIXED
    yield from make_place(field, text, spans or ((0, 0),), _ROLES[field], encode_xml, reason)


def _find_first(texts: list[_Text], name: str) -> str:
    return next(
        ("".join(run.text for run in runs).strip()[:_SHOWN] for path, runs in texts if path[-1:] == (name,)), ""
    )
