"""The forms of the report. Each module has `write_report`: findings → text, piece by piece."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from doi_reading.command.findings import DoiFinding
from doi_reading.command.output import csv_rows, github, json_list, sarif, text_lines

Report = Callable[[Iterable[DoiFinding], str], Iterator[str]]
"""Findings, and the address of the pages that explain the codes, "" for none."""
REPORTS: Mapping[str, Report] = MappingProxyType(
    {
        "text": text_lines.write_report,
        "json": json_list.write_report,
        "csv": csv_rows.write_report,
        "sarif": sarif.write_report,
        "github": github.write_report,
    }
)
