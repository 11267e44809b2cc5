"""A table of results for a file: the original cells of each row, and the results as columns."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

ObjectBuilder = Callable[[Any, Sequence[str]], dict[str, Any]]
"""Builds the object of JSON lines from a row and the names of its original cells."""


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column beside the original ones: its name, its meaning for the legend, and the text of a row in it."""

    name: str
    meaning: str
    get_cell: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The content of a file of results. `header` has the original names; each row has its original `cells`, and the
    values that the columns and `build_object` read. `has_legend`: a workbook explains the columns and our words."""

    header: Sequence[str]
    rows: Iterable[Any]
    columns: Sequence[ResultColumn]
    build_object: ObjectBuilder
    has_legend: bool = True


def build_result_header(original: Sequence[str], columns: Sequence[ResultColumn]) -> list[str]:
    """Return the original names unchanged, then our columns. A name already taken gets `_2` (`_3` …)."""
    return [*original, *_free([column.name for column in columns], original)]


def build_cells(row: Any, width: int, columns: Sequence[ResultColumn]) -> list[str]:
    """Return the original cells of the row, filled to that width, and the cells of our columns."""
    return [*pad_cells(row.cells, width), *[column.get_cell(row) for column in columns]]


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
