"""The columns and JSON objects of the files of two tasks: for the source, and for the person who decides."""

from collections.abc import Callable, Sequence
from typing import Any

from resolver.domain.report.source_sentence import build_source_sentence, find_source_doi
from resolver.services.lookups.stored_results import list_row_choices
from resolver.services.result_files.columns import RESULT_COLUMNS, ROW
from resolver.sheets.output.result_table import ResultColumn

_TO_DECIDE = ("doi", "outcome", "messages", "suggested_doi")


def list_source_columns(translate: Callable[[str], str] = str) -> tuple[ResultColumn, ...]:
    """Return what the source needs beside the columns of the file. `translate` makes a text of the sentence."""
    return (
        ROW,
        ResultColumn("problem", "What is wrong.", lambda row: translate(build_source_sentence(row))),
        ResultColumn("found", "The registered DOI that was meant, or whose record is at fault.", find_source_doi),
    )


def build_source_object(columns: Sequence[ResultColumn]) -> Callable[[Any, Sequence[str]], dict[str, Any]]:
    """Return the function that builds the objects of JSON lines from the cells of the file and these columns."""
    return lambda row, names: {
        "row": row.row,
        "cells": dict(zip(names, row.cells, strict=False)),
        **{column.name: column.get_cell(row) or None for column in columns if column is not ROW},
    }


def list_decision_columns() -> tuple[ResultColumn, ...]:
    """Return what a person needs to decide: the number of the row, what was found, the proposal, and other DOIs."""
    named = {column.name: column for column in RESULT_COLUMNS}
    return (
        ROW,
        *(named[name] for name in _TO_DECIDE),
        ResultColumn(
            "other_dois",
            "Other registered DOIs that you may choose, joined by “ | ”.",
            lambda row: " | ".join(list_row_choices(row)),
        ),
    )
