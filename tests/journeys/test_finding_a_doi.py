"""From a reference without a DOI to the DOI that was found: in place by keyboard, and without any script."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys import looking
from tests.journeys.steps import look_up
from tests.setup.portal import RunningPortal

REFERENCE = "Dupont, Carla (2008): Mutation in civic geysers: new findings from Tasmania. Review of Crystal Growth 14."
FOUND, NAMESAKE = "10.5555/sample-work-00007", "10.5555/sample-work-00008"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE_DARK = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}


@pytest.mark.parametrize("visitor", [DESKTOP, PHONE_DARK], ids=["desktop", "phone-dark"])
def test_by_keyboard_found_works_come_into_the_page(browser: Browser, portal: RunningPortal, visitor: dict) -> None:
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}", **visitor)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    look_up(page, REFERENCE)
    place = page.url
    button = page.get_by_role("button", name="Search by title and author")
    page.wait_for_load_state()  # the script listens from then on
    button.focus()
    page.keyboard.press("Enter")
    found = page.locator(".work-found section")
    expect(found).to_have_count(2)
    expect(found.first).to_contain_text("Probably this DOI")
    expect(found.first.locator("code")).to_have_text(FOUND)
    expect(found.last.locator("code")).to_have_text(NAMESAKE)
    expect(found.first.get_by_role("button", name="Copy DOI")).to_be_visible()
    expect(button).to_be_focused()
    assert (page.url, complaints) == (place, [])
    assert not list(looking.barriers(page))
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
    context.close()


def test_without_a_script_they_are_a_page_of_their_own_that_leads_to_the_lookup_of_the_doi(page: Page) -> None:
    look_up(page, REFERENCE)
    page.get_by_role("button", name="Search by title and author").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Search by title and author")
    page.get_by_role("button", name=f"Look up this DOI {FOUND}").click()
    expect(page.locator("[data-use] code").first).to_have_text(FOUND)
