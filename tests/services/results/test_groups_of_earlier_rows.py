"""The migration that gives the rows of earlier lists their group agrees with the table of today's."""

from importlib import import_module
from itertools import product
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from doi_reading.parsing.reading import CUTS
from doi_reading.problems.catalogue import CATALOGUE
from resolver.domain.report.destination import NOWHERE
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.domain.report.triage import could_be_tidier, needs_review
from resolver.models import Job, Row
from tests.services.conftest import NOW

MIGRATION = import_module("resolver.migrations.0020_tidier")
# Codes that no earlier row has.
NEW = {
    "other-not-registered",
    "damaged-resolver",
    "fake-resolver",
    "unproven-suggestion",
    "unreadable-record",
    "cut-short",
    "several-homes",
    *NOWHERE,
    "empty",
    "broken-link",
    "link-suggests",
    "template",
    "test-prefix",
    "wrong-character",
}

pytestmark = pytest.mark.django_db


def test_rows_of_earlier_lists_get_the_group_of_new_ones() -> None:
    codes = ["", *(code for code in CATALOGUE if code not in NEW), "double-encoded inner-space", "alias deleted"]
    kinds = list(product(Outcome, codes))
    job = Job.objects.create(owner="user:1", created_at=NOW, filename="x", proxy="p", total=len(kinds), done=len(kinds))
    untouched = Job.objects.create(owner="user:1", created_at=NOW, filename="y", proxy="p")
    Row.objects.bulk_create(
        Row(job=job, line=line, outcome=outcome, problems=f" {held} " if held else "")
        for line, (outcome, held) in enumerate(kinds, 1)
    )
    editor = SimpleNamespace(connection=connection)  # SQLite has no editor in a transaction
    MIGRATION.fill_rows(apps, editor)
    MIGRATION.count_rows(apps, editor)
    rows = list(Row.objects.filter(job=job).order_by("line"))
    for row in rows:
        held = row.problem_codes
        assert row.needs_review == needs_review(row.outcome, held), (row.outcome, held)
        assert row.tidier == could_be_tidier(row.outcome, held), (row.outcome, held)
        assert row.incomplete == (row.outcome in EXISTS and not CUTS.isdisjoint(held)), (row.outcome, held)
    job.refresh_from_db()
    for name in ("needs_review", "tidier", "incomplete"):
        assert getattr(job, name) == sum(getattr(row, name) for row in rows) > 0
    untouched.refresh_from_db()
    assert (untouched.needs_review, untouched.tidier, untouched.incomplete) == (0, 0, 0)
