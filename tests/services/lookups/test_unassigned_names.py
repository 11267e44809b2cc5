"""A template and a prefix for tests: no agency registered them, so neither a row nor a lookup sends people to one."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from resolver.models import Lookup
from resolver.services.lookups.export import build_history_table
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import Answer, RawServer, Request
from tests.services.conftest import make_job, run

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("text", ["10.1000/{id}", "10.5555/869369"])
def test_rows_and_lookups_name_no_agency_for_a_name_that_nobody_assigned(
    proxy_at: Callable[..., DoiProxy], text: str
) -> None:
    def answer(request: Request) -> Answer:
        asks_agency = request.target.startswith("/doiRA/")
        prefix = {"DOI": "10.1000", "RA": "Crossref"}
        return raw.http(200, [prefix]) if asks_agency else raw.http(404, {"responseCode": 100, "handle": request.name})

    with RawServer(answer) as server:
        job = run(make_job(f"doi\n{text}\n", proxy_at(server.url)), proxy_at(server.url))
        create_lookup(text, owner="user:1", proxy=proxy_at(server.url), now=timezone.now())
    [in_list], [in_history] = iterate_results(job), build_history_table(Lookup.objects.all()).rows
    assert in_list.outcome == in_history.outcome == "not-found"
    assert in_list.messages == in_history.messages
    assert "The prefix" not in in_history.messages
