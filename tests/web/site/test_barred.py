"""When the DOI proxy refuses us, every page says so, and no longer than it does."""

import logging
from collections.abc import Iterator

import pytest
from django.test import Client

from resolver.services.proxy_answers.configured_proxy import get_barred_since
from resolver.standin.server import SampleProxyServer
from tests.web.conftest import Look, html_of

SAID = "has refused this portal’s requests"


@pytest.fixture
def standin() -> Iterator[SampleProxyServer]:
    """One of its own: it is told to refuse everyone."""
    with SampleProxyServer() as server:
        yield server


def test_pages_tell_that_the_proxy_refuses_until_it_answers_again(
    visitor: Client, look: Look, standin: SampleProxyServer, caplog: pytest.LogCaptureFixture
) -> None:
    assert SAID not in html_of(visitor.get("/"))
    standin.refuse(everyone=True)
    with caplog.at_level(logging.ERROR, "resolver.proxy"):
        assert "Don’t change the DOI because of this result" in html_of(look("10.5555/barred-1"))
        look("10.5555/barred-2")
    for page in ("/", "/jobs", "/history"):
        assert SAID in html_of(visitor.get(page))
    told = [record.getMessage() for record in caplog.records if record.name.startswith("resolver.proxy")]
    assert len(told) == 1, "once, not for every name"
    assert "HTTP 403, a web page" in told[0]
    standin.refuse()
    assert SAID not in html_of(look("10.5555/answered"))
    assert get_barred_since() is None
