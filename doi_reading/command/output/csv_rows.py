"""CSV with a header. No cell begins as a formula does."""

import csv
import io
from collections.abc import Iterable, Iterator

from doi_reading.command.findings import DoiFinding
from doi_reading.command.output.members import MEMBERS, list_members

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "＝", "＋", "－", "＠")


def write_report(findings: Iterable[DoiFinding], _pages: str) -> Iterator[str]:
    """Yield the rows."""
    yield _write_row(MEMBERS)
    for one in findings:
        yield _write_row({**list_members(one), "candidates": " ".join(one.candidates)}.values())


def _write_row(values: Iterable[object]) -> str:
    row = io.StringIO(newline="")
    csv.writer(row).writerow(["" if one is None else _disarm(str(one)) for one in values])
    return row.getvalue()


def _disarm(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
