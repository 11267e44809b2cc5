"""How old a stored answer may be: `checked_within` of lookups and jobs."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from resolver.models import Job, StoredAnswer
from resolver.standin.server import SampleProxyServer
from tests.api.conftest import Post, assert_problem, run
from tests.api.test_several_lookups import results

pytestmark = pytest.mark.django_db


def make_older() -> None:
    ago = timezone.now() - timedelta(minutes=10)
    StoredAnswer.objects.update(record_at=ago, agency_at=ago)


@pytest.mark.parametrize("together", [False, True])
def test_answers_older_than_wanted_are_requested_again(post: Post, together: bool) -> None:
    def is_cached(**wanted: int) -> bool:
        if together:
            lookup = results(post("lookups", {"inputs": ["10.5555/aged"], **wanted}))[0]["lookup"]
        else:
            lookup = post("lookups", {"input": "10.5555/aged", **wanted}).json()
        cached: bool = lookup["cached"]
        return cached

    assert not is_cached()
    make_older()
    assert is_cached()
    assert is_cached(checked_within=900)
    assert not is_cached(checked_within=300)
    assert is_cached(checked_within=300)
    assert not is_cached(checked_within=0)


@pytest.mark.clause("P8")
@pytest.mark.parametrize("together", [False, True])
def test_a_lookup_that_takes_no_older_answer_asks_past_the_cache_of_the_proxy(
    post: Post, upload: Callable[..., Any], standin: SampleProxyServer, together: bool
) -> None:
    def ask(**wanted: int) -> list[str]:
        before = len(standin.requests)
        post("lookups", ({"inputs": ["10.5555/alias-1"]} if together else {"input": "10.5555/alias-1"}) | wanted)
        return [target for target in standin.requests[before:] if "/handles/" in target]

    assert ask(checked_within=0) == [f"/api/handles/10.5555/{word}-1?auth=true" for word in ("alias", "target")]
    make_older()
    assert ask(checked_within=1) == [f"/api/handles/10.5555/{word}-1" for word in ("alias", "target")]
    before = len(standin.requests)
    run(upload("doi\n10.5555/alias-1\n", checked_within=0).json()["id"])
    assert not [target for target in standin.requests[before:] if "auth" in target]


@pytest.mark.parametrize("as_body", [False, True])
@pytest.mark.parametrize(
    ("wanted", "cached"), [({}, True), ({"checked_within": 900}, True), ({"checked_within": 300}, False)]
)
def test_a_job_takes_no_older_answers_than_wanted(
    post: Post, api: Client, upload: Callable[..., Any], as_body: bool, wanted: dict[str, int], cached: bool
) -> None:
    post("lookups", {"input": "10.5555/aged"})
    make_older()
    if as_body:
        query = "&".join(f"{name}={value}" for name, value in wanted.items())
        job = api.post(f"/api/v1/jobs?{query}", b"doi\n10.5555/aged\n", "text/csv").json()
    else:
        job = upload("doi\n10.5555/aged\n", **wanted).json()
    run(job["id"])
    (row,) = api.get(f"/api/v1/jobs/{job['id']}/rows").json()["results"]
    assert row["cached"] is cached


def test_a_job_with_a_wrong_age_is_refused(upload: Callable[..., Any]) -> None:
    assert "checked_within" in assert_problem(upload("doi\n10.5555/a\n", checked_within="soon"), 400)["errors"]
    assert not Job.objects.exists()
