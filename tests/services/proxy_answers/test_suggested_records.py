"""A suggestion goes into a catalogue only if its own record leads to the work."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from resolver.models import Lookup, Row
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.standin.generated_names import build_handle_value
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import make_job, run
from tests.sheets.result_tables import as_object

pytestmark = pytest.mark.django_db

URL = "https://example.org/landing"
NAMES = {
    "10.1000/good": ("URL", URL),
    "10.1000/fresh": ("URL", URL),
    "10.1000/old": ("HS_ALIAS", "10.1000/good"),
    "10.1000/to-nothing": ("HS_ALIAS", "10.1000/unknown"),
    "10.1000/to-handle": ("HS_ALIAS", "20.500/handle"),
    "20.500/handle": ("URL", URL),
    "10.1000/loop": ("HS_ALIAS", "10.1000/loop"),
    "10.1000/gone": ("URL", "https://www.crossref.org/_deleted-doi/"),
    "10.1000/script": ("URL", "javascript:alert(1)"),
    "10.1000/silent": ("DESC", "no address"),
    "10.1371/journal.pone.0012345": ("HS_ALIAS", "10.1000/good"),
    "10.1371/journal.pone.0099999": ("URL", "https://www.crossref.org/_deleted-doi/"),
}


@pytest.fixture(scope="module")
def where_few_exist(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleProxyServer]:
    records = [
        {"doi": name, "ra": "Crossref", "values": [build_handle_value(1, kind, value)]}
        for name, (kind, value) in NAMES.items()
    ]
    known = tmp_path_factory.mktemp("records") / "records.json"
    prefixes = {name.partition("/")[0]: "Crossref" for name in NAMES}
    known.write_text(json.dumps({"prefixes": prefixes, "records": records}), encoding="utf-8")
    with SampleProxyServer(Path(known)) as server:
        yield server


@pytest.fixture
def proxy(proxy_at: Callable[..., DoiProxy], where_few_exist: SampleProxyServer) -> DoiProxy:
    return proxy_at(where_few_exist.url)


def look_up(text: str, proxy: DoiProxy) -> Lookup:
    return create_lookup(text, owner="user:1", proxy=proxy, now=timezone.now())


def corrected(text: str, proxy: DoiProxy, **options: Any) -> tuple[str, str, Row]:
    job = run(make_job(f"doi\n{text}\n", proxy, **options), proxy)
    row = as_object(next(iterate_results(job)), ["doi"], corrected=True)
    return row["correction"], row["corrected_doi"], job.rows.get(line=1)


def test_a_suggestion_whose_record_leads_to_the_work_is_the_corrected_doi(proxy: DoiProxy) -> None:
    correction, doi, row = corrected("10.1000/good.", proxy)
    assert (correction, doi, row.suggestion) == ("suggested", "10.1000/good", "10.1000/good")
    assert "unproven-suggestion" not in row.problem_codes


def test_instead_of_an_alias_the_main_doi_is_suggested(proxy: DoiProxy) -> None:
    correction, doi, row = corrected("10.1000/old.", proxy)
    assert (correction, doi, row.also_registered) == ("suggested", "10.1000/good", [])
    found = look_up("10.1000/old.", proxy).suggestion
    assert found is not None
    assert (found["doi"], found["alias"]) == ("10.1000/good", "10.1000/old")
    assert found["reason"].endswith("the main DOI behind the alias 10.1000/old")


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("10.1000/gone", "it is deleted"),
        ("10.1000/silent", "it has no web address"),
        ("10.1000/loop", "it has no web address"),
        ("10.1000/to-nothing", "it has no web address"),
        ("10.1000/to-handle", "it is an alias of a name that isn't a DOI"),
        ("10.1000/script", "its address isn't a web address"),
    ],
)
def test_a_suggestion_that_leads_nowhere_is_for_a_person_to_decide(name: str, fault: str, proxy: DoiProxy) -> None:
    correction, doi, row = corrected(f"{name}.", proxy)
    assert (correction, doi, row.suggestion) == ("review", None, name)
    assert f"The suggested DOI {name} is registered, but {fault}" in row.messages
    assert not row.incomplete


def test_a_guess_is_examined_too(proxy: DoiProxy) -> None:
    found = look_up("10.1371/journal.pone.001234", proxy).suggestion
    assert found is not None
    assert (found["doi"], found["alias"], found["doubtful"]) == (
        "10.1000/good", "10.1371/journal.pone.0012345", True,
    )  # fmt: skip
    assert "unproven-suggestion" in look_up("10.1371/journal.pone.009999", proxy).problem_codes


def test_a_quick_check_asks_for_no_record_of_a_suggestion(proxy: DoiProxy) -> None:
    assert corrected("10.1000/gone.", proxy, quick=True)[:2] == ("suggested", "10.1000/gone")


def test_a_suggestion_that_could_not_be_checked_is_for_a_person_and_for_a_retry(
    proxy_at: Callable[..., DoiProxy], standin: SampleProxyServer
) -> None:
    correction, doi, row = corrected("10.5555:error-1", proxy_at(standin.url))
    assert (correction, doi, row.suggestion, row.incomplete) == ("review", None, "10.5555/error-1", True)


def test_a_registered_name_costs_no_request_more_and_a_suggestion_one(
    proxy: DoiProxy, where_few_exist: SampleProxyServer
) -> None:
    for text, requests in (("10.1000/good", 2), ("10.1000/fresh.", 3)):
        before = len(where_few_exist.requests)
        look_up(text, proxy)
        assert len(where_few_exist.requests) - before == requests, where_few_exist.requests[before:]
