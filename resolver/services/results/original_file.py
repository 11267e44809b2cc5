"""The uploaded bibliographic file with the accepted DOIs and every other byte as it was, and what it can't hold."""

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from django.http import StreamingHttpResponse

from resolver.domain.report.correction import Correction
from resolver.models import Job, Row
from resolver.services.http.downloads import build_csv_download, read_file, stream_file
from resolver.services.jobs.lifecycle import ensure_ended
from resolver.services.jobs.row_readings import is_bibliographic
from resolver.services.results.export import build_file_name, build_original_name, ensure_unchanged
from resolver.services.results.row_queries import filter_correction, merge_parts
from resolver.services.storage.keyset import BATCH_ROWS, Edge, filter_beyond
from resolver.services.uploads import stored_uploads
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.bibliographic.write_back import has_changes, write_back
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.place_rows import describe_place
from resolver.sheets.input.text.gzip import make_opener
from resolver.sheets.left_out import Leave, LeftOut

_DECIDED = (Correction.ACCEPTED, Correction.EDITED)
ACCEPTS: Mapping[str, Collection[Correction]] = {
    "accepted": _DECIDED,
    "suggested": (*_DECIDED, Correction.SUGGESTED, Correction.CLEANED),
}
"""The corrections that are written: people's decisions, or also each suggestion that is not doubtful, and each
registered DOI in place of a text that isn't plain."""
_COLUMNS = ("line", "correction", "decided_doi", "suggestion", "doi", "cells")
_LEFT_OUT_HEADER = ("row", "record", "field", "value", "doi", "reason")
_GZIP = 16 + zlib.MAX_WBITS


class NotBibliographic(Exception):
    """The list was made of a table, which has corrected results instead, not of a bibliographic file."""


def build_original_download(job: Job, accept: str) -> StreamingHttpResponse:
    """Return the file of `iterate_original` to download, and raise the same errors, at once."""
    return stream_file(build_original_name(job.filename), "application/octet-stream", iterate_original(job, accept))


def build_left_out_download(job: Job, accept: str, delimiter: str) -> StreamingHttpResponse:
    """Return the accepted DOIs that the file can't hold as a CSV file to download. Raise as `iterate_original`."""
    found: list[LeftOut] = []
    lines = _iterate_left_out(iterate_original(job, accept, found.append), found)
    return build_csv_download(build_file_name(job.filename, "by-hand"), _LEFT_OUT_HEADER, lines, delimiter=delimiter)


def _iterate_left_out(blocks: Iterator[bytes], found: list[LeftOut]) -> Iterator[tuple[str, ...]]:
    for _ in chain(blocks, [b""]):  # the end finds what the last record can't hold
        for left in found:
            yield str(left.number), left.record, left.field, left.text, left.name, str(left.reason)
        found.clear()


def iterate_original(job: Job, accept: str, leave: Leave = lambda left: None) -> Iterator[bytes]:
    """Return the bytes of the uploaded file with the DOIs that `accept`, a word of ACCEPTS, lets in: the same bytes,
    also of a compressed file, if no DOI changes it. `leave` gets each DOI that the file can't hold. Raise
    NotBibliographic, JobStillRunning or FileIsGone, at once, and JobChanged in the middle."""
    ensure_ended(job)
    if not is_bibliographic(job):
        raise NotBibliographic
    path = stored_uploads.get_upload_path(job.upload)
    corrections = ACCEPTS[accept]
    if next(_iterate_names(job, corrections), None) is None:
        return read_file(path)
    return _write(path, job, corrections, leave)


def _write(path: Path, job: Job, corrections: Collection[Correction], leave: Leave) -> Iterator[bytes]:
    layout = Layout.from_json(job.layout)
    form, fields = FORMATS[layout.kind], frozenset(layout.fields)
    opened = make_opener(path, layout.gzipped, stored_uploads.get_reading_bounds()["max_expanded"])
    compressed_again = False
    if layout.gzipped:
        with opened() as places, opened() as source:
            compressed_again = has_changes(form, (places, source), fields, _iterate_names(job, corrections))
    with opened() as places, opened() as source:
        blocks = write_back(form, (places, source), fields, _iterate_names(job, corrections), leave)
        if layout.gzipped and not compressed_again:
            for _ in blocks:
                pass  # for the calls of `leave`
            blocks = read_file(path)
        yield from _compress(blocks) if compressed_again else blocks


def _compress(blocks: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=_GZIP)
    for block in blocks:
        if packed := packer.compress(block):
            yield packed
    yield packer.flush()


def _iterate_names(job: Job, corrections: Collection[Correction]) -> Iterator[tuple[int, str]]:
    """Yield the numbers of places in order, each with the DOI name that is written there. A text that isn't plain stays
    if its field can't be changed, because it works. A slow download holds no cursor open."""
    found, after = Row.objects.filter(job=job), 0
    while True:
        beyond = filter_beyond(found, ("line",), Edge((after,)))
        # One query: a suggestion that is accepted between two would be in neither.
        parts = [filter_correction(beyond, each).values_list(*_COLUMNS) for each in corrections]
        page = merge_parts(parts, ("line",), BATCH_ROWS)
        ensure_unchanged(job)
        if not page:
            return
        for line, correction, decided, suggestion, doi, cells in page:
            if correction != Correction.CLEANED or describe_place(cells)["writable"]:
                yield line, decided or suggestion or doi
        after = page[-1][0]
