"""The rows of a list on a phone, without JavaScript: the head of the table can't be seen there."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.looking import PHONE, WIDE
from tests.journeys.steps import upload, wait_until_finished


@pytest.mark.slow
def test_rows_are_sorted_by_links_that_a_phone_shows(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_text("DOI\n10.1000/182\nnothing\n10.5555/missing\n")
    upload(page, file)
    wait_until_finished(page)
    page.goto(f"{page.url.partition('?')[0]}/rows")
    by_outcome = page.get_by_role("navigation", name="Sort rows by").get_by_role("link", name="Outcome")
    head = page.get_by_role("columnheader").get_by_role("link", name="Outcome")
    page.set_viewport_size({"width": WIDE, "height": 800})
    expect(head).to_be_visible()
    expect(by_outcome).to_be_hidden()
    page.set_viewport_size({"width": PHONE, "height": 800})
    expect(head).to_be_hidden()
    by_outcome.click()
    expect(page.locator("table.rows tbody .open[href*=rows]")).to_have_text(["Row 3", "Row 4", "Row 2"])
    expect(by_outcome).to_have_attribute("aria-current", "true")
