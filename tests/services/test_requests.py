"""How many requests a job costs: the proxy is a shared public service."""

from urllib.parse import unquote

import pytest

from resolver.services.asking import Proxy
from resolver.services.results import results
from resolver.standin.server import StandIn
from tests.services.conftest import make_job, run

pytestmark = pytest.mark.django_db(transaction=True)


def name(n: int) -> str:
    """Every tenth does not exist; some of these end in a full stop and are offered without it."""
    if n % 10 == 3:
        return f"10.5555/missing-{n}" + ("." if n % 100 == 3 else "")
    return f"10.5555/plain-{n}"


def table(count: int) -> str:
    return "doi\n" + "".join(f"{name(n)}\n" for n in range(count))


def test_two_thousand_names_cost_at_most_1_05_requests_each(proxy: Proxy, standin: StandIn) -> None:
    before = len(standin.requests)
    job = run(make_job(table(2000), proxy), proxy)
    asked = len(standin.requests) - before
    assert job.done == 2000
    assert asked <= 2000 * 1.05, asked


def test_a_second_job_of_the_same_names_asks_nothing(proxy: Proxy, standin: StandIn) -> None:
    text = table(200)
    run(make_job(text, proxy), proxy)
    before = len(standin.requests)
    again = run(make_job(text, proxy), proxy)
    assert again.done == 200
    assert len(standin.requests) == before


def test_quick_costs_a_request_for_fifty_names(proxy: Proxy, standin: StandIn) -> None:
    before = len(standin.requests)
    run(make_job("doi\n" + "".join(f"10.5555/q{n}\n" for n in range(500)), proxy, quick=True), proxy)
    assert len(standin.requests) - before == 10


def test_a_missing_name_costs_no_record_and_its_candidates_no_request_each(proxy: Proxy, standin: StandIn) -> None:
    before = len(standin.requests)
    job = run(make_job("doi\n" + "".join(f"10.5555/missing-c{n}.\n" for n in range(100)), proxy), proxy)
    assert job.counts["outcome"] == {"not-found": 100}
    assert len(standin.requests) - before <= 5  # two batches of names, two of candidates, the prefix


def asked_of_which_ra(standin: StandIn, since: int) -> list[list[str]]:
    """The names of each Which RA request."""
    asked = standin.requests[since:]
    return [unquote(target.removeprefix("/doiRA/")).split(",") for target in asked if target.startswith("/doiRA/")]


@pytest.mark.parametrize("quick", [False, True])
def test_a_hundred_damaged_rows_share_the_batches_of_their_candidates(
    quick: bool, proxy: Proxy, standin: StandIn
) -> None:
    before = len(standin.requests)
    job = run(make_job("doi\n" + "".join(f"10.5555/d{n}\u200b\n" for n in range(100)), proxy, quick=quick), proxy)
    assert job.counts["outcome"] == {"invalid": 100}
    candidates = sum(map(len, asked_of_which_ra(standin, before)))
    assert candidates >= 100
    assert len(standin.requests) - before == -(-candidates // 50)
    assert all(row.suggested_doi == f"10.5555/d{row.line - 1}" for row in results(job))


@pytest.mark.parametrize("quick", [False, True])
def test_a_distinct_prefix_is_one_name_in_the_same_batch(quick: bool, proxy: Proxy, standin: StandIn) -> None:
    before = len(standin.requests)
    names = [f"10.{prefix}/missing-{n}" for prefix in ("5555", "5556", "9999") for n in range(15)]
    job = run(make_job("doi\n" + "\n".join(names), proxy, quick=quick), proxy)
    assert job.counts["outcome"] == {"not-found": 45}
    batches = asked_of_which_ra(standin, before)
    assert [name for batch in batches for name in batch if "/" not in name] == ["10.5555", "10.5556", "10.9999"]
    assert len(batches) == len(standin.requests) - before == 2  # the names; the candidates and the prefixes
    assert {row.prefix_ra for row in results(job)} == {"Crossref", ""}


def test_names_that_resolve_as_given_have_no_candidate_tried(proxy: Proxy, standin: StandIn) -> None:
    before = len(standin.requests)
    odd = ["10.5555/final.", "10.5555/a(b.", "10.5555/a//b", "10.5555/a/full", "10.5555/x\u2013y"]
    job = run(make_job("doi\n" + "\n".join(odd), proxy), proxy)
    assert [row.suggested_doi for row in results(job)] == [""] * len(odd)
    asked = {name for batch in asked_of_which_ra(standin, before) for name in batch}
    assert len(asked) == len(odd)
