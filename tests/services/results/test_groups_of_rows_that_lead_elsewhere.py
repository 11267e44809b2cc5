"""Rows that lead to another site than expected need attention, also those of an earlier version."""

from importlib import import_module
from itertools import product
from types import SimpleNamespace

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from resolver.domain.report.outcome import Outcome
from resolver.domain.report.target import Target
from resolver.domain.report.triage import could_be_tidier, needs_review
from resolver.models import Job, Row
from resolver.services.results.facets import count_facets
from resolver.services.results.row_queries import RowFilter, find_line_numbers
from tests.services.conftest import NOW

MIGRATION = import_module("resolver.migrations.0039_elsewhere_needs_review")

pytestmark = pytest.mark.django_db

LIST = """doi,target
10.1000/182,http://www.doi.org/hb.html
10.1000/182,https://www.doi.org/other.html
10.1000/182,https://other.example/
http://dx.doi.org/10.1000/182,https://other.example/
10.5555/missing,https://other.example/
"""
LIST_OPTIONS = {"expected_column": "target"}


@pytest.mark.parametrize(
    ("group", "lines"), [("needs-work", [3, 4, 5]), ("tidier", [2]), ("fine", [1]), ("could-not-ask", [])]
)
def test_the_rows_of_a_group_and_its_number_follow_the_addresses(
    checked_job: Job, group: str, lines: list[int]
) -> None:
    wanted = RowFilter(group=group)
    assert find_line_numbers(checked_job, wanted, Row.objects.filter(job=checked_job).order_by("line"), 9) == lines
    assert count_facets(checked_job, RowFilter()).group[group] == len(lines)
    assert count_facets(checked_job, wanted).fit == len(lines)


def test_the_rows_of_another_site_are_among_those_that_need_attention(checked_job: Job) -> None:
    assert count_facets(checked_job, RowFilter(group="needs-work", address="elsewhere")).fit == 3


def test_rows_of_an_earlier_version_get_the_group_of_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MIGRATION, "BATCH", 3)
    codes = ["", "old-resolver", "leftover"]
    kinds = list(product(Outcome, codes, ["", *Target]))
    job, other = (
        Job.objects.create(owner="user:1", created_at=NOW, filename="x", proxy="p", layout=layout, total=len(kinds))
        for layout in ({"expected": 1}, {"expected": None})
    )
    for each in (job, other):
        Row.objects.bulk_create(
            Row(
                job=each,
                line=line,
                outcome=outcome,
                problem_codes=(code,) if code else (),
                address=address,
                needs_review=needs_review(outcome, [code]),
                tidier=could_be_tidier(outcome, [code]),
            )
            for line, (outcome, code, address) in enumerate(kinds, 1)
        )
        for name in ("needs_review", "tidier"):
            setattr(each, name, Row.objects.filter(job=each, **{name: True}).count())
        each.save()
    earlier = MigrationLoader(connection).project_state(("resolver", "0039_elsewhere_needs_review")).apps
    editor = SimpleNamespace(connection=connection)  # SQLite has no editor in a transaction
    for _again in range(2):
        MIGRATION.fill_rows(earlier, editor)
        for row in Row.objects.filter(job=job):
            expected = (row.outcome, row.problem_codes, row.address)
            assert (row.needs_review, row.tidier) == (needs_review(*expected), could_be_tidier(*expected)), expected
        job.refresh_from_db()
        for name in ("needs_review", "tidier"):
            assert getattr(job, name) == Row.objects.filter(job=job, **{name: True}).count() > 0
    assert not Row.objects.filter(job=other, needs_review=True, problem_codes=()).exists()
