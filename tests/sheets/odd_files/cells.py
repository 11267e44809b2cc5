"""Cells and sheets of workbooks that are written otherwise than most, or wrongly."""

import io
import zipfile

from tests.sheets.made_workbooks import archive, ods, ods_cell, ods_row, relations, sheet, xlsx
from tests.sheets.odd_files.odd_file import Odd, read, refused

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOI = '<row><c t="inlineStr"><is><t>doi</t></is></c></row>'
_FORMATS = '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="46"/>'
_STYLES = f'<styleSheet xmlns="{_MAIN}"><cellXfs>{_FORMATS}</cellXfs></styleSheet>'
_HEAD = '<row r="1"><c r="A1" t="str"><v>doi</v></c><c r="B1" t="str"><v>x</v></c></row>'


def _cell(cell: str) -> bytes:
    return xlsx(f"{_DOI}<row>{cell}</row>", xl__styles=_STYLES)


def _date(name: str, value: str, shown: str, *, style: int = 1, from_1904: bool = False) -> Odd:
    """A file with this value in a cell that shows dates, in the column that is read."""
    properties = '<workbookPr date1904="1"/>' if from_1904 else ""
    content = xlsx(
        f'{_DOI}<row><c s="{style}"><v>{value}</v></c></row>', _book("One", properties=properties), xl__styles=_STYLES
    )
    return read(name, content, shown)


def _book(*states: str, properties: str = "") -> str:
    """A workbook whose sheets are rId1, rId2 …, each with a name, or hidden in some way."""
    listed = "".join(
        f'<sheet name="{state}" r:id="rId{number}" state="{state if "idden" in state else "visible"}"/>'
        for number, state in enumerate(states, 1)
    )
    names = 'xmlns="m" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    return f"<workbook {names}>{properties}<sheets>{listed}</sheets></workbook>"


def _second(first: str, rows_of_first: str = _DOI + "<row><c t='str'><v>10.1000/one</v></c></row>") -> bytes:
    """A workbook of two sheets, the first one in this state."""
    return xlsx(
        rows_of_first,
        _book(first, "Two"),
        rels=relations(rId1="worksheet worksheets/sheet1.xml", rId2="worksheet worksheets/two.xml"),
        xl__worksheets__two=sheet(_DOI + '<row><c t="str"><v>10.1000/two</v></c></row>'),
    )


def _packed(way: int) -> bytes:
    """A workbook with its sheet compressed in this way."""
    content = archive(
        {"[Content_Types].xml": "<Types/>", "xl/workbook.xml": _book("One")}
        | {"xl/_rels/workbook.xml.rels": relations(rId1="worksheet worksheets/sheet1.xml")}
    )
    buffer = io.BytesIO(content)
    with zipfile.ZipFile(buffer, "a", way) as file:
        file.writestr("xl/worksheets/sheet1.xml", sheet(_DOI))
    return buffer.getvalue()


def _locked() -> bytes:
    """A workbook whose parts are marked as encrypted one by one, as a ZIP program does."""
    content = bytearray(xlsx(_DOI))
    place = content.find(b"PK\x01\x02")
    while place >= 0:
        content[place + 8] |= 1
        place = content.find(b"PK\x01\x02", place + 1)
    return bytes(content)


def _ods_hidden() -> bytes:
    style = (
        '<style:style xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" style:name="ta2" '
        'style:family="table"><style:table-properties table:display="false"/></style:style>'
    )
    rows = ods_row("doi") + ods_row("10.1000/old")
    hidden = f'<table:table table:name="Old" table:style-name="ta2">{rows}</table:table>'
    return ods(ods_row("doi") + ods_row("10.1000/1"), before=style + hidden)


_RUNS = "<is><r><t>10.</t></r><r><rPr/><t>1000</t></r><t/><rPh sb='0' eb='1'><t>aside</t></rPh><r><t>/1</t></r></is>"

_TWO_ROWS = sheet(_DOI + '<row><c t="str"><v>10.1000/é</v></c></row>')

