"""The hyperlinks of an XLSX sheet: those that held the DOI of a changed cell lead to the new one, and no others."""

import re
import tracemalloc
from pathlib import Path

import pytest
import xlsxwriter

from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.xlsx.xlsx_cells import rewrite_xlsx
from tests.sheets.original.rewritten import MOST, RELATIONS, SHEET, RewrittenXlsx, edit, rewrite
from tests.sheets.workbook.test_hyperlinks import book, related, sheet

OLD, NEW, PAGE = "https://doi.org/10.1000/1", "10.5555/new", "https://publisher.example/article/1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "upload.xlsx"


def change(path: Path, hyperlinks: str, relations: str, *rows: int, texts: int = 4) -> RewrittenXlsx:
    """The workbook of cells t1, t2 … below each other, after the DOI behind the cells of these rows became NEW."""
    names = [RowEdit(row, ((OLD, NEW),)) for row in rows]
    return rewrite(path, book(sheet(hyperlinks, texts), relations), names, "column 1")


def references(found: RewrittenXlsx) -> list[tuple[str, str]]:
    """The cells of each <hyperlink>, and its relation."""
    return re.findall(r'<hyperlink ref="([A-Z0-9:]+)" r:id="(\w+)"', found.part())


def test_the_relation_of_one_cell_gets_the_new_address_and_the_text_stays(path: Path) -> None:
    found = change(path, '<hyperlink ref="A2" r:id="rId1"/>', related(OLD, PAGE), 2)
    assert found.changed_members == {RELATIONS}
    assert found.part(RELATIONS) == related(f"https://doi.org/{NEW}", PAGE)
    assert (found.rows[2], found.links) == ("t2", {2: f"https://doi.org/{NEW}"})


def test_a_link_to_the_page_of_a_publisher_stays(path: Path) -> None:
    hyperlinks = '<hyperlink ref="A2" r:id="rId1"/>'
    content = book(sheet(hyperlinks).replace("t2", "10.1000/1"), related(PAGE))
    found = rewrite(path, content, [edit(2, NEW, was="10.1000/1")], "column 1")
    assert found.changed_members == {SHEET}
    assert (found.rows[2], found.links) == (NEW, {2: PAGE})


def test_text_and_link_change_together(path: Path) -> None:
    content = book(sheet('<hyperlink ref="A2" r:id="rId1" display="x"/>').replace("t2", OLD), related(OLD))
    found = rewrite(path, content, [edit(2, NEW, was=OLD)], "column 1")
    assert found.changed_members == {SHEET, RELATIONS}
    assert found.rows[2] == found.links[2] == f"https://doi.org/{NEW}"


def test_a_relation_that_other_cells_use_stays_for_them(path: Path) -> None:
    hyperlinks = '<hyperlink ref="A2" r:id="rId1"/><hyperlink ref="A3" r:id="rId1"/>'
    found = change(path, hyperlinks, related(OLD, PAGE), 3)
    assert references(found) == [("A2", "rId1"), ("A3", "rId3")]
    assert found.links == {2: OLD, 3: f"https://doi.org/{NEW}"}


def test_a_hyperlink_of_several_cells_is_divided(path: Path) -> None:
    found = change(path, '<hyperlink ref="A1:C5" r:id="rId1"/>', related(OLD), 2, 4, texts=5)
    assert references(found) == [
        ("A1:C1", "rId1"),
        ("A2", "rId2"),
        ("B2:C2", "rId1"),
        ("A3:C3", "rId1"),
        ("A4", "rId3"),
        ("B4:C4", "rId1"),
        ("A5:C5", "rId1"),
    ]
    assert found.links == {1: OLD, 2: f"https://doi.org/{NEW}", 3: OLD, 4: f"https://doi.org/{NEW}", 5: OLD}


def test_a_hyperlink_all_of_whose_cells_change_stays_one(path: Path) -> None:
    found = change(path, '<hyperlink ref="A2:A3" r:id="rId1"></hyperlink>', related(OLD), 2, 3)
    assert references(found) == [("A2:A3", "rId1")]
    assert set(found.links.values()) == {f"https://doi.org/{NEW}"}


