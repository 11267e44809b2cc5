"""Keyset paging: a page begins beyond the item at the edge of another, so the last page is as quick as the first.

An order is the names of columns as `order_by` takes them, all ascending or all descending. Together they are unique, so
no tie is lost.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from django.db.models import F, Lookup, QuerySet
from django.db.models.fields.tuple_lookups import (
    Tuple,
    TupleGreaterThan,
    TupleGreaterThanOrEqual,
    TupleLessThan,
    TupleLessThanOrEqual,
)
from django.db.models.lookups import BuiltinLookup

Item = TypeVar("Item")
Order = Sequence[str]
BATCH_ROWS = 1000  # read or written together, unless they are large


@dataclass(frozen=True, slots=True)
class Edge:
    """The values of an item in the columns of the order. A page begins behind it, or `backwards` ends before it."""

    values: Sequence[Any]
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Items in their order, and whether there are others before and after them."""

    items: Sequence[Item]
    has_previous: bool
    has_next: bool


class _AsOne:
    """A comparison of rows, `(a, b) > (x, y)`: a database starts at that place of an index, but not if the columns are
    compared one by one, as Django does on SQLite."""

    def as_sqlite(self, compiler: Any, connection: Any) -> Any:
        """Return the comparison as for other databases. SQLite has it since 3.15."""
        return BuiltinLookup.as_sql(cast(Any, self), compiler, connection)


class _Greater(_AsOne, TupleGreaterThan):
    pass


class _GreaterOrEqual(_AsOne, TupleGreaterThanOrEqual):
    pass


class _Less(_AsOne, TupleLessThan):
    pass


class _LessOrEqual(_AsOne, TupleLessThanOrEqual):
    pass


def filter_beyond(found: QuerySet[Any], order: Order, edge: Edge | None = None) -> QuerySet[Any]:
    """Return the items beyond the edge, the nearest first; without an edge all, in their order."""
    if edge is None:
        return found.order_by(*order)
    if edge.backwards:
        order = [name.removeprefix("-") if name.startswith("-") else f"-{name}" for name in order]
    beyond = _Less if _descends(order) else _Greater
    return found.filter(_compare(beyond, order, edge.values)).order_by(*order)


def filter_up_to(found: QuerySet[Any], order: Order, values: Sequence[Any]) -> QuerySet[Any]:
    """Return the items of this order up to the one with these values, and that one."""
    up_to = _GreaterOrEqual if _descends(order) else _LessOrEqual
    return found.filter(_compare(up_to, order, values))


def _descends(order: Order) -> bool:
    """Return whether all columns descend. Raises ValueError if only some do: rows are compared as a whole."""
    directions = {name.startswith("-") for name in order}
    if len(directions) > 1:
        raise ValueError(f"the columns of an order go one way, not {', '.join(order)}")
    return directions == {True}


def _compare(lookup: "type[Lookup[Any]]", order: Order, values: Sequence[Any]) -> "Lookup[Any]":
    return lookup(Tuple(*(F(name.removeprefix("-")) for name in order)), tuple(values))


def build_page(nearest: Sequence[Item], edge: Edge | None, *, more: bool) -> Page[Item]:
    """Return the page of these items beyond the edge, the nearest first; `more`: there are others."""
    if edge is not None and edge.backwards:
        return Page(nearest[::-1], has_previous=bool(nearest) and more, has_next=bool(nearest))
    return Page(nearest, has_previous=bool(nearest) and edge is not None, has_next=bool(nearest) and more)


def read_page(
    found: QuerySet[Any, Item],
    order: Order,
    edge: Edge | None,
    size: int,
    *,
    fetch: Callable[[QuerySet[Any, Item], int], Sequence[Item]] = lambda found, most: list(found[:most]),
) -> Page[Item]:
    """Return a page of at most `size` items. `fetch` gets one more, to see whether another page follows."""
    nearest = fetch(filter_beyond(found, order, edge), size + 1)
    return build_page(nearest[:size], edge, more=len(nearest) > size)


def iterate_batches(found: QuerySet[Any, Any], order: Order, size: int | None = None) -> Iterator[list[Any]]:
    """Yield everything in lists of `size` items (BATCH_ROWS), which have the columns of the order as attributes. No
    cursor and no transaction stays open in between."""
    edge = None
    while batch := list(filter_beyond(found, order, edge)[: size or BATCH_ROWS]):
        yield batch
        edge = Edge([getattr(batch[-1], name.removeprefix("-")) for name in order])
