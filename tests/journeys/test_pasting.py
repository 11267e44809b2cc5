"""From the one box to a running list: pasted, looked at, read in another way, started; and a file that is dropped."""

from playwright.sync_api import Page, expect

from tests.journeys.steps import expect_checked, wait_until_finished

LINES = "\n".join(f"{number}; 10.5555/line-{number}; 10.1000/182" for number in range(50))
DROP = """() => {
  const data = new DataTransfer();
  data.items.add(new File(["doi\\n10.1000/182\\n"], "dropped list.csv"));
  document.querySelector("main").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
}"""


def test_fifty_lines_are_pasted_looked_at_changed_and_started(page: Page):
    page.goto("/")
    page.get_by_label("DOI, link or text").fill(LINES)
    page.get_by_role("button", name="Look up", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check how we read your file")
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
