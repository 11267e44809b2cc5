"""The DOI proxy is away for a while, or answers with what is no answer, and comes back."""

import pytest

from tests.faults import lists
from tests.faults.conftest import ALL_FAULTS, ROWS, assert_whole
from tests.faults.failing_proxy import FAULTS
from tests.faults.portal import Json, KillablePortal, Visitor

pytestmark = pytest.mark.slow

WORKERS_WAIT = {"429", "503", "html"}  # and no row is given up
COULD_NOT_ASK = {"unreachable", "proxy-error"}
EACH_FAULT = [*FAULTS, "another name"] if ALL_FAULTS else ["down", "429", "half", "another name"]


@pytest.mark.parametrize("fault", EACH_FAULT)
def test_what_could_not_be_asked_is_told_and_asked_again(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json], fault: str
) -> None:
    job_id = visitor.upload(lists.lines(label, ROWS))
    before = visitor.wait_for_rows(job_id, ROWS // 4)
    portal.proxy.fail(fault)
    if fault in WORKERS_WAIT:
        portal.proxy.wait_until_it_has_failed()
    else:
        visitor.wait_for_rows(job_id, before["done"] + 1)
    portal.proxy.fail("")
    job = visitor.wait_for_the_end(job_id)
    unasked = sum(job["counts"]["outcome"].get(outcome, 0) for outcome in COULD_NOT_ASK)
    if unasked:
        assert f'data-unanswered="{unasked}"' in visitor.ask("GET", f"/jobs/{job_id}").text
        assert visitor.ask("POST", f"/api/v1/jobs/{job_id}/retry").status_code == 202
    assert_whole(visitor, job_id, label, expected)
