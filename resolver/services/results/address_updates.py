"""The DOIs whose registered address isn't the expected page, for those who can change it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Count, F, TextField, Value, When
from django.db.models.functions import StrIndex, Substr
from django.http import StreamingHttpResponse

from resolver.domain.report.correction import is_main_doi
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.target import TO_CORRECT, complete_target
from resolver.models import Job, Row
from resolver.services.http.downloads import build_csv_download
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.jobs.row_readings import find_expected_address, has_expected_addresses
from resolver.services.results.export import build_file_name, ensure_unchanged
from resolver.services.results.repeated_updates import find_doi_to_correct, find_left_out
from resolver.services.results.row_queries import TO_CORRECT_WORD, RowFilter, find_line_numbers

HEADER = ("DOI", "URL")
MOST_COUNTED = 100  # prefixes, or agencies, on a page
AT_ONCE = 2_000
_PREFIX = Substr("name", 1, StrIndex("name", Value("/")) - 1, output_field=TextField())
_AGENCY = Case(When(ra__gt="", then=F("ra")), default=F("prefix_ra"), output_field=TextField())
_WITH_MAIN_DOI = [str(each) for each in Outcome if is_main_doi(each, "10.1000/456")]
_DOI = Case(
    When(outcome__in=_WITH_MAIN_DOI, alias_of__startswith="10.", alias_of__contains="/", then=F("alias_of")),
    default=F("doi"),
    output_field=TextField(),
)


class NoExpectedAddresses(Exception):
    """The list has no column of expected addresses."""


@dataclass(frozen=True, slots=True)
class AddressUpdate:
    """A DOI, the address that it should lead to, those that its record has, and when the proxy said so."""

    doi: str
    expected: str
    urls: tuple[str, ...]
    outcome: str
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class UpdateCounts:
    """The DOIs to correct: all, by prefix and by agency; most first. A DOI that isn't registered counts for the
    agency of its prefix.

    `conflicts`: DOIs for which the list has different expected addresses. `mistyped`: rows whose DOI isn't right, so
    that there is a suggestion. Both are left out.
    """

    dois: int
    by_prefix: list[tuple[str, int]]
    by_agency: list[tuple[str, int]]
    conflicts: int
    mistyped: int


def ensure_audited(job: Job) -> None:
    """Raise JobStillRunning or NoExpectedAddresses unless the job has addresses to correct, or could have had."""
    ensure_ended(job)
    if not has_expected_addresses(job):
        raise NoExpectedAddresses


def count_uncompared(job: Job) -> int:
    """Return the number of rows without a class, of a list with expected addresses that has ended."""
    if not (job.ended and has_expected_addresses(job)):
        return 0
    return max(0, job.total - int(sum(job.counts.get("address", {}).values())))


def count_updates(job: Job) -> UpdateCounts:
    """Return the numbers of DOIs to correct. One query over all of these rows, others over DOIs that occur again."""
    found = Row.objects.filter(job=job, address__gt="", address__in=TO_CORRECT, doi__gt="").order_by()
    counted = found.filter(suggestion="").annotate(name=_DOI).annotate(prefix=_PREFIX)
    prefixes, agencies = Counter[str](), Counter[str]()
    for prefix, agency, prefix_agency, rows in counted.values_list("prefix", "ra", "prefix_ra").annotate(
        rows=Count("line")
    ):
        prefixes[prefix] += rows
        agencies[agency or prefix_agency] += rows
    left_out = find_left_out(job)
    prefixes, agencies = prefixes - left_out.by_prefix, agencies - left_out.by_agency
    return UpdateCounts(
        prefixes.total(),
        prefixes.most_common(MOST_COUNTED),
        agencies.most_common(MOST_COUNTED),
        left_out.conflicts,
        found.exclude(suggestion="").count(),
    )


def iterate_updates(job: Job, *, prefix: str = "", agency: str = "") -> Iterator[AddressUpdate]:
    """Yield each DOI to correct once, in line order, page by page: those with this prefix, of this agency. Raise
    JobChanged in the middle if the list goes on."""
    found = Row.objects.filter(job=job, suggestion="").exclude(doi="").order_by("line")
    if prefix:
        found = found.annotate(name=_DOI).filter(name__startswith=f"{prefix}/")
    if agency:
        found = found.annotate(agency=_AGENCY).filter(agency=agency)
    line, wanted, left_out = 0, RowFilter(address=TO_CORRECT_WORD), find_left_out(job).lines
    while lines := find_line_numbers(job, wanted, found.filter(line__gt=line), AT_ONCE):
        rows = list(Row.objects.filter(job=job, line__in=set(lines) - left_out).order_by("line"))
        ensure_unchanged(job)
        for row in rows:
            doi = find_doi_to_correct(row.doi, row.alias_of, row.outcome)
            expected = complete_target(find_expected_address(job, row.cells) or "")
            yield AddressUpdate(doi, expected, tuple(row.urls), row.outcome, row.answered_at)
        line = lines[-1]


def build_updates_download(job: Job, *, prefix: str = "", delimiter: str = ",") -> StreamingHttpResponse:
    """Return the DOIs to correct with their expected addresses as CSV. Raise as `ensure_audited`, at once."""
    ensure_audited(job)
    lines = ((one.doi, one.expected) for one in iterate_updates(job, prefix=prefix))
    name = build_file_name(job.filename, "address-updates")
    return build_csv_download(name, HEADER, lines, delimiter=delimiter)
