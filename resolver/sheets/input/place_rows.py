"""The rows of a bibliographic file: one for each place that holds a DOI, and one for each record that can't be read."""

import sys
from collections.abc import Iterator, Sequence
from typing import Literal, NoReturn, cast

from resolver.domain.message import Message
from resolver.domain.parsing.reading import Reading
from resolver.domain.problems.problem import make_problem
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.bibliographic.record import RecordFormat
from resolver.sheets.errors import NeedsChoice, ScanLimitReached, UnreadableFile
from resolver.sheets.input.gzip import Opener
from resolver.sheets.input.layout import Layout, RecordKind
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.workbook.rows import FileBounds

HEADER = ("record", "field", "value", "title", "author", "year", "writable", "reason")
"""The columns of such a list. `record` is the identifier of the record, else its number, counted from 1."""
FIELD, VALUE = HEADER.index("field"), HEADER.index("value")
PLACE_AND_WORK = tuple(map(HEADER.index, ("record", "field", "title", "author", "year")))
"""The columns that tell which field it is, and which work its DOI should stand for."""
UNREADABLE = ""
"""The field of a record that can't be read."""


_MOST_WITHOUT = 10_000
_OF_TABLES = ("encoding", "delimiter", "header_row", "column")


def lay_out_places(form: RecordFormat, choices: LayoutChoices, *, gzipped: bool) -> Layout:
    """Return the layout of a file of this format, before its places are counted. Raises NeedsChoice for a choice that
    is about tables."""
    for about in _OF_TABLES:
        if getattr(choices, about) is not None:
            raise _build_no_table_error(about, form)
    kind = cast("RecordKind", form.kind)
    fields = tuple(each for each in form.fields if choices.fields is None or each in choices.fields)
    return Layout(kind, "", "", False, False, HEADER, VALUE, 0, gzipped, first_row=1, fields=fields)


def refuse_column(layout: Layout) -> NoReturn:
    """Raise NeedsChoice: such a file has no columns of its own."""
    raise _build_no_table_error("column", FORMATS[layout.kind])


def ensure_has_places(layout: Layout) -> None:
    """Raise UnreadableFile if the whole bibliographic file was searched and no record has a DOI."""
    if layout.is_bibliographic and layout.complete and layout.total == 0:
        raise UnreadableFile(
            Message("No record has a DOI in the fields that are read: {names}.", names=", ".join(layout.fields))
        )


def read_place_rows(opened: Opener, layout: Layout, bounds: FileBounds) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with their numbers, counted from 1. `bounds.patience` ends the reading where so many bytes, or
    _MOST_WITHOUT records, have no place."""
    form, fields = FORMATS[layout.kind], frozenset(layout.fields)
    most = _MOST_WITHOUT if bounds.patience < sys.maxsize else sys.maxsize
    number = last = last_count = 0
    with opened() as stream:
        for count, record in enumerate(form.read(stream, fields), 1):
            name = record.name or str(count)
            told = [record.title, record.author, record.year]
            if record.fault is not None:
                number += 1
                yield number, [name, UNREADABLE, "", *told, _flag(False), f"Byte {record.start}: {record.fault}"]
            for place in record.places:
                number += 1
                reason = str(place.reason or "")
                yield number, [name, place.field, place.text, *told, _flag(not reason), reason]
            if record.fault is not None or record.places:
                last, last_count = record.end, count
            elif record.end - last > bounds.patience or count - last_count > most:
                raise ScanLimitReached


def describe_place(cells: Sequence[str] | None) -> dict[str, str | bool | None]:
    """Return what REST and JSON lines say of the place in which a row stands; of a row of a table (None) nothing."""
    if cells is None:
        return dict.fromkeys(("record", "field", "writable", "reason"))
    told = dict(zip(HEADER, cells, strict=False))
    return {
        "record": told["record"],
        "field": told["field"] or None,
        "writable": told["writable"] == _flag(True),
        "reason": told["reason"] or None,
    }


def read_unreadable(cells: Sequence[str]) -> Reading | None:
    """Return what is read of the row of a record that can't be read, None of other rows."""
    return (
        Reading("", "none", problems=(make_problem("unreadable-record", 0, 0),)) if cells[FIELD] == UNREADABLE else None
    )


def _build_no_table_error(about: str, form: RecordFormat) -> NeedsChoice:
    return NeedsChoice(
        about,
        Message(
            "This setting is only for tables. The file is a bibliographic file ({format}), so leave the setting empty.",
            format=form.label,
        ),
    )


def _flag(value: bool) -> Literal["yes", "no"]:
    return "yes" if value else "no"
