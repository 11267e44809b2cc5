"""The parts of an XLSX package: the sheets, the shared texts, the formats of numbers."""

import itertools
import posixpath
from collections.abc import Iterator, Sized
from dataclasses import dataclass

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.file_findings import MAX_SHEET_NAME
from resolver.sheets.workbook.numbers_and_dates import BUILT_IN, NumberFormat, classify_format
from resolver.sheets.workbook.workbook_archive import Archive
from resolver.sheets.workbook.xml_stream import DamagedPart, iterate_elements

# Small parts of which lists are kept in memory: the styles of a real workbook reach a few hundred kB.
_MAX_PART_BYTES = 16 << 20
_MAX_LISTED = 100_000  # sheets, parts, formats or cell styles: Excel ends at 65,490 styles
_SECTIONS = ("cellStyleXfs", "cellXfs", "cellStyles", "dxfs")  # of the styles; two of them list xf


@dataclass(slots=True)
class XlsxParts:
    """The parts' names ("" for one that is not there), and how dates are counted."""

    sheets: list[tuple[str, str]]  # name and part, of those that are read
    strings: str
    styles: str
    from_1904: bool


def find_xlsx_parts(archive: Archive) -> XlsxParts:
    """Return the parts of the visible sheets of cells, in order. Raises UnreadableFile if the workbook has no sheet."""
    start = _read_relations(archive, "_rels/.rels")
    place = next((target for kind, target in start.values() if kind == "officedocument"), "xl/workbook.xml")
    from_1904 = False
    listed: list[tuple[str, str, bool]] = []  # name, relation, whether it is shown
    for element, attributes in _iterate_elements(archive, place):
        if element == "workbookPr":
            from_1904 = attributes.get("date1904") in ("1", "true")
        elif element == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(" id")), "")
            shown = attributes.get("state", "visible") == "visible"
            listed.append((attributes.get("name", "")[:MAX_SHEET_NAME], relation, shown))
            _limit_count(listed, Message("sheets"), place)
    folder, name = posixpath.split(place)
    relations = _read_relations(archive, f"{folder}/_rels/{name}.rels")
    sheets = [
        (shown, name, target)
        for name, relation, shown in listed
        for kind, target in [relations.get(relation, ("", ""))]
        if kind == "worksheet"
    ]
    if not sheets:
        raise UnreadableFile(Message("The workbook has no sheet with cells."))
    read = [(name, target) for shown, name, target in sheets if shown]
    parts = {kind: target for kind, target in relations.values() if archive.has(target)}
    read = read or [(name, target) for _, name, target in sheets]
    return XlsxParts(read, parts.get("sharedstrings", ""), parts.get("styles", ""), from_1904)


def read_number_formats(archive: Archive, book: XlsxParts) -> dict[str, NumberFormat]:
    """Return how the cell styles show numbers, by the styles' numbers. Those that change nothing are left out."""
    if not book.styles:
        return {}
    codes = dict(BUILT_IN)
    found: dict[str, NumberFormat] = {}
    count = itertools.count()
    section = ""
    for element, attributes in _iterate_elements(archive, book.styles):
        if element in _SECTIONS:
            section = element
        elif element == "numFmt":
            code = attributes.get("formatCode", "")[:1_000]
            codes[attributes.get("numFmtId", "")] = NumberFormat(classify_format(code), code)
            _limit_count(codes, Message("formats"), book.styles)
        elif element == "xf" and section == "cellXfs":
            style = next(count)
            if number_format := codes.get(attributes.get("numFmtId", "")):
                found[str(style)] = number_format
    return found


def _read_relations(archive: Archive, place: str) -> dict[str, tuple[str, str]]:
    """Return by id the last word of the type, in lower case, and the name of the part."""
    found: dict[str, tuple[str, str]] = {}
    if not archive.has(place):
        return found
    folder = posixpath.dirname(posixpath.dirname(place))
    for element, attributes in _iterate_elements(archive, place):
        if element == "Relationship" and attributes.get("TargetMode") != "External":
            target = attributes.get("Target", "").replace("\\", "/")
            path = target if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            kind = attributes.get("Type", "").rpartition("/")[2].lower()
            found[attributes.get("Id", "")] = kind, path.lstrip("/")
            _limit_count(found, Message("parts"), place)
    return found


def _iterate_elements(archive: Archive, place: str) -> Iterator[tuple[str, dict[str, str]]]:
    if archive.get_size(place) > _MAX_PART_BYTES:
        raise DamagedPart(place, Message("it has more than {count} bytes", count=_MAX_PART_BYTES))
    with archive.open(place) as part:
        yield from iterate_elements(part.read_blocks(), place)


def _limit_count(listed: Sized, of_what: Message, place: str) -> None:
    if len(listed) > _MAX_LISTED:
        raise DamagedPart(place, Message("it lists more than {count} {things}", count=_MAX_LISTED, things=of_what))
