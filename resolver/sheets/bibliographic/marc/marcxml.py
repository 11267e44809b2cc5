"""MARCXML: records of MARC 21 or UNIMARC as XML."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.marc.data_field import DataField, Subfield
from resolver.sheets.bibliographic.marc.fields import FIELDS, LINK_FIELDS, build_record
from resolver.sheets.bibliographic.record import SAVE_IN_UTF_8, BibliographicRecord, RecordFormat
from resolver.sheets.bibliographic.text_codec import trim_text
from resolver.sheets.bibliographic.xml_leaves import MIXED, PROLOG, Leaf, encode_xml, read_xml_records


class MarcXml(RecordFormat):
    """Records in `record` elements, also inside of others, as OAI-PMH and SRU send them."""

    kind = "marcxml"
    label = "MARCXML"
    endings = ("xml",)
    media_types = ("application/marcxml+xml",)
    refusal = (
        r"(?i)\s*<(?:[a-z][\w.-]*:)?(?:collection|record)(?:[\s>]|/>)",
        Message("This is an XML file, probably MARCXML."),
        SAVE_IN_UTF_8,
    )
    fields = FIELDS
    link_fields = LINK_FIELDS
    start = re.compile(
        PROLOG + rb"<(?:[A-Za-z][\w.-]{0,50}:)?(?:collection|record)(?=[\s>])"
        rb"|(?s:(?:\xef\xbb\xbf)?\s{0,1000}<.{0,8000}?(?:MARC21/slim|marcxchange))"
    )

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order. Raises UnreadableFile for XML that is not well-formed."""
        for each in read_xml_records(stream, "record"):
            if each.fault:
                yield BibliographicRecord(each.start, each.end, fault=each.fault)
            else:
                yield build_record(each.start, each.end, _group_data_fields(each.leaves), fields)


def _group_data_fields(leaves: Sequence[Leaf]) -> list[DataField]:
    """Return the fields; leaves of one data field follow each other."""
    found = [
        DataField(leaf.attributes[-1].get("tag", ""), "", [_build_subfield(leaf, "")])
        for leaf in leaves
        if leaf.path[-1] == "controlfield"
    ]
    inner = [leaf for leaf in leaves if leaf.path[-2:] == ("datafield", "subfield")]
    for _, group in groupby(inner, key=lambda leaf: leaf.parent):
        parts = list(group)
        field = parts[0].attributes[-2]
        subfields = [_build_subfield(leaf, leaf.attributes[-1].get("code", "")) for leaf in parts]
        found.append(DataField(field.get("tag", ""), field.get("ind1", ""), subfields))
    return found


def _build_subfield(leaf: Leaf, code: str) -> Subfield:
    spans = (leaf.span,) if leaf.span else ((0, 0),)
    return Subfield(code, trim_text(leaf.text), spans, encode_xml, None if leaf.span else MIXED)
