"""From a link that leads nowhere to the right one in the clipboard: under a strict policy, and without any script."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.steps import look_up
from tests.setup.portal import RunningPortal

GIVEN = "10.5555/a%3Cb"
NAME, LINK = "10.5555/a<b", "https://doi.org/10.5555/a%3Cb"
SICI = "10.1002/(SICI)1097-0142(19960401)77:7<1356::AID-CNCR20>3.0.CO;2-#"
CORRECT = "https://doi.org/10.1002/(SICI)1097-0142(19960401)77:7%3C1356::AID-CNCR20%3E3.0.CO;2-%23"
FORMS = (
    ("Copy DOI", "DOI", SICI),
    ("Copy link", "Link", CORRECT),
    ("Copy MARC 024", "MARC 024", f"024 7_ $a{SICI}$2doi"),
    ("Copy: Link", "Link", CORRECT),
    ("Copy: doi: URI", "doi: URI", CORRECT.replace("https://doi.org/", "doi:")),
    ("Copy: URN", "URN", "urn:doi:10.1002:(SICI)1097-0142(19960401)77:7%3C1356::AID-CNCR20%3E3.0.CO;2-%23"),
)


@pytest.fixture
def strict(browser: Browser, portal: RunningPortal) -> Iterator[Page]:
    """A visitor whose clipboard can be looked into; the policy is the portal's own."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


def test_a_fault_is_seen_the_doi_taken_and_each_of_its_forms_copied(strict: Page):
    complaints: list[str] = []
    strict.on("console", lambda message: complaints.append(message.text))
    look_up(strict, f"https://doi.org/{SICI}")
    expect(strict.get_by_role("heading", level=1)).to_contain_text("This link is cut short, and we found the DOI")
    expect(strict.locator("mark.error")).to_contain_text("#")
    expect(strict.get_by_role("insertion").first).to_contain_text("#")
    strict.get_by_text("Other forms").click()
    for button, what, text in FORMS:
        strict.get_by_role("button", name=button, exact=True).click()
        expect(strict.get_by_role("status")).to_have_text(f"Copied: {what}")
        assert strict.evaluate("navigator.clipboard.readText()") == text
    assert complaints == []


def test_where_the_browser_keeps_its_clipboard_for_https_it_is_copied_by_selecting(strict: Page):
    look_up(strict, GIVEN)
    strict.evaluate("Object.defineProperty(navigator.clipboard, 'writeText', {value: undefined})")
    strict.get_by_role("button", name="Copy link", exact=True).click()
    expect(strict.get_by_role("status")).to_have_text("Copied: Link")
    assert strict.evaluate("navigator.clipboard.readText()") == LINK


def test_without_a_script_no_button_is_shown_and_one_click_selects_the_whole_name(page: Page):
    look_up(page, GIVEN)
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    page.get_by_text("Other forms").click()
    for shown in (page.locator(".doi").get_by_text(NAME), page.get_by_role("definition").get_by_text(LINK, exact=True)):
        expect(shown).to_have_css("user-select", "all")
