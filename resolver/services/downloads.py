"""A file to download: written and sent while its rows are read, whoever asks for it, by page or by REST."""

from collections.abc import Iterable, Sequence

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from resolver.sheets.output.formats import ExportFormat
from resolver.sheets.output.result_row import RESULT_COLUMNS, ResultRow


def download(
    name: str,
    form: ExportFormat,
    header: Sequence[str],
    rows: Iterable[ResultRow],
    *,
    columns: Sequence[str] = RESULT_COLUMNS,
    delimiter: str = ",",
) -> StreamingHttpResponse:
    """The rows as a file of that name and format. Raises TooManyColumns, at once."""
    blocks = form.write(header, rows, columns, delimiter)
    headers = {"Content-Disposition": str(content_disposition_header(True, name))}
    return StreamingHttpResponse(blocks, content_type=form.content_type, headers=headers)
