"""Layouts, detected from the whole of a file or from its start."""

import itertools
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from doi_reading import Message
from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.errors import NeedsChoice, UnreadableFile, name_rows
from resolver.sheets.file_findings import SheetFindings, build_formulas_without_results_error
from resolver.sheets.header.column_names import is_doi_column_name, is_repository_field
from resolver.sheets.header.title_rows import count_title_rows
from resolver.sheets.input.file_kind import detect_file_layout, read_sheet_names
from resolver.sheets.input.header_and_column import NoDoiColumn, choose_header_and_column, find_other_columns
from resolver.sheets.input.layout import Layout, name_unnamed_column
from resolver.sheets.input.layout_choices import NOTHING_CHOSEN, LayoutChoices
from resolver.sheets.input.place_rows import refuse_column
from resolver.sheets.input.table import NumberedRow, OperatorBounds, build_too_many_rows_error, read_trimmed_rows
from resolver.sheets.input.text.csv import SAMPLE_ROWS, split_header_otherwise
from resolver.sheets.workbook.rows import MAX_COLUMNS, FileBounds, measure_row_width
from resolver.sheets.workbook.shared_strings import NOT_READ
from resolver.sheets.workbook.typed_cell import get_link

# Bounds on what `detect_layout_from_start` reads. It takes some tenths of a second, whatever the file.
LOOK_ROWS = 10_000
LOOK_SHEETS = 10
LOOK_CHARACTERS = 4_000_000  # also of the sample
LOOK_BYTES = 8 << 20
LOOK_LINKED = 32 << 20  # bytes of a sheet and its list of hyperlinks: its rows need not be parsed for them
LOOK_SHARED = 16 << 20  # bytes of texts that cells refer to, if only these show the column
_SAMPLE_CELL = 1_000  # characters
_ONLY_HEADER = Message("The file has only a header row. Add at least one row below it.")
_FIRST_ROW_TOO_FAR = Message(
    "The text of the first row is stored too far into the workbook. Save it again as XLSX or as CSV."
)
_NO_ROWS = Message("The file contains only white space. Choose another file.")
_NO_ROWS_IN_CHOSEN = Message("This sheet has no rows. Choose another one.")
_NO_ROWS_IN_SHEET = Message("The visible sheets have no rows. Unhide the sheet with the DOIs, or save it as CSV.")


def detect_table_layout(
    path: Path, column: str | None = None, *, choices: LayoutChoices = NOTHING_CHOSEN, **given: Unpack[OperatorBounds]
) -> Layout:
    """Return the layout of the file, after one reading of all of it. The sheet is that of `detect_layout_from_start`.

    `column` names the DOI column. Raises UnreadableFile with a plain reason, and the line if there is one; NeedsChoice,
    if another choice may help. Refused are a cell of more than `max_field` characters (a quote is open, or it is no
    table), and a workbook or gzip file that unpacks to more than `max_expanded` bytes.
    """
    bounds = FileBounds(**given)
    layout = detect_file_layout(path, bounds.max_expanded, None, choices)
    if layout.has_sheets and choices.sheet is None:
        with suppress(UnreadableFile):  # its bounds are narrower
            sheet = detect_layout_from_start(path, column, choices=choices, **given).sheet_chosen
            layout, choices = replace(layout, sheet_chosen=sheet), replace(choices, sheet=sheet)
    with name_rows(layout.has_sheets):
        return _survey(path, layout, column, choices, bounds, (sys.maxsize, sys.maxsize))


