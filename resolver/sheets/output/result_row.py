"""A row of the results file: the original cells, and the results as columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from resolver.sheets.workbook.typed_cell import Cell

RESULT_COLUMNS = (
    "doi",
    "doi_url",
    "outcome",
    "registration_agency",
    "url_values",
    "problems",
    "suggested_doi",
    "checked_at",
    "messages",
    "proxy",
    "incomplete",
)
AUDIT_COLUMNS = ("expected", "address")
_OF_CORRECTION = ("corrected_doi", "correction")
CORRECTED_COLUMNS = (*RESULT_COLUMNS, *_OF_CORRECTION)


def list_columns(*, split: bool = False, audited: bool = False, corrected: bool = False) -> tuple[str, ...]:
    """Return the names of the columns that the results of a list have. `split`: each DOI of a cell has its own row;
    `audited`: the list has expected addresses."""
    return (
        "row",
        *(["part"] if split else []),
        *RESULT_COLUMNS,
        *(AUDIT_COLUMNS if audited else []),
        *(_OF_CORRECTION if corrected else []),
    )


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One input row with its result. "" stands for nothing (as an outcome: not checked).

    `row` is the number that a spreadsheet shows for the row of the uploaded file; None: it is of no file. `part` is the
    number of its DOI in the cell, if each has a row; else 0. `incomplete`: a part couldn't be checked.
    """

    cells: Sequence[str]
    line: int = 0
    row: int | None = None
    part: int = 0
    input: str = ""
    doi: str = ""
    doi_url: str = ""
    outcome: str = ""
    registration_agency: str = ""
    url_values: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    messages: str = ""
    suggested_doi: str = ""
    checked_at: datetime | None = None
    proxy: str = ""
    alias_of: str = ""
    prefix_ra: str = ""
    ra_status: str = ""
    answered_at: datetime | None = None
    cached: bool = False
    incomplete: bool = False

    def list_result_cells(self) -> list[str]:
        """Return the text under each of `list_columns`, or of RESULT_COLUMNS if it is of no file."""
        return [
            *([] if self.row is None else [_make_number_cell(self.row)]),
            *([_make_number_cell(self.part)] if self.part else []),
            self.doi,
            self.doi_url,
            self.outcome,
            self.registration_agency,
            " | ".join(self.url_values),
            " ".join(self.problems),
            self.suggested_doi,
            format_iso_utc(self.checked_at) or "",
            self.messages,
            self.proxy,
            "1" if self.incomplete else "",
        ]

    def as_object(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the Row of the REST interface, with the original cells by column name under "cells"."""
        return {
            "line": self.line,
            "row": self.row,
            "part": self.part,
            "input": self.input,
            "doi": self.doi or None,
            "url": self.doi_url or None,
            "outcome": self.outcome,
            "ra": self.registration_agency or None,
            "urls": list(self.url_values),
            "problems": list(self.problems),
            "messages": self.messages,
            "suggestion": self.suggested_doi or None,
            "alias_of": self.alias_of or None,
            "prefix_ra": self.prefix_ra or None,
            "ra_status": self.ra_status or None,
            "checked_at": format_iso_utc(self.checked_at),
            "answered_at": format_iso_utc(self.answered_at),
            "cached": self.cached,
            "incomplete": self.incomplete,
            "proxy": self.proxy,
            "cells": dict(zip(names, self.cells, strict=False)),
        }


def _make_number_cell(number: int) -> str:
    """Return a cell that is a number in a workbook."""
    text = str(number)
    return Cell.of(text, text)


@lru_cache(maxsize=64)  # rows that were checked together have one moment
def format_iso_utc(moment: datetime | None) -> str | None:
    """Return ISO 8601 in UTC to the second, with a Z."""
    if moment is None:
        return None
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def build_result_header(original: Sequence[str], columns: Sequence[str] = RESULT_COLUMNS) -> list[str]:
    """Return the original names unchanged, then our columns. A name already taken gets `_2` (`_3` …)."""
    return [*original, *_free(columns, original)]


def pad_cells(cells: Sequence[str], width: int) -> Sequence[str]:
    """Return the cells, filled to the width of the header so that the result columns stand under their names."""
    if len(cells) == width:
        return cells
    return [*cells, *[""] * (width - len(cells))][:width]


def make_names_unique(names: Sequence[str]) -> list[str]:
    """Return the names as keys of a JSON object: an empty one gets its number, a repeated one `_2`. No cell is lost."""
    named = [name or f"column {position}" for position, name in enumerate(names, 1)]
    unique: list[str] = []
    for position, name in enumerate(named):
        unique += _free([name], [*unique, *(later for later in named[position + 1 :] if later != name)])
    return unique


def _free(wanted: Sequence[str], taken: Sequence[str]) -> list[str]:
    used = set(taken)
    free: list[str] = []
    for name in wanted:
        candidate, number = name, 2
        while candidate in used:
            candidate, number = f"{name}_{number}", number + 1
        used.add(candidate)
        free.append(candidate)
    return free
