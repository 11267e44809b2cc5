"""How many pages of the database PostgreSQL reads for each statement of a list that it has no statistics of, beside
lists that it has analysed. The statements are those that the portal sends while a list is checked, used and removed."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from resolver.standin.server import SampleProxyServer
from tests.list_path import ListPath, store_old_lists
from tests.statement_plans import RecordedPlans, record_plans

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = 2000
OLD_LISTS = [10_000, 6000, 4000, 2000, 1000, 500]
# Pages of 8 kB. Four lead to a row by an index; a row that is written is written to seven indexes.
FOR_A_CALL, FOR_A_ROW_READ, FOR_A_ROW_WRITTEN = 100, 6, 40
ONE_PASS = 4 * ROWS  # over a list with all its old versions of rows


@pytest.fixture
def path(settings: Any, standin: SampleProxyServer) -> Iterator[ListPath]:
    """An account that has lists, which are analysed; no later list is."""
    settings.DOI_PROXY_URL = standin.url
    path = ListPath()
    first = path.upload(200, "first")
    path.work_off()
    first.refresh_from_db()
    store_old_lists(first, OLD_LISTS)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE resolver_row SET (autovacuum_enabled = off); ANALYZE")
        yield path
        cursor.execute("ALTER TABLE resolver_row RESET (autovacuum_enabled)")


def find_wasteful(recorded: RecordedPlans, *, each_call_may_read_a_list: bool) -> list[str]:
    """Return the statements that read more than some pages for each row, beside one pass over each of the two lists, or
    over one in each call."""
    wasteful = []
    for plan in recorded.plans.values():
        for_a_row = FOR_A_ROW_WRITTEN if plan.writes else FOR_A_ROW_READ
        passes = plan.calls if each_call_may_read_a_list else 2
        if plan.buffers > passes * ONE_PASS + plan.calls * FOR_A_CALL + plan.rows * for_a_row:
            wasteful.append(f"{plan.buffers} pages for {plan.rows} rows in {plan.calls} calls: {plan}")
    return wasteful


def test_workers_read_a_new_list_by_the_indexes_that_are_meant(path: ListPath) -> None:
    with record_plans() as recorded:
        path.be_removed(*path.be_worked_on(ROWS, "new"))
    assert {"services/jobs/import_rows.py", "services/jobs/duplicates.py", "services/jobs/retry.py"} <= {
        plan.sent_by.partition(":")[0] for plan in recorded.plans.values()
    }
    assert find_wasteful(recorded, each_call_may_read_a_list=False) == []


@pytest.mark.slow
def test_pages_files_and_runs_of_a_new_list_do_so_too(path: ListPath) -> None:
    lists = path.be_worked_on(ROWS, "new")
    with record_plans() as recorded:
        path.be_used(*lists)
    assert find_wasteful(recorded, each_call_may_read_a_list=True) == []
