"""The page of a running list, in a browser that runs scripts: it changes in its place, and stops when the list ends."""

import time
from http.client import HTTPConnection
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from tests.journeys.steps import upload
from tests.setup.portal import RunningPortal


@pytest.mark.slow
def test_a_running_list_changes_in_its_place_until_it_ends(scripted: Page, tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    file.write_text("DOI\n" + "".join(f"10.5555/watched-{n}\n" for n in range(4000)))
    scripted.clock.install()
    upload(scripted, file)
    looks: list[str] = []

    def look(request: Request) -> None:
        if "/progress" in request.url:
            looks.append(request.url)

    scripted.on("request", look)
    expect(scripted.get_by_role("status")).to_be_visible()
    scripted.evaluate("document.body.dataset.loaded = 'once'")
    scripted.get_by_role("button", name="Stop check").focus()
    expect(scripted.locator("#pace")).to_contain_text("left", timeout=20_000)
    assert scripted.title().startswith("Checking: long.csv")
    expect(scripted.get_by_role("button", name="Stop check")).to_be_focused()
    expect(scripted.get_by_role("status")).to_have_text("Finished. 4,000 of 4,000 rows checked.", timeout=60_000)
    assert scripted.evaluate("document.body.dataset.loaded") == "once"
    assert scripted.title().startswith("Finished: long.csv")
    expect(scripted.locator("#about")).to_contain_text("Ended")
    expect(scripted.locator("#about")).to_have_count(1)
    expect(scripted.locator("#tabs .count")).to_have_text(["4,000"])
    expect(scripted.get_by_role("button", name="Stop check")).to_have_count(0)
    before = list(looks)
    assert before
    scripted.clock.run_for(10_000)  # longer than between two looks
    scripted.wait_for_load_state("networkidle")
    assert looks == before


@pytest.mark.slow
def test_who_stands_on_a_button_that_goes_when_the_list_ends_is_then_at_its_title(
    scripted: Page, tmp_path: Path
) -> None:
    file = tmp_path / "focus.csv"
    file.write_text("DOI\n" + "".join(f"10.5555/focused-{n}\n" for n in range(600)))
    upload(scripted, file)
    announced = scripted.get_by_role("status").element_handle()
    assert announced
    scripted.get_by_role("button", name="Stop check").focus()
    expect(scripted.get_by_role("button", name="Stop check")).to_have_count(0, timeout=60_000)
    expect(scripted.get_by_role("heading", level=1)).to_be_focused()
    assert announced.inner_text().startswith("Finished.")  # in the region that was there before, so it is read aloud


@pytest.mark.slow
def test_a_list_that_is_deleted_elsewhere_leaves_nothing_on_its_page_that_leads_nowhere(
    scripted: Page, tmp_path: Path
) -> None:
    file = tmp_path / "gone.csv"
    file.write_text("DOI\n" + "".join(f"10.5555/slow-gone-{n}\n" for n in range(2000)))
    upload(scripted, file)
    expect(scripted.get_by_role("button", name="Stop check")).to_be_visible()
    elsewhere = scripted.context.new_page()
    elsewhere.goto(f"{scripted.url}/delete")
    elsewhere.get_by_role("button", name="Delete list").click()
    expect(elsewhere.get_by_role("main")).to_contain_text("List and results deleted.")
    expect(scripted.get_by_role("status")).to_contain_text("You can’t view this list: it was deleted")
    expect(scripted.get_by_role("main").get_by_role("button")).to_have_count(0)
    expect(scripted.get_by_role("main").get_by_role("link")).to_have_text(["Log in", "Lists"])


def test_a_program_that_looks_every_few_seconds_keeps_its_connection(portal: RunningPortal) -> None:
    connection = HTTPConnection("127.0.0.1", portal.port, timeout=10)
    for pause in (3.2, 0):  # longer than many a server keeps one
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b"ok"
        time.sleep(pause)
    connection.close()
