"""The description of how a file was read, for programs, and notes on it for people."""

from collections.abc import Iterator
from dataclasses import dataclass

from doi_reading import Message
from resolver.sheets.header.column_names import is_repository_field
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.text.text_encoding import label_encoding, name_encoding

_ONE_BY_ONE = Message("A cell can have several values, joined by “||”. We read them one by one.")
BREAKS_SIGNATURE = Message("The workbook has a digital signature. A corrected file breaks it.")


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a whole list that a person should know: a word for programs, and a sentence."""

    code: str
    message: Message


_NO_TITLES = Message(
    "We found no column with titles, so only rows whose DOI cell is a whole reference are compared. Choose the column "
    "with the titles."
)


def describe_layout(layout: Layout) -> dict[str, str | int | bool | None]:
    """Return the members of REST for how the file was read; None for what does not apply. A plain list has no
    delimiter; 0 is the header row of a table without one."""
    is_text = layout.kind == "csv"
    return {
        "kind": layout.kind if layout.is_bibliographic else "table",
        "sheet": (layout.sheet or None) if layout.has_sheets else None,
        "header_row": None if layout.is_bibliographic else layout.number_row(0) if layout.has_header else 0,
        "delimiter": (layout.delimiter or None) if is_text else None,
        "encoding": name_encoding(layout.encoding) if is_text else None,
        "encoding_assumed": layout.encoding_assumed if is_text else None,
    }


def list_notes(layout: Layout) -> Iterator[Note]:
    """Yield the notes about a list that is read so."""
    if layout.encoding_assumed:
        assumed = Message(
            "The file doesn't say its encoding. We assumed {encoding}. If letters look wrong, choose another encoding.",
            encoding=label_encoding(layout.encoding),
        )
        yield Note("encoding-assumed", assumed)
    if layout.signed:
        yield Note("signed", BREAKS_SIGNATURE)
    for column in layout.also:
        name = layout.header[column]
        yield Note("second-doi-column", Message("The column “{name}” has other DOIs. They are not checked.", name=name))
    if layout.split and is_repository_field(layout.column_name):
        yield Note("values-read-one-by-one", _ONE_BY_ONE)
    count, first = layout.lines_in_cells
    if count:
        several = Message.of_count(
            "{count} cell has DOIs in several lines (row {row}). Check that each quotation mark is closed.",
            "{count} cells have DOIs in several lines (first in row {row}). Check that each quotation mark is closed.",
            count=count,
            row=str(first),
        )
        yield Note("lines-in-cell", several)
    if (layout.compare or layout.search) and not layout.is_bibliographic and "title" not in layout.work_columns:
        yield Note("no-title-column", _NO_TITLES)
    without, records = layout.without_doi
    if without:
        missing = Message.of_count(
            "{count} of {records} records has no DOI in the fields that are read.",
            "{count} of {records} records have no DOI in the fields that are read.",
            count=without,
            records=records,
        )
        yield Note("records-without-doi", missing)
