"""One portal for all these tests: the web process, whose workers nobody starts, so that nothing is checked."""

from collections.abc import Iterator

import psutil
import pytest

from tests.gateway_outside.portal import Gateway, gateway
from tests.uploads.sending import Sender

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(scope="session")
def portal(tmp_path_factory: pytest.TempPathFactory, _static_files: None) -> Iterator[Gateway]:
    with gateway(tmp_path_factory.mktemp("uploads"), NOWHERE) as running:
        yield running


@pytest.fixture
def sender(portal: Gateway) -> Iterator[Sender]:
    """Whatever is sent, nothing may go wrong inside, and the portal answers afterwards."""
    before = len(portal.said)
    with Sender(portal.url) as somebody:
        yield somebody
        assert somebody.is_answered()
    said = portal.said[before:]
    assert "Traceback (most recent call last)" not in said
    assert "WORKER TIMEOUT" not in said


@pytest.fixture
def web_processes(portal: Gateway) -> list[psutil.Process]:
    """Those that serve requests."""
    started = psutil.Process().children(recursive=True)
    return [one for one in started if any(of.laddr.port == portal.port for of in one.net_connections("tcp"))]
