"""What the page of a draft shows of its first rows."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from resolver.domain.parsing.parse import Reading
from resolver.services.jobs.drafts import Seen, has_fault

SHOWN_ROWS = 5  # of each kind: the first, those without a DOI, those with a problem
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
    # What is read stands beside what it reads as.
    shown = [column for column in columns if column.is_read]
    shown += [column for column in columns if column.place < SHOWN_COLUMNS and not column.is_read]

    def row(number: int) -> dict[str, Any]:
        cells, reading = seen.rows[number - 1]
        return {
            "number": number,
            "cells": [cells[column.place] if column.place < len(cells) else "" for column in shown],
            "reading": None if read is None else reading,
            "problems": _problems(reading),
            "is_empty": not layout.cell(cells).strip(),
        }

    return {
        "columns": shown,
        "columns_left_out": len(columns) - len(shown),
        "groups": [(title, [row(number) for number in numbers]) for title, numbers in _groups(seen, read)],
        "read_column": columns[read] if read is not None else None,
        "looked_at": len(seen.rows),
        "named": seen.named,
        "nameless": len(seen.rows) - seen.named,
        "faulty": seen.faulty,
        "layout": layout,
    }


def _groups(seen: Seen, read: int | None) -> list[tuple[str, list[int]]]:
    """Which rows are shown, by their numbers, each once and each group with its title: the first, and of the others
    that were looked at some that will need work."""
    first = range(1, min(SHOWN_ROWS, len(seen.rows)) + 1)
    groups = [(_("The first rows"), list(first))]
    if read is not None:
        later = list(enumerate(seen.rows, 1))[SHOWN_ROWS:]
        nameless = [number for number, (_cells, reading) in later if not reading.valid]
        faulty = [number for number, (_cells, reading) in later if reading.valid and has_fault(reading)]
        groups += [(_("Some without a DOI"), nameless[:SHOWN_ROWS]), (_("Some with a problem"), faulty[:SHOWN_ROWS])]
    return [(title, numbers) for title, numbers in groups if numbers]


def _problems(reading: Reading) -> list[dict[str, str]]:
    """Each kind of error or warning once; notes need nobody's eyes yet, and that there is no DOI is said anyway."""
    told = {one.code: one.severity for one in reading.problems if one.severity != "info" and one.code != "no-doi"}
    return [{"code": code, "severity": severity} for code, severity in told.items()]
