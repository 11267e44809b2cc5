"""Where an XLSX package keeps what is needed: the sheet, the shared texts, the formats of numbers."""

import itertools
import posixpath
from collections.abc import Sized
from dataclasses import dataclass, field

from resolver.domain.message import Message
from resolver.sheets.errors import UnreadableFile, no_such_sheet
from resolver.sheets.workbook.number_formats import BUILT_IN, NumberFormat, moment_of
from resolver.sheets.workbook.xml import End, Start, XmlStream, damaged
from resolver.sheets.workbook.zip import Archive

# Small parts of which lists are kept in memory: the styles of a real workbook reach a few hundred kB.
_LARGEST = 16 << 20
_MOST = 100_000  # of sheets, parts, formats or cell styles: Excel ends at 65,490 styles
_LONGEST_NAME = 100
_LONGEST_CODE = 1_000


@dataclass(slots=True)
class Book:
    """The parts' names ("" for one that is not there), and how dates are counted."""

    sheets: list[tuple[str, str]] = field(default_factory=list)  # name and part, of those that are read
    strings: str = ""
    styles: str = ""
    from_1904: bool = False


@dataclass(slots=True)
class _Listed:
    sheets: list[tuple[str, str, bool]] = field(default_factory=list)  # name, relation, whether it is shown
    from_1904: bool = False


def find_parts(archive: Archive) -> Book:
    """The parts of the visible sheets of cells, in order; raises UnreadableFile when the workbook has no sheet."""
    start = _relations(archive, "_rels/.rels")
    place = next((target for kind, target in start.values() if kind == "officedocument"), "xl/workbook.xml")
    listed = _Listed()

    def begin(name: str, attributes: dict[str, str]) -> None:
        if name == "workbookPr":
            listed.from_1904 = attributes.get("date1904") in ("1", "true")
        elif name == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(" id")), "")
            shown = attributes.get("state", "visible") == "visible"
            listed.sheets.append((attributes.get("name", "")[:_LONGEST_NAME], relation, shown))
            _bound(listed.sheets, Message("sheets"), place)

    _parse(archive, place, begin)
    folder, name = posixpath.split(place)
    relations = _relations(archive, f"{folder}/_rels/{name}.rels")
    sheets = [
        (shown, name, target)
        for name, relation, shown in listed.sheets
        for kind, target in [relations.get(relation, ("", ""))]
        if kind == "worksheet"
    ]
    if not sheets:
        raise UnreadableFile(Message("The workbook has no sheet with cells."))
    read = [sheet for sheet in sheets if sheet[0]] or sheets
    parts = {kind: target for kind, target in relations.values() if archive.has(target)}
    return Book(
        [(name, target) for _, name, target in read],
        parts.get("sharedstrings", ""),
        parts.get("styles", ""),
        listed.from_1904,
    )


def one_of(sheets: list[tuple[str, str]], place: int) -> list[tuple[str, str]]:
    """The sheet at this place alone; raises NeedsChoice where there is none."""
    if place >= len(sheets):
        raise no_such_sheet()
    return [sheets[place]]


def number_formats(archive: Archive, book: Book) -> dict[str, NumberFormat]:
    """How numbers are shown by the cell styles, by their numbers; those are left out that change nothing."""
    if not book.styles:
        return {}
    codes = dict(BUILT_IN)
    found: dict[str, NumberFormat] = {}
    count = itertools.count()
    inside: list[str] = []

    def begin(name: str, attributes: dict[str, str]) -> None:
        if name == "numFmt":
            code = attributes.get("formatCode", "")[:_LONGEST_CODE]
            codes[attributes.get("numFmtId", "")] = NumberFormat(moment_of(code), code)
            _bound(codes, Message("formats"), book.styles)
        elif name == "xf" and inside[-1:] == ["cellXfs"]:
            style = next(count)
            if number_format := codes.get(attributes.get("numFmtId", "")):
                found[str(style)] = number_format
        inside.append(name)

    def end(_: str) -> None:
        inside.pop()

    _parse(archive, book.styles, begin, end)
    return found


def _relations(archive: Archive, place: str) -> dict[str, tuple[str, str]]:
    """id → (last word of the type in lower case, name of the part)."""
    found: dict[str, tuple[str, str]] = {}
    if not archive.has(place):
        return found
    folder = posixpath.dirname(posixpath.dirname(place))

    def begin(name: str, attributes: dict[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            target = attributes.get("Target", "").replace("\\", "/")
            whole = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            found[attributes.get("Id", "")] = (
                attributes.get("Type", "").rpartition("/")[2].lower(),
                whole.lstrip("/"),
            )
            _bound(found, Message("parts"), place)

    _parse(archive, place, begin)
    return found


def _parse(archive: Archive, place: str, begin: Start, end: End | None = None) -> None:
    if archive.size(place) > _LARGEST:
        raise damaged(place, Message("it has more than {count} bytes", count=_LARGEST))
    with archive.open(place) as part:
        xml = XmlStream(part, place)
        xml.tell(lambda name, attributes: begin(xml.local[name], attributes), end)
        xml.read_all()


def _bound(listed: Sized, of_what: Message, place: str) -> None:
    if len(listed) > _MOST:
        raise damaged(place, Message("it lists more than {count} {things}", count=_MOST, things=of_what))
