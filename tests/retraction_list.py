"""Lists of retractions for tests: the bundled sample, and files of the same shape."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from resolver.standin import records

SAMPLE = Path(records.__file__).with_name("retractions.csv")
COLUMNS = next(csv.reader([SAMPLE.read_text(encoding="utf-8").splitlines()[0]]))
"""The columns of Retraction Watch's file, in its order."""


def event(doi: str, kind: str = "Retraction", day: str = "3/4/2021 0:00", **cells: str) -> dict[str, str]:
    """A row of the file; `cells` by the name of their column."""
    return {"OriginalPaperDOI": doi, "RetractionNature": kind, "RetractionDate": day, "Title": "Made up"} | cells


def build_list(rows: Iterable[Mapping[str, str]], columns: Iterable[str] = COLUMNS) -> bytes:
    """A file with these rows, as Crossref publishes it."""
    written = io.StringIO()
    writer = csv.DictWriter(written, [*columns], restval="", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue().encode()
