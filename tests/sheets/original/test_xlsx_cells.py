"""XLSX with accepted names in its cells: the cell changes, and everything else stays."""

import io
import tracemalloc
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.xlsx.xlsx_cells import rewrite_xlsx
from tests.sheets.made_workbooks import relations, sheet, strings, xlsx
from tests.sheets.original.rewritten import MOST, SHEET, RewrittenXlsx, edit, rewrite

NEW = "10.5555/new"
HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c><c r="B1" t="inlineStr"><is><t>DOI</t></is></c></row>'
SHARED = strings("<t>DOI</t>", "<t>10.1000/1</t>", "<r><rPr><b/></rPr><t>10.1000/</t></r><r><t>one</t></r>")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "upload"


def read_values(path: Path) -> list[list[object]]:
    """The first sheet as another reader sees it."""
    return CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python(skip_empty_area=False)


def texts(*cells: str) -> bytes:
    """A workbook with a column of ids, and these cells below B1, each XML from the attributes on."""
    row = '<row r="{0}" spans="1:2"><c r="A{0}"><v>{0}</v></c><c r="B{0}" {1}</row>'.format
    return xlsx(HEAD + "".join(row(number, cell) for number, cell in enumerate(cells, 2)))


def test_a_workbook_without_a_change_is_the_same_file(path: Path) -> None:
    content = texts('t="str"><v>10.1000/1</v></c>')
    for edits in ([], [edit(2, "10.1000/1", was="10.1000/1")]):
        assert rewrite(path, content, edits).content == content


@pytest.mark.usefixtures("any_cell")
@pytest.mark.parametrize(
    ("cell", "was"),
    [
        ('s="3" t="inlineStr"><is><t>10.1000/1</t></is></c>', "10.1000/1"),
        ('t="str" s="3"><!-- x --><v>10.1000/1</v></c>', "10.1000/1"),
        ('s="3" t="inlineStr"><is><t><![CDATA[10.1000/1]]></t></is></c>', "10.1000/1"),
        ('s="3"><v>10.1</v></c>', "10.1"),
        ('s="3" vm="1" t="e"><v>#VALUE!</v></c>', "#VALUE!"),
        ('s="3"><is><t>10.1000/1</t></is><v/></c>', "10.1000/1"),
        ('s="3" t="b"><v>1</v></c>', "TRUE"),
    ],
)
def test_a_cell_of_any_kind_becomes_a_text_with_its_style(path: Path, cell: str, was: str) -> None:
    found = rewrite(path, texts(cell, 't="str"><v>10.1000/2</v></c>'), [edit(2, NEW, was=was)])
    assert found.changed_members == {SHEET}
    assert found.rows == {2: NEW, 3: "10.1000/2"}
    assert found.cell("B2") in (
        f'<c r="B2" s="3" t="inlineStr"><is><t>{NEW}</t></is></c>',
        f'<c r="B2" t="inlineStr" s="3"><is><t>{NEW}</t></is></c>',
    )


def test_only_the_bytes_of_the_cell_differ(path: Path) -> None:
    content = texts('t="str"><v>10.1000/1</v></c>', 't="str"><v>10.1000/2</v></c>')
    found = rewrite(path, content, [edit(2, NEW, was="10.1000/1")])
    before = zipfile.ZipFile(io.BytesIO(content)).read(SHEET).decode()
    assert found.part() == before.replace('t="str"><v>10.1000/1</v>', f't="inlineStr"><is><t>{NEW}</t></is>')


def test_a_link_stays_a_link_and_the_text_around_a_doi_stays(path: Path) -> None:
    cells = [f't="str"><v>{text}</v></c>' for text in ("https://doi.org/10.1000/1", "Vol. 3, doi:10.1000/2, 2020")]
    edits = [edit(2, NEW, was="https://doi.org/10.1000/1"), edit(3, NEW, was="Vol. 3, doi:10.1000/2, 2020")]
    found = rewrite(path, texts(*cells), edits)
    assert found.rows[2] == f"https://doi.org/{NEW}"
    assert found.rows[3].startswith("Vol. 3, ")
    assert found.rows[3].endswith(f"{NEW}, 2020")


def test_shared_texts_stay_as_they_are_and_other_cells_keep_theirs(path: Path) -> None:
    rows = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>{row > 1:d}</v></c></row>' for row in range(1, 4))
    found = rewrite(path, xlsx(rows, xl__sharedStrings=SHARED), [edit(2, NEW, was="10.1000/1")])
    assert found.changed_members == {SHEET}
    assert found.rows == {2: NEW, 3: "10.1000/1"}


