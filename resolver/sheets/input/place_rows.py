"""The rows of a bibliographic file: one for each place that holds a DOI, and one for each record that can't be read. In
a list that searches for DOIs each record without a place has a row too."""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

from doi_reading import Message, Reading
from doi_reading.problems import make_problem
from resolver.domain.work.row_work import RowWork
from resolver.sheets.bibliographic.described_work import AND_OTHERS
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.bibliographic.record import BibliographicRecord, RecordFormat
from resolver.sheets.errors import NeedsChoice, ScanLimitReached
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.input.text.gzip import Opener
from resolver.sheets.workbook.rows import FileBounds

HEADER = (
    "record", "field", "value", "title", "author", "year", "writable", "reason", "container", "volume", "page",
)  # fmt: skip
"""The columns of such a list; those stored by earlier versions end with `reason`. `record` is the identifier of the
record, else its number, counted from 1. `author` has all names, `container` is a journal or book."""
FIELD, VALUE, AUTHOR = map(HEADER.index, ("field", "value", "author"))
PLACE_AND_WORK = tuple(map(HEADER.index, ("record", "field", "title", "author", "year")))
"""The columns that identify the field, and describe the work that its DOI should name."""
UNREADABLE = ""
"""The field of a record that can't be read."""
_BETWEEN_AUTHORS = "; "
_MAX_NARROW_CHARACTERS = 60  # of authors in a narrow place
# A DOI in these fields of MARC is not that of the record: 773 is the journal or book, the others are related works.
_OF_HOST, _OF_OTHERS = re.compile(r"773\$"), re.compile(r"7(?:7[4-9]|8[0-7])\$")

# Bounds while a person waits.
_LOOK_RECORDS = 10_000  # without a place
_LOOK_BYTES = 4 << 20
_OF_TABLES = ("encoding", "delimiter", "header_row", "column")


def lay_out_places(form: RecordFormat, choices: LayoutChoices, *, gzipped: bool) -> Layout:
    """Return the layout of a file of this format, with no rows counted. Raises NeedsChoice for a choice on tables."""
    for about in _OF_TABLES:
        if getattr(choices, about) is not None:
            raise _build_no_table_error(about, form)
    fields = tuple(each for each in form.fields if choices.fields is None or each in choices.fields)
    whole = choices.all_records
    return Layout(
        form.kind, "", "", False, False, HEADER, VALUE, 0, gzipped, first_row=1, fields=fields, all_records=whole
    )


def refuse_column(layout: Layout) -> NoReturn:
    """Raise NeedsChoice: such a file has no columns of its own."""
    raise _build_no_table_error("column", FORMATS[layout.kind])


def read_place_rows(
    opened: Opener, layout: Layout, bounds: FileBounds, info: SheetFindings
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with their numbers, counted from 1. `info` counts the records, and has the first place of the
    row's record. If `bounds.patience` is set, the reading ends after so many bytes or _LOOK_RECORDS records without a
    row, and after _LOOK_BYTES bytes. Raises NeedsChoice at the end of a file without a
    row: with `all_records` it may have some."""
    form, fields = FORMATS[layout.kind], frozenset(layout.fields)
    is_look = bounds.patience < sys.maxsize
    most, most_bytes = (_LOOK_RECORDS, _LOOK_BYTES) if is_look else (sys.maxsize, sys.maxsize)
    number = last = last_count = count = 0
    with opened() as stream:
        for count, record in enumerate(form.read(stream, fields), 1):
            name = record.name or str(count)
            work = [record.work.title, _BETWEEN_AUTHORS.join(record.work.authors), record.work.year]
            part = [record.work.container, record.work.volume, record.work.first_page]
            info.first_place = number + 1
            for field, text, reason in _list_places(record, with_missing=layout.all_records):
                number += 1
                cells = [name, field, text, *work, "no" if reason else "yes", reason, *part]
                yield number, cells[: layout.width]
            info.without_doi = (info.without_doi[0] + (not record.places and record.fault is None), count)
            if number >= info.first_place:
                last, last_count = record.end, count
            elif record.end - last > bounds.patience or count - last_count > most:
                raise ScanLimitReached
            if number and record.end > most_bytes:
                raise ScanLimitReached
    if not number:
        raise build_no_doi_error(layout, count)


def build_no_doi_error(layout: Layout, count: int) -> NeedsChoice:
    """Return the refusal of a file with so many records, none of which has a DOI."""
    reason = Message.of_count(
        "The file has {count} record, without a DOI in the fields that are read: {names}.",
        "No DOI in {count} records, in the fields that are read: {names}.",
        count=count,
        names=", ".join(layout.fields),
    )
    return NeedsChoice("all_records", reason)


def describe_place(cells: Sequence[str] | None) -> dict[str, str | bool | None]:
    """Return the members of REST and JSON lines for the place of a row; for a row of a table (None) all are null."""
    if cells is None:
        return dict.fromkeys(("record", "field", "writable", "reason"))
    values = dict(zip(HEADER, cells, strict=False))
    return {
        "record": values["record"],
        "field": values["field"] or None,
        "writable": values["writable"] == "yes",
        "reason": values["reason"] or None,
    }


def describe_row_work(cells: Sequence[str]) -> RowWork:
    """Return the work that the DOI of a row should stand for, also of a list stored by an earlier version. In a field
    of MARC for the journal or book it is that; of a related work nothing is known."""
    values = dict(zip(HEADER, cells, strict=False))
    container = values.get("container", "")
    if _OF_OTHERS.match(values["field"]):
        return RowWork()
    if _OF_HOST.match(values["field"]):
        return RowWork(title=container)
    return RowWork(
        values["title"],
        tuple(filter(None, values["author"].split(_BETWEEN_AUTHORS))),
        values["year"],
        container,
        values.get("volume", ""),
        values.get("page", ""),
    )


def shorten_work(cells: Sequence[str]) -> list[str]:
    """Return the cells for a narrow place: of a long list of authors the first name and "et al."."""
    names = cells[AUTHOR]
    first, between, _ = names.partition(_BETWEEN_AUTHORS)
    shown = f"{first} {AND_OTHERS}" if between and len(names) > _MAX_NARROW_CHARACTERS else names
    return [*cells[:AUTHOR], shown, *cells[AUTHOR + 1 :]]


def read_unreadable(cells: Sequence[str]) -> Reading | None:
    """Return the reading of the row of a record that can't be read, None of other rows."""
    if cells[FIELD] != UNREADABLE:
        return None
    return Reading("", "none", problems=(make_problem("unreadable-record", 0, 0),))


def _list_places(record: BibliographicRecord, *, with_missing: bool) -> Iterator[tuple[str, str, str]]:
    """Yield the field and the text of each row that the record has, and why nothing can be written there."""
    if record.fault is not None:
        yield UNREADABLE, "", f"Byte {record.start}: {record.fault}"
    for place in record.places:
        yield place.field, place.text, str(place.reason or "")
    if with_missing and record.missing is not None:
        yield record.missing.field, "", str(record.missing.reason or "")


def _build_no_table_error(about: str, form: RecordFormat) -> NeedsChoice:
    reason = Message(
        "This setting is only for tables. The file is a bibliographic file ({format}), so leave the setting empty.",
        format=form.label,
    )
    return NeedsChoice(about, reason)
