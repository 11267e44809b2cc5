"""EndNote's XML export."""

import re
from collections.abc import Iterator
from itertools import groupby, islice
from typing import BinaryIO

from doi_reading import Message
from resolver.domain.work.row_work import RowWork
from resolver.sheets.bibliographic.described_work import build_work, shorten_text
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_PLACES,
    SAVE_IN_UTF_8,
    BibliographicRecord,
    Place,
    RecordFormat,
    Role,
    find_link_fields,
    refuse_doi,
)
from resolver.sheets.bibliographic.text_codec import trim_text
from resolver.sheets.bibliographic.xml_leaves import MIXED, PROLOG, Leaf, XmlRecord, encode_xml, read_xml_records

_DOI = "electronic-resource-num"
_ROLES: dict[str, Role] = {_DOI: "name", "related-urls": "url"}
_Text = tuple[tuple[str, ...], list[Leaf]]


class EndNoteXml(RecordFormat):
    """Records whose texts are in `style` elements, often several for one text."""

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
    link_fields = find_link_fields(_ROLES)
    start = re.compile(PROLOG + rb"<(?:xml|records)[\s>]")

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order. Raises UnreadableFile for XML that is not well-formed."""
        for each in read_xml_records(stream, "record"):
            yield BibliographicRecord(each.start, each.end, fault=each.fault) if each.fault else _build(each, fields)


def _build(found: XmlRecord, fields: frozenset[str]) -> BibliographicRecord:
    texts = [_join_runs(list(group)) for _, group in groupby(found.leaves, key=_identify_element)]
    places = (place for path, runs in texts for place in _find_places(path, runs, fields))
    kept = tuple(islice(places, MAX_RECORD_PLACES))
    return BibliographicRecord(
        found.start,
        found.end,
        name=shorten_text(_find_first(texts, "rec-number")),
        work=_describe(texts),
        places=kept,
        missing=None if kept else refuse_doi(_DOI),
    )


def _identify_element(leaf: Leaf) -> tuple[object, ...]:
    """Return a key that all runs of one text share with the other texts of their element."""
    return (leaf.path[:-1], leaf.parent) if leaf.path[-1] == "style" else (leaf.path, leaf.number)


def _join_runs(runs: list[Leaf]) -> _Text:
    path = runs[0].path
    return (path[:-1] if path[-1] == "style" else path), sorted(runs, key=lambda run: run.first)


def _find_places(path: tuple[str, ...], runs: list[Leaf], fields: frozenset[str]) -> Iterator[Place]:
    field = next((name for name in path if name in _ROLES), None)
    if field is None or field not in fields:
        return
    text = trim_text("".join(run.text for run in runs))
    spans = tuple(run.span for run in runs if run.span)
    reason = None if len(spans) == len(runs) else MIXED
    yield from make_place(field, text, spans or ((0, 0),), _ROLES[field], encode_xml, reason)


def _describe(texts: list[_Text]) -> RowWork:
    authors = [_read(runs) for path, runs in texts if path[-2:] == ("authors", "author")]
    editors = (_read(runs) for path, runs in texts if path[-1:] == ("author",))
    return build_work(
        title=_find_first(texts, "title"),
        authors=authors or editors,
        year=_find_first(texts, "year"),
        container=_find_first(texts, "secondary-title", "full-title"),
        volume=_find_first(texts, "volume"),
        pages=_find_first(texts, "pages"),
    )


def _find_first(texts: list[_Text], *names: str) -> str:
    """Return the text of the first element with the first of these names that the record has."""
    found = (runs for name in names for path, runs in texts if path[-1:] == (name,))
    return _read(next(found, []))


def _read(runs: list[Leaf]) -> str:
    return "".join(run.text for run in runs)
