"""The numbers of rows, as a spreadsheet shows them for the uploaded file."""

from collections.abc import Iterable, Mapping, Sequence

from resolver.models import Job, Row
from resolver.sheets.input.layout import Layout


def find_row_numbers(job: Job, lines: Iterable[int]) -> Mapping[int, int]:
    """Return the number of each of these lines. One query for a split list, else none."""
    if not job.layout:
        return {line: line for line in lines}
    layout = Layout.from_json(job.layout)
    if not layout.split:
        return {line: layout.number_row(line) for line in lines}
    found = Row.objects.filter(job=job, line__in=set(lines)).order_by().values_list("line", "row")
    return {line: number for line, number in found if number is not None}


def number_rows(job: Job, rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows with numbers that aren't stored, and with those of the first rows that have the same DOI."""
    wanted = {line for row in rows for line in (row.line if row.row is None else None, row.same_as) if line}
    numbers = find_row_numbers(job, wanted) if wanted else {}
    for row in rows:
        row.row = row.row or numbers.get(row.line, row.line)
        row.same_as_row = numbers.get(row.same_as, row.same_as) if row.same_as else None
    return rows
