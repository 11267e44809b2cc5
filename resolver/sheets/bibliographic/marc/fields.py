"""The fields of MARC 21 and UNIMARC that hold DOIs or describe the work, and the record built from them."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from doi_reading import Message
from resolver.sheets.bibliographic.marc.data_field import DataField
from resolver.sheets.bibliographic.marc.work_fields import WORK_TAGS, describe_fields
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_PARTS,
    MAX_RECORD_PLACES,
    MAX_SHOWN_CHARACTERS,
    BibliographicRecord,
    Place,
    Role,
    refuse_doi,
)

FIELDS = ("024$a", "024$z", "856$u", "773$o", "773$u", "017$a")
"""The fields that are read. 773 means the linking entries 773 to 787, 017 is read of UNIMARC alone."""
LINK_FIELDS = frozenset(("856$u", *(f"{number}${code}" for number in range(773, 788) for code in "ou")))
"""Those of them that aren't meant for DOI names, each linking entry by its own number."""
EXPORT_FIELD = Message("Export field 024 (or 856) from the catalogue as CSV or as a plain list.")
"""The remedy for MARC that isn't read."""
TOO_MANY_SUBFIELDS = Message("The record has more than {count} subfields.", count=MAX_RECORD_PARTS)

_CANCELLED = Message("Subfield $z holds identifiers that were cancelled or are not valid. It is not changed.")
_LINKS = frozenset(str(number) for number in range(773, 788))
USED_TAGS = frozenset(("001", "017", "024", "856", *_LINKS)) | WORK_TAGS
"""The tags of the fields that are read, or that describe the work."""


def is_unimarc(tags: Collection[str]) -> bool:
    """Return whether a record with these tags is one of UNIMARC: the title is in 200, which MARC 21 does not have."""
    return "200" in tags and "245" not in tags


def build_record(start: int, end: int, found: Sequence[DataField], fields: frozenset[str]) -> BibliographicRecord:
    """Return the record of these data fields, with the places in the `fields` that are read."""
    unimarc = is_unimarc({each.tag for each in found})
    places = (place for each in found for place in _find_places(each, fields, unimarc))
    kept = tuple(islice(places, MAX_RECORD_PLACES))
    by_tag: dict[str, list[DataField]] = {}
    for each in found:
        if each.tag in USED_TAGS:
            by_tag.setdefault(each.tag, []).append(each)
    return BibliographicRecord(
        start,
        end,
        name=by_tag["001"][0].find_first("")[:MAX_SHOWN_CHARACTERS] if "001" in by_tag else "",
        work=describe_fields(by_tag, unimarc=unimarc),
        places=kept,
        missing=None if kept else refuse_doi("017$a" if unimarc else "024$a"),
    )


def _find_places(field: DataField, fields: frozenset[str], unimarc: bool) -> Iterator[Place]:
    for each in field.subfields:
        role = _find_role(field, each.code, unimarc)
        name = f"{field.tag}${each.code}"
        listed = f"773${each.code}" if field.tag in _LINKS else name
        if role is not None and listed in fields:
            reason = _CANCELLED if each.code == "z" else each.reason
            yield from make_place(name, each.text, each.spans, role, each.encode, reason)


def _find_role(field: DataField, code: str, unimarc: bool) -> Role | None:
    if field.tag == "856":
        return "url" if code == "u" else None
    if unimarc:
        return "name" if field.tag == "017" and code == "a" and _is_doi(field) else None
    if field.tag == "024":
        return "name" if code in ("a", "z") and field.first_indicator == "7" and _is_doi(field) else None
    return "url" if field.tag in _LINKS and code in ("o", "u") else None


def _is_doi(field: DataField) -> bool:
    return field.find_first("2").strip().lower() == "doi"
