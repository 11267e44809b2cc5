"""Lists with a column of expected addresses: how it is chosen, and the class and host of each row."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from resolver.models import Job, Row
from resolver.services.comparisons.reruns import are_of_one_file, create_rerun
from resolver.services.jobs import retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.turns.check import check_chunk
from resolver.sheets.errors import NeedsChoice
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, make_job, run, undone
from tests.services.records_that_change import AFTER, BEFORE, records

pytestmark = pytest.mark.django_db(transaction=True)

ProxyAt = Callable[..., DoiProxy]
AUDITED = """doi,title,Target
10.77/breaks,a,https://old.example/1
10.77/moves,b,https://new.example/3
10.77/sold,c,http://www.old.example/4/
10.77/stays,d,https://old.example/6
10.77/never,e,https://old.example/7
10.5555/error-a,f,https://old.example/8
nothing,g,https://old.example/9
10.77/stays,h,
10.77/stays,i,unknown
"""


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[SampleProxyServer]:
    with SampleProxyServer(records(tmp_path, BEFORE)) as server:
        yield server


def classes(job: Job) -> list[str]:
    return list(Row.objects.filter(job=job).order_by("line").values_list("address", flat=True))


def go_on(job: Job, proxy: DoiProxy) -> Job:
    for chunk_id in undone(job):
        check_chunk(chunk_id, proxy=proxy)
    job.refresh_from_db()
    return job


def hosts(job: Job) -> list[str]:
    return list(Row.objects.filter(job=job).order_by("line").values_list("host", flat=True))


def test_each_row_of_an_audited_list_has_its_class_and_its_host(proxy_at: ProxyAt, changing: SampleProxyServer) -> None:
    proxy = proxy_at(changing.url)
    job = run(make_job(AUDITED, proxy, expected_column="target"), proxy)
    told = ["same", "other-host", "same-page", "same-host", "no-address", "", "", "", ""]
    assert classes(job) == told
    assert hosts(job) == ["old.example"] * 4 + [""] * 3 + ["old.example"] * 2
    assert job.counts["address"] == {code: told.count(code) for code in set(told) - {""}}


def test_a_cell_with_several_dois_is_compared_for_none_of_them(proxy: DoiProxy) -> None:
    target = "http://www.doi.org/hb.html"
    text = f"doi,target\n10.1000/182; 10.5555/one,{target}\n10.1000/182,{target}\n"
    job = run(make_job(text, proxy, expected_column="target", split=True), proxy)
    assert classes(job) == ["", "", "same"]
    assert "" not in hosts(job)


def test_a_list_without_expected_addresses_has_neither(proxy_at: ProxyAt, changing: SampleProxyServer) -> None:
    proxy = proxy_at(changing.url)
    job = run(make_job(AUDITED, proxy), proxy)
    assert {*classes(job), *hosts(job)} == {""}
    assert "address" not in job.counts


def test_a_quick_check_compares_no_addresses(proxy: DoiProxy) -> None:
    job = make_job("doi,target\n10.5555/a,https://example.org/a\n", proxy, expected_column="target", quick=True)
    job = run(job, proxy)
    assert (classes(job), hosts(job)) == ([""], [""])


def test_a_retry_compares_anew_and_counts_each_row_once(
    proxy_at: ProxyAt, changing: SampleProxyServer, nowhere: DoiProxy
) -> None:
    proxy = proxy_at(changing.url)
    job = run(make_job(AUDITED, nowhere, expected_column="Target"), nowhere)
    assert "address" not in job.counts
    retry.retry_job(job, proxy=proxy, now=NOW)
    job = go_on(job, proxy)
    assert job.counts["address"] == {"same": 1, "same-page": 1, "same-host": 1, "other-host": 1, "no-address": 1}
    retry.retry_job(job, proxy=proxy, now=NOW)  # line 6 can't be checked
    job = go_on(job, proxy)
    assert sum(job.counts["address"].values()) == 5


def test_after_the_addresses_changed_at_the_proxy_every_row_of_a_rerun_is_the_same(
    proxy_at: ProxyAt, tmp_path: Path
) -> None:
    text = "doi,target\n" + "".join(f"{name},{address}\n" for name, (_, address) in AFTER.items())
    with SampleProxyServer(records(tmp_path, BEFORE)) as server:
        proxy = proxy_at(server.url)
        before = run(make_job(text, proxy, expected_column="target"), proxy)
    assert classes(before) == ["no-address", "other-host", "same", "same"]
    with SampleProxyServer(records(tmp_path, AFTER)) as server:
        proxy = proxy_at(server.url)
        after = run(create_rerun(before, proxy=proxy, now=NOW), proxy)
    assert classes(after) == ["same"] * 4
    assert after.counts["address"] == {"same": 4}
    assert are_of_one_file(before, after)


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("doi,target\n10.77/a,x\n", "adress", "no column “adress”. Choose one of these: “doi”, “target”"),
        ("doi,target\n10.77/a,x\n", "column 3", "no column “column 3”"),
        ("doi,target\n10.77/a,x\n", "DOI", "has the DOIs"),
        ("doi,url,n,url\n10.77/a,x,1,y\n", "url", "Choose one by its number: “column 2”, “column 4”"),
        ("doi,url,URL \n10.77/a,x,y\n", "Url", "Choose one by its number: “column 2”, “column 3”"),
        ("10.77/a\n10.77/b\n", "target", "only one column.*separator"),
        ("TY  - JOUR\nDO  - 10.77/a\nER  - \n", "DO", "bibliographic file has no column"),
    ],
)
def test_an_unknown_column_of_expected_addresses_is_an_error(
    text: str, name: str, reason: str, proxy: DoiProxy
) -> None:
    with pytest.raises(NeedsChoice, match=reason) as refusal:
        make_job(text, proxy, expected_column=name)
    assert refusal.value.about == "expected"
    assert not Job.objects.exists()


@pytest.mark.parametrize("name", ["Target", " target ", "column 2"])
def test_a_column_of_expected_addresses_is_found_by_its_name_or_number(name: str, proxy: DoiProxy) -> None:
    job = make_job("doi,Target\n10.77/a,https://example.org/\n", proxy, expected_column=name)
    assert job.layout["expected"] == 1
