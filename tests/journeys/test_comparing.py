"""A list, checked again after the proxy has learned, compared: what a librarian sees of it, by a real worker."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from resolver.standin.server import SampleProxyServer
from tests.journeys.steps import upload, wait_until_finished
from tests.services.records_that_change import AFTER, BEFORE, LIST, records
from tests.setup.portal import serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleProxyServer]:
    with SampleProxyServer(records(tmp_path_factory.mktemp("records"), BEFORE)) as server:
        yield server


@pytest.fixture(scope="module")
def address(changing: SampleProxyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a portal that asks this proxy."""
    quick = {"DOI_PROXY_URL": changing.url, "PROXY_RATE": "1000", "DOI_PROXY_BACKOFF": "0.05"}
    with serving(tmp_path_factory.mktemp("portal"), worker=True, **quick) as portal:
        yield f"http://127.0.0.1:{portal.port}"


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Page]:
    """Without JavaScript."""
    context = browser.new_context(base_url=address, java_script_enabled=False)
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def test_a_list_is_checked_again_compared_and_shared(
    visitor: Page, browser: Browser, address: str, changing: SampleProxyServer, tmp_path: Path
) -> None:
    file = tmp_path / "vendor.csv"
    file.write_text(LIST)
    upload(visitor, file, name="Vendor")
    wait_until_finished(visitor)
    changing.know(records(tmp_path, AFTER))
    visitor.get_by_role("link", name="Watch and compare").click()
    visitor.get_by_role("button", name="Check again").click()
    wait_until_finished(visitor)
    second = visitor.url.partition("?")[0]

    visitor.get_by_role("link", name="Watch and compare").click()
    visitor.get_by_role("link", name="Compare with the run from").click()
    expect(visitor.get_by_role("heading", level=1)).to_contain_text("1 row is newly broken")
    visitor.get_by_role("link", name="Web address changed").click()
    rows = visitor.get_by_role("region", name="Web address changed").get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text("https://old.example/3")
    expect(rows.last).to_contain_text("https://new.example/3")
    with visitor.expect_download() as download:
        visitor.get_by_role("link", name="Download 1 row as CSV").click()
    header, row = csv.reader(download.value.path().read_text("utf-8-sig").splitlines())
    assert dict(zip(header, row, strict=True))["url_values_after"] == "https://new.example/3"
    rows.last.get_by_role("link", name="Row 4 of the later list").click()
    expect(visitor.get_by_role("main")).to_contain_text("https://new.example/3")

    visitor.goto(second)
    visitor.get_by_role("link", name="Share", exact=True).click()
    visitor.get_by_role("button", name="Share with a link").click()
    shared = visitor.locator("#address").inner_text()
    reader = browser.new_context().new_page()
    reader.goto(shared)
    expect(reader.get_by_role("main")).to_contain_text("shared with you")
    assert reader.url == second
    visitor.get_by_role("button", name="Stop sharing").click()
    answer = reader.reload()
    assert answer is not None
    assert answer.status == 404
    reader.context.close()
