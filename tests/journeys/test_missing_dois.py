"""Rows without a DOI: by the keyboard alone from the preview, over the search and the review, to the corrected file."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from resolver.standin.sample_works import WORKS, build_sample_work
from tests.journeys import looking
from tests.journeys.test_by_keyboard import enter, tab_to
from tests.setup.portal import RunningPortal

ROWS, UNLISTED = 100, 10  # rows of the table, the last of which no service lists
SECONDS = 180  # for the searches, at the pace of a public service
RECORDS = """%% my library
@string{jsd = "Journal of Sample Data"}
@article{first,
  title = {%s},
  author = {%s},
  year = %d,
  journal = {%s}
}

@article{ second , title = "%s" , author = "%s", year = {%d},
\tjournal = {%s},
}
@article{third, title={Of this one nobody has ever heard, really}, author={Nobody, Ann}, year=1999}
"""


def _list_works() -> list[dict[str, Any]]:
    """Articles of which no other version is listed, then works that no service lists."""
    plain = [number for number in range(WORKS) if number % 20 in (0, 1, 2, 6, 9, 11)][: ROWS - UNLISTED]
    unlisted = [number for number in range(WORKS, WORKS + 200) if number % 20 in (0, 1, 2)][:UNLISTED]
    return [build_sample_work(number) for number in (*plain, *unlisted)]


def _name_people(work: dict[str, Any]) -> str:
    return " and ".join(f"{each['family']}, {each['given']}" for each in work["author"])


def _get_year(work: dict[str, Any]) -> int:
    return int(work["issued"]["date-parts"][0][0])


def _write_table(path: Path) -> list[str]:
    works = _list_works()
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "DOI", "Title", "Authors", "Year", "Journal"])
        for number, work in enumerate(works):
            people = _name_people(work).replace(" and ", "; ")
            writer.writerow([number, "", work["title"], people, _get_year(work), work.get("container-title", "")])
    return [work["DOI"] for work in works[: ROWS - UNLISTED]] + [""] * UNLISTED


def _write_bibtex(path: Path) -> list[str]:
    works = _list_works()[:2]
    values = [(w["title"], _name_people(w), _get_year(w), w["container-title"]) for w in works]
    path.write_bytes((RECORDS % tuple(value for each in values for value in each)).encode())
    return [work["DOI"] for work in works]


def _find_faults(page: Page) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return [*looking.barriers(page), *([f"{wide} px too wide"] if wide > 0 else [])]


def _start(page: Page, file: Path) -> str:
    """Upload the file, tick the search, and start; the id of the list once it has ended."""
    page.goto("/jobs/new")
    page.locator("#id_file").set_input_files(file)
    enter(page.locator("form.box button"))
    tick = page.locator("#id_search")
    expect(tick).not_to_be_checked()
    hint = page.locator("#id_search_helptext")
    expect(hint).to_contain_text("We send title, author, journal and year of these rows, or the whole reference, to")
    expect(hint).to_contain_text(re.compile(r"\d rows here have no DOI|About \d+ rows have no DOI"))
    tab_to(tick)
    page.keyboard.press("Space")
    assert not _find_faults(page)
    enter(page.locator("#start button:not([name]):not([form])"))
    expect(page.get_by_role("status")).to_contain_text("Finished", timeout=SECONDS * 1000)
    return page.url.rpartition("/")[2].partition("?")[0]


def _accept_all(page: Page, job: str, rows: int) -> None:
    """Accept each found DOI in the review by its key."""
    enter(page.locator("[data-task=decide]").get_by_role("link"))
    expect(page.locator("section.review .compared").first).to_be_visible()
    assert not _find_faults(page)
    for left in reversed(range(rows)):
        with page.expect_navigation():
            page.keyboard.press("a")
        assert _count_tasks(page, job)["decide"] == left
    assert _count_tasks(page, job)["ready"] == rows


def _count_tasks(page: Page, job: str) -> dict[str, int]:
    return {task["code"]: task["rows"] for task in page.request.get(f"/api/v1/jobs/{job}").json()["tasks"]}


def _download_corrected(page: Page, job: str) -> bytes:
    page.goto(f"/jobs/{job}/files")
    assert not _find_faults(page)
    tab_to(page.locator("main a[href$='accept=suggested']").first)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    return download.value.path().read_bytes()


@pytest.mark.slow
def test_the_keyboard_alone_leads_from_rows_without_a_doi_to_the_corrected_file(
    browser: Browser, portal: RunningPortal, tmp_path: Path
) -> None:
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}", viewport={"width": 1280, "height": 800})
    page, file = context.new_page(), tmp_path / "catalogue.csv"
    wanted = _write_table(file)
    job = _start(page, file)
    counts = page.request.get(f"/api/v1/jobs/{job}").json()["counts"]["found_by"]
    assert counts == {"Crossref": ROWS - UNLISTED, "none": UNLISTED}
    _accept_all(page, job, ROWS - UNLISTED)
    rows = list(csv.reader(_download_corrected(page, job).decode("utf-8-sig").splitlines()))
    assert [row[1] for row in rows[1:]] == wanted
    context.close()


@pytest.mark.slow
def test_accepted_dois_are_added_to_a_bibliography_whose_other_bytes_stay(
    browser: Browser, portal: RunningPortal, tmp_path: Path
) -> None:
    phone = {"viewport": {"width": 390, "height": 800}}
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}", color_scheme="dark", **phone)
    page, file = context.new_page(), tmp_path / "library.bib"
    wanted = _write_bibtex(file)
    job = _start(page, file)
    _accept_all(page, job, 2)
    before, after = file.read_bytes(), _download_corrected(page, job)
    added = re.compile(rb",?\n[ \t]*doi = [{\"](10\.[^}\"]+)[}\"],?", re.IGNORECASE)
    assert [found.decode() for found in added.findall(after)] == wanted, json.dumps(after.decode())
    lines = before.splitlines()
    assert [line for line in after.splitlines() if line.rstrip(b",") in {each.rstrip(b",") for each in lines}]
    for line in lines:
        assert line.rstrip(b",") in after
    context.close()
