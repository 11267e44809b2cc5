"""One portal for all these tests, and the proxy behind it that says what a test has put there."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gateway_outside import portal
from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway

FAULTS = ("Error handling request", "WORKER TIMEOUT", "Exception in worker")


def _stumbles(said: str) -> list[str]:
    """Faults of the portal's own in what it said; that a Host header is not ours, Django tells with a traceback."""
    traces = said.split("Traceback (most recent call last)")[1:]
    return [trace for trace in traces if "DisallowedHost: " not in trace] + [fault for fault in FAULTS if fault in said]


@pytest.fixture(scope="session")
def _behind() -> Iterator[Behind]:
    with Behind() as behind:
        yield behind


@pytest.fixture(scope="session")
def _gateway(_behind: Behind, tmp_path_factory: pytest.TempPathFactory, _static_files: None) -> Iterator[Gateway]:
    folder: Path = tmp_path_factory.mktemp("gateway")
    with portal.gateway(folder, _behind.url) as running:
        yield running


@pytest.fixture
def behind(_behind: Behind) -> Behind:
    _behind.forget()
    _behind.latency = 0.0
    return _behind


@pytest.fixture
def gateway(_gateway: Gateway, behind: Behind) -> Iterator[Gateway]:
    """Whatever is asked of it, nothing may go wrong inside."""
    before = len(_gateway.said)
    yield _gateway
    assert not _stumbles(_gateway.said[before:])


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A DOI name that no other test has asked for: what one test has put there, another might find kept.
    Of a test's parameters it holds nothing that could be read: a page shows the address that was asked for."""
    slug = re.sub(r"[^a-z0-9]+", ".", request.node.originalname.lower())[:60].strip(".")
    return f"10.5555/{slug}.{hashlib.sha256(request.node.nodeid.encode()).hexdigest()[:12]}"
