"""The fields of MARC 21 and UNIMARC that hold DOIs or describe the work, and the record built from them."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from doi_reading import Message
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_PARTS,
    MAX_RECORD_PLACES,
    MAX_SHOWN_CHARACTERS,
    BibliographicRecord,
    Place,
    Role,
    Span,
    find_year,
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
_TITLE = {False: "245", True: "200"}
_AUTHORS = {False: ("100", "110", "700"), True: ("700", "710", "701")}
_DATES = {False: (("264", "c"), ("260", "c")), True: (("214", "d"), ("210", "d"))}
_DATE_TAGS = (tag for tag, _ in (*_DATES[False], *_DATES[True]))
USED_TAGS = frozenset(
    ("001", "008", "017", "024", "856", *_LINKS, *_TITLE.values(), *_AUTHORS[False], *_AUTHORS[True], *_DATE_TAGS)
)
"""The tags of the fields that are read, or that describe the work."""


@dataclass(frozen=True, slots=True)
class Subfield:
    """A subfield of a data field, without white space at both ends."""

    code: str
    text: str
    spans: tuple[Span, ...]
    encode: Callable[[str], bytes]
    reason: Message | None = None


@dataclass(frozen=True, slots=True)
class DataField:
    """A data field, or a control field, whose one subfield has the code ""."""

    tag: str
    first_indicator: str
    subfields: Sequence[Subfield]

    def find_first(self, code: str) -> str:
        """Return the text of the first subfield with this code, "" if there is none."""
        return next((each.text for each in self.subfields if each.code == code), "")


def is_unimarc(tags: Collection[str]) -> bool:
    """Return whether a record with these tags is one of UNIMARC: the title is in 200, which MARC 21 does not have."""
    return "200" in tags and "245" not in tags


def build_record(start: int, end: int, found: Sequence[DataField], fields: frozenset[str]) -> BibliographicRecord:
    """Return the record of these data fields, with the places in the `fields` that are read."""
    unimarc = is_unimarc({each.tag for each in found})
    places = (place for each in found for place in _find_places(each, fields, unimarc))
    by_tag: dict[str, DataField] = {}
    for each in found:
        by_tag.setdefault(each.tag, each)
    nothing = DataField("", "", ())
    title = by_tag.get(_TITLE[unimarc], nothing).find_first("a").rstrip(" /:;,.")
    author = next((text for tag in _AUTHORS[unimarc] if (text := by_tag.get(tag, nothing).find_first("a"))), "")
    dates = [by_tag.get(tag, nothing).find_first(code) for tag, code in _DATES[unimarc]]
    if not unimarc:
        dates.append(by_tag.get("008", nothing).find_first("")[7:11])
    return BibliographicRecord(
        start,
        end,
        name=by_tag.get("001", nothing).find_first("")[:MAX_SHOWN_CHARACTERS],
        title=title[:MAX_SHOWN_CHARACTERS],
        author=author.rstrip(" ,")[:MAX_SHOWN_CHARACTERS],
        year=next(filter(None, map(find_year, dates)), ""),
        places=tuple(islice(places, MAX_RECORD_PLACES)),
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
