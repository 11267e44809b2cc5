"""A list as the portal meets it: most names exist, some do not, some are written otherwise, some stand there twice."""

from collections.abc import Iterator
from pathlib import Path

HEADER = "id,title,doi\n"


def cell(n: int, series: str) -> str:
    """What stands in row n. Of a hundred four do not exist, ten are addresses, two damaged, two the same as before."""
    kind = n % 100
    if kind < 4:
        return f"10.5555/missing-{series}-{n}"
    if kind < 14:
        return f"https://doi.org/10.5555/{series}-{n}"
    if kind < 16:
        return f"10.5555/{series}\u2010{n}."
    if kind < 18 and n > 100:
        return f"10.5555/{series}-{n - 80}"
    return f"10.5555/{series}-{n}"


def lines(rows: int, series: str) -> Iterator[str]:
    """The CSV file, line by line."""
    yield HEADER
    for n in range(rows):
        yield f"{n},On the {n}th matter,{cell(n, series)}\n"


def write(path: Path, rows: int, series: str) -> None:
    """The CSV file; another series has other names."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(lines(rows, series))
