"""Files to download, for pages and REST: written and sent while their rows are read."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from resolver.sheets.output.csv_and_jsonl import generate_csv_lines
from resolver.sheets.output.export_formats import CSV, ExportFormat
from resolver.sheets.output.result_table import ResultTable


def build_download(name: str, form: ExportFormat, table: ResultTable, *, delimiter: str = ",") -> StreamingHttpResponse:
    """Return the table as a file of that name and format. Raise TooManyColumns, at once."""
    return stream_file(name, form.content_type, form.write(table, delimiter))


def build_csv_download(
    name: str, header: Sequence[str], lines: Iterable[Sequence[str]], *, delimiter: str = ","
) -> StreamingHttpResponse:
    """Return lines of cells below a header as a CSV file of that name."""
    return stream_file(name, CSV.content_type, generate_csv_lines(chain([header], lines), delimiter))


def read_file(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, piece by piece."""
    with path.open("rb") as file:
        while piece := file.read(1 << 18):
            yield piece


def stream_file(name: str, content_type: str, blocks: Iterable[bytes]) -> StreamingHttpResponse:
    """Return the blocks as a file of that name to download."""
    headers = {"Content-Disposition": str(content_disposition_header(True, name))}
    return StreamingHttpResponse(blocks, content_type=content_type, headers=headers)
