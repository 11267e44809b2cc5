"""Every page: no barrier that axe knows of, in light and dark, and nothing wider than a small phone."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.journeys.steps import look_up, upload, wait_until_finished

SEVERAL = "10.1000/182. 10.5555/" + "another" * 40 + "; 10.5555/missing-b; 10.5555/two; 10.5555/unsafe"
LONG = "10.5555/" + "averylongnamewithoutanyplacetobreak" * 8
RECORDS = ("10.1525/bio.2009.59.5.9", "10.5555/alias-1", "10.5555/loop-1", "10.5555/missing-1/", "10.5555/error-1")


@pytest.fixture
def addresses(scripted: Page, tmp_path: Path) -> list[str]:
    """One of each kind, full of things."""
    found = ["/jobs", "/history"]  # empty
    for text in (
        "10.1000/182",
        "https://doi.org/10.1000/456#789",
        f" see {LONG}\u200b, ",
        "10.5555/error-1",
        "",
        SEVERAL,
    ):
        look_up(scripted, text)
        found.append(scripted.url)
    file = tmp_path / ("long" * 30 + ".csv")
    rows = [f"1,{'cell' * 60},{LONG}", "2,,10.1000/456#789", f"3,,{SEVERAL}", f"4,,{LONG}", "5,,10.5555/error-1"]
    file.write_text("\n".join([f"id,{'column' * 30},DOI", *rows]))
    upload(scripted, file, name="name" * 50, note="note" * 500)
    expect(scripted.get_by_role("status")).to_be_visible()
    wait_until_finished(scripted)
    job = scripted.url
    found += [
        job,
        f"{job}/rows",
        f"{job}/rows/1",
        f"{job}/rows/2",
        f"{job}/rows/3",
        f"{job}/rows/4",
        f"{job}/describe",
        f"{job}/delete",
        f"{job}/rows?q=nowhere",
    ]
    found += ["/", "/history", "/history/delete", "/history?outcome=no-url", "/jobs", "/jobs/new"]
    found += ["/jobs?q=name", "/jobs?q=nowhere"]
    found += ["/records", "/records?name=x&index=y&type=z", f"/records?name={LONG}&locatt=id:0&urlappend={'x' * 300}"]
    found += [f"/records?name={name}" for name in RECORDS]
    found += [
        f"/{LONG}?noredirect",
        "/10.5555/loc-1?noredirect",
        f"/10.5555/missing//{LONG}/",
        "/10.5555/a%E9",
        "/10.5555/error-1",
    ]
    return [*found, "/about-verdicts", "/accounts/login/", "/nothing"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_without_known_barriers(scripted: Page, addresses: list[str], scheme: str):
    scripted.emulate_media(color_scheme=scheme)
    found = {}
    for address in addresses:
        scripted.goto(address)
        results = Axe().run(scripted)
        if results.violations_count:
            found[address] = results.generate_report()
    assert not found, "\n".join(f"{address}: {report}" for address, report in found.items())


@pytest.mark.parametrize("width", [320, 1280])
def test_no_page_is_wider_than_its_window(scripted: Page, addresses: list[str], width: int):
    scripted.set_viewport_size({"width": width, "height": 700})
    for address in addresses:
        scripted.goto(address)
        assert scripted.evaluate("document.documentElement.scrollWidth") <= width, address