CELLS = [
    # --- dates that are none
    _date("date-1e400.xlsx", "1e400", "1e400"),
    _date("date-nan.xlsx", "NaN", "NaN"),
    _date("date-negative.xlsx", "-1", "-1"),
    _date("date-in-the-year-10000.xlsx", "2958466", "2958466"),
    _date("date-that-rounds-to-the-year-10000.xlsx", "2958465.999999999", "2958465.999999999"),
    _date("date-after-9999-of-a-macintosh.xlsx", "2958465", "2958465", from_1904=True),
    _date("date-in-words.xlsx", "today", "today"),
    _date("time-without-end.xlsx", "-1e308", "-1e+308", style=2),
    read("number-of-many-digits.xlsx", _cell(f"<c><v>{'9' * 5_000}</v></c>"), "9" * 5_000),
    # --- texts that are referred to
    refused("text-number-negative.xlsx", _cell('<c t="s"><v>-1</v></c>'), "Cell A2 refers to text number “-1”", 2),
    refused("text-number-too-large.xlsx", _cell('<c t="s"><v>99999999999</v></c>'), "“99999999999”", 2),
    refused("text-number-in-words.xlsx", _cell('<c r="C2" t="s"><v>one</v></c>'), "Cell C2 refers to", 2),
    read("no-text-number.xlsx", xlsx(_DOI + '<row><c t="s"><v/></c></row><row><c><v>7</v></c></row>'), "", "7"),
    # --- texts in the cell
    read(
        "inline-without-text.xlsx",
        xlsx(_DOI + '<row><c t="inlineStr"><is/></c></row><row><c><v>7</v></c></row>'),
        "",
        "7",
    ),
    read("inline-in-runs-with-reading-aid.xlsx", _cell(f'<c t="inlineStr">{_RUNS}</c>'), "10.1000/1"),
    read("inline-that-does-not-say-so.xlsx", _cell("<c><is><t>10.1000/1</t></is></c>"), "10.1000/1"),
    read("inline-as-a-value.xlsx", _cell('<c t="inlineStr"><v>10.1000/1</v></c>'), "10.1000/1"),
    # --- names of cells
    read("lower-case-names.xlsx", xlsx(_HEAD + '<row r="2"><c r="b2"><v>2</v></c><c r="a2"><v>1</v></c></row>'), "1"),
    read(
        "names-with-dollars.xlsx",
        xlsx(_HEAD + '<row r="2"><c r="$B$2"><v>2</v></c></row><row><c r="$a$3"><v>3</v></c></row>'),
        "",
        "3",
    ),
    read("cells-out-of-order.xlsx", xlsx(_HEAD + '<row r="2"><c r="B2"><v>2</v></c><c r="A2"><v>1</v></c></row>'), "1"),
    read(
        "rows-without-numbers.xlsx",
        xlsx(_HEAD + '<row><c r="A2"><v>1</v></c></row><row><c><v>2</v></c></row>'),
        "1",
        "2",
    ),
    refused("cell-without-letters.xlsx", _cell('<c r="12"><v>1</v></c>'), "“12” isn't a valid cell name", 2),
    refused("cell-with-odd-letters.xlsx", _cell(f'<c r="{"Ä" * 90_000}"><v>1</v></c>'), "isn't a valid cell name", 2),
    # --- sheets
    read("very-hidden-sheet-first.xlsx", _second("veryHidden"), "10.1000/two"),
    read("empty-sheet-first.xlsx", _second("Empty", ""), "10.1000/two"),
    read("sheet-of-empty-cells-first.xlsx", _second("Empty", '<row r="900"><c s="1"/></row>'), "10.1000/two"),
    read("first-of-two-sheets.xlsx", _second("One"), "10.1000/one"),
    read("hidden-sheet-first.ods", _ods_hidden(), "10.1000/1"),
    read(
        "empty-sheet-first.ods",
        ods(ods_row("doi") + ods_row("10.1000/1"), before=f"<table:table>{ods_row('')}</table:table>"),
        "10.1000/1",
    ),
    read(
        "spaces-counted.ods",
        ods(ods_row("doi") + ods_row(ods_cell('<text:p>a<text:s text:c="3"/>b<text:s text:c="-3"/>c</text:p>'))),
        "a   b c",
    ),
    # --- encodings of the XML
    read(
        "sheet-in-utf-16.xlsx",
        xlsx(xl__worksheets__sheet1=f'<?xml version="1.0" encoding="UTF-16"?>{_TWO_ROWS}'.encode("utf-16")),
        "10.1000/é",
    ),
    read(
        "sheet-in-latin-1.xlsx",
        xlsx(xl__worksheets__sheet1=f'<?xml version="1.0" encoding="ISO-8859-1"?>{_TWO_ROWS}'.encode("latin-1")),
        "10.1000/é",
    ),
    refused(
        "sheet-in-no-encoding.xlsx",
        xlsx(xl__worksheets__sheet1=f'<?xml version="1.0" encoding="UTF-n"?>{_TWO_ROWS}'),
        "its encoding is “UTF-n”",
    ),
    # --- archives
    refused("bzip2-inside.xlsx", _packed(zipfile.ZIP_BZIP2), "programs do not use (bzip2)"),
    refused("lzma-inside.xlsx", _packed(zipfile.ZIP_LZMA), "programs do not use (LZMA)"),
    refused("parts-with-password.xlsx", _locked(), "has a password"),
]
