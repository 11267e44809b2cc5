"""The formats of a file of results, with their writers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from resolver.sheets.output.csv_and_jsonl import generate_csv, generate_jsonl
from resolver.sheets.output.result_table import ResultTable
from resolver.sheets.output.xlsx import generate_xlsx


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """The `suffix` of the file's name, and `write`, which takes the table and the delimiter for CSV. `has_values`: a
    cell may be a number or a date (`Cell`)."""

    suffix: str
    content_type: str
    write: Callable[[ResultTable, str], Iterator[bytes]]
    has_values: bool = False


CSV = ExportFormat("csv", "text/csv; charset=utf-8", generate_csv)
JSON_LINES = ExportFormat("jsonl", "application/jsonl; charset=utf-8", lambda table, delimiter: generate_jsonl(table))
XLSX = ExportFormat(
    "xlsx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    lambda table, delimiter: generate_xlsx(table),
    has_values=True,
)
