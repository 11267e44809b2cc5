"""The table that `make faults` prints: one line a fault, with what came of its list."""

import os
import platform
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

HEAD = """\
# Faults, made for real

Written by `make faults`: Python {python} on {cores} cores, {day:%d %B %Y}. Lists of {rows:,} rows, two worker
processes, 50 ms an answer.

"Holds": every row has exactly one outcome, that of an undisturbed run; the counts of the list are those of its rows;
only names of the chunks under way were answered twice.
"""
TITLES = ("what was done", "the list afterwards", "verdict")


def write_table(
    reports: Iterable[tuple[pytest.TestReport, pytest.TestReport]], database: str, rows: int, file: Path
) -> None:
    """Add a part for this database to the file, or begin the file with it. `reports`: each test's call and its end."""
    if not file.exists():
        machine = {"python": platform.python_version(), "cores": os.cpu_count(), "day": datetime.now(UTC)}
        file.write_text(HEAD.format(rows=rows, **machine))
    lines = [f"\n## {database}\n", f"| {' | '.join(TITLES)} |", "|---" * len(TITLES) + "|"]
    for report, end in reports:
        lists = "; ".join(str(value) for _, value in end.user_properties)
        verdict = "holds" if report.passed else "FAILED"
        fault = report.nodeid.rpartition("::")[2].removeprefix("test_").replace("_", " ")
        lines.append(f"| {fault} | {lists} | {verdict} ({report.duration:.0f} s) |")
    with file.open("a") as table:
        table.write("\n".join([*lines, ""]))
