"""Hyperlinks of cells in XLSX and ODS: read where they stand, in memory that does not grow, however odd they are."""

import errno
import gc
import io
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter

from resolver.sheets.input.layout_detection import detect_layout_from_start, detect_table_layout
from resolver.sheets.input.preview import preview_rows
from resolver.sheets.workbook import hyperlinks as workbook_hyperlinks
from resolver.sheets.workbook.hyperlinks import change_hyperlink_formula, parse_hyperlink_formula
from resolver.sheets.workbook.typed_cell import get_link
from tests.sheets.made_workbooks import archive, ods, ods_cell, ods_row, xlsx
from tests.sheets.reader import SheetReader, read_table

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DOI = "https://doi.org/10.1000/182"


def linked_to(reader: SheetReader) -> list[str]:
    """Where the cell with the DOI of each row leads."""
    return [get_link(reader.layout.get_cell(row)) for row in reader.rows]


def related(*targets: str, mode: str = 'TargetMode="External"') -> str:
    listed = "".join(
        f'<Relationship Id="rId{n}" Type="{R}/hyperlink" Target="{target}" {mode}/>'
        for n, target in enumerate(targets, 1)
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{listed}</Relationships>'
    )


def sheet(hyperlinks: str, texts: int = 3, before: str = "") -> str:
    cells = "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>t{n}</t></is></c></row>' for n in range(1, texts + 1)
    )
    return (
        f'<worksheet xmlns="{MAIN}" xmlns:r="{R}">{before}<sheetData>{cells}</sheetData>'
        f"<hyperlinks>{hyperlinks}</hyperlinks></worksheet>"
    )


def book(part: str | bytes, relations: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(xlsx())) as parts:
        members: dict[str, str | bytes] = {name: parts.read(name) for name in parts.namelist()}
    return archive(members | {"xl/worksheets/sheet1.xml": part, "xl/worksheets/_rels/sheet1.xml.rels": relations})


def test_links_that_openpyxl_wrote_are_found_and_their_column_too(reader: SheetReader):
    made = openpyxl.Workbook()
    made.active.append(["title", "link"])
    for number in range(2, 6):
        made.active.append([f"T{number}", "Full text"])
        made.active.cell(number, 2).hyperlink = f"https://doi.org/10.1000/{number}#x"
        made.active.cell(number, 2).value = "Full text"
    buffer = io.BytesIO()
    made.save(buffer)
    found = reader(buffer.getvalue())
    assert (found.layout.column_name, found.dois) == ("link", ["Full text"] * 4)
    assert linked_to(found) == [f"https://doi.org/10.1000/{number}#x" for number in range(2, 6)]


def test_links_that_xlsxwriter_wrote_are_found(reader: SheetReader, tmp_path: Path):
    with xlsxwriter.Workbook(tmp_path / "made.xlsx") as made:
        page = made.add_worksheet()
        page.write_row(0, 0, ["DOI", "n"])
        page.write_url(1, 0, "https://doi.org/10.1000/456#789", string="see there")
        page.write_url(2, 0, "internal:Sheet1!A1", string="10.1000/182")
        page.write_formula(3, 0, '=HYPERLINK("https://doi.org/10.1000/3", "three")', value="three")
        page.write_number(1, 1, 5)
    found = reader((tmp_path / "made.xlsx").read_bytes())
    assert found.dois == ["see there", "10.1000/182", "three"]
    assert linked_to(found) == ["https://doi.org/10.1000/456#789", "", "https://doi.org/10.1000/3"]


def test_links_of_an_opendocument_sheet_are_found(reader: SheetReader):
    names = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
    link = f'<text:p>see <text:a {names} xlink:href="{{}}">there</text:a></text:p>'.format
    formula = '<table:table-cell table:formula="of:=HYPERLINK(&quot;https://doi.org/10.1000/3&quot;;&quot;3&quot;)"/>'
    two = f'<text:p><text:a {names} xlink:href="https://a.example/">a</text:a></text:p>' + link(DOI)
    cells = [ods_cell(link(DOI)), ods_cell(two), formula, ods_cell("<text:p>none</text:p>")]
    found = reader(ods(ods_row("DOI", "n") + "".join(ods_row(cell, "x") for cell in cells)))
    assert found.dois == ["see there", "a\nsee there", "3", "none"]
    assert linked_to(found) == [DOI, DOI, "https://doi.org/10.1000/3", ""]


