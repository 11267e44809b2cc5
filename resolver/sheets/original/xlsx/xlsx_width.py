"""The width of an XLSX sheet: where columns can be appended."""

from resolver.sheets.original.room_for_columns import ensure_room
from resolver.sheets.workbook.hyperlinks import parse_reference
from resolver.sheets.workbook.rows import MAX_CELLS, parse_column_letters, parse_whole_number
from resolver.sheets.workbook.workbook_archive import Archive
from resolver.sheets.workbook.xml_stream import iterate_elements

_HAS_CONTENT = frozenset({"v", "f", "is"})


def measure_width(archive: Archive, place: str, header_row: int) -> int:
    """Return the index of the first column behind the last used one. A merged cell that begins in the first column, or
    ends above the header row, is a title. Raises UnreadableFile if with two columns more it would be too wide."""
    width = row = column = 0
    with archive.open(place) as part:
        for element, attributes in iterate_elements(part.read_blocks(), place):
            if element == "row":
                row = parse_whole_number(attributes.get("r", "")) if "r" in attributes else row + 1
                column = -1
            elif element == "c":
                letters = attributes.get("r", "").rstrip("0123456789").replace("$", "")
                column = _find_column(letters) if letters else column + 1
            elif element in _HAS_CONTENT and column >= width:
                width = column + 1
                ensure_room(width, row)
            elif element == "mergeCell" and (cells := parse_reference(attributes.get("ref", ""), MAX_CELLS)):
                _, bottom, left, right = cells
                width = max(width, right + 1) if left and bottom >= header_row else width
                ensure_room(width, bottom)
    return width


def _find_column(letters: str) -> int:
    return parse_column_letters(letters) if len(letters) < 4 else MAX_CELLS
