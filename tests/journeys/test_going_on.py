"""A list of which some rows couldn’t be checked is taken up again, by a real worker."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.steps import expect_checked, upload, wait_until_finished


@pytest.mark.slow
def test_asking_again_is_one_click_and_ends_by_itself(page: Page, tmp_path: Path):
    file = tmp_path / "list.csv"
    file.write_text("DOI\n10.1000/182\n10.5555/error-again\n10.1000/182\n")
    upload(page, file, name="Spring", note="to be loaded back")
    wait_until_finished(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Spring")
    expect(page.get_by_text("1 row repeats a DOI")).to_be_visible()
    page.get_by_role("button", name="Retry 1 row").click()
    wait_until_finished(page)
    expect_checked(page, 3)
    expect(page.get_by_role("button", name="Retry 1 row")).to_be_visible()  # the proxy says the same again
    page.get_by_role("link", name="Files").click()
    with page.expect_download() as corrected:
        row = page.get_by_role("row", name="All rows, with corrected DOIs")
        row.get_by_role("link", name="CSV All rows, with corrected DOIs", exact=True).click()
    lines = corrected.value.path().read_text("utf-8-sig").splitlines()
    assert [line.rsplit(",", 2)[1] for line in lines] == ["corrected_doi", "10.1000/182", "", "10.1000/182"]
    page.get_by_role("link", name="Rename").click()
    page.get_by_label("Name").fill("Summer")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Summer")


@pytest.mark.slow
def test_a_running_list_is_cancelled_and_goes_on(page: Page, tmp_path: Path):
    file = tmp_path / "long.csv"
    file.write_text("DOI\n" + "".join(f"10.5555/long-{n}\n" for n in range(3000)))
    upload(page, file)
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Stop check").click()
    expect(page.get_by_role("main")).to_contain_text("The check was stopped.")
    page.get_by_role("button", name="Continue and check").click()
    wait_until_finished(page)
    expect_checked(page, 3000)