def test_a_formula_that_says_all_by_itself_needs_no_result(reader: SheetReader):
    made = openpyxl.Workbook()
    made.active.append(["id", "DOI"])
    made.active.append([1, f'=HYPERLINK("{DOI}","10.1000/182")'])
    made.active.append([2, f'=HYPERLINK("{DOI}")'])
    made.active.append([3, f'=HYPERLINK("{DOI}",A4)'])
    buffer = io.BytesIO()
    made.save(buffer)
    found = reader(buffer.getvalue())
    assert (found.dois, linked_to(found)) == (["10.1000/182", DOI, ""], [DOI, DOI, ""])


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (f'HYPERLINK("{DOI}","Full ""text""")', (DOI, 'Full "text"')),
        (f'of:=hyperlink( "{DOI}" ; "a" )', (DOI, "a")),
        (f'HYPERLINK("{DOI}")', (DOI, DOI)),
        (f'HYPERLINK("{DOI}",A2&"x")', (DOI, "")),
        ('HYPERLINK("https://doi.org/"&A2,A2)', None),
        ("HYPERLINK(A2)", None),
        (f'IF(A1,HYPERLINK("{DOI}"),"")', None),
        ('HYPERLINK("","x")', None),
        ('HYPERLINK("' + '"' * 50_000, None),
        ('HYPERLINK("' + "x" * 50_000 + '")', None),
        ("", None),
    ],
)
def test_the_formula_is_read_as_far_as_it_says_by_itself(formula: str, said: tuple[str, str] | None):
    assert parse_hyperlink_formula(formula) == said


@pytest.mark.parametrize(
    ("formula", "text", "changed"),
    [
        ('HYPERLINK("http://a","b")', None, 'HYPERLINK("http://c","b")'),
        ('of:=HYPERLINK( "http://a" ; "b" )', 'd"', 'of:=HYPERLINK( "http://c" ; "d""" )'),
        ('=HYPERLINK("http://a")', "http://c", '=HYPERLINK("http://c")'),
        ('=HYPERLINK("http://a")', "other", None),
        ('=HYPERLINK("http://a",A2&"x")', None, '=HYPERLINK("http://c",A2&"x")'),
        ('=HYPERLINK("http://a",A2&"x")', "other", None),
        ("=A2", None, None),
    ],
)
def test_a_formula_gets_another_address_and_text_if_it_says_them_by_itself(
    formula: str, text: str | None, changed: str | None
):
    assert change_hyperlink_formula(formula, "http://c", text) == changed


def test_a_link_of_several_cells_is_that_of_each(reader: SheetReader):
    found = reader(
        book(sheet('<hyperlink ref="A1:B2" r:id="rId1"/><hyperlink ref="$A$2" r:id="rId2"/>'), related(DOI, "x"))
    )
    assert linked_to(found) == [DOI, "x", ""]


def test_of_two_links_of_a_cell_the_first_counts(reader: SheetReader):
    found = reader(book(sheet('<hyperlink ref="A1" r:id="rId2"/><hyperlink ref="A1" r:id="rId1"/>'), related("x", DOI)))
    assert linked_to(found) == [DOI, "", ""]


@pytest.mark.parametrize(
    "ref", ["", "A", "1", "A0", "B2:A1", "A1:", ":A1", "XFD1", "ZZZZ1", "A99999999", "A1:B2:C3", "Ä1"]
)
def test_a_reference_that_is_none_links_nothing(reader: SheetReader, ref: str):
    found = reader(book(sheet(f'<hyperlink ref="{ref}" r:id="rId1"/>'), related(DOI)), "column 1")
    assert linked_to(found) in (["", "", ""], [DOI, "", ""])


def test_what_leads_nowhere_or_stays_inside_links_nothing(reader: SheetReader):
    marks = (
        '<hyperlink ref="A1" r:id="rId9"/><hyperlink ref="A2" location="10.1000/182"/><hyperlink ref="A3" r:id="rId1"/>'
    )
    assert linked_to(reader(book(sheet(marks), related("x", mode="")), "column 1")) == ["", "", ""]
    long = related(f"https://doi.org/10.1000/{'x' * workbook_hyperlinks.MAX_LINK_CHARACTERS}")
    assert linked_to(reader(book(sheet('<hyperlink ref="A1" r:id="rId1"/>'), long), "column 1")) == ["", "", ""]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("padding", [0, workbook_hyperlinks.READ_BYTES - 40, 3 * workbook_hyperlinks.READ_BYTES])
def test_links_are_found_wherever_they_stand_and_however_the_sheet_is_written(
    reader: SheetReader, padding: int, encoding: str
):
    part = sheet('<hyperlink ref="A3" r:id="rId1"/>', 1_500, before=f"<!--{'x' * padding}-->")
    for text in (part, part.replace("<hyperlink", "<m:hyperlink").replace("</hyperlink", "</m:hyperlink").replace(
        "<worksheet ", f'<worksheet xmlns:m="{MAIN}" ')):  # fmt: skip
        found = reader(book(text.encode(encoding), related(DOI)), "column 1")
        assert [place for place, link in enumerate(linked_to(found), 1) if link] == [3]


