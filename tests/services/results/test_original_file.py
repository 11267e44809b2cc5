"""The uploaded bibliographic file with the accepted DOIs, while people decide."""

import pytest

from resolver.models import Job
from resolver.services.results import accepted_rows
from resolver.services.results.original_file import iterate_original
from resolver.services.results.row_queries import RowFilter
from resolver.services.reviews.action_log import find_last_action, undo_action
from resolver.services.reviews.bulk_decisions import decide_rows
from resolver.services.reviews.decisions import Decider
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db

RECORDS = 12
LIST = "".join(f"TY  - JOUR\nDO  - 10.1000/182.\nID  - {n}\nER  - \n" for n in range(RECORDS))
LIST_OPTIONS = {"filename": "list.ris"}
ADA = Decider("ada", NOW)


def accept_all(job: Job) -> None:
    decide_rows(job, RowFilter(correction="suggested"), "accepted", expected=RECORDS, by=ADA)


def undo(job: Job) -> None:
    action = find_last_action(job)
    assert action is not None
    undo_action(job, action.pk)


@pytest.mark.parametrize("at_once", [1, 4])
def test_suggestions_that_are_accepted_or_taken_back_during_a_download_are_written_all_the_same(
    checked_job: Job, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Before and after the decision each of them belongs into the file."""
    monkeypatch.setattr(accepted_rows, "BATCH_ROWS", at_once)
    whole = b"".join(iterate_original(checked_job, "suggested"))
    assert whole != LIST.encode()
    for decide in (accept_all, undo):
        blocks = iterate_original(checked_job, "suggested")
        begun = next(blocks) + next(blocks)
        decide(checked_job)
        assert begun + b"".join(blocks) == whole
