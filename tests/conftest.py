"""What all tests share: the services, the browser, no network, and the table of clauses."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import pytest_django
from django.conf import settings
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models.signals import post_migrate
from django.test import override_settings
from django.utils import translation

from doiportal import celery  # noqa: F401 - the app of the tasks, for tests that import these alone
from resolver.services.logins.password_hasher import GatedHasher
from resolver.standin.server import SampleProxyServer
from tests import no_network, services_plugin

no_network.install()

# A busy machine is no fault of what is tested; `make bench` measures time.
hypothesis.settings.register_profile("patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("patient")

pytest_plugins = ["tests.conformance.table", "tests.order_of_tests"]

LONGEST_ID = 100


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-examples", action="store_true", help="write the examples of the OpenAPI document")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Return the beginning of a long value for a test's name: every process of the run tells the others all names, and
    some values have millions of characters."""
    return f"{val[:LONGEST_ID]!a} and so on" if isinstance(val, str | bytes) and len(val) > LONGEST_ID else None


@pytest.fixture(scope="session", autouse=True)
def _static_files() -> None:
    """As in production, pages name their static files by content; so the files must have been collected.

    Each of Django's test clients has middleware of its own, and WhiteNoise's would list all files for it: a quarter of
    the time of the tests of pages. A file is looked for when it is asked for instead.
    """
    services_plugin.copy_static_files(settings.STATIC_ROOT)
    # It was read before there was one if anything asked for the storage while the tests were collected.
    staticfiles_storage.hashed_files, staticfiles_storage.manifest_hash = staticfiles_storage.load_manifest()
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """The tables are copied; then there is nothing left to migrate."""
    if template := services_plugin.wait_for_tables():
        settings.DATABASES["default"]["TEST"]["TEMPLATE"] = template
    else:
        services_plugin.copy_tables(Path(settings.DATABASES["default"]["TEST"]["NAME"]))


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """A file of SQLite is kept, with the tables that were copied into it. Its folder goes away with the run."""
    return not os.environ.get("DATABASE_URL")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """Each test with transactions of its own empties the tables. What Django fills in then for its admin, permissions
    that no test uses, stays away. And PostgreSQL deletes the rows: to truncate the tables it makes new files for each,
    a tenth of a second for all. It doesn't wait for open transactions then, so a test joins its threads."""
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)
    if connection.vendor == "postgresql":
        type(connection.ops).sql_flush = _delete_rows


def _delete_rows(ops: BaseDatabaseOperations, style: object, tables: list[str], **_: bool) -> list[str]:
    return ["".join(f"DELETE FROM {ops.quote_name(table)};" for table in tables)]


@pytest.fixture(scope="module")
def module_portal(
    django_db_setup: None,
    django_db_blocker: pytest_django.DjangoDbBlocker,
    standin: SampleProxyServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Path]:
    """A portal for what all tests of a module read: their fixtures of scope `module` store it once.

    The tests run in transactions within that of the module, so each finds it as it was stored. All of it goes away with
    the module. Tests that need transactions of their own can't be in such a module. Files are in the folder returned; a
    test that needs them takes a copy (`module_files`).
    """
    folder = tmp_path_factory.mktemp("portal")
    with (
        django_db_blocker.unblock(),
        override_settings(DOIPORTAL_DATA_DIR=folder, DOI_PROXY_URL=standin.url),
        transaction.atomic(),
    ):
        yield folder
        transaction.set_rollback(True)


@pytest.fixture
def module_files(module_portal: Path, tmp_path: Path) -> None:
    """The files of `module_portal` in the test's own portal, as no rollback would bring a removed one back."""
    shutil.copytree(module_portal, tmp_path, dirs_exist_ok=True)


@pytest.fixture(scope="session", autouse=True)
def _quick_hashes() -> None:
    """A hash of a password takes half a second of a processor, by the number of its rounds. No test is about that."""
    GatedHasher.iterations = 1_000


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
def _clean_caches(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the cache holds, and which models Django has noted, is of a database that the next test doesn't have."""
    yield
    if "django_db_setup" in request.fixturenames:
        from django.contrib.contenttypes.models import ContentType
        from django.core.cache import cache

        cache.clear()
        ContentType.objects.clear_cache()


CHROMIUM = "chromium-headless-shell"  # Debian's package and program
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
    """A real browser: Debian's Chromium without windows where it is installed, else Playwright's own.

    It ends with its module: Playwright's event loop stays in the thread as long as it lives, and no other test could
    run a loop of its own there.
    """
    from playwright.sync_api import sync_playwright

    # Playwright runs an event loop in this thread; Django would refuse the database to it, though nothing here awaits.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        executable = shutil.which(CHROMIUM)
        chromium = playwright.chromium.launch(executable_path=executable, headless=True, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
