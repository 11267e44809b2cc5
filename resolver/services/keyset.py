"""Keyset paging: a page begins beyond the item at the edge of another, so the last page is as quick as the first.

An order is the names of columns as `order_by` takes them, which together are unique: ties lose nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

Item = TypeVar("Item")
Order = Sequence[str]


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


def filter_beyond(found: QuerySet[Any], order: Order, edge: Edge | None = None) -> QuerySet[Any]:
    """Return what lies beyond the edge, the nearest first; without an edge everything, in its order."""
    if edge is None:
        return found.order_by(*order)
    if edge.backwards:
        order = [name.removeprefix("-") if name.startswith("-") else f"-{name}" for name in order]
    # (a, b) is beyond (x, y) where a is beyond x, or where a = x and b is beyond y.
    condition, same = Q(), Q()
    for name, value in zip(order, edge.values, strict=True):
        column = name.removeprefix("-")
        condition |= same & Q(**{f"{column}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{column: value})
    return found.filter(condition).order_by(*order)


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


def iterate_batches(found: QuerySet[Any, Any], order: Order, size: int) -> Iterator[list[Any]]:
    """Yield everything in lists of `size` items, which have the columns of the order as attributes. No cursor and no
    transaction stays open in between."""
    edge = None
    while batch := list(filter_beyond(found, order, edge)[:size]):
        yield batch
        edge = Edge([getattr(batch[-1], name.removeprefix("-")) for name in order])
