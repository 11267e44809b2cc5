"""What a librarian does, step by step."""

import time
from pathlib import Path

from playwright.sync_api import Page, expect


def look_up(page: Page, text: str) -> None:
    page.goto("/")
    page.get_by_label("DOI, link or text").fill(text)
    page.get_by_role("button", name="Look up", exact=True).click()


def upload(page: Page, file: Path, name: str = "", note: str = "") -> None:
    """As far as a preview, where the file can be read at all, and from there to the list."""
    preview(page, file)
    start = page.get_by_role("button", name="Check ")
    if not start.count():
        return
    if name or note:
        page.get_by_text("Options").click()
        page.get_by_label("Name").fill(name)
        page.get_by_label("Note").fill(note)
    start.click()


def preview(page: Page, file: Path) -> None:
    page.goto("/jobs/new")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Preview list").click()
    page.wait_for_load_state()


def wait_until_finished(page: Page) -> None:
    """Looks again by the link, as one must without JavaScript."""
    end = time.monotonic() + 60
    while (link := page.get_by_role("link", name="Refresh")).count() and time.monotonic() < end:
        page.wait_for_timeout(300)
        if link.count():  # else the page has changed by itself
            link.click()
    expect(page.get_by_role("status")).to_contain_text("Finished")


def expect_checked(page: Page, rows: int) -> None:
    """All of them are checked, as the page announces it."""
    announced = page.locator(f"#announcement [data-done='{rows}'][data-total='{rows}']")
    expect(announced).to_be_attached()
