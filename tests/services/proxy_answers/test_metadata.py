"""What a DOI stands for: stored for thirty days, requested once for all that want it, not stored when it failed."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from resolver.domain.handle.answers import ProxyError, Unreachable
from resolver.domain.work.authors import Person
from resolver.domain.work.metadata import NoMetadata, NoMetadataReason, WorkMetadata
from resolver.models import StoredAnswer
from resolver.proxy.limits import Paused
from resolver.services.lookups.metadata import DescribedWork, describe_work
from resolver.services.proxy_answers.cache import load_agencies, load_records
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.fetch import LONGEST_STORED_NAME, fetch_agencies, fetch_metadata, fetch_record
from resolver.standin.server import SampleProxyServer
from tests.proxy.agency_service import AGENCY, HOST, serve_agency
from tests.proxy.raw_server import PAGE, RawServer, http

pytestmark = pytest.mark.django_db(transaction=True)
NOW = timezone.now().replace(microsecond=0)
ProxyAt = Callable[..., DoiProxy]


@pytest.fixture(autouse=True)
def _own_service_budgets(settings: Any) -> None:
    """In the data folder of each test."""
    settings.REDIS_URL = ""


def describe(name: str, proxy: DoiProxy, **options: Any) -> DescribedWork:
    return describe_work(name, proxy=proxy, now=NOW, **options)


def asked(standin: SampleProxyServer, name: str) -> list[str]:
    return [target for target in standin.requests if name in target]


def test_the_work_behind_a_name_is_described_by_its_agency(proxy: DoiProxy) -> None:
    fetch_agencies(["10.5555/Described-1"], proxy=proxy, now=NOW)
    found = describe("10.5555/Described-1", proxy)
    assert found.work is not None
    assert (found.work.title, found.work.container) == ("Sample title of 10.5555/Described-1", "Journal of Sample Data")
    assert (found.agency, found.received_at, found.stored, found.is_about_another) == ("Crossref", NOW, False, False)


def test_a_dataset_is_described_too(proxy: DoiProxy) -> None:
    work = describe("10.5438/bv9z-dc66", proxy).work
    assert work is not None
    assert (work.type, work.container) == ("dataset", "")


def test_of_an_alias_the_main_doi_is_described_and_named(proxy: DoiProxy) -> None:
    found = describe("10.5555/alias-described", proxy)
    assert found.work is not None
    assert found.work.doi == "10.5555/target-described"
    assert found.is_about_another


def test_an_answer_is_stored_for_thirty_days_under_every_case_of_the_name(proxy: DoiProxy, standin: Any) -> None:
    describe("10.5555/kept-work", proxy)
    standin.reset()
    again = describe_work("10.5555/KEPT-work", proxy=proxy, now=NOW + timedelta(days=29))
    assert (again.stored, again.received_at) == (True, NOW)
    assert standin.requests == []
    assert not describe_work("10.5555/kept-work", proxy=proxy, now=NOW + timedelta(days=31)).stored
    assert len(asked(standin, "kept-work")) == 2


def test_a_fresh_answer_is_requested_whatever_is_stored(proxy: DoiProxy, standin: Any) -> None:
    describe("10.5555/fresh-work", proxy)
    standin.reset()
    assert not describe("10.5555/fresh-work", proxy, fresh=True).stored
    assert len(asked(standin, "fresh-work")) == 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("10.5555/unknownwork-1", NoMetadataReason.NOT_AVAILABLE),
        ("10.2777/28598", NoMetadataReason.NOT_AVAILABLE),
        ("10.1430/8105", NoMetadataReason.NO_SERVICE),
        ("10.12345/a", NoMetadataReason.NOT_REGISTERED),
        ("10.5555/missing-work", NoMetadataReason.NOT_REGISTERED),
    ],
)
def test_that_an_agency_gives_nothing_is_an_answer_and_stored(
    name: str, reason: NoMetadataReason, proxy: DoiProxy, standin: Any
) -> None:
    first = describe(name, proxy)
    assert first.nothing is not None
    assert first.nothing.reason is reason
    standin.reset()
    assert describe(name, proxy).nothing == first.nothing
    assert standin.requests == []


def test_a_web_page_in_place_of_metadata_counts_for_an_hour(proxy_at: ProxyAt) -> None:
    with RawServer(lambda request: PAGE) as server:
        proxy = proxy_at(server.url)
        assert describe("10.1/page", proxy).nothing == NoMetadata(NoMetadataReason.WEB_PAGE, "127.0.0.1")
        assert describe_work("10.1/page", proxy=proxy, now=NOW + timedelta(minutes=59)).stored
        assert not describe_work("10.1/page", proxy=proxy, now=NOW + timedelta(minutes=61)).stored
    assert len(server.requests) == 2


@pytest.mark.parametrize(("name", "kind"), [("10.5555/reset-work", Unreachable), ("10.5555/garbage-work", ProxyError)])
def test_a_failure_is_told_and_never_stored(name: str, kind: type, proxy_at: ProxyAt, proxy: DoiProxy) -> None:
    def answer(request: Any) -> bytes:
        return http(502, "x") if "reset" in request.target else http(200, '{"title": ')

    with RawServer(answer) as server:
        found = describe(name, proxy_at(server.url))
    assert type(found.failure) is kind
    assert (found.received_at, found.work, found.nothing) == (None, None, None)
    assert not StoredAnswer.objects.filter(name=name).exists()


def test_an_agency_that_limits_requests_gets_none_until_its_time_is_over(
    proxy_at: ProxyAt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = http(429, "<html>", Retry_After="40")
    with serve_agency(busy, tmp_path, monkeypatch) as served:
        proxy = proxy_at(served.behind.url)
        for name in ("10.1/a", "10.1/b"):
            with pytest.raises(Paused) as pause:
                describe(name, proxy)
            assert 35 < pause.value.seconds <= 40
            assert HOST in pause.value.describe("12:00")
        proxy.client.close()
        assert len(served.server.requests) == 1
        assert len(served.behind.requests) == 2
    assert not StoredAnswer.objects.exists()


def test_the_agency_is_named_by_the_host_that_answers(
    proxy_at: ProxyAt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve_agency(http(200, {"title": "T"}), tmp_path, monkeypatch) as served:
        proxy = proxy_at(served.behind.url)
        found = describe("10.1/named", proxy)
        proxy.client.close()
    assert (found.agency, found.work) == (AGENCY, WorkMetadata(title="T", source=HOST, titles=("T",)))


def test_a_name_of_a_thousand_signs_more_than_is_kept_is_described_and_not_stored(proxy: DoiProxy) -> None:
    name = "10.5555/" + "a" * LONGEST_STORED_NAME
    assert describe(name, proxy).work is not None
    assert not StoredAnswer.objects.exists()


def test_a_record_and_an_agency_stay_beside_the_metadata(proxy: DoiProxy) -> None:
    name = "10.5555/beside"
    fetch_record(name, proxy=proxy, now=NOW)
    fetch_agencies([name], proxy=proxy, now=NOW)
    fetch_metadata(name, proxy=proxy, now=NOW)
    known = {"proxy": proxy.base_url, "now": NOW}
    assert load_records([name], **known)
    assert load_agencies([name], **known)
    assert StoredAnswer.objects.get(name=name).metadata["title"] == f"Sample title of {name}"


def test_odd_metadata_becomes_plain_text(proxy: DoiProxy) -> None:
    assert describe("10.5555/oddwork-1", proxy).work == WorkMetadata(
        doi="10.5555/oddwork-1",
        title="H2O & E. coli, p < 0.05 <script>alert(1)</script>",
        first_author="The Sample Consortium",
        authors=3,
        year=2019,
        type="dataset",
        source="127.0.0.1",
        titles=("H2O & E. coli, p < 0.05 <script>alert(1)</script>",),
        people=(Person("The Sample Consortium"),),
        years=(2019,),
    )


def test_of_twenty_that_want_it_at_once_one_asks(proxy: DoiProxy, standin: Any) -> None:
    ready = threading.Barrier(20)

    def one(_: int) -> str:
        ready.wait(10)
        try:
            work = fetch_metadata("10.5555/wanted-by-many", proxy=proxy, now=timezone.now()).answer
        finally:
            connection.close()
        assert isinstance(work, WorkMetadata)
        return work.title

    standin.reset()
    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(one, range(20))) == {"Sample title of 10.5555/wanted-by-many"}
    assert len(asked(standin, "wanted-by-many")) == 2


def test_every_request_takes_a_permit_of_the_budget(proxy: DoiProxy, standin: Any) -> None:
    proxy.budget.pause(60)
    standin.reset()
    with pytest.raises(Paused):
        describe("10.5555/paused-work", proxy)
    assert standin.requests == []
