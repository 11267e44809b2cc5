"""From a link that leads nowhere to the right one in the clipboard: under a strict policy, and without any script."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.steps import look_up
from tests.setup.portal import RunningPortal

GIVEN = "10.5555/a%3Cb"
NAME, LINK = "10.5555/a<b", "https://doi.org/10.5555/a%3Cb"
SICI = "10.1002/(SICI)1097-0142(19960401)77:7<1356::AID-CNCR20>3.0.CO;2-#"
FORMS = {
    "DOI name": SICI,
    "Link": "https://doi.org/10.1002/(SICI)1097-0142(19960401)77:7%3C1356::AID-CNCR20%3E3.0.CO;2-%23",
    "doi: URI": "doi:10.1002/(SICI)1097-0142(19960401)77:7%3C1356::AID-CNCR20%3E3.0.CO;2-%23",
    "URN": "urn:doi:10.1002:(SICI)1097-0142(19960401)77:7%3C1356::AID-CNCR20%3E3.0.CO;2-%23",
}


@pytest.fixture
def strict(browser: Browser, portal: RunningPortal) -> Iterator[Page]:
    """A visitor whose clipboard can be looked into; the policy is the portal's own."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


def test_a_fault_is_seen_the_suggestion_taken_and_each_of_its_forms_copied(strict: Page):
    complaints: list[str] = []
    strict.on("console", lambda message: complaints.append(message.text))
    look_up(strict, f"https://doi.org/{SICI}")
    expect(strict.get_by_role("heading", level=1)).to_contain_text("Not registered")
    expect(strict.locator("mark.error")).to_contain_text("#")
    expect(strict.get_by_role("insertion")).to_contain_text("#")
    strict.get_by_role("button", name="Copy: Suggested DOI").click()
    expect(strict.get_by_role("status")).to_have_text("Copied: Suggested DOI")
    assert strict.evaluate("navigator.clipboard.readText()") == SICI
    strict.get_by_role("button", name=f"Look up {SICI}").click()
    expect(strict.get_by_role("heading", level=1)).to_contain_text("Resolved: registered, with a web address")
    for what, text in FORMS.items():
        strict.get_by_role("button", name=f"Copy: {what}", exact=True).click()
        expect(strict.get_by_role("status")).to_have_text(f"Copied: {what}")
        assert strict.evaluate("navigator.clipboard.readText()") == text
    assert complaints == []


def test_where_the_browser_keeps_its_clipboard_for_https_it_is_copied_by_selecting(strict: Page):
    look_up(strict, GIVEN)
    strict.evaluate("Object.defineProperty(navigator.clipboard, 'writeText', {value: undefined})")
    strict.get_by_role("button", name="Copy: Link", exact=True).click()
    expect(strict.get_by_role("status")).to_have_text("Copied: Link")
    assert strict.evaluate("navigator.clipboard.readText()") == LINK


def test_without_a_script_no_button_is_shown_and_one_click_selects_the_whole_name(page: Page):
    look_up(page, GIVEN)
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    for text in (NAME, LINK):
        shown = page.get_by_role("definition").get_by_text(text, exact=True)
        expect(shown).to_have_css("user-select", "all")


@pytest.mark.parametrize(("width", "side_by_side"), [(1280, True), (320, False)])
def test_name_and_link_stand_side_by_side_and_on_a_phone_one_above_the_other(
    page: Page, width: int, side_by_side: bool
):
    page.set_viewport_size({"width": width, "height": 700})
    look_up(page, GIVEN)
    name, link = (page.get_by_role("definition").get_by_text(text, exact=True).bounding_box() for text in (NAME, LINK))
    assert name
    assert link
    assert (abs(name["y"] - link["y"]) < 3) is side_by_side
    assert (link["y"] > name["y"] + name["height"]) is not side_by_side
