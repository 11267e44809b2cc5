"""A person's decisions about the rows of a job that has ended: one row, or all that match a filter."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.jobs import get_own_job
from resolver.api.openapi.operations import operation
from resolver.api.openapi.parameters import LINE, PK
from resolver.api.problem_types import (
    DecidedElsewhere,
    DoiUnchecked,
    InvalidInput,
    JobNotFinished,
    NothingProposed,
    OtherNumber,
    ProxyPauses,
    TooManyRequestedDois,
)
from resolver.api.protocol.doi_limit import CountedView
from resolver.api.protocol.etags import TaggedView
from resolver.api.protocol.query_parameters import refuse_host_of_quick_check
from resolver.api.serializers.jobs import ChangedRowsSerializer, RowSerializer, build_row_context
from resolver.api.serializers.kept_serializers import represent
from resolver.api.serializers.requests import RowDecisionRequestSerializer, RowDecisionsRequestSerializer
from resolver.domain.report.correction import Correction
from resolver.models import LAST_LINE, Job, Row
from resolver.services.accounts.owners import get_decider_name
from resolver.services.jobs.lifecycle import JobStillRunning, ensure_ended
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.results.row_numbers import number_rows
from resolver.services.results.row_queries import RowFilter
from resolver.services.reviews.bulk_decisions import CountDiffers, decide_rows
from resolver.services.reviews.decisions import DecidedMeanwhile, Decider, NoProposal, SeenState, decide_row
from resolver.services.reviews.typed_doi import DoiNotChecked, UnusableDoi, check_typed_doi
from resolver.services.storage.clock import read_clock


class OneRow(TaggedView, CountedView):
    """One row of a job."""

    @operation(
        "getRow",
        "Rows and results",
        "Get one row",
        parameters=[PK, LINE],
        answer=RowSerializer,
        says="The row.",
        errors=[InvalidInput],
        tagged=True,
    )
    def get(self, request: Request, pk: UUID, line: int) -> Response:
        """Return the row."""
        job = get_own_job(request, pk)
        return _respond(job, _get_row(job, line))

    @operation(
        "decideRow",
        "Decisions",
        "Decide about one row",
        description="Store what goes into your catalogue for a row of a job that has ended, or take the decision back.",
        parameters=[PK, LINE],
        body=RowDecisionRequestSerializer,
        changes=True,
        guarded=True,
        answer=RowSerializer,
        says="The row with the decision.",
        errors=[JobNotFinished, DecidedElsewhere, NothingProposed, DoiUnchecked, ProxyPauses, TooManyRequestedDois],
    )
    def patch(self, request: Request, pk: UUID, line: int) -> Response:
        """Store or take back a decision about it, and return the row."""
        job = get_own_job(request, pk)
        with _raise_decision_problems():
            ensure_ended(job)  # before that the row may not be there yet
        row = _get_row(job, line)
        wanted = RowDecisionRequestSerializer.parse(request.data)
        decision, doi = wanted["decision"], wanted.get("doi") or ""
        with _raise_decision_problems():
            if decision == Correction.EDITED:
                self.count(request, 1, field="doi")
                doi = _check_doi(doi)
            proposal = doi if decision == Correction.ACCEPTED and doi else None
            seen = SeenState(wanted["decided_at"]) if "decided_at" in wanted else None
            decided = decide_row(
                job, row.line, decision, doi=doi, by=_make_decider(request), seen=seen, proposal=proposal
            )
        return _respond(job, decided)


class RowDecisions(APIView):
    """All rows that match a filter, in one action."""

    @operation(
        "decideRows",
        "Decisions",
        "Decide about all rows that match a filter",
        description="Accept or reject the proposals of the matching rows without a decision, or take decisions back. "
        "All rows change, or none.",
        parameters=[PK],
        body=RowDecisionsRequestSerializer,
        changes=True,
        answer=ChangedRowsSerializer,
        says="The number of rows that changed.",
        errors=[JobNotFinished, OtherNumber, NothingProposed],
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Accept or reject the proposals of the rows without a decision, or take decisions back; all or nothing."""
        job = get_own_job(request, pk)
        wanted = RowDecisionsRequestSerializer.parse(request.data)
        decision, expected = wanted.pop("decision"), wanted.pop("expected")
        rows = RowFilter(**wanted)
        refuse_host_of_quick_check(rows, job)
        with _raise_decision_problems():
            changed = decide_rows(job, rows, decision, expected=expected, by=_make_decider(request))
        return Response({"changed": changed})


def _get_row(job: Job, line: int) -> Row:
    return get_object_or_404(Row, job=job, line=min(line, LAST_LINE))


def _respond(job: Job, row: Row) -> Response:
    number_rows(job, [row])
    return Response(represent(RowSerializer, row, **build_row_context(job)))


def _make_decider(request: Request) -> Decider:
    return Decider(get_decider_name(request), read_clock())


def _check_doi(text: str) -> str:
    try:
        return check_typed_doi(text, proxy=proxy_from_settings(), now=read_clock()).doi
    except UnusableDoi as error:
        raise InvalidInput(errors={"doi": [str(error)]}) from error
    except DoiNotChecked as error:
        raise DoiUnchecked(str(error)) from error
    except LookupPaused as pause:
        raise ProxyPauses(str(pause.why), wait=pause.seconds) from pause


@contextmanager
def _raise_decision_problems() -> Iterator[None]:
    """Raise the REST error for each exception of a decision."""
    try:
        yield
    except JobStillRunning as error:
        raise JobNotFinished("The job is still running. Decide when it has ended.") from error
    except DecidedMeanwhile as error:
        raise DecidedElsewhere(_describe(error.row)) from error
    except CountDiffers as error:
        found = "1 row matches" if error.found == 1 else f"{error.found:,} rows match"
        raise OtherNumber(f"{found}, so nothing was changed. Look at them again.") from error
    except NoProposal as error:
        raise NothingProposed(
            f"Rows without a registered DOI to accept: {error.rows:,}. Nothing was changed."
        ) from error
    except Row.DoesNotExist as error:
        raise Http404 from error


def _describe(row: Row) -> str:
    if not row.decision:
        return "The row is not as you saw it: its decision was taken back, or its proposal is another. Read it again."
    when = f"{row.decided_at:%Y-%m-%d %H:%M:%S} UTC"
    return f"The row was decided meanwhile: {row.decision} by {row.decided_by or 'a session'} on {when}. Read it again."
