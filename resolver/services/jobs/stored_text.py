"""How much a list may store: some kilobytes of a workbook may repeat one text in every row, or have a million rows."""

from collections.abc import Iterator

from doi_reading import Message
from resolver import conf
from resolver.models import Job
from resolver.models.fields import encode_storable, measure_json
from resolver.services.jobs.list_rows import ListRow
from resolver.services.uploads import stored_uploads
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.workbook.stored_row import encode_row

LEAST = 20_000_000  # bytes that any list may take, however small its file is
ROW = 330  # bytes beside its texts, with its entries in indexes, as it is read: 326 in PostgreSQL, 303 in SQLite


class TooMuchText(UnreadableFile):
    """The list takes more room than its upload allows (STORED_FACTOR). `line` is the row at which it went
    over. Nothing of the list is kept."""

    def __init__(self, limit: int, row: int) -> None:
        reason = Message(
            "With this row the list takes more than {count} MB in the database. That is too much for a file of this "
            "size. If a long text is repeated in every row, remove its column. If the file is compressed, upload it "
            "unpacked. Or check the list in parts.",
            count=limit // 1_000_000,
        )
        super().__init__(reason, row)
        self.name_row()


def limit_stored_text(rows: Iterator[ListRow], job: Job, read: int) -> Iterator[ListRow]:
    """Yield the rows as long as what is stored of them fits: STORED_FACTOR times the bytes of the upload, and never
    less than LEAST. `read`: the index of the cell that keeps its hyperlink. Raises TooMuchText.

    Rows are counted from the first at each reading, so a reader that goes on where another was killed knows what is
    stored. What a check adds to a row follows from at most MAX_CELL characters of its text. No list of DOIs is refused
    for its rows, unless it is compressed: the shortest DOI has more than ROW / STORED_FACTOR bytes.
    """
    factor = conf.stored_factor()
    limit = max(LEAST, factor * stored_uploads.measure_upload(job.upload))
    header = 2 * measure_json(job.header)  # of the list and of its layout
    used = header
    for row in rows:
        used += ROW + measure_json(encode_row(row.cells, read)) + len(encode_storable(row.text).encode())
        if factor and used > limit:
            raise TooMuchText(limit, row.row)
        yield row
