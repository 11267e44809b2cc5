"""What the page of a draft shows of its first rows."""

from dataclasses import dataclass
from typing import Any

from resolver.domain.reading import Reading
from resolver.services.drafts import Seen

SHOWN_ROWS = 10
SHOWN_COLUMNS = 8  # beside the column with the DOIs


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is shown: its place, its name, and whether the DOIs are read from it."""

    place: int
    name: str
    is_read: bool


def preview(seen: Seen) -> dict[str, Any]:
    """The first rows, with what each reads as. Where no column is known to hold the DOIs, none is read."""
    layout = seen.layout
    if layout is None:
        return {}
    read = None if seen.refusal else layout.column
    columns = [Column(place, name, place == read) for place, name in enumerate(layout.header)]
    shown = [column for column in columns if column.place < SHOWN_COLUMNS or column.is_read]
    rows = [
        {
            "number": number,
            "cells": [cells[column.place] if column.place < len(cells) else "" for column in shown],
            "reading": None if read is None else reading,
            "problems": _problems(reading),
            "is_empty": not layout.cell(cells).strip(),
        }
        for number, (cells, reading) in enumerate(seen.rows[:SHOWN_ROWS], 1)
    ]
    return {
        "columns": shown,
        "columns_left_out": len(columns) - len(shown),
        "rows": rows,
        "read_column": columns[read] if read is not None else None,
        "looked_at": len(seen.rows),
        "named": seen.named,
        "nameless": len(seen.rows) - seen.named,
        "faulty": seen.faulty,
        "layout": layout,
    }


def _problems(reading: Reading) -> list[dict[str, str]]:
    """Each kind of error or warning once; notes need nobody's eyes yet, and that there is no DOI is said anyway."""
    told = {one.code: one.severity for one in reading.problems if one.severity != "info" and one.code != "no-doi"}
    return [{"code": code, "severity": severity} for code, severity in told.items()]
