"""Files that take long to read hold no web thread but those of their few places: pages are answered meanwhile."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import requests

from tests.gateway_outside.portal import Gateway
from tests.sheets.binary_workbook.made import Sheet, xls
from tests.uploads.sending import Sender, Told

pytestmark = pytest.mark.slow

AT_ONCE = 24  # more than there are threads
LONGEST_LOOK = 1.0  # seconds for /healthz
# Two cells at the corners: 5.6 kB for which the library takes half a gigabyte and seconds.
CORNERS = xls(Sheet("One", [["10.1000/1"], *[[]] * 65_534, [*[""] * 255, "x"]]))
BRACES = 10_000_000


@contextmanager
def looks(portal: Gateway) -> Iterator[list[float]]:
    """How long /healthz takes, ten times a second."""
    found: list[float] = []
    stop = threading.Event()

    def look() -> None:
        while not stop.wait(0.1):
            began = time.monotonic()
            assert requests.get(f"{portal.url}/healthz", timeout=60).status_code == 200
            found.append(time.monotonic() - began)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield found
    finally:
        stop.set()
        thread.join()


def send(portal: Gateway, contents: Sequence[bytes]) -> list[Told]:
    def send_one(content: bytes) -> Told:
        with Sender(portal.url) as somebody:
            return somebody.by_rest(content)

    with ThreadPoolExecutor(len(contents)) as pool:
        return list(pool.map(send_one, contents))


def test_many_hostile_workbooks_at_once_hold_up_nobody(portal: Gateway) -> None:
    began = time.monotonic()
    with looks(portal) as found:
        told = Counter(each.status for each in send(portal, [CORNERS] * AT_ONCE))
    assert set(told) == {400, 503}
    assert max(found) < LONGEST_LOOK
    assert time.monotonic() - began < 45


@pytest.mark.parametrize("braces", [b"{" * BRACES, b"{}" * (BRACES // 2), b"{" * (BRACES // 2) + b"}" * (BRACES // 2)])
def test_ten_million_braces_are_read_in_seconds(portal: Gateway, braces: bytes) -> None:
    began = time.monotonic()
    with looks(portal) as found:
        (told,) = send(portal, [b"@article{a, doi={10.1000/1}, title=" + braces])
    assert told.status in (202, 400)
    assert time.monotonic() - began < 10
    assert max(found) < LONGEST_LOOK
