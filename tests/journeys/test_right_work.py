"""A list is compared with the works of its DOIs: by the keyboard alone from the preview to the files."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import bibtexparser
import openpyxl
import pytest
from playwright.sync_api import Browser, Page, expect

from resolver.standin.records import load_sample_records
from resolver.standin.sample_answers import SampleAnswers
from resolver.standin.work_services import CSL_JSON, describe_work
from tests.journeys import looking
from tests.journeys.test_by_keyboard import enter, tab_to
from tests.setup.portal import RunningPortal

ROWS = 30
SWAPPED = range(0, ROWS, 7)  # five, each with the work of the row after it
FOUND = "10.5555/found"  # by a person, for a row with another work
CLEANED = 3  # a row whose DOI stands as a link of a link
Work = Mapping[str, Any]


def _list_works() -> list[tuple[str, Work]]:
    """What each row has as its DOI, and the work that it describes."""
    answers = SampleAnswers(load_sample_records())
    names = [f"10.5555/right-{number}" for number in range(ROWS + 1)]
    works = [json.loads(describe_work(name, answers, CSL_JSON).body) for name in names]
    for at in SWAPPED:
        people = [{"family": "Inparticular", "given": "Nobody"}]
        works[at] = {**works[at + 1], "title": f"The owls of the alps {at}", "author": people}
    dois = [f"https://doi.org/https://doi.org/{name}" if at == CLEANED else name for at, name in enumerate(names)]
    return list(zip(dois[:ROWS], works, strict=False))


def _name_people(work: Work) -> str:
    return " and ".join(f"{each['family']}, {each['given']}" for each in work["author"])


def _write_bibtex(path: Path) -> None:
    entries = []
    for at, (doi, work) in enumerate(_list_works()):
        year, journal = work["issued"]["date-parts"][0][0], work["container-title"]
        people = f"title = {{{work['title']}}}, author = {{{_name_people(work)}}}"
        entries.append(f"@article{{key{at}, {people}, year = {year}, journal = {{{journal}}}, doi = {{{doi}}}}}\n")
    path.write_text("".join(entries), encoding="utf-8")


def _write_workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["DOI", "Title", "Authors", "Year", "Journal"])
    for doi, work in _list_works():
        year = work["issued"]["date-parts"][0][0]
        people = _name_people(work).replace(" and ", "; ")
        book.active.append([doi, work["title"], people, year, work["container-title"]])
    book.save(path)


def _read_bibtex(content: bytes) -> list[str]:
    return [str(entry.fields_dict["doi"].value) for entry in bibtexparser.parse_string(content.decode()).entries]


def _read_workbook(content: bytes) -> list[str]:
    return [str(row[0]) for row in _read_sheet(content)[1:]]


def _read_sheet(content: bytes) -> list[tuple[object, ...]]:
    return list(openpyxl.load_workbook(BytesIO(content)).worksheets[0].iter_rows(values_only=True))


def _read_csv(content: bytes) -> Sequence[Sequence[object]]:
    return list(csv.reader(content.decode("utf-8-sig").splitlines()))


def _download(page: Page, address: str) -> bytes:
    tab_to(page.locator(f"main a[href$='{address}']").first)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    return download.value.path().read_bytes()


def _count_tasks(page: Page, job: str) -> dict[str, int]:
    tasks = page.request.get(f"/api/v1/jobs/{job}").json()["tasks"]
    return {task["code"]: task["rows"] for task in tasks if task["rows"] and task["code"] != "corrected"}


def _find_faults(page: Page) -> list[str]:
    """What is wrong with the page as the visitor has it: barriers, and what is too wide."""
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return [*looking.barriers(page), *([f"{wide} px too wide"] if wide > 0 else [])]


Write = Callable[[Path], None]
Read = Callable[[bytes], Any]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("filename", "write", "read", "corrected", "read_table", "visitor"),
    [
        (
            "library.bib",
            _write_bibtex,
            _read_bibtex,
            "10.5555/right-3",
            _read_csv,
            {"viewport": {"width": 1280, "height": 800}},
        ),
        (
            "vendor.xlsx",
            _write_workbook,
            _read_workbook,
            "https://doi.org/10.5555/right-3",
            _read_sheet,
            {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark", "locale": "de-DE"},
        ),
    ],
    ids=["bibtex", "workbook-phone-dark-german"],
)
def test_the_keyboard_alone_leads_from_swapped_titles_to_the_corrected_file(
    browser: Browser,
    portal: RunningPortal,
    tmp_path: Path,
    filename: str,
    write: Write,
    read: Read,
    corrected: str,
    read_table: Read,
    visitor: dict[str, Any],
) -> None:
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}", **visitor)
    page, file = context.new_page(), tmp_path / filename
    focused = page.locator("section.review:focus-within")
    write(file)
    before = read(file.read_bytes())
    assert len(before) == ROWS
    page.goto("/jobs/new")
    page.locator("#id_file").set_input_files(file)
    enter(page.locator("form.box button"))
    tick = page.locator("#id_compare")
    expect(tick).not_to_be_checked()
    tab_to(tick)
    page.keyboard.press("Space")
    expect(tick).to_be_checked()
    if filename.endswith(".xlsx"):
        names = ("title", "author", "year", "container")
        chosen = [page.locator(f"#id_{name}_column") for name in names]
        assert [each.input_value() for each in chosen] == ["2", "3", "4", "5"]
        assert all(each.is_visible() for each in chosen)
    assert not _find_faults(page)
    enter(page.locator("#start button:not([name]):not([form])"))

    task = page.locator("[data-task=other-work]")
    expect(task.locator("strong.number")).to_have_text("5", timeout=30_000)
    job = page.url.rpartition("/")[2].partition("?")[0]
    assert _count_tasks(page, job) == {"other-work": 5, "ready": 25}
    assert not _find_faults(page)
    enter(task.get_by_role("link"))

    cards = page.locator("section.review [data-work=different]")
    expect(cards).to_have_count(5)
    assert not _find_faults(page)
    page.keyboard.press("a")
    expect(focused).to_have_id("row-8")
    page.keyboard.press("r")
    expect(focused).to_have_id("row-15")
    page.keyboard.press("r")
    expect(focused).to_have_id("row-22")
    page.keyboard.press("u")
    expect(focused).to_have_id("row-15")
    page.keyboard.press("e")
    page.keyboard.type(FOUND)
    page.keyboard.press("Enter")
    expect(focused).to_have_id("row-22")
    assert _count_tasks(page, job) == {"other-work": 2, "back": 1, "ready": 27}

    enter(page.locator(f"main a[href$='/jobs/{job}/files']"))
    page.wait_for_url("**/files")
    assert not _find_faults(page)
    after = read(_download(page, "accept=suggested"))
    assert {at: doi for at, doi in enumerate(after) if doi != before[at]} == {CLEANED: corrected, 14: FOUND}
    enter(page.locator(f"main a[href$='/jobs/{job}']"))
    header, *rows = read_table(_download(page, "task=back"))
    told = dict(zip(header, *rows, strict=True))
    assert "10.5555/right-7" in told.values()
    assert told["problem"]
    context.close()
