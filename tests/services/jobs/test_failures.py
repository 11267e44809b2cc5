"""Every row that could not be asked says why, and that it can be asked again."""

import dataclasses

import pytest

from resolver.models import Row
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import make_job, run

pytestmark = pytest.mark.django_db(transaction=True)

AGAIN = "This says nothing about the DOI. Check it again later."


def told(text: str, proxy: DoiProxy, **options: bool) -> dict[str, tuple[str, str]]:
    job = run(make_job(text, proxy, **options), proxy)
    return {row.input: (row.outcome, row.messages) for row in Row.objects.filter(job=job)}


def test_each_row_tells_what_went_wrong_with_it(proxy: DoiProxy) -> None:
    said = told("doi\n10.1000/182\n" + "".join(f"10.5555/{fault}-t\n" for fault in WORDS), proxy)
    assert said.pop("10.1000/182") == ("resolved", "")
    for fault, (outcome, words) in WORDS.items():
        found, messages = said[f"10.5555/{fault}-t"]
        assert found == outcome
        assert messages.startswith("Couldn't check: ")
        assert words in messages
        assert messages.endswith(AGAIN)


WORDS = {
    "html": ("proxy-error", "web page"),
    "error": ("proxy-error", "response code 2"),
    "garbage": ("proxy-error", "not JSON"),
    "forbidden": ("proxy-error", "HTTP 403"),
    "wrongname": ("proxy-error", "another name"),
    "busy": ("unreachable", "HTTP 503"),
    "limit": ("unreachable", "fewer requests"),
    "reset": ("unreachable", "cut"),
}


@pytest.mark.parametrize("quick", [False, True])
def test_a_proxy_that_is_not_there_is_told(nowhere: DoiProxy, quick: bool) -> None:
    said = told("doi\n10.5555/a\n10.5555/b and 10.5555/c\n", nowhere, quick=quick)
    for outcome, messages in said.values():
        assert outcome == "unreachable"
        assert f"Couldn't check: the DOI proxy's server refused the connection. {AGAIN}" in messages


def test_a_proxy_that_keeps_silent_is_told(nowhere: DoiProxy) -> None:
    with SampleProxyServer(latency=1) as standin:
        config = dataclasses.replace(nowhere.config, base_url=standin.url, timeout=0.1, attempts=1)
        said = told("doi\n10.5555/a\n10.5555/b\n", DoiProxy(config, nowhere.budget))
    assert [messages for _, messages in said.values()] == [
        f"Couldn't check: the DOI proxy did not answer in time. {AGAIN}"
    ] * 2