def detect_layout_from_start(
    path: Path, column: str | None = None, *, choices: LayoutChoices = NOTHING_CHOSEN, **given: Unpack[OperatorBounds]
) -> Layout:
    """Return the layout from the first LOOK_ROWS rows or so, while a person waits. That of a longer file is not
    `complete`, and `read_numbered_table` reports errors in the rest. If no sheet is chosen, and the first has no DOI in
    the column, it is that of the next sheet that has some. Raises as `detect_table_layout`."""
    bounds = FileBounds(**given, shared=LOOK_BYTES, patience=LOOK_BYTES, linked=LOOK_LINKED)
    layout = detect_file_layout(path, bounds.max_expanded, LOOK_BYTES, choices)
    with name_rows(layout.has_sheets):
        try:
            found = _look(path, layout, column, choices, bounds)
        except NeedsChoice:
            if (other := _find_sheet_with_dois(path, layout, column, choices, bounds)) is None:
                raise
            return other
        if layout.has_sheets and not _has_dois(path, found, bounds):
            return _find_sheet_with_dois(path, layout, column, choices, bounds) or found
    return found


def _look(path: Path, layout: Layout, column: str | None, choices: LayoutChoices, bounds: FileBounds) -> Layout:
    return _survey(path, layout, column, choices, bounds, (LOOK_ROWS, LOOK_CHARACTERS))


def _find_sheet_with_dois(
    path: Path, layout: Layout, column: str | None, choices: LayoutChoices, bounds: FileBounds
) -> Layout | None:
    """Return the layout of the first sheet with a DOI in its column; None if there is none, or a sheet was chosen."""
    if not layout.has_sheets or choices.sheet is not None:
        return None
    sheets = read_sheet_names(path, bounds)[:LOOK_SHEETS]
    for place in range(len(sheets) if len(sheets) > 1 else 0):
        with suppress(UnreadableFile):
            one, choice = replace(layout, sheet_chosen=place), replace(choices, sheet=place)
            if _has_dois(path, found := _look(path, one, column, choice, bounds), bounds):
                return found
    return None


def _has_dois(path: Path, layout: Layout, bounds: FileBounds) -> bool:
    rows = itertools.islice(read_trimmed_rows(path, layout, bounds), SAMPLE_ROWS)
    cells = (layout.get_cell(row) for *_, row in rows)
    return any(has_doi_pattern(cell) or has_doi_pattern(get_link(cell)) for cell in cells)


def _survey(
    path: Path, layout: Layout, column: str | None, choices: LayoutChoices, bounds: FileBounds, most: tuple[int, int]
) -> Layout:
    """Return the layout with header, column and total, after at most so many rows and (roughly) characters."""
    info = SheetFindings()
    if layout.is_bibliographic:
        if column:
            refuse_column(layout)
        return _survey_places(path, layout, bounds, info, most[0])
    everything = read_trimmed_rows(path, layout, bounds, info)
    sample = _take_sample(everything, most[1])
    if not sample and not info.gave_up:
        raise info.explain(_build_no_rows_error(layout))
    if info.gave_up and (not sample or (len(sample) == 1 and _is_named(sample[0][2], column))):
        raise info.explain(UnreadableFile(_explain_giving_up(bool(sample), bounds.patience)))
    if bounds.shared < LOOK_SHARED and any(_is_cut(row) for *_, row in sample) and not _is_named(sample[0][2], column):
        return _survey(path, layout, column, choices, replace(bounds, shared=LOOK_SHARED), most)
    shown = split_header_otherwise([row for *_, row in sample], layout.delimiter)
    sample = [(line, number, row) for (line, number, _), row in zip(sample, shown, strict=True)]
    titles = 0
    if choices.header_row is None and choices.has_header is None:
        filled = [place for place, (*_, row) in enumerate(sample) if row]
        titles = count_title_rows([sample[place][2] for place in filled], column)
    if titles:
        sample = sample[filled[titles] :]
        layout = replace(layout, header_row=sample[0][1])
    if _is_cut(sample[0][2]):
        raise UnreadableFile(_FIRST_ROW_TOO_FAR)
    try:
        has_header, index, instead = choose_header_and_column([row for *_, row in sample if row], column, choices)
    except NoDoiColumn as error:
        if info.formulas:
            raise info.explain(error) from error
        raise
    has_header = has_header or titles > 0
    total = width = length = texts = 0
    complete = True
    for line, number, row in itertools.chain(sample, everything):
        total += 1
        layout = layout.count_lines([(number, row)]) if total > has_header else layout
        if total - has_header > bounds.max_rows:
            raise build_too_many_rows_error(bounds.max_rows, line)
        if len(row) > width:
            width = max(width, measure_row_width(row, line))
        length += _measure_length(row)
        texts += total > has_header and index < len(row) and row[index] != ""
        if (total > most[0] or length > most[1]) and total > has_header:
            complete = False
            break
    names = sample[0][2] if has_header else []
    if total == has_header:
        raise info.explain(NeedsChoice("has_header", _ONLY_HEADER))
    count, first = info.formulas.get(index, (0, 0))
    if count > texts:  # fewer may be a sum below the list
        raise build_formulas_without_results_error(first)
    cells = (row[index] for *_, row in sample[has_header:] if index < len(row))
    header = tuple(names) + tuple(
        name_unnamed_column(position) for position in range(len(names), max(width, index + 1))
    )
    return replace(
        layout,
        has_header=has_header,
        header=header,
        column=index,
        first_row=sample[0][1],
        instead=instead,
        also=find_other_columns([row for *_, row in sample[has_header:]], index, instead) if has_header else (),
        split=is_repository_field(header[index]) and any("||" in cell for cell in cells),
        total=total - has_header,
        complete=complete and not info.gave_up,
        sheet=info.sheet,
    )


