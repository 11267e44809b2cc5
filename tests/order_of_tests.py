"""Which of pytest-xdist's processes runs which tests, and in which order."""

from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling

TESTS = Path(__file__).parent
# What takes long to start: a portal or a browser, once for the tests of a folder.
SHARED = {"running", "portal", "_gateway", "browser"}
# Tests that mostly wait, for processes and for time to pass, if they have no database of their own.
WAITING = ("faults", "proxy", "setup", "journeys", "gateway_outside", "commands", "server")
UNTIL = 0.7  # of the others: the last of them begin then, for none to be the last of all
DATABASE = {"db", "transactional_db", "django_db_setup"}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Put a test that shares a portal or a browser with others into the group of its folder."""
    if SHARED & set(getattr(item, "fixturenames", ())) and not item.get_closest_marker("xdist_group"):
        item.add_marker(pytest.mark.xdist_group(item.path.parent.name))


@pytest.hookimpl(trylast=True)  # pytest-django puts tests without a database last
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the files that wait among the others, for tests that wait to run beside tests that compute. The others
    keep their order."""
    waiting = [item for item in items if _waits(item)]
    others = [item for item in items if not _waits(item)]
    places: dict[Path, float] = {}
    for number, item in enumerate(waiting):
        places.setdefault(item.path, number / len(waiting) * UNTIL * len(others))
    order = {item: float(number) for number, item in enumerate(others)}
    items.sort(key=lambda item: order[item] if item in order else places[item.path])


def _waits(item: pytest.Item) -> bool:
    if DATABASE & set(getattr(item, "fixturenames", ())) or not item.path.is_relative_to(TESTS):
        return False
    return item.path.relative_to(TESTS).parts[0] in WAITING


@pytest.hookimpl
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadGroupScheduling:
    """Return a scheduler that gives all tests of a file to one process, which makes what they share once."""
    return _ByFile(config, log)


class _ByFile(LoadGroupScheduling):
    def _split_scope(self, nodeid: str) -> str:
        group = str(super()._split_scope(nodeid))
        return nodeid.partition("::")[0] if group == nodeid else group
