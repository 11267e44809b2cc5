"""A list is reviewed: a hundred suggestions by the keyboard alone, the same without JavaScript, and by two at once."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.steps import upload, wait_until_finished
from tests.setup.portal import RunningPortal

pytestmark = pytest.mark.slow

ROWS = 100


@pytest.fixture
def vendor(tmp_path: Path) -> Path:
    """A vendor's file: an invisible character in each name, and the name without it exists."""
    file = tmp_path / "vendor.csv"
    rows = "".join(f"Title {number},10.5555/v\u200bendor-{number}\n" for number in range(1, ROWS + 1))
    file.write_text(f"title,doi\n{rows}", encoding="utf-8")
    return file


def open_review(page: Page, file: Path) -> str:
    """Check the list and go to its review; the address of the list."""
    upload(page, file)
    wait_until_finished(page)
    address = page.url.partition("?")[0]
    page.get_by_role("link", name="Check suggestions").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("vendor.csv")
    return address


def corrections(page: Page, address: str) -> list[tuple[str, str]]:
    """The corrected DOIs and how they came about, from the file."""
    text = page.request.get(f"{address}/results.csv?corrected=1").body().decode("utf-8-sig")
    return [(row["corrected_doi"], row["correction"]) for row in csv.DictReader(text.splitlines())]


def test_a_hundred_suggestions_are_reviewed_by_the_keyboard_alone(scripted: Page, vendor: Path) -> None:
    page = scripted
    address = open_review(page, vendor)
    focused = page.locator("section.review:focus-within")

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    expect(page.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("a")  # does nothing behind the help
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()

    for key, number in (("j", 1), ("j", 2), ("j", 3), ("k", 2), ("k", 1)):
        page.keyboard.press(key)
        expect(focused).to_have_id(f"row-{number}")
    page.keyboard.press("r")
    expect(focused).to_have_id("row-2")
    expect(page.get_by_role("status")).to_contain_text("Row 2: rejected.")  # the header is row 1
    page.keyboard.press("u")
    expect(focused).to_have_id("row-1")
    page.keyboard.press("r")
    expect(focused).to_have_id("row-2")

    page.keyboard.press("e")
    page.keyboard.type("nothing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("This isn’t a DOI")
    expect(page.locator("#doi-2")).to_have_value("nothing")
    expect(page.locator("#doi-2")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("10.1000/182")
    page.keyboard.press("Enter")
    expect(focused).to_have_id("row-3")

    for number in range(3, ROWS):
        page.keyboard.press("a")
        expect(focused).to_have_id(f"row-{number + 1}")
    page.keyboard.press("a")
    expect(page.get_by_role("main")).to_contain_text("Nothing to review.")
    for key in "jae":  # do nothing without a row
        page.keyboard.press(key)
    page.keyboard.press("u")  # the last decision too
    expect(focused).to_have_id(f"row-{ROWS}")
    page.keyboard.press("a")
    expect(page.get_by_role("main")).to_contain_text("Nothing to review.")
    decided = corrections(page, address)
    assert decided[:2] == [("", "rejected"), ("10.1000/182", "edited")]
    assert decided[2:] == [(f"10.5555/vendor-{number}", "accepted") for number in range(3, ROWS + 1)]


def test_a_key_chooses_among_the_dois_of_a_row(scripted: Page, tmp_path: Path) -> None:
    page, file = scripted, tmp_path / "two.csv"
    file.write_text("doi\n10.5555/a; 10.5555/b\n", encoding="utf-8")
    upload(page, file)
    wait_until_finished(page)
    page.goto(f"{page.url.partition('?')[0]}/review")
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_have_text("Choose a DOI or enter one.")
    expect(page.locator("#row-1 input[type=radio]").first).to_be_focused()
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="10.5555/b")).to_be_checked()
    page.keyboard.press("a")
    expect(page.get_by_role("status")).to_contain_text("10.5555/b")


def test_the_bar_stays_in_view_and_covers_no_row_that_has_the_focus(scripted: Page, vendor: Path) -> None:
    page = scripted
    open_review(page, vendor)
    page.set_viewport_size({"width": 1280, "height": 480})
    for key in "jjjjjjjjjjkkkkkkkkk":
        page.keyboard.press(key)
        bar = page.locator(".review-bar").bounding_box()
        row = page.locator("section.review:focus-within").bounding_box()
        assert bar
        assert row
        assert bar["y"] >= 0
        assert row["y"] >= bar["y"] + bar["height"]


def test_the_keys_can_be_turned_off(scripted: Page, vendor: Path) -> None:
    page = scripted
    open_review(page, vendor)
    page.get_by_role("button", name="Keyboard shortcuts (?)").click()
    page.get_by_label("Use these keys").uncheck()
    page.get_by_role("button", name="Close").click()
    for _ in range(2):
        page.keyboard.press("j")
        page.keyboard.press("a")
        expect(page.locator("section.review:focus-within")).to_have_count(0)
        page.reload()
    expect(page.get_by_role("link", name="Suggestions 100")).to_be_visible()


def test_a_hundred_suggestions_are_reviewed_without_javascript(page: Page, vendor: Path) -> None:
    address = open_review(page, vendor)
    page.get_by_role("button", name="Reject row 2", exact=True).click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Reject row 2", exact=True).click()
    expect(page).to_have_url(re.compile("#row-2$"))
    page.locator("#row-2").get_by_label("Another DOI").check()
    page.locator("#doi-2").fill("https://doi.org/10.1000/182")
    page.get_by_role("button", name="Accept row 3", exact=True).click()
    for number in range(3, 13):  # a look at ten, then all of the kind
        page.get_by_role("button", name=f"Accept row {number + 1}", exact=True).click()
        expect(page).to_have_url(re.compile(f"#row-{number + 1}$"))
    page.get_by_role("button", name="Accept all 88 suggestions").click()
    expect(page.get_by_role("status")).to_contain_text("88 rows accepted.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name=re.compile("^Suggestions 88"))).to_be_visible()
    page.get_by_role("button", name="Accept all 88 suggestions").click()
    assert [each for _, each in corrections(page, address)] == ["rejected", "edited", *["accepted"] * (ROWS - 2)]


def test_of_two_people_at_once_the_second_hears_of_the_first(
    browser: Browser, portal: RunningPortal, scripted: Page, vendor: Path
) -> None:
    open_review(scripted, vendor)
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{portal.port}", storage_state=scripted.context.storage_state()
    )
    other = context.new_page()
    other.goto(scripted.url)
    scripted.keyboard.press("j")
    scripted.keyboard.press("a")
    expect(scripted.locator("section.review:focus-within")).to_have_id("row-2")
    with other.expect_response(lambda response: response.request.method == "POST") as answer:
        other.get_by_role("button", name="Reject row 2", exact=True).click()
    assert answer.value.status == 409
    expect(other.get_by_role("alert")).to_contain_text("Row 2 was decided meanwhile: Accepted")
    context.close()
