"""What all tests share: the services, the browser, no network, and the table of clauses."""

import os
import shutil
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.utils import translation

from tests import no_network

no_network.install()

pytest_plugins = ["tests.conformance.table"]


@pytest.fixture(scope="session", autouse=True)
def _static_files() -> None:
    """As in production, pages name their static files by content; so the files must have been collected."""
    call_command("collectstatic", interactive=False, verbosity=0)


@pytest.fixture(scope="session")
def redis_url() -> str:
    """A real Redis, started by tests/services_plugin.py."""
    return os.environ["TEST_REDIS_URL"]


@pytest.fixture(autouse=True)
def _own_language() -> Iterator[None]:
    """A page leaves its reader's language behind in the thread."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _clean_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "django_db_setup" in request.fixturenames:
        from django.core.cache import cache

        cache.clear()


# Chromium's own errands (updates, sync, QUIC) would try to leave the machine; root cannot have its sandbox.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser():
    """A real browser: Debian's Chromium where it is installed, else Playwright's own.

    It ends with its module: Playwright's event loop stays in the thread as long as it lives, and no other test could
    run a loop of its own there.
    """
    from playwright.sync_api import sync_playwright

    # Playwright runs an event loop in this thread; Django would refuse the database to it, though nothing here awaits.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        executable = shutil.which("chromium")
        chromium = playwright.chromium.launch(executable_path=executable, headless=True, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
