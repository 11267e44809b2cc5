"""A sign that a link must encode keeps its code in rows and lookups: a warning if the name is registered with it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone

from resolver.domain.report.correction import find_row_correction
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.facets import count_groups
from resolver.standin.generated_names import build_handle_value
from resolver.standin.server import SampleProxyServer
from resolver.web.jobs.row import build_row_context
from tests.services.conftest import make_job, run

pytestmark = pytest.mark.django_db

CASES = {
    "doi:10.1000/456#789": ("unescaped-hash", "cleaned"),
    "doi:10.60001/with?mark": ("unescaped-question-mark", "cleaned"),
    "10.60001/with%percent": ("unescaped-percent", "unchanged"),
    "doi:10.60001/with%percent": ("unescaped-percent", "cleaned"),
}


def test_it_is_the_same_in_a_list_its_pages_and_a_lookup(proxy_at: Callable[..., DoiProxy], tmp_path: Path) -> None:
    values = [build_handle_value(1, "URL", "https://a.example/")]
    names = ("10.1000/456#789", "10.60001/with?mark", "10.60001/with%percent")
    known = tmp_path / "records.json"
    known.write_text(json.dumps({"records": [{"doi": name, "ra": "Crossref", "values": values} for name in names]}))
    with SampleProxyServer(known) as server:
        proxy = proxy_at(server.url)
        job = run(make_job("doi\n" + "\n".join(CASES) + "\n", proxy), proxy)
        lookups = [create_lookup(text, owner="user:1", proxy=proxy, now=timezone.now()) for text in CASES]
    for row, lookup, (code, correction) in zip(job.rows.all(), lookups, CASES.values(), strict=True):
        assert code in row.problem_codes
        assert (row.correction, row.needs_review, row.tidier) == (correction, False, True), row.input
        assert find_row_correction(row).correction == correction
        [problem] = [one for one in lookup.problems if one["code"] == code]
        assert problem["severity"] == "warning"
        context = build_row_context(job, row)
        assert context["headline"].tone == "tidy"
        [shown] = [one for one in context["problems"] if one["code"] == code]
        assert (shown["severity"], shown["message"]) == ("warning", problem["message"])
    assert count_groups(job)["tidier"] == len(CASES)
