"""The values that lookups and the rows of lists store of a report: one entry for each.

From an entry come the field of the model, the columns of SQL statements, what a retry empties, the member of REST and
JSON lines, the column of files and its line of the legend. A new value needs its entry and a migration. The outputs
keep the order that programs know (in the serializers and `services/result_files/`), and a new value comes last.
"""

import dataclasses
from typing import Any

from django.db import models

from doi_reading import Problem
from resolver.domain.display.times_and_durations import format_iso_utc
from resolver.domain.report.correction import Correction, find_proposal_for_review, get_corrected_doi
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.report import OtherDoi
from resolver.domain.report.sentences import add_duplicate_note
from resolver.domain.report.target import Target
from resolver.domain.work.evidence import VERDICTS, ComparedWork, WorkComparison, WorkVerdict
from resolver.domain.work.found_works import FOUND_BY
from resolver.models.fields import CodesField, ExactTextField, JsonTextField, MessageField, WithMessagesField
from resolver.models.reports.report_value import FileColumn, stored
from resolver.models.reports.search_evidence import encode_comparison, encode_search

# A text may have a thousand other DOIs, and `asdict` copies each value of each deeply.
_OF_OTHER = tuple(field.name for field in dataclasses.fields(OtherDoi))
_OF_PROBLEM = tuple(field.name for field in dataclasses.fields(Problem))


def _find_earlier_row(row: Any) -> int | None:
    """Return the number of the first row with the same name; None if that is a field of the same reference."""
    if row.same_as is None or (row.reference is not None and row.same_as >= row.reference):
        return None
    number: int = row.same_as_row or row.same_as
    return number


def _encode_evidence(work: ComparedWork) -> dict[str, Any]:
    compared = work.comparison or WorkComparison(WorkVerdict.CANNOT_TELL)
    return {
        **encode_comparison(compared),
        "agency": work.agency,
        "received_at": format_iso_utc(work.received_at),
    }


class StoredReport(models.Model):
    """The values that lookups and rows have in common. Every text column has the empty string for null."""

    doi = stored(
        ExactTextField(blank=True, default=""),
        read=lambda text: text.doi,
        help="The DOI name that the text means; null if there is none.",
        empty_is_null=True,
        column=FileColumn("doi", "The DOI name in the cell, as the standards read it. Empty if there is none."),
        of_text=True,
    )
    outcome = stored(
        models.CharField(max_length=20, blank=True, default=""),
        read=lambda text: str(text.report.outcome),
        help="The result; empty until the row is checked.",
        help_of_lookup="The result. `proxy-error` and `unreachable` say nothing about the DOI.",
        choices=tuple(Outcome),
        column=FileColumn("outcome", "What the DOI proxy answered. The values are below. Empty: not checked."),
    )
    ra = stored(
        ExactTextField(blank=True, default=""),
        read=lambda text: text.report.ra or "",
        help="The Registration Agency of the DOI; null if it isn't known.",
        empty_is_null=True,
        column=FileColumn("registration_agency", "The agency that registered the DOI, as Which RA names it."),
    )
    ra_status = stored(
        ExactTextField(blank=True, default=""),
        read=lambda text: text.report.ra_status or "",
        help="What Which RA says instead of an agency; null if it names one.",
        empty_is_null=True,
    )
    prefix_ra = stored(
        ExactTextField(blank=True, default=""),
        read=lambda text: text.report.prefix_ra or "",
        help="For a DOI that isn't registered: the agency of its prefix; null if it isn't known.",
        empty_is_null=True,
    )
    # What Which RA says of the prefix instead of an agency.
    prefix_status = stored(ExactTextField(blank=True, default=""), read=lambda text: text.report.prefix_status or "")
    urls = stored(
        JsonTextField(default=list),
        read=lambda text: list(text.report.urls),
        help="The URL values of the record, in index order.",
        column=FileColumn("url_values", "The URL values of the DOI's record, joined by “ | ”."),
    )
    alias_of = stored(
        ExactTextField(blank=True, default=""),
        read=lambda text: text.report.alias_of or "",
        help="The main DOI, if this name is an alias; else null.",
        empty_is_null=True,
    )
    others = stored(
        JsonTextField(default=list),  # [{"doi", "outcome", "ra", "urls"}]
        read=lambda text: [{name: getattr(other, name) for name in _OF_OTHER} for other in text.report.others],
        help="The other DOIs of a text with several DOIs.",
    )
    answered_at = stored(
        models.DateTimeField(null=True, blank=True),
        read=lambda text: text.answered_at,
        help="When the DOI proxy gave the answer, UTC; null if there is no answer.",
    )
    cached = stored(
        models.BooleanField(default=False),
        read=lambda text: text.cached,
        help="Whether the answer was stored before the job started.",
        help_of_lookup="Whether the answer was stored before this lookup.",
    )
    incomplete = stored(
        models.BooleanField(default=False),
        read=lambda text: text.report.incomplete,
        help="Whether the outcome is known, but a part couldn't be checked, such as the agency.",
        column=FileColumn(
            "incomplete",
            "1: the outcome is known, but a part couldn't be checked, such as the agency. “messages” says what.",
        ),
    )
    proxy = stored(
        models.TextField(blank=True, default=""),
        read=lambda text: text.proxy,
        help="The DOI proxy that answered; empty if no request was needed.",
        column=FileColumn("proxy", "The address of the DOI proxy that answered."),
    )

    retractions = stored(
        JsonTextField(default=list),  # as `WorkEvent.encode` returns them
        read=lambda text: [event.encode() for event in text.report.events],
        help="What a list of retractions says about the works, the newest event of each first. Empty says nothing: the "
        "works may not be listed, or no list may have been loaded.",
    )

    class Meta:
        abstract = True


