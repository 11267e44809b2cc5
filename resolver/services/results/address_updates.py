"""The DOIs whose registered address isn't the expected page, for those who can change it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from django.db.models import Case, Count, F, TextField, Value, When
from django.db.models.functions import StrIndex, Substr
from django.http import StreamingHttpResponse

from resolver.domain.report.target import TO_CORRECT, complete_target
from resolver.models import Job, Row
from resolver.services.downloads import stream_file
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.jobs.row_readings import find_expected_address, has_expected_addresses
from resolver.services.results.export import build_file_name, ensure_unchanged
from resolver.services.results.row_queries import TO_CORRECT_WORD, RowFilter, find_line_numbers
from resolver.sheets.output.csv_and_jsonl import generate_csv_lines
from resolver.sheets.output.export_formats import CSV

HEADER = ("DOI", "URL")
MOST_COUNTED = 100  # prefixes, or agencies, on a page
AT_ONCE = 2_000
_AGENCY = Case(When(ra__gt="", then=F("ra")), default=F("prefix_ra"), output_field=TextField())
_PREFIX = Substr("doi", 1, StrIndex("doi", Value("/")) - 1, output_field=TextField())


class NoExpectedAddresses(Exception):
    """The list has no column of expected addresses."""


@dataclass(frozen=True, slots=True)
class AddressUpdate:
    """A DOI, the address that it should lead to, and those that its record has."""

    doi: str
    expected: str
    urls: tuple[str, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class UpdateCounts:
    """The rows with a DOI to correct, by prefix and by agency; most rows first. A DOI that isn't registered counts for
    the agency of its prefix."""

    by_prefix: list[tuple[str, int]]
    by_agency: list[tuple[str, int]]


def ensure_audited(job: Job) -> None:
    """Raise JobStillRunning or NoExpectedAddresses unless the job has addresses to correct, or could have had."""
    ensure_ended(job)
    if not has_expected_addresses(job):
        raise NoExpectedAddresses


def count_updates(job: Job) -> UpdateCounts:
    """Return the numbers of DOIs to correct. One query over all of these rows, however few kinds there are."""
    found = Row.objects.filter(job=job, address__gt="", address__in=TO_CORRECT, doi__gt="").order_by()
    counted = found.annotate(prefix=_PREFIX).values_list("prefix", "ra", "prefix_ra").annotate(rows=Count("line"))
    prefixes, agencies = Counter[str](), Counter[str]()
    for prefix, agency, prefix_agency, rows in counted:
        prefixes[prefix] += rows
        agencies[agency or prefix_agency] += rows
    return UpdateCounts(prefixes.most_common(MOST_COUNTED), agencies.most_common(MOST_COUNTED))


def iterate_updates(job: Job, *, prefix: str = "", agency: str = "") -> Iterator[AddressUpdate]:
    """Yield the DOIs to correct in line order, page by page: those with this prefix, of this agency. Raise JobChanged
    in the middle if the list goes on."""
    found = Row.objects.filter(job=job).exclude(doi="").order_by("line")
    if prefix:
        found = found.filter(doi__startswith=f"{prefix}/")
    if agency:
        found = found.annotate(agency=_AGENCY).filter(agency=agency)
    line, wanted = 0, RowFilter(address=TO_CORRECT_WORD)
    while lines := find_line_numbers(found.filter(line__gt=line), wanted, AT_ONCE):
        rows = list(Row.objects.filter(job=job, line__in=lines).order_by("line"))
        ensure_unchanged(job)
        for row in rows:
            expected = complete_target(find_expected_address(job, row.cells) or "")
            yield AddressUpdate(row.doi, expected, tuple(row.urls), row.outcome)
        line = lines[-1]


def build_updates_download(job: Job, *, prefix: str = "", delimiter: str = ",") -> StreamingHttpResponse:
    """Return the DOIs to correct with their expected addresses as CSV. Raise as `ensure_audited`, at once."""
    ensure_audited(job)
    lines = ((one.doi, one.expected) for one in iterate_updates(job, prefix=prefix))
    name = build_file_name(job.filename, "address-updates")
    return stream_file(name, CSV.content_type, generate_csv_lines(chain([HEADER], lines), delimiter))