def _survey_places(path: Path, layout: Layout, bounds: FileBounds, info: SheetFindings, most: int) -> Layout:
    """Return the layout of a bibliographic file, after at most so many places of DOIs; `total` is 0 if it has none."""
    total, complete = 0, True
    for line, *_ in read_trimmed_rows(path, layout, bounds, info):
        total += 1
        if total > bounds.max_rows:
            raise build_too_many_rows_error(bounds.max_rows, line)
        if total > most:
            complete = False
            break
    return replace(layout, total=total, complete=complete and not info.gave_up, without_doi=info.without_doi)


def _explain_giving_up(has_first_row: bool, patience: int) -> Message:
    if has_first_row:
        return Message(
            "There is no text within {count} bytes after the first row. Delete the empty rows there.", count=patience
        )
    return Message(
        "The table does not begin within {count} bytes. Delete the empty rows and cells at the start.", count=patience
    )


def _build_no_rows_error(layout: Layout) -> UnreadableFile:
    if layout.sheet_chosen is None:
        return UnreadableFile(_NO_ROWS if layout.kind == "csv" else _NO_ROWS_IN_SHEET)
    return NeedsChoice("sheet", _NO_ROWS_IN_CHOSEN)


def _is_named(first: list[str], column: str | None) -> bool:
    """Whether the first row alone decides the column, so that the texts below are not needed."""
    return not _is_cut(first) and bool(column or sum(map(is_doi_column_name, first)) == 1)


def _is_cut(row: list[str]) -> bool:
    return any(cell is NOT_READ for cell in row)


def _take_sample(everything: Iterator[NumberedRow], most: int) -> list[NumberedRow]:
    """Return the first rows, of about `most` characters. Cells are cut, as their beginning shows the column."""
    sample: list[NumberedRow] = []
    room = LOOK_CHARACTERS
    for line, number, row in everything:
        most -= _measure_length(row)  # as it was read, however much of it is empty
        if len(row) > MAX_COLUMNS:
            del row[measure_row_width(row, line) :]
        shortened = [cell[:_SAMPLE_CELL] if len(cell) > _SAMPLE_CELL else cell for cell in row] if sample else row
        sample.append((line, number, shortened))
        room -= _measure_length(shortened) + sum(len(get_link(cell)) for cell in shortened)
        if len(sample) > SAMPLE_ROWS or (min(room, most) < 0 and len(sample) > 1):
            break
    return sample


def _measure_length(row: list[str]) -> int:
    """Return the time for the row in characters: empty cells take some too."""
    return 10 * len(row) + sum(map(len, row))  # a cell takes the time of 10 characters
