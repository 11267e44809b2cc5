"""LibreOffice reads the same in a workbook that came back, but for the accepted cell and what it computes from it."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import pytest
import xlsxwriter

from tests.sheets.made_workbooks import ods, ods_row
from tests.sheets.original.flat_workbook import FlatCell, FlatWorkbook, Place, Runs, Some
from tests.sheets.original.libreoffice import read_by_libreoffice
from tests.sheets.original.rewritten import edit, rewrite
from tests.sheets.original.test_ods_files import FILES, find_cells
from tests.sheets.original.test_xlsx_workbooks import NAME, WORKBOOKS, change_one
from tests.sheets.original.written_ods import OdsRewriter, read_rows
from tests.sheets.original.written_ods import edit as edit_ods

pytestmark = pytest.mark.slow
# How LibreOffice writes truth values and errors that no formula made.
VALUES = "of:=TRUE()", "of:=FALSE()", "of:=#VALUE!"
# LibreOffice writes the cells around an error, its link, and the values of an array formula in other ways than those of
# texts; and it puts the conditions of cells in another order each time.
UNLIKE = {"xlsxwriter-embed_image02.xlsx", "xlsxwriter-embed_image10.xlsx", "poi-66365.xlsx", "poi-63934.xlsx"}
LINK, OLD, NEW = "https://doi.org/", "10.1000/181", "10.1000/182"


class CellDifference(NamedTuple):
    place: Place
    was: FlatCell
    now: FlatCell

    @property
    def is_result(self) -> bool:
        """Whether a formula has another result, and nothing else is different."""
        return self.was.formula is not None and self.was._replace(value=self.now.value) == self.now


def find_differences(was: FlatWorkbook, now: FlatWorkbook) -> Iterator[CellDifference]:
    """The cells that differ. Nothing else may."""
    assert was.rest == now.rest
    assert list(was.tables) == list(now.tables)
    for table, rows in was.tables.items():
        for row, old, new in pair(rows, now.tables[table]):
            assert old.rest == new.rest
            for column, one, other in pair(old.cells, new.cells):
                yield CellDifference((table, row, column), one, other)


def pair(was: Runs[Some], now: Runs[Some]) -> Iterator[tuple[int, Some, Some]]:
    """The first and the last number of each run that differs, with what was and is there."""
    old, new = (list(accumulate(count for count, _ in runs)) for runs in (was, now))
    assert old[-1:] == new[-1:]
    start = 0
    for end in sorted({*old, *new}):
        one, other = was[bisect_left(old, end)][1], now[bisect_left(new, end)][1]
        if one != other:
            yield from ((number, one, other) for number in {start + 1, end})
        start = end


def assert_one_cell_changed(was: FlatWorkbook, now: FlatWorkbook) -> None:
    computed = was.pivots | now.pivots
    found = [each for each in find_differences(was, now) if not each.is_result and each.place not in computed]
    ((_, old, new),) = found
    assert NAME in str(new.value)
    assert old.formula in (None, *VALUES)
    assert old._replace(value=new.value, formula=None) == new


def change_first(source: Path, rewriter: OdsRewriter) -> bytes:
    """The workbook with another name in the first cell that has no formula; one with a text, if there is one."""
    content = source.read_bytes()
    cells = sorted(find_cells(read_rows(source)), key=lambda cell: not cell[2])
    tried = (rewriter(content, [edit_ods(row, text, NAME)], column=column) for row, column, text in cells)
    return next(changed for changed in tried if not rewriter.left)


@pytest.mark.usefixtures("any_cell")
def test_xlsx_workbooks_differ_in_the_accepted_cell_alone(tmp_path: Path) -> None:
    before = {f"{path.parent.name}-{path.name}": path.read_bytes() for path in WORKBOOKS}
    after = {name: change_one(tmp_path / name, content).content for name, content in before.items()}
    assert compare(before, after, tmp_path) >= 145


@pytest.mark.usefixtures("any_cell")
def test_ods_workbooks_differ_in_the_accepted_cell_alone(tmp_path: Path, rewriter: OdsRewriter) -> None:
    before = {path.name: path.read_bytes() for path in FILES}
    after = {path.name: change_first(path, rewriter) for path in FILES}
    assert compare(before, after, tmp_path) >= 30


def compare(before: dict[str, bytes], after: dict[str, bytes], folder: Path) -> int:
    """The number of workbooks that LibreOffice reads, after they were compared."""
    was, now = (read_by_libreoffice(workbooks, folder) for workbooks in (before, after))
    assert was.keys() == now.keys()
    for name in was.keys() - UNLIKE:
        try:
            assert_one_cell_changed(was[name], now[name])
        except (AssertionError, ValueError) as error:
            error.add_note(name)
            raise
    return len(was.keys() - UNLIKE)


def test_links_lead_to_the_new_doi_and_show_it_but_those_to_pages_stay(tmp_path: Path) -> None:
    path, page = tmp_path / "titles.xlsx", "https://publisher.example/article/1"
    with xlsxwriter.Workbook(path) as made:
        sheet = made.add_worksheet()
        sheet.write_row(0, 0, ["title", "DOI"], made.add_format({"bold": True}))
        sheet.write_url(1, 1, LINK + OLD, string=OLD)
        sheet.write_formula(2, 1, f'HYPERLINK("{LINK + OLD}","{OLD}")', value=OLD)
        sheet.write_url(3, 1, page, string=OLD)
    before = path.read_bytes()
    after = rewrite(path, before, [edit(row, NEW, was=OLD) for row in (2, 3, 4)]).content
    link, formula, other = read_differences(path.name, before, after, tmp_path)
    assert [each.place for each in (link, formula, other)] == [("Sheet1", row, 2) for row in (2, 3, 4)]
    assert (link.was.links, link.now.links) == ([LINK + OLD], [LINK + NEW])
    assert formula.now.formula == f'of:=HYPERLINK("{LINK + NEW}";"{NEW}")'
    assert other.was.links == other.now.links == [page]


def test_links_of_ods_lead_to_the_new_doi_and_show_it(tmp_path: Path, rewriter: OdsRewriter) -> None:
    address = f'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="{LINK + OLD}"'
    hyperlink = f"of:=HYPERLINK(&quot;{LINK + OLD}&quot;;&quot;{OLD}&quot;)"
    computed = f'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" table:formula="{hyperlink}"'
    cells = (
        f"<table:table-cell><text:p><text:a {address}>{OLD}</text:a></text:p></table:table-cell>",
        f'<table:table-cell {computed} office:value-type="string"><text:p>{OLD}</text:p></table:table-cell>',
    )
    before = ods("".join(map(ods_row, cells)))
    after = rewriter(before, [edit_ods(row, OLD, NEW) for row in (1, 2)])
    link, formula = read_differences("titles.ods", before, after, tmp_path)
    assert (link.was.links, link.now.links) == ([LINK + OLD], [LINK + NEW])
    assert formula.now.formula == f'of:=HYPERLINK("{LINK + NEW}";"{NEW}")'


def read_differences(name: str, before: bytes, after: bytes, folder: Path) -> list[CellDifference]:
    """The cells that differ, in which LibreOffice shows the new DOI in place of the old one."""
    was, now = (read_by_libreoffice({name: content}, folder)[name] for content in (before, after))
    found = list(find_differences(was, now))
    for _, old, new in found:
        assert repr(old.value).replace(OLD, NEW) == repr(new.value)
        assert old.rest == new.rest
    return found