def test_runs_of_a_shared_rich_text_stay_before_and_after_what_changes(path: Path) -> None:
    rows = '<row><c t="s"><v>0</v></c></row><row><c s="1" t="s"><v> 2 </v></c></row>'
    found = rewrite(path, xlsx(rows, xl__sharedStrings=SHARED), [edit(2, "10.1000/once", was="10.1000/one")])
    assert "<is><r><rPr><b/></rPr><t>10.1000/</t></r><r><t>once</t></r></is>" in found.part()
    found = rewrite(path, xlsx(rows, xl__sharedStrings=SHARED), [edit(2, "10.5000/one", was="10.1000/one")])
    assert "<is><r><rPr><b/></rPr><t>10.5000/</t></r><r><t>one</t></r></is>" in found.part()


def test_runs_of_a_rich_text_in_the_cell_get_the_prefix_of_the_sheet(path: Path) -> None:
    part = (
        '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row><x:c t="inlineStr">'
        '<x:is><x:r><x:t>do</x:t></x:r><x:r><x:t>i</x:t></x:r></x:is></x:c></x:row><x:row><x:c t="inlineStr"><x:is>'
        '<x:r><x:rPr><x:color rgb="FF0000"/></x:rPr><x:t xml:space="preserve">see </x:t></x:r>'
        "<x:r><x:t>10.1000/1</x:t></x:r><x:rPh><x:t>y</x:t></x:rPh></x:is></x:c></x:row></x:sheetData></x:worksheet>"
    )
    found = rewrite(path, xlsx(xl__worksheets__sheet1=part), [edit(2, "10.1000/17", was="see 10.1000/1")])
    assert found.rows == {2: "see 10.1000/17"}
    assert (
        '<x:r><x:rPr><x:color rgb="FF0000"/></x:rPr><x:t xml:space="preserve">see </x:t></x:r>'
        "<x:r><x:t>10.1000/17</x:t></x:r></x:is>"
    ) in found.part()


def test_what_xml_and_excel_cannot_hold_is_escaped(path: Path) -> None:
    name = "10.1000/<a>&_x0041_"
    found = rewrite(path, texts('t="str"><v>10.1000/1</v></c>'), [edit(2, name, was="10.1000/1")])
    assert found.rows == {2: name}
    assert "<t>10.1000/&lt;a&gt;&amp;_x005F_x0041_</t>" in found.part()
    assert read_values(path)[1][1] == name


def test_a_formula_hyperlink_keeps_its_form_with_other_texts(path: Path) -> None:
    formula = 't="str"><f>HYPERLINK("https://doi.org/10.1000/1", "10.1000/1")</f><v>10.1000/1</v></c>'
    found = rewrite(path, texts(formula), [edit(2, NEW, was="10.1000/1")])
    assert found.left == []
    assert f'<f>HYPERLINK("https://doi.org/{NEW}", "{NEW}")</f><v>{NEW}</v>' in found.part()


def test_a_formula_hyperlink_with_words_keeps_them(path: Path) -> None:
    formula = 't="str"><f>HYPERLINK("https://doi.org/10.1000/1","Full text")</f><v>Full text</v></c>'
    found = rewrite(
        path, texts(formula, 't="str"><v>10.1000/2</v></c>'), [edit(2, NEW, was="https://doi.org/10.1000/1")]
    )
    assert f'<f>HYPERLINK("https://doi.org/{NEW}","Full text")</f><v>Full text</v>' in found.part()


@pytest.mark.parametrize(
    "cell",
    [
        't="str"><f>A2&amp;"x"</f><v>10.1000/1</v></c>',
        't="str"><f t="shared" si="0"/><v>10.1000/1</v></c>',
        't="str"><f t="shared" ref="B2:B3" si="0">HYPERLINK("https://doi.org/10.1000/1","10.1000/1")</f><v>10.1000/1</v></c>',
        't="str"><f t="array" ref="B2">HYPERLINK("https://doi.org/10.1000/1","10.1000/1")</f><v>10.1000/1</v></c>',
        't="str"><f>HYPERLINK("https://doi.org/10.1000/1",A2)</f><v>10.1000/1</v></c>',
    ],
)
def test_a_cell_with_another_formula_is_left_out(path: Path, cell: str) -> None:
    content = texts(cell)
    found = rewrite(path, content, [edit(2, NEW, was="10.1000/1")])
    assert found.content == content
    (left,) = found.left
    assert (left.number, left.field, left.text, left.name) == (2, "DOI", "10.1000/1", NEW)
    assert str(left.reason) == "The cell has a formula. Change it by hand."


