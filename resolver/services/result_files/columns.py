"""The columns that result files have beside the original ones."""

from typing import Any

from resolver.domain.report.correction import get_corrected_doi
from resolver.models.reports.report_value import arrange
from resolver.services.result_files.result_row import SHOWN_VALUES
from resolver.sheets.output.result_table import ResultColumn
from resolver.sheets.workbook.typed_cell import Cell

_KNOWN_ORDER = (
    "doi", "url", "outcome", "ra", "urls", "problem_codes", "suggestion", "checked_at", "messages", "proxy",
    "incomplete",
)  # fmt: skip


def _build_columns(only: str) -> tuple[ResultColumn, ...]:
    columns = {
        value.name: ResultColumn(value.column.name, value.column.meaning, value.build_cell_getter())
        for value in SHOWN_VALUES
        if value.column and value.column.only == only
    }
    return tuple(columns[name] for name in arrange(columns, _KNOWN_ORDER))


RESULT_COLUMNS = _build_columns("")
"""The columns of every file of results, also of one that isn't about a list."""
_AUDITED = (
    ResultColumn("expected", "The web address in your column of expected addresses.", lambda row: row.expected or ""),
    *_build_columns("audited"),
)
_COMPARED = (
    *_build_columns("compared"),
    ResultColumn(
        "work_reason",
        "Why, as codes joined by a space. They are explained below.",
        lambda row: " ".join((row.work_evidence or {}).get("reasons", ())),
    ),
    ResultColumn(
        "registered_title", "The title of the work, as the agency has it.", lambda row: find_registered(row, "title")
    ),
    ResultColumn(
        "registered_first_author",
        "Its first author or editor, as the agency has it.",
        lambda row: find_registered(row, "authors").split("; ")[0],
    ),
    ResultColumn(
        "registered_year", "Its year, as the agency has it.", lambda row: find_registered(row, "year").split(", ")[0]
    ),
    ResultColumn(
        "registered_in",
        "Its journal, book or series, as the agency has it.",
        lambda row: find_registered(row, "container"),
    ),
)
_SEARCHED = _build_columns("searched")
CORRECTED_COLUMNS = (
    ResultColumn(
        "corrected_doi",
        "The DOI for your catalogue. Empty: don't change the record.",
        lambda row: get_corrected_doi(row).doi,
    ),
    *_build_columns("corrected"),
)
"""The DOI for the catalogue, and how it came about."""
ROW = ResultColumn(
    "row",
    "The number that a spreadsheet shows for this row of your file. The header row counts.",
    lambda row: Cell.of(str(row.row), str(row.row)),  # a number in a workbook
)
_PART = ResultColumn(
    "part",
    "The number of this DOI among the DOIs of the cell. The other columns of the row are repeated.",
    lambda row: Cell.of(str(row.part), str(row.part)),
)


def find_registered(row: Any, field: str) -> str:
    """Return what the record has in this field of the comparison of works; "" for nothing."""
    fields = (row.work_evidence or {}).get("fields", ())
    return next((each["registered"] for each in fields if each["name"] == field), "")


def list_columns(
    *,
    split: bool = False,
    compared: bool = False,
    audited: bool = False,
    corrected: bool = False,
    searched: bool = False,
) -> tuple[ResultColumn, ...]:
    """Return the columns of a list's results. `split`: a row for each DOI; `compared`: with what the agencies say of
    the works; `audited`: with expected addresses; `searched`: with what became of the search for its works."""
    return (
        ROW,
        *((_PART,) if split else ()),
        *RESULT_COLUMNS,
        *(_COMPARED if compared else ()),
        *(_AUDITED if audited else ()),
        *(CORRECTED_COLUMNS if corrected else ()),
        *(_SEARCHED if searched else ()),
    )
