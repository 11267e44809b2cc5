"""The DOIs whose registered address isn't the expected page, for those who can change it.

Rows that repeat another row's DOI are left out, and all rows of a DOI with different expected addresses. Only rows
whose DOI occurs again are read to find them, so a list without duplicates costs three queries.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice

from django.db.models import Case, Count, F, TextField, Value, When
from django.db.models.functions import StrIndex, Substr
from django.http import StreamingHttpResponse

from doi_reading import fold
from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.report.correction import is_main_doi
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.target import TO_CORRECT, complete_target
from resolver.models import Job, Row, raw_sql
from resolver.services.http.downloads import build_csv_download
from resolver.services.jobs.duplicates import compute_fingerprint
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.jobs.row_readings import find_expected_address, has_expected_addresses
from resolver.services.results.export import build_file_name, ensure_unchanged
from resolver.services.results.row_queries import TO_CORRECT_WORD, RowFilter, find_line_numbers
from resolver.services.storage.keyset import BATCH_ROWS

MOST_PREFIXES_ON_PAGE = 100  # and most agencies
# A text for an agency is copied into a form: its DOIs, about its characters, and the characters of an address in it.
MOST_DOIS_IN_TEXT = 200
MOST_CHARACTERS_OF_TEXT = 40_000
LONGEST_ADDRESS = 500
UNREGISTERED = "unregistered"
"""The kind of a DOI without a record that could be corrected."""
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff]")
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
    """A DOI, its expected address, the addresses of its record, and the time of the proxy's answer."""

    doi: str
    expected: str
    urls: tuple[str, ...]
    outcome: str
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class UpdateCounts:
    """The numbers of DOIs: of those whose record can be corrected, and these by prefix; of all by agency, the highest
    first, and by `kind`: their class, or UNREGISTERED. A DOI that isn't registered counts for the agency of its prefix
    and for no record. `conflicts` (DOIs with different expected addresses) and `mistyped` (rows with
    a suggestion, because their DOI is wrong) are left out."""

    dois: int
    by_prefix: list[tuple[str, int]]
    by_agency: list[tuple[str, int]]
    by_kind: Mapping[str, int]
    conflicts: int
    mistyped: int


@dataclass(frozen=True, slots=True)
class UpdatesLeftOut:
    """The lines of rows to correct that are left out, these rows as UpdateCounts has them, and the conflicts."""

    lines: set[int] = field(default_factory=set)
    by_prefix: Counter[str] = field(default_factory=Counter)
    by_agency: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[str] = field(default_factory=Counter)
    conflicts: int = 0


@dataclass(frozen=True, slots=True)
class AgencyText:
    """A text for an agency, the address to send it to ("" if unknown), and the number of DOIs that it lists."""

    text: str
    address: str
    listed: int


def ensure_audited(job: Job) -> None:
    """Raise JobStillRunning or NoExpectedAddresses unless the job has ended and has expected addresses."""
    ensure_ended(job)
    if not has_expected_addresses(job):
        raise NoExpectedAddresses


def count_uncompared(job: Job) -> int:
    """Return the number of rows without a class in an ended list with expected addresses; 0 for any other list."""
    if not (job.ended and has_expected_addresses(job)):
        return 0
    return max(0, job.total - int(sum(job.counts.get("address", {}).values())))


def count_updates(job: Job) -> UpdateCounts:
    """Return the numbers of DOIs to correct. One query over all of these rows, others over repeated DOIs."""
    found = Row.objects.filter(job=job, address__gt="", address__in=TO_CORRECT, doi__gt="").order_by()
    counted = found.filter(suggestion="").annotate(name=_DOI).annotate(prefix=_PREFIX)
    prefixes, agencies, kinds = Counter[str](), Counter[str](), Counter[str]()
    values = ("prefix", "ra", "prefix_ra", "address", "outcome")
    for prefix, agency, prefix_agency, address, outcome, rows in counted.values_list(*values).annotate(
        rows=Count("line")
    ):
        prefixes[prefix] += rows if outcome != Outcome.NOT_FOUND else 0
        agencies[agency or prefix_agency] += rows
        kinds[_name_kind(address, outcome)] += rows
    left_out = _find_left_out(job)
    prefixes, agencies = prefixes - left_out.by_prefix, agencies - left_out.by_agency
    return UpdateCounts(
        prefixes.total(),
        prefixes.most_common(MOST_PREFIXES_ON_PAGE),
        agencies.most_common(MOST_PREFIXES_ON_PAGE),
        kinds - left_out.by_kind,
        left_out.conflicts,
        found.exclude(suggestion="").count(),
    )


def iterate_updates(job: Job, *, prefix: str = "", agency: str = "") -> Iterator[AddressUpdate]:
    """Yield each DOI to correct once, in line order and pages. Raise JobChanged in between if the list runs again."""
    found = Row.objects.filter(job=job, suggestion="").exclude(doi="").order_by("line")
    if prefix:
        found = found.annotate(name=_DOI).filter(name__startswith=f"{prefix}/")
    if agency:
        found = found.annotate(agency=_AGENCY).filter(agency=agency)
    line, wanted, left_out = 0, RowFilter(address=TO_CORRECT_WORD), _find_left_out(job).lines
    while lines := find_line_numbers(job, wanted, found.filter(line__gt=line), BATCH_ROWS):
        rows = list(Row.objects.filter(job=job, line__in=set(lines) - left_out).order_by("line"))
        ensure_unchanged(job)
        for row in rows:
            doi = _find_doi_to_correct(row)
            expected = complete_target(find_expected_address(job, row.cells) or "")
            yield AddressUpdate(doi, expected, tuple(row.urls), row.outcome, row.answered_at)
        line = lines[-1]


