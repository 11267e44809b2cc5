"""The rows of a list in a browser: one opens beside the list, and filters are where the window has room for them."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.looking import PHONE, WIDE
from tests.journeys.steps import upload, wait_until_finished

pytestmark = pytest.mark.slow


@pytest.fixture
def rows(scripted: Page, tmp_path: Path) -> str:
    file = tmp_path / "list.csv"
    file.write_text("DOI\n" + "".join(f"10.5555/n{number}\n" for number in range(60)) + "10.5555/missing\n")
    upload(scripted, file)
    wait_until_finished(scripted)
    address = f"{scripted.url.partition('?')[0]}/rows"
    scripted.set_viewport_size({"width": WIDE, "height": 800})
    scripted.goto(address)
    return address


def test_a_row_opens_beside_the_list_which_keeps_its_place(scripted: Page, rows: str) -> None:
    link = scripted.get_by_role("link", name="Row 30", exact=True)
    link.scroll_into_view_if_needed()
    place = scripted.evaluate("scrollY")
    link.press("Enter")
    panel = scripted.get_by_role("dialog", name="Row")
    expect(panel.get_by_role("heading", level=1)).to_be_focused()
    expect(panel.get_by_role("heading", level=1)).to_contain_text("Row 30")
    expect(panel.get_by_role("navigation", name="This list")).to_have_count(0)
    panel.get_by_role("link", name="Next row").click()
    expect(panel.get_by_role("heading", level=1)).to_contain_text("Row 31")
    scripted.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(scripted.get_by_role("link", name="Row 31", exact=True)).to_be_focused()
    assert scripted.evaluate("scrollY") == place
    expect(scripted).to_have_url(rows)


def test_nothing_behind_the_panel_moves(scripted: Page, rows: str) -> None:
    behind = [scripted.locator(each) for each in ("nav.tabs a >> nth=0", "details.facets", "table.rows")]
    before = [each.bounding_box() for each in behind]
    scripted.get_by_role("link", name="Row 2", exact=True).click()
    expect(scripted.get_by_role("dialog", name="Row").get_by_role("heading", level=1)).to_be_focused()
    assert [each.bounding_box() for each in behind] == before


def test_what_is_copied_in_the_panel_is_copied(scripted: Page, rows: str) -> None:
    scripted.get_by_role("link", name="Row 2", exact=True).click()
    copy = scripted.get_by_role("dialog", name="Row").locator("button[data-copy]").first
    expect(copy).to_be_visible()
    copy.click()
    expect(copy).not_to_have_text("Copy")


def test_a_row_of_a_list_that_is_gone_opens_its_own_page(scripted: Page, rows: str) -> None:
    other = rows.replace("/rows", "/rows/9999")
    link = scripted.get_by_role("link", name="Row 2", exact=True)
    link.evaluate("(link, address) => { link.href = address; }", other)
    link.click()
    expect(scripted).to_have_url(other)


def test_a_narrow_window_opens_the_row_s_own_page(scripted: Page, rows: str) -> None:
    scripted.set_viewport_size({"width": PHONE, "height": 800})
    scripted.get_by_role("link", name="Row 2", exact=True).click()
    expect(scripted).to_have_url(f"{rows}/1")
    scripted.go_back()
    expect(scripted).to_have_url(rows)


def test_the_head_of_the_table_stays_in_view_and_the_rows_begin_early(scripted: Page, rows: str) -> None:
    below = "row => row.getBoundingClientRect().top - document.querySelector('.rows-page').getBoundingClientRect().top"
    assert scripted.locator("table.rows tbody tr").first.evaluate(below) <= 80
    scripted.get_by_role("link", name="Row 35", exact=True).scroll_into_view_if_needed()
    head = scripted.get_by_role("columnheader", name="Your input")
    expect(head).to_be_in_viewport()
    assert head.evaluate("head => head.getBoundingClientRect().top") < 5


def test_filters_are_beside_the_rows_or_folded_above_them(scripted: Page, rows: str) -> None:
    choice = scripted.get_by_role("navigation", name="Filter rows").get_by_role("link", name="Not registered")
    expect(choice).to_be_visible()
    scripted.set_viewport_size({"width": PHONE, "height": 800})
    expect(choice).to_be_hidden()
    scripted.get_by_text("Filters").click()
    choice.click()
    expect(scripted.locator("table.rows tbody tr")).to_have_count(1)
