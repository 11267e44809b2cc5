"""Rows whose outcome is known, but of which something else could not be asked, are counted and asked again."""

from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from urllib.parse import unquote, urlsplit

import pytest

from resolver.models import Job, Row
from resolver.services.jobs import retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.standin.server import SampleProxyServer
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer
from tests.services.conftest import NOW, make_job, run
from tests.services.jobs.test_retry import assert_counts_are_those_of_the_rows, go_on

pytestmark = pytest.mark.django_db(transaction=True)

LIST = (
    "doi\n10.5555/one\n10.5555/missing\n10.5555/second&missing=1\n10.5555 / three\n"
    "10.5555/four and 10.5555/five\nnothing\n10.5555/error-a\n"
)
LACKING = [1, 2, 3, 4, 5]  # agency, prefix, prefix and candidate, candidate, agencies of both


class Relay:
    """The stand-in behind a fault: while it is broken, Which RA and the records of some names get half an answer."""

    def __init__(self, standin: SampleProxyServer) -> None:
        self.is_broken = True
        self.asked: list[str] = []
        self._to = urlsplit(standin.url).netloc

    def __call__(self, request: raw.Request) -> raw.Answer:
        self.asked.append(unquote(request.target))
        name = request.name.partition("?")[0]
        if self.is_broken and (request.target.startswith("/doiRA/") or name in ("10.5555/second", "10.5555/three")):
            return raw.half
        connection = HTTPConnection(self._to)
        connection.request("GET", request.target)
        answer = connection.getresponse()
        sent = raw.http(answer.status, answer.read())
        connection.close()
        return sent


@pytest.fixture
def relay(standin: SampleProxyServer) -> Relay:
    return Relay(standin)


@pytest.fixture
def behind(relay: Relay, proxy_at: Callable[..., DoiProxy]) -> Iterator[DoiProxy]:
    """The proxy that is asked through the relay."""
    with RawServer(relay) as server:
        yield proxy_at(server.url)


def told(job: Job) -> list[dict[str, object]]:
    columns = "outcome", "ra", "prefix_ra", "urls", "suggestion", "also_registered", "others", "messages", "incomplete"
    return list(Row.objects.filter(job=job).order_by("line").values(*columns))


def incomplete(job: Job) -> list[int]:
    return list(Row.objects.filter(job=job, incomplete=True).order_by("line").values_list("line", flat=True))


def test_they_are_asked_again_for_what_is_missing_and_for_nothing_else(
    relay: Relay, behind: DoiProxy, proxy: DoiProxy
) -> None:
    job = run(make_job(LIST, behind), behind)
    outcomes = {"resolved": 2, "not-found": 2, "invalid": 2, "proxy-error": 1}
    assert (job.state, job.counts["outcome"], job.counts["ra"]) == ("finished", outcomes, {})
    assert (incomplete(job), job.incomplete, job.needs_review) == (LACKING, 5, 1)
    assert retry.count_rows_to_retry(job) == 6
    relay.is_broken = False
    relay.asked.clear()
    retry.retry_job(job, proxy=behind, now=NOW)
    assert (job.done, job.incomplete, job.needs_review, job.counts["outcome"]) == (1, 0, 0, {"invalid": 1})
    assert_counts_are_those_of_the_rows(job)
    job = go_on(job, behind)
    assert (job.state, job.done, job.incomplete, job.counts["outcome"]) == ("finished", 7, 0, outcomes)
    assert_counts_are_those_of_the_rows(job)
    assert told(job) == told(run(make_job(LIST, proxy), proxy))
    records = {target.removeprefix("/api/handles/") for target in relay.asked if "/api/handles/" in target}
    suggested = {"10.5555/second", "10.5555/three"}
    assert {name.partition("?")[0] for name in records} == {"10.5555/error-a", *suggested}


def test_another_doi_of_the_text_may_be_all_that_is_missing(relay: Relay, behind: DoiProxy) -> None:
    relay.is_broken = False
    run(make_job("doi\n10.5555/four\n", behind), behind)  # is stored
    relay.is_broken = True
    job = run(make_job("doi\n10.5555/four and 10.5555/five\n10.5555/four\n", behind), behind)
    assert (job.counts["ra"], incomplete(job)) == ({"Crossref": 2}, [1])


def test_they_stay_so_as_long_as_it_cannot_be_asked(behind: DoiProxy) -> None:
    job = run(make_job(LIST, behind), behind)
    before = told(job)
    retry.retry_job(job, proxy=behind, now=NOW)
    job = go_on(job, behind)
    assert (job.state, job.done, job.incomplete) == ("finished", 7, 5)
    assert told(job) == before


def test_the_quick_check_keeps_the_record_that_stood_in_for_the_agency(relay: Relay, behind: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/one\n", behind, quick=True), behind)
    assert (job.counts["outcome"], job.incomplete) == ({"resolved": 1}, 1)
    relay.is_broken = False
    retry.retry_job(job, proxy=behind, now=NOW)
    assert go_on(job, behind).counts == {"outcome": {"registered": 1}, "problem": {}, "ra": {"Crossref": 1}}
    assert job.incomplete == 0


@pytest.mark.parametrize("quick", [False, True])
def test_what_was_answered_in_full_is_complete(proxy: DoiProxy, quick: bool) -> None:
    more = "10.5556/nothing\n10.5555/nourl\n10.5555/novalues\n10.5555/alias\n10/abcde\n10.99999999/x\n"
    job = run(make_job(LIST + more, proxy, quick=quick), proxy)
    assert (incomplete(job), job.incomplete) == ([], 0)
    assert len(list(iterate_results(job))) == 13


def test_what_could_not_be_asked_at_all_is_counted_once(nowhere: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/one\n10.5555/four and 10.5555/five\n", nowhere), nowhere)
    assert (job.incomplete, retry.count_rows_to_retry(job)) == (0, 2)
