"""Which of pytest-xdist's processes runs which tests, and in which order."""

from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling

TESTS = Path(__file__).parent
# What takes long to start: a portal or a browser, once for the tests of a folder.
SHARED = {"running", "portal", "_gateway", "browser"}
# Tests that mostly wait, for processes and for time to pass: begun first, they wait beside tests that compute. Then the
# files that take longest, for none of them to be the last.
FIRST = ("faults", "proxy", "setup", "journeys", "gateway_outside", "commands", "web/site", "web/watches", "services")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put tests that share a portal or a browser into the group of their folder, and those that wait first."""
    for item in items:
        if SHARED & set(getattr(item, "fixturenames", ())) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.parent.name))
    items.sort(key=_find_turn)


def _find_turn(item: pytest.Item) -> int:
    path = item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else ""
    return next((turn for turn, folder in enumerate(FIRST) if path.startswith(f"{folder}/")), len(FIRST))


@pytest.hookimpl
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadGroupScheduling:
    """Return a scheduler that gives all tests of a file to one process, which makes what they share once."""
    return _ByFile(config, log)


class _ByFile(LoadGroupScheduling):
    def _split_scope(self, nodeid: str) -> str:
        group = str(super()._split_scope(nodeid))
        return nodeid.partition("::")[0] if group == nodeid else group
