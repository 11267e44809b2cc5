"""One name, from the front page to the answer."""

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.steps import look_up

REGISTERED = [
    ("10.1000/182", "10.1000/182", "the DOI Foundation"),
    ("doi:10.6338/JDA.202212%2FSP_17(4).0000", "10.6338/JDA.202212/SP_17(4).0000", "Airiti"),
    ("10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03", "10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03", "mEDRA"),
]


@pytest.mark.parametrize(("text", "name", "agency"), REGISTERED)
def test_a_registered_name(page: Page, text: str, name: str, agency: str):
    look_up(page, text)
    expect(page.get_by_role("heading", level=1)).to_contain_text("This DOI works")
    use = page.get_by_role("region", name="Use this DOI")
    expect(use).to_contain_text(agency)
    expect(use.get_by_text(name, exact=True)).to_be_visible()
    page.get_by_text("The DOI record").click()
    expect(page.get_by_role("cell", name="URL", exact=True).first).to_be_visible()


def test_the_button_that_copies_a_found_doi_is_the_next_stop_of_the_keyboard(scripted: Page):
    look_up(scripted, "10.5555/a\u200bb")
    expect(scripted.get_by_role("heading", level=1)).to_be_focused()
    button = scripted.get_by_role("button", name="Copy DOI")
    expect(button).to_be_visible()
    scripted.keyboard.press("Tab")
    expect(button).to_be_focused()


def test_a_link_that_its_hash_cuts(page: Page):
    look_up(page, "https://doi.org/10.1000/456#789")
    expect(page.get_by_role("heading", level=1)).to_contain_text("This link is cut short")
    expect(page.locator("mark.error")).to_contain_text("#789")
    expect(page.get_by_role("deletion")).to_contain_text("#789")
    step = page.get_by_role("listitem").filter(has_text="Neither 10.1000/456 nor 10.1000/456#789 is registered")
    expect(step).to_be_visible()
    expect(page.get_by_role("link", name="Contact the DOI Foundation")).to_be_visible()
    page.get_by_text("Other DOIs we tried").click()
    reading = page.get_by_role("listitem").filter(has_text="with the # and everything after it as part of the name")
    expect(reading).to_contain_text("not registered")


def test_a_cell_with_two_dois(page: Page):
    look_up(page, "10.1000/182; 10.1000/missing-b")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Only one of the two DOIs is registered")
    other = page.get_by_role("row").filter(has_text="10.1000/missing-b")
    expect(other).to_contain_text("Not registered")
    other.get_by_role("button", name="Look up this DOI 10.1000/missing-b").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("This DOI isn’t registered")
    expect(page.get_by_role("main")).to_contain_text("The prefix 10.1000 is registered.")


def test_a_suggestion_is_followed_and_the_history_remembers(page: Page):
    look_up(page, "10.5555/a\u200bb")
    expect(page.locator("mark.error")).to_contain_text("U+200B")
    page.get_by_role("button", name="Look up this DOI 10.").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("This DOI works")
    page.get_by_role("link", name="History", exact=True).click()
    expect(page.get_by_role("row")).to_have_count(3)
    page.get_by_label("Outcome").select_option("invalid")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("row")).to_have_count(2)
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status")).to_contain_text("Deleted")
