"""What can't be written into an OpenDocument sheet is said with its reason, and hostile sheets are bounded."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.original.cell_edits import RowEdit
from tests.sheets.made_workbooks import archive, ods, ods_cell, ods_row
from tests.sheets.original.written_ods import OdsRewriter, edit, get_content, read_rows

OLD, NEW = "10.1000/181", "10.1000/182"
SPANS = "table:number-matrix-columns-spanned='2' table:number-matrix-rows-spanned='2' table:formula='of:={1;2|3;4}'"
PUBLISHER = "https://onlinelibrary.wiley.com/doi/10.1000/181"
PARAGRAPH = "<table:table-cell><text:p>", "</text:p></table:table-cell>"
ABSTRACT = "An abstract. " * 25


def cell(attributes: str) -> str:
    return f"<table:table-cell {attributes}><text:p>{OLD}</text:p></table:table-cell>"


@pytest.mark.parametrize(
    ("rows", "number", "read", "reason"),
    [
        (ods_row(cell("table:formula='of:=[.B1]'")), 1, OLD, "formula"),
        (ods_row(cell(f"table:formula='of:=HYPERLINK(&quot;{PUBLISHER}&quot;;B2)'")), 1, OLD, "formula"),
        (ods_row(cell(SPANS), "2") + ods_row(OLD, "4"), 2, OLD, "formula"),
        (ods_row(OLD) + ods_row("<table:covered-table-cell/>", "x"), 2, "", "merged cell"),
        (ods_row(OLD), 2, "", "doesn't have this row"),
        (ods_row("<text:a>10.1000/9</text:a><text:a>9</text:a>".join(PARAGRAPH)), 1, "10.1000/99", "other tags"),
        (ods_row("10.1000/<draw:frame/></text:p><text:p>182".join(PARAGRAPH)), 1, "10.1000/\n182", "other tags"),
        (ods_row("10.1000/1, see 10.1000/2"), 1, "10.1000/1, see 10.1000/2", "more than one DOI"),
        (ods_row("10.1000/" + "1" * 10_000), 1, "10.1000/" + "1" * 10_000, "longer than"),
        (ods_row(ods_cell("<text:p>" + "<text:s text:c='999999999'/>" * 3 + "</text:p>")), 1, " ", "longer than"),
        (ods_row(ods_cell("<text:p>" + "<![CDATA[]]>" * 50_000 + "</text:p>")), 1, "", "longer than"),
    ],
)  # fmt: skip
def test_a_cell_that_can_not_be_written_stays_and_is_told(
    rewriter: OdsRewriter, rows: str, number: int, read: str, reason: str
) -> None:
    content = ods(rows)
    assert rewriter(content, [edit(number, read, NEW)], sheet_chosen=0) == content
    (left,) = rewriter.left
    assert (left.number, left.record, left.field, left.text, left.name) == (number, "", "column 1", read, NEW)
    assert reason in str(left.reason)


def test_the_other_edits_of_the_sheet_are_made(rewriter: OdsRewriter) -> None:
    rows = ods_row(OLD) + ods_row("10.1000/1, see 10.1000/2") + ods_row(OLD)
    edits = [edit(1, OLD, NEW), edit(2, "10.1000/1, see 10.1000/2", NEW), edit(3, OLD, NEW), edit(9, OLD, NEW)]
    assert rewriter.rewrite_rows(rows, *edits).count(NEW) == 2
    assert [left.number for left in rewriter.left] == [2, 9]


@pytest.mark.parametrize(
    ("declaration", "codec"),
    [
        ("", "utf-8-sig"),
        ("<?xml version='1.0' encoding='ISO-8859-1'?>", "latin-1"),
        ("<?xml version='1.0' encoding='UTF-16'?>", "utf-16"),
    ],
)
def test_a_sheet_keeps_its_encoding(rewriter: OdsRewriter, declaration: str, codec: str) -> None:
    content = get_content(ods(ods_row("Bücher", OLD)))
    workbook = archive({"content.xml": (declaration + content).encode(codec)})
    rewriter.path.write_bytes(rewriter(workbook, [edit(1, OLD, "10.1000/ü–")], column=1))
    assert read_rows(rewriter.path) == {1: ["Bücher", "10.1000/ü–"]}


def test_prefixes_are_those_of_the_file(rewriter: OdsRewriter) -> None:
    uri = "urn:oasis:names:tc:opendocument:xmlns:{}:1.0".format
    content = (
        f'<o:body xmlns:o="{uri("office")}" xmlns="{uri("table")}" xmlns:t="{uri("table")}" xmlns:p="{uri("text")}">'
        '<table><table-row/><table-row><table-cell o:value="1" t:number-columns-repeated="2"/></table-row></table>'
        "</o:body>"
    )
    new = rewriter(archive({"content.xml": content}), [edit(1, "", NEW), edit(2, "", NEW)], column=1, sheet_chosen=0)
    cell = f'<table-cell o:value-type="string"><p:p>{NEW}</p:p></table-cell>'
    changed = content.replace("<table-row/>", f"<table-row><table-cell/>{cell}</table-row>")
    changed = changed.replace(' t:number-columns-repeated="2"/>', "/>" + cell)
    assert get_content(new) == changed
    assert rewriter.left == []


def test_a_sheet_without_the_usual_namespaces_is_left_as_it_is(rewriter: OdsRewriter) -> None:
    content = get_content(ods(ods_row(OLD))).replace(' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"', "")
    workbook = archive({"content.xml": content.replace("<text:p", "<p").replace("</text:p", "</p")})
    assert rewriter(workbook, [edit(1, OLD, NEW)]) == workbook
    assert ["unusual way" in reason for reason in rewriter.reasons] == [True]


@pytest.mark.parametrize(
    "content",
    [
        '<!DOCTYPE x [<!ENTITY a "10.1000/1"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>',
        "<a>" * 200 + "</a>" * 200,
        get_content(ods(ods_row(OLD) + "<table:table-cell>" * 2_000)),
        get_content(ods(ods_row(OLD) + ods_row(*["<table:table-cell/>"] * 20_000))),
        get_content(ods(ods_row(OLD) + ods_row("", times=99_999_999))),
        get_content(ods(ods_row(OLD)))[:-30],
        "<x " + "y" * 2_000_000,
    ],
    ids=["entities", "nesting", "nested cells", "a wide row", "endless rows", "cut off", "a long tag"],
)
def test_a_hostile_or_damaged_sheet_is_refused_before_the_first_byte(rewriter: OdsRewriter, content: str) -> None:
    edits = [edit(1, OLD, NEW), edit(2, "", NEW)]
    with pytest.raises(UnreadableFile):
        rewriter(archive({"content.xml": content}), edits, sheet_chosen=0)


def test_repetitions_without_end_take_neither_time_nor_room(rewriter: OdsRewriter) -> None:
    row = '<table:table-row table:number-rows-repeated="100000">{}</table:table-row>'.format
    cell = '<table:table-cell table:number-columns-repeated="99999999"/>'
    new = rewriter(ods(ods_row(OLD) + row(cell) * 100), [edit(1, OLD, NEW), edit(9_000_000_000, "", NEW)])
    assert len(new) < 2_000
    header = rewriter(ods(ods_row(OLD) + row(cell)), [RowEdit(50, (), ("a", "b"))], header=("c", "d"), sheet_chosen=0)
    assert get_content(header).count("<table:table-row") == 4


def append_to_wide_row(rewriter: OdsRewriter, cells: str) -> list[str]:
    content = ods(ods_row(OLD) + ods_row(cells))
    rewriter.path.write_bytes(rewriter(content, [RowEdit(1, (), ("a", "b"))], header=("c", "d"), sheet_chosen=0))
    return read_rows(rewriter.path)[1]


def test_the_last_two_columns_that_can_be_read_can_be_appended(rewriter: OdsRewriter) -> None:
    assert append_to_wide_row(rewriter, ods_cell(number_columns_repeated=1_998))[1_998:] == ["a", "b"]


@pytest.mark.parametrize("cells", [ods_cell(number_columns_repeated=1_999), "<table:covered-table-cell/>" * 1_999])
def test_a_sheet_as_wide_as_can_be_read_takes_no_more_columns(rewriter: OdsRewriter, cells: str) -> None:
    with pytest.raises(UnreadableFile, match=r"1,998 cells") as caught:
        append_to_wide_row(rewriter, cells)
    assert caught.value.line == 2


@pytest.mark.slow
def test_ten_times_the_rows_take_no_more_memory(tmp_path: Path) -> None:
    small, large = (_measure_peak(tmp_path, count) for count in (1_000, 10_000))
    assert large < small + 500_000


def _measure_peak(folder: Path, count: int) -> int:
    rewriter = OdsRewriter(folder)
    content = ods(ods_row("doi", "title") + "".join(ods_row(f"10.1000/{n}", ABSTRACT) for n in range(2, count)))

    def iterate_edits() -> Iterator[RowEdit]:
        for number in range(2, count):
            yield RowEdit(number, ((f"10.1000/{number}", f"10.1000/{number}a"),), ("a", "b"))

    tracemalloc.start()
    try:
        list(rewriter.iterate(content, iterate_edits(), header=("c", "d"), has_header=True))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
