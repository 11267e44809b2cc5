"""A row and a lookup say that the agency couldn't be checked, or that Which RA names none; a program sees which."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from resolver.models import Lookup
from resolver.services.lookups.export import build_history_table
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import build_results_table
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import Answer, RawServer, Request
from tests.services.conftest import make_job, run

pytestmark = pytest.mark.django_db

FAILING = raw.http(500, "")
UNKNOWN = raw.http(200, [{"DOI": "10.1000/a", "status": "Unknown"}])
NAMED = raw.http(200, [{"DOI": "10.1000/a", "RA": "Crossref"}])


@pytest.mark.parametrize(
    ("which_ra", "incomplete", "said"),
    [
        (FAILING, True, "The agency couldn't be checked. Check again later."),
        (UNKNOWN, False, "Which RA says “Unknown” and names no agency."),
        (NAMED, False, ""),
    ],
)
def test_rows_files_and_lookups_say_what_is_known_of_the_agency(
    proxy_at: Callable[..., DoiProxy], which_ra: Answer, incomplete: bool, said: str
) -> None:
    def answer(request: Request) -> Answer:
        return (
            which_ra
            if request.target.startswith("/doiRA/")
            else raw.record(request.name, ("URL", "https://a.example/"))
        )

    with RawServer(answer) as server:
        job = run(make_job("doi\n10.1000/a\n", proxy_at(server.url)), proxy_at(server.url))
        create_lookup("10.1000/a", owner="user:1", proxy=proxy_at(server.url), now=timezone.now())
    for table in (build_results_table(job), build_history_table(Lookup.objects.all())):
        [row] = table.rows
        told = table.build_object(row, ["doi"])
        assert (told["outcome"], told["incomplete"], told["messages"]) == ("resolved", incomplete, said)
        assert table.columns[-1].get_cell(row) == ("1" if incomplete else "")
