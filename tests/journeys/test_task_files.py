"""From the vendor's workbook to the three files: for the import, for its source, and for the person who decides."""

from io import BytesIO
from pathlib import Path

import openpyxl
from playwright.sync_api import Locator, Page

from tests.journeys.steps import preview, wait_until_finished

_ROWS = (
    ("Item", "DOI"),
    ("works", "10.5555/one"),
    ("to clean", "https://doi.org/https://doi.org/10.5555/two"),
    ("not registered", "10.5555/missing-3"),
    ("with another hyperlink", "10.5555/four"),
)


def _build_workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    for row in _ROWS:
        book.active.append(row)
    book.active["B3"].hyperlink = _ROWS[2][1]
    book.active["B5"].hyperlink = "https://doi.org/10.5555/five"
    book.save(path)


def _read(page: Page, link: Locator) -> list[tuple[object, ...]]:
    with page.expect_download() as download:
        link.click()
    book = openpyxl.load_workbook(BytesIO(download.value.path().read_bytes()))
    return list(book.worksheets[0].iter_rows(values_only=True))


def test_a_list_has_a_file_for_the_import_one_for_the_source_and_one_for_the_person(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "vendor.xlsx"
    _build_workbook(file)
    preview(page, file)
    page.get_by_role("button", name="Check 4 rows").click()
    wait_until_finished(page)
    page.get_by_role("link", name="Files").click()

    ready = _read(page, page.get_by_role("link", name="safe correction"))
    assert [doi for _, doi in ready[1:]] == [
        "10.5555/one",
        "https://doi.org/10.5555/two",
        "10.5555/missing-3",
        "10.5555/four",
    ]
    back = _read(page, page.get_by_role("row", name="For the source").get_by_role("link", name="XLSX"))
    assert back[0] == ("Item", "DOI", "row", "problem", "found")
    assert [row[0] for row in back[1:]] == ["not registered"]
    decide = _read(page, page.get_by_role("row", name="your decision").get_by_role("link", name="XLSX"))
    assert [row[0] for row in decide[1:]] == ["with another hyperlink"]
    assert decide[0][-1] == "other_dois"
    assert decide[1][-1] == "10.5555/five"
