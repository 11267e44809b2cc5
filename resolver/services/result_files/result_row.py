"""A row of a result file, with the names of a stored row's columns."""

from collections import namedtuple
from typing import Any

from resolver.models import Row
from resolver.models.reports.report_value import list_values

SHOWN_VALUES = tuple(value for value in list_values(Row) if value.help or value.column)
"""The values of a report in result files."""
_UNCHECKED = {
    "cells": (),
    "line": 0,
    "row": None,
    "part": 0,
    "input": "",
    "reference": None,
    **{value.name: value.unchecked for value in SHOWN_VALUES},
    "work_evidence": None,
    "searched": None,
    "also_registered": (),  # what is proposed for the row depends on it
    "decision": "",
    "decided_doi": "",
    "decided_by": "",
    "decided_at": None,
}
STORED_NAMES = tuple(_UNCHECKED)
"""The columns of a stored row that a file needs."""


_make_tuple: Any = namedtuple  # mypy allows no computed names
_Values: Any = _make_tuple(
    "ResultRow", (*STORED_NAMES, "same_as_row", "expected"), defaults=(*_UNCHECKED.values(), None, None)
)


class ResultRow(_Values):
    """One input row with its result: the values of its stored row, or those of an unchecked row, and two more.

    `row` is the number of the row in a spreadsheet of the uploaded file, `same_as_row` that of the first row with the
    same name. `expected` is the text of its expected address; None if the list has no column of them.

    A tuple with names: an instance of a model costs as much as writing its line, a frozen dataclass half of that.
    """

    __slots__ = ()