@pytest.mark.parametrize("formula", ['t="array" ref="B2:C3"', 't="dataTable" ref="A2:B3"'])
def test_a_cell_that_a_formula_above_fills_is_left_out(path: Path, formula: str) -> None:
    value = "<v>10.1000/1</v></c>"
    content = texts(f't="str"><f {formula}>A1:B2</f>{value}', *[f't="str">{value}'] * 2)
    found = rewrite(path, content, [edit(row, NEW, was="10.1000/1") for row in (2, 3, 4)])
    assert [(left.number, str(left.reason)) for left in found.left] == [
        (row, "The cell has a formula. Change it by hand.") for row in (2, 3)
    ]
    assert found.rows == {2: "10.1000/1", 3: "10.1000/1", 4: NEW}


def test_a_formula_beside_the_column_fills_none_of_its_cells(path: Path) -> None:
    value = "<v>10.1000/1</v></c>"
    beside = '<c r="C2" t="str"><f t="array" ref="C2:D9">A1:B2</f><v/></c>'
    found = rewrite(path, texts(f't="str">{value}{beside}'), [edit(2, NEW, was="10.1000/1")])
    assert (found.left, found.rows) == ([], {2: NEW})


def test_empty_cells_and_missing_cells_and_rows_get_the_name_in_their_place(path: Path) -> None:
    last = '<row r="9"><c r="A9"/><c r="C9"><v>3</v></c></row>'
    content = xlsx(f'{HEAD}<row r="2"><c r="B2" s="4"/></row><row r="3"/><row r="4"></row>{last}')
    names = {row: f"10.5555/{row}" for row in (2, 3, 4, 6, 9, 11)}
    found = rewrite(path, content, [edit(row, name) for row, name in names.items()])
    assert {row: text for row, text in found.rows.items() if text} == names
    assert '<c r="B2" s="4" t="inlineStr">' in found.part()
    assert [found.part().index(f'r="B{row}"') for row in names] == sorted(
        found.part().index(f'r="B{row}"') for row in names
    )
    assert '</c><c r="C9">' in found.part()
    assert read_values(path)[10][1] == "10.5555/11"


def test_rows_and_cells_without_places_are_found(path: Path) -> None:
    row = '<row><c t="inlineStr"><is><t>{}</t></is></c></row>'.format
    found = rewrite(path, xlsx(row("doi") + row("10.1000/1") + row("10.1000/2")), [edit(3, NEW, was="10.1000/2")])
    assert found.rows == {2: "10.1000/1", 3: NEW}


def test_spans_and_dimension_cover_what_was_added(path: Path) -> None:
    part = sheet(f'{HEAD}<row r="2" spans="1:1"><c r="A2"><v>1</v></c></row>').replace(
        "<sheetData>", '<dimension ref="A1:A2"/><sheetData>'
    )
    found = rewrite(path, xlsx(xl__worksheets__sheet1=part), [edit(2, NEW), edit(5, NEW)])
    assert '<row r="2" spans="1:2">' in found.part()
    assert '<dimension ref="A1:B5"/>' in found.part()


def test_two_columns_are_appended_to_the_rows_of_the_list_after_the_last_used_one(path: Path) -> None:
    title = '<row r="1"><c r="A1" t="str"><v>Report</v></c></row>'
    content = xlsx(
        xl__worksheets__sheet1=sheet(
            title
            + HEAD.replace('1"', '3"')
            + '<row r="4"><c r="A4"><v>1</v></c><c r="B4" t="str"><v>10.1000/1</v></c><c r="F4" s="7"/></row>'
            + '<row r="5"><c r="B5" t="str"><v>10.1000/2</v></c><c r="D5"><v>1</v></c></row>'
        ).replace(
            "</sheetData>", '</sheetData><mergeCells><mergeCell ref="A1:K1"/><mergeCell ref="D5:E5"/></mergeCells>'
        )
    )
    edits = [edit(4, NEW, was="10.1000/1", appended=(NEW, "suggested")), RowEdit(5, (), ("", "ok"))]
    found = rewrite(path, content, edits, header=("corrected_doi", "correction"))
    assert [row[5:] for row in read_values(path) if any(row)] == [
        ["", ""],
        ["corrected_doi", "correction"],
        [NEW, "suggested"],
        ["", "ok"],
    ]
    assert '<c r="F4" s="7" t="inlineStr">' in found.part()


def test_a_list_without_column_names_gets_none(path: Path) -> None:
    content = xlsx('<row r="1"><c r="A1" t="str"><v>10.1000/1</v></c></row>')
    found = rewrite(path, content, [RowEdit(1, (), ("a", "b"))], header=("corrected_doi", "correction"))
    assert "corrected_doi" not in found.part()
    assert found.cell("B1").endswith("<t>a</t></is></c>")


