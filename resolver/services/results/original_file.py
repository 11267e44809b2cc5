"""The uploaded file with the accepted DOIs and every other byte as it was, and what it can't hold."""

import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile

from django.http import StreamingHttpResponse

from resolver.models import Job
from resolver.services.http.downloads import build_csv_download, read_file, stream_file
from resolver.services.jobs.import_rows import complete_layout
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.jobs.row_readings import is_bibliographic
from resolver.services.result_files.columns import CORRECTED_COLUMNS
from resolver.services.results.accepted_rows import get_accepted_name, iterate_accepted
from resolver.services.results.export import JobChanged, build_file_name, build_original_name
from resolver.services.results.no_original_file import NoOriginalFile, ensure_original
from resolver.services.results.row_edits import iterate_row_edits
from resolver.services.uploads import stored_uploads
from resolver.services.uploads.stored_uploads import FileIsGone
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.bibliographic.record import READ_BYTES
from resolver.sheets.bibliographic.write_back import write_back
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.read_as import BREAKS_SIGNATURE
from resolver.sheets.input.text.gzip import Opener, make_opener
from resolver.sheets.left_out import Leave, LeftOut
from resolver.sheets.original.media_type import find_media_type
from resolver.sheets.original.rewrite_table import rewrite_table
from resolver.sheets.output.result_table import build_result_header

_LEFT_OUT_HEADER = ("row", "record", "field", "value", "doi", "reason")
_WORDS = {"accepted": "accepted", "suggested": "corrected"}  # in the names of the files
_GZIP = 16 + zlib.MAX_WBITS
_MOST_COUNTED = 5_000  # rows of a list whose file is written only to count
_Rewrite = Callable[[Leave], Iterator[bytes]]


def build_original_download(job: Job, accept: str, *, columns: bool = False) -> StreamingHttpResponse:
    """Return the file of `iterate_original` to download, and raise the same errors, at once. Its name says which of
    them it is: `list-corrected.csv` with all safe corrections, `list-accepted.csv`, or `list-columns.csv`."""
    blocks = iterate_original(job, accept, columns=columns)
    media_type = find_media_type(Layout.from_json(job.layout), job.filename)
    word = "columns" if columns else _WORDS[accept]
    return stream_file(build_original_name(job.filename, word), media_type, blocks)


def build_left_out_download(job: Job, accept: str, delimiter: str) -> StreamingHttpResponse:
    """Return the accepted DOIs that the file can't hold as a CSV file to download. Raise as `iterate_original`."""
    lines = _iterate_left_out(_prepare(job, accept))
    if job.layout.get("signed"):
        lines = chain([(*[""] * 5, str(BREAKS_SIGNATURE))], lines)
    return build_csv_download(build_file_name(job.filename, "by-hand"), _LEFT_OUT_HEADER, lines, delimiter=delimiter)


def count_left_out(job: Job, accept: str) -> int | None:
    """Return how many of the DOIs the file can't hold; None if that isn't known, as of a long list, whose file takes
    too long to write while a page waits."""
    if job.total > _MOST_COUNTED or job.layout.get("signed"):
        return None
    try:
        return sum(1 for _ in _iterate_left_out(_prepare(job, accept)))
    except (FileIsGone, JobChanged, NoOriginalFile):
        return None


def _iterate_left_out(rewrite: _Rewrite) -> Iterator[tuple[str, ...]]:
    # A workbook may leave out a million before its first byte.
    with TemporaryFile("w+", encoding="utf-8") as spool:

        def keep(left: LeftOut) -> None:
            line = (str(left.number), left.record, left.field, left.text, left.name, str(left.reason))
            spool.write(json.dumps(line) + "\n")

        for _ in rewrite(keep):
            pass  # for the calls of `keep`
        spool.seek(0)
        for line in spool:
            yield tuple(json.loads(line))


def iterate_original(
    job: Job, accept: str, leave: Leave = lambda left: None, *, columns: bool = False
) -> Iterator[bytes]:
    """Return the bytes of the uploaded file with the DOIs that `accept`, a word of ACCEPTS, lets in: the same bytes,
    also of a compressed file, if no DOI changes it. `columns`: a table gets the two columns of corrected results, after
    its last one. `leave` gets each DOI that the file can't hold. Raise NoOriginalFile, JobStillRunning or FileIsGone,
    at once, and JobChanged in the middle."""
    return _prepare(job, accept, columns=columns)(leave)


def _prepare(job: Job, accept: str, *, columns: bool = False) -> _Rewrite:
    """Return what yields the file, or raise, as `iterate_original`."""
    ensure_ended(job)
    ensure_original(job, columns=columns)
    path = stored_uploads.get_upload_path(job.upload)
    if not columns and next(iterate_accepted(job, accept), None) is None:
        return lambda leave: read_file(path)
    if not is_bibliographic(job):
        complete_layout(job)
        ensure_original(job)  # it may have an error now
    layout = Layout.from_json(job.layout)
    opened = make_opener(path, layout.gzipped, _get_most_bytes())
    if layout.gzipped:
        _ensure_whole(opened)
    if layout.is_bibliographic:
        rewrite = partial(_rewrite_records, job, layout, opened, accept)
    else:
        rewrite = partial(_rewrite_rows, job, layout, path, accept, columns)
    return partial(_compress_again, path, opened, rewrite) if layout.gzipped else rewrite


def _ensure_whole(opened: Opener) -> None:
    """Raise NoOriginalFile if the compressed file is damaged, before a byte of the new one is sent."""
    try:
        with opened() as source:
            while source.read(READ_BYTES):
                pass
    except UnreadableFile as error:
        raise NoOriginalFile(error.reason) from error


def _get_most_bytes() -> int:
    return stored_uploads.get_reading_bounds()["max_expanded"]


def _rewrite_rows(job: Job, layout: Layout, path: Path, accept: str, columns: bool, leave: Leave) -> Iterator[bytes]:
    edits = iterate_row_edits(job, accept, columns=columns)
    first, second = build_result_header(layout.header, CORRECTED_COLUMNS)[-2:]
    return rewrite_table(path, layout, edits, leave, (first, second) if columns else None, _get_most_bytes())


def _rewrite_records(job: Job, layout: Layout, opened: Opener, accept: str, leave: Leave) -> Iterator[bytes]:
    names = ((row.line, get_accepted_name(row)) for row in iterate_accepted(job, accept))
    fields = frozenset(layout.fields)
    return write_back(FORMATS[layout.kind], opened, fields, names, leave, with_missing=layout.all_records)


def _compress_again(path: Path, opened: Opener, rewrite: _Rewrite, leave: Leave) -> Iterator[bytes]:
    """Yield the new content compressed; the uploaded file if it has this content already."""
    changed = _differ(rewrite(lambda left: None), opened)
    blocks = rewrite(leave)
    if changed:
        yield from _compress(blocks)
        return
    for _ in blocks:
        pass  # for the calls of `leave`
    yield from read_file(path)


def _differ(blocks: Iterable[bytes], opened: Opener) -> bool:
    with opened() as source:
        return any(source.read(len(block)) != block for block in blocks) or bool(source.read(1))


def _compress(blocks: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=_GZIP)
    for block in blocks:
        if packed := packer.compress(block):
            yield packed
    yield packer.flush()
