"""The number of a row in words of its file."""


def format_row_number(row: int | None, line: int, part: int) -> str:
    """Return what pages and mails call a row: its number in the uploaded file and, from the second DOI of a cell on,
    which one it is: "12.2". `row` is None if only its place among the data rows, `line`, was kept; `part` counts the
    DOIs of a cell from 1, and is 0 in a list that has one row for each cell."""
    number = str(row or line)
    return f"{number}.{part}" if part > 1 else number
