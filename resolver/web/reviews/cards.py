"""A row to review as its card shows it: the user's columns, the text with its fault marked, and the proposal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from doi_reading import encode, fold
from resolver.domain.handle.record import Record
from resolver.domain.report.correction import find_row_proposal
from resolver.domain.report.outcome import EXISTS
from resolver.models import Job, Row
from resolver.services.lookups.stored_results import list_row_choices
from resolver.services.proxy_answers import cache
from resolver.sheets.workbook.typed_cell import decode_row_texts
from resolver.web.jobs.row import describe_problems, read_row
from resolver.web.lookups.name_diff import NameDiff, compare_names
from resolver.web.lookups.name_links import get_metadata_page_url
from resolver.web.lookups.result_context import highlight_problems
from resolver.web.wording.label_filters import column_label
from resolver.web.wording.labels import CORRECTION_LABELS, Label
from resolver.web.wording.text_filters import reveal


@dataclass(frozen=True, slots=True)
class Proposal:
    """The DOI that may be accepted. `agency` and `urls` are empty unless stored. `is_known`: its record is stored."""

    doi: str
    link: str
    difference: NameDiff | None
    agency: str
    urls: Sequence[str]
    is_known: bool

    @property
    def metadata_page(self) -> str:
        """The page that says what the DOI stands for."""
        return get_metadata_page_url(self.doi)


@dataclass(frozen=True, slots=True)
class ReviewCard:
    """One row. `choices`: other registered DOIs. `typed` and `error`: what was just entered, and why it was refused."""

    row: Row
    cells: Sequence[tuple[SafeString, SafeString]]
    text: Mapping[str, Any]
    proposal: Proposal | None
    choices: Sequence[str]
    tag: Label
    typed: str = ""
    error: str = ""

    @property
    def seen(self) -> str:
        """What this page shows of the decision, for the form to send back."""
        return self.row.decided_at.isoformat() if self.row.decided_at else ""


def build_cards(
    job: Job, rows: Sequence[Row], columns: Sequence[int], *, proxy: str, now: datetime, refused: Mapping[int, Any]
) -> list[ReviewCard]:
    """Return the cards of the rows. `refused`: by line, what was entered and the sentence why it was refused. At most
    two queries, for stored answers about the proposals."""
    proposals = {row.line: find_row_proposal(row) for row in rows}
    foreign = {proposals[row.line] for row in rows if proposals[row.line] and not _is_own(row, proposals[row.line])}
    records = cache.load_records(foreign, proxy=proxy, now=now) if foreign else {}
    agencies = cache.load_agencies(foreign, proxy=proxy, now=now) if foreign else {}
    cards = []
    for row in rows:
        doi, reading = proposals[row.line], read_row(row)
        typed, error = refused.get(row.line, ("", ""))
        cards.append(
            ReviewCard(
                row,
                _list_cells(job, row, columns),
                highlight_problems(row.input, describe_problems(row, reading), limit=600),  # ten are on a page
                _build_proposal(row, doi, records, agencies) if doi else None,
                list_row_choices(row)[:5],
                CORRECTION_LABELS[row.correction],
                typed,
                error,
            )
        )
    return cards


def _is_own(row: Row, doi: str) -> bool:
    """Whether the row itself stores the agency and the addresses of this DOI."""
    return row.outcome in EXISTS and fold(doi) in (fold(row.doi), fold(row.alias_of))


def _build_proposal(row: Row, doi: str, records: Mapping[str, Any], agencies: Mapping[str, Any]) -> Proposal:
    text = row.input[max(row.input.find("10."), 0) :].strip()
    difference = compare_names(text if fold(doi) == fold(row.doi) or not row.doi else row.doi, doi)
    if _is_own(row, doi):
        return Proposal(doi, encode(doi), difference, row.ra, row.urls, is_known=True)
    known, agency = records.get(fold(doi)), agencies.get(fold(doi))
    urls = known.answer.urls if known and isinstance(known.answer, Record) else ()
    ra = (agency and agency.answer.ra) or ""
    return Proposal(doi, encode(doi), difference, ra, urls, is_known=known is not None)


def _list_cells(job: Job, row: Row, columns: Iterable[int]) -> list[tuple[SafeString, SafeString]]:
    header, cells = job.header or [], decode_row_texts(row.cells)
    return [
        (reveal(column_label(header[index]), 60), reveal(cells[index] if index < len(cells) else "", 300))
        for index in columns
    ]