def test_the_part_of_an_address_behind_a_hash_goes_with_the_old_address(path: Path) -> None:
    name = "10.1000/456#789"
    hyperlinks = f'<hyperlink ref="A2" r:id="rId1" location="789" tooltip="{OLD}#789" display="{PAGE}"/>'
    content = book(sheet(hyperlinks), related(OLD))
    found = rewrite(path, content, [RowEdit(2, ((f"{OLD}#789", name),))], "column 1")
    assert found.links == {2: "https://doi.org/10.1000/456%23789"}
    assert f'r:id="rId1" tooltip="https://doi.org/10.1000/456%23789" display="{PAGE}"/>' in found.part()


def test_links_within_the_workbook_and_links_of_other_cells_stay(path: Path) -> None:
    inside = '<hyperlink ref="A2" location="Sheet1!A1"/><hyperlink ref="B2" r:id="rId1"/>'
    found = change(path, f'{inside}<hyperlink ref="A3" r:id="rId2"/>', related(OLD, OLD), 3)
    assert found.changed_members == {RELATIONS}
    assert inside in found.part()
    assert found.links == {3: f"https://doi.org/{NEW}"}


def test_names_are_escaped_in_addresses(path: Path) -> None:
    content = book(sheet('<hyperlink ref="A2" r:id="rId1"/>'), related(OLD))
    found = rewrite(path, content, [RowEdit(2, ((OLD, '10.1000/a&b"<c>'),))], "column 1")
    assert 'Target="https://doi.org/10.1000/a&amp;b%22%3Cc%3E"' in found.part(RELATIONS)


def test_a_new_relation_never_takes_the_identifier_of_another(path: Path) -> None:
    relations = related(OLD).replace("rId1", "RID7").replace("</Relationships>", "") + (
        '<Relationship Id="rId12" Type="x/drawing" Target="../drawings/drawing1.xml"/></Relationships>'
    )
    found = change(path, '<hyperlink ref="A1:A2" r:id="RID7"/>', relations, 2)
    assert references(found) == [("A1", "RID7"), ("A2", "rId13")]


@pytest.mark.parametrize("mode", ["", 'TargetMode="Internal"'])
def test_a_new_relation_leads_out_of_the_workbook_though_another_does_not(path: Path, mode: str) -> None:
    inside = related("#One!A1", mode=mode).replace("rId1", "rId2").partition("<Relationship ")[2]
    relations = related(OLD).replace("</Relationships>", f"<Relationship {inside}")
    found = change(path, '<hyperlink ref="A1:A2" r:id="rId1"/>', relations, 2)
    assert found.links == {1: OLD, 2: f"https://doi.org/{NEW}"}


def test_links_that_xlsxwriter_wrote_change_in_its_workbook(path: Path) -> None:
    with xlsxwriter.Workbook(path) as made:
        page = made.add_worksheet()
        page.write_row(0, 0, ["title", "DOI"])
        for row in range(1, 4):
            page.write_url(row, 1, f"https://doi.org/10.1000/{row}", string="Full text")
    found = rewrite(path, path.read_bytes(), [RowEdit(3, (("https://doi.org/10.1000/2", NEW),))])
    assert found.changed_members == {RELATIONS}
    assert set(found.rows.values()) == {"Full text"}
    assert found.links == {n + 1: f"https://doi.org/{f'10.1000/{n}' if n != 2 else NEW}" for n in (1, 2, 3)}


@pytest.mark.slow
def test_ten_times_the_links_take_no_more_memory(path: Path) -> None:
    peaks = []
    for count in (2_000, 20_000):
        hyperlinks = "".join(f'<hyperlink ref="A{row}" r:id="rId{row}"/>' for row in range(1, count))
        hyperlinks += f'<hyperlink ref="A{count}:A{2 * count}" r:id="rId{count}"/>'
        addresses = [f"https://doi.org/10.1000/{row}" for row in range(1, count + 1)]
        path.write_bytes(book(sheet(hyperlinks, 2 * count), related(*addresses)))
        layout = detect_table_layout(path, "column 1")
        edits = (
            edit(row, f"10.5555/{row}", was=addresses[min(row, count) - 1])
            for row in range(1, 2 * count + 1)
            if row % 2
        )
        tracemalloc.start()
        for _ in rewrite_xlsx(path, layout, edits, print, None, MOST):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 1_500_000
