"""Rows that lead to a host, in a list whose rows are stored without it: found, counted, decided, as a file."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from resolver.domain.redirect.web_host import find_host
from resolver.models import CheckedHost, HostCheck, Job, Row
from resolver.services.results import row_queries, row_search
from resolver.services.results.export import iterate_results
from resolver.services.results.facets import count_facets
from resolver.services.results.row_order import SORTS, RowOrder
from resolver.services.results.row_queries import RowFilter, fetch_rows, find_line_numbers, find_neighbours
from resolver.services.results.row_search import TimedSearch
from resolver.services.reviews.bulk_decisions import decide_rows
from resolver.services.reviews.decisions import Decider
from resolver.services.storage.keyset import Edge, filter_beyond
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db

LIST = "10.5555/a\n"
HOST = "journal.example.org"
LEADING_THERE = [
    "https://journal.example.org/a",
    "HTTP://JOURNAL.Example.ORG",
    " http://journal.example.org:8080/a ",
    "https://someone:else@journal.example.org/",
    "https://journal.example.org.?a",
    "https://journal.example.org#a",
    "https://jour\u00adnal.example.org/",
    "https://journal。example｡org/",
    "https://ｊｏｕｒｎａｌ.example.org/",
    "https://journal.example.org/\ud800",
    'https://journal.example.org/"\\\n',
]
LEADING_ELSEWHERE = [
    "https://old.journal.example.org/",
    "https://example.org/",
    "https://journal.example.org.evil.example/",
    "https://journal.example.orga/",
    "https://myjournal.example.org/",
    "https://journal-example.org/",
    "https://other.example/?https://journal.example.org/",
    "https://other.example/#@journal.example.org/",
    "https://journal.example.org@other.example/",
    "https://journal.example.org:0/",
    "https://journal.example.org\\@other.example/",
    "ftp://journal.example.org/",
    "journal.example.org/a",
]
OTHER_HOSTS = [
    "https://bücher.example/",
    "https://xn--bcher-kva.example/",
    "https://BÜCHER.example/",
    "https://b\u00fc\u2060cher.example/",
    "https://bücher.example/\ud800",  # whose JSON is in ASCII
    "https://bucher.example/",
    "https://[2001:0db8:0:0::0001]/",
    "https://[2001:DB8::1]:444/",
    "https://user@[2001:db8::1]/",
    "https://[2001:db8::11]/",
    "https://a_b.example/",
    "https://axb.example/",
    "https://o'reilly.example/",
    f"https://{'ü' * 100}.example/",
    "https://example.org../",
]


@pytest.fixture
def job(checked_job: Job) -> Job:
    return checked_job


def store(job: Job, *rows: Sequence[str], **columns: Any) -> None:
    """Give the job one row for each list of URL values."""
    Row.objects.filter(job=job).delete()
    columns = {"outcome": "resolved", "doi": "10.5555/a", **columns}
    Row.objects.bulk_create(Row(job=job, line=line, urls=urls, **columns) for line, urls in enumerate(rows, 1))
    Job.objects.filter(pk=job.pk).update(total=len(rows), done=len(rows))
    job.refresh_from_db()


def find(job: Job, host: str, most: int = 1000, **wanted: Any) -> list[int]:
    return find_line_numbers(job, RowFilter(host=host, **wanted), Row.objects.filter(job=job).order_by("line"), most)


def test_every_row_that_leads_to_the_host_is_found_and_no_other(job: Job) -> None:
    store(job, *([url] for url in LEADING_THERE + LEADING_ELSEWHERE), [])
    assert find(job, HOST) == list(range(1, len(LEADING_THERE) + 1))
    assert find(job, "Journal.Example.org") == find(job, HOST)
    assert find(job, HOST, most=2) == [1, 2]


def test_each_host_finds_the_rows_that_are_counted_for_it(job: Job) -> None:
    urls = LEADING_THERE + LEADING_ELSEWHERE + OTHER_HOSTS
    store(job, *([url] for url in urls))
    hosts = {find_host(url) for url in urls} - {""}
    assert {"xn--bcher-kva.example", "2001:db8::1", "a_b.example", "example.org.", f"{'ü' * 100}.example"} <= hosts
    for host in hosts:
        assert find(job, host) == [line for line, url in enumerate(urls, 1) if find_host(url) == host], host


def test_a_row_counts_by_its_first_url_value(job: Job) -> None:
    there, elsewhere = f"https://{HOST}/", "https://other.example/"
    store(job, [there, elsewhere], [elsewhere, there], ["mailto:a@b.example", there], [there, there])
    assert find(job, HOST) == [1, 4]


@pytest.mark.parametrize(
    "host", ["example", "org", "%", "_", "[", '"', "https", "x" * 254, "x" * 50_000, "\0", "\ud800"]
)
def test_a_text_that_is_no_host_finds_nothing(job: Job, host: str) -> None:
    store(job, [f"https://{HOST}/"], ["https://bücher.example/"])
    assert find(job, host) == []


def test_other_filters_count_too(job: Job) -> None:
    store(job, *([f"https://{HOST}/"] for _ in range(4)), ["https://other.example/"])
    Row.objects.filter(job=job, line=1).update(outcome="no-values")
    Row.objects.filter(job=job, line=2).update(input="Cats", needs_review=True)
    assert find(job, HOST, outcome="resolved") == [2, 3, 4]
    assert find(job, HOST, group="needs-work") == [1, 2]
    assert find(job, HOST, group="fine") == [3, 4]
    assert find(job, HOST, q="Cats") == [2]
    assert find(job, HOST, address="other-host") == []
    counted = count_facets(job, RowFilter(host=HOST, outcome="resolved"))
    assert (counted.fit, counted.exact) == (3, True)
    assert counted.outcome == {"resolved": 3, "no-values": 1}


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("group", ["", "needs-work"])
def test_rows_that_only_look_like_it_leave_no_page_short(
    job: Job, monkeypatch: pytest.MonkeyPatch, sort: str, down: bool, group: str
) -> None:
    monkeypatch.setattr(row_search, "_FIRST_WINDOW", 3)
    monkeypatch.setattr(row_queries, "BATCH_ROWS", 2)
    urls = [f"https://{HOST}/", f"https://{HOST}.evil.example/", f"https://{HOST}.evil.example/"] * 8
    store(job, *([url] for url in urls))
    Row.objects.filter(job=job, line__lte=9).update(outcome="not-found", ra="Crossref")
    Row.objects.filter(job=job, line__gt=20).update(outcome="no-url", problem_codes=("no-url",))
    wanted, order = RowFilter(host=HOST, group=group), RowOrder(sort, down).columns
    columns = [name.removeprefix("-") for name in order]
    fitting = [line for line in range(1, 25, 3) if not group or line <= 9 or line > 20]
    expected = list(Row.objects.filter(job=job, line__in=fitting).order_by(*order).values_list(*columns))
    found, pages = Row.objects.filter(job=job).order_by(*order), list[int]()
    while page := fetch_rows(job, wanted, found, 3):
        assert len(page) == 3 or len(pages) + len(page) == len(fitting)
        pages += [row.line for row in page]
        found = filter_beyond(Row.objects.filter(job=job), order, Edge([getattr(page[-1], name) for name in columns]))
    assert pages == [values[-1] for values in expected]


def test_neighbours_and_files_have_rows_of_the_host_alone(job: Job) -> None:
    store(job, *([f"https://{name}/"] for name in (HOST, f"x.{HOST}", HOST, f"{HOST}.x", HOST)))
    wanted = RowFilter(host=HOST)
    assert find_neighbours(job, wanted, 3) == (1, 5)
    assert [row.line for row in iterate_results(job, wanted=wanted)] == [1, 3, 5]


def test_a_decision_about_a_host_changes_its_rows_alone(job: Job) -> None:
    store(job, *([f"https://{name}/"] for name in (HOST, f"x.{HOST}", HOST)))
    assert decide_rows(job, RowFilter(host=HOST), "rejected", expected=2, by=Decider("", NOW)) == 2
    assert list(Row.objects.filter(job=job, decision="rejected").order_by("line").values_list("line", flat=True)) == [
        1,
        3,
    ]


def test_a_search_that_takes_long_stops_and_says_where(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_search, "_FIRST_WINDOW", 2)
    store(job, *(["https://other.example/"] for _ in range(5)), [f"https://{HOST}/"])
    timed, found = TimedSearch(seconds=-1), Row.objects.filter(job=job).order_by("line")
    assert fetch_rows(job, RowFilter(host=HOST), found, 10, search=timed) == []
    assert timed.stopped_at == (2,)


def test_of_a_long_list_the_check_of_its_hosts_knows_the_rows_of_a_host(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("resolver.services.results.facets.MAX_ROWS_TO_COUNT", 1)
    store(job, [f"https://{HOST}/"], [f"https://{HOST}/"])
    assert job.finished_at
    assert count_facets(job, RowFilter(host=HOST)).fit is None
    check = HostCheck.objects.create(job=job, job_ended=job.finished_at, started_at=NOW, collected=True)
    CheckedHost.objects.create(host_check=check, name=HOST, port=443, tls=True, rows=2, place=1)
    assert count_facets(job, RowFilter(host=HOST)).fit == 2
    assert count_facets(job, RowFilter(host=HOST, outcome="resolved")).fit is None
    job.finished_at += timedelta(seconds=1)  # it was checked again since
    assert count_facets(job, RowFilter(host=HOST)).fit is None
