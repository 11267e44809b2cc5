"""How many requests a job costs: the proxy is a shared public service."""

from collections import Counter
from dataclasses import replace
from urllib.parse import unquote

import pytest

from doi_reading import fold
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.lookups.inspection import inspect_input
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.name_answers import list_names
from resolver.services.results.export import iterate_results
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import Queue, make_job, run

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds. A turn that ends in the midst of the precheck leaves candidates to the check, whose batches are smaller: then
# a slow computer sends more Which RA requests (113 in turns of half a second, for 91).
ENDLESS = 600.0
ROWS = ROWS_IN_CHUNK + 200  # chunks as in production: the requests that they share are counted


def cell(n: int) -> str:
    """A list as libraries have them: most names are sound, some are URLs, some do not exist, some are damaged."""
    name = f"10.{5555 + n % 7 if n % 10 == 3 else 5555}/plain-{n}"
    match n % 100:
        case 3 | 53:
            return f"10.5555/missing-{n}"
        case 13:
            return f"10.5555/missing-{n}."
        case 23:
            return f"10.{4000 + n % 700}/nothing-{n}"
        case 5 | 15 | 25 | 35:
            return f"https://doi.org/{name}"
        case 7:
            return f"https://doi.org/{name}#part"
        case 17:
            return f"10.5555/zero\u200bwidth-{n}"
        case 27:
            return f"doi: {name}; 10.5555/second-{n}"
        case 37:
            return f"no DOI, {n}"
        case 47 | 57:
            return f"10.5555/comma,{n}"
        case 67:
            return f"10.5555/plain-{n - 1}"
        case _:
            return name


def mixed(count: int) -> str:
    return "doi\n" + "".join(f'"{cell(n)}"\n' for n in range(count))


def distinct(count: int) -> int:
    """How many names the list holds, those included that do not exist."""
    return len({fold(name) for n in range(count) for name in list_names(inspect_input(cell(n)))})


@pytest.mark.parametrize(("quick", "most"), [(False, 1.03), (True, 0.03)])
@pytest.mark.parametrize("rate", [pytest.param(10.0, marks=pytest.mark.slow), 10_000.0])
def test_a_mixed_list_costs_so_many_requests_a_distinct_name(
    quick: bool, most: float, rate: float, proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    proxy = replace(proxy, config=replace(proxy.config, rate=rate))  # the budget lets more through: no test waits
    before = len(standin.requests)
    job = make_job(mixed(ROWS), proxy, quick=quick)
    Queue(proxy, turn=ENDLESS, piece=ENDLESS).work_off()
    job.refresh_from_db()
    assert job.done == ROWS
    kinds = Counter(target.split("/")[1] for target in standin.requests[before:])
    # Whatever the names that do not exist save; beside them the doubtful candidates, which a quick check does not try.
    assert kinds["doiRA"] <= distinct(ROWS) * (0.03 if quick else 0.05), kinds
    assert kinds.total() <= distinct(ROWS) * most, kinds


def test_a_second_job_of_the_same_names_asks_nothing(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    text = mixed(200)
    run(make_job(text, proxy), proxy)
    before = len(standin.requests)
    again = run(make_job(text, proxy), proxy)
    assert again.done == 200
    assert len(standin.requests) == before


def test_quick_costs_a_request_for_fifty_names(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    before = len(standin.requests)
    run(make_job("doi\n" + "".join(f"10.5555/q{n}\n" for n in range(500)), proxy, quick=True), proxy)
    assert len(standin.requests) - before == 10


def test_a_missing_name_costs_no_record_and_its_candidates_no_request_each(
    proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    before = len(standin.requests)
    names = "".join(f"10.5555/missing-c{n}.\n" for n in range(100))
    job = run(make_job(f"doi\n{names}", proxy, quick=True), proxy)
    assert job.counts["outcome"] == {"not-found": 100}
    assert len(standin.requests) - before <= 5  # two batches of names, two of candidates, the prefix


def test_doubtful_candidates_are_tried_fifty_at_a_time(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    before = len(standin.requests)
    names = "".join(f"10.5555/missing-c{n}.\n" for n in range(100))
    job = run(make_job(f"doi\n{names}", proxy), proxy)
    assert job.counts["outcome"] == {"not-found": 100}
    batches = asked_of_which_ra(standin, before)
    assert len(batches) == len(standin.requests) - before  # no record
    assert len(batches) <= 4 + -(-sum(map(len, batches)) // 50)


def asked_of_which_ra(standin: SampleProxyServer, since: int) -> list[list[str]]:
    """The names of each Which RA request."""
    asked = standin.requests[since:]
    return [unquote(target.removeprefix("/doiRA/")).split(",") for target in asked if target.startswith("/doiRA/")]


@pytest.mark.parametrize("quick", [False, True])
def test_a_hundred_damaged_rows_share_the_batches_of_their_candidates(
    quick: bool, proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    before = len(standin.requests)
    job = run(make_job("doi\n" + "".join(f"10.5555/d{n}\u200b\n" for n in range(100)), proxy, quick=quick), proxy)
    assert job.counts["outcome"] == {"invalid": 100}
    candidates = sum(map(len, asked_of_which_ra(standin, before)))
    assert candidates >= 100
    records = 0 if quick else 100  # of the suggestions, which may be aliases or deleted
    assert len(standin.requests) - before == -(-candidates // 50) + records
    assert all(row.suggestion == f"10.5555/d{row.line - 1}" for row in iterate_results(job))


@pytest.mark.parametrize("quick", [False, True])
def test_a_distinct_prefix_is_one_name_in_the_same_batch(
    quick: bool, proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    before = len(standin.requests)
    names = [f"10.{prefix}/missing-{n}" for prefix in ("5555", "5556", "9999") for n in range(15)]
    job = run(make_job("doi\n" + "\n".join(names), proxy, quick=quick), proxy)
    assert job.counts["outcome"] == {"not-found": 45}
    batches = asked_of_which_ra(standin, before)
    assert [name for batch in batches for name in batch if "/" not in name] == ["10.5555", "10.5556", "10.9999"]
    assert len(batches) == len(standin.requests) - before
    assert "10.5555" in batches[1]  # with the candidates, after the names
    assert len(batches) == 2 or not quick
    assert {row.prefix_ra for row in iterate_results(job)} == {"Crossref", ""}


def test_names_that_resolve_as_given_have_no_candidate_tried(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    before = len(standin.requests)
    odd = ["10.5555/final.", "10.5555/a(b.", "10.5555/a//b", "10.5555/a/full", "10.5555/x\u2013y"]
    job = run(make_job("doi\n" + "\n".join(odd), proxy), proxy)
    assert [row.suggestion for row in iterate_results(job)] == [""] * len(odd)
    asked = {name for batch in asked_of_which_ra(standin, before) for name in batch}
    assert len(asked) == len(odd)