def test_a_sheet_as_wide_as_can_be_read_takes_no_more_columns(path: Path) -> None:
    content = xlsx(f'{HEAD}<row r="2"><c r="B2" t="str"><v>10.1000/1</v></c><c r="BXX2"><f>1</f></c></row>')
    with pytest.raises(UnreadableFile, match=r"1,998 cells"):
        rewrite(path, content, [RowEdit(2, (), ("a", "b"))], header=("c", "d"))


def test_the_column_that_is_read_instead_is_written_instead(path: Path) -> None:
    content = texts('t="str"><v> </v></c><c r="C2" t="str"><v>10.1000/1</v></c>', 't="str"><v>10.1000/2</v></c>')
    path.write_bytes(content)
    layout = replace(detect_table_layout(path, "DOI"), instead=2)
    found = RewrittenXlsx(path, content, [edit(2, NEW, was="10.1000/1"), edit(3, NEW, was="10.1000/2")], layout)
    assert found.rows == {2: NEW, 3: NEW}
    assert "<v> </v>" in found.part()


def test_the_dois_of_a_split_cell_change_one_by_one(path: Path) -> None:
    content = texts('t="str"><v>10.1000/1; 10.1000/2 | 10.1000/3</v></c>')
    path.write_bytes(content)
    layout = detect_table_layout(path, "DOI").with_split(True)
    names = (("10.1000/1", "10.5555/a"), ("10.1000/3", "10.5555/c"))
    assert RewrittenXlsx(path, content, [RowEdit(2, names)], layout).rows == {2: "10.5555/a; 10.1000/2 | 10.5555/c"}


TWO_SHEETS = {
    "book": '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    '<sheet name="Empty" r:id="rId1"/><sheet name="Hidden" r:id="rId3" state="hidden"/><sheet name="Two" r:id="rId2"/>'
    '<sheet name="Three" r:id="rId3"/></sheets></workbook>',
    "rels": relations(
        rId1="worksheet worksheets/sheet1.xml",
        rId2="worksheet worksheets/two.xml",
        rId3="worksheet worksheets/three.xml",
    ),
    "xl__worksheets__two": sheet('<row r="1"><c r="A1" t="str"><v>10.1000/1</v></c></row>'),
    "xl__worksheets__three": sheet('<row r="1"><c r="A1" t="str"><v>10.1000/1</v></c></row>'),
}


@pytest.mark.parametrize(("chosen", "part"), [(None, "two"), (1, "two"), (2, "three")])
def test_the_sheet_that_was_read_changes(path: Path, chosen: int | None, part: str) -> None:
    content = xlsx(**TWO_SHEETS)
    path.write_bytes(content)
    layout = replace(detect_table_layout(path), sheet_chosen=chosen)
    found = RewrittenXlsx(path, content, [edit(1, NEW, was="10.1000/1")], layout)
    assert found.changed_members == {f"xl/worksheets/{part}.xml"}
    assert found.rows == {1: NEW}


@pytest.mark.parametrize("damage", [b"</sheetData", b"<sheetData>"])
def test_a_damaged_sheet_is_refused_before_the_first_byte(path: Path, damage: bytes) -> None:
    content = texts('t="str"><v>10.1000/1</v></c>')
    path.write_bytes(content)
    layout = detect_table_layout(path)
    path.write_bytes(xlsx(xl__worksheets__sheet1=sheet(HEAD).encode().replace(damage, b"<")))
    with pytest.raises(UnreadableFile):
        next(rewrite_xlsx(path, layout, iter([edit(2, NEW)]), print, None, MOST))


def test_a_workbook_that_unpacks_to_more_than_allowed_is_refused(path: Path) -> None:
    path.write_bytes(texts('t="str"><v>10.1000/1</v></c>'))
    layout = detect_table_layout(path)
    with pytest.raises(UnreadableFile, match="unpacked"):
        next(rewrite_xlsx(path, layout, iter(()), print, None, 100))


@pytest.mark.slow
def test_ten_times_the_edits_take_no_more_memory(path: Path) -> None:
    peaks = []
    for count in (1_000, 10_000):
        with xlsxwriter.Workbook(path, {"constant_memory": True}) as made:
            page = made.add_worksheet()
            page.write_row(0, 0, ["DOI", "title"])
            for row in range(1, count + 1):
                page.write_row(row, 0, [f"10.1000/{row}", "x" * 50])
        layout = detect_table_layout(path)
        edits: Iterator[RowEdit] = (
            edit(row, f"10.5555/{row}", was=f"10.1000/{row - 1}", appended=("a", "b")) for row in range(2, count + 2)
        )
        tracemalloc.start()
        for _ in rewrite_xlsx(path, layout, edits, print, ("a", "b"), MOST):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 1_500_000
