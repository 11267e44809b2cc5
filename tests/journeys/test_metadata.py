"""From a DOI to what it stands for: in place by keyboard, under the portal's own policy, and without any script."""

from playwright.sync_api import Page, expect

from tests.journeys.steps import look_up

SHOW = "Show title and author"


def test_title_and_author_come_into_the_page_and_the_focus_stays(scripted: Page):
    complaints: list[str] = []
    scripted.on("console", lambda message: complaints.append(message.text))
    look_up(scripted, "10.5555/a\u200bb")
    place = scripted.url
    link = scripted.get_by_role("link", name=SHOW)
    scripted.wait_for_load_state()  # the script listens from then on; before, the link is a plain one
    link.focus()
    scripted.keyboard.press("Enter")
    expect(scripted.locator(".work-found")).to_contain_text("Sample title of 10.5555/ab")
    expect(link).to_be_focused()
    assert (scripted.url, complaints) == (place, [])


def test_without_a_script_it_is_a_page_of_its_own(page: Page):
    look_up(page, "10.5555/oddwork-1")
    page.get_by_role("link", name=SHOW).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Title and author")
    expect(page.locator("dl.facts")).to_contain_text("H2O & E. coli, p < 0.05 <script>alert(1)</script>")
