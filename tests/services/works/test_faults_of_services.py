"""A list that compares works while a metadata service limits, hangs or dies: every row is right, or wasn't asked."""

from typing import Any
from urllib.parse import unquote

import pytest
from django.utils import timezone

from resolver.models import Job, Row
from resolver.services.jobs import retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from tests.proxy.raw_server import Answer, RawServer, Request, hang_up, http, silence
from tests.services.conftest import make_job, run, work_off

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = 250
DATACITE = ("10.5061/dryad.8515", "10.21228/m8zv3b", "10.5438/bv9z-dc66", "10.3207/2959859860")
FAULTS: dict[str, Answer] = {
    "long-pause": http(429, {}, Retry_After="30"),
    "error": http(503, {}),
    "nonsense": http(200, b"<html>"),
    "no-answer": silence,
    "hangs-up": hang_up,
}


class FaultyServices:
    """Answers in place of all services. From the list `first` of Crossref on, `count` lists get the fault."""

    def __init__(self, fault: Answer = b"", first: int = 3, count: int = 1000) -> None:
        self.fault, self.faulty = fault, range(first, first + count)
        self.lists, self.asked = 0, list[str]()

    def answer(self, request: Request) -> Answer:
        path, _, query = unquote(request.target).partition("?")
        names = [name.removeprefix("doi:") for name in query.rpartition("=")[2].split(",")]
        works: dict[str, Any] = {"data": [{"attributes": {"doi": name, "titles": [_title(name)]}} for name in names]}
        if path == "/works":
            self.lists += 1
            if self.lists in self.faulty:
                return self.fault
            works = {"message": {"items": [{"DOI": name, "title": [f"On {name}"]} for name in names]}}
        self.asked += names
        return http(200, works)


def _title(name: str) -> dict[str, str]:
    return {"title": f"On {name}"}


@pytest.fixture(autouse=True)
def _own_budgets(settings: Any) -> None:
    settings.REDIS_URL, settings.CONTACT_EMAIL = "", "portal@library.example"
    settings.DOI_PROXY_TIMEOUT, settings.DOI_PROXY_ATTEMPTS = 1.0, 1


def build_list() -> str:
    names = [*(f"10.5555/f{number}" for number in range(ROWS)), *DATACITE]
    return "doi,title\n" + "".join(f"{name},On {name}\n" for name in names)


def verdicts_of(job: Job) -> dict[str, str]:
    return dict(Row.objects.filter(job=job).values_list("doi", "work"))


def test_a_service_that_asks_for_a_second_gets_it_and_every_row_is_compared(proxy: DoiProxy, settings: Any) -> None:
    services = FaultyServices(http(429, {}, Retry_After="1"), count=1)
    settings.DOI_PROXY_ATTEMPTS = 2
    with RawServer(services.answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        assert {*verdicts_of(run(make_job(build_list(), proxy, compare=True), proxy)).values()} == {"same"}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_row_is_right_or_could_not_be_asked_and_a_retry_asks_for_those_alone(
    fault: str, proxy: DoiProxy, settings: Any
) -> None:
    with RawServer(FaultyServices(FAULTS[fault]).answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        job = run(make_job(build_list(), proxy, compare=True), proxy)
    found = verdicts_of(job)
    left = {name for name, verdict in found.items() if verdict != "same"}
    assert left
    assert {found[name] for name in left} == {"could-not-ask"}
    assert all(name.startswith("10.5555/") for name in left)
    assert job.incomplete == len(left)
    repaired = FaultyServices(count=0)
    with RawServer(repaired.answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        retry.retry_job(job, proxy=proxy, now=timezone.now())
        assert {*verdicts_of(work_off(job, proxy)).values()} == {"same"}
    assert {*repaired.asked} == left


def test_a_record_of_another_doi_is_no_answer(proxy: DoiProxy, settings: Any) -> None:
    with RawServer(FaultyServices(http(200, {"message": {"items": [_ELSE]}})).answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        found = verdicts_of(run(make_job(build_list(), proxy, compare=True), proxy))
    assert {*found.values()} == {"same", "cannot-tell"}


_ELSE = {"DOI": "10.5555/else", "title": ["Else"]}
