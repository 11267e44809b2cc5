"""The results of a job, row for row, for a file."""

from collections.abc import Iterator

from resolver.models import Job, Row
from resolver.sheets.writing import ResultRow

AT_ONCE = 2000


class NotFinished(Exception):
    """The job still runs; a file of its results would be out of date at once."""


def results(job: Job) -> Iterator[ResultRow]:
    """Every row in line order, also those that were not asked; memory does not grow with the job.

    Raises NotFinished, at once, unless the job is finished, cancelled or failed. The header is `job.header`.
    """
    if not job.ended:
        raise NotFinished(job.state)
    return _rows(job)


def _rows(job: Job) -> Iterator[ResultRow]:
    # Page by page instead of one long query: a slow download must hold neither a cursor nor a transaction open.
    line = 0
    while page := list(Row.objects.filter(job=job, line__gt=line).order_by("line")[:AT_ONCE]):
        yield from map(as_result, page)
        line = page[-1].line


def as_result(row: Row) -> ResultRow:
    """A stored row as `sheets` writes it."""
    return ResultRow(
        cells=row.cells,
        line=row.line,
        input=row.input,
        doi=row.doi,
        doi_url=row.url,
        outcome=row.outcome,
        registration_agency=row.ra,
        url_values=tuple(row.urls),
        problems=tuple(row.problem_codes),
        messages=row.messages,
        suggested_doi=row.suggestion,
        checked_at=row.checked_at,
        proxy=row.proxy,
        alias_of=row.alias_of,
        prefix_ra=row.prefix_ra,
    )
