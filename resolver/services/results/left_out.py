"""The DOIs that a bibliographic file can't hold in their fields: what is left to change by hand."""

from collections.abc import Iterator
from itertools import chain

from django.http import StreamingHttpResponse

from resolver.models import Job
from resolver.services.http.downloads import build_csv_download
from resolver.services.results.export import build_file_name
from resolver.services.results.original_file import iterate_original
from resolver.sheets.bibliographic.write_back import LeftOut

COLUMNS = ("row", "record", "field", "value", "doi", "reason")


def iterate_left_out(job: Job, accept: str) -> Iterator[LeftOut]:
    """Return the DOIs that `accept`, a word of ACCEPTS, lets in and the file can't hold, in order. Raise as
    `iterate_original`."""
    found: list[LeftOut] = []
    return _read_to_the_end(iterate_original(job, accept, found.append), found)


def _read_to_the_end(blocks: Iterator[bytes], found: list[LeftOut]) -> Iterator[LeftOut]:
    for _ in chain(blocks, [b""]):  # what the last record leaves out is found with the end
        yield from found
        found.clear()


def build_left_out_download(job: Job, accept: str, delimiter: str) -> StreamingHttpResponse:
    """Return what `iterate_left_out` finds as a CSV file to download. Raise NotBibliographic,
    JobStillRunning or FileIsGone, at once."""
    lines = (
        (str(left.number), left.record, left.field, left.text, left.name, str(left.reason))
        for left in iterate_left_out(job, accept)
    )
    return build_csv_download(build_file_name(job.filename, "by-hand"), COLUMNS, lines, delimiter=delimiter)