def build_updates_download(job: Job, *, prefix: str = "", delimiter: str = ",") -> StreamingHttpResponse:
    """Return the DOIs of records to correct, with expected addresses, as CSV. Raise as `ensure_audited`, at once."""
    ensure_audited(job)
    updates = iterate_updates(job, prefix=prefix)
    lines = ((one.doi, one.expected) for one in updates if one.outcome != Outcome.NOT_FOUND)
    name = build_file_name(job.filename, "address-updates")
    return build_csv_download(name, ("DOI", "URL"), lines, delimiter=delimiter)


def write_agency_text(job: Job, agency: str, dois: int) -> AgencyText:
    """Return a text in English for the agency, which has `dois` DOIs to correct. Raise as `ensure_audited`."""
    ensure_audited(job)
    known = find_contact(agency)
    source = f"{job.proxy} (sample data)" if job.sample else job.proxy
    to_correct: list[str] = []
    to_register: list[str] = []
    days = []
    for one in islice(iterate_updates(job, agency=agency), MOST_DOIS_IN_TEXT):
        entry = ["", *_describe(one)]
        if sum(map(len, (*to_correct, *to_register, *entry))) > MOST_CHARACTERS_OF_TEXT:
            break
        (to_register if one.outcome == Outcome.NOT_FOUND else to_correct).extend(entry)
        days.append(one.answered_at)
    # The earliest: a stored answer may be a day older than the list.
    checked = min(filter(None, days), default=job.finished_at)
    lines = [
        f"To: {_replace_invisible(known.full or agency)}",
        "",
        f"Checked on {f'{checked:%Y-%m-%d}' if checked else 'an unknown day'} (UTC) at {_replace_invisible(source)}.",
        "Please forward this to the registrants if you can't change the DOIs yourself.",
    ]
    if to_correct:
        lines += ["", "These DOIs don't lead to the web address that we expect. Please correct them:", *to_correct]
    if to_register:
        lines += ["", "These DOIs aren't registered. Please register them:", *to_register]
    if len(days) < dois:
        lines += ["", f"This text lists {len(days):,} of {dois:,} DOIs."]
    return AgencyText("\n".join(lines) + "\n", known.address, len(days))


def _describe(one: AddressUpdate) -> list[str]:
    found = [f"  Found: {_replace_invisible(url)}" for url in one.urls[:3]]
    if not found and one.outcome != Outcome.NOT_FOUND:
        found = ["  Found: no web address"]
    return [_replace_invisible(one.doi), *found, f"  Expected: {_replace_invisible(one.expected)}"]


def _replace_invisible(text: str) -> str:
    return _INVISIBLE.sub("\ufffd", text)[:LONGEST_ADDRESS]


def _name_kind(address: str, outcome: str) -> str:
    return UNREGISTERED if outcome == Outcome.NOT_FOUND else address


def _find_doi_to_correct(row: Row) -> str:
    return row.alias_of if is_main_doi(row.outcome, row.alias_of) else row.doi


def _find_left_out(job: Job) -> UpdatesLeftOut:
    """Return all rows of DOIs with different expected addresses, and of other repeated DOIs all but the first."""
    expected: dict[int, str] = {}
    conflicts: set[int] = set()
    for row in _iterate_repeated(job):
        number = _compute_number(row)
        address = complete_target(find_expected_address(job, row.cells) or "")
        if expected.setdefault(number, address) != address:
            conflicts.add(number)
    left_out, seen = UpdatesLeftOut(conflicts=len(conflicts)), set[int]()
    for row in _iterate_repeated(job):
        if row.address not in TO_CORRECT or row.suggestion:
            continue
        number = _compute_number(row)
        if number in conflicts or number in seen:
            left_out.lines.add(row.line)
            left_out.by_prefix[_find_doi_to_correct(row).partition("/")[0]] += row.outcome != Outcome.NOT_FOUND
            left_out.by_agency[row.ra or row.prefix_ra] += 1
            left_out.by_kind[_name_kind(row.address, row.outcome)] += 1
        seen.add(number)
    return left_out


def _compute_number(row: Row) -> int:
    return compute_fingerprint(fold(_find_doi_to_correct(row)))


def _iterate_repeated(job: Job) -> Iterator[Row]:
    """Yield the rows with a class whose DOI occurs in other rows, in line order."""
    rows = Row.objects.filter(job=job)
    audited = rows.filter(address__gt="").order_by("line")
    lines: set[int] = set()
    for line, first in rows.filter(same_as__isnull=False).values_list("line", "same_as").iterator():
        lines.update(filter(None, (line, first)))
    numbers: set[int] = set()
    aliases = audited.filter(alias_of__gt="").values_list("line", "alias_of", "outcome")
    for line, alias_of, outcome in aliases.iterator():
        if is_main_doi(outcome, alias_of):
            lines.add(line)
            numbers.add(compute_fingerprint(fold(alias_of)))
    for some in _split_sorted(numbers):
        firsts = raw_sql.select_rows(Row, ("line",), ("job", job.pk), ("fingerprint", some), null="same_as")
        lines.update(number for (number,) in firsts)
    for some in _split_sorted(lines):
        yield from audited.filter(line__in=some)


def _split_sorted(numbers: Iterable[int]) -> Iterator[list[int]]:
    ordered = sorted(numbers)
    for start in range(0, len(ordered), BATCH_ROWS):
        yield ordered[start : start + BATCH_ROWS]
