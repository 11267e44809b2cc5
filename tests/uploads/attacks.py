"""Uploads of some kilobytes, or of what a portal takes, that are gigabytes or millions of cells once they are read."""

import gzip
from collections.abc import Callable
from dataclasses import dataclass

from tests.sheets.binary_workbook.made import Sheet, xlsb
from tests.sheets.made_workbooks import archive, ods, ods_row, strings, xlsx

_TABLE = b"doi,a\n" + b"10.1000/1,a\n" * 300
_HEAD = '<row r="1"><c t="str"><v>doi</v></c></row><row r="2"><c t="str"><v>10.1000/1</v></c></row>'
_CELL = '<c t="str"><v>x</v></c>'
_ODS_HEAD = ods_row("doi") + ods_row("10.1000/1")
_DAMAGED = "The workbook is damaged"


@dataclass(frozen=True, slots=True)
class Attack:
    """How it is made, words of its refusal, and the line that these name."""

    made: Callable[[], bytes]
    words: str
    line: int | None = None


def _packed(block: bytes, times: int) -> bytes:
    """Gzip of the block so many times, without packing it so often."""
    return gzip.compress(block, 1) * times


def _ten(number: int) -> str:
    return f"&l{number};" * 10


def _attributes(count: int) -> str:
    return " ".join(f'a{number}=""' for number in range(count))


def _laughing() -> str:
    """An entity of a billion others."""
    more = "".join(f'<!ENTITY l{number} "{_ten(number - 1)}">' for number in range(1, 10))
    return f'<!DOCTYPE l [<!ENTITY l0 "ha">{more}]>'


def _one_sheet_often() -> bytes:
    listed = '<sheet r:id="rId1"/>' * 90_000
    return xlsx("<row/>" * 60_000, book=f'<workbook xmlns:r="r"><sheets>{listed}</sheets></workbook>')


ATTACKS = {
    "row-of-10,000,000-cells.csv": Attack(lambda: _TABLE + b"," * 10_000_000 + b"\n", "more than 4,000,000 char", 302),
    "row-of-10,000,000-short-lines.csv": Attack(lambda: _TABLE + b'"\n",' * 5_000_000, "more than the 4,000,000", 302),
    "line-of-5-gigabytes.gz": Attack(lambda: _packed(b"x" * (64 << 20), 80), "This line has more than 4,000,000", 1),
    "line-of-5-gigabytes-below-a-table.gz": Attack(
        lambda: gzip.compress(_TABLE) + _packed(b"x" * (64 << 20), 80), "This line has more than 4,000,000", 302
    ),
    "quotation-mark-open-for-100-megabytes.csv": Attack(
        lambda: _TABLE + b'10.1000/2,"' + b"10.1000/1234567\n" * 6_500_000,
        "Check that each quotation mark is closed.",
        302,
    ),
    "quotation-mark-open-for-1-gigabyte.gz": Attack(
        lambda: gzip.compress(_TABLE + b'10.1000/2,"') + _packed(b"10.1000/12345\n" * 4_000_000, 18),
        "mark is closed.",
        302,
    ),
    "row-of-3,000,000-cells.xlsx": Attack(
        lambda: xlsx(f"{_HEAD}<row>{_CELL * 3_000_000}</row>"), "more than 2,000 cells", 3
    ),
    "row-of-10,000,000-empty-cells.xlsx": Attack(
        lambda: xlsx(f"{_HEAD}<row>{'<c/>' * 10_000_000}</row>"), "more than 16,384 cells", 3
    ),
    "row-of-5,000,000-empty-cells.ods": Attack(
        lambda: ods(f"{_ODS_HEAD}<table:table-row>{'<table:table-cell/>' * 5_000_000}</table:table-row>"), "16,384", 3
    ),
    "cell-in-the-last-column.xlsx": Attack(
        lambda: xlsx(f'{_HEAD}<row r="3"><c r="XFD3" t="str"><v>x</v></c></row>'), "more than 2,000 cells", 3
    ),
    "cell-of-a-million-letters.xlsx": Attack(
        lambda: xlsx(f'{_HEAD}<row r="3"><c r="{"Z" * 900_000}3" t="str"><v>x</v></c></row>'), "2,000 cells", 3
    ),
    "cells-17-billion-cells-apart.xlsb": Attack(
        lambda: xlsb(Sheet("One", [["10.1000/1"], *[[]] * 1_048_574, [*[""] * 16_383, "x"]])), "too large to read"
    ),
    "one-sheet-often.xlsx": Attack(_one_sheet_often, "The visible sheets have no rows"),
    "laughing.xlsx": Attack(
        lambda: xlsx('<row><c t="s"><v>0</v></c></row>', xl__sharedStrings=_laughing() + "<a>&l9;</a>"), _DAMAGED, 1
    ),
    "laughing.ods": Attack(
        lambda: archive(
            {
                "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
                "content.xml": f"{_laughing()}<a>&l9;</a>",
            }
        ),
        _DAMAGED,
    ),
    "elements-in-elements.xlsx": Attack(lambda: xlsx(_HEAD + "<a>" * 1_000_000), "more than 100 deep", 2),
    "texts-in-elements-in-elements.xlsx": Attack(
        lambda: xlsx('<row><c t="s"><v>0</v></c></row>', xl__sharedStrings=strings("<r>" * 1_000_000)), "100 deep", 1
    ),
    "attribute-of-100-megabytes.xlsx": Attack(
        lambda: xlsx(f'{_HEAD}<row r="3" x="{"y" * 100_000_000}"/>'), "a tag of more than", 2
    ),
    "a-million-attributes.xlsx": Attack(lambda: xlsx(f"{_HEAD}<row {_attributes(1_000_000)}/>"), "a tag of more", 2),
    "name-of-20-megabytes.gz": Attack(lambda: b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 20_000_000, "cut off or damaged"),
    "a-million-empty-files.gz": Attack(lambda: _packed(b"", 1_000_000), "more than 100,000 parts"),
}
