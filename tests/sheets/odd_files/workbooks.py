"""Odd workbooks: as other programs write them, and as nobody should."""

from tests.sheets.made_workbooks import ods, ods_cell, ods_row, relations, sheet, strings, xlsx
from tests.sheets.odd_files.odd_file import read, refused

_DOI = '<row><c t="inlineStr"><is><t>doi</t></is></c></row>'


def _inline(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


def _book(*sheets: str, properties: str = "") -> str:
    names = 'xmlns="m" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    return f"<workbook {names}>{properties}<sheets>{''.join(sheets)}</sheets></workbook>"


_TWO_SHEETS = (
    _book('<sheet name="List" r:id="rId1" state="hidden"/>', '<sheet name="Two" r:id="rId2"/>'),
    relations(rId1="worksheet worksheets/sheet1.xml", rId2="worksheet /xl/worksheets/two.xml"),
)
_CHART = (
    _book('<sheet name="Chart" r:id="rId1"/>', '<sheet name="Two" r:id="rId2"/>'),
    relations(rId1="chartsheet chartsheets/sheet1.xml", rId2="worksheet worksheets/two.xml"),
)
_OTHER = sheet(_DOI + f"<row>{_inline('10.1000/two')}</row>")
_PREFIXED = (
    '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData>'
    '<x:row r="1"><x:c r="A1" t="str"><x:v>doi</x:v></x:c></x:row>'
    '<x:row r="2"><x:c r="A2" t="str"><x:v>10.1000/1</x:v></x:c></x:row></x:sheetData></x:worksheet>'
)
_SHARED = '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>'
_BOMB = '<!DOCTYPE x [<!ENTITY a "10.1000/1"><!ENTITY b "&a;&a;&a;&a;">]>'
_NOTE = "<office:annotation><text:p>see 10.1000/9</text:p></office:annotation>"
_ODS_HEAD = ods_row("id", "doi")

XLSX = [
    read("prefixed-and-strict.xlsx", xlsx(xl__worksheets__sheet1=_PREFIXED), "10.1000/1"),
    read("without-places.xlsx", xlsx(_DOI + f"<row>{_inline('10.1000/1')}</row>"), "10.1000/1"),
    read(
        "rich-text-with-reading-aid.xlsx",
        xlsx(
            _SHARED, xl__sharedStrings=strings("<t>doi</t>", "<r><t>10.1000</t></r><r><t>/1</t></r><rPh><t>x</t></rPh>")
        ),
        "10.1000/1",
    ),
    read(
        "escaped-line-break.xlsx",
        xlsx(_SHARED, xl__sharedStrings=strings("<t>doi</t>", "<t>10.1_x000D_\n_x0000_</t>")),
        "10.1\r\n_x0000_",
    ),
    refused("no-such-text.xlsx", xlsx(_SHARED, xl__sharedStrings=strings("<t>doi</t>")), "Cell A2", 2),
    read(
        "hidden-sheet-first.xlsx",
        xlsx(book=_TWO_SHEETS[0], rels=_TWO_SHEETS[1], xl__worksheets__two=_OTHER),
        "10.1000/two",
    ),
    read("chart-sheet-first.xlsx", xlsx(book=_CHART[0], rels=_CHART[1], xl__worksheets__two=_OTHER), "10.1000/two"),
    read(
        "rows-left-out.xlsx",
        xlsx(_DOI + f'<row r="3">{_inline("10.1000/1")}</row><row r="1048576"><c r="A1048576" s="1"/></row>'),
        "",
        "10.1000/1",
    ),
    read(
        "formulas-and-errors.xlsx",
        xlsx(_DOI + '<row><c t="str"><f>B2</f><v>10.1000/1</v></c></row><row><c t="e"><f>C2</f><v>#N/A</v></c></row>'),
        "10.1000/1",
        "#N/A",
    ),
    refused(
        "rows-out-of-order.xlsx",
        xlsx(f'<row r="2">{_inline("10.1000/1")}</row><row r="1">{_inline("doi")}</row>'),
        "after row 2 has an invalid number, “1”",
        3,
    ),
    refused("row-number-without-end.xlsx", xlsx(f'<row r="{"9" * 6000}">{_inline("10.1000/1")}</row>'), "“999", 1),
    refused(
        "row-beyond-all-sheets.xlsx",
        xlsx(f'{_DOI}<row r="999999999">{_inline("10.1000/1")}</row>'),
        "16,777,216 rows",
        1,
    ),
    refused("cell-far-out.xlsx", xlsx(f'{_DOI}<row r="2"><c r="XFD2" t="str"><v>x</v></c></row>'), "2,000 cells", 2),
    refused(
        "column-of-many-letters.xlsx",
        xlsx(f'{_DOI}<row r="2"><c r="{"Z" * 90_000}2" t="str"><v>x</v></c></row>'),
        "2,000 cells",
        2,
    ),
    refused("entities.xlsx", xlsx(xl__worksheets__sheet1=_BOMB + sheet(_DOI)), "xl/worksheets/sheet1.xml"),
    refused(
        "entities-in-texts.xlsx",
        xlsx(_SHARED, xl__sharedStrings=_BOMB + strings("<t>&b;</t>")),
        "xl/sharedStrings.xml cannot be read: it has a document type",
        1,
    ),
    refused("cut-off-sheet.xlsx", xlsx(xl__worksheets__sheet1=sheet(_DOI)[:-20]), "damaged", 1),
    refused("endless-tag.xlsx", xlsx(xl__worksheets__sheet1=f'<worksheet x="{"y" * 20_000_000}"/>'), "damaged"),
    refused("no-sheet.xlsx", xlsx(book=_book()), "no sheet"),
    refused("sheet-is-not-there.xlsx", xlsx(book=_TWO_SHEETS[0], rels=_TWO_SHEETS[1]), "no part xl/worksheets/two"),
]

ODS = [
    read(
        "list.ods",
        ods(_ODS_HEAD + ods_row("1", "10.1000/1"), after="<table:table>" + ods_row("10.1000/other") + "</table:table>"),
        "10.1000/1",
        header=("id", "doi"),
    ),
    read(
        "spaces-and-breaks.ods",
        ods(
            _ODS_HEAD
            + ods_row(
                "1",
                ods_cell(
                    '<text:p>10.1000/1<text:s text:c="2"/>a<text:tab/>b<text:line-break/>c\n  d</text:p>'
                    "<text:p>e</text:p>"
                ),
            )
        ),
        "10.1000/1  a\tb\nc d\ne",
    ),
    read(
        "link-and-format-in-a-cell.ods",
        ods(_ODS_HEAD + ods_row("1", ods_cell("<text:p>10.<text:span>1000/<text:a>1</text:a></text:span>x</text:p>"))),
        "10.1000/1x",
    ),
    read(
        "note-on-a-cell.ods", ods(_ODS_HEAD + ods_row("1", ods_cell(f"{_NOTE}<text:p>10.1000/1</text:p>"))), "10.1000/1"
    ),
    read(
        "picture-in-a-cell.ods",
        ods(
            _ODS_HEAD
            + ods_row(
                "1",
                ods_cell(
                    "<text:p>10.1000/1</text:p><draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame>"
                ),
            )
        ),
        "10.1000/1",
    ),
    read(
        "note-on-an-empty-cell.ods",
        ods(_ODS_HEAD + ods_row("1", ods_cell(_NOTE)) + ods_row("2", "10.1000/2")),
        "",
        "10.1000/2",
    ),
    read(
        "merged-cells.ods",
        ods(
            _ODS_HEAD
            + ods_row("1", "<table:covered-table-cell><text:p>x</text:p></table:covered-table-cell>")
            + ods_row("2", "10.1000/2")
        ),
        "",
        "10.1000/2",
    ),
    read("rows-repeated.ods", ods(_ODS_HEAD + ods_row("1", "10.1000/1", times=3)), *["10.1000/1"] * 3),
    read(
        "empty-to-the-end.ods",
        ods(
            _ODS_HEAD
            + ods_row("1", "10.1000/1")
            + ods_row('<table:table-cell table:number-columns-repeated="16384"/>', times=1_048_574)
        ),
        "10.1000/1",
    ),
    read(
        "empty-rows-between.ods", ods(_ODS_HEAD + ods_row("", times=2) + ods_row("1", "10.1000/1")), "", "", "10.1000/1"
    ),
    read(
        "header-rows-and-groups.ods",
        ods(
            f"<table:table-header-rows>{_ODS_HEAD}</table:table-header-rows>"
            f"<table:table-row-group>{ods_row('1', '10.1000/1')}</table:table-row-group>"
        ),
        "10.1000/1",
        header=("id", "doi"),
    ),
    read(
        "deleted-cells-are-remembered.ods",
        ods(
            _ODS_HEAD + ods_row("1", "10.1000/1"),
            before=f"<table:tracked-changes><table:deletion>{ods_cell('<text:p>10.1000/old</text:p>')}</table:deletion></table:tracked-changes>",
        ),
        "10.1000/1",
    ),
    read("text-in-the-attribute.ods", ods(_ODS_HEAD + ods_row("1", ods_cell(string_value="10.1000/1"))), "10.1000/1"),
    refused(
        "columns-repeated.ods",
        ods(_ODS_HEAD + ods_row(ods_cell("<text:p>10.1000/1</text:p>", number_columns_repeated=16_384))),
        "2,000 cells",
        2,
    ),
    refused(
        "one-text-a-million-times.ods",
        ods(_ODS_HEAD + ods_row("1", "10.1000/" + "x" * 30_000, times=1_000_000)),
        "600,000,000 characters",
        19_990,
    ),
    refused("endless-rows.ods", ods(_ODS_HEAD + ods_row("", times=99_999_999)), "16,777,216 rows", 2),
    refused("no-table.ods", ods(""), "no rows"),
    refused("entities.ods", ods(_ODS_HEAD, before="<!DOCTYPE x>"), "content.xml"),
]
