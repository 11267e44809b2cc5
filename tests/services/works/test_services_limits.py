"""What the agencies' services say of their limits, over a socket: a rate, a pause, nothing at all."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

import pytest
from prometheus_client import REGISTRY

from doi_reading import fold
from resolver.counters import REQUEST_SECONDS
from resolver.domain.handle.answers import Failure
from resolver.domain.work.metadata import WorkMetadata
from resolver.proxy.metadata_requests import ServicePaused
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.configured_services import (
    FAILURE_PAUSE_SECONDS,
    find_budget,
    services_from_settings,
)
from resolver.services.works.records import find_records
from tests.proxy.raw_server import Answer, RawServer, Request, http

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CROSSREF = [f"10.5555/limit-{number}" for number in range(3)]
DATACITE, MORE_OF_DATACITE = ["10.5061/dryad.8515", "10.21228/m8zv3b"], ["10.5438/bv9z-dc66", "10.3207/2959859860"]
Serve = Callable[[Callable[[Request], Answer]], RawServer]


@pytest.fixture(autouse=True)
def _own_budgets(settings: Any) -> None:
    """In the data folder of each test."""
    settings.REDIS_URL, settings.CONTACT_EMAIL = "", "portal@library.example"
    settings.DOI_PROXY_TIMEOUT = 2.0


@pytest.fixture
def serve(settings: Any) -> Iterator[Serve]:
    """Serve in place of all services."""
    with ExitStack() as stack:

        def start(answer: Callable[[Request], Answer]) -> RawServer:
            server = stack.enter_context(RawServer(answer))
            settings.METADATA_SERVICE_URL = server.url
            return server

        yield start


def works_of(request: Request, **headers: str) -> bytes:
    """The works of the names in the address, in the form of the service that it is of."""
    _, _, names = unquote(request.target).rpartition("=")
    listed = [name.removeprefix("doi:") for name in names.split(",")]
    if request.target.startswith("/works"):
        body: Any = {"message": {"items": [{"DOI": name, "title": ["T"]} for name in listed]}}
    else:
        body = {"data": [{"attributes": {"doi": name, "titles": [{"title": "T"}]}} for name in listed]}
    return http(200, body, **headers)


def find(names: list[str], proxy: DoiProxy) -> list[bool]:
    """Which of the names have got their works; the others have a failure."""
    found = find_records(names, proxy=proxy, services=services_from_settings(), now=NOW)
    answers = [found[fold(name)].answer for name in names]
    assert all(isinstance(answer, WorkMetadata | Failure) for answer in answers)
    return [isinstance(answer, WorkMetadata) for answer in answers]


def test_a_lower_rate_holds_for_the_next_lists_of_that_service_alone(serve: Serve, proxy: DoiProxy) -> None:
    serve(lambda request: works_of(request, X_Rate_Limit_Limit="1", X_Rate_Limit_Interval="1s"))
    assert find(CROSSREF, proxy) == [True] * 3
    service = services_from_settings()["Crossref"]
    assert (service.lists.read_health().pace, service.single.read_health().pace) == (1.0, 0.0)
    began = time.monotonic()
    for number in range(3):
        find([f"{name}-{number}" for name in CROSSREF], proxy)
    assert time.monotonic() - began >= 2.0


def test_a_higher_rate_is_no_reason_to_be_quicker(serve: Serve, proxy: DoiProxy) -> None:
    serve(lambda request: works_of(request, X_Rate_Limit_Limit="5000", X_Rate_Limit_Interval="1s"))
    began = time.monotonic()
    for number in range(4):
        find([f"{name}-{number}" for name in CROSSREF], proxy)
    assert time.monotonic() - began >= 0.99
    assert services_from_settings()["Crossref"].lists.read_health().pace == 0


@pytest.mark.parametrize(("contact", "lists", "single"), [("a@b.example", 3.0, 10.0), ("", 1.0, 5.0)])
def test_without_a_contact_the_public_limits_hold(contact: str, lists: float, single: float, settings: Any) -> None:
    settings.CONTACT_EMAIL = contact
    service = services_from_settings()["Crossref"]
    assert (service.lists.limits.rate, service.single.limits.rate) == (lists, single)
    assert service.single is find_budget("api.crossref.org")
    assert services_from_settings()["DataCite"].lists is find_budget("data.crosscite.org")
    assert find_budget("data.medra.org").limits.rate == 1.0


def test_a_service_that_wants_a_pause_gets_no_list_until_it_is_over(serve: Serve, proxy: DoiProxy) -> None:
    server = serve(lambda request: http(429, "slow down", Retry_After="30"))
    began = time.monotonic()
    assert find(CROSSREF, proxy) == [False] * 3
    assert find([*CROSSREF, "10.5555/limit,comma"], proxy) == [False] * 4  # the name alone isn't of the list's limit
    assert len([target for target in server.targets if target.startswith("/works?")]) == 1
    assert time.monotonic() - began < 10
    assert 25 < services_from_settings()["Crossref"].lists.get_pause() <= 30


@pytest.mark.parametrize("failure", [http(502, "<html>"), http(403, "<html>")], ids=["502", "403"])
def test_of_two_services_the_one_out_of_order_is_left_alone_for_a_minute(
    failure: bytes, serve: Serve, proxy: DoiProxy
) -> None:
    server = serve(lambda request: failure if request.target.startswith("/works") else works_of(request))
    assert find([*CROSSREF, *DATACITE], proxy) == [False] * 3 + [True] * 2
    requests = len(server.requests)
    began = time.monotonic()
    more = [f"{name}-again" for name in CROSSREF]
    assert find([*more, *MORE_OF_DATACITE], proxy) == [False] * 3 + [True] * 2
    assert time.monotonic() - began < 3
    assert len(server.requests) == requests + 1
    assert 50 < services_from_settings()["Crossref"].lists.get_pause() <= FAILURE_PAUSE_SECONDS


@pytest.mark.slow
def test_a_service_that_never_answers_leaves_the_other_its_time(serve: Serve, proxy: DoiProxy, settings: Any) -> None:
    def answer(request: Request) -> bytes:
        if request.target.startswith("/works"):
            time.sleep(12)
        return works_of(request)

    settings.DOI_PROXY_TIMEOUT = 20.0
    serve(answer)
    began = time.monotonic()
    assert find([*CROSSREF, *DATACITE], proxy) == [False] * 3 + [True] * 2
    assert time.monotonic() - began < 18
    with pytest.raises(ServicePaused):
        services_from_settings()["Crossref"].find_works(CROSSREF)


def test_hostile_headers_neither_stop_nor_break_anything(serve: Serve, proxy: DoiProxy) -> None:
    headers = iter([("0", "1h"), ("9" * 400, "1s"), ("1e9", "1s"), ("-1", "-1s"), ("3", "s" * 9000)])

    def answer(request: Request) -> bytes:
        limit, interval = next(headers)
        return works_of(request, X_Rate_Limit_Limit=limit, X_Rate_Limit_Interval=interval)

    serve(answer)
    assert find(CROSSREF, proxy) == [True] * 3
    assert find([f"{name}-b" for name in CROSSREF], proxy) == [True] * 3
    assert services_from_settings()["Crossref"].lists.read_health().pace >= 0.2


def test_answers_of_services_are_no_answers_of_the_proxy_in_the_figures(serve: Serve, proxy: DoiProxy) -> None:
    def count(answer: str) -> float:
        # The sum of the seconds: it grows with each request.
        return next(
            sample.value
            for sample in generate_samples()
            if sample.name.endswith("request_seconds_sum") and sample.labels["answer"] == answer
        )

    def generate_samples() -> list[Any]:
        for answer in ("failed", "other"):
            REQUEST_SECONDS(answer)  # each is there from the beginning
        (metric,) = [each for each in REGISTRY.collect() if each.name == "doiportal_proxy_request_seconds"]
        return list(metric.samples)

    serve(lambda request: http(502, "<html>"))
    failed, other = count("failed"), count("other")
    assert find(CROSSREF, proxy) == [False] * 3
    assert count("failed") == failed
    assert count("other") > other
