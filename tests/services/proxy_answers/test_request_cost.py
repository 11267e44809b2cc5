"""What one text, one row or one request costs the DOI proxy at most, counted at a socket, whatever the proxy does."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from resolver.models import Job, Lookup, Row
from resolver.proxy.limits.requests_per_text import MOST_REQUESTS
from resolver.services.comparisons import compare, reruns
from resolver.services.jobs import retry
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.cache import NEVER
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.name_answers import OTHERS_IN_FULL
from resolver.services.results.export import iterate_results
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import Answer, RawServer, Request
from tests.services.conftest import NOW, make_job, run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _long_texts(settings: Any) -> None:
    settings.MAX_CELL = 50_000


def text_of(count: int) -> str:
    return " ".join(f"10.1000/{n}" for n in range(count))


MANY = text_of(1_000)


def orderly(request: Request) -> Answer:
    if request.target.startswith("/doiRA/"):
        return raw.agencies(request.names)
    return raw.record(request.name)


def only_records(request: Request) -> Answer:
    """Which RA is out of order."""
    return raw.http(500, "") if request.target.startswith("/doiRA/") else orderly(request)


def only_agencies(request: Request) -> Answer:
    return orderly(request) if request.target.startswith("/doiRA/") else raw.http(500, "")


def only_the_first(request: Request) -> Answer:
    return orderly(request) if request.target.endswith("/10.1000/0") else raw.http(502, "")


def web_pages(request: Request) -> Answer:
    return raw.http(500, "<html>no</html>")


def code_2(request: Request) -> Answer:
    if request.target.startswith("/doiRA/"):
        return raw.http(200, [{"DOI": name, "status": "Unknown"} for name in request.names])
    return raw.http(500, {"responseCode": 2, "handle": request.name})


def nothing_exists(request: Request) -> Answer:
    if request.target.startswith("/doiRA/"):
        return raw.http(200, [{"DOI": name, "status": "Unknown"} for name in request.names])
    return raw.missing(request.name)


def cut(request: Request) -> Answer:
    return raw.reset


PROXIES = (orderly, only_records, only_agencies, only_the_first, web_pages, code_2, nothing_exists, cut)


@pytest.mark.parametrize("answer", PROXIES)
@pytest.mark.parametrize("text", [MANY, text_of(1_110), "10.1000/a (10.1000/b), 10.1000/c#d; 10.1000/e."])
def test_a_lookup_costs_so_many_requests_at_most(
    answer: Callable[[Request], Answer], text: str, proxy_at: Callable[..., DoiProxy]
) -> None:
    with RawServer(answer) as server:
        create_lookup(text, owner="user:1", proxy=proxy_at(server.url), now=NOW)
        assert len(server.requests) <= MOST_REQUESTS


@pytest.mark.parametrize("answer", PROXIES)
@pytest.mark.parametrize("quick", [False, True])
def test_a_row_costs_so_many_requests_at_most_and_no_name_that_was_not_asked_is_missing(
    answer: Callable[[Request], Answer], quick: bool, proxy_at: Callable[..., DoiProxy]
) -> None:
    with RawServer(answer) as server:
        proxy = proxy_at(server.url)
        job = run(make_job(f'doi\n"{MANY}"\n', proxy, quick=quick), proxy)
        assert len(server.requests) <= MOST_REQUESTS
        asked = {name for r in server.requests for name in (r.names if "doiRA" in r.target else [r.name])}
    row = Row.objects.get(job=job)
    assert (job.state, job.done, len(row.others)) == ("finished", 1, 999)
    said = {other["doi"]: other["outcome"] for other in row.others}
    assert {said[name] for name in said.keys() - asked} <= {""}
    assert not (row.outcome == "not-found" and answer is not nothing_exists)


def test_a_row_has_its_own_answer_whatever_its_others_cost(proxy_at: Callable[..., DoiProxy]) -> None:
    with RawServer(only_the_first) as server:
        proxy = proxy_at(server.url)
        job = run(make_job(f'doi\n"{MANY}"\n', proxy), proxy)
    assert Row.objects.get(job=job).outcome == "resolved"


def test_at_an_orderly_proxy_all_of_a_thousand_dois_are_told_of(proxy_at: Callable[..., DoiProxy]) -> None:
    with RawServer(orderly) as server:
        proxy = proxy_at(server.url)
        job = run(make_job(f'doi\n"{MANY}"\n', proxy), proxy)
        found = create_lookup(MANY, owner="user:1", proxy=proxy_at(server.url), now=NOW, fresh_since=NEVER)
    for others in (Row.objects.get(job=job).others, found.others):
        said = [other["outcome"] for other in others]
        assert set(said) == {"resolved", "registered"}
        assert 0 < said.count("resolved") <= OTHERS_IN_FULL
        assert {other["ra"] for other in others} == {"Crossref"}


def test_what_was_not_asked_is_said_and_asking_again_goes_on_from_there(proxy_at: Callable[..., DoiProxy]) -> None:
    text = text_of(2_600)
    with RawServer(orderly) as server:
        proxy = proxy_at(server.url)
        job = run(make_job(f'doi\n"{text}"\n', proxy), proxy)
        first = [other["outcome"] for other in Row.objects.get(job=job).others]
        [row] = iterate_results(job)
        assert "Some DOIs in this text weren't checked." in row.messages
        assert first.count("") > 0
        assert "not-found" not in first
        assert (job.incomplete, retry.count_rows_to_retry(job)) == (1, 1)
        retry.retry_job(job, proxy=proxy, now=NOW)
        again = run(job, proxy)
    said = [other["outcome"] for other in Row.objects.get(job=again).others]
    assert said.count("") < first.count("")


def test_a_row_beside_one_with_a_thousand_dois_has_its_answer(proxy_at: Callable[..., DoiProxy]) -> None:
    with RawServer(only_records) as server:
        proxy = proxy_at(server.url)
        rows = [MANY, *(f"10.1000/{n}" for n in range(0, 1_000, 25))]
        job = run(make_job("doi\n" + "".join(f'"{row}"\n' for row in rows), proxy), proxy)
        assert len(server.requests) <= MOST_REQUESTS * len(rows)
    assert set(Row.objects.filter(job=job).values_list("outcome", flat=True)) == {"resolved"}


def test_the_survey_of_a_list_asks_for_no_more_than_a_batch_of_one_row(proxy_at: Callable[..., DoiProxy]) -> None:
    with RawServer(orderly) as server:
        proxy = proxy_at(server.url)
        rows = [MANY, *(f"10.1000/x{n}" for n in range(60))]
        job = make_job("doi\n" + "".join(f'"{row}"\n' for row in rows), proxy)
        run(job, proxy)
        records = [target for target in server.targets if "handles" in target]
    assert len(records) <= 60 + 1 + OTHERS_IN_FULL


def test_comparing_two_lists_asks_nothing(proxy_at: Callable[..., DoiProxy]) -> None:
    with RawServer(orderly) as server:
        proxy = proxy_at(server.url)
        before = run(make_job(f'doi\n"{MANY}"\n', proxy), proxy)
        after = run(reruns.create_rerun(before, proxy=proxy, now=NOW), proxy)
        asked = len(server.requests)
        comparison = compare.get_or_create_comparison(before, after, now=NOW)
        while compare.compare_for_turn(comparison.pk):
            pass
        assert len(server.requests) == asked


@pytest.mark.parametrize("path", ["/10.1000/a0", "/api/handles/10.1000/a0", "/10.1000/a0?auth=true"])
def test_a_chain_of_aliases_at_a_proxy_that_fails_now_and_then_is_bounded_at_the_gateway(
    path: str, client: Client, settings: Any
) -> None:
    failed: dict[str, int] = {}

    def answer(request: Request) -> Answer:
        name = request.name.partition("?")[0]
        failed[name] = failed.get(name, 0) + 1
        if failed[name] % 3:
            return raw.http(502, "")
        number = name.rpartition("a")[2]
        return raw.record(name, ("HS_ALIAS", f"10.1000/a{int(number) + 1}")) if number.isdigit() else raw.missing(name)

    with RawServer(answer) as server:
        settings.DOI_PROXY_URL, settings.DOI_PROXY_BACKOFF, settings.PROXY_RATE = server.url, 0.001, 0
        client.get(path)
        assert 0 < len(server.requests) <= MOST_REQUESTS


def test_which_ra_at_the_gateway_is_bounded_for_a_list_of_names(client: Client, settings: Any) -> None:
    with RawServer(web_pages) as server:
        settings.DOI_PROXY_URL, settings.DOI_PROXY_BACKOFF, settings.PROXY_RATE = server.url, 0.001, 0
        client.get("/doiRA/" + ",".join(f"10.1/{n}" for n in range(100)))
        assert 0 < len(server.requests) <= MOST_REQUESTS


@pytest.mark.parametrize("answer", [only_agencies, only_the_first, cut])
def test_a_lookup_by_the_page_and_by_rest_is_bounded(
    answer: Callable[[Request], Answer], client: Client, settings: Any
) -> None:
    with RawServer(answer) as server:
        settings.DOI_PROXY_URL, settings.DOI_PROXY_BACKOFF, settings.PROXY_RATE = server.url, 0.001, 0
        client.post("/api/v1/lookups", {"input": text_of(900)}, content_type="application/json")
        assert 0 < len(server.requests) <= MOST_REQUESTS
        before = len(server.requests)
        client.post("/lookups", {"text": text_of(900)})
        assert before < len(server.requests) <= before + MOST_REQUESTS
    assert Lookup.objects.count() >= 1
    assert not Job.objects.exists()
