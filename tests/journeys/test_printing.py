"""The report of a list, printed to PDF by a real browser."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from doi_reading import CATALOGUE
from tests.journeys.steps import upload, wait_until_finished
from tests.journeys.stored import StoredRows
from tests.setup.portal import RunningPortal

pytestmark = pytest.mark.slow

LONGEST_TITLES = sorted(CATALOGUE, key=lambda code: len(str(CATALOGUE[code].title)), reverse=True)


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def printed(page: Page) -> bytes:
    """As the page itself asks to be printed: its own size, no larger or smaller than it is."""
    return page.pdf(prefer_css_page_size=True)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_report_with_everything_long_is_one_page_a4(
    browser: Browser, portal: RunningPortal, tmp_path: Path, language: str
):
    file = tmp_path / ("long file name " * 12 + ".csv")
    file.write_text("DOI\n10.1000/182\nnothing\n")
    origin = f"http://127.0.0.1:{portal.port}"
    context = browser.new_context(base_url=origin, java_script_enabled=False)
    page = context.new_page()
    upload(page, file, name="W" * 190)
    wait_until_finished(page)
    pk = page.url.rpartition("/")[2].partition("?")[0]
    counts = {
        "outcome": {"resolved": 900_000, "not-found": 90_000, "unreachable": 10_000},
        "problem": {code: 1_000 + number for number, code in enumerate(LONGEST_TITLES[:14])},
        "ra": {"Crossref": 900_000},
    }
    StoredRows(portal.folder / "var").count(pk, 1_000_000, json.dumps(counts))
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(f"/jobs/{pk}/report")
    assert page.locator("#problems-title ~ table tr").count() == 10
    pdf = printed(page)
    assert pages_of(pdf) == 1
    assert re.search(rb"/MediaBox\s*\[0 0 59\d(\.\d+)? 84\d(\.\d+)?\]", pdf), "not A4"
    page.goto("/help")
    assert pages_of(printed(page)) > 1, "pages are not counted"
    context.close()
