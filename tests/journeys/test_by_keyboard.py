"""From the front page to a comparison of two runs with the keyboard alone, and at every stop the focus can be seen."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

MOST_STOPS = 80
HAS_FOCUS = "element => element === document.activeElement"
# Between the last stop and the first the focus is the window's own.
RING = """() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return document.activeElement === document.body ? null : outlineStyle + outlineWidth;
}"""


def tab_to(wanted: Locator) -> None:
    """Press Tab until the focus is there."""
    page = wanted.page
    expect(wanted).to_be_visible()
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        ring = page.evaluate(RING)
        assert ring in ("solid3px", None), f"{ring} around {page.evaluate('document.activeElement.outerHTML')[:200]}"
        if wanted.evaluate(HAS_FOCUS):
            return
    pytest.fail(f"{wanted} is not reached by Tab")


def enter(wanted: Locator) -> None:
    tab_to(wanted)
    wanted.page.keyboard.press("Enter")


@pytest.mark.slow
def test_the_keyboard_alone_leads_from_a_name_to_a_filtered_file_and_a_comparison(scripted: Page, tmp_path: Path):
    page, main = scripted, scripted.get_by_role("main")
    file = tmp_path / "spring.csv"
    file.write_text("DOI\n10.1000/182\n10.5555/missing-1\n")
    page.on("filechooser", lambda chooser: None)  # from now on the browser leaves choosing to the test
    page.goto("/")
    enter(page.get_by_role("link", name="Skip to content"))
    assert main.evaluate(HAS_FOCUS)
    tab_to(page.get_by_label("DOI, link or text"))
    page.keyboard.insert_text("10.5555/a\u200bb")
    enter(page.get_by_role("button", name="Look up", exact=True))
    expect(page.get_by_role("heading", level=1)).to_contain_text("There is an invisible character in this DOI")
    enter(page.get_by_role("button", name="Look up this DOI 10."))
    expect(page.get_by_role("heading", level=1)).to_contain_text("This DOI works")

    enter(page.get_by_role("navigation", name="Main").get_by_role("link", name="Lists"))
    enter(main.get_by_role("link", name="Upload a list"))
    tab_to(page.get_by_label("File", exact=True))
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(file)
    enter(page.get_by_role("button", name="Preview list"))
    enter(page.get_by_role("button", name="Check 2 rows"))

    expect(page.locator("#announcement")).to_contain_text("Finished", timeout=30_000)
    enter(main.get_by_role("link", name="Rows"))
    enter(main.get_by_role("link", name=re.compile("Not registered")))
    expect(main.get_by_role("row")).to_have_count(2)  # the titles, and the one that is missing
    expect(main.get_by_role("row").last).to_contain_text("10.5555/missing-1")
    enter(main.locator("summary", has_text="Download"))
    tab_to(main.get_by_role("link", name="CSV This row", exact=True))
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert "10.1000/182" not in (narrowed := download.value.path().read_text("utf-8-sig"))
    assert "10.5555/missing-1" in narrowed

    enter(main.get_by_role("link", name="Watch and compare"))
    first = page.url
    enter(main.get_by_role("button", name="Check again"))
    page.wait_for_url(lambda url: url != first)
    expect(page.locator("#announcement")).to_contain_text("Finished", timeout=30_000)
    enter(main.get_by_role("link", name="Watch and compare"))
    enter(main.get_by_role("link", name="Compare with the run from"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("No changes")
