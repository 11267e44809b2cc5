"""A workbook as LibreOffice reads it, from the one XML file (flat OpenDocument) that it writes of it."""

from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar
from xml.etree.ElementTree import Element, parse

from openpyxl.utils.cell import range_boundaries

_OFFICE, _TABLE, _STYLE, _TEXT, _DRAW, _CHART = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}"
    for name in ("office", "table", "style", "text", "drawing", "chart")
)
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_CONFIG_NAME = "{urn:oasis:names:tc:opendocument:xmlns:config:1.0}name"
_LINK = "{http://www.w3.org/1999/xlink}href"
_BODY = f"{_OFFICE}body/{_OFFICE}spreadsheet/"
_NAMED = (
    (f"{_OFFICE}font-face-decls", f"{_STYLE}name"),
    (f"{_OFFICE}automatic-styles", f"{_STYLE}name"),
    (f"{_BODY}{_TABLE}content-validations", f"{_TABLE}name"),
)
_USES = "style-name", "page-layout-name", "content-validation-name", "font-name", "font-name-asian", "font-name-complex"
_UNORDERED = {f"{_OFFICE}styles", f"{_OFFICE}master-styles"}
_AROUND_ROWS = {f"{_TABLE}{name}" for name in ("table-row-group", "table-header-rows", "table-rows")}
_REPEATED = {f"{_TABLE}number-rows-repeated", f"{_TABLE}number-columns-repeated"}
_FORMULA = f"{_TABLE}formula"
_BASE = f"{_TABLE}base-cell-address"  # any of the cells with the same conditions
_HEIGHT, _OWN_HEIGHT = f"{_STYLE}row-height", f"{_STYLE}use-optimal-row-height"
_VALUES = {f"{_OFFICE}{name}" for name in ("value", "date-value", "time-value", "boolean-value", "string-value")}
_VALUES |= {f"{_OFFICE}value-type", f"{_CALC}value-type"}

Place = tuple[str, int, int]
Some = TypeVar("Some")
Runs = list[tuple[int, Some]]


class FlatCell(NamedTuple):
    """The value and its texts, where they lead, the formula, and all else: style, notes, merged cells …"""

    value: object
    links: list[str | None]
    formula: str | None
    rest: object


class FlatRow(NamedTuple):
    """The cells, as runs of equal ones, and all else: height, group, whether it is hidden …"""

    cells: Runs[FlatCell]
    rest: object


class Styles:
    """What LibreOffice gave names of its own. It counts anew in each file: a name is replaced by what it names."""

    def __init__(self, document: Element) -> None:
        self._named: dict[str, list[Element]] = {}
        self._described: dict[str, object] = {}
        for path, name in _NAMED:
            for group in document.iterfind(path):
                for element in list(group):
                    self._named.setdefault(element.attrib.pop(name), []).append(element)
                    group.remove(element)

    def describe(self, element: Element) -> tuple[object, ...]:
        """All that an element holds, in a form that can be compared."""
        inner = [self._open(each).describe(each) for each in element if not is_derived(each, element)]
        if element.tag in _UNORDERED:
            inner.sort(key=repr)
        texts = [(text or "").strip("\n ") for text in (element.text, element.tail)]
        return element.tag, self.describe_attributes(element), *texts, *inner

    def _open(self, element: Element) -> "Styles":
        return Styles(element) if element.tag == f"{_OFFICE}document" else self  # a chart names its own

    def describe_attributes(self, element: Element, without: Container[str] = ()) -> list[object]:
        if element.get(_OWN_HEIGHT) == "true":  # as high as its texts need
            without = {_HEIGHT}
        items = sorted(item for item in element.items() if item[0] not in without and item[0] != _BASE)
        return [(key, self._describe_value(key, value)) for key, value in items]

    def _describe_value(self, key: str, value: str) -> object:
        if not key.endswith(_USES) or value not in self._named:
            return value
        if value not in self._described:
            self._described[value] = [self.describe(each) for each in self._named[value]]
        return self._described[value]


def is_derived(element: Element, parent: Element) -> bool:
    """Whether LibreOffice computes this from the cells: how many there are, the space that they take, what pivot tables
    make of them, and the charts' copies of them, pictures and measures."""
    return (
        element.tag in (f"{_OFFICE}meta", f"{_TABLE}data-pilot-tables", f"{_CHART}coordinate-region")
        or element.get(_CONFIG_NAME, "").startswith("VisibleArea")
        or element.get(f"{_TABLE}name") == "local-table"
        or (element.tag == f"{_DRAW}image" and parent.find(f"{_DRAW}object") is not None)
    )


class FlatWorkbook:
    """The rows of each table, the places that pivot tables fill, and the `rest`: widths, names, charts, settings …"""

    def __init__(self, path: Path) -> None:
        document = parse(path).getroot()
        self._styles = Styles(document)
        self.pivots = {place for each in document.iter(f"{_TABLE}data-pilot-table") for place in find_places(each)}
        tables = document.findall(f"{_BODY}{_TABLE}table")
        self.tables: dict[str, Runs[FlatRow]] = {
            table.attrib[f"{_TABLE}name"]: list(self._take_rows(table)) for table in tables
        }
        self.rest = self._styles.describe(document)

    def _take_rows(self, parent: Element, around: tuple[object, ...] = ()) -> Iterator[tuple[int, FlatRow]]:
        """The rows below `parent`, which loses them."""
        for element in list(parent):
            if element.tag in _AROUND_ROWS:
                yield from self._take_rows(element, (*around, self._styles.describe_attributes(element)))
            elif element.tag == f"{_TABLE}table-row":
                parent.remove(element)
                rest = around, self._styles.describe_attributes(element, _REPEATED)
                yield count(element), FlatRow([(count(each), self._read_cell(each)) for each in element], rest)

    def _read_cell(self, element: Element) -> FlatCell:
        texts = [each for each in element if each.tag == f"{_TEXT}p"]
        others = [each for each in element if each.tag != f"{_TEXT}p"]
        value = [element.get(key) for key in sorted(_VALUES)], [self._styles.describe(each) for each in texts]
        links = [each.get(_LINK) for text in texts for each in text.iter(f"{_TEXT}a")]
        rest = self._styles.describe_attributes(element, {*_REPEATED, *_VALUES, _FORMULA})
        return FlatCell(
            value, links, element.get(_FORMULA), (element.tag, rest, list(map(self._styles.describe, others)))
        )


def count(element: Element) -> int:
    """How many equal rows or cells the element stands for."""
    return next((int(element.attrib[key]) for key in _REPEATED if key in element.attrib), 1)


def find_places(pivot: Element) -> Iterator[Place]:
    """The places that a pivot table fills: `Sheet1.A8:Sheet1.B11`."""
    table, _, area = pivot.attrib[f"{_TABLE}target-range-address"].partition(".")
    left, top, right, bottom = range_boundaries(area.replace(f"{table}.", ""))
    for row in range(int(top or 1), int(bottom or top or 1) + 1):
        for column in range(int(left or 1), int(right or left or 1) + 1):
            yield table.strip("'"), row, column
