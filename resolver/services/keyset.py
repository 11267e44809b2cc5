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
    """The item behind which a page begins, or `backwards` before which it ends: its values in the columns of the
    order."""

    values: Sequence[Any]
    backwards: bool = False


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Items in their order, and whether there are others before and behind them."""

    items: Sequence[Item]
    has_previous: bool
    has_next: bool


def beyond(found: QuerySet[Any], order: Order, edge: Edge | None = None) -> QuerySet[Any]:
    """What lies beyond the edge, the nearest first; without an edge all that is found, in its order."""
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


def page_of(nearest: Sequence[Item], edge: Edge | None, *, more: bool) -> Page[Item]:
    """The page that these make, which lie beyond the edge, the nearest first; `more`: they are not all."""
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
    """A page of at most so many. `fetch` gets them with one item more, which tells whether there is a page behind."""
    nearest = fetch(beyond(found, order, edge), size + 1)
    return page_of(nearest[:size], edge, more=len(nearest) > size)


def batches(found: QuerySet[Any, Any], order: Order, size: int) -> Iterator[list[Any]]:
    """All that is found, so many at once, each with the columns of the order as attributes. No cursor and no
    transaction is open between two batches, however slow the caller is."""
    edge = None
    while batch := list(beyond(found, order, edge)[:size]):
        yield batch
        edge = Edge([getattr(batch[-1], name.removeprefix("-")) for name in order])
