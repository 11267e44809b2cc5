"""The vendor's workbook goes in, a suggestion is accepted, and the same workbook comes out."""

import zipfile
from io import BytesIO
from pathlib import Path

import openpyxl
from playwright.sync_api import Page, expect

from tests.journeys.steps import preview, wait_until_finished

WIDTH = 42


def _build_workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    rows = [
        ("Title", "DOI", "Link"),
        ("One", "10.5555/v\u200bendor-1", "Full text"),
        ("Two", "10.5555/two", "Full text"),
    ]
    for row in [*rows, ("Three", "doi:10.5555/three", "Full text")]:
        sheet.append(row)
    for number in (2, 3, 4):
        sheet.cell(number, 3).hyperlink = f"https://www.example.org/{number}"
    sheet.column_dimensions["B"].width = WIDTH
    book.create_sheet("Notes").append(["to be kept"])
    book.save(path)


def _download(page: Page, link: str, word: str) -> BytesIO:
    with page.expect_download() as download:
        page.get_by_role("link", name=link).click()
    assert download.value.suggested_filename == f"vendor-{word}.xlsx"
    return BytesIO(download.value.path().read_bytes())


def _read_dois(file: BytesIO) -> list[object]:
    return [row[0].value for row in openpyxl.load_workbook(file).worksheets[0]["B2:B4"]]


def test_the_vendors_workbook_comes_back_with_what_was_accepted(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "vendor.xlsx"
    _build_workbook(file)
    preview(page, file)
    page.get_by_role("button", name="Check 3 rows").click()
    wait_until_finished(page)
    address = page.url.partition("?")[0]
    page.goto(f"{address}/review")
    page.get_by_role("button", name="Accept").first.click()
    page.goto(f"{address}/files")
    accepted = _download(page, "Only with the correction you accepted", "accepted")
    assert _read_dois(accepted) == ["10.5555/vendor-1", "10.5555/two", "doi:10.5555/three"]
    safe = _download(page, "vendor.xlsx with all 2 safe corrections", "corrected")
    assert _read_dois(safe) == ["10.5555/vendor-1", "10.5555/two", "10.5555/three"]
    columns = openpyxl.load_workbook(_download(page, "With two more columns", "columns")).worksheets[0]
    assert [cell.value for cell in columns[1]] == ["Title", "DOI", "Link", "corrected_doi", "correction"]

    book = openpyxl.load_workbook(safe)
    assert book.sheetnames == ["Sheet", "Notes"]
    assert book.worksheets[0].column_dimensions["B"].width == WIDTH
    assert book.worksheets[0]["C2"].hyperlink.target == "https://www.example.org/2"
    with zipfile.ZipFile(file) as before, zipfile.ZipFile(safe) as after:
        changed = [name for name in before.namelist() if before.read(name) != after.read(name)]
    assert changed == ["xl/worksheets/sheet1.xml"]
    expect(page.get_by_text("Hyperlinks, formats and other sheets are left out.")).to_be_visible()
