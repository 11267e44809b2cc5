"""One decision about all rows that match a filter, in set-based statements: 100,000 rows take seconds."""

from array import array
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Case, Expression, F, Q, QuerySet, TextField, Value, When

from resolver.domain.report.correction import (
    FOUND,
    Correction,
    find_row_correction,
    find_row_proposal,
)
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.models import Job, Row, raw_sql
from resolver.services.jobs.lifecycle import lock_ended_job
from resolver.services.lookups.stored_results import NO_DECISION
from resolver.services.results.row_queries import RowFilter, build_filter_queries
from resolver.services.results.row_search import leads_to, must_read_hosts
from resolver.services.results.task_counts import follow_tasks
from resolver.services.reviews.action_log import ROWS_OF_A_STATEMENT, log_action
from resolver.services.reviews.decisions import Decider, NoProposal

_NO_OTHERS = Q(also_registered=[])
_IS_REGISTERED = Q(outcome__in=EXISTS)
_HAS_MAIN_DOI = Q(
    outcome__in=(Outcome.RESOLVED, Outcome.NO_VALUES), alias_of__startswith="10.", alias_of__contains="/"
)  # as in is_main_doi
_IS_FOUND = reduce(or_, (Q(problem_codes__contains=f" {code} ") for code in sorted(FOUND)))
# As in find_row_proposal, for rows in which no other candidate is registered.
_PROPOSAL = Case(
    When(suggestion__gt="", then=F("suggestion")),
    When(_IS_FOUND, then=Value("")),
    When(_HAS_MAIN_DOI, then=F("alias_of")),
    When(_IS_REGISTERED, then=F("doi")),
    default=Value(""),
    output_field=TextField(),
)
_NONE = Q(suggestion="") & (_IS_FOUND | ((~_IS_REGISTERED | (_NO_OTHERS & Q(doi=""))) & ~_HAS_MAIN_DOI))


class CountDiffers(Exception):
    """The number of rows that match, `found`, isn't the expected one. Nothing was stored."""

    def __init__(self, found: int) -> None:
        super().__init__(f"{found} rows match")
        self.found = found


def decide_rows(job: Job, wanted: RowFilter, decision: str, *, expected: int, by: Decider) -> int:
    """Store `accepted` or `rejected` for all matching rows without a decision, or with "" remove the decisions of the
    matching rows that have one. Return the number of rows.

    All or nothing. Raises CountDiffers unless `expected` rows match, NoProposal, JobStillRunning, and Job.DoesNotExist.
    """
    with transaction.atomic():
        job = lock_ended_job(job.pk)
        found, without = _find(job, wanted, decision)
        if len(found) != expected:
            raise CountDiffers(len(found))
        if decision == Correction.ACCEPTED and without:
            raise NoProposal(without)
        if found:
            # By their keys: another search of a text would read the whole list again.
            starts = range(0, len(found), ROWS_OF_A_STATEMENT)
            parts = [Row.objects.filter(pk__in=found[start : start + ROWS_OF_A_STATEMENT]) for start in starts]
            log_action(job, decision, *parts, name=by.name, now=by.now)
            with follow_tasks(job, *parts):
                for part in parts:
                    if decision:
                        _decide(part, Correction(decision), by)
                    else:
                        _take_back(part)
        return len(found)


def _find(job: Job, wanted: RowFilter, decision: str) -> tuple["array[int]", int]:
    """Return the keys of the rows, 8 bytes each, and the number of rows without a proposal. Reads the rows once."""
    keys, without = array("q"), 0
    columns = ("pk", "nothing", "urls") if must_read_hosts(job, wanted.host) else ("pk", "nothing")
    for part in build_filter_queries(job, wanted, Row.objects.filter(job=job)):
        part = part.filter(decision="") if decision else part.exclude(decision="")
        part = part.order_by().annotate(nothing=Case(When(_NONE, then=Value(1)), default=Value(0)))
        for key, nothing, *urls in part.values_list(*columns).iterator(ROWS_OF_A_STATEMENT):
            if all(leads_to(wanted.host, each) for each in urls):
                keys.append(key)
                without += nothing
    return keys, without


def _take_back(part: QuerySet[Row]) -> None:
    """Remove the decisions of these rows, and derive their corrections from the check alone."""
    by_correction: dict[str, list[int]] = {}
    for row in part.only("input", "outcome", "doi", "problem_codes", "suggestion", "doubtful", "alias_of"):
        row.decision = row.decided_doi = ""
        by_correction.setdefault(find_row_correction(row).correction, []).append(row.pk)
    for correction, keys in by_correction.items():
        Row.objects.filter(pk__in=keys).update(correction=correction, **NO_DECISION)


def _decide(part: QuerySet[Row], decision: Correction, by: Decider) -> None:
    columns = {"correction": decision, "decision": decision, "decided_by": by.name, "decided_at": by.now}
    accepted = decision == Correction.ACCEPTED
    in_sql: Expression = _PROPOSAL
    part.update(**columns, decided_proposal=in_sql, decided_doi=in_sql if accepted else Value(""))
    special = _find_with_others(part)
    raw_sql.update_rows(special, ("decided_proposal", "decided_doi") if accepted else ("decided_proposal",))


def _find_with_others(part: QuerySet[Row]) -> list[Row]:
    """Return the rows that propose one of several registered candidates, and fill it in: SQL can't read the list."""
    found = part.filter(suggestion="").exclude(_NO_OTHERS)
    rows = list(found.only("outcome", "doi", "problem_codes", "suggestion", "alias_of", "also_registered"))
    for row in rows:
        row.decided_proposal = row.decided_doi = find_row_proposal(row)
    return rows
