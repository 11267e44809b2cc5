"""One stranger with many lists, who keeps no cookie, and others who want something meanwhile: a whole portal."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from requests.adapters import HTTPAdapter

from tests.faults.conftest import portal_in_a_folder
from tests.faults.failing_proxy import FailingProxyProcess
from tests.faults.portal import KillablePortal, Visitor

pytestmark = pytest.mark.slow

LISTS, ROWS = 60, 1000
WITHIN = 10  # seconds


class _From(HTTPAdapter):
    """Connects from this address of the machine."""

    def __init__(self, address: str) -> None:
        self.address = address
        super().__init__()

    def init_poolmanager(self, *arguments: object, **options: object) -> None:
        super().init_poolmanager(*arguments, **options, source_address=(self.address, 0))


@contextmanager
def visitor_from(portal: KillablePortal, address: str) -> Iterator[Visitor]:
    with portal.visitor() as visitor:
        visitor.session.mount("http://", _From(address))
        yield visitor


def send_lists(portal: KillablePortal, label: str) -> None:
    """Upload the stranger's lists, each as somebody new."""
    for number in range(LISTS):
        with visitor_from(portal, "127.0.0.2") as stranger:
            stranger.upload(f"10.5555/{label}{number}-{row}" for row in range(ROWS))


def measure_small_list(portal: KillablePortal, address: str, label: str) -> float:
    """Return the seconds from the upload of five rows to their end."""
    with visitor_from(portal, address) as person:
        began = time.monotonic()
        job = person.upload(f"10.5555/{label}-{row}" for row in range(5))
        person.wait_for_the_end(job, 300)
        return time.monotonic() - began


def test_five_rows_of_another_wait_for_no_stranger_without_cookies(failing_proxy: FailingProxyProcess) -> None:
    with portal_in_a_folder(failing_proxy) as portal:
        send_lists(portal, "crowd")
        waited = [measure_small_list(portal, address, f"other{address[-1]}") for address in ("127.0.0.3", "127.0.0.4")]
        assert max(waited) < WITHIN
        # From the stranger's own address too, as behind the one address of a university.
        assert measure_small_list(portal, "127.0.0.2", "neighbour") < WITHIN
