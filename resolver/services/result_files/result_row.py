"""A row of a file of results, by the names that a stored row has for its values."""

from collections import namedtuple
from typing import Any

from resolver.models import Row
from resolver.models.reports.report_value import list_values

SHOWN_VALUES = tuple(value for value in list_values(Row) if value.help or value.column)
"""The values of a report that files have."""
_UNCHECKED = {
    "cells": (),
    "line": 0,
    "row": None,
    "part": 0,
    "input": "",
    **{value.name: value.unchecked for value in SHOWN_VALUES},
    "also_registered": (),  # what is proposed for the row depends on it
    "decision": "",
    "decided_doi": "",
    "decided_by": "",
    "decided_at": None,
}
STORED_NAMES = tuple(_UNCHECKED)
"""The columns of a stored row that a file needs."""


def _build_tuple() -> Any:
    """Return the named tuple of these columns, and of two values that come from elsewhere."""
    return namedtuple(
        "ResultRow", (*STORED_NAMES, "same_as_row", "expected"), defaults=(*_UNCHECKED.values(), None, None)
    )


_Values: Any = _build_tuple()


class ResultRow(_Values):
    """One input row with its result: what its stored row has, or an unchecked row, and two values more.

    `row` is the number that a spreadsheet shows for the row of the uploaded file, `same_as_row` that of the first row
    with the same name. `expected` is the text of its expected address; None if the list has no column of them.

    A tuple with names: an instance of a model costs as much as writing its line, a frozen dataclass half of that.
    """

    __slots__ = ()
