"""Which of their own columns people see beside the results: those that they chose, else the first short texts."""

from collections.abc import Iterable, Sequence

from resolver.models import Job, Row
from resolver.services.jobs.row_readings import is_bibliographic
from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.input.place_rows import PLACE_AND_WORK
from resolver.sheets.workbook.stored_row import decode_row_texts

MOST_SHOWN = 5
_BY_DEFAULT = 2
_LOOKED_AT = 10  # rows
_LONGEST = 100  # characters of a short text, on average


def get_shown_columns(job: Job, named: Sequence[int] | None = None) -> list[int]:
    """Return the indexes of the columns to show, in the order of the file: those that an address has `named`, else
    those chosen for the list; of a bibliographic file those that tell the place and the work. One
    query if there are neither."""
    width = len(job.header or [])
    chosen = job.shown_columns if named is None else named
    if chosen is not None:
        return [column for column in chosen if column < width][:MOST_SHOWN]
    if is_bibliographic(job):
        return list(PLACE_AND_WORK)
    found = Row.objects.filter(job=job).order_by("line").values_list("cells", flat=True)
    rows = [decode_row_texts(cells) for cells in found[:_LOOKED_AT]]
    return [column for column in range(width) if _has_short_texts(rows, column)][:_BY_DEFAULT]


def choose_columns(job: Job, columns: Iterable[int]) -> None:
    """Show these columns of the list from now on, at most MOST_SHOWN; none of them may be chosen too."""
    width = len(job.header or [])
    job.shown_columns = sorted({column for column in columns if 0 <= column < width})[:MOST_SHOWN]
    Job.objects.filter(pk=job.pk).update(shown_columns=job.shown_columns)


def _has_short_texts(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Return whether most of these rows have a text there that is short, and no DOI, link or figure."""
    texts = [row[column] for row in rows if column < len(row) and row[column].strip()]
    if 2 * len(texts) <= len(rows) or sum(map(len, texts)) > _LONGEST * len(texts):
        return False
    return not any(has_doi_pattern(text) or "://" in text for text in texts) and not all(map(_is_figure, texts))


def _is_figure(text: str) -> bool:
    return text.strip().replace(".", "").isdecimal()
