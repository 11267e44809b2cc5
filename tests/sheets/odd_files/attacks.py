"""Small files that would fill a memory or take hours if they were believed, each refused at once."""

import gzip

from tests.sheets.made_workbooks import archive, ods, ods_cell, ods_row, strings, xlsx
from tests.sheets.odd_files.odd_file import read, refused

_DOI = '<row r="1"><c r="A1" t="str"><v>doi</v></c></row>'
_LONG = "x" * 900_000
_TWO_THOUSAND = '<c t="s"><v>0</v></c>' * 2_000
_TABLE = b"doi,x\n" + b"10.1000/1,a\n" * 300
_NAMES = "".join(f"<n{number}/>" for number in range(11_000))
_PREFIXES = "".join(f'<c xmlns:p{number}="u"/>' for number in range(11_000))


def _packed(content: bytes) -> bytes:
    """Every process of a test run makes these files: the quickest way of packing is enough."""
    return gzip.compress(content, compresslevel=1)


def _with_end(content: bytes, length: int) -> bytes:
    """An archive with a ZIP64 end that says how long the list of its members is; the older end says the truth."""
    place = content.rindex(b"PK\x05\x06")
    end = b"PK\x06\x06" + (44).to_bytes(8, "little") + bytes(28) + length.to_bytes(8, "little") + bytes(8)
    locator = b"PK\x06\x07" + bytes(4) + place.to_bytes(8, "little") + (1).to_bytes(4, "little")
    return content[:place] + end + locator + content[place:]


ATTACKS = [
    refused(
        "one-long-text-in-two-thousand-cells.xlsx",
        xlsx(f"{_DOI}<row>{_TWO_THOUSAND}</row>", xl__sharedStrings=strings(f"<t>{_LONG}</t>")),
        "more than the 4,000,000 characters allowed",
        2,
    ),
    refused(
        "one-long-text-in-two-thousand-cells.ods",
        ods(ods_row("doi") + ods_row(ods_cell(f"<text:p>{_LONG}</text:p>", number_columns_repeated=2_000))),
        "more than the 4,000,000 characters allowed",
        2,
    ),
    refused(
        "a-billion-spaces.ods",
        ods(ods_row("doi") + ods_row(ods_cell('<text:p>10.1000/1<text:s text:c="999999999"/></text:p>'))),
        "A cell has more than the 1,000,000 characters",
        2,
    ),
    refused(
        "spaces-by-the-thousand.ods",
        ods(ods_row("doi") + ods_row(ods_cell("<text:p>x" + '<text:s text:c="99999"/>' * 20_000 + "</text:p>"))),
        "A cell has more than the 1,000,000 characters",
        2,
    ),
    refused("elements-in-elements.xlsx", xlsx(_DOI + "<a>" * 200 + "</a>" * 200), "more than 100 deep", 1),
    refused("elements-in-elements.ods", ods(ods_row("doi") + "<a>" * 200 + "</a>" * 200), "more than 100 deep", 1),
    refused(
        "elements-in-texts.xlsx", xlsx('<row><c t="s"><v>0</v></c></row>', xl__sharedStrings="<a>" * 999), "100", 1
    ),
    refused("names-without-end.xlsx", xlsx(_DOI + _NAMES), "10,000 names", 1),
    refused("prefixes-without-end.xlsx", xlsx(_DOI + _PREFIXES), "10,000 names", 1),
    refused(
        "sheets-without-end.xlsx",
        xlsx(book=f"<workbook><sheets>{'<sheet/>' * 100_001}</sheets></workbook>"),
        "more than 100,000 sheets",
    ),
    refused(
        "styles-without-end.xlsx",
        xlsx(_DOI, xl__styles="<s>" + "".join(f'<numFmt numFmtId="{n}"/>' for n in range(100_001)) + "</s>"),
        "more than 100,000 formats",
    ),
    refused("long-list-of-parts-in-zip64.xlsx", _with_end(xlsx(_DOI), 1 << 40), "1,099,511,627,776 bytes"),
    refused(
        "list-of-parts-that-is-none.xlsx", archive({"x": ""})[:-8] + b"\xff\xff\xff\x7f" + bytes(4), "list of parts"
    ),
    refused("rows-of-one-cell-without-end.csv.gz", _packed(_TABLE + b'"\n",' * 1_100_000), "4,000,000", 302),
    refused(
        "million-commas-in-the-header.csv.gz",
        _packed(b"doi" + b"," * 1_000_000 + b"\n" + b"10.1000/1\n" * 20_000),
        "more than 16,384 cells",
        1,
    ),
    refused(
        "million-commas-in-each-row.csv.gz",
        _packed(b"doi,a\n" + (b"10.1000/1" + b"," * 3_900_000 + b"\n") * 30),
        "more than 16,384 cells",
        2,
    ),
    read(
        "empty-columns-to-the-edge-of-a-sheet.csv",
        b"doi,a" + b"," * 16_382 + b"\n" + (b"10.1000/1,A" + b"," * 16_382 + b"\n") * 3,
        *("10.1000/1",) * 3,
        header=("doi", "a"),
    ),
    read(
        "pieces-without-text.xlsx",
        xlsx(f'{_DOI}<row><c t="inlineStr"><is>{"<t/>" * 60_000}<t>10.1000/1</t></is></c></row>'),
        "10.1000/1",
    ),
    read(
        "a-text-in-pieces.xlsx",
        xlsx(f'{_DOI}<row><c t="inlineStr"><is>{"<t>x</t>" * 60_000}</is></c></row>'),
        "x" * 60_000,
    ),
    read(
        "shared-text-in-pieces.xlsx",
        xlsx(
            _DOI + '<row><c t="s"><v>0</v></c></row>',
            xl__sharedStrings=strings("<t/>" * 60_000 + "<t>x</t>" * 60_000),
        ),
        "x" * 60_000,
    ),
    read(
        "paragraphs-without-text.ods",
        ods(ods_row("doi") + ods_row(ods_cell("<text:p/>" * 100_000 + "<text:p>10.1000/1</text:p>"))),
        "\n" * 100_000 + "10.1000/1",
    ),
    read(
        "long-texts-out-of-order.xlsx",
        xlsx(
            _DOI + "".join(f'<row><c t="s"><v>{n * 7 % 40}</v></c></row>' for n in range(400)),
            xl__sharedStrings=strings(*(f"<t>10.1000/{n}{'y' * 100_000}</t>" for n in range(40))),
        ),
        *(f"10.1000/{n * 7 % 40}{'y' * 100_000}" for n in range(400)),
    ),
]
