"""Records that lead nowhere need attention in lists and lookups; only a DOI in an address costs another request."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import timezone

from resolver.models import Job
from resolver.services.lookups.check_batch import check_batch
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.facets import count_groups
from resolver.standin.generated_names import build_handle_value
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import make_job, run

pytestmark = pytest.mark.django_db

BAD = {
    "self": "https://doi.org/10.60001/self",
    "self-www": "https://www.doi.org/10.60001/self-www",
    "self-dx": "http://dx.doi.org/10.60001/SELF-DX?x",
    "self-handle": "https://hdl.handle.net/10.60001/self-handle",
    "self-api": "https://doi.org/api/handles/10.60001%2Fself-api",
    "circle-a": "https://doi.org/10.60001/circle-b",
    "circle-b": "https://doi.org/10.60001/circle-c",
    "circle-c": "https://doi.org/10.60001/circle-a",
    "absent": "https://doi.org/10.60001/unregistered",
    "far": "https://doi.org/10.60001/absent",
    "handle": "https://hdl.handle.net/20.500.1/unregistered",
    "localhost": "http://localhost:4000/handle/123456789/1",
    "loop127": "http://127.0.0.1/x",
    "ten": "http://10.1.2.3:8080/jspui/handle/1",
    "lan": "http://192.168.0.7/x",
    "sixteen": "http://172.20.0.1/x",
    "link": "http://169.254.7.7/x",
    "six": "http://[::1]/x",
    "bare": "http://dspace/handle/1",
    "local": "http://repository.local/x",
    "internal": "http://repository.internal/x",
    "decimal": "http://2130706433/x",
    "dblscheme": "http://http://journal.example.org/1",
    "half": "https//journal.example.org/1",
    "resolveronly": "https://doi.org/",
    "two": "http://a.example.org/1http://b.example.org/2",
    "tmpl": "https://journal.example.org/index.php/%x/article/view/{id}",
    "word": "https://journal.example.org/[url]",
    "sandbox": "https://sandbox.zenodo.org/records/1",
    "stage": "https://handle.test.datacite.org/10.60001/stage",
    "login": "https://journal.example.org/index.php/j/login?source=%2F",
}
GOOD = {
    "page": "https://journal.example.org/article/view/1",
    "query": "https://journal.example.com/article/view/2?login=false",
    "other": "https://doi.org/10.60001/page",
    "archive": "https://web.archive.org/web/2015/http://journal.example/3",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleProxyServer]:
    records = [
        {"doi": f"10.60001/{word}", "ra": "DataCite", "values": [build_handle_value(1, "URL", url)]}
        for word, url in (BAD | GOOD).items()
    ]
    known = tmp_path_factory.mktemp("records") / "records.json"
    known.write_text(json.dumps({"prefixes": {"10.60001": "DataCite"}, "records": records}), encoding="utf-8")
    with SampleProxyServer(Path(known)) as started:
        yield started


@pytest.fixture
def proxy(proxy_at: Callable[..., DoiProxy], server: SampleProxyServer) -> DoiProxy:
    return proxy_at(server.url)


def check(proxy: DoiProxy, *words: str) -> Job:
    return run(make_job("doi\n" + "".join(f"10.60001/{word}\n" for word in words), proxy), proxy)


def test_every_record_that_leads_nowhere_needs_attention_in_a_list(proxy: DoiProxy) -> None:
    job = check(proxy, *BAD, *GOOD)
    groups = {row.doi.partition("/")[2]: (row.needs_review, row.correction) for row in job.rows.all()}
    assert {word for word, found in groups.items() if found == (True, "review")} == set(BAD)
    assert {word for word, found in groups.items() if found == (False, "unchanged")} == set(GOOD)
    assert count_groups(job)["needs-work"] == len(BAD)
    assert set(job.rows.values_list("outcome", flat=True)) == {"resolved"}
    assert job.incomplete == 0


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("self", "leads-to-itself"),
        ("circle-a", "leads-to-itself"),
        ("absent", "leads-to-missing"),
        ("far", "leads-to-missing"),
        ("handle", "leads-to-missing"),
        ("localhost", "private-address"),
        ("dblscheme", "unusable-address"),
        ("tmpl", "placeholder-address"),
    ],
)
def test_a_lookup_a_list_and_a_batch_say_the_same(proxy: DoiProxy, word: str, code: str) -> None:
    name = f"10.60001/{word}"
    lookup = create_lookup(name, owner="user:1", proxy=proxy, now=timezone.now())
    [row] = check(proxy, word).rows.all()
    [checked] = check_batch([name], proxy=proxy, now=timezone.now(), agencies=True)
    codes = [each.code for each in checked.report.problems]
    assert lookup.problem_codes == row.problem_codes == tuple(codes) == (code,)


def test_only_a_doi_in_an_address_costs_a_request(proxy: DoiProxy, server: SampleProxyServer) -> None:
    def cost(*words: str) -> int:
        before = len(server.requests)
        check(proxy, *words)
        return len(server.requests) - before

    assert cost("query", "archive", "self", "ten") == 4 + 1  # records, and Which RA
    assert cost("other", "page") == 2 + 1  # the record of the one is known
    assert cost("circle-a") == 3 + 1


def test_a_doi_that_could_not_be_asked_leaves_the_row_incomplete(
    proxy_at: Callable[..., DoiProxy], tmp_path: Path
) -> None:
    values = [build_handle_value(1, "URL", "https://doi.org/10.5555/error-1")]
    known = tmp_path / "records.json"
    known.write_text(json.dumps({"records": [{"doi": "10.60001/a", "ra": "DataCite", "values": values}]}))
    with SampleProxyServer(known) as started:
        proxy = proxy_at(started.url)
        job = check(proxy, "a")
        [row] = job.rows.all()
        assert (row.outcome, row.problem_codes, row.incomplete, job.incomplete) == ("resolved", (), True, 1)
