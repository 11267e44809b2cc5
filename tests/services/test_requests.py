"""How many requests a job costs: the proxy is a shared public service."""

import pytest

from resolver.services.asking import Proxy
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
