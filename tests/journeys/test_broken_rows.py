"""What a newcomer wants of a vendor's list: the broken DOIs alone, in a file."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.steps import upload, wait_until_finished

BROKEN = {3: "10.5555/missing-{}", 40: "nothing here", 77: "10.5555/novalues", 199: "10.1000/182."}


@pytest.mark.slow
def test_the_page_of_a_list_and_its_rows_give_its_broken_rows_as_a_file(scripted: Page, tmp_path: Path) -> None:
    file = tmp_path / "vendor.csv"
    names = [BROKEN.get(line, "10.5555/title-{}").format(line) for line in range(1, 201)]
    file.write_text("id,DOI\n" + "".join(f"{line},{name}\n" for line, name in enumerate(names, 1)))
    upload(scripted, file)
    wait_until_finished(scripted)
    expect(scripted.locator("#figure")).to_contain_text("197 of 200 rows are ready to import. 3 aren’t.")
    with scripted.expect_download() as for_vendor:
        scripted.get_by_role("link", name="Download for the source").click()
    rows = list(csv.reader(for_vendor.value.path().read_text("utf-8-sig").splitlines(keepends=True)))
    assert [int(row[0]) for row in rows[1:]] == list(BROKEN)[:3]  # for the fourth we have a suggestion
    scripted.goto(f"{scripted.url.partition('?')[0]}/rows?group=needs-work")
    expect(scripted.locator("table.rows tbody tr")).to_have_count(4)
    expect(scripted.locator("table.rows tbody")).to_contain_text("10.1000/182 suggested")
    scripted.locator("summary", has_text="Download").click()
    with scripted.expect_download() as narrowed:
        scripted.get_by_role("link", name="CSV These 4 rows", exact=True).click()
    assert narrowed.value.suggested_filename == "vendor-needs-work.csv"
    rows = list(csv.reader(narrowed.value.path().read_text("utf-8-sig").splitlines(keepends=True)))
    assert [int(row[0]) for row in rows[1:]] == list(BROKEN)

    scripted.get_by_role("link", name="not registered 2").click()
    scripted.get_by_role("link", name="Punctuation at the end 1").click()
    expect(scripted.locator("table.rows tbody tr")).to_have_count(1)
    scripted.get_by_role("link", name="Row 200").click()
    expect(scripted.get_by_role("dialog").get_by_role("heading", level=1)).to_contain_text("Row 200")
