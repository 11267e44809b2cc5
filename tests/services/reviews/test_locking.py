"""Decisions lock their list, in transactions of their own: other tests of decisions run in a transaction already."""

import pytest

from resolver.models import DecisionAction, Row
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.row_queries import RowFilter
from resolver.services.reviews.action_log import undo_action
from resolver.services.reviews.bulk_decisions import CountDiffers, decide_rows
from resolver.services.reviews.decisions import Decider, decide_row
from tests.services.conftest import NOW, make_job, run

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_row_and_many_rows_are_decided_and_undone_where_no_transaction_is_open(proxy: DoiProxy) -> None:
    job, ada = run(make_job("doi\n10.1000/182.\n10.1000/182.\n", proxy), proxy), Decider("ada", NOW)

    def decisions() -> list[str]:
        return list(Row.objects.filter(job=job).order_by("line").values_list("decision", flat=True))

    decide_row(job, 1, "accepted", by=ada)
    with pytest.raises(CountDiffers):
        decide_rows(job, RowFilter(), "rejected", expected=2, by=ada)
    assert decide_rows(job, RowFilter(), "rejected", expected=1, by=ada) == 1
    assert decisions() == ["accepted", "rejected"]
    for left in (["accepted", ""], ["", ""]):
        undo_action(job, DecisionAction.objects.latest("pk").pk)
        assert decisions() == left