class LookupReport(StoredReport):
    """What only lookups store of a report: the record, and problems and candidates with their sentences."""

    record = stored(
        JsonTextField(default=None),  # the handle record (A1), or None
        read=lambda text: dict(text.report.record) if text.report.record is not None else None,
        help="The handle record as the DOI proxy sent it; null if there is none.",
    )
    suggestion = stored(
        WithMessagesField(default=None),  # {"doi", "reason", …} or None
        read=lambda text: dataclasses.asdict(text.report.suggestion) if text.report.suggestion else None,
    )
    problems = stored(
        WithMessagesField(default=list),  # [{"code", "severity", "message", "start", "end"}]
        read=lambda text: [{name: getattr(problem, name) for name in _OF_PROBLEM} for problem in text.report.problems],
    )
    problem_codes = stored(CodesField(), read=lambda text: text.problem_codes)
    candidates = stored(
        WithMessagesField(default=list),  # [{"doi", "reason", "exists"}]
        read=lambda text: [{"doi": one.doi, "reason": one.reason, "exists": one.exists} for one in text.candidates],
    )

    class Meta:
        abstract = True


class RowReport(StoredReport):
    """What only the rows of lists store of a report: what their list counts, filters, compares and corrects."""

    # The folded name, or the folded input if there is none (S8). Of these three the duplicates of a list are made.
    key = stored(ExactTextField(blank=True, default=""), of_text=True)
    # A hash of `key`, which may be too long for an index; None until the row is checked, and for rows without a name.
    fingerprint = stored(models.BigIntegerField(null=True, blank=True), of_text=True)
    # The first line with this name, if it is not this one.
    same_as = stored(
        models.PositiveIntegerField(null=True, blank=True),
        help="The line of the first row with this name; null for that first row.",
        of_text=True,
    )
    url = stored(
        ExactTextField(blank=True, default=""),
        read=lambda text: text.reading.url or "",
        help="The name as a link; null without a name.",
        empty_is_null=True,
        column=FileColumn("doi_url", "The DOI as a link, encoded."),
        of_text=True,
    )
    # How the expected address of the row and its URL values differ (domain/report/target.py), and the host of the first
    # URL value. Both only in a list with a column of expected addresses.
    address = stored(
        models.CharField(max_length=10, blank=True, default=""),
        read=lambda text: text.address,
        help="How the URL values differ from the expected address; empty if they were not compared.",
        choices=tuple(Target),
        column=FileColumn(
            "address",
            "Where the DOI leads, compared with the expected address. The values are below. Empty: not compared.",
            only="audited",
        ),
    )
    host = stored(models.CharField(max_length=255, blank=True, default=""), read=lambda text: text.host)
    # Whether the DOI stands for the row's work. Both only in a list that compares works.
    work = stored(
        models.CharField(max_length=14, blank=True, default=""),
        read=lambda text: text.report.work.verdict if text.report.work else "",
        choices=VERDICTS,
        column=FileColumn(
            "work",
            "Whether the DOI stands for the work that your row describes. The values are below. Empty: not compared.",
            only="compared",
        ),
    )
    work_evidence = stored(
        JsonTextField(default=None),  # {"reasons", "fields", "agency", "received_at"} or None
        read=lambda text: _encode_evidence(text.report.work) if text.report.work else None,
    )
    # What a search for the row's work came to. Both only in a list that searches.
    found_by = stored(
        models.CharField(max_length=13, blank=True, default=""),
        read=lambda text: text.report.searched.found_by if text.report.searched else "",
        choices=FOUND_BY,
        help="What listed the found DOI, or what became of the search; null if there was none.",
        empty_is_null=True,
        column=FileColumn(
            "found_by",
            "Which service lists the work of a row without a right DOI, or what became of the search. The values are "
            "below. Empty: not searched for.",
            only="searched",
        ),
    )
    searched = stored(
        JsonTextField(default=None),  # as `encode_search` returns it, or None
        read=lambda text: encode_search(text.report.searched) if text.report.searched else None,
    )
    problem_codes = stored(
        CodesField(db_column="problems"),
        read=lambda text: text.problem_codes,
        other_member="problems",
        help="The problem codes.",
        column=FileColumn(
            "problems", "Codes of problems and notes about the cell, joined by a space. They are explained below."
        ),
    )
    messages = stored(
        MessageField(blank=True, default=""),
        read=lambda text: text.messages,
        # First the note about the duplicate, which may change after the row was checked.
        show=lambda row: add_duplicate_note(row.messages, _find_earlier_row(row)),
        help="The problems as sentences.",
        column=FileColumn("messages", "The problems as sentences."),
    )
    suggestion = stored(
        ExactTextField(blank=True, default=""),  # a registered name
        read=lambda text: text.report.suggestion.doi if text.report.suggestion else "",
        show=lambda row: row.suggestion or find_proposal_for_review(row),
        help="The registered DOI that was probably meant, or that `accepted` writes instead of `doi` for a row in "
        "review; null if there is none.",
        empty_is_null=True,
        column=FileColumn(
            "suggested_doi",
            "Another possible DOI that is registered (we checked), if the DOI in the cell isn't, or if a "
            "person must look. It may be a guess: then “messages” says so.",
        ),
    )
    doubtful = stored(
        models.BooleanField(default=False),  # the suggestion is a guess that only a person may accept
        read=lambda text: text.report.suggestion is not None and text.report.suggestion.doubtful,
        show=lambda row: row.doubtful or bool(find_proposal_for_review(row)),
        help="Whether only a person should accept the suggestion.",
    )
    # The other candidates that are registered.
    also_registered = stored(JsonTextField(default=list), read=lambda text: list(text.report.also_registered))
    # Registered, but the text or the record has an error, or it leads elsewhere (domain/report/triage.py).
    needs_review = stored(models.BooleanField(default=False), read=lambda text: text.needs_review)
    tidier = stored(models.BooleanField(default=False), read=lambda text: text.tidier)
    # What goes back into a catalogue; it depends on the person's decision too.
    correction = stored(
        models.CharField(max_length=14, blank=True, default=""),
        show=lambda row: str(get_corrected_doi(row).correction),
        help="How `corrected_doi` came about, or why there is none.",
        choices=tuple(Correction),
        column=FileColumn(
            "correction", "How “corrected_doi” came about, or why it is empty. The values are below.", only="corrected"
        ),
    )
    checked_at = stored(
        models.DateTimeField(null=True, blank=True),
        read=lambda text: text.checked_at,
        help="When the row was checked, UTC; null before that.",
        column=FileColumn(
            "checked_at", "When the row was checked, in UTC (ISO 8601). The answer of the DOI proxy may be older."
        ),
    )

    class Meta:
        abstract = True
