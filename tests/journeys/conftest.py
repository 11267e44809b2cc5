"""A web server, a worker and the sample proxy, seen through a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from resolver.conf import READER_FILES
from tests.setup.portal import RunningPortal, serving


@pytest.fixture(scope="session")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPortal]:
    reader = tmp_path_factory.mktemp("reader")  # files of Pyodide that nothing runs: with them /read is there
    for name in READER_FILES:
        (reader / name).touch()
    quick = {"PROXY_RATE": "1000", "PROXY_CONCURRENCY": "16", "DOI_PROXY_BACKOFF": "0.05", "READING_FILES": str(reader)}
    with serving(tmp_path_factory.mktemp("portal"), worker=True, **quick) as running:
        yield running


@pytest.fixture
def page(browser: Browser, portal: RunningPortal, tmp_path: Path) -> Iterator[Page]:
    """A new visitor without JavaScript: every page must do without."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}", java_script_enabled=False)
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def scripted(browser: Browser, portal: RunningPortal) -> Iterator[Page]:
    """A new visitor in whose pages the test itself may run scripts."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}")
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()
