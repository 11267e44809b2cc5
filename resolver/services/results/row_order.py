"""The orders of a list's rows. Each has an index, so that the last page is as quick as the first."""

from collections.abc import Mapping
from dataclasses import dataclass

from resolver.models import Job, Row
from resolver.services.storage.keyset import Edge, Order

SORTS: Mapping[str, Order] = {
    "row": ("line",),
    "outcome": ("outcome", "line"),
    "agency": ("ra", "line"),
    "problem": ("problem_codes", "line"),
}
"""The columns by which rows are sorted, by the name of the sort."""


@dataclass(frozen=True, slots=True)
class RowOrder:
    """The sort of rows: a name in SORTS; `down`: the last one first."""

    sort: str = "row"
    down: bool = False

    @property
    def columns(self) -> Order:
        """The order for keyset pages."""
        columns = SORTS.get(self.sort, SORTS["row"])
        return [f"-{name}" for name in columns] if self.down else columns


FILE_ORDER = RowOrder()


def find_edge(job: Job, order: RowOrder, edge: Edge | None) -> Edge | None:
    """Return the edge, which has only the line of a row, with the row's values in all columns of the order. One query,
    unless the rows are in file order. None, for the first page, if the row was deleted."""
    if edge is None or len(order.columns) == 1:
        return edge
    names = [name.removeprefix("-") for name in order.columns]
    values = Row.objects.filter(job=job, line=edge.values[0]).values_list(*names).first()
    return None if values is None else Edge(values, edge.backwards)
