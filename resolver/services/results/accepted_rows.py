"""The rows whose DOI is written into the uploaded file, in line order."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple, Protocol

from resolver.domain.report.correction import Correction, is_cell_kept
from resolver.models import Job, Row
from resolver.services.results.export import ensure_unchanged
from resolver.services.results.row_numbers import find_row_numbers
from resolver.services.results.row_queries import filter_correction, merge_parts
from resolver.services.storage.keyset import BATCH_ROWS, Edge, filter_beyond

_DECIDED = (Correction.ACCEPTED, Correction.EDITED)
ACCEPTS: Mapping[str, Collection[Correction]] = {
    "accepted": _DECIDED,
    "suggested": (*_DECIDED, Correction.SUGGESTED, Correction.CLEANED),
}
"""The corrections that are written: people's decisions, or also each suggestion that is not doubtful, and each
registered DOI in place of a text that isn't plain."""


class AcceptedRow(NamedTuple):
    """The values of a stored row that matter to a file."""

    line: int
    row: int | None
    input: str
    correction: str
    decided_doi: str
    decided_proposal: str
    suggestion: str
    doi: str


class _NamedRow(Protocol):
    @property
    def decided_doi(self) -> str: ...
    @property
    def suggestion(self) -> str: ...
    @property
    def doi(self) -> str: ...


def get_accepted_name(row: _NamedRow) -> str:
    """Return the DOI name that is written for a row with a correction of ACCEPTS."""
    return row.decided_doi or row.suggestion or row.doi


def iterate_accepted(job: Job, accept: str) -> Iterator[AcceptedRow]:
    """Yield the rows whose correction `accept`, a word of ACCEPTS, lets in, in line order. A slow download holds no
    cursor open. Raises JobChanged in the middle."""
    found, after = Row.objects.filter(job=job), 0
    while True:
        beyond = filter_beyond(found, ("line",), Edge((after,)))
        # One query: a suggestion that is accepted between two would be in neither.
        parts = [filter_correction(beyond, each).values_list(*AcceptedRow._fields) for each in ACCEPTS[accept]]
        page = [AcceptedRow(*values) for values in merge_parts(parts, ("line",), BATCH_ROWS)]
        ensure_unchanged(job)
        if not page:
            return
        unnumbered = [row.line for row in page if row.row is None]
        numbers = find_row_numbers(job, unnumbered) if unnumbered else {}
        yield from (
            row._replace(row=numbers[row.line]) if row.row is None else row for row in page if not is_cell_kept(row)
        )
        after = page[-1].line
