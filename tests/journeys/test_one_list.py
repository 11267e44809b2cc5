"""One list, from the upload to the file of results, by a real worker."""

import csv
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.journeys.steps import expect_checked, upload, wait_until_finished


def test_a_list_comes_back_row_for_row(page: Page, tmp_path: Path):
    file = tmp_path / "our list.csv"
    rows = [
        ["1", "10.1000/182", 'a "quote"\nand a line', "=1+1"],
        ["2", "https://doi.org/10.1000/456#789", "", "-1"],
        ["3", "10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03", "ü", "x"],
        ["4", "no name at all", "", ""],
    ]
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([["id", "DOI", "note", "sum"], *rows])
    upload(page, file)
    wait_until_finished(page)
    expect_checked(page, 4)

    page.get_by_role("link", name="Files").click()
    all_rows = page.get_by_role("row", name="All 4 rows")
    with page.expect_download() as download:
        all_rows.get_by_role("link", name="CSV All 4 rows", exact=True).click()
    assert download.value.suggested_filename == "our list-checked.csv"
    header, *back = csv.reader(download.value.path().read_text("utf-8-sig").splitlines(keepends=True))
    assert [row[0] for row in back] == ["1", "2", "3", "4"]
    assert [row[2] for row in back] == [row[2] for row in rows]
    assert back[0][3] == "'=1+1"
    assert [row[header.index("outcome")] for row in back] == ["resolved", "not-found", "resolved", "invalid"]
    assert [row[header.index("registration_agency")] for row in back] == ["Public", "", "mEDRA", ""]

    page.goto(page.url.replace("/files", "/rows?outcome=not-found"))
    expect(page.locator("table.rows tbody tr")).to_have_count(1)
    page.locator("summary", has_text="Download").click()
    with page.expect_download() as narrowed:
        page.get_by_role("link", name="CSV This row", exact=True).click()
    only = list(csv.reader(narrowed.value.path().read_text("utf-8-sig").splitlines(keepends=True)))
    assert [row[0] for row in only] == ["id", "2"]
    page.get_by_role("link", name="Row 3").click()
    expect(page.locator("mark.error")).to_contain_text("#789")
    page.get_by_role("link", name=re.compile("Back to the (filtered )?r")).click()
    page.get_by_role("link", name="Overview").click()
    page.get_by_text("About this list").click()
    page.get_by_role("link", name="Delete this list").click()
    page.get_by_role("button", name="Delete list").click()
    expect(page.get_by_role("main")).to_contain_text("No lists uploaded")


def test_a_file_that_is_no_list_is_refused_on_the_form(page: Page, tmp_path: Path):
    file = tmp_path / "refs.pdf"
    file.write_bytes(b"%PDF-1.7\n")
    upload(page, file)
    expect(page.get_by_role("alert")).to_contain_text("This is a PDF document")
    page.get_by_role("alert").get_by_role("link", name="File").click()
    expect(page.get_by_label("File")).to_be_focused()
