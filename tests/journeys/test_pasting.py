"""From the one box to a running list: pasted, looked at, read in another way, started; and a file that is dropped."""

import re
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.journeys.steps import expect_checked, wait_until_finished

LINES = "\n".join(f"{number}; 10.5555/line-{number}; 10.1000/182" for number in range(50))
DROP = """() => {
  const data = new DataTransfer();
  data.items.add(new File(["doi\\n10.1000/182\\n"], "dropped list.csv"));
  document.querySelector("main").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
}"""
# A page that is about to go answers no questions of the test.
SAY_WHEN_SENT = """() => addEventListener("submit", ({ target }) => setTimeout(() => {
  const enabled = target.querySelectorAll("button:enabled").length;
  console.log(`${target.querySelector("[role=status]").textContent} ${enabled} buttons can be pressed`);
}, 50))"""


def test_fifty_lines_are_pasted_looked_at_changed_and_started(page: Page):
    page.goto("/")
    page.get_by_label("DOI, link or text").fill(LINES)
    page.get_by_role("button", name="Look up", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check how we read your file")
    page.get_by_text("Change how we read it").click()
    expect(page.get_by_label("Column separator")).to_contain_text("detected: none (one entry per line)")

    page.get_by_label("Column separator").select_option("semicolon")
    page.get_by_role("button", name="Update preview").click()
    page.get_by_label("DOI column").select_option("column 3")
    page.get_by_role("button", name="Update preview").click()
    expect(page.get_by_role("columnheader", name="column 3")).to_contain_text("DOI column")
    page.get_by_label("Column separator").select_option("comma")
    page.get_by_role("button", name="Update preview").click()
    page.get_by_role("alert").get_by_role("link", name="DOI column").click()
    expect(page.get_by_label("DOI column")).to_be_focused()

    page.get_by_label("Column separator").select_option("semicolon")
    page.get_by_role("button", name="Update preview").click()
    page.get_by_role("button", name="Check 50 rows").click()
    wait_until_finished(page)
    expect_checked(page, 50)
    expect(page.get_by_role("heading", level=1)).to_contain_text("pasted.txt")


def test_a_text_is_looked_up_without_leaving_the_keyboard(scripted: Page):
    scripted.goto("/")
    expect(scripted.get_by_label("DOI, link or text")).to_be_focused()
    scripted.keyboard.insert_text("10.1000/182")
    scripted.keyboard.press("Control+Enter")
    expect(scripted).to_have_url(re.compile(r"/lookups/[0-9a-f-]+$"))


def test_on_a_page_with_an_error_the_box_leaves_the_focus_to_it(scripted: Page):
    scripted.goto("/")
    scripted.get_by_role("button", name="Preview file").click()
    expect(scripted.get_by_role("alert")).to_be_focused()


def test_while_a_file_goes_up_its_name_is_said_and_no_button_sends_it_again(scripted: Page, tmp_path: Path):
    file = tmp_path / "large.csv"
    file.write_text("doi\n10.1000/182\n")
    held: list[Route] = []
    scripted.route("**/lookups", lambda route: held.append(route))
    scripted.goto("/")
    scripted.get_by_label("Or upload a file").set_input_files(file)
    scripted.evaluate(SAY_WHEN_SENT)
    with scripted.expect_console_message() as said:
        scripted.get_by_role("button", name="Preview file").click(no_wait_after=True)
    assert said.value.text == "Uploading large.csv. 0 buttons can be pressed"
    held.pop().continue_()
    expect(scripted.get_by_role("button", name="Check 1 row")).to_be_visible()


def test_a_dropped_file_goes_to_its_preview_and_waits_for_a_text_to_go(scripted: Page):
    scripted.goto("/")
    box = scripted.get_by_label("DOI, link or text")
    box.fill("two lines\n")
    box.press("Enter")
    expect(box).to_have_value("two lines\n\n")
    scripted.evaluate(DROP)
    expect(scripted.locator("form[data-drop]").get_by_role("status")).to_contain_text("dropped list.csv is selected.")
    box.fill("")
    scripted.evaluate(DROP)
    expect(scripted.get_by_role("main")).to_contain_text("dropped list.csv")
    expect(scripted.get_by_role("button", name="Check 1 row")).to_be_visible()