def test_a_sheet_that_is_damaged_is_told_with_its_row_all_the_same(reader: SheetReader):
    part = sheet('<hyperlink ref="A3" r:id="rId1"/>')
    error = reader.refused(book(part.replace("t3</t>", "t3</u>"), related(DOI)), "column 1")
    assert ("sheet1.xml cannot be read" in error.reason, error.line) == (True, 3)
    assert "damaged" in reader.refused(book(part, "<no"), "column 1").reason


def test_more_links_than_any_sheet_has_are_refused(reader: SheetReader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workbook_hyperlinks, "MAX_LINKS", 100)
    marks = "".join(f'<hyperlink ref="A{n}" r:id="rId1"/>' for n in range(1, 102))
    assert "more than 100 hyperlinks" in reader.refused(book(sheet(marks), related(DOI)), "column 1").reason
    assert "more than 100 hyperlinks" in reader.refused(book(sheet(""), related(*["x"] * 101)), "column 1").reason


def test_links_over_whole_sheets_take_no_time(reader: SheetReader):
    marks = '<hyperlink ref="A1:XFD1048576" r:id="rId1"/>' * 400
    assert set(linked_to(reader(book(sheet(marks, 5_000), related(DOI)), "column 1"))) == {DOI}


def _many(count: int) -> bytes:
    marks = "".join(f'<hyperlink ref="A{n}" r:id="rId{n}"/>' for n in range(1, count + 1))
    return book(sheet(marks, count), related(*(f"{DOI}/{'x' * 100}{n}" for n in range(count))))


@pytest.fixture
def _garbage_is_found_soon() -> Iterator[None]:
    """Up to 10,000 objects may wait as garbage otherwise, some two megabytes."""
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*usual)


@pytest.mark.slow
@pytest.mark.usefixtures("_garbage_is_found_soon")
def test_ten_times_the_links_take_no_more_memory(tmp_path: Path):
    peaks = []
    for count in (600, 6_000):
        (tmp_path / "upload").write_bytes(_many(count))
        tracemalloc.start()
        layout = detect_table_layout(tmp_path / "upload", "column 1")
        assert sum(bool(get_link(row[0])) for row in read_table(tmp_path / "upload", layout)) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 500_000


def test_who_waits_does_not_wait_for_all_links_of_a_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "upload").write_bytes(_many(2_000))
    monkeypatch.setattr(workbook_hyperlinks, "FIRST_LINKS", 150)
    layout = detect_layout_from_start(tmp_path / "upload")
    assert (layout.column, layout.complete) == (0, True)
    assert sum(bool(get_link(row[0])) for _, row in preview_rows(tmp_path / "upload", layout, 2_000)) == 150
    assert sum(bool(get_link(row[0])) for row in read_table(tmp_path / "upload", layout)) == 2_000


def test_who_waits_gets_no_links_of_a_huge_sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "upload").write_bytes(_many(2_000))
    monkeypatch.setattr("resolver.sheets.input.layout_detection.LOOK_LINKED", 1_000)
    layout = detect_layout_from_start(tmp_path / "upload", "column 1")
    assert all(get_link(row[0]) for row in read_table(tmp_path / "upload", layout))
    monkeypatch.setattr("resolver.sheets.input.preview.LOOK_LINKED", 1_000)
    assert not any(get_link(row[0]) for row in preview_rows(tmp_path / "upload", layout, 2_000))


def test_a_disk_that_is_full_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "upload").write_bytes(_many(2_000))
    monkeypatch.setattr(workbook_hyperlinks, "_TABLES", "PRAGMA max_page_count = 10;" + workbook_hyperlinks._TABLES)
    with pytest.raises(OSError, match="full") as caught:
        detect_layout_from_start(tmp_path / "upload", "column 1")
    assert caught.value.errno == errno.ENOSPC


OURS = (("DOI", "corrected_doi", "correction"), ("10.1000/1", "", "review"), ("doi:10.1000/3", "10.1000/3", "cleaned"))


def ours_as_xlsx() -> bytes:
    made, buffer = openpyxl.Workbook(), io.BytesIO()
    for row in OURS:
        made.active.append(row)
    made.active["A2"].hyperlink = made.active["A3"].hyperlink = DOI
    made.active["A2"].value = "10.1000/1"
    made.save(buffer)
    return buffer.getvalue()


def ours_as_ods() -> bytes:
    link = f'<text:p><text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="{DOI}">{{}}</text:a></text:p>'
    header, *rows = OURS
    return ods(ods_row(*header) + "".join(ods_row(ods_cell(link.format(row[0])), *row[1:]) for row in rows))


@pytest.mark.parametrize("make", [ours_as_xlsx, ours_as_ods])
def test_where_a_cell_of_ours_is_empty_the_hyperlink_of_the_one_before_is_read(reader: SheetReader, make: Any):
    found = reader(make())
    assert (found.dois, linked_to(found)) == (["10.1000/1", "10.1000/3"], [DOI, ""])
