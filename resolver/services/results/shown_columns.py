"""The columns of the uploaded file that pages show beside the results: chosen ones, else the first short texts."""

from collections.abc import Iterable, Sequence

from resolver.models import Job, Row
from resolver.services.jobs.row_readings import is_bibliographic
from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.input.place_rows import PLACE_AND_WORK, shorten_work
from resolver.sheets.workbook.typed_cell import decode_row_texts

MOST_SHOWN_COLUMNS = 5


def get_shown_columns(job: Job, named: Sequence[int] | None = None) -> list[int]:
    """Return the indexes of the columns to show, in the order of the file: those `named` in an address, else those
    chosen for the list, else the place and the work of a bibliographic file, else the first two with short texts in the
    first ten rows (one query)."""
    width = len(job.header or [])
    chosen = job.shown_columns if named is None else named
    if chosen is not None:
        return [column for column in chosen if column < width][:MOST_SHOWN_COLUMNS]
    if is_bibliographic(job):
        return list(PLACE_AND_WORK)
    found = Row.objects.filter(job=job).order_by("line").values_list("cells", flat=True)
    rows = [decode_row_texts(cells) for cells in found[:10]]
    return [column for column in range(width) if _has_short_texts(rows, column)][:2]


def list_shown_cells(job: Job, row: Row, columns: Iterable[int]) -> list[str]:
    """Return the texts of a row in these columns. Of many authors in a bibliographic file there is only the first."""
    cells = decode_row_texts(row.cells)
    if is_bibliographic(job):
        cells = shorten_work(cells)
    return [cells[column] if column < len(cells) else "" for column in columns]


def choose_columns(job: Job, columns: Iterable[int]) -> None:
    """Show these columns of the list from now on, at most MOST_SHOWN_COLUMNS; none if there are none."""
    width = len(job.header or [])
    job.shown_columns = sorted({column for column in columns if 0 <= column < width})[:MOST_SHOWN_COLUMNS]
    Job.objects.filter(pk=job.pk).update(shown_columns=job.shown_columns)


def _has_short_texts(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Return whether most rows have a text of 100 characters at most on average, no DOI or link, not all numbers."""
    texts = [row[column] for row in rows if column < len(row) and row[column].strip()]
    if 2 * len(texts) <= len(rows) or sum(map(len, texts)) > 100 * len(texts):
        return False
    if any(has_doi_pattern(text) or "://" in text for text in texts):
        return False
    return not all(text.strip().replace(".", "").isdecimal() for text in texts)
